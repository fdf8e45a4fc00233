"""The storyboards, driven through all their states in a browser without a network; numbers against rbdlite."""

import json
import re
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hands import press

import rbdlite as rbd
from rbdlite.widgets import composite, demos, factor, order_game, padlocks
from rbdlite.widgets.element import page as page_of

pytestmark = pytest.mark.browser
STATIC = Path(demos.__file__).parent.parent / "static"
STORY = "document.querySelector('.rbd-demo').rbdDemo"
Z = (0, 0, 1)


def bent_rods():
    """Three skewed rods, a slide on the second: nothing is a whole number."""
    joints = [rbd.revolute(Z), rbd.revolute(Z), rbd.prismatic((1, 0.5, 0)), rbd.revolute((0, 0, -1))]
    turn = rbd.turn_about(Z, 0.4)
    places = [(np.eye(3), [0, 0, 0]), (turn, [0.7, 0.1, 0]), (np.eye(3), [0.5, 0, 0]), (turn, [0.7, 0, 0])]
    bodies = [rbd.inertia(m, [0.3, c, 0], [0.01, 0.04, 0.05]) for m, c in ((1.3, 0), (0.8, 0.1), (0.5, 0), (1.9, -0.2))]
    return rbd.Model((0, 1, 2, 1), joints, places, bodies, gravity=(0, -9.81, 0), armature=[0.1, 0, 0.2, 0])


MODELS = {
    "tree": (rbd.robots.squared_paper_tree(), rbd.robots.squared_paper_state()[0]),
    "rods": (bent_rods(), np.array([0.3, -0.7, 0.2, 1.1])),
}


def any_joints():
    """A floating body that carries a ball joint, a screw and a slide on two branches, with rotors."""
    rng = np.random.default_rng(3)
    joints = [rbd.free(), rbd.spherical(), rbd.helical((0, 1, 0), 0.1), rbd.prismatic((1, 0, 1)), rbd.revolute(Z)]
    places = [(rbd.turn_about(Z, 0.3 * k), rng.uniform(-0.5, 0.5, 3)) for k in range(5)]
    bodies = [rbd.inertia(1 + k, rng.uniform(-0.2, 0.2, 3), 0.1 * np.eye(3)) for k in range(5)]
    return rbd.Model((0, 1, 2, 1, 4), joints, places, bodies, armature=np.linspace(0.1, 0.3, 12))


ANY = {
    **MODELS,
    "any": (any_joints(), any_joints().random(np.random.default_rng(1))),
    "panda": (rbd.robots.load("panda"), rbd.robots.load("panda").random(np.random.default_rng(1))),
}


@pytest.fixture
def show(offline_page, tmp_path):
    """show(demo, width) -> a page with it, motion reduced. At the end: no error, no request to another host."""
    pages = []

    def make(demo, width=720, **options):
        page = offline_page(width, 900, **{"reduced_motion": "reduce", **options})
        page.set_default_timeout(5000)
        page.goto(demo.save(tmp_path / f"{len(pages)}.html").as_uri())
        page.wait_for_function(STORY)
        pages.append(page)
        return page

    yield make
    for page in pages:
        assert page.errors == [] and page.foreign == []


def slide(page, name, value):
    page.locator(f'input[data-in="{name}"]').evaluate(
        "(e, v) => {e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); return +e.value}", float(value)
    )
    return float(page.locator(f'input[data-in="{name}"]').input_value())


def said(page, where=".say"):
    """What the page says; a letter whose dots are drawn as it is read out."""
    text = page.locator(where).evaluate("""e => { const dots = [...e.querySelectorAll('i[aria-label]')];
        const letters = dots.map(i => i.textContent); dots.forEach(i => { i.textContent = i.ariaLabel });
        const text = e.innerText; dots.forEach((i, k) => { i.textContent = letters[k] }); return text }""")
    return " ".join(text.split())


def number(text):
    """A number as the page writes it."""
    return float(Fraction(text.replace("−", "-").replace("°", "").replace("+", "").strip()))


def close(shown, true):
    """Three significant digits are shown; whole numbers and fractions in full."""
    assert shown == pytest.approx(true, rel=6e-3, abs=1e-9), (shown, true)


def kernel(page, **values):
    """The demo's JavaScript, called with these arguments."""
    values = {k: np.asarray(v, dtype=float).tolist() for k, v in values.items()}
    run = f"v => {{const d = {STORY}; return Array.from(d.kernel(d.p.kernel)(v))}}"
    return np.array(page.evaluate(run, values))


def with_masses(model, m):
    bodies = [I * (x / m0) for I, m0, x in zip(model.I[1:], model.mass[1:], m, strict=True)]
    places = [rbd.pose(X) for X in model.XT[1:]]
    return rbd.Model(model.parent[1:], model.joints[1:], places, bodies, gravity=model.gravity, armature=model.armature)


def cells(page):
    """{(i, j): text} of the grid."""
    return {tuple(map(int, re.findall(r"\d+", c.get_attribute("aria-label"))[:2])): c.inner_text()
            for c in page.locator("button.cell").all()}  # fmt: skip


# -- composite -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_one_kilogram_more(show, name):
    model, q = MODELS[name]
    page, body, n = show(composite(model, q)), 3, model.n_bodies
    heavier = with_masses(model, [m + (k == body - 1) for k, m in enumerate(model.mass[1:])])
    gain = rbd.crba(heavier, q) - rbd.crba(model, q)
    for i in range(n):
        for j in range(i, n):
            for _ in range({1: 1, -1: 2, 0: 0}[int(np.sign(np.round(gain[i, j], 9)))]):
                press(page, "mark", f"{i + 1},{j + 1}")
    press(page, "gain")
    assert "every cell right" in page.locator(".note").first.inner_text() and page.locator(".cell.bad").count() == 0
    for i in range(n):
        for j in range(n):
            press(page, "cell", f"{min(i, j) + 1},{max(i, j) + 1}")
            cell = page.locator(f'[data-a=cell][data-v="{min(i, j) + 1},{max(i, j) + 1}"]').first.inner_text()
            lines = cell.split()
            if abs(gain[i, j]) > 1e-9:
                close(number(lines[1]), gain[i, j])
                close(number(re.search(r"([+−][\d.e−]+)", said(page))[1]), gain[i, j])
            else:
                assert len(lines) == 1
                assert re.search("stands still|right angles", said(page))


def test_wrong_cells_are_acted_out(show):
    page = show(composite())
    press(page, "mark", "3,3")
    press(page, "mark", "1,4")
    press(page, "gain")
    assert (page.locator(".cell.missed").count(), page.locator(".cell.bad").count()) == (8, 2)
    assert "Freeze everything but joint 1" in said(page)  # the first missed cell, shown at once
    note = page.locator(".duo .note").inner_text()
    assert note.startswith("? missed: M11, M12, M22, M13, M23; × not so: M14, each with its mirror cell.")
    before = page.locator(".lk.real").count()
    press(page, "cell", "1,4")
    assert said(page) == "Turn joint 4: body 3 stands still. So M14 cannot change."
    assert before == 4 and page.locator(".lk.real").count() == 1  # all turn about joint 1, only link 4 about joint 4
    press(page, "gain-again")
    assert page.locator(".cell.missed, .cell.bad, .cell.marked").count() == 0


def test_nothing_marked_is_no_answer(show):
    """An empty commit would show all and spend the question."""
    page = show(composite())
    assert page.locator("[data-a=gain]").is_disabled() and "Mark one at least" in said(page)
    for _ in range(3):  # grows, shrinks, stays
        assert page.locator("[data-a=gain]").is_disabled() == (page.locator(".cell.marked").count() == 0)
        press(page, "mark", "2,2")
    assert page.locator("[data-a=gain]").is_disabled()
    press(page, "mark", "2,2")
    press(page, "gain")
    assert page.locator("[data-a=gain-again]").count() == 1
    press(page, "tab", "masses")
    assert page.locator("[data-a=mass]").is_disabled() and "Tick one mass at least" in said(page)
    press(page, "tick", "4")
    press(page, "mass")
    assert page.locator(".chk.is-wrong").count() == 3
    at_the_hinge = rbd.inertia(2, [0, 0, 0], np.zeros((3, 3)))  # a point mass where all hinges are: no cell changes
    light = rbd.Model([0, 1], [rbd.revolute(Z)] * 2, [(np.eye(3), [0, 0, 0])] * 2, [np.zeros((6, 6)), at_the_hinge],
                      gravity=(0, -10, 0), armature=[1, 1])  # fmt: skip
    page = show(composite(light))
    press(page, "gain")
    assert "every cell right" in page.locator(".duo .note").inner_text()


def test_masses_of_an_entry(show):
    model, q = MODELS["tree"]
    page = show(composite(model, q, open="masses"))
    press(page, "tick", "1")
    press(page, "tick", "2")
    press(page, "mass")
    assert said(page) == "Mass 1 goes from 1 to 2 kg: M12 stays 11. It is not in there."
    assert page.locator(".chk.is-wrong").count() == 2  # ticked 1, missed 3
    for k in range(4):
        m = [1.0, 2, 3, 4]
        m[k] = slide(page, f"probe|{k}", 3 * m[k])
        close(number(page.locator(".big b").inner_text()), rbd.crba(with_masses(model, m), q)[0, 1])
        assert ("stays" in said(page)) == (k in (0, 3))
    press(page, "mass-again")
    press(page, "mass-show")
    assert said(page).startswith("Right. M12 = 2·1 + 3·3 = 11")


