"""What makes a published page compute: the algorithm as JavaScript, and the sliders that feed it."""

import math

import numpy as np

from ..codegen import compile as compile_code

LONGEST = 150_000  # characters of JavaScript that a page may carry for one player
ARGUMENTS = ("q", "qd", "qdd", "tau", "m")


def kernel_for(fn, model, given, run):
    """The player's kernel for fn on this model, or None where fn does not run on symbols or grows too long."""
    known = {"f_ext": list(given["f_ext"])} if given.get("f_ext") else {}
    if set(given) - {*ARGUMENTS, "f_ext"}:
        return None
    try:
        compiled = compile_code(fn, model, target="js", trace=True, masses=True, **known)
    except (TypeError, ValueError, ArithmeticError, NotImplementedError):
        return None
    kernel = compiled.kernel
    steps = [e[0] for e in kernel["out"] if e[0] != "env"]
    ready = set(kernel["args"]) <= {*given, "m"} and all(k < len(run.steps) for k in steps)
    return kernel if ready and len(kernel["src"]) <= LONGEST else None


def default_sliders(model, inputs, wanted=None):
    """Sliders as dicts. wanted: None (what fits on a page), names of arguments, or dicts that are taken as they are.

    Angles turn through ±π in steps of 5°; quaternions get no slider (their four numbers are not free).
    """
    if wanted is None:
        wanted = ARGUMENTS if model.nv <= 4 else ("q", "qd", "qdd", "tau") if model.nv <= 8 else ("q",)
    out = []
    for name in wanted:
        if isinstance(name, dict):
            out.append(name)
        elif name in inputs:
            out += _masses(model, inputs["m"]) if name == "m" else _joints(model, name, inputs[name])
        elif name not in ARGUMENTS:
            raise ValueError(f"sliders: unknown argument {name!r}; known: {', '.join(ARGUMENTS)}")
    return out


def _masses(model, m):
    """Never down to zero: a leaf without inertia has no forward dynamics."""
    return [_slider("m", i, f"m{i + 1}", _nice(4 * x) / 100, _nice(4 * x), "kg") for i, x in enumerate(m) if x > 0]


def _joints(model, name, values):
    out, symbol = [], {"q": "q", "qd": "q̇", "qdd": "q̈", "tau": "τ"}[name]
    slices = model.q_slice if name == "q" else model.v_slice
    for i in model.outward:
        joint, s = model.joints[i], slices[i]
        width = s.stop - s.start - (4 if name == "q" and joint.kind in ("spherical", "free") else 0)
        for d in range(width):
            label = f"{symbol}{i}" + ("" if s.stop - s.start == 1 else " " + _letters(joint.kind, name)[d])
            turns = joint.kind in ("revolute", "helical", "spherical")
            turns |= joint.kind == "planar" and d == (2 if name == "q" else 0)
            turns |= joint.kind == "free" and name != "q" and d < 3
            x = values[s.start + d]
            if name == "q" and turns:
                out.append({"arg": "q", "ix": s.start + d, "label": label, "min": -math.pi, "max": math.pi,
                            "step": math.pi / 36, "unit": "rad"})  # fmt: skip
            else:
                most = _nice(max(3 * abs(x), {"q": 1, "qd": 3, "qdd": 5, "tau": 20}[name]))
                unit = {"q": "m", "qd": "rad/s" if turns else "m/s", "qdd": "rad/s²" if turns else "m/s²",
                        "tau": "N m" if turns else "N"}[name]  # fmt: skip
                out.append(_slider(name, s.start + d, label, -most, most, unit))
    return out


def _letters(kind, name):
    if kind == "planar":
        return ("x", "y", "θ") if name == "q" else ("ω", "x", "y")
    return ("x", "y", "z") if kind == "spherical" or name == "q" else ("ωx", "ωy", "ωz", "x", "y", "z")


def _nice(x):
    """The next of 1, 2, 5, 10, ... above x."""
    base = 10.0 ** np.floor(np.log10(x))
    return float(next(k * base for k in (1, 2, 5, 10) if k * base >= x * (1 - 1e-9)))


def _slider(arg, ix, label, low, high, unit):
    step = float(f"{(high - low) / 100:.3g}")
    return {"arg": arg, "ix": ix, "label": label, "min": low, "max": high, "step": step, "unit": unit}
