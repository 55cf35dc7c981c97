"""T: bots choose targets and saves. The opening cards are mostly 5, 6 and 7, for seats 0, 1 and 2."""

from __future__ import annotations

import pytest
from taped import FLIP_7, Table

from pitboss.games.flip7.cards import parse_card


def opened(story: str = "", seats: int = 3) -> Table:
    """After opening cards 5, 6, 7 (8), on with the story."""
    return Table("tournament", seats).tell(" ".join("5678"[:seats])).tell(story)


# --- opening, turns ---


def test_T01_an_opening_card_each():
    t = Table("tournament")
    assert len(t.left.split()) == 94
    assert t.tell("5 6 7").asked == "0: stay hit"


def test_T01_an_action_card_is_resolved_before_the_next_card():
    t = Table("tournament").tell("fz")
    assert t.asked == "0 fz: @0 @1 @2"
    assert t.tell("0:@1").asked == "card for 2"
    assert t.status == "active frozen active"


def test_T01_an_opening_flip_three_comes_before_the_opening_card_of_its_target():
    t = Table("tournament").tell("f3 0:@1 1 2 3")
    assert (t.front(1), t.asked) == ("1 2 3", "card for 1")
    assert t.tell("4").asked == "card for 2"


def test_T01_an_opening_second_chance_is_given():
    t = Table("tournament").tell("sc")
    assert t.asked == "0 sc: @0 @1 @2"
    t.tell("0:@2 6 7")
    assert (t.front(0), t.front(2)) == ("-", "7 sc")


def test_T02_a_turn_is_one_decision():
    t = opened("0:hit 9")
    assert t.asked == "1: stay hit"
    assert t.tell("1:stay").asked == "2: stay hit"
    assert t.tell("2:hit 9").asked == "0: stay hit"


def test_T02_an_empty_hand_may_pass():
    t = Table("tournament").tell("fz 0:@1 7")
    assert (t.front(0), t.asked) == ("-", "0: stay hit")
    assert t.tell("0:stay 2:stay").totals == [0, 0, 7]


def test_T02_flip_three_on_the_player_in_turn_gives_another_decision():
    t = opened("0:hit f3 0:@0 1 2 3")
    assert t.asked == "0: stay hit"
    assert t.tell("0:hit 4").asked == "1: stay hit"


def test_T02_whoever_assigned_it():
    t = opened("0:hit f3 0:@1 f3 8 9 1:@0")
    assert t.asked == "card for 0"
    assert t.tell("1 2 3").asked == "0: stay hit"


def test_T02_when_the_whole_chain_is_done():
    t = opened("0:hit f3 0:@0 f3 1 2 0:@1 8 9 10")
    assert t.asked == "0: stay hit"


def test_T02_but_not_if_it_is_out_by_then():
    t = opened("0:hit f3 0:@0 fz 1 2 0:@0")
    assert (t.status, t.asked) == ("frozen active active", "1: stay hit")
    assert opened("0:hit f3 0:@0 1 5").asked == "1: stay hit"


def test_T02_flip_three_on_somebody_else_does_not():
    t = opened("0:hit f3 0:@1 1 2 3")
    assert t.asked == "1: stay hit"
    assert t.tell("1:hit 4").asked == "2: stay hit"


def test_T02_nor_does_a_freeze():
    assert opened("0:hit fz 0:@2").asked == "1: stay hit"


def test_T02_the_opening_deal_is_nobodys_turn():
    t = Table("tournament").tell("f3 0:@0 1 2 3 6 7")
    assert t.asked == "0: stay hit"
    assert t.tell("0:hit 4").asked == "1: stay hit"
    t = Table("tournament").tell("5 6 f3 2:@2 1 2 3")
    assert t.asked == "0: stay hit"


# --- Freeze and Flip Three ---


@pytest.mark.parametrize("card", ["fz", "f3"])
def test_T03_any_active_player_may_be_the_target(card):
    assert opened(f"0:hit {card}").asked == f"0 {card}: @0 @1 @2"
    assert opened(f"0:stay 1:hit {card}").asked == f"1 {card}: @1 @2"
    assert opened(f"0:hit 5 1:hit {card}").asked == f"1 {card}: @1 @2"


