"""rbd.convert against the libraries themselves: order, frames, quaternions, velocities, accelerations, forces.

Pinocchio and MuJoCo models are built by `to_pinocchio` and `to_mujoco`; here their own functions get what a `Layout`
returns, and tests/oracles.py turns the same numbers by hand. Drake is used where it is installed; the worked case
below it is by hand.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import lacking
from oracles import MuJoCo, Pinocchio, close

import rbdlite as rbd
from rbdlite import convert

pin = pytest.importorskip("pinocchio")
mj = pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle
Z = np.zeros(3)


def modern_robotics():
    try:
        import modern_robotics
    except ImportError:
        lacking("modern_robotics is not installed: its conventions were not compared")
    return modern_robotics


def tree(seed, n=7, kinds=rbd.robots.trees.KINDS, root=None, **options):
    """A random tree; root: type of the first joint, which then has a rotated placement on the base."""
    rng = np.random.default_rng(seed)
    model = rbd.robots.random_tree(n, rng, kinds=kinds, **options)
    if root is not None:
        first = {"free": rbd.free, "planar": rbd.planar}[root]()
        rest = [rbd.robots.trees._joint(str(rng.choice(kinds)), rng) for _ in range(n - 1)]
        model = model.replace(joints=[first, *rest], parent=[0] + [max(1, p) for p in model.parent[2:]],
                              armature=None)  # fmt: skip
    return model, rng


def state(model, rng):
    return model.random(rng), *rng.normal(size=(2, model.nv))


def free_body(**options):
    return rbd.Model([0], [rbd.free()], [(np.eye(3), Z)], [rbd.inertia(1, (0, 0, 0), (1, 2, 2.5))], **options)


def c44(Jxx=0.0):
    """A rod of 1 m and 1 kg on a hinge about y. Jxx moves nothing; MuJoCo refuses a rod without it."""
    return rbd.Model([0], [rbd.revolute((0, 1, 0))], [(np.eye(3), Z)], frames={"tip": (1, np.eye(3), [1, 0, 0])},
                     inertias=[rbd.inertia(1, (0.5, 0, 0), (Jxx, 1 / 12, 1 / 12))])  # fmt: skip


# -- orders ------------------------------------------------------------------------------------------------------------


def test_reordering_is_exact():
    x, quat = np.random.default_rng(0).normal(size=(5, 6)), np.random.default_rng(1).normal(size=(5, 4))
    assert (convert.swap_halves(convert.swap_halves(x)) == x).all()
    assert (convert.swap_halves(x)[:, 0] == x[:, 3]).all()
    assert (convert.wxyz(quat)[:, 0] == quat[:, 3]).all()
    assert (convert.xyzw(convert.wxyz(quat)) == quat).all()


@pytest.mark.parametrize("fn", [convert.swap_halves, convert.wxyz, convert.xyzw])
def test_reordering_refuses_wrong_sizes(fn):
    with pytest.raises(rbd.StateError, match="entries on its last axis; got shape"):
        fn([1, 2, 3, 4, 5])


def test_quaternion_layouts_c43():
    """neutral: w is the last of four here and in Pinocchio, the first in MuJoCo and Drake."""
    model = free_body()
    q = model.neutral()
    assert list(q) == [0, 0, 0, 0, 0, 0, 1]
    assert (convert.pinocchio(model).q(q) == pin.neutral(Pinocchio(model).robot)).all()
    assert (convert.mujoco(model).q(q) == MuJoCo(model).engine.qpos0).all()
    assert list(convert.drake(model).q(q)) == [1, 0, 0, 0, 0, 0, 0]


def test_reading_a_foreign_quaternion_in_our_order_is_refused_or_wrong_c43():
    """(w, x, y, z) of a half turn about x read as (x, y, z, w) is another turn: only the converter tells them apart."""
    turned = convert.wxyz([1, 0, 0, 0])
    assert not np.allclose(convert.vectors.rotation(turned), convert.vectors.rotation(convert.xyzw(turned)))


# -- Pinocchio ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_pinocchio_takes_our_numbers(seed):
    model, rng = tree(seed)
    robot = Pinocchio(model).robot
    data, there = robot.createData(), convert.pinocchio(model, order=list(robot.names)[1:])
    q, v, a = state(model, rng)
    got = pin.rnea(robot, data, there.q(q), there.v(q, v), there.a(q, v, a))
    close(there.tau(q, rbd.rnea(model, q, v, a)), got)
    close(there.tau_back(q, got), rbd.rnea(model, q, v, a))
    M = np.triu(pin.crba(robot, data, there.q(q)))
    close(there.matrix_back(q, M + np.triu(M, 1).T), rbd.mass_matrix_by_rnea(model, q))
    assert there.order == tuple(model.joint_names.index(k) for k in convert.depth_first(model))


@pytest.mark.parametrize("make", [convert.pinocchio, convert.mujoco, convert.drake])
def test_round_trips_are_exact(make):
    """Where numbers only change places, the same bits come back; planar angles pass through cos and sin."""
    model, rng = tree(3, n=6, kinds=("revolute", "prismatic"), root="free", branching=0)
    model = model.replace(placements=[(np.eye(3), Z), *[rbd.pose(X) for X in model.XT[2:]]])
    q, v, a = state(model, rng)
    there = make(model)
    assert (there.q_back(there.q(q)) == q).all()
    if make is convert.pinocchio:
        assert (there.v_back(q, there.v(q, v)) == v).all() and (there.a_back(q, v, there.a(q, v, a)) == a).all()
        assert (there.tau_back(q, there.tau(q, v)) == v).all()
    close(there.v_back(q, there.v(q, v)), v, 1e-14)
    close(there.a_back(q, v, there.a(q, v, a)), a, 1e-14)
    close(there.tau_back(q, there.tau(q, a)) @ v, there.tau(q, a) @ there.v(q, v), 1e-13)  # power


def test_batches_follow_single_states():
    model, rng = tree(5, n=5, kinds=("revolute", "prismatic"), root="free")
    qs, vs, taus = np.array([model.random(rng) for _ in range(4)]), *rng.normal(size=(2, 4, model.nv))
    for make in (convert.pinocchio, convert.mujoco, convert.drake):
        there = make(model)
        for one, many in ((there.v, (qs, vs)), (there.tau, (qs, taus)), (there.a, (qs, vs, taus))):
            close(one(*many), np.array([one(*row) for row in zip(*many, strict=True)]), 1e-14)
        close(there.q(qs), np.array([there.q(q) for q in qs]), 1e-15)


def test_continuous_joints_are_cos_and_sin():
    xml = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
      ixy="0" ixz="0" iyz="0"/><origin xyz="0.3 0 0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/>
      <child link="b"/><axis xyz="0 1 0"/></joint>
      </robot>"""
    robot, model = pin.buildModelFromXML(xml), rbd.load_urdf(xml)
    there = convert.pinocchio(model, continuous=["j"])
    assert robot.nq == 2 and there.q([0.7]).shape == (2,)
    for angle in (0.7, 0.7 + 2 * np.pi):
        tau = pin.rnea(robot, robot.createData(), there.q([angle]), np.array([1.0]), np.array([2.0]))
        close(tau, rbd.rnea(model, [angle], [1], [2]))
    close(there.q_back(there.q([-2.5])), [-2.5], 1e-15)
    with pytest.raises(rbd.StateError, match="'k' is not a revolute joint"):
        convert.pinocchio(model, continuous=["k"])


