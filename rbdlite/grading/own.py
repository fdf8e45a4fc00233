"""Is an answer the package's own function, or a call of one that gives it away? While the learner's code runs, these
refuse. Open are kinematics, joints, spatial vectors, energies, and what an exercise allows."""

import types
from contextlib import ExitStack, contextmanager

import numpy as np

from ..aba import aba, minv_times
from ..codegen import compile as compile_code
from ..coriolis import coriolis
from ..crba import crba
from ..listing import unwrapped
from ..lock import held
from ..ltdl import ldlt, ltdl, ltdl_solve
from ..minv import delassus, minv, operational_inertia
from ..mistakes.safe import attempt
from ..rnea import bias, gravity_torque, mass_matrix_by_rnea, rnea
from ..terms import all_terms
from ..twin import twin

DYNAMICS = (rnea, bias, gravity_torque, mass_matrix_by_rnea, crba, aba, minv_times, minv, delassus,
            operational_inertia, ltdl, ltdl_solve, ldlt, coriolis, all_terms, held,
            twin, compile_code)  # the last two run a copy of a function, as rbd.trace does  # fmt: skip
INVERSES = tuple(getattr(np.linalg, name) for name in (
    "inv", "pinv", "solve", "lstsq", "cholesky", "qr", "eig", "eigh", "svd", "tensorinv", "tensorsolve"))  # fmt: skip
BLOCK = 6  # freedoms of a joint: such blocks may be inverted
FACTORED = aba, minv, ltdl, ltdl_solve  # who writes these inverts no larger matrix

_calls, _kept = [], {}  # names of closed functions that were called; NumPy's functions that are closed


class Borrowed(Exception):
    """The learner's answer calls the function that it should be."""


def refuse(name):
    """What a closed function does: it notes the call and raises RuntimeError."""
    _calls.append(name)
    raise RuntimeError(f"{name} gives away what this exercise asks for: write yours")


def sized(fn, args, more):
    """What a closed function of NumPy does: blocks of a joint's size it still inverts."""
    matrix = args[0] if args else next(iter(more.values()), 0)
    if np.shape(matrix)[-1:] > (BLOCK,):
        refuse(f"numpy.linalg.{fn.__name__}")
    return fn(*args, **more)


@contextmanager
def closed(fn):
    """Within, fn of this package or of NumPy refuses, by whatever name, partial or copy it is called."""
    small, fn, scope = fn in INVERSES, unwrapped(fn), {}
    if small:
        kept = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
        kept.__kwdefaults__ = fn.__kwdefaults__
        _kept[fn.__name__] = kept
    what = f"return sized(_kept[{fn.__name__!r}], args, more)" if small else f"refuse({fn.__name__!r})"
    exec(f"def stub(*args, **more):\n    from {__name__} import _kept, refuse, sized\n    {what}\n", scope)
    code, fn.__code__ = fn.__code__, scope["stub"].__code__
    try:
        yield
    finally:
        fn.__code__ = code


def must_be_own(fn, reference, calls, allowed=(), inverses=True):
    """Raise Borrowed if fn calls the reference, or another function that is not allowed, on one of these tuples of
    arguments. inverses: NumPy's are open. Returns the trouble with a call that never ends, or None."""
    shut = [f for f in (*DYNAMICS, *(() if inverses else INVERSES)) if f not in allowed]
    for args in calls:
        _calls.clear()
        with ExitStack() as stack:
            for f in shut:
                stack.enter_context(closed(f))
            out = attempt(fn, args)
        if reference.__name__ in _calls:
            raise Borrowed(f"This is the package's own function, or it calls it ({reference.__name__}): write yours.")
        if _calls:
            raise Borrowed(f"It calls {_calls[0]}, which gives away what is asked: write yours without.")
        if out.endless:
            return out.trouble
    return None
