"""Graded exercises: right answers get full marks, wrong ones the right feedback; student versions hold no solution."""

import copy
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import mistakes
from rbdlite.exercise import EXERCISES, check, sheet
from rbdlite.hand import sheet as hand_sheet
from rbdlite.marking import mark
from rbdlite.mistakes import Edit, edited, variant
from rbdlite.mistakes.cases import bent_arm, hand_case, own_case

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "exercises").glob("*.ipynb"))
ROWS = mistakes(rbd.rnea)
NAMES = {4: "v", 5: "c", 6: "a", 7: "fB", 10: "tau", 11: "f"}
HAND = [(n, i) for n in (4, 5, 6, 7, 10) for i in ((4, 3, 2, 1) if n == 10 else (1, 2, 3, 4))]


def values(fn, case, keys):
    """What fn's lines give, as somebody would type it."""
    trace = rbd.trace(fn, *case.given(fn))
    found = {(s.line, s.at["i"]): s.value for s in trace.steps if s.kind == "write"}
    return {k: found[k][2:5, 0].tolist() if found[k].size == 6 else float(found[k][0, 0]) for k in keys}


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_right_numbers_get_full_marks(capsys):
    answer = values(rbd.rnea, hand_case(), HAND)
    assert answer[10, 1] == pytest.approx(154) and answer[6, 2] == pytest.approx([-1, 11, -1])
    result = check("rnea-hand", answer)
    assert result.passed and float(result) == 10 and repr(result) == "10" and "Well done" in capsys.readouterr().out
    keys = [(n, i) for n in (4, 6, 7, 10) for i in (1, 2)]
    bent = {k: np.round(x, 3) for k, x in values(rbd.rnea, bent_arm(), keys).items()}
    assert check("rnea-bent", bent).passed
    assert bent[10, 1] == 6.171 and bent[10, 2] == -0.878  # the first source's exercise


def test_one_slip_costs_one_line():
    answer = values(rbd.rnea, hand_case(), HAND)
    slipped = edited(rbd.rnea, [Edit(("c[i] = crm(vJ[i]) @ v[i] if i == 2 else crm(v[i]) @ vJ[i]",), 5)])
    wrong = values(slipped, hand_case(), HAND)
    assert wrong[10, 1] != answer[10, 1] and wrong[6, 3] != answer[6, 3]
    result = check("rnea-hand", wrong)
    assert result.points == 9.5 and "19 of 20 values count" in result.text
    assert "c_2 (line [5], body 2): not this value" in result.text and ROWS["R08"].says in result.text
    assert "follow from your earlier values, and count: a_2, a_3" in result.text and "R08" in result.mistakes
    assert "This is what you get when the two vectors in c change places." in check("rnea-hand", wrong, hint=2).text


def test_every_visible_mistake_costs_points_and_is_named():
    keys = [(10, i) for i in (4, 3, 2, 1)]
    seen = 0
    for id, row in ROWS.items():
        if row.hand == (154, 24, 21, 4):
            continue
        seen += 1
        marks = mark(rbd.rnea, hand_case().args, values(variant(rbd.rnea, id), hand_case(), keys), keys)
        wrong = [m for m in marks if not m.counts]
        assert wrong and all(id in [x.id for x in m.matches] for m in wrong if m.matches), id
        assert any(id in [x.id for x in m.matches] for m in wrong), id
    assert seen > 35


def test_marks_agree_with_the_hand_sheet():
    """The book's blanks (rbdlite.hand) and these marks judge alike, each in its own way."""
    state = {"right": "right", "carried": "carried", "wrong": "wrong"}
    for id in ("R08", "R17"):
        typed = values(variant(rbd.rnea, id), hand_case(), HAND)
        hand = hand_sheet(rbd.rnea, *hand_case().args)
        for (n, i), value in typed.items():
            if n == 10:
                break
            hand.blank(n, body=i, **{NAMES[n]: value})
        ours = {m.key: m.verdict for m in mark(rbd.rnea, hand_case().args, typed, HAND)}
        compared = 0
        for row in hand.rows:
            key = row.step.line, row.step.at["i"]
            theirs = {"right": "right", "traced": "right"}.get(_state(row.state), _state(row.state))
            assert state[ours[key]] == theirs, (id, key)
            compared += 1
        assert compared == 16


