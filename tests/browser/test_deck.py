"""Storyboards and players on a slide that the deck scales: large enough to read, pointers find what they point at."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.widgets import composite, factor, order_game, padlocks
from rbdlite.widgets.element import module_tags

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
pytestmark = pytest.mark.browser
TREE, (Q, QD, _) = rbd.robots.squared_paper_tree(), rbd.robots.squared_paper_state()
DECK = """<!doctype html><html><head><style>{style} body {{ margin: 0 }} section {{ position: absolute; width: 1280px }}
.slides {{ position: relative; width: 1280px; height: 720px; transform: scale({scale}); transform-origin: 0 0 }}
h2 {{ margin: 0; font: 40px/1.2 sans-serif }}</style></head>
<body><div class="reveal"><div class="slides"><section><h2>Title</h2>{body}</section></div></div>
{module}</body></html>"""
STORIES = {
    "composite": lambda: composite(open="gain"),
    "build": lambda: composite(open="build"),
    "parabola": lambda: padlocks(parts=["parabola"]),
    "apparent": lambda: padlocks(parts=["apparent"]),
    "numbers": lambda: padlocks(parts=["numbers"]),
    "locks": lambda: padlocks(parts=["locks"]),
    "order": order_game,
    "factor": lambda: factor(TREE, Q),
}
SMALL = """() => [...document.querySelector('.rbd-demo').rbdDemo.pl.querySelectorAll('*')].filter(e => {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    const zoom = +document.querySelector('.rbd-demo').style.zoom;
    const scale = e.ownerSVGElement ? e.ownerSVGElement.getBoundingClientRect().width / SCALE
        / e.ownerSVGElement.viewBox.baseVal.width : zoom;
    return own && e.checkVisibility() && !e.closest('sub, sup, .ss, .vh, tspan, .seg, .fq')
        && parseFloat(getComputedStyle(e).fontSize) * scale < LEAST }).map(e => e.outerHTML.slice(0, 90))"""


@pytest.fixture
def slide(offline_page, tmp_path):
    """slide(element, scale, hidden) -> a page with it on a slide of 1280 by 720 shown at that scale, if hidden at first
    later than the page."""
    import slides

    pages = []

    def make(element, scale=1, hidden=False):
        page = offline_page(1280, 720, reduced_motion="reduce")
        body = element.element()
        html = DECK.format(style=slides.STYLE, scale=scale, body=body, module=module_tags(body))
        html = html.replace("<section>", '<section style="display: none">') if hidden else html
        (tmp_path / f"{len(pages)}.html").write_text(html, encoding="utf-8")
        page.goto((tmp_path / f"{len(pages)}.html").as_uri())
        page.wait_for_function("(h => h.rbdDemo || h.rbdPlayer)(document.querySelector('.rbd-demo, .rbd-player'))")
        page.wait_for_timeout(100)
        page.evaluate("document.querySelector('section').style.display = 'block'")
        page.wait_for_timeout(100)
        pages.append(page)
        return page

    yield make
    for page in pages:
        assert page.errors == [] and page.foreign == []


def bottom(page, scale):
    return page.evaluate("document.querySelector('.rbd-demo').rbdDemo.pl.getBoundingClientRect().bottom") / scale


@pytest.mark.parametrize("scale", [1, 0.6])
@pytest.mark.parametrize("name", STORIES)
def test_a_storyboard_fills_its_slide(slide, name, scale):
    page = slide(STORIES[name](), scale, hidden=scale < 1)
    small = SMALL.replace("SCALE", str(scale))
    assert page.evaluate(small.replace("LEAST", "15")) == []
    assert 560 < bottom(page, scale) <= 720
    for _ in range(2):  # answers open more text
        show = page.locator("[data-a=answer]:not([aria-pressed=true])").first
        if show.count():
            show.click()
    assert bottom(page, scale) <= 720
    assert page.evaluate(small.replace("LEAST", "12")) == []


@pytest.mark.parametrize("scale", [1, 0.6])
def test_pointers_find_their_places_on_a_slide(slide, scale):
    page = slide(padlocks(parts=["apparent"]), scale)
    box = page.locator("input[data-in='dial|0']").bounding_box()
    page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    assert abs(float(page.locator("input[data-in='dial|0']").input_value()) - 0.75 * 355) <= 10

    page = slide(factor(TREE, Q), scale)
    box = page.locator("[data-pick='0']").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.375, box["y"] + box["height"] * 0.625)
    assert re.match("M32 = ", page.locator(".say").inner_text().replace("\n", ""))

    panda = rbd.robots.load("panda")
    page = slide(composite(panda, panda.neutral(), open="build"), scale)
    art = page.locator("[data-spin]")
    box, before = art.bounding_box(), page.evaluate("document.querySelector('.rbd-demo').rbdDemo.spaces[0].cam.yaw")
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 110, box["y"] + 60)
    page.mouse.up()
    now = page.evaluate("document.querySelector('.rbd-demo').rbdDemo.spaces[0].cam.yaw")
    np.testing.assert_allclose(now - before, -0.5, atol=0.02)

    page = slide(composite(open="gain"), scale)
    page.locator(".cell").nth(4).click()
    assert page.locator(".cell.marked").count() == 2

    page = slide(rbd.player(rbd.rnea, TREE, Q, QD, [1, 1, 1, 1], predict=False, open=("arm",)), scale)
    box = page.locator(".k").nth(20).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("document.querySelector('.rbd-player').rbdPlayer.k") == 20
    page.click("[data-a=change]")
    slider = page.locator(".sl input[type=range]").first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    assert abs(float(slider.input_value())) <= 10
