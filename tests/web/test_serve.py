"""The command itself, in a process of its own; and a game that pitboss does not know."""

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
from fastapi import FastAPI

from pitboss.core.errors import PitbossError
from pitboss.core.play import play
from pitboss.core.record import Record
from pitboss.web.startup import Startup
from pitboss.web.warmup import Warmup
from tests.test_toy_game import SOURCES, site
from tests.web.conftest import opened
from tests.web.test_play import answer, first_or_last

__all__ = ["site"]


PATIENCE = 240  # seconds: the room may have to compile something


@contextmanager
def served(folder, *more, path=""):
    """`pitboss serve` on a free port; its address."""
    command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--json", *more]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [path, str(SOURCES.parent)]))}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            text = ""
            while not text.endswith("}\n"):
                line = server.stdout.readline()
                assert line, "the server did not start"
                text += line
            yield json.loads(text)["url"].rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)
    assert server.returncode in (0, 130, -signal.SIGINT)


LISTENING = """
import io, sys
from pitboss.cli.app import main

class Output(io.StringIO):
    def write(self, text):
        global loaded
        if "url" in text:
            loaded = set(sys.modules)
        return super().write(text)

sys.argv, told, sys.stdout = ["pitboss", "serve", "--port", "0", "--check", "--json"], sys.stdout, Output()
try:
    main()
except SystemExit as end:
    assert not end.code
print(*loaded, file=told)
"""


def test_the_room_listens_before_it_loads_what_takes_long(tmp_path):
    command = [sys.executable, "-c", LISTENING]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    loaded = set(out.split())
    assert {"uvicorn", "pitboss.web.startup"} <= loaded
    assert not {"numba", "llvmlite", "numpy", "sqlalchemy", "fastapi", "jinja2"} & loaded
    assert not [name for name in loaded if name.startswith(("pitboss.games", "pitboss.analysis", "pitboss.core.play"))]


