"""Calculations by hand: you type the value of a pseudocode line, the sheet checks it.

    hand = sheet(rnea, model, q, qd, qdd)
    hand.line(6, body=2, a=[-1, 11, 0])       # typed by the author: must be right, or HandError
    hand.blank(6, body=2, a=...)              # for the reader, who puts a value in place of the dots
    hand.finish()                             # every line of every body was checked, or HandError

A typed value is compared with the line's own arithmetic on the values typed before (so that one slip costs one line),
and with the package's trace. Plane motion is typed as (ω; vx, vy), the slots 2, 3, 4 of a spatial vector.
"""

import ast
import copy
import inspect
from contextlib import suppress

import numpy as np

from . import handview
from .handcheck import by_points, expressions, fitted, is_pivot, is_planar, paper_arm, plain, slips
from .handnumbers import Numbers
from .listing import listing
from .marking import causes, quiet
from .trace import trace


class HandError(AssertionError):
    """A typed value that fails its checks, a line that is not there, or one that was never checked."""


def sheet(fn, *args, digits=None, bare=False, **kwargs):
    """An empty sheet for fn(*args). digits: decimals typed (default: exact); values may be off by 5 in the last one.

    bare: a blank row does not show what nobody has entered yet; else it takes such numbers from the trace.
    """
    return Sheet(fn, args, kwargs, digits, bare)


