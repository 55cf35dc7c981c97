"""Nothing jumps: what comes later has its room from the start. The browser itself measures it (PerformanceObserver)."""

import json

import pytest

from pitboss import Tournament
from tests.web.conftest import EVERYTHING, opened, until
from tests.web.test_companion import SPEC
from tests.web.test_company import to_the_end

WATCH = """
window.moved = [];
window.sum = 0;
new PerformanceObserver((list) => list.getEntries().forEach(({value, sources}) => {
  window.sum += value;
  window.moved.push(...sources.map(({node}) => `${node?.className || node?.nodeName} by ${value.toFixed(4)}`));
})).observe({type: "layout-shift", buffered: true});
"""
# However fast the machine is: the page is painted first, and what it asks for comes after that, one by one.
LATE = """
const now = window.fetch;
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
const painted = new Promise((done) => new PerformanceObserver(done).observe({type: "paint", buffered: true}));
window.fetch = async (...asked) => {
  await painted;
  const answer = await now(...asked);
  await frame();
  return answer;
};
"""
SETTLED = "[data-state=asked], [data-state=recap], [data-state=over]"
QUIET = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.moved), 60)))"


@pytest.mark.parametrize("size", [(360, 740), (768, 1024), (1440, 900), (740, 360)])
@pytest.mark.parametrize("spec", ["flip7:official", "show:fair"])
def test_a_table_stands_still_while_it_is_played_at(visit, room, spec, size):
    """From the first card on, with questions, bots that move, the end of a round, and the next one."""
    bots = ["bot ev", "bot stay-25"] if spec.startswith("flip7") else ["bot show-6"]
    id, token = room.make(spec, "here ", *bots, seed="11")
    page = visit("/", *size)
    page.add_init_script(WATCH)
    page.goto(f"{room.url}/table/{id}#{token}")
    for decision in range(9):
        state = page.wait_for_selector(SETTLED).get_attribute("data-state")
        assert page.evaluate(QUIET) == []
        if state == "over":
            return
        if state == "recap":
            page.locator("dialog[open] button").click()
        else:
            moves = page.locator(".choices .move")
            (moves.last if decision % 4 < 2 else moves.first).click()
    assert page.locator(".log .event").count() > 9


def test_a_seat_that_waits_stands_still_too(visit, room):
    """The page of a guest, and of somebody who watches bots."""
    id, _ = room.make("flip7:official", "bot ev", "bot stay-25", seed="3", pace=0)
    for size in [(360, 740), (1440, 900)]:
        page = visit("/", *size)
        page.add_init_script(WATCH)
        page.goto(f"{room.url}/table/{id}")
        page.wait_for_selector("[data-state=waiting]")
        assert page.evaluate(QUIET) == []


