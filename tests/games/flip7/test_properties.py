"""What must hold in any game, under any mixture of rules, whatever is dealt and decided."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import load
from pitboss.core.errors import NotationError, SpecError
from pitboss.core.step import FAULT, OVER
from pitboss.games.flip7.cards import FLIP_THREE, KINDS, NUMBERS, SECOND_CHANCE, format_cards, parse_cards
from pitboss.games.flip7.events import MOST_EVENTS
from pitboss.games.flip7.moves import Move
from pitboss.games.flip7.notation import format_position, parse_position
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.state import ASSIGN, BUSTED

MIXTURES = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from([*switch.others(None)]) if switch.choices else st.booleans()
        for name, switch in Flip7Rules.switches().items()
        if name not in ("target", "max_rounds", "copies", "solo")
    },
)


@st.composite
def tables(draw):
    """A table with rules mixed at will, and luck for it."""
    preset = draw(st.sampled_from(sorted(Flip7Rules.presets)))
    rules = Flip7Rules.presets[preset]
    for name, value in draw(MIXTURES).items():
        try:
            rules = rules.change({name: value})
        except SpecError:
            continue
    seats = 1 if rules.solo else draw(st.integers(2, 6))
    rules = rules.change({"target": draw(st.sampled_from([30, 120])), "max_rounds": 12})
    return load(f"flip7:{rules}"), seats, draw(st.integers(0, 2**32)), draw(st.sampled_from([0.0, 0.1]))


def independent_score(cards):
    """The score of a hand, by the book and nothing else."""
    numbers = [k for k in cards if k < NUMBERS]
    total = sum(numbers) * (2 if 18 in cards else 1) + sum(2 * (k - 12) for k in cards if 13 <= k <= 17)
    return total + 15 * (len(set(numbers)) == 7)


def check(position):
    s, deck = position.states[0], np.array(position.game.rules.deck)
    table = s["front"][: position.seats].sum(axis=0).astype(int)
    for i in range(int(s["waiting"])):
        table[s["waiting_card"][i]] += 1
    if s["flipping"]:
        table[FLIP_THREE] += 1
    if s["card"] >= 0 and s["decision"] != ASSIGN:
        table[s["card"]] += 1
    assert (s["left"] + s["discards"] + s["spent"] + table == deck).all()
    assert (s["left"] >= 0).all()
    assert int(s["left_total"]) == s["left"].sum()
    assert int(s["active"]) == (s["status"][: position.seats] == 0).sum()
    for seat in range(position.seats):
        cards = [k for k in range(KINDS) for _ in range(int(s["front"][seat, k]))]
        busted = s["status"][seat] == BUSTED
        assert int(s["points"][seat]) == (0 if busted else independent_score(cards))
        numbers = [k for k in cards if k < NUMBERS]
        assert busted or len(numbers) == len(set(numbers)) <= 7
        assert not s["chance"][seat] or SECOND_CHANCE in cards


@given(tables())
@settings(max_examples=150)
def test_any_game(table):
    game, seats, seed, faults = table
    rng = np.random.default_rng(seed)
    position = game.start(seats)
    totals = [0] * seats
    steps = 0
    events = position.events()
    while not position.over:
        check(position)
        legal = position.legal
        assert len(legal) > 0
        assert position.to_act == -1 or len(legal) > 1  # what has one answer is not asked
        assert FAULT not in legal
        if steps % 8 == 0:
            assert parse_position(format_position(position)) == position
        if position.to_act >= 0:
            view = position.view(position.to_act)
            assert [int(m) for m in view.legal] == list(legal)
            assert view.points == int(position.states[0]["points"][view.seat])
        move = legal[int(rng.integers(len(legal)))]
        if position.to_act >= 0 and rng.random() < faults:
            move = FAULT
        before = position.copy()
        assert int(position.buffer[0, 0]) == 0
        game.loops.apply(position.states, game.record, move, position.buffer)
        assert int(position.buffer[0, 0]) <= MOST_EVENTS
        events = position.events()
        assert before.apply(move) == events
        assert before == position
        for event in events:
            if event.kind == "round scored":
                totals[event.seat] += event.a
                assert totals[event.seat] == event.b
        steps += 1
        assert steps < 5000
    assert position.to_act == OVER
    assert list(position.outcome.scores) == totals
    assert totals == [int(t) for t in position.states[0]["total"][:seats]]
    if position.outcome.ended != "cut":
        assert max(totals) >= game.rules.target
        assert all(totals[w] == max(totals) for w in position.outcome.winners)
    assert abs(sum(position.outcome.shares) - (position.outcome.ended != "cut")) < 1e-9


@pytest.mark.parametrize("seats", [1, 2, 18, 36])
def test_conservation_at_every_size(seats):
    """A long game to the very end, at the smallest and the largest tables."""
    spec = "flip7:solo" if seats == 1 else f"flip7:official(target=60, copies={2 if seats > 18 else 1})"
    position = load(spec).start(seats)
    rng = np.random.default_rng(seats)
    most = 0
    while not position.over:
        check(position)
        legal = position.legal
        if position.to_act >= 0 and "hit" in legal and rng.random() < 0.7:
            position.verify(Move("hit"))
            move = int(Move("hit"))
        else:
            move = legal[int(rng.integers(len(legal)))]
        position.game.loops.apply(position.states, position.game.record, move, position.buffer)
        most = max(most, int(position.buffer[0, 0]))
        position.events()
    assert most <= MOST_EVENTS


@given(st.lists(st.integers(0, KINDS - 1), max_size=20))
def test_cards_round_trip(cards):
    assert parse_cards(format_cards(cards)) == cards


@given(st.integers(-1, 39))
def test_moves_round_trip(number):
    move = Move(number)
    assert Move(str(move)) == move
    assert eval(repr(move)) == move


def test_moves_by_all_their_words():
    assert {Move(w) for w in ("hit", "twist", "H", " draw ")} == {Move("hit")}
    assert {Move(w) for w in ("stay", "pass", "sit", "stick", "S")} == {Move("stay")}
    assert Move("seat 3") == Move("@3") == Move("3")


@pytest.mark.parametrize("text", ["", "hits", "@36", "seat", "-1", "@1 2"])
def test_what_is_no_move_is_refused(text):
    with pytest.raises(NotationError, match="is not a move; moves are hit, stay"):
        Move(text)


@pytest.mark.parametrize("text", ["13", "+3", "x3", "joker", ""])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError, match="is not a card; cards are written 0 1 2"):
        parse_cards(text or "''")


@pytest.mark.parametrize(
    "text", ["flip7:solo; colour=1", "flip7:solo; left=13", "flip7:solo; round=x", "flip7:solo; left=12*x"]
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(NotationError):
        parse_position(text)
