"""The text of a function: parsed, its tags ``# [n]`` found, and checked to be what runs."""

import __future__

import ast
import functools
import inspect
import io
import re
import tokenize
import types
from dataclasses import dataclass

from .errors import TraceError

_TAG = re.compile(r"#\s*\[\s*(\d+)\s*\]\s*$")
HEADS = (ast.For, ast.While, ast.If)
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


@dataclass(frozen=True)
class Source:
    """A function's own text: parsed, with the tag of each tagged statement."""

    text: str
    tree: ast.FunctionDef
    tags: dict  # id(statement) -> line number
    name: str
    file: str


def unwrapped(fn):
    """The plain Python function behind decorators, partials and bound methods."""
    fn = inspect.unwrap(fn)
    fn = getattr(fn, "__func__", fn)
    while isinstance(fn, functools.partial):
        fn = inspect.unwrap(fn.func)
    if not inspect.isfunction(fn):
        raise TraceError(f"{fn!r} is not a Python function with source text; only those can be listed or traced")
    return fn


_TRANSPARENT = (type(functools.cache(len)), staticmethod)  # wrappers that hand on what the function returns


def call_of(fn, args=(), kwargs=()):
    """(function, args, kwargs) of the same call without partials and functools.cache.

    Raises TraceError for any other decorator that names what it wraps: what it returns may be something else.
    """
    kwargs = dict(kwargs)
    while True:
        wrapper, owner = getattr(fn, "__func__", fn), getattr(fn, "__self__", None)
        if isinstance(fn, functools.partial):
            fn, args, kwargs = fn.func, (*fn.args, *args), {**fn.keywords, **kwargs}
        elif isinstance(wrapper, _TRANSPARENT):
            fn = wrapper.__wrapped__ if owner is None else types.MethodType(wrapper.__wrapped__, owner)
        elif hasattr(wrapper, "__wrapped__"):
            name = getattr(wrapper.__wrapped__, "__name__", "the function")
            which = wrapper.__code__.co_qualname if inspect.isfunction(wrapper) else type(wrapper).__name__
            raise TraceError(f"{name} is wrapped by a decorator ({which}), which may change what it returns: trace the "
                             f"function inside, {name}.__wrapped__")  # fmt: skip
        else:
            return fn, args, kwargs


def source(fn):
    """Parse a function and find its tags. Raises TraceError naming the line and what to change."""
    fn = unwrapped(fn)
    where = f"{fn.__name__} ({_file(fn)})"
    kept = getattr(fn, "__rbd_source__", None)
    try:
        text = kept or inspect.getsource(fn)
    except (OSError, TypeError):
        raise TraceError(
            f"{fn.__name__} has no source text (typed with exec, built by another program, or its file changed): "
            "write it in a file or a notebook cell"
        ) from None
    try:
        text = _dedented(text)
        tree = ast.parse(text).body[0]
    except SyntaxError:
        if fn.__name__ != "<lambda>":
            raise TraceError(f"{where}: {_CHANGED}") from None
        raise TraceError(f"{fn.__name__}: its source cannot be read alone; is it a lambda? Use def") from None
    if not isinstance(tree, ast.FunctionDef):
        raise TraceError(f"{fn.__name__} must be a plain def (no lambda, no async def) to be listed or traced")
    if not kept and not _runs(fn, tree):
        raise TraceError(f"{where}: {_CHANGED}")
    return Source(text, tree, _tags(text, tree, where), fn.__name__, where)


_CHANGED = "its text is not what runs, for the file was edited after it was imported; reload the module"


def _file(fn):
    try:
        return inspect.getsourcefile(fn) or "no file"
    except TypeError:
        return "no file"


def _dedented(text):
    """The text of a def without its indentation; lines inside a string keep theirs."""
    indent = text[: len(text) - len(text.lstrip())]
    if not indent:
        return text
    lines, inside = text.split("\n"), set()
    for node in ast.walk(ast.parse("if 1:\n" + text)):
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            inside.update(range(node.lineno - 1, node.end_lineno - 1))
    return "\n".join(x if k in inside else x[len(indent) :] if x.startswith(indent) else x.lstrip()
                     for k, x in enumerate(lines))  # fmt: skip


