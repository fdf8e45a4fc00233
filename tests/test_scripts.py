"""The build's own scripts: normal form of notebooks, vendored JavaScript, decks, and the README's example."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import notebooks  # noqa: E402
import plain  # noqa: E402
import slides  # noqa: E402


def messy():
    """A notebook as an editor leaves it: picture, HTML, cut streams, widget state, timings, no ids."""
    html = {"text/plain": "<Player>", "text/html": '<div class="rbd-player">' + "x" * 999 + "</div>"}
    outputs = [
        nbformat.v4.new_output("stream", name="stdout", text="a"),
        nbformat.v4.new_output("stream", name="stdout", text="b 0x7f484813b560\n"),
        nbformat.v4.new_output("display_data", data={"image/png": "AAAA"}),
        nbformat.v4.new_output("execute_result", data=html, execution_count=17),
    ]
    code = nbformat.v4.new_code_cell("1 + 1  \n", outputs=outputs, execution_count=17)
    code["metadata"] = {"tags": ["hide-input"], "execution": {"iopub.status": "2025"}, "collapsed": True}
    nb = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("# T"), code, nbformat.v4.new_code_cell("")]
    )
    nb["metadata"] = {"widgets": {"state": {}}, "kernelspec": {"name": "venv-42", "display_name": "x"}}
    for cell in nb["cells"]:
        del cell["id"]
    return nb


def test_widgets_are_stored_as_one_line():
    box = {"text/plain": "VBox(children=(Tab(children=(Box(chil...", notebooks.WIDGETS: {"model_id": "1"}}
    out = nbformat.v4.new_output("execute_result", data=box, execution_count=1)
    kept = notebooks.normal_output(out, 1)["data"]
    assert list(kept) == ["text/plain"] and "VBox" not in kept["text/plain"]


def test_normal_form_keeps_text_and_drops_the_rest():
    before = messy()
    kept = copy.deepcopy(before)
    nb = notebooks.normalise(before)
    nbformat.validate(nb)
    assert before == kept
    _, code, empty = nb["cells"]
    assert [out["output_type"] for out in code["outputs"]] == ["stream", "execute_result"]
    assert code["outputs"][0]["text"] == "ab 0x...\n"
    assert code["outputs"][1]["data"] == {"text/plain": "<Player>", "text/html": notebooks.STUB}
    assert (code["execution_count"], code["outputs"][1]["execution_count"], empty["execution_count"]) == (
        1,
        1,
        None,
    )
    assert code["metadata"] == {"tags": ["hide-input"]} and nb["metadata"] == notebooks.METADATA
    assert code["source"] == "1 + 1"


def test_normal_form_is_stable():
    once = notebooks.text(notebooks.normalise(messy()))
    assert notebooks.text(notebooks.normalise(json.loads(once))) == once
    ids = [cell["id"] for cell in json.loads(once)["cells"]]
    assert len(set(ids)) == 3 and ids == [c["id"] for c in notebooks.normalise(messy())["cells"]]


def test_check_names_a_notebook_that_is_not_normal(tmp_path):
    path = tmp_path / "messy.ipynb"
    path.write_text(nbformat.writes(messy()))
    command = [sys.executable, str(ROOT / "scripts/notebooks.py"), "--check", str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 1 and "messy.ipynb" in run.stderr
    subprocess.run([c for c in command if c != "--check"], check=True, capture_output=True)
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_committed_notebooks_are_normal():
    found = notebooks.find()
    assert found, "no notebook found"
    for path in found:
        stored = path.read_text(encoding="utf-8")
        normal = notebooks.text(notebooks.normalise(json.loads(stored)))
        assert stored == normal, f"{path.relative_to(ROOT)} is not in normal form: run `make notebooks`"


def test_nbval_sees_the_stub_and_the_player_alike():
    pattern = re.search(
        r"^\[html\]\nregex: (.*)\nreplace: (.*)$", (ROOT / "scripts/nbval.cfg").read_text(), re.M
    )
    regex, stub = re.compile(pattern[1]), pattern[2]
    for text in (
        notebooks.STUB,
        '<div class="rbd-player">\n{"v": 1}\n</div>',
        "\n<table><tr></tr></table>",
    ):
        assert regex.sub(stub, text) == stub
    for text in ("154.0", "x <div>", "<Player rnea>"):
        assert regex.sub(stub, text) == text


def slide(kind, source, code=False):
    cell = (nbformat.v4.new_code_cell if code else nbformat.v4.new_markdown_cell)(source)
    cell["metadata"] = {"slideshow": {"slide_type": kind}} if kind else {}
    return cell


def test_a_deck_shows_only_cells_with_a_slide_type():
    nbconvert = pytest.importorskip("nbconvert")
    exporter = nbconvert.HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True
    )
    cells = [
        slide("", "import os  # hidden", code=True),
        slide("slide", "one"),
        slide("fragment", "two"),
        slide("skip", "never"),
        slide("slide", "three"),
        slide("subslide", "four"),
        slide("notes", "say"),
    ]
    body = slides.sections(nbformat.v4.new_notebook(cells=cells), exporter)
    assert "hidden" not in body and "never" not in body
    assert body.count("<section>") == 4  # one, and a stack of two
    assert (
        body.count("</section>") == 4
        and '<div class="fragment">' in body
        and '<aside class="notes">' in body
    )


def test_the_readme_example_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)[1]
    assert len(code.strip().splitlines()) <= 12
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    promised = re.findall(r"^print.*# (\[.*\])$", code, re.M)
    assert promised and all(line in run.stdout for line in promised)


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """The folder that `make exercises` makes: exercises, and the pages of the book in chapters/."""
    folder = tmp_path_factory.mktemp("copies")
    make = [sys.executable, ROOT / "scripts" / "student.py", "--keep", "--chapters", "--out", folder]
    subprocess.run(make, check=True, capture_output=True)
    return folder


def markdown(path):
    return [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown"]


def test_every_page_is_copied_without_outputs_and_with_its_questions(copies):
    pages = {p.name for p in (ROOT / "book").glob("*.ipynb")} - plain.ALONE
    assert {p.name for p in (copies / "chapters").glob("*.ipynb")} == pages
    assert (copies / "chapters" / "questions.json").exists()
    for name in pages:
        cells = nbformat.read(copies / "chapters" / name, as_version=4).cells
        assert not any(c.outputs for c in cells if c.cell_type == "code")
    blanks = {p.stem for p in (copies / "chapters").glob("*.ipynb") if ".blank(" in p.read_text(encoding="utf-8")}
    assert blanks == {"aba", "crba", "minv", "rnea", "sparse"}


def test_what_a_page_folds_or_drops_is_folded_in_its_copy(copies):
    """JupyterLab knows nothing of the book's tags, and some of these cells hold an answer."""
    found = 0
    for page in (copies / "chapters").glob("*.ipynb"):
        for cell in nbformat.read(page, as_version=4).cells:
            tags = set(cell.metadata.get("tags", ())) & {"hide-input", "hide-cell", "remove-input", "remove-cell"}
            if cell.cell_type == "code":
                assert cell.metadata.get("jupyter", {}).get("source_hidden", False) == bool(tags), (page.name, cell.id)
            found += bool(tags)
    assert found > 50