@pytest.mark.parametrize("frame, theirs", [("world", "WORLD"), ("hybrid", "LOCAL_WORLD_ALIGNED")])
def test_frames_of_motions_and_forces(frame, theirs):
    model, rng = tree(11)
    oracle = Pinocchio(model)
    q, v, _ = state(model, rng)
    pin.forwardKinematics(oracle.robot, oracle.data, oracle.q(q), oracle.v(v))
    for i in model.outward:
        own = rbd.jacobian(model, q, i) @ v
        want = pin.getVelocity(oracle.robot, oracle.data, oracle.joint[i], getattr(pin, theirs))
        there = convert.motion_to(model, q, i, own, frame)
        close(convert.swap_halves(there), want.vector)
        close(convert.motion_from(model, q, i, there, frame), own)
        f = rng.normal(size=6)
        moved = convert.force_to(model, q, i, f, frame)
        close(moved @ there, f @ own)  # power
        close(convert.force_from(model, q, i, moved, frame), f)
        place = oracle.data.oMi[oracle.joint[i]].copy()
        if frame == "hybrid":
            place.translation = Z
        close(convert.swap_halves(moved), place.act(pin.Force(f[3:], f[:3])).vector)


# -- MuJoCo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_mujoco_takes_our_numbers(seed):
    """Also with a free joint whose placement on the base is turned and shifted."""
    model, rng = tree(seed, kinds=("revolute", "prismatic", "spherical"), root="free" if seed % 2 else None)
    sim, there = MuJoCo(model), convert.mujoco(model, order=convert.depth_first(model))
    q, v, a = state(model, rng)
    sim.data.qpos, sim.data.qvel, sim.data.qacc = there.q(q), there.v(q, v), there.a(q, v, a)
    mj.mj_inverse(sim.engine, sim.data)
    close(there.tau_back(q, sim.data.qfrc_inverse), rbd.rnea(model, q, v, a))
    M = np.zeros((model.nv, model.nv))
    for row, unit in zip(M, np.eye(model.nv), strict=True):
        mj.mj_mulM(sim.engine, sim.data, row, unit)
    close(there.matrix(q, rbd.mass_matrix_by_rnea(model, q)), M)
    back = there.q_back(there.q(q))
    close(rbd.poses(model, back)[1][0], rbd.poses(model, q)[1][0])  # the quaternion's sign may turn
    close(there.v_back(q, there.v(q, v)), v)


