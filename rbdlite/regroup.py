"""The same dynamics with fewer inertia entries: what a joint cannot feel is moved to the parent."""

import numpy as np

from .errors import StateError
from .spatial import inertia, skew


def regroup(model):
    """A model with the same equations of motion whose inertias have more zeros.

    Part N of a body's inertia that neither the joint's own motion excites (N S = 0) nor the joint variable changes
    may as well sit on the parent. For a hinge that is the mass, the first moment along the axis and equal transverse
    moments; for a slider all rotational inertia; for a ball joint the mass. Joint forces, M, accelerations are the
    same; forces inside the links (f, I^A, I^c) are not, and the inertias are no longer those of real bodies.
    Raises StateError for a model with symbols.
    """
    if model.I[0].dtype == object:
        raise StateError("regroup needs a model with numbers")
    I6, base = [x.copy() for x in model.I], model.base_inertia.copy()
    size = [np.diag(x).copy() for x in (base, *I6[1:])]  # of what was ever added up there
    for i in model.inward:
        N = _unfelt(model.joints[i], I6[i])
        if N is None:
            continue
        I6[i] = I6[i] - N
        moved = model.XT[i].T @ N @ model.XT[i]
        p = model.parent[i]
        size[p] = size[p] + np.abs(np.diag(moved))
        if p:
            I6[p] = I6[p] + moved
        else:
            base = base + moved
    for x, largest in zip((base, *I6[1:]), size, strict=True):
        x[np.abs(x) <= 8 * np.finfo(float).eps * np.sqrt(np.outer(largest, largest))] = 0.0
    return model.exchanged(I=I6, base_inertia=base, regrouped=True)


def _unfelt(joint, I6):
    """The part of I6 that joint motion leaves alone, or None."""
    m, J = I6[5, 5], I6[:3, :3]
    h = np.array([I6[2, 4], I6[0, 5], I6[1, 3]])
    if joint.kind == "revolute":
        a = np.array(joint.axis)
        across = np.linalg.svd(a[None])[2][1]  # any direction across the axis
        j = across @ J @ across
        return _inertia_like(m, (h @ a) * a, j * (np.eye(3) - np.outer(a, a)))
    if joint.kind == "prismatic":
        return _inertia_like(0.0, np.zeros(3), J)
    if joint.kind == "spherical":
        return inertia(m)
    return None


def _inertia_like(m, h, J):
    """6 by 6 with mass m, first moment h, moment J about the origin; need not belong to a real body."""
    hx = skew(h[:, None])
    return np.block([[J, hx], [hx.T, m * np.eye(3)]])
