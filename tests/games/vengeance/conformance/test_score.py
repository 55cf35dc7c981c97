"""Score, the end of a game, and the Brutal mode: V19 to V23."""

from __future__ import annotations

import numpy as np
import pytest

from pitboss.core.errors import SpecError
from pitboss.games.vengeance.state import MOVES
from pitboss.games.vengeance.step import legal
from tests.games.vengeance.conformance.taped import ALL, MANY, WHOLE, Table, holding, presets

SEVEN = "3 12 0:hit 11 1:stay 0:hit 5 0:hit 7 0:hit 10 0:hit 8"


@presets("standard", "quick")
def test_V19_the_example(preset):
    table = Table(preset, seats=2).tell(SEVEN.replace("1:stay", "1:hit /2 1:@0").replace("0:hit 5", "0:hit 5 1:stay"))
    on = "0:@0 " if preset == "standard" else ""
    table.tell(f"0:hit -4 {on}0:hit 4")
    assert table.totals == [35, 12]


@presets(*WHOLE)
def test_V19_halved_first_then_less(preset):
    table = Table(preset).tell("11 /2 1:@0 9 0:hit -4 0:@0")
    assert table.points[0] == 1


@presets("standard", "quick")
def test_V19_not_below_0(preset):
    table = Table(preset).tell("5 7 9 0:hit -10 0:@0")
    assert table.points == [0, 7, 9]
    assert table.finish().totals == [0, 7, 9]


@presets("standard", "quick")
def test_V19_not_below_0_before_the_bonus(preset):
    """1 to 6 and 8 are 29, halved 14, less 30: 0, and 15 for the Flip 7."""
    table = Table(preset, seats=2).tell("1 12 0:hit /2 0:@0 1:hit -10 1:@0 0:hit 2 1:hit -8 1:@0 0:hit 3 1:hit -6 1:@0")
    table.tell("0:hit 4 1:hit -4 1:@0 0:hit 5 1:hit -2 1:@0 0:hit 6 1:stay 0:hit 8")
    assert table.totals == [15, 12]


@presets(*WHOLE)
def test_V19_a_second_half_changes_nothing(preset):
    table = Table(f"{preset}(copies=2)", seats=2).tell("12 9 0:hit /2 0:@0 1:hit /2 1:@0")
    assert table.points == [6, 9]


@presets(*MANY)
def test_V19_bust_is_0(preset):
    assert Table(preset).tell("5 7 9 0:hit 5").points == [0, 7, 9]


@presets(*MANY)
def test_V20_the_target(preset):
    table = Table(preset).arrange(total=[190, 0, 0]).tell("9 7 12").finish()
    assert table.totals == [199, 7, 12]
    assert table.view.round == 2
    assert Table(preset).arrange(total=[191, 180, 0]).tell("9 12 8").finish().totals == [200, 192, 8]
    assert Table(preset).arrange(total=[191, 180, 0]).tell("9 12 8").finish().over
    table = Table(preset).arrange(total=[191, 189, 0]).tell("9 12 8").finish()
    assert table.over
    assert table.position.outcome.winners == (1,)
    assert table.heard("won") == [1]
    assert table.totals == [200, 201, 8]


@presets("solo")
def test_V20_the_target_alone(preset):
    assert not Table(preset, seats=1).arrange(total=[190]).tell("9 0:stay").over
    table = Table(preset, seats=1).arrange(total=[190]).tell("10 0:stay")
    assert table.over
    assert table.position.outcome.winners == (0,)


@presets(*MANY)
def test_V20_a_tie_is_played_on(preset):
    table = Table(preset).arrange(total=[200, 198, 0]).tell("9 11 12").finish()
    assert table.totals == [209, 209, 12]
    assert table.view.round == 2
    table.tell("5 7 8").finish()
    assert table.over
    assert table.position.outcome.winners == (0,)  # seat 1 got 5, seat 2 got 7, seat 0 got 8


@presets(*MANY)
def test_V20_or_shared(preset):
    table = Table(f"{preset}(tie=shared)").arrange(total=[200, 198, 0]).tell("9 11 12").finish()
    assert table.position.outcome.ended == "tied"
    assert table.position.outcome.winners == (0, 1)
    assert table.position.outcome.shares == (0.5, 0.5, 0)
    assert not Table(f"{preset}(tie=shared)").tell("9 9 9").finish().over
    alone = Table(f"{preset}(tie=shared)").arrange(total=[200, 198, 0]).tell("9 10 12").finish()
    assert alone.position.outcome.ended == "won"


@presets(*ALL)
def test_V20_cut(preset):
    seats = 1 if preset == "solo" else 3
    table = Table(preset, seats).arrange(round=999).tell("9 11 12" if seats == 3 else "9").finish()
    assert table.view.round == 1000
    table.tell("5 7 8" if seats == 3 else "5").finish()
    assert table.over
    assert table.position.outcome.ended == "cut"
    assert table.position.outcome.winners == ()


