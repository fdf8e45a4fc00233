"""A Coriolis matrix that keeps Ṁ - 2C skew."""

import numpy as np

from .scalars import exact
from .spatial import crm, skew


def coriolis(model, q, qd):
    """C(q, q̇) with C q̇ the velocity forces and Ṁ - 2C skew-symmetric (C itself is not unique; this choice is).

    [1]  for i = 1 … n                       | Outward: body {i} learns its velocity.
    [2]    X_i = X_J(q_i) X_T(i)             | How motion of body {λ} looks from body {i}.
    [3]    v_i = X_i v_λ + S_i q̇_i           | Velocity of body {i}.
    [4]    Sd_i = v_i × S_i                  | How fast the axes of joint {i} turn.
    [5]    IC_i = I_i                        | Body {i} begins as a composite of one.
    [6]    BC_i = B(I_i v_i) − I_i v_i×      | Its velocity matrix: B(h) w = w ×* h, skew.
    [7]  for i = n … 1                       | Inward: composites, and one row and column of C for joint {i}.
    [8]    IC_λ = IC_λ + X_iᵀ IC_i X_i       | Glue body {i} to body {λ}.
    [9]    BC_λ = BC_λ + X_iᵀ BC_i X_i       | The velocity matrix as well.
    [10]   F = IC_i Sd_i + BC_i S_i          | Force for the column of joint {i}.
    [11]   G = IC_i S_i                      | And two forces for its row.
    [12]   H = BC_iᵀ S_i                     | The second of them.
    [13]   C_ii = S_iᵀ F                     | Diagonal block.
    [14]   j = i                             | Walk to the base.
    [15]   while λ(j) ≠ 0                    | Is there a joint further in than joint {j}?
    [16]     F, G, H = X_jᵀ F, X_jᵀ G, X_jᵀ H | All three, one body further in.
    [17]     j = λ(j)                        | Step in to joint {j}.
    [18]     C_ji = S_jᵀ F                   | Column entry.
    [19]     C_ij = Gᵀ Sd_j + Hᵀ S_j         | Row entry.

    q (..., nq), qd (..., nv) -> C (..., nv, nv). Raises StateError. Cost: O(n · depth).
    Derivation: C = Σ Jᵀ (I J̇ + B J) over the bodies, with J̇ the rate of a body's Jacobian in body coordinates.
    """
    model, q, qd = model.prepare(q=q, qd=qd)
    λ, XT, S, I = model.parent, model.XT, model.S, model.I
    X, v, Sd, IC, BC = ([None] * (model.n_bodies + 1) for _ in range(5))
    v[0], IC[0], BC[0], C = 0 * model.a0, I[0], 0 * I[0], {}

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        v[i] = X[i] @ v[λ[i]] + S[i] @ qd[i]                            # [3]
        Sd[i] = crm(v[i]) @ S[i]                                        # [4]
        IC[i] = I[i]                                                    # [5]
        BC[i] = momentum_matrix(I[i] @ v[i]) - I[i] @ crm(v[i])         # [6]

    for i in model.inward:                                              # [7]
        IC[λ[i]] = IC[λ[i]] + X[i].mT @ IC[i] @ X[i]                    # [8]
        BC[λ[i]] = BC[λ[i]] + X[i].mT @ BC[i] @ X[i]                    # [9]
        F = IC[i] @ Sd[i] + BC[i] @ S[i]                                # [10]
        G = IC[i] @ S[i]                                                # [11]
        H = BC[i].mT @ S[i]                                             # [12]
        C[i, i] = S[i].mT @ F                                           # [13]
        j = i                                                           # [14]
        while λ[j]:                                                     # [15]
            F, G, H = X[j].mT @ F, X[j].mT @ G, X[j].mT @ H             # [16]
            j = λ[j]                                                    # [17]
            C[j, i] = S[j].mT @ F                                       # [18]
            C[i, j] = G.mT @ Sd[j] + H.mT @ S[j]                        # [19]

    return model.join_matrix(C, like=[*q, *qd])


def momentum_matrix(h):
    """B(h) (..., 6, 6) with B(h) w = w ×* h for every motion w; skew-symmetric. h = [n; f] (..., 6, 1)."""
    n, f = skew(h[..., :3, :]), skew(h[..., 3:, :])
    one = np.eye(6) if n.dtype != object else exact(np.eye(6))
    left, right = one[:, :3], one[:, 3:]
    return -(left @ n @ left.T + left @ f @ right.T + right @ f @ left.T)
