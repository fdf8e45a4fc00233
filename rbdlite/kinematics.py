"""Where the bodies are and what they hold: poses, Jacobians, energies, centre of mass, wrenches.

All functions take single states or batches; results carry the batch axes. World means the base's coordinates.
"""

import numpy as np

from . import scalars
from .errors import StateError
from .spatial import plucker, pose


def transforms(model, q):
    """(X, X0): X[i] (..., 6, 6) takes motions from the parent to body i, X0[i] from the base to body i."""
    model, q = model.prepare(q=q)
    X, X0 = [None] * (model.n_bodies + 1), [None] * (model.n_bodies + 1)
    X0[0] = scalars.exact(np.eye(6)) if scalars.kind(model.a0) == "symbolic" else np.eye(6)
    for i in model.outward:
        X[i] = model.XJ(i, q[i]) @ model.XT[i]
        X0[i] = X[i] @ X0[model.parent[i]]
    return X, X0


def poses(model, q):
    """World pose (R (..., 3, 3), p (..., 3)) of every body, the base first: x_world = R x_body + p."""
    return [pose(X) for X in transforms(model, q)[1]]


def frame_pose(model, q, name):
    """World pose (R, p) of a body, joint or named frame."""
    R, p = poses(model, q)[model.index(name)]
    if model.is_frame(name):
        _, Rf, pf = model.frames[name]
        return R @ Rf, p + (R @ pf[:, None])[..., 0]
    return R, p


def velocities(model, q, qd):
    """Spatial velocity [ω; v] (..., 6) of every body in its own coordinates, the base first."""
    X, _ = transforms(model, q)
    model, _, qd = model.prepare(q=q, qd=qd)
    v = [0 * model.a0] + [None] * model.n_bodies
    for i in model.outward:
        v[i] = X[i] @ v[model.parent[i]] + model.S[i] @ qd[i]
    return [x[..., 0] for x in v]


def jacobian(model, q, body):
    """J (..., 6, nv): [ω; v] of a body (number, name, joint, or named frame), in its own coordinates, is J qd."""
    i = model.index(body)
    X, _ = transforms(model, q)
    model, _ = model.prepare(q=q)
    carry = model.I[0] + (scalars.exact(np.eye(6)) if model.I[0].dtype == object else np.eye(6))
    if model.is_frame(body):
        carry = plucker(*model.frames[body][1:])
    blocks = [0 * carry[:, : s.stop - s.start] for s in model.v_slice]
    while i:
        blocks[i] = carry @ model.S[i]
        carry, i = carry @ X[i], model.parent[i]
    return scalars.stack_columns(blocks)


def kinetic_energy(model, q, qd):
    """T (...) [J]: ½ Σ vᵀ I v over the bodies, plus the rotors (armature)."""
    v = velocities(model, q, qd)
    model, _, qd = model.prepare(q=q, qd=qd)
    twice = [v[i][..., None, :] @ model.I[i] @ v[i][..., None] for i in model.outward]
    twice += [qd[i].mT @ model.Ir[i] @ qd[i] for i in model.outward]
    return sum(twice)[..., 0, 0] / 2 if twice else 0.0


def total_mass(model):
    """Mass [kg] of the moving bodies and of what is bolted to the base."""
    return sum(model.mass)


def com(model, q):
    """Centre of mass (..., 3) of everything, in world coordinates. Raises StateError if nothing has mass."""
    if total_mass(model) == 0:
        raise StateError("this model has no mass, so it has no centre of mass")
    return _first_moment(model, q) / total_mass(model)


def potential_energy(model, q):
    """V (...) [J] in uniform gravity, zero at the base's origin: -Σ m gᵀ c over all bodies, the base's too."""
    kind_model, _ = model.prepare(q=q)
    return -(_first_moment(model, q) * kind_model.gravity).sum(-1)


def _first_moment(model, q):
    return sum(m * (p + (R @ np.asarray(c)[:, None])[..., 0])
               for m, c, (R, p) in zip(model.mass, model.com, poses(model, q), strict=True))  # fmt: skip


def wrench(model, q, body, force=(0, 0, 0), torque=(0, 0, 0), point=None, frame="world"):
    """A push on a body as the [n; f] (..., 6) that f_ext wants: in body coordinates, about the body's origin.

    force [N] acting at point [m], and a free torque [Nm]; force, torque and point are given in `frame`: "world" or
    "body". point defaults to the body's origin. body: number, name, joint, or named frame (then "body" means it, and
    the wrench belongs to that key in f_ext).
    """
    if frame not in ("world", "body"):
        raise StateError(f'frame must be "world" or "body"; got {frame!r}')
    R, p = frame_pose(model, q, body)
    f, n = (scalars.as_array(x)[..., None] for x in (force, torque))
    for what, x in (("force", f), ("torque", n)):
        if x.shape[-2] != 3:
            raise StateError(f"{what} must be three numbers; got shape {x.shape[:-1]}")
    if frame == "world":
        f, n = R.mT @ f, R.mT @ n
    if point is not None:
        r = scalars.as_array(point)[..., None]
        r = R.mT @ (r - p[..., None]) if frame == "world" else r
        n = n + np.cross(r, f, axis=-2)
    shape = np.broadcast_shapes(n.shape, f.shape)
    return np.concatenate([np.broadcast_to(n, shape), np.broadcast_to(f, shape)], axis=-2)[..., 0]