def test_copies_are_never_overwritten(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "aba.ipynb").write_text("mine", encoding="utf-8")
    make = [sys.executable, ROOT / "scripts" / "student.py", "--keep", "--chapters", "--out", tmp_path]
    subprocess.run(make, check=True, capture_output=True)
    assert (tmp_path / "chapters" / "aba.ipynb").read_text(encoding="utf-8") == "mine"


RAW = re.compile(r"\{[\w:-]+\}`|^\s*(?:`{3,}|:{3,})\{|^\([\w:-]+\)=|^:[\w-]+: |\]\(#?sec-", re.M)


def test_nothing_of_the_books_markup_is_left_raw_in_a_copy(copies):
    found = {p for p in (ROOT / "book").glob("*.ipynb") if any(map(RAW.search, markdown(p)))}
    assert len(found) > 8  # the pattern finds it in the originals
    for path in [*copies.glob("*.ipynb"), *(copies / "chapters").glob("*.ipynb")]:
        for source in markdown(path):
            assert not RAW.search(source), f"{path.name}: {RAW.search(source)[0]!r} in {source[:200]!r}"
            assert len(re.findall("<details>", source)) == len(re.findall("</details>", source))


def test_every_dropdown_of_a_chapter_is_a_closed_block_with_its_title(copies):
    for path in (copies / "chapters").glob("*.ipynb"):
        original = "\n".join(markdown(ROOT / "book" / path.name))
        titles = re.findall(r"^`{3,}\{dropdown\} (.*)$", original, re.M)
        copy = "\n".join(markdown(path))
        summaries = re.findall(r"^<details><summary>(.*)</summary>\n\n\S", copy, re.M)
        assert len(summaries) == copy.count("<details") == len(titles) + original.count(":class: dropdown")
        assert [t for t in titles if t not in summaries] == []


def test_links_of_copies_lead_to_copies(copies):
    seen = 0
    for path in [*copies.glob("*.ipynb"), *(copies / "chapters").glob("*.ipynb")]:
        for target in re.findall(r"\]\(([^)#:]+\.ipynb)\)", "\n".join(markdown(path))):
            seen += 1
            assert (path.parent / target).exists(), f"{path.name}: {target}"
    assert seen > 20


