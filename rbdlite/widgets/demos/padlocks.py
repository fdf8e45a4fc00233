"""Locked and free joints: parabola, apparent mass, two numbers per link, one padlock per joint."""

import numpy as np

from ...aba import aba
from ...crba import crba
from ...kinematics import poses
from ...lock import held
from ...model import Model
from ...rnea import rnea
from ...robots import squared_paper_state, squared_paper_tree
from ...spatial import pose
from ...trace import trace
from ..arguments import joints, row
from .gather import gather
from .page import Demo, configuration, drawn, kernel, stage, suited
from .twolinks import apparent, parabola, pivot

PARTS = ("parabola", "apparent", "numbers", "gather", "locks")
MOST = 60  # degrees of freedom
FLAT = np.ix_([2, 3, 4], [2, 3, 4])  # (ω; vx, vy)


def padlocks(model=None, q=None, tau=None, *, parts=None, open=None, lockable=None, locked=(), title="", lang="en",
             id=None):  # fmt: skip
    """Storyboard of the articulated inertia -> Demo.

    parts (all by default): "parabola" (2T over the rate of joint 2; free, it rolls to the lowest point) and "apparent"
    (mass felt by direction) show built-in arms of two links. The others show `model` at `q`, at rest and without
    gravity, any joints, up to 60 degrees of freedom: "numbers" (two numbers per link; only for unit links at right
    angles with point masses at their tips, left out for other models), "gather" (the articulated inertia joint by
    joint: felt mass by direction, and what each free joint takes away), "locks" (pushed by `tau` (nv,), one padlock
    per joint: what each closed one carries, what each joint feels when it alone is pushed). No model: the squared-paper
    tree. No tau: a unit push at the first freedom. lockable: joints that get a padlock (default all); locked: those
    closed at first. open: the part to begin with. id: see `Demo`. result (2, nv): q̈ and what the padlocks carry, as
    `rbd.held` says.
    Raises ValueError for a model that is too large or too small, an unknown part, or "numbers" alone for another
    model; SingularError.
    """
    if model is None:
        model, q = squared_paper_tree(), squared_paper_state()[0] if q is None else q
        tau = (16, -2, 3, 8) if tau is None else tau
    model, paper = suited("padlocks", model, MOST)
    q = configuration("padlocks", model, q)
    can = joints(model, "padlocks", model.outward if lockable is None else lockable, "lockable")
    shut = joints(model, "padlocks", locked)
    if unknown := [x for x in shut if x not in can]:
        raise ValueError(f"padlocks: joint {unknown[0]} has no padlock; those with one: {can}")
    two = _two_numbers(model, q) if paper else None
    have = [p for p in PARTS if p in (parts or PARTS) and (p != "numbers" or two)]
    for p in parts or ():
        stage("padlocks", p, PARTS)
    if not have:
        raise ValueError('"numbers" needs unit links at right angles with a point mass at each tip')
    data = {"parts": have, "open": stage("padlocks", open, have)}
    if "parabola" in have:
        data["parabola"] = parabola()
    if "apparent" in have:
        data["apparent"] = apparent()
    push = np.eye(model.nv)[0] if tau is None else row(model, "padlocks", "tau", tau)
    still = model.weightless
    result = np.array(held(still, q, np.zeros(model.nv), push, shut))
    if "gather" in have:
        data["gather"] = gather(model, q, id is None)
    if {"numbers", "gather", "locks"} & set(have):
        live = "numbers" in have or ("locks" in have and id is None)
        code, why = kernel(padlocked, still, {"qd": "s"}) if live else (None, "")
        data |= {**drawn(model, q), "paper": paper, "inputs": {"q": q, "tau": push, "m": model.mass[1:]},
                 "below": _below(model), "lockable": can, "locked": shut, "kernel": code, "still": why, "numbers": two,
                 "recorded": _recorded(still, q, push, shut, result)}  # fmt: skip
    return Demo("padlocks", title, lang, result, id, **data)


def _below(model):
    """Bodies that hang on each body, itself included; entry 0 is empty."""
    out = [set()] + [{i} for i in model.outward]
    for i in model.inward:
        out[model.parent[i]] |= out[i]
    return [[], *(sorted(x) for x in out[1:])]


