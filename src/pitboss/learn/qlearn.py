"""Q-learning with a table: what each action was worth so far, in each kind of situation.

A game says which place of the table an action has (its encoding `cells`). Whenever a player must decide, its
decision before is known to have led to here: the value of that place moves towards what was earned meanwhile plus
the best value now (Watkins 1989). At the end of an episode it moves towards what was earned alone. The more often a
place was met, the less it moves. Now and then an action is taken by luck, so that all are tried.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.game import Game
from pitboss.core.types import Array, Data, Word
from pitboss.learn.agent import CELLS, TABLE, Agent, cells_of
from pitboss.learn.trainer import Trainer, TrainingSettings

EXPLORE = 0.1  # how often an action is taken by luck
SLOWING = 0.8  # a place met n times moves by 1 / n ** SLOWING
ROUNDS = 64  # steps of all tables in one advance
NOTHING = -1


class Memory(NamedTuple):
    """A table of values, and what is still to be learned from at one group of tables."""

    values: Array
    visits: Array  # how often each place was met
    before: Array  # [table, player]: the place of its last decision, or NOTHING
    earned: Array  # [table, player]: what it has earned since


class QLearning(Trainer):
    """A table of values, learned one decision at a time."""

    name, about = "qlearn", "Q-learning with a table of values"
    usual: ClassVar[Data] = {"steps": 20_000_000, "tables": 2048}
    by_lesson = True  # the table knows nothing of totals, so that whole games would make no sense to it

    def __init__(self, game: Game, settings: TrainingSettings) -> None:
        cells = cells_of(game)
        super().__init__(game, settings)
        self.values, self.visits = np.zeros(cells), np.zeros(cells, np.int64)
        self.before = [np.full((len(tables), tables.seats), NOTHING) for tables in self.groups]
        self.earned = [np.zeros((len(tables), tables.seats)) for tables in self.groups]

    def encoding(self) -> str:
        return CELLS

    def learned(self) -> dict[str, Array]:
        out: dict[str, Array] = {"values": self.values, "visits": self.visits}
        for n in range(len(self.groups)):
            out |= {f"before {n}": self.before[n], f"earned {n}": self.earned[n]}
        return out

    def agent(self) -> Agent:
        return Agent(TABLE, str(self.game), CELLS, {"values": self.values.astype(np.float32)}, {})

    def advance(self) -> None:
        for tables, before, earned in zip(self.groups, self.before, self.earned, strict=True):
            memory, actions = Memory(self.values, self.visits, before, earned), np.zeros(len(tables), np.int64)
            for _ in range(ROUNDS):
                luck = self.rng.random((len(tables), 2))
                _choose(memory, tables.observations, tables.masks, tables.players, luck, actions)
                tables.step(actions)
                _settle(memory, tables.rewards, tables.terminated | tables.truncated)
            self.done += ROUNDS * len(tables)


@compiled
def _move(values: Array, visits: Array, cell: int, towards: float) -> None:
    """Move the value of a place towards what it turned out to be worth."""
    visits[cell] += 1
    values[cell] += (towards - values[cell]) / visits[cell] ** SLOWING


@compiled
def _choose(memory: Memory, cells: Array, masks: Array, players: Array, luck: Word, actions: Array) -> None:
    """Learn from the decision before, and decide: the best action, or one by luck."""
    values, visits, before, earned = memory
    for i in range(len(players)):
        player, best, legal = players[i], -1, 0
        for action in range(masks.shape[1]):
            if masks[i, action]:
                legal += 1
                if best < 0 or values[cells[i, action]] > values[cells[i, best]]:
                    best = action
        if before[i, player] != NOTHING:
            _move(values, visits, before[i, player], earned[i, player] + values[cells[i, best]])
        if luck[i, 0] < EXPLORE:
            skip = int(luck[i, 1] * legal)
            for action in range(masks.shape[1]):
                if masks[i, action]:
                    if skip == 0:
                        best = action
                    skip -= 1
        actions[i] = best
        before[i, player] = cells[i, best]
        earned[i, player] = 0.0


@compiled
def _settle(memory: Memory, rewards: Array, ended: Array) -> None:
    """Count what everybody earned; where an episode has ended, learn from it."""
    values, visits, before, earned = memory
    for i in range(len(ended)):
        for player in range(rewards.shape[1]):
            earned[i, player] += rewards[i, player]
            if ended[i] and before[i, player] != NOTHING:
                _move(values, visits, before[i, player], earned[i, player])
                before[i, player] = NOTHING
                earned[i, player] = 0.0
