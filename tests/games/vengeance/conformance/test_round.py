"""A round, from its first card to the next deal: V3 to V7."""

from __future__ import annotations

import pytest

from pitboss.core.errors import IllegalMove
from tests.games.vengeance.conformance.taped import ALL, MANY, WHOLE, Table, holding, presets


@presets(*MANY)
def test_V03_order(preset):
    table = Table(preset)
    assert table.view.dealer == 2
    assert table.asked == "card for 0"
    table.tell("5 7")
    assert table.asked == "card for 2"
    table.tell("9")
    assert table.asked == "0: stay hit"
    table.tell("0:hit 6")
    assert table.asked == "1: stay hit"
    assert table.heard("dealt") == [0]
    table.tell("1:stay 2:hit 8")
    assert table.asked == "0: stay hit"
    table.tell("0:stay 2:hit 1 2:stay")
    assert table.view.round == 2
    assert table.view.dealer == 0
    assert table.asked == "card for 1"
    table.tell("5 6 7")
    assert table.asked == "1: stay hit"


@presets("solo")
def test_V03_alone(preset):
    table = Table(preset, seats=1).tell("5 0:hit 6 0:stay")
    assert table.totals == [11]
    assert table.asked == "card for 0"
    assert table.view.round == 2


@presets(*WHOLE)
def test_V03_actions_come_before_the_next_card(preset):
    table = Table(preset).tell("5 j1")
    assert table.asked == "1 j1: @0 @1 @2"
    table.tell("1:@2")
    assert table.asked == "card for 2"
    table.tell("12")
    assert table.status == "active active stayed"
    assert table.asked == "0: stay hit", "who has stayed before its own first card got one"
    table.tell("0:stay")
    assert table.asked == "1: stay hit"


@presets(*WHOLE)
def test_V03_modifiers_come_before_the_next_card(preset):
    table = Table(preset).tell("-4")
    assert table.asked == "0 -4: @0 @1 @2"
    table.tell("0:@1")
    assert table.asked == "card for 1"


@presets(*WHOLE)
def test_V03_bust_before_the_first_card(preset):
    table = Table(preset).tell("f4 0:@1 5 5")
    assert table.heard("busted") == [1]
    assert table.asked == "card for 2"


@presets(*WHOLE)
def test_V03_four_cards_do_not_replace_the_first(preset):
    table = Table(preset).tell("f4 0:@1 5 6 8 9")
    assert table.asked == "card for 1"


@presets(*MANY)
def test_V04_stay(preset):
    table = Table(preset).tell("5 7 9 0:stay")
    assert table.status == "stayed active active"
    assert table.log[-1] == "A stays with 5"
    table.tell("1:hit 8 2:hit 6")
    assert table.asked == "1: stay hit"
    assert table.totals == [0, 0, 0]
    assert table.finish().totals == [5, 15, 15]


@presets(*WHOLE)
def test_V04_stay_with_nothing(preset):
    table = Table(preset).tell("-4 0:@1 7 9")
    assert table.asked == "0: stay hit"
    assert table.tell("0:stay").points == [0, 3, 9]


def test_V04_a_line_is_touched_after_its_owner_has_stayed():
    table = Table("standard").tell("5 7 9 0:stay 1:hit st 1:@1 1:5@0")
    assert table.points == [0, 12, 9]
    assert table.status == "stayed active active"
    assert table.finish().totals == [0, 12, 9]


@presets(*ALL)
def test_V05_bust(preset):
    table = holding(preset, "5 9")
    table.tell("0:hit 5")
    assert table.heard("busted") == [0]
    assert table.log[2] == "A busts on another 5"
    assert table.totals[0] == 0
    assert table.position.states["busts"][0][0] == 1


@presets(*MANY)
def test_V05_a_bust_player_is_out(preset):
    table = Table(preset).tell("5 7 9 0:hit 5")
    assert table.status == "busted active active"
    assert table.front(0) == "5 5"
    assert table.points == [0, 7, 9]
    table.tell("1:hit 2 2:hit 3")
    assert table.asked == "1: stay hit"
    assert table.finish().totals == [0, 9, 12]


@presets(*WHOLE)
def test_V05_no_card_of_a_bust_line_can_be_chosen(preset):
    table = Table(preset).tell("5 7 9 0:hit 5 1:hit di")
    if preset != "quick":
        assert table.asked == "1 di: @1 @2"
        table.tell("1:@1")
    assert table.asked == "1 picks di: 7@1 9@2"


def test_V05_busts_by_swap_also_those_who_stayed():
    table = Table("standard").tell("10 10 9 0:hit 11 1:hit 11 2:stay 0:stay 1:hit sw 1:@1")
    table.tell("1:10@0 1:11@1")
    assert table.heard("busted") == [0, 1]
    assert table.log[2:4] == ["A busts on another 11", "B busts on another 10"]
    assert table.totals == [0, 0, 9]


def test_V05_bust_by_steal():
    table = Table("standard").tell("10 10 9 0:hit st 0:@0 0:10@1")
    assert table.status == "busted active active"
    assert table.front(0) == "10 10"
    assert table.front(1) == ""


@presets(*ALL)
def test_V06_flip_7_ends_the_round(preset):
    table = holding(preset, "1 2 3 4 5 6")
    assert table.points[0] == 21
    table.tell("0:hit 8")
    assert table.heard("flip 7") == [0]
    assert table.position.states["flip7s"][0][0] == 1
    if preset == "brutal":
        table.tell("0:@0")
    assert table.view.round == 2
    assert table.totals == [29 + 15, 12][: len(table.seats)]


