"""The numbered pseudocode of a tagged function, beside its code lines; one source for page, player and tests.

A tagged function's docstring holds rows ``[n] symbols | sentence``; each code line that does line n's work ends in
``# [n]``. Sentences may name the body in hand {i}, its parent {λ} and any other loop variable.
"""

import ast
import html
import inspect
import re
from dataclasses import dataclass

from .errors import TraceError
from .source import HEADS, source, unwrapped
from .typeset import STYLE, typeset

_ROW = re.compile(r"^\s*\[(\d+)\](\s+)(.*?)(?:\s+\|\s+(.*))?$")


@dataclass(frozen=True)
class Line:
    """One line of pseudocode: number, depth of nesting, kind (for, while, if, set, return), symbols, sentence, code."""

    n: int
    depth: int
    kind: str
    symbols: str
    words: str
    code: str


@dataclass(frozen=True)
class Pass:
    """A sweep over the tree: its title, first and last line."""

    title: str
    first: int
    last: int


@dataclass(frozen=True)
class Listing:
    """Pseudocode and code of a function, line by line."""

    name: str
    lines: tuple
    passes: tuple

    def __getitem__(self, n):
        return next(x for x in self.lines if x.n == n)

    def __str__(self):
        rows = [(f"[{x.n}]", "  " * x.depth + x.symbols, "    " * x.depth + x.code) for x in self.lines]
        left, middle = (max((len(r[k]) for r in rows), default=0) for k in (0, 1))
        return "\n".join(f"{a:>{left}}  {b:<{middle}}    {c}".rstrip() for a, b, c in rows)

    __repr__ = __str__

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{x.n}</td><td class='s' style='padding-left:{0.6 + 1.2 * x.depth}em'>{typeset(x.symbols)}</td>"
            f"<td style='padding-left:{0.6 + 1.4 * x.depth}em'><code>{html.escape(x.code)}</code></td></tr>"
            for x in self.lines
        )
        return (f"<style>{STYLE}</style><div class='rbd-scroll'><table class='rbd-listing rbd-code'><tbody>{rows}"
                "</tbody></table></div>")  # fmt: skip


def rows(fn):
    """{n: (depth, symbols, sentence)} of the docstring's numbered pseudocode."""
    out, indents = {}, []
    for row in (inspect.getdoc(unwrapped(fn)) or "").splitlines():
        if m := _ROW.match(row):
            n, indent = int(m.group(1)), len(m.group(1)) + len(m.group(2))
            if n in out:
                raise TraceError(f"{fn.__name__}: its docstring has two rows [{n}]")
            while indents and indents[-1] > indent:
                indents.pop()
            if not indents or indents[-1] < indent:
                indents.append(indent)
            out[n] = (len(indents) - 1, m.group(3).strip(), (m.group(4) or "").strip())
    return out


def listing(fn):
    """Numbered pseudocode of a tagged function beside its code lines -> Listing. Raises TraceError."""
    src, doc = source(fn), rows(fn)
    found = {}
    order = []

    def visit(body, depth):
        for node in body:
            n = src.tags.get(id(node))
            if n is not None:
                if n not in found:
                    order.append(n)
                    found[n] = (depth, _kind(node), _code(node))
                elif not isinstance(node, HEADS):
                    found[n] = (found[n][0], found[n][1], found[n][2] + "; " + _code(node))
            inner = depth + (n is not None and isinstance(node, HEADS))
            for part in ("body", "orelse", "handlers", "finalbody", "cases"):
                visit(getattr(node, part, []), inner)

    visit(src.tree.body, 0)
    if not order:
        raise TraceError(f"{src.file} has no tagged line: end each line that does pseudocode line n's work in  # [n]")
    if doc and set(doc) != set(order):
        only_doc, only_code = sorted(set(doc) - set(order)), sorted(set(order) - set(doc))
        raise TraceError(f"{src.file}: pseudocode and tags differ: rows without code {only_doc}, "
                         f"tags without a row {only_code}")  # fmt: skip
    lines = []
    for n in order:
        depth, kind, code = found[n]
        d, symbols, words = doc.get(n, (depth, code, ""))
        if d != depth:
            raise TraceError(f"{src.file}: line [{n}] is at depth {d} in the docstring and {depth} in the code: "
                             "indent the docstring's rows as the code is nested")  # fmt: skip
        lines.append(Line(n, depth, kind, symbols, words, code))
    return Listing(src.name, tuple(lines), tuple(_passes(lines)))


