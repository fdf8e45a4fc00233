"""Quantities of each body, as v, a and f, found in a function while it runs: no tags are needed, nor our names."""

import inspect
import sys
from contextlib import contextmanager

import numpy as np

from ..errors import TraceError
from ..listing import rows, unwrapped
from ..mistakes.safe import attempt, close
from ..trace import trace


def quantities(fn, reference, case, names, lines):
    """(share of the names that are right for each body, lines of text).

    names: variables of the reference. Right is what it holds after `lines`, or in the end. A quantity may have another
    name in fn, if all of its values are there: the numbers of a hard case meet by no chance.
    """
    steps = [s for s in trace(reference, *case.given(reference)).steps if s.kind == "write"]
    held, given = values(fn, case.given(reference), case.model.n_bodies), _given(case.model)
    held = {name: pool for name, pool in held.items() if not {x.tobytes() for x in pool} <= given}
    good, text = 0, []
    for name in names:
        wanted = {i: [_last(steps, name, i, max(lines)), _last(steps, name, i, None)] for i in case.model.outward}
        bad = {key: [i for i, right in wanted.items() if not _among(pool, right)] for key, pool in held.items()}
        best = min(bad, key=lambda key: (len(bad[key]), key != name), default=name)
        wrong = bad.get(best, list(wanted))
        if not wrong:
            good += 1
            text.append(f"  {name} right for each body" + (f" (your {best})." if best != name else "."))
        elif len(wrong) == len(wanted) > len(held.get(name, ())):
            text.append(f"  {name} not there yet: {_words(reference, steps, name)}")
        else:
            there = best if len(wrong) < len(wanted) else name
            text.append(f"  {there} goes wrong from body {bad[there][0]} on: {_words(reference, steps, name)}")
    return good / len(names), text


def _given(model):
    """What the model holds for each body, as bytes: a variable with nothing else in it is no result."""
    return {x.tobytes() for name in ("XT", "S", "I", "Ir") for x in _numbers(getattr(model, name), model.n_bodies)}


def _words(reference, steps, name):
    """The pseudocode of the line that writes a quantity first."""
    n = next(s.line for s in steps if s.name == name)
    return f"line [{n}] of the pseudocode, {rows(reference)[n][1].strip()}"


def _last(steps, name, i, until):
    """What the reference holds for body i after line `until` (in the end)."""
    found = [s.value for s in steps if s.name == name and s.index == i and (until is None or s.line <= until)]
    return np.ravel(found[-1]).astype(float)


def _among(pool, right):
    return any(x.size == r.size and close(x, r) for r in right for x in pool)


def values(fn, args, n):
    """{name: [flat arrays]}: all that the variables of fn hold for a body at one time or another. n: bodies."""
    try:
        code = inspect.unwrap(unwrapped(fn)).__code__
    except (TraceError, AttributeError):
        return {}
    held, seen = {}, set()

    def look(frame, event, _):
        for name, value in frame.f_locals.items():
            for x in _numbers(value, n):
                key = name, x.tobytes()
                if key not in seen:
                    seen.add(key)
                    held.setdefault(name, []).append(x)
        return look

    with _tracing(lambda frame, event, _: look if frame.f_code is code else None):
        attempt(fn, args)
    return held


@contextmanager
def _tracing(what):
    before = sys.gettrace()
    sys.settrace(what)
    try:
        yield
    finally:
        sys.settrace(before)


def _numbers(value, n):
    """Flat arrays in a variable: of a list or dict its entries, of an array itself, its rows and its columns."""
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)) and len(value) <= n + 1:
        parts = value
    elif isinstance(value, np.ndarray):
        parts = [value, *(value if value.ndim > 1 else ()), *(value.T if value.ndim == 2 else ())]
    else:
        return []
    return [x.reshape(-1).astype(float) for x in parts
            if isinstance(x, np.ndarray) and x.dtype.kind in "fi" and 0 < x.size <= 36]  # fmt: skip