def test_spatial_and_classical_acceleration_c49():
    """A body that spins while it moves, no force: Pinocchio's a is spatial (0, -2, 0), MuJoCo's is a point's: zero."""
    model = free_body(gravity=(0, 0, 0))
    q, v = model.neutral(), np.array([0, 0, 2.0, 1, 0, 0])
    robot = Pinocchio(model).robot
    P, W = convert.pinocchio(model), convert.mujoco(model)
    a = P.a_back(q, v, pin.aba(robot, robot.createData(), P.q(q), P.v(q, v), np.zeros(6)))
    close(a, [0, 0, 0, 0, -2, 0])
    sim = MuJoCo(model)
    sim.data.qpos, sim.data.qvel = W.q(q), W.v(q, v)
    mj.mj_forward(sim.engine, sim.data)
    close(sim.data.qacc, np.zeros(6), 1e-12)
    close(W.a_back(q, v, sim.data.qacc), a, 1e-12)
    close(convert.classical(v, a), np.zeros(6), 1e-15)
    assert (convert.spatial(v, convert.classical(v, a)) == a).all()
    close(rbd.rnea(model, q, v, a), np.zeros(6), 1e-15)


# -- forces ------------------------------------------------------------------------------------------------------------

PUSH = [(0.0, -4.905), (np.pi / 2, 10.0), (0.6, 1.59815354)]


