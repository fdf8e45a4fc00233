"""Running an algorithm on symbols, and counting its operations line by line.

    count = flops(rnea, model)        {line: multiplications + additions + divisions}; prints as a table
    count[4], count.total             of line [4]; of all lines
    count.mul, count.add, count.trig  all multiplications, additions (and subtractions), sines and cosines
    count.part(4)                     the same numbers for one line
    flops(rnea, model, qdd=0)         for a known argument: what depends on it folds away
"""

import dataclasses
import html
import inspect
from collections import Counter
from typing import NamedTuple

import numpy as np

from .expr import Graph, live
from .listing import listing
from .trace import Recorder, twin
from .typeset import STYLE, typeset

KINDS = {"*": "mul", "+": "add", "-": "add", "/": "div", "sin": "trig", "cos": "trig", "sqrt": "root"}


class Part(NamedTuple):
    """Live operations of one kind each; `flops` leaves sines, cosines and roots out."""

    mul: int = 0
    add: int = 0
    div: int = 0
    trig: int = 0
    root: int = 0

    @property
    def flops(self):
        return self.mul + self.add + self.div


class Flops(dict):
    """{line: multiplications + additions + divisions}; line 0, if there, is "setup": lines without a tag."""

    def __init__(self, fn, parts):
        super().__init__((line, part.flops) for line, part in parts.items())
        self.fn, self.parts = fn, parts

    def part(self, line):
        """Operations of one line, kind by kind."""
        return self.parts.get(line, Part())

    whole = property(lambda self: Part(*map(sum, zip(*self.parts.values(), strict=True))))
    mul, add, div, trig, root = (property(lambda self, k=k: self.whole[k]) for k in range(5))
    total = property(lambda self: self.whole.flops)

    def rows(self):
        """(line, symbols, Part) in the order of the listing, then the total."""
        lines = [(0, "setup")] * (0 in self)
        lines += [(x.n, "  " * x.depth + x.symbols) for x in listing(self.fn).lines]
        return [(n, symbols, self.part(n)) for n, symbols in lines] + [(None, "total", self.whole)]

    def _columns(self):
        used = [k for k in range(5) if k < 2 or any(p[k] for p in self.parts.values())]
        yield "line", "", *("× + ÷ trig √".split()[k] for k in used), "flops"
        for n, symbols, p in self.rows():
            yield "" if n is None else f"[{n}]", symbols, *(str(p[k] or "") for k in used), str(p.flops or "")

    def __str__(self):
        rows = list(self._columns())
        wide = [max(len(r[k]) for r in rows) for k in range(len(rows[0]))]
        return "\n".join("  ".join(x.ljust(w) if k == 1 else x.rjust(w) for k, (x, w) in
                                   enumerate(zip(r, wide, strict=True))) for r in rows)  # fmt: skip

    def _repr_html_(self):
        head, *body = ["<tr>" + "".join(
            f'<td class="s" style="padding-left:{0.6 + 0.6 * (len(x) - len(x.lstrip()))}em">{typeset(x.strip())}</td>'
            if k == 1 else f'<td style="text-align:right">{html.escape(x)}</td>'
            for k, x in enumerate(r)) + "</tr>" for r in self._columns()]  # fmt: skip
        return (f'<style>{STYLE}</style><div class="rbd-scroll"><table class="rbd-listing"><thead>{head}</thead>'
                f'<tbody>{"".join(body)}</tbody></table></div>')  # fmt: skip


NEEDED = ("body", "name", "J")  # arguments that cannot be symbols: their values must be given


