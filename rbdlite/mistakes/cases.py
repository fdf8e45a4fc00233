"""Hard random cases, and the single changes that each take one difficulty out."""

import inspect
from dataclasses import dataclass, replace

import numpy as np

from ..joints import revolute
from ..robots import planar_arm, random_tree, squared_paper_state, squared_paper_tree
from ..spatial import inertia, mass_com, pose, skew


@dataclass(frozen=True, eq=False)
class Case:
    """A model with a state: everything that inverse dynamics is given."""

    model: object
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    f_ext: dict | None = None
    tau: np.ndarray | None = None

    @property
    def args(self):
        """As rnea takes them: (model, q, qd, qdd, f_ext)."""
        return self.model, self.q, self.qd, self.qdd, self.f_ext

    def given(self, fn):
        """What fn takes, by the names of its parameters, as a tuple."""
        return tuple(getattr(self, name) for name in inspect.signature(fn).parameters)


def random_state(model, rng, forces=True):
    """A Case: a random state of the model, with an external force on each body and on the base."""
    wrenches = {i: rng.normal(size=6) for i in range(model.n_bodies + 1)} if forces else None
    q, (qd, qdd, tau) = model.random(rng), rng.normal(size=(3, model.nv))
    return Case(model, q, qd, qdd, wrenches, tau)


def hard_case(seed, n=6, kinds=("revolute", "prismatic", "spherical")):
    """A tree that hides nothing: skewed axes and placements, all `kinds` of joints, branches, numbered breadth first,
    gravity off the axes, armature, external forces."""
    rng = np.random.default_rng([9, seed])
    while True:
        model = random_tree(n, rng, kinds=kinds, numbering="breadth", branching=0.6)
        kids = model.children
        grown = max(len(k) for k in kids[1:]) > 1 and any(kids[c] for k in kids[1:] for c in k)
        inner = any(kids[i] and model.joints[i].kind == "revolute" for i in model.outward)
        if {j.kind for j in model.joints[1:]} == set(kinds) and grown and inner:
            return random_state(model, rng)


def hand_case():
    """The squared-paper tree, moving: every number is an integer."""
    return Case(squared_paper_tree(), *squared_paper_state())


def own_case(number):
    """A squared-paper tree of your own: four links at right angles, all numbers integers. number: any integer."""
    rng = np.random.default_rng([12, int(number)])
    while True:
        parent = [0, 1, *(int(rng.integers(1, i + 1)) for i in (2, 3))]
        bends = rng.integers(-1, 3, 4)
        if len(set(parent)) < 4 and max(parent) > 1 and (bends[1:] % 2).sum() >= 2:
            break
    masses = rng.permutation([1, 2, 3, 4])
    speeds = rng.permutation([1, -1, 2, -2, 1])[:4]
    return Case(squared_paper_tree(parent, [int(m) for m in masses]), bends * np.pi / 2, speeds,
                rng.permutation([1, -1, 2, -2, 3])[:4])  # fmt: skip


def bent_arm():
    """Two thin rods of 1 m and 1 kg, bent, under gravity: decimals."""
    return Case(planar_arm(), np.array([np.pi / 4, np.pi / 3]), np.array([1.0, 2.0]), np.array([0.5, -1.0]))


def two_hinges(seed):
    """A small case to begin with: two skewed hinges, one after the other."""
    rng = np.random.default_rng([11, seed])
    model = random_tree(2, rng, kinds=("revolute",), branching=0, armature=False)
    return random_state(model, rng, forces=False)


def whole_numbers(seed):
    """Two hinges whose state is given in integers."""
    case = two_hinges(seed)
    return replace(case, q=np.array([1, 2]), qd=np.array([1, -2]), qdd=np.array([2, 1]), tau=np.array([3, -1]))


def _model(**changes):
    return lambda case, rng: replace(case, model=case.model.replace(**changes))


def _flat(case, rng):
    return replace(case, model=case.model.replace(placements=[(np.eye(3), pose(X)[1]) for X in case.model.XT[1:]]))


def _centred(case, rng):
    bodies = []
    for I in case.model.I[1:]:
        m, c = mass_com(I)
        cx = skew(c[:, None])
        bodies.append(inertia(m, (0, 0, 0), I[:3, :3] - m * cx @ cx.T))
    return replace(case, model=case.model.replace(inertias=bodies))


def _about_z(case, rng):
    hinges = case.model.replace(joints=[revolute((0, 0, 1))] * case.model.n_bodies,
                                armature=rng.uniform(0, 0.5, case.model.n_bodies))  # fmt: skip
    return random_state(hinges, rng)


def _chain(case, rng):
    return replace(case, model=case.model.replace(parent=range(case.model.n_bodies)))


def _straight(case, rng):
    return replace(random_state(planar_arm(), rng), q=np.zeros(2))


SWITCHES = {
    "q = 0": lambda case, rng: replace(case, q=case.model.neutral()),
    "q̇ = 0": lambda case, rng: replace(case, qd=0 * case.qd),
    "q̈ = 0": lambda case, rng: replace(case, qdd=0 * case.qdd),
    "at rest": lambda case, rng: replace(case, qd=0 * case.qd, qdd=0 * case.qdd),
    "no gravity": _model(gravity=(0, 0, 0)),
    "default gravity": _model(gravity=(0, 0, -9.81)),
    "no external force": lambda case, rng: replace(case, f_ext=None),
    "no armature": _model(armature=None),
    "no rotated placement": _flat,
    "centre of mass at the joint": _centred,
    "hinges about z": _about_z,
    "one-dof joints": lambda case, rng: hard_case(rng.integers(10**6), kinds=("revolute", "prismatic")),
    "unbranched chain": _chain,
    "one body": lambda case, rng: random_state(random_tree(1, rng, kinds=("revolute",)), rng),
    "straight 2R arm": _straight,
}


COVERED = {"at rest": ("q̇ = 0", "q̈ = 0")}  # a switch that says nothing new if one of these cures already


def switched(case, name, seed=0):
    """The case with one change; `name` is a key of SWITCHES."""
    return SWITCHES[name](case, np.random.default_rng([10, seed]))
