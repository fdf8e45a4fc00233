"""A storyboard as HTML: inside a notebook, in the book's pages, or as a file that works offline."""

import html
import json
import math
import os
from functools import cache
from pathlib import Path

import numpy as np

from ...model import Model
from ..picture import is_planar

MODULE = Path(__file__).parent.parent / "static" / "rbd-demos.js"
DIGITS = 12  # significant digits of every number in a page


class Demo:
    """A storyboard as a page element.

    payload: its data; html: the element, with the module unless the page has it (environment RBDLITE_PAGE=1);
    save(path): a whole page that works offline.
    """

    def __init__(self, name, title, lang, **data):
        if lang not in ("en", "zh"):
            raise ValueError(f'lang must be "en" or "zh"; got {lang!r}')
        self.payload = {"v": 1, "demo": name, "title": title, "lang": lang, **plain(data)}

    @property
    def html(self):
        return self.element() if os.environ.get("RBDLITE_PAGE") == "1" else self.element() + module_tag()

    def element(self):
        """The data alone, in a div that the module turns into a storyboard."""
        data = json.dumps(self.payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
        name = html.escape(self.payload["title"] or self.payload["demo"].replace("_", " "))
        return (f'<div class="rbd-demo"><script type="application/json">{data}</script>'
                f"<p>Demonstration: {name} (needs JavaScript).</p></div>")  # fmt: skip

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return f"<demo {self.payload['demo']}>"

    def save(self, path):
        """Write a whole page that needs no network; returns the path."""
        Path(path).write_text(page(self.element(), self.payload["title"] or self.payload["demo"], self.payload["lang"]),
                              encoding="utf-8")  # fmt: skip
        return Path(path)


@cache
def module_tag():
    """The module as an inline script."""
    return f'<script type="module">{MODULE.read_text(encoding="utf-8")}</script>'


def page(body, title, lang="en"):
    """A whole HTML page around storyboards: the module once, nothing from the network."""
    return (f'<!doctype html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{html.escape(title)}</title>\n<style>body{{max-width:752px;margin:16px auto;padding:0 16px;"
            "background:light-dark(#fff,#14181e);color-scheme:light dark}html[data-theme=dark] body{color-scheme:dark}"
            "html[data-theme=light] body{color-scheme:light}@media(max-width:420px){body{padding:0 8px}}</style>"
            "</head>\n"
            f"<body>\n{body}\n{module_tag()}\n</body>\n</html>\n")  # fmt: skip


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
