"""Many games side by side, decided from outside: what environments and training are made of.

`Tables` plays chance and compiled bots by itself and stops every game where one of the learner's players must
decide. All games then take one action each, in one compiled call, on as many threads as there are. Any number
of the players may be the learner's: one against bots, or all of them, for self-play.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, IllegalMove, PitbossError, unknown
from pitboss.core.game import Game, Legal, Position
from pitboss.core.keys import Key
from pitboss.core.loop import Scratch
from pitboss.core.native import SEATING
from pitboss.core.policy import BatchPolicy
from pitboss.core.registry import bot, load
from pitboss.core.seating import seating
from pitboss.core.types import Array
from pitboss.run.tables_loop import (
    ANEW,
    BEGIN,
    DISABLED,
    FINE,
    ILLEGAL_ACTION,
    LEAVE,
    NEXT_STEP,
    OVER_ALREADY,
    SAME_STEP,
    SETUP,
    TABLE,
    WAIT,
    Hall,
    TableArrays,
    tables_loop,
)

LEARNER = None  # in a line-up: a player whose decisions come from outside
AUTORESET = {"next-step": NEXT_STEP, "same-step": SAME_STEP, "disabled": DISABLED}
LINE, LOOKED_AT = 64, 20  # bytes in a line of the cache; steps until it is known which lines matter
LEARNS = -1  # in place of a policy's number
LEAST_ROWS = 64  # of a thread: less is not worth waking one up

Player = str | Entrant | Callable[..., int] | None


class _Seated(NamedTuple):
    """The players of all line-ups, for the loop and for those who are asked here."""

    seating: Array
    asked: Array  # for each place: 1 if a policy decides there
    policies: Array  # [line-up, player]: the number of its policy, or -1


class Tables:
    """Games of one rule book, each with its own key; player i sits at seat (i + rotation) mod players.

    After `reset` and after each `step` these arrays, a row for each table, say how things stand. They are
    written anew by the next step, so copy what you want to keep:

        observations    what the player to act sees
        masks           1 for each action that it may take
        players         who is to act: its place in the line-up
        rewards         [table, player]: what this step brought the learner's players
        terminated, truncated    whether an episode has ended by this step, or was cut
        final           the last observation of an episode that has ended, if the next began in the same step

    >>> tables = Tables("flip7:solo", [LEARNER], 3)
    >>> tables.reset(seed=1)
    >>> tables.observations.shape, tables.masks.tolist()
    ((3, 40), [[1, 1], [1, 1], [1, 1]])
    >>> tables.step([1, 1, 1])

    `lineup` has one entry for each player: LEARNER, a compiled bot, or a `policy` that answers many tables at once.
    Several line-ups may be given, one of which
    plays each game in turn, so that an agent meets many opponents at once. `seat` keeps the first player at that
    seat; without it players change seats with every game.
    """

    def __init__(
        self,
        game: str | Game,
        lineup: Sequence[Player] | Sequence[Sequence[Player]],
        count: int,
        *,
        encoding: str | None = None,
        reward: str | None = None,
        episode: str | None = None,
        seat: int | None = None,
        autoreset: str = "same-step",
        penalty: float | None = None,
        threads: int | None = None,
    ) -> None:
        self.game = load(game)
        learning = self.game.learning
        self.encoding = encoding or next(iter(learning.encodings))
        self.lineups = self._enter(lineup)
        self.seats = len(self.lineups[0])
        self.threads = threads or os.cpu_count() or 1
        if count < 1:
            raise PitbossError(f"the number of tables must be 1 or more, not {count}")
        if seat is not None and not 0 <= seat < self.seats:
            raise PitbossError(f"there is no seat {seat} at a table of {self.seats}; seats are counted from 0")
        self.setup = np.zeros(1, SETUP)
        setup = self.setup[0]
        setup["players"], setup["lineups"] = self.seats, len(self.lineups)
        setup["rotation"] = -1 if seat is None else seat
        setup["reward"] = index("reward", reward, learning.rewards)
        setup["episode"] = index("episode", episode, learning.episodes)
        setup["autoreset"] = index("autoreset", autoreset, tuple(AUTORESET))
        setup["penalised"], setup["penalty"] = penalty is not None, penalty or 0.0
        index("encoding", self.encoding, tuple(learning.encodings))
        self.seated = self._seat()
        self._loop = tables_loop(self.game, self.encoding)
        self._make_stage(count)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def _make_stage(self, count: int) -> None:
        game, seats = self.game, self.seats
        encoding = game.learning.encodings[self.encoding]
        size, dtype = encoding.size(game.rules, seats), encoding.dtype
        self.tables = np.zeros(count, TABLE)
        self.observations = np.zeros((count, size), dtype)
        self.masks = np.zeros((count, game.learning.actions(game.rules, seats)), np.int8)
        self.players = np.zeros(count, np.int64)
        self.rewards = np.zeros((count, seats))
        self.terminated, self.truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        self.final = np.zeros((count, size), dtype)
        self._stage = TableArrays(
            np.zeros(count, game.state_dtype), self.tables, np.zeros((count, seats), np.uint64),
            np.zeros((count, seats)), self.observations, self.masks, self.players, self.rewards, self.terminated,
            self.truncated, self.final, np.zeros(0, np.int64),
        )  # fmt: skip
        self.setup["address"] = self._stage.states.ctypes.data
        self._used, self._steps = np.zeros(game.state_dtype.itemsize, np.bool_), 0
        share = max(LEAST_ROWS, -(-count // self.threads))
        self._shares = [(first, min(first + share, count)) for first in range(0, count, share)]
        self._scratch = [
            Scratch(np.zeros(1, game.view_dtype), np.zeros(1, game.state_dtype), game.record.copy())
            for _ in self._shares
        ]
        self._trouble = np.zeros((len(self._shares), 2), np.int64)

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def states(self) -> Array:
        """The games themselves, secrets and all, to read."""
        return self._stage.states

    def _enter(self, lineup: Sequence[Any]) -> list[list[Entrant]]:
        several = lineup and not isinstance(lineup[0], str) and isinstance(lineup[0], Sequence)
        out = []
        for players in lineup if several else [lineup]:
            self.game.verify_seats(len(players))
            if len(players) != len((lineup if several else [lineup])[0]):
                raise PitbossError("all line-ups of these tables must have the same number of players")
            entrants = [Entrant("learner") if p is LEARNER else bot(p, self.game) for p in players]
            for entrant in entrants:
                if entrant.make and not entrant.policy:
                    raise BotError(
                        f"the bot {entrant.name} is written in Python, and here thousands of games are played by "
                        "compiled code; take a compiled bot, a policy, or a single environment"
                    )
            if all(entrant.function or entrant.policy for entrant in entrants):
                raise PitbossError("nobody is left to learn: one player of each line-up must be the learner")
            out.append(entrants)
        return out

    def _seat(self) -> _Seated:
        dtypes = self.game.view_dtype, self.game.rules_class.dtype()
        out: Array = np.concatenate([seating(entrants, *dtypes) for entrants in self.lineups])
        assert out.dtype == SEATING
        self._policies = list(dict.fromkeys(e.policy for entrants in self.lineups for e in entrants if e.policy))
        numbers = [self._policies.index(e.policy) if e.policy else -1 for entrants in self.lineups for e in entrants]
        policies = np.array(numbers)
        return _Seated(out, (policies >= 0).astype(np.uint8), policies.reshape(-1, self.seats))

    def take_seats(self, lineup: Sequence[Player] | Sequence[Sequence[Player]]) -> None:
        """Let others play from now on: as many line-ups as before, with the learner's players at the same places."""
        lineups = self._enter(lineup)
        before, now = (
            [[e.function is None and e.policy is None for e in entrants] for entrants in some]
            for some in (self.lineups, lineups)
        )
        if before != now:
            raise PitbossError("new line-ups must be as many as before, with the learner's players at the same places")
        self.lineups = lineups
        self.seated = self._seat()

    def reset(self, seed: int | None = None, *, keys: Sequence[Key] | None = None, chosen: Any = None) -> None:
        """Begin an episode everywhere, or at the chosen tables (an array of yes and no).

        Table i deals by the seed plus i, or by its own of the keys, from the first deal on. Without either it goes
        on: with the same game, where an episode has ended and the game has not, or else with its next deal. The
        first time it gets a key that nobody can know.
        """
        count = len(self)
        if seed is not None:
            keys = [Key.from_seed(seed + i, quick=True) for i in range(count)]
        if keys is not None:
            if len(keys) != count:
                raise PitbossError(f"{count} tables need {count} keys, not {len(keys)}")
        elif not self.tables["high"].any():
            keys = [Key.fresh(quick=True) for _ in range(count)]
        where = np.full(count, BEGIN) if chosen is None else np.where(chosen, BEGIN, LEAVE)
        if keys is not None:
            where *= ANEW
            for i in np.flatnonzero(where).tolist():
                table = self.tables[i]
                table["high"], table["low"], table["way"] = keys[i].words
                table["deal"] = -1
        self._run(self._loop.begin, where)
        self._ask()

    def position(self, table: int) -> Position:
        """A copy of the game at a table, to look at."""
        out = Position(self.game)
        out.states[0] = self._stage.states[table]
        return out

    def save(self) -> dict[str, Array]:
        """All that `restore` needs to go on from here, in other tables made the same way."""
        arrays = self._stage._asdict()
        del arrays["lines"]  # about the memory of this machine, and changes no result
        return {name: array.copy() for name, array in arrays.items()}

    def restore(self, saved: Mapping[str, Array]) -> None:
        """Go on where others were when they were saved."""
        for name, array in saved.items():
            own = getattr(self._stage, name)
            own[...] = 0
            for field in array.dtype.names or (...,):  # an earlier version may have kept fewer
                own[field] = array[field]

    def step(self, actions: Any) -> None:
        """One action at every table. An illegal one raises IllegalMove, and all others have been made, unless it is
        to be penalised: then its player is paid the penalty, and nothing changes at its table."""
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != self.players.shape:
            raise PitbossError(f"{len(self)} tables need {len(self)} actions, not an array of shape {given.shape}")
        self._run(self._loop.step, given)
        self._ask()
        if self._steps < LOOKED_AT:
            self._look_at_memory()

    def _ask(self) -> None:
        """Let policies decide, all tables of one at once, until the learner is to act everywhere."""
        while len(self._policies):
            who = self.seated.policies[self.tables["lineup"], self.players]
            who[self.tables["over"] == 1] = LEARNS
            if (who == LEARNS).all():
                return
            actions = np.full(len(self), WAIT)
            for number, policy in enumerate(self._policies):
                rows = np.flatnonzero(who == number)
                if len(rows):
                    actions[rows] = self._decide(policy, rows)
            self.setup["within"] = 1
            try:
                self._run(self._loop.step, actions)
            finally:
                self.setup["within"] = 0

    def _decide(self, policy: BatchPolicy, rows: Array) -> Array:
        name = policy.encoding or self.encoding
        if name == self.encoding:
            seen = self.observations[rows]
        else:
            encoding = self.game.learning.encodings[name]
            seen = np.zeros((len(rows), encoding.size(self.game.rules, self.seats)), encoding.dtype)
            tables_loop(self.game, name).look(self._hall(0), rows, seen)
        return policy.answers(seen, self.masks[rows])

    def _look_at_memory(self) -> None:
        """Note which lines of a state are in use in the first steps, so that later ones fetch them ahead of time."""
        states = self._stage.states[: len(self) // 8 + 1]
        self._used |= states.view((np.uint8, states.itemsize)).any(axis=0)
        self._steps += 1
        if self._steps == LOOKED_AT:
            self._stage = self._stage._replace(lines=np.unique(np.flatnonzero(self._used) // LINE) * LINE)

    def _run(self, loop: Callable[..., None], given: Array) -> None:
        def share(n: int) -> None:
            loop(self._hall(n), given, *self._shares[n])

        if self._pool is None or len(self._shares) == 1:
            for n in range(len(self._shares)):
                share(n)
        else:
            list(self._pool.map(share, range(len(self._shares))))
        for what, table in self._trouble.tolist():
            if what != FINE:
                raise self._complaint(what, table, given)

    def _hall(self, share: int) -> Hall:
        own, trouble, (seats, asked, _) = self._scratch[share], self._trouble[share], self.seated
        return Hall(self._stage, own, self.game.record, self.setup, seats, asked, trouble)

    def _complaint(self, what: int, table: int, given: Array) -> PitbossError:
        if what == OVER_ALREADY:
            return PitbossError(f"the episode at table {table} is over; reset it before the next step")
        states = self._stage.states[table : table + 1]
        legal = Legal(self.game, int(self.game.loops.legal(states, self.game.record)), dealing=False)
        if what == ILLEGAL_ACTION:
            some = np.flatnonzero(self.masks[table]).tolist()
            return IllegalMove(f"action {given[table]} is not legal at table {table} now; legal: {some} ({legal})")
        player = (int(states["to_act"][0]) - int(self.tables["rotation"][table])) % self.seats
        name = self.lineups[int(self.tables["lineup"][table])][player].name
        return BotError(f"the bot {name} made an illegal move at table {table}; legal: {legal}")


def index(what: str, name: str | None, choices: Sequence[str]) -> int:
    """The place of a name among the choices; the first, if none is given."""
    if name is None:
        return 0
    if name not in choices:
        raise PitbossError(unknown(what, name, choices))
    return list(choices).index(name)
