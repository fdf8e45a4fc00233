"""ipywidgets over the player and the storyboards: every move runs Python, and the reader's place stays."""

import re
import time
from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.widgets import composite, explore, factor, order_game, padlocks
from rbdlite.widgets.element import module_tags
from rbdlite.widgets.element import page as page_of

widgets = pytest.importorskip("ipywidgets")
STATE = rbd.robots.squared_paper_state()


def tree():
    return rbd.robots.squared_paper_tree()


def heavier(model, box):
    """The model with the masses of the box."""
    rows = zip(model.I[1:], model.mass[1:], box.values["m"], strict=True)
    return model.replace(inertias=[I / m * x if m else I for I, m, x in rows])


def html(output):
    return output.outputs[0]["data"]["text/html"]


def test_explore_fills_in_the_state():
    pytest.importorskip("ipywidgets")
    panda = rbd.robots.load("panda")
    rest = panda.neutral(), np.zeros(7), np.zeros(7)
    np.testing.assert_allclose(explore(rbd.rnea, panda).result, rbd.rnea(panda, *rest), rtol=1e-6, atol=1e-6)
    box = explore(rbd.rnea, panda, qdd=np.ones(7), title="from rest")
    np.testing.assert_allclose(box.result, rbd.rnea(panda, rest[0], rest[1], np.ones(7)), rtol=1e-6, atol=1e-6)
    box.sliders[7].value = 2
    np.testing.assert_allclose(box.values["qd"], 2 * np.eye(7)[0])
    with pytest.raises(TypeError, match="ltdl also needs M"):
        explore(rbd.ltdl, panda)
    with pytest.raises(TypeError, match="needs a Model after rnea; got list"):
        explore(rbd.rnea, [0.1])


def test_explore_runs_python_on_every_move():
    pytest.importorskip("ipywidgets")
    model, (q, qd, qdd) = tree(), STATE
    box = explore(rbd.rnea, model, q, qd, qdd)
    assert len(box.sliders) == 16 and "ipywidgets" not in box.player.html
    np.testing.assert_allclose(box.result, [154, 24, 21, 4])
    for k, slider in enumerate(box.sliders):
        before = box.result
        slider.value = slider.min + 0.31 * (slider.max - slider.min)
        assert not np.allclose(before, box.result), f"slider {k} changes nothing"
    now = [box.values[name] for name in ("q", "qd", "qdd")]
    heavier = model.replace(inertias=[I / m * x for I, m, x in
                                      zip(model.I[1:], model.mass[1:], box.values["m"], strict=True)])  # fmt: skip
    np.testing.assert_allclose(box.result, rbd.rnea(heavier, *now), rtol=1e-6)


STORYBOARDS = {"composite": composite, "padlocks": padlocks, "order_game": order_game, "factor": factor}


@pytest.mark.parametrize("name", STORYBOARDS)
def test_sliders_of_a_storyboard(name):
    model, what = tree(), STORYBOARDS[name]
    box = explore(what, model, STATE[0], **({"tau": [1, 2, 3, 4]} if name in ("padlocks", "order_game") else {}))
    assert len(box.sliders) == (12 if name in ("padlocks", "order_game") else 8)
    assert len(box.locks) == (4 if name == "padlocks" else 0) and not hasattr(box, "player")
    for slider in box.sliders:
        before = html(box.children[2])
        slider.value = slider.min + 0.31 * (slider.max - slider.min)
        first = slider.description.startswith("q1") and name in ("order_game", "factor")  # M does not depend on it
        assert first or html(box.children[2]) != before, slider.description
    now = heavier(model, box)
    if name == "padlocks":
        expected = rbd.held(now.replace(gravity=(0, 0, 0)), box.values["q"], np.zeros(4), box.values["tau"], [])
    else:
        expected = rbd.crba(now, box.values["q"])
    np.testing.assert_allclose(box.result, expected, rtol=1e-9)
    assert box.view.payload["demo"] == name


