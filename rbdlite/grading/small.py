"""Small functions that exercises ask for, done right, and the cases on which answers are tried."""

import numpy as np

from ..aba import aba
from ..crba import crba
from ..kinematics import kinetic_energy, potential_energy
from ..opcount import flops
from ..rnea import rnea
from ..robots import load, planar_arm, random_tree


def pattern(λ):
    """(n, n) bool: where M may be other than zero. λ: parent of each degree of freedom, -1 for the base."""
    out = np.eye(len(λ), dtype=bool)
    for k in range(len(λ)):
        i = λ[k]
        while i >= 0:
            out[k, i] = out[i, k] = True
            i = λ[i]
    return out


def fill_in(λ, order):
    """How many entries below the diagonal, zero in M, fill when the degrees of freedom are eliminated in this order."""
    H, count = pattern(λ), 0
    left = list(order)
    while left:
        k = left.pop(0)
        near = [i for i in left if H[k, i]]
        for i in near:
            for j in near:
                count += i < j and not H[i, j]
                H[i, j] = True
    return count


def felt(M, k):
    """Inertia that degree of freedom k feels with all the others (free, locked)."""
    return np.array([1 / np.linalg.inv(M)[k, k], M[k, k]])


def _parents(seed):
    rng = np.random.default_rng([14, seed])
    models = {"a chain of seven": random_tree(7, rng, kinds=("revolute",), branching=0),
              "the ANYmal": load("anymal"),
              "a tree": random_tree(6, rng, kinds=("revolute",), branching=0.7),
              "a tree with ball joints": random_tree(5, rng, kinds=("revolute", "spherical"), branching=0.5),
              "a tree, breadth first": random_tree(8, rng, kinds=("revolute",), numbering="breadth")}  # fmt: skip
    return {name: model.dof_parent for name, model in models.items()}


def pattern_cases(seed):
    return [(name, (λ,)) for name, λ in _parents(seed).items()]


def fill_cases(seed):
    rng, star = np.random.default_rng([15, seed]), (-1, 0, 0, 0)
    out = [("a star, leaves first", (star, (3, 2, 1, 0))), ("a star, its centre first", (star, (0, 1, 2, 3)))]
    for name, λ in list(_parents(seed).items())[1:]:
        orders = (tuple(rng.permutation(len(λ)).tolist()) for _ in range(50))
        filling = [x for x in orders if fill_in(λ, x)]
        out += [(f"{name}, some order", (λ, x)) for x in filling[:3]]
    λ = _parents(seed)["the ANYmal"]
    return [*out, ("the ANYmal, leaves first", (λ, tuple(reversed(range(len(λ))))))]


def felt_cases(seed):
    rng = np.random.default_rng([16, seed])
    model = random_tree(4, rng, kinds=("revolute", "prismatic"), branching=0.5)
    M, two = crba(model, model.random(rng)), np.array([[2.0, 1.0], [1.0, 2.0]])
    return [("M = [[2, 1], [1, 2]], k = 0", (two, 0)), ("a slider alone", (np.array([[3.0]]), 0)),
            ("a tree, its root joint", (M, 0)), ("a tree, its last joint", (M, 3)), ("a tree, k = 1", (M, 1))]


def chain_counts():
    """Entries of M that are structurally other than zero, and updates of its factorisation (lines [6] and [9])."""
    out = {}
    for name, says in (("panda", "Which joints of a chain are related?"),
                       ("anymal", "A base with six freedoms, and four legs that know nothing of each other.")):
        λ, updates = load(name).dof_parent, 0
        for k in range(len(λ)):
            above = int(pattern(λ)[k, :k].sum())
            updates += above + above * (above + 1) // 2
        out[f"{name}, entries of M"] = int(pattern(λ).sum()), says
        out[f"{name}, updates"] = updates, "With d ancestors: d entries of L, and a pair for each two of them."
    return out


def price():
    """Operations for the mass matrix of the Panda: by composites, and by one RNEA for each column."""
    model = load("panda")
    one = flops(rnea, model.replace(gravity=(0, 0, 0)), qd=0)
    return {"crba": (flops(crba, model).total, "Count the function crba on the Panda as it is."),
            "one column": (one.total, "Gravity and velocity are known to be zero, the acceleration is not."),
            "seven columns": (7 * one.total, "One call for each degree of freedom.")}  # fmt: skip


SWING = planar_arm(), np.array([np.pi / 4, np.pi / 3]), 0.01, 100  # model, q at rest, step, steps


def swing():
    """Energy gained in 1 s by the two rods, let go at rest, under Euler's and Runge and Kutta's steps."""
    return {"euler": (_gain(_euler), "Explicit Euler: both rates are those at the start of the step."),
            "rk4": (_gain(rk4), "Four slopes, weighted 1, 2, 2, 1.")}  # fmt: skip


def rk4(accel, q, qd, dt):
    """One step of the classical method of order 4 -> (q, q̇)."""
    y, n = np.concatenate([q, qd]), len(q)

    def rate(y):
        return np.concatenate([y[n:], accel(y[:n], y[n:])])

    a = rate(y)
    b = rate(y + dt / 2 * a)
    c = rate(y + dt / 2 * b)
    d = rate(y + dt * c)
    y = y + dt / 6 * (a + 2 * b + 2 * c + d)
    return y[:n], y[n:]


def _euler(accel, q, qd, dt):
    return q + dt * qd, qd + dt * accel(q, qd)


def _gain(step):
    model, q, dt, n = SWING
    qd, zero = np.zeros(model.nv), np.zeros(model.nv)

    def energy(q, qd):
        return kinetic_energy(model, q, qd) + potential_energy(model, q)

    start = energy(q, qd)
    for _ in range(n):
        q, qd = step(lambda q, qd: aba(model, q, qd, zero), q, qd, dt)
    return float(energy(q, qd) - start)
