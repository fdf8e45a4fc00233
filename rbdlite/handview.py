"""How a calculation by hand looks: as text, and as HTML in light and dark."""

import html
import re
from dataclasses import dataclass
from importlib import resources

import numpy as np

from .handnumbers import matrix
from .typeset import dotted, name_base, typeset

RIGHT, TRACED, CARRIED, WRONG, BLANK, GIVEN = STATES = "right", "traced", "carried", "wrong", "blank", "given"
COPIED, UNREAD = "copied", "?"  # the value of a row that only copies; of one with what cannot be a value
SIGNS = {RIGHT: ("✓ arithmetic", "✓ trace"), TRACED: ("✓ trace",), CARRIED: ("↪ carried on",), WRONG: ("✗ arithmetic",),
         BLANK: (), GIVEN: ("given",)}  # fmt: skip


def counted(at, dofs):
    """Loop variables as the pseudocode counts them: degrees of freedom from 1, though the code has them from 0."""
    return {k: v + (k in dofs) for k, v in at.items()}


def low(digits):
    """Digits as an index, for text."""
    return digits.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def number(x, digits=None):
    """One number, with a true minus sign; floats to `digits` decimals (default 6), without trailing zeros."""
    if isinstance(x, (float, np.floating)):
        text = f"{x:.{6 if digits is None else digits}f}".rstrip("0").rstrip(".")
        text = "0" if text in ("-0", "") else text
    else:
        text = re.sub(r"sqrt\((\w+)\)", r"√\1", str(x)).replace("*", "·").replace(" ", "")
    return text.replace("-", "−")


def value(x, planar=True, digits=None):
    """A scalar, a spatial vector (n; fx, fy) or a matrix [row; row], as text; zero vectors as 0; a list of such."""
    if isinstance(x, list):
        each = [value(e, planar, digits) for e in x]
        return f"{each[0]}, for every body" if len(set(each)) == 1 else ", ".join(each)
    x = np.asarray(x)
    if x.size == 1:
        return number(x.reshape(-1)[0], digits)
    if x.shape == (6, 1):
        k = [number(e, digits) for e in x[:, 0]]
        k = [k[2:3], k[3:5]] if planar else [k[:3], k[3:]]
        return "0" if set(k[0] + k[1]) == {"0"} else "(" + "; ".join(", ".join(part) for part in k) + ")"
    if x.shape == (6, 6):
        x = x[2:5, 2:5] if planar else x
    return "[" + "; ".join(" ".join(number(e, digits) for e in row) for row in np.atleast_2d(x)) + "]"


def _width(text):
    """Letters in the widest part that no line break may split: a sum breaks outside brackets only, a matrix is as wide
    as its widest row."""
    text = re.sub(r"\[[^\[\]]*\]", lambda m: "_" * max(map(len, m[0].split(";"))), text)
    depth, parts = 0, [0]
    for before, here in zip(" " + text, text, strict=False):
        depth += (here == "(") - (here == ")")
        if depth == 0 and before == " " and here in "+−":
            parts.append(0)
        parts[-1] += 1
    return max(parts)


def _term(found):
    return f'<span class="t">{found[0]}</span>' if found[0] else ""


