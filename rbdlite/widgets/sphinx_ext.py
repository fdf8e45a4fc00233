"""Sphinx extension for the book: pages with a player carry its module once, outputs carry only data.

The module is inline: into a page that was opened as a file browsers load no module by its address.
Setting RBDLITE_PAGE=1 here reaches the kernels that execute the notebooks, so that `rbd.player` writes no script.
"""

import os

from .element import modules


def setup(app):
    os.environ["RBDLITE_PAGE"] = "1"
    app.connect("html-page-context", _module)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _module(app, pagename, templatename, context, doctree):
    for text in modules(context.get("body", "")):
        app.add_js_file(None, body=text, type="module")
