"""Each tagged line of a function on the right inputs: the reference with that one line put in.

The reference stands there in a frame that takes what learners write: H[k][i] as well as H[k, i], x an array or a list.
"""

import ast
import builtins
import inspect
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from ..errors import TraceError
from ..listing import HEADS, rows, source, unwrapped
from ..trace import compare, trace
from . import Edit, edited, mistakes, variant
from .safe import Endless, close, packed, said, time_limit

SETUP, RETURNED = "what is set up first", "what is returned in the end"
FRAMES = {"ltdl": (Edit(("H = np.array(M, dtype=float)",), at="H = [["), Edit(("return L, D",), at="return _lower"),
                   Edit(("L, D = np.eye(model.nv), np.zeros(model.nv)",), at="L, D = {}"))}  # fmt: skip
LISTS = {"ltdl_solve": "x"}  # what the reference keeps as a list of numbers, where an array will do


@dataclass(frozen=True)
class Finding:
    """A line that goes wrong on right inputs.

    n: its tag, 0 for the lines before the first tag or after the last; words: what it is for; trouble: the error it
    raises, if any; judged: False if it uses names of its own, so that it cannot be run alone; matches: rows of the
    catalogue that make this line give the same.
    """

    n: int
    words: str
    trouble: str | None = None
    judged: bool = True
    matches: tuple = ()


def failing_lines(fn, reference, case, lines=None):
    """Findings for the tagged lines of fn: what goes wrong there, whatever the other lines do. lines: only these and
    what stands before them, in a function that may not be finished."""
    theirs, ours, words = _code(fn), _code(reference), rows(reference)
    ours = {n: code for n, code in ours.items() if lines is None or n <= max(lines)}
    truth = trace(reference, *case.given(reference))
    out = []
    if set(ours) <= set(theirs):
        out.append(_setup(fn, reference, ours, case, truth, whole=lines is None))
    for n in [n for n in ours if n in theirs]:
        code, right, what = theirs[n], ours[n], _plain(words[n][2])
        if code.text == right.text and all(code.names[k] is v for k, v in right.names.items()):
            continue  # the very same line
        if not right.writes <= code.writes:  # it calls things by names of its own
            out.append(Finding(n, what, judged=False))
            continue
        finding, run = _judge(n, what, reference, {n: code}, case, truth)
        if finding is not None and finding.judged and run is not Endless:
            finding = _matched(finding, reference, case, run, lambda asides, here={n: code}: _framed(
                reference, here, "own line, going on", asides))  # fmt: skip
        out.append(finding)
    return [f for f in out if f is not None]


def with_lines(fn, reference, numbers):
    """The reference with the lines of fn that have these numbers."""
    return _framed(reference, {n: code for n, code in _code(fn).items() if n in numbers}, "own lines on right inputs")


def _framed(reference, codes, name, more=()):
    """The reference, in a frame that takes what learners write, with some lines ({n: _Code}) and other edits put in."""
    fn = unwrapped(reference).__name__
    edits = [*FRAMES.get(fn, ()), *(Edit(_listed(code.text, LISTS.get(fn)), n) for n, code in codes.items()), *more]
    return edited(reference, edits, name, {k: v for code in codes.values() for k, v in code.names.items()})


def _listed(text, name):
    """Lines of code; of a single one that makes the variable `name`, what it makes becomes a list."""
    if name and len(text) == 1 and text[0].startswith(f"{name} = "):
        return (f"{name} = list({text[0].removeprefix(f'{name} = ')})",)
    return text


def _matched(finding, reference, case, run, make):
    """The Finding with the rows that go wrong on its line alone, and give there what `run` is: the trace of a function
    with that line, None where it stops. make(edits): that function with what lets a row go on with wrong numbers."""
    alike = []
    for row in [m for m in mistakes(reference).values() if set(m.lines) == {finding.n}]:
        asides = [e for e in row.edits if e.aside]
        ours = _traced(make(asides), reference, case) if run is None and asides else run
        theirs = _traced(variant(reference, row.id), reference, case)
        if ours is not None is not theirs and compare(theirs, ours) is None:
            alike.append(row)
    return replace(finding, matches=tuple(alike))


