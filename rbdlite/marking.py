"""Numbers marked line by line, with carry-forward: a later line is judged on the learner's own earlier values.

The algorithm itself is run with the typed values put in as it goes, so a slip costs the line it is on and no other.
Nothing here tells a right value.
"""

import ast
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from .listing import source
from .mistakes import Edit, Mistake, edited, mistakes, variant, wrong

RIGHT, CARRIED, WRONG, BLANK, UNREADABLE = "right", "carried", "wrong", "blank", "unreadable"
PLANE = slice(2, 5)  # (ω; vx, vy) within a spatial vector


@dataclass(frozen=True, eq=False)
class Mark:
    """One typed value: its key (line, body), what it is called, the verdict, and mistakes that give it.

    Verdict "carried": not the right value, but what the line gives on the learner's own earlier values; it counts.
    """

    key: tuple
    name: str
    verdict: str
    matches: tuple[Mistake, ...] = ()

    @property
    def counts(self):
        return self.verdict in (RIGHT, CARRIED)

    def __str__(self):
        line, body = self.key
        text = {RIGHT: "right", CARRIED: "follows from your earlier value: counts as right", WRONG: "not this value",
                BLANK: "still blank", UNREADABLE: "expected (ω; vx, vy), or six numbers; one for τ"}  # fmt: skip
        return f"{self.name} (line [{line}], body {body}): {text[self.verdict]}"


def mark(fn, args, typed, asked, digits=3):
    """Marks for the typed values of a tagged function's lines.

    typed: {(line, body): value, or ... for a blank}; asked: the keys that count (typed ones besides are carried only).
    digits: decimals that must be right; integers are exact anyway. Raises KeyError for a key that fn never reaches.
    """
    truth, names = _run(fn, args, {})
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
    own, _ = _run(fn, args, values)
    marks, wrong_runs = [], None
    for key in asked:
        if key not in values:
            marks.append(Mark(key, names[key], UNREADABLE if key in unreadable else BLANK))
        elif _close(values[key], truth[key], digits) or _close(values[key], own[key], digits):
            marks.append(Mark(key, names[key], RIGHT if _close(values[key], truth[key], digits) else CARRIED))
        else:
            wrong_runs = _wrong_runs(fn, args, values) if wrong_runs is None else wrong_runs
            marks.append(Mark(key, names[key], WRONG, _candidates(values[key], key, wrong_runs, digits)))
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
            out.append((row, _run(fn, args, values, id)[0]))
    return out


def _run(fn, args, typed, mistake=None):
    """({(line, body): what that line gives}, {key: name}) with typed values put in place of what was calculated."""
    made, state = _judged(fn, mistake)
    state.update(own={}, names={}, typed=typed)
    made(*args)
    return state["own"], state["names"]


@cache
def _judged(fn, mistake):
    """fn (with a mistake) with `judge_(...)` around what each line in a loop writes, and the dict judge_ works on."""
    fn, state = (fn if mistake is None else variant(fn, mistake)), {}

    def judge(line, body, name, value):
        state["own"][line, body], state["names"][line, body] = value, name.format(body)
        return state["typed"].get((line, body), value)

    edits, src = [], source(fn)
    for loop in [x for x in ast.walk(src.tree) if isinstance(x, ast.For) and isinstance(x.target, ast.Name)]:
        for node in loop.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript) and id(node) in src.tags:
                n, target = src.tags[id(node)], node.targets[0]
                name = ast.unparse(target.value) + "_{}"
                code = f"{ast.unparse(target)} = judge_({n}, {loop.target.id}, {name!r}, {ast.unparse(node.value)})"
                edits.append(Edit((code,), n))
    return edited(fn, edits, "marked " + src.name, {**vars(wrong), "judge_": judge}), state


def _full(typed, like):
    """A typed value in the shape of the calculated one. Raises ValueError if it does not fit."""
    x = np.asarray(typed, dtype=float).reshape(-1)
    if not np.isfinite(x).all():
        raise ValueError("not a finite number")
    if x.size == like.size:
        return x.reshape(like.shape)
    if like.shape == (6, 1) and x.size == 3:
        out = np.zeros((6, 1))
        out[PLANE, 0] = x
        return out
    raise ValueError("this size does not fit")


def _close(a, b, digits):
    return bool(np.all(np.abs(a - b) <= 0.6 * 10.0**-digits))