@pytest.mark.parametrize("name", MODELS)
def test_building_the_mass_matrix(show, name):
    model, q = MODELS[name]
    page, M, n = show(composite(model, q, open="build")), rbd.crba(model, q), model.n_bodies
    com = [R @ c + p for (R, p), c in zip(rbd.poses(model, q)[1:], model.com[1:], strict=True)]
    steps, glued = page.evaluate(f"{STORY}.p.steps.list"), {k: {k} for k in model.outward}
    assert sum(s["do"] == "glue" for s in steps) == n - len(model.children[0])
    for k, step in enumerate(steps):
        assert page.locator(".cnt").inner_text() == f"step {k + 1} of {len(steps)}"
        text = said(page)
        if step["do"] == "glue":
            glued[step["to"]] |= glued[step["i"]]
            group = [b - 1 for b in glued[step["to"]]]
            mass = sum(model.mass[1 + b] for b in group)
            where = sum(model.mass[1 + b] * com[b] for b in group) / mass
            shown = [number(x) for x in re.findall(r"(−?[\d.]+) kg at \((−?[\d.]+), (−?[\d.]+)\)", text)[0]]
            for a, b in zip(shown, [mass, *where[:2]], strict=True):
                close(a, b)
        else:
            close(number(text.rstrip(".").split()[-1]), M[step["i"] - 1, step["j"] - 1])
        if k + 1 < len(steps):
            page.keyboard.press("ArrowRight") if k % 2 else press(page, "step", "1")
    for (i, j), text in cells(page).items():
        close(number(text), M[i - 1, j - 1])
    for i, j in combinations(range(1, n + 1), 2):
        press(page, "sel", f"{i},{j}")
        seen = [k for k in model.outward if {i, j} <= {k, *ancestors(model, k)}]
        assert ("different branches" in said(page)) == (not seen)
        if seen:
            assert f"It sees mass {', '.join(map(str, seen))}: everything beyond joint {max(i, j)}" in said(page)
    for k in model.outward:  # the sheets add up to M, less the rotors
        press(page, "sheet", str(k))
        alone = with_masses(model, [m if b == k - 1 else 1e-12 * m for b, m in enumerate(model.mass[1:])])
        sheet = rbd.crba(alone, q) - np.diag(model.armature)
        for (i, j), text in cells(page).items():
            assert number(text) == pytest.approx(sheet[i - 1, j - 1], rel=6e-3, abs=1e-9)


def ancestors(model, k):
    out = []
    while model.parent[k] > 0:
        k = model.parent[k]
        out.append(k)
    return out


@pytest.mark.parametrize("name", MODELS)
def test_composite_sliders_compute(show, name):
    model, q = MODELS[name]
    page, rng = show(composite(model, q, open="build")), np.random.default_rng(3)
    for m, at in zip(rng.uniform(0.1, 9, (20, 4)), rng.uniform(-3, 3, (20, 4)), strict=True):
        M = kernel(page, q=at, m=m)[:16].reshape(4, 4)
        np.testing.assert_allclose(M, rbd.crba(with_masses(model, m), at), rtol=1e-12, atol=1e-12)
    page.keyboard.press("Tab")
    press(page, "slide")
    while page.locator('[data-a=step][data-v="1"]').is_enabled():
        press(page, "step", "1")
    m = [slide(page, f"m|{k}", 2 * model.mass[k + 1]) for k in range(4)]
    at = [slide(page, f"q|{k}", -0.5 + 0.3 * k) for k in range(4)]
    for (i, j), text in cells(page).items():
        close(number(text), rbd.crba(with_masses(model, m), at)[i - 1, j - 1])
    press(page, "home")
    for (i, j), text in cells(page).items():
        close(number(text), rbd.crba(model, q)[i - 1, j - 1])


# -- composite and padlocks of any model -----------------------------------------------------------------------


def scientific(text):
    """All numbers in a text."""
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?(?:e−?\d+)?", text)]


NEXT_THREE = "s => s.map(x => [1, 2, 3].map(() => {x = x.nextElementSibling; return x.textContent}))"


def seen_as_ellipse(page, model, q, bodies):
    """Mass, centre (world) and squared semi-axes on the screen of some bodies, from their inertias and the camera."""
    right, up = np.array(page.evaluate(f"{STORY}.spaces[0].cam.axes()"))
    scale, mass, first, second = page.evaluate(f"{STORY}.spaces[0].cam.scale"), 0, np.zeros(3), np.zeros((3, 3))
    for i in bodies:
        R, p = rbd.poses(model, q)[i]
        m, c = model.mass[i], R @ model.com[i] + p
        J = model.I[i][:3, :3] - m * (model.com[i] @ model.com[i] * np.eye(3) - np.outer(model.com[i], model.com[i]))
        spread = R @ (np.trace(J) / 2 * np.eye(3) - J) @ R.T
        mass, first, second = mass + m, first + m * c, second + spread + m * np.outer(c, c)
    centre = first / mass
    C = second / mass - np.outer(centre, centre)
    flat = np.array([[a @ C @ b for a in (right, up)] for b in (right, up)])
    return mass, centre, np.sqrt(np.maximum(0, np.linalg.eigvalsh(flat))) * scale


@pytest.mark.parametrize("name", ["any", "panda"])
def test_building_M_of_any_model(show, name):
    model, q = ANY[name]
    page, M = show(composite(model, q, open="build")), rbd.crba(model, q)
    assert [x.inner_text() for x in page.locator("[data-a=tab]").all()] == ["Which masses?", "Build M"]
    steps, glued = page.evaluate(f"{STORY}.p.steps.list"), {k: {k} for k in model.outward}
    for k, step in enumerate(steps):
        if step["do"] == "glue":
            glued[step["to"]] |= glued[step["i"]]
            mass, centre, radii = seen_as_ellipse(page, model, q, glued[step["to"]])
            shown = re.search(r"([\d.]+) kg at \((.*)\)", said(page))
            close(number(shown[1]), mass)
            np.testing.assert_allclose(scientific(shown[2]), centre, rtol=6e-3, atol=1e-6)
            ellipse = page.locator("ellipse.ell:not(.old)")
            drawn = sorted(float(ellipse.get_attribute(a)) for a in ("rx", "ry"))
            np.testing.assert_allclose(drawn, np.hypot(radii, 3), rtol=2e-3, atol=0.06)
        elif model.joints[step["i"]].nv == model.joints[step["j"]].nv == 1:
            value = M[model.v_slice[step["i"]], model.v_slice[step["j"]]].item()
            assert scientific(said(page))[-1] == pytest.approx(value, rel=0.03)  # small ones: two digits
        if k + 1 < len(steps):
            press(page, "step", "1")
    for i in model.outward:
        for j in range(1, i + 1):
            if name == "any":
                page.locator("[data-cells]").focus()
                now = page.evaluate(f"{STORY}.view.s.sel || [{STORY}.p.steps.list.at(-1).i, 1]")
                for at, key in ((i - now[0], ("ArrowUp", "ArrowDown")), (j - now[1], ("ArrowLeft", "ArrowRight"))):
                    for _ in range(abs(at)):
                        page.keyboard.press(key[at > 0])
                if page.evaluate(f"{STORY}.view.s.sel") is None:
                    page.keyboard.press("ArrowUp")
            else:
                press(page, "sel", f"{i},{j}")
            block, text = M[model.v_slice[i], model.v_slice[j]], said(page)
            if not below(model, j, i):
                assert "different branches" in text and not block.any()
                continue
            assert f"everything beyond joint {i}" in text
            shown = scientific(text.split("=", 1)[1].split("It sees")[0].rsplit("=", 1)[-1])
            true = block.ravel() if block.size <= 6 else np.diagonal(block) if i == j else None
            if true is not None:
                np.testing.assert_allclose(shown[-len(true) :], true, rtol=0.03, atol=1e-9)


@pytest.mark.parametrize("name", ["any", "panda", "talos"])
def test_masses_of_an_entry_of_any_model(show, name):
    model = rbd.robots.load("talos") if name == "talos" else ANY[name][0]
    q = model.neutral() if name == "talos" else ANY[name][1]
    demo = composite(model, q, open="masses")
    page, (i, j) = show(demo), demo.payload["pair"]
    inside = [k for k in model.outward if below(model, i, k) and below(model, j, k)]
    wrong = next(k for k in model.outward if k not in inside) if len(inside) < model.n_bodies else None
    for k in inside + ([wrong] if wrong else []):
        press(page, "tick", str(k))
    press(page, "mass")
    if wrong:
        assert "stays" in said(page) and "not in there" in said(page)
        press(page, "mass-again")
        for k in inside:
            press(page, "tick", str(k))
        press(page, "mass")
    assert "Right." in said(page)
    k = inside[-1]
    if name == "talos":
        press(page, "probe-pick", str(k))
    m = list(model.mass[1:])
    m[k - 1] = slide(page, f"probe|{k - 1}", 3 * m[k - 1])
    M = rbd.crba(with_masses(model, m), q)[model.v_slice[i], model.v_slice[j]]
    np.testing.assert_allclose(scientific(page.locator(".big").inner_text().split("=")[1]), M.ravel(), rtol=6e-3)