@presets(*MANY)
def test_V06_for_everyone(preset):
    table = Table(preset).tell("1 12 9 0:hit 2 1:hit 11 2:hit 9 0:hit 3 1:hit 10 0:hit 4 1:hit 8 0:hit 5 1:hit 7")
    table.tell("0:hit 6 1:hit 13 0:hit 8")
    if preset == "brutal":
        assert table.status == "flip_7 active busted"
        table.tell("0:@0")
    assert table.totals == [44, 61, 0]
    assert table.heard("round scored") == [0, 1, 2]
    assert table.view.round == 2


@presets(*ALL)
def test_V06_two_thirteens_count_once(preset):
    table = holding(preset, "13 l13 1 2 3 4 5")
    assert table.view.seats[0].number_count == 6
    assert table.asked == "0: stay hit"
    assert table.tell("0:hit 6").heard("flip 7") == [0]


@presets(*ALL)
def test_V06_or_twice(preset):
    table = holding(f"{preset}(thirteens=twice)", "13 l13 1 2 3 4")
    assert table.view.seats[0].number_count == 6
    table.tell("0:hit 5")
    assert table.heard("flip 7") == [0]


def test_V06_twice_when_one_leaves():
    table = Table("standard(thirteens=twice)", seats=2).tell("13 9 0:hit l13 1:hit di 1:@1 1:l13@0")
    assert table.view.seats[0].number_count == 1


@presets(*WHOLE)
def test_V06_what_waits_is_discarded(preset):
    table = Table(preset, seats=2).tell("1 12 0:hit 2 1:stay 0:hit 3 0:hit 4 0:hit 5 0:hit f4")
    if preset != "quick":
        table.tell("0:@0")
    table.tell("sw -4 6 8")
    assert table.heard("flip 7") == [0]
    assert [line for line in table.log if "discarded" in line] == ["Swap of A is discarded", "−4 of A is discarded"]
    if preset == "brutal":
        table.tell("0:@0")
    assert table.totals == [44, 12]


@presets(*MANY)
def test_V07_end_of_a_round(preset):
    table = Table(preset).tell("5 7 9 0:stay 1:hit 7 2:stay")
    assert table.heard("round scored") == [0, 1, 2]
    assert table.totals == [5, 0, 9]
    assert list(table.position.states["last"][0][:3]) == [5, 0, 9]
    assert table.view.round == 2
    assert table.discards == "5 7 7 9"
    assert "5 7 7 9" not in table.left


@presets(*MANY)
def test_V07_a_new_deck_has_no_cards_of_the_table(preset):
    table = Table(preset).tell("5 7 9 0:hit 5 1:hit 8 2:hit 10").stack("12")
    assert not table.heard("reshuffled")
    table.tell("1:hit 12")
    assert table.asked == "2: stay hit"
    table.tell("2:hit")
    assert table.heard("reshuffled") == [-1]
    assert table.discards == ""
    left = table.left.split()
    assert (left.count("5"), left.count("7"), left.count("9"), left.count("12")) == (3, 5, 8, 11)
    assert len(left) == sum(table.position.game.rules.deck) - 7


@presets(*WHOLE)
def test_V07_a_new_deck_has_neither_what_waits_nor_what_is_carried_out(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@0").stack("sw -4")
    table.tell("sw -4")
    assert table.heard("reshuffled") == [-1]
    left = table.left.split()
    assert (left.count("f4"), left.count("sw"), left.count("-4")) == (1, 1, 0)
    table.tell("10 11")
    assert table.discards.count("f4") == 1


@presets(*WHOLE)
def test_V07_a_new_deck_of_one_card(preset):
    table = Table(preset, seats=2).tell("5 7").stack("st 9").only()
    table.tell("0:hit st 0:@0 1:hit 9" if preset != "quick" else "0:hit st 1:hit 9")
    assert table.discards == "st"
    assert [event.kind for event in table.tell("0:hit").events] == ["hits", "reshuffled"]


@presets(*WHOLE)
def test_V07_a_new_deck_lacks_an_action_only_once(preset):
    table = Table(preset).tell("5 7 9 0:hit f4").stack("")
    table.tell("0:@0")
    assert table.heard("reshuffled") == [-1]
    assert table.left.split().count("f4") == 1


@presets(*MANY)
def test_V07_a_card_that_is_gone_does_not_come_again(preset):
    table = Table(preset).tell("0")
    with pytest.raises(IllegalMove, match="0"):
        table.position.apply("0")


@presets(*ALL)
def test_V07_no_card_left(preset):
    table = holding(preset, "5").stack("").only()
    table.tell("0:hit")
    assert table.heard("out of cards") == [0]
    assert preset == "solo" or not table.heard("reshuffled"), "alone, the next round begins at once"
    assert (table if preset == "solo" else table.finish()).totals[0] == 5


@presets(*MANY)
def test_V07_no_card_left_for_the_zero(preset):
    table = Table(preset).tell("5 0 9").stack("").only()
    table.tell("0:stay")
    assert table.heard("out of cards") == [1]
    assert table.status == "stayed stayed active"


@presets(*WHOLE)
def test_V07_no_card_left_for_four(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1").stack("10 di").only()
    table.tell("10")
    assert table.asked == "card for 1"
    table.tell("di")
    assert table.heard("out of cards") == [1]
    assert table.status == "active stayed active"
    assert table.asked.startswith("1 picks di" if preset == "quick" else "1 di")


@presets(*WHOLE)
def test_V07_no_card_left_for_the_opening(preset):
    table = Table(preset).stack("5 6").only().tell("5 6")
    assert table.status == "active active stayed"
    assert table.asked == "0: stay hit"
