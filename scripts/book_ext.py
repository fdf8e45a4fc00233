"""What the book adds to Sphinx: local MathJax, execution that notices a changed rbdlite, slide decks.

Loaded by _config.yml, so that a plain `jupyter-book build .` behaves like `make html`.
"""

import hashlib
import html
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = "rbdlite", "book/*.yml", "book/*.json", "book/*.csv"
SKIP = {"__pycache__", "vendor", ".ipynb_checkpoints"}


def tree_hash(*patterns):
    """A hash of the names and contents of all files that match, with all files in folders that match."""
    digest = hashlib.sha256()
    for pattern in patterns:
        for top in sorted(ROOT.glob(pattern)):
            for path in [top] if top.is_file() else sorted(top.rglob("*")):
                if path.is_file() and not SKIP.intersection(path.relative_to(ROOT).parts):
                    digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def use_local_mathjax(app, config):
    """Pages take MathJax from book/_static/vendor if it is there, else from Sphinx's CDN."""
    if (ROOT / "book/_static/vendor/mathjax/tex-mml-chtml.js").exists():
        config.mathjax_path = "vendor/mathjax/tex-mml-chtml.js"


def clear_stale_outputs(app, config):
    """Executed notebooks are cached by their own text: drop them when the package or the data changed."""
    config.rbdlite_hash = tree_hash(*CODE)  # an "env" value: when it changes Sphinx reads every page again
    cache = Path(config.nb_execution_cache_path or ROOT / "_build/.jupyter_cache")
    seen = cache.parent / ".package-hash"
    if not seen.exists() or seen.read_text() != config.rbdlite_hash:
        shutil.rmtree(cache, ignore_errors=True)
        seen.parent.mkdir(parents=True, exist_ok=True)
        seen.write_text(config.rbdlite_hash)


def deck_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """{deck}`name` or {deck}`words <name>`: a link to the slides of book/slides/name.ipynb or chapter name."""
    import slides
    from docutils import nodes

    words, name = re.fullmatch(r"(?:(.*?)\s*<)?([^<>]*)>?", text).groups()
    if name not in slides.decks():
        known = sorted(slides.decks())
        message = inliner.reporter.error(f"there is no deck {name!r}; there are {known}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    if not slides.ready():
        return [nodes.emphasis(rawtext, f"{words or name} (run make slides; it needs npm)")], []
    depth = inliner.document.settings.env.docname.count("/")
    link = f'<a class="rbd-deck" href="{"../" * depth}slides/{name}.html">{html.escape(words or name)}</a>'
    return [nodes.raw(rawtext, link, format="html")], []


def drop_thebe(app, page, template, context, doctree):
    """Leave out the scripts of Thebe (remote kernels): no page uses them, and two copies clash in the console."""
    mine = [s for s in context.get("script_files", []) if "thebe" not in str(s).lower()
            and "THEBE" not in (getattr(s, "attributes", {}).get("body") or "")]  # fmt: skip
    context["script_files"] = mine


def add_decks(app, exception):
    """Put the decks beside the pages, so that the links to them work."""
    import slides

    if exception is None and app.builder.name == "html" and slides.ready() and slides.decks():
        slides.build()
        shutil.copytree(slides.OUT, Path(app.outdir) / "slides", dirs_exist_ok=True)


def setup(app):
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    app.add_config_value("rbdlite_hash", "", "env")
    app.connect("config-inited", use_local_mathjax)
    app.connect("config-inited", clear_stale_outputs)
    app.connect("html-page-context", drop_thebe, priority=900)
    app.connect("build-finished", add_decks)
    app.add_role("deck", deck_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
