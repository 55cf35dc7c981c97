"""Finished games on the page, compared with their records step by step."""

import re

import pytest

from pitboss import Tournament
from pitboss.analysis import analysis_of
from pitboss.core.record import Record
from pitboss.tournament.store import Store
from tests.browser.test_replay import SHOWN, expected, told
from tests.moments import moments
from tests.web.conftest import opened
from tests.web.test_companion import SPEC


@pytest.fixture(scope="module")
def played(room):
    """A game of one person, who stays with whatever it has, and two bots; its id and record."""
    id, token = room.make(SPEC, "here Ann", "bot ev", "bot always-hit", seed="5")
    look = room.get(f"/api/tables/{id}", token)
    while not look["ending"]:
        move = {"seat": look["to_act"], "move": look["choices"][0]["move"], "step": look["last"]}
        look = room.ask("POST", f"/api/tables/{id}/moves", token, json=move).json()
    return id, Record.from_dict(room.get(f"/api/records/{id}"))


def of_bots(room, spec, *bots, seed):
    """A game of bots at a table where nobody looks; its id and record."""
    id, token = room.make(spec, *(f"bot {bot}" for bot in bots), seed=seed, pace=0)
    while not room.ask("POST", f"/api/tables/{id}/step", token).json()["ending"]:
        pass
    return id, Record.from_dict(room.get(f"/api/records/{id}"))


@pytest.fixture(scope="module")
def hidden(room):
    return of_bots(room, "show:full", "random", "show-6", seed="8")


def ready(page):
    page.wait_for_selector("#replay[data-judged=fully]")
    return page


def test_every_step_is_as_recorded(visit, played):
    id, record = played
    page = ready(visit(f"/replay/{id}"))
    last = len(record.cards) + len(record.moves)
    for n, (position, events) in enumerate(moments(record)):
        shown = page.evaluate(SHOWN)
        scene = record.game.scene(position.view(0), record.labels)
        assert shown["count"] == f"{n} / {last}"
        assert shown["seats"] == expected(scene), n
        assert shown["events"] == told(events, record.labels)
        page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN)["ending"] is not None


def test_scrubbed_to_a_step(visit, played):
    id, record = played
    page = ready(visit(f"/replay/{id}"))
    seen = [expected(record.game.scene(position.view(0), record.labels)) for position, _ in moments(record)]
    for step in (len(seen) - 1, 3, 17, 0, len(seen) // 2):
        page.locator("[data-part=slider]").fill(str(step))
        assert page.evaluate(SHOWN)["seats"] == seen[step]
        page.wait_for_function("(step) => new URLSearchParams(location.search).get('move') === `${step}`", arg=step)
    page.keyboard.press("Home")
    page.keyboard.press("r")
    rounds = [n for n, (_, events) in enumerate(moments(record)) if any(e.kind == "round started" for e in events)]
    assert page.locator("[data-part=count]").text_content().startswith(f"{rounds[1]} /")


def test_an_address_leads_to_a_move(visit, played):
    id, record = played
    page = ready(visit(f"/replay/{id}?move=17"))
    assert page.locator("[data-part=count]").text_content().startswith("17 /")
    page = ready(visit(f"/replay/{id}?move=99999"))
    last = len(record.cards) + len(record.moves)
    assert page.locator("[data-part=count]").text_content() == f"{last} / {last}"
    page = ready(visit(f"/replay/{id}?move=nonsense"))
    assert page.locator("[data-part=count]").text_content().startswith("0 /")


def test_blunders_are_marked_and_explained(visit, room):
    """Chances to win know of those about targets, and that some points were given away to win."""
    id, record = of_bots(room, "flip7:tournament", "random", "stay-25", seed="13")
    found, moves, before = {False: {}, True: {}}, iter(record.moves), None
    for step, (position, _, _) in enumerate(record.replay()):
        if before is not None:
            move, view = next(moves), before.view(before.to_act)
            for chances, wrong in found.items():
                said = analysis_of(record.game).opinion(view, chances=chances)
                wins = {worth.move: worth.win for worth in said.moves if worth.win is not None} if said else {}
                wins_most = wins and wins[move] == max(wins.values())
                if said and said.lost(move) >= said.grave and not wins_most:
                    wrong[step] = said.lost(move)
        before = position.copy() if position.to_act >= 0 else None
    for chances, wrong in found.items():
        told = room.get(f"/api/blunders/{id}", chances=chances)
        assert {blunder["step"]: pytest.approx(blunder["lost"]) for blunder in told} == wrong
    by_points, wrong = found.values()
    page = ready(visit(f"/replay/{id}"))
    assert page.locator(".marks .blunder").count() == len(wrong)

    def go_to(steps):
        page.locator("[data-part=slider]").fill(str(min(steps)))
        return page.locator(".opinion")

    percent = re.compile(r"⚠ Blunder \d+(\.\d)?\s% chance to win lost")
    go_to(wrong.keys() - by_points).locator(".callout", has_text=percent).wait_for()
    both = wrong.keys() & by_points
    points = f"⚠ Blunder {wrong[min(both)]:.1f} points lost"
    go_to(both).locator(".callout", has_text=points).wait_for()
    assert page.locator(".opinion .coming li").count() > 5
    go_to(by_points.keys() - wrong).get_by_text("points lost, but this wins more often").wait_for()
    assert page.locator(".opinion .callout").count() == 0
    page.locator("[data-part=slider]").fill("1")  # a card: nobody decided
    page.locator(".opinion").wait_for(state="hidden")


def test_secrets_through_the_eyes_one_chooses(visit, hidden):
    id, record = hidden
    page = ready(visit(f"/replay/{id}"))
    page.get_by_label("Seen by").select_option(label="show-6")
    page.locator("h1").click()
    seen = {True: 0, False: 0}
    actor = -1
    for position, events, _ in record.replay():
        shown = page.evaluate(SHOWN)
        assert shown["seats"] == expected(record.game.scene(position.view(1), record.labels))
        assert shown["events"] == told([event.seen_by(1) for event in events], record.labels)
        if actor >= 0 and sum(seen.values()) < 12:  # an opinion tells what the one who decided could see
            page.wait_for_timeout(150)
            if actor == 1:
                page.locator(".opinion").wait_for()
            assert page.locator(".opinion").is_visible() == (actor == 1)
            seen[actor == 1] += 1
        actor = position.to_act
        page.keyboard.press("ArrowRight")
    assert all(seen.values())


def test_games_of_tournaments(visit, tmp_path):
    store = str(tmp_path / "cup.db")
    Tournament("flip7:numbers", ["ev", "stay-20"], blocks=2, seed=1, store=Store(store)).play()
    with opened(store=store) as room:
        id = Store(store).ids()[0]
        page = visit(f"/replay/{id}/3?move=5", base=room.url)
        ready(page)
        assert page.locator("[data-part=count]").text_content().startswith("5 /")
        record = Store(store).record(id, 3)
        assert Record.from_dict(room.get(f"/api/records/{id}/3")).to_line() == record.to_line()
        assert room.ask("GET", f"/api/records/{id}/999").status_code == 404
        assert room.ask("GET", "/api/records/nothing/1").status_code == 404
        page.close()


def test_the_list_has_what_was_played(visit, room, played):
    page = visit("/replays")
    page.locator(f"a[href='/replay/{played[0]}']").click()
    ready(page)
    assert page.locator("h1").text_content() == "Ann · ev · always-hit"
