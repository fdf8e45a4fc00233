"""Hints 2 and 3 on the small functions: what is missing, what is too much, and what gives the same.

Each takes tries, [(name, arguments, right value, the learner's or None), ...], and the hint -> lines of text.
"""

import numpy as np

from ..mistakes.safe import close
from .small import pattern


def _wrong(tries):
    """The tries with an answer that is another, the smallest first."""
    return sorted((t for t in tries if t[3] is not None and not close(t[3], t[2])), key=lambda t: np.size(t[1][0]))


def tell_pattern(tries, hint):
    """Of the first pattern that is wrong: which half, how many entries, and one of them."""
    if not (wrong := _wrong(tries)):
        return []
    name, (λ, *_), truth, got = wrong[0]
    truth, got = truth.astype(bool), got.astype(bool)
    lacks, extra = truth & ~got, got & ~truth
    if lacks.any() and not extra.any() and np.array_equal(got | got.T, truth):
        return ["A half is missing: M is symmetric, and so is its pattern."]
    out = [f"{name}: {lacks.sum()} entries are False that should be True, {extra.sum()} True that should be False."]
    if hint > 2:
        for bad, value in ((lacks, True), (extra, False)):
            out += [f"Entry [{k}, {i}] should be {value}: {_related(λ, k, i)}." for k, i in np.argwhere(bad)[-1:]]
    return [*out, f"λ = {tuple(map(int, λ))}"] if hint > 2 else out


def _related(λ, k, i):
    """How two degrees of freedom hang together, in words."""
    k, i = max(k, i), min(k, i)
    if k == i:
        return "each joint has something to move"
    way, j = [], λ[k]
    while j > i:
        way, j = [*way, j], λ[j]
    if j != i:
        return f"neither of {i} and {k} hangs on the other"
    return f"{k} hangs on {i}" + (f", through {', '.join(map(str, way))}" if way else "")


def tell_fill(tries, hint):
    """Of the smallest case that is wrong: its numbers, too few or too many; then what gives the same."""
    if not (wrong := _wrong(tries)):
        return []
    name, (λ, order), truth, got = wrong[0]
    few = got < truth
    out = [f"{name}: λ = {tuple(map(int, λ))}, order {tuple(map(int, order))}. Yours counts too "
           f"{'few' if few else 'many'}."]  # fmt: skip
    if hint < 3:
        return out
    for what, options in FILLS.items():
        if all(value is not None and close(value, _fills(*args, **options)) for _, args, _, value in tries):
            return [*out, f"This is what you get when {what}."]
    return [*out, "Pairs that have filled are coupled from then on: are they, in yours?" if few else "Which pairs are "
            "new: was their entry zero, are both still left, and is each counted once?"]  # fmt: skip


def _fills(λ, order, keeps=True, zero=True, once=True):
    """As small.fill_in, with some of it left out."""
    H, count, left = pattern(λ), 0, list(order)
    while left:
        k = left.pop(0)
        near = [i for i in left if H[k, i]]
        fresh = [(i, j) for i in near for j in near if (i < j or i != j and not once) and not (zero and H[i, j])]
        count += len(fresh)
        for i, j in fresh if keeps else ():
            H[i, j] = H[j, i] = True
    return count


FILLS = {
    "a pair that has filled is not coupled from then on": {"keeps": False},
    "pairs are counted that were coupled already": {"zero": False},
    "each pair is counted twice": {"once": False},
}


def tell_felt(tries, hint):
    """Which of the two numbers goes wrong, or whether they have changed places; then which is which."""
    if not (wrong := _wrong(tries)):
        return []
    if all(close(got[::-1], truth) for *_, truth, got in wrong):
        return ["The two have changed places."]
    bad = [what for n, what in enumerate(("first number (the others free)", "second number (the others locked)"))
           if any(not close(got[n], truth[n]) for *_, truth, got in wrong)]  # fmt: skip
    out = [f"Yours goes wrong in the {' and the '.join(bad)}."]
    which = "All others locked: in τ = M q̈ only q̈_k is not zero. All others free: only τ_k is not zero."
    return [*out, which] if hint > 2 else out
