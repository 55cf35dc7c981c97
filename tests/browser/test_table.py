"""The table by itself: what it makes of scenes, of great moments, and of people who want no motion and no sound."""

from itertools import pairwise

import pytest

from pitboss.core.play import play
from pitboss.render import embed, joined, read
from pitboss.render.replay import steps
from tests.browsers import PATIENCE

START = (
    'import { Table } from "./table.js";\nimport { motion } from "./motion.js";\nimport { sound } from "./sound.js";\n'
    "Object.assign(window, { Table, motion, sound });\n"
)
BOTS = ["always-hit", "ev", "stay-25"]


def told(spec, bots, seeds):
    """The steps of some games: (the scene before, the scene, its moments)."""
    for seed in seeds:
        for before, step in pairwise(steps(play(spec, bots, seed=seed))):
            yield before["scenes"][0], step["scenes"][0], step.get("moments", [[]])[0]


@pytest.fixture(scope="module")
def great():
    """A step for each great moment of the games that are here."""
    found = {}
    for spec, bots in (("flip7:official(target=80)", BOTS), ("show:full", ["show-6", "random"])):
        for step in told(spec, bots, range(1, 25)):
            for name, *_ in step[2]:
                found.setdefault(name, step)
    assert {"bust", "frozen", "triumph", "saved", "scored", "won", "peek", "swap", "called"} <= set(found)
    return found


@pytest.fixture
def table(browser):
    """A page with nothing but a table, as large as it is asked for."""
    opened = []

    def open_page(width=1000, height=700, **options):
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        page.set_default_timeout(PATIENCE)
        opened.append(page)
        page.trouble = []
        page.on("pageerror", lambda problem: page.trouble.append(str(problem)))
        style = f"{read('base.css')}{read('table.css')}.felt{{height:{height - 20}px}}"
        page.set_content(
            f"<!DOCTYPE html><title>t</title><style>{style}</style>"
            f"<div class=felt style='display:grid'><div class=cloth></div></div><script>{joined(START)}</script>"
        )
        page.evaluate("window.table = new Table(document.querySelector('.cloth'))")
        return page

    yield open_page
    for page in opened:
        assert page.trouble == []
        page.close()


def show(page, step):
    before, scene, moments = step
    page.evaluate(f"table.draw({embed(before)}, null); table.draw({embed(scene)}, table.scene, {embed(moments)})")


def shown(page):
    return page.evaluate(
        "[...new Set([...document.querySelectorAll('[data-moment]')].map((node) => node.dataset.moment))]"
    )


def test_every_great_moment_is_shown_and_any_key_ends_it(table, great):
    page = table()
    page.evaluate("motion('slow')")
    for name, step in great.items():
        show(page, step)
        assert {"called": "ring", "look across": "peek"}.get(name, name) in shown(page), name
        page.keyboard.press("x")
        assert shown(page) == [], name
        assert page.locator(".flights").count() == 0
        assert page.evaluate("[...document.querySelectorAll('.card')].every((card) => card.style.opacity === '')")


def test_only_transforms_and_opacity_move(table, great):
    """So nothing else is laid out or painted anew while a card flies."""
    page = table()
    page.evaluate("motion('slow')")
    for step in great.values():
        show(page, step)
        moved = page.evaluate(
            "[...new Set(document.getAnimations().flatMap((each) => each.effect.getKeyframes().flatMap(Object.keys)))]"
        )
        assert set(moved) <= {"transform", "opacity", "offset", "computedOffset", "easing", "composite"}


@pytest.mark.parametrize("how", ["system", "choice"])
def test_who_wants_no_motion_gets_none(table, great, how):
    page = table(reduced_motion="reduce") if how == "system" else table()
    if how == "choice":
        page.evaluate("motion('off')")
    for step in great.values():
        show(page, step)
        assert shown(page) == []
        assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".seat").count() == 2  # and all of it is there


def test_the_table_says_without_colour_what_became_of_a_seat(table, great):
    page = table()
    for name in ("bust", "frozen", "triumph"):
        show(page, great[name])
        seat = next(seat for moment, seat, *_ in great[name][2] if moment == name)
        assert page.locator(f"[data-seat='{seat}'].is-{name} .state.{name} .mark").count() == 1


def test_sound_is_off_until_somebody_wants_it(table):
    page = table()
    assert page.evaluate("sound()") is False
    assert page.evaluate("sound(true)") is True
    assert page.evaluate("sound()") is True


def test_cards_fly_while_moves_can_be_made(table, great):
    """What is drawn is at once what it is: a click goes to the table, not to what flies over it."""
    page = table()
    page.evaluate("motion('slow')")
    show(page, great["scored"])
    page.evaluate("table.pick([[0, null]]); void (onclick = (event) => (window.touched = Table.touched(event)))")
    page.locator("[data-seat='0'] .place").click(position={"x": 30, "y": 12})
    assert page.evaluate("window.touched") == [0, None]


def test_seats_stay_where_they_are_while_cards_come_and_go(table):
    page = table()
    places = set()
    for before, scene, _ in told("flip7:official(target=80)", BOTS * 2, [3]):
        page.evaluate(f"motion('off'); table.near = 0; table.draw({embed(scene)}, {embed(before)})")
        places.add(
            tuple(
                page.evaluate("[...document.querySelectorAll('.seat')].map((seat) => seat.getAttribute('transform'))")
            )
        )
    assert len(places) == 1


@pytest.mark.parametrize("width", [360, 1000])
def test_the_winner_stands_at_the_target_and_not_beyond_the_table(table, great, width):
    page = table(width=width)
    _, scene, _ = great["scored"]
    far = {**scene, "seats": [{**seat, "total": scene["target"] + 60 * i} for i, seat in enumerate(scene["seats"])]}
    show(page, (scene, far, []))
    page.keyboard.press("x")
    ends = "[...document.querySelectorAll('.runner')].map((runner) => runner.getBoundingClientRect().right)"
    label = page.locator(".table .target").bounding_box()
    assert max(page.evaluate(ends)) <= label["x"]
    assert label["x"] + label["width"] <= page.locator("svg.table").bounding_box()["x"] + width
