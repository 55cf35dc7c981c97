"""The compiled loop behind `Tables`, built once for each game and encoding."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.game import Game
from pitboss.core.keys import luck, stream, word
from pitboss.core.legal import asking
from pitboss.core.loop import ILLEGAL, Scratch, asker
from pitboss.core.machine import INTERPRETED
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, OVER, Step
from pitboss.core.types import Array, Dtype, Numba
from pitboss.core.vector_draw import drawer

# What each table remembers between steps, besides its state.
TABLE = np.dtype(
    [
        ("high", np.uint64),  # its key
        ("low", np.uint64),
        ("deal", np.int64),  # the number of its game
        ("stream", np.uint64, (4,)),  # of key and deal
        ("rotation", np.int32),  # player i sits at seat (i + rotation) mod players
        ("lineup", np.int32),  # which of the line-ups plays
        ("part", np.int32),  # of the game that the episode is
        ("over", np.int32),  # 1 if the episode has ended and none has begun
    ],
    align=True,
)

# How a run of the loop is set up.
SETUP = np.dtype(
    [
        ("address", np.int64),  # of the states
        ("players", np.int64),
        ("lineups", np.int64),
        ("rotation", np.int64),  # of all games, or -1: by turns
        ("reward", np.int64),
        ("episode", np.int64),
        ("autoreset", np.int64),
        ("penalised", np.int64),  # 1: an illegal action costs the penalty and changes nothing
        ("penalty", np.float64),
    ]
)

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2  # when the next episode begins

LEAVE, BEGIN, ANEW = 0, 1, 2  # what to do at a table: an episode that is over may go on with its game

FINE, ILLEGAL_ACTION, ILLEGAL_BOT, OVER_ALREADY = 0, 1, 2, 3  # how a run ended


AHEAD = 2  # tables

if INTERPRETED:

    def fetch(address: int) -> None:
        """Nothing, without machine code."""

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def fetch(typing: Numba, address: Numba) -> Numba:
        """Have the processor bring a line of memory into its cache, without waiting for it."""

        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            pointer, word = ir.PointerType(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, word, word, word])
            prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            to_write, keep, data = ir.Constant(word, 1), ir.Constant(word, 3), ir.Constant(word, 1)
            builder.call(prefetch, [builder.inttoptr(args[0], pointer), to_write, keep, data])
            return context.get_dummy_value()

        return types.void(types.int64), codegen


class TableArrays(NamedTuple):
    """The arrays of `Tables`: a row for each table."""

    states: Array
    tables: Array
    lucks: Array  # [table, seat]
    paid: Array  # [table, player]: what its worth was when last paid
    observations: Array
    masks: Array
    players: Array  # who is to act
    rewards: Array  # [table, player]
    terminated: Array
    truncated: Array
    final: Array  # the last observation of an episode that has just ended
    lines: Array  # the parts of a state that are in use, as offsets: fetched into the cache ahead of time


class Hall(NamedTuple):
    """All that the loop works on: the tables, and what one thread needs for itself."""

    stage: TableArrays
    own: Scratch
    rules: Array
    setup: Array  # of type SETUP
    seating: Array
    trouble: Array  # [how the run ended, at which table]


class TablesLoop(NamedTuple):
    """The compiled functions; both work on the tables from `first` up to `last`."""

    begin: Callable[..., None]  # (hall, chosen, first, last): episodes where chosen
    step: Callable[..., None]  # (hall, actions, first, last): one action each


def tables_loop(game: Game, encoding: str) -> TablesLoop:
    """The loop of a game that shows agents this encoding; compiled when first called."""
    learning, dtypes = game.learning, (game.state_dtype, game.view_dtype, type(game.rules).dtype())
    return _build(
        game.step, dtypes, (learning.encodings[encoding].write, learning.move_of, learning.worth, learning.part)
    )


@cache
def _build(step: Step, dtypes: tuple[Dtype, Dtype, Dtype], functions: tuple[Callable[..., Any], ...]) -> TablesLoop:
    ask = asker(step, *dtypes)
    start, legal, apply, where, observe, _, moves = step
    look, has, can, _ = asking(legal, moves)
    draw = drawer(dtypes[0])
    write, move_of, worth, part = functions

    @compiled_as(counted=False)
    def go_on(h: Hall, i: int) -> int:
        """Play chance and bots up to a decision of the learner's: its seat, OVER, or ILLEGAL for a bot's nonsense."""
        t, s, lucks, r = h.stage.tables[i], h.stage.states[i], h.stage.lucks[i], h.rules[0]
        players, rotation = int(h.setup[0]["players"]), int(t["rotation"])
        base = int(t["lineup"]) * players
        of = (t["stream"][0], t["stream"][1], t["stream"][2], t["stream"][3])
        while True:
            seat = int(s["to_act"])
            if seat == DEALER:
                move = draw(s["left"], int(s["left_total"]), word(of, np.uint64(where(s))))
            elif seat == OVER:
                return OVER
            else:
                b = h.seating[base + (seat - rotation if seat >= rotation else seat - rotation + players)]
                if b["bot"] == 0:
                    return seat
                lucks[seat] = next_luck(lucks[seat])
                move = ask(b, s, r, seat, luck_bits(lucks[seat]), h.own)
                if not can(s, r, move):
                    return ILLEGAL
            apply(s, r, move, None)

    @compiled_as(counted=False)
    def new_game(h: Hall, i: int) -> int:
        """The next game in which the learner has something to decide, up to there."""
        t, s, lucks, setup = h.stage.tables[i], h.stage.states[i], h.stage.lucks[i], h.setup[0]
        players = int(setup["players"])
        seat = OVER
        while seat == OVER:
            t["deal"] += 1
            deal = int(t["deal"])
            of = stream(t["high"], t["low"], np.uint64(deal))
            t["stream"][0], t["stream"][1], t["stream"][2], t["stream"][3] = of[0], of[1], of[2], of[3]
            rotation = int(setup["rotation"]) if setup["rotation"] >= 0 else deal % players
            t["rotation"] = rotation
            t["lineup"] = (i + deal) % int(setup["lineups"])
            for place in range(players):
                lucks[place] = luck(of, rotation, place)
            start(s, h.rules[0], players, None)
            seat = go_on(h, i)
        return seat

    @compiled_as(counted=False)
    def show(h: Hall, i: int, seat: int) -> None:
        """Write down who must decide, what it sees and may do."""
        stage, s, r = h.stage, h.stage.states[i], h.rules[0]
        players, rotation = int(h.setup[0]["players"]), int(stage.tables[i]["rotation"])
        stage.players[i] = seat - rotation if seat >= rotation else seat - rotation + players
        write(observe(s, r, seat, h.own.views[0]), r, seat, stage.observations[i])
        looked = look(s, r)
        for action in range(stage.masks.shape[1]):
            stage.masks[i, action] = has(looked, s, r, move_of(action, players, seat))

    @compiled_as(counted=False)
    def pay(h: Hall, i: int, count: bool) -> None:
        """Give the learner's players what their worth has grown by; at the start there is nothing to count."""
        stage, t, setup = h.stage, h.stage.tables[i], h.setup[0]
        players, rotation = int(setup["players"]), int(t["rotation"])
        base, reward = int(t["lineup"]) * players, int(setup["reward"])
        for player in range(players):
            if h.seating[base + player]["bot"] == 0:
                seat = player + rotation
                now = worth(stage.states[i], h.rules[0], seat if seat < players else seat - players, reward)
                if count:
                    stage.rewards[i, player] = now - stage.paid[i, player]
                stage.paid[i, player] = now

    @compiled_as(counted=False, inline=False)  # seldom called: inlined, it would take long to compile
    def next_episode(h: Hall, i: int, anew: bool) -> bool:
        """Begin an episode: in a new game, or with what comes next in this one; false if a bot fails."""
        t, s = h.stage.tables[i], h.stage.states[i]
        seat = int(s["to_act"])
        if anew or seat == OVER:
            seat = new_game(h, i)
            if seat == ILLEGAL:
                return False
            pay(h, i, False)
        t["over"] = 0
        t["part"] = part(s, int(h.setup[0]["episode"]))
        show(h, i, seat)
        return True

    @compiled_as(counted=False)
    def act(h: Hall, i: int, action: int) -> int:
        """One action at one table, and all that follows up to the next decision of the learner's."""
        stage, r, setup = h.stage, h.rules[0], h.setup[0]
        t, s = stage.tables[i], stage.states[i]
        players, autoreset = int(setup["players"]), int(setup["autoreset"])
        if t["over"]:
            if autoreset == DISABLED:
                return OVER_ALREADY
            return FINE if next_episode(h, i, False) else ILLEGAL_BOT
        seat = int(s["to_act"])
        known = action >= 0 and action < stage.masks.shape[1]
        move = move_of(action, players, seat) if known else -1
        if not can(s, r, move):
            if not setup["penalised"]:
                return ILLEGAL_ACTION
            stage.rewards[i, stage.players[i]] = setup["penalty"]
            return FINE
        apply(s, r, move, None)
        after = go_on(h, i)
        if after == ILLEGAL:
            return ILLEGAL_BOT
        pay(h, i, True)
        if after != OVER:
            seat = after
            if part(s, int(setup["episode"])) == t["part"]:
                show(h, i, seat)
                return FINE
        cut = int(s["ended"]) == CUT
        stage.terminated[i] = not cut
        stage.truncated[i] = cut
        if autoreset == SAME_STEP:
            write(observe(s, r, seat, h.own.views[0]), r, seat, stage.final[i])
            return FINE if next_episode(h, i, False) else ILLEGAL_BOT
        t["over"] = 1
        show(h, i, seat)
        return FINE

    @compiled_as(counted=False)
    def clear(stage: TableArrays, i: int) -> None:
        """Forget what the step before brought."""
        for player in range(stage.rewards.shape[1]):
            stage.rewards[i, player] = 0.0
        stage.terminated[i] = stage.truncated[i] = False

    def begin(h: Hall, chosen: Array, first: int, last: int) -> None:
        h.trouble[0] = FINE
        for i in range(first, last):
            if chosen[i]:
                clear(h.stage, i)
                anew = chosen[i] == ANEW or not h.stage.tables[i]["over"]
                if not next_episode(h, i, anew):
                    h.trouble[0], h.trouble[1] = ILLEGAL_BOT, i

    def step_all(h: Hall, actions: Array, first: int, last: int) -> None:
        stage, trouble, lines = h.stage, h.trouble, h.stage.lines
        trouble[0] = FINE
        size = stage.states.itemsize
        for i in range(first, last):
            ahead = int(h.setup[0]["address"]) + (i + AHEAD) * size
            if i + AHEAD < last:
                for line in range(len(lines)):
                    fetch(ahead + lines[line])
            clear(stage, i)
            done = act(h, i, actions[i])
            if done != FINE and trouble[0] == FINE:
                trouble[0], trouble[1] = done, i

    return TablesLoop(*(compiled(function, inline=False, counted=False) for function in (begin, step_all)))