BOOKISH = """(sec-here)=
## Head
A {term}`leaf`, {term}`leaves <leaf>`, {ref}`sec-spatial`, {ref}`words <sec-spatial>`, [](sec-glossary), `{ref}` code.
{cite:p}`featherstone2008,walker1982` {deck}`aba`

````{dropdown} Is 1 < 2 in `x`?
:open:
Yes, $f_1$:
```python
x  # {term}`leaf`
```
:::{note}
Not {term}`now <leaf>`.
:::
````
Last."""

PLAIN = """## Head
A leaf, leaves, [TITLE](spatial.ipynb), [words](spatial.ipynb), *Glossary · 术语表*, `{ref}` code.
(Featherstone 2008; Walker and Orin 1982) aba (`make slides`)

<details><summary>Is 1 &lt; 2 in <code>x</code>?</summary>

Yes, $f_1$:
```python
x  # {term}`leaf`
```

> **Note.**
>
> Not leaf."""


@pytest.mark.parametrize(
    "title, shown",
    [
        ("$p_i^*$ and $f^*$", "$p_i^*$ and $f^*$"),
        ("*One* $f^{**}$, **two** $g^{**}$", "<i>One</i> $f^{**}$, <b>two</b> $g^{**}$"),
        ("Is `a*b` or `c*d` < 2?", "Is <code>a*b</code> or <code>c*d</code> &lt; 2?"),
        ("*Why $i < j$ and $i<j$*", r"<i>Why $i < j$ and $i\lt j$</i>"),
    ],
)
def test_titles_of_dropdowns_keep_stars_of_mathematics_and_code(title, shown):
    text = plain.Plain("page.ipynb")(f"```{{dropdown}} {title}\nx\n```")
    assert text == f"<details><summary>{shown}</summary>\n\nx\n\n</details>"


def test_empty_lines_of_code_stay():
    code = "```python\ndef f():\n\n    pass\n\n\nf()\n```"
    page = plain.Plain("page.ipynb")
    assert page(f"One.\n\n\n\nTwo.\n\n{code}") == f"One.\n\nTwo.\n\n{code}"
    assert code in page(f"````{{dropdown}} T\n{code}\n````")
    quoted = "\n".join(f"> {line}".rstrip() for line in code.splitlines())
    assert page(f":::{{note}}\n{code}\n:::") == f"> **Note.**\n>\n{quoted}"
    indented = "\n".join(f"  {line}".rstrip() for line in code.splitlines())
    assert indented in page(f"- Item\n\n  ````{{dropdown}} T\n{indented}\n  ````")


def test_a_space_before_the_name_of_a_directive():
    page = plain.Plain("page.ipynb")
    for marks in ":::", "```":
        assert page(f"{marks} {{dropdown}} T\nx\n{marks}") == page(f"{marks}{{dropdown}} T\nx\n{marks}")
    assert page("``` python\nx\n```") == "``` python\nx\n```"


def test_plain_markdown_keeps_code_and_what_is_nested():
    title = plain.labels()["sec-spatial"][1]
    want = PLAIN.replace("TITLE", title).replace("Not leaf", "Not now") + "\n\n</details>\n\nLast."
    assert plain.Plain("aba.ipynb", "")(BOOKISH) == want
    assert f"*{title}*, words," in plain.Plain("aba.ipynb")(BOOKISH)


@pytest.mark.parametrize(
    "source, says",
    [
        ("```{tabs}\nx\n```", "{tabs}"),
        ("{abbr}`x`", "{abbr}"),
        ("{ref}`sec-nowhere`", "sec-nowhere"),
        ("{cite:p}`nobody1900`", "nobody1900"),
        ("```{dropdown} T\nx", "not closed"),
        ("::: {tabs}\nx\n:::", "{tabs}"),
        ("::: note\nx\n:::", "::: note"),
        ("``` {.python}\nx\n```", "{.python}"),
        ("> :::{note}\n> x\n> :::", "> :::{note}"),
        ("> > ``` {tip}\n> > x\n> > ```", "{tip}"),
        ("1. :::{note}\n   x\n   :::", "1. :::{note}"),
        ("- ```{note}\n  x\n  ```", "- ```{note}"),
    ],
)
def test_plain_markdown_stops_at_what_it_does_not_know(source, says):
    with pytest.raises(SystemExit, match=re.escape(says)):
        plain.Plain("page.ipynb")(source)


def test_make_lab_and_make_exercises_open_the_copies():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target, folder in ("lab", "my-exercises/chapters"), ("exercises", "my-exercises"):
        rule = re.search(rf"(?m)^{target}:.*\n((?:\t.*\n)+)", makefile)[1]
        assert "student.py --keep --chapters --out my-exercises" in rule and rule.rstrip().endswith(f" {folder}")


def test_every_page_has_an_icon():
    """Without one a browser asks for /favicon.ico, and the console shows an error."""
    icon = re.search(r"(?m)^  favicon: (.*)$", (ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert icon and (ROOT / icon[1]).read_text(encoding="utf-8").startswith("<svg")
    assert '<link rel="icon"' in slides.PAGE
