"""A match: at most N games between the same bots at the same seats (rule T14).

`MatchWorker` plays the matches of sittings: one set of bots on one deal block, with one match for each rotation of the
bots over the seats. What comes back is plain data, the same whoever played it and where.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

import numpy as np

from pitboss.core.dealer import Keyed
from pitboss.core.keys import Key
from pitboss.core.play import Runner
from pitboss.core.record import Record
from pitboss.core.registry import load
from pitboss.core.side import Outcome
from pitboss.run.work import Order
from pitboss.sandbox.limits import Limits
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.referee.seats import GuardedSeats, Referee
from pitboss.tournament.schedule import Sitting

SMALL, WIDE = 127, b"w"  # the largest move that is packed into one byte; what packed moves of two begin with


@dataclass(frozen=True)
class MatchPlan(Order):
    """All that a worker must know to play any match of a tournament: an order whose units are matches."""

    counted = "matches"

    spec: str
    contestants: tuple[Contestant, ...]
    key: Key
    best_of: int = 1
    limits: Limits = field(default_factory=Limits)
    strikes: int = 3
    require_isolation: bool = False

    def deal(self, block: int, game: int) -> int:
        """The deal of game g of every match on a block: shared by all sets and rotations."""
        return block * self.best_of + game

    @property
    def pinned(self) -> bool:
        return not all(contestant.inside for contestant in self.contestants)

    @property
    def per_task(self) -> int:
        built_in = all(contestant.kind == "built-in" for contestant in self.contestants)
        return max(1, TASK_GAMES // self.best_of) if built_in else 1

    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> MatchWorker:
        return MatchWorker(self, aside)

    def travelling(self) -> Order:
        from pitboss.tournament.cluster import TournamentOrder

        return TournamentOrder.of(self)


@dataclass(frozen=True)
class SeatRow:
    """How one seat did in one game. The times are of the bot's own thinking, in seconds."""

    share: float
    place: int
    score: int
    decisions: int
    cpu: float
    most: float


@dataclass(frozen=True)
class FaultRow:
    """One fault: at which move, whose, what kind, and the text that says why."""

    move: int
    seat: int
    kind: str
    text: str


@dataclass(frozen=True)
class GameRow:
    """One game that was played."""

    number: int  # in its match
    ended: str
    length: int
    cards: int
    moves: bytes  # packed
    seats: tuple[SeatRow, ...]
    faults: tuple[FaultRow, ...] = ()
    output: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class MatchRow:
    """One match: its games, and what each seat got out of it."""

    rotation: int
    wins: tuple[int, ...]
    shares: tuple[float, ...]  # 1 for the winner, divided among those who tie for first
    places: tuple[int, ...]
    forfeits: tuple[int, ...]  # seats that forfeited
    games: tuple[GameRow, ...]


def pack(moves: Sequence[int]) -> bytes:
    """Moves as a few bytes, a byte each or, if some are large, two.

    >>> unpack(pack([1, 0, -1])), unpack(pack([4000, -1]))
    ([1, 0, -1], [4000, -1])
    """
    if max(moves, default=0) > SMALL:
        return WIDE + zlib.compress(np.array(moves, np.int16).tobytes(), 9)
    return zlib.compress(np.array(moves, np.int8).tobytes(), 9)


def unpack(packed: bytes) -> list[int]:
    """The moves again."""
    wide = packed[:1] == WIDE
    return np.frombuffer(zlib.decompress(packed[wide:]), np.int16 if wide else np.int8).tolist()  # type: ignore[no-any-return]


def decided(wins: Sequence[int], best_of: int, played: int, forfeited: frozenset[int] = frozenset()) -> bool:
    """Whether the rest of a match cannot matter, or must not.

    Two play until one has won more than half of the games; more than two until nobody can catch up
    with the leader. Nobody plays on against those who forfeited.

    >>> decided([3, 0], best_of=5, played=3), decided([2, 1, 0], best_of=5, played=3)
    (True, False)
    """
    if played >= best_of or len(wins) - len(forfeited) < min(2, len(wins)):
        return True
    if len(wins) == 1:
        return False
    if len(wins) == 2:
        return 2 * max(wins) > best_of
    first, second = sorted((n for seat, n in enumerate(wins) if seat not in forfeited), reverse=True)[:2]
    return first - second > best_of - played