def test_T03_the_only_active_player_takes_it():
    t = opened("0:stay 1:stay 2:hit f3")
    assert t.asked == "card for 2"
    assert t.tell("1 2 3 2:hit fz").totals == [5, 6, 13]


def test_T04_a_frozen_player_banks_and_is_out():
    t = opened("0:hit fz 0:@1")
    assert (t.status, t.points, t.front(1)) == ("active frozen active", [5, 6, 7], "6 fz")
    assert t.tell("2:stay 0:hit 9").asked == "0: stay hit"
    assert t.tell("0:stay").totals == [14, 6, 7]


def test_T04_so_may_the_drawer():
    t = opened("0:hit fz 0:@0")
    assert (t.status, t.asked) == ("frozen active active", "1: stay hit")


def test_T05_all_kinds_count_among_the_three():
    t = opened("0:hit f3 0:@1 +4 fz sc")
    assert t.asked == "1 sc: @0 @1 @2"
    assert t.tell("1:@1").asked == "1 fz: @0 @1 @2"
    assert t.tell("1:@2").front(1) == "6 +4 sc"
    assert t.asked == "1: stay hit"


def test_T05_a_bust_stops_it_and_what_was_set_aside_is_discarded():
    t = opened("0:hit f3 0:@1 fz 6")
    assert (t.status, t.asked) == ("active busted active", "2: stay hit")
    assert t.heard("discarded") == [1]
    assert t.spent == "fz f3"


def test_T05_seven_numbers_stop_it_and_what_was_set_aside_is_discarded():
    t = Table("tournament").tell("1 11 7 0:hit f3 0:@0 2 3 4 0:hit 5 1:stay 2:hit f3 2:@0 f3 6 8")
    assert (t.status, t.points[0]) == ("flip_7 stayed active", 44)
    assert (t.heard("discarded"), t.spent) == ([0], "f3 f3 f3")
    assert t.asked == "2: stay hit"


def test_T05_a_second_chance_is_handed_out_at_once_and_saves_at_once():
    t = opened("0:hit f3 0:@1 sc")
    assert t.asked == "1 sc: @0 @1 @2"
    assert t.tell("1:@1 6").asked == "1 saves 6: no yes"


def test_T05_set_aside_cards_are_resolved_after_the_third_in_draw_order():
    t = opened("0:hit f3 0:@1 fz f3", seats=4)
    assert t.asked == "card for 1"
    assert t.tell("9").asked == "1 fz: @0 @1 @2 @3"
    assert t.tell("1:@2").asked == "1 f3: @0 @1 @3"
    assert t.tell("1:@3").asked == "card for 3"


def test_T05_the_other_draw_order():
    t = opened("0:hit f3 0:@1 f3 9 fz")
    assert t.asked == "1 f3: @0 @1 @2"
    assert t.tell("1:@2 1 2 3").asked == "1 fz: @0 @1 @2"


def test_T05_three_cards_set_aside():
    t = opened("0:hit f3 0:@1 fz f3 fz 1:@3", seats=4)
    assert t.asked == "1 f3: @0 @1 @2"
    assert t.tell("1:@2 1 2 3").asked == "1 fz: @0 @1 @2"


def test_T05_each_is_resolved_before_the_next_is_chosen():
    t = opened("0:hit f3 0:@1 f3 9 fz 1:@2 1 7")
    assert t.asked == "1 fz: @0 @1"


def test_T05_a_flipper_busted_by_an_earlier_one_resolves_nothing_more():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@1 1 9")
    assert (t.status, t.asked) == ("active busted active", "2: stay hit")
    assert t.spent == "fz f3 f3"


def test_T05_nor_does_one_who_reached_seven():
    t = Table("tournament", seats=2).tell("1 12 0:hit 2 1:hit 11 0:hit 3 1:hit 10 0:hit f3 0:@0 f3 fz 4 0:@0 5 6 8")
    assert (t.status, t.asked) == ("flip_7 active", "1: stay hit")
    assert t.spent == "fz f3 f3"


def test_T05_one_frozen_by_an_earlier_one_still_chooses():
    t = opened("0:hit f3 0:@1 fz f3 9 1:@1")
    assert (t.status, t.asked) == ("active frozen active", "1 f3: @0 @2")
    assert t.tell("1:@2 1 2 3").asked == "2: stay hit"