@pytest.mark.parametrize("angle, tau", PUSH)
def test_one_push_in_every_library_c44_c53(angle, tau):
    """10 N along world x at the tip of a rod, each library in its own way."""
    model, q, v = c44(), np.array([angle]), np.zeros(1)
    f = rbd.wrench(model, q, 1, force=(10, 0, 0), point=rbd.frame_pose(model, q, "tip")[1])
    close(rbd.rnea(model, q, v, v, {1: f}), [tau], 1e-8)
    if angle == 0.6:
        close(f, [0, -5.64642473, 0, 8.25335615, 0, 5.64642473], 1e-8)
    oracle, there = Pinocchio(model), convert.pinocchio(model)
    fext = [pin.Force.Zero(), pin.Force(there.force(q, 1, f))]
    close(pin.rnea(oracle.robot, oracle.data, q, v, v, fext), [tau], 1e-8)
    close(there.force_back(q, 1, there.force(q, 1, f)), f, 1e-15)
    sim, there = MuJoCo(c44(Jxx=0.01)), convert.mujoco(model)
    sim.data.qpos, sim.data.xfrc_applied[1] = q, there.force(q, 1, f)
    mj.mj_inverse(sim.engine, sim.data)
    close(sim.data.qfrc_inverse - _applied(sim), [tau], 1e-8)
    close(sim.data.xfrc_applied[1][:3], [10, 0, 0], 1e-12)
    close(there.force_back(q, 1, there.force(q, 1, f)), f, 1e-14)
    mr = modern_robotics()
    Ftip = convert.ftip(model, f, "tip")
    close(mr.InverseDynamics(q, v, v, model.gravity, Ftip, *convert.to_screws(model, "tip")), [tau], 1e-8)
    close(convert.from_ftip(model, Ftip, "tip"), f, 1e-14)


def _applied(sim):
    """Generalised force of xfrc_applied, which mj_inverse leaves out."""
    out = np.zeros(sim.engine.nv)
    force, torque = sim.data.xfrc_applied[1][:3].copy(), sim.data.xfrc_applied[1][3:].copy()
    mj.mj_applyFT(sim.engine, sim.data, force, torque, sim.data.xipos[1], 1, out)
    return out


def test_ftip_has_the_opposite_sign_c53():
    model = c44()
    f = rbd.wrench(model, [np.pi / 2], 1, force=(10, 0, 0), point=(0, 0, -1))
    close(convert.ftip(model, f, "tip"), [0, 0, 0, 0, 0, -10], 1e-12)  # the tip's z points along world x


# -- Modern Robotics ---------------------------------------------------------------------------------------------------

M01 = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.089159], [0, 0, 0, 1]])
M12 = np.array([[0, 0, 1, 0.28], [0, 1, 0, 0.13585], [-1, 0, 0, 0], [0, 0, 0, 1]])
M23 = np.array([[1, 0, 0, 0], [0, 1, 0, -0.1197], [0, 0, 1, 0.395], [0, 0, 0, 1]])
M34 = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.14225], [0, 0, 0, 1]])
ARM = (np.array([M01, M12, M23, M34]),
       np.array([np.diag([0.010267, 0.010267, 0.00666, 3.7, 3.7, 3.7]),
                 np.diag([0.22689, 0.22689, 0.0151074, 8.393, 8.393, 8.393]),
                 np.diag([0.0494433, 0.0494433, 0.004095, 2.275, 2.275, 2.275])]))  # fmt: skip
SCREWS = np.array([[1, 0, 1, 0, 1, 0], [0, 1, 0, -0.089, 0, 0], [0, 1, 0, -0.089, 0, 0.425]]).T
MOTION = np.array([0.1, 0.1, 0.1]), np.array([0.1, 0.2, 0.3]), np.array([2, 1.5, 1])


def test_a_screw_that_is_not_of_unit_length_is_flagged_c52():
    says = r"screw 1 is not a unit screw: \|ω\| = 1.41421, .* multiply q, qd, qdd of joint 1"
    with pytest.raises(rbd.ModelError, match=says):
        convert.from_screws(*ARM, SCREWS)


def test_what_the_published_example_computes_c52():
    """The advice of the error gives the published numbers: their torque 1 belongs to a coordinate that is no angle."""
    size = np.array([np.sqrt(2), 1, 1])
    model = convert.from_screws(*ARM, SCREWS / size, gravity=(0, 0, -9.8))
    f = convert.from_ftip(model, np.ones(6), "tip")
    tau = rbd.rnea(model, *(x * size for x in MOTION), {3: f})
    close(tau * size, [74.69616155, -33.06766016, -3.23057314], 1e-8)
    mr = modern_robotics()
    close(tau * size, mr.InverseDynamics(*MOTION, np.array([0, 0, -9.8]), np.ones(6), *ARM, SCREWS))


