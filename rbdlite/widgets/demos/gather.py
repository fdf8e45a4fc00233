"""Articulated inertia gathered joint by joint: what a hand feels, what each free joint takes away."""

import numpy as np

from ...aba import aba
from ...trace import trace
from .page import kernel

LINEAR = [(3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5)]  # entries of the block for motions without turning
EACH = 4 * len(LINEAR)


def gathered(model, q):
    """The linear blocks (six entries each, body axes) of ABA's inward pass at rest, for each joint from the last to
    the first: I^A_i, I^a_i (joint i has yielded), I^A of its parent before and after; zeros for a joint on the base.
    """
    zero = np.zeros(model.nv, int)
    IA, Ia, out = {}, {}, {}
    for s in trace(aba, model, q, zero, zero).steps:
        if s.kind == "write" and s.name == "IA" and s.index != s.at["i"]:
            i = s.at["i"]
            out[i] = [IA[i], Ia[i], IA[s.index], s.value]
        if s.kind == "write" and s.name in ("IA", "Ia"):
            {"IA": IA, "Ia": Ia}[s.name][s.at["i"] if s.name == "Ia" else s.index] = s.value
    blocks = [out.get(i, [IA[i], *[0 * IA[i]] * 3]) for i in model.inward]
    return np.array([A[k] for four in blocks for A in four for k in LINEAR])


def gather(model, q, live):
    """The part's data: its JavaScript (if it may be live and is short enough), else why not; the numbers recorded."""
    code, why = kernel(gathered, model.weightless) if live else (None, "")
    return {"kernel": code, "still": why, "values": gathered(model.weightless, q), "each": EACH}