def verdict(wins: Sequence[int], forfeited: frozenset[int] = frozenset()) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The shares of a match and everybody's place: by wins, those who forfeited behind all others, and with nothing.

    >>> verdict([3, 1])
    ((1.0, 0.0), (1, 2))
    >>> verdict([2, 2, 1, 4], frozenset({3}))
    ((0.5, 0.5, 0.0, 0.0), (1, 1, 3, 4))
    """
    rank = [(seat in forfeited, -n) for seat, n in enumerate(wins)]
    places = tuple(1 + sum(other < own for other in rank) for own in rank)
    first = [seat for seat, place in enumerate(places) if place == 1 and seat not in forfeited]
    return tuple(1 / len(first) if seat in first else 0.0 for seat in range(len(wins))), places


def game_places(outcome: Outcome) -> tuple[int, ...]:
    """Everybody's place in one game: the winners first, then by score; all alike in a game that was cut.

    >>> game_places(Outcome("won", (1,), (0.0, 1.0, 0.0), (150, 203, 180)))
    (3, 1, 2)
    """
    if outcome.ended == "cut":
        return (1,) * len(outcome.shares)
    rank = [(-share, 0 if share else -score) for share, score in zip(outcome.shares, outcome.scores, strict=True)]
    return tuple(1 + sum(other < own for other in rank) for own in rank)


class MatchWorker:
    """Plays matches under a referee of its own."""

    def __init__(self, plan: MatchPlan, aside: Set[int] = frozenset()) -> None:
        """`aside` are cores that nobody keeps to (see `Supervisor`)."""
        self.plan, self.game = plan, load(plan.spec)
        self.referee = Referee(self.game, plan.limits, plan.require_isolation, aside)
        self._runners: dict[tuple[int, ...], Runner[GuardedSeats]] = {}

    def close(self) -> None:
        """End all bots' processes."""
        self.referee.close()

    def __enter__(self) -> MatchWorker:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def play_all(self, units: Iterable[Unit]) -> list[Done]:
        """Some matches."""
        return [(number, sitting, self.play(sitting, rotation)) for number, sitting, rotation in units]

    def play(self, sitting: Sitting, rotation: int) -> MatchRow:
        """The match of a sitting at one rotation."""
        plan = self.plan
        bots = sitting.seats(rotation)
        runner = self._runner(bots)
        seats = runner.seats
        seats.new_match(plan.strikes)
        wins, games = [0] * len(bots), []
        for number in range(plan.best_of):
            games.append(self._game(runner, plan.deal(sitting.block, number), rotation, number))
            for seat, row in enumerate(games[-1].seats):
                wins[seat] += row.share > 0
            if decided(wins, plan.best_of, number + 1, frozenset(seats.forfeited)):
                break
        shares, places = verdict(wins, frozenset(seats.forfeited))
        return MatchRow(rotation, tuple(wins), shares, places, tuple(sorted(seats.forfeited)), tuple(games))

    def _runner(self, bots: tuple[int, ...]) -> Runner[GuardedSeats]:
        if bots not in self._runners:
            if len(self._runners) >= MOST_RUNNERS:
                del self._runners[next(iter(self._runners))]
            seats = self.referee.seats([self.plan.contestants[bot] for bot in bots])
            self._runners[bots] = Runner(seats, faults=True)
        return self._runners[bots]

    def differs(self, bots: tuple[int, ...], deal: int, rotation: int, moves: list[int]) -> int | None:
        """Play a game again: the first bot that makes a different move than before, or None."""
        runner = self._runner(bots)
        runner.seats.new_match(self.plan.strikes)
        runner.play(self.plan.key, deal, rotation, np.zeros((len(bots), self.game.width)))
        if runner.moves == moves:
            return None
        same = next((n for n, (a, b) in enumerate(zip(runner.moves, moves, strict=False)) if a != b), 0)
        return bots[self._mover(len(bots), deal, moves, same)]

    def _mover(self, seats: int, deal: int, moves: list[int], number: int) -> int:
        """Whose move number n of a game was."""
        record = Record(self.game, [""] * seats, [], self.plan.key, deal, moves=moves)
        again = record.replay(Keyed(self.plan.key, deal))
        deciding = (position.to_act for position, _, _ in again if position.to_act >= 0)
        return next(islice(deciding, number, None))

    def _game(self, runner: Runner[GuardedSeats], deal: int, rotation: int, number: int) -> GameRow:
        rows = np.zeros((len(runner.seats.entrants), self.game.width))
        decisions, cards, _ = runner.play(self.plan.key, deal, rotation, rows)
        outcome, guarded = runner.outcome, runner.seats
        places = game_places(outcome)
        seats = tuple(
            SeatRow(share if outcome.ended != "cut" else 0.0, places[seat], outcome.scores[seat], *guarded.cpu[seat])
            for seat, share in enumerate(outcome.shares)
        )
        length = decisions if self.game.length_place is None else int(rows[0, self.game.length_place])
        faults = tuple(FaultRow(*fault) for fault in guarded.faults)
        output = tuple(sorted(guarded.output.items()))
        return GameRow(number, outcome.ended, length, cards, pack(runner.moves), seats, faults, output)


MOST_RUNNERS = 200
TASK_GAMES = 100  # of built-in bots: enough that handing them over costs nothing

Unit: TypeAlias = tuple[int, Sitting, int]  # the number of a sitting, the sitting, and a rotation: one match
Done: TypeAlias = tuple[int, Sitting, MatchRow]
