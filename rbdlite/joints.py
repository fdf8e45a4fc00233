"""The joint table: what a joint lets move (S) and how its motion turns axes and origin (XJ).

| joint     | q                     | velocity (body axes) |
|-----------|-----------------------|----------------------|
| revolute  | angle [rad]           | rate                 |
| prismatic | length [m]            | rate                 |
| helical   | angle [rad]           | rate                 |
| planar    | x, y [m], θ [rad]     | ω, vx, vy            |
| spherical | quaternion x, y, z, w | ω                    |
| free      | x, y, z, quaternion   | ω, v                 |

In body coordinates every S here is constant, so that a joint's velocity product is c = v × S q̇.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .errors import ModelError
from .scalars import constant, cos, fit, sin
from .spatial import plucker, rot6, skew, xlt6


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint type: S (6, nv) spans its free motions in body coordinates; XJ(q) is its motion transform.

    q is a column (..., nq, 1); XJ(q) has shape (..., 6, 6) and takes motions from before to after the joint.
    """

    kind: str
    nq: int
    nv: int
    S: np.ndarray
    XJ: Callable = field(repr=False)
    axis: tuple | None = None
    pitch: float | None = None


def _axis(axis, kind):
    a = np.asarray(axis, dtype=float)
    if a.shape != (3,) or not np.isfinite(a).all() or not np.linalg.norm(a) > 0:
        raise ModelError(f"the axis of a {kind} joint must be three finite numbers, not all zero; got {axis!r}")
    return a / np.linalg.norm(a)


def _pair(x):
    """A constant matrix as (float, exact) variants; whole numbers stay whole in the exact one."""
    from .scalars import exact

    x = np.asarray(x, dtype=float)
    return x, exact(x)


def _turn(a):
    """X of a turn about the unit axis a is A + sin q · B + cos q · C."""
    along = np.outer(a, a)
    cross = skew(a[:, None])
    return tuple(np.kron(np.eye(2), m) for m in (along, -cross, np.eye(3) - along))


def revolute(axis=(0, 0, 1)):
    """A hinge about `axis` (any length but zero; child axes = parent axes at q = 0). q [rad]."""
    a = _axis(axis, "revolute")
    A, B, C = (_pair(m) for m in _turn(a))

    def XJ(q):
        return fit(A, q) + sin(q) * fit(B, q) + cos(q) * fit(C, q)

    return Joint("revolute", 1, 1, np.r_[a, 0, 0, 0][:, None], XJ, tuple(a.tolist()))


def prismatic(axis=(1, 0, 0)):
    """A slider along `axis`. q [m]."""
    a = _axis(axis, "prismatic")
    A, B = _pair(np.eye(6)), _pair(xlt6(a[:, None]) - np.eye(6))

    def XJ(q):
        return fit(A, q) + q * fit(B, q)

    return Joint("prismatic", 1, 1, np.r_[0, 0, 0, a][:, None], XJ, tuple(a.tolist()))


def helical(axis=(0, 0, 1), pitch=0.0):
    """A screw: turns by q [rad] about `axis` and moves pitch · q along it; pitch in metres per radian."""
    a, h = _axis(axis, "helical"), float(pitch)
    if not np.isfinite(h):
        raise ModelError(f"the pitch of a helical joint must be a finite number of metres per radian; got {pitch!r}")
    turn = _turn(a)
    A, B, C = (_pair(m) for m in turn)
    slide = h * (xlt6(a[:, None]) - np.eye(6))
    K, L, M = (_pair(m @ slide) for m in turn)

    def XJ(q):
        s, c = sin(q), cos(q)
        return fit(A, q) + s * fit(B, q) + c * fit(C, q) + q * (fit(K, q) + s * fit(L, q) + c * fit(M, q))

    return Joint("helical", 1, 1, np.r_[a, h * a][:, None], XJ, tuple(a.tolist()), h)


_PLANE = constant([[1, 0], [0, 1], [0, 0]])


def planar():
    """Sliding and turning in the plane normal to z. q = (x, y, θ); velocity (ω, vx, vy) in body axes."""
    A, B, C = (_pair(m) for m in _turn(np.array([0.0, 0.0, 1.0])))

    def XJ(q):
        turn, r = q[..., 2:, :], q[..., :2, :]
        return (fit(A, q) + sin(turn) * fit(B, q) + cos(turn) * fit(C, q)) @ xlt6(fit(_PLANE, q) @ r)

    return Joint("planar", 3, 3, np.eye(6)[:, 2:5], XJ, (0.0, 0.0, 1.0))


def _quaternion_form():
    """Rᵀ as a quadratic form: rows of Rᵀ over the 16 products of (x, y, z, w)."""
    form = np.zeros((3, 3, 4, 4), dtype=int)
    u, w = np.eye(4, dtype=int)[:3], np.eye(4, dtype=int)[3]
    for i in range(3):
        form[i, i] += np.outer(w, w) - sum(np.outer(u[k], u[k]) for k in range(3))
        for j in range(3):
            form[i, j] += 2 * np.outer(u[i], u[j])
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        form[i, j] += 2 * np.outer(w, u[k])
        form[j, i] -= 2 * np.outer(w, u[k])
    return constant(form.reshape(9, 16))


QUAT = _quaternion_form()


def quat_E(q):
    """E = Rᵀ (parent axes -> body axes) of a unit quaternion column (x, y, z, w); (..., 4, 1) -> (..., 3, 3)."""
    batch = q.shape[:-2]
    return (fit(QUAT, q) @ (q @ q.mT).reshape(*batch, 16, 1)).reshape(*batch, 3, 3)


def spherical():
    """A ball joint. q = unit quaternion (x, y, z, w); velocity ω in body axes."""
    return Joint("spherical", 4, 3, np.eye(6)[:, :3], lambda q: rot6(quat_E(q)))


def free():
    """No constraint at all (a floating base). q = (x, y, z, quaternion x, y, z, w); velocity [ω; v] in body axes."""

    def XJ(q):
        return rot6(quat_E(q[..., 3:, :])) @ xlt6(q[..., :3, :])

    return Joint("free", 7, 6, np.eye(6), XJ)


def turn_about(axis, angle):
    """Rotation matrix (3, 3) by `angle` [rad] about `axis`; handy for placements."""
    return revolute(axis).XJ(np.array([[float(angle)]]))[:3, :3].T


__all__ = ["Joint", "revolute", "prismatic", "helical", "planar", "spherical", "free", "turn_about", "plucker"]