def arguments(fn, model, graph, given):
    """(arguments of fn after the model, symbols among them), two dicts; given: values for some arguments.

    A number given for an argument is repeated to its size; names of bodies and what has another shape is handed on.
    Arguments with a default keep it, except that f_ext=[body, ...] makes six symbols for each of these bodies.
    An argument given as a function, as M=rbd.crba, is what that function makes of the model and of symbols for its own
    arguments. Raises TypeError naming an argument that fn does not have, or that must be given.
    """
    model_first, *parameters = inspect.signature(fn).parameters.values()
    if model_first.name in ("q", "M"):
        raise TypeError(f"{fn.__name__}{inspect.signature(fn)} takes no model: its first argument must be the model")
    unknown = set(given) - {p.name for p in parameters}
    if unknown:
        raise TypeError(f"{fn.__name__} has no argument {sorted(unknown)[0]!r}")
    out, symbols = {}, {}
    for p in parameters:
        shape, value = _shape(p.name, model), given.get(p.name)
        if callable(value):
            for name in wants(value):
                if name not in symbols:
                    symbols[name] = graph.symbols(name, _shape(name, model))
            out[p.name] = value(model, **{name: symbols[name] for name in wants(value)})
        elif p.name == "f_ext" and value is not None:
            symbols["f_ext"] = graph.symbols("f_ext", (len(value), 6))
            out[p.name] = dict(zip(value, symbols["f_ext"], strict=True))
        elif p.name == "locked":
            out[p.name] = list(value or ())
        elif value is not None:
            out[p.name] = value if p.name in NEEDED or isinstance(value, str) else _sized(p.name, value, shape)
        elif p.default is p.empty and p.name in NEEDED:
            raise TypeError(f"{fn.__name__}: give {p.name}=..., which cannot be a symbol")
        elif p.default is p.empty:
            if p.name not in symbols:
                symbols[p.name] = graph.symbols(p.name, shape)
            out[p.name] = symbols[p.name]
    return out, symbols


def wants(f):
    """Names of what a function of the model needs beside it: its further arguments without a default."""
    named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    further = list(inspect.signature(f).parameters.values())[1:]
    return [p.name for p in further if p.default is p.empty and p.kind in named]


def _shape(name, model):
    """Shape of the argument of this name for one state."""
    return (model.nq,) if name == "q" else (model.nv,) * (2 if name in ("M", "L") else 0 if name == "dt" else 1)


def _sized(name, value, shape):
    value = np.asarray(value, dtype=object)
    try:
        return np.broadcast_to(value, shape)
    except ValueError:
        raise TypeError(f"{name} must be a number or have shape {shape}; got shape {value.shape}") from None


class _Meter(Recorder):
    """Notes where each line ends in the graph's order of creation: marks = [(nodes so far, line), ...]."""

    def __init__(self, graph):
        super().__init__()
        self.graph, self.marks = graph, []

    def mark(self, line):
        self.marks.append((len(self.graph.nodes), line))

    def read(self, values):  # a tagged line begins: what came before it had no tag
        self.mark(0)

    def step(self, line, at, name, index, before, value, kind):
        self.mark(0 if kind == "loop" else line)


def _entries(result):
    """All entries of what a function returned: an array, several of them, or a record of arrays."""
    if dataclasses.is_dataclass(result):
        result = tuple(getattr(result, f.name) for f in dataclasses.fields(result))
    if isinstance(result, tuple):
        return [x for part in result for x in _entries(part)]
    return list(np.asarray(result, dtype=object).reshape(-1))


def flops(fn, model, **given):
    """Operations of fn(model, ...) on symbols, per pseudocode line -> `Flops`, a {line: count} dict.

    Counted are the operations that the result needs: common subexpressions once, in the line that computes
    them first; zeros, ones and signs are free; sines, cosines and roots are counted apart. fn needs `# [n]`
    tags; lines without a tag count as line 0. given: known arguments, as qdd=0, or f_ext=[body, ...].
    """
    graph = Graph()
    meter = _Meter(graph)
    result = twin(fn, meter)(model, **arguments(fn, model, graph, given)[0])
    meter.mark(0)
    parts, marks = {x.n: Counter() for x in listing(fn).lines}, iter(meter.marks)
    end, line = next(marks)
    for node in live(_entries(result)):
        while node.index >= end:
            end, line = next(marks)
        if node.op in KINDS:
            parts.setdefault(line, Counter())[KINDS[node.op]] += 1
    return Flops(fn, {line: Part(**parts[line]) for line in sorted(parts)})