def _kind(node):
    return {ast.For: "for", ast.While: "while", ast.If: "if", ast.Return: "return"}.get(type(node), "set")


def _code(node):
    if isinstance(node, HEADS):
        node = type(node)(**{**{f: getattr(node, f, None) for f in node._fields}, "body": [ast.Pass()], "orelse": []})
        return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]
    return re.sub(r"\(λ\[(\w+)\]\)", r"λ[\1]", ast.unparse(node))


def _passes(lines):
    """Outermost tagged loops, each a sweep; titled by the words before the colon of its sentence.

    A line before a loop prepares that loop and belongs to its pass; lines after the last loop belong to the last pass.
    """
    heads = [k for k, x in enumerate(lines) if x.depth == 0 and x.kind in ("for", "while")] or [0]
    starts = [0]
    for k in heads[1:]:
        while k > starts[-1] + 1 and lines[k - 1].depth == 0:
            k -= 1
        starts.append(k)
    for head, a, b in zip(heads, starts, [*starts[1:], len(lines)], strict=True):
        words = lines[head].words
        title = words.split(":")[0].strip() if ":" in words else lines[head].code.rstrip(":")
        yield Pass(title[:1].lower() + title[1:], lines[a].n, lines[b - 1].n)


def tree_of(node):
    """What a tagged assignment computes, as JSON for the player: {"target": ..., "rhs": ...}; None for heads."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        target = node.target
    else:
        return None
    if isinstance(target, (ast.Tuple, ast.List)):
        return None
    rhs = _operation(node.value)
    if isinstance(node, ast.AugAssign):
        rhs = {"op": _OPS.get(type(node.op), "?"), "a": _operation(target), "b": rhs}
    ref = _operation(target)
    return {"target": {"n": ref["n"], "ix": ref["ix"]}, "rhs": rhs} if ref["op"] == "ref" else None


_OPS = {ast.Add: "+", ast.Sub: "-", ast.MatMult: "@", ast.Mult: "*", ast.Div: "/"}


def _operation(node):
    match node:
        case ast.BinOp(left, op, right) if type(op) in _OPS:
            return {"op": _OPS[type(op)], "a": _operation(left), "b": _operation(right)}
        case ast.UnaryOp(ast.USub(), operand):
            return {"op": "neg", "a": _operation(operand)}
        case ast.Attribute(value, "mT" | "T"):
            return {"op": "T", "a": _operation(value)}
        case ast.Call(func, args) if not node.keywords:
            name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", ast.unparse(func))
            return {"op": "call", "f": name, "a": [_operation(a) for a in args]}
        case ast.Constant(int() | float() as value):
            return {"op": "num", "v": value}
        case ast.Name(name):
            return {"op": "ref", "n": name, "ix": None}
        case ast.Subscript(ast.Name(name), index) if (ix := _index(index)) is not None:
            return {"op": "ref", "n": name, "ix": ix}
        case ast.Subscript(ast.Subscript(ast.Name(name), i), j) if type(_index(i)) is type(_index(j)) is dict:
            return {"op": "ref", "n": name, "ix": [_index(i), _index(j)]}  # H[i][j] is the entry (i, j)
    return {"op": "txt", "t": ast.unparse(node)}


def _index(node):
    match node:
        case ast.Name(name):
            return {"v": name}
        case ast.Constant(int() as value):
            return {"v": value}
        case ast.Subscript(ast.Name(name), inner) if (of := _index(inner)) is not None:
            return {"v": name, "of": of}
        case ast.Tuple([ast.Constant(value), *elements]) if value is Ellipsis:  # of each row of a batch
            return _index(elements[0] if len(elements) == 1 else ast.Tuple(elements)) if elements else None
        case ast.Tuple(elements):
            parts = [_index(e) for e in elements]
            return None if None in parts else parts
    return None
