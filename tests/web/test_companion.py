"""A real table on a phone: cards are tapped, the odds and the advice follow, and a tap can be taken back."""

import pytest

from pitboss import load
from pitboss.analysis.companion import companion_of
from pitboss.core.companion import TableSetup
from tests.web.conftest import opened

PHONE = (360, 740)
SPEC = "flip7:official(modifiers=false, target=30)"  # small enough that chances to win are worked out quickly
TABLE = {"spec": SPEC, "names": ["ann", "bob", "me"], "me": 2, "totals": [5, 0, 10], "dealer": 2}


@pytest.fixture(scope="module", autouse=True)
def prepared():
    """What takes long the first time is worked out before anybody waits for it."""
    for spec, names in ((SPEC, TABLE["names"]), ("flip7:solo", ["me"])):
        companion_of(load(spec), TableSetup(names)).prepare()


def settled(page, taps):
    """Wait until the advice for so many taps is there."""
    page.wait_for_selector(f"[data-taps='{taps}'][data-advised='{taps}'] .advice:not(.stale)")


def tap(page, *entries):
    for entry in entries:
        count = int(page.locator("main").get_attribute("data-taps"))
        page.locator(f"[data-entry='{entry}']").click()
        settled(page, count + 1)


def test_a_table_is_described_and_followed_on_a_phone(visit, room):
    page = visit("/companion", *PHONE, has_touch=True)
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_label("Rules").select_option("flip7:solo")
    page.get_by_role("button", name="One less").click()
    page.get_by_role("button", name="One less").click()
    page.get_by_label("Player 1: name").fill("me")
    page.get_by_label("Player 1: name").blur()
    page.get_by_role("button", name="Begin").click()
    settled(page, 0)
    tap(page, "12", "11", "10")
    live = companion_of(load("flip7:solo"), TableSetup(["me"]))
    live.enter("12 11 10")
    facts = live.advice().facts
    assert page.locator(".verdict").inner_text().startswith(f"{facts['best'].capitalize()}. It takes ")
    said = page.locator("[data-part=advice]").inner_text()
    assert f"{facts['busts']} of {facts['cards']} cards" in said
    assert f"{facts['hit']:.2f}" in said
    assert "33" in page.locator("svg.table").text_content()
    keys = page.locator("[data-part=cards] button")
    assert page.locator("[data-entry='12'].harm").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = [box for key in keys.all() if (box := key.bounding_box())["width"] < 44 or box["height"] < 44]
    assert small == []  # fingers are wide


def test_undo_and_reload_and_back(visit, room):
    page = visit("/companion#rules=flip7:solo&names=me&taps=12+11", *PHONE)
    settled(page, 2)
    before = page.locator("[data-part=advice]").inner_text()
    table = page.locator("svg.table").text_content()
    tap(page, "5")
    assert page.locator("svg.table").text_content() != table
    page.reload()
    settled(page, 3)
    page.get_by_role("button", name="Undo").click()
    settled(page, 2)
    assert page.locator("[data-part=advice]").inner_text() == before
    assert page.locator("svg.table").text_content() == table
    for left in (1, 0):
        page.get_by_role("button", name="Undo").click()
        settled(page, left)
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.get_by_role("button", name="Another table").click()
    page.wait_for_selector("[data-state=describing]")
    page.go_back()
    settled(page, 0)


def test_others_cards_targets_and_the_next_round(visit, room):
    text = "names=ann,bob,me&me=2&totals=5,0,10&dealer=2"
    page = visit(f"/companion#rules={SPEC.replace(' ', '+')}&{text}", *PHONE)
    settled(page, 0)
    assert page.locator("[data-part=due]").inner_text() == "ann: opening card?"
    tap(page, "12", "3", "fz")
    assert page.locator("[data-part=due]").inner_text().startswith("me: who gets the Freeze?")
    live = companion_of(load(SPEC), TableSetup(TABLE["names"], TABLE["totals"], me=2, dealer=2))
    live.enter("12 3 fz")
    best = live.names[live.advice().facts["best_target"]]
    assert page.locator(".verdict").inner_text() == f"Put it on {best}"
    assert page.locator("[data-part=cards] button").count() == 0
    tap(page, "@0")
    assert page.locator("[data-part=told]").inner_text() == "ann is frozen by me and banks 12"
    assert "round 1" in page.locator("svg.table").get_attribute("aria-label")
    assert page.locator("[data-entry=new]").count() == 0  # who has no card yet cannot stay
    for left in (3, 2):
        page.get_by_role("button", name="Undo").click()
        settled(page, left)
    tap(page, "5", "new")
    assert "round 2" in page.locator("svg.table").get_attribute("aria-label")


def test_the_interface_agrees_with_the_command(room):
    for taps in ([], ["12", "3", "5"], ["12", "3", "5", "12"], ["12", "3", "5", "s", "7", "8"]):
        live = companion_of(load(SPEC), TableSetup(TABLE["names"], TABLE["totals"], me=2, dealer=2))
        for each in taps:
            live.enter(each)
        seen = room.ask("POST", "/api/companion", json={**TABLE, "taps": taps}).json()
        assert (seen["due"], seen["asked"]) == (live.due, live.asked)
        assert sum(card["chance"] for card in seen["cards"]) == pytest.approx(1)
        said = room.ask("POST", "/api/companion/advice", json={**TABLE, "taps": taps}).json()
        facts = live.advice().facts
        assert said["facts"]["win"]["chance"] == pytest.approx(facts["win"]["chance"])
        assert [goal["name"] for goal in said["goals"]] == ["points", "rounds", "win"]
        assert said["goals"][0]["values"] == pytest.approx([facts["hit"], facts["stay"]])


def test_what_cannot_be_is_refused(room):
    def refused(**more):
        answer = room.ask("POST", "/api/companion", json=TABLE | more)
        assert answer.status_code == 422
        return answer.json()["error"]

    assert "lie face down" in refused(spec="show:fair", names=["ann", "me"], totals=[], me=0, dealer=0)
    assert "neither a card" in refused(taps=["joker"])
    assert "two players" in refused(names=["ann", "ann", "me"])
    assert "has no Freeze" in refused(spec="flip7:numbers", taps=["fz"])
    assert "tap is" in refused(taps=["1" * 61])


def test_only_open_games_are_offered(tmp_path):
    with opened(store=str(tmp_path / "room.db")) as room:
        specs = [preset["spec"] for preset in room.get("/api/companion")]
    assert "flip7:official" in specs
    assert not any(spec.startswith("show") for spec in specs)


def test_fast_taps_on_a_slow_line_are_all_kept(visit, room):
    """The three cards are tapped before the first answer is there."""
    page = visit("/companion#rules=flip7:solo&names=me", *PHONE)
    settled(page, 0)
    held = []
    page.route("**/api/companion", lambda route: held.append(route))
    for card in ("12", "11", "10"):
        page.locator(f"[data-entry='{card}']").click()
    for route in held:
        route.continue_()
    page.unroute("**/api/companion")
    settled(page, 3)
    assert "taps=12+11+10" in page.url
    held.clear()
    page.route("**/api/companion", lambda route: held.append(route))
    for entry in ("12", "9"):  # the first ends the round
        page.locator(f"[data-entry='{entry}']").click()
    for route in held[::-1]:  # and the answers come in another order
        route.continue_()
    page.unroute("**/api/companion")
    settled(page, 5)
    assert "taps=12+11+10+12+9" in page.url
