"""Small cases in which dynamics libraries have gone wrong, with the right answers (by closed form, and by Pinocchio).

Each test states a whole kind of fault in one small robot: gravity (0, 0, -9.81) unless given, SI units.
"""

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import rbdlite as rbd

Z, Y, X = (0, 0, 1), (0, 1, 0), (1, 0, 0)
ONE, ORIGIN = np.eye(3), np.zeros(3)
DOWN = (0, -9.81, 0)
NO_GRAVITY = (0, 0, 0)
ROD = (1, (0.5, 0, 0), (0, 1 / 12, 1 / 12))  # one metre along x, one kilogram


def near(ours, right, tolerance=1e-8):
    assert_allclose(ours, right, rtol=0, atol=tolerance)


def chain(*links, gravity=(0, 0, -9.81), parent=None, armature=None):
    """Links (joint, (R, p), (mass, com, J_com)), each hanging on the one before."""
    return rbd.Model(
        parent=range(len(links)) if parent is None else parent,
        joints=[x[0] for x in links],
        placements=[x[1] for x in links],
        inertias=[rbd.inertia(*x[2]) for x in links],
        gravity=gravity,
        armature=armature,
    )


def urdf(links, joints):
    """links {name: inertial or ""}, joints [(name, type, parent, child, rest)]."""
    rows = [f'<link name="{k}">{v}</link>' for k, v in links.items()]
    rows += [
        f'<joint name="{n}" type="{t}"><parent link="{p}"/><child link="{c}"/>{x}</joint>' for n, t, p, c, x in joints
    ]
    return f'<robot name="r">{"".join(rows)}</robot>'


def inertial(mass, com, J, rpy=None):
    origin = "" if com is None else f'<origin xyz="{com[0]} {com[1]} {com[2]}" rpy="{rpy or "0 0 0"}"/>'
    xx, yy, zz = J
    body = f'<mass value="{mass}"/><inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
    return f"<inertial>{origin}{body}</inertial>"


def axis(x, y, z, origin=""):
    return f'<axis xyz="{x} {y} {z}"/>{origin}'


# ------------------------------------------------------------------------------------------- URDF


def test_the_turn_of_an_inertial_frame_counts():
    links = {"g": "", "a": inertial(1, (0, 0, 0), (1, 2, 2.5), rpy=f"0 0 {np.pi / 2!r}")}
    model = rbd.load_urdf(urdf(links, [("j", "revolute", "g", "a", axis(1, 0, 0))]))
    near(model.I[1][:3, :3], np.diag([2, 1, 2.5]))
    near(rbd.mass_matrix_by_rnea(model, [0.7]), [[2]])
    near(rbd.rnea(model, [0.7], [0], [1]), [2])


def test_rpy_is_yaw_after_pitch_after_roll():
    joint = ("j", "revolute", "g", "a", axis(0, 0, 1, '<origin rpy="0.1 0.2 0.3"/>'))
    model = rbd.load_urdf(urdf({"g": "", "a": inertial(*ROD)}, [joint]))
    right = [
        [0.93629336, -0.27509585, 0.21835066],
        [0.28962948, 0.95642509, -0.03695701],
        [-0.19866933, 0.0978434, 0.97517033],
    ]
    near(rbd.pose(model.XT[1])[0], right)


def test_welded_inertia_is_moved_by_the_parallel_axis_theorem():
    links = {"g": "", "a": inertial(1, (0, 0, 0), (0.1, 0.1, 0.1)), "b": inertial(1, (0.5, 0, 0), (0.1, 0.1, 0.1))}
    joints = [("j", "revolute", "g", "a", ""), ("w", "fixed", "a", "b", '<origin xyz="1 0 0"/>')]
    model = rbd.load_urdf(urdf(links, joints))
    m, c, J = oracles.rigid_body(model.I[1])
    near(m, 2)
    near(c, [0.75, 0, 0])
    near(J, np.diag([0.2, 1.325, 1.325]))


def test_a_welded_payload_weighs():
    links = {"g": "", "a": inertial(*ROD), "load": inertial(2, (0, 0, 0), (0, 0, 0))}
    joints = [("j", "revolute", "g", "a", axis(0, 1, 0)), ("w", "fixed", "a", "load", '<origin xyz="1 0 0"/>')]
    model = rbd.load_urdf(urdf(links, joints))
    near(rbd.mass_matrix_by_rnea(model, [0]), [[7 / 3]])
    near(rbd.rnea(model, [0], [0], [0]), [-24.525])


