"""The traced twin of a tagged function: fn's own text, with a report after each tagged statement.

Weighed and rejected: callbacks on each line double the text, generators change every signature, sys.settrace is slow
and fights debuggers. Rewriting the syntax tree leaves the function as it is.
"""

import ast
import types
import weakref

from .errors import TraceError
from .listing import tree_of
from .source import HEADS, call_of, compiled_like, source, unwrapped

_R = "__rbd__"  # the recorder's name inside a twin; no identifier of a user starts like this


def twin_source(fn):
    """The text of fn's twin, as Python sees it: fn with a report after each tagged line."""
    return ast.unparse(_twin_tree(source(fn)))


def twin(fn, recorder):
    """fn's twin, bound to fn's own globals, closure cells, defaults and, for a method, its object.

    Raises TraceError for a decorated function (see `call_of`), and naming what else cannot be traced."""
    plain = unwrapped(fn := call_of(fn)[0])
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
    key = plain.__code__, _own_name(plain, cells)
    if plain not in _BUILT or _BUILT[plain][0] != key:
        _BUILT[plain] = key, _build(plain, key[1])
    inner, own_name = _BUILT[plain][1], key[1]
    cells[_R] = types.CellType(recorder)
    if own_name:
        cells[own_name] = types.CellType()
    made = types.FunctionType(inner, plain.__globals__, plain.__name__, plain.__defaults__,
                              tuple(cells[n] for n in inner.co_freevars))  # fmt: skip
    made.__kwdefaults__ = plain.__kwdefaults__
    if own_name:
        cells[own_name].cell_contents = made
    self = getattr(fn, "__self__", None)
    return made if self is None else types.MethodType(made, self)


_BUILT = weakref.WeakKeyDictionary()  # function -> ((its code, the name by which it calls itself), the twin's code)


def _own_name(plain, cells):
    """The name by which the function calls itself, or None where that name means something else (or nothing)."""
    name = plain.__code__.co_name
    try:
        found, *given = call_of(cells[name].cell_contents if name in cells else plain.__globals__[name])
        return name if found is plain and not any(given) else None
    except (KeyError, ValueError):  # (a TraceError is a ValueError)
        return None


def _build(plain, own_name):
    """Code of the twin; inside, own_name means the twin."""
    src = source(plain)
    if not src.tags:
        raise TraceError(f"{src.file} has no tagged line: end each line that does pseudocode line n's work in  # [n]")
    more = (_R, own_name) if own_name else (_R,)
    return compiled_like(plain, _twin_tree(src), more, f"<twin of {src.name}>")


def _twin_tree(src):
    for node in ast.walk(src.tree):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            raise TraceError(f"{src.file}: a generator cannot be traced; return the result instead of yielding")
    tree = src.tree
    tree.decorator_list = []
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    return ast.fix_missing_locations(_Twin(src.tags).visit_FunctionDef(tree))


def _no_arguments():
    return ast.arguments([], [], None, [], [], None, [])


def _call(method, *args):
    return ast.Call(ast.Attribute(ast.Name(_R, ast.Load()), method, ast.Load()), list(args), [])


