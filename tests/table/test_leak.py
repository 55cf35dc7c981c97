"""No seat learns what it may not know, in any game; and what it may know, it does learn."""

import pytest

from pitboss import load
from pitboss.show.events import Event
from pitboss.table import leak
from pitboss.table.game import Position

SPECS = ["show:classic", "show:full", "show:fair", "show:full(power_on_replace=true, caller_locked=true)",
         "show:classic(deck=* * A A 3 3 10 J)"]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_show_keeps_its_secrets(spec):
    seen = leak.check(load(spec), 2, seed=1, games=12)
    assert seen["views"] > 300
    assert seen["other worlds"] > 0.8 * seen["views"]  # the worlds really differ
    assert seen["moves that tell something"] > 20
    assert seen["moves that tell nothing"] > 20


def test_flip7_has_no_secrets(preset):
    seats = 1 if preset == "solo" else 3
    seen = leak.check(load(f"flip7:{preset}(target=40)"), seats, seed=1, games=2)
    assert seen["other worlds"] == 0
    assert seen["moves that tell something"] == 0


def test_a_leak_is_found(monkeypatch):
    """If a view showed an opponent's card, or an event did, the check would say so."""
    original = Position.view

    def blabbing(self, seat):
        view = original(self, seat)
        self.views["points"][0][0] = self.states["hand"][0][1 - seat][0]
        return view

    monkeypatch.setattr(Position, "view", blabbing)
    with pytest.raises(AssertionError, match="a view tells what seat"):
        leak.check(load("show:fair"), 2, seed=1, games=2)
    monkeypatch.undo()
    monkeypatch.setattr(Event, "seen_by", lambda self, seat: self)
    with pytest.raises(AssertionError, match="events and view disagree"):
        leak.check(load("show:fair"), 2, seed=1, games=2)


def test_what_a_seat_may_know_it_does_know():
    """Another card in a place that the seat has seen is another view."""
    position = load("show:fair").start(2)
    for card in ("As", "5h", "9d", "Kc"):
        position.apply(card)
    for move in ("slot 0", "slot 1"):
        position.apply(move)
    before = [position.view(seat).record.tobytes() for seat in range(2)]
    changed = position.copy()
    changed.states["hand"][0, 0, 0] = 2  # Player 1 has looked at this one
    assert changed.view(0).record.tobytes() != before[0]
    assert changed.view(1).record.tobytes() == before[1]
    changed = position.copy()
    changed.states["hand"][0, 1, 1] = 2  # and Player 2 at this
    assert changed.view(0).record.tobytes() == before[0]
    assert changed.view(1).record.tobytes() != before[1]
