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
        if D[0, 0] <= model.floor[model.v_slice[i].start]:
            refuse(model, i)
    elif kind == "float" and D.size:
        scale = np.sqrt(model.scale[model.v_slice[i]])
        found = np.linalg.eigvalsh(D / np.outer(scale, scale)).min(-1)
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
        "apart? Give the link mass, or the joint armature"
    )


def scale(model):
    """Upper estimate (nv,) of what each degree of freedom could ever have to move: the subtree stretched out.

    A subtree's inertia about its joint is at most 2 (own + m r²): own sums the bodies' inertias about their origins,
    m their masses, r is the longest way to an origin.
    """
    own, mass, reach = ([0.0] * (model.n_bodies + 1) for _ in range(3))
    out = np.ones(model.nv)
    for i in model.inward:
        joint, p = model.joints[i], model.parent[i]
        own[i] += abs(np.trace(np.array(model.I[i], dtype=float)[:3, :3]))
        mass[i] += float(model.mass[i])
        turn, slide = np.linalg.norm(joint.S[:3], axis=0), np.linalg.norm(joint.S[3:], axis=0)
        size = 2 * turn**2 * (own[i] + mass[i] * reach[i] ** 2) + slide**2 * mass[i]
        size = size + np.diag(np.array(model.Ir[i], dtype=float))
        out[model.v_slice[i]] = np.where(size > 0, size, 1.0)
        own[p] += own[i]
        mass[p] += mass[i]
        reach[p] = max(reach[p], reach[i] + np.linalg.norm(pose(np.array(model.XT[i], dtype=float))[1]))
    return out