@pytest.mark.parametrize("name", ["any", "anymal"])
def test_padlocks_of_any_model(show, name):
    model = rbd.robots.load("anymal") if name == "anymal" else ANY[name][0]
    q = model.neutral() if name == "anymal" else ANY[name][1]
    tau, still, n = np.linspace(-2, 3, model.nv), model.replace(gravity=(0, 0, 0)), model.nv
    page = show(padlocks(model, q, tau, parts=["locks"], locked=[3]))
    owner = [i for i in model.outward for _ in range(model.joints[i].nv)]
    for closed in ([3], [1, 3], [1, 2, 3], [1, 2]):
        now = page.evaluate(f"{STORY}.view.parts.locks.s.shut")
        for j in set(now) ^ set(closed):
            press(page, "toggle", str(j))
        qdd, carried = rbd.held(still, q, np.zeros(n), tau, closed)
        rows = page.locator(".lt .sl").evaluate_all(NEXT_THREE)
        assert len(rows) == n
        for d, (a, free, holds) in enumerate(rows):
            np.testing.assert_allclose(scientific_or_fraction(a), qdd[d], rtol=0.06, atol=1e-9)
            np.testing.assert_allclose(scientific_or_fraction(free), rbd.aba(still, q, np.zeros(n), tau)[d], rtol=0.06)
            assert (holds == "–") == (owner[d] not in closed)
            if owner[d] in closed:
                np.testing.assert_allclose(scientific_or_fraction(holds), carried[d], rtol=0.06, atol=1e-9)
        assert f"padlock {closed[0]} carries" in said(page)
    press(page, "table", "felt")
    for row, numbers in zip(felt_table(page), felt_numbers(still, q, closed), strict=True):
        np.testing.assert_allclose(row, numbers, rtol=6e-3)
        now, free, D, locked = numbers
        assert free <= now * (1 + 1e-9) and free <= D * (1 + 1e-9) and now <= locked * (1 + 1e-9) >= D
    press(page, "push")
    assert "Solid: with your padlocks" in said(page) and page.locator(".lk.other").count()


def felt_numbers(still, q, closed):
    """What each freedom feels: with these joints closed (its own open), all open, D, all others locked; by a push."""
    run = rbd.trace(rbd.aba, still, q, np.zeros(still.nv), np.zeros(still.nv))
    D = {s.index: np.diagonal(s.value) for s in run.steps if s.name == "D"}
    D, out = np.concatenate([D[i] for i in still.outward]), []
    owner = [i for i in still.outward for _ in range(still.joints[i].nv)]
    for d, push in enumerate(np.eye(still.nv)):
        shut = [j for j in closed if j != owner[d]]
        now, free = (1 / rbd.held(still, q, np.zeros(still.nv), push, x)[0][d] for x in (shut, []))
        out.append([now, free, D[d], rbd.crba(still, q)[d, d]])
    return np.array(out)


def felt_table(page):
    """Rows (now, all open, D, M_ii) of the freedoms."""
    rows = page.locator(".lt.ft3 .bar").evaluate_all(NEXT_THREE.replace("3]", "3, 4]"))
    return [[scientific_or_fraction(x) for x in row] for row in rows]


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ["tree", "rods", "any"])
def test_what_a_joint_feels_counts_the_padlocks_further_in(show, name, recorded):
    """Push over acceleration in the present state; D is told apart from it, and does not depend on the padlocks."""
    model, q = ANY[name]
    still = model.replace(gravity=(0, 0, 0))
    for closed in ([], [1], [2], [1, 3], [1, 2, 3]):
        demo = padlocks(model, q, parts=["locks"], locked=closed, id="felt" if recorded else None)
        told = np.transpose([demo.payload["recorded"][k] for k in ("felt", "free", "D", "locked")])
        expected = felt_numbers(still, q, closed)
        np.testing.assert_allclose(told, expected, rtol=1e-8)
        page = show(demo)
        press(page, "table", "felt")
        np.testing.assert_allclose(felt_table(page), expected, rtol=6e-3)
        assert "joints further in locked, beyond free" in page.locator(".pl").inner_text()


@pytest.mark.parametrize("width", [360, 595, 720])
def test_what_joints_feel_fits(show, width):
    page = show(padlocks(*ANY["panda"], parts=["locks"], locked=[3]), width)
    press(page, "table", "felt")
    assert page.locator(".lt.ft3").evaluate("e => e.scrollWidth - e.clientWidth") <= 0


@pytest.mark.parametrize("recorded", [False, True])
def test_the_padlock_of_a_floating_base_counts(show, recorded):
    """The joint in the headline hangs on a free body: floating it feels less than with that body held, which is D."""
    talos, states = rbd.robots.load("talos"), {}
    still, zero, q = talos.replace(gravity=(0, 0, 0)), np.zeros(talos.nv), talos.neutral()
    for closed in ([], [1]):
        demo = padlocks(talos, parts=["locks"], locked=closed, lockable=[1, 2, 3], id="floating" if recorded else None)
        page = show(demo)
        assert "joint 2 (torso_1_joint) feels" in page.locator(".felt .big").inner_text()
        states[bool(closed)] = number(page.locator(".felt .big b").inner_text())
        close(states[bool(closed)], 1 / rbd.held(still, q, zero, np.eye(talos.nv)[6], closed)[0][6])
        here = page.locator(".lat .st.on").inner_text().split()
        assert here[0] == ("1" if closed else "all"), "padlocks further in are in the list of states"
        assert page.locator(".lat .st").count() == 4
    assert states[False] < 0.5 * states[True]


def scientific_or_fraction(text):
    return number(text) if "/" in text else scientific(text)[0]


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ANY)
def test_articulated_inertia_joint_by_joint(show, name, recorded):
    """What is felt, left and handed on, by direction in the picture, against ABA; the pieces that joints take away."""
    model, q = ANY[name]
    demo = padlocks(model, q, parts=["gather"], id="x" if recorded else None)
    page, poses = show(demo), rbd.poses(model, q)
    assert bool(page.locator("[data-a=slide]").count()) != recorded
    axes = np.eye(3)[:2] if demo.payload["paper"] else np.array(page.evaluate(f"{STORY}.spaces[0].cam.axes()"))

    def seen(A, i):
        A = np.asarray(A, dtype=float)[3:, 3:]
        return np.linalg.eigvalsh(axes @ poses[i][0] @ A @ poses[i][0].T @ axes.T)

    run = rbd.trace(rbd.aba, model, q, np.zeros(model.nv), np.zeros(model.nv))
    IA, Ia = dict(enumerate(model.I)), {}
    for s in run.steps:
        if s.kind != "write" or s.name not in ("IA", "Ia") or s.index == s.at["i"]:
            continue
        i, up = s.at["i"], model.parent[s.at["i"]]
        if s.name == "Ia":
            Ia[i] = s.value
            continue
        expected = [seen(IA[i], i), seen(Ia[i], i), seen(s.value, up)]
        most = seen(IA[i] - Ia[i], i)[1]
        for phase, (low, high) in enumerate(expected):
            text = said(page)
            assert f"oint {i}" in text or f"body {i}" in text, (i, text)
            x = r"([\d./−e]+)"
            shown = re.search(f"{x} to {x} kg, by|{x} kg(?:, nearly the same)? in every direction of", text)
            assert shown[1] is None or shown[1] != shown[2], "one number is said once"
            shown = [scientific_or_fraction(x) for x in shown.groups() if x]
            np.testing.assert_allclose([shown[0], shown[-1]], [low, high], rtol=0.03, atol=2e-9)
            if phase == 0:
                assert "D = SᵀIAS" in page.locator(".duo .note").first.inner_text(), "hand and joint feel one matrix"
            if phase == 1 and most > 1e-6:
                taken = re.search(r"at most ([\d./e−]+) kg", text)[1]
                np.testing.assert_allclose(scientific_or_fraction(taken), most, rtol=0.03)
            curve = page.locator(".free-curve").get_attribute("d")
            points = np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", curve), dtype=float)
            circle = [float(page.locator("circle.locked-curve").get_attribute(a)) for a in ("cx", "cy", "r")]
            reach = np.linalg.norm(points - circle[:2], axis=1)
            assert reach.max() <= circle[2] + 0.2, "never heavier than locked"
            if phase < 2:
                locked = sum(model.mass[k] for k in model.outward if below(model, i, k))
                assert reach.max() / circle[2] == pytest.approx(high / locked, abs=0.02)
            if low > 0.2 * high:
                assert reach.min() / reach.max() == pytest.approx(low / high, abs=0.02)
            press(page, "step", "1")
        IA[up] = s.value
    while page.locator('[data-a=step][data-v="1"]').is_enabled():
        press(page, "step", "1")
    low, high = seen(IA[1], 1)
    text = said(page)
    assert number(text.rsplit(" kg", 1)[0].split()[-1]) == pytest.approx(high, rel=6e-3)


@pytest.mark.parametrize("name", ANY)
def test_recorded_sheets_add_up_to_M(name):
    """Without JavaScript of its own a page adds M of other masses from sheets; rotors are on the sheet of no body."""
    model, q = ANY[name]
    m, M = np.linspace(0.5, 3, model.n_bodies), np.zeros((model.nv, model.nv))
    for k, sheet in enumerate(composite(model, q, id="elsewhere").payload["sheets"]):
        for r, c, x in np.reshape(sheet, (-1, 3)):
            M[int(r), int(c)] += x * (m[k - 1] if k else 1)
    np.testing.assert_allclose(np.tril(M), np.tril(rbd.crba(with_masses(model, m), q)), rtol=1e-9, atol=1e-10)


