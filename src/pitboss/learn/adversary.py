"""An adversary: PPO against copies of one bot, which is told at each decision what that bot would do.

It begins by following the advice nearly always, so it plays evenly from the start, and every lesson goes into where the
bot can be beaten by doing something else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.loop import Scratch, asker
from pitboss.core.seating import seating
from pitboss.core.types import Array, Data
from pitboss.learn import net
from pitboss.learn.agent import ADVICE, ADVISED, Agent
from pitboss.learn.player import adviser
from pitboss.learn.ppo import PPO
from pitboss.learn.trainer import TrainingSettings
from pitboss.run.tables import Tables

TRUST = 2.0  # how much higher the bot's own action scores at the beginning


class Adversary(PPO):
    """A network that scores actions beside the advice of the bot that it is to beat."""

    name, about = "adversary", "PPO against copies of a bot, with its advice"
    usual: ClassVar[Data] = {
        "steps": 1_000_000, "tables": 256, "hidden": 32, "learning_rate": 1e-3, "entropy": 0.0,
    }  # fmt: skip

    def __init__(self, game: Game, settings: TrainingSettings) -> None:
        if len(settings.opponents) != 1 or min(settings.seats) < 2:
            raise PitbossError("an adversary plays against copies of one bot, at two seats or more")
        self._asked = adviser(settings.opponents[0], game)
        super().__init__(game, settings)
        if self.sight.choice == 0 or not self._choices_of([0], [0]).shape[1]:
            raise PitbossError(f"{game} has too many moves for an adversary")
        self.weights.update(net.make(self.sight.state, self.sight.choice + 1, settings.hidden, self.rng))
        _trust(self.weights)
        self.adam = net.Adam(self.weights)
        dtypes = game.view_dtype, type(game.rules).dtype()
        self._seating = seating([self._asked], *dtypes)
        self._own = Scratch(np.zeros(1, game.view_dtype), np.zeros(1, game.state_dtype), game.record.copy())
        self._ask = _asking(game)

    def agent(self) -> Agent:
        made = super().agent()
        return Agent(ADVISED, made.game, made.encoding, made.arrays, {ADVICE: self.settings.opponents[0]})

    def _look(self, tables: Tables) -> net.Batch:
        batch, advised = super()._look(tables), np.zeros(len(tables), np.int64)
        self._ask(tables.states, self._seating, self._own, tables.masks, advised)
        told = (batch.actions == advised[batch.rows]).astype(np.float32)
        return batch._replace(choices=np.column_stack([batch.choices, told]))

    def _choices_of(self, rows: list[int], actions: list[int]) -> Array:
        seen = self.groups[0].observations
        return self.sight.choices(seen, np.array(rows), np.array(actions))


def _trust(weights: net.Weights) -> None:
    """The first unit of each layer carries the advice, and nothing else, to the score."""
    weights["state"][:, 0] = weights["choice"][:, 0] = 0.0
    weights["choice"][-1] = 0.0
    weights["choice"][-1, 0] = 1.0
    weights["inner"][0] = weights["inner"][:, 0] = 0.0
    weights["inner"][0, 0] = 1.0
    weights["out"][0] = TRUST


def _asking(game: Game) -> Callable[..., None]:
    """What fills in, for each table, the action that a bot would take in place of who is to act."""
    return _asker(asker(game.step, game.state_dtype, game.view_dtype, type(game.rules).dtype()), game.learning.move_of)


@cache
def _asker(ask: Callable[..., int], move_of: Callable[[int, int, int], int]) -> Callable[..., None]:
    def fill(states: Array, bots: Array, own: Scratch, masks: Array, out: Array) -> None:
        for n in range(len(states)):
            seat, seats = int(states[n]["to_act"]), int(states[n]["seats"])
            move = ask(bots[0], states[n], own.lent[0], seat, np.uint64(n), own)
            out[n] = -1
            for action in range(masks.shape[1]):
                if masks[n, action] and move_of(action, seats, seat) == move:
                    out[n] = action

    return compiled(fill, inline=False)
