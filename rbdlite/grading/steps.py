"""An integrator's step, judged by its order; and what else it may be."""

import numpy as np

from . import told
from .accelerations import constant, coupled
from .functions import not_callable
from .own import Guard

PLAN = ("Four rates: at the start, twice in the middle, at the end. Each has a velocity and an acceleration; the "
        "second and third weigh double.")  # fmt: skip


def grade_step(fn, hint, order):
    """An integrator's step(accel, q, q̇, dt) -> (q, q̇), judged by how its error falls when dt is halved."""
    if not callable(fn):
        return not_callable(fn)
    guard = Guard(helper=True)

    def end(n):
        q, qd = np.array([1.0, -0.4]), np.array([0.2, 0.7])
        for _ in range(n):
            out = guard.attempt(fn, (coupled, q, qd, 1 / n), ((2,), (2,)))
            if out.trouble:
                raise ValueError(out.trouble)
            q, qd = out.value[:2], out.value[2:]
        return np.concatenate([q, qd])

    try:
        coarse, middle, fine = (end(n) for n in (8, 16, 32))
    except ValueError as error:
        return 0, [f"There is no answer to judge: {error}."], ()
    a, b = np.abs(coarse - middle).max(), np.abs(middle - fine).max()
    found = np.log2(a / b) if a > 0 and b > 0 and np.isfinite(a / b) else 0.0
    right = _exact_end(coupled)
    if np.abs(fine - right).max() > 0.2:
        away = "It does not come near the motion of these accelerations: look at signs and at the step."
        return 0, told(lambda hint: [away, *_more(fn, guard, min(hint, 2))], hint), ()
    share = min(1, max(0, round(found)) / order)
    head = f"Half the step divides the error by {2**found:.1f}; order {order} divides it by {2**order}."
    return share, told(lambda hint: [head, *(_more(fn, guard, hint) if share < 1 else [])], hint), ()


def _exact_end(accel, n=2000):
    """Where the motion from grade_step ends after 1 s, by many steps of the midpoint rule."""
    y = np.array([1.0, -0.4, 0.2, 0.7])

    def rate(y):
        return np.concatenate([y[2:], accel(y[:2], y[2:])])

    for _ in range(n):
        y = y + rate(y + rate(y) / (2 * n)) / n
    return y


def _more(fn, guard, hint):
    """Lines for the hints 2 and 3: a step where all is known, and which known step gives the same."""
    if hint < 2:
        return []
    q, qd, dt = np.array([1.0, -0.4]), np.array([0.2, 0.7]), 0.5
    a = constant(q, qd)
    given = guard.attempt(fn, (constant, q, qd, dt), ((2,), (2,))).value
    right = given is not None and [bool(np.abs(x - y).max() < 1e-9) for x, y in (
        (given[:2], q + dt * qd + dt * dt / 2 * a), (given[2:], qd + dt * a))]  # fmt: skip
    if not right or all(right):
        out = ["A constant acceleration comes out right: look at where within the step the rates are taken, and at "
               "their weights."] if right else []  # fmt: skip
    else:
        wrong = " and ".join(name for name, fine in zip(("q", "q̇"), right, strict=True) if not fine)
        out = [f"Try an acceleration that is constant: after a step q should be q + q̇ dt + q̈ dt²/2, and q̇ should be "
               f"q̇ + q̈ dt. Yours goes wrong in {wrong}."]  # fmt: skip
    if hint < 3:
        return out
    got = guard.attempt(fn, (coupled, q, qd, dt), ((2,), (2,))).value
    alike = [what for what, step in KNOWN.items()
             if got is not None and np.abs(np.concatenate(step(coupled, q, qd, dt)) - got).max() < 1e-12]  # fmt: skip
    return [*out, *[f"This is what you get when {what}." for what in alike], *([] if alike else [PLAN])]


def _rates(stages, weights, drift=None):
    """A step by rates: stage k is taken stages[k] · dt along rate k − 1, the first at the start. drift: "throughout" or
    "end" where q moves by the first velocity."""

    def step(accel, q, qd, dt):
        rates = [(qd, accel(q, qd))]
        for c in stages:
            v, a = rates[-1]
            rates.append((qd + c * dt * a, accel(q + c * dt * (qd if drift == "throughout" else v), qd + c * dt * a)))
        v, a = (sum(w * r[k] for w, r in zip(weights, rates, strict=True)) for k in (0, 1))
        return q + dt * (v if drift is None else qd), qd + dt * a

    return step


def _new_velocity(accel, q, qd, dt):
    qd = qd + dt * accel(q, qd)
    return q + dt * qd, qd


FOUR = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
KNOWN = {
    "both rates are those at the start of the step": _rates((), (1,)),
    "one acceleration is taken, and q moves by the new velocity": _new_velocity,
    "the rates in the middle of the step are taken alone": _rates((0.5,), (0, 1)),
    "the rates at the start and at the end of the step are averaged": _rates((1,), (0.5, 0.5)),
    "the four rates have the same weight": _rates((0.5, 0.5, 1), (0.25,) * 4),
    "the second and third rate are taken at the end of the step": _rates((1, 1, 1), FOUR),
    "the fourth rate is taken in the middle of the step": _rates((0.5, 0.5, 0.5), FOUR),
    "q moves by the velocity at the start of the step, whatever the later rates":
        _rates((0.5, 0.5, 1), FOUR, "throughout"),
    "q moves in the end by the velocity at the start of the step, while q̇ has four rates":
        _rates((0.5, 0.5, 1), FOUR, "end"),
}  # fmt: skip
