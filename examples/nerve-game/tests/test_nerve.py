"""The rules on given cards, and the promises that pitboss expects of any game."""

import pytest
from pitboss_nerve.game import Nerve

from pitboss import play, simulate
from pitboss.core.contract import check
from pitboss.core.dealer import Tape
from pitboss.core.secrets import COVERED
from pitboss.core.step import FAULT


def play_out(spec, script):
    """A game of two in which cards and moves come from a text."""
    game = Nerve.parse(spec).start(2)
    for word in script.split():
        game.apply(word)
    return game


def test_the_highest_card_wins():
    game = play_out("full", "5 7 hold hold")
    assert (game.outcome.ended, game.outcome.winners, game.outcome.scores) == ("won", (1,), (5, 7))


def test_equal_cards_share_the_win():
    assert play_out("full", "5 5 hold hold").outcome.shares == (0.5, 0.5)


def test_a_swap_throws_the_card_away_for_all_to_see():
    game = play_out("full", "5 7 swap 2")
    assert game.view(1).thrown == [4, -1]
    assert game.view(1).hand == [COVERED, 6]
    assert game.to_act == 1, "one swap each"
    assert play_out("full(swaps=2)", "5 7 swap 2").to_act == 0


def test_a_card_that_is_out_is_not_dealt_again():
    assert "5" not in play_out("full(copies=1)", "5 7 swap").legal


def test_a_fault_holds():
    game = play_out("full", "5 7")
    game.apply(FAULT)
    assert game.to_act == 1


def test_a_seat_sees_its_own_card_only():
    game = play_out("full", "5 7")
    assert (game.view(0).hand, game.view(1).hand) == ([4, COVERED], [COVERED, 6])
    assert game.view(0).left == [2, 2, 2, 2, 1, 2, 2, 2, 2], "cards that seat 0 has not seen"
    assert "7" in {str(game.view(0).game.imagine(game.view(0), luck).view(1).hand[1] + 1) for luck in range(200)}


@pytest.mark.parametrize(("spec", "seats"), [("full", 2), ("full(swaps=3)", 4), ("tiny", 3)])
def test_everything_fits_together_and_nothing_leaks(spec, seats):
    seen = check(Nerve.parse(spec), seats, seed=1, games=5)
    assert seen["games"] == 5
    assert seen["other worlds"] > 0
    assert seen["hidden moves"] > 0


def test_records_replay():
    record = play(Nerve.parse("full"), ["hold-5", "random", "hold-7"], seed=4)
    assert record.verify() == len(record.cards) + len(record.moves)
    again = play(Nerve.parse("full"), ["hold-5", "random", "hold-7"], seed=4, dealer=Tape(record.cards))
    assert again.cards == record.cards


def test_holding_what_is_above_average_beats_holding_everything():
    result = simulate(Nerve.parse("full"), ["hold-6", "hold-1"], games=2000, seed=1)
    assert [versus.better for versus in result.versus()] == ["hold-6"]
