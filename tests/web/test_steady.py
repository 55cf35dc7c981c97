"""Nothing jumps: what comes later has its room from the start. The browser itself measures it (PerformanceObserver)."""

import pytest

WATCH = """
window.moved = [];
new PerformanceObserver((list) => list.getEntries().forEach(({value, sources}) => window.moved.push(
  ...sources.map(({node}) => `${node?.className || node?.nodeName} by ${value.toFixed(4)}`))))
  .observe({type: "layout-shift", buffered: true});
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
