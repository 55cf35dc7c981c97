"""H13 to H17: calls, last turns, the end. Hands are 2s 8s (10 points) and 3h 9h (12 points)."""

from __future__ import annotations

import pytest

from tests.games.show.conformance.taped import ALL, Table, opened, presets

CLASSIC = ("classic", "full")
TWO_ROUNDS = "4d 0:discard 4c 1:discard 5d 0:discard 5c 1:discard"  # at a fair table, where nobody may call yet
FIVE = "deck=2s 8s 3h 9h 4d"  # one card to draw
SIX = "deck=2s 8s 3h 9h 4d 4c"


# --- the question ---


@presets(*CLASSIC)
def test_H13_after_its_turn_each_player_is_asked(preset):
    t = opened(preset, "4d 0:discard")
    assert (t.asked, t.code) == ("0: call", 62)
    t.tell("0:play-on")
    assert t.heard(0) == t.heard(1) == ["0 plays on"]
    assert t.asked == "card for 1"
    t.tell("4c 1:keep 1:0")
    assert (t.asked, t.code) == ("1: call", 63)
    assert t.tell("1:play-on").asked == "card for 0"
    assert t.tell("5c 0:discard").asked == "0: call"


@presets(*CLASSIC)
def test_H13_after_a_power_too(preset):
    assert opened(preset, "10d 0:discard 0:yes 0:1").asked == "0: call"
    assert opened(preset, "10d 0:discard 0:no").asked == "0: call"


def test_H13_zero_plays_on_and_one_calls():
    t = opened("classic", "4d 0:discard")
    on, call = t.position.copy(), t.position.copy()
    on.apply(0)
    call.apply(1)
    assert (on.over, call.over) == (False, True)


def test_H13_at_a_fair_table():
    t = opened("fair", TWO_ROUNDS + " 6d 0:discard")
    assert (t.asked, t.code) == ("0: call", 62)
    t.tell("0:play-on 6c 1:discard")
    assert (t.asked, t.code) == ("1: call", 63)
    assert t.tell("1:play-on").asked == "card for 0"


# --- last turns ---


@presets(*CLASSIC)
def test_H14_a_call_by_player_1_ends_the_game_at_once(preset):
    t = opened(preset, "4d 0:discard").tell("0:show")
    assert (t.asked, t.caller, t.points, t.payoff) == ("over", 0, [10, 12], [1000, -1000])
    assert t.heard(0) == t.heard(1) == ["0 called", "0 shown 2s 8s", "1 shown 3h 9h", "0 won 10 12"]


@presets(*CLASSIC)
def test_H14_a_call_by_player_2_gives_player_1_one_last_turn_without_a_call(preset):
    t = opened(preset, "4d 0:discard 0:play-on 4c 1:discard").tell("1:show")
    assert (t.asked, t.caller, t.view(0).last_turn) == ("card for 0", 1, True)
    assert t.heard(0) == t.heard(1) == ["1 called", "0 last turn"]
    t.tell("5d 0:keep 0:1")
    assert (t.asked, t.points, t.payoff) == ("over", [7, 12], [1000, -1000])
    assert t.heard(1)[-3:] == ["0 shown 2s 5d", "1 shown 3h 9h", "0 won 7 12"]


@presets(*CLASSIC)
def test_H14_the_last_turn_may_be_a_discard(preset):
    t = opened(preset, "4d 0:discard 0:play-on 4c 1:discard 1:show 5d 0:discard")
    assert (t.asked, t.points) == ("over", [10, 12])


def test_H14_fair_a_call_by_player_1_gives_player_2_one_last_turn():
    t = opened("fair", TWO_ROUNDS + " 6d 0:discard").tell("0:show")
    assert (t.asked, t.caller, t.view(1).last_turn) == ("card for 1", 0, True)
    assert t.heard(0) == t.heard(1) == ["0 called", "1 last turn"]
    t.tell("6c 1:keep 1:1")
    assert (t.asked, t.points, t.payoff) == ("over", [10, 9], [-1000, 1000])


def test_H14_fair_a_call_by_player_2_ends_the_game_at_once():
    t = opened("fair", TWO_ROUNDS + " 6d 0:discard 0:play-on 6c 1:discard").tell("1:show")
    assert (t.asked, t.caller, t.points, t.payoff) == ("over", 1, [10, 12], [1000, -1000])
    assert t.heard(0) == t.heard(1) == ["1 called", "0 shown 2s 8s", "1 shown 3h 9h", "0 won 10 12"]


@presets(*CLASSIC)
@pytest.mark.parametrize(("card", "then"), [("10d", "0: look"), ("Jd", "0: look across")])
def test_H14_powers_in_the_last_turn(preset, card, then):
    called = "4d 0:discard 0:play-on 4c 1:discard 1:show"
    t = opened(preset, f"{called} {card} 0:discard 0:yes")
    assert t.asked == then
    assert t.tell("0:1").asked == "over"
    assert opened(f"{preset}(powers_in_last_turn=false)", f"{called} {card} 0:discard").asked == "over"


