"""Numbers by hand: marked line by line, with carry-forward; and small tables of numbers."""

import inspect

import numpy as np

from ..listing import rows
from ..ltdl import ldlt, ltdl
from ..marking import CARRIED, RIGHT, WRONG, calculated, mark
from ..mistakes.cases import own_case
from ..typed import close, numbers
from . import told


def case_of(make, own):
    return make() if own is None else make(own)


def asked(case, fn, lines):
    """Keys of the values that count: all that the given lines of fn calculate, line by line, each in order."""
    keys = calculated(fn, case.given(fn))
    return [k for n in lines for k in keys if k[0] == n]


def print_sheet(case, fn, lines):
    """Print what is given and which lines are asked."""
    words, turn = rows(fn), 180 / np.pi
    print(f"parents {case.model.parent[1:]}, masses {', '.join(f'{m:g}' for m in case.model.mass[1:])} kg, "
          f"gravity {case.model.gravity.tolist()} m/s²")  # fmt: skip
    needs = inspect.signature(fn).parameters
    given = [f"q = {', '.join(f'{x * turn:g}°' for x in case.q)}"] if "q" in needs or "M" in needs else []
    for name, symbol, unit in (("qd", "q̇", " rad/s"), ("qdd", "q̈", " rad/s²"), ("tau", "τ", " N m"), ("b", "b", "")):
        given += [f"{symbol} = {np.asarray(getattr(case, name)).tolist()}{unit}"] if name in needs else []
    print(", ".join(given))
    where = calculated(fn, case.given(fn))
    for n in lines:
        here = [k for k in where if k[0] == n]
        names = [part.split(" = ")[0] for part in where[here[0]].split(", ")]
        head = "bodies " if "body" in names[0] else f"{names[0]} = " if len(names) == 1 else f"({', '.join(names)}) = "
        text = ", ".join(str(k[1]) if len(k) == 2 else f"({', '.join(map(str, k[1:]))})" for k in here)
        print(f"[{n}] {words[n][1].strip()}   {head}{text}")


def grade_numbers(answer, hint, case, fn, lines, own=None):
    """answer: {key: value, or ... for a blank}, keys as in `rbdlite.marking.Mark`."""
    if own is None and case is own_case:
        return 0, ["Give the number of your own tree: check(..., own=number)."], ()
    if not isinstance(answer, dict):
        return 0, [f"The answer should be a dict {{(line, body): value}}; got {type(answer).__name__}."], ()
    here = case_of(case, own)
    try:
        marks = mark(fn, here.given(fn), answer, asked(here, fn, lines))
    except KeyError as error:
        return 0, [f"The answer's keys should be (line, body), or as the sheet lists them: {error.args[0]}."], ()
    out_of, (count, follow), same = sum(m.asked for m in marks), score(marks), _one_for_all(answer, marks)
    count = 0 if same else count
    textbook = fn is ltdl and _textbook_order(here, marks, answer)

    def say(hint):
        text = [f"{count} of {out_of} values count."]
        for m in marks:
            text += [f"  {m}"] if m.verdict in ("wrong", "unreadable") else []
            text += [] if textbook else matched(m.matches[:3], hint)
        text += [f"      {OTHER_ORDER[min(hint, 2) - 1]}"] if textbook else []
        text += ["  The same number in every place: none counts."] if same else []
        return text + _summary(marks, follow)

    return count / out_of, told(say, hint), [x.id for m in marks for x in m.matches]


def _summary(marks, follow):
    """What else is to be said of marks, after those of wrong values."""
    text = []
    followed = "follow from your earlier values" + (", and count" if follow else
        ", and will count when fewer are wrong, twice as many right as wrong, or one wrong alone")  # fmt: skip
    for verdict, words in (("carried", followed), ("blank", "still blank")):
        names = [m.name for m in marks if m.verdict == verdict]
        text += [f"  {words}: {', '.join(names)}"] if names else []
    text += [f"  {m.note}" for m in marks if m.note]
    if besides := [m.name for m in marks if m.verdict == "wrong" and not m.asked]:
        text.append(f"  not asked, but typed and wrong, which costs: {', '.join(besides)}")
    return text


OTHER_ORDER = ("Which joint goes first? In yours the root, in the sheet a leaf.",
               "These are the factors of M = L D Lᵀ, the textbook's order: the root goes first.")  # fmt: skip


def _textbook_order(case, marks, answer):
    """Are the wrong pivots and entries of L, two or more of each, those of M = L D Lᵀ?"""
    L, D = ldlt(case.M)
    wrong = [m.key for m in marks if m.verdict == WRONG and m.key[0] in (2, 6)]
    right = [D[k[1] - 1] if k[0] == 2 else L[k[1] - 1, k[2] - 1] for k in wrong]
    fits = all(close(float(np.squeeze(numbers(answer[k]))), x, 3) for k, x in zip(wrong, right, strict=True))
    return fits and min([k[0] for k in wrong].count(n) for n in (2, 6)) > 1


def score(marks):
    """(how many of the values asked count, whether carried ones do).

    A right value counts. A carried one does while a single value is wrong, or twice as many of those asked are right as
    values are wrong. A wrong value that was not asked takes one carried value away, or one right one in all.
    """
    right = sum(m.asked and m.verdict == RIGHT for m in marks)
    wrong, besides = (sum(m.verdict == WRONG for m in some) for some in (marks, [m for m in marks if not m.asked]))
    follow = wrong == 1 or 2 * wrong <= right
    carried = sum(m.asked and m.verdict == CARRIED for m in marks) if follow else 0
    return max(right - (besides > carried), 0) + max(carried - besides, 0), follow


def _one_for_all(answer, marks):
    """Is the same number typed wherever one is asked, mostly wrong?"""
    typed = [m for m in marks if m.asked and m.verdict not in ("blank", "unreadable")]
    if len(typed) < 3 or 2 * sum(m.verdict == "right" for m in typed) > len(typed):
        return False
    all_ = np.concatenate([np.ravel(numbers(answer[m.key])) for m in typed])
    return bool(np.all(all_ == all_[0]))


def matched(found, hint, first=2):
    """What the catalogue says of mistakes found; from hint `first` on, what the mistake is."""
    return [f"      This is what you get when {m.what}." if hint >= first else f"      {m.says}" for m in found]


def grade_table(answer, hint, wanted, digits=None):
    """answer: {name: number}. wanted() -> {name: (number, a question that helps)}. digits that must be right: all."""
    right = wanted()
    if not isinstance(answer, dict):
        return 0, [f"The answer should be a dict with the keys {', '.join(map(repr, right))}."], ()
    wrong, blank = {}, []
    for name, (value, says) in right.items():
        try:
            typed = float(numbers(answer[name])) if answer[name] is not None else None
            typed - value
        except Exception:  # whatever was typed in place of a number
            blank.append(name)
            continue
        if not abs(typed - value) <= (0 if digits is None else 0.6 * 10.0 ** (1 - digits) * abs(value)):
            wrong[name] = says
    good = len(right) - len(wrong) - len(blank)

    def say(hint):
        text = [f"{good} of {len(right)} values right."]
        for name in right:
            text += [f"  {name}: still blank"] if name in blank else []
            text += [f"  {name}: not this value"] if name in wrong else []
            text += [f"      {wrong[name]}"] if name in wrong and hint > 1 else []
        return text

    return good / len(right), told(say, hint), ()
