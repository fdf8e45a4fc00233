"""The conventions of Pinocchio, MuJoCo and Drake: one function each, which returns the `Layout` of a model there."""

import numpy as np

from ..errors import StateError
from ..integrate import quat_product
from ..spatial import pose
from .layouts import Layout, Rule
from .vectors import blocks, quaternion_of, rotation, times, wxyz, xyzw


def _layout(library, model, order, rule):
    names = [str(x) for x in (model.joint_names[1:] if order is None else order)]
    odd = sorted(set(names) ^ set(model.joint_names[1:]))
    if odd or len(names) != model.n_bodies:
        raise StateError(f"order must list each of the {model.n_bodies} joints once, as the model names them; "
                         f"wrong or missing: {odd or 'a name given twice'}")  # fmt: skip
    numbers = tuple(model.joint_names.index(name) for name in names)
    return Layout(library, model, numbers, {i: rule(i, model.joints[i]) for i in numbers})


def _refuse(library, model, i, joint, why):
    raise StateError(f"joint {i} ({model.joint_names[i]}) is {joint.kind}; {library} {why}")


def _rows(rows):
    """A constant B: entry k of the result is entry rows[k] of ours."""
    B = np.eye(len(rows))[list(rows)]
    return lambda q: B


def _cos_sin(x):
    return np.concatenate([np.cos(x), np.sin(x)], -1)


def pinocchio(model, order=None, continuous=()):
    """Layout of Pinocchio: [v; ω] of a free joint, linear first, body axes; quaternion (x, y, z, w).

    order: joint names as there, e.g. robot.names[1:]. continuous: names of the joints that Pinocchio stores as
    (cos θ, sin θ), as it does for URDF's "continuous"; back-conversion gives θ in (-π, π].
    """
    for name in continuous:
        if name not in model.joint_names[1:] or model.joints[model.joint_names.index(name)].kind != "revolute":
            raise StateError(f"continuous: {name!r} is not a revolute joint of this model")

    def rule(i, joint):
        if model.joint_names[i] in continuous:
            return Rule(2, _cos_sin, lambda x: np.arctan2(x[..., 1:], x[..., :1]))
        if joint.kind == "free":
            return Rule(7, B=_rows([3, 4, 5, 0, 1, 2]))
        if joint.kind == "planar":
            return Rule(4, lambda x: np.concatenate([x[..., :2], _cos_sin(x[..., 2:])], -1),
                         lambda x: np.concatenate([x[..., :2], np.arctan2(x[..., 3:], x[..., 2:3])], -1),
                         _rows([1, 2, 0]))  # fmt: skip
        return Rule(joint.nq)

    return _layout("Pinocchio", model, order, rule)


def mujoco(model, order=None):
    """Layout of MuJoCo: quaternion (w, x, y, z); a free joint's pose is the world's, its velocity [v in world axes;
    ω in body axes], and its acceleration the derivative of that. Planar and helical joints do not exist there."""

    def rule(i, joint):
        if joint.kind == "spherical":
            return Rule(4, wxyz, xyzw)
        if joint.kind not in ("revolute", "prismatic", "spherical", "free"):
            _refuse("MuJoCo", model, i, joint, "has hinge, slide, ball and free joints only")
        if joint.kind != "free":
            return Rule(joint.nq)
        if model.parent[i] != 0:
            _refuse("MuJoCo", model, i, joint, "has free joints only between a body and the world")
        R0, p0 = pose(np.asarray(model.XT[i], dtype=float))
        turn = quaternion_of(R0)
        back = turn * [-1, -1, -1, 1]

        def q(x):
            return np.concatenate([p0 + times(R0, x[..., :3]), wxyz(quat_product(turn, x[..., 3:]))], -1)

        def q_back(x):
            return np.concatenate([times(R0.T, x[..., :3] - p0), quat_product(back, xyzw(x[..., 3:]))], -1)

        def B(x):
            return blocks(np.zeros((3, 3)), R0 @ rotation(x[..., 3:]), np.eye(3), np.zeros((3, 3)))

        return Rule(7, q, q_back, B, classical=True)

    return _layout("MuJoCo", model, order, rule)


def drake(model, order=None):
    """Layout of Drake: a quaternion floating joint has q = (w, x, y, z, position) and v = [ω; v], both in the axes of
    the frame it moves in (the world); a planar joint likewise (x, y, θ) and (ẋ, ẏ, θ̇). A ball joint has no quaternion
    there and is refused. Drake's screw pitch is metres per turn, ours metres per radian; q is the same angle."""

    def rule(i, joint):
        if joint.kind == "spherical":
            _refuse("Drake", model, i, joint, "describes ball joints by three angles, not by a quaternion")
        if joint.kind == "planar":
            def planar_B(x):
                c, s, o, one = np.cos(x[..., 2]), np.sin(x[..., 2]), 0 * x[..., 2], 1 + 0 * x[..., 2]
                return np.stack([np.stack(r, -1) for r in ((o, c, -s), (o, s, c), (one, o, o))], -2)

            return Rule(3, B=planar_B, classical=True)
        if joint.kind != "free":
            return Rule(joint.nq)

        def B(x):
            R = rotation(x[..., 3:])
            return blocks(R, np.zeros((3, 3)), np.zeros((3, 3)), R)

        return Rule(7, lambda x: np.concatenate([wxyz(x[..., 3:]), x[..., :3]], -1),
                     lambda x: np.concatenate([x[..., 4:], xyzw(x[..., :4])], -1), B, classical=True)  # fmt: skip

    return _layout("Drake", model, order, rule)


def depth_first(model):
    """Joint names in depth-first order: the order in which to build a Pinocchio model."""
    out, todo = [], list(reversed(model.children[0]))
    while todo:
        i = todo.pop()
        out.append(model.joint_names[i])
        todo.extend(reversed(model.children[i]))
    return out
