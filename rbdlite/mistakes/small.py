"""Small tagged functions around the algorithms, for mistakes that lie in how an algorithm is called."""

import numpy as np

from ..rnea import rnea


def mass_matrix_by_columns(model, q, qd):
    """The mass matrix M (nv, nv), column by column. qd is there to be ignored.

    [1] still = 0, weightless          | Rest, gravity off: nothing but inertia is left.
    [2] rest = 0                       | No joint moves.
    [3] for j = 1 … nv                 | Columns: one for each degree of freedom.
    [4]   M_j = rnea(q, 0, e_j)        | What one unit of q̈_j costs.
    """
    M = np.zeros((model.nv, model.nv))
    still = model.replace(gravity=(0, 0, 0))  # [1]
    rest = 0 * np.asarray(qd)  # [2]
    for j in range(model.nv):  # [3]
        M[:, j] = rnea(still, q, rest, np.eye(model.nv)[j])  # [4]
    return M


def torques_in_place(model, q, qd, qdd, f_ext=None):
    """tau (nv,) of one-dof joints, written into an array that was made first.

    [1] τ = 0                  | Room for one number for each joint.
    [2] τ = rnea(q, q̇, q̈)      | Filled in one go.
    """
    tau = np.zeros(model.nv)  # [1]
    tau[:] = rnea(model, q, qd, qdd, f_ext)  # [2]
    return tau


def composite_inertias(inertias, X, parent):
    """Inertia of each body with all that hangs on it, frozen: list of n + 1 matrices (6, 6).

    [1] I^c = I                       | Each body starts with its own inertia.
    [2] for i = n … 1                 | Inward: body {i} hands its inertia to body {λ}.
    [3]   I^c_λ = I^c_λ + Xᵀ I^c X    | The parent carries it, seen from its own place.

    inertias, X: n + 1 entries, the base's first. None of the arguments is changed.
    """
    λ = parent
    IC = [np.array(I) for I in inertias]  # [1]
    for i in range(len(λ) - 1, 0, -1):  # [2]
        IC[λ[i]] += X[i].T @ IC[i] @ X[i]  # [3]
    return IC