def test_what_is_too_long_for_a_page_is_recorded(show, monkeypatch):
    """No dead control: the sliders and padlocks are gone, and one sentence says why."""
    monkeypatch.setattr("rbdlite.widgets.demos.page.LONGEST", 1000)
    model, q = ANY["panda"]
    page = show(composite(model, q, open="build"))
    assert "too long for a page" in page.locator(".pl").inner_text() and not page.locator("[data-a=slide]").count()
    while page.locator('[data-a=step][data-v="1"]').is_enabled():
        press(page, "step", "1")
    M = rbd.crba(model, q)
    for (i, j), text in cells(page).items():
        assert number(text) == pytest.approx(M[i - 1, j - 1], abs=0.51 * 10.0 ** -len(text.partition(".")[2]))
    press(page, "tab", "masses")
    press(page, "mass-show")
    k = page.evaluate(f"{STORY}.p.pair[0]")
    m = list(model.mass[1:])
    m[k - 1] = slide(page, f"probe|{k - 1}", 2 * m[k - 1])
    i, j = page.evaluate(f"{STORY}.p.pair")
    value = rbd.crba(with_masses(model, m), q)[i - 1, j - 1]
    assert scientific(page.locator(".big").inner_text())[-1] == pytest.approx(value, rel=6e-3)
    page = show(padlocks(model, q, parts=["locks"], locked=[2]))
    assert "too long for a page" in page.locator(".pl").inner_text()
    assert not page.locator("[data-a=toggle], .lt input").count() and page.locator(".gl").count() == 7
    assert "Joint 2 locked: padlock 2 carries" in said(page)


# -- padlocks ------------------------------------------------------------------------------------------------


def folded():
    z = rbd.revolute(Z)
    bodies = [rbd.inertia(3, [0.5, 0, 0], [0, 0.25, 0.25]), rbd.inertia(1, [1, 0, 0], [0, 1, 1])]
    return rbd.Model([0, 1], [z, z], [(np.eye(3), [0, 0, 0]), (np.eye(3), [1, 0, 0])], bodies, gravity=(0, 0, 0))


def test_parabola(show):
    arm, q, zero = folded(), np.array([0, np.pi]), np.zeros(2)
    np.testing.assert_allclose(rbd.crba(arm, q), [[2, 1], [1, 2]], atol=1e-15)
    page = show(padlocks(parts=["parabola"]))
    assert page.locator("[data-a=pad-lock]").count() == 0 and page.locator(".tabs").count() == 0
    place = "e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] }"
    first, second = (page.locator(f"[data-k=lk{k}] rect").evaluate(place) for k in (1, 2))
    assert second[3] < first[3] - 8 and second[1] < first[1] - 8, "link 2 is seen beside link 1"
    hub, wheel = (page.locator(s).first.evaluate(place) for s in (".art > svg > .hg", ".wheel circle"))
    np.testing.assert_allclose(np.mean([hub[:2], hub[2:]], axis=0), np.mean([wheel[:2], wheel[2:]], axis=0), atol=1)
    for v in ("low", "same", "high", "free"):
        press(page, "answer", f"pad-much|{v}")
        ghosts = page.locator(".gball").count()
        assert ghosts == (v != "free") and page.locator(".btn.is-wrong").count() == (v != "free")
    assert "Your first answer: 1." in page.locator(".fb").first.inner_text()
    for v in ("with", "stays", "against"):
        press(page, "answer", f"pad-way|{v}")
    qdd, carried = rbd.held(arm, q, zero, [1, 0], [2])
    free = rbd.aba(arm, q, zero, [1, 0])
    assert "q̈ = (2/3, −1/3)" in said(page) and np.allclose(free, [2 / 3, -1 / 3])
    press(page, "pad-lock")
    assert "q̈ = (1/2, 0), and the padlock carries 1/2." in said(page)
    assert np.allclose(qdd, [0.5, 0]) and np.allclose(carried, [0, 0.5])
    for x in np.arange(-1.4, 0.81, 0.05):
        x = slide(page, "x|0", x)
        energy, momentum = (number(b) for b in page.locator(".say b").all_inner_texts())
        close(energy, 2 * rbd.kinetic_energy(arm, q, [1, x]))
        close(momentum, (rbd.crba(arm, q) @ [1, x])[1])
    press(page, "pad-lock")
    assert said(page).startswith("Free: 2T = 3/2.") and page.locator(".ball").get_attribute("cx") == "114"
    x, T = (np.array(page.evaluate(f"{STORY}.p.parabola.{k}")) for k in ("x", "twoT"))
    for a, b in zip(x, T, strict=True):
        assert b == pytest.approx(2 * rbd.kinetic_energy(arm, q, [1, a]), abs=1e-11)


def test_apparent_mass(show):
    arm = rbd.robots.planar_arm([1, 1], [1, 1], gravity=(0, 0, 0))
    page = show(padlocks(parts=["apparent"]))
    assert page.locator(".free-curve").count() == 0 and "?" in page.locator(".kv").inner_text()
    rod = {"elbow": ("elbow", "14°", "76°", "0.18, along 0.71) leans 31°"),
           "base": ("base", "32°", "58°", "0.88, along 1.4) leans 13°")}  # fmt: skip
    for place, (what, near, across, force) in rod.items():  # question, answers, table and sentence are of one place
        press(page, "place", place)
        assert page.locator(".free-curve").count() == 0 and "?" in page.locator(".kv").inner_text()
        assert "feels like 1 kg" in said(page) if place == "elbow" else "the arm feels like 2 kg" in said(page)
        question = page.locator(".ask .qn").inner_text()
        assert ("whole arm" in question) == ("accelerate the base" in question) == (place == "base")
        answers = page.locator(".opts .btn").all_inner_texts()
        assert near in answers[1] and across in answers[2]
        for v in ("along", "across", "near"):
            press(page, "answer", f"{'app-push' if place == 'elbow' else 'app-base'}|{v}")
            assert page.locator(".drift").count() == (v != "near")
            assert (f"the {what}" if v != "near" else force) in page.locator(".fb").inner_text()
        lean = re.search(r"leans (\d+)°", page.locator(".duo .note").inner_text())[1]
        assert f"leans {lean}°" in page.locator(".fb").inner_text()
    assert said(page) == ("Here, at 45°, the hand feels 13/8 kg. Link 1 does not turn, so it counts in full: 1 kg. "
                          "Rod 2 adds 1 along its length and 1/4 across, where it yields.")  # fmt: skip
    press(page, "place", "elbow")
    press(page, "app-gone")
    q = np.array([0, np.pi / 2])
    far = rbd.lock(arm, {2: np.pi / 2})
    free = {"elbow": np.diag([0.25, 1]), "base": np.diag([1.25, 2])}  # world axes: rod 2 points up
    locked = {"elbow": np.eye(2), "base": far.mass[1] * np.eye(2)}
    for place in free:
        press(page, "place", place)
        for deg in range(0, 360, 5):
            slide(page, "dial|0", deg)
            d = np.array([np.sin(np.radians(deg)), np.cos(np.radians(deg))])
            shown = [number(x) for x in page.locator(".kv").inner_text().split("\n")[-3:]]
            for a, A in zip(shown, (locked[place], free[place], locked[place] - free[place]), strict=True):
                close(a, d @ A @ d)
            across, along = (number(x) for x in page.locator(".note b").all_inner_texts()[:2])
            np.testing.assert_allclose([across, along], free[place] @ d, atol=6e-3, rtol=0.05)
    # the same two matrices from operational inertias of arms whose hand cannot turn: M of the arm on two slides
    x, y = rbd.prismatic((1, 0, 0)), rbd.prismatic((0, 1, 0))
    small = rbd.inertia(1e-9, [0, 0, 0], [0, 0, 0])
    rod = rbd.inertia(1, [0.5, 0, 0], [0, 1 / 12, 1 / 12])
    eye = np.eye(3)
    hand = rbd.Model([0, 1, 2], [x, y, rbd.revolute(Z)], [(eye, [0, 0, 0])] * 3, [small, small, rod])
    felt = np.linalg.inv(rbd.minv(hand, [0, 0, np.pi / 2])[:2, :2])
    np.testing.assert_allclose(felt, free["elbow"], atol=1e-7)
    cart = rbd.Model([0, 1, 2], [x, y, rbd.revolute(Z)], [(eye, [0, 0, 0])] * 2 + [(eye, [1, 0, 0])], [small, rod, rod])
    np.testing.assert_allclose(np.linalg.inv(rbd.minv(cart, [0, 0, np.pi / 2])[:2, :2]), free["base"], atol=1e-7)
    press(page, "app-lock")
    assert page.locator(".free-curve").count() == 0 and said(page).startswith("Here, at 355°, the hand feels 2 kg.")
    press(page, "scene", "bend")
    for v in ("falls", "stays", "rises"):
        press(page, "answer", f"app-bend|{v}")
        assert page.locator(".drift").count() == (v != "rises")
    for bend in range(0, 181, 5):
        slide(page, "bend|0", bend)
        q = np.array([0, np.radians(bend)])
        held, free_ = (number(x) for x in page.locator(".say b").all_inner_texts())
        close(held, rbd.crba(arm, q)[0, 0])
        close(free_, 1 / rbd.minv(arm, q)[0, 0])


