"""What is found out about each bot before the tournament: whether it is ready, and what it decides in the same
positions as all others. Every bot answers in its sandbox; several are reviewed at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from pitboss.core.game import Game, Position
from pitboss.core.keys import Key, luck
from pitboss.core.play import Seats, play
from pitboss.core.registry import line_up, load
from pitboss.core.splitmix import next_luck
from pitboss.core.types import Ints
from pitboss.run.work import Order
from pitboss.sandbox.limits import Ended, Limits
from pitboss.tournament.check import Checkup, check_one
from pitboss.tournament.contestant import Contestant, entrant_of
from pitboss.tournament.referee.guests import PythonGuest
from pitboss.tournament.referee.seats import Referee

POSITIONS = 10_000
CHECK_GAMES = 20
MOST_FAILURES = 20  # after which a bot is not asked any more
FAILED = -1  # instead of a move
ENOUGH = 0.5  # of the positions
KEY = Key.from_seed(10_000)  # of the games whose positions all bots are asked about


@dataclass(frozen=True)
class Episode:
    """The decisions of one seat in one game, as a bot at that seat would be asked."""

    seat: int
    seats: int
    luck: int
    questions: list[tuple[int, int, bytes, int]]  # number, luck, the bytes of the view, the legal moves as bits


@dataclass(frozen=True)
class Review:
    """One bot: whether it is ready, and its moves in all positions (None if it was not asked)."""

    number: int
    checkup: Checkup | None
    moves: Ints


@dataclass(frozen=True)
class ReviewPlan(Order):
    """All bots of a class to be reviewed: an order whose units are their numbers."""

    counted = "bots"

    spec: str
    bots: tuple[Contestant, ...]
    seats: int
    limits: Limits = field(default_factory=Limits)
    positions: int = POSITIONS
    require_isolation: bool = False

    @property
    def pinned(self) -> bool:
        return True

    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> Reviewer:
        return Reviewer(self, aside)


class Reviewer:
    """Reviews bots, one after another, under a referee of its own."""

    def __init__(self, plan: ReviewPlan, aside: Set[int] = frozenset()) -> None:
        self.plan = plan
        self.referee = Referee(load(plan.spec), plan.limits, plan.require_isolation, aside)
        self._episodes = list(episodes(self.referee.game, plan.seats, plan.positions))

    def play_all(self, units: Sequence[int]) -> list[Review]:
        """Review the bots of these numbers."""
        return [self._review(number, self.plan.bots[number]) for number in units]

    def _review(self, number: int, bot: Contestant) -> Review:
        if bot.inside:
            return Review(number, None, self._of_inside(bot))
        checkup = check_one(bot, self.referee, CHECK_GAMES, Key.from_seed(0))
        return Review(number, checkup, np.array(list(self._of_guest(bot)), np.int64))

    def _of_guest(self, bot: Contestant) -> Iterator[int]:
        """The moves of an untrusted bot, which begins anew with each episode."""
        failures = 0
        for episode in self._episodes:
            guest = PythonGuest(self.referee, bot, episode.seat, episode.seats)
            guest.enter(episode.luck)
            for question in episode.questions:
                move = FAILED
                if failures < MOST_FAILURES:
                    with suppress(Ended):
                        move = guest.decide(*question)
                    failures += move == FAILED
                yield move
            guest.leave()

    def _of_inside(self, bot: Contestant) -> Ints:
        """The moves of a bot of ours."""
        game, out = self.referee.game, []
        entrant, position = entrant_of(bot, game), Position(game)
        for episode in self._episodes:
            seats = Seats(game, [entrant] * episode.seats)
            seats.start(KEY, 0, 0)
            for _, own, raw, _ in episode.questions:
                seats.clock[0]["luck"][episode.seat] = own
                position.views[:] = np.frombuffer(raw, game.view_dtype)
                out.append(
                    seats.ask(raw, episode.seat) if entrant.make else seats.call(entrant, position, episode.seat)
                )
        return np.array(out, np.int64)

    def close(self) -> None:
        """End all bots' processes."""
        self.referee.close()


def episodes(game: Game, seats: int, most: int) -> Iterator[Episode]:
    """Decisions with a choice, from games of the built-in bots, until there are enough."""
    names = game.default_bots()
    found = deal = 0
    while found < most:
        bots = line_up([names[(deal + seat) % len(names)] for seat in range(seats)], game)
        record = play(game, bots, KEY, deal=deal)
        lucks = np.array([luck(KEY.stream(deal), 0, seat) for seat in range(seats)], np.uint64)
        asked = [Episode(seat, seats, int(lucks[seat]), []) for seat in range(seats)]
        number = 0
        for position, _, _ in record.replay():
            seat = position.to_act
            if seat < 0 or position.over:
                continue
            number += 1
            lucks[seat] = next_luck(lucks[seat])
            legal = int(game.loops.legal(position.states, game.record))
            if legal.bit_count() > 1 and found < most:
                found += 1
                game.loops.observe(position.states, game.record, seat, position.views)
                asked[seat].questions.append((number, int(lucks[seat]), position.views.tobytes(), legal))
        yield from (episode for episode in asked if episode.questions)
        deal += 1


def agreement(one: Ints, other: Ints) -> float:
    """In which part of the positions two bots decide alike, of those in which both made a move; 0 if these are few.

    >>> agreement(np.array([1, 2, 3, -1]), np.array([1, 2, 0, 3]))
    0.6666666666666666
    """
    both = (one != FAILED) & (other != FAILED)
    return float((one == other)[both].mean()) if both.mean() > ENOUGH else 0.0
