"""Right numbers at a higher price: operations on the entries of M, counted while a function runs."""

from types import SimpleNamespace

import numpy as np

from ..ltdl import ltdl, ltdl_solve
from ..robots import random_tree
from .cases import random_state

DEAR = 1.5  # this many times the reference's operations is too many


class Counted(float):
    """A float that counts the operations it takes part in, also with NumPy's numbers."""

    __array_ufunc__ = None
    tally = SimpleNamespace(n=0)


def _counting(name):
    plain = getattr(float, name)

    def counted(self, other):
        out = plain(self, float(other))
        Counted.tally.n += 1
        return Counted(out)

    return counted


for _name in ("add", "sub", "mul", "truediv"):
    for _side in ("", "r"):
        setattr(Counted, f"__{_side}{_name}__", _counting(f"__{_side}{_name}__"))
Counted.__neg__ = lambda self: Counted(float.__neg__(self))


def star(arms=8, links=3):
    """One joint with `arms` arms on it, of `links` joints each."""
    rng = np.random.default_rng(13)
    parent = [0] + [1 if k % links == 0 else 1 + k for k in range(arms * links)]
    model = random_tree(len(parent), rng, kinds=("revolute",))
    return random_state(model.replace(parent=parent), rng)


def operations(fn, reference):
    """How many fn does on the star, called as the reference is; None if that cannot be told."""
    case, counted = star(), np.vectorize(Counted, otypes=[object])
    Counted.tally.n = 0
    try:
        fn(*(counted(x) if isinstance(x, np.ndarray) else x for x in case.given(reference)))
    except Exception:
        return None
    return Counted.tally.n


def dearer(fn, reference):
    """(operations of fn, of the reference) if fn does far more, else None."""
    if reference not in (ltdl, ltdl_solve):
        return None
    ours, theirs = operations(reference, reference), operations(fn, reference)
    return (theirs, ours) if theirs is not None and theirs > DEAR * ours else None
