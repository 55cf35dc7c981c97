"""What moves are worth in a game that says nothing about it: each is tried in many rollouts.

A rollout begins in a world that fits the view (`Game.imagine`), makes a move there, and plays on to the end, all seats
by one fixed policy: the last compiled bot of the game's line-up (`Game.default_bots`), or any legal move if there is
none. All moves meet the same worlds and the same luck, so that few rollouts tell them apart. The worth of a move is its
seat's share of the win, on average.

Nothing is random: the luck is made from the bytes of the view, so that the same question gets the same answer, unless
time runs out first; what decisions cost does not depend on time. Every so often moves are dropped that are clearly
worse than the best; these have fewer rollouts.
"""

from __future__ import annotations

import hashlib
import random
import time
from functools import cached_property
from math import inf, sqrt

import numpy as np

from pitboss.core.analysis import Analysis, Cost, MoveValue, Opinion, Outlook, Terms
from pitboss.core.bot import Entrant, RandomBot
from pitboss.core.errors import BotError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.play import Runner, Seats
from pitboss.core.registry import bot as find
from pitboss.core.step import SHARE
from pitboss.core.types import Floats, GameView
from pitboss.stats.intervals import Estimate, mean, share

ROLLOUTS = 4000  # of all moves of a decision together
FEWER, LESS_EACH = 400, 40  # for costs, where many decisions are judged: of all moves, and of each if they are many
SLOW = 10  # times as long, about, as with a compiled policy: so many fewer decisions of a bot are judged
SECONDS = 1.0  # after which we answer with what we have
LEAST = 10  # worlds in which every move is tried, unless there are hundreds; then it is fewer, but two
MOST_BETWEEN = 250  # worlds between two looks at which moves are still in question
CLEARLY = 3.0  # standard errors by which a move must be worse to be dropped
FEW, WELL = 4, 200  # while more moves than this are open, and there is no budget to try them all in so many worlds
OUTLOOKS, FEW_OUTLOOKS = 800, 60  # games for the chances from a position; of a policy in Python
OUTLOOK_SECONDS = 1.0  # after which fewer have to do
GRAVE = 0.05  # of the win
UNIT = "share of the win"


class Rollouts(Analysis):
    """Answers for any game.

    >>> from pitboss import load
    >>> position = load("show:classic").start(2)
    >>> for card in ("9h", "5d", "2s", "7c"):
    ...     _ = position.apply(card)
    >>> said = Rollouts(position.game, 200).opinion(position.view(position.to_act))
    >>> [worth.rollouts for worth in said.moves]
    [100, 100]
    """

    def __init__(self, game: Game, rollouts: int = ROLLOUTS, seconds: float = SECONDS) -> None:
        super().__init__(game)
        self.rollouts, self.seconds = rollouts, seconds
        self._runners: dict[int, Runner[Seats]] = {}

    @cached_property
    def policy(self) -> Entrant:
        """The bot that plays the rest of each game."""
        for name in reversed(self.game.default_bots()):
            try:
                entrant = find(name, self.game)
            except BotError:  # it needs a number, or plays other rules
                continue
            if entrant.function is not None and name != "random":
                return entrant
        return Entrant("any move", make=RandomBot)

    @property
    def sample(self) -> int:
        return super().sample if self.policy.function is not None else super().sample // SLOW

    def _how(self, rollouts: str) -> str:
        """How the worth of a move is found, in words."""
        on = "with any legal move" if self.policy.make else f"as {self.policy.name}"
        worlds = "worlds that fit what you know" if self.game.has_secrets else "ways to go on"
        return f"measured in {rollouts}: {worlds}, with all seats playing on {on}"

    def opinion(self, view: GameView, *, chances: bool = False) -> Opinion | None:
        moves = list(view.legal)
        if not moves:
            return None
        trial = self._try(view, _Trial(moves, self.rollouts), self.seconds)
        values = tuple(trial.value(k, move, self.game.format_move(move)) for k, move in enumerate(moves))
        least, most = min(trial.counts), max(trial.counts)
        rollouts = (
            f"{most:,} rollouts of each move" if least == most else f"{least:,} to {most:,} rollouts of each move"
        )
        return Opinion(UNIT, self._how(rollouts), values, GRAVE, percent=True)

    @property
    def terms(self) -> Terms:
        return Terms("Share of the win lost by single decisions", UNIT, self._how("a few hundred rollouts"))

    def cost(self, position: Position, move: int) -> Cost | None:
        """What a move gives away, from few rollouts."""
        view = position.view(position.to_act)
        moves = list(view.legal)
        if move not in moves:
            return None
        made = moves.index(move)
        trial = self._try(view, _Trial(moves, min(max(FEWER, LESS_EACH * len(moves)), ROLLOUTS), keep=made), inf)
        best = trial.best
        return Cost(trial.lost(made), trial.mean(made), moves[best], trial.mean(best))

    def outlook(self, position: Position) -> Outlook:
        """How often each seat wins when the game is played on from here, every card lying where it lies."""
        tries = OUTLOOKS if self.policy.make is None else FEW_OUTLOOKS
        rows, shares = np.zeros((position.seats, self.game.width)), np.zeros((tries, position.seats))
        key = Key(int.from_bytes(hashlib.sha256(position.states.tobytes()).digest()[:16], "big"))
        runner = self._runner(position.seats)
        until, made = time.thread_time() + OUTLOOK_SECONDS, 0  # of the processor: the same answer on a busy machine
        while made < tries and (made < FEW_OUTLOOKS or time.thread_time() < until):
            runner.play_on(position, key, made, rows)
            shares[made] = rows[:, SHARE]
            made += 1
        shares = shares[:made]
        means = shares.mean(axis=0)
        half = 1.96 * float(shares.std(axis=0).max()) / sqrt(made - 1)
        on = "with any legal move" if self.policy.make else f"as {self.policy.name}"
        return Outlook(tuple(means.tolist()), f"measured in {made:,} games, with all seats playing on {on}", half)

    def _try(self, view: GameView, trial: _Trial, seconds: float) -> _Trial:
        """Try moves in one world after the other, for so long at most."""
        world = self.game.imagine(view, 0)
        world.view(view.seat)
        digest = hashlib.sha256(world.views.tobytes() + str(self.game).encode()).digest()  # the same for the same view
        key, lucks = Key(int.from_bytes(digest[:16], "big")), random.Random(digest)
        runner = self._runner(world.seats)
        rows = np.zeros((world.seats, self.game.width))
        runner.finish(world, trial.moves[0], key, 0, rows)  # what has to be compiled does not count
        until = time.monotonic() + seconds
        while trial.goes_on and (trial.worlds < trial.least or time.monotonic() < until):
            if self.game.has_secrets:
                world = self.game.imagine(view, lucks.getrandbits(63))
            for k in trial.open:
                runner.finish(world, trial.moves[k], key, trial.worlds, rows)
                trial.shares[k, trial.worlds] = rows[view.seat, SHARE]
            trial.next_world()
        return trial

    def _runner(self, seats: int) -> Runner[Seats]:
        if seats not in self._runners:
            self._runners[seats] = Runner(Seats(self.game, [self.policy] * seats))
        return self._runners[seats]