def test_T05_so_does_one_saved_and_banked_by_an_earlier_one():
    t = opened("0:hit f3 0:@1 f3 fz sc 1:@1 1:@1 9 6 1:yes")
    assert (t.status, t.asked) == ("active banked active", "1 fz: @0 @2")


def test_T06_nested_cards_come_before_older_ones():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@2 fz f3 8", seats=4)
    assert t.asked == "2 fz: @0 @1 @2 @3"
    assert t.tell("2:@3").asked == "2 f3: @0 @1 @2"
    assert t.tell("2:@0 fz 1 2").asked == "0 fz: @0 @1 @2"
    assert t.tell("0:@2").asked == "1 fz: @0 @1"
    assert t.tell("1:@1").status == "active frozen frozen frozen"
    assert t.asked == "0: stay hit"


def test_T06_a_bust_in_a_nested_flip_three_leaves_older_cards_waiting():
    t = opened("0:hit f3 0:@1 f3 fz 9 1:@2 fz 7")
    assert (t.status, t.spent, t.asked) == ("active active busted", "fz f3 f3", "1 fz: @0 @1")


# --- Second Chance ---


def test_T07_the_drawer_picks_among_the_unbusted_who_hold_none():
    t = Table("tournament", seats=4).tell("5 6 7 8 0:stay 1:hit 6 2:hit fz 2:@3 2:hit sc")
    assert (t.status, t.asked) == ("stayed busted active frozen", "2: stay hit")
    assert t.front(2) == "7 sc"
    t = Table("tournament", seats=5).tell("5 6 7 8 9 0:stay 1:hit 6 2:hit fz 2:@3 4:hit sc")
    assert t.asked == "4 sc: @0 @2 @3 @4"
    t.tell("4:@3 2:hit sc")
    assert (t.front(3), t.asked) == ("8 fz sc", "2 sc: @0 @2 @4")


def test_T07_a_player_who_banked_or_made_a_flip_7_may_receive_it():
    t = opened("0:hit sc 0:@0 1:hit 9 2:hit 8 0:hit 5 0:yes 1:hit sc")
    assert (t.status, t.asked) == ("banked active active", "1 sc: @0 @1 @2")
    t = Table("tournament").tell(FLIP_7 + "1:hit sc")
    assert t.front(1) == "0 8 9 10 11 12 sc"
    t = Table("tournament", seats=4).tell("1 12 11 10 0:hit f3 0:@0 2 3 4 0:hit f3 0:@0 5 6 7 1:hit sc")
    assert (t.status, t.asked) == ("flip_7 active active active", "1 sc: @0 @1 @2 @3")


def test_T07_a_gift_to_somebody_who_passed_is_lost_at_the_end():
    t = opened("0:stay 1:hit sc 1:@0 2:stay 1:stay")
    assert (t.totals, t.discards) == ([5, 6, 7], "5 6 7 sc")


def test_T07_the_only_active_player_keeps_it():
    t = opened("0:stay 1:stay 2:hit sc")
    assert (t.front(2), t.asked) == ("7 sc", "2: stay hit")


def test_T07_the_only_active_player_who_holds_one_gives_the_next():
    t = opened("0:stay 1:stay 2:hit sc 2:hit sc")
    assert t.asked == "2 sc: @0 @1"
    assert t.tell("2:@1 2:hit sc").front(0) == "5 sc"


def test_T07_nobody_can_receive_it():
    t = Table("tournament", seats=2).tell("5 6 0:hit sc 0:@1 1:hit sc 0:hit sc")
    assert (t.front(0), t.front(1), t.spent, t.asked) == ("5 sc", "6 sc", "sc", "1: stay hit")
    assert t.heard("discarded") == [0]


def test_T07_the_gift_protects():
    t = opened("0:hit sc 0:@1 1:hit 6")
    assert t.asked == "1 saves 6: no yes"


def test_T08_used_it_costs_both_cards_and_banks():
    t = opened("0:hit sc 0:@0 1:hit 8 2:hit 8 0:hit 5 0:yes")
    assert (t.status, t.front(0), t.spent) == ("banked active active", "5", "5 sc")
    assert (t.heard("saved"), t.asked) == ([0], "1: stay hit")
    assert t.tell("1:stay 2:stay").totals == [5, 14, 15]


