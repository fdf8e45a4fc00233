"""Graded exercises: hints in three steps, which name the line that is wrong and no other; the part before it said."""

import re
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.exercise import EXERCISES, check
from rbdlite.grading.functions import grade_function, grade_lines
from rbdlite.listing import source
from rbdlite.mistakes import mistakes, safe

ROOT = Path(__file__).resolve().parent.parent
WRITE_IT = {"rnea-code": "my_rnea", "crba-code": "my_crba", "aba-code": "my_aba", "minv-code": "my_minv",
            "ltdl-code": "my_ltdl", "solve-code": "my_solve"}  # fmt: skip


def solution(id):
    """The text of an official solution."""
    cells = [c for p in sorted((ROOT / "exercises").glob("*.ipynb")) for c in nbformat.read(p, as_version=4).cells]
    return next(c.source for c in cells if c.id == f"{id}-answer")


def made(text, name):
    scope = {"np": np, "rbd": rbd}
    exec(text, scope)
    scope[name].__rbd_source__ = text
    return scope[name]


def changed(id, old, new):
    text = solution(id)
    assert text.count(old) == 1, old
    return made(text.replace(old, new), WRITE_IT[id])


def mutated(id):
    """(line, the solution with that one line wrong), for each numbered line that calculates."""
    name, text = WRITE_IT[id], solution(id)
    for row in text.splitlines():
        if found := re.match(r"( +)([\w\[\], ]+) = (.*)  # \[(\d+)\]$", row):
            space, target, value, n = found.groups()
            wrong = f"(lambda p: λ[p] if p > 0 and λ[p] > 0 else p)({value})" if target in "ij" else (
                "[model.a0] * (model.n_bodies + 1)" if target == "p" else f"1.25 * ({value})")  # fmt: skip
            yield int(n), made(text.replace(row, f"{space}{target} = {wrong}  # [{n}]"), name)


def test_every_exercise_in_code_is_here():
    tagged = {k for k, x in EXERCISES.items() if x.grade is grade_function and source(x.more["reference"]).tags}
    assert set(WRITE_IT) == tagged - {"rnea-columns", "minv-times", "aba-other-way"}


@pytest.mark.parametrize("id", WRITE_IT)
def test_the_official_solution_with_one_wrong_line_has_that_line_named(id):
    seen = set()
    for n, fn in mutated(id):
        result = check(id, fn, hint=3)
        lines = [x for x in result.text.splitlines() if x.startswith("On the right inputs")]
        assert not result.passed and len(lines) == 1 and f"line [{n}] (" in lines[0], (n, result.text)
        seen.add(n)
    wanted = [x.n for x in rbd.listing(EXERCISES[id].more["reference"]).lines if x.kind == "set"]
    assert seen == set(wanted)


@pytest.mark.parametrize("wrong", ["L[k, i] * L[k, j]", "H[k][i] * H[k][j]"])
@pytest.mark.parametrize("rest", ["H[k, i] * r", "H[k][i] * r"])
def test_entries_of_a_matrix_may_be_written_either_way(wrong, rest):
    text = solution("ltdl-code").replace("L[k, i] * H[k, j]", wrong).replace("H[k, i] * r", rest)
    said = check("ltdl-code", made(text, "my_ltdl"), hint=3).text
    assert said.count("On the right inputs") == 1 and "line [9]" in said and "TypeError" not in said
    lists = solution("ltdl-code").replace("np.array(M), np.eye(n), np.zeros(n)",
                                          "np.array(M).tolist(), np.eye(n).tolist(), [0] * n")  # fmt: skip
    for a, b in (("H[k, k]", "H[k][k]"), ("H[k, i]", "H[k][i]"), ("H[k, j]", "H[k][j]"), ("H[i, j]", "H[i][j]"),
                 ("L[k, i]", "L[k][i]")):  # fmt: skip
        lists = lists.replace(a, b)
    assert check("ltdl-code", made(lists, "my_ltdl")).passed
    said = check("ltdl-code", made(lists.replace("H[k][i] * r", "H[k][i]"), "my_ltdl"), hint=3).text
    assert said.count("On the right inputs") == 1 and "line [6]" in said, said


def test_steps_of_the_climb_in_crba():
    for new, id in (("X[i].mT @ F", "C27"), ("X[j] @ F", "C28")):
        row = mistakes(rbd.crba)[id]
        fn = changed("crba-code", "X[j].mT @ F", new)
        first, last = check("crba-code", fn), check("crba-code", fn, hint=3)
        assert first.mistakes == (id,) and row.says in first.text and row.what not in first.text
        assert "line [10]" in last.text and row.what in last.text


