"""The replay page as people use it, compared step by step with the record."""

from dataclasses import replace

import pytest

from pitboss.core.play import play
from pitboss.games.flip7 import HIT, STAY, Flip7Bot
from pitboss.render import embed, joined
from pitboss.render.replay import page
from tests.moments import moments

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]

# What the page shows now, as plain data.
SHOWN = """() => {
  const texts = (root, what) => [...root.querySelectorAll(what)].map((node) => node.textContent);
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const seen = (name) => (part(name).checkVisibility() ? part(name) : null);
  return {
    count: seen("count").textContent,
    title: document.querySelector(".table").getAttribute("aria-label").split(". ")[0],
    seats: [...document.querySelectorAll(".table .seat")].map((seat) => ({
      name: seat.lastChild.textContent,
      said: seat.getAttribute("aria-label"),
      points: texts(seat, ".points").join().replace("−", "-"),
      cards: [...seat.querySelectorAll(".card")].map((card) => card.dataset.card).sort(),
      lost: seat.querySelectorAll(".card.faded").length,
      to_act: seat.matches(".to-act"),
      out: seat.matches(".out"),
    })),
    centre: [...document.querySelectorAll(".table .head .card")].map((card) => card.dataset.card),
    events: texts(document, "[data-part=live] .event"),
    log: texts(document, ".log .current .event"),
    fault: seen("why")?.textContent ?? null,
    output: seen("said")?.textContent ?? null,
    ending: seen("ending")?.textContent ?? null,
  };
}"""


class Stumbler(Flip7Bot):
    """Fails at every fifth decision."""

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.asked = 0

    def hit_or_stay(self, view):
        self.asked += 1
        if self.asked % 5 == 0:
            raise RuntimeError("<b>no idea</b>")
        return HIT if view.odds.bust < 0.3 else STAY


@pytest.fixture(scope="module")
def four():
    """A game of four with faults, and with output beside some decisions."""
    record = play("flip7:tournament(target=100)", ["ev", Stumbler, "stay-25", "random"], seed=5, faults=True)
    assert record.faults
    return replace(record, output={n: f"move {n}\n{HOSTILE[1]}" for n in range(0, len(record.moves), 4)})


@pytest.fixture(scope="module")
def hidden():
    """A game with secrets."""
    return play("show:full", ["show-6", "show-6"], seed=3)


def expected(scene):
    """The seats of a scene in the words of SHOWN."""
    return [
        {
            "name": seat.name, "said": spoken(seat), "to_act": seat.to_act,
            "points": "" if seat.points is None else f"{seat.points:+}",
            "cards": sorted(face.text for row in seat.rows for face in row), "out": seat.out,
            "lost": sum(face.faded for row in seat.rows for face in row),
        }
        for seat in scene.seats
    ]  # fmt: skip


def spoken(seat):
    """A seat for those who do not see it."""
    state = ", ".join([*["to act"] * seat.to_act, *["out"] * seat.out, *seat.badges])
    rows = [", ".join(face.name for face in row) for row in seat.rows]
    return ". ".join(filter(None, [seat.name, state, seat.caption, *rows]))


def told(events, names):
    return [event.text(names).strip("- ") for event in events]


def test_every_step_is_as_recorded(visit, four):
    tab = visit(page(four))
    last, moves = len(four.cards) + len(four.moves), 0
    actor, four_to_act = -1, [position.to_act for position, _, _ in four.replay()]
    log = []
    for n, (position, events) in enumerate(moments(four)):
        shown = tab.evaluate(SHOWN)
        scene = four.game.scene(position.view(0), four.seats)
        log = told(events, four.seats) or log
        fault = output = None
        if actor >= 0:
            fault, output = four.faults.get(moves), four.output.get(moves)
            moves += 1
        assert shown["count"] == f"{n} / {last}"
        assert shown["title"].split(", ")[-1] == scene.title.split(", ")[-1]
        assert shown["seats"] == expected(scene), n
        assert shown["centre"] == [face.text for _, row in scene.centre for face in row]
        assert shown["events"] == told(events, four.seats)
        assert shown["log"][: len(log)] == log
        assert (shown["fault"], shown["output"]) == (fault, output)
        assert (shown["ending"] is not None) == (n == last)
        actor = four_to_act[n]
        tab.keyboard.press("ArrowRight")
    shown = tab.evaluate(SHOWN)
    assert shown["count"] == f"{last} / {last}"
    for name, score in zip(four.seats, four.outcome.scores, strict=True):
        assert f"{name}{score}" in shown["ending"]


