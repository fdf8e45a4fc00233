"""ipywidgets over the player and the storyboards: every move runs Python, and the reader's place stays."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hands import press

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
    with pytest.raises(TypeError, match="ltdl_solve also needs L"):
        explore(rbd.ltdl_solve, panda)
    with pytest.raises(TypeError, match="needs a Model after rnea; got list"):
        explore(rbd.rnea, [0.1])


def test_none_is_not_given_and_what_is_not_finite_is_refused_by_name():
    q, blank = [0.1, 0.2, 0.3, 0.4], np.full(4, np.nan)
    box = explore(rbd.rnea, tree(), q, None, qdd=None)
    np.testing.assert_allclose(box.result, rbd.rnea(tree(), q, [0] * 4, [0] * 4), atol=1e-6)
    assert len(box.sliders) == 16 and not box.values["qd"].any()
    np.testing.assert_allclose(explore(rbd.rnea, tree(), None, qdd=[1] * 4).values["q"], 0)
    assert explore(padlocks, tree(), None, None).values["tau"].tolist() == [1, 0, 0, 0]
    for name, x in (("qd", blank), ("qdd", blank), ("q", [0, 0, np.inf, 0])):
        with pytest.raises(rbd.StateError, match=f"explore: {name} must be n[qv] = 4 finite numbers; got .*(nan|inf)"):
            explore(rbd.rnea, tree(), **{name: x})
    with pytest.raises(rbd.StateError, match="explore: tau must be nv = 4 finite numbers; got .*nan"):
        explore(rbd.aba, tree(), q, None, blank)
    with pytest.raises(rbd.StateError, match="explore: b must be nv = 4 finite numbers"):
        explore(rbd.ltdl_solve, tree(), *rbd.ltdl(tree(), rbd.crba(tree(), q)), blank)


@pytest.mark.parametrize("masses", [[9, 9, 9, 9], "no", np.ones(4), 1])
def test_masses_is_yes_or_no(masses):
    with pytest.raises(TypeError, match=r"explore: masses says .*True, False or None; got (\[9|'no'|array|1)"):
        explore(rbd.rnea, tree(), masses=masses)
    for yes in (True, np.bool_(True), None):
        assert len(explore(rbd.crba, tree(), masses=yes).sliders) == 8
    assert len(explore(rbd.crba, tree(), masses=False).sliders) == 4


def test_arguments_that_do_not_fit_name_the_function_and_what_it_takes():
    for call in (lambda: explore(rbd.rnea, tree(), Q=[0] * 4), lambda: rbd.player(rbd.rnea, tree(), Q=[0] * 4)):
        with pytest.raises(TypeError, match="rnea: got an unexpected keyword argument 'Q'; rnea takes model, q, qd, "
                                            "qdd, f_ext; options are title, "):  # fmt: skip
            call()
    with pytest.raises(TypeError, match="crba: too many positional arguments; crba takes model, q"):
        explore(rbd.crba, tree(), [0] * 4, [0] * 4)
    with pytest.raises(TypeError, match="padlocks: got an unexpected keyword argument 'Q'; padlocks takes model, q, "):
        explore(padlocks, tree(), Q=[0] * 4)


def test_what_is_made_of_the_state_moves_with_it():
    pytest.importorskip("ipywidgets")
    for box in explore(rbd.ltdl, tree()), explore(rbd.ltdl, tree(), rbd.crba, at={"q": [0, 0, 0, 0]}):
        assert len(box.sliders) == 8 and box.sliders[7].description.startswith("m4")
        box.sliders[1].value, box.sliders[7].value = 90, 5
        L, D = rbd.ltdl(heavier(tree(), box), rbd.crba(heavier(tree(), box), box.values["q"]))
        np.testing.assert_allclose(box.result, [*L.ravel(), *D], rtol=1e-12)
        assert box.result[-1] == 5 and box.view.payload["steps"][1]["x"] == [5]
    with pytest.raises(TypeError, match="at='q' is for an argument given as a function"):
        explore(rbd.ltdl, tree(), np.eye(4), at={"q": [0] * 4})
    with pytest.raises(rbd.StateError, match="q must have nq = 4 numbers"):
        explore(rbd.ltdl, tree(), at={"q": [0] * 3})


def test_one_q_moves_an_argument_and_what_is_made_of_it():
    pytest.importorskip("ipywidgets")
    q, z = np.array([0.1, 0.2, 0.3, 0.4]), np.zeros(4)

    def hand(model, q):
        return rbd.jacobian(model, q, 4)

    box = explore(rbd.delassus, tree(), q, hand)
    np.testing.assert_array_equal(box.values["q"], q)
    box.sliders[0].value = 40
    now = [np.deg2rad(40), *q[1:]]
    np.testing.assert_allclose(box.result, rbd.delassus(tree(), now, hand(tree(), now)).ravel())
    still = explore(rbd.aba, tree(), q, z, rbd.gravity_torque)
    still.sliders[1].value = 30
    np.testing.assert_allclose(still.result, 0, atol=1e-9)


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
    still = model.replace(gravity=(0, 0, 0))
    for k in rng.permutation(most)[:4]:
        box.locks[k].value = not box.locks[k].value
        closed = [i for i, lock in enumerate(box.locks, 1) if lock.value]
        assert box.values["locked"].tolist() == box.view.payload["locked"] == closed
        expected = rbd.held(still, box.values["q"], np.zeros(model.nv), box.values["tau"], closed)
        np.testing.assert_allclose(box.result, expected, rtol=1e-9, atol=1e-12)
        assert box.locks[k].icon == "lock" and box.locks[k].tooltip.endswith("closed")
    told = box.view.payload["recorded"]
    np.testing.assert_allclose(told["locked"], np.diagonal(rbd.crba(still, box.values["q"])))
    run = rbd.trace(rbd.aba, still, box.values["q"], np.zeros(model.nv), box.values["tau"])
    D = {s.index: np.diagonal(s.value) for s in run.steps if s.name == "D"}
    np.testing.assert_allclose(told["D"], np.concatenate([D[i] for i in model.outward]))


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


# -- states that a function refuses, results, what is given ------------------------------------------------------


def test_a_state_that_is_refused():
    """Two hinges, the outer link without mass: its padlock may not be opened."""
    model = rbd.robots.planar_arm([1, 1], [1, 0])
    box = explore(rbd.held, model, locked=[2])
    good, player, data = box.result, box.player, html(box.children[2])
    assert box.error is None and good.shape == (4,) and "rbd-refused" not in data
    box.locks[1].value = False
    told = html(box.children[2])
    assert box.values["locked"].tolist() == [] and box.result is None and box.view is box.player is player
    assert "joint 2" in box.error and told.startswith('<div role="alert"') and "SingularError" in told
    assert box.error.split(":")[0] in told and told.endswith(data + "</div>") and "opacity" in told
    box.sliders[0].value = 20
    assert box.result is None, "still open"
    box.locks[1].value = True
    assert box.error is None and "rbd-refused" not in html(box.children[2]) and box.result.shape == good.shape
    box.sliders[0].value = 0
    np.testing.assert_array_equal(box.result, good)


def test_a_first_state_that_is_refused_can_be_left():
    box = explore(rbd.held, rbd.robots.planar_arm([1, 1], [1, 0]))
    assert box.view is None is box.result and "no picture yet" in html(box.children[2]) and "rbd-last" not in box.error
    box.locks[1].value = True
    assert box.error is None and box.result.shape == (4,) and html(box.children[1]).count("<script") == 1


@pytest.mark.parametrize("model, what", [([1, 0], padlocks), ([1, 0], order_game), ([1, 0], factor)])
def test_storyboards_refuse_states_too(model, what):
    arm = rbd.robots.planar_arm([1, 1], model)
    box = explore(what, arm)
    assert box.result is None and "joint 2" in box.error and 'role="alert"' in html(box.children[2])


def test_a_model_that_is_refused(monkeypatch):
    box = explore(rbd.rnea, tree())
    monkeypatch.setattr(sys.modules["rbdlite.widgets.explore"], "_with_masses", lambda *_: rbd.Model([0], [], [], []))
    box.sliders[0].value = 20
    assert box.result is None and "ModelError" in html(box.children[2])


def test_result_is_flat_whatever_the_function_returns():
    panda = rbd.robots.load("panda")
    q, zero = panda.neutral(), np.zeros(7)
    M = rbd.crba(panda, q)
    flat = np.concatenate([np.ravel(x) for x in rbd.all_terms(panda, q, zero)])
    np.testing.assert_array_equal(explore(rbd.all_terms, panda).result, flat)
    L, D = rbd.ltdl(panda, M)
    box = explore(rbd.ltdl, panda, M)
    np.testing.assert_array_equal(box.result, [*L.ravel(), *D])
    assert box.result.dtype == float and not box.sliders and box.children[0].layout.display == "none"


def test_sliders_only_for_what_counts():
    panda = rbd.robots.load("panda")
    L, D = rbd.ltdl(panda, rbd.crba(panda, panda.neutral()))
    box = explore(rbd.ltdl_solve, panda, L, D)
    assert list(box.values) == ["b"] and len(box.sliders) == 7, "no masses: nothing depends on them"
    np.testing.assert_array_equal(box.values["b"], np.eye(7)[0])
    box.sliders[2].value = 3
    np.testing.assert_array_equal(box.result, rbd.ltdl_solve(panda, L, D, [1, 0, 3, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="ltdl_solve takes no q"):
        explore(rbd.ltdl_solve, panda, L, D, masses=True)


def test_a_long_label_has_room_and_a_tooltip():
    talos = rbd.robots.load("talos")
    box = explore(padlocks, talos)
    long = max(box.sliders, key=lambda s: len(s.description))
    assert len(long.description) > 30
    for slider in box.sliders:
        room = int(slider.style.description_width.removesuffix("px"))
        assert slider.tooltip == slider.description and room >= min(7 * len(slider.description), 320)
        assert int(slider.layout.width.removesuffix("px")) >= room + 200


@pytest.mark.parametrize("what", [rbd.held, padlocks])
def test_one_locked_joint_alone(what):
    model = tree()
    for one, number in (("joint2", 2), (3, 3), (np.int64(3), 3), (["joint2", 4], [2, 4])):
        assert explore(what, model, locked=one).values["locked"].tolist() == np.ravel(number).tolist()
    assert padlocks(model, locked="joint2").payload["locked"] == [2]


REFUSED = {
    "explore: locked takes joints, names or numbers 1..4; 0 is the base": lambda: explore(rbd.held, tree(), locked=[0]),
    "explore: locked takes .* called 'elbow'": lambda: explore(rbd.held, tree(), locked="elbow"),
    "explore: locked takes .* got 1.5": lambda: explore(padlocks, tree(), locked=1.5),
    "padlocks: locked takes .* 0 is the base": lambda: padlocks(tree(), locked=[0]),
    "explore: lockable takes .* 0 is the base": lambda: explore(padlocks, tree(), lockable=[0]),
    "takes the function first, then the model": lambda: explore(tree(), rbd.held),
    "needs a function or a storyboard first; got list": lambda: explore([1], tree()),
    "explore: q must have nq = 4 numbers for this model; got 3": lambda: explore(rbd.rnea, tree(), [1, 2, 3]),
    "explore: qd must have nv = 4 .* got 5": lambda: explore(rbd.rnea, tree(), qd=np.ones(5)),
    "composite: q must have nq = 4 .* got 2": lambda: composite(tree(), [1, 2]),
    "padlocks: tau must have nv = 4 .* got 2": lambda: padlocks(tree(), tau=[1, 2]),
    "order_game: tau must have nv = 4 .* got 2": lambda: order_game(tree(), tau=[1, 2]),
    "explore: q must be nq = 4 numbers; got 'rest'": lambda: explore(rbd.rnea, tree(), "rest"),
    r"explore shows one state; q has shape \(2, 4\)": lambda: explore(rbd.rnea, tree(), np.zeros((2, 4))),
    "gravity_torque .* has no tagged line": lambda: explore(rbd.gravity_torque, tree()),
    "delassus also needs J": lambda: explore(rbd.delassus, tree()),
    "held: locked must be a list of joints": lambda: rbd.player(rbd.held, tree(), *STATE, "joint1"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refusals_name_what_was_given(words):
    with pytest.raises((TypeError, rbd.StateError, rbd.TraceError), match=words):
        REFUSED[words]()


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

        def move(picture="#out > div"):
            page.evaluate("html => {const out = document.querySelector('#out'); out.replaceChildren();"
                          "out.append(document.createRange().createContextualFragment(html))}", html(box.children[2]))
            page.wait_for_function(f"document.querySelector('{picture}').shadowRoot?.querySelector('.pl-head')")

        page.move = move
        move()
        pages.append(page)
        return page

    yield make
    for page in pages:
        assert page.errors == [] and page.foreign == []


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
    for _ in range(3):
        press(page, "step", "1")
    assert "Step 3 of 4" in text(page, ".say")
    box.sliders[2].value = 25
    page.move()
    assert "Step 3 of 4" in text(page, ".say")


# -- the step player ---------------------------------------------------------------------------------------------

PLAYER = "document.querySelector('#out .rbd-player').rbdPlayer"
WHERE = f"(p => [p.k, p.last, p.step.l, p.step.at])({PLAYER})"


@pytest.mark.browser
def test_the_player_keeps_line_and_loop_variables(show):
    box = explore(rbd.held, rbd.robots.load("panda"))
    page = show(box)
    close_all, open_all = box.children[0].children[0].children[1].children

    def where():
        page.move()
        return page.evaluate(WHERE)

    begin = where()
    k = next(k for k, s in enumerate(box.player.payload["steps"]) if s["l"] == 11 and s["at"]["i"] == 4)
    page.evaluate(f"{PLAYER}.goto({k}, true)")
    assert where()[2:] == [11, {"i": 4}]
    for closed in (True, False):
        box.locks[6].value = closed
        now, last, *step = where()
        assert step == [11, {"i": 4}] and (last < begin[1] if closed else [now, last] == [k, begin[1]])
    box.locks[3].value = True
    assert where()[2:] == [10, {"i": 4}], "the line is not run any more: the nearest before it"
    box.locks[5].value = True
    assert where()[2:] == [10, {"i": 4}]
    box.locks[3].value = False
    assert where()[2:] == [11, {"i": 4}], "it is back"
    page.evaluate(PLAYER + ".goto(1e9, true)")
    for button in (close_all, open_all):
        button.click()
        k, last, line, at = where()
        assert k == last and line == 27 and at == {"i": 7}


@pytest.mark.browser
def test_the_last_step_stays_the_last(show):
    """Also where it is another one: minv ends in column nv."""
    arms = [rbd.robots.planar_arm([1] * n, [1] * n) for n in (3, 2, 4)]
    players = [rbd.player(rbd.minv, arm, arm.neutral(), id="one", live=False) for arm in arms]
    output = SimpleNamespace(outputs=None)
    box = SimpleNamespace(children=[None, None, output])
    for n, player in zip((3, 2, 4), players, strict=True):
        output.outputs = [{"data": {"text/html": player.element()}}]
        if n == 3:
            page = show(box)
            page.evaluate(PLAYER + ".goto(1e9, true)")
        else:
            page.move()
        k, last, *step = page.evaluate(WHERE)
        assert k == last and step == [19, {"k": n - 1, "i": n}]


@pytest.mark.browser
def test_a_refused_state_is_told_in_the_page(show):
    box = explore(rbd.held, rbd.robots.planar_arm([1, 1], [1, 0]), locked=[2])
    page = show(box)
    page.evaluate(PLAYER + ".goto(9, true)")
    box.locks[1].value = False
    page.move("#out .rbd-player")
    alert = page.get_by_role("alert")
    assert "joint 2" in alert.inner_text() and "greyed" in alert.inner_text()
    picture = page.get_by_role("group", name="Last state that worked")
    assert float(picture.evaluate("x => getComputedStyle(x).opacity")) < 0.6
    assert alert.bounding_box()["y"] + alert.bounding_box()["height"] <= picture.bounding_box()["y"]
    assert page.evaluate(WHERE)[0] == 9
    box.locks[1].value = True
    page.move("#out .rbd-player")
    assert not page.get_by_role("alert").count() and page.evaluate(WHERE)[0] == 9