def _state(state):
    from rbdlite import handview

    return {handview.RIGHT: "right", handview.TRACED: "traced", handview.CARRIED: "carried",
            handview.WRONG: "wrong"}[state]  # fmt: skip


def test_blanks_and_unreadable_values():
    answer = values(rbd.rnea, hand_case(), HAND) | {(5, 1): ..., (5, 2): None, (6, 1): "eleven", (6, 2): [1, 2],
                                                    (6, 3): [np.nan, 0, 0], (7, 1): [[1, 2], [3]]}  # fmt: skip
    result = check("rnea-hand", answer)
    assert "still blank: c_1, c_2" in result.text and result.text.count("expected (ω; vx, vy)") == 4
    assert "14 of 20" in result.text and result.points == 7
    assert check("rnea-hand", {}).points == 0


@pytest.mark.parametrize("answer", [None, 3, "x", {"a": 1}, {(4, 9): 1}, {4: 1}, {(4, 1, 1): [1, 0, 0]}])
def test_answers_of_another_kind(answer):
    result = check("rnea-hand", answer)
    assert result.points == 0 and "The answer" in result.text


def test_text_never_tells_a_value():
    wrong = {k: 777 if k[0] == 10 else [777, 777, 777] for k in HAND}
    text = "\n".join(check("rnea-hand", wrong, hint=h).text for h in (1, 2, 3))
    assert not re.search(r"\b(154|24|21|11)\b", text)


def test_own_trees_are_whole_different_and_telling():
    shapes = set()
    for number in range(30):
        case = own_case(number)
        tau = rbd.rnea(*case.args)
        np.testing.assert_allclose(tau, np.round(tau), atol=1e-9)
        shapes.add((case.model.parent, tuple(np.round(tau).tolist())))
        assert max(len(c) for c in case.model.children[1:]) > 1
    assert len(shapes) == 30
    for number in range(5):
        case = own_case(number)
        tau = rbd.rnea(*case.args)
        seen = sum(not np.allclose(variant(rbd.rnea, id)(*case.args), tau, atol=1e-6) for id in ROWS)
        assert seen >= 33, number
        answer = dict(zip([(10, i) for i in (1, 2, 3, 4)], tau, strict=True))
        assert check("rnea-own", answer, own=number).passed
        assert check("rnea-own", answer | {(10, 1): tau[0] + 1}, own=number).points == 4.5
        assert check("rnea-own", answer, own=number + 1).points < 6
    assert "number of your own tree" in check("rnea-own", {}).text


def test_lines_in_between_carry_a_slip_in_the_own_tree():
    case, slip = own_case(2), edited(rbd.rnea, [Edit(("c[i] = 0 * vJ[i] if i == 3 else crm(v[i]) @ vJ[i]",), 5)])
    torques = [(10, i) for i in (4, 3, 2, 1)]
    alone = check("rnea-own", values(slip, case, torques), own=2)
    shown = check("rnea-own", values(slip, case, [(6, 3), *torques]), own=2)
    assert alone.points < shown.points == 6


def test_sheets_print_what_is_given(capsys):
    sheet("rnea-hand")
    assert "masses 1, 2, 3, 4 kg" in capsys.readouterr().out
    sheet("rnea-own", own=5)
    assert "[10] τ_i" in capsys.readouterr().out


# -- functions ---------------------------------------------------------------------------------------------------------


def test_right_function_gets_full_marks():
    assert check("rnea-code", rbd.rnea).passed and check("rnea-outward", rbd.rnea).passed
    assert check("rnea-columns", rbd.mass_matrix_by_rnea).passed
    plain = check("rnea-code", lambda model, q, qd, qdd, f_ext: rbd.rnea(model, q, qd, qdd, f_ext))
    assert plain.passed and "# [n]" in plain.text


def test_what_a_function_prints_does_not_bury_the_feedback(capsys):
    def chatty(model, q, qd, qdd, f_ext=None):
        print("here")
        return rbd.rnea(model, q, qd, qdd, f_ext)

    assert check("rnea-code", chatty).passed
    assert capsys.readouterr().out.startswith("rnea-code: 10 of 10")


