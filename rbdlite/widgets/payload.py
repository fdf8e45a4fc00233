"""What a step player is given: one JSON-safe dict made from a trace, a listing and the model."""

import inspect
import re
from collections.abc import Mapping

import numpy as np

from .. import kinematics
from ..errors import StateError
from ..listing import listing
from ..model import Model
from ..opcount import NEEDED, wants
from ..spatial import pose
from ..trace import subscript, trace
from ..twin import line_trees
from .arguments import bind
from .element import language
from .live import default_sliders, kernel_for
from .picture import model_data
from .questions import find, question
from .text import numbers

VERSION = 1
_NESTED = re.compile(r"(\w+)\[(\w+)\]\[(\w*)\]")
KINDS = {"write": "w", "return": "w", "loop": "l", "test": "t"}


def payload(fn, *args, title=None, subtitle="", open=("arm", "equation"), questions=(), sliders=None, predict=True,
            live=True, step=0, lang="en", id=None, matrix=None, at=None, **kwargs):  # fmt: skip
    """fn(model, *args) recorded for the player -> dict (JSON-safe).

    fn: any function with `# [n]` tags whose first argument is a Model; further keywords (f_ext=...) go to fn.
    open: one or two of "arm", "tree", "matrix", "equation". step: where to begin, a number, (line, body)
    or {"line": n, "k": 2, ...}.
    questions: dicts ask=, choices=[dict(text=, right=True), dict(text=, says=, motion=)], and step=, or line= and
    body= (or at={loop variable: value}); none given and predict=True: the player makes simple ones. motion: nv joint
    accelerations that the wrong answer means, acted out by the arm.
    sliders: None for a default choice, names ("q", "qdd", "m" for masses), or full dicts arg, ix, label, min, max,
    step, unit; they need live=True and a function that runs on symbols.
    at: {"q": ...}, the state for arguments that are given as functions: payload(rbd.ltdl, model, rbd.crba,
    at={"q": q}) factors M(q), and its sliders move q.
    matrix: the name that the matrix view keeps in sight ("M", "IA"; default: what is written now).
    id: players of one id on a page share their place.
    Without a kernel (see "still" in the payload for the reason) the page has no sliders; asking for some is an error.
    lang: "en" or "zh".
    Raises TypeError for a batch, symbols, or a first argument that is no Model; ValueError for a bad question, slider,
    step, view, matrix or lang, and for a run without steps; StateError for a state that is not finite; TraceError.
    """
    if not args or not isinstance(args[0], Model):
        raise TypeError(f"the player needs {fn.__name__}(model, ...): its first argument must be a Model")
    open, lang = (open,) if isinstance(open, str) else tuple(open), language(lang)
    if len(open) > 2 or not all(x in ("arm", "tree", "matrix", "equation") for x in open):
        raise ValueError(f"open takes at most two of arm, tree, matrix, equation; got {open}")
    model = args[0]
    bound = bind(fn, args, kwargs, OPTIONS)
    made = made_of_state(fn, model, bound, at)
    given = {k: v for k, v in list(bound.arguments.items())[1:] if v is not None and k not in made} | dict(at or {})
    if "f_ext" in given and not isinstance(given["f_ext"], Mapping):  # one wrench for each body, the base's first
        given["f_ext"] = dict(enumerate(given["f_ext"]))
    inputs = {k: x for k, v in given.items() if (x := _flat_input(model, k, v)) is not None}
    run = trace(fn, *bound.args, **bound.kwargs)
    if not model.n_bodies or not run.steps:
        why = "this run meets no tagged line" if model.n_bodies else "the model has no bodies"
        raise ValueError(f"{fn.__name__}: {why}, so there is no step to show")
    for s in run.steps:
        if s.kind == "write" and isinstance(s.value, np.ndarray) and s.value.ndim > 2:
            raise TypeError(f"the player shows one state; {s.name} has shape {np.shape(s.value)}: pass a single row")
    rows, trees = listing(fn), line_trees(fn)
    inputs = {k: v for k, v in inputs.items() if k not in NEEDED}
    known = {k: v for k, v in given.items() if k not in inputs or k in ("f_ext", "locked") and len(v)} | made
    kernel, still = kernel_for(fn, model, inputs, known, run) if live else (None, "live=False")
    if sliders and not kernel:
        raise ValueError(f"there can be no sliders: {still}")
    data = model_data(model.in_kind("float"))
    if kernel and "m" in kernel["args"]:
        inputs["m"] = [float(m) for m in model.mass[1:]]
        data["mass"] = [data["mass"][0], *inputs["m"]]  # the same digits, so that Reset finds them
    loops = {name for s in run.steps for name, v in s.at.items() if _whole(v)}
    steps = [_step(s, loops) for s in run.steps]
    env = _env(run, trees)
    if matrix is not None and matrix not in (there := _matrices(steps, env)):
        raise ValueError(f"matrix takes the name of a matrix that {fn.__name__} writes or reads here, of "
                         f"{', '.join(there) or 'which there is none'}; got {matrix!r}")  # fmt: skip
    out = {
        "v": VERSION, "fn": fn.__name__, "title": title or fn.__name__.upper(), "subtitle": subtitle, "lang": lang,
        "lines": [{"n": x.n, "depth": x.depth, "kind": x.kind, "sym": x.symbols, "code": x.code, "words": x.words,
                   "tree": trees.get(x.n)} for x in rows.lines],
        "passes": [{"title": p.title, "lines": [p.first, p.last]} for p in rows.passes],
        "model": data, "dof": dof_letters(fn, run.steps, trees), "inputs": inputs, "env": env, "steps": steps,
        "result": numbers(run.result), "kernel": kernel, "still": still,
        "sliders": default_sliders(model, inputs, sliders) if kernel else [],
        "questions": [question(q, run.steps, model) for q in questions],
        "open": list(open), "predict": bool(predict), "step": find(run.steps, step),
    }  # fmt: skip
    if any(all(s.get("n") != "X" or s["ix"] != i or len(s["x"]) != 36 for s in steps) for i in model.outward):
        X = kinematics.transforms(model, np.array(given.get("q", model.neutral()), dtype=float))[0]
        out["poses"] = [None] + [[numbers(part) for part in pose(x)] for x in X[1:]]
    if isinstance(run.result, tuple):  # of several results, those that are matrices
        out["outs"] = [{"x": numbers(v), "s": _shape(v)} for v in run.result if np.ndim(v) == 2]
    return {**out, **{k: str(v) for k, v in (("id", id), ("pick", matrix)) if v is not None}}


