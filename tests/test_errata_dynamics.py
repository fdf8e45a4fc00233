"""Errata on CRBA, ABA, M⁻¹ and LTDL that no other test shows: the wrong claim fails, the right one holds."""

from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.expr import Graph, live
from rbdlite.mistakes import Edit, edited


def hinges(n, parent=None, rng=0):
    """A skewed tree of hinges about z, a chain unless parents are given."""
    mould = rbd.robots.random_tree(n, np.random.default_rng(rng), ("revolute",), branching=0, armature=False)
    tree = mould.replace(joints=[rbd.revolute()] * n)
    return tree if parent is None else tree.replace(parent=parent)


def state(model, seed=1):
    """q, q̇, τ at random."""
    rng = np.random.default_rng(seed)
    return model.random(rng), *rng.normal(size=(2, model.nv))


def flops(fn, model, **known):
    return rbd.flops(fn, model, **known).total


def ancestors(model):
    """For each degree of freedom how many it hangs on."""
    count = []
    for p in model.dof_parent:
        count.append(0 if p < 0 else count[p] + 1)
    return count


def route_by_mass_matrix(model):
    """Operations of CRBA, of the factorisation and its solve (bias force not included), and of ABA."""
    d = ancestors(model)
    factor, solve = sum(k * (k + 1) for k in d), sum(4 * k + 1 for k in d)
    return flops(rbd.crba, model) + factor + solve, flops(rbd.aba, model)


# ----------------------------------------------------------------------------------------- CRBA


def test_solve_is_not_multiply():
    """E-4.11: M q̈ is a product; solve(M, b) answers M x = b."""
    model = hinges(4)
    q, _, qdd = state(model)
    M = rbd.crba(model, q)
    torque = rbd.rnea(model.replace(gravity=(0, 0, 0)), q, 0 * qdd, qdd)
    np.testing.assert_allclose(M @ qdd, torque, atol=1e-12)
    assert np.abs(np.linalg.solve(M, qdd) - torque).max() > 0.1
    np.testing.assert_allclose(np.linalg.solve(M, torque), qdd, atol=1e-12)


def test_crba_divides_by_nothing():
    """E-7.1: it collects; ABA and LTDL eliminate, and need a pivot for it. A tip without mass stops only these."""
    model = hinges(6)
    assert rbd.flops(rbd.crba, model).div == 0
    assert rbd.flops(rbd.aba, model).div > 0 and rbd.flops(rbd.ltdl, model).div > 0
    tip = rbd.robots.planar_arm((1, 1), (1, 0))
    assert rbd.crba(tip, [0.1, 0.2])[1, 1] == 0
    with pytest.raises(rbd.SingularError):
        rbd.aba(tip, [0.1, 0.2], [0, 0], [1, 1])


def test_the_ends_of_a_chain_couple():
    """E-1.6, E-7.3, E-7.4: distance makes no zeros, branches do. M of a chain is full."""
    n = 30
    M = rbd.crba(hinges(n), np.linspace(-1, 1, n))
    assert np.abs(M).min() > 0 and abs(M[0, -1]) > 1e-3
    fork = rbd.crba(hinges(3, [0, 1, 1]), [0.1, 0.2, 0.3])
    assert fork[1, 2] == 0 and np.abs(fork[0]).min() > 1e-6


def test_no_angular_acceleration_no_rod_inertia():
    """E-11.3: at q̈ = 0 in the plane the rods' own inertia has no say in τ, but it has in M and in ABA."""
    q, qd, zero = [0, np.pi / 4, -np.pi / 4], [1, 2, -1], np.zeros(3)
    rod, point = (rbd.robots.planar_arm([1] * 3, [1] * 3, inertia=x) for x in ("rod", "point"))
    np.testing.assert_allclose(rbd.rnea(rod, q, qd, zero), [29.5820, 14.6030, 1.7230], atol=1e-4)
    np.testing.assert_allclose(rbd.rnea(point, q, qd, zero), rbd.rnea(rod, q, qd, zero), atol=1e-12)
    assert np.abs(rbd.crba(rod, q) - rbd.crba(point, q)).max() > 0.05
    assert np.abs(rbd.aba(rod, q, qd, zero) - rbd.aba(point, q, qd, zero)).max() > 0.1


