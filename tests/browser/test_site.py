"""The documentation site that `make docs` wrote: questions find their answers, and nothing comes from elsewhere."""

import functools
import http.server
import threading
from pathlib import Path

import pytest

from tests.browser.page_site import state
from tests.browsers import PATIENCE

SITE = Path(__file__).resolve().parents[2] / "site"
ANSWERS = {  # what newcomers ask: a page that is among the first three answers
    "when should I hit": "questions.html",
    "write a bot": "tutorial/first-bot.html",
    "class tournament": "how-to/class-tournament.html",
    "what is a confidence interval": "questions.html",
    "GPU": "how-to/gpu.html",
    "how do I install": "questions.html",
    "rules of Flip 7": "reference/flip7-rules.html",
    "Show rules": "reference/show-rules.html",
    "play with friends": "how-to/card-room.html",
    "play against a bot": "questions.html",
    "train an agent": "tutorial/train-an-agent.html",
    "reinforcement learning": "how-to/environments.html",
    "is my bot better": "questions.html",
    "submit a bot": "questions.html",
    "phone": "how-to/page.html",
    "offline": "how-to/page.html",
    "too close to call": "questions.html",
    "seed": "reference/notation.html",
    "replay a game": "questions.html",
    "cheating": "questions.html",
    "docker": "questions.html",
    "add my own game": "how-to/add-a-game.html",
    "write a bot in javascript": "how-to/bot-in-another-language.html",
    "best strategy": "questions.html",
    "export csv": "questions.html",
}
ITEMS = ".md-search-result__item"
FOUND = (
    f"[...document.querySelectorAll('{ITEMS}')].map((item) => new URL(item.querySelector('a').href).pathname.slice(1))"
)


@pytest.fixture(scope="module")
def address():
    """The site on a server of this machine."""
    if not (SITE / "index.html").exists():
        pytest.skip("needs the documentation site: make docs")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *about):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture
def open_site(browser, address):
    """Open a page of the site; what it asks of other machines fails the test."""
    pages, elsewhere = [], []

    def opened(path, **options):
        page = browser.new_page(**options)
        page.set_default_timeout(PATIENCE)
        pages.append(page)
        page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or elsewhere.append(r.url))
        page.goto(address + path)
        return page

    yield opened
    for page in pages:
        page.close()
    assert elsewhere == []


def test_questions_find_their_answers(open_site):
    page = open_site("index.html", viewport={"width": 1440, "height": 900})
    missed = {}
    box = page.locator("input.md-search__input")
    page.wait_for_selector("[data-md-component=search]", state="attached")
    page.keyboard.press("s")
    box.wait_for()
    for question, answer in ANSWERS.items():
        box.fill("")
        box.press("End")  # it listens to keys
        page.locator(ITEMS).first.wait_for(state="detached")
        box.fill(question)
        box.press("End")
        page.locator(ITEMS).first.wait_for()
        found = page.evaluate(FOUND)[:3]
        if answer not in found:
            missed[question] = found
    assert missed == {}


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", ["index.html", "questions.html", "how-to/page.html", "notebooks/tournament.html"])
def test_pages_fit(open_site, path, width):
    page = open_site(path, viewport={"width": width, "height": 844}, color_scheme="dark" if width == 390 else "light")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_the_page_without_a_server_is_a_part_of_it(open_site):
    page = open_site("index.html")
    page.get_by_role("link", name="Play now, in your browser").click()
    page.goto(page.url.split("#")[0] + "#/play/flip7:numbers?seed=1")
    assert state(page, "asked") == "asked"