@pytest.mark.parametrize("seed", range(5))
def test_modern_robotics_takes_our_arms(seed):
    mr = modern_robotics()
    kinds = ("revolute", "prismatic", "helical")
    model, rng = tree(seed, n=5, kinds=kinds, branching=0, armature=False)
    model = model.replace(frames={"tip": (5, rbd.robots.trees._rotation(rng), rng.normal(size=3))})
    (q, v, a), Ftip = state(model, rng), rng.normal(size=6)
    tau = rbd.rnea(model, q, v, a, {5: convert.from_ftip(model, Ftip, "tip")})
    close(tau, mr.InverseDynamics(q, v, a, model.gravity, Ftip, *convert.to_screws(model, "tip")))
    again = convert.from_screws(*convert.to_screws(model, "tip"), gravity=model.gravity)
    close(rbd.rnea(again, q, v, a, {5: convert.from_ftip(again, Ftip, "tip")}), tau)
    close(rbd.frame_pose(again, q, "tip")[1], rbd.frame_pose(model, q, "tip")[1])
    for mine, theirs in zip(convert.to_screws(again, "tip"), convert.to_screws(model, "tip"), strict=True):
        close(mine, theirs)


# -- Drake -------------------------------------------------------------------------------------------------------------


def test_drake_worked_case():
    """By hand: a free body turned by 90° about z, so that its x axis is the world's y.

    Body velocity ω = (0, 0, 2), v = (1, 0, 0) is ω = (0, 0, 2), v = (0, 1, 0) in world axes. A spatial acceleration
    (0, -2, 0) of its origin is a classical one of 0 (C49). A force (3, 0, 0) in body axes is (0, 3, 0).
    """
    model, s = free_body(), np.sqrt(0.5)
    q, v = np.array([1, 2, 3, 0, 0, s, s]), np.array([0, 0, 2.0, 1, 0, 0])
    there = convert.drake(model)
    close(there.q(q), [s, 0, 0, s, 1, 2, 3], 1e-15)
    close(there.v(q, v), [0, 0, 2, 0, 1, 0], 1e-15)
    close(there.a(q, v, [0, 0, 0, 0, -2, 0]), np.zeros(6), 1e-15)
    close(there.force(q, 1, [0, 0, 0, 3, 0, 0]), [0, 0, 0, 0, 3, 0], 1e-15)
    close(there.tau(q, [0, 0, 0, 3, 0, 0]), [0, 0, 0, 0, 3, 0], 1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_drake_takes_our_numbers(seed):
    pytest.importorskip("pydrake", reason="Drake is not installed; its layout is tested by the worked case")
    model, rng = tree(seed, n=5, kinds=("revolute", "prismatic", "helical"), root=("free", "planar")[seed % 2])
    from pydrake.multibody.math import SpatialForce
    from pydrake.multibody.tree import MultibodyForces

    plant, context = drake_plant(model)
    there = convert.drake(model)
    q, v, a = state(model, rng)
    plant.SetPositions(context, there.q(q))
    plant.SetVelocities(context, there.v(q, v))
    close(there.matrix(q, rbd.mass_matrix_by_rnea(model, q)), plant.CalcMassMatrix(context))
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    f = rng.normal(size=6)
    body, own = plant.GetBodyByName("b2"), MultibodyForces(plant)
    pushed = there.force(q, 2, f)
    body.AddInForceInWorld(context, SpatialForce(pushed[:3], pushed[3:]), own)
    forces.AddInForces(own)
    got = plant.CalcInverseDynamics(context, there.a(q, v, a), forces)
    close(there.tau_back(q, got), rbd.rnea(model, q, v, a, {2: f}))
    close(there.force_back(q, 2, pushed), f)


def drake_plant(model):
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import (
        FixedOffsetFrame,
        PlanarJoint,
        PrismaticJoint,
        QuaternionFloatingJoint,
        RevoluteJoint,
        ScrewJoint,
        SpatialInertia,
        UnitInertia,
    )

    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(model.gravity))
    bodies = [plant.world_body()]
    for i in model.outward:
        I6 = np.asarray(model.I[i])
        m, c, J = model.mass[i], np.array(model.com[i]), I6[:3, :3] / model.mass[i]
        unit = UnitInertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        bodies.append(plant.AddRigidBody(f"b{i}", SpatialInertia(m, c, unit)))
        R, p = rbd.pose(model.XT[i])
        place, above = RigidTransform(RotationMatrix(R), p), bodies[model.parent[i]].body_frame()
        F = plant.AddFrame(FixedOffsetFrame(f"f{i}", above, place))
        joint, between = model.joints[i], (f"j{i}", F, bodies[i].body_frame())
        rest = {"planar": [np.zeros(3)], "free": [], "helical": [joint.axis, 2 * np.pi * (joint.pitch or 0), 0.0]}
        kinds = {"revolute": RevoluteJoint, "prismatic": PrismaticJoint, "helical": ScrewJoint, "planar": PlanarJoint,
                 "free": QuaternionFloatingJoint}  # fmt: skip
        plant.AddJoint(kinds[joint.kind](*between, *rest.get(joint.kind, [joint.axis])))
    plant.Finalize()
    return plant, plant.CreateDefaultContext()


