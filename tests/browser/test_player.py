"""The step player in a real browser: pages made by `rbd.player`, opened from disk, the network refused."""

import json
import statistics

import numpy as np
import pytest
from hands import move_every_slider, with_a_fixed_joint

import rbdlite as rbd
from rbdlite.quiz import vote
from rbdlite.widgets.element import module_tags
from rbdlite.widgets.questions import find

STATE = rbd.robots.squared_paper_state()
ASK = dict(line=10, body=1, ask="Is it nearer 11 or 150?", choices=[
    dict(text="11", says="11 is what you get when no child hands its force inward.", motion=[-5, 2, 1, 1]),
    dict(text="154", right=True)])  # fmt: skip


def tree():
    return rbd.robots.squared_paper_tree()


def panda():
    model, rng = rbd.robots.load("panda"), np.random.default_rng(1)
    return model, [0.3, -0.6, 0.2, -1.9, 0.3, 1.6, 0.5], rng.uniform(-1, 1, 7), rng.uniform(-2, 2, 7)


@pytest.fixture
def show(offline_page, tmp_path):
    """show(player, width, ...) -> an open page; at the end nothing foreign was asked for and nothing went wrong."""
    pages = []

    def opened(player, width=784, height=1000, **options):
        page = offline_page(width, height, **options)
        page.goto(player.save(tmp_path / f"{len(pages)}.html").as_uri())
        page.wait_for_function("document.querySelector('.rbd-player').rbdPlayer")
        pages.append(page)
        return page

    yield opened
    assert pages
    for page in pages:
        assert page.foreign == [] and page.errors == []


def on(page, what):
    """A value of the player's own state, as `k` or `rec.result`."""
    return page.evaluate(f"document.querySelector('.rbd-player').rbdPlayer.{what}")


def rnea_player(**options):
    return rbd.player(rbd.rnea, tree(), *STATE, **options)


def last(player):
    return len(player.payload["steps"]) - 1


def test_to_the_end_by_button_and_by_key(show):
    player = rnea_player(predict=False)
    page = show(player)
    for k in range(last(player)):
        assert on(page, "k") == k
        page.click("[data-a=step]")
    assert on(page, "k") == last(player)
    assert page.is_disabled("[data-a=step]")
    assert page.locator(".talk .led tr").nth(1).inner_text().split()[-4:] == ["154", "24", "21", "4"]
    page.keyboard.press("Home")
    assert on(page, "k") == 0
    for k in range(last(player)):
        page.keyboard.press("ArrowRight")
        assert on(page, "k") == k + 1
    page.keyboard.press("ArrowLeft")
    assert on(page, "k") == last(player) - 1
    page.keyboard.press("Home")
    page.keyboard.press("b")
    assert on(page, "step.body") == 2
    page.keyboard.press("p")
    assert on(page, "step.pass") == 1
    page.keyboard.press("End")
    assert on(page, "k") == last(player)


def test_keys_do_nothing_without_focus(show):
    page = show(rnea_player(predict=False))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert on(page, "k") == 0


def test_each_step_says_its_sentence(show):
    player = rnea_player(predict=False)
    page = show(player)
    page.click("[data-a=step]")
    live = page.locator("[aria-live]")
    said = {live.inner_text()}
    for _ in range(last(player) - 1):
        page.click("[data-a=step]")
        said.add(live.inner_text())
    assert "{" not in "".join(said)
    assert any("body 3" in s for s in said) and len(said) > 30


@pytest.mark.parametrize("case", ["tree", "panda", "bias"])
def test_sliders_compute_what_python_computes(show, case):
    if case == "tree":
        player, model, given = rnea_player(), tree(), STATE
    elif case == "panda":
        model, *given = panda()
        player = rbd.player(rbd.rnea, model, *given)
    else:
        model = rbd.robots.planar_arm((1, 0.7, 0.4), (2, 1, 0.5))
        given = [0.3, -0.4, 1.1], [1, -2, 0.5], [0, 0, 0]
        player = rbd.player(rbd.rnea, model, *given, sliders=["q", "qd", "qdd", "m"])
    page = show(player)
    page.click("[data-a=change]")
    sliders = player.payload["sliders"]
    assert page.locator(".sl input[type=range]").count() == len(sliders) >= 12
    inputs = move_every_slider(page, player, lambda: on(page, "rec.result"), seed=5)
    masses = inputs.pop("m", None)
    if masses is not None:
        bodies = zip(model.I[1:], model.mass[1:], masses, strict=True)
        model = model.replace(inertias=[I / m * new for I, m, new in bodies])
    want = rbd.rnea(model, *inputs.values())
    np.testing.assert_allclose(on(page, "rec.result"), want, rtol=1e-5, atol=1e-6)
    on(page, "goto(1e9, true)")
    run = rbd.trace(rbd.rnea, model, *inputs.values())
    for step, there in zip(run.steps, on(page, "rec.steps.map(s => s.x || null)"), strict=True):
        if step.kind == "write":
            np.testing.assert_allclose(there, np.ravel(step.value), rtol=1e-5, atol=1e-5)
    page.click("[data-a=reset]")
    np.testing.assert_allclose(on(page, "rec.result"), player.payload["result"])
    page.locator("input[type=range]").first.press("ArrowRight")
    assert on(page, "rec.changed")


MOVED = {"aba": (rbd.aba, ("q", "qd", "tau", "m"), [STATE[0], STATE[1], np.array([3, 1, 2, 0.5])]),
         "minv": (rbd.minv, ("q", "m"), [STATE[0]]), "crba": (rbd.crba, ("q", "m"), [STATE[0]]),
         "mass_matrix_by_rnea": (rbd.mass_matrix_by_rnea, ("q", "m"), [STATE[0]]),
         "minv_times": (rbd.minv_times, ("q", "x", "m"), [STATE[0], np.array([1, -2, 3, 0.5])]),
         "delassus": (rbd.delassus, ("q", "m"), [STATE[0], np.tri(4)])}  # fmt: skip


def seen(page):
    """All numbers of a player, and where the arm is drawn (turning joint 1 changes no entry of M)."""
    return [on(page, f"rec.{x}") for x in ("steps.map(s => s.x)", "result", "poses")]


@pytest.mark.parametrize("name", MOVED)
def test_sliders_of_other_algorithms_compute_what_python_computes(show, name):
    fn, args, given = MOVED[name]
    player = rbd.player(fn, tree(), *given, sliders=args, predict=False)
    page = show(player)
    page.click("[data-a=change]")
    inputs = move_every_slider(page, player, lambda: seen(page), seed=8)
    old, bodies = tree(), []
    for I, m, new in zip(old.I[1:], old.mass[1:], inputs.pop("m"), strict=True):
        bodies.append(I / m * new)
    model = old.replace(inertias=bodies)
    run = rbd.trace(fn, model, *inputs.values(), *given[len(inputs):])  # what no slider moves comes last
    np.testing.assert_allclose(on(page, "rec.result"), np.ravel(run.result), rtol=1e-5, atol=1e-6)
    for step, x in zip(run.steps, on(page, "rec.steps.map(s => s.x || null)"), strict=True):
        if step.kind == "write" and x is not None:
            np.testing.assert_allclose(x, np.ravel(step.value), rtol=1e-5, atol=1e-5)


def pivots(model, q):
    return rbd.ltdl(model, rbd.crba(model, q))[1]


def rows(model, q):
    return rbd.ltdl(model, rbd.crba(model, q))[0]


@pytest.mark.parametrize("fn, given, args, made", [
    (rbd.ltdl, [rbd.crba], ("q", "m"), lambda model, q: [rbd.crba(model, q)]),
    (rbd.ltdl_solve, [rows, pivots, [16, -2, 3, 8]], ("q", "m", "b"),
     lambda model, q, b: [rows(model, q), pivots(model, q), b])], ids=["ltdl", "ltdl_solve"])  # fmt: skip
