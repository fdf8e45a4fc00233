"""Functions of the learner: whole algorithms, and single lines of them."""

import os
from dataclasses import replace

from ..diagnose import SEEDS, diagnose, signature
from ..listing import rows, source
from ..mistakes.cases import hard_case, two_hinges
from ..mistakes.lines import failing_lines, with_lines
from ..mistakes.safe import close, packed, said
from ..trace import trace
from . import Told, told
from .own import FACTORED, Guard, must_be_own
from .quantities import quantities
from .zeros import uses_zeros

TAG = "To have each line judged alone, end the code that does line n of the pseudocode in its number, as # [4]."


def seeds():
    """Random models: everyone's, or a lecturer's own through the variable RBDLITE_SEED, where it is not empty. Raises
    ValueError where that is no whole number from 0."""
    own = os.environ.get("RBDLITE_SEED", "").strip()
    try:
        first = int(own or 0)
    except ValueError:
        first = -1
    if first < 0:
        raise ValueError(f"the environment variable RBDLITE_SEED must be a whole number, 0 or more, or not be set; "
                         f"got {own!r}")  # fmt: skip
    return tuple(first + k for k in range(3)) if own else SEEDS


def not_callable(answer):
    return 0, [f"Hand in the function itself, as my_function without brackets; got {type(answer).__name__}."], ()


def _own(fn, reference, guard):
    """Raises Borrowed if fn calls what is closed. Returns what to say of a call that never ends, as a list."""
    cases = [two_hinges(seeds()[0]), *map(hard_case, seeds())]
    trouble = must_be_own(fn, guard, [c.given(reference) for c in cases])
    return [f"There is no answer to judge: {trouble}."] if trouble else []


def grade_function(fn, hint, reference, allowed=()):
    """fn is compared with the reference on hard random models, on laws, and line by line if it has tags. allowed:
    functions of the package that it may call."""
    if not callable(fn):
        return not_callable(fn)
    guard = Guard(reference, allowed, inverses=bool(allowed) or reference not in FACTORED)
    if endless := _own(fn, reference, guard):
        return 0, _endless(fn, reference, hint, endless), ()
    d = diagnose(fn, reference, seeds())
    _own(fn, reference, guard)  # once more: its first calls may have been others
    if d.right and uses_zeros(fn, reference):
        return 0.75, ["Right numbers, but numbers of two that are not related are used as well: on a robot with many "
                      "branches nearly all of that work is for nothing."], ()  # fmt: skip
    if d.right:
        return 1, _order(fn, reference), ()
    if d.trouble:  # it may still be right where things are easier
        d = replace(d, cures=signature(fn, reference, seeds()))
    found = [m.id for m in d.matches or [m for f in d.lines for m in f.matches]]
    if d.trouble and not d.cures:
        share = 0
    else:
        share = 0.75 if d.cost else 0.25 + 0.5 * min(len(d.cures), 3) / 4  # it runs, and it is right on easier inputs
    return share, told(d.hint, hint), found


def _endless(fn, reference, hint, endless):
    """What is said of a function that never ends: which line it is costs another wait, so only the last hint does."""
    if hint < 3:
        return Told(endless, 3 if source(reference).tags else None)
    wrong = [f for f in diagnose(fn, reference, seeds()[:1]).lines if f.judged]
    return endless + [f"On the right inputs, line [{f.n}] ({f.words}) goes wrong." for f in wrong]


def _order(fn, reference):
    """For a right function: does it take the steps in the same order?"""
    case = hard_case(0)
    if not source(reference).tags:
        return ["Right on every model."]
    try:
        theirs, ours = (
            [(s.line, tuple(s.at.values())) for s in trace(f, *case.given(reference)).steps] for f in (fn, reference)
        )
    except Exception:  # no tags or no source
        return ["Right on every model. With # [n] at the end of each line you can trace it and step through it."]
    if theirs == ours:
        return ["Right on every model, and each step in the order of the pseudocode."]
    k = next((k for k, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(theirs), len(ours)))
    return [f"Right on every model. Step {k + 1} is another one than in the pseudocode: compare the two traces."]


def grade_lines(fn, hint, reference, lines, names):
    """The given lines of a tagged function, each on right inputs; the rest need not be written yet. Without tags, or
    with numbers of its own: its result, or the quantities `names` of each body."""
    if not callable(fn):
        return not_callable(fn)
    guard = Guard(reference, inverses=reference not in FACTORED)
    endless = _own(fn, reference, guard)
    case = hard_case(seeds()[0])
    share, say, found, own = _by_tags(fn, reference, case, lines)
    if not own or endless:
        return share, told(say, hint), found
    answers = [(guard.attempt(fn, c.given(reference)), packed(reference(*c.given(reference)))[0])
               for c in map(hard_case, seeds())]  # fmt: skip
    if all(out.value is not None and not out.changed and close(out.value, right) for out, right in answers):
        return 1, ["The result is right on every model, so what is asked here is, too.", TAG], ()
    other, said = quantities(fn, reference, case, names, lines)
    if other > share or not found and not share:
        good = round(other * len(names))
        return other, [f"Right quantities: {good} of {len(names)} ({', '.join(names)}).", *said, TAG], ()
    return share, told(say, hint), found


def _by_tags(fn, reference, case, lines):
    """(share, hint -> text, ids of mistakes, whether lines are not there or have numbers or names of their own)."""
    names = rows(reference)
    try:
        findings, tags = failing_lines(fn, reference, case, lines), set(source(fn).tags.values())
    except Exception as error:
        text = [f"{TAG[:-1]}: {said(error)}."]
        return 0, lambda hint: text, (), True
    bad = {f.n: f for f in findings if f.n in lines}
    missing = [n for n in lines if n not in tags]
    text = [f"  [{n}] not there yet: {names[n][1].strip()}" for n in missing]
    text += [f"  [{n}] uses names of its own, so it cannot be run alone: use the names of the pseudocode."
             for n, f in bad.items() if not f.judged]  # fmt: skip
    wrong = [f for f in bad.values() if f.judged]
    put_in = _put_in(fn, reference, wrong)
    early = [f for f in findings if 0 < f.n < min(lines) and f.judged]
    setup = any(f.n == 0 and f.judged for f in findings)
    right = max(len(lines) - len(missing) - len(bad) - setup, 0)

    def say(hint):
        out = [f"{right} of {len(lines)} lines right.", *text, *put_in(hint)]
        out += ["  What is set up before the first numbered line goes wrong."] if setup else []
        if early:
            which = "".join(f" Line [{f.n}] ({f.words}) goes wrong." for f in early if hint > 2)
            out.append(f"  Before line [{min(lines)}] something goes wrong; put it right first"
                       + (f".{which}" if which else ": hint=3 names the line."))
        return out

    own = bool(missing) or any(not f.judged for f in bad.values())
    return right / len(lines), say, [m.id for f in wrong for m in f.matches], own


def _put_in(fn, reference, wrong):
    """hint -> what is to be said of wrong lines (Findings): what a function would hear with all other lines right."""
    if not wrong:
        return lambda hint: []
    d = diagnose(with_lines(fn, reference, {f.n for f in wrong}), reference, seeds())

    def say(hint):
        if not d.right:
            return ["  " + x for x in d.hint(hint)]
        which = "".join(f" Line [{f.n}] ({f.words})." for f in wrong if hint > 2)
        return [f"  The result is right, but on the way something is not what it should be.{which}"]

    return say
