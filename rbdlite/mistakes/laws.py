"""Laws of physics that an algorithm must obey, tested without another algorithm to compare with."""

import numpy as np

from ..crba import crba
from ..kinematics import jacobian, kinetic_energy, potential_energy
from ..rnea import rnea
from .laws_forward import FORWARD
from .physics import answer, slope, velocity_torques
from .safe import close


def _tau(fn, case, **changes):
    return answer(fn, rnea, case, (case.model.nv,), **changes)


def _still(fn, case, **changes):
    zero = np.zeros(case.model.nv)
    return _tau(fn, case, **{"qd": zero, "qdd": zero, "f_ext": None, **changes})


def _mass_matrix(fn, case):
    bias = _still(fn, case)
    return np.stack([_still(fn, case, qdd=e) - bias for e in np.eye(case.model.nv)], axis=-1)


def nothing(fn, case):
    weightless = case.model.replace(gravity=(0, 0, 0))
    return close(_still(fn, case, model=weightless), np.zeros(case.model.nv))


def gravity(fn, case):
    slopes = [slope(lambda q, _: potential_energy(case.model, q), case, e) for e in np.eye(case.model.nv)]
    return close(_still(fn, case), slopes, 1e-6)


def symmetry(fn, case):
    M = _mass_matrix(fn, case)
    return close(M, M.T)


def kinetic(fn, case):
    half = case.qd @ _mass_matrix(fn, case) @ case.qd / 2
    return close(half, kinetic_energy(case.model, case.q, case.qd))


def squares(fn, case):
    rest = _still(fn, case)
    return close(_still(fn, case, qd=2 * case.qd) - rest, 4 * (_still(fn, case, qd=case.qd) - rest))


def power(fn, case):
    inflow = case.qd @ (_tau(fn, case, f_ext=None) - _still(fn, case))
    rate = slope(lambda q, t: kinetic_energy(case.model, q, case.qd + t * case.qdd), case, case.qd)
    return close(inflow, rate, 1e-6)


def lagrange(fn, case):
    """For one-dof joints: b_j = d/dt ∂T/∂q̇_j - ∂T/∂q_j at q̈ = 0; other joints' q̇ is no rate of coordinates."""
    if case.model.nv != case.model.n_bodies:
        return True
    return close(_still(fn, case, qd=case.qd) - _still(fn, case), velocity_torques(case), 1e-6)


def push(fn, case):
    forces = case.f_ext or {}
    pushed = _tau(fn, case) - _tau(fn, case, f_ext=None)
    wanted = -sum(jacobian(case.model, case.q, i).T @ w for i, w in forces.items())
    return close(pushed, wanted)


def _matrix(fn, case):
    return answer(fn, crba, case, (case.model.nv,) * 2)


def matrix_symmetry(fn, case):
    M = _matrix(fn, case)
    return close(M, M.T)


def matrix_kinetic(fn, case):
    return close(case.qd @ _matrix(fn, case) @ case.qd / 2, kinetic_energy(case.model, case.q, case.qd))


MATRIX = {
    "The mass matrix is symmetric.": matrix_symmetry,
    "½ q̇ᵀ M q̇ is the kinetic energy of the bodies and rotors.": matrix_kinetic,
}

LAWS = {
    "rnea": {
        "An arm at rest that weighs nothing needs no torque.": nothing,
        "Holding an arm at rest takes the slope of its potential energy: τ_i = ∂V/∂q_i.": gravity,
        "Joint j's share in τ_i equals joint i's share in τ_j: the mass matrix is symmetric.": symmetry,
        "½ q̇ᵀ M q̇ is the kinetic energy of the bodies and rotors.": kinetic,
        "Twice the speed takes four times the velocity torque.": squares,
        "The power of the motors, less what lifts weight, is the growth of kinetic energy.": power,
        "Velocity torques are Lagrange's: d/dt ∂T/∂q̇_j - ∂T/∂q_j (one-dof joints).": lagrange,
        "A push on a body takes the torque Jᵀ f off the joints.": push,
    },
    "crba": MATRIX,
    "mass_matrix_by_rnea": MATRIX,
    **FORWARD,
}


def broken(fn, cases, name="rnea"):
    """The sentences of the laws for function `name` that fn does not keep in one of the cases."""
    return tuple(words for words, law in LAWS.get(name, {}).items() if not all(law(fn, case) for case in cases))