def test_keys_and_buttons(visit, four):
    tab = visit(page(four))
    last = len(four.cards) + len(four.moves)
    rounds = [n for n, (_, events) in enumerate(moments(four)) if any(e.kind == "round started" for e in events)]
    count = tab.locator("[data-part=count]")

    def at(step):
        assert count.text_content() == f"{step} / {last}"

    for key, step in (
        ("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0), ("r", rounds[1]), ("r", rounds[2]),
        ("ArrowRight", rounds[2] + 1), ("R", rounds[2]), ("R", rounds[1]), ("R", 0), ("R", 0),
    ):  # fmt: skip
        tab.keyboard.press(key)
        at(step)
    for name, step in (
        ("Next", 1), ("Next", 2), ("Back", 1), ("To the end", last), ("Back by round", rounds[-1]), ("To the start", 0),
        ("On by round", rounds[1]),
    ):  # fmt: skip
        tab.get_by_role("button", name=name, exact=True).click()
        at(step)
    tab.get_by_label("Go to round").select_option(label="round 3")
    at(rounds[2])
    tab.locator("[data-part=slider]").fill("7")
    at(7)
    tab.locator("[data-part=slider]").press("ArrowRight")  # the slider's own key must not step twice
    at(8)
    tab.locator(".log a[data-step='3']").click()
    at(3)


def test_play_and_speed(visit, hidden):
    tab = visit(page(hidden))
    last = len(hidden.cards) + len(hidden.moves)
    for _ in range(9):
        tab.keyboard.press("+")
    assert tab.locator("[data-part=speed]").input_value() == "16"
    tab.keyboard.press("-")
    assert tab.locator("[data-part=speed]").input_value() == "8"
    tab.keyboard.press(" ")
    assert tab.get_by_role("button", name="Pause").is_visible()
    tab.get_by_text(f"{last} / {last}", exact=True).wait_for()
    assert tab.get_by_role("button", name="Play").is_visible()
    tab.keyboard.press(" ")  # from the end it begins again
    tab.keyboard.press(" ")
    assert int(tab.locator("[data-part=count]").text_content().split(" / ")[0]) < last


def test_a_link_leads_to_a_step(visit, four):
    tab = visit(page(four), "#17")
    count = tab.locator("[data-part=count]")
    assert count.text_content().startswith("17 /")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_url("**/*#18")
    tab.evaluate("location.hash = '#5'")
    tab.get_by_text(f"5 / {len(four.cards) + len(four.moves)}", exact=True).wait_for()
    assert visit(page(four), "#99999").locator("[data-part=ending]").is_visible()
    assert visit(page(four), "#nonsense").locator("[data-part=count]").text_content().startswith("0 /")


def test_secrets_are_seen_with_the_eyes_one_chooses(visit, hidden):
    tab = visit(page(hidden))
    names = [f"{name} ({i})" for i, name in enumerate(hidden.seats)]
    for seat in (0, 1):
        tab.keyboard.press("Home")
        tab.get_by_label("Seen by").select_option(label=names[seat])
        tab.locator("h1").click()  # keys belong to the list as long as it has the focus
        for position, events, _ in hidden.replay():
            shown = tab.evaluate(SHOWN)
            assert shown["seats"] == expected(hidden.game.scene(position.view(seat), names))
            assert shown["events"] == told([event.seen_by(seat) for event in events], names)
            tab.keyboard.press("ArrowRight")
        secret = next(e for _, events, _ in hidden.replay() for e in events if e.kind == "drew" and e.seat != seat)
        log = tab.locator("[data-part=log]").text_content()
        assert secret.seen_by(seat).text(names) in log
        assert secret.text(names) not in log


def test_hostile_names_are_only_text(visit, four):
    names = [*HOSTILE, '"><svg onload=alert(3)>', "{{about}}"]
    tab = visit(page(replace(four, seats=names)), "#30")
    assert tab.locator("h1").text_content() == " · ".join(names)
    assert [seat["name"] for seat in tab.evaluate(SHOWN)["seats"]] == names
    assert tab.locator("img").count() == 0
    assert tab.locator("script").count() == 2
    assert names[0] in tab.locator("[data-part=log]").text_content()


def test_our_policy_refuses_a_script_that_slips_in(browser, tmp_path, four):
    """The second wall: were a name to become markup, its script would still not run."""
    file = tmp_path / "broken.html"
    file.write_text(page(four).replace("<main", "<script>document.title = 'owned'</script><img src=x onerror=1><main"))
    tab = browser.new_page()
    said = []
    tab.on("console", lambda message: said.append(message.text))
    tab.goto(file.as_uri())
    assert tab.title() != "owned"
    assert any("Content Security Policy" in text for text in said)
    tab.close()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (800, 1000), (1440, 900)])