def run(story):
    """What comes of a coroutine; a test with a browser has a loop running in this thread."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(story)).result()


def test_who_comes_early_is_told_and_served_when_all_is_ready():
    may_load, seen = threading.Event(), []

    def load():
        may_load.wait()
        app = FastAPI()
        app.get("/api/answer")(lambda: 42)
        app.get("/")(lambda: "the real page")
        return app

    async def come():
        opening = Startup(load, lambda app: seen.append("loaded"), lambda: seen.append("failed"))
        opening.begin()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(opening), base_url="http://localhost") as client:
            waiting = asyncio.create_task(client.get("/api/answer"))
            early = await client.get("/")
            assert "The room is opening" in early.text
            assert early.headers["cache-control"] == "no-store"
            assert (await client.head("/tournaments")).content == b""
            assert not waiting.done()
            may_load.set()
            assert (await waiting).json() == 42
            assert (await client.get("/")).json() == "the real page"

    run(come())
    assert seen == ["loaded"]


def test_a_room_that_cannot_be_loaded_says_why():
    def load():
        raise PitbossError("the store is damaged")

    async def come():
        failed = asyncio.Event()
        opening = Startup(load, lambda app: None, failed.set)
        opening.begin()
        await failed.wait()
        return opening.problem

    assert str(run(come())) == "the store is damaged"


def test_a_table_waits_until_its_game_is_compiled():
    async def wait():
        warmup, finished = Warmup(), asyncio.Event()
        await warmup.of("show:fair")  # a room that does not compile takes it to be
        compiling = asyncio.create_task(warmup.begin(finished.set))
        await asyncio.sleep(0)
        first = warmup.compiling
        assert first
        await warmup.of("no such game")
        await warmup.of("show:fair")
        await warmup.of("flip7:official(target=100)")
        await finished.wait()
        assert warmup.compiling == ""
        await compiling

    try:
        run(wait())
    finally:
        gc.unfreeze()


def test_a_page_says_that_its_game_is_being_compiled(visit):
    with opened(store=":memory:") as room:
        warmup, compiled = room.app.state.warmup, asyncio.Event()
        warmup.compiling, warmup._ready = "show", {"show": compiled}  # as it is while `begin` compiles it
        page = visit("/play?game=show:fair", base=room.url)
        page.wait_for_selector("[type=submit]:enabled")
        page.get_by_role("button", name="Deal").click()
        page.get_by_text("compiles the rules of show, once for this machine").wait_for()
        compiled._loop.call_soon_threadsafe(compiled.set)
        page.wait_for_selector("[data-state=asked]")
        assert page.locator(".waiting").count() == 0
        page.close()


def test_a_game_from_another_package_is_played_and_replayed(visit, site, tmp_path):
    with served(tmp_path, path=str(site)) as url:
        page = visit("/play?game=toy:fair", base=url)
        page.wait_for_selector("[type=submit]:enabled")
        assert page.locator("[name=preset]:checked").get_attribute("value") == "toy:fair"
        assert "two chips of each number" in page.locator("[data-part=words]").inner_text()
        page.get_by_text("More:").click()
        page.locator("[data-switch=target]").fill("12")
        page.locator("[data-switch=target]").blur()
        page.locator("[data-part=spec]", has_text="target=12").wait_for()
        page.get_by_label("Seat 3: which bot").select_option("coin")  # from an entry point
        page.get_by_label("Seed").fill("4")  # no skull before the person is asked
        page.get_by_role("button", name="Deal").click()
        page.wait_for_selector("[data-state=asked]")
        page.get_by_role("button", name="Hint").click()
        page.locator(".hint .coming li").first.wait_for()
        assert page.locator(".hint .coming li").count() > 3
        while answer(page, first_or_last):
            pass
        id = page.url.split("/table/")[1].split("#")[0]
        page.get_by_role("link", name="Replay", exact=True).click()
        page.wait_for_selector("#replay[data-judged=fully]")
        record = httpx.get(f"{url}/api/records/{id}", timeout=PATIENCE).json()
        assert record["game"] == "toy:fair(target=12)"
        last = len(record["cards"].split()) + len(record["moves"].split())
        page.keyboard.press("End")
        assert page.locator("[data-part=count]").text_content() == f"{last} / {last}"
        assert page.locator("[data-part=ending]").is_visible()
        page.close()


def test_a_game_outlives_its_server(tmp_path):
    table = {"spec": "flip7:solo", "places": [{"kind": "here", "name": "Ann"}], "seed": "1"}
    with served(tmp_path) as url:
        made = httpx.post(f"{url}/api/tables", json=table, timeout=PATIENCE).json()
        me = {"Authorization": f"Bearer {made['token']}"}
        move = {"seat": 0, "move": "hit", "step": 0}
        before = httpx.post(f"{url}/api/tables/{made['id']}/moves", json=move, headers=me, timeout=PATIENCE).json()
    assert (tmp_path / "pitboss.db").exists()
    with served(tmp_path) as url:
        after = httpx.get(f"{url}/api/tables/{made['id']}", params={"since": 0}, headers=me, timeout=PATIENCE).json()
    assert after == before


def test_what_cannot_be_served_is_a_sentence(tmp_path):
    def fails(*more):
        command = [sys.executable, "-m", "pitboss", "serve", *more]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("pitboss: ")
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "--port 0 takes any" in fails("--port", str(taken.getsockname()[1]))
    (tmp_path / "broken.db").write_text("this is no database", encoding="utf-8")
    assert "cannot be used as a store" in fails("--port", "0", "--store", "broken.db")
    assert "cannot listen on" in fails("--host", "256.1.1.1")


def test_a_table_of_bots_is_the_game_that_play_plays(room):
    for spec, bots in (("flip7:tournament", ["ev", "random"]), ("show:full", ["random", "show-6"])):
        id, token = room.make(spec, *(f"bot {name}" for name in bots), seed="5", pace=0)
        while not room.ask("POST", f"/api/tables/{id}/step", token).json()["ending"]:
            pass
        assert Record.from_dict(room.get(f"/api/records/{id}")).to_line() == play(spec, bots, seed=5).to_line()
