"""A Model as a model of Pinocchio or MuJoCo, built through that library's own functions.

Same tree, placements, inertias, gravity, armature and names; nothing else: no geometry, contact, limit, damping or
friction. Read the numbers there through `pinocchio(model, order=depth_first(model))` or `mujoco(model, order=...)`:
both libraries number joints depth-first. (`order` may be left out if the model is numbered so itself.)
"""

import importlib

import numpy as np

from ..errors import ModelError
from ..spatial import pose
from .libraries import depth_first, mujoco
from .vectors import quaternion_of, wxyz

TURNED = {"free": [3, 4, 5, 0, 1, 2], "planar": [1, 2, 0]}  # their entries of v, as places in ours


def _import(module, package):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is not installed: pip install {package}") from error


def _body(model, i):
    """(R, p) of body i's joint on its parent, its mass, centre of mass, and inertia (3, 3) about that, as floats."""
    m, c = float(model.mass[i]), np.asarray(model.com[i], dtype=float)
    J = np.asarray(model.I[i], dtype=float)[:3, :3] - m * (c @ c * np.eye(3) - np.outer(c, c))
    return *pose(np.asarray(model.XT[i], dtype=float)), m, c, J


def _numbers(model):
    """Our body numbers in depth-first order."""
    return [model.joint_names.index(name) for name in depth_first(model)]


def _armature(model):
    """Armature in the libraries' order of the freedoms, which is the same in both for the joints that both have."""
    rotors = [np.asarray(model.armature, dtype=float)[model.v_slice[i]] for i in _numbers(model)]
    kinds = [model.joints[i].kind for i in _numbers(model)]
    return np.concatenate([np.zeros(0), *(r[TURNED.get(k, slice(None))] for r, k in zip(rotors, kinds, strict=True))])


def to_mujoco(model):
    """A `mujoco.MjModel` of a Model with revolute, prismatic and spherical joints, and free joints on the base.

    Bodies and joints keep their names, so `engine.body("hand").id` is a body's row in xfrc_applied.
    Raises ImportError without MuJoCo; StateError for a joint that does not exist there; ModelError for armature along
    a free joint (there it is tied to world axes, here to the body's) and for what MuJoCo's compiler refuses, such as
    a body without mass.
    """
    mj = _import("mujoco", "mujoco")
    mujoco(model)  # refuses joints that MuJoCo lacks
    kinds = {"revolute": mj.mjtJoint.mjJNT_HINGE, "prismatic": mj.mjtJoint.mjJNT_SLIDE,
             "spherical": mj.mjtJoint.mjJNT_BALL, "free": mj.mjtJoint.mjJNT_FREE}  # fmt: skip
    for i in model.outward:
        if model.joints[i].kind == "free" and (own := model.armature[model.v_slice[i]][3:]).any():
            raise ModelError(f"joint {i} ({model.joint_names[i]}): MuJoCo ties the armature along a free joint to "
                             f"world axes, a Model to the body's; expected zeros, got {own}")  # fmt: skip
    try:
        engine = _compiled(mj.MjSpec(), model, kinds)
    except ValueError as error:
        raise ModelError(f"MuJoCo does not take this model: {' '.join(str(error).split())}") from error
    engine.dof_armature[:] = _armature(model)
    mj.mj_setConst(engine, mj.MjData(engine))
    return engine


def _compiled(spec, model, kinds):
    spec.option.gravity = np.asarray(model.gravity, dtype=float)
    bodies = [spec.worldbody]
    for i in model.outward:
        R, p, m, c, J = _body(model, i)
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        body = bodies[model.parent[i]].add_body(name=model.names[i], pos=p, quat=wxyz(quaternion_of(R)), mass=m,
                                                ipos=c, fullinertia=full, explicitinertial=True)  # fmt: skip
        joint = body.add_joint(name=model.joint_names[i], type=kinds[model.joints[i].kind])
        if model.joints[i].axis is not None:
            joint.axis = np.asarray(model.joints[i].axis, dtype=float)
        bodies.append(body)
    return spec.compile()


def to_pinocchio(model):
    """A `pinocchio.Model` of any Model: every joint type, numbered depth-first, as Pinocchio's `crba` needs it.

    Raises ImportError without Pinocchio, ModelError for a regrouped model or a joint that is not there.
    """
    pin = _import("pinocchio", "pin")
    if model.regrouped:
        raise ModelError("a regrouped model has inertias of no real body: give the model as it was before rbd.regroup")
    kinds = {"revolute": pin.JointModelRevoluteUnaligned, "prismatic": pin.JointModelPrismaticUnaligned,
             "helical": pin.JointModelHelicalUnaligned, "planar": pin.JointModelPlanar,
             "spherical": pin.JointModelSpherical, "free": pin.JointModelFreeFlyer}  # fmt: skip
    robot, ids = pin.Model(), {0: 0}
    robot.gravity = pin.Motion(np.asarray(model.gravity, dtype=float), np.zeros(3))
    for i in _numbers(model):
        R, p, m, c, J = _body(model, i)
        joint = model.joints[i]
        if joint.kind not in kinds:
            raise ModelError(f"joint {i} ({model.joint_names[i]}): no joint of Pinocchio is a {joint.kind!r}; "
                             f"known: {', '.join(kinds)}")  # fmt: skip
        given = [np.asarray(joint.axis, dtype=float)] if joint.kind in ("revolute", "prismatic", "helical") else []
        given += [float(joint.pitch)] if joint.kind == "helical" else []
        ids[i] = robot.addJoint(ids[model.parent[i]], kinds[joint.kind](*given), pin.SE3(R, p), model.joint_names[i])
        robot.appendBodyToJoint(ids[i], pin.Inertia(m, c, J), pin.SE3.Identity())
    robot.armature = _armature(model)
    return robot
