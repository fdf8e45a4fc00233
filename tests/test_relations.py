"""How the algorithms are one: the numbers of ABA, LTDL, CRBA, Minv and RNEA in terms of each other, and the
numbers of the storyboards (padlocks, completed squares, two numbers per link)."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from test_dynamics import SEEDS, case, condition, near

import rbdlite as rbd

PAPER_M = [[28, 11, 6, 4], [11, 8, 3, 0], [6, 3, 3, 0], [4, 0, 0, 4]]
PAPER_L = [[1, 0, 0, 0], [1, 1, 0, 0], [2, 1, 1, 0], [1, 0, 0, 1]]
PLANE = np.ix_([2, 3, 4], [2, 3, 4])  # (ω; vx, vy) of a planar arm
ONE_DOF = ("revolute", "prismatic", "helical")


def aba_trace(model, q, qd=None, tau=None, f_ext=None):
    zero = np.zeros(model.nv)
    return rbd.trace(rbd.aba, model, q, zero if qd is None else qd, zero if tau is None else tau, f_ext)


def at_rest(model):
    return model.replace(gravity=(0, 0, 0))


def ancestors(model, i):
    """Joints between joint i and the base, the next one first."""
    while model.parent[i]:
        i = model.parent[i]
        yield i


# ---------------------------------------------------------------------- ABA is a factorisation of M


@SEEDS
def test_pivots_of_aba_are_pivots_of_ltdl(seed):
    model, q, _, _, _, _ = case(seed, kinds=ONE_DOF)
    t, M = aba_trace(model, q), rbd.crba(model, q)
    D = rbd.ltdl(model, M)[1]
    near([t["D", i].item() for i in model.outward], D, condition(model, q))
    if any(model.parent[i] for i in model.outward):  # the textbook order has other pivots
        assert np.abs(rbd.ldlt(M)[1] - D).max() > 1e-6 * D.max()


@SEEDS
def test_factor_of_aba_is_the_factor_of_ltdl(seed):
    """U(j, i) = S_jᵀ ʲX_i* U_i D_i⁻¹ is L's entry; a joint with several freedoms is a block: D_i = L_iiᵀ D L_ii."""
    model, q, _, _, _, _ = case(seed)
    t, M, cond = aba_trace(model, q), rbd.crba(model, q), condition(model, q)
    L, D = rbd.ltdl(model, M)
    seen = 0
    for i in model.outward:
        here = model.v_slice[i]
        Lii = L[here, here]
        near(Lii.T @ np.diag(D[here]) @ Lii, t["D", i], cond)
        F, k = t["U", i] @ np.linalg.inv(t["D", i]), i
        for j in ancestors(model, i):
            F, k = t["X", k].T @ F, j
            near(Lii @ (model.S[j].T @ F).T, L[here, model.v_slice[j]], cond)
            seen += 1
        assert k == i or model.parent[k] == 0
    assert seen or all(p == 0 for p in model.parent[1:])


@SEEDS
def test_pivots_are_schur_complements(seed):
    """D_i: what is left of M's block i when all joints but those further in have been eliminated."""
    model, q, _, _, _, _ = case(seed)
    t, M = aba_trace(model, q), rbd.crba(model, q)
    for i in model.outward:
        block = M[model.v_slice[i], model.v_slice[i]]
        below = [j for j in model.outward if i in ancestors(model, j)]
        if below:
            cols = np.concatenate([np.arange(model.nv)[model.v_slice[j]] for j in below])
            N = M[model.v_slice[i]][:, cols]
            block = block - N @ np.linalg.solve(M[np.ix_(cols, cols)], N.T)
        near(t["D", i], block, condition(model, q))


