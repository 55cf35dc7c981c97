"""N: number cards only, and four ways to break a tie."""

from __future__ import annotations

import pytest
from taped import FLIP_7, Table


def tie(how: str, **history: list[int]) -> Table:
    """A round that brings seats 0, 1 and 2 five, six and seven points."""
    return Table(f"numbers(tie={how})").arrange(**history).tell("5 6 7").finish()


def test_N01_an_opening_card_each_then_one_card_or_stay_in_turn():
    t = Table("numbers")
    assert len(t.left.split()) == 79
    t.tell("5 6 7")
    assert t.asked == "0: stay hit"
    assert t.tell("0:hit 8").asked == "1: stay hit"
    assert t.tell("1:stay").asked == "2: stay hit"
    assert t.tell("2:hit 9 0:stay 2:stay").totals == [13, 6, 16]


def test_N01_with_modifiers():
    t = Table("numbers(modifiers=true)")
    assert len(t.left.split()) == 85
    assert t.tell("5 x2 7 0:hit +10").points == [15, 0, 7]


def test_N02_flip_7_ends_the_round_for_everyone():
    t = Table("numbers").tell(FLIP_7)
    assert (t.totals, t.view.round) == ([43, 50, 0], 2)


def test_N03_extra_round_is_the_default_and_anyone_may_win_it():
    t = Table("numbers").arrange(total=[195, 194, 190], flip7s=[0, 1, 2]).tell("5 6 7").finish()
    assert (t.totals, t.view.round, t.asked) == ([200, 200, 197], 2, "card for 1")
    t.tell("3 12 4").finish()
    assert t.position.outcome.winners == (2,)


def test_N03_shared():
    t = tie("shared", total=[195, 194, 190])
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("tied", (0, 1))
    assert t.position.outcome.shares == (0.5, 0.5, 0)
    assert t.heard("won") == [0, 1]


def test_N03_shared_by_one_is_just_won():
    t = tie("shared", total=[195, 193, 190])
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("won", (0,))


def test_N03_most_flip_7s_of_the_tied():
    t = tie("most_flip7", total=[195, 194, 190], flip7s=[1, 2, 9])
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("won", (1,))
    t = tie("most_flip7", total=[195, 194, 193], flip7s=[3, 2, 2])
    assert t.position.outcome.winners == (0,)


def test_N03_flip_7s_of_the_whole_game_count():
    t = Table("numbers(tie=most_flip7)").tell(FLIP_7).arrange(total=[190, 191, 0]).tell("9 5 10").finish()
    assert t.totals == [200, 200, 5]
    assert t.position.outcome.winners == (0,)


def test_N03_each_flip_7_counts_once():
    t = Table("numbers(tie=most_flip7)").arrange(flip7s=[0, 1]).tell(FLIP_7)
    t.arrange(total=[190, 191, 0]).tell("9 5 10").finish()
    assert (t.totals, t.view.round) == ([200, 200, 5], 3)


def test_N03_comeback_of_the_tied():
    t = tie("comeback", total=[195, 194, 0])
    assert (t.position.outcome.ended, t.position.outcome.winners) == ("won", (1,))


@pytest.mark.parametrize("how", ["most_flip7", "comeback"])
def test_N03_still_tied_an_extra_round_decides(how):
    t = Table(f"numbers(tie={how})").arrange(total=[195, 195, 190], flip7s=[1, 1, 0]).tell("5 5 7").finish()
    assert (t.view.round, t.asked) == (2, "card for 1")
    t.tell("4 12 3").finish()
    assert t.position.outcome.winners == (2,)