@pytest.mark.parametrize("seats", [1, 2, 9, 18])
def test_it_fits_the_screen(visit, width, height, seats):
    spec = "flip7:solo" if seats == 1 else "flip7:official(target=50)"
    record = play(spec, ["ev"] * seats, seed=2)
    record = replace(record, seats=["a_folder/with_quite_a_long_name.py:LongName"] * seats)
    tab = visit(page(record), "#40", width, height)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.locator(".table .seat").count() == seats
    outside = """() => {
      const table = document.querySelector(".table").getBoundingClientRect();
      const seats = [...document.querySelectorAll(".table .seat")].map((seat) => seat.getBoundingClientRect());
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      const cards = [...document.querySelectorAll(".seat")].flatMap((seat) => {
        const place = seat.querySelector(".place").getBoundingClientRect();
        return [...seat.querySelectorAll(".face, .badge, text")].map((node) => [place, node.getBoundingClientRect()]);
      });
      return seats.filter((s) => s.left < table.left || s.right > table.right || s.bottom > table.bottom + 1).length
        + seats.filter((a, i) => seats.some((b, j) => i !== j && !apart(a, b))).length
        + cards.filter(([p, c]) => c.left < p.left - 3 || c.right > p.right + 3 || c.bottom > p.bottom + 3).length;
    }"""
    assert tab.evaluate(outside) == 0


def test_light_dark_and_motion(visit, four):
    html = page(four)
    colour = "getComputedStyle(document.body).backgroundColor"
    light, dark = visit(html, color_scheme="light"), visit(html, color_scheme="dark")
    bright, dim = light.evaluate(colour), dark.evaluate(colour)
    assert bright != dim
    light.get_by_role("button", name="Dark", exact=True).click()
    assert light.evaluate(colour) == dim
    light.get_by_role("button", name="Light", exact=True).click()
    assert light.evaluate(colour) == bright
    for wanted, flights in (("no-preference", 1), ("reduce", 0)):
        tab = visit(html, "#1", reduced_motion=wanted)
        # At once, while the card that came with this step is on its way.
        step = "document.querySelector('[data-do=next]').click(), document.querySelectorAll('.flights').length"
        assert tab.evaluate(step) == flights


def test_only_main_events(visit, four):
    tab = visit(page(four), "#3")
    tab.get_by_label("main events only").check()
    lines = tab.locator(".log li:not(.chapter):visible")
    major = sum(
        any(event.major for event in events) or bool(step_fault)
        for (_, events), step_fault in zip(moments(four), faults_by_step(four), strict=True)
    )
    assert lines.count() == major
    assert tab.locator(".log .current a").get_attribute("data-step") == "0"


def faults_by_step(record):
    """For each step of a record, why it is a fault."""
    out, actor, moves = [], -1, 0
    for position, _, _ in record.replay():
        out.append(record.faults.get(moves) if actor >= 0 else None)
        moves += actor >= 0
        actor = position.to_act
    return out


def test_the_table_draws_what_no_game_here_has(visit):
    """The module by itself: another game's scene, with a kind of card it has never heard of."""
    face = {"text": "Ω", "kind": "tile", "name": "the last tile", "faded": False}
    rows = [[face] * 40, []]
    seat = {"name": HOSTILE[0], "rows": rows, "badges": ["x" * 200], "caption": "", "to_act": True, "out": True}
    scene = {"title": "mahjong", "caption": "", "seats": [seat] * 3, "centre": [["wall", [face]]]}
    empty = {"title": "", "caption": "", "seats": [], "centre": []}
    start = f"window.table = new Table(document.body); table.draw({embed(empty)}); table.draw({embed(scene)});"
    script = joined('import { Table } from "./table.js";\n' + start)
    tab = visit(f"<!DOCTYPE html><title>t</title><link rel=icon href='data:,'><body><script>{script}</script>")
    assert tab.locator(".seat").count() == 3
    assert tab.locator(".card.other").count() == 121
    assert tab.locator(".seat").first.get_attribute("aria-label").startswith(f"{HOSTILE[0]}. to act, out, xxx")
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.locator(".table[width='384']").wait_for()  # 400 without the margins of the body
    tab.evaluate(f"table.draw({embed(empty)})")
    assert tab.locator(".seat").count() == 0


def test_the_page_says_what_it_needs_to_be_checked(visit, hidden):
    tab = visit(page(hidden))
    tab.get_by_text("About this game").click()
    about = tab.locator(".about").text_content()
    assert str(hidden.key) in about
    assert str(hidden.game) in about
    assert tab.title() == "show-6 (0) · show-6 (1): Show · Full"
