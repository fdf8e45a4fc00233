"""Numbers marked line by line, with carry-forward: a later line is judged on the learner's own earlier values.

The algorithm itself is run with the typed values put in as it goes, so a slip costs the line it is on and no other.
Nothing here tells a right value.
"""

import ast
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np

from .listing import source
from .mistakes import Mistake, mistakes, rebuilt, variant, wrong

RIGHT, CARRIED, WRONG, BLANK, UNREADABLE = "right", "carried", "wrong", "blank", "unreadable"
PLANE = slice(2, 5)  # (ω; vx, vy) within a spatial vector


@dataclass(frozen=True, eq=False)
class Mark:
    """One typed value: its key, what it is called, the verdict, and mistakes that give it.

    key: the line and the number of the body; or the line and each loop's number from the outside in, as (12, 3, 1) for
    i = 3, j = 1. Degrees of freedom count from 1. Verdict "carried": not the right value, but what the line gives on
    the learner's own earlier values; it counts.
    """

    key: tuple
    name: str
    verdict: str
    matches: tuple[Mistake, ...] = ()
    where: str = ""

    @property
    def counts(self):
        return self.verdict in (RIGHT, CARRIED)

    def __str__(self):
        text = {RIGHT: "right", CARRIED: "follows from your earlier value: counts as right", WRONG: "not this value",
                BLANK: "still blank", UNREADABLE: "expected (ω; vx, vy), or six numbers; one for a scalar; three rows "
                "of three for an inertia"}  # fmt: skip
        return f"{self.name} (line [{self.key[0]}], {self.where}): {text[self.verdict]}"


def calculated(fn, args):
    """{key: where} of all that the tagged lines in fn's loops calculate, in order; where: "body 2", "k = 3, i = 1"."""
    return _run(fn, args, {}).where


def mark(fn, args, typed, asked, digits=3):
    """Marks for the typed values of a tagged function's lines.

    typed: {key: value, or ... for a blank}, keys as in Mark; asked: the keys that count (typed ones besides are carried
    only). digits: decimals that must be right; integers are exact anyway. Raises KeyError for a key that fn never
    reaches.
    """
    right = _run(fn, args, {})
    truth = right.own
    if lost := [k for k in (*asked, *typed) if k not in truth]:
        raise KeyError(f"{lost[0]!r} is no line and body of this calculation")
    values, unreadable = {}, set()
    for key, value in typed.items():
        if value is None or value is ...:
            continue
        try:
            values[key] = _full(value, truth[key])
        except (TypeError, ValueError):
            unreadable.add(key)
    own = _run(fn, args, values).own
    marks, wrong_runs = [], None
    for key in asked:
        matches = ()
        if key not in values:
            verdict = UNREADABLE if key in unreadable else BLANK
        elif _close(values[key], truth[key], digits):
            verdict = RIGHT
        elif _close(values[key], own[key], digits):
            verdict = CARRIED
        else:
            verdict = WRONG
            wrong_runs = _wrong_runs(fn, args, values) if wrong_runs is None else wrong_runs
            matches = _candidates(values[key], key, wrong_runs, digits)
        marks.append(Mark(key, right.names[key], verdict, matches, right.where[key]))
    return marks


def _candidates(value, key, wrong_runs, digits):
    """Mistakes that give this value, on the learner's own earlier values; those on this very line alone, if any."""
    found = [row for row, own in wrong_runs if key in own and _close(value, own[key], digits)]
    return tuple([m for m in found if m.lines == (key[0],)] or found)


def _wrong_runs(fn, args, values):
    """[(row, {key: what the line gives with that mistake, on the learner's own earlier values})]"""
    out = []
    for id, row in mistakes(fn).items():
        with suppress(ArithmeticError, ValueError):
            out.append((row, _run(fn, args, values, id).own))
    return out


_DOFS = {}  # function -> the loop variables that are degrees of freedom: they count from 0, bodies from 1


