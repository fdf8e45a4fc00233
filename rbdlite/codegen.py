"""Straight-line code from an algorithm: the function runs once on symbols, and what it did is written down.

    f = compile(rnea, model)                      NumPy: f(q, qd, qdd) -> tau, with leading batch axes
    f = compile(rnea, model, target="js")         JavaScript: f.source is the text of (q,qd,qdd)=>Float64Array
    f = compile(rnea, model, target="js", trace=True, masses=True).kernel         for the player
"""

import builtins
import dataclasses
import inspect
import math
from numbers import Real

import numpy as np

from .errors import StateError
from .expr import Expr, Graph, evaluate, plain
from .opcount import arguments
from .straightline import MATH, javascript, numpy_code
from .trace import trace as run_traced

TARGETS = ("numpy", "js")
CHUNK = 1024  # rows that the NumPy code handles at a time: its temporaries then stay in the cache


class Compiled:
    """A function as straight-line code; call it with the arguments of the original, less the model.

    source: the text; args: {argument: shape}; shape: of the result, a tuple or record of shapes if it is one of
    arrays; values: an expression for each number that the code returns, the result first (array by array, row by
    row); out: where traced values stand, [[step, offset], ...].

    Only shapes are checked (StateError names the argument). Nothing is raised for the numbers: a row that holds NaN
    or meets a singular joint comes back as NaN or infinite numbers, other rows are right; a quaternion that is not of
    length 1 gives numbers that mean nothing.
    """

    def __init__(self, name, target, args, result, values, out):
        self.name, self.target, self.args = name, target, args
        self.shape, self._result, self.values, self.out = mapped(np.shape, result), result, values, out
        self.source = {"js": javascript, "numpy": numpy_code}[target](args, values)
        if target == "numpy":
            space = {name: getattr(np, name) for name in MATH}
            exec(builtins.compile(self.source, f"<{name} compiled>", "exec"), space)
            self._run = space["kernel"]

    def __repr__(self):
        return f"<{self.name}({', '.join(self.args)}) as {self.target} code, {len(self.source)} characters>"

    @property
    def kernel(self):
        """The player's kernel, JSON-safe: {"args", "src", "out", "size"} (JavaScript only)."""
        if self.target != "js":
            raise ValueError("only JavaScript code has a kernel: compile(..., target='js', trace=True)")
        return {"args": list(self.args), "src": self.source, "out": self.out, "size": len(self.values)}

    def __call__(self, *args, **named):
        """The result, with the leading axes of the arguments. JavaScript: the same operations, in Python."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature([inspect.Parameter(name, kind) for name in self.args])
        rows = {}
        for name, x in signature.bind(*args, **named).arguments.items():
            rows[name] = _row(name, x, self.args[name])
        try:
            batch = np.broadcast_shapes(*(x.shape[:-1] for x in rows.values()))
        except ValueError:
            leading = ", ".join(f"{name} {x.shape[:-1]}" for name, x in rows.items())
            raise StateError(f"the leading (batch) axes of the arguments do not fit together: {leading}") from None
        count, run = math.prod(batch), self._chunk if self.target == "numpy" else self._evaluate
        for name, x in rows.items():
            rows[name] = np.broadcast_to(x, (*batch, x.shape[-1])).reshape(count, x.shape[-1])
        table = np.empty((count, len(self.values)))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for start in range(0, count, CHUNK):
                run({name: x[start : start + CHUNK] for name, x in rows.items()}, table[start : start + CHUNK])
        ends = iter(np.cumsum([0, *(x.size for x in leaves(self._result))]))
        first = next(ends)

        def part(x):
            nonlocal first
            begin, first = first, next(ends)
            return table[:, begin:first].reshape((*batch, *x.shape))[()]

        return mapped(part, self._result)

    def _chunk(self, rows, result):
        out = np.empty(result.shape[::-1])
        self._run(*(np.ascontiguousarray(x.T) for x in rows.values()), out)
        result[:] = out.T

    def _evaluate(self, rows, result):
        result[:] = evaluate(self.values, **rows)


def _row(name, x, shape):
    """An argument as an array (..., size), or StateError."""
    text = f"{name} must have shape (..., {', '.join(map(str, shape))})"
    try:
        x = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{text} and hold numbers; got {type(x).__name__}") from None
    lead = x.shape[: max(0, x.ndim - len(shape))]
    if x.shape != (*lead, *shape):
        raise StateError(f"{text}; got {x.shape}")
    return x.reshape(*lead, math.prod(shape))


# -- what a function returns: an array or number; a record, tuple, list or dict of such --------------------------------


def mapped(f, x):
    """f on every array of a result, whose form is kept."""
    if dataclasses.is_dataclass(x):
        return type(x)(**{k.name: mapped(f, getattr(x, k.name)) for k in dataclasses.fields(x)})
    if isinstance(x, dict):
        return {k: mapped(f, v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        parts = [mapped(f, v) for v in x]
        return parts if isinstance(x, list) else x._make(parts) if hasattr(x, "_make") else tuple(parts)
    return f(x)


def leaves(x):
    """The arrays of a result, in order."""
    found = []
    mapped(found.append, x)
    return found


def _symbolic(name, x):
    """A part of a result as an object array of expressions and plain numbers."""
    x = np.asarray(x, dtype=object)
    out = np.empty(x.shape, dtype=object)
    for k, value in np.ndenumerate(x):
        if not isinstance(value, (Expr, Real)):
            raise TypeError(f"{name} returns {value!r} ({type(value).__name__}): only numbers can be compiled, and "
                            "arrays, tuples, lists, dicts and records of numbers")  # fmt: skip
        out[k] = value if isinstance(value, Expr) else plain(value)
    return out


def compile(fn, model, target="numpy", trace=False, masses=False, on_step=None, **given):
    """fn(model, ...) as straight-line code for this one model -> `Compiled`.

    target "numpy": a callable; "js": the text of a function of flat arrays that returns a Float64Array.
    A function that returns a tuple or record of arrays does so compiled, too (JavaScript: all numbers in a row).
    given: known arguments, or functions that make them, as for `flops`. masses=True adds an argument m (n,), masses
    of bodies 1..n [kg]; a body's whole inertia scales with it (a massless body stays massless). trace=True
    (JavaScript; fn needs tags) also returns what tagged lines write, where it depends on an argument, as
    [[step, offset], ...], and what they read that no line wrote, as ["env", name, index, offset]; on_step: as for
    `rbdlite.trace`, may raise to give up.
    """
    if target == "c":
        raise NotImplementedError("target 'c' is not in this version of rbdlite; use 'numpy' or 'js'")
    if target not in TARGETS:
        raise ValueError(f"unknown target {target!r}; known: {', '.join(TARGETS)}")
    if trace and target != "js":
        raise ValueError("trace=True needs target='js': traced values are for the player")
    if masses and model.regrouped:
        raise ValueError("masses=True needs the bodies' own inertias: give the model as it was before rbd.regroup")
    graph = Graph()
    m = graph.symbols("m", model.n_bodies) if masses else None
    model = _with_masses(model, m) if masses else model
    args, symbols = arguments(fn, model, graph, given)
    symbols |= {"m": m} if masses else {}
    run = run_traced(fn, model, on_step=on_step, **args) if trace else None
    result = mapped(lambda x: _symbolic(fn.__name__, x), run.result if trace else fn(model, **args))
    values, out = [v for x in leaves(result) for v in x.reshape(-1)], []
    if trace:
        blocks = [([k], step.value) for k, step in enumerate(run.steps) if step.kind in ("write", "return")
                  and not isinstance(step.value, (list, tuple, dict, set))]  # fmt: skip
        blocks += [(["all", k, str(i)], x) for k, step in enumerate(run.steps) if step.kind == "write" and
                   step.index is None and isinstance(step.value, (list, tuple)) for i, x in enumerate(step.value)
                   if not isinstance(x, (list, tuple))]  # fmt: skip
        blocks += [(["env", name, at], x) for name, at, x in run.entries()]
        _place(blocks, values, out)
    shapes = {name: x.shape for name, x in symbols.items()}
    return Compiled(fn.__name__, target, shapes, result, values, out)


def _with_masses(model, m):
    """The model with every inertia scaled to the symbolic mass of its body."""
    model = model.in_kind("symbolic")
    scaled = [I if m0 == 0 else I / m0 * mi for I, m0, mi in zip(model.I[1:], model.mass[1:], m, strict=True)]
    return model.exchanged(I=[model.I[0], *scaled], mass=(model.mass[0], *m))


def _place(blocks, values, out):
    """Append each block that depends on a symbol to values, equal blocks once, and note its offset in out."""
    known = {tuple(values): 0}
    for label, value in blocks:
        block = tuple(np.ravel(np.asarray(value, dtype=object)))
        if any(isinstance(x, Expr) for x in block):
            if block not in known:
                known[block] = len(values)
                values.extend(block)
            out.append([*label, known[block]])
