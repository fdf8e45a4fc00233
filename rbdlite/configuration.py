"""What q of a model looks like: its kinds of coordinate, the neutral one, random ones."""

import numpy as np

QUATERNION = ("spherical", "free")  # joints whose last four entries of q are one
COORDINATES = {
    "revolute": ("turn",), "helical": ("turn",), "prismatic": ("slide",), "planar": ("slide", "slide", "turn"),
    "spherical": ("quaternion",), "free": ("slide", "slide", "slide", "quaternion"),
}  # fmt: skip


def coordinates(model):
    """[where in q, "turn" | "slide" | "quaternion"] of each coordinate; joints of the reader's own have none."""
    return [[model.q_slice[i].start + k, how] for i in model.outward
            for k, how in enumerate(COORDINATES.get(model.joints[i].kind, ()))]  # fmt: skip


def quaternions(model):
    """Bodies whose joint has a quaternion as the last four entries of its q."""
    return [i for i in model.outward if model.joints[i].kind in QUATERNION]


def neutral(model):
    """q (nq,) with every joint at zero and every quaternion the identity."""
    q = np.zeros(model.nq)
    for i in model.quaternions:
        q[model.q_slice[i].stop - 1] = 1.0
    return q


def random(model, rng):
    """q (nq,) drawn with `rng`: lengths in ±1 m, angles in ±π, quaternions uniform."""
    q = np.empty(model.nq)
    for joint, s in zip(model.joints[1:], model.q_slice[1:], strict=True):
        turns = joint.kind in ("revolute", "helical")
        q[s] = rng.uniform(-np.pi, np.pi, joint.nq) if turns else rng.uniform(-1, 1, joint.nq)
        if joint.kind == "planar":
            q[s.stop - 1] *= np.pi
        if joint.kind in QUATERNION:
            unit = rng.normal(size=4)
            q[s.stop - 4 : s.stop] = unit / np.linalg.norm(unit)
    return q
