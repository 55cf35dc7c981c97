"""Every page, on a phone and on a large screen, light and dark: it fits, and people who do not see it can use it."""

from importlib.resources import files

import pytest

from pitboss import Tournament, load
from pitboss.analysis.companion import companion_of
from pitboss.core.companion import TableSetup
from tests.web.conftest import until
from tests.web.test_play import SETTLED, answer, first_or_last
from tests.web.test_table import at

WAITING = "[data-state=waiting]"
PHONE, DESK = (360, 740), (1440, 900)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
STICKS_OUT = """[...document.querySelectorAll(".table .seat")].flatMap((seat) => {
  const place = seat.querySelector(".place").getBoundingClientRect();
  const faces = [...seat.querySelectorAll(".face")].map((face) => face.getBoundingClientRect());
  return faces.filter((face) => face.left < place.left - 3 || face.right > place.right + 3);
}).length"""
AXE = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations)"


@pytest.fixture(scope="module")
def axe():
    """The script of axe, which finds what people with a screen reader would stumble over."""
    pytest.importorskip("axe_playwright_python", reason="needs the package axe-playwright-python")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def asked(page):
    while page.wait_for_selector(SETTLED).get_attribute("data-state") != "asked":
        answer(page, first_or_last)


def with_hint(page):
    asked(page)
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint .coming").first.wait_for()


def with_switches(page):
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_text("More:").click()
    page.get_by_text("Which bots are there?").click()


def with_cards_to_tap(page):
    while not page.locator(".card.pick").count():
        asked(page)
        if not page.locator(".card.pick").count():
            page.locator("[data-move='@0'], [data-move=hit]").first.click()
            page.wait_for_timeout(50)


def invited_to(room):
    id, token = room.make("show:fair", "here Ann", "guest Bob", seed="4")
    return f"/table/{id}#join={room.get(f'/api/tables/{id}', token)['seats'][1]['invitation']}"


def finished(page):
    while answer(page, first_or_last):
        pass


def judged(page):
    page.wait_for_selector("#replay[data-judged=fully]")
    page.locator(".opinion .coming").first.wait_for()


def in_recap(page):
    while page.wait_for_selector(SETTLED).get_attribute("data-state") != "recap":
        answer(page, first_or_last)


@pytest.fixture(scope="module")
def pages(room):
    """All kinds of pages: the path, and what to do there before looking."""
    # A target of its own would have its table of chances worked out before the moves are judged.
    id, token = room.make("flip7:official", "bot ev", "bot random", "bot stay-25", seed="4", pace=0)
    while not room.ask("POST", f"/api/tables/{id}/step", token).json()["ending"]:
        pass
    step = next(n for n, s in enumerate(room.get(f"/api/replays/{id}")["steps"]) if s["by"] is not None)

    companion_of(load("flip7:solo"), TableSetup()).prepare()
    made = Tournament("flip7:tournament", "ev,stay-25,random", blocks=4, seed=1, store=room.settings.store)
    made.play()
    cup = made.id

    def table(*places, spec="flip7:official", seed="4"):
        return lambda: at(room, room.make(spec, *places, seed=seed))

    crowd = ["here Ann", *(f"bot {bot}" for bot in ("ev", "random", "stay-25", "bust-0.25", "conservative"))]
    return {
        "home": (lambda: "/", None),
        "play": (lambda: "/play", with_switches),
        "watch": (lambda: "/watch", lambda page: page.wait_for_selector("[type=submit]:enabled")),
        "table": (table(*crowd), with_hint),
        "recap": (table("here Ann", "bot ev"), in_recap),
        "invitation": (table("here Ann", "guest Bob", spec="show:full"), with_hint),
        "cover": (
            table("here Ann", "here Bob", spec="show:fair"), lambda page: page.wait_for_selector("[data-state=covered]")
        ),
        "over": (table("here Ann", "bot ev", spec="flip7:official(target=5)"), finished),
        "cards": (table("here Ann", *["bot stay-25"] * 3, spec="vengeance", seed="6"), with_cards_to_tap),
        "joining": (lambda: invited_to(room), lambda page: page.locator("dialog[open] input").wait_for()),
        "watching": (lambda: invited_to(room).split("#")[0], lambda page: page.wait_for_selector(WAITING)),
        "bots": (lambda: f"/table/{id}", lambda page: page.wait_for_selector("[data-state=over]")),
        "story": (lambda: f"/story/{id}", lambda page: page.wait_for_selector("[data-ready=yes]")),
        "profile": (lambda: "/profile", None),
        "join": (lambda: "/join", None),
        "table screen": (lambda: f"/table/{id}/screen", lambda page: page.wait_for_selector("[data-state=over]")),
        "tournament screen": (
            lambda: f"/tournaments/{cup}/screen", lambda page: page.wait_for_selector("[data-game]")
        ),
        "replays": (lambda: "/replays", None),
        "replay": (lambda: f"/replay/{id}?move={step}", judged),
        "interface": (lambda: "/api", None),
        "tournaments": (lambda: "/tournaments", None),
        "tournament": (lambda: f"/tournaments/{cup}", lambda page: page.wait_for_selector("[data-state=finished]")),
        "bot": (lambda: f"/tournaments/{cup}/bots/2", lambda page: page.wait_for_selector("[data-judged]")),
        "new tournament": (lambda: "/new-tournament", lambda page: page.wait_for_selector("[type=submit]:enabled")),
        "submit": (lambda: "/submit", lambda page: page.wait_for_selector("[name=spec] option", state="attached")),
        "check": (lambda: "/submit/abc", lambda page: page.get_by_label("Token").wait_for()),
        "describe": (lambda: "/companion", lambda page: page.wait_for_selector("[type=submit]:enabled")),
        "companion": (lambda: TAPPED, lambda page: page.wait_for_selector("[data-advised]")),
    }  # fmt: skip


