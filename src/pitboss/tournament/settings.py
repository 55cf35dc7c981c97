"""How a tournament is played: what can be set, and what is written down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TypedDict

from pitboss.core.counts import Count, whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.keys import Seed
from pitboss.core.types import Data
from pitboss.core.version import engine_version
from pitboss.sandbox.limits import Limits, split_names
from pitboss.tournament import schedule
from pitboss.tournament.schedule import Sitting

FORMATS = ("round-robin", "gauntlet", "swiss")


class TournamentOptions(TypedDict, total=False):
    """What can be set for a tournament; all of it can be left out."""

    seats: int | None  # 2 if the game can be played by two
    best_of: int
    blocks: Count  # deals for each set of bots
    games: Count | None  # a budget instead
    format: str  # round-robin, gauntlet or swiss
    rounds: int | None  # of a Swiss tournament
    seed: Seed  # None: a key from the operating system
    time_limit: float | None  # seconds for a decision; this and the next two change `limits`
    clock: str | None
    allow: str | Sequence[str] | None
    limits: Limits | None
    strikes: int  # faults in a match that forfeit it
    require_isolation: bool  # refuse to run bots where the sandbox does not hold


@dataclass(frozen=True)
class TournamentSettings:
    """How a tournament is played; all of it is written down with it."""

    seats: int = 2
    best_of: int = 1
    blocks: int = 20
    games: int | None = None  # a budget, instead of every set on every block
    format: str = "round-robin"
    rounds: int | None = None  # of a Swiss tournament
    limits: Limits = field(default_factory=Limits)
    strikes: int = 3
    seed: str | None = None  # None: a key from the operating system
    engine: str = ""  # the version of the rules

    @classmethod
    def of(cls, game: Game, options: TournamentOptions) -> TournamentSettings:
        """The settings that some options mean for a game, with the usual ones for the rest."""
        for name in options:
            if name not in TournamentOptions.__annotations__:
                raise PitbossError(unknown("option of a tournament:", name, TournamentOptions.__annotations__))
        allow = options.get("allow")
        own = {"decision": options.get("time_limit"), "clock": options.get("clock"),
               "allow": None if allow is None else split_names(allow)}  # fmt: skip
        given: Data = {name: value for name, value in own.items() if value is not None}
        limits = replace(options.get("limits") or Limits(), **given)
        seats, seed, games = options.get("seats"), options.get("seed"), options.get("games")
        if seats is None:
            seats = 2 if 2 in game.rules.seats else game.rules.seats[0]
        game.verify_seats(seats)
        made = cls(
            seats=seats,
            best_of=options.get("best_of", cls.best_of),
            blocks=whole_number(options.get("blocks", cls.blocks), "blocks"),
            games=None if games is None else whole_number(games, "games"),
            format=options.get("format", cls.format),
            rounds=options.get("rounds"),
            limits=limits,
            strikes=options.get("strikes", cls.strikes),
            seed=None if seed is None else str(seed),
            engine=engine_version(game),
        )
        made.verify()
        return made

    def verify(self) -> None:
        """Refuse what cannot be played."""
        if self.format not in FORMATS:
            raise PitbossError(unknown("format", self.format, FORMATS))
        for name, value in (("best_of", self.best_of), ("strikes", self.strikes)):
            if value < 1:
                raise PitbossError(f"`{name}` must be 1 or more, not {value}")
        if self.games is not None and self.format != "round-robin":
            raise PitbossError("a budget of `games` is for round robins; give `blocks` or `rounds` instead")
        if self.rounds is not None and (self.format != "swiss" or self.rounds < 1):
            raise PitbossError("`rounds` is for `format=swiss`, and 1 or more")

    def to_dict(self) -> Data:
        """For the store."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Data) -> TournamentSettings:
        """From the store."""
        return cls(**{**data, "limits": Limits.from_dict(data["limits"])})

    def sittings(self, bots: int) -> Iterable[Sitting]:
        """The schedule for so many bots; of a Swiss tournament only the first round."""
        if self.format == "swiss":
            return schedule.swiss(bots, self.seats, 0, [0.0] * bots, [[0] * bots] * bots, [0] * bots)
        if self.format == "gauntlet":
            return schedule.gauntlet(bots, self.seats, self.blocks)
        if self.games is not None:
            return self._sample(bots, self.games)
        return schedule.round_robin(bots, self.seats, self.blocks)

    def _sample(self, bots: int, budget: int) -> Iterable[Sitting]:
        affordable = schedule.sittings_for(budget, self.seats, self.best_of)
        least = schedule.least_sittings(bots, self.seats)
        if affordable < least:
            need = least * self.seats * self.best_of
            raise PitbossError(
                f"`games={budget:,}` is too little for {bots} bots to meet: at {self.seats} seats and best of "
                f"{self.best_of} it takes {need:,} games"
            )
        return schedule.sample(bots, self.seats, affordable)