@pytest.mark.parametrize(("card", "then"), [("10d", "1: look"), ("Jd", "1: look across")])
def test_H14_powers_in_the_last_turn_of_a_fair_game(card, then):
    called = TWO_ROUNDS + " 6d 0:discard 0:show"
    t = opened("fair", f"{called} {card} 1:discard 1:yes")
    assert t.asked == then
    assert t.tell("1:1").asked == "over"
    assert opened("fair(powers_in_last_turn=false)", f"{called} {card} 1:discard").asked == "over"


@presets(*ALL)
def test_H14_before_the_last_turn_powers_are_powers(preset):
    assert opened(f"{preset}(powers_in_last_turn=false)", "10d 0:discard").asked == "0: use 10d"


def test_H14_queens_and_kings_may_touch_a_caller_of_the_full_game():
    called = "4d 0:discard 0:play-on 4c 1:discard 1:show"
    t = opened("full", f"{called} Qd 0:discard 0:yes 0:1 0:0")
    assert (t.asked, t.points, t.payoff) == ("over", [5, 17], [1000, -1000])
    t = opened("full", f"{called} Kd 0:discard 0:yes 0:0 0:1 0:swap")
    assert (t.asked, t.points, t.payoff) == ("over", [17, 5], [-1000, 1000])
    t = opened("full", f"{called} Kd 0:discard 0:yes 0:0 0:1 0:leave")
    assert (t.asked, t.points) == ("over", [10, 12])


@pytest.mark.parametrize("card", ["Qd", "Kd"])
def test_H14_but_not_one_who_is_locked(card):
    called = "4d 0:discard 0:play-on 4c 1:discard 1:show"
    t = opened("full(caller_locked=true)", f"{called} {card} 0:discard")
    assert (t.asked, t.hand(1)) == ("over", "3h 9h")
    locked = opened("full(caller_locked=true)", f"{card} 0:discard")
    assert locked.asked == f"0: use {card}", "nobody has called yet"
    assert opened("full(caller_locked=true)", f"{called} 10d 0:discard").asked == "0: use 10d"
    assert opened("full(caller_locked=true)", f"{called} Jd 0:discard").asked == "0: use Jd"


@pytest.mark.parametrize(("switch", "card"), [("queen", "Qd"), ("king", "Kd")])
def test_H14_a_fair_caller_is_locked(switch, card):
    called = TWO_ROUNDS + " 6d 0:discard 0:show"
    assert opened(f"fair({switch}=true)", f"{called} {card} 1:discard").asked == "over"
    assert opened(f"fair({switch}=true)", f"4d 0:discard {card} 1:discard").asked == f"1: use {card}"
    assert opened(f"fair({switch}=true)", f"{called} Jd 1:discard").asked == "1: use Jd"
    open_table = f"fair({switch}=true, caller_locked=false)"
    assert opened(open_table, f"{called} {card} 1:discard").asked == f"1: use {card}"


@presets(*CLASSIC)
def test_H14_switches_for_either_players_call(preset):
    t = opened(f"{preset}(last_turn_after_p1=true)", "4d 0:discard 0:show")
    assert t.asked == "card for 1"
    assert t.tell("4c 1:discard").asked == "over"
    assert opened(f"{preset}(last_turn_after_p2=false)", "4d 0:discard 0:play-on 4c 1:discard 1:show").asked == "over"


# --- when to call ---


@presets(*CLASSIC)
def test_H15_a_call_from_the_first_turn(preset):
    assert opened(preset, "4d 0:discard").asked == "0: call"
    assert opened(preset, "4d 0:discard 0:play-on 4c 1:discard").asked == "1: call"


def test_H15_fair_from_the_third_turn():
    t = opened("fair", "4d 0:discard")
    for story in ("4c 1:discard", "5d 0:keep 0:0", "5c 1:discard"):
        assert t.asked == f"card for {story.split()[1][0]}"
        t.tell(story)
    assert t.asked == "card for 0"
    assert t.tell("6d 0:discard").asked == "0: call"
    assert t.tell("0:play-on 6c 1:discard").asked == "1: call"
    assert t.tell("1:play-on 7d 0:discard").asked == "0: call"


@presets(*ALL)
def test_H15_own_turns_count(preset):
    t = opened(f"{preset}(call_from_turn=2)", "4d 0:discard")
    assert t.asked == "card for 1"
    assert t.tell("4c 1:discard").asked == "card for 0"
    assert t.tell("5d 0:discard").asked == "0: call"
    assert t.tell("0:play-on 5c 1:discard").asked == "1: call"


# --- no cards ---


@presets(*CLASSIC)
def test_H16_an_empty_pile_is_a_tie(preset):
    t = opened(f"{preset}({FIVE})", "4d 0:discard").tell("0:play-on")
    assert (t.asked, t.payoff, t.points, t.deck_out) == ("over", [0, 0], [0, 0], 1)
    assert t.heard(0) == t.heard(1) == ["0 plays on", "deck out", "tied 0"]
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h ? / ? ?")
    assert t.position.outcome.ended == "tied"


