"""The first minute: what the front page offers, and how a game is set up."""

from itertools import pairwise

import pytest

from pitboss import load, simulate
from pitboss.core.play import play
from pitboss.web.lobby import OPPONENTS, SHOWN, offers
from tests.web.conftest import until
from tests.web.test_table import at

ABOVE_THE_FOLD = [(1440, 900), (360, 740)]


def test_every_game_is_offered_with_cards_and_bots_of_its_own():
    known = offers()
    assert next(iter(known)).name == "flip7"
    assert len({offer.title for offer in known}) == len(known) >= 3
    for offer in known:
        game = load(offer.spec)
        assert game.title == offer.title
        faces = [face["name"] for face in offer.faces]
        assert 2 < len(set(faces)) <= SHOWN
        assert "hidden" not in [face["kind"] for face in offer.faces]
        assert play(game, [*offer.bots, offer.bots[0]], seed=1).outcome.ended
        assert len(offer.bots) == min(OPPONENTS, game.rules.seats[-1] - 1)


@pytest.mark.parametrize("name", [offer.name for offer in offers()])
def test_one_click_deals_a_hand(visit, room, name):
    """The first test that a newcomer makes: the front page, and a button."""
    offer = next(offer for offer in offers() if offer.name == name)
    page = visit("/")
    page.get_by_role("button", name=f"Deal me in: {offer.title} against").first.click()
    page.wait_for_selector("[data-state=asked], [data-state=recap]")
    look = room.get(f"/api/tables/{page.url.split('/table/')[1].split('#')[0]}")
    assert look["game"] == offer.spec
    assert look["names"][1:] == list(offer.bots)


@pytest.mark.parametrize("size", ABOVE_THE_FOLD)
def test_a_hand_is_dealt_from_what_is_in_sight(visit, size):
    page = visit("/", *size)
    for button in page.get_by_role("button", name="Deal me in").all()[: 3 if size[0] > 1000 else 1]:
        box = button.bounding_box()
        assert box["y"] + box["height"] <= size[1]
    assert page.locator(".fan .playing-card").count() == sum(len(offer.faces) for offer in offers())


def test_the_way_back_is_on_the_front_page(visit, room):
    page = visit("/")
    assert page.locator("[data-part=return]").is_hidden()
    page.goto(room.url + at(room, room.make("flip7:official", "here Ann", "bot stay-25", seed="1")))
    page.wait_for_selector("[data-state=asked]")
    page.goto(room.url)
    page.get_by_role("link", name="Ann · stay-25").click()
    page.wait_for_selector("[data-state=asked]")


def test_how_strong_the_bots_are_is_one_choice(visit, room):
    page = visit("/play")
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_label("Bots").select_option("very strong")
    levels = room.get("/api/rules", spec="flip7:official")["levels"]
    for seat in (2, 3):
        chosen = page.get_by_label(f"Seat {seat}: which bot").input_value()
        assert levels[chosen] == max(levels.values())
    page.get_by_role("button", name="One seat more").click()
    assert page.get_by_label("Seat 4: which bot").input_value() in levels
    page.get_by_label("Seat 2: which bot").select_option("stay-25")
    assert "stays with 25 points or more" in page.locator("[data-part=places]").inner_text()


def test_a_seat_added_while_the_rules_come_does_not_break_the_form(visit, room):
    page = visit("/play")
    page.wait_for_selector("[type=submit]:enabled")
    held = []
    page.route("**/api/rules*", lambda route: held.append(route))
    page.get_by_text("Numbers", exact=True).click()
    until(page, "document.querySelector('[data-part=table]').inert")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.get_by_role("button", name="One seat more").click()  # waits until it can be clicked
    assert page.locator("[data-part=places] li").count() == 4


@pytest.mark.parametrize("spec", [offer.spec for offer in offers()])
def test_stronger_bots_win_more(spec):
    """Of two bots at neighbouring levels the higher wins more of 600 games between them."""
    levels = load(spec).levels
    assert set(levels.values()) <= {1, 2, 3, 4, 5}
    steps = sorted(set(levels.values()))
    firsts = [next(bot for bot, level in levels.items() if level == step) for step in steps]
    assert len(firsts) >= 2
    for weak, strong in pairwise(firsts):
        result = simulate(spec, [weak, strong], games=600, seed=1)
        assert result.win_share(strong).mean > 0.5


JUMPS = """window.jumps = [];
new PerformanceObserver((list) => list.getEntries().filter((entry) => !entry.hadRecentInput).forEach((entry) =>
  window.jumps.push(...entry.sources.map((source) => source.node?.className || source.node?.nodeName)))
).observe({type: "layout-shift"});"""


@pytest.mark.parametrize("path", ["/", "/play", "/watch", "/new-tournament"])
def test_nothing_jumps_when_the_rest_comes_late(browser, room, path):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.add_init_script(JUMPS)
    page = context.new_page()
    held = []
    page.route("**/api/rules*", lambda route: held.append(route))
    page.goto(room.url + path)
    while not held and path != "/":  # the test's own time limit ends a wait in vain
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)  # what is there is painted
    for route in held:
        route.continue_()
    page.wait_for_selector("[type=submit]:enabled" if held else ".playing-card")
    page.wait_for_timeout(300)
    assert page.evaluate("window.jumps") == []
    context.close()
