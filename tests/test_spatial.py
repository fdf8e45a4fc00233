"""Spatial algebra against what it stands for: points, moments, work and momentum, none of it written with 6-vectors."""

import numpy as np
import pytest
import sympy
from oracles import close

import rbdlite as rbd
from rbdlite import spatial
from rbdlite.scalars import exact

SEEDS = range(5)


def column(x):
    return np.asarray(x, dtype=float)[:, None]


def frame(rng):
    return rbd.robots.trees._rotation(rng), rng.normal(size=3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_motion_transform_says_what_the_point_at_the_new_origin_does(seed):
    """The point at p of a body with twist (ω, v) at the old origin moves with v + ω × p; both in the new axes."""
    rng = np.random.default_rng(seed)
    (R, p), w, v = frame(rng), *rng.normal(size=(2, 3))
    m = spatial.plucker(R, p) @ np.r_[w, v]
    close(m, np.r_[R.T @ w, R.T @ (v + np.cross(w, p))], 1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_transpose_carries_a_force_back(seed):
    """A force (n, f) at the new origin has the moment R n + p × R f about the old one: Xᵀ, not X⁻ᵀ."""
    rng = np.random.default_rng(seed)
    (R, p), n, f = frame(rng), *rng.normal(size=(2, 3))
    back = spatial.plucker(R, p).T @ np.r_[n, f]
    close(back, np.r_[R @ n + np.cross(p, R @ f), R @ f], 1e-14)
    assert np.abs(back - np.linalg.inv(spatial.plucker(R, p)).T @ np.r_[n, f]).max() > 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_power_is_the_same_for_every_observer(seed):
    rng = np.random.default_rng(seed)
    X, m, f = spatial.plucker(*frame(rng)), *rng.normal(size=(2, 6))
    close(f @ (X @ m), (X.T @ f) @ m, 1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_transforms_compose_and_are_read_back(seed):
    """A frame in a frame: R = R1 R2, p = p1 + R1 p2, and X = X2 X1 (last step leftmost)."""
    rng = np.random.default_rng(seed)
    (R1, p1), (R2, p2) = frame(rng), frame(rng)
    X = spatial.plucker(R2, p2) @ spatial.plucker(R1, p1)
    close(X, spatial.plucker(R1 @ R2, p1 + R1 @ p2), 1e-14)
    R, p = spatial.pose(X)
    close(R, R1 @ R2, 1e-14)
    close(p, p1 + R1 @ p2, 1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_cross_products_are_rates_of_transforms(seed):
    """A vector carried by a body that moves at v changes outside at the rate v × m (a motion) or v ×* f (a force)."""
    rng = np.random.default_rng(seed)
    v, m, f, h = *rng.normal(size=(3, 6)), 1e-6

    def moved(t):
        return spatial.plucker(rbd.turn_about(v[:3], np.linalg.norm(v[:3]) * t), v[3:] * t)  # to first order

    ahead, back = moved(h), moved(-h)
    rate_m = (np.linalg.inv(ahead) @ m - np.linalg.inv(back) @ m) / (2 * h)
    close(rate_m, (spatial.crm(column(v)) @ column(m))[:, 0], 1e-8)
    close((ahead.T @ f - back.T @ f) / (2 * h), (spatial.crf(column(v)) @ column(f))[:, 0], 1e-8)
    close(spatial.crf(column(v)), -spatial.crm(column(v)).T, 0)
    assert np.abs(spatial.crf(column(v)) - spatial.crm(column(v))).max() > 0.1


def test_cross_products_by_components():
    w, v, a, b = np.random.default_rng(1).normal(size=(4, 3))
    close((spatial.crm(column(np.r_[w, v])) @ column(np.r_[a, b]))[:, 0],
          np.r_[np.cross(w, a), np.cross(v, a) + np.cross(w, b)], 1e-15)  # fmt: skip
    close((spatial.crf(column(np.r_[w, v])) @ column(np.r_[a, b]))[:, 0],
          np.r_[np.cross(w, a) + np.cross(v, b), np.cross(w, b)], 1e-15)  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_turns_a_twist_into_momentum_and_energy_of_points(seed):
    """A body as a cloud of points: momentum Σ m ṙ, its moment Σ m r × ṙ, and the energy ½ Σ m |ṙ|²."""
    rng = np.random.default_rng(seed)
    masses, points, w, v = rng.uniform(0.1, 1, 6), rng.normal(size=(6, 3)), *rng.normal(size=(2, 3))
    com = masses @ points / masses.sum()
    d = points - com
    J = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d, strict=True))
    I6 = spatial.inertia(masses.sum(), com, J)
    speed = v + np.cross(w, points)
    momentum = np.r_[masses @ np.cross(points, speed), masses @ speed]
    close(I6 @ np.r_[w, v], momentum, 1e-14)
    close(np.r_[w, v] @ momentum / 2, masses @ (speed**2).sum(1) / 2, 1e-14)
    m, c = spatial.mass_com(I6)
    close(np.r_[m, c], np.r_[masses.sum(), com], 1e-14)
    X = spatial.plucker(*frame(rng))  # the same body seen from elsewhere
    other = np.linalg.inv(X).T @ I6 @ np.linalg.inv(X)
    close(other @ (X @ np.r_[w, v]), np.linalg.inv(X).T @ momentum, 1e-12)


def test_parallel_axis():
    """A rod of length 2 and mass 3 about its end: m l²/3 = 4, not m l²/12 = 1."""
    I6 = spatial.inertia(3, (1, 0, 0), (0, 1, 1))
    assert I6[2, 2] == 4 and I6[1, 1] == 4 and I6[0, 0] == 0


def test_point_masses_and_thin_rods_are_only_semidefinite():
    """A point leaves three directions without energy (the turns about it), a thin rod one (the turn about itself)."""
    for J, free in (((0, 0, 0), 3), ((0, 1, 1), 1), ((1, 1, 1), 0)):
        lengths = np.linalg.eigvalsh(spatial.inertia(2, (0.3, 0, 0), J))
        assert lengths.min() > -1e-12 and (lengths < 1e-12).sum() == free


@pytest.mark.parametrize("seed", SEEDS)
def test_force_is_the_rate_of_momentum(seed):
    """f = I a + v ×* I v is d/dt of the momentum as an observer at rest sees it, by differences along the motion."""
    rng = np.random.default_rng(seed)
    I6, v, a = rbd.robots.random_body(rng), *rng.normal(size=(2, 6))
    model = rbd.Model([0], [rbd.free()], [(np.eye(3), np.zeros(3))], [I6])
    h, momenta = 1e-5, []
    for step in (-h, h):
        q = rbd.integrate(model, model.neutral(), v + a * step / 2, step)  # mean velocity over the step
        X = rbd.kinematics.transforms(model, q)[1][1]
        momenta.append(X.T @ I6 @ (v + a * step))
    rate = (momenta[1] - momenta[0]) / (2 * h)
    f = I6 @ a + (spatial.crf(column(v)) @ column(I6 @ v))[:, 0]
    close(rate, f, 1e-8)
    assert np.abs(rate - I6 @ a).max() > 1e-2


def test_numbers_of_the_elbow():
    """Unit links at a right angle: 1 N across the second tip is (1; -1, 0) at joint 1."""
    X = spatial.plucker(rbd.turn_about((0, 0, 1), np.pi / 2), (1, 0, 0))[2:5, 2:5].round(12)
    assert (X == [[1, 0, 0], [1, 0, 1], [0, -1, 0]]).all()
    assert (X.T @ [1, 0, 1] == [1, -1, 0]).all()


def test_batches_and_exact_numbers():
    rng = np.random.default_rng(0)
    v, a = rng.normal(size=(4, 6, 1)), rng.normal(size=(4, 3, 1))
    close(spatial.crm(v), np.array([spatial.crm(x) for x in v]), 0)
    close(spatial.skew(a), np.array([spatial.skew(x) for x in a]), 0)
    close(spatial.xlt6(a), np.array([spatial.xlt6(x) for x in a]), 0)
    symbols = exact(np.array(sympy.symbols("w1:4 v1:4"))[:, None])
    assert spatial.crm(symbols)[0, 1] == -symbols[2, 0] and spatial.crm(symbols)[0, 5] == 0
    I6 = spatial.inertia(sympy.Symbol("m"), (sympy.Rational(1, 2), 0, 0))
    assert I6[2, 2] == sympy.Symbol("m") / 4 and I6[0, 0] == 0


@pytest.mark.parametrize("args", [(1, (0, 0)), (1, (0, 0, 0), (1, 1)), ([1, 2], (0, 0, 0))])
def test_inertia_says_which_shapes_it_wants(args):
    with pytest.raises(ValueError, match=r"inertia needs a number, com \(3,\) and J_com .*; got shapes"):
        spatial.inertia(*args)
