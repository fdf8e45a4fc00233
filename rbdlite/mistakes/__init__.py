"""Wrong variants of the algorithms, as data.

The tables (one ``.toml`` file for each algorithm) hold rows: id, function, edits, what, says, agrees, hand. An edit
replaces the code of one tagged line (``line = 5``) or of the one untagged line that holds a text (``at = "a[0]"``).
Mistakes that several algorithms share (transforms, inertias) stand once, with `also` for the other functions.
The same rows are mutants in the tests, diagnoses in the exercises, things to break in the chapters and wrong answers
on vote slides.
"""

import inspect
import linecache
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ..errors import TraceError
from ..listing import HEADS, source, unwrapped
from . import wrong


@dataclass(frozen=True)
class Edit:
    """New code for one line: `line` is its tag, or `at` a text that just one untagged line holds.

    aside: no part of the mistake, but what lets the function go on with its wrong numbers.
    """

    code: tuple
    line: int | None = None
    at: str | None = None
    aside: bool = False


@dataclass(frozen=True)
class Mistake:
    """A row of the catalogue.

    what: the mistake, to follow "this is what you get when". says: a question that helps. agrees: the changes of a
    hard case (`cases.SWITCHES`) that each make the variant right. hand: its answer on the squared-paper tree. cost: the
    numbers are right, but more operations are done.
    """

    id: str
    fn: str
    what: str
    says: str
    edits: tuple
    agrees: tuple
    hand: tuple | None = None
    cost: bool = False

    @property
    def lines(self):
        """Tags of the lines that differ; 0 stands for the lines before the first tag."""
        return tuple(e.line or 0 for e in self.edits if not e.aside)


@cache
def table():
    """All rows, as {(function name, id): Mistake}. Raises ValueError naming a row that is not complete."""
    rows = {}
    for file in sorted(resources.files(__name__).iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".toml"):
            continue
        for row in _each(tomllib.loads(file.read_text(encoding="utf-8"))["mistake"]):
            key = row.get("fn"), row.get("id")
            lacking = {"id", "fn", "what", "says", "edits", "agrees"} - set(row)
            if lacking or key in rows or not row["edits"]:
                raise ValueError(f"{file.name}, row {key}: " + (f"lacks {sorted(lacking)}" if lacking else
                                 "no edits" if row.get("edits") == [] else "is there twice"))  # fmt: skip
            edits = tuple(Edit(**{**e, "code": _lines(e["code"])}) for e in row["edits"])
            hand = tuple(row["hand"]) if "hand" in row else None
            rows[key] = Mistake(**{**row, "edits": edits, "agrees": tuple(row["agrees"]), "hand": hand})
    return rows


def _each(rows):
    """The rows of a table, and after each those that stand for it in other functions: same words, same edits.

    Its key `also`, {function name: what differs there}, gives `agrees` anew, and `asides`: more edits that are no part
    of the mistake."""
    for row in rows:
        also = row.pop("also", {})
        yield row
        for name, other in also.items():
            edits = row["edits"] + [{**e, "aside": True} for e in other.pop("asides", [])]
            yield {**{k: row[k] for k in ("id", "what", "says")}, "fn": name, "edits": edits, **other}


def mistakes(fn):
    """{id: Mistake} of the rows for a function (or its name)."""
    name = fn if isinstance(fn, str) else unwrapped(fn).__name__
    return {id: row for (f, id), row in table().items() if f == name}


def variant(fn, id):
    """The tagged function fn with one mistake put in -> a function that can be called, listed and traced like fn.

    id: of a row for fn, as "R07". Raises KeyError naming the rows there are.
    """
    rows = mistakes(fn)
    if id not in rows:
        raise KeyError(f"no mistake {id!r} for {unwrapped(fn).__name__}; known: {', '.join(rows) or 'none'}")
    made = edited(fn, rows[id].edits, f"{unwrapped(fn).__name__} with {id}", vars(wrong))
    made.__rbd_mistake__ = rows[id]
    return made


def edited(fn, edits, name="edited", extra=None):
    """fn with the code of some lines replaced. Names: fn's own globals and closure, then those in `extra`."""
    src = source(fn)
    text = src.text.splitlines()
    spans = [(_span(text, src, e), e) for e in edits]
    for first, last, e in sorted(((*s, e) for s, e in spans), key=lambda x: -x[0]):
        indent = text[first - 1][: len(text[first - 1]) - len(text[first - 1].lstrip())]
        tag = "" if e.line is None else f"  # [{e.line}]"
        text[first - 1 : last] = [indent + c + tag for c in e.code]
    text = "\n".join(text[src.tree.lineno - 1 :]) + "\n"
    return rebuilt(fn, text, name, extra)


def rebuilt(fn, text, name, extra=None):
    """The function that `text` defines, in the place of fn: with fn's globals, closure and defaults, then `extra`."""
    plain, file = unwrapped(fn), f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)  # so that tracebacks show the line
    scope = {**(extra or {}), **plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    exec(compile(text, file, "exec"), scope)
    made = scope[source(fn).name]
    made.__defaults__, made.__kwdefaults__ = plain.__defaults__, plain.__kwdefaults__
    made.__module__, made.__doc__, made.__rbd_source__ = plain.__module__, plain.__doc__, text
    return made


def _span(text, src, edit):
    """First and last line (from 1) of the text that an edit replaces."""
    import ast

    found = []
    for node in ast.walk(src.tree):
        if not isinstance(node, ast.stmt) or node is src.tree:
            continue
        n = src.tags.get(id(node))
        last = node.body[0].lineno - 1 if isinstance(node, HEADS) else node.end_lineno
        if edit.line is not None and n == edit.line:
            found.append((node.lineno, last))
        elif edit.line is None and n is None and not hasattr(node, "body") and not _docstring(src.tree, node):
            if edit.at in "\n".join(text[node.lineno - 1 : node.end_lineno]):
                found.append((node.lineno, last))
    if len(found) != 1:
        what = f"line [{edit.line}]" if edit.line is not None else f"an untagged line with {edit.at!r}"
        raise TraceError(f"{src.file}: {what} should be there once, to be replaced; found {len(found)}")
    return found[0]


def _docstring(tree, node):
    import ast

    return node is tree.body[0] and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(code):
    return (code,) if isinstance(code, str) else tuple(code)


__all__ = ["Edit", "Mistake", "table", "mistakes", "variant", "edited", "rebuilt"]
