"""Shared by the tests of the built pages: a headless Chromium that reaches nothing but this machine."""

import os
import shutil

import pytest

BROWSERS = "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


def lacking(reason):
    """Skip the test, saying what is missing; in CI (the variable CI is set) fail instead."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser():
    """A Chromium driven by playwright. Looked for on the path, or at the path in the variable CHROMIUM."""
    candidates = [os.environ.get("CHROMIUM"), *map(shutil.which, BROWSERS)]
    path = next((p for p in candidates if p and os.access(p, os.X_OK)), None)
    if path is None:
        lacking(f"no browser ({', '.join(BROWSERS)}): pages not tested. Debian: sudo apt install chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    manager = sync_api.sync_playwright()
    try:
        playwright = manager.__enter__()
    except Exception as error:
        lacking(
            f"playwright does not start ({error}): pages not tested. Debian: sudo apt install libatomic1"
        )
    chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
    yield chromium
    chromium.close()
    manager.__exit__(None, None, None)


@pytest.fixture
def offline_page(browser):
    """make(width, height) -> a page. Requests to other hosts are aborted and listed in page.foreign; console
    errors and uncaught exceptions are listed in page.errors."""
    contexts = []

    def make(width=1280, height=800, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.foreign, page.errors = [], []

        def local(route):
            url = route.request.url
            if url.startswith(("http://127.0.0.1:", "http://localhost:", "file:", "data:", "blob:")):
                return route.continue_()
            page.foreign.append(url)
            return route.abort()

        def said(message):
            if message.type == "error":
                page.errors.append(message.text)

        context.route("**/*", local)
        page.on("console", said)
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
