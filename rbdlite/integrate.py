"""Moving a configuration along its velocity, also where q is no vector (quaternions)."""

import numpy as np

from . import scalars
from .errors import StateError
from .kinematics import argument, batch
from .spatial import cross


def integrate(model, q, v, dt):
    """q (..., nq) after moving at constant body velocity v (..., nv) for dt [s], exactly on the manifold.

    dt is a number, or a batch (...) of them: its axes broadcast with the batch axes of q and v, so that
    integrate(model, q, v, np.linspace(0, 1, 5)) is a path of five configurations.
    Quaternions stay unit (they are renormalised here, where rounding arises, and only here). Symbols move every joint
    but planar, spherical and free ones. Raises StateError for arguments that do not fit.
    """
    dt = argument("dt [s]", dt, 0)[..., None]
    model, q, v = model.prepare(q=q, v=v)
    shape = batch("the batch axes of q, v and dt", q[0][..., 0], v[0][..., 0], dt)
    kind = scalars.kind(q[0], v[0], dt)
    parts = []
    for i in model.outward:
        move = _MOVES.get(model.joints[i].kind, _move_vector)
        if kind == "symbolic" and move is not _move_vector:
            who = f"joint {i} ({model.joint_names[i]})"
            raise StateError(f"integrate: {who} is {model.joints[i].kind} and takes numbers, no symbols")
        parts.append(move(q[i][..., 0], v[i][..., 0] * dt)[..., None])
    return scalars.stack_rows(parts) if parts else np.zeros((*shape, 0))


def _move_vector(q, d):
    return q + d


def _move_planar(q, d):
    """(x, y, θ) after the body motion d = (ω, vx, vy): an arc, in the plane."""
    w, u = d[..., :1], d[..., 1:]
    reach = _sinc(w * w / 4)  # chord of the arc over its length
    turn = q[..., 2:] + w / 2
    c, s = scalars.cos(turn), scalars.sin(turn)
    return _join(q[..., :1] + reach * (c * u[..., :1] - s * u[..., 1:]),
                 q[..., 1:2] + reach * (s * u[..., :1] + c * u[..., 1:]), q[..., 2:] + w)  # fmt: skip


def _move_spherical(q, d):
    """Quaternion after the body rotation d (a rotation vector)."""
    square = (d * d).sum(-1, keepdims=True)
    turn = _join(d / 2 * _sinc(square / 4), 1 - square / 8 * _sinc(square / 16) ** 2)  # sin, cos of half the angle
    out = quat_product(q, turn)
    return out / (out * out).sum(-1, keepdims=True) ** 0.5


def _move_free(q, d):
    """Position and quaternion after the body twist d = [ω; v]: a screw motion."""
    w, u = d[..., :3], d[..., 3:]
    square, wu = (w * w).sum(-1, keepdims=True), cross(w, u)
    # V u with V = 1 + (1 - cos a)/a² w× + (a - sin a)/a³ w×w×, each coefficient smooth at zero
    step = u + _sinc(square / 4) ** 2 / 2 * wu + _lag(square) * cross(w, wu)
    return _join(q[..., :3] + rotate(q[..., 3:], step), _move_spherical(q[..., 3:], w))


_MOVES = {"planar": _move_planar, "spherical": _move_spherical, "free": _move_free}


def _sinc(square):
    """sin(a) / a as a function of a²: smooth at zero, also for a library that takes derivatives."""
    return _by_series(square, lambda a: scalars.sin(a) / a, (1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880))


def _lag(square):
    """(a - sin a) / a³ as a function of a²."""
    return _by_series(square, lambda a: (a - scalars.sin(a)) / a**3, (1 / 6, -1 / 120, 1 / 5040, -1 / 362880))


def _by_series(x, far, near):
    """far(√x), and near zero the power series in x, which needs no root."""
    where = x.__array_namespace__().where
    small = x < 0.01
    sum_ = 0 * x
    for c in near[::-1]:
        sum_ = sum_ * x + c
    return where(small, sum_, far(where(small, 1.0, x) ** 0.5))


def _join(*parts):
    """Vectors (..., n_k) as one."""
    return scalars.stack_rows([x[..., None] for x in parts])


def quat_product(a, b):
    """Product of quaternions (x, y, z, w): first b's turn in a's body, so R(ab) = R(a) R(b)."""
    u, s, v, t = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    return _join(s * v + t * u + cross(u, v), s * t - (u * v).sum(-1, keepdims=True))


def rotate(quat, x):
    """x (..., 3) turned from body to parent axes by a unit quaternion (x, y, z, w)."""
    u, w = quat[..., :3], quat[..., 3:]
    t = 2 * cross(u, x)
    return x + w * t + cross(u, t)
