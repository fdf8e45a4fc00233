"""What a module of ours shows, as HTML: inside a notebook, in the book's pages, or as a file that works offline."""

import html
import json
import os
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
BASE = "rbd-base.js"  # stands before both
MODULES = {"rbd-player": "rbd-player.js", "rbd-demo": "rbd-demos.js"}  # class of the div -> its module
PAGE_STYLE = """
html { color-scheme: light dark }
html[data-theme=light] { color-scheme: light }
html[data-theme=dark] { color-scheme: dark }
body { max-width: 752px; margin: 16px auto; padding: 0 16px; background: light-dark(#fff, #14181e) }
@media (max-width: 420px) { body { padding: 0 8px } }
"""


def language(lang):
    """lang if there are words in it, "en" or "zh"; else raises ValueError."""
    if lang not in ("en", "zh"):
        raise ValueError(f'lang must be "en" or "zh"; got {lang!r}')
    return lang


class Element:
    """Data in a div that an ES module turns into a picture; shown by Jupyter and the book.

    payload: the data; html: the element, with the module unless the page has it (environment RBDLITE_PAGE=1);
    save(path): a whole page that works offline. Subclasses name the div's class, a key of MODULES.
    """

    kind = ""

    def __init__(self, payload):
        self.payload = payload

    @property
    def title(self):
        return self.payload["title"]

    @property
    def note(self):
        """What stands in the place of the picture where scripts do not run."""
        return f"{self.title} (needs JavaScript)."

    @property
    def html(self):
        data = self.element()
        return data if os.environ.get("RBDLITE_PAGE") == "1" else data + module_tags(data)

    def element(self):
        """The data alone, in its div."""
        data = json.dumps(self.payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
        return (f'<div class="{self.kind}"><script type="application/json">{data}</script>'
                f"<p>{html.escape(self.note)}</p></div>")  # fmt: skip

    def _repr_html_(self):
        return self.html

    def save(self, path):
        """Write a whole page that needs no network; returns the path."""
        Path(path).write_text(page(self.element(), self.title, self.payload["lang"]), encoding="utf-8")
        return Path(path)


@cache
def _source(module):
    return "{\n" + (STATIC / module).read_text(encoding="utf-8") + "}\n"  # a block keeps its names to itself


def modules(body):
    """The text of the module that this HTML needs, in a list: what all share, then player and storyboards; or []."""
    needed = [module for kind, module in MODULES.items() if f'class="{kind}"' in body]
    return ["".join(map(_source, [BASE, *needed]))] if needed else []


def module_tags(body):
    """The module that this HTML needs, as an inline script."""
    return "".join(f'<script type="module">{text}</script>' for text in modules(body))


def page(body, title, lang="en"):
    """A whole HTML page around elements: the module once, nothing from the network."""
    return (f'<!doctype html>\n<html lang="{html.escape(lang)}">\n<head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{html.escape(title)}</title>\n<style>{PAGE_STYLE}</style></head>\n"
            f"<body>\n{body}\n{module_tags(body)}\n</body>\n</html>\n")  # fmt: skip