@SEEDS
def test_right_hand_side_is_eliminated_with_the_matrix(seed):
    """At rest and without gravity u = L⁻ᵀ τ: the first triangular solve happens on the way in."""
    model, q, _, tau, _, _ = case(seed)
    model = at_rest(model)
    t = aba_trace(model, q, tau=tau)
    L, _ = rbd.ltdl(model, rbd.crba(model, q))
    z = np.linalg.solve(L.T, tau)
    for i in model.outward:
        here = model.v_slice[i]
        near(t["u", i][:, 0], L[here, here].T @ z[here], condition(model, q))


@SEEDS
def test_inverse_is_the_product_of_the_inverted_factors(seed):
    model, q, _, _, _, _ = case(seed)
    L, D = rbd.ltdl(model, rbd.crba(model, q))
    K = np.linalg.inv(L)
    near(K @ np.diag(1 / D) @ K.T, rbd.minv(model, q), condition(model, q))


@SEEDS
def test_what_a_root_joint_feels_is_the_inverse_of_its_block_of_the_inverse(seed):
    """Sᵀ I^A S (+ rotor) of a joint on the base = ((M⁻¹) block)⁻¹; further out the joints before it play along."""
    model, q, _, _, _, _ = case(seed)
    t, W, roots = aba_trace(model, q), rbd.minv(model, q), 0
    for i in model.outward:
        s = model.v_slice[i]
        felt = model.S[i].T @ t["IA", i] @ model.S[i] + model.Ir[i]
        near(felt, t["D", i])
        alone = np.linalg.inv(W[s, s])
        if model.parent[i] == 0:
            near(alone, felt, condition(model, q))
            roots += 1
        assert np.linalg.eigvalsh(felt - alone)[0] >= -1e-9 * np.abs(felt).max()
    assert roots


@SEEDS
def test_twice_the_kinetic_energy_is_a_sum_of_squares(seed):
    model, q, qd, _, _, _ = case(seed)
    M = rbd.crba(model, q)
    L, D = rbd.ltdl(model, M)
    assert D @ (L @ qd) ** 2 == pytest.approx(2 * rbd.kinetic_energy(model, q, qd), rel=1e-10)


# ------------------------------------------------------------------------- articulated inertia


@SEEDS
def test_articulated_lies_between_body_and_composite(seed):
    """I ⪯ I^A ⪯ I^c, and what a joint hands on is less: I^a ⪯ I^A; all of them positive."""
    model, q, _, _, _, _ = case(seed)
    t, c = aba_trace(model, q), rbd.trace(rbd.crba, model, q)
    messages = {s.at["i"]: s.value for s in t.steps if s.name == "Ia"}
    for i in model.outward:
        IA, IC = t["IA", i], c["IC", i]
        chain = [0 * IA, model.I[i], IA, IC]
        pairs = list(itertools.pairwise(chain))
        if i in messages:
            pairs += [(0 * IA, messages[i]), (messages[i], IA)]
        for low, high in pairs:
            assert np.linalg.eigvalsh(high - low)[0] >= -1e-12 * np.abs(IC).max()
        if model.children[i]:
            assert np.linalg.eigvalsh(IC - IA)[-1] > 1e-6 * np.abs(IC).max()
    assert sorted(messages) == [i for i in model.outward if model.parent[i]]


@SEEDS
def test_articulated_inertia_depends_on_the_configuration_alone(seed):
    """Bit for bit the same whatever the motors, speeds and pushes do (and gravity); the bias force is not."""
    model, q, qd, tau, _, rng = case(seed)
    push = {model.n_bodies: rng.normal(size=6)}
    quiet, busy, space = aba_trace(model, q), aba_trace(model, q, qd, tau, push), aba_trace(at_rest(model), q)
    for i in model.outward:
        for name in ("IA", "U", "D"):
            assert_array_equal(busy[name, i], quiet[name, i])
            near(space[name, i], quiet[name, i])
    inner = next((i for i in model.outward if model.children[i]), None)
    if inner:
        other = aba_trace(model, q, qd, tau + 1, push)
        assert np.abs(other["pA", inner] - busy["pA", inner]).max() > 1e-6


