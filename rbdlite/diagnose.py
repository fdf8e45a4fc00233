"""What is wrong with an answer: from a function, or from a number, to the mistakes that give just that.

    diagnose(my_rnea)                   which input to try, which law fails, which line, which known mistakes
    diagnose_number(36, "tau", 1)       the mistakes that give τ_1 = 36 on the squared-paper tree
    variant(rbd.rnea, "R07")            rnea with a mistake put in; can be listed and traced

A report never claims that somebody made a mistake: it says what a mistake gives, and that this is the same.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from .mistakes import Mistake, mistakes, table, variant
from .mistakes.cases import BROAD, COVERED, PLAIN, SWITCHES, hand_case, hard_case, switched, two_hinges, whole_numbers
from .mistakes.cost import dearer
from .mistakes.inputs import deaf_to, switched_together
from .mistakes.laws import broken
from .mistakes.lines import Finding, failing_lines
from .mistakes.safe import attempt, close, packed
from .rnea import rnea
from .trace import Difference, compare, trace

SEEDS = 0, 1, 2
BIAS = "q̇ = 0", "no gravity", "no external force"  # without these there is no bias force


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What `diagnose` found; a field is empty where nothing was found.

    right: the same numbers as the reference on every case, at its price. trouble: why there is no answer. changed: an
    argument that the function alters. cost: operations done and needed, if far too many. cures: changes of the input
    that each make it right; together: changes that only do so together; deaf: inputs that change nothing. laws: the
    broken ones, in words. lines: Findings. first: where its trace parts from the reference's. matches: rows of the
    catalogue that give the same numbers on every case, and the same trace if the function has tags.
    """

    right: bool
    trouble: str | None = None
    changed: str | None = None
    cures: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    lines: tuple[Finding, ...] = ()
    first: Difference | None = None
    matches: tuple[Mistake, ...] = ()
    cost: tuple[int, int] | None = None
    together: tuple[str, ...] = ()
    deaf: tuple[str, ...] = ()

    def hint(self, level):
        """Lines of text. 1: which input to try; 2: which law fails as well; 3: which line, and what gives the same."""
        out = [f"Your function changes {self.changed}. Call it twice: what is different then?"] if self.changed else []
        if self.trouble:
            out.append(f"There is no answer to judge: {self.trouble}.")
        if self.cost:
            out.append(f"Right numbers, with {self.cost[0]} operations on a star of 25 joints where {self.cost[1]} do.")
        if self.right:
            return out or ["Right on every case."]
        if self.cures:
            out.append(f"With one of these changes it is right: {', '.join(self.cures)}. Start there, then put back a "
                       "little at a time.")  # fmt: skip
        elif self.together:
            shared = ("the bias force, which these make together, is wrong in one place or in several"
                      if set(self.together) <= set(BIAS) else
                      "there is a mistake behind each of them, or in what they make together")  # fmt: skip
            out.append(f"With all of these changes it is right, and each is needed: {', '.join(self.together)}. So "
                       f"{shared}: put them back one at a time.")  # fmt: skip
        elif self.laws:
            out.append("No single change of the input makes it right: start with one joint, at rest.")
        if self.deaf:
            out.append(f"Your answer is the same with and without: {', '.join(self.deaf)}.")
        matches = self.matches or tuple(m for f in self.lines for m in f.matches)
        out += [m.says for m in matches]
        if level >= 2:
            out += [f"A law that fails: {law}" for law in self.laws[:2]]
        if level >= 3:
            for f in (f for f in self.lines if f.judged):
                where = f"line [{f.n}] ({f.words})" if f.n else f.words
                out.append(f"On the right inputs, {where} " + (f"stops: {f.trouble}." if f.trouble else "goes wrong."))
            if self.first is not None and not any(f.judged for f in self.lines):
                first = f"first step that differs is on {self.first.where}" if self.first.line else "result differs"
                out.append(f"The {first}.")
            out += [f"This is what you get when {m.what}." for m in matches]
        return out

    def __str__(self):
        return "\n".join(self.hint(3))

    __repr__ = __str__


def diagnose(fn, reference=rnea, seeds=SEEDS):
    """Compare fn with the reference (same parameters) on hard random cases -> Diagnosis. fn may do what it likes:
    errors, wrong shapes, inf, altered arguments are reported, not raised."""
    seeds = tuple(seeds)
    easy = _answers(fn, reference, "two hinges", seeds)
    hard = easy if easy[0][0].endless else _answers(fn, reference, None, seeds)
    whole = hard if hard[0][0].endless else _answers(fn, reference, "whole numbers", seeds[:1])
    trouble = next((o.trouble for o, _ in easy + hard + whole if o.trouble), None)
    changed = next((o.changed for o, _ in easy + hard + whole if o.changed), None)
    if trouble:
        where = "" if any(o.trouble for o, _ in easy) else " (on a larger tree; on two hinges there is an answer)"
        return Diagnosis(False, trouble + where, changed, lines=_lines(fn, reference, hard_case(seeds[0])))
    if all(_agree(hard)):
        if all(_agree(whole)):
            cost = dearer(fn, reference)
            rows = tuple(m for m in mistakes(reference).values() if m.cost and cost)
            return Diagnosis(changed is None and not cost, None, changed, matches=rows, cost=cost)
        return Diagnosis(False, None, changed, matches=(table()["torques_in_place", "N2"],))
    case = hard_case(seeds[0])
    matches, first, lines = _matches(reference, hard, seeds), None, ()
    with suppress(Exception):  # no tags or no source; or this time it stops
        theirs = trace(fn, *case.given(reference))
        first = compare(trace(reference, *case.given(reference)), theirs)
        told = tuple(m for m in matches if compare(_variant_trace(reference, m.id, seeds[0]), theirs) is None)
        matches, lines = told or matches, _lines(fn, reference, case)
    laws = broken(fn, (case, switched(case, "one-dof joints")), reference.__name__)
    cures, together, deaf = signature(fn, reference, seeds), (), ()
    if not matches and not set(cures) & set(PLAIN):
        together, deaf = switched_together(fn, reference, case), deaf_to(fn, reference, case)
        cures = tuple(name for name in cures if not (together and name in BROAD))
    return Diagnosis(False, None, changed, cures, laws, lines, first, matches, None, together, deaf)


