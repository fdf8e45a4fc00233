"""Forward dynamics against Pinocchio and MuJoCo, live, against each other on big trees, and exactly by SymPy."""

import itertools
import re

import numpy as np
import oracles
import pytest
from oracles import MuJoCo, Pinocchio, close
from test_oracles import ROBOTS, pinocchio_robot, pushes, state

import rbdlite as rbd

KINDS = rbd.robots.trees.KINDS
NUMBERINGS = ("any", "breadth", "depth")


def compare(model, oracle, rng):
    """M, M⁻¹, ABA and the roads through M⁻¹ and LTDL, with and without external forces, against Pinocchio."""
    q, qd, tau = state(model, rng)
    M, W, zero = oracle.crba(q), oracle.minv(q), np.zeros(model.nv)
    close(rbd.crba(model, q), M)
    close(rbd.minv(model, q), W)
    close(rbd.minv_times(model, q, tau), W @ tau)
    L, D = rbd.ltdl(model, rbd.crba(model, q))
    for f_ext in (None, pushes(model, rng)):
        right = oracle.aba(q, qd, tau, f_ext)
        close(rbd.aba(model, q, qd, tau, f_ext), right)
        b = tau - oracle.rnea(q, qd, zero, f_ext)
        for road in (rbd.ltdl_solve(model, L, D, b), rbd.minv(model, q) @ b, rbd.minv_times(model, q, b)):
            close(road, right)
        close(rbd.ltdl_solve(model, L, D, tau - rbd.bias(model, q, qd, f_ext)), right)


def compare_forces(model, oracle, rng):
    """MuJoCo has the torque that goes with our acceleration, and the same M."""
    q, qd, tau = state(model, rng)
    f_ext = pushes(model, rng)
    close(oracle.rnea(q, qd, rbd.aba(model, q, qd, tau, f_ext), f_ext), tau)
    M = oracle.crba(q)
    close(rbd.crba(model, q), M)
    close(rbd.minv(model, q) @ M, np.eye(model.nv))


# -------------------------------------------------------------------------------------- real robots


@pytest.mark.oracle
@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_against_pinocchio(name):
    file, floating, locked, _ = ROBOTS[name]
    model, rng = rbd.robots.load(name), np.random.default_rng(11)
    oracle = Pinocchio(model, pinocchio_robot(oracles.robot_file(file), floating, locked))
    for _ in range(3):
        compare(model, oracle, rng)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_with_rotors(name):
    model, rng = rbd.robots.load(name), np.random.default_rng(12)
    rotors = rng.uniform(0, 0.3, model.nv)
    if model.joints[1].kind == "free":
        rotors[:6] = 0
    model = model.replace(armature=rotors)
    compare(model, Pinocchio(model), rng)
    compare_forces(model, MuJoCo(model), rng)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ROBOTS)
def test_real_robot_against_mujoco(name):
    model, rng = rbd.robots.load(name), np.random.default_rng(13)
    oracle = MuJoCo(model)
    for _ in range(2):
        compare_forces(model, oracle, rng)


def falling_robot(name):
    """A robot with a free base; the humanoid with all its fingers from its file, their couplings taken out."""
    if name != "talos with fingers":
        return rbd.robots.load(name)
    text = oracles.robot_file("talos_data/robots/talos_full_v2.urdf").read_text()
    return rbd.load_urdf(re.sub(r"<mimic[^>]*(/>|>[^<]*</mimic>)", "", text), floating_base=True)


@pytest.mark.oracle
@pytest.mark.parametrize("name, nv", (("anymal", 18), ("hyq", 18), ("talos", 38), ("talos with fingers", 50)))
def test_free_fall_moves_no_joint(name, nv):
    """v = 0, no torque: the base falls with Rᵀ g, and nothing else happens. Pinocchio says the same."""
    model, zero = falling_robot(name), np.zeros(nv)
    assert model.nv == nv
    for seed in range(3):
        q = model.random(np.random.default_rng(seed))
        qdd = rbd.aba(model, q, zero, zero)
        close(qdd[3:6], rbd.poses(model, q)[1][0].T @ model.gravity, 1e-12)
        assert np.abs(qdd[:3]).max() <= 1e-12 and np.abs(qdd[6:]).max() <= 1e-12
        close(qdd, Pinocchio(model).aba(q, zero, zero), 1e-11)
        qd = np.random.default_rng(seed).normal(size=model.nv)  # moving, joints do accelerate, gravity or not
        here, space = rbd.aba(model, q, qd, zero), rbd.aba(model.replace(gravity=(0, 0, 0)), q, qd, zero)
        close(here[6:], space[6:], 1e-11)
        assert np.abs(here[6:]).max() > 0.1


# ------------------------------------------------------------------------------------- random trees