def test_sliders_move_the_state_of_which_an_argument_is_made(show, fn, given, args, made):
    """M, L and D are functions of q; every step and what a line reads (H before it is written) follow the sliders."""
    player = rbd.player(fn, tree(), *given, at={"q": STATE[0]}, sliders=args, predict=False)
    page = show(player)
    page.click("[data-a=change]")
    inputs = move_every_slider(page, player, lambda: seen(page), seed=8)
    bodies = [I / m * x for I, m, x in zip(tree().I[1:], tree().mass[1:], inputs.pop("m"), strict=True)]
    model = tree().replace(inertias=bodies)
    run = rbd.trace(fn, model, *made(model, **inputs))
    if fn is rbd.ltdl_solve:
        np.testing.assert_allclose(on(page, "rec.result"), run.result, rtol=1e-5, atol=1e-6)
    for step, x in zip(run.steps, on(page, "rec.steps.map(s => s.x || null)"), strict=True):
        if step.kind == "write" and x is not None:
            np.testing.assert_allclose(x, np.ravel(step.value), rtol=1e-5, atol=1e-5)
    there = on(page, "rec.env")
    assert set(there) >= ({"H"} if fn is rbd.ltdl else {"L", "D", "x"})
    for name, at, value in run.entries(there):
        np.testing.assert_allclose(there[name][at]["x"], np.ravel(value), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("fn, more", [(rbd.all_terms, {}), (rbd.held, {"tau": [16, -2, 3, 8], "locked": ["joint2"]})],
                         ids=["record", "tuple"])  # fmt: skip
def test_sliders_of_functions_that_return_several_arrays(show, fn, more):
    q, qd, _ = (np.array(x, dtype=float) for x in STATE)
    page = show(rbd.player(fn, tree(), q, qd, **more, predict=False))
    page.click("[data-a=change]")
    box = page.locator("input[type=number][data-s='1']")
    box.fill("20")
    box.dispatch_event("change")
    q[1] = np.deg2rad(20)
    run = rbd.trace(fn, tree(), q, qd, **more)
    there = on(page, "rec.steps.map(s => s.x || null)")
    for step, x in zip(run.steps, there, strict=True):
        if step.kind == "write" and x is not None:
            np.testing.assert_allclose(x, np.ravel(step.value), rtol=1e-5, atol=1e-5)
    on(page, "goto(1e9, true)")


def test_every_button_does_something(show):
    page = show(rnea_player(questions=[ASK], step=(2, 2)), 784, 1400)
    page.click("[data-a=change]")
    page.locator("input[type=number]").first.fill("10")
    state = "const p = document.querySelector('.rbd-player').rbdPlayer; JSON.stringify([p.k, p.pl.innerHTML])"
    tried = set()

    def press(selector):
        before = page.evaluate(f"(() => {{ {state.replace('JSON', 'return JSON')} }})()")
        page.click(selector)
        after = page.evaluate(f"(() => {{ {state.replace('JSON', 'return JSON')} }})()")
        assert before != after, f"{selector} does nothing"
        tried.add(selector)

    press("[data-a=reset]")
    for a in ("back", "step", "body", "pass", "predict", "predict", "change"):
        press(f"[data-a={a}]")
    for view in ("tree", "matrix", "arm", "equation"):
        press(f"[data-open={view}]")
    for mode in ("words", "code", "sym", "hidden", "sym"):
        press(f"[data-mode={mode}]")
    for lang in ("zh", "en"):
        press(f"[data-lang={lang}]")
    press("[data-fold=arm]")
    press("[data-open=matrix]")
    for name in page.eval_on_selector_all("[data-pick]", "all => all.map(b => b.dataset.pick)"):
        if name:
            press(f"[data-pick={name}]")
    press("[data-pick='']")
    press("[data-fold=matrix]")
    on(page, f"goto({find(rbd.trace(rbd.rnea, tree(), *STATE).steps, (10, 1))})")
    press("[data-o='1']")
    press("[data-a=again]")
    press("[data-a=show]")
    names = """all => all.map(b => ['a', 'open', 'fold', 'mode', 'lang', 'o'].filter(x => x in b.dataset)
        .map(x => `[data-${x}=${b.dataset[x]}]`)[0])"""
    left = page.eval_on_selector_all("button:not(:disabled)", names)
    left = {x for x in left if x and x not in tried}
    assert left <= {"[data-fold=equation]"}, f"buttons never tried: {left}"


def test_predict_asks_waits_and_acts_out_a_wrong_answer(show):
    player = rnea_player(questions=[ASK])
    k = player.payload["questions"][0]["step"]
    page = show(player)
    page.click("[data-a=pass]")
    page.click("[data-a=pass]")
    assert on(page, "k") == k and on(page, "masked")
    assert page.is_disabled("[data-a=step]") and page.locator(".opts .btn").count() == 3
    page.keyboard.press("ArrowRight")
    assert on(page, "k") == k
    assert "154" not in page.inner_text(".nums .res") and "154" not in page.inner_text(".talk .qn")
    page.click("[data-o='0']")
    assert ASK["choices"][0]["says"] in page.inner_text(".fb")
    assert page.locator(".lk.ghost").count() == page.locator(".lk.real").count() == 4
    page.wait_for_timeout(300)
    moved = "e => [...e.querySelectorAll('.lk.%s')].map(g => g.getBoundingClientRect().top)"
    ghost, real = (page.eval_on_selector(".pane.arm", moved % kind) for kind in ("ghost", "real"))
    assert max(abs(a - b) for a, b in zip(ghost, real, strict=True)) > 5
    page.reload()
    page.wait_for_function("document.querySelector('.rbd-player').rbdPlayer")
    on(page, f"goto({k})")
    assert ASK["choices"][0]["says"] in page.inner_text(".fb"), "the answer is kept"
    page.click("[data-a=again]")
    assert on(page, "masked")
    page.click("[data-a=show]")
    assert not on(page, "masked") and page.locator(".is-right").inner_text() == "154"


def test_questions_made_from_the_record_have_one_right_answer(show):
    for player in (rnea_player(), rbd.player(rbd.rnea, *panda())):
        page = show(player)
        found = on(page, "questions")
        assert len(found) >= 2
        for k, q in found.items():
            right = [c for c in q["choices"] if c.get("right")]
            assert len(right) == 1 and right[0]["x"] == player.payload["steps"][int(k)]["x"]
            assert len({c["html"] for c in q["choices"]}) == len(q["choices"]) > 2
            assert all(c.get("says") for c in q["choices"] if not c.get("right"))


def test_without_javascript_functions_there_are_no_sliders(show):
    page = show(rnea_player(live=False))
    assert page.locator("[data-a=change]").count() == 0


@pytest.mark.parametrize("case", ["tree", "panda"])
def test_a_step_is_drawn_within_50_ms(show, case):
    player = rnea_player() if case == "tree" else rbd.player(rbd.rnea, *panda())
    page = show(player)
    times = page.evaluate("""() => { const p = document.querySelector('.rbd-player').rbdPlayer, out = [];
        for (const open of [['arm', 'equation'], ['tree', 'matrix']]) { p.open = open;
            for (let k = 0; k <= p.last; k++) { const t = performance.now(); p.goto(k, true); void p.pl.offsetHeight;
                out.push(performance.now() - t); } }
        return out; }""")
    assert len(times) == 2 * len(player.payload["steps"])
    assert statistics.median(times) < 50, statistics.median(times)


LAYOUT = {"tree": lambda **o: rnea_player(**o), "panda": lambda **o: rbd.player(rbd.rnea, *panda(), **o),
          "aba": lambda **o: rbd.player(rbd.aba, tree(), STATE[0], STATE[1], [3, 1, 2, 0.5], **o)}  # fmt: skip


@pytest.mark.parametrize("width", [360, 720, 1280])
@pytest.mark.parametrize("views", [("arm", "equation"), ("tree", "matrix")])
@pytest.mark.parametrize("case", LAYOUT)
def test_nothing_runs_over_and_nothing_jumps(show, case, width, views):
    page = show(LAYOUT[case](open=views, predict=False), width, 800)
    page.click("[data-a=change]")
    if width == 1280:
        page.add_style_tag(content="body { max-width: none }")
    page.wait_for_timeout(100)
    wide, heights = [], set()
    for k in range(on(page, "last") + 1):
        wide.append(on(page, f"goto({k}), document.documentElement.scrollWidth"))
        heights.add(on(page, "pl.offsetHeight"))
    assert max(wide) <= width
    assert max(heights) - min(heights) <= 1, heights
    small = page.evaluate("""() => [...document.querySelector('.rbd-player').rbdPlayer.pl.querySelectorAll('*')]
        .filter(e => e.checkVisibility() && e.childElementCount === 0 && e.textContent.trim()
            && !e.closest('svg, sub, sup, .ss, .vh') && parseFloat(getComputedStyle(e).fontSize) < 12)
        .map(e => e.outerHTML)""")
    assert small == []


@pytest.mark.parametrize("width", [754, 1280])
def test_questions_do_not_change_the_height(show, width):
    page = show(rnea_player(questions=[ASK]), width, 800)
    if width == 1280:
        page.add_style_tag(content="body { max-width: none }")
        page.wait_for_timeout(100)
    heights = {on(page, "pl.offsetHeight")}
    on(page, f"goto({find(rbd.trace(rbd.rnea, tree(), *STATE).steps, (10, 1))})")
    heights.add(on(page, "pl.offsetHeight"))
    page.click("[data-o='0']")
    heights.add(on(page, "pl.offsetHeight"))
    assert max(heights) - min(heights) <= 1, heights
    if width == 754:
        assert max(heights) <= 760, "a player in a column of 720 px"


@pytest.mark.parametrize("case, width", [("tree", 754), ("aba", 754), ("panda", 1280), ("aba", 360)])
def test_the_bar_is_in_sight_at_any_width(show, case, width):
    page = show(LAYOUT[case](), width, 720)
    page.add_style_tag(content="body { padding-top: 500px; padding-bottom: 1500px; max-width: none }")
    dock = "document.querySelector('.rbd-player').rbdPlayer.root.querySelector('.dock')"
    top, height = on(page, "host.getBoundingClientRect().top"), on(page, "pl.offsetHeight")
    for scroll, stuck in [(top - 10, height > 710), (top - 350, True), (top + height - 600, False)]:
        page.evaluate(f"scrollTo(0, {scroll})")
        page.wait_for_function(f"{dock}.classList.contains('stuck') === {str(stuck).lower()}", timeout=2000)
        step = page.locator("[data-a=step]").bounding_box()
        assert 0 <= step["y"] and step["y"] + step["height"] <= 720
        shadow = page.evaluate(f"getComputedStyle({dock}).boxShadow")
        assert (shadow != "none") == stuck


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_dots_are_drawn(show, lang):
    page = show(rbd.player(rbd.aba, tree(), *STATE, lang=lang, predict=False))
    on(page, "goto(1e9, true)")
    page.click("[data-a=change]")
    dots = page.locator(".rbd-player i[aria-label='q̈'], .rbd-player i[aria-label='q̇']")
    assert dots.count() >= 6
    look = """e => { const c = getComputedStyle(e, '::before');
        return [getComputedStyle(e).fontFamily, c.borderRadius, c.width > '0px', c.boxShadow !== 'none'] }"""
    for dot in dots.all():
        font, corner, drawn, second = dot.evaluate(look)
        assert "STIX" in font and corner == "50%" and drawn and second == (dot.get_attribute("aria-label") == "q̈")
    marks = r"""() => { const p = document.querySelector('.rbd-player').rbdPlayer, found = [];
        for (const open of [['arm', 'equation'], ['tree', 'matrix']]) { p.open = open;
            for (let k = 0; k <= p.last; k++) { p.goto(k, true);
                const all = document.createTreeWalker(p.pl, NodeFilter.SHOW_TEXT);
                while (all.nextNode()) if (/[\u0300-\u036f]/.test(all.currentNode.data)
                    && !all.currentNode.parentElement.closest('.vh')) found.push(all.currentNode.data); } }
        return found }"""
    assert page.evaluate(marks) == []
    assert "q̈" in on(page, "pl.querySelector('.vh').textContent") or "q̈" not in page.inner_text(".said")


def test_chinese_titles_of_the_passes(show):
    page = show(rbd.player(rbd.aba, tree(), *STATE, lang="zh"))
    assert page.locator(".scrub-l span").all_inner_texts() == ["1 向外", "2 向内", "3 再次向外"]
    page.click("[data-lang=en]")
    assert page.locator(".scrub-l span").all_inner_texts() == ["1 outward", "2 inward", "3 outward again"]


def test_titles_of_the_views_are_whole(show):
    page = show(rnea_player(), 720 + 32)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    assert page.eval_on_selector_all(".pane-h, .pane-h .tt", cut) == []


def test_a_line_that_writes_nothing_keeps_the_last_picture(show):
    page = show(rnea_player(open=("tree", "matrix"), predict=False))
    head = find(rbd.trace(rbd.rnea, tree(), *STATE).steps, (1, 2))
    on(page, f"goto({head - 1})")
    before = page.inner_text(".pane.matrix .hm")
    on(page, f"goto({head})")
    assert page.inner_text(".pane.matrix .past .hm") == before
    assert "no value is written" in page.inner_text(".pane.matrix")
    assert float(page.eval_on_selector(".pane.matrix .past", "e => getComputedStyle(e).opacity")) < 0.6
    on(page, f"goto({head + 1})")
    assert page.locator(".pane.matrix .past").count() == 0
    inward = find(rbd.trace(rbd.rnea, tree(), *STATE).steps, (10, 4))
    on(page, f"goto({inward})")
    assert page.locator(".pane.tree .past .arr").count() > 0 and "no message" in page.inner_text(".pane.tree")


def put_in(page):
    return " ".join(page.inner_text(".nums .row").replace("\u2009", " ").split())


def steps_of(player, line):
    return [k for k, s in enumerate(player.payload["steps"]) if s["l"] == line]


def test_heads_counters_and_tests_say_what_they_come_to(show):
    crba = rbd.player(rbd.crba, tree(), STATE[0], predict=False)
    page = show(crba)
    said = {}
    for line in (8, 9, 11):
        for k in steps_of(crba, line):
            on(page, f"goto({k}, true)")
            said.setdefault(line, []).append(put_in(page))
    assert said[8] == ["j = i = 4", "j = i = 3", "j = i = 2", "j = i = 1"]
    assert said[9] == ["λ(4) = 1 ≠ 0: yes", "λ(1) = 0: no", "λ(3) = 2 ≠ 0: yes", "λ(2) = 1 ≠ 0: yes", "λ(1) = 0: no",
                       "λ(2) = 1 ≠ 0: yes", "λ(1) = 0: no", "λ(1) = 0: no"]  # fmt: skip
    assert said[11] == ["j = λ(4) = 1", "j = λ(3) = 2", "j = λ(2) = 1", "j = λ(2) = 1"]
    ltdl = rbd.player(rbd.ltdl, tree(), rbd.crba(tree(), STATE[0]), predict=False)
    page = show(ltdl)
    on(page, f"goto({steps_of(ltdl, 4)[0]}, true)")
    assert put_in(page) == "i = λ(4) = 1"
    asked = [k for k in steps_of(ltdl, 8) if ltdl.payload["steps"][k]["at"]["k"] == 3]
    answers = []
    for k in asked:
        on(page, f"goto({k}, true)")
        answers.append(put_in(page))
    assert answers == ["j = 1 ≠ base: yes", "j = base: no"]
    aba = rbd.player(rbd.aba, tree(), STATE[0], STATE[1], [1, 1, 1, 1], predict=False)
    page = show(aba)
    on(page, f"goto({steps_of(aba, 12)[0]}, true)")
    assert put_in(page) == "λ(4) = 1 ≠ 0: yes"
    held = rbd.player(rbd.held, tree(), *STATE[:2], tau=[1, 1, 1, 1], locked=[2], predict=False)
    page = show(held)
    answers = []
    for k in steps_of(held, 10):
        on(page, f"goto({k}, true)")
        answers.append(put_in(page).split(": ")[1])
    assert answers == ["yes", "yes", "no", "yes"]


def test_subscripts_of_the_listing(show):
    page = show(rbd.player(rbd.minv, tree(), STATE[0], predict=False, open=("equation",)))
    on(page, "goto(1e9, true)")
    rows = {no: page.locator(".lst li", has_text=no).locator(".eq").first for no in ("11", "14")}
    assert rows["11"].locator("sub").inner_text() == "v" and rows["14"].locator("sub").nth(1).inner_text() == "k,i"


@pytest.mark.parametrize("q", [panda()[1], None], ids=["bent", "random"])
@pytest.mark.parametrize("width", [390, 720, 784, 1280])
def test_a_wide_matrix_is_read_and_after_the_last_step_it_is_the_result(show, width, q):
    model, rng = rbd.robots.load("panda"), np.random.default_rng(1)
    q = model.random(rng) if q is None else q
    page = show(rbd.player(rbd.crba, model, q, open=("matrix", "equation"), predict=False), width, 900)
    if width == 1280:
        page.add_style_tag(content="body { max-width: none }")
        page.wait_for_timeout(100)
    on(page, "goto(1e9, true)")
    assert page.locator("[data-pick=M][aria-pressed=true]").count() == 1
    box = "document.querySelector('.rbd-player').rbdPlayer.pl.querySelector('.matrix .in')"
    assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth")
    gaps = page.evaluate(f"""() => [...{box}.querySelectorAll('.hm > :not(.hd)')].map(e => {{
        const r = document.createRange(); r.selectNodeContents(e);
        return e.getBoundingClientRect().width - r.getBoundingClientRect().width }})""")
    assert len(gaps) == 49 and min(gaps) >= 3, "numbers of neighbours do not touch"
    shown = page.eval_on_selector_all(".matrix .hm > :not(.hd)", "all => all.map(e => e.innerText)")
    shown = [float(x.replace("−", "-")) for x in shown]
    np.testing.assert_allclose(shown, np.ravel(rbd.crba(model, q)), atol=0.006)
    page.click("[data-pick='']")
    assert page.locator("[data-pick='M'][aria-pressed=true]").count() == 0


def test_a_matrix_without_room_says_that_it_scrolls(show):
    model = rbd.robots.planar_arm([3] * 9, [20.3] * 9)
    page = show(rbd.player(rbd.crba, model, [0.1] * 9, open=("matrix", "equation"), predict=False), 360, 900)
    hint = "getComputedStyle(document.querySelector('.rbd-player').rbdPlayer.pl.querySelector('.hint')).visibility"
    on(page, "goto(1e9, true)")
    assert page.evaluate(hint) == "visible"
    page.set_viewport_size({"width": 784, "height": 900})
    page.add_style_tag(content="body { max-width: none }")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_timeout(100)
    assert page.evaluate(hint) == "hidden"


@pytest.mark.parametrize("fn, name", [(rbd.crba, "M"), (rbd.minv, "W")])
def test_the_result_is_found_from_a_folded_matrix(show, fn, name):
    page = show(rbd.player(fn, tree(), STATE[0], open=("arm", "equation"), predict=False))
    on(page, "goto(1e9, true)")
    if page.locator("[data-a=result]").count():
        page.locator("[data-a=result]").locator("visible=true").click()
    else:
        page.click("[data-open=matrix]")
    assert page.locator(f"[data-pick={name}][aria-pressed=true]").count() == 1
    assert page.locator(".matrix .hm > :not(.hd)").count() == 16


def test_rows_and_columns_of_a_table_are_numbered_as_freedoms(show):
    heads = {}
    for name, player in {"L": rbd.player(rbd.ltdl, tree(), rbd.crba(tree(), STATE[0]), open=("matrix",), matrix="L"),
                         "W": rbd.player(rbd.minv, tree(), STATE[0], open=("matrix",), matrix="W")}.items():
        page = show(player)
        on(page, "goto(1e9, true)")
        heads[name] = page.eval_on_selector_all(".hm .hd", "all => all.map(e => e.textContent).filter(x => x).join('')")
    assert heads == {"L": "1234" + "1234", "W": "1234" + "1234"}


def test_no_before_that_belongs_to_another_body(show):
    aba = rbd.player(rbd.aba, tree(), STATE[0], STATE[1], [3, 1, 2, 0.5], open=("matrix", "equation"), predict=False)
    page = show(aba)
    steps, found = aba.payload["steps"], set()
    for k, s in enumerate(steps):
        if s["k"] == "w":
            on(page, f"goto({k}, true)")
            if "before" in page.inner_text(".pane.matrix"):
                found.add(s["n"])
    assert found == {"IA", "pA"}, "Ia, pa and b stand for one body at a time"
    crba = rbd.player(rbd.crba, tree(), STATE[0], open=("matrix", "equation"), predict=False)
    page = show(crba)
    for line, want in ((6, False), (10, True)):  # F is made anew for each body, then handed on
        for k in steps_of(crba, line):
            on(page, f"goto({k}, true)")
            assert ("before" in page.inner_text(".pane.matrix")) == want


FRACTION = dict(line=18, at={"k": 2, "i": 3}, ask="How does joint 3 answer?", choices=[
    dict(text="71/105", right=True), dict(text="41/105", says="41/105 is less.")])  # fmt: skip


def test_a_fraction_asked_is_a_fraction_revealed(show):
    page = show(rbd.player(rbd.minv, tree(), STATE[0], questions=[FRACTION]))
    k = on(page, "rec.p.questions[0].step")
    on(page, f"goto({k})")
    assert "71/105" not in page.inner_text(".nums") and "W3 4" not in page.inner_text(".qn")
    page.click("[data-o='1']")
    assert page.inner_text(".nums .res").split() == ["=", "71/105", "=", "0.6762"]
    assert "71/105 = 0.6762" in page.inner_text(".qn")
    page.click("[data-a=change]")
    page.locator("input[type=number]").nth(1).fill("20")
    assert "71/105" not in page.inner_text(".nums")
    plain = dict(FRACTION, choices=[dict(text="0.676", right=True), dict(text="0.39", says="less")])
    page = show(rbd.player(rbd.minv, tree(), STATE[0], questions=[plain]))
    on(page, f"goto({k})")
    page.click("[data-o='0']")
    assert page.inner_text(".nums .res").split() == ["=", "0.6762"]


def test_a_question_asks_once(show):
    asks = {"What is IC₂ now?": 0, "What does body 2 weigh with body 3 glued on?": 1}
    for text, times in asks.items():
        choices = [dict(text="A", right=True), dict(text="B", says="no")]
        player = rbd.player(rbd.crba, tree(), STATE[0], questions=[dict(line=5, body=3, ask=text, choices=choices)])
        page = show(player)
        on(page, f"goto({player.payload['questions'][0]['step']})")
        assert page.inner_text(".qn").count("= ?") == times
        assert page.locator(".qn .ss").count() == 1 and "₂" not in page.inner_text(".qn")


@pytest.mark.parametrize("width", [360, 390, 720, 1280])
def test_texts_of_the_bar_and_of_folded_views_are_whole(show, width):
    player = rbd.player(rbd.aba, tree(), STATE[0], STATE[1], [3, 1, 2, 0.5], open=("arm", "matrix"), predict=False)
    page = show(player, width)
    if width == 1280:
        page.add_style_tag(content="body { max-width: none }")
        page.wait_for_timeout(100)
    cut = """all => all.filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"""
    for k in range(0, on(page, "last") + 1, 2):
        on(page, f"goto({k}, true)")
        assert page.eval_on_selector_all(".scrub-l span, .strip .s, .strip .t", cut) == []
    ends = page.evaluate("""() => { const r = document.querySelector('.rbd-player').shadowRoot;
        const at = s => [...r.querySelectorAll(s)].map(e => e.getBoundingClientRect().left);
        return [at('.scrub .g'), at('.scrub-l span')] }""")
    np.testing.assert_allclose(*ends, atol=1.5), "titles stand under their passes"


@pytest.mark.parametrize("width", [360, 390])
def test_on_a_phone_a_question_stands_in_place_of_the_folded_views(show, width):
    page = show(rnea_player(questions=[ASK]), width, 800)
    k = on(page, "rec.p.questions[0].step")
    heights = []
    for do in (f"goto({k - 1})", f"goto({k})", "answer(0)", f"goto({k + 1})", f"goto({k - 1})"):
        on(page, do)
        heights.append(on(page, "pl.offsetHeight"))
        asked = page.locator(".predict").count() == 1
        assert page.locator(".strip").first.is_visible() != asked
        if asked:
            assert page.locator(".opts .btn").first.is_visible()
    assert max(heights) - min(heights) <= 1, heights


DECK = """<!doctype html><html><head><style>body {{ margin: 0; background: {paper} }}
section {{ width: 1280px }} h2 {{ margin: 0; font: 40px/1.2 sans-serif }}</style></head>
<body><div class="reveal"><div class="slides"><section>{player}</section></div></div>{module}</body></html>"""


@pytest.mark.parametrize("views", [("arm", "equation"), ("tree", "matrix"), ("equation",), ("matrix",)])
def test_on_a_slide(offline_page, tmp_path, views):
    for paper, theme, system in [("#fff", "light", "dark"), ("#111", "dark", "light")]:
        page = offline_page(1280, 720, color_scheme=system)
        data = rnea_player(open=views).element()
        html = DECK.format(paper=paper, player=data, module=module_tags(data))
        (tmp_path / "deck.html").write_text(html, encoding="utf-8")
        page.goto((tmp_path / "deck.html").as_uri())
        page.wait_for_function("document.querySelector('.rbd-player').rbdPlayer")
        assert page.get_attribute(".rbd-player", "theme") == theme
        small = """() => [...document.querySelector('.rbd-player').rbdPlayer.pl.querySelectorAll('*')].filter(e => {
            const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            const scale = e.ownerSVGElement ? e.ownerSVGElement.getScreenCTM().a : 1;
            return own && e.checkVisibility() && !e.closest('sub, sup, .ss, .vh, tspan')
                && parseFloat(getComputedStyle(e).fontSize) * scale < 18 }).map(e => e.outerHTML)"""
        question = int(next(iter(on(page, "questions"))))
        for k in (3, 12, 40, question):
            on(page, f"goto({k}, {str(k != question).lower()})")
            assert page.evaluate(small) == []
        assert page.locator(".opts .btn").count() > 2
        assert on(page, "pl.getBoundingClientRect().bottom") <= 700 and page.errors == page.foreign == []


def contrast(a, b):
    def light(c):
        c = [x / 255 for x in c]
        c = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in c]
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]

    hi, lo = sorted((light(a), light(b)), reverse=True)
    return (hi + 0.05) / (lo + 0.05)


