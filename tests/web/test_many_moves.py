"""A game of 361 moves in the card room: moves are chosen word by word."""

import pytest

pytestmark = pytest.mark.usefixtures("bids")

MOVES = ".choices .move"


def made(room, table):
    """The moves of a game that is over."""
    steps = room.get(f"/api/replays/{table}")["steps"]
    return [step["move"] for step in steps if step["by"] is not None]


def test_the_interface_offers_every_move(room):
    table, token = room.make("bids", "here Ann", "bot careful", seed="3")
    look = room.get(f"/api/tables/{table}", token)
    assert len(look["choices"]) == 360
    first = look["choices"][0]
    assert (first["move"], first["words"][:8]) == ("bid 1 1", "bid 1 1/")
    answer = room.ask(
        "POST", f"/api/tables/{table}/moves", token, json={"seat": 0, "move": "bid 40 5", "step": look["last"]}
    )
    assert answer.status_code == 200, answer.text
    assert made(room, table) == ["bid 40 5", "liar"]


def test_a_move_is_chosen_in_steps(visit, room):
    """First the verb (here there is one only), then each argument; one can go back, and use keys."""
    table, token = room.make("bids(most=20)", "here Ann", "bot careful", seed="3")
    page = visit(f"/table/{table}#{token}")
    page.wait_for_selector("[data-state=asked]")
    asks = page.locator("[data-part=asks]")
    assert asks.inner_text() == "What do you bid? Bid …"
    assert page.locator(MOVES).count() == 20
    page.locator(f"{MOVES}[data-word='12']").click()
    assert asks.inner_text() == "What do you bid? Bid 12 …"
    assert page.locator(MOVES).count() == 6
    assert page.locator(MOVES).first.get_attribute("data-move") == "bid 12 1"
    page.keyboard.press("Escape")
    assert asks.inner_text() == "What do you bid? Bid …"
    page.keyboard.press("7")
    page.locator(f"{MOVES}[data-move='bid 7 4']").click()
    page.wait_for_selector("[data-state=over]")
    assert made(room, table) == ["bid 7 4", "liar"]


def test_after_a_bid_there_are_two_verbs(visit, room):
    table, token = room.make("bids", "bot careful", "here Ann", seed="3")
    page = visit(f"/table/{table}#{token}")
    page.wait_for_selector("[data-state=asked]")
    assert [text.split("\n")[0] for text in page.locator(MOVES).all_inner_texts()] == ["Call careful a liar", "Bid …"]
    page.keyboard.press("b")
    assert page.locator(f"{MOVES}[data-word='60']").count() == 1
    page.get_by_role("button", name="Back").click()
    page.keyboard.press("c")
    page.wait_for_selector("[data-state=over]")
    assert made(room, table)[1:] == ["liar"]