def test_two_numbers_per_link(show):
    page = show(padlocks(parts=["numbers"]))
    for i, pair in {4: (4, 4), 3: (3, 3), 2: (5, 2), 1: (10, 1)}.items():
        for j, x in enumerate(pair):
            page.locator(f'input[data-in="ab|{i}.{j}"]').fill(str(x))
    page.keyboard.press("Tab")
    assert said(page).startswith("(10, 1) is what you get when link 2 hands on all it has.")
    assert page.locator(".lk.real").count() == 2 and page.locator("input.bad").count() == 1  # links 2 and 3 swing aside
    page.locator('input[data-in="ab|1.0"]').fill("7")
    assert "Right" in said(page)
    model, q = MODELS["tree"]
    L, D = rbd.ltdl(model, rbd.crba(model, q))
    alpha = [number(page.locator(f'input[data-in="ab|{i}.0"]').input_value()) for i in range(1, 5)]
    assert alpha == D.round(9).tolist()
    assert page.locator(".opts .btn").all_inner_texts() == ["7", "37", "70", "163", "show me"]
    for v in ("163", "70", "37", "7"):
        press(page, "answer", f"heavy|{v}")
        assert "Joint 1 feels 7." in said(page)
    heavy = with_masses(model, [1, 2, 30, 4])
    assert rbd.crba(heavy, q)[0, 0] == pytest.approx(163) and 1 / rbd.minv(heavy, q)[0, 0] == pytest.approx(7)
    press(page, "ab-again")
    press(page, "ab-show")
    assert page.locator("input.good").count() == 8


@pytest.mark.parametrize("name", MODELS)
def test_one_padlock_per_joint(show, name):
    model, q = MODELS[name]
    still, n = model.replace(gravity=(0, 0, 0)), 4
    tau = np.array([16, -2, 3, 8])
    page = show(padlocks(model, q, tau, parts=["locks"]))
    press(page, "answer", "lighter|yes")
    felt, bits = {}, 0
    for gray in range(16):
        wanted = gray ^ gray >> 1
        for b in range(n):
            if (bits ^ wanted) >> b & 1:
                press(page, "toggle", str(b + 1))
        bits = wanted
        closed = [b + 1 for b in range(n) if bits >> b & 1]
        qdd, carried = rbd.held(still, q, np.zeros(n), tau, closed)
        rows = table(page)
        for k in range(n):
            close(rows[k][1], qdd[k])
            close(rows[k][2], rbd.aba(still, q, np.zeros(n), tau)[k])
            assert (rows[k][3] is None) == (k + 1 not in closed)
            if k + 1 in closed:
                close(rows[k][3], carried[k])
        if 1 in closed:
            assert "Joint 1 is locked" in page.locator(".foot").inner_text()
        else:
            felt[tuple(closed)] = number(page.locator(".felt .big b").inner_text())
            close(felt[tuple(closed)], 1 / rbd.held(still, q, np.zeros(n), [1, 0, 0, 0], closed)[0][0])
        press(page, "table", "felt")
        written = page.locator(".lt.ft3").inner_text() + page.locator(".foot").inner_text()
        np.testing.assert_allclose(felt_table(page), felt_numbers(still, q, closed), rtol=6e-3)
        press(page, "table", "motion")
        written += page.locator(".lt").inner_text()
        assert name != "tree" or not re.search(r"\d\.\d", written), "fractions in full"
    if name == "tree":
        expected = {(): 7, (4,): 11, (2,): 12, (3,): 71 / 8, (3, 4): 103 / 8, (2, 4): 16, (2, 3): 24, (2, 3, 4): 28}
        assert felt == pytest.approx(expected)
    press(page, "locks-home")
    assert "All 8 states seen: none is lighter" in said(page)
    press(page, "toggle", "2")
    press(page, "push")
    assert "Dashed: all open" in said(page) and page.locator(".lk.other").count() == 4
    press(page, "locks-more")
    m = [slide(page, f"m|{k}", 2 * model.mass[k + 1]) for k in range(n)]
    push = [slide(page, f"tau|{k}", x) for k, x in enumerate((-5, 4, 0, 11))]
    qdd, carried = rbd.held(with_masses(still, m), q, np.zeros(n), push, [2])
    for k, row in enumerate(table(page)):
        close(row[1], qdd[k])
    close(table(page)[1][3], carried[1])


def table(page):
    """Rows (push, q̈, q̈ all open, what the padlock carries or None) of the joints."""
    rows = page.locator(".lt").evaluate(
        "e => [...e.querySelectorAll('.sl')].map(s => {const r = [s.querySelector('input').value]; let x = s; "
        "for (let k = 0; k < 3; k++) {x = x.nextElementSibling; r.push(x.textContent)} return r})"
    )
    return [[None if x == "–" else number(x) for x in row] for row in rows]


