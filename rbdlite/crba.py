"""The joint-space inertia matrix by composite rigid bodies."""


def crba(model, q):
    """M(q), the matrix with 2T = q̇ᵀ M q̇ and τ = M q̈ + C q̇ + g.

    [1]  for i = 1 … n                     | Outward: body {i} starts alone.
    [2]    X_i = X_J(q_i) X_T(i)           | How motion of body {λ} looks from body {i}.
    [3]    IC_i = I_i                      | Body {i} begins as a composite of one: itself.
    [4]  for i = n … 1                     | Inward: everything beyond joint {i} is now one frozen body.
    [5]    IC_λ = IC_λ + X_iᵀ IC_i X_i     | Glue the composite of body {i} to body {λ}.
    [6]    F = IC_i S_i                    | Force that gives the composite unit acceleration of joint {i} alone.
    [7]    M_ii = S_iᵀ F + Ir_i            | What joint {i} itself feels of it, and its own rotor.
    [8]    j = i                           | Start at joint {i} and walk to the base.
    [9]    while λ(j) ≠ 0                  | Is there a joint further in than joint {j}?
    [10]     F = X_jᵀ F                    | The same force, seen from one body further in.
    [11]     j = λ(j)                      | Step in to joint {j}.
    [12]     M_ij = Fᵀ S_j                 | What joint {j} must hold while joint {i} accelerates.
    [13]     M_ji = M_ijᵀ                  | And the mirror entry: energy does not know the order.

    q (..., nq) -> M (..., nv, nv), full and symmetric; entries of joints on different branches are zero. Raises
    StateError. Armature is on the diagonal. Cost: O(n · depth); `rbd.flops(rbd.crba, model)` counts it.
    Source: Walker and Orin (1982); Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 6.
    """
    model, q = model.prepare(q=q)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, IC, M = [None] * (model.n_bodies + 1), [None] * (model.n_bodies + 1), {}
    IC[0] = I[0]

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        IC[i] = I[i]                                                    # [3]

    for i in model.inward:                                              # [4]
        IC[λ[i]] = IC[λ[i]] + X[i].mT @ IC[i] @ X[i]                    # [5]
        F = IC[i] @ S[i]                                                # [6]
        M[i, i] = S[i].mT @ F + Ir[i]                                   # [7]
        j = i                                                           # [8]
        while λ[j]:                                                     # [9]
            F = X[j].mT @ F                                             # [10]
            j = λ[j]                                                    # [11]
            M[i, j] = F.mT @ S[j]                                       # [12]
            M[j, i] = M[i, j].mT                                        # [13]

    return model.join_matrix(M, like=q)