def colour(text):
    return [float(x) for x in text[text.index("(") + 1 : -1].split(",")[:3]]


INK = """token => { const probe = document.createElement('i');
    probe.style.color = `var(--${token})`;
    document.querySelector('.rbd-player').shadowRoot.querySelector('.card').append(probe);
    const colour = getComputedStyle(probe).color; probe.remove(); return colour }"""


def test_dark_by_system_by_book_and_by_jupyterlab(show):
    player = rnea_player()
    surface = "getComputedStyle(document.querySelector('.rbd-player').rbdPlayer.root.querySelector('.card'))"
    light = show(player).evaluate(surface + ".backgroundColor")
    page = show(player, color_scheme="dark")
    dark = page.evaluate(surface + ".backgroundColor")
    assert sum(colour(light)) > 700 and sum(colour(dark)) < 150
    for set_it, want in [
        ("document.documentElement.dataset.theme = 'light'", light),
        ("document.documentElement.dataset.theme = 'dark'", dark),
        ("delete document.documentElement.dataset.theme; document.body.dataset.jpThemeLight = 'true'", light),
        ("document.body.dataset.jpThemeLight = 'false'", dark),
    ]:
        page.evaluate(set_it)
        page.wait_for_function(f"{surface}.backgroundColor === '{want}'", timeout=2000)
    for scheme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{scheme}'")
        page.wait_for_timeout(50)
        for token in ("ink", "ink-2", "current", "parent", "message", "wrong", "right"):
            ink = page.evaluate(INK, token)
            ratio = contrast(colour(ink), colour(page.evaluate(surface + ".backgroundColor")))
            assert ratio >= 4.5, (scheme, token, ratio)