def padlocked(model, q, qd, tau):
    """ABA at rest with a switch in every joint: q̈ (nv), what the padlocks carry (nv), the diagonals of D (nv).

    qd (nv,): no rates here but the switches, 1 for an open padlock and 0 for a closed one. A closed joint's D⁻¹ counts
    as zero, so it does not yield: the same as `held`, but the state of the padlocks is a number, and so the JavaScript
    of this function serves all states. D_i is what joint i feels while the body it hangs on stands still, whatever the
    padlocks further in: all others open it is ABA's, all closed it is M_ii. With the present padlocks: see `_felt`.
    """
    diagonal = [None] * (model.n_bodies + 1)

    def switched(i, D):
        diagonal[i] = np.diagonal(D)
        return model.inv(i, D) * qd[model.v_slice[i]][:1]

    rest = 0 * qd
    qdd = aba(model.exchanged(inv=switched), q, rest, tau)
    return qdd, rnea(model, q, rest, qdd) - tau, np.concatenate(diagonal[1:])


def _felt(model, M, closed):
    """What each freedom feels (nv,): push over acceleration, pushed alone, with these joints closed, its own open.

    1/(M⁻¹)_dd where M is restricted to the open joints. M (nv, nv) is positive definite.
    """
    out = np.empty(model.nv)
    for i in model.outward:
        own = list(range(model.nv))[model.v_slice[i]]
        rest = [d for j in model.outward if j != i and j not in closed for d in range(model.nv)[model.v_slice[j]]]
        away = M[np.ix_(own, rest)] @ np.linalg.solve(M[np.ix_(rest, rest)], M[np.ix_(rest, own)])
        out[own] = 1 / np.diagonal(np.linalg.inv(M[np.ix_(own, own)] - away))
    return out


def _recorded(model, q, tau, closed, result):
    """q̈ and carried with these padlocks closed, q̈ with all open; what each freedom feels now ("felt"), with all open
    ("free"), with all inward locked and all beyond open ("D"), with all others locked ("locked").
    """
    M, none = crba(model, q), padlocked(model, q, np.ones(model.nv), tau)
    return {"qdd": result[0], "carried": result[1], "felt": _felt(model, M, closed), "open": none[0],
            "free": _felt(model, M, []), "D": none[2], "locked": np.diagonal(M)}  # fmt: skip


def _two_numbers(model, q):
    """(α, β) of every link, with what wrong rules give; None unless every I^A is [[α,0,α],[0,β,0],[α,0,α]]."""
    zero = np.zeros(model.nv)
    run = trace(aba, model, q, zero, zero)
    last = {}
    for s in run.steps:
        if s.name == "IA" and s.kind == "write" and s.index:
            last[s.index] = np.asarray(s.value)[FLAT]
    ab = [None]
    for i in model.outward:
        a, b = last[i][0, 0], last[i][1, 1]
        if not np.allclose(last[i], [[a, 0, a], [0, b, 0], [a, 0, a]], atol=1e-9):
            return None
        ab.append([a, b])
    R, up = [p[0] for p in poses(model, q)], model.parent
    across = [None] + [bool(abs((R[up[i]].T @ R[i])[0, 0]) < 0.5) if up[i] else None for i in model.outward]
    for i in model.outward:
        own = model.mass[i]
        kids = [c for c in model.children[i]]
        if not np.allclose(ab[i], _passed(own, kids, across, {c: ab[c][1] for c in kids}), atol=1e-9):
            return None
    wrong = {"alpha": [None], "all": [None]}
    under = _below(model)
    for i in model.outward:
        kids = model.children[i]
        wrong["alpha"].append(_passed(model.mass[i], kids, across, {c: ab[c][0] for c in kids}))
        whole = {c: sum(model.mass[k] for k in under[c]) for c in kids}
        wrong["all"].append(_passed(model.mass[i], kids, across, whole))
    heavy = max(model.outward, key=lambda i: (len([k for k in model.outward if i in under[k]]), -i))
    bodies = [I * (10 if i == heavy else 1) for i, I in enumerate(model.I) if i]
    heavier = Model(up[1:], model.joints[1:], [pose(X) for X in model.XT[1:]], bodies, gravity=model.gravity)
    D = [pivot(m, q) for m in (model, heavier)]
    M = [crba(m, q)[0, 0] for m in (model, heavier)]
    return {"ab": ab, "across": across, "wrong": wrong, "heavy": heavy, "D1": D, "M11": M, "sum": sum(heavier.mass[1:])}


def _passed(own, kids, across, handed):
    """(α, β) of a link of mass `own` whose children hand on these numbers."""
    return [own + sum(handed[c] for c in kids if across[c]), own + sum(handed[c] for c in kids if not across[c])]