@pytest.mark.parametrize("name", ANY)
def test_padlock_code_equals_held(show, name):
    """Every state of the padlocks by one function: random states, pushes, places and masses against rbd.held."""
    model, q = ANY[name]
    still, rng, n = model.replace(gravity=(0, 0, 0)), np.random.default_rng(5), model.nv
    page = show(padlocks(model, q, parts=["locks"], lockable=[2, model.joint_names[3]]))
    assert page.locator("button[data-a=toggle]").count() == 2
    for k in range(8):
        closed = [i for i in model.outward if k and (k == 7 or rng.random() < 0.5)]
        at, tau, m = model.random(rng), rng.normal(size=n), rng.uniform(0.5, 9, model.n_bodies)
        s = np.array([float(i not in closed) for i in model.outward for _ in range(model.joints[i].nv)])
        qdd, carried, felt = kernel(page, q=at, s=s, tau=tau, m=m).reshape(3, n)
        heavy = with_masses(still, m)
        expected = rbd.held(heavy, at, np.zeros(n), tau, closed)
        np.testing.assert_allclose(qdd, expected[0], rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(carried, expected[1], rtol=1e-8, atol=1e-8)
        if k == 7:  # all closed: the diagonal of M
            np.testing.assert_allclose(felt, np.diagonal(rbd.crba(heavy, at)), rtol=1e-8)
        for i in model.outward:  # locked further in, a unit push finds what the freedom feels
            d = model.v_slice[i].start
            if model.joints[i].nv == 1 and i not in closed:
                inner = [j for j in model.outward if j not in closed and j != i and not below(model, i, j)]
                a = rbd.held(heavy, at, np.zeros(n), np.eye(n)[d], closed + inner)[0][d]
                assert felt[d] == pytest.approx(1 / a)


def below(model, i, j):
    return i == j or i in ancestors(model, j)


# -- order game ----------------------------------------------------------------------------------------------


def eliminate(M, parent, order):
    """(fill-ins, operations, pivots) of an order: Schur complements in exact fractions, couplings by structure."""
    n = len(M)
    H = {(i, j): Fraction(round(M[i][j] * 420), 420) for i in range(n) for j in range(n)}

    def up(k):
        return {k} if parent[k] < 0 else {k} | up(parent[k])

    joined = {(i, j) for i in range(n) for j in range(n) if i in up(j) or j in up(i)}
    fill, ops, pivots, left = 0, 0, {}, set(range(n))
    for k in order:
        left -= {k}
        near = [i for i in left if (i, k) in joined]
        ops += len(near) + sum(1 for i in near for j in near if i <= j)
        fill += sum((i, j) not in joined for i in near for j in near if i < j)
        pivots[k] = H[k, k]
        for i in near:
            for j in near:
                joined.add((i, j))
                H[i, j] -= H[i, k] * H[k, j] / H[k, k]
    return fill, ops, pivots


def test_every_order(show):
    model, q = MODELS["tree"]
    M, page, free = rbd.crba(model, q), show(order_game()), 0
    press(page, "predict")
    for order in permutations(range(4)):
        page.evaluate(f"o => o.forEach(k => {STORY}.act('take', String(k)))", order)
        fill, ops, pivots = eliminate(M, model.dof_parent, order)
        free += fill == 0
        shown = page.locator(".score").all_inner_texts()
        assert shown == [f"fill-in {fill}", f"updates {ops}", f"order {', '.join(str(k + 1) for k in order)}"]
        assert page.locator(".spring").count() == fill
        diagonal = page.locator(".cell.piv").evaluate_all("c => c.map(e => (e.querySelector('.vh') || e).textContent)")
        signs = page.locator(".cell.piv").all_inner_texts()
        assert [abs(number(x)) for x in diagonal] == pytest.approx([float(pivots[k]) for k in range(4)])
        assert not any("−" in x for x in signs)
        written = said(page, ".foot .sqs") + page.locator(".led tbody").first.inner_text() + "".join(diagonal)
        assert "." not in written and "≈" not in written, "whole numbers give fractions"
        press(page, "new")
    assert free == 14
    press(page, "answer", "chain|5952")
    assert "112, 800, 5952 updates" in page.locator(".fb").last.inner_text()


def test_a_fraction_too_long_is_said_to_be_rounded(show):
    """M of whole numbers with pivots of more than four digits: decimals with a sign, no silent ones."""
    unit = [(np.eye(3), [0, 0, 0])] + [(rbd.turn_about(Z, np.pi / 2), [1, 0, 0])] * 3
    bodies = [rbd.inertia(m, [1, 0, 0], np.zeros((3, 3))) for m in (97, 89, 83, 79)]
    model = rbd.Model([0, 1, 2, 3], [rbd.revolute(Z)] * 4, unit, bodies, gravity=(0, 0, 0))
    page, M = show(order_game(model)), rbd.crba(model, model.neutral())
    np.testing.assert_allclose(M, M.round(), atol=1e-9)
    press(page, "predict")
    page.evaluate(f"[0, 1, 2, 3].forEach(k => {STORY}.act('take', String(k)))")
    pivots = eliminate(M, model.dof_parent, range(4))[2]
    rows = [r.inner_text().split("\t")[1] for r in page.locator(".led tbody").first.locator("tr").all()]
    assert any("≈" in r for r in rows)
    for text, exact in zip(rows, (pivots[k] for k in range(4)), strict=True):
        if "≈" in text:
            assert number(text.replace("≈", "")) == pytest.approx(float(exact), rel=1e-4)
        else:
            assert Fraction(text) == exact
    assert all("." not in part or "≈" in part for part in re.split(r"[+()−]", said(page, ".sqs")))


def test_leaf_first_is_aba(show):
    model, q = MODELS["tree"]
    qdd = np.array([1, -2, 1, 1])
    still = model.replace(gravity=(0, 0, 0))
    tau = rbd.rnea(still, q, 0 * qdd, qdd)
    run = rbd.trace(rbd.aba, still, q, 0 * qdd, tau)
    u = {s.index: float(s.value.item()) for s in run.steps if s.name == "u"}
    D = {s.index: float(s.value.item()) for s in run.steps if s.name == "D"}
    L, _ = rbd.ltdl(model, rbd.crba(model, q))
    page = show(order_game())
    for k in (4, 3, 2, 1):
        page.keyboard.press("Tab")
        page.locator(".pl").focus()
        page.keyboard.press(str(k))
        if page.locator("[data-a=go]").count():
            press(page, "go")
        row = page.locator(".led tbody").first.locator("tr").last.inner_text().split("\t")
        path = sorted(ancestors(model, k), reverse=True)
        assert (number(row[1]), number(row[2])) == pytest.approx((D[k], D[k]))
        assert row[3] == (", ".join(f"{L[k - 1, i - 1]:g}" for i in path[::-1]) or "–")
        assert (number(row[4]), number(row[5])) == pytest.approx((u[k], u[k]))
    assert said(page, ".sqs").replace("\u2009", "") == \
        "2T = 4 (q̇4 + q̇1)² + 3 (q̇3 + 2 q̇1 + q̇2)² + 5 (q̇2 + q̇1)² + 7 q̇1²"  # fmt: skip
    given = page.locator(".foot .led + .note").inner_text()
    assert "the push τ = (16, −2, 3, 8), which gives q = (1, −2, 1, 1) from rest" in given
    np.testing.assert_allclose(tau, [16, -2, 3, 8])
    page.keyboard.press("Backspace")
    assert page.locator(".led tbody").first.locator("tr").count() == 3


def test_predicted_fill(show):
    page = show(order_game())
    press(page, "take", "0")
    assert page.locator(".cell.ask").count() == 4
    press(page, "cancel")
    press(page, "take", "0")
    press(page, "guess", "1,3")
    assert page.locator(".spring.guess").count() == 1
    press(page, "go")
    assert said(page).startswith("Missed: 3–4.") and "M24 = −11/7, M34 = −6/7" in said(page)
    press(page, "undo")
    press(page, "take", "3")  # no empty cell would be left: joint 4 goes at once
    assert said(page) == "Joint 4 is gone. Its neighbours were joined already: no new coupling."
    press(page, "undo")
    press(page, "hint")
    press(page, "hint")
    assert "Joints 2, 3, 4 can go now" in said(page) and page.locator(".nd.ok").count() == 3
    press(page, "take", "1")  # joint 2 before its leaf 3: free too
    press(page, "guess", "2,3")
    press(page, "go")
    assert "Not so: 3–4; who would have told joint 3 about joint 4?" in said(page)
    assert page.locator(".spring.not").count() == 1


def test_a_right_hand_side_for_which_the_border_would_be_singular():
    """τᵀ M⁻¹ τ = 1, as for a unit push at the first joint of the stretched tree."""
    model = MODELS["tree"][0]
    demo = order_game(model, tau=[1, 0, 0, 0])
    M = rbd.crba(model, model.neutral())
    assert np.linalg.inv(M)[0, 0] == pytest.approx(1)
    assert demo.payload["states"][0]["u"] == [1, 0, 0, 0] and demo.payload["aba"]["u"] == [1, 0, 0, 0]


def test_order_game_on_other_models():
    rng = np.random.default_rng(1)
    ball = rbd.robots.random_tree(3, rng, kinds=("spherical", "revolute"), numbering="any")
    if ball.nv <= 6:
        p = order_game(ball, ball.random(rng)).payload
        assert p["aba"] is None and len(p["states"]) == 2**ball.nv
    model, q = MODELS["rods"]
    p = order_game(model, q).payload
    M = rbd.crba(model, q)
    for mask, state in enumerate(p["states"]):
        gone, left = [k for k in range(4) if mask >> k & 1], [k for k in range(4) if not mask >> k & 1]
        S = M[np.ix_(left, left)]
        if gone:
            S = S - M[np.ix_(left, gone)] @ np.linalg.solve(M[np.ix_(gone, gone)], M[np.ix_(gone, left)])
        np.testing.assert_allclose(np.array(state["H"])[np.ix_(left, left)], S, atol=1e-9)
    assert p["free"] == [14, 24] and p["tau"] is None


# -- factor --------------------------------------------------------------------------------------------------


def quadruped():
    return rbd.robots.load("anymal")


def star(n=8):
    hub = [rbd.revolute(Z)] * (n + 1)
    places = [(np.eye(3), [0, 0, 0])] + [(rbd.turn_about(Z, 0.5 + k), [0.3, 0.1 * k, 0]) for k in range(n)]
    bodies = [rbd.inertia(1 + k, [0.4, 0, 0], [0, 0.1, 0.1]) for k in range(n + 1)]
    return rbd.Model([0] + [1] * n, hub, places, bodies)


def test_factor_counts():
    """Operations as LTDL's trace counts them; fill-in as numbers of the textbook factor show it."""
    rng = np.random.default_rng(2)
    cases = {"chain": rbd.robots.planar_arm([1] * 12, [1] * 12), "star": star(), "quadruped": quadruped()}
    p = factor({name: (m, m.random(rng)) for name, m in cases.items()}).payload
    for c, model in zip(p["cases"], cases.values(), strict=True):
        M = np.array([row + [0] * (c["n"] - len(row)) for row in c["M"]])
        M = M + np.tril(M, -1).T
        np.testing.assert_allclose(M, rbd.crba(model, c["inputs"]["q"]), rtol=1e-6, atol=1e-9)
        for (L, D), (shown, pivots) in ((rbd.ltdl(model, M), ("L", "D")), (rbd.ldlt(M), ("Lc", "Dc"))):
            recorded = np.array([row + [0] * (c["n"] - len(row)) for row in c[shown]])
            np.testing.assert_allclose(recorded, L, rtol=1e-4, atol=1e-4, err_msg=f"{c['name']}: {shown}")
            np.testing.assert_allclose(c[pivots], D, rtol=1e-4, err_msg=f"{c['name']}: {pivots}")
        run = rbd.trace(rbd.ltdl, model, M)
        assert sum(c["ops"][0]) == sum(s.kind == "write" and s.line in (6, 9) for s in run.steps)
        L = np.tril(rbd.ldlt(M)[0], -1)
        filled = {(j, i) for i, j in zip(*np.nonzero(np.abs(L) > 1e-13), strict=True)}
        assert filled <= {tuple(x) for x in c["tree"]} | {tuple(x[:2]) for x in c["fill"]}
        assert filled >= {tuple(x[:2]) for x in c["fill"]}
        assert sum(c["ops"][1]) >= sum(c["ops"][0])
    chain, hub, quad = p["cases"]
    assert chain["fill"] == [] and sum(chain["ops"][0]) == sum(chain["ops"][1])
    assert len(hub["fill"]) == 28 and (sum(hub["ops"][0]), sum(hub["ops"][1])) == (16, 156)
    assert (quad["n"] + len(quad["tree"]), quad["n"] + len(quad["tree"]) + len(quad["fill"])) == (117, 171)


def test_factor_stepped(show):
    chain = rbd.robots.planar_arm([1] * 12, [1] * 12)
    cases = {"chain": chain, "quadruped": quadruped(), "humanoid": rbd.robots.load("talos")}
    demo = factor(cases)
    page = show(demo)
    for t, c in enumerate(demo.payload["cases"]):
        press(page, "tab", c["name"])
        total = c["n"] + len(c["tree"]) + len(c["fill"])
        assert page.locator("[data-a=play]").count() == 0
        options = page.locator(".opts .btn").all_inner_texts()[:-1]
        assert len(set(options)) == len(options) and str(total) in options
        wrong = next(x for x in options if x != str(total))
        press(page, "answer", f"factor-{t}|{wrong}")
        assert page.locator(".btn.is-right").inner_text() == str(total)
        assert "Nothing eliminated yet" in said(page), "what it says is to be seen from its beginning"
        press(page, "step", "1")
        assert f"Step 1 of {c['n']}: leaf first removes {c['joints'][-1].replace('joint1', 'joint 1')}" in said(page)
        for k in range(c["n"] + 1):
            slide(page, "k|0", k)
            shown = [number(x) for x in page.locator(".ft .note b").all_inner_texts()]
            fill = sum(x[2] < k for x in c["fill"])
            assert shown == [sum(c["ops"][0][:k]), 0, sum(c["ops"][1][:k]), fill]
            assert page.locator(".f-fill").last.get_attribute("d").count("M") == fill
    page.locator("[data-cells]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    c, M = demo.payload["cases"][2], rbd.crba(cases["humanoid"], cases["humanoid"].neutral())
    assert "Still zero, at every angle" in said(page)  # row 4, column 1: turning about x, sliding along x
    for key, (i, j) in (("ArrowRight", (3, 1)), ("ArrowRight", (3, 2)), ("ArrowRight", (3, 3)), ("ArrowUp", (2, 2))):
        page.keyboard.press(key)
        assert f"M{i + 1}{j + 1} = " in said(page) and (i != j) == ("both belong to root_joint" in said(page))
        close(number(re.search(r"= (\S+?)[: ]", said(page))[1]), M[i, j])
    press(page, "play")
    assert f"Step {c['n']} of {c['n']}" in said(page)


def test_factor_names_and_frame(show):
    """Joints without a name of their own are called as elsewhere; nothing of the frame is above the diagonal."""
    model = MODELS["tree"][0]
    page = show(factor({"tree": model, "quadruped": quadruped()}))
    press(page, "answer", "factor-0|")
    press(page, "play")
    assert said(page) == "Step 4 of 4: leaf first removes joint 1 (0 updates), the textbook joint 4 (0)." \
                         " Fill-ins so far: 2."  # fmt: skip
    page.locator("[data-cells]").focus()
    page.keyboard.press("ArrowDown")
    assert "joint 2 and joint 1 are on one path" in said(page)
    press(page, "tab", "quadruped")
    assert page.locator("[data-a=step]").count() == 0 and "joint" not in said(page).split(".")[0]
    for k, n in ((0, 4), (1, 18)):
        page.locator("[data-a=tab]").nth(k).click()
        inside = page.locator(".fframe").first.evaluate(
            "(e, n) => [...Array(n * n).keys()].filter(k => e.isPointInFill(new DOMPoint((k % n + 0.5) * 290 / n, "
            "(Math.floor(k / n) + 0.5) * 290 / n)) || e.isPointInFill(new DOMPoint((k % n + 0.02) * 290 / n, "
            "(Math.floor(k / n) + 0.98) * 290 / n)))", n)  # fmt: skip
        assert inside == [i * n + j for i in range(n) for j in range(i + 1)]


def test_factor_of_other_angles_and_masses_is_what_python_computes(show):
    hidden = rbd.Model([0, 1], [rbd.prismatic([1, 0, 0]), rbd.prismatic([0, 1, 0])],
                       [(np.eye(3), [0, 0, 0])] * 2, [rbd.inertia(2, [0, 0, 0], [1, 1, 1])] * 2)  # fmt: skip
    cases = {"tree": MODELS["tree"][0], "quadruped": quadruped(), "humanoid": rbd.robots.load("talos"),
             "hidden": hidden, "any": any_joints(), "lean": rbd.regroup(MODELS["rods"][0])}  # fmt: skip
    page, chance, now = show(factor(cases)), {}, f"JSON.parse(JSON.stringify({STORY}.view.now()))"
    for t, (name, model) in enumerate(cases.items()):
        press(page, "tab", name)
        first = page.evaluate(now)
        press(page, "answer", f"factor-{t}|{first['n'] + len(first['tree']) + len(first['fill'])}")
        chance[name] = [len(first["chance"])]
        for what in ["angles"] * 2 + ["masses"] * (name != "lean"):
            before = page.evaluate(now)
            press(page, "else", what)
            c = page.evaluate(now)
            assert c[what[0].replace("a", "q")] != before[what[0].replace("a", "q")]
            scaled = [I * (b / a) for I, a, b in zip(model.I[1:], model.mass[1:], c["m"], strict=True)]
            heavier = model if name == "lean" else model.replace(inertias=scaled)
            M = rbd.crba(heavier, c["q"])
            scale = np.sqrt(np.outer(M.diagonal(), M.diagonal()))
            assert np.abs(np.array(c["M"]) - M).max() <= 1e-9 * scale.max()
            (L, D), (Lc, Dc) = rbd.ltdl(model, M), rbd.ldlt(M)
            for got, want in ((c["L"], L), (c["D"], D), (c["Lc"], Lc), (c["Dc"], Dc)):
                assert np.abs(np.array(got) - want).max() <= 1e-6 * max(1, np.abs(want).max())
            zero = {(j, i) for j, i in map(tuple, c["tree"]) if abs(M[i, j]) < 1e-12 * scale[i, j]}
            assert {tuple(x) for x in c["chance"]} == zero - {tuple(x) for x in c["always"]}
            chance[name].append(len(c["chance"]))
        assert page.locator("[data-a=else][data-v=masses]").count() == (name != "lean")
        press(page, "home")
        assert page.evaluate(now)["M"] == first["M"] and page.locator("[data-a=home]").is_disabled()
    assert chance["quadruped"][0] > 0 == chance["quadruped"][1]  # the neutral pose has zeros by chance


def test_factor_takes_joints_of_the_readers_own():
    weld = rbd.Joint("fixed", 0, 0, np.zeros((6, 0)), lambda q: np.broadcast_to(np.eye(6), (*q.shape[:-2], 6, 6)))
    here = (np.eye(3), [0.5, 0, 0])
    model = rbd.Model([0, 1, 2], [rbd.revolute(Z), weld, rbd.revolute(Z)], [here] * 3,
                      [rbd.inertia(1, [0.2, 0, 0], [0.1, 0.1, 0.1])] * 3)  # fmt: skip
    (case,) = factor(model).payload["cases"]
    assert case["coordinates"] == [[0, "turn"], [1, "turn"]] and case["kernel"]["args"] == ["q", "m"]


# -- all of them ---------------------------------------------------------------------------------------------


ALL = {
    "composite": composite,
    "padlocks": padlocks,
    "order_game": order_game,
    "factor": lambda **o: factor({"chain": MODELS["tree"], "quadruped": quadruped()}, **o),
    "composite of a Panda": lambda **o: composite(*ANY["panda"], **o),
    "composite of any joints": lambda **o: composite(*ANY["any"], **o),
    "padlocks of a Panda": lambda **o: padlocks(*ANY["panda"], parts=["gather", "locks"], locked=[2], **o),
    "padlocks of any joints": lambda **o: padlocks(*ANY["any"], parts=["gather", "locks"], locked=[1, 3], **o),
}


def reveal(page):
    """Commit one mark, a wrong one where there is a choice."""
    for mark, commit in (("mark", "gain"), ("tick", "mass"), ("", "ab-show")):
        if page.locator(f"button[data-a={commit}]").count():
            if mark and page.locator(f"button[data-a={commit}]").is_disabled():
                page.locator(f"[data-a={mark}]").first.click()
            press(page, commit)


@pytest.mark.parametrize("name", ALL)
def test_page_fits_speaks_and_follows_the_theme(show, name):
    for width in (360, 720, 1280):
        page = show(ALL[name](), width)
        tabs = page.locator("[data-a=tab]").count()
        for k in range(max(1, tabs)):
            if tabs:
                page.locator("[data-a=tab]").nth(k).click()
            reveal(page)
            while page.locator(".ask:has(.opts .btn.quiet[data-a=answer]) [data-a=answer].quiet").count():
                page.locator(".opts .btn.quiet[data-a=answer]").first.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width, k)
            over = page.locator(".card").evaluate(
                "c => [...c.querySelectorAll('button,input,output,.cell,.say,.led')].filter(e => "
                "e.getBoundingClientRect().right > c.getBoundingClientRect().right + 1).map(e => e.outerHTML)"
            )
            assert over == [], (name, width, k)
        assert page.locator("[aria-live=polite]").count() == 1
        small = page.locator(".card").evaluate(
            "c => [...c.querySelectorAll('*')].filter(e => [...e.childNodes].some(t => t.nodeType === 3 && "
            "t.data.trim()) && !e.closest('sub,sup,.vh') && parseFloat(getComputedStyle(e).fontSize) < 11.9)"
            ".map(e => e.outerHTML)"
        )
        assert small == []
    colour = "getComputedStyle(document.querySelector('.rbd-demo').shadowRoot.querySelector('.card')).backgroundColor"
    light = page.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"{colour} !== '{light}'")
    press(page, "lang", "zh")
    assert re.search("[\u4e00-\u9fff]", page.locator(".h").first.inner_text())


