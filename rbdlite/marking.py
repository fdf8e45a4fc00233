"""Numbers marked line by line, with carry-forward: a later line is judged on the learner's own earlier values.

The algorithm itself is run with the typed values put in as it goes, so a slip costs the line it is on and no other.
Nothing here tells a right value.
"""

import ast
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from types import SimpleNamespace

import numpy as np

from .errors import SingularError
from .listing import rows, source
from .mistakes import Mistake, mistakes, rebuilt, variant, wrong
from .typed import COUNT, close, full, quiet, wanted
from .typed import rounded as short_of_digits

RIGHT, CARRIED, WRONG, BLANK, UNREADABLE = "right", "carried", "wrong", "blank", "unreadable"
PIVOT = ("a pivot must be positive: it is the inertia that is left for a joint to move. What follows is judged with "
         "the right one")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mark:
    """One value: its key, what it is called, the verdict, and mistakes that give it.

    asked: False for one that was typed besides.
    key: the line and the number of the body; or the line and each loop's number from the outside in, as (12, 3, 1) for
    i = 3, j = 1. Degrees of freedom count from 1. Verdict "carried": not the right value, but what the line gives on
    the learner's own earlier values. note: on a pivot that cannot be, from which no line can go on. wants: how such a
    value is typed. rounded: of a wrong one that is right but for its decimals, how many are expected.
    """

    key: tuple
    name: str
    verdict: str
    matches: tuple[Mistake, ...] = ()
    where: str = ""
    note: str = ""
    asked: bool = True
    wants: str = ""
    rounded: str = ""

    def __str__(self):
        text = {RIGHT: "right", CARRIED: "follows from your earlier value", WRONG: "not this value",
                BLANK: "still blank", UNREADABLE: self.wants}  # fmt: skip
        if self.rounded:
            text[WRONG] = f"close: give {self.rounded}"
        return f"{self.name} (line [{self.key[0]}], {self.where}): {text[self.verdict]}"


def calculated(fn, args):
    """{key: where} of all that the tagged lines in fn's loops calculate, in order; where: "body 2", "k = 3, i = 1"."""
    return _run(fn, args, {}).where


def mark(fn, args, typed, asked, digits=3):
    """Marks for the values of a tagged function's lines: those asked, then those typed besides.

    typed: {key: value, or ... for a blank}, keys as in Mark; asked: the keys to be answered. Carried is only what
    follows from a wrong value: after rounded ones it is right; zero after a wrong zero is wrong.
    digits: decimals that must be right; integers are exact anyway. Raises KeyError for a key that fn never reaches.
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
            with quiet():
                values[key] = full(value, truth[key])
        except Exception:  # whatever was typed in place of a number
            unreadable.add(key)
    run = _run(fn, args, values, None, truth)
    own, marks, wrong_runs = run.own, [], None
    verdicts = {k: _verdict(x, truth[k], own[k], digits) for k, x in values.items()}
    rounded, zeros = WRONG not in verdicts.values(), {k for k, x in values.items() if not np.any(x)}
    if any(verdicts[k] == WRONG for k in zeros):  # a zero put in wipes out what follows: no value of one's own
        verdicts |= {k: WRONG for k in zeros if verdicts[k] == CARRIED}
    for key in (*asked, *(k for k in truth if k in typed and k not in asked and (k in values or k in unreadable))):
        verdict, matches = verdicts.get(key, UNREADABLE if key in unreadable else BLANK), ()
        if verdict == CARRIED and rounded:
            verdict = RIGHT
        few = verdict == WRONG and any(
            short_of_digits(values[key], x[key], digits) for x in (truth, own))
        if verdict == WRONG and not few:
            if wrong_runs is None:
                wrong_runs = _wrong_runs(fn, args, values, truth, hidden=True)
                lines = {k[0] for k, v in verdicts.items() if v == WRONG}
                judged = {k: x for k, x in values.items() if k[0] in lines}
            on_base = right.where[key] == f"body {key[-1]}" and args[0].parent[key[-1]] == 0
            matches = _likely(values[key], key, wrong_runs, digits, judged, on_base)
        marks.append(Mark(key, right.names[key], verdict, matches, right.where[key], asked=key in asked, wants=wanted(
            right.names[key].split("_")[0], truth[key]), rounded=COUNT.get(digits, "more decimals") if few else ""))
    return _noted(marks, run, list(truth))


def _verdict(value, truth, own, digits):
    if close(value, truth, digits):
        return RIGHT
    return CARRIED if close(value, own, digits) else WRONG


def _noted(marks, run, order):
    """The marks, with a note on each pivot refused: on the pivot, or else what comes next, or else what came last."""
    for key in run.refused:
        own = "_" + ",".join(map(str, key[1:]))
        pivot = next((k for k, name in run.names.items() if name == "D" + own and k[1:] == key[1:]), key)
        typed = [k for k, m in enumerate(marks) if m.verdict not in (BLANK, UNREADABLE) and not m.note]
        away = {k: order.index(marks[k].key) - order.index(pivot) for k in typed}
        near = [(away[k] < 0, abs(away[k]), k) for k in typed]
        if near:
            *_, at = min(near)
            value = np.ravel(run.typed.get(pivot, run.own[pivot]))[0]
            text = "was typed" if pivot in run.typed else "follows from your values"
            marks[at] = replace(marks[at], note=f"D{own} = {value:g} {text}, but {PIVOT}.")
    return marks


def causes(fn, args, typed, key, value, digits=3):
    """The mistakes that give this value of a line on earlier values: a tuple of the catalogue's rows for fn.

    typed: {key: value in the shape of the calculated one}, keys as in Mark. Raises nothing.
    """
    if not mistakes(fn):
        return ()
    typed = {k: v for k, v in typed.items() if k != key}
    return _candidates(value, key, _wrong_runs(fn, args, typed, _run(fn, args, {}).own), digits)


def _candidates(value, key, wrong_runs, digits):
    """Mistakes that give this value, on the learner's own earlier values; those on this very line alone, if any."""
    found = [row for row, own in wrong_runs if key in own and close(value, own[key], digits)]
    return tuple([m for m in found if m.lines == (key[0],)] or found)