def test_a_column_is_cheaper_than_a_full_call():
    """E-4.4: with no speed and no gravity much of RNEA folds away; a column has no fixed price for each joint."""
    full, column = ([flops(rbd.rnea, hinges(n).replace(gravity=g), **known) / n for n in (4, 8, 16)]
                    for g, known in (((0, 0, -9.81), {}), ((0, 0, 0), {"qd": 0})))  # fmt: skip
    assert all(a > 1.4 * b for a, b in zip(full, column, strict=True))
    assert full[0] < full[1] < full[2] and column[0] < column[1] < column[2]


# ------------------------------------------------------------------------------------------ ABA


def test_a_rolling_wheel_adds_and_a_hanging_load_takes_away():
    """E-5.3: a wheel must turn with the cart, m + J/r². A load on a pin may choose: less is felt than when locked."""
    m, J, r = 3.0, 0.4, 0.5
    joints, here = [rbd.prismatic((1, 0, 0)), rbd.revolute((0, 1, 0))], [(np.eye(3), (0, 0, 0))] * 2
    wheel = rbd.Model([0, 1], joints, here, [rbd.inertia(m), rbd.inertia(0.5, (0, 0, 0), (J, J, J))])
    M, rolling = rbd.crba(wheel, [0, 0]), np.array([1, 1 / r])
    assert M[0, 0] == m + 0.5 and rolling @ M @ rolling == pytest.approx(m + 0.5 + J / r**2)
    load = rbd.Model([0, 1], joints, here, [rbd.inertia(m), rbd.inertia(2, (0, 0, -1))])
    free = rbd.trace(rbd.aba, load, [0, 0], [0, 0], [0, 0])["D", 1].item()
    assert rbd.crba(load, [0, 0])[0, 0] == 5 and free == pytest.approx(3)


def test_the_initial_bias_force_is_for_a_body_that_does_not_accelerate():
    """E-5.16: p = v ×* I v is the force at a = 0. At q̈ = 0 a body may accelerate, and needs another one."""
    model = hinges(5)
    q, qd, _ = state(model)
    still = rbd.trace(rbd.rnea, model, q, qd, np.zeros(5))
    steps = rbd.trace(rbd.aba, model, q, qd, np.zeros(5)).steps
    p = {s.index: s.value for s in steps if s.name == "pA" and s.line == 6}
    for i in model.outward:
        np.testing.assert_allclose(still["fB", i] - model.I[i] @ still["a", i], p[i], atol=1e-11)
        assert np.abs(still["fB", i] - p[i]).max() > 0.1


def test_the_pivot_of_a_hinge_is_its_third_diagonal_entry():
    """E-5.24: (3, 3) counted from one, [2, 2] in Python, for a hinge about z."""
    model = hinges(5)
    t = rbd.trace(rbd.aba, model, *state(model))
    for i in model.outward:
        assert t["D", i].item() == t["IA", i][2, 2] and (t["U", i][:, 0] == t["IA", i][:, 2]).all()
        assert abs(t["IA", i][3, 3] - t["IA", i][2, 2]) > 1e-6


def test_inertia_in_the_velocity_force_is_about_the_origin():
    """E-5.23: for a body that turns about its frame's origin the moment is ω × I_o ω, I_o not about the centre."""
    rng = np.random.default_rng(2)
    c, ω = rng.normal(size=(2, 3))
    J = np.diag([0.3, 0.4, 0.6])
    I, v = rbd.inertia(2.0, c, J), np.r_[ω, 0, 0, 0]
    origin = J + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    moment = (rbd.crf(v[:, None]) @ I @ v)[:3]
    np.testing.assert_allclose(moment, np.cross(ω, origin @ ω), atol=1e-12)
    assert np.abs(moment - np.cross(ω, J @ ω)).max() > 0.1


