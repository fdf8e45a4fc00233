"""Pivots D of the joints: inverted, or refused by name where a joint has nothing to move.

Singular means: a pivot within 64 rounding errors of zero, measured against the largest inertia that the joint's
subtree could show (`scale`). Below that a pivot is noise; tests/test_singular.py measures what is left above it.
Nothing is ever added to it. Arrays of other libraries (JAX) cannot be checked; there a singular joint gives inf or NaN.
"""

import numpy as np

from . import scalars
from .errors import SingularError
from .spatial import pose

SINGULAR = 64 * np.finfo(float).eps  # relative pivot below which a joint has nothing to move


def inverse(model, i, D):
    """D⁻¹ of joint i's block (..., nv_i, nv_i). Raises SingularError."""
    kind = scalars.kind(D)
    if kind == "float" and D.shape == (1, 1):  # most joints
        k = model.v_slice[i].start
        low = D[0, 0] <= model.floor[k]
        if low.any() if isinstance(low, np.ndarray) else low:
            refuse(model, i, D[0, 0] / model.scale[k])
    elif kind == "float" and D.size:
        scale = np.stack([np.sqrt(x) for x in model.scale[model.v_slice[i]]], axis=-1)
        found = np.linalg.eigvalsh(D / (scale[..., :, None] * scale[..., None, :])).min(-1)
        if np.any(found <= SINGULAR):
            refuse(model, i, found)
    elif kind == "symbolic" and any(scalars.is_zero(x) for k in range(D.shape[-1]) for x in D[..., k, k].reshape(-1)):
        refuse(model, i)
    try:
        return scalars.inv(D)
    except ZeroDivisionError:  # exact numbers: a block whose rows depend on each other
        refuse(model, i)


def inverse_dof(model, k, D):
    """1 / D for the pivot D (...) of one degree of freedom. Raises SingularError."""
    i = next(i for i in model.outward if model.v_slice[i].start <= k < model.v_slice[i].stop)
    if not hasattr(D, "__array_namespace__") or isinstance(D, (np.ndarray, np.generic)):
        pivot = np.asarray(D)
        if pivot.dtype == object:
            if any(scalars.is_zero(x) for x in pivot.reshape(-1)):
                refuse(model, i)
            if any(scalars.is_number(x) and float(x) < 0 for x in pivot.reshape(-1)):
                refuse(model, i, -1.0)
        if pivot.dtype != object and np.any(pivot <= model.floor[k]):
            refuse(model, i, pivot / model.scale[k])
    return 1 / D


def refuse(model, i, pivot=0.0):
    """Raise the SingularError of joint i; pivot (...): its smallest relative pivot, one for each batch row."""
    where = ""
    if np.ndim(pivot):
        where = f" (batch row {', '.join(map(str, np.argwhere(pivot <= SINGULAR)[0]))})"
    if np.min(pivot) < -SINGULAR:
        raise SingularError(f"joint {i} ({model.joint_names[i]}) has a negative pivot{where}: the matrix is not the "
                            "inertia matrix of this model at any configuration (not positive definite)")  # fmt: skip
    raise SingularError(
        f"joint {i} ({model.joint_names[i]}) has nothing to move{where}: D = 0 to rounding, so its acceleration is "
        "undetermined. Is its link massless, does its axis repeat another joint's, or are masses more than 1e12 times "
        f"apart{', or is a slide very far out' if model.slides else ''}? Give the link mass, or the joint armature"
    )


def stretched(model, q):
    """The model whose slides are out as far as the columns q say: its scale and floor, which are made when a pivot is
    first looked at, may have batch axes."""
    return model.sized(_out_at=q)


def weighed(model, M):
    """The model for an inertia matrix M (..., nv, nv): no degree of freedom moves less than its diagonal says."""
    return model.sized(scale=[np.maximum(a, M[..., k, k]) for k, a in enumerate(model.scale)])


def scale(model, q=None):
    """Upper estimate [nv] of what each degree of freedom could ever have to move: the subtree stretched out.

    A subtree's inertia about its joint is at most 2 (own + m r²): own sums the bodies' inertias about their origins,
    m their masses, r is the longest way to an origin. q: columns; None for slides that are not out.
    """
    out = {i: np.linalg.norm(model.XJ(i, q[i])[..., 3:, :3], axis=(-2, -1)) / 2**0.5
           for i in (model.slides if q is not None else ())}  # of X = [E 0; -E r× E], |r×| = √2 |r|  # fmt: skip
    own, mass, reach = ([0.0] * (model.n_bodies + 1) for _ in range(3))
    sizes = [1.0] * model.nv
    for i in model.inward:
        joint, p = model.joints[i], model.parent[i]
        own[i] += abs(np.trace(np.array(model.I[i], dtype=float)[:3, :3]))
        mass[i] += float(model.mass[i])
        turn, slide = np.linalg.norm(joint.S[:3], axis=0), np.linalg.norm(joint.S[3:], axis=0)
        rotor = np.diag(np.array(model.Ir[i], dtype=float))
        for k, t, s, r in zip(range(model.nv)[model.v_slice[i]], turn, slide, rotor, strict=True):
            size = 2 * t**2 * (own[i] + mass[i] * reach[i] ** 2) + s**2 * mass[i] + r
            sizes[k] = np.where(size > 0, size, 1.0) if np.ndim(size) else size if size > 0 else 1.0
        own[p] += own[i]
        mass[p] += mass[i]
        way = reach[i] + np.linalg.norm(pose(np.array(model.XT[i], dtype=float))[1])
        reach[p] = np.maximum(reach[p], way + out.get(i, 0.0))
    return sizes
