"""What is zero, what stays zero, and what it costs: patterns of M and its factors, operations counted."""

import re

import numpy as np
import oracles
import pytest
from numpy.testing import assert_array_equal
from test_dynamics import NUMBERINGS, SEEDS, case

import rbdlite as rbd

COUNTS = {  # n: operations of the factorisation, one for each division and each multiply-subtract
    "chain": {7: 77, 10: 210, 20: 1520, 36: 8400, 40: 11440, 80: 88480, 160: 695360},
    "binary": {15: (96, 83, 34), 31: (320, 227, 98), 63: (960, 579, 258), 127: (2688, 1411, 642),
               255: (7168, 3331, 1538), 511: (18432, 7683, 3586), 1023: (46080, 17411, 8194)},  # + solve, sum of depths
    "star": {1: 128, 6: 898, 12: 2856, 24: 10984},  # trunk of k, then 8 legs of three
}  # fmt: skip
# Entries of one triangle of M that may be nonzero (those of L too), and what the textbook order may fill; then what is
# nonzero at a random pose: in M, and in a textbook Cholesky factor with the base's velocity as (ω, v), as (v, ω).
ROBOTS = {
    "anymal": {"structural": 117, "filled": 171, "M": 196, "cholesky": (170, 161), "ops": 474, "depths": (99, 8)},
    "hyq": {"structural": 117, "filled": 171, "M": 196, "cholesky": (170, 161), "ops": 474, "depths": (99, 8)},
    "talos": {"structural": 369, "filled": 741, "M": 682, "cholesky": (740, 732), "ops": 2190, "depths": (331, 15)},
}
URDFS = {  # two files whose coupled fingers are set free: nv, as above with L at the pose, depths
    "panda_description/urdf/panda.urdf": (False, 9, 44, 42, 45, 75, 147, (35, 7)),
    "talos_data/robots/talos_full_v2.urdf": (True, 50, 567, 566, 1266, 1062, 3912, (517, 16)),
}
SIZES = {  # numbers in q, joints with the world as one, entries of M, mean number of ancestors, n log2 n
    "anymal": (19, 14, 324, 5.5, 75.1), "hyq": (19, 14, 324, 5.5, 75.1), "talos": (39, 34, 1444, 8.71, 199.4),
    "panda_description/urdf/panda.urdf": (9, 10, 81, 3.89, 28.5),
    "talos_data/robots/talos_full_v2.urdf": (51, 46, 2500, 10.34, 282.2),
}  # fmt: skip
LINEAR_FIRST = [3, 4, 5, 0, 1, 2]


def ancestors(model):
    """For each degree of freedom those it hangs on; by walking from joint to joint, not by dof_parent."""
    out = []
    for i in model.outward:
        further_in, p = [], model.parent[i]
        while p > 0:
            further_in += range(model.v_slice[p].start, model.v_slice[p].stop)
            p = model.parent[p]
        first, end = model.v_slice[i].start, model.v_slice[i].stop
        out += [set(further_in) | set(range(first, k)) for k in range(first, end)]
    return out


def pattern(model):
    """True where M may be nonzero: degrees of freedom of which one hangs on the other, and the diagonal."""
    P = np.eye(model.nv, dtype=bool)
    for k, above in enumerate(ancestors(model)):
        for i in above:
            P[k, i] = P[i, k] = True
    return P


