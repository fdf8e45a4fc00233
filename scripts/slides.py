"""Make the slide decks: notebooks with slide metadata -> self-contained reveal.js pages in _build/slides.

A deck is a selection. Every notebook of book/slides/ is one, and each chapter with a slide type in a cell.
All cells run; a cell shows only if its slideshow metadata says so:
    slide, subslide, fragment, -      a new slide, one below it, revealed by a click, or more of the same
    notes                             for the speaker view (key S)
    skip, or no slide type            runs, is not shown
Tags: remove-input (or hide-input), remove-output. For printing add `?print-pdf` to the address.
"""

import html
import os
import shutil
import sys
from pathlib import Path

import nbformat
import notebooks

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
OUT = ROOT / "_build" / "slides"
VENDOR = BOOK / "_static" / "vendor"
SHOWN = "slide", "subslide", "fragment", "-", "notes"

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="vendor/reveal/dist/reset.css">
<link rel="stylesheet" href="vendor/reveal/dist/reveal.css">
<link rel="stylesheet" href="vendor/reveal/dist/theme/white.css">
{head}
<style>
{pygments}
{style}
</style>
<script>
MathJax = {{tex: {{inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]]}}, chtml: {{matchFontHeight: false}}}};
</script>
<script defer src="vendor/mathjax/tex-mml-chtml.js"></script>
</head>
<body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="vendor/reveal/dist/reveal.js"></script>
<script src="vendor/reveal/plugin/notes/notes.js"></script>
<script>
Reveal.initialize({{hash: true, width: 1280, height: 720, margin: 0.03, center: false, transition: "none",
  keyboardCondition: event => !event.target?.closest?.(".rbd-player, .rbd-demo"), plugins: [RevealNotes]}});
</script>
</body>
</html>
"""

STYLE = """\
.reveal { font-size: 30px; }
.reveal .slides { text-align: left; }
.reveal h1, .reveal h2, .reveal h3 { text-transform: none; }
.reveal h1 { font-size: 1.7em; } .reveal h2 { font-size: 1.35em; } .reveal h3 { font-size: 1.1em; }
.reveal pre { width: 100%; margin: 0.5em 0; box-shadow: none; font-size: 0.72em; line-height: 1.35; }
.reveal .highlight { background: #f4f6f8; padding: 0.2em 0.8em; border-radius: 6px; }
.reveal .output_area img, .reveal .output_area svg { max-height: 520px; }
.reveal .anchor-link { display: none; }"""


def ready():
    """True if reveal.js and MathJax have been vendored."""
    return (VENDOR / "reveal/dist/reveal.js").exists() and (VENDOR / "mathjax/tex-mml-chtml.js").exists()


def slide_type(cell):
    """The cell's slide type, or "" if it has none."""
    return cell["metadata"].get("slideshow", {}).get("slide_type", "")


def decks():
    """{name: notebook path} of all decks. Two decks of one name are an error."""
    found = {}
    candidates = sorted(BOOK.glob("slides/*.ipynb")) + sorted(BOOK.glob("*.ipynb"))
    for path in candidates:
        cells = nbformat.read(path, as_version=4)["cells"]
        if path.parent.name != "slides" and not any(slide_type(cell) in SHOWN for cell in cells):
            continue
        if path.stem in found:
            sys.exit(f"two decks are called {path.stem}: {found[path.stem]} and {path}")
        if not any(slide_type(cell) == "slide" for cell in cells):
            sys.exit(f"{path.relative_to(ROOT)}: no cell has the slide type 'slide'")
        found[path.stem] = path
    return found


def cell_html(exporter, cell):
    """One cell as HTML, without prompts."""
    tags = set(cell["metadata"].get("tags", []))
    if cell["cell_type"] == "code":
        exporter.exclude_input = bool(tags & {"remove-input", "hide-input"})
        exporter.exclude_output = "remove-output" in tags
    body, _ = exporter.from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    return body


def sections(nb, exporter):
    """The shown cells as nested <section> elements."""
    stacks = []
    for cell in nb["cells"]:
        kind = slide_type(cell)
        if kind not in SHOWN:
            continue
        if kind == "slide" or not stacks:
            stacks.append([[]])
        elif kind == "subslide":
            stacks[-1].append([])
        body = cell_html(exporter, cell)
        wrap = {"fragment": '<div class="fragment">{}</div>', "notes": '<aside class="notes">{}</aside>'}
        stacks[-1][-1].append(wrap.get(kind, "{}").format(body))
    slides = [["<section>" + "\n".join(parts) + "</section>" for parts in stack] for stack in stacks]
    return "\n".join(s[0] if len(s) == 1 else "<section>" + "\n".join(s) + "</section>" for s in slides)


def build():
    """Execute and write all decks. Returns their names."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    from rbdlite.widgets.element import module_tags

    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    shutil.copytree(VENDOR, OUT / "vendor")
    os.environ["RBDLITE_PAGE"] = "1"  # the player's module comes once per deck, from module_tags()
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    found = decks()
    for name, path in found.items():
        nb = nbformat.read(path, as_version=4)
        notebooks.execute(nb, path)
        body = sections(nb, exporter)
        first = next(
            line for cell in nb["cells"] for line in cell["source"].splitlines() if line.startswith("#")
        )
        page = PAGE.format(
            title=html.escape(first.lstrip("# ")),
            head=module_tags(body),
            style=STYLE,
            slides=body,
            pygments=HtmlFormatter(style="default").get_style_defs(".reveal .highlight"),
        )
        (OUT / f"{name}.html").write_text(page, encoding="utf-8")
        print(f"deck: {(OUT / name).relative_to(ROOT)}.html", flush=True)
    return list(found)


def main():
    if not decks():
        sys.exit("There is no deck: no notebook in book/slides and no chapter with slide types.")
    if not ready():
        sys.exit(
            "The decks need reveal.js and MathJax from npm: install Node.js with npm and run make again."
        )
    build()


if __name__ == "__main__":
    main()