def test_what_a_joint_of_aba_costs():
    """E-5.6: velocities cost what they cost in RNEA, U and D nothing for a hinge about z; handing on p is not free."""
    (aba8, aba9), (rnea8, rnea9) = ([rbd.flops(f, hinges(n)) for n in (8, 9)] for f in (rbd.aba, rbd.rnea))
    for line, same in ((2, 2), (3, 4), (4, 5)):  # X, v, c
        assert aba9[line] - aba8[line] == rnea9[same] - rnea8[same]
    assert aba9[8] == aba9[9] == 0
    assert min(aba9[n] - aba8[n] for n in (14, 16)) > 20


def test_two_triangular_solves_grow_with_the_square():
    """E-5.7: 2 n² − n on a chain for every n; n³/6 is the factorisation, n² the one for n = 7 only in the table."""
    for n in (7, 12, 18, 36):
        solve = sum(4 * k + 1 for k in ancestors(hinges(n)))
        assert solve == 2 * n**2 - n
        factor = sum(k * (k + 1) for k in ancestors(hinges(n)))
        assert factor == (n**3 - n) // 3 and (solve > factor) == (n < 7)
    assert [7 * n**2 + round(n**3 / 3) + 2 * n**2 for n in (7, 12, 18, 36)] == [555, 1872, 4860, 27216]


def test_the_bias_force_moves_the_crossover():
    """E-5.8, E-7.7: counts alone give one, no cache is needed; and it lies elsewhere if the bias force is left out."""

    def first(with_bias):
        for n in range(3, 20):
            model = hinges(n)
            route, aba = route_by_mass_matrix(model)
            if aba < route + with_bias * flops(rbd.rnea, model, qdd=0):
                return n

    assert (first(True), first(False)) == (6, 15)


def test_branches_narrow_the_gap():
    """E-1.9, E-5.9: the road through M costs more than twice ABA on a chain of 36, a quarter more on TALOS."""
    ratio = {}
    for name, model in {"chain": hinges(36), "TALOS": rbd.robots.load("talos")}.items():
        route, aba = route_by_mass_matrix(model)
        ratio[name] = (route + flops(rbd.rnea, model, qdd=0)) / aba
    assert 2.1 < ratio["chain"] < 2.5 and 1.1 < ratio["TALOS"] < 1.4


class Single:
    """A number of single precision: each operation rounds to 24 bits."""

    def __init__(self, x):
        self.x = np.float32(x)

    def _pair(op):
        return lambda self, other: Single(getattr(self.x, op)(np.float32(getattr(other, "x", other))))

    __add__, __radd__, __mul__, __rmul__ = map(_pair, ("__add__", "__radd__", "__mul__", "__rmul__"))
    __sub__, __rsub__, __truediv__, __rtruediv__ = map(_pair, ("__sub__", "__rsub__", "__truediv__", "__rtruediv__"))

    def __neg__(self):
        return Single(-self.x)

    def __float__(self):
        return float(self.x)

    def __eq__(self, other):
        return self.x == getattr(other, "x", other)

    def sin(self):
        return Single(np.sin(self.x))

    def cos(self):
        return Single(np.cos(self.x))


def test_single_precision_does_not_collapse():
    """E-5.18: ABA of chains of 36 joints in 24 bits, against double precision for the same rounded state."""
    single = np.vectorize(Single, otypes=[object])
    for seed in range(2):
        model = hinges(36, rng=seed)
        given = [x.astype(np.float32).astype(float) for x in state(model, seed)]
        right = rbd.aba(model, *given)
        ours = rbd.aba(model, *map(single, given))
        assert all(isinstance(x, Single) for x in ours)
        error = np.abs(ours.astype(float) - right).max() / np.abs(right).max()
        assert 1e-9 < error < 1e-5, error