@pytest.mark.parametrize("name", ALL)
def test_every_enabled_control_does_something(show, name):
    """Each button changes what is shown (or where the focus of a pressed state is)."""
    page = show(ALL[name]())
    for k in range(max(1, page.locator("[data-a=tab]").count())):
        if page.locator("[data-a=tab]").count():
            page.locator("[data-a=tab]").nth(k).click()
        reveal(page)
        while page.locator(".opts .btn.quiet[data-a=answer]").count():
            page.locator(".opts .btn.quiet[data-a=answer]").first.click()
        seen = page.locator("button[data-a]:not([disabled]):not([data-a=tab]):not([aria-pressed=true])").evaluate_all(
            "b => [...new Set(b.map(e => e.dataset.a + '\\n' + e.dataset.v))]"
        )
        for action, value in (x.split("\n") for x in seen):
            place = page.locator(f'button[data-a="{action}"][data-v="{value}"]:not([disabled]), '
                                 f'button[data-a="{action}"]:not([data-v]):not([disabled])').first  # fmt: skip
            if not place.count() or place.get_attribute("aria-pressed") == "true":
                continue
            before = page.locator(".pl").inner_html()
            place.click()
            again = action in ("play", "push", "ab-show", "cell")  # these may only play the same motion once more
            assert page.locator(".pl").inner_html() != before or again, (name, action, value)


