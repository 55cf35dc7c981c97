"""Games played through the page."""

import pytest

from pitboss.core.record import Record

# What the page waits for: a move, that a recap is read, or that the screen is handed over.
SETTLED = "[data-state=asked], [data-state=recap], [data-state=handing], [data-state=covered], [data-state=over]"


def answer(page, choose):
    """Do what the page asks for next; False when the game is over."""
    state = page.wait_for_selector(SETTLED).get_attribute("data-state")
    if state == "over":
        return False
    if state == "asked":
        choose(page)
    else:
        page.locator("dialog[open] button, .choices button").click()
    return True


def first_or_last(page):
    """Now the first choice, now the last: by mouse, by number, by letter."""
    choices = page.locator(".choices .move")
    turn = page.evaluate("window.asked = (window.asked ?? 0) + 1")
    if turn % 3 == 0:
        choices.last.click()
    elif turn % 3 == 1:
        page.keyboard.press(choices.first.get_attribute("data-keys").split()[-1])
    else:
        page.keyboard.press(choices.last.get_attribute("data-keys").split()[0])


@pytest.mark.parametrize(
    ("preset", "switches"),
    [
        ("flip7:official", {"target": "40"}),
        ("flip7:tournament", {"target": "40"}),
        ("flip7:simulation", {"target": "40"}),
        ("flip7:numbers", {"target": "30"}),
        ("flip7:solo", {"target": "40"}),
        ("show:fair", {}),
        ("show:classic", {"call_from_turn": "2"}),
        ("show:full", {}),
    ],
)
def test_a_whole_game_of_each_preset(visit, room, preset, switches):
    page = visit(f"/play?game={preset}")
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_text("More:").click()
    for name, value in switches.items():
        page.locator(f"[data-switch={name}]").fill(value)
        page.locator(f"[data-switch={name}]").blur()
        page.locator("[data-part=spec]", has_text=f"{name}={value}").wait_for()
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Deal").click()
    while answer(page, first_or_last):
        pass
    id = page.url.split("/table/")[1].split("#")[0]
    record = room.get(f"/api/records/{id}")
    played = Record.from_dict(record)
    assert played.verify() == len(played.cards) + len(played.moves)
    assert record["game"].startswith(preset)
    shown = page.locator("[data-part=ending] tbody tr").all_text_contents()
    assert sorted(shown) == sorted(
        f"{'You' if name == 'Guest' else name}{score}{'★ wins' if i in played.outcome.winners else ''}"
        for i, (name, score) in enumerate(zip(played.labels, played.outcome.scores, strict=True))
    )