OPTIONS = [k for k, p in inspect.signature(payload).parameters.items() if p.kind is p.KEYWORD_ONLY]


def made_of_state(fn, model, bound, at):
    """{argument: function}, those of the bound arguments that are functions, each replaced by what it makes of the
    state: fn's own arguments, and `at` for the others."""
    made = {k: v for k, v in list(bound.arguments.items())[1:] if callable(v)}
    if at is not None and not isinstance(at, Mapping):
        raise TypeError(f"{fn.__name__}: at= must be a mapping, as {{'q': q}}; got {type(at).__name__}")
    at, used = dict(at or {}), set()
    state = {k: v for k, v in list(bound.arguments.items())[1:] if k not in made}
    for k in set(at) & set(state):
        if not np.array_equal(at[k], state[k]):
            raise TypeError(f"{fn.__name__} takes {k} itself: at={k!r} must be the same, or left out")
    for name, f in made.items():
        lacking = [x for x in wants(f) if x not in at and x not in state]
        if lacking:
            raise TypeError(f"{fn.__name__}: {name} is given as a function of {lacking[0]}: "
                            f"give at={{{lacking[0]!r}: ...}}")  # fmt: skip
        used |= set(wants(f))
        bound.arguments[name] = f(model, **{k: at[k] if k in at else state[k] for k in wants(f)})
    if unused := sorted(set(at) - used):
        raise TypeError(f"{fn.__name__}: at={unused[0]!r} is for an argument given as a function of it; there is none")
    return made


def _flat_input(model, name, value):
    """An argument as a flat list of numbers; None for what is no numbers (and no state)."""
    size = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv}.get(name)
    if name == "f_ext":
        value = [np.reshape(v, -1) for v in value.values()]
    if name == "locked":
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            return None  # fn says what it wants
        value = [model.index(x) for x in value]
    try:
        flat = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        if size is None:
            return None
        raise TypeError(f"the player shows numbers; {name} holds {value!r}") from None
    if size is not None and flat.ndim > 1:
        raise TypeError(f"the player shows one state; {name} has shape {flat.shape}: pass a single row")
    flat = flat.reshape(-1)
    if not np.isfinite(flat).all():
        if size is None:
            return None
        raise StateError(f"the player needs finite numbers; {name} holds {flat.tolist()}")
    return (np.broadcast_to(flat, (size,)) if size and flat.size == 1 else flat).tolist()


