"""What a step player is given: one JSON-safe dict made from a trace, a listing and the model."""

import inspect
import math
import re

import numpy as np

from .. import kinematics
from ..listing import listing
from ..model import Model
from ..trace import trace
from ..twin import line_trees
from .live import default_sliders, kernel_for
from .picture import model_data

VERSION = 1
DIGITS = 7  # significant digits of every number in a page
KINDS = {"write": "w", "return": "w", "loop": "l", "test": "t"}


def payload(fn, *args, title=None, subtitle="", open=("arm", "equation"), questions=(), sliders=None, predict=True,
            live=True, step=0, lang="en", id=None, **kwargs):  # fmt: skip
    """fn(model, *args) recorded for the player -> dict (JSON-safe).

    fn: any function with `# [n]` tags whose first argument is a Model; further keywords (f_ext=...) go to fn.
    open: at most two of "arm", "tree", "matrix", "equation". step: where to begin, a number or (line, body).
    questions: dicts ask=, choices=[dict(text=, right=True), dict(text=, says=, motion=)], and step= or line= and body=;
    none given and predict=True: the player makes simple ones. motion: nv joint accelerations that the wrong answer means.
    sliders: None for a default choice, names ("q", "qdd", "m" for masses), or full dicts arg, ix, label, min, max,
    step, unit; they need live=True and a function that runs on symbols. id: players of one id share their place.
    Raises TypeError for a batch or for a first argument that is no Model, ValueError for a bad question or view.
    """
    if not args or not isinstance(args[0], Model):
        raise TypeError(f"the player needs {fn.__name__}(model, ...): its first argument must be a Model")
    unknown = set(open) - {"arm", "tree", "matrix", "equation"}
    if unknown or len(open) > 2:
        raise ValueError(f"open takes at most two of arm, tree, matrix, equation; got {tuple(open)}")
    model = args[0]
    bound = inspect.signature(fn).bind(*args, **kwargs)
    given = {k: v for k, v in list(bound.arguments.items())[1:] if v is not None}
    inputs = {k: _flat_input(model, k, v) for k, v in given.items()}
    run = trace(fn, *args, **kwargs)
    for s in run.steps:
        if s.kind == "write" and isinstance(s.value, np.ndarray) and s.value.ndim > 2:
            raise TypeError(f"the player shows one state; {s.name} has shape {np.shape(s.value)}: pass a single row")
    rows, trees = listing(fn), line_trees(fn)
    kernel = kernel_for(fn, model, given, run) if live else None
    if kernel and "m" in kernel["args"]:
        inputs["m"] = [float(m) for m in model.mass[1:]]
    steps = [_step(s) for s in run.steps]
    out = {
        "v": VERSION, "fn": fn.__name__, "title": title or fn.__name__.upper(), "subtitle": subtitle, "lang": lang,
        "lines": [{"n": x.n, "depth": x.depth, "kind": x.kind, "sym": x.symbols, "code": x.code, "words": x.words,
                   "tree": trees.get(x.n)} for x in rows.lines],
        "passes": [{"title": p.title, "lines": [p.first, p.last]} for p in rows.passes],
        "model": model_data(model), "dof": dof_letters(fn, run.steps), "inputs": inputs, "env": _env(run, trees), "steps": steps,
        "result": numbers(run.result), "kernel": kernel,
        "sliders": default_sliders(model, inputs, sliders) if kernel else [],
        "questions": [_question(q, run.steps, model) for q in questions],
        "open": list(open), "predict": bool(predict), "step": _find(run.steps, step),
    }  # fmt: skip
    if not {s["ix"] for s in steps if s.get("n") == "X"} >= set(model.outward):
        X = kinematics.transforms(model, np.array(given.get("q", model.neutral()), dtype=float))[0]
        out["poses"] = [None] + [[numbers(x[:3, :3].T), _origin(x)] for x in X[1:]]
    return out if id is None else {**out, "id": str(id)}


