"""Step hooks that the code does not show.

`trace(fn, ...)` derives a twin of fn from fn's own text: after each statement tagged ``# [n]`` the twin reports what
was written. The original has no hook, so an untraced call costs nothing; the twin returns the same bits. Any function
with tags can be traced, a reader's own too.
"""

import functools
from dataclasses import dataclass, field

import numpy as np

from .listing import listing, unwrapped
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
        target = self.name if self.index is None else f"{self.name}[{_text(self.index)}]"
        return f"[{self.line}] {at + ': ' if at else ''}{target} = {_short(self.value)}"


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


def jsonable(x):
    """Arrays as nested lists, tuples as lists, inf/NaN and symbols as text."""
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        return float(x) if np.isfinite(x) else str(float(x))
    if isinstance(x, dict):
        return {str(k): jsonable(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, range)):
        return [jsonable(v) for v in x]
    if hasattr(x, "shape"):
        return jsonable(np.asarray(x).tolist())
    return str(x)


def trace(fn, *args, on_step=None, **kwargs):
    """Run fn's twin on the arguments -> Trace(result, steps).

    on_step(step) is called as each line writes. A batch is recorded as it is; only single states can be drawn.
    Raises TraceError for a function without tags or without source, naming what to change.
    """
    while isinstance(fn, functools.partial):
        fn, args, kwargs = fn.func, (*fn.args, *args), {**fn.keywords, **kwargs}
    recorder = Recorder(on_step)
    result = twin(fn, recorder)(*args, **kwargs)
    return Trace(result, tuple(recorder.steps), unwrapped(fn), args, kwargs, recorder.reads)


class Recorder:
    """Collects the reports of a twin, as steps in order."""

    def __init__(self, on_step=None):
        self.steps, self.reads, self.on_step = [], {}, on_step
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
            if name not in self.reads:
                value = self.peek(get)
                if isinstance(value, (np.ndarray, list, tuple, range, int, float)) or hasattr(value, "shape"):
                    self.reads[name] = value

    def step(self, line, at, name, index, before, value, kind):
        at = {k: v for k, v in at.items() if v is not _ABSENT}
        step = Step(line, at, name, snapshot(index), None if before is _ABSENT else before, snapshot(value), kind,
                    self.stack[-1])  # fmt: skip
        self.steps.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def test(self, line, at, text, value):
        self.step(line, at, text, None, None, bool(value), "test")
        return value


def snapshot(x):
    """A copy that later writes cannot reach; functions, models and modules are no data and stay."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, (list, tuple)):
        return type(x)(snapshot(v) for v in x) if type(x) in (list, tuple) else x
    if isinstance(x, dict):
        return {k: snapshot(v) for k, v in x.items()}
    return x


@dataclass(frozen=True, eq=False)
class Difference:
    """Where two traces part: the first line and body, and what each has there (None: that step is missing)."""

    line: int
    at: dict
    name: str
    index: object
    ours: object
    theirs: object

    def __str__(self):
        at = ", ".join(f"{k} = {v}" for k, v in self.at.items())
        there = "that step is missing" if self.theirs is None else f"it writes {_short(self.theirs)}"
        return f"line [{self.line}], {at}: {self.name} should be {_short(self.ours)}, {there}"


def compare(ours, theirs, tolerance=1e-9):
    """The first line and body where a trace parts from ours -> Difference, or None if they agree.

    Steps are matched by pseudocode line, loop variables and how often that line ran there, so the names and the code
    may differ. Values are compared by |difference| <= tolerance · (1 + largest |value|).
    """

    def keyed(trace):
        table, count = {}, {}
        for s in trace.steps:
            if s.kind in ("write", "return"):
                key = (s.line, tuple(v for v in s.at.values() if isinstance(v, (int, np.integer))))
                count[key] = count.get(key, 0) + 1
                table[*key, count[key]] = s
        return table

    other = keyed(theirs)
    for key, s in keyed(ours).items():
        t = other.get(key)
        if t is None or not _close(s.value, t.value, tolerance):
            return Difference(s.line, s.at, s.name, s.index, s.value, None if t is None else t.value)
    return None


def _close(a, b, tolerance):
    try:
        a, b = (np.asarray(x, dtype=float).reshape(-1) for x in (a, b))
    except (TypeError, ValueError):
        return bool(a == b)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance * (1 + np.abs(a).max(initial=0))))


def _text(index):
    return ", ".join(map(str, index)) if isinstance(index, tuple) else str(index)


def _short(x):
    if hasattr(x, "shape") and np.asarray(x).dtype != object:
        return np.array2string(np.asarray(x), precision=6, suppress_small=True, threshold=40).replace("\n", "")
    return str(x)


__all__ = ["Difference", "Recorder", "Step", "Trace", "compare", "jsonable", "line_trees", "trace", "twin",
           "twin_source"]  # fmt: skip
