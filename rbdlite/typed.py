"""Values typed by hand: how they are read, what is expected, and when they are near enough."""

import re
import warnings
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

PLANE = slice(2, 5)  # (ω; vx, vy) within a spatial vector
FORCES = "f", "fB", "F", "U", "p", "pA", "pa"
FRACTION = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,15})?)/([+-]?\d{1,15})")
COUNT = {1: "one decimal", 2: "two decimals", 3: "three decimals"}


@contextmanager
def quiet():
    """No warnings: NumPy would print them for numbers that no arm has."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def numbers(typed):
    """What was typed as an array of floats; a text such as "1/3" is a number, too. Raises what NumPy raises."""
    return np.asarray(_plain(typed), dtype=float)


def _plain(x):
    if isinstance(x, (list, tuple)):
        return [_plain(e) for e in x]
    if isinstance(x, str):
        x = x.replace("−", "-").replace(" ", "")
        found = FRACTION.fullmatch(x)
        return float(Fraction(found[1]) / Fraction(found[2])) if found else float(x)
    return x


def full(typed, like):
    """A typed value in the shape of the calculated one. Raises ValueError if it does not fit."""
    x, like = numbers(typed), np.asarray(like)
    if not np.isfinite(x).all():
        raise ValueError("not a finite number")
    if x.size == like.size:
        return x.reshape(like.shape)
    out = np.zeros(like.shape)
    if like.shape == (6, 1) and x.size == 3:
        out[PLANE, 0] = x.reshape(-1)
    elif like.shape == (6, 6) and x.shape == (3, 3):
        out[PLANE, PLANE] = x
    else:
        raise ValueError("this size does not fit")
    return out


def wanted(name, like):
    """In words, how a value of this name and shape is typed."""
    shape = np.shape(like)
    if shape == (6, 1):
        return f"expected {'(n; fx, fy), a force' if name in FORCES else '(ω; vx, vy), a motion'}, or six numbers"
    if shape == (6, 6):
        return "expected three rows of three, or six of six"
    size = int(np.prod(shape))
    return "expected one number" if size == 1 else f"expected numbers of shape {shape}"


def close(a, b, digits):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape == b.shape == (6, 6):  # in the plane: what is left of the inertia out of it does not count
        a, b = (x[PLANE, PLANE] if not a[:2].any() else x for x in (a, b))
    with quiet():
        return a.shape == b.shape and bool(np.all(np.abs(a - b) <= 0.6 * 10.0**-digits))


def rounded(value, truth, digits):
    """Is value the true one with one decimal too few?"""
    a, b = np.asarray(value), np.asarray(truth)
    return a.shape == b.shape and bool(np.all(np.abs(a - np.round(b, digits - 1)) < 1e-9))