class _Trial:
    """Moves on trial: what each won in the worlds it was tried in, and which are still in question.

    At every look those are dropped that are clearly worse than the best, and, while there are too many to try all of
    them well, the worse half of the others.
    """

    def __init__(self, moves: list[int], budget: int, keep: int | None = None) -> None:
        self.moves, self.budget, self.keep = moves, budget, keep  # keep: the place of one that is not dropped
        self.worlds, self.used = 0, 0
        self.open = list(range(len(moves)))
        self.counts = [0] * len(moves)  # worlds in which each was tried
        self.least = max(2, min(LEAST, budget // len(moves)))
        self.every = max(self.least, min(MOST_BETWEEN, budget // (4 * len(moves))))
        self.shares: Floats = np.zeros((len(moves), max(budget // 2, LEAST) + 1))

    @property
    def goes_on(self) -> bool:
        """Whether to try the moves that are in question once more: there are several, or the one left is not yet tried
        well, and the budget allows it."""
        if self.worlds < self.least:
            return True
        unsure = len(self.open) > 1 or self.worlds < WELL
        return unsure and self.used + len(self.open) <= self.budget and self.worlds < self.shares.shape[1]

    def next_world(self) -> None:
        """All moves in question have been tried in one more world."""
        self.worlds += 1
        self.used += len(self.open)
        for k in self.open:
            self.counts[k] = self.worlds
        if self.worlds % self.every == 0:
            best, kept = self.best, {self.best, self.keep}
            self.open = [k for k in self.open if k in kept or not self._clearly_behind(k, best)]
            if len(self.open) > FEW and (self.budget - self.used) // len(self.open) < WELL:
                better = set(sorted(self.open, key=lambda k: -self.mean(k))[: (len(self.open) + 1) // 2])
                self.open = [k for k in self.open if k in better | kept]

    def mean(self, k: int) -> float:
        """A move's share of the win."""
        return float(self.shares[k, : self.counts[k]].mean())

    @property
    def best(self) -> int:
        """The best move of those that are in question."""
        return max(self.open, key=self.mean)

    def _ahead(self, k: int, best: int) -> Floats:
        """What the best move won more than another, world by world."""
        n = self.counts[k]
        return self.shares[best, :n] - self.shares[k, :n]

    def _clearly_behind(self, k: int, best: int) -> bool:
        ahead = self._ahead(k, best)
        return bool(ahead.sum() > 0 and ahead.sum() ** 2 > CLEARLY**2 * (ahead @ ahead))

    def value(self, k: int, move: int, text: str) -> MoveValue:
        """A move's worth, with its intervals."""
        shares, ahead, n = self.shares[k, : self.counts[k]], self._ahead(k, self.best), self.counts[k]
        found = share(float(shares.sum()), float(shares @ shares), n)
        behind = mean(float(ahead.sum()), float(ahead @ ahead), n)
        return MoveValue(move, text, found.mean, ci95=_pair(found), behind=_pair(behind), rollouts=n)

    def lost(self, made: int) -> float:
        """What a move gave away. A better one is chosen by half of the worlds and valued by the other half: to take the
        best of what was seen would count luck as merit."""
        lost = 0.0
        for half in (0, 1):
            chosen = max(self.open, key=lambda k: float(self.shares[k, half : self.worlds : 2].mean()))
            lost += float(self._ahead(made, chosen)[1 - half :: 2].mean()) / 2
        return lost


def _pair(estimate: Estimate) -> tuple[float, float] | None:
    return None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