def test_missing_tags_add_nothing():
    links = {"g": "", "a": inertial(1, None, (0.1, 0.1, 0.1)), "tip": ""}
    joints = [("j", "revolute", "g", "a", axis(0, 1, 0)), ("w", "fixed", "a", "tip", '<origin xyz="1 0 0"/>')]
    model = rbd.load_urdf(urdf(links, joints))
    near(rbd.mass_matrix_by_rnea(model, [0.4]), [[0.1]])
    assert model.mass[1] == 1


@pytest.mark.filterwarnings("ignore:invalid value")  # inf times zero
@pytest.mark.parametrize(
    "mass, J, right",
    [(0, 0, True), (1, 0, True)]
    + [(m, J, False) for m, J in ((0, 1), (-1, 1), (np.nan, 1), (np.inf, 1), (1, np.nan), (1, np.inf))],
)
def test_mass_and_inertia_go_together(mass, J, right):
    def by_model():
        return chain((rbd.revolute(Z), (ONE, ORIGIN), (mass, (0, 0, 0), (J, J, J))))

    def by_urdf():
        links = {"g": "", "a": inertial(mass, (0, 0, 0), (J, J, J))}
        return rbd.load_urdf(urdf(links, [("j", "revolute", "g", "a", axis(0, 0, 1))]))

    for build, said in ((by_model, "body 1"), (by_urdf, "link 'a'")):
        if right:
            assert build().mass[1] == mass
        else:
            with pytest.raises(rbd.ModelError, match=said):
                build()


def test_an_axis_of_any_length_is_a_direction_and_zero_is_refused():
    links = {"g": "", "a": inertial(1, (0.5, 0, 0), (0.1, 0.1, 0.1))}
    model = rbd.load_urdf(urdf(links, [("j", "revolute", "g", "a", axis(0, 2, 0))]))
    near(rbd.mass_matrix_by_rnea(model, [0.3]), [[0.35]])
    near(rbd.poses(model, [np.pi / 2])[1][0] @ X, (0, 0, -1))
    with pytest.raises(rbd.ModelError, match="joint 'j' has the axis"):
        rbd.load_urdf(urdf(links, [("j", "revolute", "g", "a", axis(0, 0, 0))]))
    with pytest.raises(rbd.ModelError, match="axis of a revolute joint"):
        rbd.revolute((0, 0, 0))


def test_joints_listed_child_first():
    links = {
        "c": inertial(1, (0.2, 0, 0), (0.01, 0.02, 0.02)),
        "b": inertial(2, (0.3, 0, 0), (0.01, 0.03, 0.03)),
        "a": "",
    }
    joints = [("j2", "revolute", "b", "c", axis(0, 1, 0, '<origin xyz="0.6 0 0"/>')),
              ("j1", "revolute", "a", "b", axis(0, 1, 0))]  # fmt: skip
    model = rbd.load_urdf(urdf(links, joints))
    assert model.joint_names[1:] == ("j1", "j2")
    near(rbd.mass_matrix_by_rnea(model, [0.3, 0.5]), [[0.84061981, 0.16530991], [0.16530991, 0.06]])
    near(rbd.rnea(model, [0.3, 0.5], [1, 2], [0.1, 0.2]), [-12.95628427, -1.28087651])


def test_no_links_one_link_only_fixed_joints():
    two = {"g": inertial(1, (0, 0, 0), (1, 1, 1)), "a": inertial(2, (0, 0, 0), (1, 1, 1))}
    welded = [("w", "fixed", "g", "a", '<origin xyz="0 0 3"/>')]
    for links, joints, mass in (({}, [], 0), ({"g": two["g"]}, [], 1), (two, welded, 3)):
        model = rbd.load_urdf(urdf(links, joints))
        empty = np.zeros(0)
        assert (model.nq, model.nv, model.n_bodies) == (0, 0, 0)
        assert rbd.rnea(model, empty, empty, empty).shape == (0,)
        assert rbd.mass_matrix_by_rnea(model, empty).shape == (0, 0)
        assert rbd.total_mass(model) == mass
        assert_array_equal(rbd.poses(model, empty)[0][0], ONE)
    near(rbd.frame_pose(model, empty, "a")[1], [0, 0, 3])


def test_a_continuous_joint_is_one_angle():
    links = {"g": "", "a": inertial(*ROD), "b": inertial(*ROD)}
    joints = [("j1", "continuous", "g", "a", axis(0, 1, 0)),
              ("j2", "continuous", "a", "b", axis(0, 1, 0, '<origin xyz="1 0 0"/>'))]  # fmt: skip
    model = rbd.load_urdf(urdf(links, joints))
    assert model.nq == model.nv == 2
    q, around = np.array([0.3, 0.8]), np.array([2 * np.pi, -2 * np.pi])
    near(rbd.mass_matrix_by_rnea(model, q + around), rbd.mass_matrix_by_rnea(model, q), 1e-14)
    near(rbd.rnea(model, q + around, [1, 2], [3, 4]), rbd.rnea(model, q, [1, 2], [3, 4]), 1e-13)