def test_answers_last_and_are_compared(show):
    page = show(padlocks(parts=["parabola"]))
    press(page, "answer", "pad-much|low")
    press(page, "answer", "pad-way|")
    page.locator("#why-parabola").fill("a minimum lies lowest")
    page.keyboard.press("Enter")
    assert "One way to say it" in page.locator(".why").inner_text()
    page.reload()
    page.wait_for_function(STORY)
    assert page.locator(".btn.is-wrong").inner_text() == "1"
    assert page.locator("#why-parabola").input_value() == "a minimum lies lowest"
    press(page, "forget", "pad-much")
    assert page.locator(".btn.is-wrong").count() == 0 and page.locator("[data-a=pad-lock]").count() == 0


def test_motion_runs_once_and_stops(show):
    page = show(padlocks(parts=["locks"]), reduced_motion="no-preference")
    press(page, "push")
    page.wait_for_function(f"{STORY}.view.parts.locks.s.t === 1")
    still = page.locator(".art").inner_html()
    page.wait_for_timeout(150)
    assert page.locator(".art").inner_html() == still


def test_slider_keeps_the_keyboard(show):
    page = show(padlocks(parts=["apparent"]))
    page.locator('input[data-in="dial|0"]').focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.locator('input[data-in="dial|0"]').input_value() == "65"
    assert page.evaluate("document.querySelector('.rbd-demo').shadowRoot.activeElement.type") == "range"


def test_many_on_one_page_and_added_later(offline_page, tmp_path):
    path = tmp_path / "many.html"
    both = composite().element() + order_game().element()
    path.write_text(page_of(both, "many"), encoding="utf-8")
    page = offline_page(720, 900)
    page.goto(path.as_uri())
    mounted = "n => [...document.querySelectorAll('.rbd-demo')].filter(e => e.rbdDemo).length === n"
    page.wait_for_function(mounted, arg=2)
    page.evaluate("html => document.body.append(document.createRange().createContextualFragment(html))",
                  padlocks().element())  # fmt: skip
    page.wait_for_function(mounted, arg=3)
    assert page.errors == [] and page.foreign == []


def test_what_both_need_stands_once():
    """Colours, drawing of arms and mounting: in the base text, and only there."""
    base = (STATIC / "rbd-base.js").read_text(encoding="utf-8")
    names = re.findall(r"^(?:const|class|function) (\w+)", base, re.M)
    assert {"TOKENS", "Camera", "capsule", "mounting"} < set(names) and "--current" not in base.split("const TOKENS")[0]
    for name in ("rbd-demos.js", "rbd-player.js"):
        text = (STATIC / name).read_text(encoding="utf-8")
        own = set(re.findall(r"^(?:const|class|function) (\w+)", text, re.M))
        assert not own & set(names), name
        taken = re.search(r"const \{([^}]*)\} = window.rbdBase;", text)[1]
        for x in re.findall(r"\w+", taken):
            assert x in names and len(re.findall(rf"(?<![\w.$]){x}\b", text)) > 1, (name, x)


def test_module_once_per_page(monkeypatch):
    demo = order_game()
    monkeypatch.delenv("RBDLITE_PAGE", raising=False)
    assert demo.html.count("rbdDemosLoaded = true") == 1 and demo._repr_html_() == demo.html
    assert demo.html.count("window.rbdBase ||=") == 1 and "rbdPlayerLoaded" not in demo.html
    both = page_of(demo.element() + rbd.player(rbd.crba, *MODELS["tree"], live=False).element(), "both")
    assert all(both.count(x) == 1 for x in ("window.rbdBase ||=", "rbdDemosLoaded = true", "rbdPlayerLoaded = true"))
    monkeypatch.setenv("RBDLITE_PAGE", "1")
    assert "rbdDemosLoaded" not in demo.html and 'class="rbd-demo"' in demo.html
    assert json.loads(re.search(r"<script[^>]*>(.*?)</script>", demo.element(), re.S)[1])["demo"] == "order_game"
    text = "".join(x.read_text(encoding="utf-8") for x in STATIC.glob("*.js"))
    assert not re.search(r"https?://|\bimport\b[^.]*from|fetch\(", text)


def test_refusals():
    tree, q = MODELS["tree"]
    panda = rbd.robots.load("panda")
    for call, words in (
        (lambda: composite(panda, open="gain"), "planar"),
        (lambda: composite(panda, gain=2), "planar"),
        (lambda: composite(rbd.robots.planar_arm([1] * 61, [1] * 61)), "61 joints"),
        (lambda: composite(tree, q, open="nothing"), "gain, masses, build"),
        (lambda: composite(tree, q, pair=(2, 4)), "not on one path"),
        (lambda: padlocks(rbd.robots.planar_arm([1], [1])), "two joints"),
        (lambda: padlocks(tree, q, lockable=[2], locked=[3]), "joint 3 has no padlock"),
        (lambda: padlocks(panda, parts=["numbers"]), "unit links"),
        (lambda: padlocks(tree, q, parts=["nothing"]), "parabola"),
        (lambda: padlocks(*MODELS["rods"], parts=["numbers"]), "unit links"),
        (lambda: order_game(panda), "two to 6"),
        (lambda: factor({}), "at least one"),
        (lambda: order_game(lang="fr"), "lang"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match="single row"):
        composite(tree, np.zeros((2, 4)))
    with pytest.raises(TypeError, match="Model"):
        factor({"x": 3})
    assert "numbers" not in padlocks(*MODELS["rods"]).payload["parts"]


def upright(page, figure):
    """The matrix of a figure behind the curves, as numbers."""
    shown = page.locator(".mats figure").nth(figure).locator(".nx > span").all_inner_texts()
    shown = [number(x) if "/" in x else scientific(x)[0] for x in shown]
    return np.reshape(shown, 2 * [round(len(shown) ** 0.5)])


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ANY)
def test_matrices_behind_the_articulated_inertia(show, name, recorded):
    """I^c, I^A, their difference and what each joint takes, against CRBA and ABA; no eigenvalue is negative."""
    model, q = ANY[name]
    demo = padlocks(model, q, parts=["gather"], id="x" if recorded else None)
    page = show(demo)
    assert page.locator(".mats").count() == 0
    press(page, "mats")
    values = {"IC": dict(enumerate(model.I)), "IA": {}, "U": {}, "Dinv": {}}
    for fn, args in ((rbd.crba, (q,)), (rbd.aba, (q, np.zeros(model.nv), np.zeros(model.nv)))):
        for s in rbd.trace(fn, model, *args).steps:
            if s.kind == "write" and s.name in values and (fn is rbd.crba) == (s.name == "IC"):
                values[s.name][s.index] = s.value
    slots = [2, 3, 4] if demo.payload["gather"]["slots"] == 3 else list(range(6))
    for i in model.inward:
        IC, IA = values["IC"][i][np.ix_(slots, slots)], values["IA"][i][np.ix_(slots, slots)]
        takes = (values["U"][i] @ values["Dinv"][i] @ values["U"][i].mT)[np.ix_(slots, slots)]
        for figure, expected in enumerate((IC, IA, IC - IA, takes)):
            half = [slice(0, 3)] if len(slots) == 3 else [slice(0, 3), slice(3, 6)]
            for a in half:
                for b in half:
                    most = np.abs(expected[a, b]).max()
                    shown = upright(page, figure)[a, b]
                    np.testing.assert_allclose(shown, expected[a, b], rtol=0.01, atol=0.051 * most + 1e-8)
        scale = np.array([1 / np.sqrt(x) if x > 0 else 0 for x in np.diag(IC)])
        rank = int((np.linalg.eigvalsh((IC - IA) * np.outer(scale, scale)) > 1e-9).sum())
        signs = page.locator(".mats .signs").inner_text().split()
        assert signs == ["+"] * rank + ["0"] * (len(slots) - rank) and "None is negative" in page.inner_text(".mats")
        assert page.locator(".mats .grow .on b").inner_text().split() == (["+"] * rank or ["0"])
        assert page.locator(".mats figure.on").count() == 1
        if i > 1:
            press(page, "joint")
    assert page.locator("[data-a=joint]").is_disabled()


def test_matrices_behind_the_curves_are_live(show):
    page = show(padlocks(*MODELS["tree"], parts=["gather"]))
    press(page, "mats")
    press(page, "joint")
    before = upright(page, 0)
    press(page, "slide")
    page.locator("input[type=range][data-in='m|2']").evaluate(
        "e => { e.value = +e.value * 2; e.dispatchEvent(new Event('input', { bubbles: true })) }")  # fmt: skip
    np.testing.assert_allclose(upright(page, 0), 2 * before, atol=1e-9)


@pytest.mark.parametrize("name", ["tree", "panda"])
def test_matrices_behind_the_curves_keep_their_height(show, name):
    page = show(padlocks(*ANY[name], parts=["gather"]), 390)
    press(page, "mats")
    heights, steps = set(), page.evaluate(f"{STORY}.p.model.parent.length")
    for _ in range(3 * steps):
        heights.add(round(page.locator(".mats").evaluate("e => e.getBoundingClientRect().height")))
        assert page.locator(".mats").evaluate("e => e.scrollWidth <= e.clientWidth")
        if page.locator("[data-a=step][data-v='1']").is_disabled():
            break
        page.locator("[data-a=step][data-v='1']").click()
    assert len(heights) == 1