def test_a_urdf_alone_stands_fixed():
    """E-11.2: a floating base has to be asked for, here and in Pinocchio."""
    pin = pytest.importorskip("pinocchio")
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f"""<robot name="two"><link name="trunk">{body}</link><link name="leg">{body}</link>
    <joint name="hip" type="continuous"><parent link="trunk"/><child link="leg"/><axis xyz="0 1 0"/></joint></robot>"""
    assert rbd.load_urdf(text).nv == pin.buildModelFromXML(text).nv == 1
    assert rbd.load_urdf(text, floating_base=True).nv == 7
    assert pin.buildModelFromXML(text, pin.JointModelFreeFlyer()).nv == 7


# ----------------------------------------------------------------------------------------- Minv


def test_a_column_needs_the_parents_acceleration_and_rest():
    """E-6.1, E-6.3: without a′ = X a_λ, with a speed, or with gravity it is no column of M⁻¹."""
    model = hinges(5)
    q, qd, _ = state(model)
    right, unit, zero = np.linalg.inv(rbd.crba(model, q)), np.eye(5)[1], np.zeros(5)
    rest = model.replace(gravity=(0, 0, 0))
    np.testing.assert_allclose(rbd.aba(rest, q, zero, unit), right[1], rtol=1e-9)
    np.testing.assert_allclose(rbd.minv(model, q), right, rtol=1e-9, atol=1e-9)
    without = edited(rbd.minv, [Edit(("b = 0 * a[λ[i]]",), 17)])(model, q)
    assert np.abs(without - right).max() > 1e-2 * np.abs(right).max()
    for wrong in (rbd.aba(rest, q, qd, unit), rbd.aba(model, q, zero, unit)):
        assert np.abs(wrong - right[1]).max() > 1e-2 * np.abs(right[1]).max()


def test_calls_of_aba_for_the_inverse_are_quadratic_too():
    """E-6.4: n calls grow with n², as minv does; sharing saves a factor."""
    sizes, link = range(4, 9), hinges(1)

    def chain(n):
        return rbd.Model(range(n), link.joints[1:] * n, [rbd.pose(link.XT[1])] * n, link.I[1:] * n, gravity=(0, 0, 0))

    calls = [sum(flops(rbd.aba, chain(n), qd=0, tau=e) for e in np.eye(n, dtype=int)) for n in sizes]
    shared = [flops(rbd.minv, chain(n)) for n in sizes]
    assert np.ptp(np.diff(calls, 2)) == np.ptp(np.diff(shared, 2)) == 0
    assert all(a > 1.5 * b for a, b in zip(calls, shared, strict=True))