@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_random_trees_of_one_kind(kind):
    """200 trees of up to nine joints of one kind only, a third of them numbered breadth first."""
    scattered = forked = 0
    for seed in range(200):
        rng = np.random.default_rng([7, KINDS.index(kind), seed])
        model = rbd.robots.random_tree(int(rng.integers(1, 10)), rng, (kind,), numbering=NUMBERINGS[seed % 3])
        compare(model, Pinocchio(model), rng)
        scattered += not depth_first(model.parent)
        forked += any(len(c) > 1 for c in model.children[1:])
    assert scattered > 40 and forked > 40, (scattered, forked)


def depth_first(parent):
    """Is every subtree a block of numbers? Then a body's parent is the body before it, or further in than that."""

    def further_in(i):
        return {i} | (further_in(parent[i]) if i > 0 else set())

    return all(parent[i] in further_in(i - 1) for i in range(1, len(parent)))


@pytest.mark.oracle
@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_random_trees_of_all_kinds(numbering):
    kinds = set()
    for seed in range(200):
        rng = np.random.default_rng([8, NUMBERINGS.index(numbering), seed])
        model = rbd.robots.random_tree(int(rng.integers(1, 9)), rng, numbering=numbering)
        kinds |= {j.kind for j in model.joints[1:]}
        compare(model, Pinocchio(model), rng)
    assert kinds == set(KINDS)


@pytest.mark.oracle
@pytest.mark.parametrize("kinds", ["revolute", "prismatic", "spherical", "revolute prismatic spherical"])
def test_random_trees_against_mujoco(kinds):
    for seed in range(50):
        rng = np.random.default_rng([9, seed])
        model = rbd.robots.random_tree(int(rng.integers(1, 8)), rng, kinds.split(), numbering=NUMBERINGS[seed % 3])
        compare_forces(model, MuJoCo(model), rng)


def tree_of_28(rng):
    """A tree that forks, with every joint type and exactly 28 degrees of freedom."""
    sizes = {"revolute": 1, "prismatic": 1, "helical": 1, "planar": 3, "spherical": 3, "free": 6}
    kinds = list(KINDS)
    while (rest := 28 - sum(sizes[k] for k in kinds)) > 0:
        kinds.append(str(rng.choice([k for k in KINDS if sizes[k] <= rest])))
    rng.shuffle(kinds)
    trees = [rbd.robots.random_tree(1, rng, (k,)) for k in kinds]
    parent = [0, 1, 1, *(int(rng.integers(max(0, i - 6), i + 1)) for i in range(3, len(kinds)))]
    return rbd.Model(parent, [t.joints[1] for t in trees], [rbd.pose(t.XT[1]) for t in trees],
                     [t.I[1] for t in trees], armature=np.concatenate([t.armature for t in trees]))  # fmt: skip


def test_four_roads_to_the_same_motion():
    """28 degrees of freedom, 200 seeds: ABA, CRBA + solve, LTDL and Minv within some rounding errors times cond(M),
    with pushes on some bodies."""
    worst, forked = 0.0, []
    for seed in range(200):
        rng = np.random.default_rng([10, seed])
        model = tree_of_28(rng)
        assert model.nv == 28 and len({j.kind for j in model.joints[1:]}) == 6
        forked.append(sum(len(c) > 1 for c in model.children[1:]))
        q, qd, tau = state(model, rng)
        push = pushes(model, rng)
        M = rbd.crba(model, q)
        for f_ext in (None, push):
            b = tau - rbd.bias(model, q, qd, f_ext)
            right = np.linalg.solve(M, b)
            roads = [rbd.aba(model, q, qd, tau, f_ext), rbd.ltdl_solve(model, *rbd.ltdl(model, M), b),
                     rbd.minv(model, q) @ b]  # fmt: skip
            gap = max(np.abs(x - right).max() for x in roads) / np.abs(right).max()
            assert gap <= 1e-9
            worst = max(worst, gap / np.linalg.cond(M))
    assert worst <= 1e-14
    assert min(forked) >= 1 and np.mean(forked) > 2, forked  # bodies with several children


# ----------------------------------------------------------------------------------- SymPy, exactly


def unit(sp, matrix):
    """Every entry simplified."""
    return np.vectorize(sp.simplify, otypes=[object])(matrix)


def test_sympy_forward_dynamics_of_a_planar_arm():
    """All lengths, masses, angles and speeds symbols: M from the energy, and exact inverses of each other."""
    sp = pytest.importorskip("sympy")
    (l1, l2), (m1, m2) = sp.symbols("l1 l2", positive=True), sp.symbols("m1 m2", positive=True)
    g, *names = sp.symbols("g q1 q2 v1 v2 a1 a2")
    q, qd, qdd = (np.array(names[k : k + 2], dtype=object) for k in (0, 2, 4))
    model = rbd.robots.planar_arm((l1, l2), (m1, m2), gravity=(0, -g, 0), exact=True)
    a, b = m1 * l1**2 / 3 + m2 * l1**2 + m2 * l2**2 / 3 + m2 * l1 * l2 * sp.cos(q[1]), m2 * l2**2 / 3
    c = b + m2 * l1 * l2 * sp.cos(q[1]) / 2
    M = rbd.crba(model, q)
    assert not unit(sp, M - np.array([[a, c], [c, b]])).any()
    tau = rbd.rnea(model, q, qd, qdd)
    assert not unit(sp, rbd.aba(model, q, qd, tau) - qdd).any()
    assert not unit(sp, rbd.minv(model, q) @ M - np.eye(2, dtype=int)).any()
    L, D = rbd.ltdl(model, M)
    assert not unit(sp, L.T @ np.diag(D) @ L - M).any()
    assert sp.simplify(D[0] - (a - c**2 / b)) == 0 and sp.simplify(L[1, 0] - c / b) == 0
    speed = sp.Matrix(rbd.coriolis(model, q, qd) @ qd - rbd.bias(model, q, qd) + rbd.gravity_torque(model, q))
    assert sp.simplify(speed) == sp.zeros(2, 1)


