"""Laws that forward dynamics must obey, on random skewed trees with every joint type, numbered in every way."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import rbdlite as rbd

SEEDS = pytest.mark.parametrize("seed", range(12))
NUMBERINGS = ("any", "breadth", "depth")


def case(seed, n=8, **options):
    """model, q, qd, x, f_ext, rng: up to n bodies; every fourth model without armature."""
    rng = np.random.default_rng(500 + seed)
    options = {"numbering": NUMBERINGS[seed % 3], "armature": seed % 4 != 0} | options
    model = rbd.robots.random_tree(int(rng.integers(2, n + 1)), rng, **options)
    qd, x = rng.normal(size=(2, model.nv))
    f_ext = {i: rng.normal(scale=3, size=6) for i in model.outward if rng.random() < 0.6}
    return model, model.random(rng), qd, x, f_ext, rng


def near(ours, right, cond=1.0, rtol=1e-13):
    """|ours - right| <= rtol cond (1 + max|right|); rtol is some hundreds of rounding errors."""
    ours, right = np.asarray(ours, dtype=float), np.asarray(right, dtype=float)
    assert ours.shape == right.shape and ours.size > 0
    gap, allowed = np.abs(ours - right).max(), max(1e-12, rtol * cond) * (1 + np.abs(right).max())
    assert gap <= allowed, f"differs by {gap:.2e}, allowed {allowed:.2e}"


def condition(model, q):
    return np.linalg.cond(rbd.mass_matrix_by_rnea(model, q))


def floating(rng, n=5, **options):
    """A tree of n bodies hung on a free base; rotor inertia at its joints (a base has no rotors)."""
    options = {"armature": False, "kinds": ("revolute", "prismatic", "spherical")} | options
    tree = rbd.robots.random_tree(n, rng, **options)
    nv = 6 + tree.nv
    return rbd.Model([0, *(p + 1 for p in tree.parent[1:])], [rbd.free(), *tree.joints[1:]],
                     [(np.eye(3), np.zeros(3)), *map(rbd.pose, tree.XT[1:])],
                     [rbd.robots.random_body(rng), *tree.I[1:]], gravity=tree.gravity,
                     armature=np.r_[np.zeros(6), rng.uniform(0, 0.5, nv - 6)])  # fmt: skip


def test_the_cases_hold_what_they_promise():
    models = [case(seed)[0] for seed in range(12)]
    assert {j.kind for m in models for j in m.joints[1:]} == set(rbd.robots.trees.KINDS)
    assert any(m.armature.any() for m in models) and any(not m.armature.any() for m in models)
    assert any(case(seed)[4] for seed in range(12))
    skipping = [m for m in models if any(m.parent[i] != i - 1 for i in m.outward)]
    assert len(skipping) >= 6


# ------------------------------------------------------------------------------- one against another


@SEEDS
def test_forward_undoes_inverse_dynamics(seed):
    model, q, qd, qdd, f_ext, _ = case(seed)
    cond = condition(model, q)
    near(rbd.aba(model, q, qd, rbd.rnea(model, q, qd, qdd, f_ext), f_ext), qdd, cond)
    near(rbd.rnea(model, q, qd, rbd.aba(model, q, qd, qdd, f_ext), f_ext), qdd, cond)


@SEEDS
def test_crba_gives_the_columns_of_rnea(seed):
    model, q, qd, _, _, _ = case(seed)
    M = rbd.crba(model, q)
    near(M, rbd.mass_matrix_by_rnea(model, q))
    near(M, M.T, rtol=1e-15)
    assert np.linalg.eigvalsh(M)[0] > 0
    assert qd @ M @ qd / 2 == pytest.approx(rbd.kinetic_energy(model, q, qd), rel=1e-12)


@SEEDS
def test_the_mass_matrix_is_the_sum_of_the_bodies(seed):
    """M = Σ Jᵀ I J over the bodies, and the rotors."""
    model, q, _, _, _, _ = case(seed)
    J = [rbd.jacobian(model, q, i) for i in range(model.n_bodies + 1)]
    near(rbd.crba(model, q), sum(J[i].T @ model.I[i] @ J[i] for i in model.outward) + np.diag(model.armature))


@SEEDS
def test_the_inverse_is_one(seed):
    model, q, _, x, _, _ = case(seed)
    M, W, cond = rbd.crba(model, q), rbd.minv(model, q), condition(model, q)
    one = np.eye(model.nv)
    near(W @ M, one, cond)
    near(M @ W, one, cond)
    near(W, W.T, cond)
    assert np.linalg.eigvalsh(W)[0] > 0
    near(rbd.minv_times(model, q, x), W @ x, cond)


@SEEDS
def test_every_entry_of_the_inverse_is_computed(seed):
    """Symmetric by computation: each column has its own push, each body answers it."""
    model, q, _, _, _, _ = case(seed, n=4)
    written = [s.index for s in rbd.trace(rbd.minv, model, q).steps if s.name == "W"]
    assert sorted(written) == [(i, k) for i in model.outward for k in range(model.nv)]


def test_the_inverse_is_returned_as_it_was_computed():
    """Its two halves differ by rounding: neither is a copy of the other, nor the mean of both."""
    apart = []
    for seed in range(5):
        model, q, *_ = case(seed, n=8)
        W = rbd.minv(model, q)
        near(W, W.T, condition(model, q))
        apart.append(np.any(W != W.T))
    assert all(apart)


@SEEDS
def test_minv_times_knows_neither_weight_nor_speed(seed):
    model, q, qd, x, _, _ = case(seed)
    assert np.abs(model.gravity).max() > 0.1
    cond = condition(model, q)
    near(rbd.minv_times(model, q, x), np.linalg.solve(rbd.crba(model, q), x), cond)
    near(rbd.aba(model, q, qd, x) - rbd.aba(model, q, qd, 0 * x), rbd.minv_times(model, q, x), cond)
    near(rbd.minv_times(model, q, np.eye(model.nv)), rbd.minv(model, q), cond)  # a batch of columns


@SEEDS
def test_factors_give_the_matrix_back_and_solve(seed):
    model, q, _, x, _, _ = case(seed)
    M, cond = rbd.crba(model, q), condition(model, q)
    L, D = rbd.ltdl(model, M)
    near(L.T @ np.diag(D) @ L, M)
    assert_array_equal(np.diag(L), np.ones(model.nv))
    assert_array_equal(np.triu(L, 1), np.zeros_like(L))
    assert (D > 0).all()
    near(rbd.ltdl_solve(model, L, D, x), np.linalg.solve(M, x), cond)
    K, E = rbd.ldlt(M)
    near(K @ np.diag(E) @ K.T, M)
    assert_array_equal(np.triu(K, 1), np.zeros_like(K))
    assert_array_equal(np.diag(K), np.ones(model.nv))
    near(E, np.diag(np.linalg.cholesky(M)) ** 2)


@SEEDS
def test_factors_of_a_batch(seed):
    model, _, _, _, _, rng = case(seed, n=5)
    q, b = np.array([model.random(rng) for _ in range(3)]), rng.normal(size=(2, 1, model.nv))
    M = rbd.crba(model, q)
    L, D = rbd.ltdl(model, M)
    assert L.shape == M.shape and D.shape == (3, model.nv)
    x = rbd.ltdl_solve(model, L, D, b)
    assert x.shape == (2, 3, model.nv)
    near(M @ x[..., None], np.broadcast_to(b[..., None], (2, 3, model.nv, 1)), max(condition(model, y) for y in q))
    K, E = rbd.ldlt(M)
    for k in range(3):
        for ours, one in ((L, rbd.ltdl(model, M[k])[0]), (D, rbd.ltdl(model, M[k])[1]), (K, rbd.ldlt(M[k])[0]),
                          (E, rbd.ldlt(M[k])[1])):  # fmt: skip
            assert_array_equal(ours[k], one)


@SEEDS
def test_batches_equal_single_calls(seed):
    model, _, _, _, _, rng = case(seed, n=5)
    q = np.array([model.random(rng) for _ in range(3)])
    qd, tau = rng.normal(size=(2, 3, model.nv))
    body = model.n_bodies
    push = rng.normal(size=(3, 6))
    calls = {
        "crba": lambda k: rbd.crba(model, q[k]),
        "minv": lambda k: rbd.minv(model, q[k]),
        "aba": lambda k: rbd.aba(model, q[k], qd[k], tau[k], {body: push[k]}),
        "one q": lambda k: rbd.aba(model, q[0], qd[k], tau[k]),
        "one qd": lambda k: rbd.aba(model, q[k], qd[0], tau[0], {body: push[0]}),
        "minv_times": lambda k: rbd.minv_times(model, q[k], tau[k]),
        "coriolis": lambda k: rbd.coriolis(model, q[k], qd[k]),
        "held": lambda k: np.stack(rbd.held(model, q[k], qd[k], tau[k], [body], {body: push[k]})),
        **{name: lambda k, name=name: getattr(rbd.all_terms(model, q[k], qd[k]), name)
           for name in ("M", "bias", "gravity", "kinetic", "potential", "com", "momentum")},
    }  # fmt: skip
    cond = max(condition(model, x) for x in q)
    for name, call in calls.items():
        whole = call(slice(None))
        axis = 1 if name == "held" else 0
        near(whole, np.stack([call(k) for k in range(3)], axis=axis), cond)


@pytest.mark.parametrize("kind", rbd.robots.trees.KINDS)
def test_batches_keep_their_axes_where_nothing_depends_on_q(kind):
    """M of a pendulum is one number, whatever q; a batch of states still gets a batch of matrices."""
    model, x = rbd.robots.random_tree(1, np.random.default_rng(1), (kind,)), np.random.default_rng(2)
    q, one = np.array([model.random(x) for _ in range(5)]), np.ones(model.nv)
    nv = model.nv
    assert rbd.crba(model, q).shape == rbd.minv(model, q).shape == (5, nv, nv)
    assert rbd.all_terms(model, q, one).M.shape == rbd.coriolis(model, q, one).shape == (5, nv, nv)
    for locked in ([], [1]):
        assert [y.shape for y in rbd.held(model, q, one, one, locked)] == [(5, nv)] * 2
        assert [y.shape for y in rbd.held(model, q[0], one, np.ones((5, nv)), locked)] == [(5, nv)] * 2


@SEEDS
def test_calls_repeat_bit_for_bit_and_change_nothing(seed):
    model, q, qd, x, f_ext, rng = case(seed, n=5)
    kept = [y.copy() for y in (q, qd, x)]
    M = rbd.crba(model, q)

    def everything():
        return [rbd.crba(model, q), rbd.minv(model, q), rbd.aba(model, q, qd, x, f_ext), *rbd.ltdl(model, M),
                rbd.ltdl_solve(model, *rbd.ltdl(model, M), x), rbd.coriolis(model, q, qd), rbd.minv_times(model, q, x),
                *rbd.held(model, q, qd, x, [1]), rbd.all_terms(model, q, qd).M]  # fmt: skip

    first = everything()
    rbd.minv(model, model.random(rng))  # another configuration in between
    rbd.aba(model, model.random(rng), x, qd)
    for a, b in zip(first, everything(), strict=True):
        assert_array_equal(a, b)
    for y, k in zip((q, qd, x, M), (*kept, first[0]), strict=True):
        assert_array_equal(y, k)


# -------------------------------------------------------------------------------- Coriolis, all terms


@SEEDS
def test_coriolis_matrix_gives_the_velocity_forces(seed):
    model, q, qd, _, _, _ = case(seed)
    C = rbd.coriolis(model, q, qd)
    near(C @ qd, rbd.bias(model, q, qd) - rbd.gravity_torque(model, q))
    near(rbd.coriolis(model, q, 3 * qd), 3 * C)


@SEEDS
def test_rate_of_the_mass_matrix_less_twice_coriolis_is_skew(seed):
    """Ṁ by central differences along the motion, on the manifold; also Ṁ = C + Cᵀ."""
    model, q, qd, x, _, _ = case(seed)
    h = 1e-5
    after, before = (rbd.crba(model, rbd.integrate(model, q, qd, t)) for t in (h, -h))
    rate = (after - before) / (2 * h)
    N = rate - 2 * rbd.coriolis(model, q, qd)
    scale = 1 + np.abs(rate).max()
    assert np.abs(N + N.T).max() <= 1e-7 * scale
    assert np.abs(x @ N @ x) <= 1e-7 * scale * (x @ x)
    assert np.abs(rate).max() > 1e-3 or model.nv == 1  # there was something to see


@SEEDS
def test_one_sweep_gives_the_terms_of_many(seed):
    model, q, qd, _, _, _ = case(seed)
    t = rbd.all_terms(model, q, qd)
    near(t.M, rbd.crba(model, q))
    near(t.bias, rbd.bias(model, q, qd))
    near(t.gravity, rbd.gravity_torque(model, q))
    near([t.kinetic, t.potential], [rbd.kinetic_energy(model, q, qd), rbd.potential_energy(model, q)])
    near(t.com, rbd.com(model, q))
    momentum = np.zeros(6)
    for (R, p), v, I in zip(rbd.poses(model, q), rbd.velocities(model, q, qd), model.I, strict=True):
        n, f = np.split(I @ v, 2)
        momentum += np.r_[R @ n + np.cross(p, R @ f), R @ f]
    near(t.momentum, momentum)


@SEEDS
def test_linear_momentum_is_mass_times_the_speed_of_its_centre(seed):
    model, q, qd, _, _, _ = case(seed)
    h = 1e-6
    speed = (rbd.com(model, rbd.integrate(model, q, qd, h)) - rbd.com(model, rbd.integrate(model, q, qd, -h))) / (2 * h)
    np.testing.assert_allclose(rbd.all_terms(model, q, qd).momentum[3:], rbd.total_mass(model) * speed, atol=1e-6)


def test_what_is_bolted_to_the_base_counts_in_energy_and_centre_only():
    model, q, qd, _, _, rng = case(3)
    bolted = model.replace(base_inertia=rbd.robots.random_body(rng))
    ours, bare = rbd.all_terms(bolted, q, qd), rbd.all_terms(model, q, qd)
    for name in ("M", "bias", "gravity", "kinetic", "momentum"):
        near(getattr(ours, name), getattr(bare, name))
    near([ours.potential], [rbd.potential_energy(bolted, q)])
    near(ours.com, rbd.com(bolted, q))
    assert np.abs(ours.com - bare.com).max() > 1e-3


# --------------------------------------------------------------------------- lock, held, regroup


def some_joints(model, rng):
    """At least one joint, and not all if there are several."""
    count = int(rng.integers(1, max(2, model.n_bodies)))
    return sorted(int(i) for i in rng.choice(model.outward, count, replace=False))


def columns_of(model, bodies):
    return np.concatenate([np.arange(model.nv)[model.v_slice[i]] for i in bodies] or [np.zeros(0, int)])


@SEEDS
def test_a_padlock_pushes_as_its_reaction_says(seed):
    """held: no acceleration at locked joints, nothing carried by open ones, and open joints driven by tau + reaction
    move alike. The locked joints may be moving: it is their acceleration that is held at zero."""
    model, q, qd, tau, f_ext, rng = case(seed)
    locked = some_joints(model, rng)
    shut = columns_of(model, locked)
    qdd, reaction = rbd.held(model, q, qd, tau, locked, f_ext)
    cond = condition(model, q)
    assert_array_equal(qdd[shut], np.zeros(len(shut)))
    assert_array_equal(np.delete(reaction, shut), np.zeros(model.nv - len(shut)))
    near(rbd.aba(model, q, qd, tau + reaction, f_ext), qdd, cond)
    near(rbd.rnea(model, q, qd, qdd, f_ext), tau + reaction, cond)


@SEEDS
def test_no_padlock_is_forward_dynamics_and_all_are_statics(seed):
    model, q, qd, tau, f_ext, _ = case(seed)
    qdd, reaction = rbd.held(model, q, qd, tau, [], f_ext)
    near(qdd, rbd.aba(model, q, qd, tau, f_ext), condition(model, q))
    assert not reaction.any()
    qdd, reaction = rbd.held(model, q, qd, tau, list(model.outward), f_ext)
    assert not qdd.any()
    near(tau + reaction, rbd.rnea(model, q, qd, 0 * tau, f_ext))


@SEEDS
def test_a_locked_model_moves_like_the_held_one(seed):
    """Two roads: fewer freedoms, or a constraint. The locked joints rest, the others may move."""
    model, q, qd, tau, f_ext, rng = case(seed)
    locked = some_joints(model, rng)
    shut = columns_of(model, locked)
    qd[shut] = 0
    small = rbd.lock(model, {model.joint_names[i]: q[model.q_slice[i]] for i in locked})
    keep = np.delete(np.arange(model.nv), shut)
    keep_q = np.concatenate([q[model.q_slice[i]] for i in model.outward if i not in locked] or [np.zeros(0)])
    assert small.nv == len(keep) and small.n_bodies == model.n_bodies - len(locked)
    assert rbd.total_mass(small) == pytest.approx(rbd.total_mass(model))
    names = {model.names[i]: w for i, w in f_ext.items()}  # links on locked joints are frames now
    qdd = rbd.held(model, q, qd, tau, locked, f_ext)[0]
    if len(keep):
        near(rbd.aba(small, keep_q, qd[keep], tau[keep], names), qdd[keep], condition(model, q))
        near(rbd.crba(small, keep_q), rbd.crba(model, q)[np.ix_(keep, keep)])
        near(rbd.bias(small, keep_q, qd[keep], names), rbd.bias(model, q, qd, f_ext)[keep])
    for i in model.outward:
        for ours, right in zip(rbd.frame_pose(small, keep_q, model.names[i]), rbd.poses(model, q)[i], strict=True):
            near(ours, right)


def test_locking_drops_the_rotor_and_keeps_the_names():
    model = rbd.robots.planar_arm((1, 1, 1), (1, 2, 3), armature=[0.1, 0.2, 0.3])
    small = rbd.lock(model, {"joint2": 0.5})
    assert_array_equal(small.armature, [0.1, 0.3])
    assert small.joint_names == ("", "joint1", "joint3") and small.names == ("base", "link1", "link3")
    assert "link2" in small.frames and small.index("link2") == 1
    for key in (2, "link2", "joint2"):
        near(rbd.crba(rbd.lock(model, {key: [0.5]}), [0.3, 0.4]), rbd.crba(small, [0.3, 0.4]))
    hand = model.replace(frames={"tool": (2, rbd.turn_about((0, 0, 1), 0.3), (0.2, 0.1, 0)),
                                 "cup": (3, np.eye(3), (1, 0, 0))})  # fmt: skip
    for name in ("tool", "cup", "link2"):  # frames of a locked link are carried along
        theirs = rbd.frame_pose(rbd.lock(hand, {2: 0.5}), [0.3, 0.4], name)
        for a, b in zip(theirs, rbd.frame_pose(hand, [0.3, 0.5, 0.4], name), strict=True):
            near(a, b)
    everything = rbd.lock(model, {1: 0.1, 2: 0.2, 3: 0.3})
    assert everything.nv == 0 and rbd.total_mass(everything) == pytest.approx(6)


@pytest.mark.parametrize("at", [{"elbow": 0}, {0: 0}, {4: 0}, {1: [0, 1]}, {1: np.nan}])
def test_lock_refuses_what_it_does_not_know(at):
    with pytest.raises(rbd.StateError):
        rbd.lock(rbd.robots.planar_arm((1, 1, 1), (1, 2, 3)), at)


def test_held_refuses_what_it_does_not_know():
    model, zero = rbd.robots.planar_arm(), np.zeros(2)
    for locked in (["elbow"], [7], [-1]):
        with pytest.raises(rbd.StateError):
            rbd.held(model, zero, zero, zero, locked)


def test_joints_without_a_freedom_are_looked_through():
    """Two welds, one on the other, between hinges of a branched arm: the same as the arm with these joints locked."""
    weld = rbd.Joint("fixed", 0, 0, np.zeros((6, 0)), lambda q: np.broadcast_to(np.eye(6), (*q.shape[:-2], 6, 6)))
    t = rbd.robots.random_tree(6, np.random.default_rng(8), ("revolute",), branching=0)
    parent, free = [0, 1, 2, 3, 3, 2], [1, 4, 5, 6]
    places, q = [rbd.pose(X) for X in t.XT[1:]], np.array([0.3, -0.4, 0.9, 1.1])
    hinged = rbd.Model(parent, t.joints[1:], places, t.I[1:])
    welded = rbd.Model(parent, [t.joints[i] if i in free else weld for i in t.outward], places, t.I[1:])
    small = rbd.lock(hinged, {2: 0, 3: 0})
    assert welded.nv == small.nv == 4 and list(welded.dof_parent) == [-1, 0, 0, 0]
    M, qd, x = rbd.crba(small, q), np.array([1, -2, 0.5, 3]), np.array([0.3, 1, -1, 2])
    near(rbd.crba(welded, q), M)
    near(rbd.rnea(welded, q, qd, x), rbd.rnea(small, q, qd, x))
    near(rbd.aba(welded, q, qd, x), rbd.aba(small, q, qd, x), 1e3)
    near(rbd.minv(welded, q), np.linalg.inv(M), 1e3)
    near(rbd.ltdl_solve(welded, *rbd.ltdl(welded, M), x), np.linalg.solve(M, x), 1e3)


def test_regrouping_keeps_what_is_small():
    """A watch's works in kilograms and metres: every entry is far below one."""
    tiny = rbd.Model([0, 1], [rbd.revolute()] * 2, [(np.eye(3), (0, 0, 0)), (np.eye(3), (1e-5, 0, 0))],
                     [rbd.inertia(1e-9, (5e-6, 0, 0), (1e-21, 1e-20, 1e-20))] * 2)  # fmt: skip
    M = rbd.crba(tiny, [0.1, 0.2])
    np.testing.assert_allclose(rbd.crba(rbd.regroup(tiny), [0.1, 0.2]), M, rtol=1e-12)
    assert 0 < M.max() < 1e-17


