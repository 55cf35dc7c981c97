"""What agents look at: the encodings of a game, as tables and networks want them.

A game that has an encoding called `choices` describes each action by some numbers of its own, its fields
`choice 0`, `choice 1`, and so on; a network then scores actions by what they mean, at tables of any size. For other
games an action is told by its number. An encoding called `cells` gives each action's place in a table of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.legal import FEW
from pitboss.core.types import Array

CELLS, CHOICES = "cells", "choices"


@dataclass(frozen=True)
class Sight:
    """How a network sees a table: so many numbers for the state, and so many for each action."""

    encoding: str
    state: int
    choice: int
    numbered: bool  # whether an action is only told by its number
    scale: Array  # what the numbers for the state are multiplied by

    @classmethod
    def of(cls, game: Game) -> Sight:
        """The best way to see this game."""
        learning, seats = game.learning, game.rules.seats[-1]
        if CHOICES in learning.encodings:
            fields = learning.encodings[CHOICES].slices(game.rules, seats)
            first = fields["choice 0"]
            scale = np.ones(first.start, np.float32)
            return cls(CHOICES, first.start, first.stop - first.start, False, scale)
        name, encoding = next(iter(learning.encodings.items()))
        low, high = encoding.bounds(game.rules, game.rules.seats[0])
        if encoding.size(game.rules, seats) != len(low):
            raise PitbossError(
                f"the encoding {name} of {game} depends on the number of seats, so no network can use it"
            )
        # Limits that are only those of a kind of integer say nothing about the numbers that come.
        most = np.clip(np.maximum(np.abs(low), np.abs(high)), 1.0, 100.0)
        return cls(name, len(low), learning.actions(game.rules, seats), True, (1.0 / most).astype(np.float32))

    def states(self, observations: Array) -> Array:
        """The part of observations that is about the state."""
        return observations[:, : self.state].astype(np.float32) * self.scale

    def choices(self, observations: Array, rows: Array, actions: Array) -> Array:
        """What there is to know about some actions, each of a row."""
        if self.numbered and self.choice > FEW:
            return np.zeros((len(actions), 0), np.float32)  # a row each would take gigabytes
        if self.numbered:
            out = np.zeros((len(actions), self.choice), np.float32)
            out[np.arange(len(actions)), actions] = 1.0
            return out
        each = observations[:, self.state :].reshape(len(observations), -1, self.choice)
        return np.ascontiguousarray(each[rows, actions])


def cells_of(game: Game) -> int:
    """How many places the table of values of a game has."""
    if CELLS not in game.learning.encodings:
        raise PitbossError(
            f"{game} has no table of values: its make_learning gives no encoding {CELLS!r}; ppo and league need none"
        )
    _, high = game.learning.encodings[CELLS].bounds(game.rules, game.rules.seats[0])
    return int(high.max()) + 1


def actions_by_seats(game: Game) -> Sequence[int]:
    """How many actions there are at a table with 0, 1, 2, … seats; 0 where that is not possible."""
    seats = game.rules.seats
    return [game.learning.actions(game.rules, n) if n in seats else 0 for n in range(seats[-1] + 1)]
