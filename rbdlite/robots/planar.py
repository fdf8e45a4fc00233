"""Planar arms: every hinge about z, every link along its own x axis."""

import numpy as np

from ..errors import ModelError
from ..joints import revolute
from ..model import Model
from ..scalars import as_array, plain
from ..spatial import inertia


def _numbers(what, values, exact):
    """values as a list of floats, or of SymPy's exact numbers; symbols stay what they are."""
    try:
        if not exact:
            return list(plain(as_array(values)).tolist())
        import sympy

        return [sympy.nsimplify(v) if isinstance(v, float) else sympy.sympify(v, strict=True) for v in values]
    except (TypeError, ValueError):  # sympy's SympifyError is a ValueError
        raise ModelError(f"{what} must be a list of numbers or SymPy symbols; got {values!r}") from None


def planar_arm(lengths=(1, 1), masses=(1, 1), inertia="rod", gravity=(0, -9.81, 0), armature=None, exact=False):
    """An unbranched arm of links along x, hinges about z; all links lie along +x at q = 0.

    lengths [m], masses [kg]. inertia: "rod" (thin uniform rod), or "point" (all mass at the link's midpoint).
    exact=True keeps numbers exact (SymPy rationals) for symbolic states; SymPy symbols are allowed too.
    """
    L, m = _numbers("lengths", lengths, exact), _numbers("masses", masses, exact)
    if len(L) != len(m):
        raise ModelError(f"one mass for each link is needed: {len(L)} lengths, {len(m)} masses")
    if inertia not in ("rod", "point"):
        raise ModelError(f'inertia must be "rod" or "point"; got {inertia!r}')
    turn = [mass * length**2 / 12 if inertia == "rod" else 0 * mass for mass, length in zip(m, L, strict=True)]
    return _arm(range(len(L)), L, m, [length / 2 for length in L], turn, _numbers("gravity", gravity, exact), armature)


def double_pendulum(lengths=(1, 1), masses=(1, 1), gravity=(0, -9.81, 0), exact=False):
    """Two point masses at the ends of massless rods: the textbook double pendulum (hangs down at q1 = -90°)."""
    L, m = _numbers("lengths", lengths, exact), _numbers("masses", masses, exact)
    if not len(L) == len(m) == 2:
        raise ModelError(f"a double pendulum has two lengths and two masses; got {len(L)} and {len(m)}")
    return _arm(range(2), L, m, L, [0 * x for x in m], _numbers("gravity", gravity, exact), None)


def _arm(parent, lengths, masses, offsets, turn, gravity, armature):
    """Planar tree: parent (0 = base), link lengths, masses, distance of the centre of mass along the link, J_zz."""
    n, tip = len(masses), dict(enumerate(lengths, 1))
    place = [(np.eye(3, dtype=int), [tip.get(p, 0), 0, 0]) for p in parent]  # Model refuses a parent that is none
    bodies = [inertia(m, [c, 0, 0], [0, J, J]) for m, c, J in zip(masses, offsets, turn, strict=True)]
    return Model(parent, [revolute((0, 0, 1))] * n, place, bodies, names=[f"link{i}" for i in range(1, n + 1)],
                 joint_names=[f"joint{i}" for i in range(1, n + 1)], gravity=gravity, armature=armature)  # fmt: skip


def squared_paper_tree(parent=(0, 1, 2, 1), masses=(1, 2, 3, 4), gravity=(0, -10, 0), exact=False):
    """Unit links with a point mass at each tip; at right angles every number of every algorithm is an integer.

    parent: 0 is the base. Link i starts at its parent's tip. exact=True keeps integers for symbolic states.
    """
    m = _numbers("masses", masses, exact)
    if len(parent) != len(m):
        raise ModelError(f"one mass for each link is needed: {len(parent)} parents, {len(m)} masses")
    one = _numbers("lengths", [1] * len(m), exact)
    return _arm(parent, one, m, one, [0 * x for x in m], _numbers("gravity", gravity, exact), None)


def squared_paper_state(exact=False):
    """(q, qd, qdd) of the running example: angles 0°, 90°, -90°, -90°, moving."""
    quarter = np.pi / 2
    if exact:
        import sympy

        quarter = sympy.pi / 2
    return np.array([0 * quarter, quarter, -quarter, -quarter]), np.array([1, 1, -1, 2]), np.array([1, -2, 1, 1])
