"""Moving a configuration along its velocity, also where q is no vector (quaternions), and simple time steppers."""

import numpy as np

from .errors import StateError


def integrate(model, q, v, dt):
    """q (..., nq) after moving at constant body velocity v (..., nv) for dt [s], exactly on the manifold.

    Quaternions stay unit (they are renormalised here, where rounding arises, and only here).
    Raises StateError for arguments that do not fit the model.
    """
    if not np.isfinite(dt):
        raise StateError(f"dt must be a finite number of seconds; got {dt}")
    _, q_in, v_in = model.prepare(q=q, v=v)
    move = {"planar": _move_planar, "spherical": _move_spherical, "free": _move_free}
    parts = [move.get(model.joints[i].kind, lambda q, d: q + d)(q_in[i][..., 0], v_in[i][..., 0] * dt)
             for i in model.outward]  # fmt: skip
    batch = np.broadcast_shapes(*(p.shape[:-1] for p in parts)) if parts else ()
    return np.concatenate([np.broadcast_to(p, batch + p.shape[-1:]) for p in parts], -1) if parts else np.zeros(0)


def _move_planar(q, d):
    """(x, y, θ) after the body motion d = (ω, vx, vy): an arc, in the plane."""
    w, u = d[..., :1], d[..., 1:]
    half = w / 2
    reach = np.sinc(half / np.pi)  # chord of the arc over its length
    turn = q[..., 2:] + half
    c, s = np.cos(turn), np.sin(turn)
    step = np.concatenate([c * u[..., :1] - s * u[..., 1:], s * u[..., :1] + c * u[..., 1:]], -1)
    return np.concatenate([q[..., :2] + reach * step, q[..., 2:] + w], -1)


def _move_spherical(q, d):
    """Quaternion after the body rotation d (a rotation vector)."""
    half = np.linalg.norm(d, axis=-1, keepdims=True) / 2
    turn = np.concatenate([d / 2 * np.sinc(half / np.pi), np.cos(half)], -1)
    out = quat_product(q, turn)
    return out / np.linalg.norm(out, axis=-1, keepdims=True)


def _move_free(q, d):
    """Position and quaternion after the body twist d = [ω; v]: a screw motion."""
    w, u = d[..., :3], d[..., 3:]
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    wu = np.cross(w, u)
    # V u with V = 1 + (1 - cos a)/a² w× + (a - sin a)/a³ w×w×, each coefficient smooth at zero
    one = np.sinc(angle / (2 * np.pi)) ** 2 / 2
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    two = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    step = u + one * wu + two * np.cross(w, wu)
    return np.concatenate([q[..., :3] + rotate(q[..., 3:], step), _move_spherical(q[..., 3:], w)], -1)


def quat_product(a, b):
    """Product of quaternions (x, y, z, w): first b's turn in a's body, so R(ab) = R(a) R(b)."""
    u, s, v, t = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    u, v = np.broadcast_arrays(u, v)
    return np.concatenate([s * v + t * u + np.cross(u, v), s * t - (u * v).sum(-1, keepdims=True)], -1)


def rotate(quat, x):
    """x (..., 3) turned from body to parent axes by a unit quaternion (x, y, z, w)."""
    u, w = quat[..., :3], quat[..., 3:]
    t = 2 * np.cross(*np.broadcast_arrays(u, x))
    return x + w * t + np.cross(*np.broadcast_arrays(u, t))
