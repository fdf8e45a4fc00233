"""Inverse dynamics: the recursive Newton-Euler algorithm, and the questions it answers on the side."""

import numpy as np

from .spatial import crf, crm


def rnea(model, q, qd, qdd, f_ext=None):
    """Joint forces that give the accelerations qdd.

    [1]  for i = 1 … n                         | Outward: body {i} learns its motion from body {λ}.
    [2]    X_i = X_J(q_i) X_T(i)               | How motion of body {λ} looks from body {i}: first walk along the parent, then turn.
    [3]    vJ_i = S_i q̇_i                      | What joint {i} adds to the velocity.
    [4]    v_i = X_i v_λ + vJ_i                | Velocity of body {i}: carried along by body {λ}, plus its own joint.
    [5]    c_i = v_i × vJ_i                    | Joint {i} rides on a moving body: its axis turns, so its velocity changes.
    [6]    a_i = X_i a_λ + S_i q̈_i + c_i       | Acceleration of body {i}: from body {λ}, from its own joint, from its moving axis.
    [7]    fB_i = I_i a_i + v_i ×* I_i v_i − fext_i | Force that body {i} alone needs to move like this.
    [8]    f_i = fB_i                          | Joint {i} starts with its own body; children will add theirs.
    [9]  for i = n … 1                         | Inward: body {i} hands its force to body {λ}.
    [10]   τ_i = S_iᵀ f_i + Ir_i q̈_i           | What the motor of joint {i} must give: the force along its axis, and its rotor.
    [11]   f_λ = f_λ + X_iᵀ f_i                | Joint {λ} carries joint {i} as well.

    q (..., nq), qd and qdd (..., nv): configuration, velocity, acceleration (SI units, `Model` conventions).
    f_ext: {name or number: [n; f] (..., 6)}, external force on that body in its own coordinates; on the base it
    leaves tau alone and shows in f_0, the negative of what the ground must give.
    a_0 = -[0; g]: gravity enters as a base that accelerates upwards, so a_i is not the true acceleration.
    Returns tau (..., nv). Raises StateError. Cost: linear in n; `rbd.flops(rbd.rnea, model)` counts it.
    Source: Luh, Walker and Paul (1980); spatial form: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 5.
    """
    model, q, qd, qdd, f_ext = model.prepare(q=q, qd=qd, qdd=qdd, f_ext=f_ext)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, vJ, v, c, a, fB, f, tau = ([None] * (model.n_bodies + 1) for _ in range(8))
    v[0], a[0], f[0] = 0 * model.a0, model.a0, -f_ext[0]

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        vJ[i] = S[i] @ qd[i]                                            # [3]
        v[i] = X[i] @ v[λ[i]] + vJ[i]                                   # [4]
        c[i] = crm(v[i]) @ vJ[i]                                        # [5]
        a[i] = X[i] @ a[λ[i]] + S[i] @ qdd[i] + c[i]                    # [6]
        fB[i] = I[i] @ a[i] + crf(v[i]) @ (I[i] @ v[i]) - f_ext[i]      # [7]
        f[i] = fB[i]                                                    # [8]

    for i in model.inward:                                              # [9]
        tau[i] = S[i].mT @ f[i] + Ir[i] @ qdd[i]                        # [10]
        f[λ[i]] = f[λ[i]] + X[i].mT @ f[i]                              # [11]

    return model.join(tau, like=[*q, f_ext[0]])


def bias(model, q, qd, f_ext=None):
    """C(q, qd) qd + g(q) (..., nv): the joint forces at zero acceleration. One call of rnea."""
    return rnea(model, q, qd, np.zeros(model.nv), f_ext)


def gravity_torque(model, q):
    """g(q) (..., nv): the joint forces that hold the robot at rest. One call of rnea."""
    return rnea(model, q, np.zeros(model.nv), np.zeros(model.nv))


def mass_matrix_by_rnea(model, q):
    """M(q), one column for each call of `rnea`: column k is what one unit of q̈_k costs, at rest, gravity off.

    over: k dof

    [1] for k = 1 … nv            | Columns: what does acceleration of degree of freedom {k} alone cost?
    [2]   e = e_k                 | One unit there, none elsewhere.
    [3]   M_k = rnea(q, 0, e)     | Column {k}: the forces on all joints.

    q (..., nq) -> (..., nv, nv). Nothing is subtracted and nothing symmetrised, so symmetry is a test of rnea.
    nv calls: `crba` is the cheaper way. Raises StateError.
    """
    weightless = model.weightless
    rest, one = np.zeros(model.nv), np.eye(model.nv)
    M = [None] * model.nv

    for k in range(model.nv):                                           # [1]
        e = one[k]                                                      # [2]
        M[k] = rnea(weightless, q, rest, e)                             # [3]

    if not M:
        model, q = model.prepare(q=q)
        return model.join_matrix({}, like=q)
    xp = np if isinstance(M[0], np.ndarray) else M[0].__array_namespace__()
    return xp.stack(M, axis=-1)