def test_T08_used_in_a_flip_three_it_stops_that():
    t = opened("0:hit f3 0:@1 sc 1:@1 fz 6 1:yes")
    assert (t.status, t.spent, t.asked) == ("active banked active", "6 fz f3 sc", "2: stay hit")
    t = opened("0:hit sc 0:@1 1:hit 8 2:hit f3 2:@1 fz 6 1:yes")
    assert (t.status, t.spent, t.asked) == ("active banked active", "6 fz f3 sc", "0: stay hit")


def test_T08_used_in_a_nested_flip_three_older_cards_wait_on():
    t = opened("0:hit sc 0:@2 1:hit 8 2:hit f3 2:@1 f3 fz 9 1:@2 f3 7 2:yes")
    assert (t.spent, t.asked) == ("7 f3 f3 f3 sc", "1 fz: @0 @1")


def test_T08_not_used_it_stays_with_the_busted_cards():
    t = opened("0:hit sc 0:@0 1:hit 8 2:hit 8 0:hit 5 0:no")
    assert (t.status, t.front(0), t.points[0]) == ("busted active active", "5 5 sc", 0)
    assert (t.spent, t.asked) == ("-", "1: stay hit")


def test_T08_not_used_in_a_flip_three_it_stops_that():
    t = opened("0:hit sc 0:@1 1:hit 8 2:hit f3 2:@1 fz 6 1:no")
    assert (t.status, t.spent, t.asked) == ("active busted active", "fz f3", "0: stay hit")


# --- the end of a round and of a game ---


def test_T09_flip_7_ends_only_its_owners_round():
    t = Table("tournament").tell(FLIP_7)
    assert (t.status, t.asked) == ("flip_7 active busted", "1: stay hit")
    assert t.totals == [0, 0, 0]
    assert t.tell("1:stay").totals == [43, 50, 0]


def test_T10_what_was_used_up_in_this_round_does_not_return():
    t = opened("0:hit sc 0:@2 1:hit 8").stack("7 f3 1 2 3", back="")
    t.tell("2:hit 7 2:yes 0:hit f3 0:@0 1 2 3")
    assert (t.left, t.discards) == ("-", "-")
    assert t.tell("0:hit").heard("out of cards") == [0]


def test_T10_what_was_used_up_in_earlier_rounds_does():
    t = Table("tournament", seats=2).tell("5 6 0:hit f3 0:@1 8 sc 1:@1 6 1:yes 0:stay")
    assert (t.view.round, t.discards) == (2, "5 6 6 8 f3 sc")
    t.stack("10 11", back=t.discards).tell("10 11 1:hit")
    assert (t.heard("reshuffled"), t.left) == ([-1], "5 6 6 8 f3 sc")


def test_T11_a_tie_is_played_on_until_one_leads():
    t = Table("tournament").arrange(total=[195, 194, 190], flip7s=[2, 1, 0]).tell("5 6 7").finish()
    assert (t.totals, t.view.round) == ([200, 200, 197], 2)
    t.tell("1 4 2").finish()
    assert (t.totals, t.view.round) == ([202, 201, 201], 2)
    assert t.position.outcome.winners == (0,)


# --- what bots know ---


def test_T12_everything_but_the_order_of_the_deck_is_known():
    t = opened("0:stay 1:stay 2:stay 8 9 10 1:hit 8 2:hit f3 2:@0 fz 3 f3")
    view = t.position.view(1)
    assert [seat.numbers for seat in view.seats] == [[3, 10], [8], [9]]
    assert view.seats[1].cards == [8, 8]
    assert view.totals == [5, 6, 7]
    assert (view.round, view.to_act, view.card) == (2, 0, parse_card("fz"))
    assert view.waiting == [(parse_card("f3"), 0, -1)]
    assert [kind for kind, n in enumerate(view.discards) if n] == [5, 6, 7]
    assert [kind for kind, n in enumerate(view.spent) if n] == [parse_card("f3")]
    assert (view.left[8], view.cards_left) == (6, 94 - 3 - 8)


def test_T12_any_card_left_may_be_the_next():
    t = opened("0:hit 1 1:hit 0 2:hit")
    assert set(t.position.legal) == set(range(22)) - {0, 1}
