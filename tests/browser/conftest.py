"""A browser for the pages we write, which must do without the network and without a word in the console."""

import pytest


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
