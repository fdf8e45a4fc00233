"""The errata ledger: each entry is whole, and what it names as evidence exists and asserts something."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from rbdlite.mistakes import table

ROOT = Path(__file__).resolve().parent.parent
LEDGER = json.loads((ROOT / "book/errata.json").read_text("utf-8"))
CHAPTERS = ("topology", "spatial", "rnea", "crba", "aba", "minv", "sparse", "libraries")


def test_there_is_a_ledger():
    ids = [x["id"] for x in LEDGER]
    assert len(ids) > 95 and len(set(ids)) == len(ids)
    order = [CHAPTERS.index(x["chapter"]) for x in LEDGER]
    assert order == sorted(order) and set(order) == set(range(len(CHAPTERS)))


def test_the_page_shows_every_chapter():
    cells = cells_in("book/errata.ipynb").values()
    assert all(any(f'show("{name}")' in source for source in cells) for name in CHAPTERS)


# What nothing in this repository can show: times on other people's machines, an optimiser that is not here.
UNCHECKED = {"E-1.8", "E-1.10"}
CHECKERS = ("close", "near", "compare", "compare_forces")  # of other test files: each asserts


@cache
def checks_in(path):
    """{name: does it assert something, itself or through a helper} of the tests of a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}

    def called(x):
        return x.func.attr if isinstance(x.func, ast.Attribute) else getattr(x.func, "id", "")

    def asserts(f, seen=()):
        for x in ast.walk(ast.Module(f.body, [])):
            if isinstance(x, ast.Assert) or isinstance(x, ast.Call) and (
                    called(x) in {"raises", *CHECKERS} or called(x).startswith("assert_")):  # fmt: skip
                return True
            if isinstance(x, ast.Call) and called(x) in functions and called(x) not in seen:
                if asserts(functions[called(x)], (*seen, f.name)):
                    return True
        return False

    return {name: asserts(f) for name, f in functions.items() if name.startswith("test_")}


@cache
def cells_in(path):
    """{id: source} of a notebook's code cells."""
    assert (ROOT / path).exists(), f"{path} does not exist"
    cells = json.loads((ROOT / path).read_text("utf-8"))["cells"]
    return {c["id"]: "".join(c["source"]) for c in cells if c["cell_type"] == "code"}


@cache
def bibliography():
    """{key: text of its entry}"""
    text = (ROOT / "book/references.bib").read_text("utf-8")
    return {x.split("{", 1)[1].split(",", 1)[0]: x for x in re.split(r"\n(?=@)", text)}


def cited_in(path):
    """Keys that a notebook's words cite."""
    cells = json.loads((ROOT / path).read_text("utf-8"))["cells"]
    words = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return {key for keys in re.findall(r"\{cite:\w+\}`([^`]*)`", words) for key in keys.split(",")}


def shows(node):
    """Does this evidence exist and check something? Raises what is wrong.

    "tests/file.py::test"    a test
    "book/file.ipynb#cell"   a cell by its id
    "book/file.ipynb: text"  the one cell with this text (spaces and line breaks aside), in chapters whose cells are
                             numbered
    "mistake aba/A01"        a row of the catalogue, which the mutant tests run
    "source key in book/file.ipynb: text"
                             an attribution: the notebook cites this reference, and its entry has the text
    "unchecked: reason"      nothing shows it; only for the entries in UNCHECKED
    """
    if node.startswith("source "):
        key, path, text = re.fullmatch(r"source (\w+) in (book/\w+\.ipynb): (.+)", node).groups()
        assert text in bibliography().get(key, ""), f"no entry {key} with {text!r} in references.bib"
        assert key in cited_in(path), f"{path} does not cite {key}"
    elif node.startswith("unchecked: "):
        assert len(node) > 30, "an entry that cannot be checked says why"
    elif node.startswith("mistake "):
        assert tuple(node[8:].split("/")) in table(), f"{node} is not in the catalogue"
    elif "::" in node:
        path, name = node.split("::")
        assert (ROOT / path).exists(), f"{path} does not exist"
        assert checks_in(path).get(name), f"{path} has no test {name} that checks anything"
    elif ".ipynb: " in node:
        path, text = node.split(": ", 1)
        found = [source for source in cells_in(path).values() if "".join(text.split()) in "".join(source.split())]
        assert len(found) == 1, f"{len(found)} cells of {path} hold {text!r}, not one"
        assert "assert" in found[0], f"the cell of {path} with {text!r} asserts nothing"
    else:
        path, cell = node.split("#")
        assert "assert" in cells_in(path).get(cell, ""), f"{path} has no cell {cell!r} that asserts something"
    return True


@pytest.mark.parametrize("entry", LEDGER, ids=lambda x: x["id"])
def test_entry(entry):
    assert set(entry) == {"id", "chapter", "where", "claim", "right", "shown"}
    assert all(entry[key] for key in entry) and entry["claim"] != entry["right"]
    assert all(shows(node) for node in entry["shown"])
    assert (entry["id"] in UNCHECKED) == any(x.startswith("unchecked: ") for x in entry["shown"])


MISSING = ("tests/test_model.py::test_nothing", "tests/test_no_file.py::test_x", "mistake aba/A99",
           "book/spatial.ipynb#nowhere", "book/aba.ipynb: no such text", "book/aba.ipynb: import numpy",
           "book/no_file.ipynb: x", "unchecked: so", "source carpentier2018 in book/minv.ipynb: hal-01790935",
           "source carpentier2018 in book/topology.ipynb: hal-01790934", "source nobody in book/minv.ipynb: x",
           )  # fmt: skip


@pytest.mark.parametrize("node", MISSING)
def test_evidence_that_is_missing_is_noticed(node):
    with pytest.raises(AssertionError):
        shows(node)
