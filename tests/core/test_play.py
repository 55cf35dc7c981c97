"""The play loop, the dealers, and bots that listen."""

import pickle
from typing import ClassVar

import pytest

from pitboss import load, play, simulate
from pitboss.core.dealer import Keyed, Live, Tape
from pitboss.core.errors import IllegalMove, RecordError
from pitboss.core.keys import Key
from pitboss.games.flip7 import Flip7Bot


def test_keyed_dealing_does_not_depend_on_who_asks():
    """The same seat gets the same n-th card of a round while what was dealt before is the same."""
    a, b = (load("flip7:numbers").start(2) for _ in range(2))
    dealer, other = Keyed(Key.from_seed(1), 5), Keyed(Key.from_seed(1), 5)
    assert dealer.card(a) == dealer.card(a) == other.card(b)


def test_tape_says_when_it_cannot_go_on():
    position = load("flip7:solo").start(1)
    position.apply("hit")
    with pytest.raises(RecordError, match="the tape ends after 0 cards"):
        Tape([]).card(position)
    tape = Tape([0, 0])
    position.apply(tape.card(position))
    position.apply("hit")
    assert tape.rest == [0]
    with pytest.raises(RecordError, match="card 2 on the tape is 0, and none of these is left"):
        tape.card(position)


def test_live_dealer_asks_until_the_card_can_be():
    position = load("flip7:solo").start(1)
    position.apply("hit")
    position.apply("0")
    position.apply("hit")
    answers, said = iter(["zebra", "0", "12"]), []
    assert Live(lambda question: next(answers), said.append).card(position) == 12
    assert "'zebra' is not a card" in said[0]
    assert "no 0 is left" in said[1]


def test_a_game_from_tape_has_no_key():
    record = play("flip7:solo(target=10)", ["stay-10"], dealer=Tape([12]))
    assert record.key is None
    assert record.outcome.scores == (12,)
    record.verify()


def test_illegal_moves_are_refused_with_the_legal_ones():
    position = load("flip7:solo").start(1)
    with pytest.raises(IllegalMove, match="yes is not legal for seat 0 now; legal: stay, hit"):
        position.apply("yes")
    assert "hit" in position.legal
    assert "nonsense" not in position.legal
    position.apply("hit")
    with pytest.raises(IllegalMove, match="fz is not legal for the dealer now; legal: 0, 1, 2"):
        position.apply("fz")
    with pytest.raises(IllegalMove):
        position.apply(-1)  # the dealer makes no faults


class Listener(Flip7Bot):
    """Keeps what it is told."""

    heard: ClassVar[list] = []

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.heard.append(("start", seat, rules.target))

    def hit_or_stay(self, view):
        return "hit" if view.points < 20 else "stay"

    def saw(self, event):
        self.heard.append(event.kind)

    def end(self, outcome):
        self.heard.append(("end", outcome.ended))


def test_bots_that_listen_are_told_everything():
    Listener.heard.clear()
    seen = []
    play("flip7:official(target=50)", [Listener, "ev"], seed=4, watch=lambda p, events: seen.extend(events))
    assert Listener.heard[0] == ("start", 0, 50)
    assert Listener.heard[1:-1] == [event.kind for event in seen]
    assert Listener.heard[-1] == ("end", "won")


def test_listening_changes_no_game():
    class Deaf(Listener):
        pass

    Deaf.saw = Flip7Bot.saw
    Deaf.wants_events = False
    a = simulate("flip7:official", [Listener, "ev"], games=20, seed=1)
    b = simulate("flip7:official", [Deaf, "ev"], games=20, seed=1)
    assert a.sums.columns.tolist() == b.sums.columns.tolist()
    assert a.decisions == b.decisions


def test_views_are_snapshots_and_travel():
    position = load("flip7:numbers").start(2)
    for card in ("5", "7"):
        position.apply(card)
    view = position.view(0)
    position.apply("hit")
    position.apply("9")
    assert view.points == 5
    assert position.view(0).points == 14
    copy = pickle.loads(pickle.dumps(view))
    assert (copy.points, copy.seat, copy.rules, copy.legal) == (view.points, 0, view.rules, view.legal)