def test_a_mimic_joint_is_refused_never_freed():
    links = {"g": "", "a": inertial(*ROD), "b": inertial(*ROD)}
    mimic = axis(0, 0, 1, '<origin xyz="1 0 0"/><mimic joint="j1" multiplier="2" offset="0.3"/>')
    with pytest.raises(rbd.ModelError, match="joint 'j2' mimics joint 'j1'"):
        rbd.load_urdf(urdf(links, [("j1", "revolute", "g", "a", axis(0, 0, 1)), ("j2", "revolute", "a", "b", mimic)]))


def test_a_coupled_pair_by_hand():
    """q2 = 2 q1 + 0.3 on the planar arm of two rods: project with G = (1, 2)."""
    model, G = rbd.robots.planar_arm(), np.array([1, 2])
    q = [0.4, 1.1]
    near(G @ rbd.mass_matrix_by_rnea(model, q) @ G, 5.69412170)
    near(G @ rbd.gravity_torque(model, q), 14.59431045)


# --------------------------------------------------------------------------------- trees and joints

RX, RY, RZ = (lambda a, k=k: rbd.turn_about(k, a) for k in (X, Y, Z))


def breadth_first_tree():
    links = [
        (rbd.revolute(Z), (RX(0.3), (0, 0, 0.1)), (1, (0.1, 0, 0.2), (0.02, 0.03, 0.04))),
        (rbd.revolute(Y), (RZ(0.4), (0.3, 0, 0)), (0.8, (0.1, 0.1, 0), (0.01, 0.02, 0.02))),
        (rbd.prismatic(X), (RY(-0.5), (0, 0.3, 0)), (0.6, (0, 0.05, 0.1), (0.02, 0.01, 0.015))),
        (rbd.revolute(X), (ONE, (0.2, 0, 0.1)), (0.5, (0.05, 0.02, 0.03), (0.005, 0.006, 0.007))),
        (rbd.revolute(Z), (RX(1), (0.1, 0.1, 0)), (0.4, (0.02, 0.1, 0), (0.004, 0.003, 0.005))),
    ]
    return chain(*links, parent=(0, 1, 1, 2, 3))


def test_subtrees_need_not_be_contiguous():
    model, q = breadth_first_tree(), [0.1, 0.2, 0.3, 0.4, 0.5]
    upper = np.array([
        [0.58101307, 0.0039526, -0.34316872, -0.01062902, 0.01374479],
        [0, 0.07457096, 0, -0.00084233, 0],
        [0, 0, 1, 0, -0.03893871],
        [0, 0, 0, 0.00565, 0],
        [0, 0, 0, 0, 0.00916],
    ])  # fmt: skip
    v, a = [1, -1, 0.5, 2, -0.5], [0.1, 0.2, 0.3, 0.4, 0.5]
    near(rbd.mass_matrix_by_rnea(model, q), upper + np.triu(upper, 1).T)
    near(rbd.rnea(model, q, v, a), [2.5733572, -1.94414396, 4.77712625, -0.00777862, -0.28700215])
    near(rbd.bias(model, q, v), [2.6147952, -1.95911648, 4.53091247, -0.00880725, -0.28127502])


def test_depth_first_renumbering_changes_nothing():
    one, order = breadth_first_tree(), [0, 1, 3, 2, 4]  # bodies 1, 2, 4, 3, 5
    new = {0: 0} | {old + 1: k + 1 for k, old in enumerate(order)}
    links = [(one.joints[k + 1], rbd.pose(one.XT[k + 1]), oracles.rigid_body(one.I[k + 1])) for k in order]
    other = chain(*links, parent=[new[one.parent[k + 1]] for k in order])
    q, v, a = np.array([[0.1, 0.2, 0.3, 0.4, 0.5], [1, -1, 0.5, 2, -0.5], [0.1, 0.2, 0.3, 0.4, 0.5]])
    near(rbd.rnea(other, q[order], v[order], a[order]), rbd.rnea(one, q, v, a)[order], 1e-12)


def test_turning_a_joint_frame_changes_nothing():
    one = chain((rbd.revolute(Y), (ONE, ORIGIN), (1, (0.5, 0, 0), (0.01, 0.02, 0.03))))
    other = chain((rbd.revolute(Z), (RX(-np.pi / 2), ORIGIN), (1, (0.5, 0, 0), (0.01, 0.03, 0.02))))
    for model in (one, other):
        near(rbd.rnea(model, [0.3], [1], [0.5]), [-4.55092548])


