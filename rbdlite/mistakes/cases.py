"""Hard random cases, and the single changes that each take one difficulty out."""

import inspect
from dataclasses import dataclass, replace

import numpy as np

from ..crba import crba
from ..joints import revolute
from ..ltdl import ltdl
from ..rnea import rnea
from ..robots import planar_arm, random_tree, renumbered, squared_paper_state, squared_paper_tree
from ..spatial import inertia, mass_com, pose, skew


@dataclass(frozen=True, eq=False)
class Case:
    """A model with a state: everything that an algorithm is given.

    M, L and D are those of the model at q; x and b, right-hand sides, are tau unless `rhs` is given.
    """

    model: object
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    f_ext: dict | None = None
    tau: np.ndarray | None = None
    rhs: np.ndarray | None = None

    M = property(lambda self: crba(self.model, self.q))
    L = property(lambda self: ltdl(self.model, self.M)[0])
    D = property(lambda self: ltdl(self.model, self.M)[1])
    b = x = property(lambda self: self.tau if self.rhs is None else self.rhs)

    @property
    def args(self):
        """As rnea takes them: (model, q, qd, qdd, f_ext)."""
        return self.model, self.q, self.qd, self.qdd, self.f_ext

    def given(self, fn):
        """What fn (of this package) takes, by the names of its parameters, as a tuple."""
        return tuple(getattr(self, name) for name in inspect.signature(fn).parameters)


def random_state(model, rng, forces=True):
    """A Case: a random state of the model, with an external force on each body and on the base."""
    wrenches = {i: rng.normal(size=6) for i in range(model.n_bodies + 1)} if forces else None
    q, (qd, qdd, tau) = model.random(rng), rng.normal(size=(3, model.nv))
    return Case(model, q, qd, qdd, wrenches, tau, rng.normal(size=model.nv))


def hard_case(seed, n=6, kinds=("revolute", "prismatic", "spherical"), numbering="breadth"):
    """A tree that hides nothing: skewed axes and placements, all `kinds` of joints, a ball joint beyond another,
    branches, numbered breadth first where depth first is another numbering, gravity off the axes, armature, external
    forces."""
    rng = np.random.default_rng([9, seed])
    while True:
        model = random_tree(n, rng, kinds=kinds, numbering=numbering, branching=0.6)
        kids = model.children
        grown = max(len(k) for k in kids[1:]) > 1 and any(kids[c] for k in kids[1:] for c in k)
        inner = any(kids[i] and model.joints[i].kind == "revolute" for i in model.outward)
        balls = [i for i in model.outward if model.joints[i].kind == "spherical"]
        paired = any(i in _ancestors(model, j) for i in balls for j in balls) or "spherical" not in kinds
        ordered = _scattered(model) == (numbering == "breadth")
        if {j.kind for j in model.joints[1:]} == set(kinds) and grown and inner and paired and ordered:
            return random_state(model, rng)


def _ancestors(model, i):
    return [] if model.parent[i] <= 0 else [model.parent[i], *_ancestors(model, model.parent[i])]


def _scattered(model):
    """Is there a body whose subtree is not numbered in one go?"""
    return renumbered(model.parent[1:], "depth") != list(model.parent[1:])


def hand_case():
    """The squared-paper tree, moving: every number is an integer. tau moves it so; b = M q̈."""
    return _whole(squared_paper_tree(), *squared_paper_state())


def _whole(model, q, qd, qdd):
    """A Case whose forward dynamics, too, has whole numbers for an answer."""
    tau, rhs = np.round(rnea(model, q, qd, qdd)), np.round(crba(model, q) @ qdd)
    return Case(model, q, qd, qdd, tau=tau, rhs=rhs)


def own_case(number):
    """A squared-paper tree of your own: four links at right angles, all numbers integers. number: any integer."""
    rng = np.random.default_rng([12, int(number)])
    while True:
        parent = [0, 1, *(int(rng.integers(1, i + 1)) for i in (2, 3))]
        bends = rng.integers(-1, 3, 4)
        if len(set(parent)) < 4 and max(parent) > 1 and (bends[1:] % 2).sum() >= 2:
            break
    masses = rng.permutation([2, 3, 4, 5])  # a pivot of 1 would hide a forgotten division
    speeds = rng.permutation([1, -1, 2, -2, 1])[:4]
    return _whole(squared_paper_tree(parent, [int(m) for m in masses]), bends * np.pi / 2, speeds,
                  rng.permutation([1, -1, 2, -2, 3])[:4])  # fmt: skip


