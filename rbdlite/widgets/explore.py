"""Sliders of ipywidgets that drive the step player from Python: any model, any tagged function."""

import inspect

import numpy as np

from ..model import Model
from .live import ARGUMENTS, default_sliders
from .payload import payload
from .player import player

ALL = 60  # more sliders than this are not readable: the rest is left at its value


def explore(fn, model, *args, masses=None, **options):
    """The player of fn(model, *args) under sliders for q, qd, qdd, tau and the masses -> an ipywidgets box.

    Every move runs fn again in Python, so fn and the model may be anything that can be traced. Options: as for
    `rbd.player`; arguments of fn may also be given by name. What is not given: the neutral q; zero qd, qdd and tau.
    masses: None means yes, unless the model is regrouped (then it has none to move).
    The box carries .sliders, .values ({argument: array}, masses as m) and .result.
    Needs ipywidgets (and a running kernel); angles are shown in degrees. Raises TypeError naming what fn lacks.
    """
    import ipywidgets as widgets
    from IPython.display import display

    bound = _bound(fn, model, args, options)
    if masses and model.regrouped:
        raise ValueError("a regrouped model has no masses to move: give the model as it was before rbd.regroup")
    masses = not model.regrouped if masses is None else masses
    sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv}
    names = [n for n in list(bound.arguments)[1:] if n in sizes]
    values = {n: np.array(np.broadcast_to(bound.arguments[n], sizes[n]), dtype=float) for n in names}
    if masses:
        values["m"] = np.array([float(m) for m in model.mass[1:]])
    wanted = [n for n in ARGUMENTS if n in values]
    specs = default_sliders(model, {k: v.tolist() for k, v in values.items()}, wanted)[:ALL]
    options = {"live": False, "predict": False, "id": f"explore-{fn.__name__}-{id(values)}", **options}
    output = widgets.Output()

    def show(*_):
        now = _with_masses(model, values["m"]) if masses else model
        bound.arguments.update({k: values[k] for k in names}, **{next(iter(bound.arguments)): now})
        box.player = player(fn, *bound.args, **bound.kwargs, **options)
        box.result = np.array(box.player.payload["result"])
        with output:
            output.clear_output(wait=True)
            display(box.player)

    def slider(spec):
        scale = 180 / np.pi if spec["unit"] == "rad" else 1.0
        unit = "°" if spec["unit"] == "rad" else spec["unit"]
        widget = widgets.FloatSlider(
            value=values[spec["arg"]][spec["ix"]] * scale, min=spec["min"] * scale, max=spec["max"] * scale,
            step=spec["step"] * scale, description=f"{spec['label']} [{unit}]", continuous_update=False,
            readout_format=".4g")  # fmt: skip

        def moved(change):
            values[spec["arg"]][spec["ix"]] = change["new"] / scale
            show()

        widget.observe(moved, names="value")
        return widget

    sliders = [slider(s) for s in specs]
    groups = {n: [w for w, s in zip(sliders, specs, strict=True) if s["arg"] == n] for n in wanted}
    tabs = widgets.Tab(children=[widgets.VBox(g) for g in groups.values()], titles=list(groups))
    box = widgets.VBox([tabs, output])
    box.sliders, box.values = sliders, values
    show()
    return box


def _bound(fn, model, args, options):
    """fn's arguments, those by name taken out of the options; a missing q is neutral, missing qd, qdd, tau are zero."""
    if not isinstance(model, Model):
        raise TypeError(f"explore needs a Model after {fn.__name__}; got {type(model).__name__}")
    signature, own = inspect.signature(fn), inspect.signature(payload).parameters
    named = {k: options.pop(k) for k in list(options) if k in signature.parameters and k not in own}
    bound = signature.bind_partial(model, *args, **named)
    lacking = [k for k, p in signature.parameters.items() if k not in bound.arguments and p.default is p.empty
               and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]  # fmt: skip
    if unknown := [k for k in lacking if k not in ("q", "qd", "qdd", "tau")]:
        raise TypeError(f"explore: {fn.__name__} also needs {', '.join(unknown)}: give it after the model or by name")
    for k in lacking:
        bound.arguments[k] = model.neutral() if k == "q" else np.zeros(model.nv)
    return bound


def _with_masses(model, m):
    """The model with every inertia scaled to a new mass; massless bodies stay massless."""
    old = [float(x) for x in model.mass[1:]]
    if np.allclose(old, m, rtol=0, atol=0):
        return model
    rows = zip(model.I[1:], old, m, strict=True)
    return model.replace(inertias=[I if a == 0 else np.asarray(I, dtype=float) * (b / a) for I, a, b in rows])
