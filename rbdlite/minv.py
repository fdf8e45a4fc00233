"""The inverse of the joint-space inertia matrix, and what it is used for."""

import numpy as np

from .errors import SingularError
from .kinematics import jacobian
from .scalars import exact, inv, kind
from .state import check_batch, matrix


def minv(model, q):
    """M(q)⁻¹ from the quantities of the articulated-body algorithm, without forming M.

    [1]  for i = 1 … n                              | Outward: body {i} starts alone.
    [2]    X_i = X_J(q_i) X_T(i)                    | How motion of body {λ} looks from body {i}.
    [3]    IA_i = I_i                               | Body {i} starts with its own inertia.
    [4]  for i = n … 1                              | Inward: what the joints feel, shared by all columns.
    [5]    U_i = IA_i S_i                           | Force that goes with unit acceleration of joint {i}.
    [6]    D_i = S_iᵀ U_i + Ir_i                    | Inertia that joint {i} feels: outer joints free, body {λ} held still.
    [7]    Dinv_i = inv(D_i)                        | Joint {i} must have something to move.
    [8]    if λ(i) ≠ 0                              | Does body {i} hang on another body?
    [9]      Ia = IA_i − U_i Dinv_i U_iᵀ            | Joint {i} yields: take away what it lets go.
    [10]     IA_λ = IA_λ + X_iᵀ Ia X_i              | Body {λ} takes up what is left of body {i}.
    [11] for k = 1 … nv                             | Columns: push degree of freedom {k} with one unit, the others with none.
    [12]   p = 0                                    | No push has been handed on yet.
    [13]   for i = n … 1                            | Inward: the push travels to the base.
    [14]     u_i = e_k,i − S_iᵀ p_i                 | What joint {i} has left: its own share of the unit, less the push from outside.
    [15]     p_λ = p_λ + X_iᵀ (p_i + U_i Dinv_i u_i) | Body {λ} feels the push of body {i} and of its motor.
    [16]   for i = 1 … n                            | Outward: the accelerations answer.
    [17]     a′ = X_i a_λ                           | What body {i} gets from body {λ}.
    [18]     W_ik = Dinv_i (u_i − U_iᵀ a′)          | Entry of the inverse: how joint {i} answers.
    [19]     a_i = a′ + S_i W_ik                    | Acceleration of body {i}, for its children.

    q (..., nq) -> M⁻¹ (..., nv, nv), full and symmetric (by computation, not by copying). Raises StateError,
    SingularError (names the joint). Gravity and velocity play no part. Cost: O(n²).
    """
    model, q = model.prepare(q=q)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, IA, U, D, Dinv, u, a = ([None] * (model.n_bodies + 1) for _ in range(7))
    a[0], W = 0 * model.a0, {}
    one = np.eye(model.nv) if model.I[0].dtype != object else exact(np.eye(model.nv))

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        IA[i] = I[i]                                                    # [3]

    for i in model.inward:                                              # [4]
        U[i] = IA[i] @ S[i]                                             # [5]
        D[i] = S[i].mT @ U[i] + Ir[i]                                   # [6]
        Dinv[i] = model.inv(i, D[i])                                    # [7]
        if λ[i]:                                                        # [8]
            Ia = IA[i] - U[i] @ Dinv[i] @ U[i].mT                       # [9]
            IA[λ[i]] = IA[λ[i]] + X[i].mT @ Ia @ X[i]                   # [10]

    for k in range(model.nv):                                           # [11]
        p = [0 * model.a0] * (model.n_bodies + 1)                       # [12]
        for i in model.inward:                                          # [13]
            u[i] = one[model.v_slice[i], k, None] - S[i].mT @ p[i]      # [14]
            p[λ[i]] = p[λ[i]] + X[i].mT @ (p[i] + U[i] @ (Dinv[i] @ u[i]))  # [15]
        for i in model.outward:                                         # [16]
            b = X[i] @ a[λ[i]]                                          # [17]
            W[i, k] = Dinv[i] @ (u[i] - U[i].mT @ b)                    # [18]
            a[i] = b + S[i] @ W[i, k]                                   # [19]

    return model.join_columns(W, like=q)


def operational_inertia(model, q, body):
    """Λ = (J M⁻¹ Jᵀ)⁻¹: the inertia felt at a body (number, name or named frame), in its coordinates.

    [1] J = J_body(q)         | How the body moves with the joints.
    [2] W = minv(q)           | How the joints answer to joint forces.
    [3] A = J W Jᵀ            | How the body answers to unit forces on it: one column for each.
    [4] Λ = inv(A)            | What forces unit accelerations of the body need.

    q (..., nq) -> (..., 6, 6). Raises SingularError if the body cannot be moved in all six directions (fewer than six
    joints, or a singular pose). Source: Khatib (1987).
    """
    J = jacobian(model, q, body)                                        # [1]
    W = minv(model, q)                                                  # [2]
    A = J @ W @ J.mT                                                    # [3]
    Lambda = _all_directions(model, body, A)                            # [4]
    return Lambda


def _all_directions(model, body, A):
    """A⁻¹, or SingularError that names the body."""
    try:
        if kind(A) != "float":  # symbols are looked at as they are divided by; other libraries' arrays cannot be
            return inv(A)
        size = np.sqrt(np.diagonal(A, axis1=-2, axis2=-1))  # angular and linear parts have other units
        both = size[..., :, None] * size[..., None, :]
        if np.any(both <= 0) or np.any(np.linalg.eigvalsh(A / both)[..., 0] <= 1e-12):
            raise ZeroDivisionError
        return inv(A / both) / both
    except ZeroDivisionError:
        raise SingularError(f"{model.label(model.index(body))} cannot be accelerated in all six directions here, so it "
                            "has no operational-space inertia; use delassus for the directions it has") from None  # fmt: skip


def delassus(model, q, J):
    """J M⁻¹ Jᵀ: how m constraint rows answer to unit constraint forces.

    [1] W = minv(q)           | How the joints answer to joint forces.
    [2] A = J W Jᵀ            | How the constrained directions answer to forces along them.

    q (..., nq), J (..., m, nv) -> (..., m, m). Raises StateError.
    """
    J = matrix(model, "J", J, square=False)
    W = minv(model, q)                                                  # [1]
    check_batch({"M⁻¹": (W, 2), "J": (J, 2)})
    A = J @ W @ J.mT                                                    # [2]
    return A
