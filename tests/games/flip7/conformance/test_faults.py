"""T13: faults, in every kind of decision. Opening cards are mostly 5, 6 and 7, for seats 0, 1 and 2."""

from __future__ import annotations

import pytest
from taped import Table, holding

from pitboss.core.errors import IllegalMove, NotationError


def opened(preset: str, story: str = "") -> Table:
    """After opening cards 5, 6 and 7, on with the story."""
    return Table(preset).tell("5 6 7").tell(story)


def test_T13_a_fault_is_never_offered_and_never_the_dealers():
    t = opened("tournament")
    assert "fault" not in t.position.legal
    t.tell("0:hit")
    with pytest.raises(NotationError):
        t.position.apply("fault")
    with pytest.raises(IllegalMove):
        t.position.apply(-1)


def test_T13_at_hit_or_stay_an_active_seat_busts():
    t = opened("tournament", "0:fault")
    assert (t.status, t.points, t.front(0)) == ("busted active active", [0, 6, 7], "5")
    assert (t.heard("fault"), t.asked) == ([0], "1: stay hit")
    assert t.tell("1:stay 2:stay").totals == [0, 6, 7]


def test_T13_a_second_chance_does_not_protect():
    t = opened("tournament", "0:hit sc 0:@0 1:hit 8 2:hit 8 0:fault")
    assert (t.status, t.front(0)) == ("busted active active", "5 sc")


@pytest.mark.parametrize("card", ["fz", "f3", "sc"])
def test_T13_at_choosing_a_target_the_card_is_discarded(card):
    t = opened("tournament", f"0:hit {card} 0:fault")
    assert (t.status, t.spent, t.asked) == ("busted active active", card, "1: stay hit")
    assert [t.front(seat) for seat in range(3)] == ["5", "6", "7"]


def test_T13_at_a_save_the_duplicate_is_discarded():
    t = opened("tournament", "0:hit sc 0:@0 1:hit 8 2:hit 8 0:hit 5 0:fault")
    assert (t.status, t.front(0), t.spent) == ("busted active active", "5 sc", "5")
    t = Table("tournament(copies=2)").tell("0 6 7 0:hit sc 0:@0 1:hit 8 2:hit 8 0:hit 0 0:fault")
    assert (t.status, t.front(0), t.spent) == ("busted active active", "0 sc", "0")


def test_T13_at_a_save_in_a_flip_three_the_waiting_cards_are_discarded():
    t = opened("tournament", "0:hit sc 0:@1 1:hit 8 2:hit f3 2:@1 fz 6 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted active", "6 fz f3", "0: stay hit")


def test_T13_at_a_gift_in_a_flip_three_the_waiting_cards_are_discarded():
    t = opened("tournament", "0:hit f3 0:@1 fz sc 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted active", "fz f3 sc", "2: stay hit")


def test_T13_at_a_card_set_aside_the_others_are_discarded():
    t = opened("tournament", "0:hit f3 0:@1 fz f3 9 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted active", "fz f3 f3", "2: stay hit")


def test_T13_a_seat_already_out_keeps_its_score():
    t = opened("tournament", "0:hit f3 0:@1 fz f3 9 1:@1 1:fault")
    assert (t.status, t.points[1], t.spent) == ("active frozen active", 15, "f3 f3")
    assert t.asked == "2: stay hit"
    assert t.tell("2:stay 0:stay").totals == [5, 15, 7]


def test_T13_the_last_active_seat_at_fault_ends_the_round():
    t = opened("tournament", "0:stay 1:stay 2:fault")
    assert (t.totals, t.view.round) == ([5, 6, 0], 2)


def test_T13_in_the_opening_deal_goes_on():
    t = Table("tournament").tell("fz 0:fault")
    assert (t.status, t.asked) == ("busted active active", "card for 1")


def test_T13_busts_are_counted():
    t = holding("tournament", "5 9").tell("0:fault")
    assert t.position.states["busts"][0].tolist()[:2] == [1, 0]


# --- where the published game asks other questions ---


def test_T13_a_fault_at_assigning_drops_what_is_not_assigned_yet():
    t = opened("official", "0:hit f3 0:@1 fz f3 9 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted active", "fz f3", "2: stay hit")


def test_T13_a_fault_at_assigning_spares_what_is_assigned():
    t = opened("official", "0:hit f3 0:@1 fz f3 9 1:@2 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted frozen", "f3", "0: stay hit")
    t = opened("official", "0:hit f3 0:@1 fz f3 fz 1:@2 1:fault")
    assert (t.status, t.spent, t.asked) == ("active busted frozen", "fz f3", "0: stay hit")


def test_T13_a_fault_of_a_seat_that_ran_out_of_cards_costs_only_the_card():
    t = opened("official", "0:hit f3 0:@1").stack("fz fz", back="").tell("fz fz 1:fault")
    assert (t.status, t.points[1], t.asked) == ("active stayed active", 6, "1 assigns fz: @0 @2")
    assert t.tell("1:@0").status == "frozen stayed active"


def test_T13_a_fault_instead_of_an_opening_card():
    t = Table("official").tell("f3 0:@1 1 2 3 1:fault")
    assert (t.status, t.points[1], t.asked) == ("active busted active", 0, "card for 2")


def test_T13_a_fault_at_giving_discards_the_second_chance():
    t = opened("official", "0:hit sc 1:hit 8 2:hit 8 0:hit sc 0:fault")
    assert (t.status, t.front(0), t.spent) == ("busted active active", "5 sc", "sc")
