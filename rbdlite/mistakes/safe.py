"""Running a learner's function: whatever it does, an Outcome comes back."""

import copy
import signal
import threading
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..errors import SingularError
from ..model import Model

SECONDS = 20  # for one call, where the platform can stop a call


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a call gave: value (float array), or trouble, a sentence on why there is none. changed: an argument that
    the call altered, in words. endless: it was stopped after SECONDS."""

    value: np.ndarray | None = None
    trouble: str | None = None
    changed: str | None = None
    endless: bool = False


def attempt(fn, args, shape=None):
    """Call fn on copies of args. shape: what the result must have, as `packed` says."""
    given = [_copy(x) for x in args]
    try:
        with time_limit(), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = fn(*given)
    except (Exception, SystemExit, Endless) as error:
        return Outcome(trouble=_raised(fn, error), endless=isinstance(error, Endless))
    try:
        changed = next((what for a, b in zip(args, given, strict=True) if (what := _change(a, b))), None)
    except Exception:  # what stands there now cannot even be compared
        changed = "an argument"
    value, trouble = _numbers(result, shape)
    return Outcome(value, trouble, changed)


def _copy(x):
    if isinstance(x, Model):  # lists of its own, so that writing into them is seen and does no harm
        twin = copy.copy(x)
        twin.__dict__.update({k: list(getattr(x, k)) for k in ("XT", "S", "I", "Ir")})
        return twin
    if isinstance(x, dict):
        return {k: _copy(v) for k, v in x.items()}
    return copy.deepcopy(x)


def _change(before, after):
    if isinstance(before, Model):
        for key, old in before.__dict__.items():
            new = after.__dict__.get(key)
            if isinstance(old, (list, tuple)) and key != "joints" and not _same(old, new):
                return f"the model's {key}"
        return None
    if isinstance(before, dict):
        same = before.keys() == after.keys() and all(_same(before[k], after[k]) for k in before)
        return None if same else "the external forces"
    return None if _same(before, after) else "an array that was handed in"


def _same(a, b):
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    return a is b or a == b


def packed(result):
    """(all numbers, shape) of an array, or of a tuple of arrays: then one flat array, and a tuple of shapes."""
    if not isinstance(result, tuple):
        value = np.asarray(result, dtype=float)
        return value, value.shape
    parts = [np.asarray(x, dtype=float) for x in result]
    return np.concatenate([x.reshape(-1) for x in parts]), tuple(x.shape for x in parts)


def _numbers(result, shape):
    if result is None:
        return None, "it returns nothing (None): is there a `return` at the end?"
    try:
        return _as_numbers(result, shape)
    except Exception:  # an object of the learner's may do anything when it is looked at
        return None, f"it returns {type(result).__name__}, which is no array of numbers"


def _as_numbers(result, shape):
    pair = bool(shape) and isinstance(shape[0], tuple)
    if pair and not (isinstance(result, (tuple, list)) and len(result) == len(shape)):
        return None, f"it returns one {type(result).__name__}; {len(shape)} arrays are expected"
    if any(np.iscomplexobj(x) for x in (result if isinstance(result, (tuple, list)) else (result,))):
        return None, "its result holds complex numbers"
    value, got = packed(tuple(result) if pair else np.asarray(result))
    if shape is not None and got != tuple(shape):
        return None, f"it returns an array of shape {got}; {tuple(shape)} is expected"
    if not np.isfinite(value).all():
        return None, "its result holds numbers that are not finite (inf or nan)"
    return value, None


def _raised(fn, error):
    """The error in one sentence, with the line of the learner's own text on which it arose."""
    if isinstance(error, NotImplementedError):
        return "it is not written yet (NotImplementedError)"
    file = getattr(getattr(fn, "__code__", None), "co_filename", None)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    own = [f for f in frames if f.filename == file and f.line] or [f for f in frames if f.line]
    where = f", at `{own[-1].line.strip()}`" if own else ""
    inside = isinstance(error, ValueError) and "read-only" in str(error)
    why = ". An array of the model is changed in place there, as += does: write a = a + b" if inside else ""
    return f"it stops with {said(error)}{where}{why}"


def said(error):
    """An exception in words; its own words may fail. The models that answers are tried on are never singular."""
    if isinstance(error, SingularError):
        return "SingularError: a pivot D comes out zero or negative, as no joint's can be"
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


class Endless(BaseException):
    """A call was stopped because it took too long; no `except Exception` on its way keeps it."""


@contextmanager
def time_limit():
    """Raise Endless in what runs within, after SECONDS."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise Endless(f"no answer after {SECONDS} s; does a loop never end?")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS / 4)  # again, if the first is kept from getting out
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def close(a, b, tolerance=1e-9):
    """|a - b| <= tolerance · (1 + largest |b|), entry by entry; shapes must agree."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance * (1 + np.abs(b).max(initial=0))))
