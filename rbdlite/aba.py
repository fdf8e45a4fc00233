"""Forward dynamics: the articulated-body algorithm."""

import numpy as np

from .spatial import crf, crm


def aba(model, q, qd, tau, f_ext=None):
    """Joint accelerations under the joint forces tau.

    [1]  for i = 1 … n                               | Outward: body {i} learns its velocity.
    [2]    X_i = X_J(q_i) X_T(i)                     | How motion of body {λ} looks from body {i}.
    [3]    v_i = X_i v_λ + S_i q̇_i                   | Velocity of body {i}: carried along by body {λ}, plus its own joint.
    [4]    c_i = v_i × S_i q̇_i                       | Acceleration that body {i} has only because its axis turns.
    [5]    IA_i = I_i                                | Body {i} starts with its own inertia.
    [6]    pA_i = v_i ×* I_i v_i − fext_i            | Force that body {i} needs to keep its velocity, less what pushes it.
    [7]  for i = n … 1                               | Inward: joint {i} is eliminated.
    [8]    U_i = IA_i S_i                            | Force that goes with unit acceleration of joint {i}.
    [9]    D_i = S_iᵀ U_i + Ir_i                     | Inertia that joint {i} feels: outer joints free, body {λ} held still.
    [10]   Dinv_i = inv(D_i)                         | Joint {i} must have something to move.
    [11]   u_i = τ_i − S_iᵀ pA_i                     | What the motor of joint {i} has left after the bias force.
    [12]   if λ(i) ≠ 0                               | Does body {i} hang on another body?
    [13]     Ia = IA_i − U_i Dinv_i U_iᵀ             | Joint {i} yields: take away what it lets go.
    [14]     pa = pA_i + Ia c_i + U_i Dinv_i u_i     | The push that body {i} hands on, its motor included.
    [15]     IA_λ = IA_λ + X_iᵀ Ia X_i               | Body {λ} takes up what is left of body {i}.
    [16]     pA_λ = pA_λ + X_iᵀ pa                   | Body {λ} takes up the push.
    [17] a_0 = −[0; g]                               | Gravity: the base seems to accelerate upwards.
    [18] for i = 1 … n                               | Outward again: joint {i} gets its acceleration.
    [19]   a′_i = X_i a_λ + c_i                      | What body {i} gets from body {λ} before its own joint moves.
    [20]   q̈_i = Dinv_i (u_i − U_iᵀ a′_i)            | Joint {i} accelerates by what its motor has left.
    [21]   a_i = a′_i + S_i q̈_i                      | Acceleration of body {i}, for its children to use.

    q (..., nq), qd and tau (..., nv); f_ext as in `rnea`. Returns qdd (..., nv). a_i holds the fictitious acceleration
    (gravity as base acceleration). Raises StateError, SingularError (names the joint). Cost: linear in n.
    A last link 1e9 times as heavy as the nine before it leaves about 7 digits of qdd.
    Source: Featherstone (1983); Rigid Body Dynamics Algorithms (2008), ch. 7.
    """
    model, q, qd, tau, f_ext = model.prepare(q=q, qd=qd, tau=tau, f_ext=f_ext)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, v, c, IA, pA, U, D, Dinv, u, b, a, qdd = ([None] * (model.n_bodies + 1) for _ in range(12))
    v[0] = 0 * model.a0

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        v[i] = X[i] @ v[λ[i]] + S[i] @ qd[i]                            # [3]
        c[i] = crm(v[i]) @ (S[i] @ qd[i])                               # [4]
        IA[i] = I[i]                                                    # [5]
        pA[i] = crf(v[i]) @ (I[i] @ v[i]) - f_ext[i]                    # [6]

    for i in model.inward:                                              # [7]
        U[i] = IA[i] @ S[i]                                             # [8]
        D[i] = S[i].mT @ U[i] + Ir[i]                                   # [9]
        Dinv[i] = model.inv(i, D[i])                                    # [10]
        u[i] = tau[i] - S[i].mT @ pA[i]                                 # [11]
        if λ[i]:                                                        # [12]
            Ia = IA[i] - U[i] @ Dinv[i] @ U[i].mT                       # [13]
            pa = pA[i] + Ia @ c[i] + U[i] @ (Dinv[i] @ u[i])            # [14]
            IA[λ[i]] = IA[λ[i]] + X[i].mT @ Ia @ X[i]                   # [15]
            pA[λ[i]] = pA[λ[i]] + X[i].mT @ pa                          # [16]

    a[0] = model.a0                                                     # [17]
    for i in model.outward:                                             # [18]
        b[i] = X[i] @ a[λ[i]] + c[i]                                    # [19]
        qdd[i] = Dinv[i] @ (u[i] - U[i].mT @ b[i])                      # [20]
        a[i] = b[i] + S[i] @ qdd[i]                                     # [21]

    return model.join(qdd, like=[*q, f_ext[0]])


def minv_times(model, q, x):
    """M(q)⁻¹ x without forming M: how the joints answer to forces x and to nothing else.

    [1] q̇ = 0                 | At rest, and with gravity off, no other force is left.
    [2] y = aba(q, q̇, x)      | Then the accelerations are M⁻¹ x.

    q (..., nq), x (..., nv) -> (..., nv). Raises StateError, SingularError (names the joint). Cost: linear in n.
    """
    weightless = model.weightless
    qd = np.zeros(model.nv)                                             # [1]
    y = aba(weightless, q, qd, x)                                       # [2]
    return y
