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
from dataclasses import dataclass, field, fields
from functools import partial

import numpy as np

from .errors import ModelError
from .scalars import as_array, constant, cos, exact, fit, sin
from .spatial import plucker, rot6, skew, xlt6


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint type: S (6, nv) spans its free motions in body coordinates; XJ(q) is its motion transform.

    q is a column (..., nq, 1); XJ(q) has shape (..., 6, 6) and takes motions from before to after the joint.
    S is kept as a read-only copy. Raises ModelError for sizes that do not go together, naming what was expected.
    """

    kind: str
    nq: int
    nv: int
    S: np.ndarray
    XJ: Callable = field(repr=False)
    axis: tuple | None = None
    pitch: float | None = None

    def __post_init__(self):
        who, whole = f"joint of kind {self.kind!r}", (int, np.integer)
        if not (isinstance(self.nq, whole) and isinstance(self.nv, whole) and 0 <= self.nv <= min(6, self.nq)):
            raise ModelError(f"{who}: nv must be 0 to 6 and nq a whole number not below it; "
                             f"got nq = {self.nq!r}, nv = {self.nv!r}")  # fmt: skip
        S = _real(self.S, (6, self.nv))
        if S is None:
            got = f"shape {self.S.shape}, {self.S.tolist()}" if isinstance(self.S, np.ndarray) else repr(self.S)
            raise ModelError(f"{who}: S must be (6, nv) = (6, {self.nv}) finite numbers; got {got}")
        if self.nv and np.linalg.matrix_rank(S) < self.nv:
            raise ModelError(f"{who}: the columns of S must be independent; got {S.tolist()}")
        if not callable(self.XJ):
            raise ModelError(f"{who}: XJ must be a function of q; got {self.XJ!r}")
        S.flags.writeable = False
        object.__setattr__(self, "S", S)

    def __reduce__(self):  # copies are built anew, so that their S is read-only too
        return Joint, tuple(getattr(self, f.name) for f in fields(self))


def _real(x, shape):
    """x as an array of floats, or None if it is none of finite real numbers in that shape."""
    try:
        x = np.array(as_array(x), dtype=float)
    except (TypeError, ValueError):
        return None
    return x if x.shape == shape and np.isfinite(x).all() else None


def _axis(axis, kind):
    a = _real(axis, (3,))
    if a is None or not a.any():
        raise ModelError(f"the axis of a {kind} joint must be three finite numbers, not all zero; got {axis!r}")
    a = np.ldexp(a, -np.frexp(np.abs(a).max())[1])  # by a power of two: exact, and no square over- or underflows
    return a / np.linalg.norm(a)


def _pair(x):
    """A constant matrix as (float, exact) variants; whole numbers stay whole in the exact one."""
    return np.asarray(x, dtype=float), exact(x)


def _turn(a):
    """X of a turn about the unit axis a is A + sin q · B + cos q · C: the matrices A, B, C."""
    along = np.outer(a, a)
    return rot6(along), rot6(-skew(a[:, None])), rot6(np.eye(3) - along)


def _hinge_X(A, B, C, q):
    return fit(A, q) + sin(q) * fit(B, q) + cos(q) * fit(C, q)


def _slider_X(A, B, q):
    return fit(A, q) + q * fit(B, q)


def _screw_X(turn, slide, q):
    return _hinge_X(*turn, q) + q * _hinge_X(*slide, q)


def _planar_X(turn, q):
    return _hinge_X(*turn, q[..., 2:, :]) @ xlt6(fit(_PLANE, q) @ q[..., :2, :])


def _ball_X(q):
    return rot6(quat_E(q))


def _free_X(q):
    return rot6(quat_E(q[..., 3:, :])) @ xlt6(q[..., :3, :])


_PLANE = constant([[1, 0], [0, 1], [0, 0]])


def revolute(axis=(0, 0, 1)):
    """A hinge about `axis` (any length but zero; child axes = parent axes at q = 0). q [rad]."""
    a = _axis(axis, "revolute")
    XJ = partial(_hinge_X, *map(_pair, _turn(a)))
    return Joint("revolute", 1, 1, np.r_[a, 0, 0, 0][:, None], XJ, tuple(a.tolist()))


def prismatic(axis=(1, 0, 0)):
    """A slider along `axis`. q [m]."""
    a = _axis(axis, "prismatic")
    XJ = partial(_slider_X, _pair(np.eye(6)), _pair(xlt6(a[:, None]) - np.eye(6)))
    return Joint("prismatic", 1, 1, np.r_[0, 0, 0, a][:, None], XJ, tuple(a.tolist()))


def helical(axis=(0, 0, 1), pitch=0.0):
    """A screw: turns by q [rad] about `axis` and moves pitch · q along it; pitch in metres per radian."""
    a, h = _axis(axis, "helical"), _real(pitch, ())
    if h is None:
        raise ModelError(f"the pitch of a helical joint must be a finite number of metres per radian; got {pitch!r}")
    turn, h = _turn(a), float(h)
    slide = [m @ (h * (xlt6(a[:, None]) - np.eye(6))) for m in turn]
    XJ = partial(_screw_X, [_pair(m) for m in turn], [_pair(m) for m in slide])
    return Joint("helical", 1, 1, np.r_[a, h * a][:, None], XJ, tuple(a.tolist()), h)


def planar():
    """Sliding and turning in the plane normal to z. q = (x, y, θ); velocity (ω, vx, vy) in body axes."""
    z = np.array([0.0, 0.0, 1.0])
    return Joint("planar", 3, 3, np.eye(6)[:, 2:5], partial(_planar_X, [_pair(m) for m in _turn(z)]), (0.0, 0.0, 1.0))


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
    return Joint("spherical", 4, 3, np.eye(6)[:, :3], _ball_X)


def free():
    """No constraint at all (a floating base). q = (x, y, z, quaternion x, y, z, w); velocity [ω; v] in body axes."""
    return Joint("free", 7, 6, np.eye(6), _free_X)


def turn_about(axis, angle):
    """Rotation matrix (3, 3) by `angle` [rad] about `axis`; handy for placements."""
    q = _real(angle, ())
    if q is None:
        raise ModelError(f"the angle of a turn must be a finite number [rad]; got {angle!r}")
    return revolute(axis).XJ(q.reshape(1, 1))[:3, :3].T


__all__ = ["Joint", "revolute", "prismatic", "helical", "planar", "spherical", "free", "turn_about", "plucker"]
