"""What totals of Flip 7 are worth between two rounds: the table for `pitboss.core.standing`.

In every round to come each seat is taken to score as the habit of `playout` does from a full deck. How points are then
distributed is sampled once for each rule book, with two seats and always the same luck, and kept on disk.

What it leaves out: how people play when a game is nearly won or lost, that more seats are frozen more often, which
cards are left in the deck, and who begins.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.standing import table_of
from pitboss.core.types import Floats
from pitboss.games.flip7.bots.playout import sample_rounds
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.table_cache import kept

SAMPLES = 10_000  # rounds


def standing(game: Flip7) -> Floats:
    """The table of a rule book; made in a moment, then kept on disk."""
    return kept("standing", game, lambda told: table_of(round_scores(game), int(game.rules.target)))


def round_scores(game: Flip7) -> Floats:
    """How likely each number of points is for a seat that plays a round by habit."""
    points = np.zeros((SAMPLES, 1 if game.rules.solo else 2), np.int64)
    sample_rounds(game.record, points.shape[1], points)
    return np.bincount(points.ravel()) / points.size
