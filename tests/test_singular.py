"""Joints that nothing resists, and masses that differ by 1e9: an error that names the joint, or a known accuracy.

Measured here, against exact fractions, as the largest error relative to the largest acceleration (median of a few
chains of ten skewed hinges at q = 0, all links alike but for the mass):

| masses                    | ABA, Minv | CRBA + LTDL |
|---------------------------|-----------|-------------|
| equal, or first link 1e9  | 3e-16     | 9e-16       |
| tenfold lighter outwards  | 5e-17     | 7e-17       |
| tenfold heavier outwards  | 7e-12     | 9e-11       |
| last link 1e6             | 8e-11     | 3e-10       |
| last link 1e9             | 4e-8      | 4e-7        |
| last link 1e12            | 6e-5      | 3e-4        |
| last link 1e13            | refused   | refused     |

Nothing is ever added to a pivot to make it look better.
"""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rbdlite as rbd

KINDS = rbd.robots.trees.KINDS
ONE = np.eye(3)
NOTHING = rbd.inertia(0)


def roads(model, q, qd=None, tau=None):
    """Every function that divides by what a joint has to move."""
    q = np.asarray(q)
    zero = np.zeros((*q.shape[:-1], model.nv)) if q.dtype != object else np.zeros(model.nv, dtype=int)
    qd, tau = zero if qd is None else qd, zero if tau is None else tau
    return {
        "aba": lambda: rbd.aba(model, q, qd, tau),
        "minv": lambda: rbd.minv(model, q),
        "minv_times": lambda: rbd.minv_times(model, q, tau),
        "ltdl": lambda: rbd.ltdl(model, rbd.crba(model, q)),
        "held": lambda: rbd.held(model, q, qd, tau, []),
    }


ROADS = pytest.mark.parametrize("road", ["aba", "minv", "minv_times", "ltdl", "held"])


def refused(model, q, road, who, row=None):
    with pytest.raises(rbd.SingularError) as caught:
        roads(model, q)[road]()
    said = str(caught.value)
    assert f"joint {who} ({model.joint_names[who]})" in said, said
    assert (f"(batch row {row})" in said) if row else ("batch row" not in said)
    assert "nothing to move" in said


def answers(model, q):
    """RNEA and CRBA have no trouble, and agree."""
    M = rbd.crba(model, q)
    assert np.isfinite(M).all() and np.isfinite(rbd.rnea(model, q, np.ones(model.nv), np.ones(model.nv))).all()
    assert_allclose(M, rbd.mass_matrix_by_rnea(model, q), atol=1e-12)
    return M


def tip_tree(kind, tip=NOTHING, armature=None):
    """Two skewed bodies, a third of the given kind beside the second, and a leaf of the given kind on it."""
    rng = np.random.default_rng(8)
    t = rbd.robots.random_tree(4, rng, ("revolute",), branching=0)
    one = rbd.robots.random_tree(1, rng, (kind,)).joints[1]
    names = ["shoulder", "elbow", "wrist", "finger"]
    return rbd.Model([0, 1, 1, 2], [*t.joints[1:4], one], [rbd.pose(X) for X in t.XT[1:]], [*t.I[1:4], tip],
                     joint_names=names, names=[f"{x} link" for x in names], armature=armature)  # fmt: skip


