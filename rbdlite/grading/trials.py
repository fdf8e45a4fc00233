"""Smaller things handed in: helpers, tests that are to catch mutants, and states that are to expose them."""

import numpy as np

from ..mistakes import mistakes, variant
from ..mistakes.cases import hard_case
from ..mistakes.safe import attempt, close, packed
from . import told
from .functions import not_callable, seeds
from .numbers import matched
from .own import Guard

RIGHT_ONES = 3  # how often a test is at least tried on the right function


def grade_helper(fn, hint, right, cases, tell=None):
    """A small function, compared with `right` on cases() -> [(name, arguments), ...]; the name says what is special.

    tell(tries, hint): lines for the hints 2 and 3, of tries [(name, arguments, right value, fn's or None), ...].
    """
    if not callable(fn):
        return not_callable(fn)
    tries, wrong, guard = [], [], Guard(right, helper=True)
    for name, args in cases(seeds()[0]):
        truth, shape = packed(right(*args))
        out = guard.attempt(fn, args, shape)
        if out.endless:
            return 0, [f"There is no answer to judge: {out.trouble}."], ()
        fine = out.value is not None and close(out.value, truth) and not out.changed
        tries.append((name, args, truth, None if out.changed else out.value))
        if not fine:
            wrong.append(f"  {name}: " + (out.trouble or ("it changes " + out.changed if out.changed else "another "
                                          "answer is right")) + ".")  # fmt: skip
    good = len(tries) - len(wrong)

    def say(hint):
        more = tell(tries, hint) if tell and hint > 1 else []
        return [f"{good} of {len(tries)} cases right.", *list(dict.fromkeys(wrong))[: 1 if hint == 1 else 4], *more]

    return good / len(tries), told(say, hint), ()


def grade_detector(fn, hint, reference):
    """A test of the learner, fn(what the reference takes, its result) -> bool: it must trust the right function on
    every hard case, and no variant of the catalogue on all of them. The right one comes often, in an order by lot."""
    if not callable(fn):
        return not_callable(fn)
    guard, rng, cases = Guard(reference), np.random.default_rng(), [hard_case(s) for s in seeds()[:2]]

    def trusts(made):
        said = []
        for case in cases:
            result = attempt(made, case.given(reference)).value
            out = guard.attempt(fn, (*case.given(reference), result)) if result is not None else None
            if out is not None and out.trouble:
                raise ValueError(out.trouble)
            said.append(out is not None and bool(np.all(out.value)))
        return all(said)

    rows = list(mistakes(reference).values())
    trials, missed = [*rows, *[None] * (RIGHT_ONES + len(rows) // 4)], []
    try:
        for row in (trials[k] for k in rng.permutation(len(trials))):
            trusted = trusts(reference if row is None else variant(reference, row.id))
            if row is None and not trusted:
                return 0, ["It does not trust the right result. What holds only nearly, in rounded numbers?"], ()
            missed += [row] if row is not None and trusted else []
    except ValueError as error:
        return 0, [f"There is no verdict: {error}."], ()
    missed.sort(key=rows.index)
    count = len(rows)
    head = f"{count - len(missed)} of {count} wrong variants caught, no false alarm."
    text = [f"  Not caught: what you get when {m.what}." for m in missed]
    return (count - len(missed)) / count, told(lambda hint: [head, *text[: (1, 4, 9)[hint - 1]]], hint), \
        [m.id for m in missed]  # fmt: skip


def grade_state(answer, hint, reference, easy, ids):
    """answer: (q, q̇, τ) of the easy case's model at which every variant in `ids` goes wrong, as none does there."""
    case = easy()
    nv = case.model.nv
    try:
        given = [np.array(x, dtype=float).reshape(nv) for x in answer]
        if len(given) != 3 or not np.isfinite(given).all():
            raise ValueError
        truth = reference(case.model, *given)
        if not np.isfinite(truth).all():
            raise ValueError
    except Exception:
        return 0, [f"Three lists of {nv} numbers are expected: (q, q̇, τ)."], ()
    hidden = [m for m in (mistakes(reference)[id] for id in ids)
              if close(variant(reference, m.id)(case.model, *given), truth, 1e-6)]  # fmt: skip
    shown = len(ids) - len(hidden)
    head = f"{shown} of {len(ids)} wrong variants show."
    return shown / len(ids), told(lambda hint: [head, *matched(hidden[:3], hint)], hint), [m.id for m in hidden]
