"""Locked joints: as a smaller model, or held by a constraint that says what it must carry."""

from collections.abc import Mapping

import numpy as np

from .errors import StateError
from .kinematics import argument
from .model import Model
from .spatial import crf, crm, plucker, pose


def lock(model, at):
    """A model with fewer freedoms: the joints in `at` welded at the given configuration.

    at: {joint (name, link name or number): q of that joint (number, or its nq entries)}. Their bodies are lumped into
    the parents; the links stay as named frames. Armature of locked joints is dropped (the rotor no longer turns).
    Raises StateError naming the joint.
    """
    if model.regrouped:
        raise StateError("lock: a regrouped model has no real bodies' inertias: lock first, then regroup")
    if not isinstance(at, Mapping):
        raise StateError(f"lock: expected a mapping {{joint: its q}}, such as {{{model.names[-1]!r}: 0}}; got {at!r}")
    held, q = {}, model.neutral()
    for key, value in at.items():
        i = _joint(model, "lock", key)
        if i in held:
            raise StateError(f"lock: {held[i]!r} and {key!r} are the same joint; give its q once")
        held[i], size = key, model.joints[i].nq
        value = argument(f"lock: q of {key!r}", value, 0)
        if np.atleast_1d(value).shape != (size,):
            raise StateError(f"lock: {key!r} takes {size} number{'s' * (size != 1)}; got {value.tolist()}")
        if value.dtype == object:
            raise StateError(f"lock: q of {key!r} must be plain numbers, not symbols; got {value.tolist()}")
        q[model.q_slice[i]] = value
    number, columns = model.prepare(q=q)
    if number.I[0].dtype == object:
        raise StateError("lock: a model with symbols cannot be lumped; give numbers")

    new, carrier, X, I6 = {0: 0}, {0: 0}, {0: np.eye(6)}, {0: number.base_inertia}
    parent, keep, place = [], [], []
    for i in model.outward:
        p = number.parent[i]
        if i in held:  # body i rides on its parent's carrier
            carrier[i], X[i] = carrier[p], number.XJ(i, columns[i]) @ number.XT[i] @ X[p]
            I6[carrier[i]] = I6[carrier[i]] + X[i].T @ number.I[i] @ X[i]
            continue
        carrier[i], X[i], I6[i] = i, np.eye(6), number.I[i]
        new[i] = len(keep) + 1
        keep.append(i)
        parent.append(new[carrier[p]])
        place.append(pose(number.XT[i] @ X[p]))
    frames = {name: (new[carrier[b]], *pose(plucker(R, p) @ X[b])) for name, (b, R, p) in number.frames.items()}
    frames |= {model.names[i]: (new[carrier[i]], *pose(X[i])) for i in held}
    rotor = [number.armature[model.v_slice[i]] for i in keep]
    return Model(parent, [model.joints[i] for i in keep], place, [I6[i] for i in keep], [model.names[i] for i in keep],
                 [model.joint_names[i] for i in keep], number.gravity, np.concatenate(rotor) if rotor else [],
                 frames, I6[0], model.names[0])  # fmt: skip


def _joint(model, who, key):
    """Number of the joint that a key means; the base has none."""
    i = model.index(key)
    if i == 0:
        raise StateError(f"{who}: {key!r} is the base, or on it; give a joint")
    return i


