"""Those who want too much get their share, a sentence, and no more; everybody else plays on. All on 127.0.0.1."""

import asyncio
import contextlib
import json
import os
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pitboss.core.keys import Key
from pitboss.web.rate_limits import Turns
from pitboss.web.room.room import Looker, Room
from pitboss.web.room.table import Place, SeatKind, TablePlan
from pitboss.web.room.view import KEPT_DRAWINGS, PAGE_CHARACTERS, PAGE_STEPS
from pitboss.web.settings import ServerSettings
from pitboss.web.worker_pool import TooCostly, WorkerPool
from tests.web.conftest import opened

HOURS = 7200  # that an attacker would like to take
PATIENCE = 240  # seconds for what takes one on a quiet machine


def tell(story):
    """Run a coroutine; a test with a browser has a loop running in this thread."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(asyncio.wait_for(story, PATIENCE))).result()


# --- answers that cost much ---


def test_a_costly_question_keeps_nobody_else_waiting_and_ends_when_nobody_waits():
    async def story():
        workers = WorkerPool(ServerSettings(quick_seconds=2.0, costly_seconds=HOURS))
        try:
            costly = asyncio.create_task(workers.ask("eve", "sleep", partial(time.sleep, HOURS)))
            for number in range(3):
                assert await workers.ask("ann", "max", partial(max, number, 1)) == max(number, 1)
            while not workers._at_back:  # it was not done at the front
                await asyncio.sleep(0.05)
            assert await workers.ask("eve", "max", partial(max, 1, 2)) == 2  # even her own cheap ones are answered
            with pytest.raises(TooCostly, match="another question of yours"):
                await workers.ask("eve", "sleep", partial(time.sleep, HOURS))
            costly.cancel()  # she has gone
            with contextlib.suppress(asyncio.CancelledError):
                await costly
            assert not workers._at_back
            assert await workers._ask_at_back("bob", "max", b"\x80\x04N.") is not None  # the process came back
        finally:
            await workers.close()

    tell(story())


def test_what_takes_too_long_is_not_tried_again():
    async def story():
        workers = WorkerPool(ServerSettings(quick_seconds=0.2, costly_seconds=0.2))
        try:
            for _ in range(2):
                with pytest.raises(TooCostly, match=r"more than the 0.2 seconds"):
                    await workers.ask("eve", "sleep", partial(time.sleep, HOURS))
            assert list(workers._given_up) == ["sleep"]
        finally:
            await workers.close()

    tell(story())


def test_what_is_too_costly_is_left_out_with_a_sentence(tmp_path):
    with opened(store=str(tmp_path / "a.db"), quick_seconds=1e-6, costly_seconds=1e-6) as room:
        id, token = room.make("flip7:official", "here Ann", "bot ev", seed="1")
        said = room.get(f"/api/tables/{id}/hint", token, seat=0, chances=True)
        assert said["note"] == (
            "chances to win under these rules take more than the 1e-06 seconds that a question may take here, "
            "so this is without them"
        )
        assert [worth["win"] for worth in said["worth"]] == [None, None]
        assert not said["more"]
        asked = {"spec": "flip7:official(target=100000)", "names": ["Ann", "Bob"]}
        refused = room.ask("POST", "/api/companion/advice?chances=false", json=asked)
        assert refused.status_code == 409
        assert "advice under these rules takes more than" in refused.json()["error"]


def test_everybody_has_a_turn():
    async def story():
        turns, order = Turns(1), []

        async def work(client):
            async with turns.of(client):
                order.append(client)
                await asyncio.sleep(0)

        greedy = [asyncio.create_task(work("eve")) for _ in range(50)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(work(client)) for client in ("ann", "bob")]
        left = asyncio.create_task(work("bob"))
        await asyncio.sleep(0)
        left.cancel()
        await asyncio.gather(*greedy, *others)
        assert max(order.index("ann"), order.index("bob")) < 5
        assert len(order) == 52
        assert (turns._waiting, turns._working.total()) == ({}, 0)

    tell(story())


# --- bots that think long ---


def test_bots_that_think_long_are_not_for_visitors(tmp_path):
    with opened(store=str(tmp_path / "a.db"), decision_seconds=1e-9, allow_runs=True) as room:
        room.make("flip7:official", "here Ann", "bot ev")  # those that a game proposes need no trial
        for path, asked in (
            ("/api/tables", {"spec": "flip7:official", "places": [{"kind": "bot", "name": "stay-31"}] * 2}),
            ("/api/tournaments", {"spec": "flip7:official", "bots": ["ev", "stay-31"]}),
        ):
            answer = room.ask("POST", path, json=asked)
            assert answer.status_code == 422
            assert "the bot stay-31 thinks for" in answer.json()["error"]
            assert "a smaller number after its name is quicker" in answer.json()["error"]


# --- memory ---


def test_a_long_game_is_told_in_pages_and_little_of_it_is_kept(tmp_path):
    async def story():
        async with Room(ServerSettings(store=str(tmp_path / "a.db"))) as room:
            places = (Place(SeatKind.BOT, "stay-25"),) * 17
            live, _ = await room.create("a", TablePlan("flip7:official(target=100000)", places, Key.from_seed(1)))
            for _ in range(3000):
                live.table.go()
            whole, since = [], -1
            while since < 3000:
                text, since = await room.look(live, "a", None, None, since)
                page = json.loads(text)
                steps = [step for step in page["steps"] if not step["ends"]]  # the end of a round is told besides
                assert len(steps) <= PAGE_STEPS
                assert len(text) < 2 * PAGE_CHARACTERS
                assert page["more"] == (since < 3000)
                whole += [step["number"] for step in steps]
            assert whole == list(range(3001))
            for asked in range(-1, 3000, 23):  # what a spectator says it has seen is its own choice
                looker = Looker("a", None, None, asked)
                await room.message(live, looker)
                assert looker.news.is_set() == (looker.since < 3000)  # more comes at once
            kept = sum(len(text) for text, _ in live.said.values()) + sum(map(len, live.table.drawn.values()))
            assert len(live.table.drawn) <= KEPT_DRAWINGS
            assert kept < 4 << 20

    tell(story())


def test_a_page_puts_the_pages_of_a_long_game_together(visit, room):
    id, _ = room.make("flip7:official(target=100000)", "bot stay-25", "bot ev", pace=0, seed="1")
    table = room.app.state.room._live[id].table
    while len(table.moments) <= 3 * PAGE_STEPS:
        table.go()
    page = visit(f"/table/{id}")
    page.wait_for_selector("[data-state=waiting]")
    numbers = page.evaluate("[...document.querySelectorAll('[data-step]')].map((node) => Number(node.dataset.step))")
    assert numbers[-1] - numbers[0] > 2 * PAGE_STEPS - 10  # the latest, which are more than two pages
    assert numbers[-1] >= 3 * PAGE_STEPS - 2
    assert numbers == sorted(numbers)


def alone(name):
    return TablePlan("flip7:solo", (Place(SeatKind.HERE, name),))


def test_tables_in_memory_are_bounded_for_each_and_in_all(tmp_path):
    async def story():
        settings = ServerSettings(store=str(tmp_path / "a.db"), tables_per_address=3, most_tables=5)
        async with Room(settings) as room:
            ann = [(await room.create("ann", alone("Ann")))[0] for _ in range(4)]
            assert len(room._live) == 3  # the one that was left longest was put away …
            assert (await room.find(ann[0].table.id, "ann")).table is not ann[0].table  # … and is back
            for live in room._live.values():
                live.lookers.add(Looker("ann", None, None, -1))
            with pytest.raises(ValueError, match="all tables are in use"):
                await room.create("ann", alone("Ann"))
            await room.create("bob", alone("Bob"))  # there is room for others

    tell(story())


# --- connections ---


@pytest.fixture(scope="module")
def tight(tmp_path_factory):
    """A room with little patience."""
    store = str(tmp_path_factory.mktemp("tight") / "room.db")
    limits = {"request_seconds": 1.0, "header_bytes": 4096, "connections_per_address": 12, "messages_per_minute": 20}
    with opened(store=store, creations_per_minute=1000, **limits) as room:
        yield room


def dial(room):
    host, port = room.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def heard(line):
    """All that comes until the other side ends the connection."""
    out = b""
    with contextlib.suppress(ConnectionError):
        while data := line.recv(65536):
            out += data
    return out


BEGUN = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


@pytest.mark.parametrize("half", [b"", b"\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-", BEGUN])
def test_half_a_request_is_not_waited_for(tight, half):
    with dial(tight) as line:
        line.sendall(half)
        said = heard(line)
    assert said.startswith(b"HTTP/1.1 408 ") or half == BEGUN  # then the app has the word, if anybody


def test_a_head_without_end_is_cut_off(tight):
    with dial(tight) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        with contextlib.suppress(ConnectionError):
            for _ in range(200):
                line.sendall(b"x" * 1000)
        said = heard(line)
    assert said.startswith(b"HTTP/1.1 431 ")
    with dial(tight) as line:  # in one piece
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 5000 + b"\r\n\r\n")
        assert b"the head of a request may have 4 KiB at most" in heard(line)
    assert tight.ask("GET", "/").status_code == 200


def test_so_many_connections_from_one_address(tight):
    with contextlib.ExitStack() as lines:
        all_of_them = [lines.enter_context(dial(tight)) for _ in range(20)]
        refused = [heard(line) for line in all_of_them[12:]]
        assert all(said.startswith(b"HTTP/1.1 503 ") and b"connections from one address" in said for said in refused)
    for _ in range(100):  # when they are gone, others may come
        with contextlib.suppress(Exception):
            if tight.ask("GET", "/").status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the door stays closed")


def live_at(room, id):
    return connect(f"{room.url.replace('http', 'ws')}/api/tables/{id}/live", origin=room.url, open_timeout=PATIENCE)


def closing(line):
    """The code and the sentence with which a socket is closed."""
    try:
        while True:
            line.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code, closed.rcvd.reason


def test_a_websocket_may_not_say_too_much_nor_send_bytes(tight):
    id, _ = tight.make("flip7:solo", "bot ev", pace=0)
    with live_at(tight, id) as line:
        line.send(b"\x00\x01")
        assert closing(line) == (4400, "send text, not bytes")
    with live_at(tight, id) as line:
        line.send("{}")
        line.send(b"later")
        assert closing(line) == (4400, "send text, not bytes")
    with live_at(tight, id) as line:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(40):
                line.send('{"since": -1}')
        assert closing(line) == (4429, "20 messages a minute are the limit; reload the page")


def test_who_does_not_read_is_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr("pitboss.web.routes.live.READ_SECONDS", 0.5)
    with opened(store=str(tmp_path / "a.db"), sending_seconds=1.0) as room:
        id, _ = room.make("flip7:official(target=100000)", *["bot stay-25"] * 17, pace=0, seed="1")
        live = room.app.state.room._live[id]
        for _ in range(6000):
            live.table.go()
        with dial(room) as line:
            line.sendall(
                f"GET /api/tables/{id}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
            )
            assert b" 101 " in line.recv(1000)
            line.sendall(b"\x81\x82\0\0\0\0{}")  # a text, masked with nothing
            for wanted in (True, False):  # it looks, and then no more, without having read a word
                until = time.monotonic() + PATIENCE
                while bool(live.lookers) != wanted and time.monotonic() < until:
                    time.sleep(0.01)
                assert bool(live.lookers) == wanted


# --- what must be answered properly ---


@pytest.mark.parametrize(("name", "value"), [("Host", "["), ("Origin", "http://["), ("Host", "[::1")])
def test_an_address_that_is_none(room, name, value):
    answer = room.ask("POST", "/api/companion", json={"names": ["Ann"]}, headers={name: value})
    assert answer.status_code == 400
    assert answer.json() == {"error": "the Host or Origin of this request is not an address"}


def test_head_is_get_without_a_body(room):
    id, _ = room.make("flip7:solo(target=1)", "bot ev", pace=50)
    while not room.get(f"/api/tables/{id}")["ending"]:
        pass
    pages = ("/", "/play", f"/table/{id}", f"/replay/{id}", "/tournaments", "/api", "/static/room.css", "/nothing")
    data = ("/openapi.json", "/api/games", f"/api/tables/{id}", f"/api/replays/{id}", "/api/tournaments/none/live")
    for path in pages + data:
        head, get = room.ask("HEAD", path), room.ask("GET", path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        assert head.headers["content-type"] == get.headers["content-type"], path
    assert room.ask("HEAD", "/api/companion/advice").status_code == 405  # there is no such GET


# --- secrets on disk ---


def test_the_store_is_for_its_owner_and_holds_no_token(tmp_path):
    old = os.umask(0o022)
    try:
        with opened(store=str(tmp_path / "a.db")) as room:
            id, token = room.make("show:full", "here Ann", "guest Bob")
            invitation = room.get(f"/api/tables/{id}", token)["seats"][1]["invitation"]
            guest = room.ask("POST", f"/api/tables/{id}/join", json={"invitation": invitation}).json()["token"]
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("a.db*")}
            assert set(modes.values()) == {0o600}, modes
    finally:
        os.umask(old)
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("a.db*"))
    assert id.encode() in kept
    assert not any(secret.encode() in kept for secret in (token, invitation, guest))
    with opened(store=str(tmp_path / "a.db")) as room:  # and yet they are good
        assert room.get(f"/api/tables/{id}", guest)["mine"] == [1]


def test_an_invitation_outlives_the_server_and_people_play_on_with_their_tokens(tmp_path):
    with opened(store=str(tmp_path / "a.db")) as room:
        id, token = room.make("flip7:solo(target=1)", "here Ann", seed="1")
        other, host = room.make("show:full", "here Ann", "guest Bob")
    with opened(store=str(tmp_path / "a.db")) as room:
        invitation = room.get(f"/api/tables/{other}", host)["seats"][1]["invitation"]
        assert room.ask("POST", f"/api/tables/{other}/join", json={"invitation": invitation}).status_code == 200
        assert room.get(f"/api/tables/{other}", host)["seats"][1]["invitation"] is None
        for move in ("hit", "stay"):  # the first card is worth the one point that is needed
            step = room.get(f"/api/tables/{id}", token)["last"]
            room.ask("POST", f"/api/tables/{id}/moves", token, json={"seat": 0, "move": move, "step": step})
        assert room.get(f"/api/tables/{id}", token)["ending"]
        after = room.ask("POST", f"/api/tables/{id}/again", token, json={}).json()["next"]
        assert room.get(f"/api/tables/{after['table']}", after["token"])["mine"] == [0]


def test_tokens_of_older_versions_become_hashes(tmp_path):
    path = tmp_path / "a.db"
    with opened(store=str(path)) as room:
        id, _ = room.make("flip7:solo", "here Ann")
    token = "a-token-that-an-older-version-kept"
    held = {"tickets": [{"token": token, "seats": [0], "host": True, "invitation": False}], "next": None}
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE web_tables SET held = ?", [json.dumps(held)])
        database.commit()
    assert token.encode() in b"".join(file.read_bytes() for file in tmp_path.glob("a.db*"))
    with opened(store=str(path)) as room:
        assert room.get(f"/api/tables/{id}", token)["mine"] == [0]
        assert token.encode() not in b"".join(file.read_bytes() for file in tmp_path.glob("a.db*"))


def test_nobody_is_told_where_the_store_lies(closed):
    name = closed.settings.store
    for path in ("/api/tournaments/none", "/tournaments/none", "/replay/none/1", "/api/replays/none/1", "/tournaments"):
        answer = closed.ask("GET", path)
        assert name not in answer.text, path
        assert "room.db" not in answer.text, path


def test_only_who_began_a_tournament_or_the_host_may_stop_it(tmp_path):
    store = str(tmp_path / "a.db")
    asked = {"spec": "flip7:numbers", "bots": ["ev", "stay-25"], "blocks": 40_000}
    with opened(store=store, allow_runs=True, host_token="the-host's") as room:
        made = room.ask("POST", "/api/tournaments", json=asked).json()
        path = f"/api/tournaments/{made['id']}"
        for what in ("stop", "resume"):
            for token in (None, "nonsense"):
                answer = room.ask("POST", f"{path}/{what}", token)
                assert answer.status_code == 403
                assert "only the person who started this tournament" in answer.json()["error"]
        assert [room.get(f"{path}/run", token)["mine"] for token in (None, made["token"], "the-host's")] == [
            False, True, True,
        ]  # fmt: skip
        assert room.ask("POST", f"{path}/stop", made["token"]).json()["running"] is False
        assert room.ask("POST", f"{path}/resume", "the-host's").json()["running"] is True
    assert made["token"].encode() not in b"".join(file.read_bytes() for file in tmp_path.glob("a.db*"))
