"""What makes a published page compute: the algorithm as JavaScript, and the sliders that feed it."""

import math

import numpy as np

from ..codegen import compile as compile_code
from ..codegen import leaves
from ..difference import same
from ..expr import Expr, evaluate
from ..opcount import NEEDED

LONGEST = 150_000  # characters of JavaScript that a page may carry for one player
SHORTEST = 2  # characters for one operation, low enough: 4 to 5 is usual
ARGUMENTS = ("q", "qd", "qdd", "tau", "m")
VECTORS = ("x", "b")  # arguments by the name that the package gives to any nv numbers


def kernel_for(fn, model, inputs, known, run):
    """(kernel, "") or (None, why there is none): fn does not run on symbols, or its code grows too long, or does not
    give what the recorded run gave (where fn chose a branch by looking at the numbers, say).

    inputs: flat numbers of each argument; known: f_ext or locked as fn was given it, and functions of the state.
    """
    passed = {name: x if callable(x) or name in NEEDED else list(x) for name, x in known.items()}
    made_or_fixed = {name for name in known if callable(known[name]) or name in NEEDED}
    if other := sorted({*inputs, *known} - {*ARGUMENTS, *VECTORS, "f_ext", "locked", *made_or_fixed}):
        more = f"; {other[0]}=rbd.crba, at={{'q': q}} makes it of q" if other[0] == "M" else ""
        return None, f"{other[0]} is no argument that sliders move ({', '.join(ARGUMENTS)}){more}"
    long = f"the code of {fn.__name__} for this model has more than {LONGEST} characters"
    try:
        code = compile_code(fn, model.in_kind("float"), target="js", trace=True, masses=not model.regrouped,
                            on_step=_watch, **passed)  # fmt: skip
        kernel = code.kernel
    except _TooLong:
        return None, long
    except Exception as error:  # fn is anybody's, and may do anything with symbols
        return None, f"{fn.__name__} does not run on symbols ({type(error).__name__}: {error})"
    if len(kernel["src"]) > LONGEST:
        return None, long
    missing = sorted(set(kernel["args"]) - {*inputs, "m"})
    if missing:
        return None, f"{missing[0]} has no value"
    wrong = _mismatch(code, {"m": [float(m) for m in model.mass[1:]], **inputs}, run)
    return (None, f"code made from symbols gives another {wrong} than {fn.__name__} itself") if wrong else (kernel, "")


class _TooLong(Exception):
    """So many operations that the code will not fit into a page: no need to go on for minutes."""


def _watch(step):
    """Stop a run on symbols that has become too long."""
    x = next((x for x in np.ravel(np.asarray(step.value, dtype=object)) if isinstance(x, Expr)), None)
    if x is not None and len(x.graph.nodes) > LONGEST // SHORTEST:
        raise _TooLong


def _mismatch(code, inputs, run):
    """What the code gives differently at the recorded inputs: "result" or "step 7 (a)"; None if all is the same."""
    with np.errstate(all="ignore"):
        values = evaluate(code.values, **{name: np.ravel(inputs[name]) for name in code.args})
    blocks = [(0, np.concatenate([[], *(np.ravel(x) for x in leaves(run.result))]), "result")]
    for k, offset in (e for e in code.out if e[0] not in ("all", "env")):
        if k >= len(run.steps):
            return "number of steps"
        step = run.steps[k]
        blocks.append((offset, np.ravel(step.value), f"step {k} ({step.name})"))
    return next((what for at, x, what in blocks if not same(values[at : at + x.size], x, 1e-7)), None)


def default_sliders(model, inputs, wanted=None):
    """Sliders as dicts. wanted: None (what fits on a page), names of arguments, or dicts, which are checked.

    Angles turn through ±π in steps of 5°; quaternions get no slider (their four numbers are not free). Raises
    ValueError naming the slider.
    """
    all_of_them = (*ARGUMENTS, *VECTORS)
    names = all_of_them if model.nv <= 4 else [x for x in all_of_them if x != "m"] if model.nv <= 8 else ("q",)
    out = []
    for name in [n for n in names if n in inputs] if wanted is None else wanted:
        if isinstance(name, dict):
            out.append(_checked(model, inputs, name))
        elif name not in all_of_them:
            raise ValueError(f"sliders: unknown argument {name!r}; known: {', '.join(ARGUMENTS)}")
        elif name not in inputs:
            why = "a regrouped model has no masses" if name == "m" and model.regrouped else "it is no argument here"
            raise ValueError(f"sliders: {name!r} cannot be moved: {why}")
        else:
            out += (_masses(model, inputs["m"]) if name == "m" else vector_sliders(model, name, inputs[name])
                    if name in VECTORS else _joints(model, name, inputs[name]))  # fmt: skip
    return out


def _checked(model, inputs, s):
    """A slider given in full."""
    lacking = [k for k in ("arg", "ix", "label", "min", "max", "step", "unit") if k not in s]
    who = f"sliders: {s.get('label', s)!r}"
    if lacking:
        raise ValueError(f"{who} lacks {', '.join(lacking)}")
    if s["arg"] not in inputs:
        raise ValueError(f"{who} moves {s['arg']!r}; known: {', '.join(inputs)}")
    size, ix = len(inputs[s["arg"]]), s["ix"]
    if isinstance(ix, bool) or not isinstance(ix, (int, np.integer)) or not 0 <= ix < size:
        raise ValueError(f"{who}: {s['arg']} has entries 0..{size - 1}; got ix={ix!r}")
    if s["arg"] == "q" and any(0 < model.q_slice[i].stop - ix <= 4 for i in model.quaternions):
        raise ValueError(f"{who} would move one number of a quaternion, which then has not length 1")
    if not s["min"] < s["max"] or not s["step"] > 0:
        raise ValueError(f"{who} needs min < max and step > 0")
    return s


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


def vector_sliders(model, name, values):
    """Sliders of any nv numbers, of no known unit."""
    most = _nice(max(10, 3 * max(map(abs, values), default=0)))
    return [_slider(name, k, f"{name}{i}" + ("" if s.stop - s.start == 1 else f" {k - s.start + 1}"), -most, most, "")
            for i, s in enumerate(model.v_slice) if i for k in range(s.start, s.stop)]  # fmt: skip


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
