"""Is an answer the package's own function, or a call of it? While the learner's code runs, that function refuses."""

from contextlib import contextmanager

from ..listing import unwrapped
from ..mistakes.safe import attempt

_calls = []  # names of functions that were called although they were closed


class Borrowed(Exception):
    """The learner's answer calls the function that it should be."""


def refuse(name):
    """What a closed function does: it notes the call and raises RuntimeError."""
    _calls.append(name)
    raise RuntimeError(f"{name} is the package's own function, and this exercise asks for it: write yours")


@contextmanager
def closed(fn):
    """Within, fn of this package refuses, by whatever name, partial or copy of the reference it is called."""
    fn = unwrapped(fn)
    scope = {}
    exec(f"def stub(*args, **more):\n    from {__name__} import refuse\n    refuse({fn.__name__!r})\n", scope)
    kept, fn.__code__ = fn.__code__, scope["stub"].__code__
    _calls.clear()
    try:
        yield _calls
    finally:
        fn.__code__ = kept


def must_be_own(fn, reference, calls):
    """Raise Borrowed if fn calls the reference on one of these tuples of arguments. Returns the trouble with a call
    that never ends, or None."""
    for args in calls:
        with closed(reference) as made:
            out = attempt(fn, args)
        if made:
            raise Borrowed(f"This is the package's own function, or it calls it ({made[0]}): write yours.")
        if out.endless:
            return out.trouble
    return None
