"""Everything about one state from a single kinematic sweep."""

from typing import NamedTuple

import numpy as np

from . import scalars
from .spatial import crf, crm, first_moment


class Terms(NamedTuple):
    """M (..., nv, nv); bias = C q̇ + g, gravity = g (..., nv) [Nm, N]; kinetic, potential (...) [J]; com (..., 3) [m];
    momentum (..., 6): [angular; linear] about the base's origin, in base coordinates. Each has the batch axes of q and
    q̇ together. Without any mass com is zero. A tuple by name, so that JAX can return it from jit and vmap."""

    M: np.ndarray
    bias: np.ndarray
    gravity: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    com: np.ndarray
    momentum: np.ndarray


def all_terms(model, q, qd):
    """Mass matrix, bias and gravity forces, energies, centre of mass and momentum -> Terms.

    [1]  for i = 1 … n                       | Outward: one kinematic sweep for everything.
    [2]    X_i = X_J(q_i) X_T(i)             | How motion of body {λ} looks from body {i}.
    [3]    v_i = X_i v_λ + S_i q̇_i           | Velocity of body {i}.
    [4]    g_i = X_i g_λ                     | Gravity as a base acceleration, seen from body {i}.
    [5]    a_i = X_i a_λ + v_i × S_i q̇_i     | Acceleration of body {i} at q̈ = 0.
    [6]    IC_i = I_i                        | Composite, to begin with the body alone.
    [7]    h_i = I_i v_i                     | Momentum of body {i}.
    [8]    f_i = I_i a_i + v_i ×* h_i        | Force that body {i} needs for its velocity and weight.
    [9]  for i = n … 1                       | Inward: sums over the subtree of joint {i}.
    [10]   C_i = S_iᵀ f_i                    | Bias force of joint {i}.
    [11]   G_i = S_iᵀ IC_i g_i               | Weight that joint {i} holds.
    [12]   F = IC_i S_i                      | Column of M, as in CRBA.
    [13]   M_ii = S_iᵀ F + Ir_i              | Diagonal block.
    [14]   j = i                             | Walk to the base.
    [15]   while λ(j) ≠ 0                    | Is there a joint further in than joint {j}?
    [16]     F = X_jᵀ F                      | One body further in.
    [17]     j = λ(j)                        | Step in to joint {j}.
    [18]     M_ij = Fᵀ S_j                   | Entry of M.
    [19]     M_ji = M_ijᵀ                    | Its mirror.
    [20]   IC_λ = IC_λ + X_iᵀ IC_i X_i       | Hand on the composite,
    [21]   h_λ = h_λ + X_iᵀ h_i              | the momentum,
    [22]   f_λ = f_λ + X_iᵀ f_i              | and the force.

    q (..., nq), qd (..., nv). Raises StateError. One sweep instead of four, but never more than you need: measure.
    """
    model, q, qd = model.prepare(q=q, qd=qd)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, v, g, a, IC, h, f, C, G = ([None] * (model.n_bodies + 1) for _ in range(9))
    v[0], g[0], a[0], IC[0], h[0], f[0], M = 0 * model.a0, model.a0, model.a0, I[0], 0 * model.a0, 0 * model.a0, {}

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        v[i] = X[i] @ v[λ[i]] + S[i] @ qd[i]                            # [3]
        g[i] = X[i] @ g[λ[i]]                                           # [4]
        a[i] = X[i] @ a[λ[i]] + crm(v[i]) @ (S[i] @ qd[i])              # [5]
        IC[i] = I[i]                                                    # [6]
        h[i] = I[i] @ v[i]                                              # [7]
        f[i] = I[i] @ a[i] + crf(v[i]) @ h[i]                           # [8]
    kinetic = sum([v[i].mT @ h[i] + qd[i].mT @ Ir[i] @ qd[i] for i in model.outward], 0 * model.a0[:1]) / 2

    for i in model.inward:                                              # [9]
        C[i] = S[i].mT @ f[i]                                           # [10]
        G[i] = S[i].mT @ (IC[i] @ g[i])                                 # [11]
        F = IC[i] @ S[i]                                                # [12]
        M[i, i] = S[i].mT @ F + Ir[i]                                   # [13]
        j = i                                                           # [14]
        while λ[j]:                                                     # [15]
            F = X[j].mT @ F                                             # [16]
            j = λ[j]                                                    # [17]
            M[i, j] = F.mT @ S[j]                                       # [18]
            M[j, i] = M[i, j].mT                                        # [19]
        IC[λ[i]] = IC[λ[i]] + X[i].mT @ IC[i] @ X[i]                    # [20]
        h[λ[i]] = h[λ[i]] + X[i].mT @ h[i]                              # [21]
        f[λ[i]] = f[λ[i]] + X[i].mT @ f[i]                              # [22]

    like = [*q, *qd]
    moment = scalars.with_batch(first_moment(IC[0] + model.base_inertia)[..., None], like)
    potential, mass = -(model.gravity[None] @ moment), sum(x[5, 5] for x in (model.base_inertia, *I[1:]))
    com = 0 * moment if scalars.is_zero(mass) else moment / mass
    kinetic, momentum = (scalars.with_batch(x, like) for x in (kinetic, h[0]))
    return Terms(model.join_matrix(M, like=like), model.join(C, like=like), model.join(G, like=like),
                 kinetic[..., 0, 0], potential[..., 0, 0], com[..., 0], momentum[..., 0])  # fmt: skip
