"""LTDL beside the textbook order of the same M: pattern, fill-in, updates."""

from itertools import combinations

import numpy as np

from ...configuration import coordinates
from ...crba import crba
from ...ltdl import ldlt, ltdl
from ...model import Model
from .order import coupled
from .page import Demo, configuration, kernel

MOST = 60


def factor(model, q=None, *, title="", lang="en", id=None):
    """Storyboard: M factored leaf first (LTDL) and first joint first (LDLᵀ), step by step -> Demo.

    model: one Model (with q), or {name: model or (model, q)} for several, shown one at a time. Any joints, up to
    60 degrees of freedom; no q is the neutral one. The pattern is that of the tree; coupled entries that are zero,
    in this configuration or (inside the inertia of one body) in every one, are told apart from it. The page computes
    M, L and D anew for other angles and other masses, up to the size of code that a page carries.
    Raises TypeError, ValueError (size), SingularError from ltdl.
    """
    cases = model if isinstance(model, dict) else {"": (model, q)}
    if not cases:
        raise ValueError("factor needs at least one model")
    pairs = {name: c if isinstance(c, tuple) else (c, None) for name, c in cases.items()}
    shown = [_case(str(name), *pair, live=id is None) for name, pair in pairs.items()]
    first, q = next(iter(pairs.values()))
    return Demo("factor", title, lang, crba(first, configuration("factor", first, q)), id, cases=shown)


def _case(name, model, q=None, live=True):
    if not isinstance(model, Model):
        raise TypeError(f"factor needs a Model{f' for {name!r}' if name else ''}; got {model!r}")
    if not 2 <= model.nv <= MOST:
        raise ValueError(f"factor shows two to {MOST} degrees of freedom; {name or 'this model'} has {model.nv}")
    q = configuration("factor", model, q)
    M, n = crba(model, q), model.nv
    L, D = ltdl(model, M)
    Lc, Dc = ldlt(M)
    tree, zero = coupled(model.dof_parent, []), _zeros(M)
    always = zero & np.all([_zeros(crba(model, model.random(np.random.default_rng(k)))) for k in range(3)], axis=0)
    return {
        "name": name, "n": n,
        "joints": [model.joint_names[i] for i in model.outward for _ in range(model.joints[i].nv)],
        "M": _lower(M), "L": _lower(L), "D": D, "Lc": _lower(Lc), "Dc": Dc, "tree": sorted(tree),
        "chance": sorted(p for p in tree if zero[p] and not always[p]), "always": sorted(p for p in tree if always[p]),
        "fill": _textbook_fill(n, tree),
        "inputs": {"q": q, "m": model.mass[1:]}, "coordinates": coordinates(model), "parent": model.dof_parent,
        "kernel": kernel(crba, model.in_kind("float"))[0] if live else None,
        "ops": [_counts(n, tree, range(n - 1, -1, -1)), _counts(n, tree, range(n))],
    }  # fmt: skip


def _zeros(M):
    """Which entries vanish, measured by their diagonals."""
    return np.abs(M) < 1e-12 * np.sqrt(np.outer(M.diagonal(), M.diagonal()))


def _lower(A):
    return [[float(f"{x:.7g}") for x in row[: i + 1]] for i, row in enumerate(A.tolist())]


def _neighbours(n, pairs):
    near = {k: set() for k in range(n)}
    for i, j in pairs:
        near[i].add(j)
        near[j].add(i)
    return near


def _textbook_fill(n, pairs):
    """[i, j, k]: entry (i, j), i < j, fills in when freedom k is eliminated, first to last."""
    near, out = _neighbours(n, pairs), []
    for k in range(n):
        for i, j in combinations(sorted(x for x in near[k] if x > k), 2):
            if j not in near[i]:
                near[i].add(j)
                near[j].add(i)
                out.append([i, j, k])
    return out


def _counts(n, pairs, order):
    """Updates of each elimination: d entries of L and d (d + 1) / 2 of what is left, for d coupled freedoms there."""
    near, out = _neighbours(n, pairs), []
    for k in order:
        d = len(near[k])
        out.append(d + d * (d + 1) // 2)
        for i, j in combinations(near[k], 2):
            near[i].add(j)
            near[j].add(i)
        for i in near.pop(k):
            near[i].discard(k)
    return out
