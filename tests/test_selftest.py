"""Questions with checked answers, and the drawings of the chapters."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite import figures
from rbdlite.figures.power import _ANSWERS, _MOVES

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "book/questions.json"
SHEET = rbd.selftest.Sheet(PATH)


def test_the_sheet_is_used_whole():
    """Each question is asked in some notebook, unanswered, and no notebook asks for another one."""
    text = "".join(p.read_text("utf-8") for p in (ROOT / "book").glob("*.ipynb"))
    asked = re.findall(r'quiz\.ask\(\\"([\w-]+)\\", answer=None\)', text)
    assert set(asked) == set(SHEET.questions) and len(asked) == text.count("quiz.ask(")


@pytest.mark.parametrize("key", SHEET.questions)
def test_question(key):
    """Letters and values lead to the same verdict; every choice says something; a miss says what to read."""
    question = SHEET.questions[key]
    assert len({c["text"] for c in question.choices}) == len(question.choices) >= 3
    values = [c["value"] for c in question.choices if "value" in c]
    assert len({str(v) for v in values}) == len(values) and len(values) in (0, len(question.choices))
    for letter, choice in zip("abcd", question.choices, strict=False):
        said = SHEET.check(key, f"({letter.upper()})")
        assert said.startswith("✓" if choice.get("right") else "✗") and choice["says"] in said
        assert ("To read" in said) == (not choice.get("right") and bool(question.read))
        if "value" in choice:
            assert SHEET.check(key, choice["value"]) == said
    assert SHEET.check(key).startswith("Open") and question.ask in repr(question)
    assert SHEET.check(key, "a") in repr(SHEET.ask(key, "a")) and SHEET.ask(key).said == ""
    html = SHEET.ask(key)._repr_html_()
    assert html.count("<details>") == len(question.choices) and html.count('class="yes"') == 1


def test_numbers_are_judged_with_a_tolerance_and_unknown_ones_are_wrong():
    assert SHEET.check("lump", 2.3333).startswith("✓") and SHEET.check("lump", 2.4).startswith("✗ Not this.")
    assert SHEET.check("twist", [2, 0, 6.0]).startswith("✓") and SHEET.check("twist", [2, 0, 7]).startswith("✗")


def test_what_is_no_answer_is_refused():
    for call, says in [(lambda: SHEET.check("twist", "e"), "one of the letters a, b, c, d"),
                       (lambda: SHEET.check("twist", "ab"), "one of the letters"),
                       (lambda: SHEET.check("forces", 3), "answered by a letter: a, b, c, d"),
                       (lambda: SHEET.check("nothing", 3), "has no question 'nothing'; it has predict")]:  # fmt: skip
        with pytest.raises((ValueError, KeyError), match=says):
            call()


def test_a_question_has_one_right_choice(tmp_path):
    bad = {"x": {"ask": "?", "choices": [{"text": "a", "right": True}, {"text": "b", "right": True}]}}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    with pytest.raises(ValueError, match="question 'x' must have exactly one right choice"):
        rbd.selftest.Sheet(tmp_path / "bad.json")


def test_text_of_a_question_is_escaped():
    choices = [{"text": "<b>", "right": True, "says": "a < b"}, {"text": "c"}]
    html = rbd.selftest.Question("k", "λ(i) < i?", choices)._repr_html_()
    assert "λ(i) &lt; i?" in html and "&lt;b&gt;" in html and "a &lt; b" in html


def test_the_power_figure_shows_what_the_algebra_says():
    X = rbd.plucker(rbd.turn_about((0, 0, 1), np.pi / 2), (1, 0, 0))[2:5, 2:5].round(9)
    push = np.array([1, 0, 1])
    for _, motion, twist, power in _MOVES:
        assert push @ X @ motion == power
        assert twist == "({:.0f}; {:.0f}, {:.0f})".format(*(X @ motion + 0.0)).replace("-", "−")
    answers = [f for _, f, _ in _ANSWERS]
    inverse = np.linalg.inv(X)
    for right, f in zip((push, X.T @ push, X @ push, inverse.T @ push, inverse @ push), answers, strict=True):
        assert np.allclose(right, f)
    html = figures.power_of_a_force().html
    assert html.count("✓") + html.count("✗") == 15 and html.count('type="radio"') == 8
    ids = re.findall(r' id="([^"]+)"', html + figures.power_of_a_force().html)
    assert len(ids) == len(set(ids)), "two figures on a page must not share ids"


@pytest.mark.browser
def test_the_power_figure_asks_before_it_shows(offline_page):
    """Nothing is told before an answer; then each answer shows its three powers, each motion its own ghost."""
    page = offline_page(700, 700)
    page.set_content(figures.power_of_a_force().html)
    choose = page.locator("input[type=radio]")

    def seen(what):
        return page.locator(what).evaluate_all("""all => all.filter(x => { const s = getComputedStyle(x);
            return s.display != 'none' && s.visibility == 'visible' }).map(x => x.textContent)""")

    assert seen("td") == [] and seen("g.late") == [] and len(seen("input")) == len(_ANSWERS)
    for k, (_, f, says) in enumerate(_ANSWERS):
        choose.nth(k).check()
        marks = [text[-1] for text in seen("td[class^=a]")]
        assert marks == ["✓" if x == power else "✗" for x, (*_, power) in zip(f, _MOVES, strict=True)]
        assert seen("p") == [says]
    for k, (_, _, twist, _) in enumerate(_MOVES):
        choose.nth(len(_ANSWERS) + k).check()
        ghosts = seen("g.late")
        assert len(ghosts) == 1 and twist in ghosts[0]
    assert page.errors == [] and page.foreign == []


@pytest.mark.browser
def test_a_choice_opens_with_a_click_and_with_the_keyboard(offline_page):
    page = offline_page(700, 700)
    page.set_content(SHEET.ask("twist")._repr_html_())
    page.locator("summary").nth(1).click()
    assert page.locator("details[open]").count() == 1 and "Right" in page.locator("details[open]").inner_text()
    page.locator("summary").nth(0).press("Enter")
    assert page.locator("details[open]").count() == 2 and page.errors == []


def test_the_numbering_figure():
    says = str(figures.numberings([0, 1, 1, 2, 2, 3, 3], body=2))
    assert says == ("breadth first: the subtree of body 2 is [2, 4, 5], with gaps; "
                    "depth first: the subtree of body 2 is [2, 3, 4], one block.")  # fmt: skip


def test_drawings_are_well_formed():
    import xml.etree.ElementTree as ET

    arm = rbd.robots.planar_arm()
    drawings = [figures.walk_then_turn(), figures.accelerations(arm, [0, np.pi / 2], [1, 1], [0, 0], 2),
                figures.tree(rbd.robots.load("anymal"), "LF_HAA"), figures.numberings([0, 1, 2, 1]),
                figures.power_of_a_force()]  # fmt: skip
    for drawing in drawings:
        svg = re.search(r"<svg.*?</svg>", drawing.html, re.S).group()
        assert len(list(ET.fromstring(svg).iter())) > 5 and "nan" not in svg
    assert "(0, −1); r̈, classical = (0, 1)" in str(drawings[1])
    assert "subtree of body 2 (LF_HIP) is [2, 3, 4]" in str(drawings[2])