def test_styles_stay_in_and_the_page_stays_out(show):
    page = show(rnea_player())
    look = """() => { const r = document.querySelector('.rbd-player').shadowRoot;
        return ['button', 'td', '.py', 'th', '.said'].map(s => { const c = getComputedStyle(r.querySelector(s));
            return [c.color, c.padding, c.fontSize, c.border, c.backgroundColor] }) }"""
    before = page.evaluate(look)
    loud = "color: red !important; padding: 9px !important; border: 3px solid; font-size: 30px; background: lime"
    page.add_style_tag(content=f"button, td, th, span, div > *, table {{ {loud} }}")
    assert page.evaluate(look) == before
    outside = page.evaluate("""() => { const b = document.createElement('button'); b.className = 'btn bar mat';
        document.body.append(b); return getComputedStyle(b).minHeight }""")
    assert outside in ("0px", "auto")


def test_players_added_later_are_mounted_and_the_arm_turns(show):
    page = show(rnea_player(predict=False))
    element = rbd.player(rbd.rnea, *panda(), predict=False).element()
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", element)
    page.wait_for_function("[...document.querySelectorAll('.rbd-player')].every(h => h.rbdPlayer)")
    second = page.locator(".rbd-player").nth(1)
    svg = second.locator("[data-spin]")
    before = svg.inner_html()
    svg.press("ArrowRight")
    turned = svg.inner_html()
    assert turned != before and page.evaluate("document.querySelectorAll('.rbd-player')[1].rbdPlayer.k") == 0
    box = svg.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 90)
    page.mouse.up()
    assert svg.inner_html() != turned


