"""`Tables` on a GPU: a million games that never leave its memory, decided by a network that is there, too.

The pieces of `tables_loop` are compiled for the device, a table to a thread, so games are those of the CPU, number for
number. Arrays stay on the GPU: `torch.as_tensor(tables.observations, device="cuda")`, `cupy.asarray(…)` and all else
that reads `__cuda_array_interface__` share their memory, and hand it on by DLPack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError, IllegalMove, PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key, draw
from pitboss.core.step import Step
from pitboss.core.types import Array, RulesRecord, StateRecord, Word
from pitboss.run.device import verify_bots, verify_gpu
from pitboss.run.kernel import SIMULATED, bot_set, link, resized
from pitboss.run.tables import Player, Tables
from pitboss.run.tables_loop import (
    ANEW,
    BEGIN,
    FINE,
    ILLEGAL_ACTION,
    ILLEGAL_BOT,
    Hall,
    Pieces,
    Shown,
    TableArrays,
    pieces,
    shown,
)

THREADS = 128  # of a block
OUT = ("observations", "masks", "players", "rewards", "terminated", "truncated", "final")  # what a step writes


class Lent(NamedTuple):
    """What a thread needs to ask bots."""

    views: Array
    params: Array  # [bot of the seating, number]


Rest = tuple[Array, ...]  # views, params, rules, setup, seating, asked, trouble


class DeviceTables:
    """Games side by side on the current CUDA device; `game`, `lineup`, `count` and the settings are those of `Tables`.

    After `reset` and `step` the arrays named as in `Tables` say how things stand. They are of the device, and the same
    ones all the time. `step` takes an array of the device, or of NumPy. It does not wait for the device; `verify`
    does, and says whether a bot or an action was illegal. Without a `penalty` that is an error, which `verify` raises.
    """

    observations: Any
    masks: Any
    players: Any
    rewards: Any
    terminated: Any
    truncated: Any
    final: Any

    def __init__(
        self, game: str | Game, lineup: Sequence[Player] | Sequence[Sequence[Player]], count: int, **settings: Any
    ) -> None:
        verify_gpu()
        plan = Tables(game, lineup, 1, threads=1, **settings)
        if plan.seated.asked.any():
            raise PitbossError("policies beside the learner do not play on a GPU; let it decide for their seats")
        self.game, self.count, self.plan = plan.game, count, plan
        table, seats = plan.game, plan.seats
        entrants = [entrant for entrants in plan.lineups for entrant in entrants]
        bots = [entrant for entrant in entrants if entrant.function]
        verify_bots(bots)
        order = bot_set([bot.function for bot in bots if bot.function])
        seating, params = plan.seated.seating.copy(), np.zeros((len(entrants), max(len(e.params) for e in entrants)))
        for place, entrant in enumerate(entrants):
            seating[place]["bot"] = 1 + order.index(entrant.function) if entrant.function else 0
            seating[place]["params"] = place
            params[place, : len(entrant.params)] = entrant.params
        self._begin, self._step = _kernels(table, seats, order, plan.encoding)
        stage = {name: np.zeros((count, *array.shape[1:]), array.dtype) for name, array in plan.save().items()}
        stage["states"] = np.zeros(count, table.compact(seats))
        self._tables = stage["tables"]
        views = np.zeros(count if table.has_secrets else 1, table.view_dtype)
        self._trouble = cuda.to_device(np.zeros(2, np.int64))
        self._stage = {name: cuda.to_device(array) for name, array in stage.items()}
        rest = (views, params, table.record, plan.setup, seating, plan.seated.asked)
        self._rest = [cuda.to_device(array) for array in rest]
        for name in OUT:
            setattr(self, name, self._stage[name])
        self._blocks = -(-count // THREADS)

    def __len__(self) -> int:
        return self.count

    def reset(self, seed: int | None = None) -> None:
        """Begin an episode everywhere: table i with the games of the seed plus i, or each with its next."""
        where, host = BEGIN if seed is None else ANEW, self._tables
        if seed is not None or not host["high"].any():
            fresh = (
                Key.fresh(quick=True) if seed is None else Key.from_seed(seed + i, True) for i in range(self.count)
            )
            host["high"], host["low"], host["way"] = np.array([key.words for key in fresh]).T
            host["deal"] = -1
            self._stage["tables"].copy_to_device(host)
        self._launch(self._begin, np.int64(where))
        self.verify()

    def step(self, actions: Any) -> None:
        """One action at every table."""
        if not hasattr(actions, "__cuda_array_interface__"):
            actions = cuda.to_device(np.ascontiguousarray(actions, np.int64))
        if tuple(actions.shape) != (self.count,):
            raise PitbossError(f"{self.count} tables need {self.count} actions, not an array of shape {actions.shape}")
        self._launch(self._step, actions)

    def verify(self) -> None:
        """Wait for the device, and raise what went wrong there since the last time."""
        what, table = self._trouble.copy_to_host().tolist()
        if what == FINE:
            return
        self._trouble.copy_to_device(np.zeros(2, np.int64))
        if what == ILLEGAL_ACTION:
            raise IllegalMove(f"an action at table {table} was not legal, and perhaps others were not")
        raise BotError(f"a bot made an illegal move at table {table}, or its episode was over")

    def _launch(self, kernel: Any, given: Any) -> None:
        stage = [self._stage[name] for name in TableArrays._fields if name != "lines"]
        kernel[self._blocks, THREADS](*stage, *self._rest, self._trouble, given)


@cache
def _kernels(game: Game, seats: int, bots: tuple[Callable[..., int], ...], encoding: str) -> tuple[Any, Any]:
    """The kernels that begin episodes and make actions."""
    begun = np.zeros(1, game.state_dtype)
    game.loops.start(begun, game.record, seats, None)  # chance has no part in it, so every game starts alike
    fresh = resized(begun, game.compact(seats))
    next_episode, act, clear = _pieces(game.step, bots, shown(game, encoding), fresh)

    def hall(
        states: Array, tables: Array, lucks: Array, paid: Array, observations: Array, masks: Array, players: Array,
        rewards: Array, terminated: Array, truncated: Array, final: Array, rest: Rest, i: int,
    ) -> Hall:  # fmt: skip
        """What the thread of a table works on."""
        views, params, rules, setup, seating, asked, trouble = rest
        mine = i if len(views) > 1 else 0
        stage = TableArrays(
            states, tables, lucks, paid, observations, masks, players, rewards, terminated, truncated, final, trouble
        )
        return Hall(stage, Lent(views[mine : mine + 1], params), rules, setup, seating, asked, trouble)

    made = hall if SIMULATED else cuda.jit(device=True, inline="always")(hall)

    def begin(
        states: Array, tables: Array, lucks: Array, paid: Array, observations: Array, masks: Array, players: Array,
        rewards: Array, terminated: Array, truncated: Array, final: Array, views: Array, params: Array,
        rules: Array, setup: Array, seating: Array, asked: Array, trouble: Array, given: int,
    ) -> None:  # fmt: skip
        """An episode at every table."""
        i = cuda.grid(1)
        if i >= len(tables):
            return
        rest = (views, params, rules, setup, seating, asked, trouble)
        h = made(
            states, tables, lucks, paid, observations, masks, players, rewards, terminated, truncated, final, rest, i
        )
        clear(h.stage, i)
        if not next_episode(h, i, given == ANEW or not tables[i]["over"]):
            trouble[0], trouble[1] = ILLEGAL_BOT, i

    def step_on(
        states: Array, tables: Array, lucks: Array, paid: Array, observations: Array, masks: Array, players: Array,
        rewards: Array, terminated: Array, truncated: Array, final: Array, views: Array, params: Array,
        rules: Array, setup: Array, seating: Array, asked: Array, trouble: Array, given: Array,
    ) -> None:  # fmt: skip
        """An action at every table."""
        i = cuda.grid(1)
        if i >= len(tables):
            return
        rest = (views, params, rules, setup, seating, asked, trouble)
        h = made(
            states, tables, lucks, paid, observations, masks, players, rewards, terminated, truncated, final, rest, i
        )
        clear(h.stage, i)
        done = act(h, i, given[i])
        if done != FINE:
            trouble[0], trouble[1] = done, i

    return cuda.jit(begin), cuda.jit(step_on)


def _pieces(step: Step, bots: tuple[Callable[..., int], ...], functions: Shown, fresh: Array) -> Pieces:
    choose, observe = link(bots) if bots else _nobody, step.observe

    def ask(b: StateRecord, s: StateRecord, r: RulesRecord, seat: int, luck: Word, own: Lent) -> int:
        view = observe(s, r, seat, own.views[0])
        return choose(int(b["bot"]) - 1, view, r, seat, own.params[int(b["params"])], luck)

    def start(h: Hall, i: int) -> None:
        h.stage.states[i] = cuda.const.array_like(fresh)[0]

    return pieces(step, functions, compiled_as(counted=False)(ask), draw, compiled_as(counted=False)(start))


@compiled
def _nobody(which: int, v: StateRecord, r: RulesRecord, seat: int, params: Array, luck: Word) -> int:
    """At a table of learners."""
    return 0
