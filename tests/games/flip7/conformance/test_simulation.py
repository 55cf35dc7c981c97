"""A: action cards that act by themselves."""

from __future__ import annotations

from taped import FLIP_7, Table, holding


def test_A01_opening_cards_act_like_hits():
    t = Table("simulation", seats=4)
    assert len(t.left.split()) == 94
    t.tell("sc f3 fz 5")
    assert t.status == "active active active active"
    assert [seat.second_chance for seat in t.view.seats] == [True, False, False, False]
    assert [seat.draws_three for seat in t.view.seats] == [False, True, False, False]
    assert t.asked == "0: stay hit"


def test_A01_a_turn_is_one_hit_or_stay():
    t = Table("simulation").tell("5 6 7 0:hit 8")
    assert t.asked == "1: stay hit"
    assert t.tell("1:stay").asked == "2: stay hit"
    assert t.tell("2:hit 9").asked == "0: stay hit"


def test_A01_a_hit_of_three_is_one_turn():
    t = Table("simulation").tell("f3 6 7 0:hit 1 2 3")
    assert t.asked == "1: stay hit"


def test_A02_a_further_second_chance_does_nothing():
    t = Table("simulation", seats=2).tell("sc 6 0:hit sc")
    assert (t.front(0), t.front(1), t.asked) == ("sc sc", "6", "1: stay hit")
    t.tell("1:stay 0:hit 5 0:hit 5")
    assert t.heard("saved") == [0]
    assert (t.front(0), t.view.seats[0].second_chance) == ("5 sc", False)
    assert t.tell("0:hit 5").heard("busted") == [0]


def test_A02_one_drawn_after_the_save_protects_again():
    t = Table("simulation", seats=2).tell("sc 6 0:hit 5 1:stay 0:hit 5 0:hit sc 0:hit 5")
    assert t.heard("saved") == [0, 0]
    assert t.front(0) == "5"


def test_A03_a_save_costs_both_cards_and_the_hit():
    t = Table("simulation").tell("sc 6 7 0:hit 5 1:hit 8 2:hit 8 0:hit 5")
    assert t.heard("busted") == []
    assert (t.front(0), t.points[0], t.discards) == ("5", 5, "5 sc")
    assert (t.status, t.asked) == ("active active active", "1: stay hit")


def test_A03_in_a_hit_of_three_the_rest_is_still_drawn():
    t = Table("simulation", seats=2).tell("sc 6 0:hit f3 1:hit 7 0:hit 5 5")
    assert t.asked == "card for 0"
    t.tell("9")
    assert (t.front(0), t.discards, t.asked) == ("5 9", "5 f3 sc", "1: stay hit")


def test_A03_used_cards_return_in_the_same_round():
    t = Table("simulation", seats=2).tell("sc 6 0:hit 5").stack("7 5 8", back="")
    t.tell("1:hit 7 0:hit 5 1:hit 8 0:hit")
    assert t.left == "5 sc"
    assert t.tell("5").heard("busted") == [0]


def test_A04_flip_three_makes_the_next_hit_three():
    t = Table("simulation", seats=2).tell("5 6 0:hit f3")
    assert (t.front(0), t.asked) == ("5 f3", "1: stay hit")
    t.tell("1:hit 7")
    assert t.asked == "0: stay hit"
    assert t.tell("0:hit").lines == ["A hits, drawing 3 card(s)"]
    for card in ("8", "+2", "sc"):
        assert t.asked == "card for 0"
        assert t.discards == "-"
        t.tell(card)
    assert (t.front(0), t.discards, t.asked) == ("5 8 +2 sc", "f3", "1: stay hit")


def test_A04_only_that_one_hit():
    t = Table("simulation", seats=2).tell("f3 6 0:hit 1 2 3 1:stay 0:hit 4")
    assert t.asked == "0: stay hit"


def test_A04_stay_remains_legal_and_the_flag_ends_with_the_round():
    t = Table("simulation", seats=2).tell("f3 6 0:stay 1:stay")
    assert (t.totals, t.discards) == ([0, 6], "6 f3")
    t.tell("7 8 1:stay 0:hit 9")
    assert t.asked == "0: stay hit"


def test_A04_a_bust_stops_it():
    t = Table("simulation", seats=2).tell("f3 6 0:hit 5 5")
    assert (t.status, t.asked) == ("busted active", "1: stay hit")
    assert (t.front(0), t.discards) == ("5 5", "f3")


def test_A04_a_flip_7_stops_it():
    t = holding("simulation", "1 2 3 4 5 f3").tell("0:hit 6 7")
    assert (t.totals, t.view.round) == ([43, 12], 2)


def test_A04_a_flip_three_among_the_three_does_nothing():
    t = Table("simulation", seats=2).tell("f3 6 0:hit 5 f3 9")
    assert (t.front(0), t.discards, t.asked) == ("5 9 f3", "f3", "1: stay hit")
    t.tell("1:stay 0:hit 8")
    assert (t.front(0), t.asked) == ("5 8 9 f3", "0: stay hit")


def test_A04_a_later_one_sets_the_flag_again():
    t = Table("simulation", seats=2).tell("f3 6 0:hit 5 f3 9 1:stay 0:hit f3 0:hit 1 2")
    assert (t.front(0), t.asked) == ("1 2 5 9 f3 f3", "card for 0")
    assert t.tell("3").front(0) == "1 2 3 5 9 f3"


def test_A04_a_used_one_returns_in_the_same_round():
    t = Table("simulation", seats=2).tell("f3 6").stack("1 2 3", back="").tell("0:hit 1 2 3 1:hit")
    assert t.left == "f3"


def test_A05_freeze_does_nothing():
    t = Table("simulation", seats=2).tell("5 fz 0:hit fz")
    assert (t.front(0), t.front(1), t.status) == ("5 fz", "fz", "active active")
    t.tell("1:hit 12 0:hit 8 1:hit fz 0:stay")
    assert (t.asked, t.front(1)) == ("1: stay hit", "12 fz fz")
    assert t.tell("1:stay").totals == [13, 12]
    assert t.discards == "5 8 12 fz fz fz"


def test_A05_other_inert_cards_lie_there_too():
    t = Table("simulation(second_chance=inert, flip_three=inert)", seats=2).tell("sc f3 0:hit sc 1:hit 7 0:hit 5")
    assert (t.front(0), t.front(1), t.asked) == ("5 sc sc", "7 f3", "1: stay hit")
    assert t.tell("1:hit 8 0:hit 5").status == "busted active"


def test_A06_flip_7_ends_the_round_for_everyone():
    t = Table("simulation").tell(FLIP_7)
    assert (t.totals, t.view.round) == ([43, 50, 0], 2)


def test_A07_the_log():
    t = Table("simulation", seats=2).tell("sc 6 0:hit f3 1:stay 0:hit 5 5 9")
    assert any("SECOND CHANCE USED!" in line for line in t.lines)
    assert "A hits" in t.lines
    assert any("drawing 3 card(s)" in line for line in t.lines)
