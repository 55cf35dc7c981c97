"""Cards and the special numbers: V1, V2, V8 to V10."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss.core.errors import SpecError
from tests.games.vengeance.conformance.taped import ALL, MANY, WHOLE, Table, holding, presets


@presets(*ALL)
def test_V01_deck(preset):
    table = Table(preset, seats=1 if preset == "solo" else 3)
    deck = Counter(table.left.split())
    numbers = {"0": 1, **{str(n): n for n in range(1, 14)}, "7": 6, "13": 12, "u7": 1, "l13": 1}
    assert {card: deck[card] for card in numbers} == numbers
    assert sum(numbers.values()) == 92
    rest = deck - Counter(numbers)
    if preset in WHOLE:
        modifiers = dict.fromkeys(("-2", "-4", "-6", "-8", "-10", "/2"), 1)
        assert rest == Counter({**modifiers, **dict.fromkeys(("j1", "f4", "sw", "st", "di"), 2)})
        assert deck.total() == 108
    else:
        assert not rest


def test_V01_two_decks_are_mixed():
    table = Table("standard(copies=2)", seats=20)
    assert len(table.left.split()) == 216
    with pytest.raises(SpecError, match="2 to 18 seats, not 19; copies=2 makes room for 36"):
        Table("standard", seats=19)


@presets(*WHOLE)
def test_V02_actions_never_lie_in_a_line(preset):
    table = Table(preset).tell("5 f4 1:@2 9 8 10 11")
    assert [table.front(seat) for seat in table.seats] == ["5", "", "8 9 10 11"]
    assert table.asked == "card for 2"
    assert table.discards == "f4"
    table.tell("-4 2:@1")
    assert [table.front(seat) for seat in table.seats] == ["5", "-4", "8 9 10 11"]


# --- The Zero ---


@presets(*MANY)
def test_V08_zero_is_worth_nothing_and_must_hit(preset):
    table = Table(preset).tell("10 0 12 0:hit 9")
    assert table.asked == "card for 1", "the holder of The Zero was asked"
    assert table.heard("hits") == [0, 1]
    table.tell("13 2:stay 0:stay")
    assert table.asked == "card for 1"
    assert table.points == [19, 0, 12]
    table.tell("13")
    assert table.totals == [19, 0, 12]


@presets(*ALL)
def test_V08_zero_counts_for_a_flip_7(preset):
    table = holding(preset, "0 1 2 3 4 5")
    assert table.points[0] == 0
    assert table.asked == "card for 0"
    table.tell("6")
    if preset == "brutal":
        table.tell("0:@0")
    assert table.heard("flip 7") or preset == "brutal"
    assert table.totals[0] == 21 + 15


@presets(*ALL)
def test_V08_zero_busts_like_any_number(preset):
    table = holding(f"{preset}(copies=2)", "0")
    table.tell("0")
    assert table.heard("busted") == [0]


def test_V08_zero_leaves():
    table = Table("standard").tell("10 0 di 2:@1 1:0@1 0:hit 9")
    assert table.asked == "1: stay hit"
    table.tell("1:hit 7")
    assert table.points == [19, 7, 0]


# --- Unlucky 7 ---


@presets(*ALL)
def test_V09_unlucky_7_discards_the_line(preset):
    table = holding(preset, "7 9 10")
    table.tell("0:hit u7")
    assert table.heard("discarded") == [0, 0, 0]
    assert table.front(0) == "u7"
    assert table.points[0] == 7
    assert table.status.split()[0] == "active"
    assert table.discards == "7 9 10"
    table.tell("0:hit 9")
    assert table.points[0] == 16
    assert not table.heard("busted")
    table.tell("0:hit 7")
    assert table.heard("busted") == [0]


@presets(*WHOLE)
def test_V09_unlucky_7_discards_modifiers(preset):
    table = Table(preset).tell("5 -6 1:@0 l13 0:hit /2 0:@0 1:hit 4 2:stay 0:hit u7")
    assert table.front(0) == "u7"
    assert table.discards == "5 -6 /2"
    assert table.points[0] == 7


@presets(*ALL)
def test_V09_seven_after_it_busts_and_it_begins_the_count_anew(preset):
    table = holding(preset, "1 2 3 4 5 6")
    table.tell("0:hit u7")
    assert table.status.split()[0] == "active"
    table.tell("0:hit 8 0:hit 9 0:hit 10 0:hit 11 0:hit 12")
    assert table.status.split()[0] == "active"
    assert table.view.seats[0].number_count == 6
    table.tell("0:hit 2")
    assert table.heard("flip 7") == [0]


@presets(*ALL)
def test_V09_a_second_unlucky_7_discards_the_first(preset):
    table = holding(f"{preset}(copies=2)", "u7 13 l13")
    table.tell("0:hit u7")
    assert table.front(0) == "u7"
    assert table.discards == "13 u7 l13"
    assert table.points[0] == 7


@presets(*WHOLE)
def test_V09_two_cards_of_a_kind_are_both_discarded(preset):
    table = holding(f"{preset}(copies=2)", "l13 l13").tell("0:hit u7")
    assert table.discards == "l13 l13"
    assert table.view.seats[0].cards == [14]


# --- Lucky 13 ---


@presets(*ALL)
@pytest.mark.parametrize("cards", ["13 l13", "l13 13"])
def test_V10_two_thirteens(preset, cards):
    table = holding(preset, cards)
    assert table.points[0] == 26
    assert table.view.seats[0].number_count == 1
    table.tell("0:hit 13")
    assert table.heard("busted") == [0]


@presets(*ALL)
def test_V10_without_it_a_second_thirteen_busts(preset):
    assert holding(preset, "13").tell("0:hit 13").heard("busted") == [0]


@presets(*ALL)
def test_V10_two_lucky_ones_bear_each_other(preset):
    table = holding(f"{preset}(copies=2)", "l13 l13")
    assert table.points[0] == 26
    assert table.view.seats[0].number_count == 1
    assert table.tell("0:hit 13").heard("busted") == [0]
    third = holding(f"{preset}(copies=2)", "13 l13")
    assert third.tell("0:hit l13").heard("busted") == [0]


def test_V10_lucky_13_leaves():
    table = Table("standard", seats=2).tell("13 9 0:hit l13 1:hit di 1:@1 1:l13@0")
    assert table.front(0) == "13"
    assert table.points == [13, 9]
    assert table.view.seats[0].number_count == 1
    assert table.tell("0:hit 13").heard("busted") == [0]


def test_V10_the_other_13_leaves():
    table = Table("standard", seats=2).tell("13 9 0:hit l13 1:hit di 1:@1 1:13@0")
    assert table.front(0) == "l13"
    assert table.view.seats[0].number_count == 1
    assert table.tell("0:hit 13").points == [26, 9]