@SEEDS
def test_regrouped_inertias_move_alike(seed):
    model, q, qd, x, f_ext, _ = case(seed, kinds=("revolute", "prismatic", "spherical", "revolute"))
    kept = [I.copy() for I in model.I]
    other, cond = rbd.regroup(model), condition(model, q)
    near(rbd.rnea(other, q, qd, x, f_ext), rbd.rnea(model, q, qd, x, f_ext))
    near(rbd.crba(other, q), rbd.crba(model, q))
    near(rbd.aba(other, q, qd, x, f_ext), rbd.aba(model, q, qd, x, f_ext), cond)
    near(rbd.minv(other, q), rbd.minv(model, q), cond)
    for I, k in zip(model.I, kept, strict=True):
        assert_array_equal(I, k)

    def entries(m):
        return sum(np.count_nonzero(I) for I in m.I[1:])

    assert entries(other) < entries(model)
    for i in model.outward:
        if model.joints[i].kind == "revolute" and not model.children[i]:
            assert other.I[i][5, 5] == 0
        if model.joints[i].kind == "prismatic" and not model.children[i]:
            assert not other.I[i][:3, :3].any()


# ------------------------------------------------------------------------------------ free bodies


@SEEDS
def test_free_fall_moves_no_joint(seed):
    rng = np.random.default_rng(seed)
    model = floating(rng, int(rng.integers(1, 7)), numbering=NUMBERINGS[seed % 3])
    q, zero = model.random(rng), np.zeros(model.nv)
    qdd = rbd.aba(model, q, zero, zero)
    assert np.abs(qdd[:3]).max() <= 1e-12 and np.abs(qdd[6:]).max() <= 1e-12
    near(qdd[3:6], rbd.poses(model, q)[1][0].T @ model.gravity)


