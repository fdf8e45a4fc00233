"""Straight-line code from an algorithm: the function runs once on symbols, and what it did is written down.

    f = compile(rnea, model)                      NumPy: f(q, qd, qdd) -> tau, with leading batch axes
    f = compile(rnea, model, target="js")         JavaScript: f.source is the text of (q,qd,qdd)=>Float64Array
    f = compile(rnea, model, target="js", trace=True, masses=True).kernel         for the player
"""

import builtins
import inspect
import math
import re
from collections import Counter
from itertools import chain, product
from string import ascii_letters, digits

import numpy as np

from .expr import Expr, Graph, evaluate, live
from .opcount import arguments
from .trace import trace as run_traced

MATH = ("sin", "cos", "sqrt")
TARGETS = ("numpy", "js")
RESERVED = set("do if in is or as of np for let new try var and not def del int len sin cos out".split())
SUM, PRODUCT, ATOM = 1, 2, 3  # how tightly a text binds
LONGEST = 300  # characters of one expression; what is longer gets a name
CHUNK = 1024  # rows that the NumPy code handles at a time: its temporaries then stay in the cache


class Compiled:
    """A function as straight-line code; call it with the arguments of the original, less the model.

    source: the text; args: {argument: shape}; values: an expression for each number that the code returns,
    the result (of shape `shape`) first; out: where traced values stand, [[step, offset], ...].
    """

    def __init__(self, name, target, args, shape, values, out):
        self.name, self.target, self.args, self.shape = name, target, args, shape
        self.values, self.out = values, out
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
            x, shape = np.asarray(x, dtype=float), self.args[name]
            lead = x.shape[: max(0, x.ndim - len(shape))]
            if x.shape != (*lead, *shape):
                raise ValueError(f"{name} must have shape (..., {', '.join(map(str, shape))}); got {x.shape}")
            rows[name] = x.reshape(*lead, math.prod(shape))
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in rows.values()))
        count, run = math.prod(batch), self._chunk if self.target == "numpy" else self._evaluate
        for name, x in rows.items():
            rows[name] = np.broadcast_to(x, (*batch, x.shape[-1])).reshape(count, x.shape[-1])
        result = np.empty((count, len(self.values)))
        for start in range(0, count, CHUNK):
            run({name: x[start : start + CHUNK] for name, x in rows.items()}, result[start : start + CHUNK])
        return result[:, : math.prod(self.shape)].reshape(*batch, *self.shape)

    def _chunk(self, rows, result):
        out = np.empty(result.shape[::-1])
        self._run(*(np.ascontiguousarray(x.T) for x in rows.values()), out)
        result[:] = out.T

    def _evaluate(self, rows, result):
        result[:] = evaluate(self.values, **rows)


def compile(fn, model, target="numpy", trace=False, masses=False, **given):
    """fn(model, ...) as straight-line code for this one model -> `Compiled`.

    target "numpy": a callable; "js": the text of a function of flat arrays that returns a Float64Array.
    given: known arguments, as for `flops`. masses=True adds an argument m (n,), masses of bodies 1..n [kg];
    a body's whole inertia scales with it (a massless body stays massless). trace=True (JavaScript; fn needs
    tags) also returns what tagged lines write, where it depends on an argument, as [[step, offset], ...], and
    what they read of each body, as ["env", name, body, offset].
    """
    if target == "c":
        raise NotImplementedError("target 'c' is not in this version of rbdlite; use 'numpy' or 'js'")
    if target not in TARGETS:
        raise ValueError(f"unknown target {target!r}; known: {', '.join(TARGETS)}")
    if trace and target != "js":
        raise ValueError("trace=True needs target='js': traced values are for the player")
    graph = Graph()
    args = arguments(fn, model, graph, given)
    symbols = {name: x for name, x in args.items() if name not in given}
    if given.get("f_ext") is not None:
        symbols["f_ext"] = np.stack(list(args["f_ext"].values()))
    if masses:
        symbols["m"] = graph.symbols("m", model.n_bodies)
        model = _with_masses(model, symbols["m"])
    run = run_traced(fn, model, **args) if trace else None
    result = np.asarray(run.result if trace else fn(model, **args), dtype=object)
    values, out = list(result.reshape(-1)), []
    if trace:
        blocks = [([k], step.value) for k, step in enumerate(run.steps) if step.kind in ("write", "return")]
        for name in {"q", "qd", "qdd", "tau"} & set(symbols):
            slices = model.q_slice if name == "q" else model.v_slice
            blocks += [(["env", name, str(i)], symbols[name][slices[i]]) for i in model.outward]
        blocks += [(["env", "I", str(i)], model.I[i]) for i in model.outward] if masses else []
        _place(blocks, values, out)
    shapes = {name: x.shape for name, x in symbols.items()}
    return Compiled(fn.__name__, target, shapes, result.shape, values, out)


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