def _traced(fn, reference, case):
    """The trace of fn, called as the reference is, on the case; None where it stops."""
    try:
        with time_limit():
            return trace(fn, *case.given(reference))
    except (Exception, SystemExit, Endless):
        return None


def _setup(fn, reference, ours, case, truth, whole):
    """Finding 0 if fn goes wrong although its numbered lines are replaced by the right ones, else None. whole: all of
    them are, so that the result counts too."""
    names = {k: v for code in ours.values() for k, v in code.names.items()}
    steps, what, run = [], SETUP, None

    def make(asides=()):
        lines = [Edit(code.text, n) for n, code in ours.items() if n not in [e.line for e in asides]]
        return edited(fn, [*lines, *asides], "right lines", names)

    try:
        made = make()
        with time_limit():
            run = trace(made, *case.given(reference), on_step=steps.append)
    except (NameError, SyntaxError, TraceError, KeyError, Endless):
        return Finding(0, what, judged=False)
    except (Exception, SystemExit) as error:
        if "not tuple" in str(error):  # lists of lists, where our lines need [k, i]
            return Finding(0, what, judged=False)
        if not steps:
            return Finding(0, what, said(error))
    theirs, right = ([s for s in x if s.line in ours] for x in (steps, truth.steps))
    if compare(SimpleNamespace(steps=right), SimpleNamespace(steps=theirs)) is not None:
        return _matched(Finding(0, what), reference, case, run, make)
    try:
        same = not whole or close(packed(run.result)[0], packed(truth.result)[0])
    except Exception:
        same = False
    return None if same else _matched(Finding(0, RETURNED), reference, case, run, make)


def _plain(sentence):
    """A row's sentence, its loop variables as plain letters, ready to stand in brackets."""
    return sentence.translate({ord("{"): None, ord("}"): None}).rstrip(".")


def _judge(n, words, reference, codes, case, truth):
    """(None, None) if the reference with these lines does what it should, else (Finding, its trace: None where it
    stops, Endless where it does not)."""
    try:
        made = _framed(reference, codes, f"line [{n}] on right inputs")
        with time_limit():
            run = trace(made, *case.given(reference))
        same = close(packed(run.result)[0], packed(truth.result)[0]) and compare(truth, run) is None
    except (NameError, SyntaxError):
        return Finding(n, words, judged=False), None
    except Endless as error:
        return Finding(n, words, said(error)), Endless
    except (Exception, SystemExit) as error:
        return Finding(n, words, said(error)), None
    return (None, None) if same else (Finding(n, words), run)


@dataclass
class _Code:
    """What stands on the lines with one tag: their text, the outside names they need, the names they write."""

    text: tuple = ()
    names: dict = field(default_factory=dict)
    writes: set = field(default_factory=set)


def _code(fn):
    """{n: _Code} of a tagged function. A name from outside fn is given a prefix, so that it keeps its meaning among
    the names of another function."""
    src, plain = source(fn), unwrapped(fn)
    scope = {**plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    outer = {n: v for n, v in scope.items() if n not in plain.__code__.co_varnames and not hasattr(builtins, n)}
    found = {}
    for node in ast.walk(src.tree):
        if (n := src.tags.get(id(node))) is None:
            continue
        head = isinstance(node, HEADS)
        if head:
            node = type(node)(**{**vars(node), "body": [ast.Pass()], "orelse": []})
        used = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} & set(outer)
        text = ast.unparse(ast.fix_missing_locations(_Renamed(used).visit(ast.parse(ast.unparse(node))))).splitlines()
        here = found.setdefault(n, _Code())
        here.text += tuple(text[:1] if head else text)
        here.names |= {f"theirs_{name}": outer[name] for name in used}
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            here.writes |= _written(target)
    return dict(sorted(found.items()))


def _written(target):
    """Names that an assignment writes, whole or in part: of `x[i], y = ...` x and y."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return set().union(*map(_written, target.elts))
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()


class _Renamed(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.Name(f"theirs_{node.id}", node.ctx) if node.id in self.names else node