def _run(fn, args, typed, mistake=None):
    """own: {key: what that line gives} with typed values put in place of what was calculated; names, where: of keys."""
    if fn not in _DOFS:
        _DOFS[fn] = frozenset()
        seen = _run(fn, args, {}).seen
        _DOFS[fn] = frozenset(k for at in seen for k, v in at.items() if v == 0)
    made, state = _judged(fn, mistake)
    state.dofs, state.typed, state.own, state.names, state.where, state.seen = _DOFS[fn], typed, {}, {}, {}, []
    made(*args)
    return SimpleNamespace(**vars(state))


@cache
def _judged(fn, mistake):
    """fn (with a mistake) with `judge_(...)` around what each line in a loop calculates, and the state it works on."""
    fn, state = (fn if mistake is None else variant(fn, mistake)), SimpleNamespace()
    src = source(fn)

    def judge(line, at, name, value):
        counted = {k: int(v) + (k in state.dofs) for k, v in at.items()}
        key, alone = (line, *counted.values()), len(counted) == 1 and not state.dofs.issuperset(counted)
        state.seen.append(at)
        state.own[key], state.names[key] = value, name + "_" + ",".join(map(str, counted.values()))
        state.where[key] = ", ".join("body " + str(v) if alone else f"{k} = {v}" for k, v in counted.items())
        return state.typed.get(key, value)

    tree = _Judging(src).visit(src.tree)
    return rebuilt(fn, ast.unparse(ast.fix_missing_locations(tree)), "marked " + src.name,
                   {**vars(wrong), "judge_": judge}), state  # fmt: skip


class _Judging(ast.NodeTransformer):
    """Puts judge_(line, {"i": i}, name, ...) around what tagged assignments in loops calculate; counters are left."""

    def __init__(self, src):
        self.tags, self.loops = src.tags, []
        self.counters = {n for x in ast.walk(src.tree) if isinstance(x, (ast.For, ast.While)) for n in _counters(x)}

    def visit_For(self, node):
        self.loops.append(_counters(node))
        node.body = [self.visit(x) for x in node.body]
        self.loops.pop()
        return node

    visit_While = visit_For

    def visit_Assign(self, node):
        names, target = list(dict.fromkeys(n for group in self.loops for n in group)), node.targets[0]
        n, base = self.tags.get(id(node)), target
        while isinstance(base, ast.Subscript):
            base = base.value
        if n is not None and names and isinstance(base, ast.Name) and base.id not in self.counters:
            at = ast.Dict([ast.Constant(x) for x in names], [ast.Name(x, ast.Load()) for x in names])
            node.value = ast.Call(ast.Name("judge_", ast.Load()), [ast.Constant(n), at, ast.Constant(base.id),
                                                                   node.value], [])  # fmt: skip
        return node


def _counters(loop):
    """Names that count in a loop: those of `for`, or what `while` tests and its body changes."""
    names = [x for x in ast.walk(loop.target if isinstance(loop, ast.For) else loop.test) if isinstance(x, ast.Name)]
    inside = {x.id for s in loop.body for x in ast.walk(s) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return [x.id for x in names if isinstance(loop, ast.For) or x.id in inside]


def _full(typed, like):
    """A typed value in the shape of the calculated one. Raises ValueError if it does not fit."""
    x, like = np.asarray(typed, dtype=float), np.asarray(like)
    if not np.isfinite(x).all():
        raise ValueError("not a finite number")
    if x.size == like.size:
        return x.reshape(like.shape)
    out = np.zeros(like.shape)
    if like.shape == (6, 1) and x.size == 3:
        out[PLANE, 0] = x.reshape(-1)
    elif like.shape == (6, 6) and x.shape == (3, 3):
        out[PLANE, PLANE] = x
    else:
        raise ValueError("this size does not fit")
    return out


def _close(a, b, digits):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape == b.shape == (6, 6):  # in the plane: what is left of the inertia out of it does not count
        a, b = (x[PLANE, PLANE] if not a[:2].any() else x for x in (a, b))
    return bool(np.all(np.abs(a - b) <= 0.6 * 10.0**-digits))