def test_another_order_is_right_but_said():
    reversed_ = edited(rbd.rnea, [Edit(("vJ[i] = S[i] @ qd[i]",), 2),
                                  Edit(("X[i] = model.XJ(i, q[i]) @ XT[i]",), 3)])  # fmt: skip
    result = check("rnea-code", reversed_)
    assert result.passed and "in the order of the pseudocode" in result.text
    again = edited(rbd.rnea, [Edit(("c[i] = crm(v[i]) @ vJ[i]", "c[i] = crm(v[i]) @ vJ[i]"), 5)])
    assert check("rnea-code", again).passed and "Step 6 is another one" in check("rnea-code", again).text


@pytest.mark.parametrize("id", ROWS)
def test_each_mutant_fails_with_its_feedback(id):
    fn, row = variant(rbd.rnea, id), ROWS[id]
    result = check("rnea-code", fn, hint=1)
    assert not result.passed and result.points < 8 and result.mistakes == (id,)
    assert row.says in result.text and row.what not in result.text and "hint=2" in result.text
    assert not any(code in result.text for edit in row.edits for code in edit.code)
    outward = check("rnea-outward", fn, hint=1)
    assert outward.passed == (set(row.lines) <= {9, 10, 11} or id == "R30"), outward.text
    if len(row.lines) == 1 and 0 < row.lines[0] < 9:
        assert outward.points == 5 and row.says in outward.text


def test_hints_go_deeper_and_never_give_code():
    fn = variant(rbd.rnea, "R23")
    texts = [check("rnea-code", fn, hint=h).text for h in (1, 2, 3)]
    assert "one body" in texts[0] and "A law that fails" not in texts[0]
    assert "A law that fails" in texts[1] and "line [11]" not in texts[1]
    assert "line [11]" in texts[2] and f"This is what you get when {ROWS['R23'].what}." in texts[2]
    assert not any("X[i]" in t or "you did" in t for t in texts)
    with pytest.raises(ValueError, match="hint"):
        check("rnea-code", fn, hint=4)
    with pytest.raises(KeyError, match="rnea-hand"):
        check("no-such", fn)


def test_half_written_function():
    rows = (Path(rbd.__file__).parent / "rnea.py").read_text().splitlines()
    start = next(k for k, r in enumerate(rows) if r.startswith("    model, q, qd"))
    stop = next(k for k, r in enumerate(rows) if r.rstrip().endswith("# [6]"))
    body = "\n".join(["def half(model, q, qd, qdd, f_ext=None):", *rows[start:stop], "    raise NotImplementedError"])
    scope = dict(rbd.rnea.__globals__)
    exec(body, scope)
    scope["half"].__rbd_source__ = body
    result = check("rnea-outward", scope["half"])
    assert "5 of 8 lines right" in result.text and "[6] not there yet" in result.text and result.points < 5
    assert "not written yet" in check("rnea-code", scope["half"]).text


@pytest.mark.parametrize("answer, words", [
    (3, "without brackets"),
    (lambda *a: 1 / 0, "ZeroDivisionError"),
    (lambda model, *a: np.full(model.nv, np.inf), "not finite"),
    (lambda model, *a: np.zeros(model.nv + 1), "is expected"),
    (lambda *a: None, "returns nothing"),
])  # fmt: skip
def test_functions_in_trouble(answer, words):
    for id in ("rnea-code", "rnea-columns"):
        result = check(id, answer)
        assert result.points == 0 and (words in result.text or "(2, 2) is expected" in result.text)
    outward = check("rnea-outward", answer)
    assert outward.points == 0


def test_function_that_spoils_the_model_is_not_right():
    def spoils(model, q, qd, qdd, f_ext=None):
        tau = rbd.rnea(model, q, qd, qdd, f_ext)
        model.I[1] = 2 * model.I[1]
        return tau

    result = check("rnea-code", spoils)
    assert not result.passed and "Call it twice" in result.text
    assert check("rnea-code", rbd.rnea).passed


