"""What the page without a server says of moves: at a real table, as a hint, in the trainer, and of blunders."""

import json

import pytest

pytest.importorskip("playwright")
pytest.importorskip("ziglang")

from pitboss import load
from pitboss import play as played
from pitboss.analysis import analysis_of
from pitboss.analysis.companion import companion_of
from pitboss.cli.commands import run
from pitboss.core.companion import TableSetup
from pitboss.core.dealer import Keyed
from pitboss.core.keys import Key
from tests.browser.page_site import state

PRESET = "flip7:official"


def values(page):
    """What each move is worth by the page, by its number, as soon as that is worked out."""
    page.wait_for_selector("[data-worth]", state="attached")
    rows = page.locator("[data-worth]").all()
    return {
        int(row.get_attribute("data-worth")): float(row.locator("[data-value]").get_attribute("data-value"))
        for row in rows
    }


def begin_table(page, totals):
    state(page, "describing")
    for n, total in enumerate(totals, 1):
        page.get_by_label(f"Player {n}: points so far").fill(str(total))
    page.get_by_role("button", name="Begin").click()
    state(page, "following")


def tap(page, card):
    page.locator(".keys button", has=page.locator(f".card[data-card='{card}']")).click()


def test_advice_at_a_real_table_is_that_of_the_command_line(open_page, capsys):
    page = open_page("#/advice", width=360)
    begin_table(page, [60, 90, 20])
    for card in ("12", "5", "9"):
        tap(page, card)
    assert "tap the next card" in page.inner_text(".due")
    found = sorted(values(page).values())
    run(["advise", PRESET, "--hand", "12", "--seen", "5 9", "--totals", "60,90,20", "--me", "0", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert found == sorted([said["hit"], said["stay"]])
    live = companion_of(load(PRESET), TableSetup(["me", "ann", "bob"], [60, 90, 20]))  # as with --live
    live.enter("12 5 9")
    wins = [float(node.get_attribute("data-win")) for node in page.locator("[data-win]").all()]
    expected = live.advice().to_dict()["win"]
    assert sorted(wins) == sorted([expected["hit"], expected["stay"]])


def test_what_was_tapped_is_kept_and_can_be_undone(open_page):
    page = open_page("#/advice", width=360)
    begin_table(page, [60, 90, 20])
    for card in ("12", "5", "9", "12"):
        tap(page, card)
    assert "busts" in page.inner_text(".taps")
    page.reload()
    state(page, "following")
    assert page.get_attribute(".page", "data-taps") == "4"
    page.get_by_role("button", name="Undo").click()
    assert page.get_attribute(".page", "data-taps") == "3"
    assert page.locator(".keys .harm .card").evaluate_all("cards => cards.map((card) => card.dataset.card)") == ["12"]
    page.get_by_role("button", name="Stay").click()
    assert "stays with 12" in page.inner_text(".taps")


@pytest.mark.parametrize("preset", [PRESET, "show:fair"])
def test_a_hint_is_what_the_analysis_says(open_page, preset):
    page = open_page(f"#/play/{preset}?seed=3")
    state(page, "asked")
    page.keyboard.press("?")
    game = load(preset)
    position = game.start(3 if preset == PRESET else 2)
    dealer = Keyed(Key.from_seed(3), 0)
    while position.to_act < 0:
        position.apply(dealer.card(position))
    said = analysis_of(game).opinion(position.view(position.to_act), chances=True)
    assert values(page) == {each.move: each.value for each in said.moves}


def test_the_daily_ten_are_the_same_for_everybody_and_judged_by_the_analysis(open_page):
    seen = []
    for local in (False, True):
        page = open_page("#/train/daily", local=local)
        for _ in range(3):
            state(page, "asked")
            seen.append((local, page.inner_text(".log"), page.inner_text(".question")))
            page.keyboard.press("1")
            state(page, "answered")
            right = page.get_attribute(".page", "data-right") == "true"
            worth = values(page)
            played_ = page.locator("[data-worth]", has=page.locator(".tag")).get_attribute("data-worth")
            assert right == (worth[int(played_)] == max(worth.values()) or page.locator(".best .tag").count() == 1)
            page.keyboard.press("Enter")
    assert [each[1:] for each in seen if each[0]] == [each[1:] for each in seen if not each[0]]


def test_mistakes_are_kept_explained_and_exercised(open_page):
    page = open_page("#/train")
    state(page, "menu")
    page.get_by_role("button", name="Begin: Practise").click()
    for _ in range(12):
        state(page, "asked")
        page.keyboard.press("1")
        state(page, "answered")
        page.keyboard.press("Enter")
    state(page, "asked")
    page.get_by_role("button", name="Back").click()
    state(page, "menu")
    assert page.inner_text(".card:has(.small-plot)").count("12 decisions") == 1
    assert "you choose" in page.inner_text(".mistakes")
    page.locator(".mistakes button").first.click()
    state(page, "asked")


def test_blunders_are_those_of_the_analysis(open_page, tmp_path):
    record = played(PRESET, ["stay-30", "conservative", "random"], seed=6)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record.to_dict()))
    page = open_page("#/replay")
    page.set_input_files("#record", str(file))
    state(page, "searched")
    expected = 0
    analysis = analysis_of(record.game)
    before = None
    moves = iter(record.moves)
    for position, _, _ in record.replay():
        if before is not None and before.to_act >= 0:
            said = analysis.opinion(before.view(before.to_act), chances=True)
            expected += bool(said and said.is_blunder(next(moves)))
        before = position.copy()
    assert page.locator(".blunders li").count() == expected > 0


def told(page, record, file):
    """The story of a game on the page: its last chances by name, and all that it says."""
    file.write_text(json.dumps(record.to_dict()))
    page.set_input_files("#record", str(file))
    page.get_by_text("The story").click()
    page.wait_for_selector(".story-curve")
    spoken = page.get_attribute(".story-curve", "aria-label").removesuffix(".").split(". ", 1)[1]
    curves = dict(line.split(": ") for line in spoken.split("; "))
    return {name: curve.split(", ")[-1] for name, curve in curves.items()}, page.inner_text(".tale")


def test_the_story_of_a_game_is_told_without_a_server(open_page, tmp_path):
    for spec, bots in (("show:fair", ["show-6", "random"]), (PRESET, ["stay-30", "conservative", "random"])):
        record = played(spec, bots, seed=6)
        page = open_page("#/replay")
        ends, text = told(page, record, tmp_path / "game.json")
        shares = dict(zip(record.labels, record.outcome.shares, strict=True))
        assert ends == {name: f"{share:.0%}".replace("%", "\u00a0%") for name, share in shares.items()}
        assert "Chances to win, estimated" in text
        assert "Estimated: measured in 400 games" in text
        worst = text.split("Worst decisions")[1]
        assert "was worth" in worst
        assert worst.count("estimated") >= worst.count("was worth")