# -- one sweep ---------------------------------------------------------------------------------------------------------


def test_a_fault_before_the_lines_asked_is_put_where_it_is():
    for new in ("0 * model.a0 - f_ext[i]", "rbd.crm(v[i]) @ (I[i] @ v[i]) - f_ext[i]"):
        fn = changed("aba-code", "rbd.crf(v[i]) @ (I[i] @ v[i]) - f_ext[i]", new)
        first, last = check("aba-inward", fn), check("aba-inward", fn, hint=3)
        assert "10 of 10 lines right" in first.text and "set up before" not in first.text + last.text
        assert "Before line [7] something goes wrong; put it right first" in first.text and "[6]" not in first.text
        assert "Line [6] (" in last.text
        assert check("aba-outward", fn).points < 3
    fn = changed("aba-code", "v[0] = 0 * model.a0", "v[0] = model.a0")
    assert "set up before the first numbered line goes wrong" in check("aba-outward", fn).text
    fn = changed("aba-code", "pA[i] = rbd", "pA[i] = 2 * rbd")
    assert "Before line" not in check("aba-outward", fn).text


@pytest.mark.parametrize("id, name, old, new", [
    ("aba-inward", "aba-code", "Ia @ c[i]", "IA[i] @ c[i]"), ("rnea-outward", "rnea-code", "+ c[i]  #", "  #"),
    ("crba-composites", "crba-code", "X[i].mT @ IC[i] @ X[i]", "IC[i]"),
    ("minv-shared", "minv-code", "U[i] @ Dinv[i] @ U[i].mT", "0"),
])  # fmt: skip
def test_a_sweep_has_hints_in_three_steps(id, name, old, new):
    assert EXERCISES[id].grade is grade_lines
    one, two, three = (check(id, changed(name, old, new), hint=h).text for h in (1, 2, 3))
    assert "it is right" in one and "A law" not in one and "line [" not in one and "This is what" not in one
    assert "A law that fails" in two and "line [" not in two and "line [" in three and "This is what" in three


def test_a_loop_without_an_end_is_stopped_once(monkeypatch):
    stops, limit = [], safe.time_limit

    @contextmanager
    def counted():  # calls that are given up; one alarm alone may be lost in a callback that keeps exceptions
        try:
            with limit():
                yield
        except safe.Endless as error:
            stops.append(error)
            raise

    monkeypatch.setattr(safe, "SECONDS", 0.5)
    monkeypatch.setattr(safe, "time_limit", counted)
    fn = changed("crba-code", "j = λ[j]  # [11]", "j = j  # [11]")
    assert "does a loop never end" in check("crba-code", fn).text
    assert len(stops) == 1, stops  # one wait for all cases
    said = check("crba-code", fn, hint=3).text
    assert "line [11]" in said and said.count("On the right inputs") == 1
    assert check("crba-composites", fn).passed


def test_no_hint_speaks_in_abbreviations():
    fn = changed("aba-code", "Ia @ c[i]", "IA[i] @ c[i]")
    assert "two links in one line" in check("aba-code", fn).text
    assert not any("2R" in x for m in mistakes(rbd.aba).values() for x in (m.what, m.says, *m.agrees))


# -- what is shown -----------------------------------------------------------------------------------------------------


def test_points_are_for_nbgrader_and_no_stray_number_is_shown():
    from IPython.core.formatters import DisplayFormatter

    result = check("aba-swing", {})
    data, _ = DisplayFormatter().format(result)
    assert float(data["text/plain"]) == result.points == 0 and data["text/markdown"] == ""
    assert repr(result) == "<aba-swing: 0 of 2 points>"


def test_most_points_of_a_sheet_are_in_the_tree_of_ones_own():
    for name in ("rnea", "crba", "aba", "minv"):
        assert EXERCISES[f"{name}-hand"].points * 2 <= EXERCISES[f"{name}-own"].points
    for name in ("ltdl", "solve"):
        assert EXERCISES[f"{name}-hand"].points * 2 <= EXERCISES[f"{name}-own"].points


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.ipynb")), ids=lambda p: p.name)
def test_the_opening_says_what_hints_tell(path):
    words = nbformat.read(path, as_version=4).cells[0].source.replace("\n", " ")
    for said in ("never tells a right value", "Numbers are marked one by one", "says which input to try",
                 "which law fails", "`hint=3` also which line"):  # fmt: skip
        assert said in words, said
