"""The built book: every page there, no warning, and in a browser without a network every control works.

The book is built first if it is not up to date (`make html` does the same).
"""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import lacking

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import serve  # noqa: E402
import slides  # noqa: E402
import vendor  # noqa: E402

import book  # noqa: E402

PAGES = book.pages()
DECKS = sorted(slides.decks())
WIDE, NARROW = (1280, 800), (360, 740)


@pytest.fixture(scope="module")
def site():
    """The address of the built book, served on a free port."""
    run = subprocess.run([sys.executable, str(ROOT / "scripts/book.py")], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr
    with serve.server() as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}/"
        httpd.shutdown()


def visit(page, url):
    """Open a page and wait until formulas and players are drawn."""
    answer = page.goto(url, wait_until="load")
    assert answer.ok, f"{url}: {answer.status}"
    page.wait_for_function("() => !window.MathJax || !!MathJax.startup?.promise")
    page.evaluate("() => window.MathJax?.startup?.promise")
    page.wait_for_function(
        "() => [...document.querySelectorAll('div.rbd-player')].every(p => p.shadowRoot)"
    )


def test_toc_names_every_chapter():
    """A notebook that lies in book/ but in no table of contents would be built and tested by nobody."""
    assert len(PAGES) > 1 and len(set(PAGES)) == len(PAGES)
    chapters = {f"book/{path.stem}" for path in (ROOT / "book").glob("*.ipynb")}
    assert chapters <= set(PAGES), f"not in _toc.yml: {sorted(chapters - set(PAGES))}"


def test_the_build_gave_no_warning(site):
    assert "build succeeded" in book.LOG.read_text()
    assert book.complaints() == []


@pytest.mark.parametrize("name", PAGES)
def test_page_exists(site, name):
    assert (book.HTML / f"{name}.html").stat().st_size > 5000


def test_mathjax_and_decks_are_vendored():
    if not vendor.ready():
        lacking("MathJax and reveal.js are not vendored (npm missing or offline): pages use a CDN")
    assert (book.HTML / "_static/vendor/mathjax/tex-mml-chtml.js").exists()


@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", PAGES)
def test_page_in_a_browser(site, offline_page, name, size):
    """No request to another host, no console error, nothing wider than the window, no formula in error."""
    if not vendor.ready():
        lacking("MathJax is not vendored")
    page = offline_page(*size)
    visit(page, f"{site}{name}.html")
    page.wait_for_timeout(300)
    assert page.foreign == []
    assert page.errors == []
    assert page.locator("mjx-merror, mjx-container [style*='color: red']").count() == 0
    wide = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{name}: {wide} px wider than the window"
    cut = page.evaluate(CUT_FORMULAS)
    assert cut == [], f"{name}: formulas that are cut and cannot be scrolled"


CUT_FORMULAS = """() => [...document.querySelectorAll('.bd-content span.math')]
  .filter(s => s.scrollWidth > s.clientWidth + 2 && getComputedStyle(s).overflowX === 'hidden')
  .map(s => s.textContent.slice(0, 40))"""


def test_the_home_page_leads_to_the_book(site, browser, offline_page):
    page = offline_page()
    page.goto(site, wait_until="load")
    page.wait_for_url(f"**/{PAGES[0]}.html")


STEP_TO_THE_END = """host => {
  const root = host.shadowRoot, button = a => root.querySelector(`button[data-a=${a}]`), said = [];
  const last = host.rbdPlayer.last;
  for (let clicks = 0; host.rbdPlayer.k < last; clicks++) {
    if (clicks > 3 * last + 3) return `stuck at step ${host.rbdPlayer.k} of ${last}`;
    (button('show') || button('step')).click();
    if (!root.querySelector('[aria-live]').textContent.trim()) return `step ${host.rbdPlayer.k} says nothing`;
  }
  button('show')?.click();
  return button('step').disabled ? '' : 'the last step can be stepped on';
}"""

# A slider at both its ends changes a number of the run and leaves all of them finite. Reset brings the record
# back, and the page's own JavaScript gives the recorded numbers, which have seven digits, for the recorded inputs.
MOVE_EVERY_SLIDER = """host => {
  const root = host.shadowRoot, rec = host.rbdPlayer.rec, sliders = [...root.querySelectorAll('input[type=range]')];
  const numbers = () => JSON.stringify([rec.steps.map(s => s.x), rec.env, rec.result, rec.model.mass, rec.poses]);
  if (!sliders.length) return rec.p.kernel && rec.p.sliders.length ? 'its sliders are not there' : '';
  const before = numbers();
  root.querySelector('button[data-a=change]').click();
  for (const el of sliders) {
    for (const end of [el.min, el.max]) {
      const was = numbers();
      el.value = end; el.dispatchEvent(new Event('input', { bubbles: true }));
      if (numbers() === was) return `slider ${el.ariaLabel} at ${end} changes nothing`;
      if (!rec.steps.every(s => !s.x || s.x.every(Number.isFinite)))
        return `slider ${el.ariaLabel} at ${end}: not finite`;
    }
  }
  root.querySelector('button[data-a=reset]').click();
  if (numbers() !== before) return 'Reset does not bring back the recorded numbers';
  const y = rec.kernel(...rec.numbersIn());
  for (const [k, from] of rec.p.kernel.out.filter(e => typeof e[0] === 'number')) {
    const x = rec.p.steps[k].x, size = Math.max(1, ...x.map(Math.abs));
    if (!x.every((v, j) => Math.abs(v - y[from + j]) <= 1e-6 * size)) return `step ${k} is computed differently`;
  }
  return '';
}"""


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_players_of_a_page(site, offline_page, name):
    """Each player can be stepped to its end and each of its sliders moved; the module is there once."""
    page = offline_page(*WIDE)
    visit(page, f"{site}{name}.html")
    players = page.locator("div.rbd-player").all()
    for number, player in enumerate(players, 1):
        for check in (STEP_TO_THE_END, MOVE_EVERY_SLIDER):
            assert player.evaluate(check) == "", f"{name}, player {number}"
    if players:
        scripts = page.locator("script[type=module]").evaluate_all("all => all.map(s => s.src + s.text)")
        assert sum("rbd-player" in script for script in scripts) == 1
    assert page.errors == []


def test_some_page_has_a_player(site):
    assert any('class="rbd-player"' in (book.HTML / f"{name}.html").read_text() for name in PAGES)


@pytest.mark.browser
@pytest.mark.parametrize("name", DECKS)
def test_deck_shows_offline(site, offline_page, name):
    if not slides.ready():
        lacking("reveal.js is not vendored (npm missing or offline): no deck was built")
    page = offline_page(*WIDE)
    visit(page, f"{site}slides/{name}.html")
    page.wait_for_function("() => window.Reveal?.isReady()")
    total = page.evaluate("() => Reveal.getTotalSlides()")
    assert total > 1
    for _ in range(20 * total):
        if page.evaluate("() => Reveal.isLastSlide() && !Reveal.availableFragments().next"):
            break
        page.evaluate("() => Reveal.next()")
        over = page.evaluate("() => Reveal.getCurrentSlide().scrollHeight - 720")
        assert over <= 0, f"slide {page.evaluate('() => Reveal.getIndices()')}: {over} px too high"
    else:
        pytest.fail("the last slide was not reached")
    assert page.foreign == [] and page.errors == []
