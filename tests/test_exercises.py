"""Graded exercises: right answers get full marks, wrong ones the right feedback; student versions hold no solution."""

import copy
import inspect
import itertools
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
from rbdlite.grading import small
from rbdlite.grading.functions import seeds
from rbdlite.grading.table import HIDDEN
from rbdlite.grading.words import grade_order
from rbdlite.hand import sheet as hand_sheet
from rbdlite.marking import calculated, mark
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


def own(fn):
    """A copy of a function of the package: right, as somebody would write it."""
    return edited(fn, [], "own copy")


def typed_in(fn):
    """An untagged function of the package as somebody would write it, with what it calls in its file."""
    scope = dict(fn.__globals__)
    exec("\n\n".join(inspect.getsource(x) for x in (small.pattern, fn)), scope)
    return scope[fn.__name__]


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_right_numbers_get_full_marks(capsys):
    answer = values(rbd.rnea, hand_case(), HAND)
    assert answer[10, 1] == pytest.approx(154) and answer[6, 2] == pytest.approx([-1, 11, -1])
    result = check("rnea-hand", answer)
    assert result.passed and float(result) == 4 and "Well done" in capsys.readouterr().out
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
    assert result.points == 3.5 and "19 of 20 values count" in result.text
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
        wrong = [m for m in marks if m.verdict == "wrong"]
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
    assert "still blank: c_1, c_2" in result.text and result.text.count("expected (ω; vx, vy)") == 3
    assert "fB_1 (line [7], body 1): expected (n; fx, fy)" in result.text
    assert "14 of 20" in result.text and result.points == 3
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
        assert check("rnea-own", answer | {(10, 1): tau[0] + 1}, own=number).points == 9
        assert check("rnea-own", answer, own=number + 1).points < 9
    assert "number of your own tree" in check("rnea-own", {}).text


def test_lines_in_between_carry_a_slip_in_the_own_tree():
    case, slip = own_case(2), edited(rbd.rnea, [Edit(("c[i] = 0 * vJ[i] if i == 3 else crm(v[i]) @ vJ[i]",), 5)])
    torques = [(10, i) for i in (4, 3, 2, 1)]
    alone = check("rnea-own", values(slip, case, torques), own=2)
    shown = check("rnea-own", values(slip, case, [(6, 3), *torques]), own=2)
    assert alone.points < shown.points == 9


def test_sheets_print_what_is_given(capsys):
    sheet("rnea-hand")
    assert "masses 1, 2, 3, 4 kg" in capsys.readouterr().out
    sheet("rnea-own", own=5)
    assert "[10] τ_i" in capsys.readouterr().out


# -- functions ---------------------------------------------------------------------------------------------------------


def test_right_function_gets_full_marks():
    mine = own(rbd.rnea)
    assert check("rnea-code", mine).passed and check("rnea-outward", mine).passed
    assert check("rnea-columns", own(rbd.mass_matrix_by_rnea)).passed
    plain = check("rnea-code", lambda model, q, qd, qdd, f_ext: mine(model, q, qd, qdd, f_ext))
    assert plain.passed and "# [n]" in plain.text


def test_what_a_function_prints_does_not_bury_the_feedback(capsys):
    def chatty(model, q, qd, qdd, f_ext=None):
        print("here")
        return own(rbd.rnea)(model, q, qd, qdd, f_ext)

    assert check("rnea-code", chatty).passed
    assert capsys.readouterr().out.startswith("rnea-code: 10 of 10")


def test_another_order_is_right_but_said():
    reversed_ = edited(rbd.rnea, [Edit(("vJ[i] = S[i] @ qd[i]",), 2),
                                  Edit(("X[i] = model.XJ(i, q[i]) @ XT[i]",), 3)])  # fmt: skip
    result = check("rnea-code", reversed_)
    assert result.passed and "in the order of the pseudocode" in result.text
    again = edited(rbd.rnea, [Edit(("c[i] = crm(v[i]) @ vJ[i]", "c[i] = crm(v[i]) @ vJ[i]"), 5)])
    assert check("rnea-code", again).passed and "Step 6 is another one" in check("rnea-code", again).text


@pytest.mark.parametrize("id", list(ROWS)[::2])  # test_diagnose.py has them all
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
        tau = own(rbd.rnea)(model, q, qd, qdd, f_ext)
        model.I[1] = 2 * model.I[1]
        return tau

    result = check("rnea-code", spoils)
    assert not result.passed and "Call it twice" in result.text
    assert check("rnea-code", own(rbd.rnea)).passed


