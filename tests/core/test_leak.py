"""No seat learns what it may not know, in any game; and what it may know, it does learn.

Leaks are planted where a game could have them: in what its rule book writes of each kind of event, in `seen_by`, in
texts, in fields of views, and in what is made of views. The check must find each of them, and nothing else.
"""

import re
import sys
import zlib
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from pitboss import load
from pitboss.core import leak
from pitboss.core.game import Position
from pitboss.games.flip7.events import KINDS as FLIP7_KINDS
from pitboss.games.flip7.game import Flip7
from pitboss.games.show import events
from pitboss.games.show.events import ShowEvent
from pitboss.games.show.game import Show
from pitboss.games.show.view import ShowView
from pitboss.games.show.words import WORDING
from tests.core.dice import KINDS as CUPS_KINDS
from tests.core.dice import Cups
from tests.core.dice import Event as CupsEvent

SECRETS = WORDING.nodes["hidden"]  # what events of Show tell only some, by kind
SPECS = [
    "show:classic",
    "show:full",
    "show:fair",
    "show:full(power_on_replace=true, caller_locked=true)",
    "show:classic(deck=* * A A 3 3 10 J)",
    "show:full(deck=Ks 2s 2s 2s 2s 2h 2h 2h Ks, call_from_turn=20)",
]


# --- nothing is found where nothing leaks ---


@pytest.mark.parametrize("spec", SPECS)
def test_show_keeps_its_secrets(spec):
    """Also where the slot of one of two equal cards is told, or that two cards changed places that lie face down."""
    for seed in range(3):
        seen = leak.check(load(spec), 2, seed=seed, games=12)
        assert seen["views"] > 300
        assert seen["other worlds"] > 0.8 * seen["views"]  # the worlds really differ
        assert seen["moves that tell something"] > 20
        assert seen["moves that tell nothing"] > 20
        assert seen["hidden moves"] > 100


@pytest.mark.parametrize("seats", [2, 3])
def test_hidden_dice_and_bets_stay_hidden(seats):
    """Though the die that says who begins is told, and then forgotten."""
    for seed in range(3):
        seen = leak.check(Cups.parse("short"), seats, seed=seed, games=8)
        assert all(seen[f"event {kind}"] for kind in CUPS_KINDS)


def test_flip7_has_no_secrets(preset):
    seats = 1 if preset == "solo" else 3
    for seed in range(3):
        seen = leak.check(load(f"flip7:{preset}(target=40)"), seats, seed=seed, games=2)
        assert (seen["other worlds"], seen["moves that tell something"], seen["hidden moves"]) == (0, 0, 0)


def test_the_toy_game_has_no_secrets(toy):
    for preset in ("race", "fair"):
        seen = leak.check(toy.parse(preset), 3, seed=1, games=4)
        assert (seen["other worlds"], seen["hidden moves"]) == (0, 0)
        assert seen["event bust"]


# --- a leak in each kind of event ---


