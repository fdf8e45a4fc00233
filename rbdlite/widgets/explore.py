"""Sliders and padlocks of ipywidgets that drive a player or a storyboard from Python: any model."""

import html
import inspect
import os

import numpy as np

from ..codegen import leaves
from ..crba import crba
from ..errors import ModelError, SingularError, StateError
from ..listing import listing
from ..model import Model
from ..opcount import wants
from .arguments import bind, joints, row
from .controls import controls
from .demos import composite, factor, order_game, padlocks
from .element import module_tags
from .live import ARGUMENTS, VECTORS
from .payload import made_of_state, payload
from .player import player

STATE = ("q", "qd", "qdd", "tau", "locked", "M")
STORYBOARDS = (composite, padlocks, order_game, factor)
ERROR = "border:1px solid #c62828;border-left-width:6px;border-radius:4px;padding:8px 12px;margin:8px 0"
GREYED = "opacity:.4;filter:grayscale(1)"


def explore(what, model, *args, masses=None, **options):
    """A player or storyboard of the model under sliders -> an ipywidgets box. Every move runs Python again.

    what: any function with `# [n]` tags whose first argument is a Model, shown by the step player with sliders for q,
    qd, qdd and tau, and x and b where they are nv numbers; or a storyboard (`composite`, `padlocks`, `order_game`,
    `factor`) with sliders for q and tau.
    Arguments given as functions of the state, as in explore(rbd.ltdl, model, rbd.crba), move with sliders for that
    state (at={"q": ...}, else the neutral q); M not given is rbd.crba.
    What takes locked joints (`rbd.held`, `padlocks`) gets one padlock for each joint. Options: as for `rbd.player` or
    the storyboard; arguments may also be given by name. What is not given: the neutral q; zero qd, qdd and tau; a unit
    push at the first freedom for x, b and a storyboard's tau; every padlock open; None stands for "not given".
    masses: sliders for them too, True or False; None means yes, unless the function takes no q or the model is
    regrouped (then there is none to move). The reader's place stays when a number moves: the same line with the same
    loop variables, or the nearest that is still run.
    The box carries .sliders, .locks (the padlocks), .values ({argument: array}, masses as m), .view (what is shown;
    a player also as .player) and .result: what the function returned, flat, array after array; M for a storyboard, and
    for padlocks (2, nv): q̈ and what the padlocks carry.
    In a state that the function refuses (a padlock opened on a joint with nothing to move) the error stands above the
    picture of the last good state, which is greyed; .error is its text (else None), .result is None, and .view stays
    (None if there was no good state yet).
    Needs ipywidgets (and a running kernel); angles are shown in degrees. Raises TypeError naming what is lacking,
    StateError naming the argument that does not fit the model.
    """
    import ipywidgets as widgets

    if isinstance(what, Model):
        raise TypeError("explore takes the function first, then the model: explore(rbd.rnea, model)")
    if not callable(what):
        raise TypeError(f"explore needs a function or a storyboard first; got {type(what).__name__}")
    name = getattr(what, "__name__", "the function")
    if not isinstance(model, Model):
        raise TypeError(f"explore needs a Model after {name}; got {type(model).__name__}")
    if masses is not None and not isinstance(masses, (bool, np.bool_)):
        raise TypeError(f"explore: masses says whether they get sliders: True, False or None; got {masses!r}. "
                        "Masses themselves belong to the model")  # fmt: skip
    if masses and model.regrouped:
        raise ValueError("a regrouped model has no masses to move: give the model as it was before rbd.regroup")
    draw, values = (_storyboard if what in STORYBOARDS else _function)(what, model, args, options)
    heavy = what in STORYBOARDS or "q" in values
    if masses and not heavy:
        raise ValueError(f"{name} takes no q, so that no mass of the model has a part in it: leave masses out")
    if heavy and not model.regrouped and (masses or masses is None):
        values["m"] = np.array([float(m) for m in model.mass[1:]])
    place = f"explore-{name}-{id(values)}"
    script, output = widgets.Output(), widgets.Output()

    def show(*_):
        try:
            box.view, box.result = draw(_with_masses(model, values["m"]) if "m" in values else model, place)
            box.error = None
        except (ModelError, StateError, SingularError) as error:
            if box.view is None and not isinstance(error, SingularError):
                raise  # what was given does not fit: no slider helps
            box.result, box.error = None, str(error)
            output.outputs = _html(_refused(error, box.view))
            return
        if what not in STORYBOARDS:
            box.player = box.view
        data = box.view.element()
        if not script.outputs and os.environ.get("RBDLITE_PAGE") != "1":
            script.outputs = _html(module_tags(data))  # once: a move sends only numbers
        output.outputs = _html(data)

    wanted = [n for n in (*ARGUMENTS, *VECTORS) if n in values]
    tabs, sliders, locks = controls(model, values, wanted, show, options.get("lockable"))
    box = widgets.VBox([tabs, script, output])
    box.sliders, box.locks, box.values, box.view = sliders, locks, values, None
    show()
    return box


def _html(text):
    return ({"output_type": "display_data", "data": {"text/html": text}, "metadata": {}},)


