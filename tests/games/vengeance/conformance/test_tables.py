"""Faults, what bots see, and smaller tables: V24 to V26."""

from __future__ import annotations

import numpy as np

from tests.games.vengeance.conformance.taped import AIMED, ALL, MANY, WHOLE, Table, presets


@presets(*MANY)
def test_V24_an_active_player_busts(preset):
    table = Table(preset).tell("5 7 9 0:fault")
    assert table.status == "busted active active"
    assert table.heard("fault") == [0]
    assert table.front(0) == "5"
    assert table.asked == "1: stay hit"
    assert table.finish().totals == [0, 7, 9]


@presets(*WHOLE)
def test_V24_the_card_in_question_is_discarded(preset):
    table = Table(preset).tell("5 7 9 0:hit -4 0:fault")
    assert table.status == "busted active active"
    assert table.discards == "-4"
    assert table.heard("discarded") == [0]


@presets(*AIMED)
def test_V24_one_who_has_stayed_makes_no_choice(preset):
    table = Table(preset).tell("5 7 9 0:stay 1:hit sw 1:@0 0:fault")
    assert table.status == "stayed active active"
    assert table.discards == "sw"
    assert table.points == [5, 7, 9]
    table = Table(preset).tell("5 7 9 0:stay 1:hit sw 1:@0 0:5@0 0:fault")
    assert table.points == [5, 7, 9]
    assert table.discards == "sw"
    table.tell("2:hit di 2:@2")
    assert table.asked == "2 picks di: 5@0 7@1 9@2"


@presets(*AIMED)
def test_V24_what_it_has_waiting_is_discarded(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 -4 -6 10 11 1:fault")
    assert table.status == "active busted active"
    assert table.discards == "-4 -6 f4"


def test_V24_the_bonus_remains():
    table = Table("brutal", seats=2).tell("1 12 0:hit 2 1:stay 0:hit 3 0:hit 4 0:hit 5 0:hit 6 0:hit 8 0:fault")
    assert table.totals == [44, 12]


@presets(*WHOLE)
def test_V25_everything_is_open(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 sw -4 10")
    view = table.position.view(2)
    assert [seat.cards for seat in view.seats] == [[5], [7, 10], [9]]
    assert [card for card, _ in view.waiting] == [24, 17]
    assert view.cards_left == len(table.left.split()) == 108 - 7
    assert view.round == 1
    for seat in table.seats:
        assert table.position.view(seat).raw == view.raw


@presets(*MANY)
def test_V25_the_state_holds_no_order(preset):
    """Two tables that got the same cards in another order do not differ in what is left."""
    one, other = Table(preset).tell("5 7 9 0:hit 8 1:hit 10"), Table(preset).tell("5 7 9 0:hit 8 1:hit 10")
    assert np.array_equal(one.position.states, other.position.states)
    assert one.view.left == Table(preset).tell("10 8 5 0:hit 9 1:hit 7").view.left


@presets(*ALL)
def test_V26_smaller_decks(preset):
    game = Table(preset, seats=1 if preset == "solo" else 2).position.game
    assert sum(game.rules.deck) == (108 if preset in WHOLE else 92)
    bare = type(game).parse(f"{preset}(modifiers=false, actions=false)")
    assert sum(bare.rules.deck) == 92
    assert sum(type(game).parse(f"{preset}(modifiers=true, actions=false)").rules.deck) == 98
    assert sum(type(game).parse(f"{preset}(modifiers=false, actions=true)").rules.deck) == 102


def test_V26_alone_with_all_cards():
    """Nothing is asked: every card falls on the only player, and a Swap or a Steal has no use."""
    table = Table("solo(modifiers=true, actions=true)", seats=1).tell("10 0:hit -4 0:hit sw 0:hit st 0:hit 9")
    assert table.front(0) == "9 10 -4"
    assert table.discards == "sw st"
    table.tell("0:hit di")
    assert table.asked == "0 picks di: 9@0 10@0 -4@0"
    table.tell("0:-4@0 0:hit f4 8 11 12")
    assert table.asked == "card for 0"
    table.tell("13 0:hit j1")
    assert table.asked == "card for 0"
    table.tell("6")
    assert table.heard("flip 7") == [0]
    assert table.totals == [6 + 8 + 9 + 10 + 11 + 12 + 13 + 15]
