"""Cards on the table that are moves: tapped, or chosen with the keyboard. A Swap is two taps."""

import pytest

ASKED = "[data-state=asked]"
PICKS = ".card.pick"


def swapping(room, seats):
    """A table of Vengeance at which Ann must choose the first card of a Swap; played up to there by the interface."""
    table, token = room.make("vengeance", "here Ann", *["bot stay-25"] * (seats - 1), seed="6")
    while True:
        look = room.get(f"/api/tables/{table}", token)
        moves = [choice["move"] for choice in look["choices"]]
        if all("@" in move and not move.startswith("@") for move in moves):
            return table, token, look
        seat = next((move for move in moves if move == "@0"), None)
        move = seat or "hit"
        body = {"seat": 0, "move": move, "step": look["last"]}
        answer = room.ask("POST", f"/api/tables/{table}/moves", token, json=body)
        assert answer.status_code == 200, answer.text


def tap(page, choice):
    """Tap the card that a move means; what is written on it."""
    seat, place = choice["on"]
    card = page.locator(f"[data-seat='{seat}'] [data-place='{place}']")
    text = card.get_attribute("data-card")
    card.click()
    return text


@pytest.mark.parametrize(("width", "height", "seats"), [(360, 740, 4), (1440, 900, 6)])
def test_a_swap_is_two_taps(visit, room, width, height, seats):
    table, token, look = swapping(room, seats)
    page = visit(f"/table/{table}#{token}", width=width, height=height)
    page.wait_for_selector(ASKED)
    assert page.locator(PICKS).count() == len(look["choices"])
    first = next(choice for choice in look["choices"] if choice["on"][0] == 0)
    gone = tap(page, first)
    page.wait_for_selector(f"{ASKED}:not(:has([data-seat='0'] {PICKS}))")  # a Swap takes cards of two players
    second = next(c for c in room.get(f"/api/tables/{table}", token)["choices"] if c["on"][0] == 1)
    got = tap(page, second)
    page.wait_for_selector(f"[data-seat='0'] .card[data-card='{got}']")
    page.wait_for_selector(f"[data-seat='1'] .card[data-card='{gone}']")


def test_the_keyboard_reaches_the_cards(visit, room):
    """Where there are more cards than buttons would be good for, the first card has the focus, arrows go on."""
    table, token, look = swapping(room, 6)
    assert len(look["choices"]) > 12
    page = visit(f"/table/{table}#{token}")
    page.wait_for_selector(ASKED)
    assert page.locator(".choices button").count() == 1
    assert "Tap a card" in page.locator("[data-part=asks]").inner_text()
    places = "() => [...document.querySelectorAll('.card.pick')].indexOf(document.activeElement)"
    assert page.evaluate(places) == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(places) == 1
    page.keyboard.press("l")
    assert page.locator(".choices .move").count() == len(look["choices"])
    page.keyboard.press("Escape")
    assert page.evaluate(places) == 1
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-part=asks]:has-text('for which card')")