def test_lecturers_seed_gives_other_models(monkeypatch):
    from rbdlite.mistakes.cases import hard_case

    known = [rbd.rnea(*hard_case(s).args) for s in range(3)]

    def remembers(model, q, qd, qdd, f_ext=None):
        tau = own(rbd.rnea)(model, q, qd, qdd, f_ext)
        return tau if model.n_bodies < 6 or any(np.array_equal(tau, k) for k in known) else 0 * tau

    assert check("rnea-code", remembers).passed
    monkeypatch.setenv("RBDLITE_SEED", "20240")
    assert not check("rnea-code", remembers).passed and check("rnea-code", own(rbd.rnea)).passed


@pytest.mark.parametrize("seed", ["-3", "abc", "1.5", "7 8"])
def test_a_wrong_seed_is_told_to_the_lecturer(monkeypatch, capsys, seed):
    """It costs nobody points."""
    monkeypatch.setenv("RBDLITE_SEED", seed)
    for id, answer in (("rnea-code", own(rbd.rnea)), ("crba-test", lambda *x: True), ("rnea-hand", {})):
        with pytest.raises(ValueError, match=rf"RBDLITE_SEED must be a whole number, 0 or more.*got {seed!r}"):
            check(id, answer)
    assert "points" not in capsys.readouterr().out


@pytest.mark.parametrize("seed", ["", "  "])
def test_an_empty_seed_is_none(monkeypatch, seed):
    usual = seeds()
    monkeypatch.setenv("RBDLITE_SEED", seed)
    assert seeds() == usual and check("rnea-code", own(rbd.rnea)).passed
    monkeypatch.setenv("RBDLITE_SEED", "0 ")
    assert seeds() == (0, 1, 2)


PROOFS = [id for id, x in EXERCISES.items() if x.grade is grade_order]


def test_every_algorithm_has_a_proof():
    assert set(USES) == set(PROOFS) and {id.split("-")[0] for id in PROOFS} == {"rnea", "crba", "aba", "minv", "sparse"}


# for each line of a proof, the lines that it uses: read them beside the sentences in exercises/
USES = {
    "rnea-proof": {"F": "DA", "B": "F", "E": "BF", "C": "E"},
    "crba-proof": {"F": "C", "A": "F", "D": "A", "E": "DB"},
    "aba-proof": {"B": "D", "F": "B", "A": "BF", "E": "A", "C": "E"},
    "minv-proof": {"E": "B", "A": "B", "D": "A", "F": "D", "C": "EF"},
    "sparse-proof": {"F": "EC", "B": "F", "D": "B", "A": "DEF"},
}


@pytest.mark.parametrize("id", PROOFS)
def test_proof_in_every_order_that_stands(id):
    orders = ["".join(p) for p in itertools.permutations("ABCDEF")]
    shares = {o: EXERCISES[id].grade(o, 1, **EXERCISES[id].more)[0] for o in orders}
    stands = [o for o in orders if all(o.index(a) < o.index(b) for b, used in USES[id].items() for a in used)]
    assert [o for o in orders if shares[o] == 1] == stands and "ABCDEF" not in stands
    assert max(s for s in shares.values() if s < 1) < 0.5 and np.mean(list(shares.values())) < 0.1
    assert check(id, list(stands[0].lower())).passed and check(id, stands[0][::-1]).points == 0
    for answer in (..., "ABC", 7, "AABCDE", [1, 2]):
        assert check(id, answer).points == 0


# -- the other algorithms ----------------------------------------------------------------------------------------------

HANDS = [id for id, x in EXERCISES.items() if "lines" in x.more and "fn" in x.more and not id.startswith("rnea")]


def typed(id, fn=None, own=None):
    """The values asked in an exercise, as fn's lines (default: the right ones) give them, as somebody would type."""
    more = EXERCISES[id].more
    case = more["case"]() if own is None else more["case"](own)
    steps = [s for s in rbd.trace(fn or more["fn"], *case.given(more["fn"])).steps if s.kind == "write"]
    dofs = {name for s in steps for name, v in s.at.items() if v == 0}  # these count from 1
    found = {(s.line, *(int(v) + (name in dofs) for name, v in s.at.items())): s.value for s in steps}
    keys = [k for k in calculated(more["fn"], case.given(more["fn"])) if k[0] in more["lines"]]
    return {k: np.ravel(found[k])[2:5].tolist() if np.size(found[k]) == 6 else float(np.ravel(found[k])[0])
            for k in keys}  # fmt: skip


def test_hands_of_every_algorithm():
    assert {EXERCISES[id].more["fn"] for id in HANDS} == {rbd.crba, rbd.aba, rbd.minv, rbd.ltdl, rbd.ltdl_solve}