def _likely(value, key, wrong_runs, digits, judged, on_base):
    """Of the mistakes that give this value, those that give all of `judged`, {key: value} of the lines that went wrong
    somewhere; else those on this very line. A joint on the base has no parent to speak of; gravity enters there."""
    found = [(row, own) for row, own in wrong_runs if key in own and close(value, own[key], digits)]
    whole = [row for row, own in found if all(k in own and close(x, own[k], digits) for k, x in judged.items())]
    rows = dict.fromkeys(whole or [row for row, _ in found])
    if on_base:
        rows = [m for m in rows if m.lines != (key[0],) or "parent" not in m.says + m.what] or rows
    if any(m.agrees == ("no gravity",) for m in rows):  # then what goes wrong without it as well only looks alike
        rows = [m for m in rows if any("gravity" in x for x in m.agrees)]
    return tuple([] if whole else [m for m in rows if m.lines == (key[0],)]) or tuple(rows)


def _wrong_runs(fn, args, values, truth, hidden=False):
    """[(row, {key: what the line gives with that mistake, on the learner's own earlier values})]; hidden: and once more
    where values typed on the mistake's own line would hide it."""
    out = []
    for id, row in mistakes(fn).items():
        with suppress(Exception):  # a variant that cannot go on from what was typed gives no value
            out.append((row, _run(fn, args, values, id, truth).own))
            others = {k: x for k, x in values.items() if k[0] not in row.lines}
            if hidden and len(others) < len(values):
                own = _run(fn, args, others, id, truth).own
                out.append((row, {k: x for k, x in own.items() if k[0] not in row.lines}))
    return out


_DOFS = {}  # function -> the loop variables that are degrees of freedom: they count from 0, bodies from 1


def _run(fn, args, typed, mistake=None, right=None):
    """own: {key: what that line gives} with typed values put in place of what was calculated; names, where: of keys;
    refused: keys of the lines that found a pivot not positive, where the value in `right` was taken instead."""
    if fn not in _DOFS:
        _DOFS[fn] = frozenset()
        seen = _run(fn, args, {}).seen
        _DOFS[fn] = frozenset(k for at in seen for k, v in at.items() if v == 0)
    made, state = _judged(fn, mistake)
    state.letters = _letters(fn)
    state.dofs, state.typed, state.own, state.names, state.where, state.seen = _DOFS[fn], typed, {}, {}, {}, []
    state.right, state.refused = right or {}, []
    with quiet():
        made(*args)
    return SimpleNamespace(**vars(state))


@cache
def _letters(fn):
    """{line: the letters below the name that it writes, as the pseudocode has them}."""
    left = {n: symbols.partition("=")[0] for n, (_, symbols, _) in rows(fn).items()}
    return {n: x.partition("_")[2].replace(",", "").strip() for n, x in left.items() if "_" in x}


@cache
def _judged(fn, mistake):
    """fn (with a mistake) with `judge_(...)` around what each line in a loop calculates, and the state it works on."""
    fn, state = (fn if mistake is None else variant(fn, mistake)), SimpleNamespace()
    src = source(fn)

    def judge(line, at, name, calculate):
        counted = {k: int(v) + (k in state.dofs) for k, v in at.items()}
        key, alone = (line, *counted.values()), len(counted) == 1 and not state.dofs.issuperset(counted)
        state.seen.append(at)
        try:
            value = calculate()
        except SingularError:
            if key not in state.right:
                raise
            state.refused.append(key)
            value = state.right[key]
        of = [counted[c] for c in state.letters.get(line, counted) if c in counted]  # W_ik in the loops k, i: i first
        state.own[key], state.names[key] = value, name + "_" + ",".join(map(str, of or counted.values()))
        state.where[key] = ", ".join("body " + str(v) if alone else f"{k} = {v}" for k, v in counted.items())
        return state.typed.get(key, value)

    tree = _Judging(src).visit(src.tree)
    return rebuilt(fn, ast.unparse(ast.fix_missing_locations(tree)), "marked " + src.name,
                   {**vars(wrong), "judge_": judge}), state  # fmt: skip


class _Judging(ast.NodeTransformer):
    """Puts judge_(line, {"i": i}, name, lambda: ...) around what tagged assignments in loops calculate; counters are
    left."""

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
            no_args = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
            node.value = ast.Call(ast.Name("judge_", ast.Load()), [ast.Constant(n), at, ast.Constant(base.id),
                                                                   ast.Lambda(no_args, node.value)], [])  # fmt: skip
        return node


def _counters(loop):
    """Names that count in a loop: those of `for`, or what `while` tests and its body changes."""
    names = [x for x in ast.walk(loop.target if isinstance(loop, ast.For) else loop.test) if isinstance(x, ast.Name)]
    inside = {x.id for s in loop.body for x in ast.walk(s) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return [x.id for x in names if isinstance(loop, ast.For) or x.id in inside]