@pytest.mark.parametrize("name, most", [("panda", 7), ("anymal", 13), ("talos", 33)])
def test_a_padlock_for_each_joint_of_a_robot(name, most):
    model = rbd.robots.load(name)
    box = explore(padlocks, model)
    assert len(box.locks) == most
    rng = np.random.default_rng(2)
    box.sliders[[s.description[:2] for s in box.sliders].index("q2")].value = 40
    times, still = [], model.replace(gravity=(0, 0, 0))
    for k in rng.permutation(most)[:4]:
        start = time.perf_counter()
        box.locks[k].value = not box.locks[k].value
        times.append(time.perf_counter() - start)
        closed = [i for i, lock in enumerate(box.locks, 1) if lock.value]
        assert box.values["locked"].tolist() == box.view.payload["locked"] == closed
        expected = rbd.held(still, box.values["q"], np.zeros(model.nv), box.values["tau"], closed)
        np.testing.assert_allclose(box.result, expected, rtol=1e-9, atol=1e-12)
        assert box.locks[k].icon == "lock" and box.locks[k].tooltip.endswith("closed")
    assert sorted(times)[1] < 1, times
    told = box.view.payload["recorded"]
    np.testing.assert_allclose(told["locked"], np.diagonal(rbd.crba(still, box.values["q"])))
    run = rbd.trace(rbd.aba, still, box.values["q"], np.zeros(model.nv), box.values["tau"])
    D = {s.index: np.diagonal(s.value) for s in run.steps if s.name == "D"}
    np.testing.assert_allclose(told["free"], np.concatenate([D[i] for i in model.outward]))


def test_all_padlocks_at_once_is_one_move():
    box = explore(padlocks, tree(), STATE[0])
    shown, views = [], box.children[2]
    views.observe(lambda change: shown.append(change), names="outputs")
    close_all, open_all = box.children[0].children[0].children[1].children
    close_all.click()
    assert box.values["locked"].tolist() == [1, 2, 3, 4] and len(shown) == 1 and not box.result[0].any()
    open_all.click()
    assert box.values["locked"].tolist() == [] and len(shown) == 2


def test_held_has_padlocks_too():
    model, (q, qd, _) = tree(), STATE
    box = explore(rbd.held, model, q, qd, [16, -2, 3, 8], locked=["joint2"])
    assert [lock.value for lock in box.locks] == [False, True, False, False]
    box.locks[3].value = True
    expected = np.concatenate(rbd.held(model, q, qd, [16, -2, 3, 8], [2, 4]))
    np.testing.assert_allclose(box.result, expected, rtol=1e-6, atol=1e-6)
    assert box.player is box.view and box.player.payload["fn"] == "held"
    anymal = rbd.robots.load("anymal")
    box = explore(rbd.held, anymal)
    box.locks[0].value = True
    assert not box.result[:6].any()


def test_the_module_is_sent_once():
    box = explore(composite, tree(), STATE[0])
    script, data = box.children[1:]
    assert html(script).count("window.rbdBase ||=") == 1 and "rbdPlayerLoaded" not in html(script)
    first = html(data)
    box.sliders[0].value = 20
    assert "window.rbdBase" not in html(data) != first and html(script).count("window.rbdBase ||=") == 1


def test_a_value_outside_the_range_is_not_pulled_in():
    box = explore(composite, tree(), [4.0, 0, 0, 0])
    assert box.sliders[0].value == pytest.approx(np.degrees(4)) == box.sliders[0].max
    assert box.values["q"][0] == 4


def test_refusals_of_storyboards():
    with pytest.raises(TypeError, match="explore needs a Model after factor; got dict"):
        explore(factor, {"tree": tree()})
    with pytest.raises(TypeError, match="nothing"):
        explore(composite, tree(), nothing=3)
    with pytest.raises(ValueError, match="two to 6"):
        explore(order_game, rbd.robots.load("panda"))
    regrouped = rbd.regroup(rbd.robots.planar_arm([1, 2], [1, 1]))
    with pytest.raises(ValueError, match="regrouped model has no masses"):
        explore(padlocks, regrouped, masses=True)
    assert len(explore(padlocks, regrouped).sliders) == 4


# -- the reader's place, in a browser ---------------------------------------------------------------------------


