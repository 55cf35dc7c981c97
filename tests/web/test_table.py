"""What happens around a game: one screen for two, reloads, restarts, rematches, hints."""

import pytest

from pitboss.core.record import Record
from tests.web.conftest import opened
from tests.web.test_play import SETTLED, answer, first_or_last


def at(room, made):
    """The path of a table's page."""
    id, token = made
    return f"/table/{id}#{token}"


def shown(page):
    """Every card on the felt, as its text."""
    return page.locator(".table .card").evaluate_all("cards => cards.map((card) => card.dataset.card)")


def state(page):
    return page.locator("[data-state]").get_attribute("data-state")


def test_two_people_at_one_screen_hand_it_over(visit, room):
    made = room.make("show:fair", "here Ann", "here Bob", seed="3")
    page = visit(at(room, made))
    page.wait_for_selector("[data-state=covered]")
    assert not page.locator(".table .card").first.is_visible()
    page.get_by_role("button", name="I am Ann: show my cards").click()
    page.wait_for_selector("[data-state=asked]")
    assert shown(page) == ["?"] * 4
    page.get_by_role("button", name="Left card").click()
    page.get_by_role("button", name="Hand over to Bob").wait_for()
    looked = [card for card in shown(page) if card != "?"]
    assert len(looked) == 1  # Ann may take her time with what she has seen
    page.get_by_role("button", name="Hand over to Bob").click()
    assert page.get_by_role("heading", name="Bob, it is your turn").is_visible()
    assert not page.locator(".table").is_visible()
    assert not page.locator("[data-part=log]").is_visible()
    page.keyboard.press("Escape")  # covers are not dismissed like this
    assert page.locator("dialog[open]").count() == 1
    page.get_by_role("button", name="I am Bob: show my cards").click()
    page.wait_for_selector("[data-state=asked]")
    assert shown(page) == ["?"] * 4
    assert looked[0] not in page.locator("main").inner_text()
    while answer(page, first_or_last):
        pass
    assert page.get_by_role("heading", name="wins").or_(page.get_by_role("heading", name="A tie")).is_visible()


def test_an_open_game_needs_no_cover(visit, room):
    page = visit(at(room, room.make("flip7:numbers(target=20)", "here Ann", "here Bob", seed="3")))
    while answer(page, first_or_last):
        assert page.locator("dialog[data-part=cover][open]").count() == 0


def test_a_reload_finds_the_game_again(visit, room):
    page = visit(at(room, room.make("flip7:official", "here Ann", "bot ev", "bot random", seed="2")))
    moves = 0
    while moves < 6 or state(page) != "asked":
        moves += page.wait_for_selector(SETTLED).get_attribute("data-state") == "asked"
        answer(page, first_or_last)
        page.wait_for_selector(SETTLED)
    before = [page.locator("[data-part=log] li").all_text_contents(), shown(page)]
    page.reload()
    page.wait_for_selector("[data-state=asked]")
    assert [page.locator("[data-part=log] li").all_text_contents(), shown(page)] == before


def test_a_lost_connection_comes_back(visit, room):
    made = room.make("flip7:official", "here Ann", "here Bob", seed="2")
    ann, bob = visit(at(room, made)), visit(at(room, made))
    for page in (ann, bob):
        page.wait_for_selector("[data-state=asked]")
    server = room.server
    loop = server.servers[0].get_loop()
    for connection in list(server.server_state.connections):
        loop.call_soon_threadsafe(connection.transport.abort)
    answer(ann, first_or_last)
    for _ in range(600):  # it is on its way
        step = room.get(f"/api/tables/{made[0]}", since=10**6)["last"]
        if step > 2:
            break
        ann.wait_for_timeout(100)
    assert step > 2
    for page in (ann, bob):  # over a new connection
        page.locator(f"[data-part=log] li[data-step='{step}']").first.wait_for()
        page.wait_for_selector("[data-state=asked]")
    assert shown(bob) == shown(ann)


