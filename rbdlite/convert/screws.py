"""Modern Robotics: a serial arm described by screws, and the force that its tip applies to the world."""

import numpy as np

from ..errors import ModelError, StateError
from ..joints import helical, prismatic, revolute
from ..model import Model
from ..spatial import plucker, pose
from .vectors import times


def from_screws(Mlist, Glist, Slist, gravity=(0, 0, -9.81), joint_names=None):
    """Model of a serial arm from a Modern Robotics description.

    Mlist (n+1, 4, 4): pose of link frame i in i-1 at home, the tip last; Glist (n, 6, 6): inertia in link frames;
    Slist (6, n): screw axes [ω; v] in the space frame at home, as columns. Body i keeps the axes of link frame i; its
    origin moves to the nearest point of its joint's axis. The tip is the named frame "tip". Raises ModelError for a
    screw that is not of unit length (|ω| = 1, or ω = 0 and |v| = 1): its coordinate would not be an angle or a length.
    """
    M, G, S = (np.asarray(x, dtype=float) for x in (Mlist, Glist, Slist))
    n = len(G)
    if M.shape != (n + 1, 4, 4) or G.shape != (n, 6, 6) or S.shape != (6, n):
        raise ModelError(f"a Modern Robotics arm of {n} links has Mlist ({n + 1}, 4, 4), Glist ({n}, 6, 6) and Slist "
                         f"(6, {n}); got {M.shape}, {G.shape}, {S.shape}")  # fmt: skip
    home, before, joints, places, inertias = np.eye(4), np.zeros(3), [], [], []
    for i in range(n):
        _check_screw(i + 1, S[:, i])
        home = home @ M[i]
        screw = plucker(home[:3, :3], home[:3, 3]) @ S[:, i]  # in link frame i
        joint, point = _joint_of(screw)
        joints.append(joint)
        places.append((M[i, :3, :3], M[i, :3, 3] + M[i, :3, :3] @ point - before))
        back = plucker(np.eye(3), -point)  # from the body frame to the link frame
        inertias.append(back.T @ G[i] @ back)
        before = point
    tip = {} if not n else {"tip": (n, M[n, :3, :3], M[n, :3, 3] - before)}
    joint_names = [f"joint{i}" for i in range(1, n + 1)] if joint_names is None else joint_names
    return Model(range(n), joints, places, inertias, names=[f"link{i}" for i in range(1, n + 1)],
                 joint_names=joint_names, gravity=gravity, frames=tip)  # fmt: skip


def _check_screw(i, s):
    turn, slide = np.linalg.norm(s[:3]), np.linalg.norm(s[3:])
    if not np.isfinite(s).all() or turn == slide == 0:
        raise ModelError(f"screw {i} must be six finite numbers, not all zero; got {s}")
    turns = turn > 1e-9  # less is rounding
    size, what = (turn, "ω") if turns else (slide, "v")
    if abs(size - 1) > 1e-6:
        unit = "an angle" if turns else "a length"
        raise ModelError(f"screw {i} is not a unit screw: |{what}| = {size:.6g}, expected 1, so its coordinate "
                         f"is not {unit}. Divide the screw by {size:.6g} and multiply q, qd, qdd of joint {i} by it")


def _joint_of(screw):
    """(joint, nearest point of its axis) of a unit screw [ω; v] in its own link frame."""
    w, u = screw[:3], screw[3:]
    if not np.linalg.norm(w) > 0.5:
        return prismatic(u), np.zeros(3)
    pitch = w @ u
    return (helical(w, pitch) if abs(pitch) > 1e-12 else revolute(w)), np.cross(w, u)


def to_screws(model, tip=None):
    """(Mlist, Glist, Slist) of an unbranched model of one-freedom joints; link frames are our body frames.

    tip: a named frame on the last body (default: that body's own frame).
    """
    n = model.n_bodies
    for i in model.outward:
        if model.parent[i] != i - 1 or model.joints[i].nv != 1:
            raise ModelError(f"{model.label(i)}: Modern Robotics describes unbranched arms of one-freedom joints only")
    M, S, X0 = np.tile(np.eye(4), (n + 1, 1, 1)), np.zeros((6, n)), np.eye(6)
    for i in model.outward:
        M[i - 1, :3, :3], M[i - 1, :3, 3] = pose(model.XT[i])
        X0 = model.XT[i] @ X0
        R, p = pose(X0)
        w, u = R @ model.S[i][:3, 0], R @ model.S[i][3:, 0]
        S[:, i - 1] = np.r_[w, u + np.cross(p, w)]
    if tip is not None:
        M[n, :3, :3], M[n, :3, 3] = _tip(model, tip)
    return M, np.array([model.I[i] for i in model.outward]).reshape(n, 6, 6), S


def ftip(model, f, tip=None):
    """f_ext [n; f] on the last body -> Modern Robotics' Ftip: in the tip frame, and applied BY the tip to the world."""
    return -times(np.linalg.inv(plucker(*_tip(model, tip))).T, f)


def from_ftip(model, Ftip, tip=None):
    """Ftip [n; f] -> f_ext on the last body, in its coordinates: applied TO the body, so the sign turns."""
    return -times(plucker(*_tip(model, tip)).T, Ftip)


def _tip(model, tip):
    if tip is None:
        return np.eye(3), np.zeros(3)
    if tip not in model.frames or model.frames[tip][0] != model.n_bodies:
        raise StateError(f"tip must name a frame on the last body, {model.label(model.n_bodies)}; got {tip!r}")
    return model.frames[tip][1], model.frames[tip][2]
