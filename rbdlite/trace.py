"""Step hooks that the code does not show.

`trace(fn, ...)` derives a twin of fn from fn's own text: after each statement tagged ``# [n]`` the twin reports what
was written. The original has no hook, so an untraced call costs nothing; the twin returns the same bits. Any function
with tags can be traced, a reader's own too.
"""

from dataclasses import dataclass, field

import numpy as np

from .difference import Difference, compare, short
from .listing import listing, unwrapped
from .source import call_of
from .twin import line_trees, twin, twin_source

VERSION = 1
_ABSENT = object()


@dataclass(frozen=True, eq=False)
class Step:
    """One tagged line at work.

    line: pseudocode line; at: loop variables in force, {"i": 3}; kind: "write", "loop", "test" or "return";
    name and index: what was written (f and 2 for f[2]); before and value: copies; call: 0, or the number of the
    recursive call.
    """

    line: int
    at: dict
    name: str
    index: object
    before: object
    value: object
    kind: str = "write"
    call: int = 0

    def __str__(self):
        at = ", ".join(f"{k} = {v}" for k, v in self.at.items())
        target = self.name if self.index is None else f"{self.name}[{subscript(self.index)}]"
        return f"[{self.line}] {at + ': ' if at else ''}{target} = {short(self.value)}"


@dataclass(frozen=True, eq=False)
class Trace:
    """A recorded run: the result, every step, and the values that tagged lines read but never wrote."""

    result: object
    steps: tuple
    fn: object
    args: tuple = ()
    kwargs: dict = field(default_factory=dict)
    reads: dict = field(default_factory=dict)  # {name: value} as first read

    @property
    def listing(self):
        return listing(self.fn)

    def last(self, name, index=None):
        """The last value written to name[index] (or name)."""
        for step in reversed(self.steps):
            if step.name == name and step.index == index and step.kind in ("write", "return"):
                return step.value
        raise KeyError(f"no step writes {name}" + ("" if index is None else f"[{index}]"))

    def __getitem__(self, key):
        return self.last(*key) if isinstance(key, tuple) else self.last(key)

    def entries(self, names=None):
        """(name, index as text, value) of all that tagged lines read and no step wrote, but for the tree and its
        placements; "" is the index of a value that is no list, "2,1" that of H[2][1]. names: of these only."""
        for name in set(self.reads if names is None else names) & set(self.reads) - {"λ", "XT"}:
            value = self.reads[name]
            for i, v in enumerate(value) if isinstance(value, (list, tuple)) else [("", value)]:
                for j, x in enumerate(v) if isinstance(v, (list, tuple)) else [(None, v)]:
                    if x is not None and np.size(x) and not isinstance(value, (int, range)):
                        yield name, f"{i}" if j is None else f"{i},{j}", x

    def __repr__(self):
        return f"Trace of {self.fn.__name__}: {len(self.steps)} steps"

    def __str__(self):
        return "\n".join(str(s) for s in self.steps)

    def to_dict(self):
        """JSON-safe data (version 1); numbers that are not finite, and symbols, become text."""
        return {"version": VERSION, "fn": self.fn.__name__, "result": jsonable(self.result),
                "steps": [{"line": s.line, "at": {k: jsonable(v) for k, v in s.at.items()}, "kind": s.kind,
                           "name": s.name, "index": jsonable(s.index), "before": jsonable(s.before),
                           "value": jsonable(s.value), "call": s.call} for s in self.steps]}  # fmt: skip


def jsonable(x, inside=()):
    """Arrays as nested lists, tuples and sets as lists, inf/NaN and symbols as text, "..." for a list in itself."""
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        return float(x) if np.isfinite(x) else str(float(x))
    if id(x) in inside:
        return "..."
    inside = (*inside, id(x))
    if isinstance(x, dict):
        return {str(k): jsonable(v, inside) for k, v in x.items()}
    if isinstance(x, (set, frozenset)):
        x = sorted(x, key=str)
    if isinstance(x, (list, tuple, range)):
        return [jsonable(v, inside) for v in x]
    if hasattr(x, "shape"):
        return jsonable(np.asarray(x).tolist(), inside)
    return str(x)


