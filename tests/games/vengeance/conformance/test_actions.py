"""Actions and modifiers: V11 to V18."""

from __future__ import annotations

import pytest

from tests.games.vengeance.conformance.taped import AIMED, WHOLE, Table, presets

# --- on whom, and who chooses ---


@presets(*AIMED)
@pytest.mark.parametrize("card", ["j1", "f4", "sw", "st", "di", "-4", "/2"])
def test_V11_those_who_stayed_can_be_chosen(preset, card):
    table = Table(preset, seats=4).tell(f"5 7 9 10 0:stay 1:hit 11 2:stay 3:hit 12 1:hit {card}")
    assert table.asked == f"1 {card}: @0 @1 @2 @3"


@presets("quick")
@pytest.mark.parametrize("card", ["j1", "f4", "-4", "/2"])
def test_V11_or_are_protected(preset, card):
    table = Table(preset, seats=4).tell(f"5 7 9 10 0:stay 1:hit 11 2:stay 3:hit 12 1:hit {card}")
    assert table.asked == f"1 {card}: @1 @3"


@presets("quick")
def test_V11_and_so_are_their_cards(preset):
    table = Table(preset, seats=4).tell("5 7 9 10 0:stay 1:hit 11 2:stay 3:hit 12 1:hit di")
    assert table.asked == "1 picks di: 7@1 11@1 10@3 12@3"
    table = Table(preset, seats=4).tell("5 7 9 10 0:stay 1:hit 11 2:stay 3:hit 12 1:hit st")
    assert table.asked == "1 picks st: 10@3 12@3"
    table = Table(preset, seats=4).tell("5 7 9 10 0:stay 1:hit 11 2:stay 3:hit 12 1:hit sw")
    assert table.asked == "1 picks sw: 7@1 11@1 10@3 12@3"
    table.tell("1:7@1")
    assert table.asked == "1 picks another sw: 10@3 12@3"


@presets("quick")
def test_V11_one_who_stayed_can_still_take_itself(preset):
    """Seat 0 has stayed by its own Just One More when its Discard is resolved."""
    table = Table(preset).tell("5 7 9 0:hit f4 0:@0 j1 di 10 11 0:@0 12")
    assert table.status == "stayed active active"
    assert table.asked == "0 picks di: 5@0 10@0 11@0 12@0 7@1 9@2"


@presets(*WHOLE)
def test_V11_nobody_chooses_a_bust_player(preset):
    table = Table(preset).tell("5 7 9 0:hit 5 1:hit f4")
    assert table.asked == "1 f4: @1 @2"


@presets("standard", "quick")
def test_V11_alone(preset):
    """Everybody else is bust: cards fall on who drew them, unasked."""
    table = Table(preset).tell("5 7 9 0:hit 5 1:hit 7 2:hit -4")
    assert table.front(2) == "9 -4"
    assert table.asked == "2: stay hit"
    table.tell("2:hit j1")
    assert table.asked == "card for 2"
    table.tell("10")
    assert table.totals == [0, 0, 15]


@presets(*AIMED)
@pytest.mark.parametrize(("card", "cards"), [("sw", "5@0 7@1 9@2"), ("st", "5@0 9@2"), ("di", "5@0 7@1 9@2")])
def test_V11_the_target_chooses(preset, card, cards):
    table = Table(preset).tell(f"5 7 9 0:hit {card} 0:@1")
    assert table.asked == f"1 picks {card}: {cards}"
    assert table.heard("played") == [1]


@presets("quick")
@pytest.mark.parametrize(("card", "cards"), [("sw", "5@0 7@1 9@2"), ("st", "7@1 9@2"), ("di", "5@0 7@1 9@2")])
def test_V11_or_who_drew_the_card(preset, card, cards):
    table = Table(preset).tell(f"5 7 9 0:hit {card}")
    assert table.asked == f"0 picks {card}: {cards}"


def test_V11_one_who_stayed_remains_so():
    table = Table("standard").tell("5 7 9 0:stay 1:hit f4 1:@0 10 11 12 13")
    assert table.status == "stayed active active"
    assert table.points == [51, 7, 9]
    assert table.asked == "2: stay hit"
    table.tell("2:hit st 2:@0 0:9@2")
    assert table.status == "stayed active active"


# --- Flip Four ---


