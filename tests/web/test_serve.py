"""The command itself, in a process of its own; and a game that pitboss does not know."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx

from pitboss.core.play import play
from pitboss.core.record import Record
from tests.test_toy_game import SOURCES, site
from tests.web.test_play import answer, first_or_last

__all__ = ["site"]


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
            server.wait(30)
    assert server.returncode in (0, 130, -signal.SIGINT)


def test_a_game_from_another_package_is_played_and_replayed(visit, site, tmp_path):
    with served(tmp_path, path=str(site)) as url:
        page = visit("/play?game=toy:fair", base=url)
        page.wait_for_selector("[type=submit]:enabled")
        assert page.locator("[name=preset]:checked").get_attribute("value") == "toy:fair"
        assert "two chips of each number" in page.locator("[data-part=words]").inner_text()
        page.get_by_text("Change the rules").click()
        page.locator("[data-switch=target]").fill("12")
        page.locator("[data-switch=target]").blur()
        page.locator("[data-part=spec]", has_text="target=12").wait_for()
        page.get_by_label("Seat 2: which bot").fill("coin")  # from an entry point
        page.get_by_label("Seat 2: which bot").blur()
        page.get_by_role("button", name="Deal").click()
        page.wait_for_selector("[data-state=asked]")
        page.get_by_role("button", name="Hint").click()
        page.get_by_text("The next chip is a skull").wait_for()
        assert page.locator(".hint .coming li").count() > 3
        while answer(page, first_or_last):
            pass
        id = page.url.split("/table/")[1].split("#")[0]
        page.get_by_role("link", name="Replay", exact=True).click()
        page.wait_for_selector("#replay[data-judged=fully]")
        record = httpx.get(f"{url}/api/records/{id}").json()
        assert record["game"] == "toy:fair(target=12)"
        last = len(record["cards"].split()) + len(record["moves"].split())
        page.keyboard.press("End")
        assert page.locator("[data-part=count]").text_content() == f"{last} / {last}"
        assert page.locator("[data-part=ending]").is_visible()
        page.close()


def test_a_game_outlives_its_server(tmp_path):
    table = {"spec": "flip7:solo", "places": [{"kind": "here", "name": "Ann"}], "seed": "1"}
    with served(tmp_path) as url:
        made = httpx.post(f"{url}/api/tables", json=table).json()
        me = {"Authorization": f"Bearer {made['token']}"}
        move = {"seat": 0, "move": "hit", "step": 0}
        before = httpx.post(f"{url}/api/tables/{made['id']}/moves", json=move, headers=me).json()
    assert (tmp_path / "pitboss.db").exists()
    with served(tmp_path) as url:
        after = httpx.get(f"{url}/api/tables/{made['id']}", params={"since": 0}, headers=me).json()
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