def bent_arm():
    """Two thin rods of 1 m and 1 kg, bent, under gravity: decimals."""
    return Case(planar_arm(), np.array([np.pi / 4, np.pi / 3]), np.array([1.0, 2.0]), np.array([0.5, -1.0]),
                tau=np.array([12.0, 3.0]))  # fmt: skip


def two_hinges(seed):
    """A small case to begin with: two skewed hinges, one after the other."""
    rng = np.random.default_rng([11, seed])
    model = random_tree(2, rng, kinds=("revolute",), branching=0, armature=False)
    return random_state(model, rng, forces=False)


def whole_numbers(seed):
    """Two hinges whose state is given in integers."""
    case = two_hinges(seed)
    return replace(case, q=np.array([1, 2]), qd=np.array([1, -2]), qdd=np.array([2, 1]), tau=np.array([3, -1]),
                   rhs=np.array([3, -1]))  # fmt: skip


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
    return replace(random_state(planar_arm(), rng, forces=False), q=np.zeros(2))


def _generations(case, rng):
    model = random_tree(5, rng, kinds=("revolute",))
    return random_state(model.replace(parent=(0, 0, 1, 1, 2)), rng)


SWITCHES = {
    "q = 0": lambda case, rng: replace(case, q=case.model.neutral()),
    "q̇ = 0": lambda case, rng: replace(case, qd=0 * case.qd),
    "q̈ = 0": lambda case, rng: replace(case, qdd=0 * case.qdd),
    "at rest": lambda case, rng: replace(case, qd=0 * case.qd, qdd=0 * case.qdd),
    "no gravity": _model(gravity=(0, 0, 0)),
    "default gravity": _model(gravity=(0, 0, -9.81)),
    "no external force": lambda case, rng: replace(case, f_ext=None),
    "gravity alone": lambda case, rng: replace(case, qd=0 * case.qd, tau=0 * case.tau, f_ext=None),
    "no armature": _model(armature=None),
    "no rotated placement": _flat,
    "centre of mass at the joint": _centred,
    "hinges about z": _about_z,
    "one-dof joints": lambda case, rng: hard_case(rng.integers(10**6), kinds=("revolute", "prismatic")),
    "unbranched chain": _chain,
    "depth-first numbering": lambda case, rng: hard_case(rng.integers(10**6), numbering="depth"),
    "two generations": _generations,
    "two bodies": lambda case, rng: random_state(random_tree(2, rng, kinds=("revolute",), branching=0), rng),
    "one body": lambda case, rng: random_state(random_tree(1, rng, kinds=("revolute",)), rng),
    "two links in one line": _straight,
}


# inputs that can be left out, in words
INPUTS = {"q̇ = 0": "velocity", "q̈ = 0": "acceleration", "no gravity": "gravity",
          "no external force": "external forces", "no armature": "armature"}  # fmt: skip

# switches that go together: each changes one thing and keeps the rest; the last to be needed stand last
PLAIN = ("unbranched chain", "q = 0", "centre of mass at the joint", "no rotated placement", "q̈ = 0", "q̇ = 0",
         "no gravity", "no armature", "no external force")

# takes many things out at once: says less than the PLAIN ones that are all needed
BROAD = ("two links in one line",)

# a switch that says nothing new if one of these cures already
COVERED = {
    "at rest": ("q̇ = 0", "q̈ = 0"),
    "gravity alone": ("q̇ = 0", "no external force"),
    "depth-first numbering": ("one-dof joints",),
    "two generations": ("one-dof joints",),
    "two bodies": ("unbranched chain", "one-dof joints", "two generations"),
}


def switched(case, name, seed=0):
    """The case with one change; `name` is a key of SWITCHES."""
    return SWITCHES[name](case, np.random.default_rng([10, seed]))
