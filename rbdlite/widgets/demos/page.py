"""A storyboard: its data, and what it can draw."""

import math

import numpy as np

from ...model import Model
from ..element import Element
from ..picture import is_planar

DIGITS = 12  # significant digits of every number in a page


class Demo(Element):
    """A storyboard as a page element."""

    kind = "rbd-demo"

    def __init__(self, name, title, lang, **data):
        if lang not in ("en", "zh"):
            raise ValueError(f'lang must be "en" or "zh"; got {lang!r}')
        super().__init__({"v": 1, "demo": name, "title": title, "lang": lang, **plain(data)})

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


def planar_model(name, model):
    """Refuse what cannot be drawn on squared paper with one number per joint."""
    if not isinstance(model, Model):
        raise TypeError(f"{name} needs a Model; got {model!r}")
    if model.nv != model.n_bodies or any(j.nv != 1 for j in model.joints[1:]) or not is_planar(model):
        raise ValueError(f"{name} draws planar models: each joint a hinge along z or a slide in the xy plane, "
                         "centres of mass and gravity in that plane")  # fmt: skip
    return model


def configuration(name, model, q):
    """q (nq,) as floats; None is the neutral one. Raises TypeError for a batch."""
    q = np.asarray(model.neutral() if q is None else q, dtype=float)
    if q.ndim > 1:
        raise TypeError(f"{name} shows one state; q has shape {q.shape}: pass a single row")
    return np.broadcast_to(q, (model.nq,))


def stage(name, wanted, known):
    """One of the known stages of a storyboard, the first if None; raises ValueError naming them."""
    if wanted is not None and wanted not in known:
        raise ValueError(f"{name}: unknown stage {wanted!r}; known: {', '.join(known)}")
    return wanted or known[0]
