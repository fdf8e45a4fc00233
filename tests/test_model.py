"""The checked model: what is refused, and that each refusal names the body or joint and what was expected."""

import numpy as np
import pytest
import sympy

import rbdlite as rbd

I3, Z = np.eye(3), np.zeros(3)
ROD = rbd.inertia(1, (0.5, 0, 0), (0, 1 / 12, 1 / 12))
HINGE = rbd.revolute()


def build(**changes):
    """A three-body tree, upper with fore and side on it, some arguments replaced."""
    now = dict(parent=[0, 1, 1], joints=[HINGE] * 3, placements=[(I3, Z)] * 3, inertias=[ROD] * 3,
               names=["upper", "fore", "side"], joint_names=["shoulder", "elbow", "hip"])  # fmt: skip
    return rbd.Model(**{**now, **changes})


def second(x, other=None):
    """Three entries, the second one bad."""
    return [other, x, other]


def rods(bad):
    return second(bad, ROD)


NAN = float("nan")
REFUSED = {
    "too few joints": (dict(joints=[HINGE] * 2), "joints has 2 entries, but parent has 3"),
    "too many inertias": (dict(inertias=[ROD] * 4), "inertias has 4 entries, but parent has 3"),
    "cycle": (dict(parent=[0, 3, 2]), r"body 2 \(fore\): its parent must come before it .*; got 3"),
    "own parent": (dict(parent=[0, 2, 1]), r"body 2 \(fore\): its parent must come before it"),
    "orphan": (dict(parent=[0, -1, 1]), r"body 2 \(fore\): its parent must come before it"),
    "parent not a number": (dict(parent=[0, "upper", 1]),
        r"body 2 \(fore\): its parent must be a body number, got 'upper'"),
    "two parents": (dict(parent=[0, (0, 1), 1]),
        r"body 2 \(fore\): its parent must be a body number, got \(0, 1\)"),
    "unknown joint type": (dict(joints=second("hinge", HINGE)),
        r"body 2 \(fore\): unknown joint type 'hinge'"),
    "mimic": (dict(joints=second({"mimic": "shoulder"}, HINGE)), r"body 2 \(fore\): unknown joint type"),
    "negative mass": (dict(inertias=rods(rbd.inertia(-1))),
        r"body 2 \(fore\): mass must not be negative; got -1 kg"),
    "NaN mass": (dict(inertias=rods(rbd.inertia(NAN))),
        r"body 2 \(fore\): its inertia holds a number that is not finite"),
    "infinite com": (dict(inertias=rods(rbd.inertia(1, (np.inf, 0, 0)))),
        r"body 2 \(fore\): its inertia holds"),
    "no mass, inertia": (dict(inertias=rods(rbd.inertia(0, Z, (1, 1, 1)))),
        r"body 2 \(fore\): mass is zero but its inertia is not"),
    "triangle": (dict(inertias=rods(rbd.inertia(1, Z, (1, 1, 3)))),
        r"body 2 \(fore\): rotational inertia breaks the triangle inequality"),
    "negative moment": (dict(inertias=rods(rbd.inertia(1, Z, (-1, 1, 1)))),
        r"body 2 \(fore\): .* negative principal moment"),
    "not a rigid body": (dict(inertias=rods(np.diag([1.0, 1, 1, 1, 2, 3]))),
        r"body 2 \(fore\): the 6 by 6 matrix is not a rigid body's"),
    "3 by 3": (dict(inertias=rods(I3)), r"body 2 \(fore\): a spatial inertia is 6 by 6 .*got shape \(3, 3\)"),
    "mirror": (dict(placements=second((np.diag([1, 1, -1]), Z), (I3, Z))),
        r"body 2 \(fore\): the R of its placement is not a rotation"),
    "skewed": (dict(placements=second((2 * I3, Z), (I3, Z))),
        r"body 2 \(fore\): the R of its placement is not a rotation"),
    "NaN place": (dict(placements=second((I3, [0, NAN, 0]), (I3, Z))),
        r"body 2 \(fore\): its placement holds a number that is not finite"),
    "place of two": (dict(placements=second((I3, [0, 0]), (I3, Z))),
        r"body 2 \(fore\): a placement is \(R \(3, 3\), p \(3,\)\)"),
    "place of three": (dict(placements=second((I3, Z, 1), (I3, Z))),
        r"body 2 \(fore\): a placement is \(R \(3, 3\), p \(3,\)\); got"),
    "no place": (dict(placements=second(None, (I3, Z))), r"body 2 \(fore\): a placement is .*; got None"),
    "frame of two": (dict(frames={"hand": (1, I3)}), r"frame 'hand' must be \(body, R \(3, 3\), p \(3,\)\)"),
    "frame stretched": (dict(frames={"hand": (1, 2 * I3, Z)}), "frame 'hand': the R of its placement is not"),
    "frame NaN": (dict(frames={"hand": (1, I3, [NAN, 0, 0])}), "frame 'hand': its placement holds a number"),
    "twice a body": (dict(names=["upper", "fore", "fore"]), "two bodies are called 'fore'"),
    "twice a joint": (dict(joint_names=["a", "b", "b"]), "two joints are called 'b'"),
    "called base": (dict(names=["upper", "base", "side"]), "two bodies are called 'base'"),
    "gravity of two": (dict(gravity=(0, -9.81)), r"gravity must be three numbers \[m/s²\]; got shape \(2,\)"),
    "gravity NaN": (dict(gravity=(0, 0, NAN)), "gravity: it holds a number that is not finite"),
    "armature too short": (dict(armature=[1, 2]), r"armature must have nv = 3 entries.*got shape \(2,\)"),
    "negative armature": (dict(armature=[0, -1, 0]), r"joint 2 \(elbow\): armature must be a number ≥ 0"),
    "NaN armature": (dict(armature=[0, NAN, 0]), r"joint 2 \(elbow\): armature must be a number ≥ 0"),
    "frame on no body": (dict(frames={"hand": (7, I3, Z)}),
        "frame 'hand' sits on body 7, which does not exist"),
    "frame like a body": (dict(frames={"fore": (1, I3, Z)}), "frame 'fore' has the name of body 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    changes, says = REFUSED[case]
    with pytest.raises(rbd.ModelError, match=says):
        build(**changes)


@pytest.mark.parametrize("make, says", [
    (lambda: rbd.revolute((0, 0, 0)), "axis of a revolute joint must be three finite numbers, not all zero"),
    (lambda: rbd.prismatic((0, NAN, 1)), "axis of a prismatic joint"),
    (lambda: rbd.revolute((0, 1)), "axis of a revolute joint"),
    (lambda: rbd.helical((0, 0, 0), 1), "axis of a helical joint"),
    (lambda: rbd.helical((0, 0, 1), np.inf), "pitch of a helical joint must be a finite number of metres per radian"),
    (lambda: rbd.helical((0, 0, 1), None), "pitch of a helical joint must be a finite number of .*; got None"),
    (lambda: rbd.helical((0, 0, 1), "1"), "pitch of a helical joint"),
    (lambda: rbd.revolute("z"), "axis of a revolute joint must be three finite numbers, not all zero; got 'z'"),
    (lambda: rbd.revolute([[0, 0], 1]), "axis of a revolute joint"),
    (lambda: rbd.revolute((0, 0, 1j)), "axis of a revolute joint"),
    (lambda: rbd.prismatic(sympy.symbols("a b c")), "axis of a prismatic joint"),
    (lambda: rbd.turn_about((0, 0, 1), None), "angle of a turn must be a finite number .rad.; got None"),
    (lambda: custom(S=np.eye(6)[:, :2]), r"S must be \(6, nv\) = \(6, 1\) finite numbers; got shape \(6, 2\)"),
    (lambda: custom(S=np.eye(6)[0]), r"S must be \(6, nv\) = \(6, 1\)"),
    (lambda: custom(S="S"), r"S must be \(6, nv\) = \(6, 1\) finite numbers; got 'S'"),
    (lambda: custom(S=np.full((6, 1), NAN)), "S must be .* finite numbers"),
    (lambda: custom(S=np.zeros((6, 1))), "columns of S must be independent"),
    (lambda: custom(nv=2, nq=2, S=np.ones((6, 2))), "columns of S must be independent"),
    (lambda: custom(nv=7, nq=7, S=np.ones((6, 7))), "nv must be 0 to 6 .* got nq = 7, nv = 7"),
    (lambda: custom(nq=0), "nq a whole number not below it; got nq = 0, nv = 1"),
    (lambda: custom(nv="1"), "nv must be 0 to 6"),
    (lambda: custom(nq=1.0), "nq a whole number"),
    (lambda: custom(XJ=None), "XJ must be a function of q; got None"),
    (lambda: rbd.inertia(None), r"inertia needs numbers: a mass, com \(3,\) and J_com .*None is not a number"),
    (lambda: rbd.inertia("1"), "inertia needs numbers"),
    (lambda: rbd.inertia(1, 1j), "inertia needs numbers"),
    (lambda: rbd.inertia(1, (0, [1], 2)), "inertia needs numbers"),
    (lambda: rbd.inertia(1, (0, 1)), r"got shapes \(\), \(2,\), \(3, 3\)"),
    (lambda: rbd.robots.squared_paper_tree(parent=(0, 9, 2, 1)), r"body 2 \(link2\): its parent must come .*got 9"),
    (lambda: rbd.robots.squared_paper_tree(parent=(0, "a", 2, 1)), r"body 2 \(link2\).*'a'"),
    (lambda: rbd.robots.squared_paper_tree(masses=(1, None, 1, 1)), "masses must be a list of numbers"),
    (lambda: rbd.robots.squared_paper_tree(masses=(1, 1)), "4 parents, 2 masses"),
    (lambda: rbd.robots.planar_arm(lengths=1), "lengths must be a list of numbers or SymPy symbols; got 1"),
    (lambda: rbd.robots.planar_arm(lengths="ab", exact=True), "lengths must be a list of numbers"),
    (lambda: rbd.robots.planar_arm((1, 1, 1)), "3 lengths, 2 masses"),
    (lambda: rbd.robots.double_pendulum((1,), (1,)), "two lengths and two masses; got 1 and 1"),
    (lambda: rbd.robots.random_tree(2, np.random.default_rng(0), kinds=("x",)), "unknown joint types"),
])  # fmt: skip
def test_a_joint_that_cannot_be(make, says):
    with pytest.raises(rbd.ModelError, match=says):
        make()


def custom(**changes):
    return rbd.Joint(**{**dict(kind="custom", nq=1, nv=1, S=np.eye(6)[:, :1], XJ=lambda q: np.eye(6)), **changes})


def test_a_joint_keeps_its_own_read_only_S():
    S = np.eye(6)[:, :1]
    joint = custom(S=S)
    S[0, 0] = 7
    assert joint.S[0, 0] == 1
    for one in (joint, HINGE, rbd.prismatic(), rbd.helical(), rbd.planar(), rbd.spherical(), rbd.free()):
        with pytest.raises(ValueError, match="read-only"):
            one.S[0, 0] = 7


STATES = {
    "q short": (dict(q=[1, 2]), r"q must have nq = 3 entries on its last axis .*got shape \(2,\)"),
    "q a number": (dict(q=1.0), r"q must have nq = 3 entries"),
    "qd long": (dict(qd=[1] * 4), r"qd must have nv = 3 entries .*got shape \(4,\)"),
    "qdd NaN": (dict(qdd=[0, NAN, 0]), r"qdd\[1\], of joint 2 \(elbow\), is not a finite number"),
    "q inf": (dict(q=[0, 0, np.inf]), r"q\[2\], of joint 3 \(hip\), is not a finite number"),
    "q text": (dict(q=["a", "b", "c"]), "q must be an array of numbers"),
    "q complex": (dict(q=[1j, 0, 0]), "q must be an array of numbers"),
    "q ragged": (dict(q=[[1, 2], [3]]), "q must be an array of numbers"),
    "f_ext unknown": (dict(f_ext={"wrist": np.zeros(6)}),
        "no body, joint or frame is called 'wrist'; known: 'base', 'upper'"),
    "f_ext no body": (dict(f_ext={9: np.zeros(6)}), "body 9 does not exist: bodies are 1..3"),
    "f_ext of three": (dict(f_ext={"fore": Z}),
        r"f_ext\['fore'\] must be \[n; f\], 6 entries on the last axis; got shape \(3,\)"),
    "f_ext NaN": (dict(f_ext={"elbow": [NAN] * 6}),
        r"f_ext\['elbow'\], on body 2 \(fore\), holds a number that is not finite"),
    "f_ext list": (dict(f_ext=[np.zeros(6)] * 3),
        "f_ext as a list needs 4 wrenches, the base's first; got 3"),
}  # fmt: skip


@pytest.mark.parametrize("case", STATES)
def test_states_that_do_not_fit(case):
    changes, says = STATES[case]
    with pytest.raises(rbd.StateError, match=says):
        rbd.rnea(build(), **{**dict(q=Z, qd=Z, qdd=Z), **changes})


@pytest.mark.parametrize("length", [0, 0.5, 1.001, 2])
def test_a_quaternion_that_is_not_of_unit_length_is_refused(length):
    model = build(joints=[rbd.spherical(), HINGE, HINGE])
    q = model.neutral()
    q[3] = length
    says = r"quaternion \(x, y, z, w\) of joint 1 \(shoulder\) in q must have length 1"
    with pytest.raises(rbd.StateError, match=says):
        rbd.gravity_torque(model, q)
    q[3] = 1 + 5e-7
    assert np.isfinite(rbd.gravity_torque(model, q)).all()
    q[3] = 1 + 5e-6
    with pytest.raises(rbd.StateError, match=says):
        rbd.gravity_torque(model, q)


def test_numbers_of_odd_kinds():
    from decimal import Decimal

    sp, arm, z = pytest.importorskip("sympy"), rbd.robots.planar_arm(), np.zeros(2)
    for x in (np.ma.masked_array([1.0, 2], [0, 1]), np.zeros(2, "timedelta64[s]"), [sp.oo, 0], [sp.I, 0], [sp.nan, 0],
              np.array([1, float("nan")], dtype=object)):  # fmt: skip
        for call in (lambda x: rbd.rnea(arm, x, z, z), lambda x: rbd.aba(arm, z, z, x),
                     lambda x: rbd.ltdl_solve(arm, np.eye(2), np.ones(2), x),
                     lambda x: rbd.rnea(arm, z, z, z, {1: np.resize(x, 6)})):  # fmt: skip
            with pytest.raises(rbd.StateError):
                call(x)
    with pytest.raises(rbd.StateError, match="M holds a number that is not finite"):
        rbd.ltdl(arm, np.array([[sp.Integer(2), sp.nan], [sp.nan, 2]], dtype=object))
    plain = rbd.rnea(arm, [0.25, 0.5], z, z)
    for same in ([Decimal("0.25"), Decimal("0.5")], np.float32([0.25, 0.5]), np.matrix([0.25, 0.5])[0].A1):
        np.testing.assert_array_equal(rbd.rnea(arm, same, z, z), plain)
    assert rbd.rnea(arm, np.matrix([0.25, 0.5]), z, z).tolist() == [plain.tolist()]  # two axes: a batch of one


def test_exact_kinds_mix():
    from decimal import Decimal
    from fractions import Fraction

    sp = pytest.importorskip("sympy")
    slides = build(joints=[rbd.prismatic((1, 0, 0)), HINGE, HINGE])
    for q in ([Fraction(1, 3), Decimal("0.2"), 0.3], [sp.Symbol("a"), Decimal("0.2"), True]):
        assert rbd.crba(slides, q).shape == (3, 3)
    with pytest.raises(rbd.StateError, match="True is not a number"):
        rbd.crba(slides, [sp.true, 0.2, sp.Symbol("a")])


@pytest.mark.parametrize("frames, says", [
    ({"t": (1.9, np.eye(3), Z)}, "frame 't': its body must be a number"), ({"t": ("body1", np.eye(3), Z)}, "frame 't'"),
    ({"t": (None, np.eye(3), Z)}, "frame 't'"), ({"t": (True, np.eye(3), Z)}, "frame 't'"), ([1], "frames must be a")])
def test_frames_sit_on_a_body_given_by_its_number(frames, says):
    with pytest.raises(rbd.ModelError, match=says):
        build(frames=frames)


def test_complex_constants_are_refused():
    with pytest.raises(rbd.ModelError, match="its inertia must hold numbers"):
        build(inertias=[ROD, ROD + 0j, ROD])


def test_point_masses_rods_and_massless_links_are_legal():
    model = build(inertias=[rbd.inertia(1, (1, 0, 0)), ROD, rbd.inertia(0)])
    assert model.mass == (0, 1, 1, 0) and np.isfinite(rbd.rnea(model, Z, Z, Z)).all()


def test_an_axis_of_any_length_is_a_direction():
    assert rbd.revolute((0, 0, 5)).axis == (0, 0, 1)
    for size in (1e200, 1e-200, 5e-324, 1e308):
        assert rbd.prismatic((0, -size, 0)).S[:, 0].tolist() == [0, 0, 0, 0, -1, 0]
        assert np.allclose(rbd.revolute((size, size, 0)).axis, (0.5**0.5, 0.5**0.5, 0))
    axis = np.random.default_rng(0).normal(size=3)
    assert rbd.revolute(axis).axis == tuple((axis / np.linalg.norm(axis)).tolist())


def test_what_a_model_knows():
    model = build(joints=[rbd.free(), HINGE, rbd.planar()], frames={"hand": (2, I3, [1, 0, 0])})
    assert (model.n_bodies, model.nq, model.nv) == (3, 11, 10)
    assert model.parent == (-1, 0, 1, 1) and model.names == ("base", "upper", "fore", "side")
    assert model.q_slice == (slice(0, 0), slice(0, 7), slice(7, 8), slice(8, 11))
    assert model.v_slice == (slice(0, 0), slice(0, 6), slice(6, 7), slice(7, 10))
    assert model.children == ([1], [2, 3], [], [])
    assert list(model.outward) == [1, 2, 3] and list(model.inward) == [3, 2, 1]
    assert [model.index(k) for k in (2, "fore", "elbow", "hand", "base", 0)] == [2, 2, 2, 2, 0, 0]
    assert model.neutral()[6] == 1 and abs(np.linalg.norm(model.random(np.random.default_rng(0))[3:7]) - 1) < 1e-12
    assert (model.a0[:, 0] == [0, 0, 0, 0, 0, 9.81]).all()


@pytest.mark.parametrize("key", ["wrist", 4, -1, True, 1.0, None])
def test_index_knows_what_it_does_not_know(key):
    with pytest.raises(rbd.StateError, match="does not exist|no body, joint or frame is called|number or a name"):
        build().index(key)


def test_a_model_is_frozen():
    model = build()
    with pytest.raises(AttributeError, match="frozen: build another one instead of setting gravity"):
        model.gravity = Z
    for array in (model.gravity, model.I[1], model.XT[2], model.S[3], model.armature):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    gravity = np.array([0, 0, -9.81])
    other = build(gravity=gravity)
    gravity[:] = 0
    assert other.gravity[2] == -9.81


def test_replace_checks_again():
    model = build()
    assert (model.replace(gravity=Z).a0 == 0).all() and model.gravity[2] == -9.81
    with pytest.raises(rbd.ModelError, match=r"joint 3 \(hip\): armature"):
        model.replace(armature=[0, 0, -1])


def test_symbols_in_a_model_ask_for_symbolic_states():
    m = sympy.Symbol("m", positive=True)
    model = build(inertias=[ROD, rbd.inertia(m, (1, 0, 0)), ROD])
    with pytest.raises(rbd.StateError, match=r"the inertia of body 2 \(fore\) holds symbols"):
        rbd.rnea(model, Z, Z, Z)
    tau = rbd.rnea(model, sympy.symbols("q1:4"), [0, 0, 0], [0, 0, 0])
    assert tau[0].has(m) is False  # gravity along the axes


def test_long_light_chains_are_not_singular():
    """A pivot is judged against the subtree stretched out: that estimate must not grow with depth on its own."""
    model, rest = rbd.robots.planar_arm([1 / 60] * 60, [1 / 60] * 60), np.zeros(60)
    qdd = rbd.aba(model, rest, rest, rest)
    np.testing.assert_allclose(rbd.rnea(model, rest, rest, qdd), 0, atol=1e-9)


@pytest.mark.parametrize("call, says", [
    (lambda m, z: rbd.rnea(m, np.zeros((3, 2)), z, z, np.zeros((3, 3, 6))), "use a mapping"),
    (lambda m, z: rbd.rnea(m, z, z, z, 5), "must be a mapping"),
    (lambda m, z: rbd.rnea(m, np.array([0.3, np.nan], object), z, z), "joint 2"),
    (lambda m, z: rbd.rnea(m, [None, 0], z, z), "None is not a number"),
    (lambda m, z: rbd.rnea(m, np.zeros((3, 2)), np.zeros((4, 2)), z), r"q \(3, 2\), qd \(4, 2\)"),
    (lambda m, z: m.index([1]), "number or a name"),
])  # fmt: skip
def test_arguments_that_cannot_be_meant(call, says):
    with pytest.raises(rbd.StateError, match=says):
        call(rbd.robots.planar_arm(), np.zeros(2))


def test_whole_numbers_in_object_arrays_are_numbers():
    model, z = rbd.robots.planar_arm(), np.zeros(2)
    tau = rbd.rnea(model, np.array([10**30, 0], object), z, z)
    assert tau.dtype == float and np.array_equal(tau, rbd.rnea(model, [1e30, 0], z, z))


def test_numbers_among_symbols_are_checked():
    x = sympy.Symbol("x")
    with pytest.raises(rbd.StateError, match="joint 1"):
        rbd.rnea(rbd.robots.planar_arm(), [sympy.nan, x], [0, 0], [0, 0])
    ball = rbd.Model([0], [rbd.spherical()], [(np.eye(3), np.zeros(3))], [rbd.inertia(1, (0.5, 0, 0), (1, 1, 1))])
    with pytest.raises(rbd.StateError, match="length 1"):
        rbd.rnea(ball, np.array([0, 0, 0, sympy.Integer(2)], object), np.zeros(3), np.zeros(3))


def test_infinite_constants_are_refused():
    one = dict(parent=[0], joints=[rbd.revolute()], placements=[(np.eye(3), np.zeros(3))],
               inertias=[rbd.inertia(1, (0.5, 0, 0), (1, 1, 1))])  # fmt: skip
    with pytest.raises(rbd.ModelError, match="joint 1.*armature"):
        rbd.Model(**one, armature=[np.inf])
    with pytest.raises(rbd.ModelError, match="gravity"):
        rbd.Model(**one, gravity=np.array([0, 0, np.nan], object))


def test_a_regrouped_model_still_computes_and_refuses_to_be_changed():
    model = rbd.robots.planar_arm()
    lean, z = rbd.regroup(model), np.zeros(2)
    np.testing.assert_allclose(rbd.mass_matrix_by_rnea(lean, z), rbd.crba(model, z), atol=1e-14)
    np.testing.assert_allclose(rbd.minv_times(lean, z, [1, 2]), rbd.minv_times(model, z, [1, 2]), atol=1e-12)
    with pytest.raises(rbd.ModelError, match="regroup"):
        lean.replace(gravity=(0, 0, 1))


def test_constants_and_frames_cannot_be_overwritten():
    model = rbd.robots.planar_arm()
    with pytest.raises(TypeError):
        model.I[2] = np.zeros((6, 6))
    with pytest.raises(ValueError):
        model.I[2][0, 0] = 1
    with pytest.raises(TypeError):
        model.frames["tool"] = (2, np.eye(3), np.zeros(3))


def test_batches_of_symbols():
    x = np.array([[sympy.Symbol("a"), 0], [0, sympy.Symbol("b")]])
    model = rbd.robots.planar_arm(exact=True)
    assert rbd.minv(model, x).shape == (2, 2, 2)
    product = (rbd.minv(model, x) @ rbd.crba(model, x)).reshape(-1)
    assert [sympy.simplify(y) for y in product] == [1, 0, 0, 1] * 2, product
