"""Sliders and padlocks of ipywidgets that drive a player or a storyboard from Python: any model."""

import inspect
import os

import numpy as np

from ..model import Model
from .controls import controls
from .demos import composite, factor, order_game, padlocks
from .element import module_tags
from .live import ARGUMENTS
from .payload import payload
from .player import player

STORYBOARDS = (composite, padlocks, order_game, factor)


def explore(what, model, *args, masses=None, **options):
    """A player or storyboard of the model under sliders -> an ipywidgets box. Every move runs Python again.

    what: any function with `# [n]` tags whose first argument is a Model, shown by the step player with sliders for q,
    qd, qdd and tau; or a storyboard (`composite`, `padlocks`, `order_game`, `factor`) with sliders for q and tau.
    What takes locked joints (`rbd.held`, `padlocks`) gets one padlock for each joint. Options: as for `rbd.player` or
    the storyboard; arguments may also be given by name. What is not given: the neutral q; zero qd, qdd and tau (a
    storyboard: a unit push at the first freedom); every padlock open. masses: sliders for them too; None means yes,
    unless the model is regrouped (then it has none to move). The reader's place stays when a number moves.
    The box carries .sliders, .locks (the padlocks), .values ({argument: array}, masses as m), .view (what is shown;
    a player also as .player) and .result: what the function returned, flat; M for a storyboard, and for padlocks
    (2, nv): q̈ and what the padlocks carry.
    Needs ipywidgets (and a running kernel); angles are shown in degrees. Raises TypeError naming what is lacking.
    """
    import ipywidgets as widgets

    if not isinstance(model, Model):
        raise TypeError(f"explore needs a Model after {what.__name__}; got {type(model).__name__}")
    if masses and model.regrouped:
        raise ValueError("a regrouped model has no masses to move: give the model as it was before rbd.regroup")
    draw, values = (_storyboard if what in STORYBOARDS else _function)(what, model, args, options)
    if masses or (masses is None and not model.regrouped):
        values["m"] = np.array([float(m) for m in model.mass[1:]])
    place = f"explore-{what.__name__}-{id(values)}"
    script, output = widgets.Output(), widgets.Output()

    def show(*_):
        box.view, box.result = draw(_with_masses(model, values["m"]) if "m" in values else model, place)
        if what not in STORYBOARDS:
            box.player = box.view
        data = box.view.element()
        if not script.outputs and os.environ.get("RBDLITE_PAGE") != "1":
            script.outputs = _html(module_tags(data))  # once: a move sends only numbers
        output.outputs = _html(data)

    wanted = [n for n in ARGUMENTS if n in values]
    tabs, sliders, locks = controls(model, values, wanted, show, options.get("lockable"))
    box = widgets.VBox([tabs, script, output])
    box.sliders, box.locks, box.values = sliders, locks, values
    show()
    return box


def _html(text):
    return ({"output_type": "display_data", "data": {"text/html": text}, "metadata": {}},)


def _function(fn, model, args, options):
    """(draw, values) of a tagged function: draw(model, place) is its player and result at the present values."""
    bound = _bound(fn, model, args, options)
    sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv}
    first, *rest = bound.arguments
    values = {n: np.array(np.broadcast_to(bound.arguments[n], sizes[n]), dtype=float) for n in rest if n in sizes}
    if "locked" in bound.arguments:
        values["locked"] = _numbers(model, bound.arguments["locked"])

    def draw(now, place):
        bound.arguments.update({k: v for k, v in values.items() if k != "m"}, **{first: now})
        view = player(fn, *bound.args, **bound.kwargs, **{"live": False, "predict": False, "id": place, **options})
        return view, np.array(view.payload["result"])

    return draw, values


def _bound(fn, model, args, options):
    """fn's arguments, those by name taken out of the options; a missing q is neutral, missing qd, qdd, tau are zero."""
    signature, own = inspect.signature(fn), inspect.signature(payload).parameters
    named = {k: options.pop(k) for k in list(options) if k in signature.parameters and k not in own}
    bound = signature.bind_partial(model, *args, **named)
    lacking = [k for k, p in signature.parameters.items() if k not in bound.arguments and p.default is p.empty
               and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]  # fmt: skip
    if unknown := [k for k in lacking if k not in ("q", "qd", "qdd", "tau", "locked")]:
        raise TypeError(f"explore: {fn.__name__} also needs {', '.join(unknown)}: give it after the model or by name")
    for k in lacking:
        bound.arguments[k] = model.neutral() if k == "q" else [] if k == "locked" else np.zeros(model.nv)
    return bound


def _storyboard(storyboard, model, args, options):
    """(draw, values) of a storyboard, as `_function`."""
    parameters = inspect.signature(storyboard).parameters
    if storyboard is padlocks:
        options.setdefault("parts", ["gather", "locks"])  # the others show built-in arms
        options.setdefault("open", "locks" if "locks" in options["parts"] else None)
    bound = inspect.signature(storyboard).bind(model, *args, **options)
    start = {"q": model.neutral(), "tau": np.eye(model.nv)[0] if model.nv else [], "locked": []}
    given = {k: v if (v := bound.arguments.get(k)) is not None else start[k] for k in start if k in parameters}
    sizes = {"q": model.nq, "tau": model.nv}
    values = {k: np.array(np.broadcast_to(given[k], sizes[k]), dtype=float) for k in sizes if k in given}
    if "locked" in given:
        values["locked"] = _numbers(model, given["locked"])
    more = {k: v for k, v in bound.arguments.items() if k not in values and k != "model"}

    def draw(now, place):
        moved = {k: v for k, v in values.items() if k != "m"}
        view = storyboard(now, **moved, **{"id": place, **more})
        return view, view.result

    return draw, values


def _numbers(model, joints):
    """Padlocked joints as an array of their numbers."""
    return np.array(sorted({model.index(x) for x in joints}), dtype=int)


def _with_masses(model, m):
    """The model with every inertia scaled to a new mass; massless bodies stay massless."""
    old = [float(x) for x in model.mass[1:]]
    if np.allclose(old, m, rtol=0, atol=0):
        return model
    rows = zip(model.I[1:], old, m, strict=True)
    return model.replace(inertias=[I if a == 0 else np.asarray(I, dtype=float) * (b / a) for I, a, b in rows])