NAMES = [
    "home",
    "play",
    "watch",
    "table",
    "recap",
    "invitation",
    "cover",
    "over",
    "cards",
    "joining",
    "watching",
    "bots",
    "story",
    "profile",
    "join",
    "table screen",
    "tournament screen",
    "replays",
    "replay",
    "interface",
    "tournaments",
    "tournament",
    "bot",
    "new tournament",
    "submit",
    "check",
    "describe",
    "companion",
]
TAPPED = "/companion#rules=flip7:solo&names=me&taps=12+8+5"


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone-dark", "desk-light"])
@pytest.mark.parametrize("name", NAMES)
def test_it_fits_and_can_be_used_by_all(visit, pages, axe, name, size, scheme):
    path, prepare = pages[name]
    page = visit(path(), *size, color_scheme=scheme)
    if prepare:
        prepare(page)
    assert page.evaluate(WIDER) <= 0
    assert page.evaluate(STICKS_OUT) == 0
    page.evaluate(axe)
    found = [
        f"{each['impact']}: {each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in page.evaluate(AXE)
    ]
    assert found == []


def test_tables_of_a_bot_need_no_scrolling_on_a_phone(visit, pages):
    path, prepare = pages["bot"]
    page = visit(path(), *PHONE)
    prepare(page)
    boxes = page.evaluate("[...document.querySelectorAll('.scroll')].map(e => [e.scrollWidth, e.clientWidth])")
    assert len(boxes) == 4  # the last is the list of games, which has six columns
    assert [n for n, (needed, there) in enumerate(boxes[:3]) if needed > there] == []


@pytest.mark.parametrize("path", ["/", "/play", "/replays"])
def test_light_and_dark(visit, path):
    colour = "getComputedStyle(document.body).backgroundColor"
    light, dark = visit(path, color_scheme="light"), visit(path, color_scheme="dark")
    bright, dim = light.evaluate(colour), dark.evaluate(colour)
    assert bright != dim
    light.get_by_role("button", name="Dark", exact=True).click()
    assert light.evaluate(colour) == dim
    light.goto(light.url + "watch" if path == "/" else light.url)
    light.wait_for_load_state()
    light.get_by_role("button", name="Light", exact=True).wait_for()
    assert light.evaluate(colour) == dim  # remembered


FLIGHTS = """() => {
  window.flights = 0;
  const added = (changes) => changes.flatMap((change) => [...change.addedNodes]);
  const watch = (changes) => (window.flights += added(changes).filter((node) => node.matches?.(".flights")).length);
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
}"""


def test_motion_can_be_turned_off(visit, room):
    made = room.make("flip7:official", "here Ann", "bot ev", "bot random", seed="1")
    page = visit(at(room, made), motion="fast")
    page.wait_for_selector("[data-state=asked]")
    page.evaluate(FLIGHTS)
    page.get_by_role("button", name="Hit").click()
    until(page, "window.flights > 0")
    page.get_by_label("Motion").select_option("off")
    asked(page)
    page.evaluate("window.flights = 0")
    for _ in range(3):
        answer(page, first_or_last)
        page.wait_for_selector(SETTLED)
    assert page.evaluate("window.flights") == 0
    page.reload()
    page.wait_for_selector(SETTLED)
    assert page.get_by_label("Motion").input_value() == "fast"  # this test sets it anew for every page


def test_sound_is_off_until_somebody_wants_it_and_then_remembered(visit, room):
    made = room.make("flip7:official", "here Ann", "bot ev", seed="1")
    page = visit(at(room, made))
    asked(page)
    button = page.get_by_role("button", name="Sound")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    page.reload()
    asked(page)
    assert page.get_by_role("button", name="Sound").get_attribute("aria-pressed") == "true"


def test_everything_can_be_reached_by_keyboard(visit, room):
    """A whole game by tabulator and Enter alone, from the door."""
    page = visit("/")

    def tab_to(text):
        for _ in range(120):
            page.keyboard.press("Tab")
            if text in page.evaluate("(it => it.textContent || `${it.name} ${it.value}`)(document.activeElement)"):
                return
        raise AssertionError(f"{text} cannot be reached")

    tab_to("Choose …")
    page.keyboard.press("Enter")
    page.wait_for_selector("[type=submit]:enabled")
    page.locator("h1").click()
    tab_to("flip7")
    page.keyboard.press("ArrowDown")
    page.locator("[name=preset][value='show:fair']:checked").wait_for(state="attached")
    page.keyboard.press("ArrowUp")
    page.locator("[name=preset][value='flip7:official']:checked").wait_for(state="attached")
    page.wait_for_selector("[type=submit]:enabled")
    tab_to("+")
    page.keyboard.press("Enter")
    assert page.locator("[data-part=count]").inner_text() == "4 seats"
    tab_to("More:")
    page.keyboard.press("Enter")
    tab_to("seed")
    page.keyboard.type("3")
    tab_to("Deal")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=asked]")
    assert page.evaluate("document.activeElement.className").startswith("move")
    for _ in range(3):
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-state=busy], [data-state=asked], [data-state=recap]")
        page.wait_for_selector("[data-state=asked], [data-state=recap]")
        if page.locator("dialog[open]").count():
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-state=asked]")
    assert page.locator("[data-part=log] li").count() > 8
