"""When a game is over: its story, the profile of this device, and screens for many to look at."""

import json

import numpy as np
import pytest

from pitboss import Tournament, load
from pitboss.analysis.rollouts import Rollouts
from pitboss.analysis.story import judge, outlook
from pitboss.core.keys import Key
from pitboss.core.record import Record
from pitboss.stats.intervals import share
from tests.web.conftest import until
from tests.web.test_company import to_the_end
from tests.web.test_play import answer, first_or_last


def whole(room, id):
    """All parts of a story, as a page asks for them."""
    points, part = [], {"done": 0, "all": 1}
    while part["done"] < part["all"]:
        part = room.get(f"/api/stories/{id}", have=len(points))
        assert part["done"] > len(points)  # every answer brings something
        points += part["points"]
        assert part["done"] == len(points)
    return {**part, "points": points}


@pytest.mark.parametrize(
    ("spec", "bots"),
    [("flip7:official(target=40)", ["bot ev"] * 2), ("show:fair", ["bot show-6"]), ("flip7:solo(target=15)", [])],
)
def test_a_story_has_everybodys_chances_and_what_decisions_cost(room, spec, bots):
    id, token = room.make(spec, "here Ann", *bots, seed="5")
    to_the_end(room, id, [token])
    story = whole(room, id)
    record = Record.from_dict(room.get(f"/api/records/{id}"))
    positions = [position.copy() for position, _, _ in record.replay()]
    assert [point["step"] for point in story["points"]] == list(range(len(positions)))
    assert story["points"][-1]["chances"] == list(record.outcome.shares)
    moves = iter(record.moves)
    for before, position, point in zip([None, *positions], positions, story["points"], strict=False):
        assert sum(point["chances"]) == pytest.approx(1)
        assert point["chances"] == pytest.approx(list(outlook(record.game, position).chances))
        assert point["by"] == (before.to_act if before and before.to_act >= 0 else None)
        move = next(moves) if point["by"] is not None else None
        if point["decision"]:
            found = judge(record.game, before, move)
            assert (point["decision"]["lost"], point["decision"]["ahead"]) == (found.lost, found.ahead)
            assert point["decision"]["lost"] == 0 or point["decision"]["ahead"] == 0


def test_chances_of_a_story_are_those_of_games_played_on():
    """The model of Flip 7 and rollouts of a game without one say what games come to, within their intervals."""
    game = load("show:fair")
    position = game.start(2)
    for card in ("9h", "5d", "2s", "7c"):
        position.apply(card)
    told = outlook(game, position)
    assert told.half < 0.05
    runner, rows, won = Rollouts(game)._runner(2), np.zeros((2, game.width)), []
    for deal in range(3000):
        runner.play_on(position, Key.from_seed(9), deal, rows)
        won.append(rows[0, 2])
    found = share(sum(won), sum(x * x for x in won), len(won))
    assert found.low - told.half < told.chances[0] < found.high + told.half


def test_a_long_story_is_told_of_some_steps(room):
    id, token = room.make("flip7:official(target=1500)", "bot ev", "bot stay-25", "bot random", seed="1", pace=0)
    table = room.app.state.room._live[id].table
    while not table.over:
        table.go()
    room.app.state.room.keeper.save(table)
    first = room.get(f"/api/stories/{id}")
    assert len(table.moments) > 700
    assert first["all"] <= 600
    assert room.ask("GET", f"/api/stories/{id}", params={"have": 10**6}).status_code == 422
    assert token


# --- in the browser ---


