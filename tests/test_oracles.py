"""Inverse dynamics against Pinocchio and MuJoCo, live: real robots and random trees, by Model and by URDF."""

import numpy as np
import oracles
import pinocchio as pin
import pytest
from oracles import MuJoCo, Pinocchio, close

import rbdlite as rbd

pytestmark = pytest.mark.oracle

BLOCKS = range(20)  # of ten random trees each
ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", False, ("panda_finger_joint1", "panda_finger_joint2"), 7),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False, (), 6),
    "anymal": ("anymal_b_simple_description/robots/anymal.urdf", True, (), 18),
    "hyq": ("hyq_description/robots/hyq_no_sensors.urdf", True, (), 18),
    "talos": ("talos_data/robots/talos_reduced.urdf", True, (), 38),
}


def pinocchio_robot(path, floating, locked=()):
    robot = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if floating else []))
    if locked:
        robot = pin.buildReducedModel(robot, [robot.getJointId(x) for x in locked], pin.neutral(robot))
    return robot


def state(model, rng):
    return model.random(rng), *rng.normal(scale=2, size=(2, model.nv))


def pushes(model, rng):
    """A force on about half of the bodies, and on one in any case."""
    bodies = [i for i in model.outward if rng.random() < 0.5] or [model.n_bodies]
    return {i: rng.normal(scale=5, size=6) for i in bodies}


def compare(model, oracle, rng, everything=True):
    q, qd, qdd = state(model, rng)
    f_ext = pushes(model, rng)
    close(rbd.rnea(model, q, qd, qdd), oracle.rnea(q, qd, qdd))
    close(rbd.rnea(model, q, qd, qdd, f_ext), oracle.rnea(q, qd, qdd, f_ext))
    close(rbd.mass_matrix_by_rnea(model, q), oracle.crba(q))
    if everything:
        close(rbd.bias(model, q, qd), oracle.bias(q, qd))
        close(rbd.gravity_torque(model, q), oracle.gravity_torque(q))


# ------------------------------------------------------------------------------------- real robots


def test_every_robot_of_the_package_is_compared():
    assert sorted(ROBOTS) == rbd.robots.names()


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_from_its_data_file(name):
    file, floating, locked, nv = ROBOTS[name]
    model = rbd.robots.load(name)
    assert model.nv == nv
    robot = pinocchio_robot(oracles.robot_file(file), floating, locked)
    oracle, rng = Pinocchio(model, robot), np.random.default_rng(1)
    close([sum(model.mass)], [sum(x.mass for x in robot.inertias)])
    bolted = robot.inertias[0]
    for ours, theirs in zip(
        oracles.rigid_body(model.base_inertia), (bolted.mass, bolted.lever, bolted.inertia), strict=True
    ):
        close([ours], [theirs])
    for _ in range(5):
        compare(model, oracle, rng)


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_from_urdf(name):
    file, floating, locked, nv = ROBOTS[name]
    path = oracles.robot_file(file)
    text = path.read_text()
    for joint in locked:  # weld it, as the data file has it
        text = text.replace(f'name="{joint}" type="prismatic"', f'name="{joint}" type="fixed"')
    model = rbd.load_urdf(text, floating_base=floating)
    assert model.nv == nv
    robot = pinocchio_robot(path, floating, locked)
    compare(model, Pinocchio(model, robot), np.random.default_rng(2))
    total = sum(x.mass for x in robot.inertias)  # entry 0 holds what is bolted to the world
    close([sum(model.mass)], [total])


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_rebuilt_joint_by_joint(name):
    """The oracle's own building of a model, checked against Pinocchio's URDF parser."""
    file, floating, locked, _ = ROBOTS[name]
    model = rbd.robots.load(name)
    ours, parsed = (
        Pinocchio(model),
        Pinocchio(model, pinocchio_robot(oracles.robot_file(file), floating, locked)),
    )
    q, qd, qdd = state(model, np.random.default_rng(3))
    close(ours.rnea(q, qd, qdd), parsed.rnea(q, qd, qdd))


def test_lumped_links_keep_their_place():
    path, compared = oracles.robot_file(ROBOTS["talos"][0]), 0
    model, robot = rbd.robots.load("talos"), pinocchio_robot(path, True)
    for name, (body, R, p) in model.frames.items():
        frame = robot.frames[robot.getFrameId(name)]
        assert robot.names[frame.parentJoint] == model.joint_names[body]
        close(R, frame.placement.rotation)
        close(p, frame.placement.translation)
        compared += 1
    assert compared > 20


def test_a_force_on_a_lumped_link_is_in_that_links_axes():
    model, robot = rbd.robots.load("talos"), pinocchio_robot(oracles.robot_file(ROBOTS["talos"][0]), True)
    oracle, rng = Pinocchio(model, robot), np.random.default_rng(7)
    q, qd, qdd = state(model, rng)
    turned = [k for k, (_, R, p) in model.frames.items() if abs(R - np.eye(3)).max() > 0.1 and p.any()]
    assert len(turned) > 5
    for name in turned:
        w = rng.normal(scale=5, size=6)
        frame = robot.frames[robot.getFrameId(name)]
        moved = frame.placement.act(pin.Force(w[3:], w[:3]))
        there = {model.frames[name][0]: np.r_[moved.angular, moved.linear]}
        close(rbd.rnea(model, q, qd, qdd, {name: w}), oracle.rnea(q, qd, qdd, there))