@SEEDS
def test_in_motion_gravity_still_moves_no_joint(seed):
    """With speed the joints do accelerate, but by the same amount in any uniform gravity."""
    rng = np.random.default_rng(seed)
    model = floating(rng)
    q, qd, tau = model.random(rng), *rng.normal(size=(2, model.nv))
    here, space = rbd.aba(model, q, qd, tau), rbd.aba(model.replace(gravity=(0, 0, 0)), q, qd, tau)
    near(np.delete(here, [3, 4, 5]), np.delete(space, [3, 4, 5]), condition(model, q))
    assert np.abs(here[6:]).max() > 1e-3


@SEEDS
def test_momentum_changes_by_what_acts_from_outside(seed):
    """Free robot: d/dt of its momentum is its weight and the pushes, whatever the motors do."""
    rng = np.random.default_rng(seed)
    model = floating(rng)
    q, qd, tau = model.random(rng), *rng.normal(size=(2, model.nv))
    tau[:6] = 0
    body, w, h = int(rng.integers(1, model.n_bodies + 1)), rng.normal(size=6), 1e-5
    qdd = rbd.aba(model, q, qd, tau, {body: w})

    def momentum(t):
        return rbd.all_terms(model, rbd.integrate(model, q, qd + t / 2 * qdd, t), qd + t * qdd).momentum

    weight = rbd.total_mass(model) * model.gravity
    R, p = rbd.poses(model, q)[body]
    push = np.r_[R @ w[:3] + np.cross(p, R @ w[3:]), R @ w[3:]]
    want = np.r_[np.cross(rbd.com(model, q), weight), weight] + push
    rate = (momentum(h) - momentum(-h)) / (2 * h)
    np.testing.assert_allclose(rate, want, rtol=0, atol=1e-6 * (1 + np.abs(want).max()))


