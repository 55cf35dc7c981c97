"""Whole games as people play them: by the keyboard alone, and by taps alone on a telephone."""

import pytest

from pitboss import load
from pitboss.web.hints import hint
from tests.web.test_looks import WIDER
from tests.web.test_play import SETTLED
from tests.web.test_table import at

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
LYING = {**PHONE, "width": 740, "height": 360}
GAMES = ["flip7:official(target=30)", "show:full", "vengeance:standard(target=30)"]
FINGERTIP = 44
TOO_SMALL = """(least) => [...document.querySelectorAll("button, select, summary, nav a, a.button, .brand")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < least)
  .map((each) => each.outerHTML.slice(0, 80))"""
HELD = """["choices", "pick"].find((name) => document.activeElement.closest(`.${name}`))"""


def table_of(room, spec, seed="3"):
    bots = ["bot show-6"] if spec.startswith("show") else ["bot ev", "bot stay-25"]
    return at(room, room.make(spec, "here Ann", *bots, seed=seed))


def settled(page):
    return page.wait_for_selector(SETTLED).get_attribute("data-state")


def in_sight(page, node):
    """Whether a node lies in the window as it is, without scrolling."""
    box, size = node.bounding_box(), page.viewport_size
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"]


@pytest.mark.parametrize("spec", GAMES)
def test_a_whole_game_by_the_keyboard(visit, room, spec):
    """Each question waits with the focus on an answer, is told to a screen reader, and says what can be done."""
    page = visit(table_of(room, spec))
    said = set()
    for turn in range(400):
        state = settled(page)
        if state == "over":
            break
        if state == "asked":
            held = page.evaluate(HELD)
            assert held, page.evaluate("document.activeElement.outerHTML")
            assert "Your turn" in page.title()
            said.add(page.locator("[aria-live=polite]").first.inner_text())
            if turn % 2:  # another answer than the first
                page.keyboard.press("ArrowRight" if held == "pick" else "Tab")
            if not page.evaluate(HELD):
                page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
    assert settled(page) == "over"
    assert len(said) > 1
    assert page.evaluate("document.activeElement.dataset.part") == "asks"  # who won
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Play again"


@pytest.mark.parametrize("spec", GAMES)
def test_a_whole_game_by_taps(visit, room, spec):
    """Players and cards are tapped where they lie; all that is needed is large enough, and in sight."""
    page = visit(table_of(room, spec), **PHONE)
    taps = set()
    while (state := settled(page)) != "over":
        if state == "recap":
            target = page.locator("dialog[open] button")
        else:
            drawn = page.locator(".seat.pick .place, .card.pick")
            target = drawn.last if drawn.count() else page.locator(".choices [data-move]").last
            taps.add("table" if drawn.count() else "button")
        assert in_sight(page, target)
        if not target.get_attribute("class") or "card" not in target.get_attribute("class"):
            assert target.bounding_box()["height"] >= FINGERTIP
        target.tap(force=True)  # a card of a player is a part of the player, too
        page.wait_for_timeout(20)
    assert "button" in taps
    assert page.evaluate(WIDER) <= 0
    assert in_sight(page, page.get_by_role("button", name="Play again"))
    page.get_by_role("link", name="How it went").tap()
    assert in_sight(page, page.locator("[data-part=ending] h2"))


@pytest.mark.parametrize("options", [PHONE, LYING, {}], ids=["upright", "lying", "desk"])
def test_what_comes_next_is_in_sight(visit, room, options):
    """A game that is over says who won, and offers another, where moves were chosen before."""
    page = visit(at(room, room.make("flip7:official(target=5)", "here Ann", "bot ev", seed="4")), **options)
    while settled(page) != "over":
        page.locator("dialog[open] button, .choices .move").first.click()
        page.wait_for_timeout(20)
    assert page.locator("[data-part=asks]").inner_text() in ("You win", "ev wins")
    assert in_sight(page, page.get_by_role("button", name="Play again"))


@pytest.mark.parametrize("path", ["/", "/play", "/replays", "/companion", "table"])
def test_everything_is_as_large_as_a_fingertip(visit, room, path):
    page = visit(table_of(room, "flip7:official") if path == "table" else path, **PHONE)
    page.wait_for_selector("[data-state=asked]" if path == "table" else "main")
    assert page.evaluate(TOO_SMALL, FINGERTIP) == []


def test_who_arrives_sees_the_deal_from_its_first_card(visit, room):
    """It is not over before one looks; and it is shown once, not after every reload."""
    page = visit(table_of(room, "flip7:official", seed="11"), motion="slow")
    page.get_by_role("button", name="Skip ahead").wait_for()
    assert page.locator("[data-part=log] li").count() < 4
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-state=asked]")
    assert page.locator("[data-part=log] li").count() >= 4
    page.reload()
    page.wait_for_selector("[data-state=asked], [data-state=busy]")
    assert page.locator("[data-state=asked]").count() == 1  # nothing moves first


def test_the_table_stays_where_it_is_when_one_is_asked(visit, room):
    page = visit(table_of(room, "flip7:official", seed="11"), **PHONE, motion="slow")
    page.wait_for_selector("[data-state=busy]")
    felt = page.locator(".felt").bounding_box()
    page.get_by_role("button", name="Skip ahead").click()
    page.wait_for_selector("[data-state=asked]")
    assert page.locator(".felt").bounding_box() == felt


def test_advice_about_a_player_reads_as_advice():
    """Not "ev. It wins 39 %", as if ev did; nor "@1 ev", which is for terminals."""
    game = load("flip7:official")
    position = game.start(3)
    for card in ("5", "6", "7"):
        position.apply(card)
    seat = position.to_act
    position.apply("hit")
    position.apply("Freeze")
    said = hint(game, position, seat, ["Ann", "ev", "stay-25"], chances=True)
    assert said.advice.startswith("Choose ")
    assert "@" not in said.advice


def test_cards_of_show_are_named_as_they_lie(visit, room):
    page = visit(at(room, room.make("show:full", "here Ann", "bot show-6", seed="3")))
    page.get_by_role("button", name="Right card").click()
    page.locator("[data-part=log] li", has_text="Ann looks at their right card").wait_for()
    assert "slot" not in page.locator("main").inner_text().lower()
