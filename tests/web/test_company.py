"""People at a table: who is there, codes, a clock, bots that stand in, rematches, and watchers who are behind."""

import re
import time

from pitboss.core.keys import Key
from pitboss.core.record import Record
from pitboss.web.room.company import LETTERS, Presence, Reaction, Why, new_code
from pitboss.web.room.people import GONE_SECONDS, GRACE_SECONDS, SAID_PER_MINUTE, SAID_SECONDS, People
from pitboss.web.room.store import TableStore
from pitboss.web.room.table import HouseRules, Place, RoomTable, SeatKind, TablePlan
from tests.web.conftest import PATIENCE
from tests.web.test_play import SETTLED, answer
from tests.web.test_secrets import CARD


def a_table(*places, **house):
    """A table with people, its host's ticket, and a clock to turn by hand."""
    kinds = [Place(SeatKind(kind), name) for kind, name in (place.split(" ") for place in places)]
    table = RoomTable("t", TablePlan("flip7:official", tuple(kinds), Key.from_seed(2), house=HouseRules(**house)))
    host = table.sell()
    now = [100.0]
    table.run(60.0)  # up to the first decision of a person
    return table, host, People(table, clock=lambda: now[0]), now


def to_the_end(room, id, tokens):
    """Let everybody stay at once, or take the first choice."""
    look = room.get(f"/api/tables/{id}", tokens[0], since=10**6)
    while not look["ending"]:
        for token in tokens:
            look = room.get(f"/api/tables/{id}", token, since=10**6)
            if look["choices"]:
                move = {"seat": look["to_act"], "move": look["choices"][-1]["move"], "step": look["last"]}
                look = room.ask("POST", f"/api/tables/{id}/moves", token, json=move).json()
    return look


# --- who is there ---


def test_who_is_there_is_known_from_connections():
    table, host, people, _ = a_table("here Ann", "guest Bob", "bot ev")
    assert people.presence() == (Presence.GONE, Presence.EXPECTED, Presence.BOT)
    bob = table.join_by_code("Bob")
    assert people.notice([(host.hash, False), (bob.hash, True)])
    assert people.presence() == (Presence.HERE, Presence.AWAY, Presence.BOT)
    assert people.notice([(host.hash, False), (bob.hash, True), (bob.hash, False)])  # of two tabs, one is looked at
    assert people.presence()[1] is Presence.HERE
    assert not people.notice([(host.hash, False), (bob.hash, False)])  # no news
    assert people.notice([(host.hash, False)])
    assert people.presence()[1] is Presence.GONE


def test_the_clock_runs_for_who_must_decide_and_is_there():
    table, host, people, now = a_table("guest Bob", "here Ann", clock=20.0)
    while table.waits_for != 0:  # a card may have been an action for Ann to give away
        table.act(1, table.game.format_move(next(iter(table.position.legal))), len(table.moments) - 1)
        table.run(60.0)
    people.notice([(host.hash, False)])
    now[0] += 1000
    assert people.left() is None  # Bob has not come
    assert people.due() is None
    table.join_by_code("Bob")
    assert people.left() == 20.0
    now[0] += 19
    assert people.left() == 1.0
    now[0] += 1 + GRACE_SECONDS / 2
    assert people.left() == 0.0
    assert people.due() is None  # the answer may be on its way
    now[0] += GRACE_SECONDS
    assert people.due() == (0, Why.CLOCK)
    people.notice([])
    assert people.due() is None  # a table that all have left stays as it is
    before = len(table.moments)
    table.stand_in_for(0, Why.CLOCK)
    assert len(table.moments) == before + 1
    assert [(each.step, each.seat, each.why) for each in table.stood] == [(before, 0, Why.CLOCK)]
    assert host.hash == table.tickets[0].hash


def test_a_bot_plays_for_who_has_left_others_waiting_and_hands_back():
    table, host, people, now = a_table("here Ann", "guest Bob")
    bob = table.join_by_code("Bob")
    both = [(host.hash, False), (bob.hash, False)]
    people.notice(both)
    waits = table.waits_for
    stays, leaves = (both[1:], both[:1]) if waits == 0 else (both[:1], both[1:])
    people.notice(stays)
    assert people.due() is None
    now[0] += GONE_SECONDS - 1
    assert people.due() is None
    now[0] += 1
    assert people.due() == (waits, Why.GONE)
    people.notice([])  # now nobody waits
    assert people.due() is None
    people.notice([*stays, *leaves])  # back
    now[0] += 1000
    assert people.due() is None


def test_without_others_nobody_plays_for_a_person():
    _, host, people, now = a_table("here Ann", "bot ev")
    people.notice([(host.hash, False)])
    people.notice([])
    now[0] += 10 * GONE_SECONDS
    assert people.due() is None


def test_reactions_are_few_and_last_a_moment():
    _, host, people, now = a_table("here Ann", "bot ev")
    said = [people.react(host, 0, Reaction.CLAP) for _ in range(SAID_PER_MINUTE + 5)]
    assert sum(said) == SAID_PER_MINUTE
    assert {each.seat for each in people.now().said} == {0}
    now[0] += SAID_SECONDS + 1
    assert people.now().said == ()


