"""Where the bodies are and what they hold: poses, Jacobians, energies, centre of mass, wrenches.

All functions take single states or batches, and every result carries the batch axes, also those of the base. World
means the base's coordinates.
"""

import numpy as np

from . import scalars
from .errors import StateError
from .spatial import cross, first_moment, plucker, pose


def transforms(model, q):
    """(X, X0): X[i] (..., 6, 6) takes motions from the parent to body i, X0[i] from the base to body i."""
    model, q = model.prepare(q=q)
    X, X0 = [None] * (model.n_bodies + 1), [None] * (model.n_bodies + 1)
    X0[0] = scalars.with_batch(_eye(model), q)
    for i in model.outward:
        X[i] = model.XJ(i, q[i]) @ model.XT[i]
        X0[i] = X[i] @ X0[model.parent[i]]
    return X, X0


def _eye(model):
    return scalars.exact(np.eye(6)) if scalars.kind(model.a0) == "symbolic" else np.eye(6)


def poses(model, q):
    """World pose (R (..., 3, 3), p (..., 3)) of every body, the base first: x_world = R x_body + p."""
    return [pose(X) for X in transforms(model, q)[1]]


def frame_pose(model, q, name):
    """World pose (R, p) of a body, joint or named frame."""
    R, p = poses(model, q)[model.index(name)]
    if model.is_frame(name):
        Rf, pf = _frame(model, name, R)
        return R @ Rf, p + (R @ pf[:, None])[..., 0]
    return R, p


def _frame(model, name, like):
    """Pose (R, p) of a named frame in its body, in the kind of number of `like`."""
    _, R, p = model.frames[name]
    return (scalars.exact(R), scalars.exact(p)) if scalars.kind(like) == "symbolic" else (R, p)


def velocities(model, q, qd):
    """Spatial velocity [ω; v] (..., 6) of every body in its own coordinates, the base first."""
    X, _ = transforms(model, q)
    model, q, qd = model.prepare(q=q, qd=qd)
    v = [scalars.with_batch(0 * model.a0, q + qd)] + [None] * model.n_bodies
    for i in model.outward:
        v[i] = X[i] @ v[model.parent[i]] + model.S[i] @ qd[i]
    return [x[..., 0] for x in v]


def jacobian(model, q, body):
    """J (..., 6, nv): [ω; v] of a body (number, name, joint, or named frame), in its own coordinates, is J qd."""
    i = model.index(body)
    X, _ = transforms(model, q)
    model, q = model.prepare(q=q)
    carry = plucker(*_frame(model, body, model.a0)) if model.is_frame(body) else _eye(model)
    blocks = [0 * carry[:, : s.stop - s.start] for s in model.v_slice]
    while i:
        blocks[i] = carry @ model.S[i]
        carry, i = carry @ X[i], model.parent[i]
    return scalars.with_batch(scalars.stack_columns(blocks), q)


def kinetic_energy(model, q, qd):
    """T (...) [J]: ½ Σ vᵀ I v over the bodies, plus the rotors (armature)."""
    v = velocities(model, q, qd)
    model, _, qd = model.prepare(q=q, qd=qd)
    twice = v[0][..., None, :1]  # zero, with the batch axes
    for i in model.outward:
        twice = twice + v[i][..., None, :] @ model.I[i] @ v[i][..., None] + qd[i].mT @ model.Ir[i] @ qd[i]
    return twice[..., 0, 0] / 2


def total_mass(model):
    """Mass [kg] of the moving bodies and of what is bolted to the base."""
    return sum(model.mass)


def com(model, q):
    """Centre of mass (..., 3) of everything, in world coordinates. Raises StateError if nothing has mass."""
    moment, mass = _first_moment(model, q)
    if scalars.is_zero(mass):
        raise StateError("this model has no mass, so it has no centre of mass")
    return moment / mass


def potential_energy(model, q):
    """V (...) [J] in uniform gravity, zero at the base's origin: -Σ m gᵀ c over all bodies, the base's too."""
    return -(_first_moment(model, q)[0] * model.prepare(q=q)[0].gravity).sum(-1)


def _first_moment(model, q):
    """(Σ m c (..., 3) in world coordinates, Σ m)."""
    where, model = poses(model, q), model.prepare(q=q)[0]
    bodies = (model.base_inertia, *model.I[1:])
    moment = sum(I[5, 5] * p + (R @ first_moment(I)[:, None])[..., 0] for I, (R, p) in zip(bodies, where, strict=True))
    return moment, sum(I[5, 5] for I in bodies)


def wrench(model, q, body, force=(0, 0, 0), torque=(0, 0, 0), point=None, frame="world"):
    """A push on a body as the [n; f] (..., 6) that f_ext wants: in body coordinates, about the body's origin.

    force [N] acting at point [m], and a free torque [Nm], each (..., 3): batch axes broadcast with those of q. They are
    given in `frame`: "world" or "body". point defaults to the body's origin. body: number, name, joint, or named frame
    (then "body" means it, and the wrench belongs to that key in f_ext). Raises StateError naming the argument.
    """
    if frame not in ("world", "body"):
        raise StateError(f'frame must be "world" or "body"; got {frame!r}')
    R, p = frame_pose(model, q, body)
    given = {"force": force, "torque": torque} | ({} if point is None else {"point": point})
    given = {what: argument(what, x, 3) for what, x in given.items()}
    batch("the batch axes of q, " + ", ".join(given), p, *given.values())
    if scalars.kind(p, *given.values()) == "symbolic":
        R, p, given = scalars.exact(R), scalars.exact(p), {what: scalars.exact(x) for what, x in given.items()}
    f, n, *r = (x[..., None] for x in given.values())
    if frame == "world":
        f, n, r = R.mT @ f, R.mT @ n, [R.mT @ (x - p[..., None]) for x in r]
    for x in r:
        n = n + cross(x[..., 0], f[..., 0])[..., None]
    return scalars.with_batch(scalars.stack_matrix([n, f]), [p[..., None]])[..., 0]


def argument(what, x, size):
    """x as an array (..., size), or of any shape for size 0, of finite numbers. Raises StateError naming `what`."""
    expected = f"{size} numbers, shape (..., {size})" if size else "a number, or a batch (...) of them"
    try:
        x = scalars.as_array(x)
        x = scalars.plain(x) if scalars.kind(x) == "symbolic" else x
    except (TypeError, ValueError) as error:
        raise StateError(f"{what} must be {expected}; {error}") from None
    if size and x.shape[-1:] != (size,):
        raise StateError(f"{what} must be {expected}; got shape {tuple(x.shape)}")
    if scalars.kind(x) == "float" and not np.isfinite(x).all():
        raise StateError(f"{what} must be finite; got {x.tolist()}")
    return x


def batch(what, *vectors):
    """The common batch axes of vectors (..., n). Raises StateError naming `what`."""
    try:
        return np.broadcast_shapes(*(x.shape[:-1] for x in vectors))
    except ValueError:
        shapes = ", ".join(str(tuple(x.shape[:-1])) for x in vectors)
        raise StateError(f"{what} must broadcast; got {shapes}") from None
