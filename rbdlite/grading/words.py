"""Proofs put in order, and free text that the learner judges beside a model sentence."""

import hashlib
import tomllib
from functools import cache
from importlib import resources

WORDS = 8  # an attempt has at least as many


def digest(name, text):
    return hashlib.sha256(f"{name}:{text}".encode()).hexdigest()[:16]


def grade_order(answer, hint, name, letters, pairs, whole):
    """answer: the letters in order, as a string. pairs, whole: digests of the neighbours and of the order."""
    order = "".join(map(str, answer)).upper().replace(" ", "") if isinstance(answer, (str, list, tuple)) else ""
    if sorted(order) != sorted(letters):
        return 0, [f"Each of the letters {', '.join(letters)} once, as a string, is expected."], ()
    if digest(name, order) == whole:
        return 1, ["The proof stands."], ()
    good = sum(digest(name, a + b) in pairs for a, b in zip(order, order[1:], strict=False))
    return good / len(letters) / 2, [f"{good} of {len(letters) - 1} neighbours belong together. What may be used in a "
                                     "line must have been said before it."], ()  # fmt: skip


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
        if isinstance(said, str) and len(said.split()) >= WORDS:
            tried += 1
            text.append(f"  {key}: compare yours with this one. {model}")
        else:
            text.append(f"  {key}: still blank; write a whole sentence, and a model sentence will stand beside it.")
    return tried / len(asked), [f"{tried} of {len(asked)} questions tried.", *text], ()