def rational_tree(sp, rng):
    """Skewed placements, masses, axes and armature, all rational numbers; joints of four types; a branch."""

    def number():
        return sp.Rational(int(rng.integers(-4, 5)), int(rng.integers(2, 5)))

    def quaternion():
        a, b, c, d = next(x for x in iter(lambda: [int(k) for k in rng.integers(-3, 4, 4)], None) if any(x))
        return np.array([a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
                         2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
                         2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d]
                        ).reshape(3, 3) * sp.Rational(1, a * a + b * b + c * c + d * d)  # fmt: skip

    joints = [rbd.spherical(), rbd.revolute((0, 0, 1)), rbd.prismatic((0, 1, 0)), rbd.planar()]
    order = [int(k) for k in rng.permutation(4)]
    places = [(quaternion(), [number(), number(), number()]) for _ in joints]
    bodies = [rbd.inertia(sp.Integer(2 + k), [number(), number(), number()], [sp.Rational(2), 3, 4]) for k in range(4)]
    model = rbd.Model([0, 1, 1, 2], [joints[k] for k in order], places, bodies,
                      gravity=[sp.Integer(1), 2, -9], armature=[sp.Rational(1, 2 + k) for k in range(8)])  # fmt: skip
    q = {0: [0, sp.Rational(3, 5), 0, sp.Rational(4, 5)], 1: [sp.atan(sp.Rational(3, 4))], 2: [sp.Rational(1, 3)],
         3: [1, sp.Rational(1, 2), sp.atan(sp.Rational(5, 12))]}  # fmt: skip
    q = np.array([sp.sympify(x) for k in order for x in q[k]], dtype=object)
    qd, x = (np.array([number() for _ in range(8)], dtype=object) for _ in range(2))
    return model, q, qd, x


@pytest.mark.parametrize("seed", range(2))
def test_rational_numbers_leave_no_rounding(seed):
    """A skewed tree with ball, hinge, slider and planar joint: each law holds to the last digit."""
    sp = pytest.importorskip("sympy")
    model, q, qd, x = rational_tree(sp, np.random.default_rng(seed))
    M, push = rbd.crba(model, q), {3: [sp.Integer(k) for k in range(6)]}
    assert (M == M.T).all() and (M == rbd.mass_matrix_by_rnea(model, q)).all()
    assert (rbd.aba(model, q, qd, rbd.rnea(model, q, qd, x, push), push) == x).all()
    W = rbd.minv(model, q)
    assert (W == W.T).all() and (W @ M == np.eye(8, dtype=int)).all()
    assert (rbd.minv_times(model, q, x) == W @ x).all()
    L, D = rbd.ltdl(model, M)
    assert (L.T @ np.diag(D) @ L == M).all() and (M @ rbd.ltdl_solve(model, L, D, x) == x).all()
    K, E = rbd.ldlt(M)
    assert (K @ np.diag(E) @ K.T == M).all()
    assert (rbd.coriolis(model, q, qd) @ qd == rbd.bias(model, q, qd) - rbd.gravity_torque(model, q)).all()
    qdd, reaction = rbd.held(model, q, qd, x, [2], push)
    assert (rbd.aba(model, q, qd, x + reaction, push) == qdd).all()
    floats = [np.array(y, dtype=float) for y in (q, qd, x)]
    close(rbd.aba(model, *floats), np.array(rbd.aba(model, q, qd, x), dtype=float), 1e-12)


def test_star_and_chain_of_every_pair_of_kinds():
    """Each joint type hung on each other, and beside it."""
    for one, two in itertools.product(KINDS, repeat=2):
        for parent in ([0, 1], [0, 1, 1]):
            rng = np.random.default_rng([11, KINDS.index(one), KINDS.index(two)])
            t = [rbd.robots.random_tree(1, rng, (k,)) for k in (one, two, two)[: len(parent)]]
            model = rbd.Model(parent, [x.joints[1] for x in t], [rbd.pose(x.XT[1]) for x in t], [x.I[1] for x in t],
                              armature=np.concatenate([x.armature for x in t]))  # fmt: skip
            q, qd, tau = state(model, rng)
            close(rbd.rnea(model, q, qd, rbd.aba(model, q, qd, tau)), tau)
            close(rbd.minv(model, q) @ rbd.mass_matrix_by_rnea(model, q), np.eye(model.nv))
