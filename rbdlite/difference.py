"""Where two traces part: the first line and body, or the result."""

import dataclasses
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Difference:
    """Where two traces part, and what each has there.

    line, at, name, index: of the step; line 0 is the returned result, set by lines without a tag. ours, theirs: the
    values; missing: "theirs" or "ours" if only the other trace has such a step; their_line: where it has another
    number in the other function.
    """

    line: int
    at: dict
    name: str
    index: object
    ours: object
    theirs: object
    missing: str | None = None
    their_line: int | None = None

    @property
    def where(self):
        """'line [5], i = 4', or 'the result'."""
        at = "".join(f", {k} = {v}" for k, v in self.at.items())
        return f"line [{self.line}]{at}" if self.line else "the result"

    def __str__(self):
        if not self.line:
            return f"the result should be {short(self.ours)}, it is {short(self.theirs)}"
        if self.missing == "ours":
            return f"{self.where}: there should be no such step; it writes {short(self.theirs)} to {self.name}"
        there = "that step is missing" if self.missing else f"it writes {short(self.theirs)}"
        if self.their_line not in (None, self.line):
            there += f" in its line [{self.their_line}]"
        return f"{self.where}: {self.name} should be {short(self.ours)}, {there}"


def compare(ours, theirs, tolerance=1e-9):
    """The first line and body where a trace parts from ours -> Difference, or None if they agree.

    A function with our line numbers is matched line by line: by loop variables and by how often a line ran there; a
    step that only one of them has is a difference. A function with numbers of its own, or without some of our lines,
    is matched by what it writes: the same names and indices, in order; what only one of them names is passed over.
    Different results are a difference, too. Numbers are compared by |difference| <= tolerance · (1 + largest finite
    |value|), NaN equals NaN; symbols must mean the same.
    """
    numbered = _written(ours) <= _written(theirs) or _lines(ours) == _lines(theirs) or not _shared(ours, theirs)
    found = (_by_line if numbered else _by_name)(ours, theirs, tolerance)
    if found is None and hasattr(ours, "result") and hasattr(theirs, "result"):
        if not same(ours.result, theirs.result, tolerance):
            return Difference(0, {}, "result", None, ours.result, theirs.result)
    return found


def _written(trace):
    """{(line, name)} of the writes: how a function is numbered."""
    return {(s.line, s.name) for s in trace.steps if s.kind in ("write", "return")}


def _lines(trace):
    return {line for line, _ in _written(trace)}


def _shared(ours, theirs):
    return {name for _, name in _written(ours)} & {name for _, name in _written(theirs)} - {"return"}


def _by_name(ours, theirs, tolerance):
    """Every write to a name that both have, in our order; where they write it unequally often, the last one."""
    mine, other = _histories(ours), _histories(theirs)
    names, count = _shared(ours, theirs), {}
    for s in ours.steps:
        key = s.name, repr(s.index)
        if s.kind != "write" or s.name not in names:
            continue
        k = count[key] = count.get(key, -1) + 1
        if key not in other:
            return Difference(s.line, s.at, s.name, s.index, s.value, None, "theirs")
        if len(mine[key]) != len(other[key]):
            if k < len(mine[key]) - 1:
                continue
            k = -1
        t = other[key][k]
        if not same(s.value, t.value, tolerance):
            return Difference(s.line, s.at, s.name, s.index, s.value, t.value, None, t.line)
    return None


def _histories(trace):
    """{(name, index): its writes in order}."""
    table = {}
    for s in trace.steps:
        if s.kind == "write":
            table.setdefault((s.name, repr(s.index)), []).append(s)
    return table


def _by_line(ours, theirs, tolerance):
    mine, other = _keyed(ours), _keyed(theirs)
    for key, s in mine.items():
        t = other.get(key)
        if t is None or not same(s.value, t.value, tolerance):
            missing = "theirs" if t is None else None
            return Difference(s.line, s.at, s.name, s.index, s.value, None if t is None else t.value, missing)
    for key, t in other.items():
        if key not in mine:
            return Difference(t.line, t.at, t.name, t.index, None, t.value, "ours")
    return None


def _keyed(trace):
    """{(line, values of the loop variables, how often before): step} of what a trace writes and returns."""
    table, count = {}, {}
    for s in trace.steps:
        if s.kind in ("write", "return"):
            key = (s.line, tuple(v for v in s.at.values() if isinstance(v, (int, np.integer))))
            count[key] = count.get(key, 0) + 1
            table[*key, count[key]] = s
    return table


def same(a, b, tolerance=1e-9, inside=()):
    """Are two recorded values equal up to rounding? Lists, dicts and records are compared entry by entry."""
    if a is b or (id(a), id(b)) in inside:  # the latter: a list that contains itself
        return True
    if a is None or b is None:
        return False
    inside = (*inside, (id(a), id(b)))
    if dataclasses.is_dataclass(a) and type(a) is type(b):
        a, b = ({f.name: getattr(x, f.name) for f in dataclasses.fields(x)} for x in (a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k], tolerance, inside) for k in a)
    try:
        return _near(*(np.asarray(x, dtype=float).reshape(-1) for x in (a, b)), tolerance)
    except (TypeError, ValueError):  # not all of it is numbers
        a, b = (x.reshape(-1).tolist() if isinstance(x, np.ndarray) else x for x in (a, b))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y, tolerance, inside) for x, y in zip(a, b, strict=True))
    if getattr(a, "unknown", False) or getattr(b, "unknown", False):
        return _same_expression(a, b, tolerance)
    if hasattr(a, "free_symbols") and hasattr(b, "free_symbols"):
        return bool(a == b or (a - b).equals(0))
    return bool(np.all(a == b))


def _near(a, b, tolerance):
    if a.shape != b.shape:
        return False
    least = tolerance * (1 + np.abs(a[np.isfinite(a)]).max(initial=0))
    with np.errstate(invalid="ignore"):
        return bool(np.all((a == b) | (np.abs(a - b) <= least) | (np.isnan(a) & np.isnan(b))))


def _same_expression(a, b, tolerance):
    """Do two expressions of `rbdlite.expr` have the same value, tried with random numbers for their symbols?"""
    from .expr import evaluate, live

    if not all(isinstance(x, (int, float)) or getattr(x, "unknown", False) for x in (a, b)):
        return False
    sizes = {}
    for n in live([a, b]):
        if n.op == "sym":
            sizes[n.a] = max(sizes.get(n.a, 0), n.b + 1)
    rng = np.random.default_rng(0)
    x, y = evaluate([a, b], **{name: rng.uniform(0.5, 1.5, size) for name, size in sorted(sizes.items())})
    return _near(x[None], y[None], tolerance)


def short(x):
    """One line of text for a recorded value."""
    if hasattr(x, "shape") and np.asarray(x).dtype != object:
        return np.array2string(np.asarray(x), precision=6, suppress_small=True, threshold=40).replace("\n", "")
    return str(x)
