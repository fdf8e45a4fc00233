"""A storyboard: its data, and what it can draw."""

import math

import numpy as np

from ... import kinematics
from ...codegen import compile as compile_code
from ...model import Model
from ...spatial import pose
from ..arguments import row
from ..element import Element, language
from ..live import LONGEST
from ..picture import is_planar, model_data

DIGITS = 12  # significant digits of every number in a page


class Demo(Element):
    """A storyboard as a page element.

    result: the array it is about. id: storyboards of one id on a page share the reader's place; their numbers are
    moved from outside (see `explore`), so that the page carries recorded ones and no sliders of its own.
    """

    kind = "rbd-demo"

    def __init__(self, name, title, lang, result=None, id=None, **data):
        language(lang)
        named = {} if id is None else {"id": str(id)}
        super().__init__({"v": 1, "demo": name, "title": title, "lang": lang, **named, **plain(data)})
        self.result = result

    @property
    def title(self):
        return self.payload["title"] or self.payload["demo"].replace("_", " ")

    @property
    def note(self):
        return f"Demonstration: {super().note}"

    def __repr__(self):
        return f"<demo {self.payload['demo']}>"


def plain(x):
    """JSON-safe copy: arrays as nested lists, numbers to twelve digits, whole numbers as integers."""
    if isinstance(x, dict):
        return {str(k): plain(v) for k, v in x.items()}
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, (list, tuple, range)):
        return [plain(v) for v in x]
    if isinstance(x, (float, np.floating)):
        if not math.isfinite(x):
            return None
        x = float(f"{x:.{DIGITS}g}") if abs(x) > 1e-13 else 0.0
        return int(x) if x == int(x) and abs(x) < 1e15 else x
    return int(x) if isinstance(x, np.integer) else x


def suited(name, model, most):
    """(model with plain numbers, is it drawn on squared paper: planar and one number per joint?). What is not is drawn
    as the step player draws it.

    Raises TypeError for what is no Model, ValueError for a size that cannot be shown (two bodies to `most` freedoms).
    """
    if not isinstance(model, Model):
        raise TypeError(f"{name} needs a Model; got {model!r}")
    if model.n_bodies < 2 or model.nv > most:
        raise ValueError(f"{name} shows models of two joints to {most} degrees of freedom; this one has "
                         f"{model.n_bodies} joints, nv = {model.nv}")  # fmt: skip
    model = model.in_kind("float")
    if any(not isinstance(m, (float, int)) for m in model.mass):  # exact masses
        model = model.exchanged(mass=tuple(map(float, model.mass)), com=tuple(np.array(c, float) for c in model.com))
    return model, all(j.nv == 1 for j in model.joints[1:]) and is_planar(model)


def drawn(model, q):
    """What a page needs to draw the model at q: its data, and each body's pose in its parent."""
    X = kinematics.transforms(model, q)[0]
    return {"model": model_data(model), "poses": [None, *([np.ravel(R), p] for R, p in map(pose, X[1:]))]}


def kernel(fn, model, named=(), **options):
    """(the JavaScript of fn for this model, "") or (None, why not): a page carries no more than LONGEST characters.

    named: {argument of fn: what it is called in the kernel}.
    """
    code = compile_code(fn, model, target="js", masses=not model.regrouped, **options).kernel
    if len(code["src"]) > LONGEST:
        return None, "The code of this model is too long for a page"
    return {**code, "args": [dict(named).get(a, a) for a in code["args"]]}, ""


def configuration(name, model, q):
    """q (nq,) as floats; None is the neutral one. Raises TypeError for a batch, StateError for another length."""
    return row(model, name, "q", model.neutral() if q is None else q)


def stage(name, wanted, known):
    """One of the known stages of a storyboard, the first if None; raises ValueError naming them."""
    if wanted is not None and wanted not in known:
        raise ValueError(f"{name}: unknown stage {wanted!r}; known: {', '.join(known)}")
    return wanted or known[0]
