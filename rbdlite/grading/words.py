"""Proofs put in order, and free text that the learner judges beside a model sentence."""

import hashlib
import re
import tomllib
from functools import cache
from importlib import resources
from itertools import combinations

WORDS = 8  # an attempt has at least as many different ones


def digest(name, text):
    return hashlib.sha256(f"{name}:{text}".encode()).hexdigest()[:16]


def grade_order(answer, hint, name, letters, needs):
    """answer: the letters in order, as a string. Any order counts in which each line stands after those it uses.

    needs: digests of "A<B" for each line B that uses line A.
    """
    given = "".join(map(str, answer)) if isinstance(answer, (str, list, tuple)) else ""
    order = given.upper().replace(" ", "").replace(",", "")
    if sorted(order) != sorted(letters):
        return 0, [f"Each of the letters {', '.join(letters)} once, as a string, is expected."], ()
    good = sum(digest(name, f"{a}<{b}") in needs for a, b in combinations(order, 2))
    if good == len(needs):
        return 1, ["The proof stands."], ()
    share = max(0, 2 * good / len(needs) - 1) / 2  # half of them hold in an order drawn by lot
    return share, ["What a line uses must have been said before it. Of "
                   f"{len(needs)} times that one line uses another, {good} are in order."], ()  # fmt: skip


@cache
def _sentences():
    return tomllib.loads((resources.files(__package__) / "sentences.toml").read_text(encoding="utf-8"))


def grade_text(answer, hint, name):
    """answer: {question: your sentence}. Shows a model sentence for each one attempted; an attempt counts, and you
    judge it yourself."""
    asked = _sentences()[name]
    if not isinstance(answer, dict):
        return 0, [f"The answer should be a dict with the keys {', '.join(map(repr, asked))}."], ()
    text, tried = [], 0
    for key, model in asked.items():
        said = answer.get(key)
        if isinstance(said, str) and len(set(re.findall(r"\w+", said.lower()))) >= WORDS:
            tried += 1
            text.append(f"  {key}: compare yours with this one. {model}")
        else:
            state = "too short" if isinstance(said, str) and said.strip() else "still blank"
            text.append(f"  {key}: {state}; write a whole sentence ({WORDS} different words or more), and "
                        "a model sentence will stand beside it.")
    return tried / len(asked), [f"{tried} of {len(asked)} questions tried.", *text], ()
