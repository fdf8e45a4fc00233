"""Is an answer the package's own function, or a call of one that gives it away? While the learner's code runs, each
call is looked at. Open are kinematics, joints, spatial vectors, energies, and what an exercise allows.

Noticed: the code of a closed function, whatever runs it (another name, a partial, a copy of the code object); where
inverses are closed, NumPy's and SciPy's solvers, inverses and factorisations of matrices larger than a joint's block,
also the private routines below them. Not noticed: text copied from the source, other libraries, compiled code, calls
in other threads, and answers made to deceive. Where points count, a lecturer looks at the answers too.
"""

import sys
from pathlib import Path

import numpy as np

from ..aba import aba, minv_times
from ..codegen import compile as compile_code
from ..coriolis import coriolis
from ..crba import crba
from ..listing import unwrapped
from ..lock import held
from ..ltdl import ldlt, ltdl, ltdl_solve
from ..minv import delassus, minv, operational_inertia
from ..mistakes import safe
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
SCIPY = "scipy.linalg", "scipy.sparse.linalg"
SCIPY_OPEN = "norm", "block_diag", "bandwidth", "issymmetric", "ishermitian", "find_best_blas_type"  # solve nothing
LAPACK = "scipy.linalg.lapack"

_PRIVATE = getattr(np.linalg, "_umath_linalg", None)
_UFUNCS = {name: x for name, x in vars(_PRIVATE or object).items() if isinstance(x, np.ufunc)
           and not name.startswith(("det", "slogdet", "eigvals"))}  # fmt: skip
_PRIVATE_IDS = {id(x) for x in _UFUNCS.values()}
_PACKAGE = Path(__file__).parents[1]
_HELPERS = tuple(str(_PACKAGE / name) for name in ("grading", "mistakes", "widgets"))
_RUN = str(_PACKAGE / "mistakes" / "safe.py"), str(_PACKAGE / "grading" / "accelerations.py")  # answers need them


class Borrowed(Exception):
    """The learner's answer calls the function that it should be."""


class Guard:
    """Calls answers, and raises Borrowed if one calls the reference, or another function that is not allowed.

    inverses: NumPy's and SciPy's are open. helper: the answer is a small function, where what the package keeps for
    grading, mistakes and widgets is closed, and dynamics are open.
    """

    def __init__(self, reference=None, allowed=(), inverses=True, helper=False):
        self.reference, self.inverses, self.helper, self.seen = reference, inverses, helper, []
        self.codes, self.files = {}, {}
        for fn in () if helper else DYNAMICS:
            if fn not in allowed:
                self._shut(self.codes, self.files, unwrapped(fn).__code__, fn.__name__)
        self.solvers = {} if inverses else {unwrapped(f).__code__: f"numpy.linalg.{f.__name__}" for f in INVERSES}

    @staticmethod
    def _shut(codes, files, code, name):
        codes[code] = name
        files.setdefault(code.co_filename, {})[code.co_code] = name

    def attempt(self, fn, args, shape=None):
        """`safe.attempt` under guard -> Outcome. Raises Borrowed.

        A profiler that is at work (a function of sys.setprofile, or a cProfile.Profile) sees nothing of the call before
        Python 3.12, and goes on after it. One in compiled code with no `enable` of its own is ended.
        """
        self.seen, before = [], sys.getprofile()
        if not self.inverses:
            for name, ufunc in _UFUNCS.items():
                setattr(_PRIVATE, name, self._sized(name, ufunc))
        sys.setprofile(self._look)
        try:
            out = safe.attempt(fn, args, shape)
        finally:
            if hasattr(before, "enable"):
                before.enable()  # here: from a function below, cProfile would take its end for the end of this one
            else:
                sys.setprofile(before if callable(before) else None)
            for name, ufunc in _UFUNCS.items():
                setattr(_PRIVATE, name, ufunc)
        if self.reference is not None and self.reference.__name__ in self.seen:
            raise Borrowed(f"This is the package's own function, or it calls it ({self.reference.__name__}): "
                           "write yours.")  # fmt: skip
        if self.seen:
            raise Borrowed(f"It uses {self.seen[0]}, which gives away what is asked: write yours without.")
        return out

    def _refuse(self, name):
        """Note the call, and stop it."""
        self.seen.append(name)
        raise RuntimeError(f"{name} gives away what this exercise asks for: write yours")

    def _look(self, frame, event, _):
        """Called by Python as each function starts; what it raises ends the look, and is raised in the answer."""
        code = frame.f_code
        if event != "call" or code.co_filename == __file__:
            return
        name = self.codes.get(code) or self.files.get(code.co_filename, {}).get(code.co_code)
        if self.helper and code.co_filename.startswith(_HELPERS) and code.co_filename not in _RUN:
            name = code.co_name
        if name is None and not self.inverses:
            name = self._solver(frame, code)
        if name is not None:
            self._refuse(name)

    def _solver(self, frame, code):
        """The name of a solver that starts here with a large matrix, or of a private one that this code names."""
        module = _module(frame)
        if name := self.solvers.get(code):
            return name if _large(frame) else None
        if module.startswith("scipy."):
            open_ = code.co_name in SCIPY_OPEN or code.co_name.startswith("_") and _within_scipy(frame)
            shut = module.startswith(SCIPY) and not open_ and _large(frame)
            return f"{next(x for x in SCIPY if module.startswith(x))}.{code.co_name}" if shut else None
        lapack = sys.modules.get(LAPACK)
        held = [*((n, frame.f_globals.get(n)) for n in code.co_names), *frame.f_locals.items()]
        for name, value in (*held, *((n, getattr(lapack, n, None)) for n in code.co_names)):
            if id(value) in _PRIVATE_IDS:
                return f"{_PRIVATE.__name__}.{value.__name__}"
            if type(value).__name__ == "fortran":
                return f"{LAPACK}.{name}"
        return None

    def _sized(self, name, ufunc):
        """NumPy's private routine, for blocks of a joint's size."""

        def routine(matrix, *args, **more):
            if np.shape(matrix)[-1:] > (BLOCK,):
                self._refuse(f"numpy.linalg.{name}")
            return ufunc(matrix, *args, **more)

        return routine


def _within_scipy(frame):
    """Is this function of SciPy a helper in a call of another one, which is judged by its own matrix?"""
    caller = frame.f_back
    while caller is not None and _module(caller).startswith("scipy._lib."):  # what wraps a function, as for batches
        caller = caller.f_back
    return caller is not None and _module(caller).startswith("scipy.")


def _module(frame):
    return frame.f_globals.get("__name__") or ""


def _large(frame):
    """Is the matrix of a function that starts, its first argument, larger than a joint's block, or a factor of one?"""
    names = frame.f_code.co_varnames[frame.f_code.co_name == "solve_banded" :]  # there the first counts the bands
    first = frame.f_locals.get(names[0]) if names else None
    for matrix in (lambda: first, lambda: first[0]):  # a factor comes with its kind or its order of rows
        try:
            return np.shape(matrix())[-1:] > (BLOCK,)
        except Exception:  # parts of unequal shape, or no parts
            continue
    return False


def must_be_own(fn, guard, calls):
    """Raise Borrowed if fn calls what is closed on one of these tuples of arguments. Returns the trouble with a call
    that never ends, or None."""
    for args in calls:
        out = guard.attempt(fn, args)
        if out.endless:
            return out.trouble
    return None
