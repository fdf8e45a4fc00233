"""The player as HTML: inside a notebook, in the book's pages, or as a file that works offline."""

import html
import json
import os
from functools import cache
from pathlib import Path

from .payload import payload

MODULE = Path(__file__).parent / "static" / "rbd-player.js"
PAGE_STYLE = """
html { color-scheme: light dark }
html[data-theme=light] { color-scheme: light }
html[data-theme=dark] { color-scheme: dark }
body { max-width: 752px; margin: 16px auto; padding: 0 16px; background: light-dark(#fff, #14181e) }
@media (max-width: 420px) { body { padding: 0 8px } }
"""


def player(fn, *args, **options):
    """The step player of fn(model, *args) -> Player, shown by Jupyter and the book. Options: see `payload`."""
    return Player(payload(fn, *args, **options))


class Player:
    """A recorded run as a page element.

    payload: its data; html: the element, with the module unless the page has it (environment RBDLITE_PAGE=1);
    save(path): a whole page that works offline; filmstrip(steps): still pictures for print.
    """

    def __init__(self, payload):
        self.payload = payload

    @property
    def html(self):
        return self.element() if os.environ.get("RBDLITE_PAGE") == "1" else self.element() + module_tag()

    def element(self):
        """The data alone, in a div that the module turns into a player."""
        data = json.dumps(self.payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
        title = html.escape(f"{self.payload['title']}: {self.payload['subtitle']}".rstrip(": "))
        count = len(self.payload["steps"])
        return (f'<div class="rbd-player"><script type="application/json">{data}</script>'
                f"<p>{title}, step by step ({count} steps; needs JavaScript).</p></div>")  # fmt: skip

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return f"<player of {self.payload['fn']}: {len(self.payload['steps'])} steps>"

    def save(self, path):
        """Write a whole page that needs no network; returns the path."""
        Path(path).write_text(page(self.element(), self.payload["title"], self.payload["lang"]), encoding="utf-8")
        return Path(path)

    def filmstrip(self, steps=None):
        """Still pictures of some steps (default: one for each body and pass), for print -> `Filmstrip`."""
        from .filmstrip import Filmstrip

        return Filmstrip(self.payload, steps)


@cache
def _module():
    return MODULE.read_text(encoding="utf-8")


def module_tag():
    """The module as an inline script."""
    return f'<script type="module">{_module()}</script>'


def page(body, title, lang="en"):
    """A whole HTML page around players: the module once, nothing from the network."""
    return (f'<!doctype html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{html.escape(title)}</title>\n<style>{PAGE_STYLE}</style></head>\n"
            f"<body>\n{body}\n{module_tag()}\n</body>\n</html>\n")  # fmt: skip