def test_a_finished_game_is_told_shared_and_remembered(visit, room):
    visit.forgiven += ["clipboard"]
    id, token = room.make("flip7:official(target=40)", "here Ann", "bot ev", seed="3")
    page = visit(f"/table/{id}#{token}")
    while answer(page, first_or_last):
        pass
    page.locator(".ending-story svg.story-curve").wait_for()
    page.get_by_text("gave away").wait_for()
    assert "estimated" in page.locator(".ending-story").inner_text()
    page.get_by_text("Share", exact=True).click()
    link = page.get_by_label("Link to the story").input_value()
    assert link == f"{room.url}/story/{id}"
    assert token not in link
    page.get_by_role("link", name="The story").click()
    page.wait_for_selector("[data-story][data-ready=yes]")
    assert page.get_by_label("Decisions of").evaluate("select => select.selectedOptions[0].textContent") == "Ann"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a picture").click()
    picture = saved.value.path().read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 10_000  # something is drawn on it
    friend = visit(f"/story/{id}")  # who knows nothing but the link
    friend.wait_for_selector("[data-story][data-ready=yes]")
    assert friend.locator(".story-curve").count() == 1

    page.goto(f"{room.url}/profile")
    row = page.locator("[data-part=table] tbody tr")
    assert row.locator("th").inner_text() == "Flip 7 · Official (target: 40)"
    assert "estimated" in row.inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save all as a file").click()
    [kept] = json.loads(saved.value.path().read_text())
    assert (kept["id"], kept["seat"]) == (id, 0)
    assert kept["regret"]["decisions"] > 0
    page.get_by_role("button", name="Forget all").click()
    page.get_by_role("button", name="Keep them").click()
    assert row.count() == 1
    page.get_by_role("button", name="Forget all").click()
    page.get_by_role("button", name="Forget all of them").click()
    page.get_by_text("No game has ended on this device yet").wait_for()


def test_a_tournament_is_shown_on_a_big_screen_through_lost_connections(visit, room):
    visit.forgiven += ["ERR_FAILED"]
    made = Tournament("flip7:numbers", "ev,stay-20,stay-21,random", blocks=30, seed=1, store=room.settings.store)
    made.play()
    page = visit("/")
    page.context.route("**/live", lambda route: route.abort())
    page.goto(f"{room.url}/tournaments/{made.id}/screen")
    page.get_by_text("The connection is lost").wait_for()
    page.context.unroute("**/live")
    page.wait_for_selector("[data-state=finished]")
    page.locator("[data-part=lost]").wait_for(state="hidden")
    look = room.get(f"/api/tournaments/{made.id}")
    order = """[...document.querySelectorAll('[data-bot]')].map((line) => [line.getBoundingClientRect().y, line])
      .sort(([a], [b]) => a - b).map(([, line]) => line.dataset.bot)"""
    assert page.evaluate(order) == [row["name"] for row in look["table"]["rows"]]
    between = [not apart for apart in look["apart"]]
    assert page.locator(".show-between.close").count() == sum(between) > 0
    assert page.locator("[data-bot=random] .show-between").count() == 0  # the last one
    first, second = look["deciding"]["bots"]
    page.get_by_role("heading", name=f"{first} – {second}").wait_for()
    players = room.get(f"/api/replays/{made.id}/{look['deciding']['game']}")["names"]
    assert {first, second} <= {name.split(" (")[0] for name in players}
    until(page, f"document.querySelector('[data-screen]').dataset.game === '{look['deciding']['game']}'")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_table_is_shown_on_a_big_screen_with_its_code(visit, room):
    id, token = room.make("flip7:official(target=10)", "here Ann", "guest Bob", seed="2")
    ann = visit(f"/table/{id}#{token}")
    code = ann.locator(".table-code").inner_text()
    screen = ann.context.new_page()
    screen.goto(f"{room.url}/table/{id}/screen")
    assert screen.locator(".table-code").inner_text() == code
    foreign = visit(f"/table/{id}/screen")
    foreign.wait_for_selector("[data-state=shown]")
    assert foreign.locator("[data-part=code]").is_hidden()  # only who sits there may let others in
    bob = room.ask("POST", f"/api/codes/{code}/join", json={"name": "Bob"}).json()["token"]
    screen.locator("[data-part=code]").wait_for(state="hidden")
    look = to_the_end(room, id, [token, bob])
    screen.wait_for_selector("[data-state=over]")
    scores = " · ".join(f"{name} {score}" for name, score in zip(look["names"], look["ending"]["scores"], strict=True))
    screen.get_by_text(scores).wait_for()
    screen.locator(".story-curve").wait_for()
