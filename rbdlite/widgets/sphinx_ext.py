"""Sphinx extension for the book: pages with a player carry its module once, outputs carry only data.

Setting RBDLITE_PAGE=1 here reaches the kernels that execute the notebooks, so that `rbd.player` writes no script.
"""

import os
from pathlib import Path

STATIC = Path(__file__).parent / "static"


def setup(app):
    os.environ["RBDLITE_PAGE"] = "1"
    app.connect("builder-inited", _static)
    app.connect("html-page-context", _module)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _static(app):
    if str(STATIC) not in app.config.html_static_path:
        app.config.html_static_path.append(str(STATIC))


def _module(app, pagename, templatename, context, doctree):
    if 'class="rbd-player"' in context.get("body", ""):
        app.add_js_file("rbd-player.js", type="module")
