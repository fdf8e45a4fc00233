"""Questions whose wrong answers come from the catalogue of mistakes: for the player's stops and for vote slides."""

import html
import random

import numpy as np

from . import handview
from .aba import aba
from .hand import is_planar
from .handnumbers import matrix
from .mistakes import mistakes, variant
from .trace import trace


def question(ask, ids, fn, *args, line, body=None, at=None, also=None):
    """What is written at line [line] of `body` in fn(*args)? -> dict(ask=, line=, at=, choices=[...]) for rbd.player.

    at: loop variables as the code has them, {"k": 3, "i": 1}, in place of body (which is {"i": body}).
    ids: mistakes of fn whose value there is offered too, each with what it comes from. also: {text: what it says} for
    wrong answers that are no slip of one line. Where fn returns joint forces of a moving model, a wrong choice also
    carries the motion that these forces would really give. Order is fixed by `ask`; an exact model gives fractions.
    Raises ValueError if nothing is written there, or a wrong answer is the right one or offered already.
    """
    at = dict(at) if body is None else {"i": body}
    run = trace(fn, *args)
    planar = all(is_planar(s.value) for s in run.steps if s.kind == "write")

    def text(run):
        here = (s for s in run.steps if s.kind == "write" and s.line == line and at.items() <= s.at.items())
        if (step := next(here, None)) is None:
            raise ValueError(f"nothing is written at line [{line}] for {at}")
        return handview.value(step.value, planar, 3)

    choices = [{"text": text(run), "right": True}]

    def offer(text, says, who, **more):
        if text in [c["text"] for c in choices]:
            raise ValueError(f"{who} adds no choice at line [{line}], {at}: {text} is there already")
        choices.append({"text": text, "says": says, **more})

    for id in ids:
        wrong = trace(variant(fn, id), *args)
        says = f"{text(wrong)} is what you get when {mistakes(fn)[id].what}."
        seen = fn.__name__ == "rnea" and not np.allclose(wrong.result, run.result)
        offer(text(wrong), says, id, **({"motion": aba(*args[:3], wrong.result)} if seen else {}))
    for wrong, says in (also or {}).items():
        offer(wrong, says, "also=")
    random.Random(ask).shuffle(choices)
    return {"ask": ask, "line": line, "at": at, "choices": choices}


class Vote:
    """A question for a show of hands: four choices, and what each comes from behind one click."""

    def __init__(self, question):
        self.question = question

    def __repr__(self):
        rows = [f"{letter}  {c['text']}" for letter, c in zip("ABCDEF", self.question["choices"], strict=False)]
        return "\n".join([self.question["ask"], *rows])

    def _repr_html_(self):
        rows = []
        for letter, c in zip("ABCDEF", self.question["choices"], strict=False):
            mark, says = "✓" if c.get("right") else "✗", _set(c.get("says", ""))
            rows.append(f'<div class="vo"><b>{letter}</b><span>{_set(c["text"])}</span>'
                        f'<small class="{"ok" if c.get("right") else "no"}">{mark} {says}</small></div>')
        return (f'<div class="rbd-vote">{_STYLE}<p>{_set(self.question["ask"])}</p>'
                f'<details><summary>reveal</summary></details>{"".join(rows)}</div>')  # fmt: skip


def _set(text):
    """Text as HTML, its matrices [a b; c d] as such."""
    return matrix(html.escape(text))


def vote(question):
    """The question as a vote: choose alone, discuss, choose again, then reveal."""
    return Vote(question)


_STYLE = """<style>
.rbd-vote{display:flex;flex-direction:column;gap:10px;color:inherit} .rbd-vote p{margin:0 0 6px}
.rbd-vote .vo{display:grid;grid-template-columns:1.6em auto minmax(0,1fr);gap:0 14px;align-items:baseline;
 padding:8px 12px;border:1px solid #7f8a96;border-radius:6px}
.rbd-vote .mat{display:inline-grid;gap:0 .6em;vertical-align:middle;text-align:right;line-height:1.25;padding:0 .4em;
 border:solid;border-width:0 1px;border-radius:.3em}
.rbd-vote small{visibility:hidden;font-size:.7em;line-height:1.3}
.rbd-vote details[open]~.vo small{visibility:visible} .rbd-vote details{order:9} .rbd-vote summary{cursor:pointer}
.rbd-vote details[open]~.vo:has(.ok){outline:2px solid #07685b}
.rbd-vote details[open]~.vo:has(.no){border-style:dashed}
.rbd-vote .ok{color:#07685b} .rbd-vote .no{color:#9c1420}
html[data-theme=dark] .rbd-vote .ok{color:#69e1a2} html[data-theme=dark] .rbd-vote .no{color:#ff7a80}
</style>"""