@SEEDS
def test_a_joint_hands_on_nothing_along_itself(seed):
    """I^a S = 0; a rotor, which stays behind, leaves I^a S = U D⁻¹ Ir."""
    model, q, _, _, _, _ = case(seed)
    for m in (model, model.replace(armature=np.zeros(model.nv))):
        t = aba_trace(m, q)
        for s in t.steps:
            if s.name == "Ia":
                i = s.at["i"]
                left = t["U", i] @ np.linalg.solve(t["D", i], m.Ir[i])
                np.testing.assert_allclose(s.value @ m.S[i], left, rtol=0, atol=1e-11 * np.abs(t["IA", i]).max())


@SEEDS
def test_force_across_a_joint_is_articulated_inertia_times_acceleration_plus_bias(seed):
    """f_i = I^A a_i + p^A for the torques given: f from RNEA at the accelerations that ABA found."""
    model, q, qd, tau, f_ext, _ = case(seed)
    t = aba_trace(model, q, qd, tau, f_ext)
    r = rbd.trace(rbd.rnea, model, q, qd, t.result, f_ext)
    for i in model.outward:
        near(t["a", i], r["a", i], condition(model, q))
        near(t["IA", i] @ t["a", i] + t["pA", i], r["f", i], condition(model, q))


@SEEDS
def test_minv_shares_the_quantities_of_aba(seed):
    model, q, _, _, _, _ = case(seed)
    a, m, h = aba_trace(model, q), rbd.trace(rbd.minv, model, q), held_trace(model, q, [])
    for i in model.outward:
        for name in ("X", "IA", "U", "D", "Dinv"):
            assert_array_equal(m[name, i], a[name, i])
            assert_array_equal(h[name, i], a[name, i])


def held_trace(model, q, locked):
    zero = np.zeros(model.nv)
    return rbd.trace(rbd.held, model, q, zero, zero, locked)


@SEEDS
def test_all_locked_articulated_inertia_is_composite(seed):
    model, q, _, _, _, _ = case(seed)
    h, c = held_trace(model, q, list(model.outward)), rbd.trace(rbd.crba, model, q)
    for i in model.outward:
        near(h["IA", i], c["IC", i])


@SEEDS
def test_closing_a_padlock_makes_nothing_lighter(seed):
    model, q, _, _, _, rng = case(seed)
    order, shut = [int(i) for i in rng.permutation(model.outward)], []
    before = held_trace(model, q, [])
    for i in order:
        shut.append(i)
        now = held_trace(model, q, shut)
        for j in model.outward:
            assert np.linalg.eigvalsh(now["IA", j] - before["IA", j])[0] >= -1e-10 * np.abs(now["IA", j]).max()
        before = now


# ------------------------------------------------------------------------------ which masses, where


def test_an_entry_of_the_mass_matrix_sees_the_subtree_of_its_outer_joint():
    rng = np.random.default_rng(4)
    model = rbd.robots.random_tree(5, rng, ("revolute",), branching=0)
    q = model.random(rng)
    M = rbd.crba(model, q)
    for k in model.outward:
        heavier = model.replace(inertias=[I * (1.7 if i == k else 1) for i, I in enumerate(model.I[1:], 1)])
        change = np.abs(rbd.crba(heavier, q) - M) > 1e-12
        assert_array_equal(change, [[max(i, j) <= k for j in model.outward] for i in model.outward])


