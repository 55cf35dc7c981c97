"""O: the published game. The opening cards are mostly 5, 6 and 7, for seats 0, 1 and 2."""

from __future__ import annotations

import pytest
from taped import FLIP_7, Table, holding


def opened(story: str = "", seats: int = 3) -> Table:
    """After opening cards 5, 6, 7 (8), on with the story."""
    return Table("official", seats).tell(" ".join("5678"[:seats])).tell(story)


# --- opening, turns ---


def test_O01_cards_and_players():
    assert len(Table("official", seats=18).left.split()) == 94
    assert Table("official", seats=2).asked == "card for 0"


def test_O01_action_cards_resolve_at_once_and_may_hit_a_player_not_dealt_to_yet():
    t = Table("official").tell("5 fz")
    assert t.asked == "1 fz: @0 @1 @2"
    t.tell("1:@2")
    assert (t.status, t.asked) == ("active active frozen", "0: stay hit")


def test_O01_a_player_already_out_is_skipped():
    t = Table("official").tell("fz 0:@1")
    assert t.asked == "card for 2"
    t = Table("official").tell("f3 0:@1 6 6")
    assert (t.status, t.asked) == ("active busted active", "card for 2")


def test_O02_a_turn_is_exactly_one_card_or_stay():
    t = opened("0:hit 9")
    assert t.asked == "1: stay hit"
    assert t.tell("1:stay").asked == "2: stay hit"
    assert t.tell("2:hit 9").asked == "0: stay hit"


def test_O02_stay_needs_a_card_in_front():
    t = Table("official").tell("5 fz 1:@2 0:hit 9")
    assert (t.front(1), t.asked) == ("-", "card for 1")
    assert t.tell("10 0:stay").asked == "1: stay hit"


@pytest.mark.parametrize("card", ["sc", "+2", "x2", "0"])
def test_O02_any_card_will_do(card):
    t = Table("official").tell(f"{card} 6 7")
    assert t.asked == "0: stay hit"


@pytest.mark.parametrize("card", ["fz", "f3"])
def test_O03_any_active_player_may_be_the_target(card):
    assert opened(f"0:hit {card}").asked == f"0 {card}: @0 @1 @2"
    assert opened(f"0:stay 1:hit {card}").asked == f"1 {card}: @1 @2"
    assert opened(f"0:hit 5 1:hit {card}").asked == f"1 {card}: @1 @2"


def test_O03_a_freeze_banks():
    t = opened("0:hit fz 0:@1")
    assert (t.status, t.front(1), t.asked) == ("active frozen active", "6 fz", "2: stay hit")
    assert t.tell("2:stay 0:stay").totals == [5, 6, 7]


# --- Flip Three ---


def test_O04_three_cards_one_at_a_time_all_kinds_counting():
    t = opened("0:hit f3 0:@1 +4 sc")
    assert t.asked == "card for 1"
    assert t.tell("9").front(1) == "6 9 +4 sc"
    assert t.asked == "1: stay hit"


def test_O04_a_bust_stops_it_and_what_was_set_aside_is_discarded():
    t = opened("0:hit f3 0:@1 fz 6")
    assert (t.status, t.asked) == ("active busted active", "2: stay hit")
    assert (t.heard("discarded"), t.spent) == ([1], "fz")


def test_O04_a_save_uses_up_one_of_the_three():
    t = opened("0:hit f3 0:@1 sc 6")
    assert (t.heard("saved"), t.asked) == ([1], "card for 1")
    t.tell("9")
    assert (t.status, t.front(1), t.asked) == ("active active active", "6 9", "1: stay hit")


def test_O04_cards_set_aside_before_a_save_are_kept():
    t = opened("0:hit f3 0:@1 sc fz 6")
    assert t.asked == "1 assigns fz: @0 @1 @2"


def test_O04_cards_set_aside_are_all_assigned_first_then_resolved_in_draw_order():
    t = opened("0:hit f3 0:@1 f3 9 fz", seats=4)
    assert t.asked == "1 assigns f3: @0 @1 @2 @3"
    assert t.tell("1:@2").asked == "1 assigns fz: @0 @1 @2 @3"
    assert t.status == "active active active active"
    t.tell("1:@3")
    assert (t.asked, t.status) == ("card for 2", "active active active active")
    assert t.tell("1 2 3").status == "active active active frozen"
    assert t.asked == "1: stay hit"


def test_O04_three_cards_set_aside():
    t = opened("0:hit f3 0:@1 fz f3 fz 1:@3 1:@2", seats=4)
    assert t.asked == "1 assigns fz: @0 @1 @2 @3"
    t.tell("1:@0")
    assert (t.status, t.asked) == ("active active active frozen", "card for 2")
    assert t.tell("1 2 3").status == "frozen active active frozen"


