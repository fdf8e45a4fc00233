"""What the laws share: answers of a function under test, and slopes of energies."""

from dataclasses import replace

import numpy as np

from ..integrate import integrate
from ..kinematics import kinetic_energy
from .safe import attempt


def answer(fn, like, case, shape, **changes):
    """What fn, called as `like` is, gives for the case with some changes; a function in trouble gives NaN, which
    breaks every law."""
    out = attempt(fn, replace(case, **changes).given(like), shape)
    size = sum(int(np.prod(s)) for s in shape) if shape and isinstance(shape[0], tuple) else shape
    return np.full(size, np.nan) if out.value is None else out.value


def slope(energy, case, direction, h=1e-5):
    """Rate of an energy(q, h) when q moves along `direction`."""
    ahead, behind = (energy(integrate(case.model, case.q, direction, s * h), s * h) for s in (1, -1))
    return (ahead - behind) / (2 * h)


def velocity_torques(case):
    """d/dt ∂T/∂q̇_j - ∂T/∂q_j at q̈ = 0 (nv,), from kinetic energies alone; for joints with one freedom only."""

    def momentum(q, e):
        T = [kinetic_energy(case.model, q, x) for x in (case.qd + e, case.qd, e)]
        return T[0] - T[1] - T[2]

    return [slope(lambda q, _, e=e: momentum(q, e), case, case.qd)
            - slope(lambda q, _: kinetic_energy(case.model, q, case.qd), case, e)
            for e in np.eye(case.model.nv)]  # fmt: skip