def test_squared_paper_mass_matrix_is_a_sum_of_sheets():
    """Sheet k = m_k times the dot products of the arms from the joints to tip k, for the joints that carry it."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        model, q, _ = paper_tree(rng)
        joint = [p[:2] for _, p in rbd.poses(model, q)]
        tip = [(p + R @ [1, 0, 0])[:2] for R, p in rbd.poses(model, q)]
        M = np.zeros((model.nv, model.nv))
        for k in model.outward:
            for i, j in itertools.product([k, *ancestors(model, k)], repeat=2):
                M[i - 1, j - 1] += model.mass[k] * (tip[k] - joint[i]) @ (tip[k] - joint[j])
        near(rbd.crba(model, q), M)


def test_root_is_not_always_the_heaviest():
    M = rbd.crba(rbd.robots.planar_arm((0.2, 1), (0.1, 2)), [0, np.pi])
    np.testing.assert_allclose(np.diag(M), [0.348, 2 / 3], atol=1e-12)


# -------------------------------------------------------------------------- squared paper, α and β


def paper_tree(rng):
    """A tree of unit links at right angles: (model, q, quarter turns of each link from the x axis)."""
    n = int(rng.integers(2, 8))
    parent = [int(rng.integers(0, i + 1)) for i in range(n)]
    model = rbd.robots.squared_paper_tree(parent, [int(m) for m in rng.integers(1, 6, n)])
    quarter = [int(k) for k in rng.integers(0, 4, n)]
    heading = [0] * (n + 1)
    for i in model.outward:
        heading[i] = heading[model.parent[i]] + quarter[i - 1]
    return model, np.array(quarter) * np.pi / 2, heading


def alpha_beta(model, heading):
    """Crosswise and lengthwise number of each link: its mass, and from each child the child's β."""
    α, β = list(model.mass), list(model.mass)
    for i in model.inward:
        p = model.parent[i]
        if p and (heading[i] - heading[p]) % 2:
            α[p] += β[i]
        elif p:
            β[p] += β[i]
    return α, β


def whole(x):
    x = np.asarray(x, dtype=float)
    np.testing.assert_allclose(x, np.round(x), rtol=0, atol=1e-8)
    return np.round(x).astype(int)


@pytest.mark.parametrize("block", range(5))
def test_two_numbers_for_each_link(block):
    """100 random trees at right angles: I^A = [[α, 0, α], [0, β, 0], [α, 0, α]], D = α, and all numbers integers."""
    for seed in range(20 * block, 20 * block + 20):
        rng = np.random.default_rng([3, seed])
        model, q, heading = paper_tree(rng)
        qd, qdd = rng.integers(-3, 4, (2, model.nv))
        α, β = alpha_beta(model, heading)
        tau = whole(rbd.rnea(model, q, qd, qdd))
        t = aba_trace(model, q, qd, tau)
        assert_array_equal(whole(t.result), qdd)
        L, D = rbd.ltdl(model, rbd.crba(model, q))
        assert_array_equal(whole(D), α[1:])
        L = whole(L)
        for i in model.outward:
            a, b = α[i], β[i]
            assert_array_equal(whole(t["IA", i][PLANE]), [[a, 0, a], [0, b, 0], [a, 0, a]])
            assert t["D", i].item() == pytest.approx(a)
            for name in ("v", "c", "pA", "u", "a"):
                whole(t[name, i])
        poses = rbd.poses(model, q)
        for i in model.outward:  # L_ij: lever arm about hinge j of a unit force through tip i across link i
            R, p = poses[i]
            for j in ancestors(model, i):
                arm, across = (p + R @ [1, 0, 0]) - poses[j][1], R @ [0, 1, 0]
                assert L[i - 1, j - 1] == pytest.approx(np.cross(arm, across)[2], abs=1e-9)


