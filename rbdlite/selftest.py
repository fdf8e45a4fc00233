"""Questions with checked answers: on a page each choice opens with a click, in a notebook you type the answer.

A sheet is a JSON file {key: {"ask", "choices": [{"text", "value", "right", "says"}], "read"}}. "value" is the number
or vector that a choice stands for, so that a typed number is checked as well; "read" says what to read after a miss.
"""

import json
import string
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np

_STYLE = (
    ".rbd-q{margin:1em 0;padding:.6em 1em;border-left:3px solid light-dark(#0b4a9e,#62aef0);line-height:1.5}"
    ".rbd-q p{margin:.2em 0 .5em}.rbd-q details{margin:.15em 0}.rbd-q summary{cursor:pointer}"
    ".rbd-q .says{margin:.1em 0 .5em 1.2em}.rbd-q .yes{color:light-dark(#07685b,#69e1a2)}"
    ".rbd-q .no{color:light-dark(#9c1420,#ff7a80)}"
)


class Sheet:
    """The questions of a JSON file: ask(key, answer), check(key, answer)."""

    def __init__(self, path):
        self.path = Path(path)
        self.questions = {key: Question(key, **x) for key, x in json.loads(self.path.read_text("utf-8")).items()}

    def _question(self, key):
        if key not in self.questions:
            raise KeyError(f"{self.path.name} has no question {key!r}; it has {', '.join(self.questions)}")
        return self.questions[key]

    def ask(self, key, answer=None):
        """The question, and the verdict on the answer if there is one. On a page each choice opens with a click."""
        question = self._question(key)
        return replace(question, said="" if answer is None else question.check(answer))

    def check(self, key, answer=None):
        """Is the answer right? A letter, a number, or a vector; None leaves the question open."""
        return self._question(key).check(answer)


@dataclass(frozen=True)
class Question:
    """One question. Exactly one choice is right."""

    key: str
    ask: str
    choices: list
    read: str = ""
    said: str = ""

    def __post_init__(self):
        if sum(bool(c.get("right")) for c in self.choices) != 1:
            raise ValueError(f"question {self.key!r} must have exactly one right choice")

    def __repr__(self):
        letters = zip(string.ascii_lowercase, self.choices, strict=False)
        return "\n".join([self.ask, *(f"  ({k}) {c['text']}" for k, c in letters), *([self.said] if self.said else [])])

    def _repr_html_(self):
        rows = "".join(
            f'<details><summary>({k}) {escape(c["text"])}</summary>'
            f'<div class="says">{self._verdict(c, True)}</div></details>'
            for k, c in zip(string.ascii_lowercase, self.choices, strict=False))
        said = f"<p><b>{escape(self.said)}</b></p>" if self.said else ""
        return f'<div class="rbd-q"><style>{_STYLE}</style><p>{escape(self.ask)}</p>{rows}{said}</div>'

    def _verdict(self, choice, html=False):
        right = bool(choice.get("right"))
        word = "✓ Right." if right else "✗ Not this."
        if html:
            word = f'<span class="{"yes" if right else "no"}">{word}</span>'
        parts = [word, choice.get("says", ""), "" if right or not self.read else f"To read: {self.read}"]
        return " ".join([parts[0], *(escape(p) if html else p for p in parts[1:] if p)])

    def check(self, answer=None):
        """One line of text: right, or what that answer is, or which answers are possible."""
        letters = string.ascii_lowercase[: len(self.choices)]
        if answer is None:
            return Said("Open: put your answer into the cell and run it again.")
        if isinstance(answer, str):
            k = letters.find(answer.strip().strip("()").lower()) if len(answer.strip().strip("()")) == 1 else -1
            if k < 0:
                raise ValueError(f"an answer is one of the letters {', '.join(letters)}, or a number; got {answer!r}")
            return Said(self._verdict(self.choices[k]))
        given = np.asarray(answer, dtype=float)
        for choice in self.choices:
            if "value" in choice:
                value = np.asarray(choice["value"], dtype=float)
                if given.shape == value.shape and np.allclose(given, value, rtol=1e-3, atol=1e-6):
                    return Said(self._verdict(choice))
        if not any("value" in c for c in self.choices):
            raise ValueError(f"this question is answered by a letter: {', '.join(letters)}")
        return Said(f"✗ Not this. {'To read: ' + self.read if self.read else ''}".strip())


class Said(str):
    """Text that a notebook prints without quotation marks."""

    def __repr__(self):
        return str(self)