@presets(*ALL)
def test_V20_seats(preset):
    if preset == "solo":
        with pytest.raises(SpecError, match="exactly 1 seat, not 2"):
            Table(preset, seats=2)
    else:
        Table(preset, seats=2)
        Table(preset, seats=18)
        with pytest.raises(SpecError, match="2 to 18 seats, not 19"):
            Table(preset, seats=19)
        with pytest.raises(SpecError, match="2 to 18 seats, not 1"):
            Table(preset, seats=1)


# --- Brutal ---


@presets("brutal")
def test_V21_below_0(preset):
    table = Table(preset).tell("5 7 9 0:hit -10 0:@0")
    assert table.points == [-5, 7, 9]
    assert table.finish().totals == [-5, 7, 9]
    table.tell("-2 1:@1 5 6").finish()
    assert table.totals == [1, 5, 14]


@presets("brutal")
def test_V21_the_zero_and_a_bust_are_0_all_the_same(preset):
    assert Table(preset).tell("5 0 9 0:hit -10 0:@1").points == [5, 0, 9]
    assert Table(preset).tell("5 7 9 0:hit -10 0:@1 1:hit 7").points == [5, 0, 9]


@presets("brutal")
def test_V22_modifiers_on_bust_players(preset):
    table = Table(preset).tell("5 7 9 0:hit -10 0:@1 1:hit 7 2:hit -4")
    assert table.asked == "2 -4: @0 @1 @2"
    table.tell("2:@1")
    assert table.points == [5, -4, 9], "what came before the bust counts"
    assert table.status == "active busted active"
    table.tell("0:hit /2 0:@1 2:hit -6 2:@1")
    assert table.points == [5, -10, 9]
    assert table.finish().totals == [5, -10, 9]


@presets("brutal")
def test_V22_but_no_actions(preset):
    assert Table(preset).tell("5 7 9 0:hit 5 1:hit j1").asked == "1 j1: @1 @2"


@presets("standard", "quick")
def test_V22_not_elsewhere(preset):
    assert Table(preset).tell("5 7 9 0:hit 5 1:hit -4").asked == "1 -4: @1 @2"


@presets("standard", "quick")
def test_V22_without_scores_below_0(preset):
    table = Table(f"{preset}(modifiers_on_bust=true)").tell("5 7 9 0:hit 5 1:hit -4")
    assert table.asked == "1 -4: @0 @1 @2"
    assert table.tell("1:@0").points == [0, 7, 9]


@presets("brutal")
def test_V23_the_bonus_for_oneself(preset):
    table = holding(preset, "1 2 3 4 5 6").tell("0:hit 8")
    assert table.asked == "0 prize: @0 @1"
    assert table.tell("0:@0").totals == [44, 12]


@presets("brutal")
def test_V23_or_against_another(preset):
    table = holding(preset, "1 2 3 4 5 6").tell("0:hit 8 0:@1")
    assert table.totals == [29, -3]
    assert "B gets -15 for a Flip 7, by A" in table.log


@presets("standard", "quick", "numbers")
def test_V23_not_elsewhere(preset):
    table = holding(preset, "1 2 3 4 5 6").tell("0:hit 8")
    assert table.totals == [44, 12]


@presets("numbers", "standard", "quick")
def test_V23_no_total_falls_below_0_then(preset):
    table = holding(f"{preset}(flip7_bonus=either)", "1 2 3 4 5 6").tell("0:hit 8 0:@1")
    assert table.totals == [29, 0]
    table = holding(f"{preset}(flip7_bonus=either)", "1 2 3 4 5 6").arrange(total=[0, 10]).tell("0:hit 8 0:@1")
    assert table.totals == [29, 7]


@presets("brutal")
def test_V23_bust_players_too(preset):
    table = Table(preset).tell("1 12 9 0:hit 2 1:hit 12 2:stay 0:hit 3 0:hit 4 0:hit 5 0:hit 6 0:hit 8")
    assert table.asked == "0 prize: @0 @1 @2"
    assert table.tell("0:@1").totals == [29, -15, 9]


@presets("standard", "numbers")
def test_V19_the_bonus_is_for_one_round(preset):
    table = holding(preset, "1 2 3 4 5 6").tell("0:hit 7")
    assert table.totals[0] == 28 + 15
    table.tell("5 8 1:stay 0:stay")
    assert table.totals[0] == 28 + 15 + 8


def test_V22_what_a_bust_player_owes_is_for_one_round():
    table = Table("brutal", seats=2).tell("5 7 0:hit 5 1:hit -4 1:@0 1:stay")
    assert table.totals[0] == -4
    assert table.tell("6 8 1:stay 0:stay").totals[0] == -4 + 8


@presets(*MANY)
def test_V20_after_the_end_nothing_is_legal_and_a_new_game_knows_nothing_of_it(preset):
    table = Table(f"{preset}(target=5)", seats=2).tell("5 7 0:hit 5 1:stay")
    position, game = table.position, table.position.game
    assert table.over
    assert not any(legal(position.states[0], game.record[0], move) for move in range(MOVES))
    game.loops.start(position.states, game.record, 2, position.buffer)
    fresh = game.start(2).states[0]
    for field in ("ended", "round", "dealer", "total", "last", "won", "busts", "flip7s", "left", "left_total"):
        assert np.array_equal(position.states[0][field], fresh[field]), field
