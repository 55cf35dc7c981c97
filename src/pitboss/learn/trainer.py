"""What the methods have in common: their settings, and how they stop and continue."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from pitboss.core.counts import whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.types import Array, Data
from pitboss.learn.agent import Agent, each_agent
from pitboss.run.tables import LEARNER, Player, Tables


@dataclass(frozen=True)
class TrainingSettings:
    """What is to be learned, and how. On one machine the same settings give the same agent; on another, networks may
    round differently and end up with other weights.

    `opponents` are bots to learn against; without any, the agent plays against itself. `seats` are the numbers of
    seats at its tables. `reward` and `episode` are those of the environments. The last four are for experts: what is
    usual depends on the method, and 0 means that it has no use for one.
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
    learning_rate: float = 0.0  # at the beginning; like the next, it goes down to a tenth as training goes on
    entropy: float = 0.0  # how much trying things out is worth

    @classmethod
    def of(cls, method: type[Trainer], game: Game, seed: int, wanted: Data) -> TrainingSettings:
        """What is wanted, and what is usual for the method where nothing is."""
        known = {**dict.fromkeys(("seats", "opponents", "reward", "episode")), **method.usual}
        given = {name: value for name, value in wanted.items() if value is not None}
        for name in given:
            if name not in known:
                raise PitbossError(unknown(f"setting of {method.name}", name, known))
        learning, allowed = game.learning, game.rules.seats
        seats = tuple(given.pop("seats", None) or [n for n in (2, 4) if n in allowed] or [allowed[0]])
        for n in seats:
            game.verify_seats(n)
        reward, episode = learning.stakes(game.rules, seats[0]).reward, learning.episodes[0]
        if method.by_lesson and learning.lesson:
            reward, episode = learning.lesson(game.rules, seats[0])
        for name in ("steps", "tables", "hidden"):
            if name in given:
                given[name] = whole_number(given[name], name)
        opponents = tuple(one for wanted in given.pop("opponents", ()) for one in each_agent(wanted))
        paid = {"reward": reward, "episode": episode}
        return cls(method.name, str(game), seed, seats=seats, opponents=opponents, **{**method.usual, **paid, **given})

    def to_dict(self) -> Data:
        """For JSON."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


class Trainer(ABC):
    """A method at work. `advance` does the next piece; `save` and `restore` carry all that the rest depends on."""

    name: ClassVar[str]
    about: ClassVar[str]  # one line
    usual: ClassVar[Data]  # the settings that it has besides those of all methods
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
        """Everything that is needed to continue later as if nothing had happened."""
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