@presets(*WHOLE)
def test_V12_four_cards(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 1 2 3")
    assert table.asked == "card for 1"
    table.tell("4")
    assert table.asked == "1: stay hit"
    assert table.front(1) == "1 2 3 4 7"
    assert table.log == ["B gets 4"]


@presets(*WHOLE)
def test_V12_stops_at_a_bust(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 1 -4 7")
    assert table.heard("busted") == [1]
    assert table.asked == "2: stay hit"
    assert table.log[-1] == "−4 of B is discarded"
    assert "-4" in table.discards.split()


@presets("standard", "quick")
def test_V12_stops_at_a_flip_7(preset):
    table = Table(preset, seats=2).tell("1 12 0:hit 2 1:stay 0:hit 3 0:hit 4 0:hit 5 0:hit f4")
    table.tell("0:@0" if preset == "standard" else "").tell("6 8")
    assert table.heard("flip 7") == [0]
    assert table.view.round == 2


@presets(*AIMED)
def test_V12_what_waits_is_resolved_in_the_order_drawn(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 -4 sw -6")
    assert table.asked == "card for 1"
    assert table.log[-1] == "−6 waits until B has four cards"
    table.tell("10")
    assert table.asked == "1 -4: @0 @1 @2"
    table.tell("1:@0")
    assert table.asked == "1 sw: @0 @1 @2"
    table.tell("1:@2 2:5@0 2:9@2")
    assert table.asked == "1 -6: @0 @1 @2"
    table.tell("1:@2")
    assert table.asked == "1: stay hit"
    assert [table.front(seat) for seat in table.seats] == ["9 -4", "7 10", "5 -6"]


@presets(*AIMED)
def test_V12_four_waiting_cards(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 -2 -4 -6 -8")
    for card in ("-2", "-4", "-6"):
        assert table.asked == f"1 {card}: @0 @1 @2"
        table.tell("1:@0")
    assert table.front(0) == "5 -2 -4 -6"
    assert table.asked == "1 -8: @0 @1 @2"


@presets(*AIMED)
def test_V12_cards_of_another_flip_four_come_first(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 f4 -4 10 11")
    assert table.asked == "1 f4: @0 @1 @2"
    table.tell("1:@2 -6 -8 12 13")
    assert table.asked == "2 -6: @0 @1 @2"
    table.tell("2:@0")
    assert table.asked == "2 -8: @0 @1 @2"
    table.tell("2:@0")
    assert table.asked == "1 -4: @0 @1 @2"
    table.tell("1:@0")
    assert table.asked == "1: stay hit"
    assert table.front(0) == "5 -4 -6 -8"


@presets(*AIMED)
def test_V12_a_player_who_is_bust_by_then_resolves_nothing(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 sw -4 10 11 1:@2 2:5@0 2:7@1")
    assert table.asked == "1 -4: @0 @1 @2"
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 sw -4 10 9 1:@2 2:7@1 2:9@2")
    assert table.heard("busted") == [1]
    assert table.log[-1] == "−4 of B is discarded"
    assert table.asked == "2: stay hit"


@presets(*AIMED)
def test_V12_only_the_cards_of_who_busted_are_dropped(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 f4 -4 10 11 1:@2 -6 9")
    assert table.heard("busted") == [2]
    assert table.asked.startswith("1 -4: @0 @1")


@presets(*AIMED)
def test_V12_unlucky_7_among_the_four(preset):
    table = Table(preset).tell("5 7 9 0:hit f4 0:@1 10 u7 11")
    assert table.asked == "card for 1"
    table.tell("12")
    assert table.front(1) == "11 12 u7"


# --- Just One More ---


@presets(*WHOLE)
def test_V13_one_card_and_stay(preset):
    table = Table(preset).tell("5 7 9 0:hit j1 0:@1")
    assert table.log[-1] == "B must take just one more card, by A"
    assert table.asked == "card for 1"
    table.tell("10")
    assert table.status == "active stayed active"
    assert table.points == [5, 17, 9]
    assert table.asked == "2: stay hit"


@presets(*WHOLE)
def test_V13_can_bust(preset):
    table = Table(preset).tell("5 7 9 0:hit j1 0:@1 7")
    assert table.status == "active busted active"


@presets(*WHOLE)
def test_V13_the_zero_stays(preset):
    table = Table(preset).tell("5 0 9 0:hit j1 0:@1 7")
    assert table.status == "active stayed active"
    table.tell("2:hit 1 0:hit 2")
    assert table.asked == "2: stay hit"


@presets(*AIMED)
def test_V13_its_card_is_resolved_like_any(preset):
    table = Table(preset).tell("5 7 9 0:hit j1 0:@1 di")
    assert table.asked == "1 di: @0 @1 @2"
    table.tell("1:@1 1:9@2")
    assert table.status == "active stayed active"
    assert table.front(2) == ""
    table = Table(preset).tell("5 7 9 0:hit j1 0:@1 f4 1:@1 10 11 12 13")
    assert table.status == "active stayed active"
    assert table.points[1] == 53


def test_V13_on_one_who_has_stayed():
    table = Table("standard").tell("5 7 9 0:stay 1:hit j1 1:@0 10")
    assert table.status == "stayed active active"
    assert table.points == [15, 7, 9]


@presets(*WHOLE)
def test_V13_on_the_last_active_player(preset):
    table = Table(preset).tell("5 7 9 0:stay 1:stay 2:hit j1")
    if preset != "quick":
        table.tell("2:@2")
    table.tell("10")
    assert table.totals == [5, 7, 19]


# --- Swap, Steal, Discard ---


@presets(*AIMED)
def test_V14_swap(preset):
    table = Table(preset).tell("5 7 9 0:hit sw 0:@0")
    assert table.asked == "0 picks sw: 5@0 7@1 9@2"
    table.tell("0:9@2")
    assert table.asked == "0 picks another sw: 5@0 7@1"
    table.tell("0:7@1")
    assert [table.front(seat) for seat in table.seats] == ["5", "9", "7"]
    assert table.log == ["C gets the 7 of B in a swap", "B gets the 9 of C in a swap"]
    assert table.points == [5, 9, 7]
    assert table.asked == "1: stay hit"
    assert table.discards == "sw"


@presets(*WHOLE)
def test_V14_a_number_for_a_modifier(preset):
    table = Table(preset).tell("5 7 9 0:hit -4 0:@0 1:hit sw")
    table.tell("1:@1" if preset != "quick" else "").tell("1:-4@0 1:7@1")
    assert table.front(0) == "5 7"
    assert table.front(1) == "-4"
    assert table.view.seats[0].number_count == 2
    assert table.view.seats[1].number_count == 0


@presets(*AIMED)
def test_V14_both_leave_before_both_are_received(preset):
    """A 10 for a 10: nobody busts, since each has given its own away."""
    table = Table(preset).tell("10 10 9 0:hit sw 0:@0 0:10@0 0:10@1")
    assert table.status == "active active active"
    assert table.points == [10, 10, 9]


@presets(*WHOLE)
def test_V14_the_first_card_of_the_first_player(preset):
    table = Table(preset).tell("0 7 9 sw").tell("0:@0" if preset != "quick" else "").tell("0:0@0")
    assert table.asked == "0 picks another sw: 7@1 9@2"


@presets(*AIMED)
def test_V14_the_unlucky_7(preset):
    table = Table(preset).tell("10 u7 9 0:hit 11 1:hit 8 2:hit sw 2:@2 2:9@2 2:u7@1")
    assert table.front(2) == "u7"
    assert table.front(1) == "8 9"
    table = Table(preset).tell("10 u7 9 0:hit 11 1:hit 8 2:hit sw 2:@2 2:10@0 2:u7@1")
    assert table.front(0) == "u7"
    assert table.front(1) == "8 10"
    assert "11" in table.discards


def test_V14_a_flip_7_by_a_swap():
    """Seat 1 gives The Zero for a 13 beside a Lucky 13, which seat 0 did not need."""
    table = Table("standard", seats=2)
    table.tell("13 0 0:hit l13 11 0:hit 1 10 0:hit 2 9 0:hit 3 8 0:hit 4 12")
    assert [seat.number_count for seat in table.view.seats] == [5, 6]
    table.tell("0:hit 5 sw 1:@1 1:13@0 1:0@1")
    assert table.heard("flip 7") == [0]
    assert table.totals == [1 + 2 + 3 + 4 + 5 + 13 + 15, 11 + 10 + 9 + 8 + 12 + 13]


@presets(*AIMED)
def test_V15_steal(preset):
    table = Table(preset).tell("5 7 9 0:hit st 0:@0")
    assert table.asked == "0 picks st: 7@1 9@2"
    table.tell("0:9@2")
    assert table.front(0) == "5 9"
    assert table.front(2) == ""
    assert table.log == ["A steals the 9 of C"]
    assert table.points == [14, 7, 0]
    assert table.view.seats[0].number_count == 2


@presets(*AIMED)
def test_V15_the_thief_receives(preset):
    table = Table(preset).tell("5 u7 9 0:hit st 0:@0 0:u7@1")
    assert table.front(0) == "u7"
    table = Table(preset).tell("5 -4 1:@2 9 0:hit st 0:@0 0:-4@2")
    assert table.front(0) == "5 -4"
    assert table.points == [1, 0, 9]
    table = Table(preset).tell("5 -2 1:@2 9 0:hit st 0:@0 0:-2@2")
    assert table.points == [3, 0, 9], "a modifier is no number when it leaves or comes"
    assert [seat.number_count for seat in table.view.seats] == [1, 0, 1]
    table = Table(preset, seats=2).tell("1 12 0:hit 2 1:stay 0:hit 3 0:hit 4 0:hit 5 0:hit 6 0:hit st 0:@0")
    assert table.heard("flip 7") == [0], "the only card that can be stolen is not asked for"


@presets(*WHOLE)
def test_V15_who_steals(preset):
    table = Table(preset).tell("5 7 9 0:hit st")
    table.tell("0:@2 2:5@0" if preset != "quick" else "0:9@2")
    assert [table.front(seat) for seat in table.seats] == (["", "7", "5 9"] if preset != "quick" else ["5 9", "7", ""])


@presets(*AIMED)
def test_V16_discard(preset):
    table = Table(preset).tell("5 7 9 0:hit di 0:@1")
    assert table.asked == "1 picks di: 5@0 7@1 9@2"
    table.tell("1:9@2")
    assert table.front(2) == ""
    assert table.log == ["C loses the 9, discarded by B"]
    assert table.discards == "9 di"
    assert table.points == [5, 7, 0]
    table = Table(preset).tell("5 -4 1:@1 9 0:hit di 0:@1 1:-4@1")
    assert table.front(1) == ""


@presets(*AIMED)
def test_V16_the_zero_of_the_first_seat(preset):
    table = Table(preset).tell("0 7 di 2:@1")
    assert table.asked == "1 picks di: 0@0 7@1"
    assert table.tell("1:0@0").front(0) == ""
    table = Table(preset).tell("0 di 1:@1")
    assert table.heard("lost") == [0], "it is the only card, and nobody is asked"


@presets(*WHOLE)
def test_V17_no_card_for_a_discard(preset):
    table = Table(preset).tell("di" if preset == "quick" else "di 0:@1")
    assert table.heard("discarded") == [0 if preset == "quick" else 1]
    assert table.asked == "card for 1"


@presets(*WHOLE)
def test_V17_no_card_for_a_steal(preset):
    table = Table(preset).tell("5 st" if preset == "quick" else "5 st 1:@0")
    if preset == "quick":
        assert table.front(1) == "5", "there is one card to steal"
    else:
        assert table.heard("discarded") == [0]
        assert table.front(0) == "5"
    assert table.asked == "card for 2"


@presets(*WHOLE)
def test_V17_no_two_players_for_a_swap(preset):
    table = Table(preset).tell("5 sw" if preset == "quick" else "5 sw 1:@1")
    assert table.heard("discarded") == [1]
    assert table.asked == "card for 2"
    assert table.front(0) == "5"


@presets(*WHOLE)
def test_V17_one_answer_is_not_asked_for(preset):
    """The only card is discarded, the only one of somebody else stolen, the only two swapped."""
    on = "" if preset == "quick" else "2:@2"
    table = Table(preset).tell("5 di" if preset == "quick" else "5 di 1:@1")
    assert table.heard("lost") == [0]
    table = Table(preset).tell(f"5 9 sw {on}")
    assert [table.front(seat) for seat in table.seats] == ["9", "5", ""]
    assert table.asked == "0: stay hit"


@presets(*AIMED)
def test_V17_one_answer_for_the_second_card(preset):
    table = Table(preset, seats=2).tell("5 9 0:hit 10 1:hit sw 1:@1")
    assert table.asked == "1 picks sw: 5@0 10@0 9@1"
    table.tell("1:10@0")
    assert table.front(0) == "5 9"
    assert table.front(1) == "10"
    table = Table(preset, seats=2).tell("5 9 0:hit 10 1:hit sw 1:@1 1:9@1")
    assert table.asked == "1 picks another sw: 5@0 10@0"


@presets(*AIMED)
def test_V17_two_cards_of_a_seat_are_a_choice(preset):
    table = Table(preset, seats=2).tell("5 9 0:hit 10 1:hit st 1:@1")
    assert table.asked == "1 picks st: 5@0 10@0"
    table = Table(preset, seats=2).tell("5 di 1:@1")
    assert table.front(0) == ""


@presets(*AIMED)
def test_V17_or_no_action_is_wasted(preset):
    """Whoever has all the cards can steal none, so the Steal goes to somebody else."""
    rules = f"{preset}(waste=false)"
    assert Table(preset).tell("5 st").asked == "1 st: @0 @1 @2"
    table = Table(rules).tell("5 st")
    assert table.asked == "1 st: @1 @2"
    assert table.tell("1:@2").front(2) == "5"
    assert Table(rules).tell("5 7 st").asked == "2 st: @0 @1 @2", "everybody can steal from somebody else"
    assert Table(rules).tell("5 7 di").asked == "2 di: @0 @1 @2", "one's own card can be discarded"
    assert Table(rules).tell("5 7 sw").asked == "2 sw: @0 @1 @2", "there are two cards to swap"
    assert Table(rules).tell("5 j1").asked == "1 j1: @0 @1 @2"
    table = Table(rules, seats=2).tell("5 st")
    assert table.heard("stolen") == [1], "one answer is not asked for"


@presets(*AIMED)
def test_V17_what_nobody_can_use_is_discarded(preset):
    for story in ("st", "sw", "di", "5 sw"):
        drawer = len(story.split()) - 1
        table = Table(f"{preset}(waste=false)").tell(story)
        assert table.heard("discarded") == [drawer], "nobody is asked on whom to play it"
        assert table.asked == f"card for {drawer + 1}"
        assert Table(preset).tell(story).asked.endswith(": @0 @1 @2")


@presets(*AIMED)
def test_V17_whose_cards_are_protected_can_use_them(preset):
    """Seat 0 has stayed by its own Just One More when the last cards of its Flip Four are resolved."""
    story = "5 -4 1:@0 -6 2:@0 0:hit f4 0:@0 j1 di 10 11 0:@0 12"
    assert Table(f"{preset}(reach=active)").tell(story).asked == "0 di: @0 @1 @2"
    table = Table(f"{preset}(reach=active,waste=false)").tell(story)
    assert table.asked == "0 picks di: 5@0 10@0 11@0 12@0 -4@0 -6@0", "nobody else can reach a card"


# --- modifiers ---


@presets(*WHOLE)
@pytest.mark.parametrize(("card", "points"), [("-2", 8), ("-4", 6), ("-6", 4), ("-8", 2), ("-10", 0), ("/2", 5)])
def test_V18_modifiers(preset, card, points):
    table = Table(preset).tell(f"10 7 9 0:hit 3 1:hit {card} 1:@2 2:stay 0:hit {'-2' if card != '-2' else '-4'} 0:@0")
    assert table.front(2) == f"9 {card}"
    table = Table(preset).tell(f"10 7 9 0:hit {card} 0:@0")
    assert table.points[0] == points
    assert table.view.seats[0].number_count == 1
    assert table.asked == "1: stay hit"


@presets(*AIMED)
def test_V18_they_can_be_taken(preset):
    table = Table(preset).tell("10 7 9 0:hit -6 0:@0 1:hit di 1:@1")
    assert table.asked == "1 picks di: 10@0 -6@0 7@1 9@2"
    table.tell("1:-6@0")
    assert table.points == [10, 7, 9]


@presets(*WHOLE)
def test_V18_the_same_twice(preset):
    """From two decks: both minus cards count, and one of them can be taken."""
    table = Table(f"{preset}(copies=2)", seats=2).tell("10 9 0:hit -4 0:@0 1:hit -4 1:@0")
    assert table.front(0) == "10 -4 -4"
    assert table.points == [2, 9]
    table.tell("0:hit di").tell("0:@0" if preset != "quick" else "").tell("0:-4@0")
    assert table.front(0) == "10 -4"
    assert table.points == [6, 9]