class Sheet:
    """One calculation: each write of a tagged line is a row to fill in."""

    def __init__(self, fn, args, kwargs, digits, bare=False):
        self.trace, self.listing, self.digits, self.bare = trace(fn, *args, **kwargs), listing(fn), digits, bare
        self.steps = [s for s in self.trace.steps if s.kind == "write"]
        self.given_args = inspect.signature(self.trace.fn).bind(*args, **kwargs)
        bound = self.given_args.arguments
        self.env = {**bound, **self.trace.reads}
        if "model" in bound:  # the model in the kind of number of the state
            self.env["model"] = bound["model"].prepare(**{k: bound[k] for k in ("q", "qd") if k in bound})[0]
        self.code = expressions(self.trace.fn)
        self.planar = all(is_planar(s.value) for s in self.steps)
        self.dofs = frozenset(k for s in self.steps for k, v in s.at.items() if v == 0)  # bodies count from 1
        self.steps = [s for s in self.steps if s.name not in self.dofs]  # i = λ(i) over freedoms is a walk, no value
        self.typed, self.rows, self.open = {}, [], set()  # open: rows left blank

    # -- what an author or a reader calls --------------------------------------------------------------------------

    def line(self, n, body=None, **value):
        """The author's value for line n of `body` (default: the same for all), as a=[-1, 11, 0]; must be right.

        body: a number, or one for each loop variable where loops are nested: (3, 2) for i = 3, j = 2. Degrees of
        freedom count from 1, as in the pseudocode.
        """
        return self._enter(n, body, value, strict=True)

    def blank(self, n, body=None, **value):
        """A row for the reader: a value, or ... for one not yet filled in. All is marked, nothing is an error."""
        return self._enter(n, body, value, strict=False)

    def given(self, *lines, body=None):
        """Rows taken over from the trace: shown, not checked. What only passes on an open blank is a blank, too."""
        rows = []
        for k in [k for n in lines for k in self._find(n, body, None)]:
            self.typed[k] = self.steps[k].value
            rows.append(self._row(k, self._passed_on(k, handview.GIVEN), self.steps[k].value))
        return self._show(rows)

    def copied(self, n):
        """Line n only copies or mirrors (f_i = fB_i, M_ji = M_ijᵀ): take over what was typed, for every body."""
        rows = []
        for k in self._find(n, None, None):
            if not isinstance(self.code[n, self.steps[k].name], (ast.Subscript, ast.Name, ast.Attribute)):
                raise HandError(f"line [{n}] calculates something: type its value")
            self._check(k, self._arithmetic(k), strict=True)
            rows.append(self._row(k, self._passed_on(k, handview.RIGHT), None))
        return self._show(rows, fold=True)

    def finish(self):
        """Say what was checked. Raises HandError if a row is missing, or if none was typed."""
        missing = [s for k, s in enumerate(self.steps) if k not in self.typed]
        if missing:
            raise HandError(f"{len(missing)} of {len(self.steps)} rows were never checked; the first is line "
                            f"[{missing[0].line}], {self._at(missing[0])}, {missing[0].name}")  # fmt: skip
        count = {state: sum(r.state == state for r in self.rows) for state in handview.STATES}
        if not any(count[s] for s in handview.STATES if s != handview.GIVEN):
            raise HandError("nothing was checked: the sheet holds no typed value")
        return handview.Tally(count, len(self.steps))

    # -- finding, typing, checking ---------------------------------------------------------------------------------

    def _find(self, n, body, name):
        body = () if body is None else tuple(np.ravel(body))
        found = [k for k, s in enumerate(self.steps) if s.line == n and name in (None, s.name, s.name.split("[")[0])
                 and tuple(self._counted(s).values())[: len(body)] == body]  # fmt: skip
        if not found:
            raise HandError(f"no line [{n}]" + (f" writes {name}" if name else "")
                            + (f" for body {', '.join(map(str, body))}" if body else ""))  # fmt: skip
        return found

    def _enter(self, n, body, value, strict):
        if len(value) != 1:
            raise HandError(f"line [{n}]: give one value, as {self.listing[n].code.split('[')[0]}=[...]")
        (name, typed), rows = next(iter(value.items())), []
        for k in self._find(n, body, name):
            state, text = self._check(k, ... if typed is None else typed, strict)
            unread = state == handview.WRONG and k in self.open
            rows.append(self._row(k, state, handview.UNREAD if unread else self.typed[k], text))
        return self._show(rows, fold=body is None)

    def _check(self, k, typed, strict):
        step = self.steps[k]
        if typed is ...:
            if strict:
                raise HandError(f"line [{step.line}], {self._at(step)}: no value; a blank belongs in blank(...)")
            self.typed[k] = step.value
            self.open.add(k)
            return handview.BLANK, ""
        self.open.discard(k)
        own = self._arithmetic(k)
        try:
            value = fitted(typed, step.value, self.planar)
            if step.name == "D" and not is_pivot(value):
                raise ValueError(f"= {self._text(value)}, but a pivot must be positive: it is the inertia that is left "
                                 "for a joint to move")  # fmt: skip
        except ValueError as error:
            if strict:
                raise HandError(f"line [{step.line}]: {step.name} {error}") from None
            self.typed[k] = step.value  # no line could go on from what was typed
            self.open.add(k)
            return handview.WRONG, f"{step.name} {error}. What follows is judged with the right one."
        adds_up, traced = self._close(value, own), self._close(value, step.value)
        slipped = any(r.state in (handview.WRONG, handview.CARRIED) for r in self.rows)
        if strict and not (traced and (adds_up or slipped)):
            raise HandError(f"line [{step.line}], {self._at(step)}: {step.name} = {self._text(value)} was typed; the "
                            f"line gives {self._text(own)}, the trace {self._text(step.value)}")  # fmt: skip
        hint = "" if adds_up or traced else self._hint(k, value)
        self.typed[k] = value
        if adds_up and not traced:
            return handview.CARRIED, f"Right for an earlier slip; without that it becomes {self._text(step.value)}."
        return (handview.RIGHT if adds_up else handview.TRACED if traced else handview.WRONG), hint

    def _space(self, k):
        """The names as line k finds them: values typed before, and traced ones where nothing was typed."""
        space = copy.deepcopy({n: v for n, v in self.env.items() if isinstance(v, (list, np.ndarray))})
        for j, s in enumerate(self.steps[:k]):
            value = self.typed.get(j, s.value)
            if s.index is None:
                space[s.name] = list(value) if isinstance(value, list) else value  # entries are put in below
            elif s.name.endswith("]"):  # an entry of a list of lists: H[i][j]
                rows, i = s.name[:-1].split("[")
                space[rows][s.at[i]][s.index] = value
            else:
                space.setdefault(s.name, {})[s.index] = value
        step = self.steps[k]
        walked = {step.name: step.before} if step.name in step.at else {}  # j = λ[j] starts from the old j
        return {**self.trace.fn.__globals__, **self.env, **space, **step.at, **walked}

    def _arithmetic(self, k, node=None, space=None):
        """Line k (or a part of it) worked out on the values typed before."""
        node = self.code[self.steps[k].line, self.steps[k].name] if node is None else node
        with quiet():
            return eval(compile(ast.Expression(node), "<line>", "eval"), self._space(k) if space is None else space)

    def _close(self, a, b):
        d = np.asarray(a - b)
        if self.digits is None and d.dtype == object:
            return all(getattr(x, "simplify", lambda x=x: x)() == 0 for x in d.reshape(-1))
        slack = 1e-9 * max(1.0, np.abs(np.asarray(b, dtype=float)).max())
        if self.digits is not None:
            slack = 5 * 10.0**-self.digits
        return bool(np.abs(np.asarray(d, dtype=float)).max() <= slack)

    def _hint(self, k, value):
        """Try the slips that any line allows (a term left out, its sign turned, a transpose forgotten), then those of
        the catalogue."""
        space = self._space(k)
        for words, node in slips(self.code[self.steps[k].line, self.steps[k].name]):
            try:
                other = self._arithmetic(k, ast.fix_missing_locations(node), space)
            except ValueError:  # shapes do not fit: nobody got this
                continue
            if np.shape(other) == value.shape and self._close(value, other):
                return f"This is what you get when {words}."
        if found := self._causes(k, value):
            return "This is what you get when " + ", or when ".join(m.what for m in found[:2]) + "."
        return "Put the numbers in once more, one term at a time."

    def _causes(self, k, value):
        """Rows of the catalogue that give this value on what was typed before."""
        steps = enumerate(self.steps)
        with suppress(TypeError, ValueError, AttributeError):  # symbols have no place in the catalogue's runs
            typed = {self._place(s): plain(self.typed[j]) for j, s in steps if j in self.typed
                     and isinstance(s.value, np.ndarray) and not self._close(self.typed[j], s.value)}  # fmt: skip
            args = [plain(x) for x in self.given_args.args]
            return causes(self.trace.fn, args, typed, self._place(self.steps[k]), plain(value), self.digits or 6)
        return ()

    def _place(self, step):
        return step.line, *self._counted(step).values()

    def _counted(self, step):
        return handview.counted(step.at, self.dofs)

    def _at(self, step):
        return ", ".join(f"{k} = {v}" for k, v in self._counted(step).items())

    # -- showing ---------------------------------------------------------------------------------------------------

    def _text(self, x):
        return handview.value(x, self.planar, self.digits)

    def _passed_on(self, k, state):
        """The state of row k; a blank if it is a copy, an inverse, ... of an open blank and so gives it away."""
        step = self.steps[k]
        self.open.discard(k)
        if self._numbers(k).text(self.code[step.line, step.name]) != "…":
            return state
        self.open.add(k)
        return handview.BLANK

    def _numbers(self, k, state=None):
        """The numbers of line k; hidden: open blanks, and in a blank row of a bare sheet all that nobody entered."""
        bare = self.bare and state == handview.BLANK
        space, last = self._space(k), {_key(s): j for j, s in enumerate(self.steps[:k])}
        hidden = [key for key, j in last.items() if j in self.open or (bare and j not in self.typed)]
        return Numbers(lambda part: self._arithmetic(k, part, space), self.steps[k].at, self._text, hidden)

    def _row(self, k, state, value, message=""):
        step, space, numbers = self.steps[k], self._space(k), self._numbers(k, state)
        node = self.code[step.line, step.name]
        text = handview.COPIED if value is None else value if value is handview.UNREAD else self._text(value)
        return handview.Row(step, self.listing[step.line], space.get("λ"), state, text, message,
                            numbers.text(node), numbers.html(node), self.dofs)  # fmt: skip

    def _show(self, rows, fold=False):
        self.rows += rows
        return handview.Rows(self, rows, fold)


def _key(step):
    """What a step writes: (name, index), or (name, i, j) for an entry of a list of lists."""
    if step.name.endswith("]"):
        name, i = step.name[:-1].split("[")
        return name, step.at[i], step.index
    return step.name, step.index


__all__ = ["sheet", "Sheet", "HandError", "by_points", "paper_arm"]
