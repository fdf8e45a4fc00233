"""The order game: ABA as elimination of joints from M and from the tree at once."""

from itertools import combinations, permutations

import numpy as np

from ...aba import aba
from ...crba import crba
from ...ltdl import ldlt, ltdl
from ...opcount import flops
from ...rnea import rnea
from ...robots import planar_arm, squared_paper_state, squared_paper_tree
from ...trace import trace
from ..arguments import row
from .page import Demo, configuration

MOST = 6  # freedoms: every set of eliminated joints is recorded


def order_game(model=None, q=None, tau=None, *, title="", lang="en", id=None):
    """Storyboard: eliminate the joints of M in any order and pay for every new coupling -> Demo.

    Any model with two to six degrees of freedom. tau (nv,): joint forces at rest without gravity; with them the
    right-hand side is eliminated too and equals ABA's u. No model: the squared-paper tree, tau = M (1, -2, 1, 1).
    Raises ValueError for a model that is too large or too small, SingularError from ltdl.
    """
    if model is None:
        model = squared_paper_tree()
        home, _, qdd = squared_paper_state()
        q = home if q is None else q
        tau = rnea(model.replace(gravity=(0, 0, 0)), q, 0 * qdd, qdd) if tau is None else tau
    n = model.nv
    if not 2 <= n <= MOST:
        raise ValueError(f"order_game takes two to {MOST} degrees of freedom; this model has {n}")
    q = configuration("order_game", model, q)
    M, parent = crba(model, q), model.dof_parent
    L, D = ltdl(model, M)
    b = None if tau is None else row(model, "order_game", "tau", tau)
    states = [_state(M, b, parent, [k for k in range(n) if mask >> k & 1]) for mask in range(2**n)]
    qdd = None if b is None else np.linalg.solve(M, b)
    return Demo("order_game", title, lang, M, id, n=n, parent=parent, labels=_labels(model), M=M, tau=b, qdd=qdd,
                states=states, L=L, D=D, aba=_aba(model, q, b), free=_free_orders(states, n),
                chain=_chain_counts())  # fmt: skip


def _labels(model):
    """One short label for each degree of freedom: the joint's number, with a letter if it has several."""
    return [str(i) if j.nv == 1 else f"{i}{'abcdef'[d]}" for i, j in enumerate(model.joints) if i for d in range(j.nv)]


def _state(M, b, parent, gone):
    """What is left of M (and of the right-hand side) when the freedoms in `gone` are eliminated, and who is coupled.

    Values come from `ldlt` of M, bordered by the right-hand side, with `gone` first: the rest is L₂₂ D₂₂ L₂₂ᵀ.
    """
    n = len(M)
    order = gone + [k for k in range(n) if k not in gone]
    border = np.zeros(n) if b is None else b
    corner = 1 + border @ np.linalg.solve(M, border)  # then the last pivot is 1, never zero
    whole = np.block([[M, border[:, None]], [border[None], corner]])
    where = [*order, n]
    L, D = ldlt(whole[np.ix_(where, where)])
    k = len(gone)
    rest = L[k:, k:] @ np.diag(D[k:]) @ L[k:, k:].T
    H = np.zeros((n, n))
    H[np.ix_(order[k:], order[k:])] = rest[:-1, :-1]
    u = np.zeros(n)
    u[order[k:]] = rest[-1, :-1]
    pairs = sorted(coupled(parent, gone))
    big = np.abs(M).max()
    return {"H": [[0.0 if abs(x) < 1e-12 * big else x for x in row] for row in H.tolist()], "pairs": pairs,
            "u": None if b is None else u}  # fmt: skip


def coupled(parent, gone):
    """Pairs (i, j), i < j, of freedoms coupled when `gone` are eliminated: by structure, whatever the numbers."""
    n = len(parent)
    near = {k: set() for k in range(n)}
    for k in range(n):
        i = parent[k]
        while i >= 0:
            near[k].add(i)
            near[i].add(k)
            i = parent[i]
    for k in gone:
        for i, j in combinations(near[k], 2):
            near[i].add(j)
            near[j].add(i)
        for i in near.pop(k):
            near[i].discard(k)
    return {(i, j) for i in near for j in near[i] if i < j}


def _free_orders(states, n):
    """(orders without fill-in, all orders)."""

    def clean(order):
        mask = 0
        for k in order:
            before = {tuple(p) for p in states[mask]["pairs"]}
            mask |= 1 << k
            if {tuple(p) for p in states[mask]["pairs"]} - before:
                return False
        return True

    orders = list(permutations(range(n)))
    return [sum(map(clean, orders)), len(orders)]


def _aba(model, q, b):
    """D and u of ABA at rest without gravity, by degree of freedom; None if a joint has several (its D is a block)."""
    if any(j.nv != 1 for j in model.joints[1:]):
        return None
    still = model.replace(gravity=0 * model.gravity)
    zero = np.zeros(model.nv)
    run = trace(aba, still, q, zero, zero if b is None else b)
    value = {name: [float(next(s.value for s in run.steps if s.name == name and s.index == i).item())
                    for i in model.outward] for name in ("D", "u")}  # fmt: skip
    return value if b is not None else {"D": value["D"]}


def _chain_counts(sizes=(8, 16, 32)):
    """[links, updates of LTDL, its flops, flops of ABA] for chains. Updates: new entries of L and of what is left,
    counted in the trace."""
    out = []
    for n in sizes:
        chain = planar_arm([1] * n, [1] * n)
        run = trace(ltdl, chain, crba(chain, np.full(n, 0.1)))
        out.append([n, sum(s.kind == "write" and s.line in (6, 9) for s in run.steps),
                    flops(ltdl, chain).total, flops(aba, chain).total])  # fmt: skip
    return out