def test_reduced_motion(show):
    page = show(rnea_player(), reduced_motion="reduce")
    time = page.evaluate("getComputedStyle(document.querySelector('.rbd-player')).getPropertyValue('--t')")
    assert time.strip().startswith("1ms")


def test_numbers_of_the_squared_paper_tree_are_put_in(show):
    player = rnea_player(predict=False)
    page = show(player)
    on(page, f"goto({find(rbd.trace(rbd.rnea, tree(), *STATE).steps, (11, 2))})")
    text = page.inner_text(".nums .row").replace("\u2009", " ").replace("\n", " ")
    assert "(95; 3, 91)" in text and "(24; 35, 3)" in text and "(154; 0, 126)" in text


def test_any_tagged_function(show):
    def descend(model, q):
        """Sum of angles from the base.

        [1] for i = 1 … n       | Outward: body {i}.
        [2]   s_i = s_λ + q_i   | Angle of body {i}.
        """
        s = [0] * (model.n_bodies + 1)
        for i in model.outward:                     # [1]
            s[i] = s[model.parent[i]] + q[i - 1]    # [2]
        return np.array(s[1:])

    player = rbd.player(descend, tree(), STATE[0], predict=False)
    page = show(player)
    on(page, "goto(1e9, true)")
    assert on(page, "step.x[0]") == pytest.approx(-np.pi / 2, rel=1e-6)
    assert page.locator(".lk rect").count() >= 4  # poses come from the model when the function writes no X


