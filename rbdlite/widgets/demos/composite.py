"""Composite inertia: which bodies an entry of M sees, and how M fills."""

import numpy as np

from ...crba import crba
from ...robots import squared_paper_state, squared_paper_tree
from ...trace import trace
from .page import Demo, configuration, drawn, kernel, stage, suited

STAGES = ("gain", "masses", "build")
MOST = 60  # degrees of freedom
SMALL = 8  # joints of an arm on squared paper whose cells are marked one by one


def composite(model=None, q=None, *, open=None, gain=None, pair=None, title="", lang="en", id=None):
    """Storyboard of the composite inertia -> Demo.

    Three stages: "gain" (body `gain` becomes 1 kg heavier: which cells of M change, and which way? only for planar
    models of up to eight joints with one freedom each), "masses" (which masses are in the entry `pair` = (i, j)?),
    "build" (glue bodies, fill M cell by cell, change masses and angles): any joints, up to 60 degrees of freedom.
    open: where to begin. gain and pair take body numbers, names or joint names; None chooses telling ones.
    No model: the squared-paper tree. id: see `Demo`. result: M (nv, nv). Raises ValueError for a model that is too
    large or too small, an unknown stage, "gain" for another model, a pair on different branches, or a `gain` without
    mass.
    """
    if model is None:
        model, q = squared_paper_tree(), squared_paper_state()[0] if q is None else q
    model, paper = suited("composite", model, MOST)
    can_gain = paper and model.n_bodies <= SMALL and any(m > 0 for m in model.mass[1:])
    if not can_gain and (gain is not None or open == "gain"):
        raise ValueError(f"composite: the stage gain needs a planar model of up to {SMALL} joints, each a hinge along "
                         "z or a slide in the xy plane, with masses in that plane; masses and build take this one")
    stages = STAGES if can_gain else STAGES[1:]
    q = configuration("composite", model, q)
    below = _below(model)
    if can_gain:
        heavy = [i for i in model.outward if model.mass[i] > 0]
        gain = model.index(gain) if gain is not None else max(heavy, key=lambda i: (len(_path(model, i)), -i))
        if gain not in heavy:
            raise ValueError(f"composite: {model.label(gain)} has no mass to change; choose another with gain=")
    M = crba(model, q)
    i, j = (model.index(x) for x in pair) if pair else _telling(model, below, M)
    if min(i, j) < 1 or (j not in below[i] and i not in below[j]):
        raise ValueError(f"composite: joints {i} and {j} are not on one path, so their entry of M sees no mass")
    code, why = kernel(crba, model, trace=True) if id is None else (None, "")
    return Demo("composite", title, lang, M, id, **drawn(model, q), paper=paper, inputs={"q": q, "m": model.mass[1:]},
                kernel=code, still=why, sheets=None if code else _sheets(model, q),
                steps=_steps(model, q, code["out"] if code else []), below=[[], *below.values()], gain=gain,
                stages=stages, pair=[max(i, j), min(i, j)], open=stage("composite", open, stages))  # fmt: skip


def _sheets(model, q):
    """M as a sum: for each body (0: what scales with no mass, the rotors say) [row, column, entry per kg, ...]."""

    def sheet(bodies, rotor, per):
        inertias = [I if i in bodies else 0 * I for i, I in enumerate(model.I)]
        M = crba(model.exchanged(I=inertias, Ir=[r * rotor for r in model.Ir]), q) / per
        return [x for r, c in zip(*np.nonzero(np.tril(M)), strict=True) for x in (r, c, M[r, c])]

    light = {i for i in model.outward if not model.mass[i] > 0}
    return [sheet(light, 1, 1)] + [[] if i in light else sheet({i}, 0, model.mass[i]) for i in model.outward]


def _path(model, i):
    """Bodies from body i to the base."""
    out = []
    while i:
        out.append(i)
        i = model.parent[i]
    return out


def _below(model):
    """{i: the bodies that move when joint i turns}."""
    return {i: [k for k in model.outward if i in _path(model, k)] for i in model.outward}


def _telling(model, below, M):
    """A pair of joints on one path whose entry sees several masses but not all: of one freedom, and well coupled."""

    def value(i, j):
        a, b = model.v_slice[i], model.v_slice[j]
        single = model.joints[i].nv == model.joints[j].nv == 1
        coupled = single and abs(M[a, b]).item() > 0.1 * np.sqrt(M[a, a] * M[b, b]).item()
        return single, coupled, len(below[i]), -i, -j

    pairs = [(i, j) for i in below for j in _path(model, i)[1:]]
    return max(pairs, key=lambda pair: value(*pair)) if pairs else (1, 1)


def _steps(model, q, out):
    """What happens in CRBA's inward pass: cells of M and gluings, with the place of each value in the kernel's output.

    A place is an offset, or the values themselves where they depend on no argument.
    """
    run = trace(crba, model, q)
    offset = {e[0]: e[1] for e in out if e[0] != "env"}
    place = [offset.get(k, np.ravel(s.value) if s.kind == "write" else None) for k, s in enumerate(run.steps)]
    IC, F, cells, glued = {}, None, [], {}
    for k, s in enumerate(run.steps):
        if s.kind != "write":
            continue
        if s.name == "IC":
            if s.line == 5 and s.index:
                glued[s.at["i"]] = {"do": "glue", "i": s.at["i"], "to": s.index, "own": IC[s.index],
                                    "more": IC[s.at["i"]], "IC": place[k]}  # fmt: skip
            IC[s.index] = place[k]
        elif s.name == "F":
            F = place[k]
        elif s.name == "M" and s.line in (7, 12):
            cells.append({"do": "cell", "i": s.index[0], "j": s.index[1], "F": F, "IC": IC[s.index[0]]})
    steps = []
    for i in model.inward:  # i is glued to its parent after i's cells: line [5] and lines [6] to [13] commute
        steps += [c for c in cells if c["i"] == i] + ([glued[i]] if i in glued else [])
    return {"list": steps, "IC": [None, *(IC[i] for i in model.outward)]}