def test_H16_at_a_fair_table_though_nobody_could_call():
    t = opened(f"fair({SIX})", "4d 0:discard").tell("4c 1:discard")
    assert (t.asked, t.payoff, t.deck_out) == ("over", [0, 0], 1)
    assert t.heard(1)[-2:] == ["deck out", "tied 0"]


@presets(*ALL)
def test_H16_the_last_card_is_still_played(preset):
    t = opened(f"{preset}({FIVE})", "4d")
    assert (t.view(0).cards_left, t.asked) == (0, "0: keep or discard 4d")
    assert t.tell("0:keep").asked == "0: slot for 4d"


@presets(*CLASSIC)
def test_H16_after_a_call_the_hands_are_compared(preset):
    t = opened(f"{preset}({SIX})", "4d 0:discard 0:play-on 4c 1:keep 1:1").tell("1:show")
    assert (t.asked, t.points, t.payoff, t.deck_out) == ("over", [10, 7], [-1000, 1000], 1)
    assert t.heard(0) == [
        "1 called", "0 last turn", "deck out", "0 shown 2s 8s", "1 shown 3h 4c", "1 won 7 10"
    ]  # fmt: skip


def test_H16_so_they_are_at_a_fair_table():
    t = opened(f"fair(call_from_turn=1, {FIVE})", "4d 0:discard 0:show")
    assert (t.asked, t.points, t.payoff, t.deck_out) == ("over", [10, 12], [1000, -1000], 1)


@presets(*CLASSIC)
def test_H16_a_call_with_the_last_card_is_a_call_like_any_other(preset):
    t = opened(f"{preset}({FIVE})", "4d 0:discard 0:show")
    assert (t.payoff, t.deck_out) == ([1000, -1000], 0)


# --- who wins ---


@presets(*CLASSIC)
def test_H17_the_lower_total_wins_whoever_called(preset):
    t = Table(preset).tell("9s 3h 8s 2h 0:0 1:0 4d 0:discard 0:show")
    assert (t.points, t.payoff, t.heard(0)[-1]) == ([17, 5], [-1000, 1000], "1 won 5 17")
    assert t.position.outcome.winners == (1,)
    assert opened(preset, "4d 0:discard 0:show").position.outcome.winners == (0,)


@presets(*CLASSIC)
def test_H17_equal_totals_tie(preset):
    t = Table(preset).tell("9s 3h As 7h 0:0 1:0 4d 0:discard 0:show")
    assert (t.points, t.payoff, t.heard(0)[-1]) == ([10, 10], [0, 0], "tied 10")
    assert t.position.outcome.ended == "tied"


def test_H17_at_a_fair_table():
    t = Table("fair").tell("9s 3h As 6h 0:0 1:0 " + TWO_ROUNDS + " 6d 0:discard 0:show 7d 1:discard")
    assert (t.points, t.payoff) == ([10, 9], [-1000, 1000])
    t = Table("fair").tell("9s 3h As 7h 0:0 1:0 " + TWO_ROUNDS + " 6d 0:discard 0:play-on 7d 1:discard 1:show")
    assert (t.points, t.payoff) == ([10, 10], [0, 0])


@presets(*ALL)
def test_H17_hands_are_revealed(preset):
    story = TWO_ROUNDS + " 6d 0:discard 0:play-on 6c 1:discard 1:show" if preset == "fair" else "4d 0:discard 0:show"
    t = opened(preset, story)
    assert (t.knows(0), t.knows(1)) == ("2s 8s / 3h 9h", "3h 9h / 2s 8s")


@presets(*ALL)
@pytest.mark.parametrize(
    ("cards", "first_calls", "second_calls"),
    [
        ("2s 3h 8s 9h", [1000, -1000], [1400, -1400]),  # 10 against 12
        ("9s 3h 8s 2h", [-1400, 1400], [-1000, 1000]),  # 17 against 5
        ("9s 3h As 7h", [-200, 200], [200, -200]),  # 10 each
    ],
)
def test_H17_a_caller_who_does_not_win_pays_the_penalty(preset, cards, first_calls, second_calls):
    rules = f"{preset}(call_penalty=0.4, call_from_turn=1, last_turn_after_p1=false, last_turn_after_p2=false)"
    t = Table(rules).tell(f"{cards} 0:0 1:0 4d 0:discard 0:show")
    assert t.payoff == first_calls
    t = Table(rules).tell(f"{cards} 0:0 1:0 4d 0:discard 0:play-on 4c 1:discard 1:show")
    assert t.payoff == second_calls


@presets(*ALL)
def test_H17_a_penalty_is_for_callers_only(preset):
    t = opened(f"{preset}(call_penalty=0.4, call_from_turn=2, {FIVE})", "4d 0:discard")
    assert (t.asked, t.payoff) == ("over", [0, 0])