@pytest.mark.parametrize("exact", [False, True])
def test_running_example(exact):
    """M, L, D, the two states with the same acceleration, and the values ABA goes through."""
    if exact:
        pytest.importorskip("sympy")
    model = rbd.robots.squared_paper_tree(exact=exact)
    q, qd, qdd = rbd.robots.squared_paper_state(exact=exact)
    M = rbd.crba(model, q)
    assert_array_equal(whole(M), PAPER_M)
    L, D = rbd.ltdl(model, M)
    assert_array_equal(whole(L), PAPER_L)
    assert_array_equal(whole(D), [7, 5, 3, 4])
    tau = np.array([154, 24, 21, 4])
    assert_array_equal(whole(rbd.rnea(model, q, qd, qdd)), tau)
    assert_array_equal(whole(rbd.bias(model, q, qd) - rbd.gravity_torque(model, q)), [8, -4, -12, -4])
    assert_array_equal(whole(rbd.coriolis(model, q, qd) @ qd), [8, -4, -12, -4])
    assert_array_equal(whole(rbd.gravity_torque(model, q)), [130, 30, 30, 0])
    t = rbd.trace(rbd.aba, model, q, qd, tau)
    assert_array_equal(whole(t.result), qdd)
    assert_array_equal([int(t["u", i].item()) if exact else whole(t["u", i]).item() for i in range(1, 5)],
                       [77, -10, 27, 16])  # fmt: skip
    rest = model.replace(gravity=(0, 0, 0))
    t = rbd.trace(rbd.aba, rest, q, 0 * qd, np.array([16, -2, 3, 8]))
    assert_array_equal(whole(t.result), qdd)
    u = np.array([whole(t["u", i]).item() for i in range(1, 5)])
    assert_array_equal(u[::-1], [8, 3, -5, 7])
    assert_array_equal((u / [7, 5, 3, 4])[::-1], [2, 1, -1, 1])
    c = rbd.trace(rbd.crba, model, q)
    assert_array_equal(whole(c["IC", 1][PLANE]), [[28, -1, 13], [-1, 10, 0], [13, 0, 10]])
    assert_array_equal(whole(c["IC", 2][PLANE]), [[8, 3, 5], [3, 5, 0], [5, 0, 5]])
    F = {s.at["i"]: whole(s.value[2:5, 0]) for s in c.steps if s.line == 6}
    assert_array_equal(F[2], [8, 3, 5])
    step = next(s.value for s in c.steps if s.line == 10 and s.at["i"] == 2)
    assert_array_equal(whole(step[2:5, 0]), [11, -5, 3])
    assert_array_equal(whole(t["U", 2][2:5, 0]), [5, 0, 5])
    assert_array_equal(whole((t["X", 2].T @ t["U", 2])[2:5, 0]), [5, -5, 0])
    messages = {s.at["i"]: whole(s.value[PLANE]) for s in t.steps if s.name == "Ia"}
    assert_array_equal(messages[2], np.diag([0, 2, 0]))


def test_energy_of_the_running_example_in_completed_squares():
    """2T = 7 q̇₁² + 5 (q̇₁ + q̇₂)² + 3 (2 q̇₁ + q̇₂ + q̇₃)² + 4 (q̇₁ + q̇₄)²"""
    sp = pytest.importorskip("sympy")
    v = np.array(sp.symbols("v1:5"), dtype=object)
    model = rbd.robots.squared_paper_tree(exact=True)
    q = rbd.robots.squared_paper_state(exact=True)[0]
    want = 7 * v[0] ** 2 + 5 * (v[0] + v[1]) ** 2 + 3 * (2 * v[0] + v[1] + v[2]) ** 2 + 4 * (v[0] + v[3]) ** 2
    assert sp.expand(2 * rbd.kinetic_energy(model, q, v) - want) == 0
    assert sp.expand(v @ rbd.crba(model, q) @ v - want) == 0


def test_matrices_on_the_way_of_the_elimination():
    t = rbd.trace(rbd.ltdl, rbd.robots.squared_paper_tree(), np.array(PAPER_M))
    H, left, now = np.array(PAPER_M, dtype=float), {}, {}
    for s in t.steps:
        now[s.name] = s.value
        if s.line == 2:
            left[s.at["k"]] = H.copy()
        if s.line == 9:  # one triangle of what is left is written
            H[now["i"], now["j"]] = H[now["j"], now["i"]] = s.value
    assert_array_equal(left[2][:3, :3], [[24, 11, 6], [11, 8, 3], [6, 3, 3]])
    assert_array_equal(left[1][:2, :2], [[12, 5], [5, 5]])
    assert left[0][0, 0] == 7