def finite_differences(f, x, step=1e-6):
    return np.stack([(f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(len(x))], axis=-1)


def test_derivatives_of_forward_dynamics_are_a_product_of_two_full_matrices():
    """E-12.18: ∂q̈/∂q = −M⁻¹ ∂τ/∂q. On a chain neither has a zero: n³ multiplications, n² (n − 1) additions."""
    model = hinges(5)
    q, qd, tau = state(model)
    qdd = rbd.aba(model, q, qd, tau)
    W, slope = rbd.minv(model, q), finite_differences(lambda x: rbd.rnea(model, x, qd, qdd), q)
    np.testing.assert_allclose(finite_differences(lambda x: rbd.aba(model, x, qd, tau), q), -W @ slope, rtol=1e-5)
    assert min(np.abs(x).min() / np.abs(x).max() for x in (W, slope)) > 1e-6
    for n in (4, 8):
        graph = Graph()
        product = graph.symbols("W", (n, n)) @ graph.symbols("slope", (n, n))
        ops = [x.op for x in live(product.ravel())]
        assert (ops.count("*"), ops.count("+")) == (n**3, n**2 * (n - 1))


# --------------------------------------------------------------------------------------- sparse


def factor_on_arrays(M, parent, U_index):
    """M = U D Uᵀ by loops over whole subtrees, as printed; U_index(j, k) is where the two inner lines read U."""
    n = len(M)
    U, D = np.eye(n), np.zeros(n)
    for j in reversed(range(n)):
        D[j] = M[j, j] - sum(U[U_index(j, k)] ** 2 * D[k] for k in range(j + 1, n))
        i = parent[j]
        while i >= 0:
            U[i, j] = (M[i, j] - sum(U[i, k] * U[U_index(j, k)] * D[k] for k in range(j + 1, n))) / D[j]
            i = parent[i]
    return U, D


def test_reading_the_empty_triangle_takes_nothing_away():
    """E-8.8: U(k, j) with k > j is zero. Then D is the diagonal of M; with U(j, k) it is Lᵀ and D of LTDL."""
    model = hinges(6, [0, 1, 2, 1, 4, 4])
    M = rbd.crba(model, state(model)[0])
    U, D = factor_on_arrays(M, model.dof_parent, lambda j, k: (k, j))
    assert (D == np.diag(M)).all() and np.abs(U @ np.diag(D) @ U.T - M).max() > 0.1
    U, D = factor_on_arrays(M, model.dof_parent, lambda j, k: (j, k))
    L, pivots = rbd.ltdl(model, M)
    np.testing.assert_allclose(U, L.T, atol=1e-12)
    np.testing.assert_allclose(D, pivots, atol=1e-12)
    np.testing.assert_allclose(U @ np.diag(D) @ U.T, M, atol=1e-12)


def test_what_hangs_on_a_freedom_goes_first():
    """E-8.10: when k is eliminated, its whole subtree has been, and its parent has not."""
    model = rbd.robots.random_tree(7, np.random.default_rng(5), numbering="any")
    order = [s.index for s in rbd.trace(rbd.ltdl, model, rbd.crba(model, state(model)[0])).steps if s.name == "D"]
    assert sorted(order) == list(range(model.nv))
    assert all(order.index(k) < order.index(p) for k, p in enumerate(model.dof_parent) if p >= 0)


def test_the_three_sweeps_of_a_solve():
    """E-8.11: U z = b inward, y = z/D, Uᵀ x = y outward. The other order solves another system."""
    model = hinges(6, [0, 1, 2, 1, 4, 4])
    M, b = rbd.crba(model, state(model)[0]), np.arange(1.0, 7)
    L, D = rbd.ltdl(model, M)
    U = L.T

    def sweeps(first, last):
        return np.linalg.solve(last, np.linalg.solve(first, b) / D)

    np.testing.assert_allclose(sweeps(U, U.T), rbd.ltdl_solve(model, L, D, b), atol=1e-10)
    np.testing.assert_allclose(M @ sweeps(U, U.T), b, atol=1e-10)
    other = sweeps(U.T, U)
    np.testing.assert_allclose(U.T @ np.diag(D) @ U @ other, b, atol=1e-10)
    assert np.abs(M @ other - b).max() > 0.1

def solve_as_printed(parent, U, D, b, U_index, order=list):
    """The three loops of the first text, their U read at U_index(j, i) for j beyond i: only next of kin in the first
    loop, and x[i] = z[i] in the last one."""
    y, x = np.zeros(len(b)), np.zeros(len(b))
    for i in order(range(len(b))):
        y[i] = b[i] - sum(U[U_index(j, i)] * y[j] for j, p in enumerate(parent) if p == i)
    z = y / D
    for i in reversed(range(len(b))):
        x[i] = z[i]
        j = parent[i]
        while j >= 0:
            x[j] -= U[U_index(i, j)] * x[i]
            j = parent[j]
    return x


def test_the_printed_loops_of_a_solve_return_b_over_d():
    """E-8.11: they read the empty triangle. In the full one they do no better: a child's y is not there yet, and what
    x has gathered is written over. Leaves first, the first loop still forgets all but the next of kin."""
    model = hinges(6, [0, 1, 2, 1, 4, 4])
    M, b = rbd.crba(model, state(model)[0]), np.arange(1.0, 7)
    L, D = rbd.ltdl(model, M)
    U, right = L.T, rbd.ltdl_solve(model, L, D, b)
    for U_index in (lambda j, i: (j, i), lambda j, i: (i, j)):
        np.testing.assert_array_equal(solve_as_printed(model.dof_parent, U, D, b, U_index), b / D)
    assert np.abs(b / D - right).max() > 0.1
    z = D * solve_as_printed(model.dof_parent, U, D, b, lambda j, i: (i, j), reversed)
    done = np.linalg.solve(U, b)
    np.testing.assert_allclose(z[1:], done[1:], rtol=1e-12)
    assert np.abs(z[0] - done[0]) > 0.1  # of these six only the first has more than children beyond it


def test_a_full_factorisation_of_twenty_two_humanoids_is_possible():
    """E-8.7: 836 degrees of freedom; slow, but no obstacle. Most of its operations are on zeros."""
    model = rbd.robots.load("talos")
    M = np.kron(np.eye(22), rbd.crba(model, state(model)[0]))
    assert len(M) == 836
    C = np.linalg.cholesky(M)
    np.testing.assert_allclose(C @ C.T, M, atol=1e-9)
    d = np.array(ancestors(model))
    assert 22 * (d + d * (d + 1) // 2).sum() < (836**3 / 6) / 1000


# ------------------------------------------------------------------------------------ libraries


def test_what_mujoco_calls_its_algorithms():
    """E-1.1, E-8.13: a composite-body matrix, its factor and solve; nothing articulated. Its solver has an option."""
    mujoco = pytest.importorskip("mujoco")
    assert all(hasattr(mujoco, f"mj_{name}") for name in ("rne", "crb", "factorM", "solveM"))
    assert not [name for name in dir(mujoco) if name.lower().startswith("mj_aba") or "articulated" in name.lower()]
    assert all(hasattr(mujoco.mjtJacobian, f"mjJAC_{name}") for name in ("DENSE", "SPARSE", "AUTO"))


def test_mujoco_leaves_the_rotor_out_of_inverse_dynamics():
    """E-12.7: mj_rne gives τ without armature · q̈; here it is part of τ, of M's diagonal and of ABA's D."""
    mujoco = pytest.importorskip("mujoco")
    arm = """<mujoco><compiler angle="radian"/><option gravity="0 -9.81 0"/><worldbody><body>
    <joint name="a" axis="0 0 1" armature="0.3"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.01 0.1 0.1"/>
    <body pos="1 0 0"><joint name="b" axis="0 0 1" armature="0.2"/>
    <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.1 0.1"/></body></body></worldbody></mujoco>"""
    there = mujoco.MjModel.from_xml_string(arm)
    data, torque = mujoco.MjData(there), np.zeros(2)
    q, qd, qdd, rotor = np.array([0.3, 0.9]), np.array([1.0, -2]), np.array([0.5, -1]), np.array([0.3, 0.2])
    data.qpos, data.qvel, data.qacc = q, qd, qdd
    mujoco.mj_forward(there, data)
    data.qacc = qdd
    mujoco.mj_rne(there, data, 1, torque)
    body = [rbd.inertia(m, (0.5, 0, 0), (0.01, 0.1, 0.1)) for m in (1, 2)]
    here = rbd.Model([0, 1], [rbd.revolute()] * 2, [(np.eye(3), (x, 0, 0)) for x in (0, 1)], body,
                     gravity=(0, -9.81, 0), armature=rotor)  # fmt: skip
    ours = rbd.rnea(here, q, qd, qdd)
    np.testing.assert_allclose(ours - torque, rotor * qdd, atol=1e-9)
    np.testing.assert_allclose(rbd.aba(here, q, qd, ours), qdd, atol=1e-9)


def test_what_pinocchio_shows_of_its_factor():
    """E-8.9, E-12.12: parents_fromRow belongs to data; D and U are there in Python, Dinv is not."""
    pin = pytest.importorskip("pinocchio")
    robot = pin.buildSampleModelManipulator()
    data = robot.createData()
    assert hasattr(data, "parents_fromRow") and not hasattr(robot, "parents_fromRow")
    assert hasattr(data, "D") and hasattr(data, "U") and not hasattr(data, "Dinv")
    q = pin.randomConfiguration(robot)
    M = pin.crba(robot, data, q)
    assert np.array_equal(M, M.T) and np.array_equal(data.M, data.M.T) and M[5, 0] != 0


def header(name):
    """Lines of a header of Pinocchio's algorithms, which come with the wheel."""
    pin = pytest.importorskip("pinocchio")
    include = Path(pin.__file__).parents[4] / "include/pinocchio"
    for file in (include / "src/algorithm" / name, include / "algorithm" / name):
        if file.exists():
            return file.read_text("utf-8").splitlines()
    pytest.skip("Pinocchio is installed without its headers")


def numbers_with(text, lines):
    """Line numbers, from one."""
    return [k for k, line in enumerate(lines, 1) if text in line]


def test_where_pinocchio_adds_the_armature():
    """E-5.19: in several places of aba.hxx, none of them line 365."""
    lines = numbers_with("armature", header("aba.hxx"))
    assert len(lines) >= 2 and 365 not in lines


def test_where_pinocchio_hands_on_to_the_parent():
    """E-12.17: inertia and force in several places of aba.hxx, and line 180 is none of them."""
    aba = header("aba.hxx")
    inertia, force = numbers_with("aba[parent] +=", aba), numbers_with("f[parent] +=", aba)
    assert len(inertia) >= 2 and len(force) >= 2 and 180 not in inertia + force


def test_what_the_steps_of_pinocchio_are_called():
    """E-10.3: one set for world axes and one for local ones; the old name of D's inverse is gone."""
    aba, crba = ("\n".join(header(name)) for name in ("aba.hxx", "crba.hxx"))
    for axes in ("World", "Local"):
        for step in ("ForwardStep1", "BackwardStep", "ForwardStep2"):
            assert f"struct Aba{axes}Convention{step}\n" in aba and f"struct Aba{step}\n" not in aba
        for step in ("ForwardStep", "BackwardStep"):
            assert f"struct Crba{axes}Convention{step}\n" in crba and f"struct Crba{step}\n" not in crba
    assert "PerformStYSInversion" not in aba and "matrix_inversion(" in aba and ".calc_aba(" in aba


def test_pinocchio_carries_the_forces_of_a_whole_subtree():
    """E-10.5: with local axes, joint i has a column of F for each freedom beyond it and fills its row of M at once;
    the same columns as those that our walk carries in one by one. The header says so in a comment."""
    pin = pytest.importorskip("pinocchio")
    model = hinges(6, [0, 1, 2, 1, 4, 4])
    robot, q = rbd.convert.to_pinocchio(model), state(model)[0]
    data = robot.createData()
    assert list(robot.names[1:]) == list(model.joint_names[1:])
    M, walk = pin.crba(robot, data, q, pin.Convention.LOCAL), rbd.trace(rbd.crba, model, q)
    seen, at = {}, {}
    for s in walk.steps:
        at[s.name] = s.value
        if s.line in (6, 12):  # F of joint i: at its own joint, then at each joint further in
            seen[s.at["i"], s.at["i"] if s.line == 6 else at["j"]] = at["F"][:, 0]
    assert len(seen) == 6 + sum(ancestors(model))
    for (outer, joint), F in seen.items():
        column = data.Fcrb[joint][:, outer - 1]
        np.testing.assert_allclose(np.r_[column[3:], column[:3]], F, atol=1e-12)
        np.testing.assert_allclose(data.joints[joint].S @ column, M[joint - 1, outer - 1], atol=1e-12)
    assert numbers_with("F[1:6,SUBTREE] = liXi F[1:6,SUBTREE]", header("crba.hxx"))