def test_the_mass_matrix_is_whole():
    model, q, v, a = rbd.robots.planar_arm(), [0.3, 0.8], [1, -2], [0.5, 1.5]
    M = rbd.mass_matrix_by_rnea(model, q)
    near(M, [[2.36337338, 0.68168669], [0.68168669, 0.33333333]])
    near(rbd.bias(model, q, v), [16.28266541, 2.58356702])
    near(rbd.rnea(model, q, v, a), [18.48688213, 3.42441037])
    near(rbd.rnea(model, q, v, a) - rbd.bias(model, q, v), M @ a)
    near(M @ a, [2.20421672, 0.84084335])


def test_columns_of_the_mass_matrix_on_every_joint_type():
    rng = np.random.default_rng(0)
    for kind in rbd.robots.trees.KINDS:
        model = rbd.robots.random_tree(4, rng, (kind,))
        q = model.random(rng)
        M = rbd.mass_matrix_by_rnea(model, q)
        near(M, M.T, 1e-10)
        oracles.close(M, oracles.Pinocchio(model).crba(q))


def test_a_slider_on_a_turntable():
    table, bead = (0, (0, 0, 0), (0, 0, 0)), (1, (0, 0, 0), (0, 0, 0))
    model = chain((rbd.revolute(Z), (ONE, ORIGIN), table), (rbd.prismatic(X), (ONE, ORIGIN), bead), gravity=NO_GRAVITY)
    near(rbd.rnea(model, [0, 1], [2, 3], [0, 0]), [12, -4])  # 2 m r ṙ ω, -m r ω²


def test_a_lift_knows_nothing_of_where_it_stands():
    for p, com in (((1, 2, 3), (0.4, 0.5, 0.6)), ((0, 0, 0), (0, 0, 0))):
        model = chain((rbd.prismatic(Z), (ONE, p), (2, com, (0.1, 0.1, 0.1))))
        for q, v in ((0.3, 5), (-1, 0)):
            near(rbd.rnea(model, [q], [v], [1]), [21.62])


def test_pitch_is_metres_per_radian():
    for com, pitch, inertia, weight in (
        ((0, 0, 0), 0.1, 0.52, 1.962),
        ((0, 0, 0), 0.2 / (2 * np.pi), 0.50202642, 0.624524),
        ((0.3, 0, 0), 0.1, 0.70, 1.962),
    ):
        model = chain((rbd.helical(Z, pitch), (ONE, ORIGIN), (2, com, (0.3, 0.3, 0.5))))
        near(rbd.mass_matrix_by_rnea(model, [0.9]), [[inertia]])
        near(rbd.gravity_torque(model, [0.9]), [weight], 1e-6)


def test_rotor_inertia_is_in_inverse_dynamics_and_in_the_mass_matrix():
    links = [(rbd.revolute(Z), (ONE, ORIGIN), (1, (0, 0, 0), (0.5, 0.5, 1))),
             (rbd.revolute(Z), (ONE, (1, 0, 0)), (1, (1, 0, 0), (0.5, 0.5, 1)))]  # fmt: skip
    q = [0, np.pi]
    near(rbd.mass_matrix_by_rnea(chain(*links, gravity=NO_GRAVITY), q), [[2, 1], [1, 2]])
    near(rbd.rnea(chain(*links, gravity=NO_GRAVITY), q, [0, 0], [2 / 3, -1 / 3]), [1, 0])
    model = chain(*links, gravity=NO_GRAVITY, armature=[0.5, 1])
    near(rbd.mass_matrix_by_rnea(model, q), [[2.5, 1], [1, 3]])
    near(rbd.rnea(model, q, [0, 0], [1, 0]), [2.5, 1])
    near(rbd.rnea(model, q, [0, 0], [6 / 13, -2 / 13]), [1, 0])


def test_a_massless_leaf_has_inverse_dynamics():
    links = [(rbd.revolute(Z), (ONE, ORIGIN), ROD), (rbd.revolute(Z), (ONE, (1, 0, 0)), (0, (0, 0, 0), (0, 0, 0)))]
    near(rbd.mass_matrix_by_rnea(chain(*links), [0.2, 0.4]), np.diag([1 / 3, 0]))
    model = chain(*links, gravity=NO_GRAVITY, armature=[0, 0.1])
    near(rbd.rnea(model, [0, 0], [0, 0], [3, 2]), [1, 0.2])


# ----------------------------------------------------------------------------- states and quaternions


