"""People at a table: links, seats that are remembered, guests and their names, and connections that die."""

import pytest

from tests.web.conftest import opened, until
from tests.web.test_play import SETTLED, answer, first_or_last
from tests.web.test_table import at


def link_for(page, name):
    return page.get_by_label(f"Link for {name}").input_value()


def sit_down(page, name):
    """Take the seat of an invitation, by a name of one's own."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_selector("[data-state=asked], [data-state=waiting]")


def test_the_address_gives_no_seat_away_and_the_seat_is_found_again(visit, room):
    id, token = room.make("flip7:official", "here Ann", "bot ev", seed="2")
    page = visit(f"/table/{id}#{token}")
    page.wait_for_selector("[data-state=asked]")
    assert page.url == f"{room.url}/table/{id}"
    assert page.title().startswith("● Your turn")
    page.get_by_text("Share this table").click()
    watched = page.get_by_label("Link to watch").input_value()
    assert token not in watched
    stranger = visit(watched.removeprefix(room.url))
    stranger.wait_for_selector("[data-state=waiting]")
    assert stranger.locator(".choices button").count() == 0
    assert "Your turn" not in stranger.title()
    again = page.context.new_page()  # the tab was closed
    page.close()
    again.goto(room.url)
    again.get_by_role("link", name="Ann · ev").click()
    again.wait_for_selector("[data-state=asked]")


def test_a_guest_chooses_a_name_and_a_used_invitation_leads_to_the_table(visit, room):
    visit.forgiven += ["409"]
    made = room.make("flip7:official", "here Ann", "guest Guest", seed="2")
    ann = visit(at(room, made))
    ann.wait_for_selector("[data-part=invites] input")
    link = link_for(ann, "Guest").removeprefix(room.url)
    bob = visit(link)
    sit_down(bob, "Bob <b>")
    ann.locator("[aria-label^='Bob <b>']").wait_for()
    assert room.get(f"/api/tables/{made[0]}")["names"] == ["Ann", "Bob <b>"]
    late = visit(link)
    late.get_by_label("Your name").fill("Eve")
    late.get_by_role("button", name="Take the seat").click()
    late.get_by_text("This invitation has been used already").wait_for()
    late.get_by_role("link", name="Watch this table").click()
    late.wait_for_selector("[data-state=waiting]")
    assert late.locator("[aria-label^='Bob <b>']").count() == 1
    bob.goto(room.url + link)  # the same person opens it again
    bob.wait_for_selector("[data-state=asked], [data-state=waiting]")
    assert bob.locator("dialog[open]").count() == 0


def test_links_for_friends_name_the_machine_and_say_when_they_are_copied(browser, tmp_path):
    with opened(store=str(tmp_path / "room.db"), host="0.0.0.0", names=("games.local",)) as room:
        port = room.url.rsplit(":", 1)[1]
        for clipboard, said in ((False, "Press Ctrl+C"), (True, "Copied")):
            context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
            if not clipboard:
                context.add_init_script("delete Navigator.prototype.clipboard; document.execCommand = () => false")
            page = context.new_page()
            id, token = room.make("flip7:official", "here Ann", "guest Bob")
            page.goto(f"http://localhost:{port}/table/{id}#{token}")
            page.wait_for_selector("[data-part=invites] input")
            assert link_for(page, "Bob").startswith(f"http://games.local:{port}/table/{id}#join=")
            page.locator("[data-part=invites]").get_by_role("button", name="Copy").click()
            page.locator("[data-part=invites]").get_by_role("button", name=said).wait_for()
            context.close()


def test_a_link_that_nobody_else_can_open_says_so(visit, room):
    page = visit(at(room, room.make("flip7:official", "here Ann", "guest Bob")))
    page.get_by_text("Only this machine can open these").wait_for()


def test_a_connection_that_died_silently_is_noticed(visit, room):
    made = room.make("flip7:official", "here Ann", "here Bob", seed="2")
    page = visit("/")
    sockets, dead = [], set()

    def join(ws):
        server, number = ws.connect_to_server(), len(sockets)
        sockets.append(ws)
        ws.on_message(lambda text: number in dead or server.send(text))
        server.on_message(lambda text: number in dead or ws.send(text))

    page.route_web_socket("**/live", join)
    page.clock.install()
    page.goto(room.url + at(room, made))
    page.wait_for_selector("[data-state=asked]")
    dead.add(0)
    look = room.get(f"/api/tables/{made[0]}", made[1])
    step = {"seat": look["to_act"], "move": look["choices"][0]["move"], "step": look["last"]}
    last = room.ask("POST", f"/api/tables/{made[0]}/moves", made[1], json=step).json()["last"]
    page.evaluate("dispatchEvent(new Event('online'))")  # a reason to doubt
    page.clock.run_for(20_000)
    page.locator(f"[data-part=log] li[data-step='{last}']").first.wait_for()
    assert len(sockets) == 2
    assert page.locator("[data-part=trouble]").is_hidden()  # what was said about it is gone


def test_a_move_that_cannot_be_sent_is_said_plainly_and_forgotten(visit, room):
    visit.forgiven += ["ERR_FAILED"]
    page = visit(at(room, room.make("flip7:official", "here Ann", "here Bob", seed="2")))
    page.wait_for_selector("[data-state=asked]")
    page.route("**/moves", lambda route: route.abort())
    page.locator(".choices .move").first.click()
    page.get_by_text("The server cannot be reached").wait_for()
    page.unroute("**/moves")
    page.locator(".choices .move").first.click()
    page.locator("[data-part=trouble]").wait_for(state="hidden")
    page.wait_for_selector(SETTLED)


def test_a_chosen_seed_is_told_to_everybody(visit, room):
    known = visit(at(room, room.make("show:fair", "here Ann", "guest Bob", seed="3")))
    known.get_by_text("The seed of this deal was chosen").wait_for()
    fair = visit(at(room, room.make("show:fair", "here Ann", "guest Bob")))
    fair.wait_for_selector("[data-part=invites] input")
    assert fair.locator("[data-part=seeded]").is_hidden()


def test_who_watches_is_taken_to_the_next_game(visit, room):
    id, token = room.make("flip7:solo(target=15)", "here Ann", seed="4")
    ann, eve = visit(f"/table/{id}#{token}"), visit(f"/table/{id}")
    while answer(ann, first_or_last):
        pass
    ann.get_by_role("button", name="Play again").click()
    eve.get_by_role("link", name="To the next game").click()
    eve.wait_for_selector("[data-state=waiting]")
    assert eve.url != f"{room.url}/table/{id}"
    replay = visit(f"/replay/{id}")
    assert replay.get_by_role("link", name="next game").get_attribute("href") == eve.url.removeprefix(room.url)


def test_a_long_game_is_not_sent_whole(visit, room):
    id, _ = room.make("flip7:official(target=2000)", "bot ev", "bot random", "bot stay-25", seed="1", pace=0)
    table = room.app.state.room._live[id].table
    while len(table.moments) < 1500:
        table.go()
    page = visit(f"/table/{id}", record=True)
    page.get_by_text("The first 1,100 steps are left out here").wait_for()
    until(page, "document.querySelectorAll('[data-part=log] li').length > 400")
    assert sum(map(len, page.received)) < 3_000_000
    assert page.locator("[data-seat]").count() == 3


@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "lying"])
def test_on_a_phone_nothing_covers_the_own_hand(visit, room, size):
    page = visit(at(room, room.make("flip7:official", "here Ann", "bot ev", seed="2")), *size)
    page.wait_for_selector("[data-state=asked]")
    hand, panel = (page.locator(what).bounding_box() for what in ("[data-seat='0'] .place", ".decide"))
    beside = hand["x"] + hand["width"] <= panel["x"]
    above = hand["y"] + hand["height"] <= panel["y"]
    assert beside or above
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint .coming").first.wait_for()
    assert page.evaluate("scrollY") == 0
    after = page.locator("[data-seat='0'] .place").bounding_box()
    assert after == hand  # the table has not moved


def test_the_newest_lines_of_the_log_stay_in_sight_when_the_hint_opens(visit, room):
    page = visit(at(room, room.make("flip7:official", "here Ann", *["bot ev"] * 5, seed="4")), height=700)
    for _ in range(8):
        answer(page, first_or_last)
        page.wait_for_selector(SETTLED)
    while page.locator("main").get_attribute("data-state") == "recap":
        answer(page, first_or_last)
        page.wait_for_selector(SETTLED)
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint .coming").first.wait_for()
    log = "document.querySelector('[data-part=log]')"  # which is scrolled when the browser has laid out the hint
    until(page, f"{log}.scrollHeight - {log}.scrollTop - {log}.clientHeight < 3")


@pytest.mark.parametrize("width", [768, 1440])
def test_seats_do_not_jump_about_in_mid_game(visit, room, width):
    crowd = [f"bot {bot}" for bot in ("ev", "random", "stay-25", "always-hit", "conservative")]
    id, token = room.make("flip7:official", "here Player 1", *crowd, seed="4")
    page = visit(f"/table/{id}#{token}", width=width)
    where = "[...document.querySelectorAll('[data-seat]')].map((seat) => Math.round(seat.getBoundingClientRect().x))"
    page.wait_for_selector("[data-state=asked]")
    first, moves = page.evaluate(where), 0
    assert page.locator("[data-seat='0'] .name").text_content() == "Player 1"  # not "Playe…"
    while moves < 12 and answer(page, first_or_last):
        page.wait_for_selector(SETTLED)
        assert page.evaluate(where) == first
        moves += 1


def test_who_looks_elsewhere_is_told_that_it_is_their_turn(visit, room):
    """By a notice of the system, if they asked for it; at a table with bots alone there is no such question."""
    shown = """(() => {
      window.notices = [];
      window.Notification = class { constructor(text) { notices.push(text); } };
      Notification.permission = "default";
      Notification.requestPermission = async () => (Notification.permission = "granted");
      Object.defineProperty(document, "hidden", { get: () => true });
    })()"""
    id, token = room.make("flip7:numbers", "here Ann", "here Bob", seed="1")
    page = visit("/")
    page.add_init_script(shown)
    page.goto(f"{room.url}/table/{id}#{token}")
    page.wait_for_selector("[data-state=asked]")
    assert page.evaluate("notices") == []
    page.get_by_role("button", name="Tell me when it is my turn").click()
    page.get_by_role("button", name="Tell me when it is my turn").wait_for(state="hidden")
    page.get_by_role("button", name="Hit").click()
    until(page, "notices.length > 0")
    assert page.evaluate("notices[0]") == "Your turn: Hit or stay?"
    alone = visit(at(room, room.make("flip7:numbers", "here Ann", "bot stay-25", seed="1")))
    alone.wait_for_selector("[data-state=asked]")
    assert not alone.get_by_role("button", name="Tell me when it is my turn").is_visible()