def other_robots():
    """Every URDF of example-robot-data, as a path inside its folder of robots (ur3.urdf there is empty)."""
    root = oracles.robot_file("panda_description/urdf/panda.urdf").parents[2]
    return sorted(str(f.relative_to(root)) for f in root.glob("*/*/*.urdf") if f.name != "ur3.urdf")


REFUSED = {  # what is wrong with these files, as our reader must say
    "mimics": (
        "alex_psyonic_hands",
        "baxter",
        "panda",
        "panda_collision",
        "pr2",
        "romeo",
        "talos_full_v2",
        "talos_full_v2_box",
        "tiago_pro",
    ),  # fmt: skip
    "no mass but": ("bolt",),
    "negative principal moment": ("romeo_laas_small",),
    "triangle inequality": ("romeo_small",),
}


@pytest.mark.parametrize("floating", (False, True), ids=("fixed", "floating"))
@pytest.mark.parametrize("file", other_robots())
def test_all_urdf_files_at_hand(file, floating):
    path = oracles.robot_file(file)
    for why, stems in REFUSED.items():
        if path.stem in stems:
            with pytest.raises(rbd.UrdfError, match=why):
                rbd.load_urdf(path)
            return
    model = rbd.load_urdf(path, floating_base=floating)
    robot = pinocchio_robot(path, floating)
    assert model.nv == robot.nv
    if model.nv:
        rng = np.random.default_rng(4)
        q, qd, qdd = state(model, rng)
        f_ext = pushes(model, rng)
        close(rbd.rnea(model, q, qd, qdd, f_ext), Pinocchio(model, robot).rnea(q, qd, qdd, f_ext))


# ------------------------------------------------------------------------------------ random trees


@pytest.mark.parametrize("block", BLOCKS)
def test_random_trees_through_model(block):
    kinds = set()
    for seed in range(10 * block, 10 * block + 10):
        rng = np.random.default_rng(seed)
        numbering = ("any", "depth", "breadth")[seed % 3]
        model = rbd.robots.random_tree(int(rng.integers(1, 12)), rng, numbering=numbering)
        kinds |= {j.kind for j in model.joints[1:]}
        compare(model, Pinocchio(model), rng)
    assert kinds == {"revolute", "prismatic", "helical", "planar", "spherical", "free"}


@pytest.mark.parametrize("block", BLOCKS)
def test_random_trees_through_urdf(block):
    lumped = 0
    for seed in range(10 * block, 10 * block + 10):
        rng = np.random.default_rng(1000 + seed)
        floating = bool(seed % 2)
        text, movable = oracles.random_urdf(rng, int(rng.integers(2, 14)))
        model = rbd.load_urdf(text, floating_base=floating)
        robot = pin.buildModelFromXML(text, *([pin.JointModelFreeFlyer()] if floating else []))
        assert {*model.joint_names[1:]} == {*movable} | ({"root_joint"} if floating else set())
        compare(model, Pinocchio(model, robot), rng)
        close([sum(model.mass)], [sum(x.mass for x in robot.inertias)])
        lumped += len(model.frames)
    assert lumped > 0


@pytest.mark.parametrize("block", BLOCKS[:5])
def test_random_trees_against_mujoco(block):
    for seed in range(10 * block, 10 * block + 10):
        rng = np.random.default_rng(2000 + seed)
        kinds = ("revolute", "prismatic", "spherical")
        model = rbd.robots.random_tree(int(rng.integers(1, 10)), rng, kinds)
        compare(model, MuJoCo(model), rng, everything=False)


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_against_mujoco(name):
    model = rbd.robots.load(name)
    rng = np.random.default_rng(5)
    oracle = MuJoCo(model)
    for _ in range(3):
        compare(model, oracle, rng, everything=False)


def test_floating_trees_against_mujoco():
    """Free joints, each placed somewhere on the base; rotor inertia on every freedom but their slides."""
    for seed in range(10):
        rng = np.random.default_rng(3000 + seed)
        model = rbd.robots.random_tree(6, rng, ("revolute", "spherical"))
        joints = [rbd.free() if p == 0 else j for p, j in zip(model.parent[1:], model.joints[1:], strict=True)]
        rotors = [rng.uniform(0, 0.5, j.nv) * ([1, 1, 1, 0, 0, 0] if j.kind == "free" else 1) for j in joints]
        armature = np.concatenate(rotors)
        model = model.replace(joints=joints, armature=armature)
        compare(model, MuJoCo(model), rng, everything=False)


def test_both_oracles_agree_with_each_other():
    """Neither side is ours: the conversions in oracles.py are right if two libraries say the same."""
    rng = np.random.default_rng(6)
    for name in ("anymal", "panda"):
        model = rbd.robots.load(name)
        q, qd, qdd = state(model, rng)
        f_ext = pushes(model, rng)
        close(Pinocchio(model).rnea(q, qd, qdd, f_ext), MuJoCo(model).rnea(q, qd, qdd, f_ext))
        close(Pinocchio(model).crba(q), MuJoCo(model).crba(q))
