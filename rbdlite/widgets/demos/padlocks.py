"""Locked and free joints: parabola, apparent mass, two numbers per link, one padlock per joint."""

import numpy as np

from ...aba import aba
from ...codegen import compile as compile_code
from ...crba import crba
from ...joints import revolute
from ...kinematics import kinetic_energy, poses
from ...lock import held
from ...model import Model
from ...robots import planar_arm, squared_paper_state, squared_paper_tree
from ...spatial import inertia, pose
from ...trace import trace
from ..picture import model_data
from .page import Demo, configuration, planar_model, stage

PARTS = ("parabola", "apparent", "numbers", "locks")
MOST = 6  # padlocks: all 2^n states are written as one JavaScript function
FLAT = np.ix_([2, 3, 4], [2, 3, 4])  # (ω; vx, vy)
STEP = 5  # degrees of the dials


def padlocks(model=None, q=None, tau=None, *, parts=None, open=None, lockable=None, title="", lang="en"):
    """Storyboard of the articulated inertia -> Demo.

    parts (all four by default): "parabola" (2T over the rate of joint 2; free, it rolls to the lowest point) and
    "apparent" (mass felt by direction) show built-in arms of two links. "numbers" (two numbers per link; only for
    unit links at right angles with point masses at their tips, left out for other models) and "locks" (one padlock
    per joint, with what each closed one carries) show `model` at `q` pushed by `tau` (nv,), at rest and without
    gravity. No model: the squared-paper tree. lockable: joints that get a padlock (default all, at most six).
    open: the part to begin with.
    Raises ValueError for a model that is not planar, an unknown part, or too many padlocks; SingularError.
    """
    if model is None:
        model, q = squared_paper_tree(), squared_paper_state()[0] if q is None else q
        tau = (16, -2, 3, 8) if tau is None else tau
    planar_model("padlocks", model)
    q = configuration("padlocks", model, q)
    locked = [model.index(x) for x in (model.outward if lockable is None else lockable)]
    if len(set(locked)) > MOST:
        raise ValueError(f"padlocks takes at most {MOST} padlocks; name them with lockable=[...]")
    two = _two_numbers(model, q)
    have = [p for p in PARTS if p in (parts or PARTS) and (p != "numbers" or two)]
    for p in parts or ():
        stage("padlocks", p, PARTS)
    if not have:
        raise ValueError('"numbers" needs unit links at right angles with a point mass at each tip')
    data = {"parts": have, "open": stage("padlocks", open, have)}
    if "parabola" in have:
        data["parabola"] = _parabola()
    if "apparent" in have:
        data["apparent"] = _apparent()
    if {"numbers", "locks"} & set(have):
        push = np.eye(model.nv)[0] if tau is None else np.broadcast_to(np.asarray(tau, dtype=float), (model.nv,))
        locked = sorted(set(locked))
        data |= {"model": model_data(model), "inputs": {"q": q, "tau": push, "m": model.mass[1:]}, "lockable": locked,
                 "kernel": _states(model, locked).kernel, "numbers": two, "below": _below(model)}  # fmt: skip
    return Demo("padlocks", title, lang, **data)


def _below(model):
    """Bodies that hang on each body, itself included; entry 0 is empty."""
    out = [set()] + [{i} for i in model.outward]
    for i in model.inward:
        out[model.parent[i]] |= out[i]
    return [[], *(sorted(x) for x in out[1:])]


def _states(model, lockable):
    """All padlock states as one JavaScript function of (q, tau, m), at rest and without gravity.

    For each state (bit b of its number: lockable[b] is closed) q̈ (nv), then what the padlocks carry (nv).
    """
    still = model.replace(gravity=0 * model.gravity)

    def all_states(model, q, tau):
        out = []
        for state in range(2 ** len(lockable)):
            closed = [j for b, j in enumerate(lockable) if state >> b & 1]
            out += held(model, q, np.zeros(model.nv, int), tau, closed)
        return np.concatenate(out)

    return compile_code(all_states, still, target="js", masses=True)


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
