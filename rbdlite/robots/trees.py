"""Random skewed trees over all joint types: the one maker of models for every test that wants a hard case."""

import numpy as np

from ..errors import ModelError
from ..joints import free, helical, planar, prismatic, revolute, spherical
from ..model import Model
from ..spatial import inertia

KINDS = ("revolute", "prismatic", "helical", "planar", "spherical", "free")


def _rotation(rng):
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else Q[:, [1, 0, 2]]


def _joint(kind, rng):
    axis = rng.normal(size=3)
    return {
        "revolute": lambda: revolute(axis),
        "prismatic": lambda: prismatic(axis),
        "helical": lambda: helical(axis, rng.uniform(-0.3, 0.3)),
        "planar": planar,
        "spherical": spherical,
        "free": free,
    }[kind]()


def random_body(rng):
    """A body of random mass points (so that its inertia is possible), off its frame's origin."""
    points, weights = rng.normal(scale=0.3, size=(5, 3)) + rng.normal(scale=0.3, size=3), rng.uniform(0.2, 1.5, 5)
    com = weights @ points / weights.sum()
    d = points - com
    J = np.einsum("k,kij->ij", weights, np.einsum("kl,kl,ij->kij", d, d, np.eye(3)) - np.einsum("ki,kj->kij", d, d))
    return inertia(weights.sum(), com, J)


def random_tree(n, rng, kinds=KINDS, armature=True, numbering="any", branching=0.5, gravity=None):
    """A tree of n bodies with skewed axes, rotated placements and gravity off the axes.

    kinds: joint types to draw from. armature: random rotor inertias. branching: how often a body hangs on another
    body than the one before it. numbering: "any" topological, "depth" first, or "breadth" first.
    """
    if not set(kinds) <= set(KINDS):
        raise ModelError(f"unknown joint types {sorted(set(kinds) - set(KINDS))}; known: {', '.join(KINDS)}")
    parent = [0] + [int(rng.integers(0, i + 1)) if rng.random() < branching else i for i in range(1, n)]
    parent = renumbered(parent, numbering)
    joints = [_joint(str(rng.choice(kinds)), rng) for _ in range(n)]
    nv = sum(j.nv for j in joints)
    return Model(
        parent,
        joints,
        [(_rotation(rng), rng.uniform(-0.5, 0.5, 3)) for _ in range(n)],
        [random_body(rng) for _ in range(n)],
        gravity=rng.normal(scale=6, size=3) if gravity is None else gravity,
        armature=rng.uniform(0, 0.5, nv) if armature else None,
    )


def renumbered(parent, numbering):
    """The same tree (entries for bodies 1..n, 0 = base) numbered depth first or breadth first."""
    if numbering == "any":
        return list(parent)
    if numbering not in ("depth", "breadth"):
        raise ModelError(f'numbering must be "any", "depth" or "breadth"; got {numbering!r}')
    children = [[] for _ in range(len(parent) + 1)]
    for i, p in enumerate(parent, 1):
        children[p].append(i)
    order, waiting = [], [0]
    while waiting:
        body = waiting.pop(0)
        order.append(body)
        waiting = children[body] + waiting if numbering == "depth" else waiting + children[body]
    new = {old: k for k, old in enumerate(order)}
    return [new[parent[old - 1]] for old in order[1:]]