@pytest.mark.parametrize(
    ("spec", "bots"), [("flip7:tournament", ["bot ev", "bot random"]), ("show:full", ["bot show-6"])]
)
def test_a_restart_finds_the_game_again(tmp_path, spec, bots):
    """The same moves lead to the same game, whether the server stops in between or not."""
    records = []
    for stops in (False, True):
        store = str(tmp_path / f"{stops}.db")
        moves, look, id = 0, None, None
        while not look or not look["ending"]:
            with opened(store=store) as room:
                if id is None:
                    id, token = room.make(spec, "here Ann", *bots, seed="9")
                again = room.get(f"/api/tables/{id}", token)
                assert look is None or (again["last"], again["choices"]) == (look["last"], look["choices"])
                look = again
                while not look["ending"]:
                    choice = look["choices"][moves % len(look["choices"])]["move"]
                    answer = room.ask(
                        "POST", f"/api/tables/{id}/moves", token, json={"seat": 0, "move": choice, "step": look["last"]}
                    )
                    look = answer.json()
                    moves += 1
                    if stops and moves in (3, 8):
                        break
                if look["ending"]:
                    records.append(Record.from_dict(room.get(f"/api/records/{id}")))
    assert records[0].to_line() == records[1].to_line()
    assert records[0].verify()


def test_again_with_the_same_cards_and_with_new_ones(visit, room):
    page = visit(at(room, room.make("flip7:solo(target=15)", "here Ann", seed="4")))
    first = page.url
    while answer(page, first_or_last):
        pass
    page.get_by_role("button", name="Same deal").click()
    page.wait_for_function("(before) => location.href !== before", arg=first)
    while answer(page, first_or_last):
        pass
    second = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("(before) => location.href !== before", arg=second)
    while answer(page, first_or_last):
        pass
    ids = [url.split("/table/")[1].split("#")[0] for url in (first, second, page.url)]
    one, two, three = (Record.from_dict(room.get(f"/api/records/{id}")) for id in ids)
    assert one.key == two.key != three.key
    assert (one.cards, one.moves) == (two.cards, two.moves)


def test_a_guest_is_taken_along(visit, room):
    made = room.make("flip7:numbers(target=5)", "here Ann", "guest Bob", seed="4")
    ann = visit(at(room, made))
    link = ann.get_by_label("Link for Bob").input_value()
    bob = visit(link.removeprefix(room.url))
    bob.get_by_role("button", name="Take the seat").click()
    over = set()
    while len(over) < 2:
        for name, page in (("Ann", ann), ("Bob", bob)):
            if page.locator(SETTLED).count() and not answer(page, first_or_last):
                over.add(name)
        ann.wait_for_timeout(20)
    ann.get_by_role("button", name="Play again").click()
    bob.get_by_role("link", name="To the next game").click()
    for page in (ann, bob):
        page.wait_for_selector("[data-state=asked], [data-state=waiting]")
    assert ann.url.split("#")[0] == bob.url.split("#")[0] != f"{room.url}/table/{made[0]}"
    assert ann.locator("[data-part=invites]").is_hidden()


def test_games_are_kept_in_postgresql_too(postgres):
    store = postgres.new()
    with opened(store=store) as room:
        made = room.make("flip7:official", "here Ann", "bot ev", seed="1")
        path = f"/api/tables/{made[0]}"
        look = room.get(path, made[1])
        move = {"seat": 0, "move": look["choices"][0]["move"], "step": look["last"]}
        after = room.ask("POST", f"{path}/moves", made[1], json=move).json()
        assert after["last"] > look["last"]
    with opened(store=store) as room:
        assert room.get(path, made[1])["last"] == after["last"]
        assert room.get("/api/tournaments") == []


def test_a_hint_has_the_odds_and_the_best_move(visit, room):
    made = room.make("flip7:solo", "here Ann", seed="1")
    page = visit(at(room, made))
    page.wait_for_selector("[data-state=asked]")
    page.keyboard.press("h")
    page.locator("[data-part=log] li", has_text="Ann gets").wait_for()
    page.wait_for_selector("[data-state=asked]")
    page.get_by_role("button", name="Hint").click()
    hint = room.get(f"/api/tables/{made[0]}/hint", made[1], seat=0)
    assert abs(sum(card["chance"] for card in hint["coming"]) - 1) < 1e-9
    best = next(each for each in hint["worth"] if each["best"])
    row = page.locator(".hint .best")
    row.wait_for()
    assert row.locator("th").text_content() == best["text"]
    assert row.locator("td").first.text_content() == f"{best['value']:.1f}"
    assert page.locator(".hint .coming li").count() == len(hint["coming"])
    assert page.locator(".hint .harm-text", has_text="bust").count() == sum(bool(c["harm"]) for c in hint["coming"])
    page.keyboard.press("?")
    assert page.locator(".hint").is_hidden()


