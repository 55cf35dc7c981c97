"""The page without a server: games are played to their end, online, offline and from a folder."""

import json

import pytest

pytest.importorskip("playwright")
pytest.importorskip("ziglang")

from pitboss import simulate
from tests.browser.page_site import WITHOUT_MOTION, state

GAMES = ["flip7:official", "show:fair", "vengeance:standard"]
PAGES = ["#/", "#/play", "#/advice", "#/train", "#/lab", "#/replay"]


def play(page, most=600):
    """Play by the keyboard to the end: always the first move that is offered."""
    for _ in range(most):
        if state(page, "asked", "round-over", "handing", "covered", "over") == "over":
            return
        page.keyboard.press("Enter" if page.get_attribute(".page", "data-state") != "asked" else "1")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("local", [False, True], ids=["server", "folder"])
@pytest.mark.parametrize("preset", GAMES)
def test_a_whole_game_by_the_keyboard(open_page, preset, local):
    page = open_page(f"#/play/{preset}?seed=3", local=local)
    play(page)
    assert page.locator(".ending tbody tr").count() == (2 if preset.startswith("show") else 3)
    assert page.locator(".log .event").count() > 10


def test_a_seed_deals_the_same_game_again(open_page):
    logs = []
    for _ in range(2):
        page = open_page("#/play/flip7:numbers?seed=8")
        state(page, "asked")
        logs.append(page.inner_text(".log"))
    assert logs[0] == logs[1]


def test_a_game_goes_on_after_a_reload(open_page):
    page = open_page("#/play/flip7:numbers?seed=8")
    state(page, "asked")
    page.locator(".choices button", has_text="Hit").click()
    state(page, "asked", "round-over")
    before = page.inner_text(".log")
    page.goto(page.url.split("#")[0] + "#/play/continue")
    page.reload()
    state(page, "asked", "round-over")
    assert page.inner_text(".log") == before


def test_it_works_offline_after_one_visit(open_page, browser, address):
    context = browser.new_context(**WITHOUT_MOTION)
    page = open_page("", context=context)
    page.evaluate("() => navigator.serviceWorker.ready")
    context.set_offline(True)
    page.goto(address + "#/play/flip7:numbers?seed=1")
    page.reload()
    play(page)
    context.close()


def test_no_secret_is_on_the_screen_of_another_seat(open_page):
    """Two people at one screen: what one sees is gone before the other looks, and neither sees the other's cards."""
    page = open_page("#/play")
    state(page, "ready")
    page.get_by_label("Fair").check()
    page.get_by_role("button", name="Seat 2: make it a person").click()
    page.get_by_role("button", name="Deal").click()
    for peeks in (0, 0, 1, 1, 2, 2):  # a jack may show one card of the other seat in each turn
        assert state(page, "covered") == "covered"
        assert page.locator(".table").count() == 0
        assert page.locator(".log .event").count() == 0
        page.keyboard.press("Enter")
        state(page, "asked")
        mine = int(page.locator(".seat.to-act").get_attribute("data-seat"))
        known = page.locator(f"[data-seat='{1 - mine}'] .card:not(.hidden)").count()
        assert known <= peeks, "a card of the other seat is seen"
        while state(page, "asked", "handing", "over") == "asked":
            page.keyboard.press("1")
        if state(page, "handing", "over") == "over":
            return
        page.keyboard.press("Enter")


def test_a_card_on_the_table_is_tapped_by_mouse_and_by_keyboard(open_page):
    for act in (lambda card: card.click(), lambda card: (card.focus(), card.press("Enter"))):
        page = open_page("#/play/show:fair?seed=3")
        state(page, "asked")
        assert page.locator(".card.pick").count() == 2
        act(page.locator(".card.pick").last)
        page.wait_for_function("() => /looks at their right card/.test(document.querySelector('.log').textContent)")


@pytest.mark.parametrize("link", ["chess:blitz~a,b~~AAA", "flip7:numbers~ann,bob~~_w__", "~~~"])
def test_a_link_that_carries_nonsense_is_refused_in_a_sentence(open_page, link):
    page = open_page(f"#/replay/{link}")
    page.wait_for_selector(".page[data-state=failed]")
    assert "This game cannot be replayed" in page.inner_text("[role=alert]")


def test_the_lab_finds_what_the_command_line_finds(open_page):
    bots = ["stay-20", "stay-25", "ev", "random"]
    page = open_page(f"#/lab?spec=flip7:official&bots={','.join(bots)}&games=2000&seed=7")
    state(page, "ready")
    page.get_by_role("button", name="Simulate").click()
    state(page, "done")
    expected = simulate("flip7:official", bots, 2000, 7).to_dict()
    for bot in expected["bots"]:
        row = page.locator(f"[data-bot='{bot['name']}']")
        assert float(row.locator("[data-share]").get_attribute("data-share")) == bot["win_share"]
        assert int(row.locator("[data-wins]").get_attribute("data-wins")) == bot["wins"]
        half = 50 * (bot["ci95"][1] - bot["ci95"][0])
        assert f"± {half:.2f}" in row.inner_text()
    assert "pitboss simulate flip7:official --bots stay-20,stay-25,ev,random" in page.inner_text(".command")


def test_a_record_is_replayed_and_shared_as_a_link(open_page, tmp_path):
    from pitboss import play as played

    record = played("flip7:official", ["stay-20", "stay-25", "ev"], seed=4)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record.to_dict()))
    page = open_page("#/replay")
    page.set_input_files("#record", str(file))
    state(page, "searched")
    page.keyboard.press("End")
    assert page.locator(".table .seat[aria-label*='in total']").count() == 3
    log = page.inner_text(".log")
    assert [event.text(record.labels) for _, events, _ in record.replay() for event in events][-1].strip("- ") in log
    page.get_by_text("Share this position").click()
    link = page.locator(".copyable input").first.input_value()
    again = open_page(link[link.index("#") :], local=True)
    state(again, "searched")
    assert again.inner_text(".log") == log


SHORT_GAME = "#/replay/flip7%3Anumbers~ann%2Cbob~~BwwBBQ"


@pytest.mark.parametrize("fragment", [*PAGES, "#/play/flip7:official?seed=3", "#/train/daily", SHORT_GAME])
def test_pages_have_no_barriers_and_fit_a_phone(open_page, fragment):
    from axe_playwright_python.sync_playwright import Axe

    for dark in (False, True):
        page = open_page(fragment, width=360, color_scheme="dark" if dark else "light")
        state(page, "ready", "asked", "menu", "describing", "searched")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("locale", "word"), [("de-DE", "Spielen"), ("es-ES", "Jugar")])
def test_the_page_speaks_the_language_of_the_browser(open_page, locale, word):
    page = open_page("", locale=locale)
    state(page, "ready")
    assert page.locator("nav a").first.inner_text() == word