def test_lecturers_seed_gives_other_models(monkeypatch):
    from rbdlite.mistakes.cases import hard_case

    known = [rbd.rnea(*hard_case(s).args) for s in range(3)]

    def remembers(model, q, qd, qdd, f_ext=None):
        tau = rbd.rnea(model, q, qd, qdd, f_ext)
        return tau if model.n_bodies < 6 or any(np.array_equal(tau, k) for k in known) else 0 * tau

    assert check("rnea-code", remembers).passed
    monkeypatch.setenv("RBDLITE_SEED", "20240")
    assert not check("rnea-code", remembers).passed and check("rnea-code", rbd.rnea).passed


def test_proof_in_order():
    from itertools import permutations

    orders = ["".join(p) for p in permutations("ABCDEF")]
    shares = [EXERCISES["rnea-proof"].grade(o, 1, **EXERCISES["rnea-proof"].more)[0] for o in orders]
    assert shares.count(1) == 1 and max(s for s in shares if s < 1) < 0.5
    right = orders[shares.index(1)]
    assert check("rnea-proof", list(right.lower())).passed
    assert check("rnea-proof", right[1:] + right[0]).points == 1.5
    for answer in (..., "ABC", 7, "AABCDE", [1, 2]):
        assert check("rnea-proof", answer).points == 0


# -- notebooks ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("student")
    subprocess.run([sys.executable, ROOT / "scripts" / "student.py", "--out", out], check=True, capture_output=True)
    return out


def run(nb, folder):
    from nbclient import NotebookClient

    nb = copy.deepcopy(nb)
    NotebookClient(nb, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return {c.metadata.nbgrader.grade_id: c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade")}


def points(cell):
    return float(cell.outputs[-1]["data"]["text/plain"])


def test_there_are_notebooks():
    assert "rnea.ipynb" in [p.name for p in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_source_notebook_gets_full_marks(path):
    nb = nbformat.read(path, as_version=4)
    graded = run(nb, path.parent)
    assert graded and set(graded) <= set(EXERCISES)
    for id, cell in graded.items():
        assert points(cell) == cell.metadata.nbgrader.points == EXERCISES[id].points, id
        assert f'"{id}"' in cell.source


def test_every_exercise_is_in_a_notebook():
    text = "".join(p.read_text() for p in SOURCES)
    assert all(f'check(\\"{id}\\"' in text for id in EXERCISES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_student_version_has_no_solution(path, folder):
    source, student = (nbformat.read(p, as_version=4) for p in (path, folder / path.name))
    secret = set()
    for cell in source.cells:
        for part in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL):
            secret |= {line.strip() for line in part.splitlines() if len(line.strip()) > 8}
    text = (folder / path.name).read_text()
    assert len(secret) > 10 and "SOLUTION" not in text
    for cell in student.cells:
        assert not secret & {line.strip() for line in cell.source.splitlines()}
        assert cell.cell_type == "markdown" or (cell.outputs == [] and cell.execution_count is None)
    assert [c.id for c in student.cells] == [c.id for c in source.cells]
    graded = [c for c in student.cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert sum(c.metadata.nbgrader.points for c in graded) == sum(e.points for e in EXERCISES.values())


def test_student_version_runs_and_gets_no_points(folder):
    graded = run(nbformat.read(folder / "rnea.ipynb", as_version=4), folder)
    assert {id: points(c) for id, c in graded.items()} == dict.fromkeys(graded, 0.0)
    said = {id: c.outputs[0]["text"] for id, c in graded.items()}
    assert "still blank" in said["rnea-hand"] and "not there yet" in said["rnea-outward"]
    assert "not written yet" in said["rnea-code"]


def test_broken_markers_are_named(tmp_path):
    for source, words in (("### BEGIN SOLUTION\nx = 1", "no ### END"), ("x = 1", "no ### BEGIN"),
                          ("### END SOLUTION", "no partner"), ("x = 1  ### BEGIN SOLUTION", "alone")):  # fmt: skip
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        nbformat.write(nb, tmp_path / "bad.ipynb")
        done = subprocess.run([sys.executable, ROOT / "scripts" / "student.py", "--out", tmp_path / "out",
                               tmp_path / "bad.ipynb"], capture_output=True, text=True)  # fmt: skip
        assert done.returncode and "bad.ipynb" in done.stderr and words in done.stderr
