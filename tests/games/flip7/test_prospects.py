"""Chances to win that come true: of all decisions that were told 60 %, about 60 % led to a win."""

import numpy as np
import pytest

from pitboss.games.flip7.advice import chances_to_win
from pitboss.games.flip7.cards import SECOND_CHANCE
from pitboss.run.batch import records


@pytest.fixture(scope="module")
def decisions():
    """Per kind of decision, what chance each was told, and the share of the win that it led to. The games are the same
    each time; luck puts the means of all decisions of a kind about 0.02 apart."""
    found = {"Second Chance to put": [], "Second Chance there": [], "none": []}
    for record in records("flip7:tournament", "hunter,ev", 250, 7):
        moves, before = iter(record.moves), None
        for position, _, _ in record.replay():
            if before is not None:
                move, view = next(moves), before.view(before.to_act)
                chances = chances_to_win(view)
                if move in chances:
                    there = "Second Chance there" if any(seat.second_chance for seat in view.seats) else "none"
                    kind = "Second Chance to put" if view.card == SECOND_CHANCE else there
                    found[kind].append((chances[move], record.outcome.shares[view.seat]))
            before = position.copy() if position.to_act >= 0 else None
    return {kind: np.array(pairs).T for kind, pairs in found.items()}


def test_with_and_without_a_second_chance(decisions):
    for told, won in decisions.values():
        assert len(told) > 300
        assert told.mean() == pytest.approx(won.mean(), abs=0.05)


def test_high_and_low(decisions):
    told, won = np.concatenate(list(decisions.values()), axis=1)
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        band = (told >= low) & (told < low + 0.2)
        assert told[band].mean() == pytest.approx(won[band].mean(), abs=0.07)
