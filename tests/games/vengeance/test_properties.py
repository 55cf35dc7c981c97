"""What must hold in any game, under any mixture of rules, whatever is dealt and decided."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import load
from pitboss.core.errors import NotationError, SpecError
from pitboss.core.legal import moves_of
from pitboss.core.step import FAULT, OVER
from pitboss.games.vengeance.cards import KINDS, LINE, LUCKY_13, MINUS_2, UNLUCKY_7, format_cards, parse_cards
from pitboss.games.vengeance.events import MOST_EVENTS
from pitboss.games.vengeance.moves import VengeanceMove
from pitboss.games.vengeance.rules import VengeanceRules
from pitboss.games.vengeance.state import MOVES
from pitboss.games.vengeance.view import Standing

MIXTURES = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from([*switch.others(None)]) if switch.choices else st.booleans()
        for name, switch in VengeanceRules.switches().items()
        if name not in ("target", "max_rounds", "copies", "solo")
    },
)


@st.composite
def tables(draw):
    """A table with rules mixed at will, and luck for it."""
    rules = VengeanceRules.presets[draw(st.sampled_from(sorted(VengeanceRules.presets)))]
    for name, value in draw(MIXTURES).items():
        try:
            rules = rules.change({name: value})
        except SpecError:
            continue
    seats = 1 if rules.solo else draw(st.integers(2, 6))
    rules = rules.change(
        {"target": draw(st.sampled_from([30, 120])), "max_rounds": 12, "copies": draw(st.integers(1, 2))}
    )
    return load(f"vengeance:{rules}"), seats, draw(st.integers(0, 2**32)), draw(st.sampled_from([0.0, 0.1]))


def number(kind):
    return {14: 7, 15: 13}.get(kind, kind)


def score(cards, rules, flip_7):
    """The score of a line that is not bust, by the book and nothing else."""
    if 0 in cards and not flip_7:
        return 0
    total = sum(number(kind) for kind in cards if kind < MINUS_2) // (2 if 21 in cards else 1)
    total -= sum(2 * (kind - 15) for kind in cards if MINUS_2 <= kind < 21)
    return total if rules.below_zero else max(total, 0)


class Ledger:
    """Where every card is, by what is told alone."""

    def __init__(self, game, seats):
        self.lines = [[] for _ in range(seats)]
        self.left = Counter(dict(enumerate(game.rules.deck)))
        self.emptied = set()  # seats that an Unlucky 7 has come to in this move: their cards are discarded

    def note(self, event):
        own, card = self.lines[event.seat], event.card
        if event.kind == "round started":
            self.lines = [[] for _ in self.lines]
        elif event.kind == "dealt":
            self.left[card] -= 1
            assert self.left[card] >= 0, "a card was dealt that is not there"
            if card < MINUS_2:
                own.append(card)
        elif event.kind == "played" and card < LINE:
            own.append(card)
        elif event.kind in ("swapped", "stolen"):
            self.lines[event.other].remove(card)
            own.append(card)
        elif event.kind == "lost" or (event.kind == "discarded" and event.seat in self.emptied and card in own):
            own.remove(card)
        if card == UNLUCKY_7 and event.kind in ("dealt", "swapped", "stolen"):
            self.emptied.add(event.seat)

    def check(self, position, events):
        """The state agrees, and all cards are there."""
        view, deck = position.view(0), Counter(dict(enumerate(position.game.rules.deck)))
        held = Counter(card for line in self.lines for card in line)
        held.update(card for card, _ in view.waiting)
        held.update(int(card) for card in (view.card, view.state["obeyed"]) if card >= 0)
        if any(event.kind == "reshuffled" for event in events):
            self.left = deck - held
        self.emptied.clear()
        assert view.left == tuple(self.left[kind] for kind in range(KINDS))
        assert view.cards_left == sum(view.left)
        assert min(view.discards) >= 0
        assert sum(view.discards) == int(view.state["discarded"])
        assert +(Counter(dict(enumerate(view.discards))) + held + self.left) == +deck
        if not position.over:
            assert [sorted(line) for line in self.lines] == [seat.cards for seat in view.seats]


def duplicate(kind, line):
    """Whether a number may not join a line: it lies there already, and no special card allows it."""
    there = [number(card) for card in line if card < MINUS_2].count(number(kind))
    if kind == UNLUCKY_7:
        return False
    return there > (1 if number(kind) == 13 and LUCKY_13 in (kind, *line) else 0)


def check(position):
    view, rules = position.view(0), position.game.rules
    for seat in view.seats:
        numbers = [number(kind) for kind in seat.cards if kind < MINUS_2]
        bonus = int(view.state["bonus"][seat.seat])
        if seat.busted:
            assert seat.points - bonus <= 0, "somebody bust scores"
            assert rules.modifiers_on_bust or seat.points == bonus
            continue
        deadly = [kind for kind in range(MINUS_2) if duplicate(kind, seat.cards)]
        assert moves_of(int(view.state["deadly"][seat.seat])) == deadly, (
            "what would bust a line was not kept up to date"
        )
        twice = numbers.count(13) == 2
        assert len(set(numbers)) == len(numbers) - twice, "a duplicate survived"
        assert not twice or 15 in seat.cards
        assert seat.number_count == len(numbers) - (twice and rules.thirteens == "once")
        assert (seat.number_count == 7) == (seat.status is Standing.FLIP_7)
        assert seat.points == bonus + score(seat.cards, rules, seat.status is Standing.FLIP_7)
    assert int(view.state["active"]) == sum(seat.active for seat in view.seats)


@given(tables())
@settings(max_examples=100)
def test_any_game(table):
    game, seats, seed, faults = table
    rng = np.random.default_rng(seed)
    position, ledger = game.start(seats), Ledger(game, seats)
    totals, steps, due = [0] * seats, 0, -1
    position.events()
    while not position.over:
        check(position)
        legal = position.legal
        assert len(legal) > 0
        assert position.to_act == -1 or len(legal) > 1  # what has one answer is not asked
        if position.to_act >= 0:
            view = position.view(position.to_act)
            assert [int(move) for move in view.legal] == list(legal)
            assert not view.busted, "somebody bust is asked"
        move = legal[int(rng.integers(len(legal)))]
        if position.to_act >= 0 and rng.random() < faults:
            move = FAULT
        due = position.to_act
        events = position.apply(move)
        for event in events:
            ledger.note(event)
            if event.kind == "round scored":
                totals[event.seat] += event.a
                assert totals[event.seat] == event.b
        ledger.check(position, events)
        steps += 1
        assert steps < 5000
    assert position.to_act == OVER
    assert due >= -1
    assert list(position.outcome.scores) == totals
    assert game.rules.below_zero or min(totals) >= 0
    if position.outcome.ended != "cut":
        assert max(totals) >= game.rules.target
        assert all(totals[winner] == max(totals) for winner in position.outcome.winners)
    assert abs(sum(position.outcome.shares) - (position.outcome.ended != "cut")) < 1e-9


@pytest.mark.parametrize("seats", [2, 18, 36])
def test_conservation_at_every_size(seats):
    """A game to the very end, at the smallest and the largest tables, of players who like to hit."""
    game = load(f"vengeance:brutal(target=60, max_rounds=30, copies={2 if seats > 18 else 1})")
    position, ledger, rng, most = game.start(seats), Ledger(game, seats), np.random.default_rng(seats), 0
    position.events()
    while not position.over:
        legal = position.legal
        hit = position.to_act >= 0 and "hit" in legal and rng.random() < 0.7
        events = position.apply("hit" if hit else legal[int(rng.integers(len(legal)))])
        for event in events:
            ledger.note(event)
        ledger.check(position, events)
        most = max(most, len(events))
    assert most <= MOST_EVENTS


def test_order_of_resolution():
    """Cards that wait are resolved in the order drawn, by who drew them; those of an inner Flip Four come first."""
    game, rng = load("vengeance:standard(target=100000, max_rounds=2000)"), np.random.default_rng(3)
    position, batches, aside, resolved = game.start(3), [], [], 0  # batches of (card, seat), the innermost last
    while not position.over and resolved < 60:
        legal = position.legal
        for event in position.apply(legal[int(rng.integers(len(legal)))]):
            if event.kind == "set aside":
                aside.append((event.card, event.seat))
            elif event.kind in ("busted", "flip 7", "round started"):
                batches, aside = [], []  # some of them are gone: begin anew
                position.states["waiting"] = 0
        view = position.view(0)
        if view.state["taker"] < 0 and aside:
            batches, aside = [*batches, aside], []
        batches = [batch for batch in batches if batch]
        if view.decision.name == "TARGET" and batches:
            assert (view.card, view.to_act) == batches[-1].pop(0)
            resolved += 1
    assert resolved == 60


@given(st.lists(st.integers(0, KINDS - 1), max_size=20))
def test_cards_round_trip(cards):
    assert parse_cards(format_cards(cards)) == cards


@given(st.integers(-1, MOVES - 1))
def test_moves_round_trip(number):
    move = VengeanceMove(number)
    assert VengeanceMove(str(move)) == move
    assert eval(repr(move)) == move


def test_moves_by_all_their_words():
    assert {VengeanceMove(word) for word in ("hit", "twist", "H", " draw ")} == {VengeanceMove("hit")}
    assert {VengeanceMove(word) for word in ("stay", "pass", "stick", "S")} == {VengeanceMove("stay")}
    assert VengeanceMove("seat 3") == VengeanceMove("@3") == VengeanceMove("3")
    assert VengeanceMove("Unlucky-7@2") == VengeanceMove("u7@2")
    assert VengeanceMove("u7@2").card == UNLUCKY_7


@pytest.mark.parametrize("text", ["", "hits", "@36", "seat", "-1", "@1 2", "f4@1", "7@99"])
def test_what_is_no_move_is_refused(text):
    with pytest.raises(NotationError, match="is not a move; moves are hit, stay"):
        VengeanceMove(text)


@pytest.mark.parametrize("text", ["14", "+3", "x2", "joker"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError, match="is not a card; cards are written 0 1 2"):
        parse_cards(text)
