"""Functions of the learner: whole algorithms, single lines of them, small helpers, and tests that catch mutants."""

import os
from dataclasses import replace

import numpy as np

from ..diagnose import SEEDS, diagnose, signature
from ..listing import rows, source
from ..mistakes import mistakes, variant
from ..mistakes.cases import hard_case, two_hinges
from ..mistakes.lines import failing_lines, with_lines
from ..mistakes.safe import attempt, close, packed, said
from ..trace import trace
from .numbers import matched
from .own import FACTORED, Guard, must_be_own
from .quantities import quantities
from .zeros import uses_zeros

TAG = "To have each line judged alone, end the code that does line n of the pseudocode in its number, as # [4]."
RIGHT_ONES = 3  # how often a test is at least tried on the right function


def seeds():
    """Random models: everyone's, or a lecturer's own through the variable RBDLITE_SEED."""
    own = os.environ.get("RBDLITE_SEED")
    return SEEDS if own is None else tuple(int(own) + k for k in range(3))


def _not_callable(answer):
    return 0, [f"Hand in the function itself, as my_function without brackets; got {type(answer).__name__}."], ()


def _own(fn, reference, guard):
    """Raises Borrowed if fn calls what is closed. Returns what to say of a call that never ends, as a list."""
    cases = [two_hinges(seeds()[0]), *map(hard_case, seeds())]
    trouble = must_be_own(fn, guard, [c.given(reference) for c in cases])
    return [f"There is no answer to judge: {trouble}."] if trouble else []


def grade_function(fn, hint, reference, allowed=()):
    """fn is compared with the reference on hard random models, on laws, and line by line if it has tags. allowed:
    functions of the package that it may call."""
    if not callable(fn):
        return _not_callable(fn)
    guard = Guard(reference, allowed, inverses=bool(allowed) or reference not in FACTORED)
    if endless := _own(fn, reference, guard):
        lines = diagnose(fn, reference, seeds()[:1]).lines if hint > 2 else []
        wrong = [f for f in lines if f.judged]
        return 0, endless + [f"On the right inputs, line [{f.n}] ({f.words}) goes wrong." for f in wrong], ()
    d = diagnose(fn, reference, seeds())
    _own(fn, reference, guard)  # once more: its first calls may have been others
    if d.right and uses_zeros(fn, reference):
        return 0.75, ["Right numbers, but numbers of two that are not related are used as well: on a robot with many "
                      "branches nearly all of that work is for nothing."], ()  # fmt: skip
    if d.right:
        return 1, _order(fn, reference), ()
    if d.trouble:  # it may still be right where things are easier
        d = replace(d, cures=signature(fn, reference, seeds()))
    found = [m.id for m in d.matches or [m for f in d.lines for m in f.matches]]
    if d.trouble and not d.cures:
        return 0, d.hint(hint), found
    if d.cost:
        return 0.75, d.hint(hint), found
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
    except Exception:  # no tags or no source
        return ["Right on every model. With # [n] at the end of each line you can trace it and step through it."]
    if theirs == ours:
        return ["Right on every model, and each step in the order of the pseudocode."]
    k = next((k for k, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(theirs), len(ours)))
    return [f"Right on every model. Step {k + 1} is another one than in the pseudocode: compare the two traces."]


def grade_lines(fn, hint, reference, lines, names):
    """The given lines of a tagged function, each on right inputs; the rest need not be written yet. Without tags, or
    with numbers of its own: its result, or the quantities `names` of each body."""
    if not callable(fn):
        return _not_callable(fn)
    guard = Guard(reference, inverses=reference not in FACTORED)
    endless = _own(fn, reference, guard)
    case = hard_case(seeds()[0])
    share, text, found, own = _by_tags(fn, hint, reference, case, lines)
    if not own or endless:
        return share, text, found
    answers = [(guard.attempt(fn, c.given(reference)), packed(reference(*c.given(reference)))[0])
               for c in map(hard_case, seeds())]  # fmt: skip
    if all(out.value is not None and not out.changed and close(out.value, right) for out, right in answers):
        return 1, ["The result is right on every model, so what is asked here is, too.", TAG], ()
    other, said = quantities(fn, reference, case, names, lines)
    if other > share or not found and not share:
        good = round(other * len(names))
        return other, [f"Right quantities: {good} of {len(names)} ({', '.join(names)}).", *said, TAG], ()
    return share, text, found