def test_a_quaternion_is_x_y_z_w_and_of_unit_length():
    model = chain((rbd.spherical(), (ONE, ORIGIN), (1, (0, 0, 0.5), (0.1, 0.1, 0.1))))
    assert_array_equal(model.neutral(), [0, 0, 0, 1])
    assert np.isfinite(rbd.mass_matrix_by_rnea(model, model.neutral())).all()
    half = np.sqrt(0.5)
    near(rbd.poses(model, [half, 0, 0, half])[1][0], RX(np.pi / 2))
    for bad in ([0, 0, 0, 2], [0, 0, 0, 0], [1, 1, 0, 0]):
        with pytest.raises(rbd.StateError, match="length 1"):
            rbd.gravity_torque(model, bad)
    free = chain((rbd.free(), (ONE, ORIGIN), ROD))
    assert_array_equal(free.neutral(), [0, 0, 0, 0, 0, 0, 1])
    near(rbd.poses(free, [1, 2, 3, half, 0, 0, half])[1][0], RX(np.pi / 2))


def test_a_horizontal_pendulum_needs_what_the_textbook_says():
    model = chain((rbd.revolute(Y), (ONE, ORIGIN), (1, (1, 0, 0), (1, 1, 1))))
    near(rbd.rnea(model, [0], [0], [9.81 / 2]), [0])  # so it falls with 4.905 rad/s²


def test_acceleration_of_a_free_body_is_the_spatial_one():
    """Turning about z while sliding along its own x, with no force: the classical acceleration is zero."""
    model = chain((rbd.free(), (ONE, ORIGIN), (1, (0, 0, 0), (1, 2, 2.5))), gravity=NO_GRAVITY)
    ω, v = np.array([0, 0, 2]), np.array([1, 0, 0])
    near(rbd.rnea(model, model.neutral(), [*ω, *v], [0, 0, 0, 0, -2, 0]), np.zeros(6))
    near(np.array([0, -2, 0]) + np.cross(ω, v), np.zeros(3))


def test_free_fall_moves_no_joint():
    base = (3, (0.1, 0, 0.05), (0.2, 0.3, 0.4))
    limb = (1, (0.3, 0.05, 0), (0.01, 0.03, 0.03))
    model = chain((rbd.free(), (ONE, ORIGIN), base), (rbd.revolute(Z), (RX(0.4), (0.2, 0.1, 0)), limb),
                  (rbd.revolute(Y), (RZ(0.7), (0.5, 0, 0)), limb), (rbd.revolute(X), (RY(1), (-0.2, 0, 0)), limb),
                  parent=(0, 1, 2, 1))  # fmt: skip
    R = RZ(0.5) @ RY(0.3) @ RX(0.2)
    w = np.sqrt(1 + np.trace(R)) / 2
    xyz = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w)
    fall = R.T @ (0, 0, -9.81)
    near(fall, [2.89905323, -1.86189936, -9.1850379])
    q = np.r_[0, 0, 0, xyz, w, 0.3, -0.8, 1.1]
    near(rbd.rnea(model, q, np.zeros(9), np.r_[0, 0, 0, fall, 0, 0, 0]), np.zeros(9), 1e-12)


# ------------------------------------------------------------------------------------ external forces


@pytest.mark.parametrize("q, tau, without", [(0, -4.905, -4.905), (np.pi / 2, 10, 0), (0.6, 1.59815354, -4.04827119)])
def test_a_push_along_world_x_at_the_tip(q, tau, without):
    model = chain((rbd.revolute(Y), (ONE, ORIGIN), ROD))
    R, p = rbd.poses(model, [q])[1]
    push = rbd.wrench(model, [q], 1, force=(10, 0, 0), point=R @ (1, 0, 0) + p)
    near(rbd.rnea(model, [q], [0], [0]), [without])
    near(rbd.rnea(model, [q], [0], [0], {1: push}), [tau])
    if q == 0.6:
        near(push, [0, -5.64642473, 0, 8.25335615, 0, 5.64642473])
    raw = rbd.rnea(model, [q], [0], [0], {1: [0, 0, 0, 10, 0, 0]})
    near(raw, [without])  # body axes: along the rod, whatever the angle


def test_external_forces_name_their_body():
    model, zero = rbd.robots.planar_arm(lengths=(1, 1, 1), masses=(1, 1, 1)), np.zeros(3)
    push = [0, 0, 1, 0, 2, 0]
    right = rbd.rnea(model, zero, zero, zero, {2: push})
    for key in ("link2", "joint2", np.int64(2)):
        assert_array_equal(rbd.rnea(model, zero, zero, zero, {key: push}), right)
    assert_array_equal(rbd.rnea(model, zero, zero, zero, [np.zeros(6), np.zeros(6), push, np.zeros(6)]), right)
    for wrong in ({"hand": push}, {4: push}, {-1: push}, [push] * 3, {2: push[:5]}, {2: [np.nan] * 6}):
        with pytest.raises(rbd.StateError):
            rbd.rnea(model, zero, zero, zero, wrong)