@pytest.fixture
def toy(monkeypatch):
    """The game of examples/toy-game, from its sources."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "examples" / "toy-game" / "src")
    from pitboss_toy.game import Toy

    yield Toy
    for name in [name for name in sys.modules if name.startswith("pitboss_toy")]:
        del sys.modules[name]


def planted(game, kind, detail, value):
    """The game, but its rule book writes something else into a detail of the events of a kind."""
    honest, number = game.loops, game.event_kinds.index(kind)

    def apply(states, rules, move, buffer):
        honest.apply(states, rules, move, buffer)
        for row in buffer[1 : buffer[0, 0] + 1]:
            if row[0] == number:
                row[2 + detail] = value(states)

    game.loops = honest._replace(apply=apply)
    return game


def everything(states):
    """A number that stands for all that lies on the table, hidden or not."""
    return zlib.crc32(states.tobytes()) % 10_000


def found(game, seats, games=40):
    """What the check says."""
    with pytest.raises(AssertionError) as said:
        leak.check(game, seats, seed=1, games=games)
    return str(said.value)


# Once the hands of Show are shown, each seat knows all cards, those left in the pile as well: there is nothing to tell.
# (A tie for want of cards comes without that, and can leak.) The same is true of dice when the cups are lifted.
NO_SECRET_LEFT, CUPS_LIFTED = ("shown", "won"), ("lifted", "won")
CALLED, RUNS_OUT = "show:full(power_on_replace=true)", "show:full(deck=As 2s 3s 4s 5s 6s, call_from_turn=20)"
LEAKING = [kind for kind in events.KINDS if kind not in NO_SECRET_LEFT]


@pytest.mark.parametrize("kind", LEAKING)
def test_an_event_of_show_that_tells_what_is_hidden_is_found(kind):
    game = Show.parse((RUNS_OUT if kind in ("deck out", "tied") else CALLED).removeprefix("show:"))
    open_detail = 0 if kind in ("dealt", "peeked", "looked", "looked across") else 1  # the other may be hidden
    assert f"the event '{kind}' tells seat" in found(planted(game, kind, open_detail, everything), 2)


@pytest.mark.parametrize("kind", [*NO_SECRET_LEFT, *CUPS_LIFTED])
def test_when_all_is_shown_there_is_nothing_to_tell(kind):
    game = (Show if kind in NO_SECRET_LEFT else Cups).parse("")
    assert leak.check(planted(game, kind, 1, everything), 2, seed=1, games=10)[f"event {kind}"]


@pytest.mark.parametrize("kind", [*SECRETS["others"], *SECRETS["all"]])
def test_a_card_that_seen_by_does_not_hide_is_found(kind, monkeypatch):
    """Of those that fall (dealt, drew) the same card would agree with itself: in the other world, another must fall."""
    monkeypatch.delitem(SECRETS["all" if kind == "dealt" else "others"], kind)
    assert f"the event '{kind}' tells seat" in found(load(CALLED), 2)


def test_the_last_card_is_found_though_no_other_can_fall(monkeypatch):
    monkeypatch.delitem(SECRETS["others"], "drew")
    said = found(Show.parse("fair(deck=As 2s 3s 4s 5s)"), 2)
    assert "the event 'drew' tells seat 1 what its view hides" in said


@pytest.mark.parametrize("kind", [kind for kind in CUPS_KINDS if kind not in CUPS_LIFTED])
def test_an_event_of_hidden_dice_that_tells_what_is_hidden_is_found(kind):
    assert f"the event '{kind}' tells seat" in found(planted(Cups.parse("short"), kind, 1, everything), 3)


@pytest.mark.parametrize("kind", ["rolled", "covered", "bet"])
def test_a_die_or_a_bet_that_seen_by_does_not_hide_is_found(kind, monkeypatch):
    honest = CupsEvent.seen_by
    monkeypatch.setattr(CupsEvent, "seen_by", lambda self, seat: self if self.kind == kind else honest(self, seat))
    assert re.search(rf"the event '{kind}' tells seat \d what its view hides", found(Cups.parse("short"), 3))


def test_where_all_is_open_events_can_tell_nothing_of_the_table(toy):
    """In Flip 7 and the toy game a view is the whole table. The order of the deck is hidden, but not even the rule book
    gets to know it: cards are drawn when they are due, so no event of any kind can tell."""
    for game, seats in ((load("flip7:official(target=60)"), 3), (toy.parse("fair"), 2)):
        for kind in game.event_kinds:
            game = planted(game, kind, 0, lambda states: everything(states) % 12)
        leak.check(game, seats, seed=1, games=1)


LAST_ROUND = {"flip7": 1000, "toy": 500}


def late(game, kind):
    """The game, begun where an event that is rare comes soon."""
    honest = game.start

    def start(seats):
        position = honest(seats)
        states = position.states
        if kind == "flip 7":
            for number in range(6):
                position.apply("hit")
                position.apply(str(number))
        if kind in ("reshuffled", "out of cards"):
            if kind == "reshuffled":
                states["discards"] += states["left"]
            states["left"] = states["left_total"] = 0
            states["left"][0, 12] = states["left_total"] = 1
        if kind == "cut":
            states["round"] = LAST_ROUND[game.name]
        return position

    game.start = start
    return game


@pytest.mark.parametrize("kind", FLIP7_KINDS)
def test_an_event_of_flip7_that_tells_what_does_not_lie_on_the_table_is_found(kind):
    """What it could tell is something from elsewhere; here, how many events of its kind there were at all tables."""
    numbers = count()
    game = Flip7.parse("solo" if kind == "flip 7" else "official(target=60)")
    game = late(planted(game, kind, 0, lambda states: next(numbers) % 11), kind)
    assert f"the event '{kind}' tells seat" in found(game, 1 if game.rules.solo else 3)


@pytest.mark.parametrize("kind", ["round", "drew", "bust", "banked", "fault", "wins", "cut"])
def test_an_event_of_the_toy_game_that_tells_what_does_not_lie_on_the_table_is_found(kind, toy):
    numbers = count()
    assert len(toy.event_kinds) == 7
    game = late(planted(toy.parse("race"), kind, 0, lambda states: next(numbers)), kind)
    assert f"the event '{kind}' tells seat" in found(game, 2)


# --- leaks in other places ---


@dataclass(frozen=True)
class Whisper(ShowEvent):
    """Nothing is to be seen, but the text tells."""

    whole: ShowEvent | None = field(default=None, compare=False)

    def seen_by(self, seat):
        seen = ShowEvent.seen_by(self, seat)
        return Whisper(seen.kind, seen.seat, seen.a, seen.b, self)

    def text(self, names):
        return f"{ShowEvent.text(self, names)} {self.whole.a if self.kind == 'drew' else ''}"


@dataclass(frozen=True)
class Public(ShowEvent):
    """Those who only watch may know everything; a player could watch as well."""

    def seen_by(self, seat):
        return self if seat == -1 else ShowEvent.seen_by(self, seat)


@dataclass(frozen=True)
class Loud(ShowEvent):
    """A good card is announced."""

    @property
    def major(self):
        return self.kind == "drew" and self.a < 20


@pytest.mark.parametrize(
    ("kind", "how"),
    [(Whisper, "by its text: "), (Public, "by its text for those who only watch: "), (Loud, "by being major or not: ")],
)
def test_what_is_not_in_an_event_but_comes_with_it_is_found(kind, how):
    game = Show.parse("fair")
    game.event_class = kind
    assert how in found(game, 2)


FREE = ["turns", "caller", "last_turn", "power", "own_slot", "other_slot", "deck_out", "payoff", "points"]


@pytest.mark.parametrize("name", FREE)
def test_a_field_of_a_view_that_tells_is_found(name):
    """The others mean cards, which `imagine` goes by: see below."""
    game = Show.parse("fair")
    honest = game.loops

    def observe(states, rules, seat, views):
        honest.observe(states, rules, seat, views)
        views[name] ^= everything(states) & 1

    game.loops = honest._replace(observe=observe)
    tells = rf"a view tells what seat \d cannot know: {name} would be another"
    assert re.match(rf"{tells}|seen_by hides .* but its view differs in {name}\.", found(game, 2))


@pytest.mark.parametrize("name", ["own", "other", "drawn"])
def test_a_card_that_a_view_shows_and_events_hide_is_found(name):
    """If `imagine` keeps the card, all worlds agree that the seat knows it; only the events do not."""
    game = Show.parse("fair")
    honest = game.loops

    def observe(states, rules, seat, views):
        honest.observe(states, rules, seat, views)
        state, covered = states[0], views[name].ravel()
        lies = {"own": state["hand"][seat], "other": state["hand"][1 - seat], "drawn": state["drawn"]}[name]
        for place, card in enumerate(np.ravel(lies)):
            if card > 0 and covered[place] != card:
                covered[place] = card
                views["unseen"][0, card] -= 1

    game.loops = honest._replace(observe=observe)
    said = rf"seen_by hides from seat \d what its view shows: .* but its view differs in {name}, unseen"
    assert re.match(said, found(game, 2))


def peeping(self, seat, honest=Position.view):
    """A view that brings along what it should not have."""
    view = honest(self, seat)
    view.peeped = everything(self.states)
    return view


@pytest.mark.parametrize(
    ("name", "said"),
    [("odds", "the odds of seat"), ("scene", "the scene of seat"),
     ("next_cards", "the chances of the next card of seat"), ("describe_move", "the labels of the moves of seat")],
)  # fmt: skip
def test_what_is_made_of_more_than_a_view_is_found(name, said, monkeypatch):
    monkeypatch.setattr(Position, "view", peeping)
    honest = getattr(Show, name)
    monkeypatch.setattr(Show, name, lambda self, view, *rest: (honest(self, view, *rest), view.peeped))
    assert said in found(Show.parse("fair"), 2)


@pytest.mark.parametrize(
    ("name", "said"),
    [("question", "the question of seat"), ("legal", "the legal moves of seat"),
     ("to_dict", "the view as a dictionary of seat")],
)  # fmt: skip
def test_a_property_of_a_view_that_tells_is_found(name, said, monkeypatch):
    monkeypatch.setattr(Position, "view", peeping)
    tells = {"legal": property(lambda view: [view.peeped]), "question": property(lambda view: str(view.peeped)),
             "to_dict": lambda view: view.peeped}  # fmt: skip
    monkeypatch.setattr(ShowView, name, tells[name])
    monkeypatch.setattr(Show, "describe_move", lambda self, view, move, names: "")
    assert said in found(Show.parse("fair"), 2)


def test_legal_moves_of_the_rule_book_that_tell_are_found():
    game = Show.parse("fair")
    honest = game.loops

    def legal(states, rules):
        bits = honest.legal(states, rules)
        return bits if states["to_act"][0] < 0 or everything(states) % 2 else 1

    game.loops = honest._replace(legal=legal)
    assert "what the rule book calls legal of seat" in found(game, 2)


# --- what it says ---


def test_a_leak_is_told_with_all_that_is_needed_to_look_at_it(monkeypatch):
    monkeypatch.delitem(SECRETS["others"], "drew")
    said = found(load("show:fair"), 2)
    start = "the event 'drew' tells seat 1 what its view hides, by what seen_by leaves in it: it is told ShowEvent("
    assert said.startswith(start)
    way = re.search(
        r" after (\S+) instead of (\S+), and its view does not show which it was. Let the event not tell it, or let "
        r"observe show it if the seat may know it. To get there, apply these to load\('show:fair'\).start\(2\): (.*)",
        said,
    )
    here, there = load("show:fair").start(2), load("show:fair").start(2)
    for word in way[3].split():
        here.apply(word)
        there.apply(word)
    assert [event.seen_by(1) for event in here.apply(way[1])] != [event.seen_by(1) for event in there.apply(way[2])]
    assert here.view(1).record.tobytes() == there.view(1).record.tobytes()


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