def test_weight_of_a_panda_run():
    player = rbd.player(rbd.rnea, *panda())
    assert player.payload["kernel"] and len(player.element().encode()) <= 60_000
    json.loads(json.dumps(player.payload, allow_nan=False))


def own_elimination(model, M):
    """A learner's elimination, on whole arrays.

    [1] for k = nv … 1           | {k} is eliminated.
    [2]   L_ki = H_ki / H_kk     | How much of {k} moves along with {i}.
    [3]   H_ij = H_ij − L_ki H_kj | What is left.
    """
    H, L, λ = np.array(M, dtype=float), np.eye(model.nv), model.dof_parent
    for k in reversed(range(model.nv)):  # [1]
        i = λ[k]
        while i >= 0:
            L[k, i] = H[k, i] / H[k, k]  # [2]
            j = i
            while j >= 0:
                H[i, j] -= L[k, i] * H[k, j]  # [3]
                j = λ[j]
            i = λ[i]
    return L, H


def textbook(model, M):
    """First to last, blind to the tree.

    [1] for k = 1 … nv           | {k} is eliminated.
    [2]   L_ik = H_ik / H_kk     | How {i} moves along with {k}.
    [3]   H_ij = H_ij − L_ik H_jk | What is left.
    """
    H, L = np.array(M, dtype=float), {}
    for k in range(model.nv):  # [1]
        for i in range(k + 1, model.nv):
            L[i, k] = H[i, k] / H[k, k]  # [2]
            for j in range(k + 1, i + 1):
                H[i, j] = H[i, j] - L[i, k] * H[j, k]  # [3]
    return H


def dof_players(model=None, q=None, **options):
    model = model or tree()
    M = rbd.crba(model, STATE[0] if q is None else q)
    L, D = rbd.ltdl(model, M)
    made = {"ltdl": (rbd.ltdl, M), "solve": (rbd.ltdl_solve, L, D, np.arange(1.0, model.nv + 1)),
            "own": (own_elimination, M), "textbook": (textbook, M)}  # fmt: skip
    picks = {"ltdl": "HL", "solve": "L", "own": "HL", "textbook": "HL"}  # what they write or read
    shown = {name: {**options, "matrix": x if (x := options.get("matrix")) and x in picks[name] else None}
             for name in made}  # fmt: skip
    return {name: rbd.player(fn, model, *args, predict=False, **shown[name]) for name, (fn, *args) in made.items()}


def told(page, player, line):
    """The tree's line of text at every step of a line."""
    out = []
    for k in steps_of(player, line):
        on(page, f"goto({k}, true)")
        out.append(on(page, "treeLine()"))
    return out


def test_messages_between_degrees_of_freedom(show):
    players = dof_players(open=("tree", "equation"))
    page = show(players["ltdl"])
    assert told(page, players["ltdl"], 6) == [
        "4 → 1: L_41 = 1", "3 → 2: L_32 = 1", "3 → 1: L_31 = 2", "2 → 1: L_21 = 1"]  # fmt: skip
    assert told(page, players["ltdl"], 9) == [
        "1 – 1: H_11 = 24", "2 – 2: H_22 = 5", "2 – 1: H_21 = 5", "1 – 1: H_11 = 12", "1 – 1: H_11 = 7"]  # fmt: skip
    k = steps_of(players["ltdl"], 9)[2]  # 3 is removed, the entry of 2 and 1 changes
    on(page, f"goto({k}, true)")
    assert page.locator(".tree .nd.hit text").all_text_contents() == ["1", "2"]
    assert page.locator(".tree .tie").count() == 1
    assert page.locator(".tree .nd.cur").text_content() == "3" and page.locator(".tree .nd.fold").text_content() == "4"
    assert page.locator(".tree .chip.join").text_content().replace("\u200b", "").split() == ["H21", "=", "5"]
    k = steps_of(players["ltdl"], 6)[2]  # from 3 along both edges to 1
    on(page, f"goto({k}, true)")
    assert page.locator(".tree .arr.now").count() == 2 and page.locator(".tree .chip").count() == 1
    assert "no message" not in page.inner_text(".pane.tree")
    on(page, f"goto({k - 1}, true)")
    assert "no message" in page.inner_text(".pane.tree")
    page = show(players["solve"])
    assert [x.split(":")[0] for x in told(page, players["solve"], 5)] == ["4 → 1", "3 → 2", "3 → 1", "2 → 1"]
    assert [x.split(":")[0] for x in told(page, players["solve"], 11)] == ["1 → 2", "2 → 3", "1 → 3", "1 → 4"]
    on(page, f"goto({steps_of(players['solve'], 5)[1]}, true)")
    assert on(page, "treeLine()") == "3 → 2: x_3 = 3" and put_in(page) == "x2 = 2 − 1 · 3 = −1"
    page = show(players["own"])
    assert told(page, players["own"], 2)[2] == "3 → 1: L_31 = 2"
    assert told(page, players["own"], 3)[2] == "2 – 1: H_21 = 5"
    page = show(players["textbook"])  # 4 and 2 are on two branches: no edge leads from one to the other
    assert told(page, players["textbook"], 2)[:3] == [
        "1 → 2: L_21 = 0.393", "1 → 3: L_31 = 0.214", "1 → 4: L_41 = 0.143"]  # fmt: skip
    on(page, f"goto({steps_of(players['textbook'], 2)[4]}, true)")
    assert on(page, "treeLine()").startswith("2 → 4: L_42") and page.locator(".tree path.arr.now").count() == 1


def test_degrees_of_freedom_of_a_flying_base(show):
    model = rbd.robots.load("anymal")
    player = dof_players(model, model.neutral(), open=("tree",))["ltdl"]
    page = show(player, 390, 900)
    k = steps_of(player, 6)[4]
    on(page, f"goto({k}, true)")
    assert on(page, "treeLine()").startswith("18 → 4: L_18,4 = ")
    assert page.locator(".tree .nd").count() == 19 and page.locator(".tree .jn").count() == 1
    assert page.locator(".tree .arr.now").count() == 5, "17, 16, then 6, 5, 4 of the base"
    assert "dof 18: RH_KFE" in page.inner_text(".tree .key")


def test_messages_of_functions_over_bodies(show):
    crba = rbd.player(rbd.crba, tree(), STATE[0], predict=False, open=("tree",))
    page = show(crba)
    assert [x.split(":")[0].split(" F")[0] for x in told(page, crba, 10)] == ["4 → 1", "3 → 2", "2 → 1", "2 → 1"]
    for fn, args, inward, outward in ((rbd.minv, (), 15, 17), (rbd.aba, (STATE[1], [1, 1, 1, 1]), 16, 19)):
        player = rbd.player(fn, tree(), STATE[0], *args, predict=False, open=("tree",))
        page = show(player)
        lines = {n: {x.split(":")[0] for x in told(page, player, n)} for n in (inward, outward)}
        assert {"4 → 1", "3 → 2", "2 → 1"} <= lines[inward], lines
        assert {"1 → 4", "2 → 3", "1 → 2", "0 → 1"} <= lines[outward], lines