def test_a_hint_at_a_table_with_others_tells_chances_to_win(visit, room):
    """First points, then chances; whom to freeze is said by these alone."""
    made = room.make("flip7:official(modifiers=false, target=20)", "here Ann", "bot ev", "bot ev", seed="3")
    page = visit(at(room, made))
    page.wait_for_selector("[data-state=asked]")
    path, kinds = f"/api/tables/{made[0]}", set()
    while kinds != {"hit", "@"}:
        look = room.get(path, made[1])
        assert not look["ending"], "deal other cards: this game has no card to put on somebody"
        seat = look["to_act"]
        hint = room.get(f"{path}/hint", made[1], seat=seat, chances=True)
        kind = "hit" if any(each["move"] == "hit" for each in hint["worth"]) else "@"
        quick = room.get(f"{path}/hint", made[1], seat=seat)
        assert quick["more"]
        assert not hint["more"]
        assert [each["move"] for each in quick["worth"]] == (
            [each["move"] for each in hint["worth"]] if kind == "hit" else []
        )
        wins = {each["move"]: each["win"] for each in hint["worth"]}
        assert all(0 <= win <= 1 for win in wins.values())
        best = next(each for each in hint["worth"] if each["best"])
        assert best["win"] == max(wins.values())
        if kind not in kinds:
            page.reload()
            page.wait_for_selector("[data-state=asked]")
            page.get_by_role("button", name="Hint").click()
            row = page.locator(".hint .best")
            digits = 1 if best["win"] < 0.0995 else 0
            row.get_by_text(f"{100 * best['win']:.{digits}f} %").wait_for()
            assert row.locator("th").text_content() == best["text"]
            kinds.add(kind)
        move = best["move"] if kind == "@" else "hit"
        room.ask("POST", f"{path}/moves", made[1], json={"seat": seat, "move": move, "step": look["last"]})


def test_a_table_without_hints(visit, room):
    made = room.make("flip7:solo", "here Ann", hints=False)
    page = visit(at(room, made))
    page.wait_for_selector("[data-state=asked]")
    assert page.get_by_role("button", name="Hint").is_hidden()
    assert room.ask("GET", f"/api/tables/{made[0]}/hint", made[1], params={"seat": 0}).status_code == 409


def test_the_end_of_a_round_is_told(visit, room):
    page = visit(at(room, room.make("flip7:numbers(target=60)", "here Ann", "bot ev", seed="6")))
    while page.wait_for_selector(SETTLED).get_attribute("data-state") != "recap":
        page.get_by_role("button", name="Stay").click()
    assert page.get_by_role("heading", name="Round 1 is over").is_visible()
    told = page.locator("[data-part=recap-events] li").all_text_contents()
    assert any(line.startswith("Ann scores") for line in told)
    assert any(line.startswith("ev scores") for line in told)
    assert shown(page)  # the round's cards are still there to be looked at
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=asked]")


def test_moves_that_come_too_late_or_are_none(room):
    id, token = room.make("flip7:official", "here Ann", "bot ev", seed="1")
    look = room.get(f"/api/tables/{id}", token)
    path = f"/api/tables/{id}/moves"
    late = room.ask("POST", path, token, json={"seat": 0, "move": "hit", "step": look["last"] - 1})
    assert (late.status_code, late.json()["error"]) == (409, "the game has moved on; look at the table again")
    for move in ("fault", "@1", "dance", ""):
        refused = room.ask("POST", path, token, json={"seat": 0, "move": move, "step": look["last"]})
        assert refused.status_code == 409, move
        assert refused.json()["error"]
    assert room.get(f"/api/tables/{id}", token) == look


def test_watching_bots(visit, room):
    page = visit("/watch")
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_text("More:").click()
    page.locator("select[name=pace]").select_option("fast")
    page.get_by_label("Seed").fill("3")
    page.get_by_role("button", name="Start").click()
    page.locator("[data-part=log] li >> nth=5").wait_for()
    other = visit(page.url.split("#")[0].removeprefix(room.url), width=360, height=740)  # somebody looks on
    assert other.get_by_role("button", name="Pause").is_hidden()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    count = "() => document.querySelectorAll('[data-part=log] li').length"
    page.wait_for_function(f"{count} === 0 || true")
    lines = page.evaluate(count)
    page.get_by_role("button", name="One step").click()
    page.wait_for_function(f"(before) => ({count})() > before", arg=lines)
    step = page.evaluate(count)
    other.wait_for_function(f"(now) => ({count})() === now", arg=step)
    assert shown(other) == shown(page)
    assert page.locator(".choices button").count() == 0
    page.get_by_role("button", name="Go on").click()
    page.wait_for_function(f"(before) => ({count})() > before", arg=step)


def test_no_such_table(visit, room):
    visit.forgiven += ["404", "nothere"]  # the refusal itself is told in the console
    page = visit("/table/nothere")
    page.get_by_text("There is no such table").wait_for()