@SEEDS
def test_energy_grows_by_the_power_of_the_motors(seed):
    model, q, qd, tau, _, _ = case(seed)
    qdd, h = rbd.aba(model, q, qd, tau), 1e-5

    def energy(t):
        at, v = rbd.integrate(model, q, qd + t / 2 * qdd, t), qd + t * qdd
        return rbd.kinetic_energy(model, at, v) + rbd.potential_energy(model, at)

    size = 1 + abs(energy(0)) + np.abs(qdd).max() ** 2
    assert tau @ qd == pytest.approx((energy(h) - energy(-h)) / (2 * h), abs=1e-6 * size)


def simulate(model, q, v, tau, T, steps):
    """Explicit midpoint rule on the manifold, error ~ 1/steps² -> (q, v, work of the motors)."""
    h, work = T / steps, 0.0
    for _ in range(steps):
        middle = v + h / 2 * rbd.aba(model, q, v, tau)
        half = rbd.integrate(model, q, v, h / 2)
        q, v = rbd.integrate(model, q, middle, h), v + h * rbd.aba(model, half, middle, tau)
        work += h * (tau @ middle)
    return q, v, work


@pytest.mark.parametrize("law", ["momentum", "energy"])
def test_a_short_run_conserves(law):
    """What drifts is the integrator's: half the step, a quarter of the drift."""
    rng = np.random.default_rng(21)
    model = floating(rng, 3, gravity=(0, 0, 0)) if law == "momentum" else rbd.robots.random_tree(4, rng)
    q, v = model.random(rng), 0.5 * rng.normal(size=model.nv)
    tau = 0.5 * rng.normal(size=model.nv)
    if law == "momentum":
        tau[:6] = 0

    def drift(steps):
        end, speed, work = simulate(model, q, v, tau, 0.2, steps)
        before, after = rbd.all_terms(model, q, v), rbd.all_terms(model, end, speed)
        if law == "momentum":
            return np.abs(after.momentum - before.momentum).max()
        return abs(after.kinetic + after.potential - before.kinetic - before.potential - work)

    coarse, fine = drift(20), drift(40)
    assert fine < 2e-3
    assert 3 < coarse / fine < 5.5