def cells(page):
    """The matrix view's numbers, row by row; None: nothing written there yet; "": zero by structure."""
    return page.eval_on_selector_all(
        ".matrix .hm > :not(.hd)", "all => all.map(e => e.matches('.none') ? null : e.innerText)")  # fmt: skip


def test_an_elimination_begins_with_the_whole_matrix(show):
    players = dof_players(open=("matrix",), matrix="H")
    for name in ("ltdl", "own"):
        page = show(players[name])
        assert cells(page) == ["28", "11", "6", "4", "11", "8", "3", "", "6", "3", "3", "", "4", "", "", "4"]
        assert page.locator(".matrix .twin").count() == 4 and page.locator(".matrix .gone").count() == 0
        k = next(k for k, s in enumerate(players[name].payload["steps"]) if s["at"]["k"] == 2)
        on(page, f"goto({k}, true)")  # 4 is done with, 3 begins
        assert cells(page) == ["24", "11", "6", "4", "11", "8", "3", "", "6", "3", "3", "", "4", "", "", "4"]
        assert page.locator(".matrix .piv").all_inner_texts() == ["4"] and page.locator(".matrix .gone").count() == 6
        assert page.locator(".matrix .hd.off").all_inner_texts() == ["4", "4"]
        on(page, "goto(1e9, true)")
        assert page.locator(".matrix .piv").all_inner_texts() == ["5", "3", "4"]
    page = show(players["ltdl"])
    on(page, "goto(1e9, true)")
    assert "on the diagonal D" in page.inner_text(".matrix .key")
    page = show(players["textbook"])
    on(page, "goto(0)")
    assert "" not in cells(page), "blind to the tree: zeros that fill in are numbers"


def test_L_begins_as_identity_and_is_the_result(show):
    player = dof_players(open=("matrix",), matrix="L")["ltdl"]
    page = show(player)
    assert cells(page) == ["1", "", "", "", None, "1", "", "", None, None, "1", "", None, "", "", "1"]
    on(page, "goto(1e9, true)")
    assert cells(page) == ["1", "", "", "", "1", "1", "", "", "2", "1", "1", "", "1", "", "", "1"]
    player = dof_players(open=("matrix",))["ltdl"]
    page = show(player)
    on(page, "goto(1e9, true)")
    assert page.locator("[data-pick=L][aria-pressed=true]").count() == 1


@pytest.mark.parametrize("width", [390, 784, 1280])
def test_tree_and_matrix_of_freedoms_keep_their_height(show, width):
    player = dof_players(open=("tree", "matrix"), matrix="H")["ltdl"]
    page = show(player, width)
    page.wait_for_timeout(100)
    heights = set()
    for k in range(0, last(player) + 1, 3):
        on(page, f"goto({k}, true)")
        heights.add(round(page.eval_on_selector(".panes", "e => e.getBoundingClientRect().height")))
    assert len(heights) == 1


MATRICES = dict(line=9, at={"i": 4}, ask="What is left of [4 0 4; 0 4 0; 4 0 4] for body 1?", choices=[
    dict(text="[0 0 0; 0 4 0; 0 0 0]", right=True),
    dict(text="[4 0 4; 0 4 0; 4 0 4]", says="[4 0 4; 0 4 0; 4 0 4] is what was there before.")])  # fmt: skip


def test_matrices_of_a_question_are_typeset(show):
    page = show(rbd.player(rbd.minv, tree(), STATE[0], questions=[MATRICES]))
    on(page, f"goto({on(page, 'rec.p.questions[0].step')})")
    shown = page.locator(".opts [data-o='0'] .mat")
    assert shown.locator("> span").all_inner_texts() == "0 0 0 0 4 0 0 0 0".split()
    assert shown.get_attribute("aria-label") == "[0 0 0; 0 4 0; 0 0 0]" and "[" not in page.inner_text(".predict")
    tops = "all => all.map(e => Math.round(e.getBoundingClientRect().top))"
    assert len(set(page.eval_on_selector_all(".opts [data-o='1'] .mat > span", tops))) == 3, "three rows"
    assert "[4 0 4; 0 4 0; 4 0 4]" in page.text_content(".vh")
    page.click("[data-o='1']")
    assert page.locator(".fb .mat > span").all_inner_texts() == "4 0 4 0 4 0 4 0 4".split()


def test_matrices_of_a_vote_are_typeset(offline_page):
    page = offline_page(784, 600)
    page.set_content(vote(MATRICES)._repr_html_())
    rows = page.locator(".rbd-vote .vo .mat")
    assert rows.count() == 3 and rows.first.locator("span").all_inner_texts() == "0 0 0 0 4 0 0 0 0".split()
    tops = "all => all.map(e => Math.round(e.getBoundingClientRect().top))"
    assert len(set(page.eval_on_selector_all(".rbd-vote .vo:first-of-type .mat > span", tops))) == 3
    assert "[" not in page.inner_text(".rbd-vote")


def test_a_list_written_anew_forgets_what_stood_in_it(show):
    """p starts from zero in every column of minv: what a sum starts from, and what goes along an edge."""
    model, (q, _, _) = tree(), STATE
    page, run = show(rbd.player(rbd.minv, model, q, predict=False, sliders=["q"])), rbd.trace(rbd.minv, model, q)

    def compared(run):
        sums = [k for k, s in enumerate(run.steps) if s.line == 15]
        values, p = {}, None
        for k, s in enumerate(run.steps):
            if s.name == "p" and s.index is None:
                p = list(s.value)
            elif s.line == 15:
                i = s.at["i"]
                there = [on(page, f"rec.{x}") for x in (f"before({k}).x", f"tells({k}).v.x", f"tells({k}).from",
                                                      f"tells({k}).to")]  # fmt: skip
                sent = p[i] + values["U", i] @ (values["Dinv", i] @ values["u", i])
                np.testing.assert_allclose(there[0], np.ravel(p[s.index]), atol=1e-5)
                np.testing.assert_allclose(there[1], np.ravel(sent), atol=1e-5)
                assert there[2:] == [i, model.parent[i]]
                p[s.index] = s.value
            elif s.kind == "write":
                values[s.name, s.index] = s.value
        assert len(sums) == 16

    compared(run)
    page.click("[data-a=change]")
    box = page.locator("input[type=number][data-s='1']")
    box.fill("20")
    box.dispatch_event("change")
    compared(rbd.trace(rbd.minv, model, [q[0], np.deg2rad(20), *q[2:]]))
    on(page, "goto(1e9, true)")
    assert page.locator(".led.one:visible").inner_text().split() == ["result", "W", "see", "it", "in", "Matrix"]
    assert "result" not in page.locator(".led table:visible").inner_text()


def doubled(model, q):
    """[1] v = 2 q, anew
    [2] y = v_0 + v_1
    """
    v = tuple(2 * x for x in q)  # [1]
    y = v[0] + v[1]  # [2]
    return np.array([y])


def heavier_sum(model, q):
    """[1] f = g
    [2] for i = n … 1
    [3]   f_λ = f_λ + X_iᵀ (f_i + 2 g_i / 4)
    """
    λ = model.parent
    model, columns = model.prepare(q=q)
    X = [None] + [model.XJ(i, columns[i]) @ model.XT[i] for i in model.outward]
    g = [np.ones((6, 1)) * (i + 1) for i in range(5)]
    f = [x for x in g]  # [1]
    for i in model.inward:  # [2]
        f[λ[i]] = f[λ[i]] + X[i].mT @ (f[i] + 2 * g[i] / 4)  # [3]
    return f[0][..., 0]


