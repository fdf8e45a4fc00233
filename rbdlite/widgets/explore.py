"""Sliders of ipywidgets that drive the step player from Python: any model, any tagged function."""

import inspect

import numpy as np

from .live import ARGUMENTS, default_sliders
from .player import player

ALL = 60  # more sliders than this are not readable: the rest is left at its value


def explore(fn, model, *args, masses=None, **options):
    """The player of fn(model, *args) under sliders for q, qd, qdd, tau and the masses -> an ipywidgets box.

    Every move runs fn again in Python, so fn and the model may be anything that can be traced. Options: as for
    `rbd.player`. masses: None means yes, unless the model is regrouped (then it has none to move). The box carries
    .sliders, .values ({argument: array}, masses as m) and .result.
    Needs ipywidgets (and a running kernel); angles are shown in degrees.
    """
    import ipywidgets as widgets
    from IPython.display import display

    if masses and model.regrouped:
        raise ValueError("a regrouped model has no masses to move: give the model as it was before rbd.regroup")
    masses = not model.regrouped if masses is None else masses
    bound = inspect.signature(fn).bind(model, *args)
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
        rest = {k: values.get(k, v) for k, v in list(bound.arguments.items())[1:]}
        box.player = player(fn, now, *rest.values(), **options)
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


def _with_masses(model, m):
    """The model with every inertia scaled to a new mass; massless bodies stay massless."""
    old = [float(x) for x in model.mass[1:]]
    if np.allclose(old, m, rtol=0, atol=0):
        return model
    rows = zip(model.I[1:], old, m, strict=True)
    return model.replace(inertias=[I if a == 0 else np.asarray(I, dtype=float) * (b / a) for I, a, b in rows])
