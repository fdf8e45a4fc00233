"""Numbers as a page carries them."""

import math

import numpy as np

DIGITS = 7  # significant digits of every number in a page
NOISE = 1e-13


def numbers(x):
    """Flat list of an array or number, rounded; what is not finite as text. None for anything else.

    Entries below 1e-13 of the largest are written as 0.
    """
    try:
        flat = np.asarray(x, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        return None
    finite = np.abs(flat[np.isfinite(flat)])
    noise = NOISE * finite.max(initial=0)  # rounding errors of zeros
    return [0 if abs(v) < noise else short(v) for v in flat.tolist()]


def short(v):
    if not math.isfinite(v):
        return str(v)
    v = float(f"{v:.{DIGITS}g}")
    return int(v) if v == int(v) and abs(v) < 1e15 else v
