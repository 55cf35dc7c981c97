"""Self-play with a league: PPO against itself, its former selves, and whoever else is named.

Half of the tables are played by the learner alone, at all seats. At the others it meets members of the league: from
time to time the present agent is copied and joins it, and the oldest copy leaves. So it does not forget how to beat
what it has been, and does not chase itself in circles. Former selves play what they think best; the learner tries
things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from pitboss.core.game import Game
from pitboss.core.types import Array, Data
from pitboss.learn import net
from pitboss.learn.agent import NETWORK, Agent
from pitboss.learn.player import entrant
from pitboss.learn.ppo import PPO
from pitboss.learn.trainer import TrainingSettings
from pitboss.run.tables import LEARNER, Player

MEMBERS = 4  # former selves
INTERVALS = 20  # how often in a training somebody joins


class League(PPO):
    """A network that scores actions, learned from games with itself and its former selves."""

    name, about = "league", "PPO against itself and its former selves"
    usual: ClassVar[Data] = {**PPO.usual, "steps": 3_000_000}

    def __init__(self, game: Game, settings: TrainingSettings) -> None:
        self._former: dict[str, Array] = {}
        super().__init__(game, settings)
        for name in net.SCORER:
            self._former[name] = np.stack([self.weights[name]] * MEMBERS)
        self._joined = np.zeros(1, np.int64)
        self._meet()

    def line_ups(self, seats: int) -> Sequence[Sequence[Player]]:
        if seats == 1:
            return [[LEARNER]]
        members: list[Player] = [*self._members(), *self.settings.opponents]
        alone = [[LEARNER] * seats] * len(members)
        return [*alone, *([LEARNER, *(members[(n + i) % len(members)] for i in range(seats - 1))]
                          for n in range(len(members)))]  # fmt: skip

    def against(self) -> str:
        return ", ".join(["itself", "its former selves", *self.settings.opponents])

    def _members(self) -> list[Player]:
        if not self._former:  # before there are weights, nobody learns from them
            return ["random"] * MEMBERS
        out: list[Player] = []
        for n in range(MEMBERS):
            arrays = {name: self._former[name][n].copy() for name in net.SCORER}
            arrays["state"] *= self.sight.scale[:, None]
            agent = Agent(NETWORK, str(self.game), self.sight.encoding, arrays, {})
            out.append(entrant(agent, self.game, f"former {n}"))
        return out

    def _meet(self) -> None:
        for tables in self.groups:
            tables.take_seats(self.line_ups(tables.seats))

    def learned(self) -> dict[str, Array]:
        former = {f"former {name}": array for name, array in self._former.items()}
        return super().learned() | former | {"joined": self._joined}

    def restore(self, saved: Mapping[str, Array]) -> None:
        super().restore(saved)
        self._meet()

    def advance(self) -> None:
        super().advance()
        if self.done * INTERVALS >= self.settings.steps * (int(self._joined[0]) + 1):
            for name in net.SCORER:
                self._former[name][int(self._joined[0]) % MEMBERS] = self.weights[name]
            self._joined += 1
            self._meet()