def _by_tags(fn, hint, reference, case, lines):
    """(share, text, ids of mistakes, whether lines are not there or have numbers or names of their own)."""
    names = rows(reference)
    try:
        findings, tags = failing_lines(fn, reference, case, lines), set(source(fn).tags.values())
    except Exception as error:
        return 0, [f"{TAG[:-1]}: {said(error)}."], (), True
    bad = {f.n: f for f in findings if f.n in lines}
    missing = [n for n in lines if n not in tags]
    text = [f"  [{n}] not there yet: {names[n][1].strip()}" for n in missing]
    text += [f"  [{n}] uses names of its own, so it cannot be run alone: use the names of the pseudocode."
             for n, f in bad.items() if not f.judged]  # fmt: skip
    wrong = [f for f in bad.values() if f.judged]
    text += _put_in(fn, hint, reference, wrong)
    if any(f.n == 0 and f.judged for f in findings):
        bad[0] = None
        text.append("  What is set up before the first numbered line goes wrong.")
    if early := [f for f in findings if 0 < f.n < min(lines) and f.judged]:
        which = "".join(f" Line [{f.n}] ({f.words}) goes wrong." for f in early if hint > 2)
        text.append(f"  Before line [{min(lines)}] something goes wrong; put it right first"
                    + (f".{which}" if which else ": hint=3 names the line."))
    right = max(len(lines) - len(missing) - len(bad), 0)
    own = bool(missing) or any(not f.judged for f in bad.values() if f)
    found = [m.id for f in wrong for m in f.matches]
    return right / len(lines), [f"{right} of {len(lines)} lines right.", *text], found, own


def _put_in(fn, hint, reference, wrong):
    """What is to be said of wrong lines (Findings): what a function would hear in which all other lines are right."""
    if not wrong:
        return []
    d = diagnose(with_lines(fn, reference, {f.n for f in wrong}), reference, seeds())
    if not d.right:
        return ["  " + x for x in d.hint(hint)]
    which = "".join(f" Line [{f.n}] ({f.words})." for f in wrong if hint > 2)
    return [f"  The result is right, but on the way something is not what it should be.{which}"]


def grade_helper(fn, hint, right, cases):
    """A small function, compared with `right` on cases() -> [(name, arguments), ...]; the name says what is special."""
    if not callable(fn):
        return _not_callable(fn)
    good, text, guard = 0, [], Guard(right, helper=True)
    for name, args in (all_ := cases(seeds()[0])):
        truth, shape = packed(right(*args))
        out = guard.attempt(fn, args, shape)
        if out.endless:
            return 0, [f"There is no answer to judge: {out.trouble}."], ()
        fine = out.value is not None and close(out.value, truth) and not out.changed
        good += fine
        if not fine and (hint > 1 or not text):
            text.append(f"  {name}: " + (out.trouble or ("it changes " + out.changed if out.changed else "another "
                                         "answer is right")) + ".")  # fmt: skip
    return good / len(all_), [f"{good} of {len(all_)} cases right.", *text[:4]], ()


def grade_detector(fn, hint, reference):
    """A test of the learner, fn(what the reference takes, its result) -> bool: it must trust the right function on
    every hard case, and no variant of the catalogue on all of them. The right one comes often, in an order by lot."""
    if not callable(fn):
        return _not_callable(fn)
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
    text = [f"{count - len(missed)} of {count} wrong variants caught, no false alarm."]
    text += [f"  Not caught: what you get when {m.what}." for m in missed[: 1 if hint == 1 else 4]]
    return (count - len(missed)) / count, text, [m.id for m in missed]


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
    return shown / len(ids), [f"{shown} of {len(ids)} wrong variants show.", *matched(hidden[:3], hint)], \
        [m.id for m in hidden]  # fmt: skip


def grade_step(fn, hint, order):
    """An integrator's step(accel, q, q̇, dt) -> (q, q̇), judged by how its error falls when dt is halved."""
    if not callable(fn):
        return _not_callable(fn)
    guard = Guard(helper=True)

    def accel(q, qd):
        return np.array([-np.sin(q[0]) + 0.3 * qd[1], -2 * q[1] - 0.1 * qd[0] * q[0]])

    def end(n):
        q, qd = np.array([1.0, -0.4]), np.array([0.2, 0.7])
        for _ in range(n):
            out = guard.attempt(fn, (accel, q, qd, 1 / n), ((2,), (2,)))
            if out.trouble:
                raise ValueError(out.trouble)
            q, qd = out.value[:2], out.value[2:]
        return np.concatenate([q, qd])

    try:
        coarse, middle, fine = (end(n) for n in (8, 16, 32))
    except ValueError as error:
        return 0, [f"There is no answer to judge: {error}."], ()
    a, b = np.abs(coarse - middle).max(), np.abs(middle - fine).max()
    found = np.log2(a / b) if a > 0 and b > 0 and np.isfinite(a / b) else 0.0
    right = _exact_end(accel)
    if np.abs(fine - right).max() > 0.2:
        return 0, ["It does not come near the motion of these accelerations: look at signs and at the step."], ()
    said = f"Half the step divides the error by {2**found:.1f}; order {order} divides it by {2**order}."
    return min(1, max(0, round(found)) / order), [said], ()


def _exact_end(accel, n=2000):
    """Where the motion from grade_step ends after 1 s, by many steps of the midpoint rule."""
    y = np.array([1.0, -0.4, 0.2, 0.7])

    def rate(y):
        return np.concatenate([y[2:], accel(y[:2], y[2:])])

    for _ in range(n):
        y = y + rate(y + rate(y) / (2 * n)) / n
    return y