def test_the_clock_decides_on_a_running_server_and_everybody_is_told(room):
    id, token = room.make("flip7:official", "here Ann", "bot ev", clock=200, seed="2")
    live = room.app.state.room._live[id]
    look = room.get(f"/api/tables/{id}", token)
    assert look["house"] == {"clock": 200.0, "stand_in": "ev", "by": "ev", "delay": 0.0}
    assert 0 < look["left"] <= 200
    live.people.notice([(live.table.tickets[0].hash, False)])
    live.people._clock = lambda: time.monotonic() + 300
    end = time.monotonic() + PATIENCE / 1000
    while not look["stood"] and time.monotonic() < end:
        time.sleep(0.05)
        look = room.get(f"/api/tables/{id}", token, since=look["last"])
    assert look["stood"][0]["seat"] == 0
    assert look["stood"][0]["why"] == "clock"


# --- codes ---


def test_codes_have_letters_that_cannot_be_mistaken():
    assert re.fullmatch(f"[{LETTERS}]{{6}}", new_code([]))
    assert not set(LETTERS) & set("AEIOU0125BDPTVCGNS")  # vowels make words, and these sound or look alike


def test_a_guest_comes_by_code_and_only_those_at_the_table_know_it(room):
    id, token = room.make("show:fair", "here Ann", "guest Bob")
    found = room.get(f"/api/tables/{id}/code", token)
    assert found["picture"].startswith("<svg")
    assert found["address"] == f"{room.url}/join#{found['code']}"
    assert not found["reachable"]  # by nobody but this machine
    assert room.ask("GET", f"/api/tables/{id}/code").status_code == 403
    assert found["code"] not in room.ask("GET", f"/api/tables/{id}").text
    typed = f" {found['code'][:3].lower()}-{found['code'][3:]}"
    came = room.ask("POST", f"/api/codes/{typed}/join", json={"name": "Bob <i>"}).json()
    assert came["table"] == id
    assert room.get(f"/api/tables/{id}", came["token"])["mine"] == [1]
    assert room.get(f"/api/tables/{id}")["names"] == ["Ann", "Bob <i>"]
    late = room.ask("POST", f"/api/codes/{found['code']}/join", json={}).json()
    assert late == {"table": id, "token": None}  # all seats are taken: it can be watched
    assert room.ask("POST", f"/api/codes/{found['code']}/join", json={"name": "x" * 61}).status_code == 422


def test_codes_cannot_be_tried(room, monkeypatch):
    limiter = room.app.state.code_limiter
    monkeypatch.setattr(limiter, "_left", {})
    monkeypatch.setattr(limiter, "_clock", lambda: 0.0)  # however long the requests take, it is the same minute
    id, token = room.make("flip7:official", "here Ann", "guest Bob")
    code = room.get(f"/api/tables/{id}/code", token)["code"]
    tried = [room.ask("POST", "/api/codes/FFFFFF/join", json={}).status_code for _ in range(limiter.per_minute + 3)]
    assert tried == [404] * limiter.per_minute + [429] * 3
    assert room.ask("POST", f"/api/codes/{code}/join", json={}).status_code == 429  # not even the right one


# --- another game ---


def test_a_rematch_takes_everybody_along_each_a_seat_further_on(room):
    id, host = room.make("flip7:official(target=15)", "here Ann", "guest Bob", "bot ev", seed="2")
    code = room.get(f"/api/tables/{id}/code", host)["code"]
    bob = room.ask("POST", f"/api/codes/{code}/join", json={"name": "Bob"}).json()["token"]
    assert to_the_end(room, id, [host, bob])["names"] == ["Ann", "Bob", "ev"]
    after = room.ask("POST", f"/api/tables/{id}/again", bob, json={"same_deal": False}).json()["next"]
    assert after["token"] == bob
    mine = {name: room.get(f"/api/tables/{after['table']}", token) for name, token in (("Ann", host), ("Bob", bob))}
    assert mine["Ann"]["names"] == ["ev", "Ann", "Bob"]
    assert {name: look["mine"] for name, look in mine.items()} == {"Ann": [1], "Bob": [2]}
    assert room.get(f"/api/tables/{id}")["next"] == {"table": after["table"], "token": ""}  # for those who watch


def test_invitations_that_were_not_used_are_good_at_the_next_table():
    table, host, _, _ = a_table("here Ann", "guest Bob", "bot ev")
    invitation = table.invitation(host, 1)
    other = RoomTable("u", TablePlan("flip7:official", tuple(table.places[i - 1] for i in range(3))))
    other.sell()
    other.hand_over(table.tickets, 1)
    assert [place.name for place in other.places] == ["ev", "Ann", "Bob"]
    assert other.invitation(host, 2) == invitation
    assert other.invitation(host, 1) is None
    assert other.join(invitation).seats == (2,)


# --- those who watch ---