def test_one_shared_zero_does_not_load_every_link():
    model, zero = rbd.robots.planar_arm(lengths=(1, 1, 1), masses=(1, 1, 1)), np.zeros(3)
    shared = [np.zeros(6)] * 4
    shared[2] = np.array([0, 0, 0, 0, 5.0, 0])
    before = [x.copy() for x in shared]
    tau = rbd.rnea(model, zero, zero, zero, shared)
    assert_array_equal(tau, rbd.rnea(model, zero, zero, zero, {2: shared[2]}))
    assert_array_equal(shared, before)


def test_a_push_on_the_base_moves_no_joint_but_shows_at_the_base():
    model, zero = rbd.robots.planar_arm(), np.zeros(2)
    push = np.array([1, 2, 3, 4, 5, 6.0])
    assert_array_equal(rbd.rnea(model, zero, zero, zero, {"base": push}), rbd.rnea(model, zero, zero, zero))
    loaded, plain = (rbd.trace(rbd.rnea, model, zero, zero, zero, f) for f in ({"base": push}, None))
    at_base = [[s.value for s in t.steps if s.name == "f" and s.index == 0][-1].ravel() for t in (loaded, plain)]
    near(at_base[0] - at_base[1], -push)


# ------------------------------------------------------------------------------- forward dynamics


def all_roads(model, q, qd, tau):
    """Joint accelerations by every road there is."""
    M, b = rbd.crba(model, q), np.asarray(tau) - rbd.bias(model, q, qd)
    return [rbd.aba(model, q, qd, tau), np.linalg.solve(M, b), rbd.minv(model, q) @ b, rbd.minv_times(model, q, b),
            rbd.ltdl_solve(model, *rbd.ltdl(model, M), b), rbd.held(model, q, qd, tau, [])[0]]  # fmt: skip


def test_crba_on_every_case_of_inverse_dynamics():
    """The same right answers, column by column from CRBA as well as from RNEA."""
    cases = [
        (breadth_first_tree(), [0.1, 0.2, 0.3, 0.4, 0.5]),
        (rbd.robots.planar_arm(), [0.3, 0.8]),
        (chain((rbd.helical(Z, 0.1), (ONE, ORIGIN), (2, (0.3, 0, 0), (0.3, 0.3, 0.5)))), [0.9]),
        (chain((rbd.free(), (ONE, ORIGIN), ROD)), [1, 2, 3, 0.6, 0, 0, 0.8]),
    ]
    for model, q in cases:
        M = rbd.crba(model, q)
        near(M, rbd.mass_matrix_by_rnea(model, q), 1e-12)
        assert_array_equal(M, M.T)


def test_forward_dynamics_where_subtrees_are_not_contiguous():
    """Breadth-first numbers: the sparse factor has the pivots of ABA and no fill-in."""
    model, q = breadth_first_tree(), [0.1, 0.2, 0.3, 0.4, 0.5]
    v, a = [1, -1, 0.5, 2, -0.5], [0.1, 0.2, 0.3, 0.4, 0.5]
    L, D = rbd.ltdl(model, rbd.crba(model, q))
    near(D, [0.4431581, 0.07444538, 0.83447348, 0.00565, 0.00916])
    assert np.count_nonzero(L) == 11  # five ones and a number for each pair of related joints
    assert np.count_nonzero(np.abs(rbd.ldlt(rbd.crba(model, q))[0]) > 1e-12) == 15
    t = rbd.trace(rbd.aba, model, q, v, rbd.rnea(model, q, v, a))
    near([t["D", i].item() for i in model.outward], D)
    near(t.result, a, 1e-10)
    near(rbd.minv(model, q) @ rbd.crba(model, q), np.eye(5), 1e-10)
    for road in all_roads(model, q, v, [2.5733572, -1.94414396, 4.77712625, -0.00777862, -0.28700215]):
        near(road, a, 1e-5)  # the torques have eight digits


