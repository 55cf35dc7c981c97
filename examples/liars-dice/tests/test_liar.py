"""The rules on given dice, and the promises that pitboss expects of any game."""

import pytest
from pitboss_liar.game import LiarsDice

from pitboss import play, simulate
from pitboss.core.contract import check
from pitboss.core.errors import IllegalMove, NotationError
from pitboss.core.secrets import COVERED
from pitboss.core.step import FAULT


def play_out(spec, *words, seats=2):
    """A game in which dice and moves come from texts."""
    game = LiarsDice.parse(spec).start(seats)
    for word in words:
        game.apply(word)
    return game


TWO = ("3", "5", "5", "1")  # two dice each: Ann has 3 and 5, Bob 5 and 1


def test_a_true_bid_costs_the_caller_a_die():
    game = play_out("full(dice=2)", *TWO, "bid 2 5", "liar")
    assert game.view(0).count == [2, 1]
    assert game.view(0).shown[1][:2] == [4, 0], "all have seen them"


def test_a_lie_costs_the_bidder_a_die():
    game = play_out("full(dice=2)", *TWO, "bid 2 6", "liar")
    assert game.view(0).count == [1, 2]
    assert game.view(0).first == 0, "the loser begins"


def test_who_bids_next_sees_what_all_the_others_have_bid():
    """Not the last bid alone: an agent sees only the table, and bids between tell what others hold."""
    rolled = ("1", "1", "1")
    views = [
        play_out("full(dice=1)", *rolled, "bid 1 1", middle, "bid 1 5", seats=3).view(0)
        for middle in ("bid 1 3", "bid 1 4")
    ]
    assert [view.said[:3] for view in views] == [[1, 3, 5], [1, 4, 5]]
    assert [view.last_bid for view in views] == [(1, 5), (1, 5)]
    assert play_out("full(dice=2)", *TWO, "bid 2 5", "liar").view(0).said == [0, 0], "a new round"


def test_wild_ones_count():
    assert play_out("wild(dice=2)", *TWO, "bid 3 5", "liar").view(0).count == [2, 1]
    assert play_out("full(dice=2)", *TWO, "bid 3 5", "liar").view(0).count == [1, 2]


def test_a_bid_must_be_higher():
    game = play_out("full(dice=2)", *TWO, "bid 2 5")
    assert "bid 2 6" in game.legal
    assert "bid 3 1" in game.legal
    assert "bid 5 1" not in game.legal, "there are four dice"
    with pytest.raises(IllegalMove, match="bid 2 5 is not legal for seat 1 now"):
        game.apply("bid 2 5")


def test_the_first_cannot_call():
    assert "liar" not in play_out("full(dice=2)", *TWO).legal


def test_the_highest_bid_must_be_called():
    game = play_out("full(dice=2)", *TWO, "bid 4 6")
    assert game.view(0).count == [1, 2]


def test_who_has_no_dice_is_out_and_the_last_wins():
    game = play_out("tiny", "1", "2", "3", "bid 2 3", "liar", seats=3)
    assert game.view(0).count == [0, 1, 1]
    assert (game.view(0).first, game.to_act) == (1, -1)
    for word in ("1", "2", "bid 1 3", "liar"):
        game.apply(word)
    assert (game.outcome.ended, game.outcome.winners, game.outcome.scores) == ("won", (2,), (0, 0, 1))


def test_a_fault_costs_a_die():
    game = play_out("full(dice=2)", *TWO)
    game.apply(FAULT)
    assert game.view(0).count == [1, 2]


def test_a_seat_sees_its_own_dice_only():
    view = play_out("full(dice=2)", *TWO).view(1)
    assert view.dice == [[COVERED, COVERED, -1, -1, -1], [4, 0, -1, -1, -1]]
    assert view.own == [5, 1]


def test_moves_are_written_in_words():
    game = LiarsDice.parse("full")
    assert game.format_move(game.parse_move("bid 30 6")) == "bid 30 6"
    for text in ("bid 31 1", "bid 1 7", "bid 0 1", "lair", "bid 3"):
        with pytest.raises(NotationError, match="say liar, or how many dice show what, such as bid 3 5"):
            game.parse_move(text)


@pytest.mark.parametrize(("spec", "seats"), [("tiny", 2), ("full(dice=2)", 3), ("wild(dice=1)", 6)])
def test_everything_fits_together_and_nothing_leaks(spec, seats):
    seen = check(LiarsDice.parse(spec), seats, seed=1, games=3)
    assert seen["games"] == 3
    assert min(seen["hidden moves"], seen["event rolled"], seen["event shows"]) > 0


def test_records_replay():
    record = play(LiarsDice.parse("full"), ["doubt-150", "random", "doubt-100"], seed=4)
    assert record.verify() == len(record.cards) + len(record.moves)


def test_doubt_beats_luck():
    result = simulate(LiarsDice.parse("full(dice=2)"), ["doubt-150", "random"], games=200, seed=1)
    assert [versus.better for versus in result.versus()] == ["doubt-150"]