def _shape(x):
    shape = np.shape(x)
    return list(shape) if len(shape) == 2 else [shape[0], 1] if len(shape) == 1 else [1, 1]


def _place(index, value):
    """A subscript for the page: a number, a list of numbers, or any other as its text ("2, :"); None for no subscript.

    H[..., i, j] of a single state is the entry (i, j).
    """
    if isinstance(index, tuple) and index and index[0] is Ellipsis and np.ndim(value) == 0:
        index = index[1:] if len(index) > 2 else index[-1]
    if index is None or _whole(index):
        return None if index is None else int(index)
    return [int(i) for i in index] if isinstance(index, tuple) and all(map(_whole, index)) else subscript(index)


def _whole(x):
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def _step(s, loops):
    out = {"l": s.line, "at": {k: int(v) for k, v in s.at.items() if _whole(v)}, "k": KINDS[s.kind]}
    out |= {"c": s.call} if s.call else {}  # a function that calls itself has its own names in each call
    counter = s.name in loops and _whole(s.value)  # j = λ[j]: a loop variable, no value of the algorithm
    if counter:
        out["at"][s.name] = int(s.value)
    x = None if out["k"] != "w" or counter or isinstance(s.value, (list, tuple)) else numbers(s.value)
    if x is None:
        whole = _written_anew(s) if out["k"] == "w" else {}
        return {**out, "k": "t", "y": int(s.value)} if out["k"] == "t" else {**out, "k": "l", **whole}
    name, index = s.name or "result", _place(s.index, s.value)
    if (nested := _NESTED.match(f"{name}[]")) and nested[2] in s.at:  # H[i][j] is the entry (i, j) of H
        i, whole = int(s.at[nested[2]]), _whole(index)
        name, index = nested[1], [i, index] if whole else f"{i}][{subscript(s.index)}"
    return {**out, "n": name, "ix": index, "x": x, "s": _shape(s.value)}


def _written_anew(s):
    """For a line that writes a whole list: its name and its entries, which those written before are no longer."""
    if s.index is not None or not isinstance(s.value, (list, tuple)):
        return {}
    entries = {str(i): {"x": x, "s": _shape(v)} for i, v in enumerate(s.value) if (x := numbers(v)) is not None}
    return {"list": s.name, "all": entries}


def dof_letters(fn, steps, trees):
    """Loop variables that count degrees of freedom from 0, not bodies: as the docstring's "over: k dof" row says, any
    that reaches 0, and any that stands where one of these does (H[i, j] and H[k, k])."""
    found = {k for s in steps for k, v in s.at.items() if _whole(v) and v == 0}
    for row in re.findall(r"^ *over: *(.+)$", inspect.getdoc(fn) or "", re.MULTILINE):
        found |= {pair.split()[0] for pair in row.split(",") if pair.split()[-1] == "dof"}
    loops, places = {k for s in steps for k, v in s.at.items() if _whole(v)}, {}
    for ref in (r for tree in trees.values() if tree for r in [tree["target"], *_refs(tree["rhs"])]):
        for d, ix in enumerate(ref["ix"] if isinstance(ref["ix"], list) else [ref["ix"]]):
            if ix and ix["v"] in loops and "of" not in ix:
                places.setdefault((ref["n"], d), set()).add(ix["v"])
    for _ in loops:
        found |= {k for there in places.values() if there & found for k in there}
    return sorted(found)


def _refs(node):
    """Every reference of a line's tree, {"n": name, "ix": index}."""
    if isinstance(node, dict):
        return [node] * (node.get("op") == "ref") + [r for x in node.values() for r in _refs(x)]
    return [r for x in node for r in _refs(x)] if isinstance(node, list) else []


def _matrices(steps, env):
    """Names that the matrix view can keep in sight: written entry by entry, or with rows and columns, or read."""
    names = [s["n"] for s in steps if s["k"] == "w" and (isinstance(s["ix"], list) or min(s["s"]) > 1)]
    read = [name for name, of in env.items() if name == "I" or "" in of and min(of[""]["s"]) > 1]
    return list(dict.fromkeys([*names, *sorted(read)]))


def _env(run, trees):
    """Values that lines read and no step wrote: constants, inputs, the base's entries. {name: {index: {x, s}}}."""
    out = {}
    for name, at, value in run.entries({r["n"] for t in trees.values() if t for r in _refs(t["rhs"])}):
        if (x := numbers(value)) is not None:
            out.setdefault(name, {})[at] = {"x": x, "s": _shape(value)}
    return out