@ROADS
@pytest.mark.parametrize("kind", KINDS)
def test_a_massless_leaf_is_named(kind, road):
    model = tip_tree(kind)
    q = model.random(np.random.default_rng(0))
    M = answers(model, q)
    assert not M[3:].any()
    refused(model, q, road, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_rotor_makes_it_move(kind):
    """The same leaf with armature: all roads give the same, exact answer; a locked leaf needs none."""
    bare = tip_tree(kind)
    rotor = np.r_[0, 0.1, 0, np.full(bare.nv - 3, 0.2)]
    model, rng = bare.replace(armature=rotor), np.random.default_rng(1)
    q, qd, tau = model.random(rng), *rng.normal(size=(2, model.nv))
    M = answers(model, q)
    run = roads(model, q, qd, tau)
    right = np.linalg.solve(M, tau - rbd.bias(model, q, qd))
    assert_allclose(run["aba"](), right, rtol=1e-11, atol=1e-11)
    assert_allclose(run["held"]()[0], right, rtol=1e-11, atol=1e-11)
    assert_allclose(run["minv"](), np.linalg.inv(M), rtol=1e-11, atol=1e-11)
    assert_allclose(rbd.ltdl_solve(model, *run["ltdl"](), tau), np.linalg.solve(M, tau), rtol=1e-11, atol=1e-11)
    assert_allclose(run["aba"]()[3:], (tau - rbd.bias(model, q, qd))[3:] / 0.2, rtol=1e-9)
    held, reaction = rbd.held(bare, q, qd, tau, ["finger"])
    assert np.isfinite(held).all() and np.isfinite(reaction).all()


@ROADS
@pytest.mark.parametrize("exact", [False, True])
def test_two_hinges_on_one_axis(road, exact):
    """Coincident axes and nothing between them: the inner joint has nothing of its own."""
    if exact:
        pytest.importorskip("sympy")
        import sympy as sp

        q, moment = np.array([sp.pi / 3, sp.pi / 6]), sp.Integer(1)
    else:
        q, moment = np.array([0.3, 0.5]), 1.0
    body = rbd.inertia(2 * moment, (1, 0, 0), (1, 1, 1))

    def model(between):
        places = [(ONE.astype(int), (0, 0, 0)), (ONE.astype(int), (0, 0, 1))]
        return rbd.Model([0, 1], [rbd.revolute()] * 2, places, [between, body], joint_names=["inner", "outer"])

    M = rbd.crba(model(rbd.inertia(0 * moment)), q)
    assert_allclose(M.astype(float), [[3, 3], [3, 3]])
    refused(model(rbd.inertia(0 * moment)), q, road, 1)
    roads(model(rbd.inertia(0 * moment, (0, 0, 0), (0, 0, 0))).replace(armature=[moment, 0]), q)[road]()
    roads(model(rbd.inertia(moment, (0, 0, 0), (moment, moment, moment))), q)[road]()


@ROADS
def test_massless_tip_exactly(road):
    sp = pytest.importorskip("sympy")
    q = np.array(sp.symbols("q1:4"), dtype=object)
    model = rbd.robots.planar_arm((1, 1, 1), (1, 2, 0), exact=True)
    assert rbd.crba(model, q)[2, 2] == 0 and rbd.rnea(model, q, q, q)[2] == 0
    refused(model, q, road, 3)


@ROADS
@pytest.mark.parametrize("exact", [False, True])
def test_a_ball_joint_with_its_mass_along_a_line(road, exact):
    """A point mass on a massless rod: turning about the rod moves nothing, though no diagonal entry of D is zero."""
    body = rbd.inertia(2, (1, 2, 2))
    q = np.array([0.0, 0, 0, 1])
    if exact:
        sp = pytest.importorskip("sympy")
        body, q = rbd.inertia(sp.Integer(2), (1, 2, 2)), np.array([sp.Integer(k) for k in (0, 0, 0, 1)])
    model = rbd.Model([0], [rbd.spherical()], [(ONE.astype(int), (0, 0, 0))], [body])
    D = rbd.crba(model, q).astype(float)
    assert np.diag(D).min() > 0 and abs(np.linalg.det(D)) < 1e-9
    refused(model, q, road, 1)


def gimbal():
    """Three hinges through one point, all mass on the last link: at q2 = 0 the first axis is the third."""
    bodies = [NOTHING, NOTHING, rbd.inertia(1, (0.2, 0.1, 0.3), (0.1, 0.2, 0.25))]
    return rbd.Model([0, 1, 2], [rbd.revolute((0, 0, 1)), rbd.revolute((1, 0, 0)), rbd.revolute((0, 0, 1))],
                     [(ONE, (0, 0, 0))] * 3, bodies, joint_names=["yaw", "nod", "roll"])  # fmt: skip


@ROADS
def test_the_batch_row_is_named(road):
    model = gimbal()
    q = np.full((4, 3), 0.7)
    roads(model, q)[road]()  # nothing wrong anywhere
    q[2, 1] = 0
    refused(model, q, road, 1, row="2")
    q[3, 1] = 0  # the first of them
    refused(model, q, road, 1, row="2")
    two = np.full((2, 3, 3), 0.7)
    two[1, 0, 1] = 0
    refused(model, two, road, 1, row="1, 0")
    refused(model, q[2], road, 1)


@ROADS
def test_a_free_base_must_have_something_left(road):
    """A massless free base carrying one hinged link: the hinge may turn without moving the link."""
    t = rbd.robots.random_tree(2, np.random.default_rng(3), ("revolute",), branching=0)
    model = rbd.Model([0, 1], [rbd.free(), t.joints[2]], [(ONE, (0, 0, 0)), rbd.pose(t.XT[2])], [NOTHING, t.I[2]])
    q = model.random(np.random.default_rng(4))
    answers(model, q)
    refused(model, q, road, 1)


def test_ltdl_refuses_what_is_not_positive():
    model = rbd.robots.planar_arm((1, 1, 1), (1, 1, 1))
    M = rbd.crba(model, [0.1, 0.2, 0.3])
    for bad, who in ((-M, 3), (0 * M, 3), (M - 10 * np.diag([1, 0, 0]), 1), (np.ones((3, 3)), 2)):
        with pytest.raises(rbd.SingularError, match=rf"joint {who} \(joint{who}\)"):
            rbd.ltdl(model, bad)
    with pytest.raises(rbd.SingularError, match="batch row 1"):
        rbd.ltdl(model, np.array([M, -M, M]))


# ------------------------------------------------------------------------- very different masses


class Still(Fraction):
    """The angle zero, of which sine and cosine are known exactly."""

    def sin(self):
        return Fraction(0)

    def cos(self):
        return Fraction(1)


def fractions(x):
    out = np.empty(np.shape(x), dtype=object)
    out.reshape(-1)[:] = [Fraction(v) for v in np.ravel(x).tolist()]
    return out


def heavy_chain(masses, rng):
    """Ten hinges about z, skewed by their placements, and the same model in fractions: bit for bit the same inputs."""
    n = len(masses)
    t = rbd.robots.random_tree(n, rng, ("revolute",), armature=False, branching=0)
    model = rbd.Model(range(n), [rbd.revolute()] * n, [rbd.pose(X) for X in t.XT[1:]],
                      [m * I for m, I in zip(masses, t.I[1:], strict=True)], gravity=(0, 0, 0))  # fmt: skip
    return model, model._converted(fractions, symbolic=True)


MASSES = {  # masses; median relative error of ABA (and Minv), of CRBA and a factor: random chains, 60-digit judge
    "equal": (np.ones(10), 2.6e-16, 1.4e-15),
    "first 1e9": (np.r_[1e9, np.ones(9)], 2.6e-16, 1.1e-15),
    "middle 1e9": (np.r_[np.ones(5), 1e9, np.ones(4)], 2.6e-16, 1.1e-15),  # no median of its own: as the first
    "lighter outwards": (10.0 ** -np.arange(10), 9.2e-17, 2.8e-16),
    "heavier outwards": (10.0 ** np.arange(10), 3.8e-12, 2.4e-11),
    "last 1e6": (np.r_[np.ones(9), 1e6], 9.1e-11, 4.1e-10),
    "last 1e9": (np.r_[np.ones(9), 1e9], 6.4e-8, 4.2e-7),
}


@pytest.mark.parametrize("name", MASSES)
def test_mass_ratios_of_a_billion(name):
    """Other chains than those of the published medians, so not the same digits: within a factor of thirty."""
    masses, by_aba, by_ltdl = MASSES[name]
    zero, errors = np.zeros(10), []
    for seed in range(7):
        rng = np.random.default_rng(seed)
        model, exact = heavy_chain(masses, rng)
        tau, still = rng.normal(size=10), np.empty(10, dtype=object)
        still[:] = [Still(0)] * 10
        right = rbd.aba(exact, still, fractions(zero), fractions(tau))
        assert all(isinstance(x, Fraction) for x in right)
        if seed == 0:  # the judge is right: in fractions nothing is rounded
            assert (rbd.crba(exact, still) @ right == fractions(tau)).all()
        size = max(abs(x) for x in right)
        L, D = rbd.ltdl(model, rbd.crba(model, zero))
        ours = rbd.aba(model, zero, zero, tau), rbd.minv(model, zero) @ tau, rbd.ltdl_solve(model, L, D, tau)
        gaps = [max(abs(Fraction(float(a)) - b) for a, b in zip(x, right, strict=True)) for x in ours]
        errors.append([float(gap / size) for gap in gaps])
    ratio = np.median(errors, axis=0) / [by_aba, by_aba, by_ltdl]
    assert ratio.max() < 30, ratio
    assert ratio.min() > 1 / 30 or by_aba < 1e-15, ratio  # and it does cost digits


@pytest.mark.parametrize("n, median", [(7, 2.3e-7), (18, 9.3e-7), (36, 1.5e-6), (72, 3.5e-6)])
def test_single_precision_keeps_five_digits(n, median):
    """Numbers of 32 bits against 64: the error of q̈ grows with the length of the chain, and stays far from useless."""
    jnp = pytest.importorskip("jax.numpy")
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        model = rbd.robots.random_tree(n, rng, ("revolute",), armature=False, branching=0)
        state = [np.stack([model.random(rng) for _ in range(20)]), *rng.normal(size=(2, 20, n))]
        right, got = rbd.aba(model, *state), rbd.aba(model, *(jnp.asarray(x, dtype="float32") for x in state))
        assert got.dtype == "float32"
        errors += (np.abs(got - right).max(axis=-1) / np.abs(right).max(axis=-1)).tolist()
    assert median / 3 < np.median(errors) < 3 * median and max(errors) < 30 * median, np.median(errors)


@ROADS
def test_beyond_that_no_digit_is_left_and_none_is_shown(road):
    """Last link 1e13: what the first joint feels is lost in rounding. An error, not a number."""
    model, _ = heavy_chain(np.r_[np.ones(9), 1e13], np.random.default_rng(0))
    with pytest.raises(rbd.SingularError):
        roads(model, np.zeros(10))[road]()


@ROADS
@pytest.mark.parametrize("out", [0, 50, 200, 1e3, 1e6])
def test_an_axis_twice_is_seen_however_far_a_slide_is_out(road, out):
    """Two hinges on one axis, the first link massless, and a heavy slide far out: what is left over grows with it."""
    bodies = [NOTHING, *[rbd.inertia(1, (0.5, 0, 0), (0.01, 0.1, 0.1))] * 2]
    model = rbd.Model([0, 1, 2], [rbd.revolute(), rbd.revolute(), rbd.prismatic((1, 1, 0))], [(ONE, (0, 0, 0))] * 3,
                      bodies)  # fmt: skip
    for angle in np.linspace(0, 3, 7):
        refused(model, [0.3, angle, out], road, 1)
    far = [[0.3, 0.4, 1], [0.1, 0.2, out]]
    lone = rbd.Model([0, 1], model.joints[2:], [(ONE, (0, 0, 0))] * 2, bodies[1:])
    right = rbd.minv(lone, np.array(far)[:, 1:])
    assert_allclose(right[1], rbd.minv(lone, far[1][1:]), rtol=1e-12)  # one row far out refuses no other


@ROADS
@pytest.mark.parametrize("joint, q", [
    (rbd.prismatic((2, 1, -2)), [4e4]), (rbd.helical((2, 1, -2), 50), [900.7]), (rbd.planar(), [0, 4e4, 0.2]),
    (rbd.planar(), [4e4, 0, 0.2]), (rbd.free(), [0, 0, 4e4, 0, 0, 0, 1]), (rbd.free(), [4e4, 0, 0, 0, 0, 0, 1])],
    ids=lambda x: x.kind if isinstance(x, rbd.Joint) else str(x[0] != 0))  # fmt: skip
def test_every_joint_that_slides_counts_as_far_as_it_is_out(road, joint, q):
    """A body far out on the last joint; the two hinges before it are one slanting axis, with no mass between them."""
    axis, turned = rbd.revolute((1, 2, 2)), rbd.turn_about((3, -1, 2), 0.7)
    bodies = [NOTHING, *[rbd.inertia(1, (0.5, 0.2, 0.1), (0.1, 0.12, 0.15))] * 2]
    places = [(ONE, (0, 0, 0)), (ONE, (0, 0, 0)), (turned, (0, 0, 0))]
    model = rbd.Model([0, 1, 2], [axis, axis, joint], places, bodies)
    for angle in np.linspace(0.1, 3, 15):
        refused(model, [0.3, angle, *q], road, 1)


def test_the_size_of_a_pivot_comes_from_the_farthest_child():
    """Twice one axis; a heavy body far away hangs there before, or after, a near one."""
    far, near = (ONE, (1e3, 0, 0)), (ONE, (0, 0, 0))
    body = rbd.inertia(1, (0, 0, 0), (0.1, 0.1, 0.1))
    for places in ((far, near), (near, far)):
        model = rbd.Model([0, 1, 2, 2], [rbd.revolute()] * 4, [near, near, *places], [NOTHING, body, body, body])
        assert model.scale[0] > 1e6 and model.scale[1] > 1e6
        assert model.exchanged(I=(model.I[0], *(4 * I for I in model.I[1:])), mass=(0, 0, 4, 4, 4)).scale[0] > 2e7


@ROADS
def test_a_pivot_a_million_million_times_smaller_than_its_arm_is_still_one(road):
    """Two links in line, points at their ends: joint 1 feels its own point alone, beside rounding of the other's."""
    small = 1e-11
    bodies = [rbd.inertia(m, (1, 0, 0)) for m in (small, 1)]
    model = rbd.Model([0, 1], [rbd.revolute(), rbd.revolute()], [(ONE, (0, 0, 0)), (ONE, (1, 0, 0))], bodies)
    roads(model, [0.0, 0.0])[road]()
    assert abs(1 / rbd.minv(model, [0.0, 0.0])[0, 0] / small - 1) < 1e-3


@pytest.mark.parametrize("small", [1e-3, 1e-9, 1e-15, 1e-60])
def test_a_light_tip_is_no_massless_one(small):
    """Its acceleration is the right one, however light it is: nothing is added to its pivot."""
    model = rbd.robots.planar_arm((1, 1), (1, small), gravity=(0, 0, 0))
    q, zero, tau = [0.3, 0.8], np.zeros(2), np.array([0.5, small])
    a, b, c = 1 / 3 + small * (4 / 3 + np.cos(0.8)), small / 3, small * (1 / 3 + np.cos(0.8) / 2)
    det = a / 3 - small * (1 / 3 + np.cos(0.8) / 2) ** 2  # det M / small
    right = np.array([(b * tau[0] / small - c * tau[1] / small), (a * tau[1] / small - c * tau[0] / small)]) / det
    for ours in (rbd.aba(model, q, zero, tau), rbd.minv(model, q) @ tau,
                 rbd.ltdl_solve(model, *rbd.ltdl(model, rbd.crba(model, q)), tau)):  # fmt: skip
        assert_allclose(ours, right, rtol=1e-12)


# ------------------------------------------------------------------------- what is no inertia matrix, and empty models


def tree_matrix():
    model = rbd.robots.squared_paper_tree()
    return model, rbd.crba(model, rbd.robots.squared_paper_state()[0])


@pytest.mark.parametrize("entry, says", [((1, 3), "two branches"), ((0, 1), "mirror image")])
def test_ltdl_refuses_what_its_loops_would_not_see(entry, says):
    model, M = tree_matrix()
    M[entry] += 1
    if says == "two branches":
        M[entry[::-1]] += 1
    with pytest.raises(rbd.StateError, match=rf"M\[{entry[0]}, {entry[1]}\].*{says}"):
        rbd.ltdl(model, M)


@pytest.mark.parametrize("by, passes", [(1e-4, False), (1e-10, True)])
@pytest.mark.parametrize("mirrored", [False, True])
def test_an_entry_of_m_is_judged_beside_its_own_diagonal(by, passes, mirrored):
    """Two light fingers on a heavy body: an error that is small beside the body is none beside the fingers."""
    heavy, finger = rbd.inertia(100, (0, 0, 0), (10, 10, 10)), rbd.inertia(1e-3, (0.01, 0, 0), (1e-8, 1e-8, 1e-8))
    hinge, here = rbd.revolute(), (ONE, (0, 0, 0))
    model = rbd.Model([0, 1, 1], [rbd.free(), hinge, hinge], [here] * 3, [heavy, finger, finger])
    right = rbd.crba(model, model.neutral())
    entry = (6, 7) if mirrored else (0, 6)
    for M in (right, np.stack([right, 1e9 * right])):
        M = M.copy()
        M[(..., *entry)] += by * np.sqrt(right[entry[0], entry[0]] * right[entry[1], entry[1]])
        if mirrored:
            M[(..., *entry[::-1])] = M[(..., *entry)]
        if passes:
            rbd.ltdl(model, M)
        else:
            with pytest.raises(rbd.StateError, match="two branches" if mirrored else "mirror image"):
                rbd.ltdl(model, M)


def test_ltdl_names_a_negative_pivot_and_numbers_that_are_none():
    arm = rbd.robots.planar_arm()
    with pytest.raises(rbd.SingularError, match="negative pivot"):
        rbd.ltdl(arm, [[1, 2], [2, 1]])
    with pytest.raises(rbd.StateError, match="not finite"):
        rbd.ltdl(arm, [[np.nan, 1], [1, 2]])


@pytest.mark.parametrize("change, says", [
    (dict(b=[1, 2, 3]), "b must have nv = 4"),
    (dict(b=[1, 2, 3, np.nan]), "b holds"),
    (dict(D=np.eye(4)[:, :2]), "D must have nv = 4"),
    (dict(L=np.eye(2)), "L must have shape"),
])  # fmt: skip
def test_ltdl_solve_checks_what_it_is_given(change, says):
    model, M = tree_matrix()
    L, D = rbd.ltdl(model, M)
    with pytest.raises(rbd.StateError, match=says):
        rbd.ltdl_solve(model, **{**dict(L=L, D=D, b=[1, 2, 3, 4]), **change})


@pytest.mark.parametrize("M, error", [(np.zeros((2, 2)), rbd.SingularError), (np.zeros((2, 3)), rbd.StateError),
                                      ([[2.0, 1.0], [0.0, 2.0]], rbd.StateError)])  # fmt: skip
def test_the_textbook_order_refuses_too(M, error):
    with pytest.raises(error):
        rbd.ldlt(M)
    if np.shape(M) == (2, 2):  # in any row of a batch
        with pytest.raises(error):
            rbd.ldlt([np.eye(2), M])


@pytest.mark.parametrize("M", [[[np.nan, 0], [0, 1]], [[1, 2], [3]], "ab", [[1j, 0], [0, 1]]])
def test_what_is_no_matrix_of_numbers_is_named(M):
    for call in (rbd.ldlt, lambda M: rbd.ltdl(rbd.robots.planar_arm(), M)):
        with pytest.raises(rbd.StateError, match="^M "):
            call(M)


def test_exact_numbers_are_checked_as_floats_are():
    tree, two = rbd.robots.squared_paper_tree(), rbd.robots.planar_arm()
    with pytest.raises(rbd.StateError, match=r"M\[1, 3\] joins two branches"):
        rbd.ltdl(tree, fractions(np.ones((4, 4)) + 8 * np.eye(4)))
    for call in (rbd.ldlt, lambda M: rbd.ltdl(two, M)):
        with pytest.raises(rbd.StateError, match=r"M\[0, 1\] differs"):
            call(fractions(np.array([[1.0, 2], [3, 4]])))
    with pytest.raises(rbd.SingularError, match=r"joint 2 \(joint2\) has a negative pivot"):
        rbd.ltdl(two, fractions(-np.eye(2)))


def test_factors_of_another_kind_are_refused():
    """The textbook order's L is lower triangular too, but fills: with it the sweeps along the tree would be wrong."""
    tree, M = tree_matrix()
    b = np.ones(4)
    with pytest.raises(rbd.StateError, match=r"L\[\d, \d\] must be 0"):
        rbd.ltdl_solve(tree, *rbd.ldlt(M), b)
    L, D = rbd.ltdl(tree, M)
    with pytest.raises(rbd.StateError, match=r"L\[0, 0\] must be 1"):
        rbd.ltdl_solve(tree, 2 * L, D, b)
    with pytest.raises(rbd.SingularError, match=r"D\[2\] is zero"):
        rbd.ltdl_solve(tree, L, D * [1, 1, 0, 1], b)
    with pytest.raises(rbd.StateError, match=r"L \(3, 4, 4\), D \(4,\), b \(2, 4\)"):
        rbd.ltdl_solve(tree, np.stack([L] * 3), D, np.ones((2, 4)))


def test_a_block_of_the_wrong_shape_is_named():
    model = rbd.robots.random_tree(2, np.random.default_rng(0), ("revolute", "spherical"), branching=0)
    size = [model.joints[i].nv for i in (1, 2)]
    blocks = {(1, 1): np.eye(size[0]), (2, 1): np.ones((size[1], size[0])), (1, 2): np.ones((size[1], size[0])),
              (2, 2): np.eye(size[1])}  # fmt: skip
    assert size[0] != size[1]
    with pytest.raises(rbd.StateError, match=r"block \[1, 2\] must have shape"):
        model.join_matrix(blocks)


def test_a_batch_of_pushes_on_the_base_shows_in_every_result():
    arm = rbd.robots.planar_arm()
    push = {0: np.ones((4, 6))}
    state = [0, 0], [0, 0], [0, 0]
    assert rbd.aba(arm, *state, push).shape == rbd.rnea(arm, *state, push).shape == (4, 2)


@pytest.mark.parametrize("J", [[1, 0], "ab", [[np.nan, 0]], [[1, 2, 3]]])
def test_constraint_rows_are_checked(J):
    with pytest.raises(rbd.StateError, match="J "):
        rbd.delassus(rbd.robots.planar_arm(), [0, 0], J)


def test_constraint_rows_fit_the_batch():
    with pytest.raises(rbd.StateError, match="batch .* do not fit together: M⁻¹ .*, J "):
        rbd.delassus(rbd.robots.planar_arm(), np.zeros((3, 2)), np.ones((2, 1, 2)))


def test_inertia_of_a_long_thin_thing_is_no_singular_one():
    """Compliances of one free body 1e-9 apart in the same units are not noise."""
    lone = rbd.Model([0], [rbd.free()], [(ONE, (0, 0, 0))], [rbd.inertia(1, (0, 3e4, 0), (1e-1, 1e-1, 1e-1))])
    assert_allclose(rbd.operational_inertia(lone, lone.neutral(), 1), lone.I[1], rtol=1e-4, atol=1e-4)


def test_a_matrix_in_single_precision_is_one():
    M = np.float32(rbd.crba(tree_matrix()[0], [0.3, 0.5, -0.7, 0.2]))
    model, rough = tree_matrix()[0], M.copy()
    rough[0, 1] *= np.float32(1 + 3e-6)
    assert_allclose(rbd.ltdl(model, rough)[1], rbd.ltdl(model, M.astype(float))[1], rtol=1e-4)
    with pytest.raises(rbd.StateError, match=r"mirror image.*take \(M \+ M.mT\) / 2"):
        rbd.ltdl(model, rough.astype(float))
    rough[0, 1] *= np.float32(1.01)
    with pytest.raises(rbd.StateError, match="mirror image"):
        rbd.ltdl(model, rough)


def test_states_of_sliding_models_are_checked_by_name():
    model = rbd.Model([0, 1], [rbd.revolute(), rbd.helical((0, 0, 1), 0.2)], [(ONE, (0, 0, 0))] * 2,
                      [rbd.inertia(1, (0.5, 0, 0), (0.1, 0.1, 0.1))] * 2)  # fmt: skip
    for q in (0.3, [], np.zeros((2, 0)), [1, 2, 3]):
        with pytest.raises(rbd.StateError, match="q must have nq = 2 entries"):
            rbd.crba(model, q)


def test_no_freedom_no_column():
    none = rbd.Model([], [], [], [])
    assert rbd.mass_matrix_by_rnea(none, np.zeros((3, 0))).shape == (3, 0, 0)
    with pytest.raises(rbd.StateError):
        rbd.mass_matrix_by_rnea(none, np.zeros(2))


def test_inertia_of_a_tiny_and_of_a_huge_body_in_space():
    for mass, size in ((1e-9, 4e-25), (1e3, 1e19)):
        lone = rbd.Model([0], [rbd.free()], [(ONE, (0, 0, 0))], [rbd.inertia(mass, (0, 0, 0), (size, size, size))])
        assert_allclose(rbd.operational_inertia(lone, lone.neutral(), 1).diagonal(), lone.I[1].diagonal(), rtol=1e-12)


def test_the_reaction_has_the_batch_axes_of_a_push_on_a_locked_joint():
    model, z = tree_matrix()[0], np.zeros(4)
    qdd, reaction = rbd.held(model, z, z, z, [1], {1: np.ones((3, 6))})
    assert qdd.shape == reaction.shape == (3, 4)


@pytest.mark.parametrize("locked", [1, np.int64(1), None, "joint1", [0]])
def test_held_wants_a_list_of_joints(locked):
    model, z = tree_matrix()[0], np.zeros(4)
    with pytest.raises(rbd.StateError, match="held"):
        rbd.held(model, z, z, z, locked)


def test_factors_of_a_model_that_cannot_move_keep_the_batch_axes():
    model, q = rbd.Model([], [], [], []), np.zeros((5, 0))
    M = rbd.crba(model, q)
    shapes = [x.shape for x in (rbd.coriolis(model, q, q), *rbd.held(model, q, q, q, []), *rbd.ltdl(model, M),
                                *rbd.ldlt(M), rbd.ltdl_solve(model, M, q, q))]  # fmt: skip
    assert shapes == [(5, 0, 0), (5, 0), (5, 0), (5, 0, 0), (5, 0), (5, 0, 0), (5, 0), (5, 0)]


def test_a_model_that_cannot_move_keeps_the_batch_axes():
    model, none = rbd.Model([], [], [], []), np.zeros((3, 0))
    assert rbd.rnea(model, none, none, none).shape == rbd.aba(model, none, none, none).shape == (3, 0)
    assert rbd.crba(model, none).shape == rbd.minv(model, none).shape == (3, 0, 0)


def test_a_regrouped_model_is_not_lumped():
    with pytest.raises(rbd.StateError, match="regroup"):
        rbd.lock(rbd.regroup(tree_matrix()[0]), {2: 0})
