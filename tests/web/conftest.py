"""A real server with a real store, and a browser that forgives nothing."""

import contextlib
import os
import threading
import time

import httpx
import pytest
import uvicorn

from pitboss.web.app import create_app
from pitboss.web.server import Config
from pitboss.web.settings import ServerSettings
from pitboss.web.warmup import warm

PATIENCE = int(os.environ.get("PITBOSS_PATIENCE", "240000"))  # milliseconds: a busy machine may compile something


EVERYTHING = {"allow_runs": True, "allow_uploads": True, "upload_token": "told-to-nobody"}


# Nothing counts as slow that is slow only because the machine is busy.
PATIENT = {"quick_seconds": 60.0, "costly_seconds": 200.0, "costly_per_minute": 1000, "decision_seconds": 10.0}


class Room:
    """A server in a thread."""

    def __init__(self, settings):
        self.app = create_app(settings)
        self.settings = settings
        self.server = uvicorn.Server(Config(self.app, settings, host="127.0.0.1", port=0))
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def open(self):
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        self.url = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"
        return self

    def close(self):
        self.app.state.followers.closing = True
        self.server.should_exit = True
        self.thread.join(60)
        assert not self.thread.is_alive(), "the server does not close"

    def ask(self, method, path, token=None, **more):
        """What the interface answers."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= more.pop("headers", {})
        # Without `verify` every request would read the certificates of the whole world first, which takes 20 ms.
        return httpx.request(method, self.url + path, headers=headers, timeout=PATIENCE / 1000, verify=False, **more)

    def get(self, path, token=None, **query):
        """What the interface says, which must not be a refusal."""
        answer = self.ask("GET", path, token, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def make(self, spec, *places, **more):
        """A new table: make("show:fair", "here Ann", "bot show-6"); its id and its maker's token."""
        asked = [dict(zip(("kind", "name"), place.split(" ", 1), strict=True)) for place in places]
        answer = self.ask("POST", "/api/tables", json={"spec": spec, "places": asked, "delay": 0, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"], answer.json()["token"]


def until(page, expression):
    """Wait until an expression is true on a page. Its policy forbids the way in which Playwright would wait."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true: {expression}")


@contextlib.contextmanager
def opened(**settings):
    """A server with some settings, closed afterwards."""
    room = Room(ServerSettings(**PATIENT | settings)).open()
    try:
        yield room
    finally:
        room.close()


@pytest.fixture(scope="session")
def room(tmp_path_factory):
    """The server that most tests share; each makes tables of its own."""
    warm()  # nothing of what a test waits for should be compiled while it waits
    store = str(tmp_path_factory.mktemp("room") / "room.db")
    with opened(store=store, creations_per_minute=100_000, **EVERYTHING) as room:
        yield room


@pytest.fixture(scope="session")
def closed(tmp_path_factory):
    """A server as it is by default: nothing can be started, and nothing sent in."""
    with opened(store=str(tmp_path_factory.mktemp("closed") / "room.db")) as room:
        yield room


@pytest.fixture
def visit(browser, room):
    """Open a page of the room: visit("/play", width=360). Trouble fails the test, unless it has a word of `forgiven`.

    Every page is a person with a browser of its own. With `record`, `page.received` is all that it ever got from the
    server, as texts.
    """
    trouble, forgiven, contexts = [], [], []

    def open_page(path="/", width=1440, height=900, base=None, motion="off", record=False, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"try {{ localStorage.setItem('pitboss-motion', '{motion}') }} catch {{}}")
        page = context.new_page()
        page.received = []

        def pass_on(route):
            answer = route.fetch()
            page.received.append(answer.text())
            route.fulfill(response=answer)

        if record:
            context.route("**/*", pass_on)
        url = base or room.url
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda problem: trouble.append(f"error: {problem}"))
        page.on("request", lambda r: r.url.startswith((url, "data:")) or trouble.append(f"request: {r.url}"))
        page.on("response", lambda r: r.status >= 400 and trouble.append(f"{r.status}: {r.url}"))
        page.on("websocket", lambda s: s.on("framereceived", lambda payload: page.received.append(payload)))
        page.goto(url + path)
        return page

    open_page.forgiven = forgiven
    yield open_page
    for context in contexts:
        if context not in browser.contexts:
            continue  # a test has closed it
        context.unroute_all(behavior="ignoreErrors")  # a page may still ask for something
        context.close()
    assert [line for line in trouble if not any(word in line for word in forgiven)] == []