def _refused(error, view):
    """The error for the eye and, as an alert, for a screen reader; below it the last good picture, greyed."""
    said = f"<strong>{type(error).__name__}:</strong> {html.escape(str(error).rstrip('.'))}."
    below = "The greyed picture is that of the last state that worked." if view else "There is no picture yet."
    text = f'<div role="alert" class="rbd-refused" style="{ERROR}">⚠ {said} {below}</div>'
    return text + (f'<div role="group" aria-label="Last state that worked" class="rbd-last" style="{GREYED}">'
                   f"{view.element()}</div>" if view else "")  # fmt: skip


def _function(fn, model, args, options):
    """(draw, values) of a tagged function: draw(model, place) is its player and result at the present values."""
    listing(fn)  # refuses a function without tags
    signature = inspect.signature(fn)
    bound = _bound(fn, model, args, options)
    first, *rest = bound.arguments
    given = {k: bound.arguments[k] for k in rest if not callable(bound.arguments[k])}
    wanted = {x for k in rest if callable(f := bound.arguments[k]) for x in wants(f)}
    at = dict(options.pop("at", None) or {})
    at |= {k: model.neutral() if k == "q" else np.zeros(model.nv) for k in wanted - set(at) - set(given)}
    values = {n: row(model, "explore", n, x) for n, x in given.items() if n in ("q", "qd", "qdd", "tau")}
    values |= {n: row(model, "explore", n, at[n]) for n in at}
    values |= {n: row(model, "explore", n, x) for n, x in given.items() if n in VECTORS and np.shape(x) == (model.nv,)}
    if "locked" in bound.arguments:
        values["locked"] = np.array(joints(model, "explore", bound.arguments["locked"]), dtype=int)

    def draw(now, place):
        bound.arguments.update({k: v for k, v in values.items() if k != "m" and k not in at}, **{first: now})
        state = {k: values[k] for k in at}
        view = player(fn, *bound.args, **bound.kwargs,
                      **{"live": False, "predict": False, "id": place, "at": state, **options})  # fmt: skip
        run = signature.bind(*bound.args, **bound.kwargs)
        made_of_state(fn, now, run, state)
        return view, _flat(fn(*run.args, **run.kwargs))

    return draw, values


def _flat(result):
    """All numbers of what a function returned, array after array."""
    return np.concatenate([np.zeros(0), *(np.ravel(np.asarray(x, dtype=float)) for x in leaves(result))])


def _bound(fn, model, args, options):
    """fn's arguments, those by name taken out of the options, and what `explore` says for the missing ones."""
    signature, own = inspect.signature(fn), inspect.signature(payload).parameters
    named = {k: options.pop(k) for k in list(options) if k in signature.parameters and k not in own}
    bound = bind(fn, (model, *args), named, partial=True)
    for k in [k for k, v in bound.arguments.items() if v is None and k in (*STATE, *VECTORS)]:
        del bound.arguments[k]  # as if it were not given
    lacking = [k for k, p in signature.parameters.items() if k not in bound.arguments and p.default is p.empty
               and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]  # fmt: skip
    if unknown := [k for k in lacking if k not in (*STATE, *VECTORS)]:
        raise TypeError(f"explore: {fn.__name__} also needs {', '.join(unknown)}: give it after the model or by name")
    for k in lacking:
        bound.arguments[k] = (model.neutral() if k == "q" else [] if k == "locked" else crba if k == "M"
                              else np.zeros(model.nv))  # fmt: skip
        if k in VECTORS:
            bound.arguments[k][:1] = 1
    return bound


def _storyboard(storyboard, model, args, options):
    """(draw, values) of a storyboard, as `_function`."""
    parameters = inspect.signature(storyboard).parameters
    if storyboard is padlocks:
        options.setdefault("parts", ["gather", "locks"])  # the others show built-in arms
        options.setdefault("open", "locks" if "locks" in options["parts"] else None)
    bound = bind(storyboard, (model, *args), options)
    start = {"q": model.neutral(), "tau": np.eye(model.nv)[0] if model.nv else [], "locked": []}
    given = {k: v if (v := bound.arguments.get(k)) is not None else start[k] for k in start if k in parameters}
    values = {k: row(model, "explore", k, given[k]) for k in ("q", "tau") if k in given}
    if "locked" in given:
        values["locked"] = np.array(joints(model, "explore", given["locked"]), dtype=int)
    more = {k: v for k, v in bound.arguments.items() if k not in values and k != "model"}

    def draw(now, place):
        moved = {k: v for k, v in values.items() if k != "m"}
        view = storyboard(now, **moved, **{"id": place, **more})
        return view, view.result

    return draw, values


def _with_masses(model, m):
    """The model with every inertia scaled to a new mass; massless bodies stay massless."""
    old = [float(x) for x in model.mass[1:]]
    if np.allclose(old, m, rtol=0, atol=0):
        return model
    rows = zip(model.I[1:], old, m, strict=True)
    return model.replace(inertias=[I if a == 0 else np.asarray(I, dtype=float) * (b / a) for I, a, b in rows])