def test_O04_the_same_player_may_get_both():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@2 1:@2 1 2 3")
    assert (t.status, t.front(2)) == ("active active frozen", "1 2 3 7 fz")


def test_O04_a_freeze_first_makes_the_other_void():
    t = opened("0:hit f3 0:@1 fz f3 9 1:@2 1:@2")
    assert (t.status, t.spent, t.asked) == ("active active frozen", "f3", "1: stay hit")


def test_O04_they_are_resolved_whatever_becomes_of_the_flipper():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@1 1:@2 9")
    assert (t.status, t.asked) == ("active busted frozen", "0: stay hit")
    t = opened("0:hit f3 0:@1 fz f3 9 1:@1 1:@2")
    assert (t.status, t.asked) == ("active frozen active", "card for 2")


def test_O04_only_active_players_may_be_assigned_a_card():
    t = opened("0:hit 9 1:stay 2:hit f3 2:@0 fz 1 2")
    assert t.asked == "0 assigns fz: @0 @2"


def test_O04_nested_cards_come_before_older_ones():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@2 1:@0 fz f3 8", seats=4)
    assert t.asked == "2 assigns fz: @0 @1 @2 @3"
    assert t.tell("2:@1").asked == "2 assigns f3: @0 @1 @2 @3"
    t.tell("2:@3")
    assert (t.status, t.asked) == ("active frozen active active", "card for 3")
    assert t.tell("fz 1 2").asked == "3 assigns fz: @0 @2 @3"
    assert t.tell("3:@2").status == "frozen frozen frozen active"
    assert t.asked == "3: stay hit"


def test_O04_a_bust_in_a_nested_flip_three_leaves_older_cards_waiting():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@2 1:@0 fz 7")
    assert (t.status, t.spent) == ("frozen active busted", "fz")
    assert t.asked == "1: stay hit"


# --- Second Chance ---


def test_O05_the_drawer_keeps_it_unasked():
    t = opened("0:hit sc")
    assert (t.front(0), t.asked) == ("5 sc", "1: stay hit")


def test_O05_a_second_one_goes_to_an_active_player_without_one():
    t = opened("0:hit sc 1:hit sc 2:stay 3:hit 9 0:hit sc", seats=4)
    assert (t.front(3), t.asked) == ("8 9 sc", "1: stay hit")
    t = opened("0:hit sc 1:hit 9 2:stay 3:hit 9 0:hit sc", seats=4)
    assert t.asked == "0 sc: @1 @3"
    t.tell("0:@3 1:hit 10 3:hit 8")
    assert (t.heard("saved"), t.front(3)) == ([3], "8 9")


def test_O05_or_is_discarded_if_there_is_none():
    t = opened("0:hit sc 1:stay 2:stay 0:hit sc")
    assert (t.heard("discarded"), t.spent) == ([0], "sc")
    assert (t.front(0), t.asked) == ("5 sc", "0: stay hit")


def test_O05_also_in_a_flip_three_and_before_the_opening_card():
    t = Table("official").tell("sc f3 1:@0 1 sc")
    assert t.asked == "0 sc: @1 @2"
    t.tell("0:@2 2")
    assert t.asked == "card for 2"
    assert t.tell("7").front(2) == "7 sc"


def test_O05_a_save_is_automatic_and_the_player_stays_in():
    t = opened("0:hit sc 1:hit 8 2:hit 8 0:hit 5")
    assert (t.heard("saved"), t.status, t.front(0)) == ([0], "active active active", "5")
    assert (t.discards, t.asked) == ("5 sc", "1: stay hit")
    assert t.tell("1:stay 2:stay 0:hit 9").asked == "0: stay hit"


def test_O05_it_saves_once():
    t = opened("0:hit sc 1:stay 2:stay 0:hit 5 0:hit 5")
    assert (t.heard("saved"), t.heard("busted")) == ([0], [0])
    assert t.totals == [0, 6, 7]


# --- the end of a round and of a game ---


def test_O06_flip_7_ends_the_round_for_everyone():
    t = Table("official").tell(FLIP_7)
    assert (t.totals, t.view.round) == ([43, 50, 0], 2)


def test_O06_players_not_dealt_to_yet_bank_too():
    t = Table("official").tell("f3 0:@0 f3 1 2 0:@0 f3 3 4 0:@0 5 6 7")
    assert (t.totals, t.view.round, t.view.dealer) == ([43, 0, 0], 2, 0)
    assert t.heard("round scored") == [0, 1, 2]
    assert t.heard("busted") == []