# -- text, valid both as JavaScript and as Python ------------------------------------------------------------


def _number(x):
    """Shortest digits that read back as the same number: 0.5 -> .5, 1e-05 -> 1e-5."""
    sign, text = "-" * (x < 0), repr(abs(x if isinstance(x, int) else float(x)))
    text = text.removesuffix(".0").replace("e-0", "e-").replace("e+", "e")
    return sign + (text[1:] if text.startswith("0.") else text)


def _infix(op, left, right):
    """(text, binding) of left op right; a sum or product is turned round where that saves brackets."""
    level = SUM if op in "+-" else PRODUCT
    if op in "+*" and right[1] <= level < left[1]:
        left, right = right, left
    a, b = (f"({t})" if binding < least else t for (t, binding), least in ((left, level), (right, level + 1)))
    return a + op + b, level


def straight_line(args, values):
    """(temporaries [(name, text), ...], texts of the values). What is used once stands where it is used."""
    nodes, uses = live(values), Counter(values)
    for n in reversed(nodes):
        for x in (n.a, n.b) if n.op != "sym" else ():
            uses[x] += uses[n] if n.op == "neg" else 1
    more = ascii_letters + digits
    names = ("".join(c) for k in range(4) for c in product(ascii_letters, *[more] * k))
    names = (x for x in names if x not in RESERVED and x not in args)
    temporaries, text = [], {}

    def keep(x, plain, binding, named):
        if named:
            temporaries.append((next(names), plain))
            plain, binding = temporaries[-1][0], ATOM
        text[x] = plain, binding

    for x in uses:
        if x is not None and not isinstance(x, Expr):
            plain = _number(x)
            keep(x, plain, ATOM, (uses[x] - 1) * len(plain) > 2 * uses[x] + 4)
    for n in nodes:
        if n.op == "sym":
            keep(n, f"{n.a}[{n.b}]", ATOM, uses[n] > 4)
        elif n.op == "neg":
            plain, binding = text[n.a]
            if n.a.op == "-" and uses[n.a] == 1 and binding == SUM:
                keep(n, *_infix("-", text[n.a.b], text[n.a.a]), False)
            else:
                keep(n, "-" + (f"({plain})" if binding == SUM else plain), SUM, False)
        elif n.b is None:
            keep(n, f"{n.op}({text[n.a][0]})", ATOM, uses[n] > 1)
        else:
            plain, binding = _infix(n.op, text[n.a], text[n.b])
            keep(n, plain, binding, uses[n] > 1 or len(plain) > LONGEST)
    return temporaries, [text[x][0] for x in values]


def javascript(args, values):
    """(a,b,...)=>{...return Float64Array}: one arrow function that needs nothing but Math."""
    temporaries, outs = straight_line(args, values)
    used = ",".join(f for f in MATH if any(n.op == f for n in live(values)))
    lines = ([f"{{{used}}}=Math"] if used else []) + [f"{name}={text}" for name, text in temporaries]
    head = ("const" if used else "const ") + ",".join(lines) + ";" if lines else ""
    return f"({','.join(args)})=>{{{head}return Float64Array.of({','.join(outs)})}}"


def numpy_code(args, values):
    """A function of arrays (size, rows) that fills out (values, rows); temporaries are freed as they die."""
    temporaries, outs = straight_line(args, values)
    made = {name: k for k, (name, _) in enumerate(temporaries)}
    needs = [[x for x in re.findall(r"[A-Za-z]\w*", text) if x in made] for _, text in temporaries]
    last = {x: k for k, names in enumerate(needs) for x in names}
    lines = [[f"{name} = {text}"] for name, text in temporaries] or [["pass"]]
    for j, text in enumerate(outs):
        names = [x for x in re.findall(r"[A-Za-z]\w*", text) if x in made]
        at = max((made[x] for x in names), default=0)
        last.update((x, max(at, last.get(x, 0))) for x in names)
        lines[at].append(f"out[{j}] = {text}")
    for x, k in last.items():
        lines[k].append(f"del {x}")
    return f"def kernel({', '.join([*args, 'out'])}):\n    " + "\n    ".join(chain(*lines)) + "\n"