# ------------------------------------------------------------------------- uses of the inverse


@SEEDS
def test_operational_inertia_is_what_a_hand_feels(seed):
    rng = np.random.default_rng(seed)
    model = floating(rng, 4).replace(gravity=(0, 0, 0))
    q, zero, body = model.random(rng), np.zeros(model.nv), int(rng.integers(1, 6))
    Λ, w = rbd.operational_inertia(model, q, body), rng.normal(size=6)
    a = rbd.jacobian(model, q, body) @ rbd.aba(model, q, zero, zero, {body: w})
    near(Λ @ a, w, np.linalg.cond(Λ))
    near(np.linalg.inv(rbd.delassus(model, q, rbd.jacobian(model, q, body))), Λ, np.linalg.cond(Λ))
    batch = rbd.operational_inertia(model, np.array([q, model.random(rng)]), body)
    near(batch[0], Λ, np.linalg.cond(Λ))


def test_operational_inertia_of_a_lone_body_is_its_own():
    rng = np.random.default_rng(0)
    model = floating(rng, 1)
    lone = rbd.Model([0], [rbd.free()], [(np.eye(3), np.zeros(3))], [model.I[1]])
    near(rbd.operational_inertia(lone, lone.random(rng), 1), model.I[1], 1e3)


def test_operational_inertia_needs_six_directions():
    model = rbd.robots.load("panda")
    q = model.random(np.random.default_rng(0))
    near(np.linalg.inv(rbd.operational_inertia(model, q, "panda_joint7")),
         rbd.delassus(model, q, rbd.jacobian(model, q, "panda_joint7")), 1e4)  # fmt: skip
    for weak, body in ((rbd.robots.planar_arm(), 2), (model, "panda_joint5")):
        with pytest.raises(rbd.SingularError, match="six directions"):
            rbd.operational_inertia(weak, weak.random(np.random.default_rng(1)), body)