LITTLE = 0.01  # of the screen, times how far it moves: a line of text that grows
GAMES = [
    {
        "id": f"game{i}", "game": "flip7:official", "title": "Flip 7 · Official", "names": ["Ann", "ev"],
        "when": f"2026-01-0{i + 1}T10:00:00Z", "winners": [i % 2], "scores": [210, 180], "seat": 0,
        "regret": {"unit": "chances to win", "percent": True, "lost": 0.01 * i, "decisions": 20},
    }
    for i in range(5)
]  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A room in which something has happened already: tournaments, games that are over, and tables."""
    store = str(tmp_path_factory.mktemp("steady") / "room.db")
    with opened(store=store, creations_per_minute=100_000, **EVERYTHING) as house:
        Tournament("flip7:tournament", "ev,stay-25,random", blocks=6, seed=1, store=store, id="cup").play()
        Tournament("flip7:numbers", "ev,stay-25", blocks=6, seed=1, store=store, id="unfinished")
        id, token = house.make(SPEC, "here Ann", "bot ev", "bot stay-25", seed="5")
        to_the_end(house, id, [token])
        house.make("show:fair", "here Ann", "bot show-6")
        house.game = id
        yield house


def front(page):
    page.wait_for_selector(".fan .playing-card", state="attached")


def choose(page):
    """Another game, and other rules of it."""
    for name in ("game", "preset"):
        page.wait_for_selector("#setup[data-ready] [type=submit]:enabled")
        assert page.evaluate(QUIET) == []
        page.locator(f"[name={name}]").nth(1).check(force=True)
    page.wait_for_selector("[type=submit]:enabled")


def tournament(page):
    page.wait_for_selector("[data-state=finished], [data-state=resting], [data-state=moving]")


def bot(page):
    page.wait_for_selector("[data-state=told]")


def opinions(page):
    """Some decisions, each with what could be known, and what is dealt before them."""
    page.wait_for_selector("#replay[data-judged]")
    for step in page.decided[:5]:
        for at in (step - 1, step):
            page.locator("[data-part=slider]").fill(str(at))
            page.evaluate(QUIET)
        until(page, "!document.querySelector('.opinion').hidden")
        page.evaluate(QUIET)


def story(page):
    page.wait_for_selector("[data-story][data-ready]")
    page.locator("[data-part=seat]").select_option("1")


def companion(page):
    page.wait_for_selector("[type=submit]:enabled")
    assert page.evaluate(QUIET) == []
    page.get_by_role("button", name="One more").click()
    page.get_by_role("button", name="Begin").click()
    for taps in range(4):
        page.wait_for_selector(f"[data-taps='{taps}']")
        page.evaluate(QUIET)  # what is known at once
        page.locator(".keys button:enabled").nth(3 + taps).click()
    page.wait_for_selector("[data-taps='4'][data-advised='4']")


def submit(page):
    page.wait_for_selector("[type=submit]:enabled")
    assert page.evaluate(QUIET) == []
    page.get_by_label("Token").fill(EVERYTHING["upload_token"])
    page.keyboard.press("Tab")


def profile(page):
    page.evaluate("(games) => localStorage.setItem('pitboss-results', games)", json.dumps(GAMES))
    page.reload()
    page.wait_for_selector("[data-part=games] li")
    page.get_by_role("button", name="Forget the game").first.click()


@pytest.mark.parametrize("size", [(360, 740), (768, 1024), (1440, 900)])
def test_all_pages_stand_still(visit, house, size):
    """While they load, and while they are used."""
    page = visit("/join", *size, base=house.url)
    page.add_init_script(WATCH + LATE)
    steps = house.get(f"/api/replays/{house.game}")["steps"]
    page.decided = [number for number, step in enumerate(steps) if step["by"] is not None]
    for path, use in (
        ("/", front), ("/play", choose), ("/watch", choose), ("/tournaments", None), ("/tournaments/cup", tournament),
        ("/tournaments/unfinished", tournament), ("/tournaments/cup/bots/1", bot), ("/replays", None),
        (f"/replay/{house.game}?move=4", opinions), (f"/story/{house.game}", story),
        ("/companion", companion), ("/submit", submit), ("/profile", profile), ("/new-tournament", None),
    ):  # fmt: skip
        page.goto(house.url + path)
        if use:
            use(page)
        moved = page.evaluate(QUIET)
        assert page.evaluate("window.sum") < LITTLE, (path, moved)


@pytest.mark.parametrize("size", [(360, 740), (1440, 900)])
def test_the_table_of_a_host_stands_still_while_a_guest_comes(visit, house, size):
    id, token = house.make("flip7:official", "here Ann", "guest Guest", "bot ev", seed="2")
    page = visit("/join", *size, base=house.url)
    page.add_init_script(WATCH + LATE)
    page.goto(f"{house.url}/table/{id}#{token}")
    page.wait_for_selector("[data-state=asked]")
    page.wait_for_selector(".table-code", state="attached")
    page.evaluate(QUIET)
    guest = visit(page.get_by_label("Link for Guest").input_value().removeprefix(house.url), base=house.url)
    guest.get_by_label("Your name").fill("Bob")
    guest.get_by_role("button", name="Take the seat").click()
    page.wait_for_selector("[data-part=invites]", state="hidden")
    moved = page.evaluate(QUIET)
    assert page.evaluate("window.sum") < LITTLE, moved


@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_many_choices_leave_the_table_its_size(visit, house, size):
    id, token = house.make("vengeance:standard", "here ", "bot random", "bot random", "bot random", seed="11")
    page = visit("/join", *size, base=house.url)
    page.add_init_script(WATCH)
    page.goto(f"{house.url}/table/{id}#{token}")
    most = 0
    for _ in range(14):
        state = page.wait_for_selector(SETTLED).get_attribute("data-state")
        assert page.evaluate(QUIET) == []
        if state == "recap":
            page.locator("dialog[open] button").click()
            continue
        moves = page.locator(".choices .move")
        most = max(most, moves.count())
        moves.nth(moves.count() // 2 if moves.count() > 2 else 0).click()
    assert most > 4