def numbers(x):
    """Flat list of an array or number, rounded; what is not finite as text. None for anything else."""
    try:
        flat = np.asarray(x, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        return None
    return [_short(v) for v in flat.tolist()]


def _short(v):
    if not math.isfinite(v):
        return str(v)
    v = float(f"{v:.{DIGITS}g}")
    return int(v) if v == int(v) and abs(v) < 1e15 else v


def _origin(X):
    """Position of the body's origin in its parent from a motion transform."""
    C = -X[:3, :3].T @ X[3:, :3]
    return numbers([C[2, 1], C[0, 2], C[1, 0]])


def _flat_input(model, name, value):
    if isinstance(value, dict):
        value = [np.reshape(v, -1) for v in value.values()]
    flat = np.asarray(value, dtype=float)
    if name in ("q", "qd", "qdd", "tau") and flat.ndim > 1:
        raise TypeError(f"the player shows one state; {name} has shape {flat.shape}: pass a single row")
    size = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv}.get(name, flat.size)
    return np.broadcast_to(flat.reshape(-1), (size,)).tolist() if flat.size in (1, size) else flat.reshape(-1).tolist()


def _shape(x):
    shape = np.shape(x)
    return list(shape) if len(shape) == 2 else [shape[0], 1] if len(shape) == 1 else [1, 1]


def _plain(index):
    return [int(i) for i in index] if isinstance(index, tuple) else int(index) if _whole(index) else None


def _whole(x):
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def _step(s):
    out = {"l": s.line, "at": {k: int(v) for k, v in s.at.items() if _whole(v)}, "k": KINDS[s.kind]}
    x = numbers(s.value) if out["k"] == "w" and not isinstance(s.value, (list, tuple)) else None
    if x is None:
        return {**out, "k": "t" if out["k"] == "t" else "l"}
    return {**out, "n": s.name or "result", "ix": _plain(s.index), "x": x, "s": _shape(s.value)}


def dof_letters(fn, steps):
    """Loop variables that count degrees of freedom from 0, not bodies: as the docstring's "over: k dof" row says, and
    any that reaches 0."""
    found = {k for s in steps for k, v in s.at.items() if _whole(v) and v == 0}
    for row in re.findall(r"^ *over: *(.+)$", inspect.getdoc(fn) or "", re.MULTILINE):
        found |= {pair.split()[0] for pair in row.split(",") if pair.split()[-1] == "dof"}
    return sorted(found)


def _names(node, found):
    """Names that a line reads, with or without an index."""
    if isinstance(node, dict):
        if node.get("op") == "ref":
            found.add(node["n"])
        for child in node.values():
            _names(child, found)
    elif isinstance(node, list):
        for child in node:
            _names(child, found)
    return found


def _env(run, trees):
    """Values that lines read and no step wrote: constants, inputs, the base's entries. {name: {index: {x, s}}}."""
    out = {}
    for name in _names([t["rhs"] for t in trees.values() if t], set()) & set(run.reads):
        value = run.reads[name]
        if name in ("λ", "XT") or isinstance(value, (int, range)):
            continue
        entries = enumerate(value) if isinstance(value, (list, tuple)) else [("", value)]
        table = {str(i): {"x": numbers(v), "s": _shape(v)} for i, v in entries if v is not None and np.size(v)}
        out[name] = {i: v for i, v in table.items() if v["x"] is not None}
    return {name: table for name, table in out.items() if table}


def _find(steps, place):
    """Step number of a number, or of (line, body)."""
    if _whole(place):
        if not -len(steps) <= place < len(steps):
            raise ValueError(f"there is no step {place}: the run has {len(steps)}")
        return int(place) % len(steps)
    line, body = place
    for k, s in enumerate(steps):
        if s.line == line and (s.at.get("i") == body or s.index == body):
            return k
    raise ValueError(f"no step of line [{line}] at body {body}")


def _question(q, steps, model):
    q = dict(q)
    line, body = q.pop("line", None), q.pop("body", None)
    q["step"] = _find(steps, q["step"] if line is None else (line, body))
    choices = [dict(c) for c in q.get("choices", ())]
    if not q.get("ask") or len(choices) < 2 or sum(bool(c.get("right")) for c in choices) != 1:
        raise ValueError(f"question at step {q['step']}: needs ask=, two choices or more, and exactly one right=True")
    for c in choices:
        c["text"] = str(c["text"])
        if c.get("motion") is not None:
            c["motion"] = numbers(c["motion"])
            if len(c["motion"]) != model.nv:
                raise ValueError(f"question at step {q['step']}: motion has {len(c['motion'])} numbers, nv is {model.nv}")
        elif not (c.get("right") or c.get("says")):
            raise ValueError(f"question at step {q['step']}: the wrong answer {c['text']!r} needs says= or motion=")
    return {**q, "choices": choices}