@SEEDS
def test_delassus_predicts_how_constraint_forces_move_the_constraint(seed):
    model, q, _, _, _, rng = case(seed)
    J, λ = rng.normal(size=(3, model.nv)), rng.normal(size=3)
    near(rbd.delassus(model, q, J) @ λ, J @ rbd.minv_times(model, q, J.T @ λ), condition(model, q))


# ---------------------------------------------------------------------------------- wrong shapes


@pytest.mark.parametrize("name", ["aba", "crba", "minv", "coriolis", "all_terms", "held", "minv_times"])
def test_wrong_lengths_are_named(name):
    model, zero = rbd.robots.planar_arm((1, 1, 1), (1, 1, 1)), np.zeros(3)
    rest = {"aba": 2, "coriolis": 1, "all_terms": 1, "held": 2, "minv_times": 1}.get(name, 0)
    extra = [[1]] if name == "held" else []
    fn = getattr(rbd, name)
    fn(model, zero, *[zero] * rest, *extra)
    with pytest.raises(rbd.StateError, match="nq = 3"):
        fn(model, np.zeros(4), *[zero] * rest, *extra)
    for k in range(rest):
        args = [zero] * rest
        args[k] = np.zeros(2)
        with pytest.raises(rbd.StateError, match="nv = 3"):
            fn(model, zero, *args, *extra)
        args[k] = [0, np.inf, 0]
        with pytest.raises(rbd.StateError, match="joint2"):
            fn(model, zero, *args, *extra)


def test_ltdl_wants_the_models_matrix():
    model = rbd.robots.planar_arm((1, 1, 1), (1, 1, 1))
    for M in (np.eye(2), np.ones(3), np.ones((3, 2))):
        with pytest.raises(rbd.StateError, match="3, 3"):
            rbd.ltdl(model, M)
