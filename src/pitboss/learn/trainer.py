"""What the methods have in common: their settings, and how they stop and go on."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.types import Array, Data
from pitboss.learn.agent import Agent
from pitboss.run.tables import LEARNER, Player, Tables


@dataclass(frozen=True)
class TrainingSettings:
    """What is to be learned, and how; the same settings give the same agent.

    `opponents` are bots to learn against; without any, the agent plays against itself. `seats` are the numbers of
    seats at its tables. `reward` and `episode` are those of the environments.
    """

    method: str
    game: str
    seed: int
    steps: int  # decisions in all
    seats: tuple[int, ...]
    opponents: tuple[str, ...]
    reward: str
    episode: str
    tables: int  # games side by side
    hidden: int = 0  # units in a layer of a network

    def to_dict(self) -> Data:
        """For JSON."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


class Trainer(ABC):
    """A method at work. `advance` does the next piece; `save` and `restore` carry all that the rest depends on."""

    name: ClassVar[str]
    about: ClassVar[str]  # one line
    steps: ClassVar[int]  # decisions, if nothing is said
    tables: ClassVar[int]  # games side by side
    hidden: ClassVar[int] = 0
    by_lesson: ClassVar[bool] = False  # learns what the game says teaches fast, not what a whole game is about

    def __init__(self, game: Game, settings: TrainingSettings) -> None:
        self.game, self.settings = game, settings
        self.done = 0  # decisions so far
        self.rng = np.random.default_rng(settings.seed)
        self.groups = [self._group(n, seats) for n, seats in enumerate(settings.seats)]

    def _group(self, n: int, seats: int) -> Tables:
        s = self.settings
        count = max(1, s.tables // len(s.seats))
        lineups = self.line_ups(seats)
        # One thread: most time goes into learning, and threads that wait for each other at every step would cost more.
        tables = Tables(
            self.game, lineups, count, encoding=self.encoding(), reward=s.reward, episode=s.episode, threads=1
        )
        tables.reset(seed=s.seed * 1_000_003 + n * 500_009)
        return tables

    @abstractmethod
    def encoding(self) -> str:
        """What is looked at."""

    @abstractmethod
    def advance(self) -> None:
        """Play and learn for a while."""

    @abstractmethod
    def agent(self) -> Agent:
        """What has been learned so far."""

    @abstractmethod
    def learned(self) -> dict[str, Array]:
        """The arrays that change as it learns, themselves."""

    def line_ups(self, seats: int) -> Sequence[Sequence[Player]]:
        """Who sits at a table: the learner and its opponents, or the learner everywhere."""
        opponents = self.settings.opponents
        if not opponents:
            return [[LEARNER] * seats]
        return [
            [LEARNER, *(opponents[(first + i) % len(opponents)] for i in range(seats - 1))]
            for first in range(len(opponents))
        ]

    def against(self) -> str:
        """In words, whom it learns against."""
        alone = self.settings.seats == (1,)
        return ", ".join(self.settings.opponents) or ("nobody, as it plays alone" if alone else "itself")

    def save(self) -> dict[str, Array]:
        """All that must be kept to go on later as if nothing had happened."""
        where = {"done": self.done, "rng": self.rng.bit_generator.state}
        out = {"where": np.frombuffer(json.dumps(where).encode(), np.uint8).copy()}
        out |= {f"learned {name}": array.copy() for name, array in self.learned().items()}
        for n, tables in enumerate(self.groups):
            out |= {f"tables {n} {name}": array for name, array in tables.save().items()}
        return out

    def restore(self, saved: Mapping[str, Array]) -> None:
        """Go on where another stopped."""
        where = json.loads(saved["where"].tobytes())
        self.done, self.rng.bit_generator.state = where["done"], where["rng"]
        for name, array in self.learned().items():
            array[...] = saved[f"learned {name}"]
        for n, tables in enumerate(self.groups):
            tables.restore({name: saved[f"tables {n} {name}"] for name in tables.save()})


def settings_for(
    method: type[Trainer],
    game: Game,
    seed: int,
    *,
    steps: int | None = None,
    seats: Sequence[int] | None = None,
    opponents: Sequence[str] = (),
    reward: str | None = None,
    episode: str | None = None,
) -> TrainingSettings:
    """The settings of a run, with what is usual where nothing is said."""
    learning, allowed = game.learning, game.rules.seats
    chosen = tuple(seats or ([n for n in (2, 4) if n in allowed] or [allowed[0]]))
    for n in chosen:
        game.verify_seats(n)
    usual = learning.stakes(game.rules, chosen[0]).reward, learning.episodes[0]
    if method.by_lesson and learning.lesson:
        usual = learning.lesson(game.rules, chosen[0])
    if steps is not None and steps < 1:
        raise PitbossError(f"the number of steps must be 1 or more, not {steps}")
    return TrainingSettings(
        method.name, str(game), seed, steps or method.steps, chosen, tuple(opponents), reward or usual[0],
        episode or usual[1], method.tables, method.hidden,
    )  # fmt: skip