def factor_ops(model):
    return sum(len(d) + len(d) * (len(d) + 1) // 2 for d in ancestors(model))


def links(parent):
    """Hinges only; numbers do not matter where only operations are counted."""
    n = len(parent)
    return rbd.Model(parent, [rbd.revolute()] * n, [(np.eye(3), (1, 0, 0))] * n, [rbd.inertia(1, (0.5, 0, 0))] * n)


def chain(n):
    return links(range(n))


def binary(n):
    return links([i // 2 for i in range(1, n + 1)])


def star(trunk, legs=8, length=3):
    parent = list(range(trunk))
    for _ in range(legs):
        start = len(parent)
        parent += [trunk, *range(start + 1, start + length)]
    return links(parent)


# ------------------------------------------------------------------------------------------ pattern


@SEEDS
def test_unrelated_joints_do_not_couple_at_rest(seed):
    """Zero, exactly, off the pattern; L has entries at ancestors only; M⁻¹ is full on each tree that shares a joint."""
    model, q, qd, _, _, _ = case(seed)
    M, P = rbd.crba(model, q), pattern(model)
    L, _ = rbd.ltdl(model, M)
    for X in (M, rbd.all_terms(model, q, qd).M, rbd.coriolis(model, q, qd)):
        assert not X[~P].any()
    assert not L[~P].any()
    assert (np.abs(M[P]) > 0).mean() > 0.5


def test_parents_of_degrees_of_freedom_are_their_next_ancestors():
    for seed in range(30):
        model = case(seed)[0]
        above = ancestors(model)
        for k, p in enumerate(model.dof_parent):
            assert p == max(above[k], default=-1) or above[k] == above[p] | {p}
            assert (p == -1) == (not above[k])


def test_two_arms_feel_each_other_through_a_free_trunk_only():
    """M⁻¹ is full where M is zero."""
    M, W = (f(rbd.robots.squared_paper_tree(), [0.1, 0.5, 0.7, -0.4]) for f in (rbd.crba, rbd.minv))
    assert M[1, 3] == M[2, 3] == 0
    assert min(abs(W[1, 3]), abs(W[2, 3])) > 1e-3


@SEEDS
def test_no_fill_in_on_any_tree(seed):
    """Dense random numbers on the pattern: none of L's entries falls outside, and every ancestor has one."""
    rng = np.random.default_rng(seed)
    model = rbd.robots.random_tree(8, rng, numbering=NUMBERINGS[seed % 3])
    P = pattern(model)
    N = rng.normal(size=P.shape) * P
    M = N + N.T + 40 * np.eye(model.nv)
    L, D = rbd.ltdl(model, M)
    assert_array_equal(L != 0, np.tril(P))
    np.testing.assert_allclose(L.T @ np.diag(D) @ L, M, atol=1e-12)


@pytest.mark.parametrize("tree", [chain(9), star(2), star(1), binary(15)], ids=["chain", "trunk 2", "hub", "binary"])
def test_fill_in_of_the_textbook_order(tree):
    M, P = random_on(pattern(tree)), pattern(tree)
    assert np.count_nonzero(rbd.ltdl(tree, M)[0]) == np.tril(P).sum()
    fill = np.count_nonzero(rbd.ldlt(M)[0]) - np.tril(P).sum()
    assert fill == filled(P).sum() - np.tril(P).sum()
    assert (fill == 0) == (tree.n_bodies == 9)


def random_on(P, seed=0):
    N = np.random.default_rng(seed).normal(size=P.shape) * P
    return N + N.T + 8 * len(P) * np.eye(len(P))


def filled(P):
    """Lower triangle that the textbook order fills, by joining the neighbours of each removed number."""
    P = np.tril(P)
    for k in range(len(P)):
        rows = k + 1 + np.flatnonzero(P[k + 1 :, k])
        P[np.ix_(rows, rows)] = True
        P = np.tril(P)
    return P


def test_star_fills_completely_from_its_centre():
    """One hub and eight spokes: 0 or 28 new entries, 16 or 156 operations."""
    model = links([0] + [1] * 8)
    P = pattern(model)
    assert np.tril(P).sum() == 17 and filled(P).sum() == 17 + 28
    assert np.count_nonzero(rbd.ldlt(random_on(P))[0]) == 45
    assert factor_ops(model) == 16
    column = filled(P).sum(axis=0) - 1  # entries below the diagonal
    assert sum(d + d * (d + 1) // 2 for d in column) == 156


def nonzero(M, tolerance=1e-12):
    return int((np.abs(M) > tolerance * np.abs(M).max()).sum())


def linear_first(M):
    """M with the free base's velocity as (v, ω): the base's own block then has zeros of its own."""
    order = [*LINEAR_FIRST, *range(6, len(M))]
    return M[np.ix_(order, order)]


def sizes(model):
    """A row of SIZES."""
    P, n = pattern(model), model.nv
    mean = (P.sum() - n) / 2 / n  # below the diagonal of each row stand its ancestors
    return model.nq, model.n_bodies + 1, P.size, round(mean, 2), round(n * np.log2(n), 1)


@pytest.mark.parametrize("name", ROBOTS)
def test_fill_in_on_real_robots(name):
    """Entries at a random pose, told apart from those the structure allows."""
    want, model = ROBOTS[name], rbd.robots.load(name)
    assert sizes(model) == SIZES[name]
    P, depth = pattern(model), [len(d) for d in ancestors(model)]
    assert (sum(depth), max(depth)) == want["depths"]
    assert np.tril(P).sum() == want["structural"]
    assert factor_ops(model) == want["ops"]
    assert filled(P).sum() == want["filled"]
    dense = random_on(P)  # no accidental zero: the counts are the structure's
    assert np.count_nonzero(rbd.ltdl(model, dense)[0]) == want["structural"]
    assert np.count_nonzero(rbd.ldlt(dense)[0]) == want["filled"]
    M = rbd.crba(model, model.random(np.random.default_rng(3)))
    assert nonzero(M) == want["M"]
    assert nonzero(rbd.ltdl(model, M)[0]) == want["structural"]
    for A, there in zip((M, linear_first(M)), want["cholesky"], strict=True):
        assert nonzero(np.linalg.cholesky(A)) == nonzero(rbd.ldlt(A)[0]) == there


@pytest.mark.oracle
@pytest.mark.parametrize("file", URDFS)
def test_fill_in_on_robots_with_fingers(file):
    floating, nv, structural, in_L, cholesky, in_M, ops, depths = URDFS[file]
    text = re.sub(r"<mimic[^>]*(/>|>[^<]*</mimic>)", "", oracles.robot_file(file).read_text())
    model = rbd.load_urdf(text, floating_base=floating)
    assert sizes(model) == SIZES[file]
    P, depth = pattern(model), [len(d) for d in ancestors(model)]
    assert (model.nv, np.tril(P).sum(), factor_ops(model)) == (nv, structural, ops)
    assert (sum(depth), max(depth)) == depths
    M = rbd.crba(model, model.random(np.random.default_rng(3)))
    assert (nonzero(M), nonzero(rbd.ltdl(model, M)[0])) == (in_M, in_L)
    assert nonzero(np.linalg.cholesky(linear_first(M) if floating else M)) == cholesky


def test_related_joints_may_still_have_a_zero():
    """Structural zeros are for good, others are accidents: a gantry, a hinge with a slider along it."""
    bodies = [rbd.inertia(1, (0.1, 0.2, 0.3), (1, 1, 1))] * 2
    for joints in ([rbd.prismatic((1, 0, 0)), rbd.prismatic((0, 1, 0))], [rbd.revolute(), rbd.prismatic((0, 0, 1))]):
        model = rbd.Model([0, 1], joints, [(np.eye(3), (0, 0, 0))] * 2, bodies)
        assert abs(rbd.crba(model, [0.4, 0.7])[0, 1]) < 1e-15 and pattern(model).all()


# ------------------------------------------------------------------------------------- operations


class Counting:
    """A number that counts the products it takes part in."""

    made = 0

    def __mul__(self, other):
        Counting.made += 1
        return self

    def __rtruediv__(self, other):
        return self

    def __truediv__(self, other):
        Counting.made += 1
        return self

    def __sub__(self, other):
        return self

    def __add__(self, other):
        return self

    __rmul__, __radd__ = __mul__, __add__


def counted(fn, *args):
    Counting.made = 0
    fn(*args)
    return Counting.made


ONE = Counting()


def count_factor(model):
    """Products of ltdl: L = H r, and one for each H - L H. The wrapping up of L makes one more for the whole matrix."""
    return counted(rbd.ltdl, model, np.full((model.nv, model.nv), ONE, dtype=object)) - 1


def count_solve(model):
    full = np.full((model.nv, model.nv), ONE, dtype=object)
    return counted(rbd.ltdl_solve, model, full, full[0], full[0])


@pytest.mark.parametrize("n", COUNTS["chain"])
def test_operations_of_a_chain(n):
    closed = n * (n - 1) // 2 + (n - 1) * n * (n + 1) // 6
    assert count_factor(chain(n)) == factor_ops(chain(n)) == COUNTS["chain"][n] == closed
    assert count_solve(chain(n)) == n * n  # Σ (2 d + 1)


def test_chains_cost_the_cube():
    n = list(COUNTS["chain"])
    assert all(COUNTS["chain"][k] == k * (k - 1) // 2 + (k - 1) * k * (k + 1) // 6 for k in n)
    assert COUNTS["chain"][160] / COUNTS["chain"][80] > 7.8
    assert count_factor(chain(32)) == 5952


def test_the_leading_term_of_a_dense_factor_at_36_joints():
    """n³/3 = 15552 flops, or n³/6 = 7776 products with their differences, beside 220 n = 7920; then lower orders."""
    steps = COUNTS["chain"][36]  # 630 divisions, 7770 products with their differences
    assert factor_ops(chain(36)) == steps and steps - 36 * 35 // 2 == 7770
    assert abs((steps - 36 * 35 // 2) / (36**3 / 6) - 1) < 1e-3 and 36**3 / 6 < 220 * 36 < steps
    assert 15552 < rbd.flops(rbd.ltdl, chain(36)).total < 1.1 * 15552


@pytest.mark.parametrize("n", COUNTS["binary"])
def test_operations_of_a_balanced_tree(n):
    model, (factor, solve, depths) = binary(n), COUNTS["binary"][n]
    assert sum(map(len, ancestors(model))) == depths
    assert count_factor(model) == factor_ops(model) == factor
    assert count_solve(model) == solve
    assert 0.41 < factor / (n * np.log2(n) ** 2) < 0.47
    assert 0.57 < depths / (n * np.log2(n)) < 0.81


@pytest.mark.parametrize("trunk", COUNTS["star"])
def test_operations_of_a_trunk_with_legs(trunk):
    model = star(trunk)
    assert count_factor(model) == factor_ops(model) == COUNTS["star"][trunk]


def test_textbook_order_costs_what_it_fills():
    """The dense loop pays for every pair: n (n - 1) / 2 divisions, (n - 1) n (n + 1) / 6 multiply-subtracts."""
    for n, made in {7: 77, 9: 156, 18: 1122, 25: 2900, 38: 9842, 50: 22050}.items():
        assert n * (n - 1) // 2 + (n - 1) * n * (n + 1) // 6 == made
        assert counted(rbd.ldlt, np.full((n, n), ONE, dtype=object)) - 1 == made
    assert star(1).nv == 25 and count_factor(star(1)) == 128


@SEEDS
def test_counts_on_any_tree_and_from_the_trace(seed):
    """Lines of the factorisation, the solve and CRBA's walk, seen in the trace: Σ d + d (d + 1) / 2, Σ 2 d + 1, Σ d."""
    model, q, _, x, _, _ = case(seed, n=5)
    d = [len(a) for a in ancestors(model)]
    M = rbd.crba(model, q)

    def lines(t, *wanted):
        return sum(s.line in wanted for s in t.steps if s.kind == "write")

    assert lines(rbd.trace(rbd.ltdl, model, M), 6, 9) == sum(k + k * (k + 1) // 2 for k in d)
    solve = rbd.trace(rbd.ltdl_solve, model, *rbd.ltdl(model, M), x)
    assert lines(solve, 5, 8, 11) == sum(2 * k + 1 for k in d)
    assert count_factor(model) == factor_ops(model)
    joint_depth = [len([*walk(model, i)]) for i in model.outward]
    assert lines(rbd.trace(rbd.crba, model, q), 12) == sum(joint_depth)


def walk(model, i):
    while model.parent[i]:
        i = model.parent[i]
        yield i


# ------------------------------------------------------------------------------------ exact FLOPs


def skewed_chain(n):
    """n times the same hinge, link and placement, all skewed."""
    one = rbd.robots.random_tree(1, np.random.default_rng(0), ("revolute",))
    return rbd.Model(range(n), one.joints[1:] * n, [rbd.pose(one.XT[1])] * n, one.I[1:] * n, gravity=one.gravity)


def differences(f, sizes, order):
    values = np.array([f(n) for n in sizes])
    return np.diff(values, order).tolist()


@pytest.mark.parametrize("name, degree", [("aba", 1), ("crba", 2), ("minv", 2), ("coriolis", 2), ("ltdl_solve", 2)])
def test_flops_of_a_chain_grow_as_the_docstrings_say(name, degree):
    """Exact counts on 4 to 8 skewed hinges: a polynomial of this degree in n, its leading difference constant."""
    fn = getattr(rbd, name)
    steps = differences(lambda n: rbd.flops(fn, skewed_chain(n)).total, range(4, 9), degree)
    assert len(set(steps)) == 1 and steps[0] > 0, steps


def test_flops_of_a_bush_grow_with_the_number_of_joints():
    """O(n · depth): with everything on one trunk CRBA and the solve are linear too."""

    def bush(n):
        t = skewed_chain(n)
        return t.replace(parent=[0] + [1] * (n - 1))

    for name in ("crba", "aba", "ltdl_solve"):
        steps = differences(lambda n, name=name: rbd.flops(getattr(rbd, name), bush(n)).total, range(3, 7), 1)
        assert max(steps) - min(steps) <= 0.02 * max(steps), (name, steps)


def test_flops_of_the_solve_are_its_operations():
    """A multiply-subtract is two, a division one: Σ 4 d + 1 on any tree."""
    for model in (chain(6), star(2, 2, 2), case(2)[0]):
        d = [len(a) for a in ancestors(model)]
        assert rbd.flops(rbd.ltdl_solve, model).total == sum(4 * k + 1 for k in d)


def test_flops_of_the_factor_are_its_operations():
    """Line [6] one product for each ancestor, line [9] two operations for each pair, line [3] one division: of those
    freedoms whose pivot is used, that is all but the roots."""
    for model in (chain(6), star(2, 2, 2), case(2)[0]):
        d, count = [len(a) for a in ancestors(model)], rbd.flops(rbd.ltdl, model)
        assert count[3] == count.div == sum(k > 0 for k in d)
        assert count[6] == sum(d)
        assert count[9] == sum(k * (k + 1) for k in d)
        assert count.total == count[3] + count[6] + count[9]


def test_flops_see_every_result():
    """Functions that return a pair or a record are counted whole; with no joint locked, held is ABA."""
    model = skewed_chain(4)
    aba, held = rbd.flops(rbd.aba, model), rbd.flops(rbd.held, model, locked=[])
    assert held.total == aba.total > 1000
    assert 0 < rbd.flops(rbd.held, model, locked=[2]).total < held.total
    terms, crba = rbd.flops(rbd.all_terms, model), rbd.flops(rbd.crba, model)
    assert rbd.flops(rbd.rnea, model, qdd=0).total < terms.total
    assert crba.total < terms.total < crba.total + 4 * rbd.flops(rbd.rnea, model).total
