"""Laws that forward dynamics, the inverse of M and its factors must obey; no mass matrix is asked from elsewhere."""

import numpy as np

from ..aba import aba, minv_times
from ..kinematics import jacobian, kinetic_energy, potential_energy
from ..ltdl import ltdl, ltdl_solve
from ..minv import minv
from .physics import answer, slope, velocity_torques
from .safe import close


def _qdd(fn, case, **changes):
    return answer(fn, aba, case, (case.model.nv,), **changes)


def _rest(fn, case, **changes):
    zero = np.zeros(case.model.nv)
    return _qdd(fn, case, **{"qd": zero, "tau": zero, "f_ext": None, **changes})


def _compliance(fn, case):
    """∂q̈/∂τ, column by column."""
    free = _rest(fn, case)
    return np.stack([_rest(fn, case, tau=e) - free for e in np.eye(case.model.nv)], axis=-1)


def _weight(case):
    return np.array([slope(lambda q, _: potential_energy(case.model, q), case, e) for e in np.eye(case.model.nv)])


def _blow(W, case):
    """An impulse p gives the speeds W p; their kinetic energy is ½ pᵀ W p."""
    p = case.b
    return bool(np.isfinite(W).all()) and close(p @ W @ p / 2, kinetic_energy(case.model, case.q, W @ p))


def holding(fn, case):
    return close(_rest(fn, case, tau=_weight(case)), np.zeros(case.model.nv), 1e-6)


def mutual(fn, case):
    W = _compliance(fn, case)
    return close(W, W.T)


def blow(fn, case):
    return _blow(_compliance(fn, case), case)


def squares(fn, case):
    rest = _rest(fn, case)
    return close(_rest(fn, case, qd=2 * case.qd) - rest, 4 * (_rest(fn, case, qd=case.qd) - rest))


def power(fn, case):
    qdd = _qdd(fn, case, f_ext=None)
    if not np.isfinite(qdd).all():
        return False
    rate = slope(lambda q, t: kinetic_energy(case.model, q, case.qd + t * qdd), case, case.qd)
    return close(rate, case.qd @ (case.tau - _weight(case)), 1e-6)


def lagrange(fn, case):
    """Moving on with q̈ = 0 takes the velocity torques and the weight."""
    if case.model.nv != case.model.n_bodies:
        return True
    tau = velocity_torques(case) + _weight(case)
    return close(_rest(fn, case, qd=case.qd, tau=tau), np.zeros(case.model.nv), 1e-5)


def push(fn, case):
    felt = sum(jacobian(case.model, case.q, i).T @ w for i, w in (case.f_ext or {}).items())
    return close(_qdd(fn, case), _qdd(fn, case, f_ext=None, tau=case.tau + felt))


def _inverse(fn, case):
    return answer(fn, minv, case, (case.model.nv,) * 2)


def inverse_mutual(fn, case):
    W = _inverse(fn, case)
    return close(W, W.T)


def inverse_blow(fn, case):
    return _blow(_inverse(fn, case), case)


def nothing(fn, case):
    return close(answer(fn, minv_times, case, (case.model.nv,), rhs=0 * case.x), 0 * case.x)


def times_blow(fn, case):
    speeds = answer(fn, minv_times, case, (case.model.nv,))
    return bool(np.isfinite(speeds).all()) and close(case.x @ speeds / 2,
                                                     kinetic_energy(case.model, case.q, speeds))  # fmt: skip


def _factors(fn, case):
    n = case.model.nv
    flat = answer(fn, ltdl, case, ((n, n), (n,)))
    return flat[: n * n].reshape(n, n), flat[n * n :]


def product(fn, case):
    L, D = _factors(fn, case)
    return close(L.T @ np.diag(D) @ L, case.M)


def triangle(fn, case):
    L, _ = _factors(fn, case)
    return close(np.triu(L), np.eye(case.model.nv))


def squares_of_energy(fn, case):
    """2 T = Σ D_k (L q̇)_k²."""
    L, D = _factors(fn, case)
    return close(D @ (L @ case.qd) ** 2, 2 * kinetic_energy(case.model, case.q, case.qd))


def solved(fn, case):
    x = answer(fn, ltdl_solve, case, (case.model.nv,))
    return close(case.L.T @ (case.D * (case.L @ x)), case.b)


FORWARD = {
    "aba": {
        "Torques that are the slope of the potential energy hold an arm at rest.": holding,
        "Torque at joint j moves joint i as much as torque at i moves j: ∂q̈/∂τ is symmetric.": mutual,
        "A blow p on the joints at rest gives the kinetic energy ½ pᵀ (∂q̈/∂τ) p.": blow,
        "Twice the speed has four times the effect on q̈.": squares,
        "Kinetic energy grows by the power of the motors, less what lifts weight.": power,
        "Weight and Lagrange's velocity torques, as τ, leave q̈ = 0 (one-dof joints).": lagrange,
        "A push on a body accelerates the joints as the torque Jᵀ f does.": push,
    },
    "minv": {
        "The inverse of a symmetric matrix is symmetric.": inverse_mutual,
        "A blow p on the joints at rest gives the kinetic energy ½ pᵀ M⁻¹ p.": inverse_blow,
    },
    "minv_times": {
        "M⁻¹ times nothing is nothing.": nothing,
        "A blow p on the joints at rest gives the kinetic energy ½ pᵀ M⁻¹ p.": times_blow,
    },
    "ltdl": {
        "The factors multiplied give M: Lᵀ D L = M.": product,
        "L has ones on its diagonal and nothing above it.": triangle,
        "Twice the kinetic energy is a sum of squares: Σ D_k (L q̇)_k².": squares_of_energy,
    },
    "ltdl_solve": {
        "What was solved for, put in, gives the right-hand side: Lᵀ D L x = b.": solved,
    },
}
