"""The errata ledger: each entry is whole, and what it names as evidence exists and asserts something."""

import ast
import json
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEDGER = json.loads((ROOT / "book/errata.json").read_text("utf-8"))


def test_there_is_a_ledger():
    ids = [x["id"] for x in LEDGER]
    assert len(ids) > 20 and len(set(ids)) == len(ids)


@cache
def checks_in(path):
    """{name: does it assert, call or raise something} of a test file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {f.name: any(isinstance(x, (ast.Assert, ast.Call)) for b in f.body for x in ast.walk(b))
            for f in tree.body if isinstance(f, ast.FunctionDef) and f.name.startswith("test_")}  # fmt: skip


@cache
def cells_in(path):
    """{id: source} of a notebook's code cells."""
    cells = json.loads((ROOT / path).read_text("utf-8"))["cells"]
    return {c["id"]: "".join(c["source"]) for c in cells if c["cell_type"] == "code"}


def shows(node):
    """Does this evidence exist and check something? Raises what is wrong."""
    if "::" in node:
        path, name = node.split("::")
        assert (ROOT / path).exists(), f"{path} does not exist"
        assert checks_in(path).get(name), f"{path} has no test {name} that checks anything"
    else:
        path, cell = node.split("#")
        assert (ROOT / path).exists(), f"{path} does not exist"
        assert "assert" in cells_in(path).get(cell, ""), f"{path} has no cell {cell!r} that asserts something"
    return True


@pytest.mark.parametrize("entry", LEDGER, ids=lambda x: x["id"])
def test_entry(entry):
    assert set(entry) == {"id", "where", "claim", "right", "shown"}
    assert all(entry[key] for key in entry) and entry["claim"] != entry["right"]
    assert all(shows(node) for node in entry["shown"])


def test_evidence_that_is_missing_is_noticed():
    for node in ("tests/test_model.py::test_nothing", "book/spatial.ipynb#nowhere", "tests/test_no_file.py::test_x"):
        with pytest.raises(AssertionError):
            shows(node)
