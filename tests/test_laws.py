"""Laws of physics that RNEA must obey on random skewed trees with every joint type."""

import numpy as np
import pytest

import rbdlite as rbd

SEEDS = range(12)


def case(seed, **options):
    rng = np.random.default_rng(seed)
    model = rbd.robots.random_tree(int(rng.integers(1, 9)), rng, **options)
    return model, model.random(rng), *rng.normal(size=(3, model.nv)), rng


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_the_hessian_of_the_kinetic_energy(seed):
    model, q, qd, _, _, _ = case(seed)
    M = rbd.mass_matrix_by_rnea(model, q)
    assert M.shape == (model.nv, model.nv)
    np.testing.assert_allclose(M, M.T, rtol=0, atol=1e-11 * np.abs(M).max())
    assert np.linalg.eigvalsh(M).min() > 0
    assert qd @ M @ qd / 2 == pytest.approx(rbd.kinetic_energy(model, q, qd), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_torque_is_mass_times_acceleration_plus_bias(seed):
    model, q, qd, qdd, _, _ = case(seed)
    tau = rbd.rnea(model, q, qd, qdd)
    want = rbd.mass_matrix_by_rnea(model, q) @ qdd + rbd.bias(model, q, qd)
    np.testing.assert_allclose(tau, want, rtol=0, atol=1e-11 * np.abs(want).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_gravity_torque_is_the_gradient_of_the_potential_energy(seed):
    model, q, qd, _, _, _ = case(seed)
    h = 1e-6
    slope = (rbd.potential_energy(model, rbd.integrate(model, q, qd, h))
             - rbd.potential_energy(model, rbd.integrate(model, q, qd, -h))) / (2 * h)  # fmt: skip
    assert rbd.gravity_torque(model, q) @ qd == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_power_of_the_motors_is_the_rate_of_the_energy(seed):
    model, q, qd, qdd, _, _ = case(seed)
    h = 1e-5

    def energy(t):  # along a path with velocity qd and acceleration qdd at t = 0 (midpoint rule, error h²)
        v = qd + t * qdd
        q_t = rbd.integrate(model, q, qd + t / 2 * qdd, t)
        return rbd.kinetic_energy(model, q_t, v) + rbd.potential_energy(model, q_t)

    rate = (energy(h) - energy(-h)) / (2 * h)
    assert rbd.rnea(model, q, qd, qdd) @ qd == pytest.approx(rate, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_terms_grow_with_the_square_of_the_speed(seed):
    model, q, qd, _, _, _ = case(seed)
    rest = rbd.gravity_torque(model, q)
    one, three = (rbd.bias(model, q, k * qd) - rest for k in (1, 3))
    np.testing.assert_allclose(three, 9 * one, rtol=0, atol=1e-10 * (1 + np.abs(three).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_external_forces_enter_through_the_transposed_jacobian(seed):
    model, q, qd, qdd, _, rng = case(seed)
    body = int(rng.integers(1, model.n_bodies + 1))
    w = rng.normal(size=6)
    change = rbd.rnea(model, q, qd, qdd, {body: w}) - rbd.rnea(model, q, qd, qdd)
    np.testing.assert_allclose(change, -rbd.jacobian(model, q, body).T @ w, atol=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_times_velocity_is_the_body_velocity(seed):
    model, q, qd, _, _, _ = case(seed)
    for body, v in enumerate(rbd.velocities(model, q, qd)):
        np.testing.assert_allclose(rbd.jacobian(model, q, body) @ qd, v, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_body_velocity_is_the_rate_of_the_pose(seed):
    """Finite differences of the world poses against [ω; v]: XJ, S and integrate must tell the same story."""
    model, q, qd, _, _, _ = case(seed)
    h = 1e-6
    (after, before) = (rbd.poses(model, rbd.integrate(model, q, qd, t)) for t in (h, -h))
    for (R, _), (Ra, pa), (Rb, pb), v in zip(rbd.poses(model, q), after, before, rbd.velocities(model, q, qd),
                                             strict=True):  # fmt: skip
        spin = R.T @ (Ra - Rb) / (2 * h)
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], v[:3], atol=1e-6)
        np.testing.assert_allclose(R.T @ (pa - pb) / (2 * h), v[3:], atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_weight_on_the_ground_is_the_whole_weight(seed):
    """At rest, what the base carries is the weight of all bodies, acting at their centre of mass."""
    model, q, _, _, _, _ = case(seed)
    zero = np.zeros(model.nv)
    f0 = rbd.trace(rbd.rnea, model, q, zero, zero)["f", 0][:, 0]
    weight = rbd.total_mass(model) * model.gravity
    np.testing.assert_allclose(f0[3:], -weight, atol=1e-9)
    np.testing.assert_allclose(f0[:3], -np.cross(rbd.com(model, q), weight), atol=1e-9)


def test_a_falling_robot_needs_no_motor():
    """Free fall: with every body accelerating at g, no joint needs a torque, floating base included."""
    rng = np.random.default_rng(5)
    tree = rbd.robots.random_tree(6, rng, kinds=("revolute", "spherical"), armature=False)
    model = rbd.Model([0, *(p + 1 for p in tree.parent[1:])], [rbd.free(), *tree.joints[1:]],
                      [(np.eye(3), np.zeros(3)), *map(rbd.pose, tree.XT[1:])],
                      [rbd.robots.random_body(rng), *tree.I[1:]])  # fmt: skip
    q = model.random(rng)
    qdd = np.zeros(model.nv)
    qdd[3:6] = rbd.poses(model, q)[1][0].T @ model.gravity
    np.testing.assert_allclose(rbd.rnea(model, q, np.zeros(model.nv), qdd), 0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_arguments_are_never_modified_and_calls_repeat_bit_for_bit(seed):
    model, q, qd, qdd, _, rng = case(seed)
    given = [q, qd, qdd, {1: rng.normal(size=6)}]
    kept = [g.copy() for g in given[:3]] + [given[3][1].copy()]
    first = rbd.rnea(model, *given)
    rbd.mass_matrix_by_rnea(model, model.random(rng))
    assert np.array_equal(first, rbd.rnea(model, *given))
    for g, k in zip([*given[:3], given[3][1]], kept, strict=True):
        assert np.array_equal(g, k)


def test_whole_number_states_give_the_same_torque_as_floats():
    model = rbd.robots.planar_arm()
    whole = rbd.rnea(model, [1, 2], [3, 4], [5, 6])
    assert whole.dtype == float
    assert np.array_equal(whole, rbd.rnea(model, [1.0, 2.0], [3.0, 4.0], [5.0, 6.0]))


@pytest.mark.parametrize("kind", rbd.robots.trees.KINDS)
def test_integrate_undoes_itself_and_stays_on_the_manifold(kind):
    rng = np.random.default_rng(2)
    model = rbd.robots.random_tree(3, rng, kinds=(kind,))
    q, v = model.random(rng), rng.normal(size=model.nv)
    there = rbd.integrate(model, q, v, 0.7)
    rbd.gravity_torque(model, there)  # raises if a quaternion left the sphere
    np.testing.assert_allclose(rbd.integrate(model, there, v, -0.7), q, atol=1e-12)
    two = rbd.integrate(model, rbd.integrate(model, q, v, 0.4), v, 0.3)
    np.testing.assert_allclose(two, there, atol=1e-12)  # one-parameter subgroup