def test_order_of_elimination_decides_the_fill_in():
    """All 24 orders of the running example; leaf first is one of 14 without a new coupling."""
    free, fill = 0, {}
    for order in itertools.permutations(range(4)):
        M = np.array(PAPER_M)[np.ix_(order, order)] + np.diag([0.1, 0.2, 0.3, 0.4])
        new = (np.abs(rbd.ldlt(M)[0]) > 1e-12) & (np.tril(M) == 0)
        fill[tuple(k + 1 for k in order)] = np.tril(new, -1).sum()
        free += not np.tril(new, -1).any()
    assert free == 14
    assert fill[4, 3, 2, 1] == 0 and fill[1, 2, 3, 4] == 2 and fill[2, 1, 3, 4] == 1
    H = np.array(PAPER_M) - np.outer(PAPER_M[0], PAPER_M[0]) / 28  # joint 1 removed first: springs 2-4 and 3-4
    np.testing.assert_allclose([H[1, 3], H[2, 3]], [-11 / 7, -6 / 7])


# ------------------------------------------------------------------------------------------ padlocks


def felt(model, q, locked, joint=0):
    """Torque over acceleration of one joint, the other motors silent, at rest."""
    model, zero = model.replace(gravity=(0, 0, 0)), np.zeros(model.nv)
    return 1 / rbd.held(model, q, zero, np.eye(model.nv)[joint], locked)[0][joint]


PADLOCKS = {(): 7, (4,): 11, (2,): 12, (3,): "71/8", (3, 4): "103/8", (2, 4): 16, (2, 3): 24, (2, 3, 4): 28}


@pytest.mark.parametrize("locked", PADLOCKS, ids=str)
def test_eight_states_of_three_padlocks(locked):
    """Felt at joint 1, by three roads: held joints, a model with fewer joints, elimination in M."""
    model, q = rbd.robots.squared_paper_tree(), rbd.robots.squared_paper_state()[0]
    right = float(Fraction(PADLOCKS[locked]))
    assert felt(model, q, locked) == pytest.approx(right, rel=1e-12)
    small = rbd.lock(model, {i: q[i - 1] for i in locked})
    kept = np.delete(q, [i - 1 for i in locked])
    assert 1 / rbd.minv(small, kept)[0, 0] == pytest.approx(right, rel=1e-12)
    assert rbd.trace(rbd.minv, small, kept)["D", 1].item() == pytest.approx(right, rel=1e-12)
    keep = [k for k in range(4) if k + 1 not in locked]
    assert 1 / np.linalg.inv(np.array(PAPER_M)[np.ix_(keep, keep)])[0, 0] == pytest.approx(right, rel=1e-12)


def test_a_heavy_third_link_is_not_felt_at_the_first_joint():
    q = rbd.robots.squared_paper_state()[0]
    for m3, locked in ((3, 28), (30, 163)):
        model = rbd.robots.squared_paper_tree(masses=(1, 2, m3, 4))
        assert rbd.crba(model, q)[0, 0] == pytest.approx(locked)
        assert aba_trace(model, q)["D", 1].item() == pytest.approx(7)


def toy_arm():
    """M = [[2, 1], [1, 2]]: inertia 1 about joint 1, one metre; 1 kg at 1 m with inertia 1; elbow folded."""
    return rbd.Model([0, 1], [rbd.revolute()] * 2, [(np.eye(3), (0, 0, 0)), (np.eye(3), (1, 0, 0))],
                     [rbd.inertia(1, (0, 0, 0), (0.5, 0.5, 1)), rbd.inertia(1, (1, 0, 0), (0.5, 0.5, 1))],
                     gravity=(0, 0, 0)), [0, np.pi]  # fmt: skip