def deeper(model, q, k=3):
    """[1] a = 2 q_k
    [2] b = deeper(k − 1)
    [3] c = a + b
    """
    a = 2 * q[k]  # [1]
    b = deeper(model, q, k - 1) if k else 0 * a  # [2]
    c = a + b  # [3]
    return np.array([c]) if k == 3 else c


def test_a_tuple_written_anew_moves_with_the_sliders(show):
    page = show(rbd.player(doubled, tree(), STATE[0], predict=False))
    page.click("[data-a=change]")
    box = page.locator("input[type=number][data-s='0']")
    box.fill("20")
    box.dispatch_event("change")
    np.testing.assert_allclose(on(page, "rec.value('v', 0, 1).x"), [np.deg2rad(40)], rtol=1e-5)


def test_a_sum_with_a_factor_is_what_is_sent(show):
    player = rbd.player(heavier_sum, tree(), STATE[0], predict=False)
    page = show(player)
    for k in steps_of(player, 3):
        i = player.payload["steps"][k]["at"]["i"]
        f = on(page, f"rec.value('f', {i}, {k}).x")
        np.testing.assert_allclose(on(page, f"rec.tells({k}).v.x"), np.add(f, (i + 1) / 2), rtol=1e-5)


def test_each_call_of_a_recursion_has_its_own_names(show):
    player = rbd.player(deeper, tree(), [0.1, 0.2, 0.3, 0.4], predict=False)
    page = show(player)
    found = [on(page, f"rec.value('a', null, {k}).x[0]") for k in steps_of(player, 3)]
    np.testing.assert_allclose(found, [0.2, 0.4, 0.6, 0.8])


def test_what_a_sum_sends_is_called_a_sum_and_has_no_noise(show):
    """Values of the page have seven digits: 1/7 times 7 leaves 3e-7, which is no number of the algorithm."""
    player = rbd.player(rbd.minv, tree(), STATE[0], predict=False, open=("tree", "equation"))
    page = show(player)
    for k in steps_of(player, 15):
        on(page, f"goto({k}, true)")
        text = on(page, "treeLine()")
        assert "e−7" not in text and "e-7" not in text and "p + U D⁻¹ u (" in text, text


def test_a_list_of_numbers_is_shown_as_it_is_written(show):
    L, D = rbd.ltdl(tree(), rbd.crba(tree(), STATE[0]))
    page = show(rbd.player(rbd.ltdl_solve, tree(), L, D, [16, -2, 3, 8], predict=False))
    on(page, "goto(0, true)")
    assert put_in(page) == "x = (16, −2, 3, 8)"
    on(page, "goto(1, true)")
    assert page.locator(".led tr").last.inner_text().split() == ["x", "16", "−2", "3", "8"]


def test_the_table_shows_one_column_of_the_inverse_at_a_time(show):
    player = rbd.player(rbd.minv, tree(), STATE[0], predict=False)
    page = show(player)
    first = next(k for k, s in enumerate(player.payload["steps"]) if s["l"] == 14 and s["at"]["k"] == 3)
    on(page, f"goto({first}, true)")
    u = page.locator(".led tr").last.inner_text().split()
    assert u == ["u", "·", "·", "·", "1"]


def pieces(model, q):
    M = np.zeros((4, 4))  # [1]
    v = np.zeros(4)  # [2]
    for k in range(4):  # [3]
        s = slice(k, k + 1)
        M[k, :] = q  # [4]
        M[..., k] = 7  # [5]
        v[k] = q[k]  # [6]
        w = 2 * v  # [7]
        M[s, s] += 1  # [8]
        v[1:3] = 5  # [9]
        x = v[k] + v[0]  # [10]
    y = M @ v  # [11]
    return M, w, x, y  # [12]


def test_rows_columns_and_blocks_are_shown_as_they_are_written(show):
    """The subscript, the value, what stood there, and the whole array where it is read again: as Python has it."""
    player = rbd.player(pieces, tree(), [0.1, 0.2, 0.3, 0.4], open=("matrix", "equation"), matrix="M")
    page, steps = show(player), player.payload["steps"]
    M, v, targets = np.zeros((4, 4)), np.zeros(4), []
    for k, s in enumerate(steps):
        if s["k"] != "w" or s["l"] == 12:
            continue
        on(page, f"goto({k}, true)")
        text, i = page.locator(".nums .row").inner_text(), s["at"].get("k")
        text = text.replace("\n", " ").replace("\u2009", " ")
        block = slice(i, i + 1) if i is not None else None
        at = {4: (i, slice(None)), 5: (..., i), 6: i, 8: (block, block), 9: slice(1, 3)}.get(s["l"])
        if at is not None:
            a = v if s["l"] in (6, 9) else M
            before = on(page, f"rec.before({k}).x")
            np.testing.assert_allclose(before, np.ravel(a[at]), err_msg=f"step {k}: {text}")
            a[at] = np.reshape(s["x"], np.shape(a[at]))
            targets.append(text.split(" = ")[0])
        now = {name: on(page, f"rec.value('{name}', null, {k + 1})") for name in "Mv"}
        np.testing.assert_allclose(now["M"]["x"], M.ravel())
        if s["l"] == 7:
            assert f"= 2 · ({', '.join(f'{x:g}' for x in v)}) =" in text
        if s["l"] == 10:
            assert f"= {v[i]:g} + {v[0]:g} =" in text
        shown = page.locator(".pane.matrix .hm > span").all_inner_texts()
        np.testing.assert_allclose([float(x) for x in shown], M.ravel())
    assert targets[:5] == ["M[1, :]", "M[..., 1]", "v[1]", "M[0:1, 0:1]", "v[1:3]"]
    np.testing.assert_allclose(M.ravel(), player.payload["outs"][0]["x"])


@pytest.mark.parametrize("fn, state", [(rbd.crba, 1), (rbd.minv, 1), (rbd.aba, 3), (rbd.rnea, 3)])
def test_values_without_entries_are_shown_by_their_size(show, fn, state):
    model = with_a_fixed_joint()
    player = rbd.player(fn, model, *[[0.1, 0.2], [0, 0], [1, 1]][:state], open=("arm", "equation"))
    page, steps = show(player), player.payload["steps"]
    empty = [k for k, s in enumerate(steps) if s["k"] == "w" and not s["x"]]
    assert empty and player.payload["kernel"]
    for views in (["arm", "equation"], ["tree", "matrix"]):
        on(page, f"open = {json.dumps(views)}")
        for k, s in enumerate(steps):
            on(page, f"goto({k}, true)")
            if k in empty and ("equation" in views or not isinstance(s["ix"], list)):  # these fill a table
                size = f"empty, {s['s'][0]} × {s['s'][1]}"
                where = ".nums .row" if "equation" in views else ".pane.matrix .in"
                assert size in page.locator(where).inner_text()
    page.click("[data-lang=zh]")
    on(page, 'open = ["equation"]')
    on(page, f"goto({empty[0]}, true)")
    assert f"空, {steps[empty[0]]['s'][0]} × " in page.locator(".nums .row").inner_text()


def test_a_joint_of_ones_own_is_drawn(show):
    page = show(rbd.player(rbd.crba, with_a_fixed_joint("own"), [0.1, 0.2, 0.3]))
    assert page.locator(".pane.arm .jt").count() == 3


def two_by_two(model, q):
    A = np.diag(q[:2])  # [1]
    y = A @ np.array(q[:2])  # [2]
    return y


def test_a_small_matrix_can_be_kept_in_sight(show):
    page = show(rbd.player(two_by_two, tree(), [1, 2, 3, 4], open=("matrix", "equation"), matrix="A", step=1))
    assert page.locator(".pane.matrix [data-pick=A]").get_attribute("aria-pressed") == "true"
    assert page.locator(".pane.matrix .hm > span").all_inner_texts() == ["1", "0", "0", "2"]
