"""The model as the player draws it: tree, joints, lengths; and whether it lies on squared paper."""

import numpy as np

from ..spatial import pose
from .text import numbers


def model_data(model):
    """Names, tree, joints, masses, placements and tips, JSON-safe (see `payload`)."""
    tips = [None] + [_tip(model, i) for i in model.outward]
    lengths = [np.linalg.norm(pose(model.XT[i])[1]) for i in model.outward]
    lengths += [np.linalg.norm(t) for t in tips if t is not None]
    return {
        "name": getattr(model, "name", ""), "names": list(model.names), "joint_names": list(model.joint_names),
        "parent": [int(p) for p in model.parent], "kind": [""] + [j.kind for j in model.joints[1:]],
        "axis": [None] + [_axis(j) for j in model.joints[1:]],
        "nv": [0] + [j.nv for j in model.joints[1:]], "q": [[s.start, s.stop] for s in model.q_slice],
        "dof_body": [i for i in model.outward for _ in range(model.joints[i].nv)],
        "dof_parent": [int(p) for p in model.dof_parent],
        "planar": is_planar(model), "gravity": numbers(model.gravity), "mass": numbers(model.mass),
        "com": [numbers(c) for c in model.com], "XT": [None] + [numbers(x) for x in model.XT[1:]],
        "S": [None] + [[numbers(row) for row in S] for S in model.S[1:]],
        "tip": [None if t is None else numbers(t) for t in tips], "size": float(f"{max([*lengths, 0.1]):.3g}"),
    }  # fmt: skip


def _axis(joint):
    """Three numbers; of a joint that names no axis but has one freedom, the direction of its motion. Else None."""
    if joint.axis is None and joint.nv == 1:
        turns, slides = np.asarray(joint.S, dtype=float).reshape(2, 3)
        return numbers((along := turns if turns.any() else slides) / np.linalg.norm(along))
    return None if joint.axis is None else numbers(joint.axis)


def is_planar(model):
    """Every motion in the xy plane: hinges along ±z, slides and centres of mass in the plane, gravity too."""
    small = 1e-9
    for i in model.outward:
        joint, (R, p) = model.joints[i], pose(model.XT[i])
        axis = np.abs(np.asarray(joint.axis if joint.axis is not None else (0, 0, 1), dtype=float))
        flat = {"revolute": axis[2] > 1 - small, "prismatic": axis[2] < small, "planar": True}.get(joint.kind, False)
        if not flat or abs(float(R[2, 2]) - 1) > small or abs(float(p[2])) > small:
            return False
        if abs(float(model.com[i][2])) > small:
            return False
    return abs(float(model.gravity[2])) < small


def _tip(model, i):
    """Where to end the drawing of a body without children: its farthest named frame, else its centre of mass, drawn
    out as far as the lengths of the other links suggest (a rod's centre is halfway). None if it has no extent."""
    if model.children[i]:
        return None
    frames = [np.asarray(p, dtype=float) for b, _, p in model.frames.values() if b == i]
    far = max(frames, key=np.linalg.norm, default=np.zeros(3))
    com = np.asarray(model.com[i], dtype=float)
    if np.linalg.norm(far) > 1e-6:
        return far
    if np.linalg.norm(com) < 1e-6:
        return None
    return com * _stretch(model, i)


def _stretch(model, i):
    """Link length over distance of the centre of mass, from the other links; else 2 for a body with turning inertia."""
    ratios = []
    for j in model.outward:
        reach = np.linalg.norm(np.asarray(model.com[j], dtype=float))
        for k in model.children[j]:
            ratios.append(float(np.linalg.norm(pose(model.XT[k])[1])) / reach if reach > 1e-6 else 2.0)
    if ratios:
        return float(np.clip(np.median(ratios), 1, 2))
    m, c = float(model.mass[i]), np.linalg.norm(np.asarray(model.com[i], dtype=float))
    own = float(np.trace(np.asarray(model.I[i], dtype=float)[:3, :3])) / 2 - m * c**2  # zero for a point mass
    return 2.0 if own > 1e-9 * m * c**2 else 1.0