def _runs(fn, tree):
    """Is this the def that fn was compiled from? Imports of the file are tried too: they change how np.f() is called,
    unless the file is a notebook's cell, whose statements are compiled one by one."""
    if tree.name != fn.__code__.co_name:
        return False
    return _same_code(compiled_like(fn, tree), fn.__code__) or _same_code(
        compiled_like(fn, tree, imports=_imports(inspect.findsource(fn)[0])), fn.__code__)  # fmt: skip


def _imports(lines):
    """Import statements of a file, outside functions and classes."""
    try:
        todo, found = [ast.parse("".join(lines))], []
    except SyntaxError:
        return []
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", None) != "__future__":
            found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            todo += ast.iter_child_nodes(node)
    return found


def compiled_like(fn, tree, more=(), file="<text>", imports=()):
    """The code of a def, compiled as if it stood where fn does: the same free names (and `more`), the same class."""
    parts = fn.__code__.co_qualname.split(".")
    while len(parts) > 2 and parts[-2] == "<locals>":
        parts = parts[:-2]
    owner = parts[-2] if len(parts) > 1 else "_"  # decides what self.__x means; "_" leaves it alone
    free = dict.fromkeys((*more, *fn.__code__.co_freevars))
    place = ast.parse(f"def __factory__({', '.join(free)}):\n    class {owner}: pass")
    place.body[0].body[0].body = [tree]
    if owner not in free:
        place.body[0].body.insert(0, ast.Global([owner]))  # inside, the name of the class means what it meant there
    place.body += imports
    code = compile(ast.fix_missing_locations(place), file, "exec", dont_inherit=True,
                   flags=fn.__code__.co_flags & __future__.annotations.compiler_flag)  # fmt: skip
    for name in ("__factory__", owner, tree.name):
        code = _find_code(code, name)
    return code


def _find_code(code, name):
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = next((c for c in inner if c.co_name == name), None)
    return found or next(filter(None, (_find_code(c, name) for c in inner)), None)


def _same_code(a, b):
    """Do two code objects do the same? (True as well where a test runner rewrote one: it uses names with @.)"""
    if any("@" in x for x in (*b.co_names, *b.co_varnames)):
        return True
    names = ("co_code", "co_names", "co_varnames", "co_cellvars", "co_freevars")
    if any(getattr(a, k) != getattr(b, k) for k in names) or len(a.co_consts) != len(b.co_consts):
        return False
    return all(map(_same_constant, a.co_consts, b.co_consts))


def _same_constant(x, y):
    if isinstance(x, types.CodeType) and isinstance(y, types.CodeType):
        return _same_code(x, y)
    if isinstance(x, str) and isinstance(y, str) and "<locals>" in x and "<locals>" in y:
        return True  # the long name of a class inside: tells where the function stands
    return type(x) is type(y) and (x == y if isinstance(x, frozenset) else repr(x) == repr(y))


def _tags(text, tree, where):
    lines = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and (m := _TAG.search(token.string)):
            lines[token.start[0]] = int(m.group(1))
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        last = node.end_lineno
        if isinstance(node, HEADS):  # a head ends where its body begins
            last = node.body[0].lineno - 1 if node.body[0].lineno > node.lineno else node.lineno
        elif hasattr(node, "body") or hasattr(node, "cases"):
            continue
        hits = [k for k in lines if node.lineno <= k <= last]
        if not hits:
            continue
        if not isinstance(node, HEADS + SIMPLE) or (isinstance(node, ast.AnnAssign) and node.value is None):
            raise TraceError(f"{where}: tag [{lines[hits[0]]}] on line {hits[0]} stands on a statement that sets "
                             "nothing; put it on an assignment, a for, while, if or return")  # fmt: skip
        if len(hits) > 1:
            raise TraceError(f"{where}: one statement carries the tags {[lines[k] for k in hits]}; keep one")
        if hits[0] not in lines or id(node) in found:
            continue
        if any(isinstance(v, tuple) and v[1] == hits[0] for v in found.values()):
            raise TraceError(f"{where}: two statements share line {hits[0]} and its tag; one statement per line")
        found[id(node)] = (lines[hits[0]], hits[0])
    missed = set(lines) - {k for _, k in found.values()}
    if missed:
        k = min(missed)
        raise TraceError(f"{where}: tag [{lines[k]}] on line {k} belongs to no statement; "
                         "put it at the end of the line that does the work")  # fmt: skip
    return {key: n for key, (n, _) in found.items()}
