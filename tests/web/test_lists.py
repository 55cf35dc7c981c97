"""Lists in which people look things up: games, blunders; and forms that say plainly what is wrong."""

import pytest

from tests.web.conftest import opened, until
from tests.web.test_replays import of_bots, ready


@pytest.fixture
def quiet(tmp_path):
    """A room in which nobody else plays, so that no other game ends meanwhile."""
    with opened(store=str(tmp_path / "room.db")) as room:
        yield room


def test_the_list_of_replays_has_results_players_and_pages(visit, quiet, monkeypatch):
    room = quiet
    monkeypatch.setattr("pitboss.web.routes.replays.RECENT", 2)
    ids = [of_bots(room, "flip7:numbers(target=20)", "ev", f"stay-{n}", seed="1")[0] for n in (11, 12, 13)]
    first = room.get("/api/replays")
    assert [game["id"] for game in first] == ids[:0:-1]
    assert room.get("/api/replays", offset=2)[0]["id"] == ids[0]
    (mine,) = room.get("/api/replays", player="stay-12")
    record = room.get(f"/api/records/{ids[1]}")
    assert dict(mine["scores"]) == dict(zip(("ev", "stay-12"), record["outcome"]["scores"], strict=True))
    page = visit("/replays", base=room.url, timezone_id="America/New_York", locale="en-GB")
    assert page.get_by_role("link", name="Newer games").count() == 0
    until(page, "!document.querySelector('time').textContent.includes('UTC')")  # in the time of whoever reads it
    page.get_by_role("link", name="Older games").click()
    page.get_by_role("link", name="ev · stay-11").wait_for()
    page.get_by_label("Player").fill("stay-13")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="ev · stay-13").wait_for()
    assert page.locator(".rows li").count() == 1
    assert "★" in page.locator(".rows li").inner_text()
    page.close()


def test_blunders_are_listed_by_player_and_stepped_through(visit, room):
    id, _ = of_bots(room, "flip7:tournament", "random", "stay-25", seed="13")
    page = ready(visit(f"/replay/{id}"))
    told = room.get(f"/api/blunders/{id}", chances=True)
    lines = page.locator(".blunder-list li")
    assert lines.count() == len(told)
    seats = sorted({blunder["seat"] for blunder in told})
    page.get_by_label("Blunders of").select_option(str(seats[0]))
    own = [blunder["step"] for blunder in told if blunder["seat"] == seats[0]]
    assert lines.count() == page.locator(".marks .blunder").count() == len(own)
    for step in own[:2]:
        page.get_by_role("button", name="Next blunder").click()
        assert page.locator("[data-part=count]").text_content().startswith(f"{step} /")
    lines.last.locator("a").click()
    assert page.locator("[data-part=count]").text_content().startswith(f"{own[-1]} /")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"places": [{"kind": "bot", "name": ""}]}, "unknown bot"),
        ({}, "the places are missing"),
        ({"places": [{"kind": "bot", "name": "evv"}]}, "ev"),
        ({"places": [{"kind": "bot", "name": "x" * 61}]}, "the name of place 1 must not be longer than 60"),
    ],
)
def test_a_form_says_what_is_wrong_in_plain_words(room, asked, sentence):
    said = room.ask("POST", "/api/tables", json={"spec": "flip7:solo", **asked}).json()["error"]
    assert sentence in said
    assert ".py" not in said  # a file would be refused
    assert "String should" not in said


def test_deal_is_in_sight_and_bots_are_chosen_from_a_list(visit, room):
    for size in ((1440, 900), (360, 740)):
        page = visit("/play", *size)
        page.wait_for_selector("[type=submit]:enabled")
        deal = page.get_by_role("button", name="Deal").bounding_box()
        assert deal["y"] + deal["height"] <= size[1]
    page.get_by_label("Seat 2: which bot").select_option("another bot …")
    page.get_by_label("Seat 2: which bot").fill("stay-17")
    page.get_by_role("button", name="Deal").click()
    page.wait_for_selector("[data-state]")
    page.locator("[aria-label^='stay-17']").wait_for()


def test_a_click_while_the_form_is_filled_in_is_not_lost(visit, room):
    page = visit("/new-tournament")
    page.wait_for_selector("[type=submit]:enabled")
    held = []
    page.route("**/api/rules*", lambda route: held.append(route))
    page.get_by_label("Rule book").select_option("show:fair")
    until(page, "document.querySelector('[data-part=chosen]').inert")
    while not held:  # asked for, and not yet here; the test's own time limit ends a wait in vain
        page.wait_for_timeout(50)
    held[0].continue_()
    page.unroute("**/api/rules*")
    page.get_by_role("button", name="Without show-6").click()  # waits until it can be clicked
    page.wait_for_selector("[type=submit]:enabled")
    assert page.get_by_role("button", name="Without show-6").count() == 0


def test_what_is_added_while_the_form_is_filled_in_stays(visit, room):
    page = visit("/new-tournament")
    page.wait_for_selector("[type=submit]:enabled")
    held = []
    page.route("**/api/rules*", lambda route: held.append(route))
    page.get_by_label("Rule book").select_option("show:fair")
    page.get_by_label("Another bot").fill("show-4")
    page.get_by_role("button", name="Add").click()
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.get_by_role("button", name="Without show-6").wait_for()
    assert page.get_by_role("button", name="Without show-4").count() == 1
