"""C: what all rule books have in common."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from taped import ACTION, AIMED, ALL, MODIFIED, TABLES, Table, holding, presets

import pitboss
from pitboss.core.errors import SpecError

NUMBERS = "0 " + " ".join(f"{n} " * n for n in range(1, 13)).strip()
MODIFIERS = "+2 +4 +6 +8 +10 x2"
ACTIONS = "fz fz fz f3 f3 f3 sc sc sc"


# --- cards and what they are worth ---


@pytest.mark.parametrize(
    ("preset", "cards", "how_many"),
    [
        ("numbers", NUMBERS, 79),
        ("solo", f"{NUMBERS} {MODIFIERS}", 85),
        *((preset, f"{NUMBERS} {MODIFIERS} {ACTIONS}", 94) for preset in ACTION),
    ],
)
def test_C01_the_deck(preset, cards, how_many):
    deck = Table(preset, seats=1 if preset == "solo" else 2).left.split()
    assert Counter(deck) == Counter(cards.split())
    assert len(deck) == how_many


@presets(*TABLES)
def test_C02_a_number_held_already_busts(preset):
    t = Table(preset, seats=2).tell("5 12 0:hit 5")
    assert t.status == "busted active"
    assert t.front(0) == "5 5"
    assert t.tell("1:stay").totals == [0, 12]


def test_C02_a_number_held_already_busts_alone():
    t = holding("solo", "5 9").tell("0:hit 9")
    assert t.heard("busted") == [0]
    assert t.totals == [0]
    assert t.view.round == 2


@presets(*MODIFIED)
def test_C03_modifiers_never_bust(preset):
    t = holding(f"{preset}(copies=2)", "4 +4 x2 +4 x2")
    assert t.front(0) == "4 +4 +4 x2 x2"
    assert t.points[0] == 16


@presets(*MODIFIED)
def test_C03_modifiers_do_not_count_towards_seven(preset):
    t = holding(preset, "0 1 2 3 4 5 +2 x2 +10")
    assert t.asked == "0: stay hit"
    assert t.points[0] == 42


@presets("simulation", "official")
def test_C03_action_cards_do_not_count_towards_seven(preset):
    t = holding(preset, "0 1 2 3 4 5 sc")
    assert t.asked == "0: stay hit"
    assert t.tell("0:stay").totals[0] == 15


@presets(*MODIFIED)
@pytest.mark.parametrize(
    ("cards", "points"),
    [("x2", 0), ("+8", 8), ("x2 +6", 6), ("7 5 +4", 16), ("7 x2 5", 24), ("x2 7 5 +4 +10", 38), ("7 5 +2 +8 x2", 34)],
)
def test_C04_score(preset, cards, points):
    assert holding(preset, cards).finish().totals[0] == points


@presets(*MODIFIED)
def test_C04_two_x2_double_once(preset):
    t = holding(f"{preset}(copies=2)", "x2 7 x2 5").tell("0:stay")
    assert t.totals[0] == 24


@presets(*MODIFIED)
@pytest.mark.parametrize(("extra", "points"), [("", 36), ("x2", 57), ("+6", 42), ("x2 +10", 67)])
def test_C04_seven_numbers_add_fifteen_undoubled(preset, extra, points):
    t = holding(preset, f"0 1 2 3 4 5 {extra}").tell("0:hit 6")
    assert t.heard("flip 7") == [0]
    assert t.totals[0] == points


@presets(*ALL)
def test_C05_seven_different_numbers_end_your_round(preset):
    t = holding(preset, "12 0 10 9 8 7").tell("0:hit 11")
    assert t.heard("flip 7") == [0]
    assert t.totals[0] == 72
    assert t.view.round == 2


@presets(*TABLES)
def test_C05_six_numbers_are_not_enough(preset):
    t = holding(preset, "12 0 10 9 8 7").tell("0:stay")
    assert t.totals == [46, 12]


# --- the deck and the discards ---


@presets(*ALL)
def test_C06_the_next_round_goes_on_with_the_rest_of_the_deck(preset):
    t = holding(preset, "5 9")
    before = t.left
    assert t.discards == "-"
    t.tell("0:stay")
    assert t.left == before
    assert t.discards == ("5 9" if preset == "solo" else "5 9 12")
    assert not t.heard("reshuffled")


@presets(*ALL)
def test_C06_discards_return_when_a_card_is_due_and_the_deck_is_empty(preset):
    t = holding(preset, "5 9").stack("7").tell("0:hit 7")
    discards = t.discards
    assert (t.left, t.heard("reshuffled")) == ("-", [])
    t.tell("0:hit")
    assert t.heard("reshuffled") == [-1]
    assert (t.left, t.discards) == (discards, "-")


@presets(*TABLES)
def test_C06_cards_of_a_busted_player_are_not_shuffled_in(preset):
    t = Table(preset).tell("5 6 7 0:hit 5").stack("8").tell("1:hit 8 2:hit")
    assert Counter(t.left.split())["5"] == 3
    assert t.front(0) == "5 5"


@presets(*ALL)
@pytest.mark.parametrize("seed", range(4))
def test_C06_cards_are_conserved_whatever_happens(preset, seed):
    chance = random.Random(seed)
    t = Table(preset, seats=1 if preset == "solo" else 2 + seed)
    for _ in range(120):
        moves = list(t.position.legal)
        if t.asked.startswith("card"):
            t.tell(t.position.game.format_card(chance.choice(moves)))
        elif chance.random() < 0.03:
            t.tell(f"{t.position.to_act}:fault")
        else:
            t.tell(f"{t.position.to_act}:{t.position.game.format_move(chance.choice([*moves, moves[-1]]))}")
        if t.over:
            break


@presets(*ALL)
def test_C06_cards_are_conserved_when_the_game_is_over(preset):
    t = holding(f"{preset}(target=40)", "0 1 2 3 4 10")
    t.tell("0:hit 12" if preset not in AIMED else "0:hit f3 fz 12")
    assert t.over
    assert t.cards.total() == sum(n for _, n in t.position.game.deck())


@presets(*ALL)
def test_C07_without_a_card_a_hit_is_a_stay(preset):
    t = holding(preset, "5 9").stack("", back="")
    assert t.asked == "0: stay hit"
    t.tell("0:hit")
    assert t.heard("out of cards") == [0]
    assert t.totals[0] == 14


@presets(*TABLES)
def test_C07_without_a_card_there_is_no_opening(preset):
    t = Table(preset).stack("5", back="").tell("5")
    assert (t.heard("out of cards"), t.heard("reshuffled")) == ([1, 2], [])
    assert t.status == "active stayed stayed"
    assert t.asked == "0: stay hit"


def test_C07_stays_even_with_nothing_in_front():
    t = Table("official").stack("fz 7", back="").tell("fz 0:@1 7")
    assert t.heard("out of cards") == [0]
    assert t.status == "stayed frozen active"


@presets(*AIMED)
def test_C07_a_flip_three_ends_and_its_cards_are_resolved(preset):
    t = Table(preset).tell("5 6 7 0:hit f3 0:@1").stack("fz 9", back="").tell("fz 9")
    assert t.status == "active stayed active"
    assert t.points[1] == 15
    assert t.asked == ("1 fz: @0 @2" if preset == "tournament" else "1 assigns fz: @0 @2")
    assert t.tell("1:@2").status == "active stayed frozen"
    assert t.asked == "0: stay hit"


def test_C07_a_hit_of_three_ends():
    t = Table("simulation", seats=2).tell("f3 6").stack("9 2", back="").tell("0:hit 9 2")
    assert t.status == "stayed active"
    assert (t.points[0], t.discards) == (11, "f3")


# --- the game ---


@presets(*ALL)
def test_C08_the_target_ends_the_game(preset):
    t = holding(preset, "10 9").arrange(total=[181]).tell("0:stay")
    assert t.asked == "over"
    assert t.totals[0] == 200
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("won", (0,))


@presets(*ALL)
def test_C08_a_point_less_does_not(preset):
    t = holding(preset, "10 9").arrange(total=[180]).tell("0:stay")
    assert (t.totals[0], t.view.round) == (199, 2)


@presets(*TABLES)
def test_C08_the_highest_total_wins_not_the_first_to_get_there(preset):
    t = holding(preset, "10 9").arrange(total=[185, 199]).tell("0:stay")
    assert t.totals == [204, 211]
    assert t.position.outcome.winners == (1,)
    assert t.position.outcome.shares == (0, 1)


@presets(*TABLES)
def test_C08_totals_wait_for_the_end_of_the_round(preset):
    t = Table(preset).arrange(total=[199]).tell("5 6 7 0:stay 1:stay")
    assert t.totals == [199, 0, 0]
    assert t.tell("2:stay").totals == [204, 6, 7]


@presets(*TABLES)
def test_C08_a_tie_is_played_on_by_all(preset):
    t = Table(preset).arrange(total=[195, 194, 100], flip7s=[0, 1, 5]).tell("5 6 7 0:stay 1:stay 2:stay")
    assert t.totals == [200, 200, 107]
    assert (t.asked, t.view.round) == ("card for 1", 2)
    t.tell("2 12 2 1:stay 2:stay 0:stay")
    assert (t.totals, t.view.round) == ([202, 202, 119], 3)
    t.tell("12 3 4 2:stay 0:stay 1:stay")
    assert t.position.outcome.winners == (1,)


@presets(*ALL)
def test_C08_a_new_game_owes_nothing_to_the_last(preset):
    t = holding(f"{preset}(target=70)", "12 0 10 9 8 7").arrange(busts=[1]).tell("0:hit 11")
    assert t.over
    game, seats = t.position.game, t.position.seats
    game.loops.start(t.position.states, game.record, seats, t.position.buffer)
    fresh = game.start(seats)
    for name in ("to_act", "ended", "round", "dealer", "total", "last", "won", "busts", "flip7s", "left", "discards"):
        assert t.position.states[name].tolist() == fresh.states[name].tolist(), name


@presets(*TABLES)
def test_C09_seats(preset):
    for seats in (2, 18):
        assert Table(preset, seats).position.seats == seats
    assert Table(f"{preset}(copies=2)", 36).position.seats == 36
    for seats in (1, 19):
        with pytest.raises(SpecError, match=rf"flip7:{preset} is for 2 to 18 seats, not {seats}"):
            Table(preset, seats)
    with pytest.raises(SpecError, match="not 37"):
        Table(f"{preset}(copies=2)", 37)


def test_C09_solo_is_for_one():
    for seats in (0, 2):
        with pytest.raises(SpecError, match="flip7:solo is for exactly 1"):
            Table("solo", seats)


@presets(*ALL)
def test_C09_two_decks_are_mixed(preset):
    one, two = (Counter(dict(pitboss.load(f"flip7:{preset}{copies}").deck())) for copies in ("", "(copies=2)"))
    assert two == one + one


@presets(*ALL)
def test_C10_a_game_is_cut_after_a_thousand_rounds(preset):
    t = holding(preset, "10 9").arrange(round=999).tell("0:stay")
    assert t.view.round == 1000
    t = holding(preset, "10 9").arrange(round=1000).tell("0:stay")
    assert t.asked == "over"
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("cut", ())


@presets(*ALL)
def test_C10_a_game_won_in_its_last_round_is_not_cut(preset):
    t = holding(f"{preset}(max_rounds=1)", "10 9").arrange(total=[181]).tell("0:stay")
    assert t.position.outcome.ended == "won"


@presets(*TABLES)
def test_C10_extra_rounds_count(preset):
    t = holding(f"{preset}(max_rounds=7)", "10 9").arrange(total=[181, 188], round=7).tell("0:stay")
    assert t.totals == [200, 200]
    assert t.position.outcome.ended == "cut"


# --- order and activity ---


@presets(*TABLES)
def test_C11_the_deal_passes_clockwise(preset):
    t = Table(preset)
    for dealer, first in ((2, 0), (0, 1), (1, 2), (2, 0)):
        assert (t.view.dealer, t.view.turn) == (dealer, -1)
        assert t.heard("round started") == [dealer]
        for card, seat in zip("567", (first, first + 1, first + 2), strict=True):
            assert t.asked == f"card for {seat % 3}"
            t.tell(card)
            assert t.heard("hits") == []
        for seat in (first, first + 1, first + 2):
            assert t.asked == f"{seat % 3}: stay hit"
            t.tell(f"{seat % 3}:stay")


@presets(*TABLES)
def test_C11_turns_go_round_the_active_players(preset):
    t = Table(preset, seats=4).tell("5 6 7 8 0:hit 9 1:stay 2:hit 7 3:hit 9 0:hit 10")
    assert t.status == "active stayed busted active"
    assert t.asked == "3: stay hit"
    t.tell("3:stay 0:hit 11")
    assert t.asked == "0: stay hit"
    assert t.tell("0:stay").view.round == 2


@presets(*AIMED)
def test_C11_a_player_not_dealt_to_yet_is_active(preset):
    t = Table(preset).tell("fz")
    assert t.asked == "0 fz: @0 @1 @2"


@presets(*AIMED)
def test_C12_the_only_active_player_is_not_asked_for_a_target(preset):
    t = Table(preset, seats=2).tell("5 6 0:stay 1:hit fz")
    assert t.heard("froze") == [1]
    assert t.totals == [5, 6]
    t = Table(preset, seats=2).tell("5 6 0:stay 1:hit f3")
    assert t.asked == "card for 1"


@presets(*AIMED)
def test_C12_the_only_possible_receiver_is_not_asked_for(preset):
    keep = "0:@0" if preset == "tournament" else ""
    t = Table(preset, seats=2).tell(f"5 6 0:hit sc {keep} 1:hit 7 0:hit sc")
    assert (t.front(0), t.front(1)) == ("5 sc", "6 7 sc")
    assert t.asked == "1: stay hit"


@presets(*AIMED)
def test_C12_the_only_target_of_a_card_set_aside_is_not_asked_for(preset):
    t = Table(preset).tell("5 6 7 0:stay 1:stay 2:hit f3 fz 8 9")
    assert t.heard("froze") == [2]
    assert t.totals == [5, 6, 24]


def test_C12_who_cannot_stay_is_not_asked_to_hit():
    t = Table("official").tell("fz 0:@1 7")
    assert t.heard("hits") == [0]
    assert t.asked == "card for 0"


@pytest.mark.parametrize("card", ["fz", "f3"])
def test_C13_a_card_put_on_somebody_who_has_left_is_discarded(card):
    t = Table("official").tell(f"5 6 7 0:hit f3 0:@1 fz {card} 9 1:@2 1:@2")
    assert t.status == "active active frozen"
    assert (t.heard("discarded"), t.spent) == ([1], card)
    assert t.asked == "1: stay hit"


@presets(*AIMED)
def test_C13_a_card_without_any_possible_target_is_discarded(preset):
    t = Table(preset, seats=2).tell("5 6 0:stay 1:hit f3 fz f3 9")
    assert (t.totals, t.view.round) == ([5, 15], 2)
    assert t.discards == "5 6 9 fz f3 f3"


@presets(*ACTION)
def test_C14_an_unused_second_chance_goes_with_the_round(preset):
    keep = "0:@0" if preset == "tournament" else ""
    t = Table(preset, seats=2).tell(f"sc {keep} 6 0:hit 5 1:stay 0:stay")
    assert t.discards == "5 6 sc"
    t.tell("7 8 1:stay 0:hit 8")
    assert t.heard("busted") == [0]