def test_depth_first_renumbering_changes_no_motion():
    one, order = breadth_first_tree(), [0, 1, 3, 2, 4]
    new = {0: 0} | {old + 1: k + 1 for k, old in enumerate(order)}
    links = [(one.joints[k + 1], rbd.pose(one.XT[k + 1]), oracles.rigid_body(one.I[k + 1])) for k in order]
    other = chain(*links, parent=[new[one.parent[k + 1]] for k in order])
    q, v, tau = np.array([[0.1, 0.2, 0.3, 0.4, 0.5], [1, -1, 0.5, 2, -0.5], [1, 2, 3, 4, 5]])
    for ours, right in zip(all_roads(other, q[order], v[order], tau[order]), all_roads(one, q, v, tau), strict=True):
        near(ours, right[order], 1e-9)
    near(rbd.crba(other, q[order]), rbd.crba(one, q)[np.ix_(order, order)], 1e-12)
    near(rbd.coriolis(other, q[order], v[order]), rbd.coriolis(one, q, v)[np.ix_(order, order)], 1e-12)


def test_nothing_that_moves_has_empty_answers():
    welded = [("w", "fixed", "g", "a", '<origin xyz="0 0 3"/>')]
    two = {"g": inertial(1, (0, 0, 0), (1, 1, 1)), "a": inertial(2, (0, 0, 0), (1, 1, 1))}
    for model in (rbd.load_urdf(urdf({}, [])), rbd.load_urdf(urdf(two, welded))):
        none = np.zeros(0)
        for M in (rbd.crba(model, none), rbd.minv(model, none), rbd.coriolis(model, none, none)):
            assert M.shape == (0, 0)
        still = rbd.held(model, none, none, none, [])
        for x in (rbd.aba(model, none, none, none), rbd.minv_times(model, none, none), *still):
            assert x.shape == (0,)
        L, D = rbd.ltdl(model, np.zeros((0, 0)))
        assert L.shape == (0, 0) and D.shape == (0,) and rbd.ltdl_solve(model, L, D, none).shape == (0,)
        terms = rbd.all_terms(model, none, none)
        assert terms.M.shape == (0, 0) and terms.bias.shape == terms.gravity.shape == (0,)
        assert terms.kinetic == 0 and terms.potential == pytest.approx(rbd.potential_energy(model, none))
        assert not terms.momentum.any()


def test_rotor_inertia_is_in_all_five_algorithms():
    links = [(rbd.revolute(Z), (ONE, ORIGIN), (1, (0, 0, 0), (0.5, 0.5, 1))),
             (rbd.revolute(Z), (ONE, (1, 0, 0)), (1, (1, 0, 0), (0.5, 0.5, 1)))]  # fmt: skip
    q, zero = [0, np.pi], [0, 0]
    for rotor, M, qdd, D in (
        (None, [[2, 1], [1, 2]], [2 / 3, -1 / 3], [1.5, 2]),
        ([0.5, 1], [[2.5, 1], [1, 3]], [0.46153846, -0.15384615], [2.16666667, 3]),
    ):
        model = chain(*links, gravity=NO_GRAVITY, armature=rotor)
        near(rbd.crba(model, q), M)
        near(rbd.minv(model, q), np.linalg.inv(M))
        near(rbd.all_terms(model, q, zero).M, M)
        near(rbd.ltdl(model, rbd.crba(model, q))[1], D)
        t = rbd.trace(rbd.aba, model, q, zero, [1, 0])
        near([t["D", 1].item(), t["D", 2].item()], D)
        for road in all_roads(model, q, zero, [1, 0]):
            near(road, qdd)
    near(rbd.minv(model, q), np.array([[3, -1], [-1, 2.5]]) / 6.5)


def test_the_inverse_is_the_same_at_the_second_call():
    model, rng = breadth_first_tree(), np.random.default_rng(0)
    q, other = rng.normal(size=(2, 5))
    first = rbd.minv(model, q)
    rbd.minv(model, other), rbd.aba(model, other, q, q), rbd.crba(model, other)
    assert_array_equal(rbd.minv(model, q), first)
    near(first, first.T, 1e-9)
    assert (first != 0).all()


def falling():
    base = (3, (0.1, 0, 0.05), (0.2, 0.3, 0.4))
    limb = (1, (0.3, 0.05, 0), (0.01, 0.03, 0.03))
    model = chain((rbd.free(), (ONE, ORIGIN), base), (rbd.revolute(Z), (RX(0.4), (0.2, 0.1, 0)), limb),
                  (rbd.revolute(Y), (RZ(0.7), (0.5, 0, 0)), limb), (rbd.revolute(X), (RY(1), (-0.2, 0, 0)), limb),
                  parent=(0, 1, 2, 1))  # fmt: skip
    R = RZ(0.5) @ RY(0.3) @ RX(0.2)
    w = np.sqrt(1 + np.trace(R)) / 2
    xyz = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w)
    return model, np.r_[0, 0, 0, xyz, w, 0.3, -0.8, 1.1]