def test_O06_waiting_cards_are_discarded():
    t = holding("official", "1 2 3 4 5").tell("0:hit f3 fz 6 7")
    assert (t.totals, t.heard("froze")) == ([43, 12], [])
    assert t.discards == "1 2 3 4 5 6 7 12 fz f3"


def test_O06_assigned_cards_are_discarded_too():
    t = Table("official").tell("1 6 7 0:hit f3 0:@0 2 3 4 1:hit f3 1:@0 f3 fz 5 0:@0 0:@2 8 9")
    assert (t.totals, t.heard("froze")) == ([47, 6, 7], [])
    assert t.discards == "1 2 3 4 5 6 7 8 9 fz f3 f3 f3"


def test_O07_a_tie_is_played_on_by_all():
    t = Table("official").arrange(total=[195, 194, 190], flip7s=[2, 1, 0]).tell("5 6 7").finish()
    assert (t.totals, t.view.round) == ([200, 200, 197], 2)
    t.tell("1 12 2").finish()
    assert t.position.outcome.winners == (2,)


def test_O08_after_a_flip_three_play_goes_on_after_the_player_in_turn():
    assert opened("0:hit f3 0:@0 1 2 3").asked == "1: stay hit"
    assert opened("0:hit f3 0:@2 1 2 3").asked == "1: stay hit"
    assert opened("0:hit 9 1:hit f3 1:@0 f3 1 2 0:@2 3 4 8").asked == "2: stay hit"
    assert opened("0:hit 9 1:hit f3 1:@2 f3 1 2 2:@1 3 4 8").asked == "2: stay hit"


def test_O08_in_the_opening_the_dealing_goes_on():
    t = Table("official").tell("5 f3 1:@0 f3 1 2 0:@1 3 4 8")
    assert t.asked == "card for 2"
    assert t.tell("7").asked == "0: stay hit"


def test_O09_made_to_flip_three_before_the_opening_card_you_may_stay():
    t = Table("official").tell("f3 0:@1 1 2 3")
    assert t.asked == "1: stay hit"
    t.tell("1:stay")
    assert (t.status, t.points[1], t.asked) == ("active stayed active", 6, "card for 2")


def test_O09_or_take_it_as_an_opening_card():
    t = Table("official").tell("f3 0:@1 1 2 3 1:hit")
    assert t.asked == "card for 1"
    assert t.tell("4").asked == "card for 2"
    assert t.tell("7 8").asked == "1: stay hit"


def test_O09_but_not_with_nothing_in_front():
    t = Table("official").tell("f3 0:@1 fz fz fz 1:@0 1:@2 1:@2")
    assert (t.status, t.front(1)) == ("frozen active frozen", "-")
    assert t.asked == "card for 1"
    assert t.tell("9").asked == "1: stay hit"


def test_O09_only_before_your_own_opening_card():
    t = Table("official").tell("5 f3 1:@0 1 2 3")
    assert t.asked == "card for 2"


def test_O09_a_gift_is_not_a_flip_three():
    t = Table("official").tell("sc f3 1:@0 sc 0:@2 1 2")
    assert (t.front(2), t.asked) == ("sc", "card for 2")


def test_O10_used_cards_return_in_the_same_round():
    t = opened("0:hit sc 1:hit 8").stack("8 5 f3 1 2 3", back="").tell("2:hit 8 0:hit 5")
    assert t.discards == "5 sc"
    t.tell("1:hit f3 1:@2 1 2")
    assert t.discards == "5 sc"
    t.tell("3")
    assert t.discards == "5 f3 sc"
    assert t.tell("2:hit").left == "5 f3 sc"


def test_O10_a_flip_three_is_used_up_before_its_cards_are_assigned():
    t = opened("0:hit f3 0:@1 fz 8 9")
    assert (t.asked, t.discards) == ("1 assigns fz: @0 @1 @2", "f3")


def test_O10_or_with_the_card_that_stopped_it():
    t = opened("0:hit f3 0:@1 6")
    assert (t.discards, t.front(1)) == ("f3", "6 6")


def test_O10_the_one_being_obeyed_cannot_return():
    t = opened("0:hit f3 0:@1").stack("8", back="9").tell("8")
    assert (t.left, t.heard("reshuffled")) == ("9", [-1])


def test_O10_freezes_and_cards_without_effect_stay_out():
    t = opened("0:hit sc 1:hit fz 1:@1 2:stay 0:hit sc")
    assert (t.discards, t.spent, t.front(1)) == ("-", "sc", "6 fz")
    assert t.stack("9", back="10").tell("0:hit 9 0:hit").left == "10"


def test_O10_they_return_once_the_round_is_over():
    t = opened("0:hit sc 1:hit fz 1:@1 2:stay 0:hit sc 0:stay")
    assert (t.discards, t.spent) == ("5 6 7 fz sc sc", "-")
