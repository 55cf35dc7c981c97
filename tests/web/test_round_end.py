"""How a round ends: with its last card on the table, which can be looked at; then the next round begins."""

from itertools import pairwise

import pytest

from tests.web.test_play import SETTLED
from tests.web.test_table import at, shown


@pytest.fixture
def second_round(visit, room):
    """The table at the end of round 2, when Ann always hits; and its id."""
    made = room.make("flip7:official", "here Ann", "bot ev", "bot random", seed="5")
    page = visit(at(room, made))
    rounds = 0
    while rounds < 2:
        state = page.wait_for_selector(SETTLED).get_attribute("data-state")
        if state == "recap":
            rounds += 1
            if rounds < 2:
                page.keyboard.press("Enter")
                page.wait_for_selector("[data-state=busy], [data-state=asked]")
        else:
            hit = page.locator(".choices .move[data-move=hit]")
            (hit if hit.count() else page.locator(".choices .move")).first.click()
            page.wait_for_selector("[data-state=busy], [data-state=asked], [data-state=recap]")
    return page, made


def test_the_card_that_ends_a_round_lies_on_the_table(second_round, room):
    page, (id, token) = second_round
    steps = room.get(f"/api/tables/{id}", token)["steps"]
    end, begin = next((a, b) for a, b in pairwise(steps) if a["ends"] and a["chapter"] == "round 2")
    assert (begin["number"], begin["chapter"], begin["ends"]) == (end["number"], "round 3", False)
    drawn = [face["text"] for seat in end["scene"]["seats"] for row in seat["rows"] for face in row]
    assert sorted(shown(page)) == sorted(drawn)
    last_card = next(text.rsplit(" ", 1)[1] for text, _ in end["events"] if " gets " in text)
    assert page.locator(".table .new.card").first.get_attribute("data-card") == last_card
    log = page.locator("[data-part=log] li").all_text_contents()
    assert not any("Round 3" in line for line in log)  # what comes next is not told yet
    assert "scores" in log[-1]
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=asked]")
    assert any("Round 3" in line for line in page.locator("[data-part=log] li").all_text_contents())
    assert len(shown(page)) < len(drawn)


# Every drawing of the table: its name, its cards, and what the log had last.
DRAWINGS = """() => {
  window.drawings = [];
  const [table, log] = ["table", "log"].map((name) => document.querySelector(`[data-part=${name}]`));
  new MutationObserver(() => window.drawings.push([
    table.querySelector("svg").getAttribute("aria-label"),
    [...document.querySelectorAll(".table .card")].map((card) => card.dataset.card).sort().join(),
    log.lastElementChild?.textContent ?? "",
  ])).observe(table, { attributes: true, childList: true, subtree: true });
}"""


def test_who_watches_sees_the_end_of_a_round_too(visit, room):
    """It stays on the table for a second and a half, in which a busy machine may look elsewhere: all that was drawn is
    noted."""
    id, token = room.make("flip7:numbers(target=60)", "bot ev", "bot stay-20", seed="6", pace=0)
    page = visit(f"/table/{id}")
    page.wait_for_selector("[data-state=waiting]")
    page.evaluate(DRAWINGS)
    ended = False
    while not ended:
        look = room.ask("POST", f"/api/tables/{id}/step", token).json()
        ended = look["steps"][0]["ends"]
    page.locator("[data-part=table] svg[aria-label*='round 2']").wait_for()  # after a while
    seats = look["steps"][0]["scene"]["seats"]
    cards = ",".join(sorted(face["text"] for seat in seats for row in seat["rows"] for face in row))
    drawn = [(label, said) for label, there, said in page.evaluate("window.drawings") if there == cards]
    assert any("round 1" in label and "scores" in said for label, said in drawn)


def test_people_choose_by_clicking_players_and_cards(visit, room):
    page = visit(at(room, room.make("show:fair", "here Ann", "bot show-6", seed="3")))
    page.wait_for_selector("[data-state=asked]")
    assert page.locator(".table .card.pick").count() == 2
    page.locator("[data-seat='0'] [data-place='1']").click()
    page.locator("[data-part=log] li", has_text="Ann looks at their right card").wait_for()
    made = room.make("flip7:official", "here Ann", "bot ev", "bot random", seed="3")
    path = f"/api/tables/{made[0]}"
    while True:
        look = room.get(path, made[1])
        choices = look["choices"]
        if choices[0]["on"]:
            break
        assert not look["ending"], "deal other cards: this game has no card to put on somebody"
        move = {"seat": 0, "move": "hit" if len(look["steps"]) % 7 else "stay", "step": look["last"]}
        room.ask("POST", f"{path}/moves", made[1], json=move)
    page = visit(at(room, made))
    page.wait_for_selector("[data-state=asked]")
    names = [look["names"][choice["on"][0]] for choice in choices]
    assert page.locator(".choices .move span").all_text_contents() == names  # not "@1 ev"
    page.locator(f".seat.pick[data-seat='{choices[-1]['on'][0]}']").click()
    told = page.locator(f"[data-part=log] li[data-step='{look['last'] + 1}']")
    told.first.wait_for()
    assert names[-1] in " ".join(told.all_text_contents())


def test_who_watches_a_game_with_secrets_sees_backs_and_what_lies_open(visit, room):
    id, token = room.make("show:fair", "here Ann", "bot show-6", seed="1")
    page = visit(f"/table/{id}")
    page.locator("[data-part=log] li").first.wait_for()
    assert shown(page) == ["?"] * 4
    path = f"/api/tables/{id}"
    while True:
        public = room.get(path)["steps"][-1]["scene"]
        if public["centre"]:
            break
        look = room.get(path, token)
        words = [choice["text"] for choice in look["choices"]]
        pick = words.index("discard") if "discard" in words else 0
        asked = {"seat": 0, "move": look["choices"][pick]["move"], "step": look["last"]}
        room.ask("POST", f"{path}/moves", token, json=asked)
    page.locator(".table .head .card").first.wait_for()
    assert [face["kind"] for seat in public["seats"] for row in seat["rows"] for face in row] == ["hidden"] * 4
    assert {seat["caption"] for seat in public["seats"]} == {""}
    cards = page.locator("[data-seat] .card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert cards == ["?"] * 4