def test_let_go_it_falls_and_moves_no_joint():
    model, q = falling()
    zero = np.zeros(9)
    for road in all_roads(model, q, zero, zero):
        near(road, np.r_[0, 0, 0, 2.89905323, -1.86189936, -9.1850379, 0, 0, 0])
    qdd = rbd.aba(model, q, zero, zero)
    assert np.abs(np.r_[qdd[:3], qdd[6:]]).max() <= 1e-12


def test_accelerations_in_the_trace_are_the_fictitious_ones():
    """Gravity enters as an acceleration of the base, so in free fall every a_i is zero: nothing feels its weight."""
    model, q = falling()
    t = rbd.trace(rbd.aba, model, q, np.zeros(9), np.zeros(9))
    near(t["a", 0][:, 0], [0, 0, 0, 0, 0, 9.81])
    for i in model.outward:
        near(t["a", i], np.zeros((6, 1)), 1e-12)


@pytest.mark.parametrize("call", ["aba", "minv", "minv_times", "ltdl", "held"])
def test_a_massless_leaf_stops_forward_dynamics_by_name(call):
    links = [(rbd.revolute(Z), (ONE, ORIGIN), ROD), (rbd.revolute(Z), (ONE, (1, 0, 0)), (0, (0, 0, 0), (0, 0, 0)))]
    model, q, zero = chain(*links), [0.2, 0.4], [0, 0]
    near(rbd.crba(model, q), np.diag([1 / 3, 0]))
    run = {
        "aba": lambda: rbd.aba(model, q, zero, zero),
        "minv": lambda: rbd.minv(model, q),
        "minv_times": lambda: rbd.minv_times(model, q, zero),
        "ltdl": lambda: rbd.ltdl(model, rbd.crba(model, q)),
        "held": lambda: rbd.held(model, q, zero, zero, []),
    }[call]
    with pytest.raises(rbd.SingularError, match=r"joint 2 \(body2\).*massless"):
        run()
    rotor = chain(*links, gravity=NO_GRAVITY, armature=[0, 0.1])
    for road in all_roads(rotor, [0, 0], zero, [1, 0.2]):
        near(road, [3, 2])


def test_a_horizontal_pendulum_falls_as_the_textbook_says():
    model = chain((rbd.revolute(Y), (ONE, ORIGIN), (1, (1, 0, 0), (1, 1, 1))))
    for road in all_roads(model, [0], [0], [0]):
        near(np.abs(road), [4.905])


def test_a_free_body_accelerates_spatially():
    """Turning about z while sliding along its own x, no force: (0, -2, 0), where the classical acceleration is zero."""
    model = chain((rbd.free(), (ONE, ORIGIN), (1, (0, 0, 0), (1, 2, 2.5))), gravity=NO_GRAVITY)
    v = [0, 0, 2, 1, 0, 0]
    for road in all_roads(model, model.neutral(), v, np.zeros(6)):
        near(road, [0, 0, 0, 0, -2, 0])


def test_forward_dynamics_under_a_push():
    """10 N along world x at the tip of a hanging pendulum: 10 Nm hold it, without a motor it swings."""
    model = chain((rbd.revolute(Y), (ONE, ORIGIN), ROD))
    q = [np.pi / 2]
    R, p = rbd.poses(model, q)[1]
    push = rbd.wrench(model, q, 1, force=(10, 0, 0), point=R @ (1, 0, 0) + p)
    near(rbd.aba(model, q, [0], [10], {1: push}), [0])
    near(rbd.aba(model, q, [0], [0], {1: push}), [-30])
    near(rbd.held(model, q, [0], [0], [1], {"body1": push})[1], [10])


def test_a_slider_on_a_turntable_flies_out():
    table, bead = (0, (0, 0, 0), (0, 0, 0)), (1, (0, 0, 0), (0, 0, 0))
    model = chain((rbd.revolute(Z), (ONE, ORIGIN), table), (rbd.prismatic(X), (ONE, ORIGIN), bead), gravity=NO_GRAVITY)
    for road in all_roads(model, [0, 1], [2, 3], [0, 0]):
        near(road, [-12, 4])  # -2 ṙ ω / r, r ω²
    near(rbd.coriolis(model, [0, 1], [2, 3]) @ [2, 3], [12, -4])


def test_turns_of_a_hinge_change_no_matrix():
    model, q = rbd.robots.planar_arm(), np.array([0.3, 0.8])
    around = q + [2 * np.pi, -2 * np.pi]
    near(rbd.crba(model, around), rbd.crba(model, q), 1e-13)
    near(rbd.aba(model, around, [1, 2], [3, 4]), rbd.aba(model, q, [1, 2], [3, 4]), 1e-12)
