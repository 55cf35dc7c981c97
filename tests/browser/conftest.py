"""A browser for the pages we write, which must do without the network and without a word in the console."""

import threading

import pytest

from tests.browser.page_site import WITHOUT_MOTION
from tests.browsers import PATIENCE


@pytest.fixture
def visit(browser, tmp_path):
    """Write a page to a file and open it: visit(html, "#17", width=360). No trouble of any kind is forgiven."""
    trouble, pages = [], []

    def open_page(html, fragment="", width=1440, height=900, **options):
        file = tmp_path / f"page-{len(pages)}.html"
        file.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        page.set_default_timeout(PATIENCE)
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


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder that `pitboss page build` writes."""
    from pitboss.page.build import build

    return build(tmp_path_factory.mktemp("built") / "page").folder


@pytest.fixture(scope="session")
def address(folder):
    """The page on a web server of this machine."""
    from pitboss.page.serve import server

    with server(folder, "127.0.0.1", 0) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{listening.server_address[1]}/"
        listening.shutdown()
        thread.join()


@pytest.fixture
def open_page(browser, folder, address):
    """open_page("#/play", local=True): a page of its own, at once, without motion. No trouble is forgiven."""
    trouble, contexts = [], []

    def opened(fragment="", local=False, width=1280, context=None, **options):
        if context is None:
            size = {"width": width, "height": 800}
            context = browser.new_context(viewport=size, **{**WITHOUT_MOTION, **options})
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda problem: trouble.append(f"error: {problem}"))
        start = (folder / "index.html").as_uri() if local else address
        page.goto(start + fragment)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []
