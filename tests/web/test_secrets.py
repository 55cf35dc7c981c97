"""Nobody receives what their seat may not know: all that a browser ever gets is read here."""

import json
import random
import re

import pytest

from pitboss import load
from pitboss.core.record import Record
from pitboss.web.hints import hint
from tests.web.test_people import sit_down
from tests.web.test_play import SETTLED, answer

CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]|Joker")


def known(record, seat, until):
    """The cards, as they are written, that a seat has seen face up in the first steps of a game."""
    names = record.labels
    out = set()
    for n, (position, events, _) in enumerate(record.replay()):
        if n > until:
            break
        scene = record.game.scene(position.view(seat), names)
        faces = [face for seat in scene.seats for row in seat.rows for face in row]
        faces += [face for _, row in scene.centre for face in row]
        out |= {face.text for face in faces if face.kind != "hidden"}
        out |= set(CARD.findall(" ".join(event.seen_by(seat).text(names) for event in events)))
        out |= set(CARD.findall(position.view(seat).question))
    return out


def play_on(pages, choose):
    """Let the pages answer in turn until nobody is asked any more."""
    over = set()
    while len(over) < len(pages):
        for number, page in enumerate(pages):
            if number not in over and page.locator(SETTLED).count() and not answer(page, choose):
                over.add(number)
        pages[0].wait_for_timeout(20)


def cautious(page):
    """Discards, never calls: a long game, in which much is drawn and looked at."""
    words = page.locator(".choices .move span").all_text_contents()
    wanted = ("discard", "yes", "play on")
    pick = next((i for i, word in enumerate(words) if word in wanted), 0)
    page.locator(".choices .move").nth(pick).click()


@pytest.mark.parametrize("seed", ["1", "2"])
def test_two_browsers_play_over_a_link_and_see_only_their_own(visit, room, seed):
    page = visit("/play?game=show:full&with=friends", record=True)
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_label("Seat 1: name").fill("Ann")
    page.get_by_label("Seat 2: name").fill("Bob")
    page.get_by_text("More:").click()
    page.get_by_label("Seed").fill(seed)
    page.received.clear()  # the form shows cards of the game, for the eye
    page.get_by_role("button", name="Deal").click()
    link = page.get_by_label("Link for Bob").input_value()
    guest = visit(link.removeprefix(room.url), record=True)
    sit_down(guest, "Bob")
    guest.wait_for_selector("[data-state=waiting]")
    page.locator("[data-part=invites]").wait_for(state="hidden")
    assert guest.url != link
    id = page.url.split("/table/")[1].split("#")[0]

    table = room.app.state.room._live[id].table  # those who only watch are behind

    def both(tab):
        if len(table.moments) > 40:  # then somebody calls
            tab.locator(".choices .move").last.click()
        else:
            cautious(tab)

    turns = 0
    while turns < 14:  # in the middle of the game, before anything is shown
        for tab in (page, guest):
            if tab.locator("[data-state=asked]").count():
                answer(tab, cautious)
                turns += 1
    for tab in (page, guest):
        tab.wait_for_selector("[data-state=asked], [data-state=waiting]")
    halfway = len(table.moments) - 1
    sent = [list(tab.received) for tab in (page, guest)]
    play_on([page, guest], both)

    record = Record.from_dict(room.get(f"/api/records/{id}"))
    assert record.seats == ["Ann", "Bob"]
    for seat, texts in enumerate(sent):
        received = set(CARD.findall("\n".join(texts)))
        may = known(record, seat, halfway)
        assert received <= may, "a card that this seat has not seen"
        assert received, "the test does not read what the page is told"
        key = str(record.key)
        assert not any(key in text or key[4:] in text for text in texts)
    tokens = [
        tab.evaluate("id => JSON.parse(sessionStorage.getItem(`pitboss-seat-${id}`))", id) for tab in (page, guest)
    ]
    assert all(tokens)
    assert tokens[0] != tokens[1]
    assert tokens[1] not in "\n".join(sent[0])
    assert tokens[0] not in "\n".join(sent[1])


@pytest.mark.parametrize("spec", ["show:fair", "show:full"])
def test_the_interface_tells_a_seat_only_its_own(room, spec):
    """Move by move, hints and all, against a bot; and somebody watches."""
    for seed in range(3):
        id, token = room.make(spec, "here Ann", "bot show-6", seed=str(seed))
        mine, watched = [], []
        look = room.get(f"/api/tables/{id}", token)
        while not look["ending"]:
            mine.append(room.ask("GET", f"/api/tables/{id}", token).text)
            watched.append(room.ask("GET", f"/api/tables/{id}").text)
            hint = room.get(f"/api/tables/{id}/hint", token, seat=0)
            del hint["coming"]  # cards that nobody has seen, by their points; see below
            mine.append(json.dumps(hint, ensure_ascii=False))
            before = look["last"]
            move = {"seat": 0, "move": look["choices"][seed % 2]["move"], "step": before}
            look = room.ask("POST", f"/api/tables/{id}/moves", token, json=move).json()
        record = Record.from_dict(room.get(f"/api/records/{id}"))
        received = set(CARD.findall("\n".join(mine)))
        assert received
        assert received <= known(record, 0, before)
        public = {
            card
            for n, (_, events, _) in enumerate(record.replay())
            for event in events
            for card in CARD.findall(event.seen_by(-1).text(record.labels))
            if n <= before
        }
        assert set(CARD.findall("\n".join(watched))) == public
        for text in (*mine, *watched):
            assert str(record.key)[4:] not in text
            assert "invitation" not in text or '"invitation":null' in text


@pytest.mark.parametrize(("spec", "seats"), [("show:full", 2), ("flip7:tournament", 3)])
def test_a_hint_is_the_same_in_every_world_that_fits(spec, seats):
    game, rng, names = load(spec), random.Random(5), ["Ann", "Bob", "Cy"][:seats]
    asked = 0
    for _ in range(4):
        position = game.start(seats)
        position.events()
        while not position.over:
            seat = position.to_act
            if seat >= 0 and rng.random() < 0.3:
                world = game.imagine(position.view(seat), rng.getrandbits(64))
                assert hint(game, world, seat, names) == hint(game, position, seat, names)
                asked += 1
            position.apply(rng.choice(list(position.legal)))
    assert asked > 5


def test_what_only_a_seat_may_do(room):
    id, token = room.make("show:fair", "here Ann", "guest Bob", seed="1")
    look = room.get(f"/api/tables/{id}", token)
    invitation = look["seats"][1]["invitation"]
    assert [seat["invitation"] for seat in room.get(f"/api/tables/{id}")["seats"]] == [None, None]
    path = f"/api/tables/{id}"
    refused = [
        room.ask("GET", path, invitation),  # an invitation is no seat yet
        room.ask("GET", path, "nonsense"),
        room.ask("POST", f"{path}/moves", json={"seat": 0, "move": "0", "step": 4}),
        room.ask("POST", f"{path}/moves", token, json={"seat": 1, "move": "0", "step": 4}),
        room.ask("GET", f"{path}/hint", token, params={"seat": 1}),
        room.ask("GET", f"{path}/hint", params={"seat": 0}),
        room.ask("PUT", f"{path}/pace", json={"pace": 1}),
    ]
    assert [answer.status_code for answer in refused] == [403] * len(refused)
    guest = room.ask("POST", f"{path}/join", json={"invitation": invitation}).json()["token"]
    assert room.ask("POST", f"{path}/join", json={"invitation": invitation}).status_code == 409
    assert room.ask("GET", path, invitation).status_code == 403
    assert room.get(path, guest, seat=0)["seat"] == 1  # asking for another's eyes does not lend them
    assert room.ask("GET", f"/api/records/{id}").status_code == 404  # not before it is over
    assert room.ask("GET", f"/api/replays/{id}").status_code == 404
