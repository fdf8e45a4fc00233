"""The ipywidgets of `explore`: sliders in tabs, one padlock for each joint."""

import numpy as np

from .arguments import joints
from .live import ARGUMENTS, default_sliders, vector_sliders

TITLES = {"m": "masses"}
PLAIN = {"q̈": "qdd", "q̇": "qd"}  # fonts of notebooks often have no dots to set above a letter
ROOM = 7.5  # pixels for one letter of a label
MOST = 60  # sliders in one tab; more are not readable: the rest is left at its value


def controls(model, values, wanted, show, lockable=None):
    """(tabs, sliders, padlocks) that write into `values` ({argument: array}) and then call show().

    wanted: arguments that get sliders. A padlock for each joint (or those in lockable) if values has "locked", which
    holds the numbers of the closed joints.
    """
    import ipywidgets as widgets

    flat = {k: v.tolist() for k, v in values.items()}
    specs = {name: default_sliders(model, flat, [name]) if name in ARGUMENTS else
             vector_sliders(model, name, flat[name]) for name in wanted}  # fmt: skip
    groups = {name: _sliders(model, group[:MOST], values, show) for name, group in specs.items() if group}
    wrap = widgets.Layout(flex_flow="row wrap", max_height="250px", overflow="auto")  # the picture stays in sight
    pages = {name: widgets.Box(group, layout=wrap) for name, group in groups.items()}
    locks = []
    if "locked" in values:
        can = joints(model, "explore", model.outward if lockable is None else lockable, "lockable")
        row, locks = _padlocks(model, can, values, show)
        pages = {"padlocks": row, **pages}
    tabs = widgets.Tab(children=list(pages.values()), titles=[TITLES.get(name, name) for name in pages])
    tabs.layout.display = None if pages else "none"
    return tabs, [w for group in groups.values() for w in group], locks


def _sliders(model, specs, values, show):
    """The sliders of one tab, with room for the longest of their labels."""
    labels = [_label(model, s) + (f" [{u}]" if (u := "°" if s["unit"] == "rad" else s["unit"]) else "") for s in specs]
    room = int(min(max(ROOM * max(map(len, labels)) + 10, 100), 320))
    return [_slider(spec, label, room, values, show) for spec, label in zip(specs, labels, strict=True)]


def _slider(spec, label, room, values, show):
    import ipywidgets as widgets

    scale = 180 / np.pi if spec["unit"] == "rad" else 1.0
    value = float(values[spec["arg"]][spec["ix"]])
    widget = widgets.FloatSlider(
        value=value * scale, min=min(spec["min"], value) * scale, max=max(spec["max"], value) * scale,
        step=spec["step"] * scale, description=label, continuous_update=False, tooltip=label,
        readout_format=".4g", style={"description_width": f"{room}px"},
        layout=widgets.Layout(width=f"{room + 210}px"))  # fmt: skip

    def moved(change):
        values[spec["arg"]][spec["ix"]] = change["new"] / scale
        show()

    widget.observe(moved, names="value")
    return widget


def _label(model, spec):
    """The slider's label in plain letters, with the joint's (for a mass the body's) name where it has one."""
    i = next(i for i in model.outward if spec["arg"] == "m" and i == spec["ix"] + 1 or spec["arg"] != "m" and
             spec["ix"] in range(*(model.q_slice if spec["arg"] == "q" else model.v_slice)[i].indices(model.nq)))
    label = spec["label"]
    for dotted, plain in PLAIN.items():
        label = label.replace(dotted, plain)
    name = model.names[i] if spec["arg"] == "m" else model.joint_names[i]
    return label if name in (f"joint{i}", f"body{i}") else f"{label} {name}"


def _padlocks(model, joints, values, show):
    """A padlock for each joint, and two buttons that close and open them all."""
    import ipywidgets as widgets

    together = []  # not empty while all padlocks move at once

    def dress(lock, joint):
        lock.icon = "lock" if lock.value else "unlock"
        lock.tooltip = f"padlock of joint {joint}: {'closed' if lock.value else 'open'}"

    def turned(_):
        for lock, joint in zip(locks, joints, strict=True):
            dress(lock, joint)
        if not together:
            values["locked"] = np.array([j for w, j in zip(locks, joints, strict=True) if w.value], dtype=int)
            show()

    locks = []
    for j in joints:
        lock = widgets.ToggleButton(value=j in values["locked"], description=f"{j} {model.joint_names[j]}",
                                    layout=widgets.Layout(width="auto"))  # fmt: skip
        dress(lock, j)
        lock.observe(turned, names="value")
        locks.append(lock)

    def all_at_once(text, closed):
        def pressed(_):
            together.append(True)
            for lock in locks:
                lock.value = closed
            together.clear()
            turned(None)

        button = widgets.Button(description=text, layout=widgets.Layout(width="auto"))
        button.on_click(pressed)
        return button

    both = [all_at_once("close all", True), all_at_once("open all", False)]
    wrap = widgets.Layout(flex_flow="row wrap")
    return widgets.VBox([widgets.Box(locks, layout=wrap), widgets.Box(both, layout=wrap)]), locks