def _lines(fn, reference, case):
    """Findings; none for a function that cannot be read or judged line by line."""
    try:
        return tuple(failing_lines(fn, reference, case))
    except Exception:
        return ()


def signature(fn, reference=rnea, seeds=SEEDS):
    """The single changes of the hard cases (names in SWITCHES) that each make fn right on every seed, as a tuple."""
    cures = []
    for name in SWITCHES:
        if any(c in cures for c in COVERED.get(name, ())):
            continue
        if all(_agree(_answers(fn, reference, name, (s,))) == [True] for s in seeds):
            cures.append(name)
    return tuple(cures)


_KINDS = {None: hard_case, "two hinges": two_hinges, "whole numbers": whole_numbers}


@cache
def _bench(reference, kind, seed):
    """A case and the right answer; made once."""
    case = _KINDS[kind](seed) if kind in _KINDS else switched(hard_case(seed), kind, seed)
    return case, packed(reference(*case.given(reference)))


def _answers(fn, reference, kind, seeds):
    out = []
    for case, (truth, shape) in (_bench(reference, kind, s) for s in seeds):
        out.append((attempt(fn, case.given(reference), shape), truth))
        if out[-1][0].endless:  # one wait is enough
            return out[-1:]
    return out


def _agree(answers):
    return [o.value is not None and close(o.value, truth) for o, truth in answers]


@cache
def _variant_answers(reference, id, seeds):
    made = variant(reference, id)
    return [o.value for o, _ in _answers(made, reference, None, seeds)]


@cache
def _variant_trace(reference, id, seed):
    return trace(variant(reference, id), *hard_case(seed).given(reference))


def _matches(reference, answers, seeds):
    found = []
    for id, row in mistakes(reference).items():
        pairs = zip(answers, _variant_answers(reference, id, seeds), strict=True)
        if all(o.value is not None and wrong is not None and close(o.value, wrong) for (o, _), wrong in pairs):
            found.append(row)
    return tuple(found)


# -- numbers -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidates:
    """What may be behind a number: right, or the rows that give it. Prints as a sentence."""

    right: bool
    rows: tuple[Mistake, ...] = ()

    def __str__(self):
        if self.right:
            return "Right."
        if not self.rows:
            return "No known mistake gives this number."
        return "This is what you get when " + ", or when ".join(m.what for m in self.rows) + "."

    __repr__ = __str__


def diagnose_number(value, name=None, index=None, case=None, reference=rnea, digits=3):
    """Which mistakes give this number -> Candidates.

    value: the whole result; or what a tagged line writes in name[index], e.g. ("tau", 1) or ("a", 3), then with plane
    motion also as its slots (ω; vx, vy). case: a Case, default the squared-paper tree. digits: decimals that count.
    """
    right, wrong = _numbers(reference, case, name, index)
    if _same_number(value, right, digits):
        return Candidates(True)
    return Candidates(False, tuple(m for m, x in wrong if x is not None and _same_number(value, x, digits)))


def _numbers(reference, case, name, index):
    """The right value, and [(row, value)] for the catalogue."""
    runs = _hand_runs(reference) if case is None else _runs(reference, case)
    values = [(row, run if run is None else run.result if name is None else run.last(name, index))
              for row, run in runs]  # fmt: skip
    return values[0][1], values[1:]


@cache
def _hand_runs(reference):
    return _runs(reference, hand_case())


def _runs(reference, case):
    """[(None, the right trace), (row, trace or None), ...]"""
    out = [(None, trace(reference, *case.given(reference)))]
    for id, row in mistakes(reference).items():
        try:
            out.append((row, trace(variant(reference, id), *case.given(reference))))
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            out.append((row, None))
    return out


def _same_number(typed, value, digits):
    typed, value = np.asarray(typed, dtype=float).reshape(-1), np.asarray(value, dtype=float).reshape(-1)
    if value.size == 6 and typed.size == 3 and not value[[0, 1, 5]].any():
        value = value[2:5]
    return typed.shape == value.shape and bool(np.all(np.abs(typed - value) <= 0.6 * 10.0**-digits))


__all__ = ["Candidates", "Diagnosis", "Finding", "Mistake", "diagnose", "diagnose_number", "mistakes", "signature",
           "variant"]  # fmt: skip