# -- the robot there --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_robot_there_has_our_numbers(seed):
    """Names, places, masses, moments, gravity and rotors, read from the libraries' own tables."""
    model, rng = tree(seed, kinds=("revolute", "prismatic", "spherical"), root="free" if seed % 2 else None)
    rotors = rng.uniform(0.1, 1, model.nv)
    if seed % 2:
        rotors[3:6] = 0
    model = model.replace(armature=rotors, gravity=(1, 2, -3))
    robot, engine = convert.to_pinocchio(model), convert.to_mujoco(model)
    order = convert.depth_first(model)
    assert list(robot.names)[1:] == [engine.joint(k).name for k in range(engine.njnt)] == order
    assert (robot.gravity.linear == model.gravity).all() and (engine.opt.gravity == model.gravity).all()
    zero = model.neutral()
    for there, got in ((convert.pinocchio, robot.armature), (convert.mujoco, engine.dof_armature)):
        close(there(model, order).matrix(zero, np.diag(rotors)), np.diag(got), 1e-15)
    close(engine.dof_M0, np.diag(convert.mujoco(model, order).matrix(zero, rbd.crba(model, zero))), 1e-12)
    data = mj.MjData(engine)
    mj.mj_kinematics(engine, data)
    for i in model.outward:
        body = engine.body(model.names[i])
        R, p = rbd.poses(model, zero)[i]
        close(data.xmat[body.id].reshape(3, 3), R, 1e-12)
        close(data.xipos[body.id], p + R @ model.com[i], 1e-12)
        own = robot.inertias[robot.getJointId(model.joint_names[i])]
        close(convert.swap_halves(convert.swap_halves(own.matrix()).T), model.I[i], 1e-12)
        moments = np.linalg.eigvalsh(own.inertia)[::-1]
        close([body.mass[0], *body.inertia], [model.mass[i], *moments], 1e-12)


def test_the_robot_in_mujoco_has_nothing_else():
    """No part that would add a force of its own."""
    engine = convert.to_mujoco(rbd.robots.load("anymal"))
    assert engine.ngeom == engine.neq == engine.ntendon == engine.nu == 0
    assert not engine.jnt_limited.any() and not engine.jnt_stiffness.any()
    assert not engine.dof_damping.any() and not engine.dof_frictionloss.any()


@pytest.mark.parametrize("make, module, says", [
    (convert.to_mujoco, "mujoco", "mujoco is not installed: pip install mujoco$"),
    (convert.to_pinocchio, "pinocchio", "pinocchio is not installed: pip install pin$"),
])  # fmt: skip
def test_a_library_that_is_not_there(monkeypatch, make, module, says):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=says):
        make(free_body())


