"""Questions from the catalogue of mistakes, and the pictures of the RNEA chapter."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.figures.cut import arm_on_paper, cut_apart
from rbdlite.mistakes import mistakes
from rbdlite.quiz import question, vote

TREE = rbd.robots.squared_paper_tree()
MOVING = rbd.rnea, TREE, *rbd.robots.squared_paper_state()


def test_choices_are_the_right_value_and_those_of_the_mistakes():
    q = question("motor 1?", ["R28", "R29", "R30"], *MOVING, line=10, body=1)
    right = [c for c in q["choices"] if c.get("right")]
    assert [c["text"] for c in right] == ["154"]
    says = {c["text"]: c["says"] for c in q["choices"] if not c.get("right")}
    for id, text in ("R28", "11"), ("R29", "45"), ("R30", "70"):
        assert says[text] == f"{text} is what you get when {mistakes(rbd.rnea)[id].what}."


def test_a_wrong_choice_carries_the_motion_it_would_give():
    q = question("motor 1?", ["R28"], *MOVING, line=10, body=1)
    wrong = next(c for c in q["choices"] if not c.get("right"))
    tau = rbd.rnea(TREE, *rbd.robots.squared_paper_state()[:2], wrong["motion"])
    np.testing.assert_allclose(tau, [11, 0, 21, 4], atol=1e-9)


def test_the_player_takes_such_a_question():
    q = question("f₁?", ["R26", "R24", "R27"], *MOVING, line=11, body=4)
    stop = rbd.player(*MOVING, questions=[q]).payload["questions"][0]
    assert len(stop["choices"]) == 4 and "step" in stop


def test_a_mistake_that_cannot_be_seen_there_is_refused():
    with pytest.raises(ValueError, match="R33 adds no choice at line"):
        question("motor 1?", ["R33"], *MOVING, line=10, body=1)  # this tree has no rotors
    with pytest.raises(ValueError, match="also= adds no choice at line .* 154 is there already"):
        question("motor 1?", [], *MOVING, line=10, body=1, also={"154": "that is it"})
    with pytest.raises(ValueError, match=r"nothing is written at line \[10\] for {'i': 9}"):
        question("motor 9?", [], *MOVING, line=10, body=9)


def test_places_of_nested_loops_and_fractions():
    tree, (home, *_) = rbd.robots.squared_paper_tree(exact=True), rbd.robots.squared_paper_state(exact=True)
    q = question("joint 3?", ["V07"], rbd.minv, tree, home, line=18, at={"k": 3, "i": 3}, also={"0": "that is M₃₄"})
    assert [c["text"] for c in q["choices"] if c.get("right")] == ["1/7"]
    stop = rbd.player(rbd.minv, TREE, rbd.robots.squared_paper_state()[0], questions=[q]).payload["questions"][0]
    assert stop["step"] > 0 and len(stop["choices"]) == len(q["choices"])
    factor = question("M₁₁?", ["L10"], rbd.ltdl, tree, rbd.crba(tree, home), line=9, at={"k": 3, "i": 0, "j": 0})
    assert [c["text"] for c in factor["choices"] if c.get("right")] == ["24"]


def test_order_of_choices_is_fixed_by_the_question():
    orders = {tuple(c["text"] for c in question(f"motor 1, {k}", ["R28", "R29"], *MOVING, line=10, body=1)["choices"])
              for k in range(20)}  # fmt: skip
    assert len(orders) > 1
    a, b = (question("motor 1?", ["R28", "R29"], *MOVING, line=10, body=1) for _ in range(2))
    assert [c["text"] for c in a["choices"]] == [c["text"] for c in b["choices"]]


def test_a_vote_escapes_and_hides_what_it_reveals():
    v = vote({"ask": "a < b?", "choices": [{"text": "<b>", "right": True}, {"text": "no", "says": "x & y"}]})
    page = v._repr_html_()
    assert "a &lt; b?" in page and "&lt;b&gt;" in page and "x &amp; y" in page and "<details>" in page
    assert repr(v) == "a < b?\nA  <b>\nB  no"


def test_drawings_say_what_they_show():
    q = rbd.robots.squared_paper_state()[0]
    assert "bodies 3 and 4 have a single unknown" in cut_apart(TREE, q).says
    page = cut_apart(TREE, q).html
    assert page.count(">?<") == 4 and "1: 3 unknown" in page and "4: 1 unknown" in page
    assert arm_on_paper(TREE, q).html.count(" kg<") == 4
