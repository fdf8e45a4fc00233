"""Graded exercises: `check(id, answer)` says what is right, gives hints in three steps, and counts points.

    check("rnea-hand", answers)          numbers, marked line by line with carry-forward
    check("rnea-code", my_rnea)          a function, on hard random models
    check("rnea-code", my_rnea, hint=2)  hint 1: which input to try; 2: which law fails as well; 3: which line as well

Whatever is handed in, a Result comes back: an answer of another kind, a function that stops, numbers that no arm has.
A function that calls the package's own, or what gives it away, gets nothing; `rbdlite.grading.own` says what is noticed
and what is not. Nothing here withstands an answer made to deceive, nor every order of a proof tried in turn: where
points count, run what was handed in in a sandbox and read it.

The exercises are listed in `rbdlite.grading.table`; no answer is stored there.
"""

import io
from contextlib import redirect_stdout
from dataclasses import dataclass
from operator import index

from .grading.functions import seeds
from .grading.numbers import case_of, grade_numbers, print_sheet
from .grading.own import Borrowed
from .grading.table import EXERCISES
from .marking import quiet
from .mistakes.cases import bent_arm, own_case
from .mistakes.safe import said

UNJUDGED = "This answer could not be judged, for a reason that nobody foresaw; please report it"


@dataclass(frozen=True, eq=False)
class Result:
    """Points of one exercise. A notebook shows nothing of it, since `check` has printed all there is to say; the cell's
    plain text is the number of points, which is what nbgrader reads.

    mistakes: ids of the catalogue that give the same, for the lecturer's report.
    """

    id: str
    points: float
    out_of: int
    text: str
    mistakes: tuple[str, ...] = ()

    @property
    def passed(self):
        return self.points == self.out_of

    def __float__(self):
        return float(self.points)

    def __repr__(self):
        return f"<{self.id}: {self.points:g} of {self.out_of} points>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": f"{self.points:g}", "text/markdown": ""}


def check(id, answer, hint=1, own=None):
    """Grade an answer, print what was found -> Result. Raises KeyError for an unknown id, ValueError for a hint that is
    none and for a wrong RBDLITE_SEED (the lecturer's variable, see `rbdlite.grading.functions.seeds`), nothing else.

    own: the number of your tree, in exercises with a tree of your own.
    """
    if id not in EXERCISES:
        raise KeyError(f"no exercise {id!r}; there are {', '.join(EXERCISES)}")
    if hint not in (1, 2, 3):
        raise ValueError(f"hint must be 1, 2 or 3; got {hint!r}")
    seeds()  # a wrong number of the lecturer's is no fault of the answer
    exercise = EXERCISES[id]
    options = {}
    try:
        if exercise.more.get("case") is own_case:
            options = {"own": None if own is None or own is ... else tree_number(own)}
        with redirect_stdout(io.StringIO()), quiet():  # a function is called often: what it prints would bury the rest
            share, text, found = exercise.grade(answer, hint, **exercise.more, **options)
    except (Borrowed, OwnNumberError) as error:
        share, text, found = 0, [str(error)], ()
    except Exception as error:  # rather than a traceback through code that is none of the learner's
        share, text, found = 0, [f"{UNJUDGED}: {said(error)}."], ()
    points = exercise.points if share == 1 else min(round(2 * share * exercise.points) / 2, exercise.points - 0.5)
    head = f"{id}: {points:g} of {exercise.points} points" + ("." if points < exercise.points else ". Well done.")
    later = getattr(text, "more", None) if share < 1 else None
    more = [] if later is None else [f"More: check({id!r}, ..., hint={later})"]
    text = "\n".join([head, *text, *more])
    print(text)
    return Result(id, points, exercise.points, text, tuple(dict.fromkeys(found)))


def sheet(id, own=None):
    """Print what is given and which lines are asked in an exercise with numbers; nothing is returned. Raises KeyError
    for another exercise, ValueError where own is no number of a tree."""
    if id not in EXERCISES or EXERCISES[id].grade is not grade_numbers:
        raise KeyError(f"{id!r} has no sheet; these have: "
                       f"{', '.join(k for k, x in EXERCISES.items() if x.grade is grade_numbers)}")  # fmt: skip
    more = EXERCISES[id].more
    if own is None and more["case"] is own_case:
        raise ValueError(f"give the number of your own tree: sheet({id!r}, own=number)")
    own = tree_number(own) if more["case"] is own_case else None
    print_sheet(case_of(more["case"], own), more["fn"], more["lines"])


class OwnNumberError(ValueError):
    """What was given as the number of an own tree is none."""


def tree_number(own):
    """own as an int. Raises OwnNumberError."""
    try:
        number = index(own)
    except TypeError:
        number = -1
    if number < 0:
        raise OwnNumberError(f"The number of your own tree should be a whole number, 0 or more; got {own!r}")
    return number


__all__ = ["check", "sheet", "own_case", "bent_arm", "Result", "EXERCISES"]
