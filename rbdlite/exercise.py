"""Graded exercises: `check(id, answer)` says what is right, gives hints in three steps, and counts points.

    check("rnea-hand", answers)          numbers, marked line by line with carry-forward
    check("rnea-code", my_rnea)          a function, on hard random models
    check("rnea-code", my_rnea, hint=2)  hint 1: which input to try; 2: which law fails; 3: which line

No answer is stored here: numbers are calculated when they are marked, orders are kept as digests.
"""

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field

import numpy as np

from .diagnose import SEEDS, diagnose
from .listing import rows, source
from .marking import mark
from .mistakes.cases import bent_arm, hand_case, hard_case, own_case
from .mistakes.lines import failing_lines
from .rnea import mass_matrix_by_rnea, rnea
from .trace import trace


@dataclass(frozen=True, eq=False)
class Result:
    """Points of one exercise; prints as the number of points, which is what nbgrader reads.

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
        return f"{self.points:g}"


@dataclass(frozen=True)
class Exercise:
    """What `check` needs: points, and grade(answer, hint, **options) -> (share in 0..1, lines of text, mistake ids)."""

    points: int
    grade: Callable
    more: dict = field(default_factory=dict)


def check(id, answer, hint=1, **options):
    """Grade an answer, print what was found -> Result. Raises KeyError for an unknown id, nothing else.

    options: own=number in exercises with a model of your own.
    """
    if id not in EXERCISES:
        raise KeyError(f"no exercise {id!r}; there are {', '.join(EXERCISES)}")
    if hint not in (1, 2, 3):
        raise ValueError(f"hint must be 1, 2 or 3; got {hint!r}")
    exercise = EXERCISES[id]
    with redirect_stdout(io.StringIO()):  # a function is called often: what it prints would bury the feedback
        share, text, found = exercise.grade(answer, hint, **exercise.more, **options)
    points = exercise.points if share == 1 else min(round(2 * share * exercise.points) / 2, exercise.points - 0.5)
    head = f"{id}: {points:g} of {exercise.points} points" + ("." if points < exercise.points else ". Well done.")
    last = 3 if callable(answer) else 2 if found else 1
    more = [f"More: check({id!r}, ..., hint={hint + 1})"] if share < 1 and hint < last else []
    text = "\n".join([head, *text, *more])
    print(text)
    return Result(id, points, exercise.points, text, tuple(dict.fromkeys(found)))


# -- numbers -----------------------------------------------------------------------------------------------------------


def sheet(id, own=None):
    """Print what is given and which lines are asked in an exercise with numbers; nothing is returned."""
    case, asked = _case(EXERCISES[id].more["case"], own), _asked(EXERCISES[id].more)
    words, turn = rows(rnea), 180 / np.pi
    print(f"parents {case.model.parent[1:]}, masses {', '.join(f'{m:g}' for m in case.model.mass[1:])} kg, "
          f"gravity {case.model.gravity.tolist()} m/s²")
    print(f"q = {', '.join(f'{x * turn:g}°' for x in case.q)}, q̇ = {case.qd.tolist()} rad/s, "
          f"q̈ = {case.qdd.tolist()} rad/s²")
    for n in dict.fromkeys(n for n, _ in asked):
        print(f"[{n}] {words[n][1]}   bodies {', '.join(str(i) for m, i in asked if m == n)}")


def _case(make, own):
    return make() if own is None else make(own)


def _asked(more):
    case = _case(more["case"], 0 if more["case"] is own_case else None)
    return [(n, i) for n in more["lines"] for i in (case.model.inward if n > 8 else case.model.outward)
            if n != 11 or case.model.parent[i]]  # fmt: skip


def grade_numbers(answer, hint, case, lines, own=None):
    """answer: {(line, body): value, or ... for a blank}."""
    if own is None and case is own_case:
        return 0, ["Give the number of your own tree: check(..., own=number)."], ()
    if not isinstance(answer, dict):
        return 0, [f"The answer should be a dict {{(line, body): value}}; got {type(answer).__name__}."], ()
    here, asked = _case(case, own), _asked({"case": case, "lines": lines})
    if case is own_case:
        asked = [(10, i) for i in here.model.inward]
    try:
        marks = mark(rnea, here.given(rnea), answer, asked)
    except KeyError as error:
        return 0, [f"The answer's keys should be (line, body): {error.args[0]}."], ()
    text, found = [], []
    for m in marks:
        text += [f"  {m}"] if m.verdict in ("wrong", "unreadable") else []
        text += _matched(m.matches[:3], hint)
        found += [x.id for x in m.matches]
    for verdict, words in (("carried", "follow from your earlier values, and count"), ("blank", "still blank")):
        names = [m.name for m in marks if m.verdict == verdict]
        text += [f"  {words}: {', '.join(names)}"] if names else []
    right = sum(m.counts for m in marks)
    return right / len(marks), [f"{right} of {len(marks)} values count.", *text], found


def _matched(found, hint, first=2):
    """What the catalogue says of mistakes found; from hint `first` on, what the mistake is."""
    return [f"      This is what you get when {m.what}." if hint >= first else f"      {m.says}" for m in found]


# -- functions ---------------------------------------------------------------------------------------------------------


def _seeds():
    """Random models: everyone's, or a lecturer's own through the variable RBDLITE_SEED."""
    own = os.environ.get("RBDLITE_SEED")
    return SEEDS if own is None else tuple(int(own) + k for k in range(3))


def _not_callable(answer):
    return 0, [f"Hand in the function itself, as my_function without brackets; got {type(answer).__name__}."], ()


def grade_function(fn, hint, reference):
    """fn is compared with the reference on hard random models, on laws, and line by line if it has tags."""
    if not callable(fn):
        return _not_callable(fn)
    d = diagnose(fn, reference, _seeds())
    if d.right:
        return 1, _order(fn, reference), ()
    found = [m.id for m in d.matches or [m for f in d.lines for m in f.matches]]
    if d.trouble:
        return 0, d.hint(hint), ()
    share = 0.25 + 0.5 * min(len(d.cures), 3) / 4  # it runs, and it is right on easier inputs
    return share, d.hint(hint), found


def _order(fn, reference):
    """For a right function: does it take the steps in the same order?"""
    case = hard_case(0)
    if not source(reference).tags:
        return ["Right on every model."]
    try:
        theirs, ours = (
            [(s.line, tuple(s.at.values())) for s in trace(f, *case.given(reference)).steps] for f in (fn, reference)
        )
    except ValueError:
        return ["Right on every model. With # [n] at the end of each line you can trace it and step through it."]
    if theirs == ours:
        return ["Right on every model, and each step in the order of the pseudocode."]
    k = next((k for k, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(theirs), len(ours)))
    return [f"Right on every model. Step {k + 1} is another one than in the pseudocode: compare the two traces."]


def grade_lines(fn, hint, reference, lines):
    """The given lines of a tagged function, each on right inputs; the rest need not be written yet."""
    if not callable(fn):
        return _not_callable(fn)
    case, names = hard_case(_seeds()[0]), rows(reference)
    try:
        findings, tags = failing_lines(fn, reference, case, lines), set(source(fn).tags.values())
    except ValueError as error:
        return 0, [f"Each line must end in its number, as # [4]: {error}."], ()
    bad = {f.n: f for f in findings if f.n in lines}
    missing = [n for n in lines if n not in tags]
    text, found = [], []
    for n in lines:
        f = bad.get(n)
        if n in missing:
            text.append(f"  [{n}] not there yet: {names[n][1].strip()}")
        elif f and not f.judged:
            text.append(f"  [{n}] uses names of its own, so it cannot be run alone: use the names of the pseudocode.")
        elif f:
            text.append(f"  [{n}] goes wrong on the right inputs" + (f": {f.trouble}" if f.trouble else "."))
            text += _matched(f.matches, hint, first=3)
            found += [m.id for m in f.matches]
    if any(f.n == 0 and f.judged for f in findings):
        bad[0] = None
        text.append("  What is set up before the first numbered line goes wrong.")
    right = max(len(lines) - len(missing) - len(bad), 0)
    return right / len(lines), [f"{right} of {len(lines)} lines right.", *text], found


# -- orders ------------------------------------------------------------------------------------------------------------


def _digest(name, text):
    return hashlib.sha256(f"{name}:{text}".encode()).hexdigest()[:16]


def grade_order(answer, hint, name, letters, pairs, whole):
    """answer: the letters in order, as a string. pairs, whole: digests of the neighbours and of the order."""
    order = "".join(map(str, answer)).upper().replace(" ", "") if isinstance(answer, (str, list, tuple)) else ""
    if sorted(order) != sorted(letters):
        return 0, [f"Each of the letters {', '.join(letters)} once, as a string, is expected."], ()
    if _digest(name, order) == whole:
        return 1, ["The proof stands."], ()
    good = sum(_digest(name, a + b) in pairs for a, b in zip(order, order[1:], strict=False))
    return good / len(letters) / 2, [f"{good} of {len(letters) - 1} neighbours belong together. What may be used in a "
                                     "line must have been said before it."], ()  # fmt: skip


EXERCISES = {
    "rnea-hand": Exercise(10, grade_numbers, {"case": hand_case, "lines": (4, 5, 6, 7, 10)}),
    "rnea-own": Exercise(6, grade_numbers, {"case": own_case, "lines": (10,)}),
    "rnea-bent": Exercise(6, grade_numbers, {"case": bent_arm, "lines": (4, 6, 7, 10)}),
    "rnea-outward": Exercise(6, grade_lines, {"reference": rnea, "lines": range(1, 9)}),
    "rnea-code": Exercise(10, grade_function, {"reference": rnea}),
    "rnea-columns": Exercise(4, grade_function, {"reference": mass_matrix_by_rnea}),
    "rnea-proof": Exercise(4, grade_order, {"name": "rnea-proof", "letters": "ABCDEF",
        "whole": "855e1fda7a2b2d55", "pairs": ("744b42d700c00831", "13bcb9e84738e5bc", "a60aaf7e443fed4a",
        "273d94cce0450fb7", "9b6ab2aa793bd7cc")}),
}

__all__ = ["check", "sheet", "own_case", "bent_arm", "Result", "Exercise", "EXERCISES"]