@dataclass
class Row:
    """One line of one body, filled in."""

    step: object
    line: object
    parents: object
    state: str
    value: str
    message: str
    numbers: str
    numbers_html: str
    dofs: frozenset = frozenset()

    def at(self):
        return counted(self.step.at, self.dofs)

    def indices(self):
        at = {k: str(v) for k, v in self.at().items()}
        if self.parents is not None and at:
            k = "i" if "i" in at and "i" not in self.dofs else next(iter(at))
            at["λ"] = str(self.parents[self.step.at[k]] + (k in self.dofs))
        return at

    def symbols(self, fold):
        """The line's symbols, with this body's numbers as indices."""
        at = {} if fold else self.indices()
        text = re.sub(r"\((\w)\)", lambda m: f"_{m[1]}" if m[1] in "ijk" else m[0], self.line.symbols)
        return re.sub(r"_([ijkpλ]+(?:,[ijkpλ]+)*)", lambda m: "_" + "".join(at.get(c, c) for c in m[1]), text)

    def words(self, fold):
        at = {} if fold else self.indices()
        return name_base(re.sub(r"\{(\w+)\}", lambda m: at.get(m[1], m[1]), self.line.words))

    def hint(self):
        """The message, with c[i] as c₂."""
        at = {f"[{k}]": low(v) for k, v in self.indices().items()}
        text = re.sub(r"\[λ\[\w\]\]", at.get("[λ]", ""), self.message).replace(".mT", "ᵀ").replace(" @ ", " ")
        text = re.sub(r"\bqdd\b", "q̈", re.sub(r"\bqd\b", "q̇", text))
        return re.sub(r"\[\w\]", lambda m: at.get(m[0], m[0]), text)

    def text(self, fold):
        who = "all" if fold else ", ".join(f"{k}={v}" for k, v in self.at().items())
        symbols = re.sub(r"_(\d+(?:,\d+)*)", lambda m: low(m[1]), self.symbols(fold))
        shown = "…" if self.state == BLANK and self.value != COPIED else self.value
        numbers = "" if fold or self.numbers in (self.value, "…") else f"\n{'':10}= {self.numbers}"
        message = f"\n{'':10}{self.hint()}" if self.message else ""
        marks = " ".join(SIGNS[self.state])
        return f"[{self.line.n}] {who:<5} {symbols}{numbers}\n{'':10}= {shown}   {marks}{message}".rstrip()

    def html(self, fold, again=False):
        """One row; again: the line above is the same one for another body, so the words are not repeated."""
        symbols = re.sub(r"(?:^|(?<= ))[+−]? ?.*?(?= [+−] |$)", _term, typeset(self.symbols(fold)))
        shown = f"<b>{matrix(html.escape(self.value))}</b>"
        if self.state == BLANK and self.value != COPIED:
            shown = f"<details><summary>show the value</summary>{shown}</details>"
        ticks = "".join(f'<span class="tick">{t}</span>' for t in SIGNS[self.state])
        message = f'<div class="msg">{dotted(html.escape(self.hint()))}</div>' if self.message else ""
        at = self.at()
        where = ", ".join(f"{k} = {v}" for k, v in at.items()) if self.dofs else f"body {next(iter(at.values()), '')}"
        words = where if again else self.words(fold)
        numbers = "" if fold or self.numbers == "…" else self.numbers_html
        cells = {"ln": self.line.n, "w": html.escape(words), "sy": symbols, "nu": numbers,
                 "va": f'{shown}<span class="ticks">{ticks}</span>'}  # fmt: skip
        cells = "".join(f'<span class="{name}">{content}</span>' for name, content in cells.items())
        long = " long" if not fold and _width(self.numbers) > 28 else ""
        wide = " wide" if _width(self.value) > 24 and self.value.startswith("[") else ""
        return f'<div class="hr {self.state}{long}{wide}">{cells}{message}</div>'


class Rows:
    """Rows entered in one cell, for display: rows since the last display of the sheet come along."""

    def __init__(self, sheet, rows, fold):
        self.sheet = sheet
        sheet.__dict__.setdefault("pending", []).append((rows, fold))

    def _take(self):
        waiting, self.sheet.pending = self.sheet.pending, []
        for rows, fold in waiting:
            same = fold and len(rows) > 1 and len({r.value for r in rows}) == 1
            yield from ((r, same) for r in (rows[:1] if same else rows))

    def __repr__(self):
        return "\n".join(r.text(fold) for r, fold in self._take())

    def _repr_mimebundle_(self, include=None, exclude=None):
        rows = list(self._take())
        return {"text/plain": "\n".join(r.text(f) for r, f in rows),
                "text/html": f"<div class='rbd-hand'>{STYLE}{HEAD}{self._html(rows)}</div>"}  # fmt: skip

    @staticmethod
    def _html(rows):
        above = [None, *(r.line.n for r, _ in rows)]
        return "".join(r.html(fold, r.line.n == n) for (r, fold), n in zip(rows, above, strict=False))


class Tally:
    """What a finished sheet holds."""

    def __init__(self, count, total):
        self.count, self.total = count, total

    def __repr__(self):
        names = {RIGHT: "right in arithmetic and trace", TRACED: "right in the trace", GIVEN: "given", BLANK: "blank",
                 CARRIED: "right for an earlier slip", WRONG: "wrong"}  # fmt: skip
        return f"{self.total} rows: " + ", ".join(f"{n} {names[s]}" for s, n in self.count.items() if n)


HEAD = ("<div class='hr th'><span class='ln'>line</span><span>in words</span><span>symbols</span>"
        "<span>numbers put in</span><span>value</span></div>")  # fmt: skip
STYLE = f"<style>{(resources.files(__package__) / 'widgets/static/hand.css').read_text(encoding='utf-8')}</style>"
