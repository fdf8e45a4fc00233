"""Spatial vectors and quaternions in other orders and frames. Floats, single or with leading batch axes."""

import numpy as np

from ..errors import StateError
from ..joints import quat_E
from ..kinematics import frame_pose
from ..spatial import plucker


def swap_halves(x):
    """[ω; v] <-> [v; ω], [n; f] <-> [f; n]: angular-first to linear-first and back, x (..., 6)."""
    x = np.asarray(x, dtype=float)
    if x.ndim == 0 or x.shape[-1] != 6:
        raise StateError(f"a spatial vector has 6 entries on its last axis; got shape {x.shape}")
    return np.concatenate([x[..., 3:], x[..., :3]], -1)


def wxyz(quat):
    """Quaternion (x, y, z, w), ours and Pinocchio's, as (w, x, y, z), MuJoCo's and Drake's."""
    return np.roll(quaternion(quat), 1, -1)


def xyzw(quat):
    """Quaternion (w, x, y, z) as (x, y, z, w)."""
    return np.roll(quaternion(quat), -1, -1)


def quaternion(x):
    x = np.asarray(x, dtype=float)
    if x.ndim == 0 or x.shape[-1] != 4:
        raise StateError(f"a quaternion has 4 entries on its last axis; got shape {x.shape}")
    return x


def classical(v, a):
    """[α; r̈]: acceleration of the body-fixed point at the origin, from spatial velocity v and acceleration a (..., 6).

    All in body coordinates. The linear part gains ω × v.
    """
    v, a = np.asarray(v, dtype=float), np.asarray(a, dtype=float)
    return np.concatenate([a[..., :3], a[..., 3:] + np.cross(v[..., :3], v[..., 3:])], -1)


def spatial(v, a):
    """Spatial acceleration from the classical one [α; r̈]: the inverse of `classical`."""
    v, a = np.asarray(v, dtype=float), np.asarray(a, dtype=float)
    return np.concatenate([a[..., :3], a[..., 3:] - np.cross(v[..., :3], v[..., 3:])], -1)


def motion_to(model, q, body, m, frame):
    """A motion [ω; v] of a body, given in body coordinates, expressed elsewhere; still angular-first.

    frame: "world" (world axes, velocity of the point at the world's origin) or "hybrid" (world axes, body's origin;
    Pinocchio calls it LOCAL_WORLD_ALIGNED).
    """
    return times(np.linalg.inv(_X(model, q, body, frame)), m)


def motion_from(model, q, body, m, frame):
    """The inverse of `motion_to`."""
    return times(_X(model, q, body, frame), m)


def force_to(model, q, body, f, frame):
    """A force [n; f] on a body, given in body coordinates, expressed in "world" or "hybrid" (see `motion_to`)."""
    return times(_X(model, q, body, frame).mT, f)


def force_from(model, q, body, f, frame):
    """The inverse of `force_to`."""
    return times(np.linalg.inv(_X(model, q, body, frame)).mT, f)


def _X(model, q, body, frame):
    if frame not in ("world", "hybrid"):
        raise StateError(f'frame must be "world" or "hybrid"; got {frame!r}')
    R, p = frame_pose(model, q, body)
    if R.ndim > 2:
        raise StateError("expressing a vector in another frame takes a single q, not a batch")
    return plucker(R, p if frame == "world" else 0 * p)


def times(A, x):
    return (A @ np.asarray(x, dtype=float)[..., None])[..., 0]


def rotation(quat):
    """R (..., 3, 3), body to parent axes, of a unit quaternion (x, y, z, w)."""
    return quat_E(quat[..., None]).mT


def blocks(*parts):
    """[[a, b], [c, d]] of four square blocks, batch axes broadcast."""
    shape = np.broadcast_shapes(*(x.shape for x in parts))
    a, b, c, d = (np.broadcast_to(x, shape) for x in parts)
    return np.concatenate([np.concatenate([a, b], -1), np.concatenate([c, d], -1)], -2)


def quaternion_of(R):
    """Unit quaternion (x, y, z, w), w ≥ 0, of a rotation matrix: the eigenvector of Bar-Itzhack's symmetric matrix."""
    if np.array_equal(R, np.eye(3)):
        return np.array([0.0, 0.0, 0.0, 1.0])
    K = np.empty((4, 4))
    K[:3, :3] = R + R.T - np.trace(R) * np.eye(3)
    K[:3, 3] = K[3, :3] = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    K[3, 3] = np.trace(R)
    quat = np.linalg.eigh(K)[1][:, -1]
    return quat * (-1 if quat[3] < 0 else 1)
