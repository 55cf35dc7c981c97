"""H1 to H4: the cards, the deal, and the first look."""

from __future__ import annotations

import pytest

from pitboss.core.errors import IllegalMove, NotationError, SpecError
from pitboss.games.show.cards import POINTS
from tests.games.show.conformance.taped import ALL, Table, opened, presets

FACES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
BLACK = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
RED = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0]

# --- cards ---


def test_H01_points_of_all_cards():
    assert POINTS[1:].tolist() == [*BLACK, *RED, *RED, *BLACK, -1, -1]


@presets(*ALL)
def test_H01_one_of_each_card(preset):
    assert Table(preset).position.legal[:] == tuple(range(1, 55))


@presets(*ALL)
@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("As 2s", "3h 4h", [3, 7]), ("5d 6d", "7c 8c", [11, 15]), ("9s 10s", "Jh 9h", [19, 20]),
        ("Qd Js", "Ks Jc", [23, 24]), ("Kh Kd", "As *2", [0, 0]), ("*1 *2", "Kh Kd", [-2, 0]),
        ("Kc 3s", "Kd 3h", [16, 3]), ("Ad Kh", "*1 2c", [1, 1]),
    ],
)  # fmt: skip
def test_H01_hands_are_worth_their_points(preset, first, second, points):
    cards = [card for pair in zip(first.split(), second.split(), strict=True) for card in pair]
    t = Table(f"{preset}(call_from_turn=1, last_turn_after_p1=false)")
    t.tell(f"{' '.join(cards)} 0:0 1:0 4s 0:discard 0:show")
    assert t.points == points


def test_H02_numbers_of_all_cards():
    game = Table("classic").position.game
    for number, suit in ((1, "s"), (14, "h"), (27, "d"), (40, "c")):
        for place, face in enumerate(FACES):
            assert game.parse_card(face + suit) == number + place
            assert game.format_card(number + place) == face + suit
    assert [game.parse_card(joker) for joker in ("*1", "*2")] == [53, 54]


@presets(*ALL)
def test_H02_a_view_has_numbers_and_unknown_is_minus_one(preset):
    t = Table(preset).tell("Kd *1 Qc As")
    assert t.view(0).own == t.view(0).other == t.view(1).own == [-1, -1]
    t.tell("0:0 1:0 10h")
    assert (t.view(0).own, t.view(1).own) == ([39, -1], [53, -1])
    assert (t.view(0).drawn, t.view(1).drawn) == (23, -1)


def test_H02_the_dealer_cannot_deal_a_card_twice():
    t = Table("classic").tell("As")
    with pytest.raises(IllegalMove):
        t.position.apply("As")
    with pytest.raises(NotationError):
        t.position.apply("1x")


# --- deal ---


@presets(*ALL)
def test_H03_two_cards_each_dealt_alternately(preset):
    t = Table(preset)
    for seat, card in enumerate(["As", "5h", "Kd", "9c"]):
        assert t.asked == f"card for {seat % 2}"
        t.tell(card)
        assert t.heard(0) == t.heard(1) == [f"{seat % 2} dealt {seat // 2} ?"]
    assert (t.hand(0), t.hand(1)) == ("As Kd", "5h 9c")
    assert t.knows(0) == t.knows(1) == "? ? / ? ?"


@presets(*ALL)
def test_H03_the_rest_is_the_draw_pile(preset):
    t = opened(preset)
    assert (t.view(0).cards_left, t.graveyard) == (50, "")
    assert len(t.position.legal) == 50
    assert not {"2s", "3h", "8s", "9h"} & set(str(t.position.legal).split(", "))


@presets(*ALL)
def test_H03_slots_keep_their_place(preset):
    assert opened(preset, "7d 0:keep 0:0").hand(0) == "7d 8s"
    assert opened(preset, "7d 0:keep 0:1").hand(0) == "2s 7d"


def test_H03_two_players():
    game = Table("classic").position.game
    for seats in (1, 3):
        with pytest.raises(SpecError):
            game.start(seats)


def test_H03_a_new_game_forgets_the_last_one():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:1 0:swap 0:play-on Qd 1:discard 1:yes 1:0 1:1 1:show 4d 0:keep 0:0")
    assert t.over
    used, game, fresh = t.position, t.position.game, Table("full").position
    game.loops.start(used.states, game.record, 2, used.buffer)
    for name in set(used.states.dtype.names) - {"grave"}:
        assert (used.states[name] == fresh.states[name]).all(), name
    story = ["2s", "3h", "8s", "9h", "0", "0", "10d", "discard", "yes", "1"]
    for word in [None, *story]:
        if word:
            used.apply(word)
            fresh.apply(word)
        for seat in (0, 1):
            assert (used.view(seat).record == fresh.view(seat).record).all()


def test_H03_nor_does_a_game_that_broke_off():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:1 0:leave 0:play-on Kc 1:discard 1:yes 1:1 1:1 1:fault")
    t.position.game.loops.start(t.position.states, t.position.game.record, 2, t.position.buffer)
    assert not t.position.states["power"][0]
    t = opened("full", "Kd 0:keep 0:fault")
    t.position.game.loops.start(t.position.states, t.position.game.record, 2, t.position.buffer)
    assert not t.position.states["drawn"][0]
    t = opened("full(deck=2s 8s 3h 9h 4d)", "4d 0:discard 0:play-on")
    assert t.deck_out
    t.position.game.loops.start(t.position.states, t.position.game.record, 2, t.position.buffer)
    assert not t.deck_out


# --- the first look ---


@presets(*ALL)
def test_H04_player_1_looks_first_then_player_2(preset):
    t = Table(preset).tell("2s 3h 8s 9h")
    assert (t.asked, t.code) == ("0: peek", 60)
    assert t.tell("0:1").knows(0) == "? 8s / ? ?"
    assert (t.asked, t.code) == ("1: peek", 61)
    assert t.tell("1:0").knows(1) == "3h ? / ? ?"
    assert (t.asked, t.code) == ("card for 0", 0)


@presets(*ALL)
@pytest.mark.parametrize(("answer", "sees"), [("0", "2s ? / ? ?"), ("1", "? 8s / ? ?")])
def test_H04_at_either_slot(preset, answer, sees):
    assert Table(preset).tell(f"2s 3h 8s 9h 0:{answer}").knows(0) == sees


@presets(*ALL)
def test_H04_which_slot_is_public_the_card_is_not(preset):
    t = Table(preset).tell("2s 3h 8s 9h").tell("0:1 1:0")
    assert t.heard(0) == ["0 peeked 1 8s", "1 peeked 0 ?"]
    assert t.heard(1) == ["0 peeked 1 ?", "1 peeked 0 3h"]
    assert t.view(1).record["other_known_to_other"].tolist() == [0, 1]
    assert t.view(0).record["other_known_to_other"].tolist() == [1, 0]
    assert t.view(0).record["own_known_to_other"].tolist() == [0, 0]