def test_only_the_builders_import_a_library():
    code = "import sys, rbdlite.convert; sys.exit(any(k in sys.modules for k in ('mujoco', 'pinocchio')))"
    assert subprocess.run([sys.executable, "-c", code], env=os.environ).returncode == 0


def test_models_that_mujoco_does_not_take():
    def one(joint, inertia, **options):
        return rbd.Model([0], [joint], [(np.eye(3), Z)], [inertia], **options)

    cases = [
        (one(rbd.revolute(), rbd.inertia(0)), rbd.ModelError, "MuJoCo does not take this model: .*'body1'"),
        (c44(), rbd.ModelError, "MuJoCo does not take this model: .*positive eigenvalues.*'body1'"),
        (one(rbd.revolute(), rbd.inertia(1), names=["world"]), rbd.ModelError, "repeated name 'world'"),
        (free_body(armature=[0, 0, 0, 0, 2, 0]), rbd.ModelError,
         r"joint 1 \(body1\): MuJoCo ties the armature along a free joint .* got \[0\. 2\. 0\.\]"),
        (one(rbd.helical(pitch=0.1), rbd.inertia(1)), rbd.StateError, r"joint 1 \(body1\) is helical; MuJoCo"),
    ]  # fmt: skip
    for model, error, says in cases:
        with pytest.raises(error, match=says):
            convert.to_mujoco(model)


# -- what cannot be said there -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make, kind, says", [
    (convert.mujoco, rbd.planar(), r"joint 1 \(body1\) is planar; MuJoCo has hinge"),
    (convert.mujoco, rbd.helical(pitch=0.1), r"joint 1 \(body1\) is helical; MuJoCo has hinge"),
    (convert.drake, rbd.spherical(), r"joint 1 \(body1\) is spherical; Drake"),
])  # fmt: skip
def test_joints_that_do_not_exist_there(make, kind, says):
    model = rbd.Model([0], [kind], [(np.eye(3), Z)], [rbd.inertia(1)])
    with pytest.raises(rbd.StateError, match=says):
        make(model)


def test_other_bad_input():
    arm = rbd.robots.planar_arm()
    floating = rbd.Model([0, 1], [rbd.revolute(), rbd.free()], [(np.eye(3), Z)] * 2, [rbd.inertia(1)] * 2)
    cases = [
        (lambda: convert.mujoco(floating), r"joint 2 \(body2\) is free; MuJoCo has free joints only between"),
        (lambda: convert.pinocchio(arm, order=["joint1"]), r"each of the 2 joints once.*\['joint2'\]"),
        (lambda: convert.pinocchio(arm, order=["joint1", "joint2", "joint2"]), "a name given twice"),
        (lambda: convert.pinocchio(arm).q([1, 2, 3]), "q must have nq = 2 entries"),
        (lambda: convert.pinocchio(arm).q_back([1, 2, 3]), r"Pinocchio's layout has 2 entries .*; got shape \(3,\)"),
        (lambda: convert.mujoco(free_body()).q_back(np.arange(7.0)), "quaternion .* must have length 1"),
        (lambda: convert.motion_to(arm, [0, 0], 1, np.zeros(6), "body"), 'frame must be "world" or "hybrid"'),
        (lambda: convert.ftip(arm, np.zeros(6), "hand"), r"tip must name a frame .* body 2 \(link2\); got 'hand'"),
        (lambda: convert.to_screws(rbd.robots.squared_paper_tree()), r"body 4 \(link4\): Modern Robotics"),
        (lambda: convert.from_screws(*ARM, SCREWS[:, :2]), r"Slist \(6, 3\); got .*\(6, 2\)"),
        (lambda: convert.from_screws(*ARM, 0 * SCREWS), "screw 1 must be six finite numbers, not all zero"),
    ]  # fmt: skip
    for call, says in cases:
        with pytest.raises((rbd.StateError, rbd.ModelError), match=says):
            call()
