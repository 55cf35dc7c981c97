"""The rules on given chips, and the promises that pitboss expects of any game."""

import pytest
from pitboss_toy.game import Toy

from pitboss import play, simulate
from pitboss.core.contract import check
from pitboss.core.dealer import Tape
from pitboss.core.step import FAULT


def play_out(spec, script):
    """A game of two in which chips and moves come from a text."""
    game = Toy.parse(spec).start(2)
    for word in script.split():
        game.apply(word)
    return game


def test_numbers_fill_the_pot_and_a_bank_keeps_it():
    game = play_out("race", "5 draw 3 bank")
    assert game.view(1).total == [8, 0]
    assert game.to_act == -1


def test_a_skull_takes_the_pot_but_not_the_total():
    game = play_out("race", "5 bank 4 bank 3 draw skull")
    assert game.view(0).total == [5, 4]


def test_chips_are_out_until_the_turn_ends():
    game = play_out("race", "5 draw 5 draw")
    assert "5" not in game.legal
    assert game.view(0).left[5] == 0
    game.apply("skull")
    assert "5" in game.legal


def test_a_race_ends_at_once():
    game = play_out("race(target=5)", "5 bank")
    assert (game.outcome.ended, game.outcome.winners) == ("won", (0,))


@pytest.mark.parametrize(("last", "ended", "winners"), [("4", "won", (0,)), ("5", "tied", (0, 1))])
def test_a_fair_game_finishes_the_round(last, ended, winners):
    game = play_out("fair(target=5)", "5 bank")
    assert not game.over
    game.apply(last)
    game.apply("bank")
    assert (game.outcome.ended, game.outcome.winners) == (ended, winners)


def test_a_fault_costs_the_pot():
    game = play_out("race", "5")
    game.apply(FAULT)
    assert game.view(1).total == [0, 0]


def test_a_game_of_bots_that_never_bank_is_cut():
    record = play(Toy.parse("race"), ["bank-100", "bank-100"], seed=1)
    assert record.outcome.ended in ("won", "cut")
    chips = ["1", "draw", "skull"] * 2 * 500
    game = play_out("race", " ".join(chips))
    assert game.outcome.ended == "cut"


@pytest.mark.parametrize(("spec", "seats"), [("race", 2), ("fair(target=50)", 6)])
def test_everything_fits_together(spec, seats):
    seen = check(Toy.parse(spec), seats, seed=1, games=3)
    assert seen["games"] == 3


@pytest.mark.parametrize("spec", ["race", "fair(target=50)", "race(skulls=5)"])
def test_records_replay(spec):
    record = play(Toy.parse(spec), ["bank-8", "ev", "bank-3"], seed=4)
    assert record.verify() == len(record.cards) + len(record.moves)
    again = play(Toy.parse(spec), ["bank-8", "ev", "bank-3"], dealer=Tape(record.cards))
    assert again.moves == record.moves


def test_weighing_chips_beats_counting_to_three():
    result = simulate(Toy.parse("fair"), ["ev", "bank-3"], games=2000, seed=1)
    assert [versus.better for versus in result.versus()] == ["ev"]
