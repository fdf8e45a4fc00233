"""Questions of a chapter: where they stand, and whether they are complete."""

import re
from fractions import Fraction

import numpy as np

from .text import numbers


def find(steps, place):
    """Step number of a number, of (line, body), or of {"line": n, "i": 3, "j": 1}.

    Loop variables are as the code has them. The first step that fits; ValueError if none does.
    """
    if isinstance(place, (int, np.integer)):
        if not -len(steps) <= place < len(steps):
            raise ValueError(f"there is no step {place}: the run has {len(steps)}")
        return int(place) % len(steps)
    pair = isinstance(place, (tuple, list)) and len(place) == 2
    at = dict(place) if isinstance(place, dict) else dict(zip(("line", "i"), place, strict=True)) if pair else {}
    if "line" not in at:
        raise ValueError("a step is given as its number, as (line, body) or as "
                         f"{{'line': n, loop variable: value, ...}}; got {place!r}")  # fmt: skip
    line = at.pop("line")
    for k, s in enumerate(steps):
        if s.line == line and all(s.at.get(name) == value for name, value in at.items()):
            return k
    raise ValueError(f"no step of line [{line}] at {at}")


def question(q, steps, model):
    """A chapter's question checked and placed: {"step", "ask", "choices"}. Raises ValueError naming the step."""
    if not isinstance(q, dict):
        raise ValueError(f"questions takes dicts, each with ask=, choices= and its place; got {q!r}")
    q = dict(q)
    line, body, at = q.pop("line", None), q.pop("body", None), q.pop("at", None)
    if line is None and q.get("step") is None:
        raise ValueError(f"question {q.get('ask')!r}: say where it stands: step=, or line= and body= or at=")
    place = q.get("step") if line is None else {"line": line, **(at or {} if body is None else {"i": body})}
    k = q["step"] = find(steps, place)
    choices = list(q.get("choices") or ())
    if not all(isinstance(c, dict) and "text" in c for c in choices):
        raise ValueError(f"question at step {k}: each choice is a dict with text=; got {choices!r}")
    choices = [dict(c) for c in choices]
    if not q.get("ask") or len(choices) < 2 or sum(bool(c.get("right")) for c in choices) != 1:
        raise ValueError(f"question at step {k}: needs ask=, two choices or more, and exactly one right=True")
    for c in choices:
        c["text"] = str(c["text"])
        if c.get("motion") is not None:
            c["motion"] = numbers(c["motion"])
            if len(c["motion"]) != model.nv:
                raise ValueError(f"question at step {k}: motion has {len(c['motion'])} numbers, nv is {model.nv}")
        elif not (c.get("right") or c.get("says")):
            raise ValueError(f"question at step {k}: the wrong answer {c['text']!r} needs says= or motion=")
    return {**q, "choices": choices, **_exact(steps[k].value, choices)}


def _exact(value, choices):
    """{"exact": "71/105"} where the choices speak in fractions and the value is one, with a denominator below 1000."""
    if not any(re.search(r"\d/\d", c["text"]) for c in choices) or np.size(value) != 1:
        return {}
    x = float(np.reshape(np.asarray(value, dtype=float), -1)[0])
    near = Fraction(x).limit_denominator(999) if np.isfinite(x) else Fraction(0)
    said = near.denominator > 1 and abs(x - near) <= 1e-12 * max(1, abs(x))
    return {"exact": str(near).replace("-", "−")} if said else {}