def held(model, q, qd, tau, locked, f_ext=None):
    """Forward dynamics with some joints held at q̈ = 0, and the joint forces that hold them.

    [1]  for i = 1 … n                               | Outward: body {i} learns its velocity.
    [2]    X_i = X_J(q_i) X_T(i)                     | How motion of body {λ} looks from body {i}.
    [3]    v_i = X_i v_λ + S_i q̇_i                   | Velocity of body {i}.
    [4]    c_i = v_i × S_i q̇_i                       | Acceleration that body {i} has only because its axis turns.
    [5]    IA_i = I_i                                | Body {i} starts with its own inertia.
    [6]    pA_i = v_i ×* I_i v_i − fext_i            | Force that body {i} needs to keep its velocity.
    [7]  for i = n … 1                               | Inward: a free joint yields, a locked one does not.
    [8]    Ia = IA_i                                 | Locked, body {i} counts in full,
    [9]    pa = pA_i + Ia c_i                        | and so does its push: the motor pushes on the padlock only.
    [10]   if i free                                 | Is the padlock of joint {i} open?
    [11]     U_i = IA_i S_i                          | Open: force that goes with unit acceleration of joint {i}.
    [12]     D_i = S_iᵀ U_i + Ir_i                   | Inertia that joint {i} feels while body {λ} stands still.
    [13]     Dinv_i = inv(D_i)                       | It must have something to move.
    [14]     u_i = τ_i − S_iᵀ pA_i                   | What its motor has left.
    [15]     Ia = Ia − U_i Dinv_i U_iᵀ               | Joint {i} yields.
    [16]     pa = pA_i + Ia c_i + U_i Dinv_i u_i     | The push that body {i} hands on.
    [17]   IA_λ = IA_λ + X_iᵀ Ia X_i                 | Body {λ} takes up the inertia
    [18]   pA_λ = pA_λ + X_iᵀ pa                     | and the push.
    [19] a_0 = −[0; g]                               | Gravity: the base seems to accelerate upwards.
    [20] for i = 1 … n                               | Outward again: accelerations, or reactions.
    [21]   a′_i = X_i a_λ + c_i                      | What body {i} gets from body {λ}.
    [22]   q̈_i = 0                                   | Locked: no acceleration,
    [23]   r_i = S_iᵀ (IA_i a′_i + pA_i) − τ_i       | and the padlock carries what the motor does not.
    [24]   if i free                                 | Open or closed?
    [25]     q̈_i = Dinv_i (u_i − U_iᵀ a′_i)          | Open: as in ABA,
    [26]     r_i = 0                                 | and an open padlock carries nothing.
    [27]   a_i = a′_i + S_i q̈_i                      | Acceleration of body {i}.

    locked: joints (names, link names or numbers). Returns (qdd, reaction), both (..., nv); reaction is zero at open
    joints: tau + reaction with every joint open gives the same motion. Raises StateError, SingularError.
    """
    if isinstance(locked, str) or not hasattr(locked, "__iter__"):
        raise StateError(f"held: locked must be a list of joints (names or numbers); got {locked!r}")
    free = set(model.outward) - {_joint(model, "held", x) for x in locked}
    model, q, qd, tau, f_ext = model.prepare(q=q, qd=qd, tau=tau, f_ext=f_ext)
    λ, XT, S, I, Ir = model.parent, model.XT, model.S, model.I, model.Ir
    X, v, c, IA, pA, U, D, Dinv, u, b, a, qdd = ([None] * (model.n_bodies + 1) for _ in range(12))
    v[0], IA[0], pA[0], r = 0 * model.a0, I[0], 0 * model.a0, [0 * x for x in tau]

    for i in model.outward:                                             # [1]
        X[i] = model.XJ(i, q[i]) @ XT[i]                                # [2]
        v[i] = X[i] @ v[λ[i]] + S[i] @ qd[i]                            # [3]
        c[i] = crm(v[i]) @ (S[i] @ qd[i])                               # [4]
        IA[i] = I[i]                                                    # [5]
        pA[i] = crf(v[i]) @ (I[i] @ v[i]) - f_ext[i]                    # [6]

    for i in model.inward:                                              # [7]
        Ia = IA[i]                                                      # [8]
        pa = pA[i] + Ia @ c[i]                                          # [9]
        if i in free:                                                   # [10]
            U[i] = IA[i] @ S[i]                                         # [11]
            D[i] = S[i].mT @ U[i] + Ir[i]                               # [12]
            Dinv[i] = model.inv(i, D[i])                                # [13]
            u[i] = tau[i] - S[i].mT @ pA[i]                             # [14]
            Ia = Ia - U[i] @ Dinv[i] @ U[i].mT                          # [15]
            pa = pA[i] + Ia @ c[i] + U[i] @ (Dinv[i] @ u[i])            # [16]
        IA[λ[i]] = IA[λ[i]] + X[i].mT @ Ia @ X[i]                       # [17]
        pA[λ[i]] = pA[λ[i]] + X[i].mT @ pa                              # [18]

    a[0] = model.a0                                                     # [19]
    for i in model.outward:                                             # [20]
        b[i] = X[i] @ a[λ[i]] + c[i]                                    # [21]
        qdd[i] = 0 * tau[i]                                             # [22]
        r[i] = S[i].mT @ (IA[i] @ b[i] + pA[i]) - tau[i]                # [23]
        if i in free:                                                   # [24]
            qdd[i] = Dinv[i] @ (u[i] - U[i].mT @ b[i])                  # [25]
            r[i] = 0 * tau[i]                                           # [26]
        a[i] = b[i] + S[i] @ qdd[i]                                     # [27]

    return tuple(model.join(x, like=[*q, *qd, *tau, *f_ext]) for x in (qdd, r))
