"""The two built-in arms of `padlocks`: the parabola of a padlock, and the mass a hand feels by direction."""

import numpy as np

from ...aba import aba
from ...crba import crba
from ...joints import revolute
from ...kinematics import kinetic_energy
from ...lock import held
from ...model import Model
from ...robots import planar_arm
from ...spatial import inertia
from ...trace import trace
from ..picture import model_data

STEP = 5  # degrees of the dials


def pivot(model, q):
    """D of joint 1 in ABA: what it feels, outer joints free."""
    zero = np.zeros(model.nv)
    run = trace(aba, model, q, zero, zero)
    return next(s.value.item() for s in run.steps if s.name == "D" and s.index == 1)


def parabola():
    """A wheel on joint 1, link 2 folded back, M = [[2,1],[1,2]]: 2T at q̇ = (1, x), a push locked and free."""
    z = revolute((0, 0, 1))
    arm = Model([0, 1], [z, z], [(np.eye(3), [0, 0, 0]), (np.eye(3), [1, 0, 0])],
                [inertia(1, [0, 0, 0], [0.5, 0.5, 1]), inertia(1, [1, 0, 0], [0, 1, 1])],
                gravity=(0, 0, 0))  # fmt: skip
    q, push, zero = np.array([0, np.pi]), np.array([1.0, 0]), np.zeros(2)
    x = np.round(np.arange(-1.5, 1.0001, 0.05), 2)
    qd = np.stack([np.ones_like(x), x], axis=-1)
    M = crba(arm, q)
    carried = held(arm, q, zero, push, [2])
    run = trace(aba, arm, q, zero, zero)
    D = {s.index: s.value.item() for s in run.steps if s.name == "D"}
    U = next(s.value for s in run.steps if s.name == "U" and s.index == 2)
    picture = model_data(arm)
    picture["tip"][2] = [1, 0, 0]  # link 2 is drawn up to its centre of mass
    return {"model": picture, "q": q, "M": M, "x": x, "twoT": 2 * kinetic_energy(arm, q, qd), "momentum": qd @ M[1],
            "locked": M[0, 0], "free": D[1], "bottom": -M[1, 0] / D[2], "D2": D[2], "U2": np.ravel(U)[[2, 3, 4]],
            "push": {"locked": carried[0], "reaction": carried[1], "free": aba(arm, q, zero, push)}}  # fmt: skip


def apparent():
    """Two unit rods, elbow 90°: what a hand feels that moves a point without turning, by direction."""
    arm = planar_arm([1, 1], [1, 1], gravity=(0, 0, 0))
    zero, q = np.zeros(2), np.array([0, np.pi / 2])
    run, glued = trace(aba, arm, q, zero, zero), trace(crba, arm, q)

    def last(run, name, i):
        return [s.value for s in run.steps if s.name == name and s.index == i and s.kind == "write"][-1]

    U, Dinv = last(run, "U", 2), last(run, "Dinv", 2)
    Ia = next(s.value for s in run.steps if s.name == "Ia")
    X = last(run, "X", 2)
    gone = U @ Dinv @ U.T
    places = {  # (locked, taken away, free), linear parts; the elbow's are along and across rod 2
        "elbow": (last(run, "IA", 2), gone, Ia),
        "base": (last(glued, "IC", 1), X.T @ gone @ X, last(run, "IA", 1)),
    }
    angle = np.radians(np.arange(0, 360, STEP))
    d = np.stack([np.cos(angle), np.sin(angle)])
    out = {}
    for name, (locked, away, free) in places.items():
        parts = {k: np.asarray(A)[3:5, 3:5] for k, A in (("locked", locked), ("gone", away), ("free", free))}
        out[name] = {k: {"A": A, "felt": np.sum(d * (A @ d), axis=0), "force": (A @ d).T} for k, A in parts.items()}
        out[name]["away"] = np.linalg.inv(parts["free"])  # acceleration of the free end per unit force of the hand
    bends = np.arange(0, 181, STEP)
    felt = []
    for bend in np.radians(bends):
        at = np.array([0, bend])
        felt.append([crba(arm, at)[0, 0], pivot(arm, at)])
    return {"step": STEP, "model": model_data(arm), "q": q, "places": out, "bends": bends, "felt": felt}
