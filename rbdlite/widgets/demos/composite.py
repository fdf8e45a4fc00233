"""Composite inertia: which bodies an entry of M sees, and how M fills."""

import numpy as np

from ...codegen import compile as compile_code
from ...crba import crba
from ...robots import squared_paper_state, squared_paper_tree
from ...trace import trace
from ..picture import model_data
from .page import Demo, configuration, planar_model, stage

STAGES = ("gain", "masses", "build")


def composite(model=None, q=None, *, open=None, gain=None, pair=None, title="", lang="en"):
    """Storyboard of the composite inertia of a planar model with one freedom per joint -> Demo.

    Three stages: "gain" (body `gain` becomes 1 kg heavier: which cells of M change?), "masses" (which masses are
    in the entry `pair` = (i, j)?), "build" (glue bodies, fill M cell by cell, change masses and angles).
    open: where to begin. gain and pair take body numbers, names or joint names; None chooses telling ones.
    No model: the squared-paper tree. Raises ValueError for a model that is not planar, has a joint with several
    freedoms, or more than eight joints; for an unknown stage, a pair on different branches, or a `gain` without mass.
    """
    if model is None:
        model, q = squared_paper_tree(), squared_paper_state()[0] if q is None else q
    planar_model("composite", model)
    if not 2 <= model.n_bodies <= 8:
        raise ValueError(f"composite shows two to eight joints; this model has {model.n_bodies}")
    q = configuration("composite", model, q)
    below = _below(model)
    heavy = [i for i in model.outward if model.mass[i] > 0]
    gain = model.index(gain) if gain is not None else max(heavy, key=lambda i: (len(_path(model, i)), -i), default=0)
    if gain not in heavy:
        raise ValueError(f"composite: {model.label(gain)} has no mass to change; choose another with gain=")
    i, j = (model.index(x) for x in pair) if pair else _telling(model, below)
    if min(i, j) < 1 or (j not in below[i] and i not in below[j]):
        raise ValueError(f"composite: joints {i} and {j} are not on one path, so their entry of M sees no mass")
    compiled = compile_code(crba, model, target="js", trace=True, masses=True)
    return Demo("composite", title, lang, model=model_data(model), inputs={"q": q, "m": model.mass[1:]},
                kernel=compiled.kernel, steps=_steps(model, q, compiled.kernel["out"]), below=[[], *below.values()],
                gain=gain, pair=[max(i, j), min(i, j)], open=stage("composite", open, STAGES))  # fmt: skip


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


def _telling(model, below):
    """A pair of joints on one path whose entry sees several masses but not all."""
    inner = [i for i in model.outward if model.parent[i]] or list(model.outward)
    i = max(inner, key=lambda i: (len(below[i]), -i))
    return i, _path(model, i)[-1]


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