@pytest.fixture
def show(offline_page, tmp_path):
    """show(box, width) -> a page with what the box shows; page.move() shows what it shows now. No error at the end."""
    pages = []

    def make(box, width=720):
        page = offline_page(width, 900, reduced_motion="reduce")
        page.set_default_timeout(5000)
        path = Path(tmp_path / f"{len(pages)}.html")
        path.write_text(page_of("<div id='out'></div>" + module_tags(html(box.children[2])), "box"), encoding="utf-8")
        page.goto(path.as_uri())

        def move():
            page.evaluate("html => {const out = document.querySelector('#out'); out.replaceChildren();"
                          "out.append(document.createRange().createContextualFragment(html))}", html(box.children[2]))
            page.wait_for_function("document.querySelector('#out > div').shadowRoot?.querySelector('.pl-head')")

        page.move = move
        move()
        pages.append(page)
        return page

    yield make
    for page in pages:
        assert page.errors == [] and page.foreign == []


def press(page, action, value=None):
    where = f'[data-a="{action}"]' + ("" if value is None else f'[data-v="{value}"]')
    page.locator(f"button{where}, [role=button]{where}").first.click()


def text(page, where):
    return " ".join(page.locator(where).first.inner_text().split())


@pytest.mark.browser
@pytest.mark.parametrize("robot", [False, True])
def test_composite_keeps_its_place(show, robot):
    model = rbd.robots.load("panda") if robot else tree()
    box = explore(composite, model, [0.1, -0.5, 0.3, -1.8, 0.2, 1.6, 0.7] if robot else STATE[0], pair=(2, 1))
    page = show(box)
    press(page, "tab", "masses")
    press(page, "tick", "1")
    press(page, "mass")
    press(page, "tab", "build")
    for _ in range(9):
        press(page, "step", "1")
    press(page, "sel", f"{model.n_bodies},1")
    before = text(page, ".say")
    assert not page.locator("[data-a=slide]").count(), "the page has no sliders of its own"
    box.sliders[model.n_bodies - 1 if robot else 3].value = 33
    box.sliders[-1].value *= 1.5
    page.move()
    entry = box.result[-1, 0]
    assert page.locator("[data-a=tab][aria-pressed=true]").inner_text() == "Build M" and text(page, ".say") != before
    shown = float(re.search(r"= (\S+?)\.? It sees", text(page, ".say"))[1].replace("−", "-"))
    assert shown == pytest.approx(entry, rel=6e-3)
    press(page, "sel", f"{model.n_bodies},1")
    assert f"step 10 of {len(box.view.payload['steps']['list'])}" in text(page, ".foot")
    press(page, "tab", "masses")
    assert page.locator(".chk.is-wrong").count() and page.locator("[data-a=mass-again]").count()


@pytest.mark.browser
def test_padlocks_keep_their_place(show):
    box = explore(padlocks, rbd.robots.load("panda"))
    page = show(box)
    press(page, "table", "felt")
    page.locator("[data-spin]").focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    turned = page.locator("[data-spin]").inner_html()
    assert not page.locator("[data-a=toggle], input[type=range]").count(), "Python has the padlocks and the sliders"
    press(page, "answer", "lighter|yes")
    box.locks[3].value = True
    page.move()
    assert page.locator("[data-a=table][aria-pressed=true]").inner_text() == "feels"
    assert page.locator(".lat .st").count() == 2 and page.locator(".btn.is-wrong").inner_text() == "yes"
    assert "Joint 4 locked: padlock 4 carries" in text(page, ".say")
    box.locks[3].value = False
    page.move()
    assert page.locator("[data-spin]").inner_html() == turned, "seen from where the reader had turned it"
    box.sliders[1].value = 40
    page.move()
    assert page.locator(".lat .st").count() == 1, "what was felt in another place is gone"
    press(page, "tab", "gather")
    press(page, "joint")
    press(page, "step", "1")
    box.sliders[5].value = 20
    page.move()
    assert text(page, ".big") == "joint 6 (panda_joint6): it yields" and "step 5 of 19" in text(page, ".foot")


@pytest.mark.browser
def test_game_and_factor_keep_their_place(show):
    box = explore(order_game, tree(), STATE[0])
    page = show(box)
    press(page, "predict")
    press(page, "take", "3")
    press(page, "take", "2")
    box.sliders[2].value = 25
    page.move()
    assert "order 4, 3" in text(page, ".foot")
    assert page.locator("[role=switch]").get_attribute("aria-checked") == "false"
    box = explore(factor, tree(), STATE[0])
    page = show(box)
    press(page, "answer", "factor-0|")
    press(page, "step", "-1")
    assert "Step 3 of 4" in text(page, ".say")
    box.sliders[2].value = 25
    page.move()
    assert "Step 3 of 4" in text(page, ".say")
