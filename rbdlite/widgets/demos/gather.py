"""Articulated inertia gathered joint by joint: what a hand feels, what each free joint takes away."""

import numpy as np

from ...aba import aba
from ...trace import trace
from ..picture import is_planar
from .page import kernel

LINEAR = [(3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5)]  # entries of the block for motions without turning


def gatherer(slots):
    """The function gathered(model, q) of the part: per joint from the last to the first, what ABA's inward pass at rest
    has, in body axes. First the linear blocks (six entries each) of I^A_i, I^a_i (joint i has yielded), I^A of its
    parent before and after; zeros for a joint on the base. Then the upper triangles, over `slots` of the six, of
    I^c_i, I^A_i and U_i D_i⁻¹ U_iᵀ.
    """
    upper = [(a, b) for a in slots for b in slots if a <= b]

    def gathered(model, q):
        zero = np.zeros(model.nv, int)
        IA, Ia, out, of = {}, {}, {}, {"X": {}, "U": {}, "Dinv": {}}
        for s in trace(aba, model, q, zero, zero).steps:
            if s.kind == "write" and s.name == "IA" and s.index != s.at["i"]:
                i = s.at["i"]
                out[i] = [IA[i], Ia[i], IA[s.index], s.value]
            if s.kind == "write" and s.name in ("IA", "Ia"):
                {"IA": IA, "Ia": Ia}[s.name][s.at["i"] if s.name == "Ia" else s.index] = s.value
            if s.kind == "write" and s.name in of:
                of[s.name][s.index] = s.value
        IC, values = list(model.I), []
        for i in model.inward:
            X, U = of["X"][i], of["U"][i]
            IC[model.parent[i]] = IC[model.parent[i]] + X.mT @ IC[i] @ X
            values += [A[k] for A in out.get(i, [IA[i], *[0 * IA[i]] * 3]) for k in LINEAR]
            values += [A[k] for A in (IC[i], IA[i], U @ of["Dinv"][i] @ U.mT) for k in upper]
        return np.array(values)

    return gathered


def gather(model, q, live):
    """The part's data: its JavaScript (if it may be live and is short enough), else why not; the numbers recorded."""
    slots = [2, 3, 4] if is_planar(model) else list(range(6))  # (ω; vx, vy) in the plane
    gathered = gatherer(slots)
    code, why = kernel(gathered, model.weightless) if live else (None, "")
    values, size = gathered(model.weightless, q), len(slots)
    return {"kernel": code, "still": why, "values": values, "each": len(values) // model.n_bodies, "slots": size}
