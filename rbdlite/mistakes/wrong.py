"""What some wrong variants compute with: each function is a mistake on purpose."""

import numpy as np

from ..joints import Joint
from ..spatial import mass_com, plucker, pose, rot6, skew


def turned_back(X):
    """X of a frame whose rotation is transposed: it turns the wrong way."""
    R, p = pose(X)
    return plucker(R.mT, p)


def offset_in_child_axes(X):
    """X of a frame whose offset was measured along the child's axes, but is used as the parent's."""
    R, p = pose(X)
    return plucker(R, (R @ p[..., None])[..., 0])


def offset_flipped(X):
    """X of a frame that hangs on the wrong side of its parent."""
    R, p = pose(X)
    return plucker(R, -p)


def degrees(joint: Joint, q):
    """The angles in q (a joint's own column), in degrees."""
    return _scaled(joint, q, 180 / np.pi)


def radians(joint: Joint, q):
    """The angles in q, turned into radians although they are in radians."""
    return _scaled(joint, q, np.pi / 180)


def _scaled(joint, q, factor):
    turns = {"revolute": [0], "helical": [0], "planar": [2]}.get(joint.kind, [])
    scale = np.ones((joint.nq, 1))
    scale[turns] = factor
    return q * scale


def scalar_first(joint: Joint, q):
    """A quaternion column x, y, z, w, read as w, x, y, z."""
    if joint.kind not in ("spherical", "free"):
        return q
    return np.concatenate([q[:-4], q[-3:], q[-4:-3]])


def _parallel_axis(I):
    m, c = mass_com(I)
    cx, more = skew(c[:, None]), np.zeros((6, 6))
    more[:3, :3] = m * cx @ cx.T
    return more


def without_parallel_axis(I):
    """A spatial inertia whose rotational block is that about the centre of mass."""
    return I - _parallel_axis(I)


def with_parallel_axis_twice(I):
    """A spatial inertia to which the parallel axis is added once more."""
    return I + _parallel_axis(I)


_SIDES = np.kron([[0, 1], [1, 0]], np.ones((3, 3)))


def com_mirrored(I):
    """A spatial inertia with the centre of mass on the other side of the origin."""
    return I - 2 * _SIDES * I


def without_coupling(I):
    """A spatial inertia without its off-diagonal blocks m c×."""
    return I - _SIDES * I


def linear_first(I):
    """A spatial inertia with its blocks in linear-first order."""
    order = [3, 4, 5, 0, 1, 2]
    return I[np.ix_(order, order)]


def swapped(w):
    """A spatial vector with its halves exchanged."""
    return np.concatenate([w[3:], w[:3]])


def carried(X, λ, i, m):
    """A motion of the base, in the coordinates of body i."""
    return m if i == 0 else X[i] @ carried(X, λ, λ[i], m)


def turned_from_world(X, λ, i, w):
    """World axes -> axes of body i, with no change of origin."""
    E = np.eye(3)
    while i > 0:
        E, i = E @ X[i][:3, :3], λ[i]
    return rot6(E) @ w


def weight_at_origin(I, a):
    """The force that gives a body's mass the linear part of a, without any moment."""
    return np.concatenate([0 * a[:3], I[5, 5] * a[3:]])


def only_gyroscopic(v, h):
    """ω × (upper half of the momentum h), and nothing else."""
    return np.concatenate([skew(v[:3]) @ h[:3], 0 * h[3:]])


def point_term(v):
    """[0; ω × v]: what turns a spatial acceleration into that of the point at the origin."""
    return np.concatenate([0 * v[:3], skew(v[:3]) @ v[3:]])


def with_rotors(I, S, Ir):
    """Spatial inertias with each rotor's armature added as if it were mass of the link."""
    return [I[0]] + [x + s @ r @ s.T for x, s, r in zip(I[1:], S[1:], Ir[1:], strict=True)]


def glued(I, X, λ):
    """All composite inertias, complete."""
    IC = list(I)
    for i in reversed(range(1, len(I))):
        IC[λ[i]] = IC[λ[i]] + X[i].mT @ IC[i] @ X[i]
    return IC


def without_direction(I, S):
    """An inertia with its rows and columns in the directions of S set to zero."""
    P = np.eye(6) - S @ np.linalg.pinv(S)
    return P @ I @ P


# -- the inverse of M, and its factors ---------------------------------------------------------------------------------


def _related(model):
    """(nv, nv) bool: does one of two degrees of freedom hang on the other?"""
    below = _below(model.dof_parent)
    return below | below.T


def _below(λ):
    """(n, n) bool: [i, k] says whether i is k, or hangs on it."""
    out = np.eye(len(λ), dtype=bool)
    for i, p in enumerate(λ):
        out[i] |= out[p] if p >= 0 else False
    return out


def subtrees_only(model, W):
    """Column k of W kept only where degree of freedom k is below or alike."""
    return W * _below(model.dof_parent).astype(int)


def zeros_of_M(model, W):
    """W with zeros where M has them."""
    return W * _related(model).astype(int)


def on_diagonal(W, d):
    """W with another diagonal."""
    return W - np.diag(np.diag(W)) + np.diag(d)


def entry_by_entry(model, W):
    """The matrix of 1 / M_ij, zero where M is."""
    M = np.linalg.inv(W)
    return np.divide(1, M, out=np.zeros_like(M), where=_related(model) & (M != 0))


def parents_by_joint(model):
    """Parent of each degree of freedom, as if all those of a joint hung on the parent joint."""
    λ = list(model.dof_parent)
    return [λ[model.v_slice[i].start] for i in model.outward for _ in range(model.joints[i].nv)]


def parents_first_dof(model):
    """Parent of each degree of freedom, as if a child hung on the first one of its parent joint."""
    λ = list(model.dof_parent)
    for i in model.outward:
        if model.parent[i]:
            λ[model.v_slice[i].start] = model.v_slice[model.parent[i]].start
    return λ


def subtree_sizes(model):
    """Number of degrees of freedom in each one's subtree, itself included: a list."""
    return _below(model.dof_parent).sum(axis=0).tolist()
