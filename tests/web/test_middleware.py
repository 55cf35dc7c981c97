"""Who may ask, how much, and what browsers may do with the answer."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from pitboss.web.room.room import Room
from pitboss.web.room.table import Place, SeatKind, TablePlan
from pitboss.web.settings import ServerSettings
from tests.web.conftest import opened

PATIENCE = 240  # seconds for what takes none on a quiet machine


def test_every_answer_has_a_strict_policy(room, visit):
    for path in ("/", "/play", "/table/abc", "/static/room.css", "/shared/table.js", "/api/games", "/nothing"):
        headers = room.ask("GET", path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in headers


def test_no_page_has_a_script_or_style_of_its_own(room):
    id, _ = room.make("flip7:solo(target=1)", "bot ev", pace=50)
    while not room.get(f"/api/tables/{id}")["ending"]:
        pass
    for path in ("/", "/play", "/watch", "/replays", f"/table/{id}", f"/replay/{id}", "/api", "/nothing"):
        page = room.ask("GET", path).text
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:", page), path
        assert not re.search(r"(src|href)=\"(https?:)?//", page), path  # nothing from elsewhere


def test_what_is_not_there_is_a_page_with_a_sentence(room):
    for path in ("/nothing", "/replay/nothere", "/replay/no/1", "/static/nothing.js"):
        answer = room.ask("GET", path)
        assert answer.status_code == 404, path
        assert "There is nothing here" in answer.text
    assert room.ask("GET", "/table/UPPER").status_code == 422
    assert room.ask("DELETE", "/api/tables").json() == {"error": "Method Not Allowed"}


def test_only_the_files_that_are_for_browsers(room):
    assert room.ask("GET", "/shared/table.js").status_code == 200
    for path in (
        "/shared/replay.py",
        "/shared/__init__.py",
        "/shared/replay.html",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ):
        assert room.ask("GET", path).status_code == 404, path


def test_a_foreign_page_may_do_nothing(room):
    table = {"spec": "flip7:solo", "places": [{"kind": "here", "name": "Ann"}]}
    for origin, status in ((room.url, 201), ("https://evil.example", 403), ("null", 403), ("http://127.0.0.1:1", 403)):
        answer = room.ask("POST", "/api/tables", json=table, headers={"Origin": origin})
        assert answer.status_code == status, origin
    plain = room.ask("POST", "/api/tables", content=b'{"spec":"flip7:solo"}', headers={"Content-Type": "text/plain"})
    assert plain.status_code == 422  # what a form could send


def test_a_foreign_name_does_not_lead_here(tmp_path):
    with opened(store=str(tmp_path / "a.db"), names=("games.local",)) as room:
        for host, status in (
            ("localhost", 200), ("127.0.0.1:80", 200), ("[::1]:7777", 200), ("games.local:7777", 200),
            ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("", 421),
        ):  # fmt: skip
            assert room.ask("GET", "/", headers={"Host": host}).status_code == status, host


def test_too_much_is_refused(tmp_path):
    with opened(store=str(tmp_path / "a.db"), body_bytes=5000, creations_per_minute=3) as room:
        room.app.state.limiter._clock = lambda: 0.0  # however long the requests take, it is the same minute
        path = "/api/tables"
        assert room.ask("POST", path, content=b"x" * 6000).status_code == 413

        def pieces():
            for _ in range(6):
                yield b"x" * 1000

        assert room.ask("POST", path, content=pieces()).status_code == 413  # it does not say how long it is
        table = {"spec": "flip7:solo", "places": [{"kind": "here", "name": "Ann"}]}
        statuses = [room.ask("POST", path, json=table).status_code for _ in range(5)]
        assert statuses == [201, 201, 201, 429, 429]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"spec": "flip8", "places": [{"kind": "here", "name": "A"}]}, "unknown game 'flip8'"),
        ({"spec": "flip7:official(target=0)", "places": [{"kind": "here", "name": "A"}]}, "target takes"),
        ({"spec": "flip7:solo", "places": [{"kind": "bot", "name": "evil.py:Bot"}]}, "a file cannot"),
        ({"spec": "flip7:solo", "places": [{"kind": "bot", "name": "cmd:sh"}]}, "a file cannot"),
        ({"spec": "flip7:solo", "places": [{"kind": "bot", "name": "nobody"}]}, "unknown bot 'nobody'"),
        ({"spec": "show:fair", "places": [{"kind": "here", "name": "A"}]}, "exactly 2 seats"),
        ({"spec": "show:fair", "places": []}, "places: list should have at least 1 item"),
        ({"spec": "flip7:solo", "places": [{"kind": "bot", "name": " "}]}, "unknown bot ''"),
        (
            {"spec": "flip7:solo", "places": [{"kind": "here", "name": "A" * 61}]},
            "the name of place 1 must not be longer than 60",
        ),
        ({"spec": "flip7:solo", "places": [{"kind": "here", "name": "A"}], "seed": "x"}, "is not a seed"),
        ({"spec": "flip7:solo", "places": [{"kind": "here", "name": "A"}], "cheat": 1}, "the cheat is not known here"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(room, asked, sentence):
    answer = room.ask("POST", "/api/tables", json=asked)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]


def test_the_interface_is_described_completely(room):
    schema = room.get("/openapi.json")
    assert len(schema["paths"]) > 10
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            assert "4XX" in operation["responses"], (method, path)
            good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
            if not {"text/event-stream", "text/csv"} & set(good["content"]):  # streams and files are no JSON
                assert good["content"]["application/json"]["schema"], (method, path)
            for parameter in operation.get("parameters", []):
                assert parameter["name"] == "authorization" or parameter.get("description"), (path, parameter["name"])


def test_old_games_are_put_away_and_dropped(tmp_path):
    async def story():
        settings = ServerSettings(store=str(tmp_path / "a.db"), idle_seconds=-1, unfinished_seconds=1000)
        async with Room(settings) as room:
            live, ticket = await room.create("a", TablePlan("flip7:solo", (Place(SeatKind.HERE, "Ann"),)))
            await room.act(live, 0, "hit", 0)
            await room.sweep()
            assert room._live == {}  # put away …
            again = await room.find(live.table.id, "a")
            assert again.table is not live.table
            assert again.table.ticket(ticket.token).seats == (0,)  # … and back
            assert len(again.table.moments) == 3
            await room.sweep()
            room.keeper.forget(-1, 1000)
            with pytest.raises(ValueError, match="no such table"):
                await room.find(live.table.id, "a")

    with ThreadPoolExecutor(1) as elsewhere:  # a test with a browser has a loop running in this thread
        elsewhere.submit(lambda: asyncio.run(story())).result()


def test_a_websocket_has_the_same_guard(room):
    id, token = room.make("show:fair", "here Ann", "bot show-6", seed="1")
    address = f"{room.url.replace('http', 'ws')}/api/tables/"
    with pytest.raises(InvalidStatus):
        connect(f"{address}{id}/live", origin="https://evil.example", open_timeout=PATIENCE).__enter__()

    def refused(table, message):
        with connect(f"{address}{table}/live", origin=room.url, open_timeout=PATIENCE) as socket:
            socket.send(message)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=PATIENCE)
        return closed.value.rcvd.code

    assert refused("nothere", "{}") == 4404
    assert refused(id, json.dumps({"token": "nonsense"})) == 4400
    for nonsense in ("hello", "[]", '{"since": "x"}', '{"cheat": 1}', '{"since": -5}', "x" * 5000):
        assert refused(id, nonsense) == 4400
    with connect(f"{address}{id}/live", origin=room.url, open_timeout=PATIENCE) as socket:
        socket.send(json.dumps({"token": token, "since": -1}))
        assert json.loads(socket.recv(timeout=PATIENCE)) == room.get(f"/api/tables/{id}", token)
        socket.send(json.dumps({"seat": 1, "since": -1}))  # no seat of ours: we look from our own, as before
        assert json.loads(socket.recv(timeout=PATIENCE))["seat"] == 0