def trace(fn, *args, on_step=None, **kwargs):
    """Run fn's twin on the arguments -> Trace(result, steps).

    on_step(step) is called as each line writes. A batch is recorded as it is; only single states can be drawn.
    Raises TraceError for a function without tags or without source, naming what to change, and for one inside a
    decorator other than functools.cache, which could return something else than the lines do.
    """
    fn, args, kwargs = call_of(fn, args, kwargs)
    recorder = Recorder(on_step)
    result = twin(fn, recorder)(*args, **kwargs)
    return Trace(result, tuple(recorder.steps), unwrapped(fn), args, kwargs, recorder.reads)


class Recorder:
    """Collects the reports of a twin, as steps in order."""

    def __init__(self, on_step=None):
        self.steps, self.reads, self.written, self.on_step = [], {}, set(), on_step
        self.calls, self.stack = 0, []

    def enter(self):
        return self

    def __enter__(self):
        self.stack.append(self.calls)
        self.calls += 1

    def __exit__(self, *_):
        self.stack.pop()

    @staticmethod
    def peek(get):
        """The value now, or _ABSENT where the name or entry does not exist yet."""
        try:
            return snapshot(get())
        except (NameError, LookupError, AttributeError):
            return _ABSENT

    def read(self, getters):
        """Keep what a tagged line finds in each name it uses, the first time: inputs, constants, initial values."""
        for name, get in getters.items():
            if name in self.reads or name in self.written:
                continue
            try:
                value = get()
            except (NameError, LookupError, AttributeError):
                continue
            if isinstance(value, (np.ndarray, list, tuple, range, int, float)) or hasattr(value, "shape"):
                self.reads[name] = snapshot(value)  # the rest (dicts) is not kept, nor copied at every line

    def step(self, line, at, name, index, before, value, kind):
        at = {k: v for k, v in at.items() if v is not _ABSENT}
        step = Step(line, at, name, snapshot(index), None if before is _ABSENT else before, snapshot(value), kind,
                    self.stack[-1])  # fmt: skip
        self.steps.append(step)
        if index is None and kind == "write" and not isinstance(value, (list, tuple)):  # these keep initial values
            self.written.add(name)
        if self.on_step is not None:
            self.on_step(step)

    def test(self, line, at, text, value):
        self.step(line, at, text, None, None, bool(value), "test")
        return value


def snapshot(x, made=None):
    """A copy that later writes cannot reach; functions, models and modules are no data and stay.

    made: copies of the containers around x, so that a list that contains itself has an end.
    """
    made = {} if made is None else made
    if id(x) in made:
        return made[id(x)]
    if isinstance(x, np.ndarray):
        return x.copy()
    if type(x) is list:
        out = made[id(x)] = []
        out += [snapshot(v, made) for v in x]
        return out
    if isinstance(x, dict):
        out = made[id(x)] = {}
        out.update((k, snapshot(v, made)) for k, v in x.items())
        return out
    if type(x) is tuple:
        return tuple(snapshot(v, made) for v in x)
    if isinstance(x, tuple) and hasattr(x, "_make"):  # a named tuple
        return x._make(snapshot(v, made) for v in x)
    return set(x) if type(x) is set else x


def subscript(index):
    """An index as it stands between square brackets: 2 and (3, 1) as "2" and "3, 1", slices as "1:3, :"."""
    if isinstance(index, tuple):
        return ", ".join(map(subscript, index))
    if isinstance(index, slice):
        ends = ["" if x is None else str(x) for x in (index.start, index.stop, index.step)]
        return ":".join(ends if ends[2] else ends[:2])
    return "..." if index is Ellipsis else " ".join(str(index).split())  # (an array takes one line)


__all__ = ["Difference", "Recorder", "Step", "Trace", "compare", "jsonable", "line_trees", "subscript", "trace",
           "twin", "twin_source"]  # fmt: skip