def _store(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


class _Twin(ast.NodeTransformer):
    def __init__(self, tags):
        self.tags, self.loops, self.serial = tags, [], 0

    def visit_FunctionDef(self, node):
        """A function with tags reports inside `with __rbd__.enter():`, so that recursive calls can be told apart."""
        if not any(id(x) in self.tags for x in ast.walk(node)):
            return node
        outside, self.loops = self.loops, []
        body = [y for s in node.body for y in _listed(self.visit(s))]
        self.loops = outside
        node.body = [ast.With([ast.withitem(_call("enter"))], body)]
        return node

    def _fresh(self):
        self.serial += 1
        return f"__rbd_{self.serial}"

    def _at(self):
        names = list(dict.fromkeys(n for group in self.loops for n in group))
        return ast.Dict([ast.Constant(n) for n in names], [self._peek(ast.Name(n, ast.Load())) for n in names])

    def _peek(self, node):
        return _call("peek", ast.Lambda(_no_arguments(), node))

    def _loads(self, node):
        """The names that a tagged line reads, for Trace.reads."""
        inner = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        names = sorted(n for n in inner if not n.startswith("__rbd"))
        getters = [ast.Lambda(_no_arguments(), ast.Name(n, ast.Load())) for n in names]
        return [ast.Expr(_call("read", ast.Dict([ast.Constant(n) for n in names], getters)))]

    def _report(self, n, name, index, before, value, kind):
        return ast.Expr(_call("step", ast.Constant(n), self._at(), ast.Constant(name), index, before, value,
                              ast.Constant(kind)))  # fmt: skip

    def _write(self, n, target, value):
        """Statements that store `value` in `target`, with one report for each name written."""
        if isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(e, ast.Starred) for e in target.elts):
                raise TraceError(f"line [{n}]: a starred target cannot be traced; name each part")
            parts = [self._fresh() for _ in target.elts]
            unpack = ast.Assign([ast.Tuple([ast.Name(p, ast.Store()) for p in parts], ast.Store())], value)
            out = [unpack]
            for part, sub in zip(parts, target.elts, strict=True):
                out += self._write(n, sub, ast.Name(part, ast.Load()))
            return out
        kept = self._fresh()
        out = [_store(kept, value)]
        if isinstance(target, ast.Name):
            here, name, index = ast.Name(target.id, ast.Load()), target.id, ast.Constant(None)
            put = ast.Assign([ast.Name(target.id, ast.Store())], ast.Name(kept, ast.Load()))
        elif isinstance(target, ast.Subscript):
            base, ix = self._fresh(), self._fresh()
            out += [_store(base, target.value), _store(ix, _slice_as_value(target.slice))]
            where = ast.Subscript(ast.Name(base, ast.Load()), ast.Name(ix, ast.Load()), ast.Store())
            put = ast.Assign([where], ast.Name(kept, ast.Load()))
            here = ast.Subscript(ast.Name(base, ast.Load()), ast.Name(ix, ast.Load()), ast.Load())
            name, index = ast.unparse(target.value), ast.Name(ix, ast.Load())
        elif isinstance(target, ast.Attribute):
            base = self._fresh()
            out.append(_store(base, target.value))
            here = ast.Attribute(ast.Name(base, ast.Load()), target.attr, ast.Load())
            put = ast.Assign([ast.Attribute(ast.Name(base, ast.Load()), target.attr, ast.Store())],
                             ast.Name(kept, ast.Load()))  # fmt: skip
            name, index = ast.unparse(target), ast.Constant(None)
        before = self._fresh()
        return [*out, _store(before, self._peek(here)), put,
                self._report(n, name, index, ast.Name(before, ast.Load()), here, "write")]  # fmt: skip

    def visit_Assign(self, node):
        n = self.tags.get(id(node))
        if n is None:
            return node
        out, value = self._loads(node), node.value
        if len(node.targets) > 1:  # a = b = value: evaluated once
            kept = self._fresh()
            out.append(_store(kept, value))
            value = ast.Name(kept, ast.Load())
        for target in node.targets:
            out += self._write(n, target, value)
        return out

    def visit_AnnAssign(self, node):
        n = self.tags.get(id(node))
        return node if n is None else [*self._loads(node), *self._write(n, node.target, node.value)]

    def visit_AugAssign(self, node):
        n = self.tags.get(id(node))
        if n is None:
            return node
        out, target, base = self._loads(node), node.target, self._fresh()
        name, index = ast.unparse(target), ast.Constant(None)
        if not isinstance(target, ast.Name):  # get().v += 1: get is called once
            out.append(_store(base, target.value))
        if isinstance(target, ast.Subscript):
            name, index = ast.unparse(target.value), ast.Name(self._fresh(), ast.Load())
            out.append(_store(index.id, _slice_as_value(target.slice)))
            target = ast.Subscript(ast.Name(base, ast.Load()), index, ast.Store())
        elif isinstance(target, ast.Attribute):
            target = ast.Attribute(ast.Name(base, ast.Load()), target.attr, ast.Store())
        here, before = ast.parse(ast.unparse(target), mode="eval").body, self._fresh()
        return [*out, _store(before, self._peek(here)), ast.AugAssign(target, node.op, node.value),
                self._report(n, name, index, ast.Name(before, ast.Load()), here, "write")]  # fmt: skip

    def visit_Return(self, node):
        n = self.tags.get(id(node))
        if n is None:
            return node
        kept = self._fresh()
        value = node.value or ast.Constant(None)
        return [*self._loads(node), _store(kept, value),
                self._report(n, "return", ast.Constant(None), ast.Constant(None), ast.Name(kept, ast.Load()), "return"),
                ast.Return(ast.Name(kept, ast.Load()))]  # fmt: skip

    def visit_For(self, node):
        n = self.tags.get(id(node))
        names = [x.id for x in ast.walk(node.target) if isinstance(x, ast.Name)]
        self.loops.append(names)
        self.generic_visit(node)
        if n is not None:
            value = ast.Name(names[0], ast.Load()) if len(names) == 1 else ast.Tuple(
                [ast.Name(x, ast.Load()) for x in names], ast.Load())  # fmt: skip
            text = ", ".join(names)
            node.body.insert(0, self._report(n, text, ast.Constant(None), ast.Constant(None), value, "loop"))
        self.loops.pop()
        return node

    def visit_While(self, node):
        changed = {x.id for s in node.body for x in ast.walk(s) if isinstance(x, ast.Name)
                   and isinstance(x.ctx, ast.Store)}  # fmt: skip
        names = [x.id for x in ast.walk(node.test) if isinstance(x, ast.Name) and x.id in changed]
        self.loops.append(list(dict.fromkeys(names)))
        node.test = self._test(node)
        node.body = [y for s in node.body for y in _listed(self.visit(s))]
        self.loops.pop()
        node.orelse = [y for s in node.orelse for y in _listed(self.visit(s))]
        return node

    def visit_If(self, node):
        node.test = self._test(node)
        node.body = [y for s in node.body for y in _listed(self.visit(s))]
        node.orelse = [y for s in node.orelse for y in _listed(self.visit(s))]
        return node

    def _test(self, node):
        n = self.tags.get(id(node))
        if n is None:
            return node.test
        return _call("test", ast.Constant(n), self._at(), ast.Constant(ast.unparse(node.test)), node.test)


def _listed(x):
    return x if isinstance(x, list) else [x]


def _slice_as_value(node):
    """A subscript as an expression: a:b becomes slice(a, b), also inside a tuple."""
    if isinstance(node, ast.Slice):
        parts = [p or ast.Constant(None) for p in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_slice_as_value(e) for e in node.elts], ast.Load())
    return node


def line_trees(fn):
    """{n: what line n computes, as data} for the player's substituted numbers."""
    src = source(fn)
    return {src.tags[id(node)]: tree_of(node) for node in ast.walk(src.tree) if id(node) in src.tags
            and not isinstance(node, HEADS)}  # fmt: skip