def toy_carts():
    """The same M: two unit carts on one rail, the second measured from the first, and a rotor of 1 on the second."""
    return rbd.Model([0, 1], [rbd.prismatic()] * 2, [(np.eye(3), (0, 0, 0))] * 2, [rbd.inertia(1)] * 2,
                     gravity=(0, 0, 0), armature=[0, 1]), [0.3, 0.2]  # fmt: skip


@pytest.mark.parametrize("toy", [toy_arm, toy_carts])
def test_padlock_and_parabola(toy):
    model, q = toy()
    zero = np.zeros(2)
    np.testing.assert_allclose(rbd.crba(model, q), [[2, 1], [1, 2]], atol=1e-12)
    qdd, reaction = rbd.held(model, q, zero, [1, 0], [2])
    np.testing.assert_allclose(qdd, [1 / 2, 0], atol=1e-12)
    np.testing.assert_allclose(reaction, [0, 1 / 2], atol=1e-12)
    np.testing.assert_allclose(rbd.aba(model, q, zero, [1, 0]), [2 / 3, -1 / 3], atol=1e-12)
    assert felt(model, q, [2]) == pytest.approx(2) and felt(model, q, []) == pytest.approx(3 / 2)
    x = np.linspace(-2, 2, 9)
    height = np.array([2 * rbd.kinetic_energy(model, q, [1, k]) for k in x])
    np.testing.assert_allclose(height, 2 + 2 * x + 2 * x**2, atol=1e-12)
    assert 2 * rbd.kinetic_energy(model, q, [1, -1 / 2]) == pytest.approx(3 / 2)


def test_bending_the_elbow():
    """Unit rods: locked the arm gets lighter, 8/3 to 5/3; free it gets heavier, 7/12 to 4/3."""
    model = rbd.robots.planar_arm()
    for bend, locked, free in ((0, 8 / 3, 7 / 12), (np.pi / 2, 5 / 3, 4 / 3)):
        assert felt(model, [0, bend], [2]) == pytest.approx(locked)
        assert felt(model, [0, bend], []) == pytest.approx(free)
    t = aba_trace(model, [0, np.pi / 2])
    np.testing.assert_allclose(t["IA", 1][PLANE], [[4 / 3, 0, 3 / 2], [0, 5 / 4, 0], [3 / 2, 0, 2]], atol=1e-12)
    IC = rbd.trace(rbd.crba, model, [0, np.pi / 2])["IC", 1]
    np.testing.assert_allclose(np.diag(IC)[2:5], [5 / 3, 2, 2], atol=1e-12)
    share = (t["X", 2].T @ next(s.value for s in t.steps if s.name == "Ia") @ t["X", 2])[3:5, 3:5]
    np.testing.assert_allclose(np.linalg.eigvalsh(share), [1 / 4, 1], atol=1e-12)  # along the rod 1, across it 1/4
    d = np.array([1, 1]) / np.sqrt(2)
    force = share @ d
    assert d @ force == pytest.approx(0.625)
    np.testing.assert_allclose(sorted(np.abs(force)), [0.1768, 0.7071], atol=1e-4)
    assert np.degrees(np.arccos(d @ force / np.linalg.norm(force))) == pytest.approx(31, abs=0.1)


def test_a_rotor_added_for_the_numerics_is_another_robot():
    """Bent arm of the worked example: 0.1 on each joint changes the answer by half, 0.001 by a percent."""
    arm = rbd.robots.planar_arm((1, 0.8), (2, 1))
    for rotor, qdd in ((0, (-11.183, 30.146)), (0.1, (-8.086, 15.959)), (1e-3, (-11.128, 29.887))):
        model = arm.replace(armature=[rotor, rotor])
        np.testing.assert_allclose(rbd.aba(model, [0.3, 0.9], [1, 2], [5, 3]), qdd, atol=6e-4)