def test_watchers_of_hidden_cards_are_behind_until_the_end(room):
    id, token = room.make("show:fair", "here Ann", "bot show-6", seed="3", delay=600)
    path, seen = f"/api/tables/{id}", []
    for _ in range(4):
        seen.append(room.ask("GET", path).text)
        look = room.get(path, token, since=10**6)
        move = {"seat": 0, "move": look["choices"][0]["move"], "step": look["last"]}
        assert room.ask("POST", f"{path}/moves", token, json=move).status_code == 200
    assert len(set(seen)) == 1  # whatever happened at the table, they were told nothing
    assert not CARD.search(seen[0])
    for address in (f"/api/stories/{id}", f"/api/replays/{id}", f"/api/records/{id}", f"/story/{id}", f"/replay/{id}"):
        assert room.ask("GET", address).status_code == 404, address
    look = to_the_end(room, id, [token])
    after = room.get(path)
    assert after["ending"]
    assert after["last"] == look["last"]


def test_watchers_of_an_open_game_see_it_at_once(room):
    id, token = room.make("flip7:official", "here Ann", "bot ev", seed="3", delay=600)
    look = room.get(f"/api/tables/{id}", token)
    assert room.get(f"/api/tables/{id}")["last"] == look["last"] > 0


def test_delayed_steps_come_when_they_are_due(room):
    id, token = room.make("show:fair", "here Ann", "bot show-6", seed="3", delay=1)
    newest = room.get(f"/api/tables/{id}", token)["last"]
    end = time.monotonic() + PATIENCE / 1000
    while room.get(f"/api/tables/{id}")["last"] != newest:
        assert time.monotonic() < end, "the steps never came"
        time.sleep(0.05)


# --- in the browser ---


def stay(page):
    page.locator(".choices .move").last.click()


def test_friends_meet_by_code_see_each_other_and_play_again(visit, room):
    id, token = room.make("flip7:official(target=10)", "here Ann", "guest Bob", seed="2", clock=300)
    ann = visit(f"/table/{id}#{token}")
    code = ann.locator(".table-code").inner_text()
    ann.get_by_text("300 seconds for each decision. When they are over, ev decides.").wait_for()
    bob = visit(f"/join#{code}", width=360, height=740)
    bob.get_by_label("Your name").fill("Bob <b>")
    bob.get_by_role("button", name="Sit down").click()
    ann.locator("[data-person='1'][data-presence=here]", has_text="Bob <b>").wait_for()
    ann.locator("[data-part=clock]:not([hidden])").wait_for()
    ann.locator("[data-part=invites]").wait_for(state="hidden")
    bob.get_by_role("button", name="Well played").click()
    ann.locator("[data-person='1'] .reaction", has_text="Well played").wait_for()
    bob.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    bob.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ann.locator("[data-person='1'][data-presence=away]").wait_for()
    over = set()
    while len(over) < 2:
        for number, page in enumerate((ann, bob)):
            if number not in over and page.locator(SETTLED).count() and not answer(page, stay):
                over.add(number)
        ann.wait_for_timeout(20)
    ann.get_by_role("button", name="Play again").click()
    ann.wait_for_url(f"{room.url}/table/*")
    bob.wait_for_url(lambda url: id not in url)  # taken along
    bob.wait_for_selector("[data-state=asked], [data-state=waiting]")
    assert bob.url == ann.url
    assert bob.locator("[data-person='0']", has_text="you").count() == 1  # a seat further on
    bob.close()
    ann.locator("[data-person='0'][data-presence=gone]").wait_for()


def test_what_others_decided_for_a_person_is_in_the_log(visit, room):
    id, token = room.make("flip7:official", "here Ann", "bot ev", seed="2", clock=200)
    page = visit(f"/table/{id}#{token}")
    page.wait_for_selector("[data-state=asked]")
    people = room.app.state.room._live[id].people
    people._clock = lambda: time.monotonic() + 300
    page.locator("[data-part=log]", has_text="The time is up: ev decides for you").wait_for()
    people._clock = time.monotonic


def test_the_room_finds_a_table_by_code_after_a_restart(tmp_path):
    code = ""
    for _ in range(2):
        keeper = TableStore(str(tmp_path / "room.db"))
        keeper.prepare()
        code = code or keeper.keep_code("abc")
        assert keeper.table_by_code(code) == "abc"
        assert keeper.table_by_code("FFFFFF" if code != "FFFFFF" else "HHHHHH") is None
        keeper.close()


def test_a_game_with_decisions_of_a_stand_in_comes_back_the_same(room):
    id, token = room.make("flip7:official(target=10)", "here Ann", "bot ev", seed="2")
    tables = room.app.state.room
    live = tables._live[id]
    live.table.stand_in_for(0, Why.GONE)
    live.table.run(60.0)
    tables.keeper.save(live.table)
    again = tables.keeper.load(tables.keeper.find(id), 1000)
    again.run(60.0)
    assert again.stood == live.table.stood
    assert again.record.to_dict() == live.table.record.to_dict()
    to_the_end(room, id, [token])
    assert Record.from_dict(room.get(f"/api/records/{id}")).verify() > 0