@pytest.mark.parametrize("id", HANDS)
def test_right_numbers_and_a_slip(id):
    own = {"own": 3} if "own" in id else {}
    answer = typed(id, **own)
    assert check(id, answer, **own).passed
    for key in list(answer)[:: max(1, len(answer) // 4)]:
        slip = np.array(answer[key]) + 1
        result = check(id, answer | {key: slip.tolist()}, **own)
        assert f"{len(answer) - 1} of {len(answer)} values" in result.text or "values count" in result.text
        assert not result.passed and f"line [{key[0]}]" in result.text
    assert check(id, dict.fromkeys(answer, ...), **own).points == 0


@pytest.mark.parametrize("id, mistake, line", [
    ("crba-hand", "C12", 12), ("aba-hand", "A01", 14), ("aba-hand", "A35", 20), ("minv-bent", "V10", 18),
    ("ltdl-hand", "L10", 9), ("solve-hand", "L21", 11),
])  # fmt: skip
def test_what_a_mistake_gives_is_named_and_carried(id, mistake, line):
    fn = EXERCISES[id].more["fn"]
    result = check(id, typed(id, variant(fn, mistake)), hint=2)
    assert not result.passed and mistake in result.mistakes and f"line [{line}]" in result.text
    assert mistakes(fn)[mistake].what in result.text


@pytest.mark.parametrize("id, line, code", [
    ("crba-hand", 6, "F = IC[i] @ S[i] + (i == 3)"),
    ("aba-hand", 9, "D[i] = S[i].mT @ U[i] + Ir[i] + (i == 2)"),
    ("minv-bent", 14, "u[i] = one[model.v_slice[i], k, None] - S[i].mT @ p[i] + (i == 1 and k == 1)"),
    ("ltdl-hand", 2, "D[k] = H[k][k] + (k == 2)"),
    ("solve-hand", 8, "x[k] = x[k] / D[..., k] + (k == 0)"),
])  # fmt: skip
def test_one_slip_costs_one_value(id, line, code):
    answer, slipped = typed(id), typed(id, edited(EXERCISES[id].more["fn"], [Edit((code,), line)]))
    assert sum(not np.allclose(answer[k], slipped[k]) for k in answer) > 1
    result = check(id, slipped)
    assert f"{len(answer) - 1} of {len(answer)} values count" in result.text
    assert "follow from your earlier values, and count" in result.text


def test_an_inertia_in_between_is_carried():
    wrong = [[4, 0, 3], [0, 3, 0], [3, 0, 3]]
    answer = typed("crba-hand")
    alone = answer | {(6, 3): wrong[0], (7, 3): 5}
    assert check("crba-hand", alone).points < 8
    slipped = check("crba-hand", alone | {(5, 4): [[0] * 3] * 3, (7, 1): 12}, hint=2)
    assert slipped.points < 8 and "M_1,1 (line [7], body 1)" in slipped.text
    assert "three rows of three" in check("crba-hand", answer | {(5, 4): [[1, 2], [3, 4]]}).text
    assert "expected (n; fx, fy)" in check("crba-hand", answer | {(6, 4): [[1, 2], [3, 4]]}).text


CODE = {"crba-code": rbd.crba, "aba-code": rbd.aba, "minv-code": rbd.minv, "ltdl-code": rbd.ltdl,
        "solve-code": rbd.ltdl_solve, "minv-times": rbd.minv_times}  # fmt: skip


@pytest.mark.parametrize("id", CODE)
def test_code_of_every_algorithm(id):
    """All mutants go through `diagnose` in test_mutants_dynamics.py; here, how some are graded."""
    fn = CODE[id]
    assert check(id, own(fn)).passed
    for row in [r for r in mistakes(fn).values() if r.id != "V19"][::9]:  # V19 is made with NumPy's inverse
        result = check(id, variant(fn, row.id), hint=3)
        assert not result.passed and row.id in result.mistakes and row.what in result.text
        assert not any(code in result.text for e in row.edits for code in e.code)
    assert check(id, lambda *a: None).points == 0 and check(id, 3).points == 0


def test_dense_factorisation_loses_some_points():
    result = check("ltdl-code", variant(rbd.ltdl, "L24"))
    assert result.points == 6 and result.mistakes == ("L24",) and "operations" in result.text


def plain_floats(model, M):
    """A factorisation that visits every pair and turns M into plain floats, so that no operation is counted."""
    H, L, D = np.array(M, dtype=float), np.eye(len(M)), np.zeros(len(M))
    for k in reversed(range(len(M))):
        D[k], L[k, :k] = H[k, k], H[k, :k] / H[k, k]
        H[:k, :k] -= np.outer(L[k, :k], H[k, :k])
    return L, D


def every_pair(model, L, D, b):
    x, L = np.array(b, dtype=float), np.array(L, dtype=float)
    for k in reversed(range(len(x))):
        x[:k] -= L[k, :k] * x[k]
    for k in range(len(x)):
        x[k] = x[k] / D[k] - L[k, :k] @ x[:k]
    return x


def test_every_pair_is_found_out_without_counting():
    for id, fn, sparse in (("ltdl-code", plain_floats, rbd.ltdl), ("solve-code", every_pair, rbd.ltdl_solve)):
        result, mine = check(id, fn), own(sparse)
        assert result.points == 0.75 * EXERCISES[id].points and "not related" in result.text
        assert check(id, lambda model, *args, mine=mine: mine(model, *(np.array(x, dtype=float) for x in args))).passed


def test_a_crash_on_joints_with_several_freedoms_keeps_a_part():
    result = check("crba-code", edited(rbd.crba, [Edit(("M[j, i] = M[i, j]",), 13)], "no transpose"))
    assert 2.5 <= result.points < 10 and "it stops with" in result.text and "one-dof joints" in result.text
    for error in (NotImplementedError, ValueError("x")):

        def stops(model, q, error=error):
            raise error

        assert check("crba-code", stops).points == 0


@pytest.mark.parametrize("id, fn, inside, outside", [
    ("crba-composites", rbd.crba, "C02", "C12"), ("aba-outward", rbd.aba, "A26", "A01"),
    ("aba-inward", rbd.aba, "A01", "A03"), ("minv-shared", rbd.minv, "V22", "V10"),
])  # fmt: skip
def test_one_pass_alone(id, fn, inside, outside):
    assert check(id, own(fn)).passed and check(id, variant(fn, outside)).passed
    result = check(id, variant(fn, inside))
    assert not result.passed and inside in result.mistakes and mistakes(fn)[inside].says in result.text
    assert mistakes(fn)[inside].what not in result.text and mistakes(fn)[inside].what in check(
        id, variant(fn, inside), hint=3).text  # fmt: skip


def test_detectors():
    def symmetric(model, q, M):
        return np.allclose(M, M.T)

    def too_strict(model, q, M):
        return np.array_equal(M, 0 * M)

    some = check("crba-test", symmetric, hint=2)
    assert 0 < some.points < 6 and "Not caught" in some.text and "C01" in some.mistakes
    assert check("crba-test", too_strict).points == 0 and "does not trust" in check("crba-test", too_strict).text
    assert check("crba-test", lambda model, q, M: True).points == 0
    assert "ZeroDivisionError" in check("minv-test", lambda model, q, W: 1 / 0).text
    borrowed = check("minv-test", lambda model, q, W: np.allclose(np.linalg.inv(rbd.crba(model, q)), W))
    assert borrowed.points == 0 and "crba" in borrowed.text
    mine = own(rbd.crba)
    assert check("minv-test", lambda model, q, W: np.allclose(np.linalg.inv(mine(model, q)), W)).passed


def test_states_that_expose():
    assert check("aba-state", ([0.3, 0.9], [1, 2], [0, 0])).passed
    assert check("aba-state", ([0, 0], [1, 2], [5, 1])).points == 0
    assert check("aba-state", ([0.3, 0.9], [0, 0], [5, 1])).points == 0
    assert mistakes(rbd.aba)["A01"].says in check("aba-state", ([0, 0], [0, 0], [0, 0])).text
    for answer in (3, None, ([0, 0], [1, 2]), ([0, np.nan], [0, 0], [0, 0]), "abc"):
        assert "Three lists" in check("aba-state", answer).text
    straight = {id for id, m in mistakes(rbd.aba).items() if {"q̇ = 0", "two links in one line"} <= set(m.agrees)}
    assert straight == set(HIDDEN)


def test_steps_in_time():
    def midpoint(accel, q, qd, dt):
        half = qd + dt / 2 * accel(q, qd)
        return q + dt * half, qd + dt * accel(q + dt / 2 * qd, half)

    assert check("aba-step", typed_in(small.rk4)).passed
    assert check("aba-step", midpoint).points == 2 and "order 4" in check("aba-step", midpoint).text
    assert check("aba-step", lambda accel, q, qd, dt: (q, qd)).points == 0
    assert check("aba-step", lambda accel, q, qd, dt: q).points == 0
    gained = {k: v for k, (v, _) in small.swing().items()}
    assert check("aba-swing", gained).passed and abs(gained["rk4"]) < 0.01 < gained["euler"]
    assert check("aba-swing", gained | {"rk4": -gained["rk4"]}).points == 1


def test_tables():
    counts = {k: v for k, (v, _) in small.chain_counts().items()}
    assert counts["panda, entries of M"] == 49 and counts["anymal, entries of M"] == 216
    assert check("sparse-counts", counts).passed
    result = check("sparse-counts", counts | {"panda, updates": 343}, hint=2)
    assert result.points == 1.5 and "ancestors" in result.text
    assert check("sparse-counts", 49).points == 0 and "still blank" in check("sparse-counts", {}).text
    steps = rbd.trace(rbd.ltdl, rbd.robots.load("panda"), np.eye(7)).steps
    assert sum(s.line in (6, 9) and s.kind == "write" for s in steps) == counts["panda, updates"]


def test_small_functions():
    assert check("sparse-fill", lambda λ, order: 0).points <= 1
    assert check("sparse-fill", typed_in(small.fill_in)).passed
    assert check("minv-felt", typed_in(small.felt)).passed and check("sparse-pattern", typed_in(small.pattern)).passed
    model = rbd.robots.load("anymal")
    M = rbd.crba(model, model.random(np.random.default_rng(0)))
    assert not M[~small.pattern(model.dof_parent)].any()
    squared_paper = (-1, 0, 1, 0)
    free = [order for order in itertools.permutations(range(4)) if small.fill_in(squared_paper, order) == 0]
    assert len(free) == 14 and (3, 2, 1, 0) in free
    result = check("minv-felt", lambda M, k: np.array([M[k, k], M[k, k]]))
    assert result.points == 1 and "another answer is right" in result.text
    assert check("sparse-pattern", lambda λ: λ).points == 0

    def spoils(M, k):
        M[0, 0] = 1
        return typed_in(small.felt)(M, k)

    assert "changes" in check("minv-felt", spoils).text


def test_free_text_shows_a_model_sentence_after_an_attempt():
    first = check("aba-why", {"sum": "no"})
    assert first.points == 0 and "articulated inertia" not in first.text
    second = check("aba-why", {"sum": "Because the outer bodies give way at their joints, of course."})
    assert second.points == 1 and "articulated inertia is no sum" in second.text
    assert check("aba-why", "sum").points == 0
    for nothing in ("a a a a a a a a", "So, so! So it is, it is, it is."):
        empty = check("crba-why", dict.fromkeys(("below", "zero", "cheaper"), nothing))
        assert empty.points == 0 and "8 different words" in empty.text and "Well done" not in empty.text


def test_sheets_name_what_they_lack():
    with pytest.raises(KeyError, match="aba-hand"):
        sheet("aba-code")
    with pytest.raises(ValueError, match="own=number"):
        sheet("ltdl-own")


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
    assert [p.stem for p in SOURCES] == ["aba", "crba", "minv", "rnea", "sparse"]


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
    assert all(c.metadata.nbgrader.points == EXERCISES[c.metadata.nbgrader.grade_id].points for c in graded)
    head = source.cells[0].source.replace("Forty-six", "46")
    assert f"{sum(c.metadata.nbgrader.points for c in graded)} points" in head.lower().replace("\n", " ")


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_student_version_runs_and_gets_no_points(path, folder):
    graded = run(nbformat.read(folder / path.name, as_version=4), folder)
    assert {id: points(c) for id, c in graded.items()} == dict.fromkeys(graded, 0.0)
    said = {id: c.outputs[0]["text"] for id, c in graded.items()}
    for id, text in said.items():
        kind = EXERCISES[id].grade.__name__
        assert {"grade_numbers": "still blank", "grade_lines": "not there yet", "grade_function": "not written yet",
                "grade_text": "still blank", "grade_table": "still blank"}.get(kind, "") in text, id  # fmt: skip


def test_broken_markers_are_named(tmp_path):
    for source, words in (("### BEGIN SOLUTION\nx = 1", "no ### END"), ("x = 1", "no ### BEGIN"),
                          ("### END SOLUTION", "no partner"), ("x = 1  ### BEGIN SOLUTION", "alone")):  # fmt: skip
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        nbformat.write(nb, tmp_path / "bad.ipynb")
        done = subprocess.run([sys.executable, ROOT / "scripts" / "student.py", "--out", tmp_path / "out",
                               tmp_path / "bad.ipynb"], capture_output=True, text=True)  # fmt: skip
        assert done.returncode and "bad.ipynb" in done.stderr and words in done.stderr
