"""A browser for the pages we write, which must do without the network and without a word in the console."""

import os
import shutil

import pytest

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    """Chromium, one for each process of the tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("needs the package playwright: pip install playwright")
    found = [os.environ.get("PITBOSS_CHROMIUM"), *map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))]
    program = next(filter(None, found), None)
    if program is None:
        pytest.skip("needs the package chromium: apt-get install chromium, or set PITBOSS_CHROMIUM to the program")
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def visit(browser, tmp_path):
    """Write a page to a file and open it: visit(html, "#17", width=360). No trouble of any kind is forgiven."""
    trouble, pages = [], []

    def open_page(html, fragment="", width=1440, height=900, **options):
        file = tmp_path / f"page-{len(pages)}.html"
        file.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        pages.append(page)
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda problem: trouble.append(f"error: {problem}"))
        page.on("dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda r: r.url.startswith((file.as_uri(), "data:")) or trouble.append(f"request: {r.url}"))
        page.goto(file.as_uri() + fragment)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert trouble == []
