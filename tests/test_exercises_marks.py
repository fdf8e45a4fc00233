"""Marks of numbers by hand: what is expected, values with too few decimals, and hints that fit all that was typed."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.exercise import check
from rbdlite.marking import mark
from rbdlite.mistakes import mistakes, variant
from rbdlite.mistakes.cases import bent_arm, hand_case, own_case
from rbdlite.typed import numbers

ABA = {(8, 4): [4, 0, 4], (8, 3): [3, 0, 3], (8, 2): [5, 0, 5], (8, 1): [7, 0, 7], (9, 4): 4, (9, 3): 3, (9, 2): 5,
       (9, 1): 7, (11, 4): 16, (11, 3): 27, (11, 2): -10, (11, 1): 77, (14, 4): [4, -36, 4], (14, 3): [21, -9, 21],
       (14, 2): [24, 13, 3], (20, 1): 1, (20, 2): -2, (20, 3): 1, (20, 4): 1}  # fmt: skip
LTDL = {(2, 4): 4, (2, 3): 3, (2, 2): 5, (2, 1): 7, (6, 4, 1): 1, (6, 3, 2): 1, (6, 3, 1): 2, (6, 2, 1): 1,
        (9, 4, 1, 1): 24, (9, 3, 2, 2): 5, (9, 3, 2, 1): 5, (9, 3, 1, 1): 12, (9, 2, 1, 1): 7}  # fmt: skip
BENT = {(9, 2): 0.33, (9, 1): 1.15, (11, 2): 1.7, (11, 1): 10.97, (20, 1): -0.34, (20, 2): 12.1}


def test_what_is_expected_is_said_for_this_quantity():
    assert "body 2): expected (n; fx, fy), a force, or six numbers" in check("aba-hand", ABA | {(14, 2): [24, 13]}).text
    assert "body 2): expected one number" in check("aba-hand", ABA | {(9, 2): [5, 5]}).text
    assert "expected (ω; vx, vy), a motion" in check("aba-hand", ABA | {(19, 2): [5, 5]}).text
    assert "expected three rows of three" in check("aba-hand", ABA | {(13, 2): [5, 5]}).text


def test_fractions_may_be_typed_as_text():
    assert check("ltdl-hand", LTDL | {(6, 2, 1): "5/5", (6, 3, 1): " 6 / 3", (2, 4): "4"}).passed
    assert check("aba-hand", ABA | {(14, 4): ["8/2", "−36", 4]}).passed
    assert numbers(["-1/3", "0.5/2"]).tolist() == [-1 / 3, 0.25]
    for text in ("1/0", "one", "1/2/3", "9" * 50 + "/1", "1/3; 2"):
        result = check("ltdl-hand", LTDL | {(6, 2, 1): text})
        assert "L_2,1 (line [6], k = 2, i = 1): expected one number" in result.text and "12 of 13" in result.text
    assert "same number in every place" in check("ltdl-hand", dict.fromkeys(LTDL, "9/1")).text


def test_the_right_value_with_too_few_decimals_is_said_to_be_close():
    result = check("aba-bent", BENT)
    assert result.points == 0 and result.text.count("close: give three decimals") == 6
    assert "not this value" not in result.text and result.mistakes == ()
    wrong = check("aba-bent", BENT | {(9, 2): 0.34, (11, 2): 2, (20, 1): 0.34})
    assert wrong.text.count("close: give three decimals") == 3 and wrong.text.count("not this value") == 3
    first = check("aba-bent", {k: 0.33 if k == (9, 2) else x for k, x in _right(bent_arm()).items()})
    assert first.text.count("close") == 1 and first.text.count("not this value") == 0


def _right(case):
    steps = [s for s in rbd.trace(rbd.aba, *case.given(rbd.aba)).steps if (s.line, s.index) in BENT]
    return {(s.line, s.index): s.value for s in steps}


def test_forgotten_gravity_is_called_that():
    row = mistakes(rbd.aba)["A29"]
    case = hand_case()
    without = dict(enumerate(variant(rbd.aba, "A29")(*case.given(rbd.aba)), 1))
    for typed in ({(20, 1): 11}, {(20, i): x for i, x in without.items()}):
        result = check("aba-hand", ABA | typed)
        assert result.mistakes == ("A29",) and row.says in result.text, result.text
    for number in range(4):
        case = own_case(number)
        answer = {(20, i): x for i, x in enumerate(variant(rbd.aba, "A29")(*case.given(rbd.aba)), 1)}
        result = check("aba-own", answer, own=number)
        assert result.mistakes == ("A29",) and "Nothing falls in your world." in result.text, (number, result.text)


def test_no_hint_speaks_of_the_parent_at_a_joint_on_the_base():
    case = own_case(1)
    for value in np.round(rbd.aba(*case.given(rbd.aba)), 3)[:1] + np.arange(-40, 40) / 2:
        assert "parent drags" not in check("aba-own", {(20, 1): value}, own=1).text.split("body 2")[0], value


def test_nothing_eliminated_is_asked_first():
    says = mistakes(rbd.ltdl)["L01"].says
    lines = check("ltdl-hand", LTDL | {(2, 2): 8, (2, 1): 28, (6, 2, 1): 11 / 8}).text.splitlines()
    after = [lines[k + 1].strip() for k, x in enumerate(lines) if "not this value" in x]
    assert after == [says] * 3
    none = {k: x for k, x in LTDL.items() if k[0] != 9} | {(2, 2): 8, (2, 1): 28, (6, 2, 1): 11 / 8}
    assert says in check("ltdl-hand", none).text


@pytest.mark.parametrize("id, own", [("ltdl-hand", None), ("ltdl-own", 1), ("ltdl-own", 2)])
def test_textbook_order_is_recognised(id, own):
    case = hand_case() if own is None else own_case(own)
    L, D = rbd.ldlt(case.M)
    answer = {(2, k + 1): D[k] for k in range(4)}
    answer |= {(6, k + 1, i + 1): L[k, i] for k in range(4) for i in range(k) if case.L[k, i] and own is not None}
    if own is None:
        answer = LTDL | answer | {(6, 4, 1): L[3, 0], (6, 3, 2): L[2, 1], (6, 3, 1): L[2, 0], (6, 2, 1): L[1, 0]}
    first, second = check(id, answer, own=own), check(id, answer, own=own, hint=2)
    assert "Which joint goes first?" in first.text and "L D Lᵀ" not in first.text and "hint=2" in first.text
    assert "the factors of M = L D Lᵀ" in second.text
    assert "Which joint" not in check("ltdl-hand", LTDL | {(2, 1): 9}).text


def test_a_composite_in_place_of_the_articulated_inertia_costs_each_body():
    typed = ABA | {(8, 2): [8, 3, 5], (9, 2): 8, (8, 1): [28, -1, 13], (9, 1): 28}
    result = check("aba-hand", typed, hint=2)
    assert "17 of 19" in result.text and result.text.count(mistakes(rbd.aba)["A08"].what) == 2
    case = hand_case()
    steps = rbd.trace(variant(rbd.aba, "A08"), *case.given(rbd.aba)).steps
    whole = {(s.line, s.index if s.index is not None else s.at["i"]): s.value for s in steps if s.kind == "write"
             if s.line in (8, 9, 11, 14, 20)}  # fmt: skip
    assert set(whole) == set(ABA)
    result = check("aba-hand", whole)  # with all that follows, as whoever believes it would have it
    assert result.points == 1.5 and result.mistakes == ("A08",)
    assert all(f"  U_{i} (line [8], body {i}): not this value" in result.text for i in (2, 1))


def test_a_value_is_called_as_the_pseudocode_calls_it():
    """The loops run over k, then i; the entry is W_ik, and u_i has one letter."""
    model, q = rbd.robots.squared_paper_tree(), rbd.robots.squared_paper_state()[0]
    marks = mark(rbd.minv, (model, q), {(18, 4, 1): 99.0, (14, 4, 1): 99.0}, [(18, 4, 1), (14, 4, 1)])
    assert [m.name for m in marks] == ["W_1,4", "u_1"] and marks[0].where == "k = 4, i = 1"


def test_a_proof_may_have_commas():
    right = "CFADBE"
    for text in (right, "C F A D B E", "C,F,A,D,B,E", "c, f, a, d, b, e", list(right)):
        assert check("crba-proof", text).points == check("crba-proof", right).points == 4


def test_what_changes_the_model_in_place_is_told_why():
    def mine(model, q):
        model, q = model.prepare(q=q)
        IC = list(model.I)
        for i in model.inward:
            IC[model.parent[i]] += model.XJ(i, q[i])
        return np.zeros((model.nv, model.nv))

    assert "changed in place there, as += does: write a = a + b" in check("crba-code", mine).text
