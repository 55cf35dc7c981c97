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
from pitboss.core.keys import deal_luck, deal_stream, deal_word
from pitboss.core.legal import asking
from pitboss.core.loop import ILLEGAL, asker
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
        ("way", np.uint64),
        ("deal", np.int64),  # the number of its game
        ("stream", np.uint64, (4,)),  # of key and deal
        ("rotation", np.int32),  # player i sits at seat (i + rotation) mod players
        ("lineup", np.int32),  # which of the line-ups plays
        ("part", np.int32),  # of the game that the episode is
        ("over", np.int32),  # 1 if the episode has ended and none has begun
        ("waiting", np.int32),  # 1 until the learner's first decision in it
        ("seat", np.int32),  # where the learner decided last
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
        ("within", np.int64),  # 1: a policy answers in the middle of a step, which goes on
    ]
)

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2  # when the next episode begins

LEAVE, BEGIN, ANEW = 0, 1, 2  # what to do at a table: an episode that is over may go on with its game

FINE, ILLEGAL_ACTION, ILLEGAL_BOT, OVER_ALREADY = 0, 1, 2, 3  # how a run ended

WAIT = np.iinfo(np.int64).min  # in place of an action: nothing happens at this table

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
    own: Any  # what a thread needs to ask bots
    rules: Array
    setup: Array  # of type SETUP
    seating: Array
    asked: Array  # for each place of `seating`: 1 if a policy beside the learner decides there
    trouble: Array  # [how the run ended, at which table]


class TablesLoop(NamedTuple):
    """The compiled functions; the first two work on the tables from `first` up to `last`."""

    begin: Callable[..., None]  # (hall, chosen, first, last): episodes where chosen
    step: Callable[..., None]  # (hall, actions, first, last): one action each, but for those that WAIT
    look: Callable[..., None]  # (hall, rows, out): what those see who are to act at these tables


def tables_loop(game: Game, encoding: str) -> TablesLoop:
    """The loop of a game that shows agents this encoding; compiled when first called."""
    dtypes = game.state_dtype, game.view_dtype, type(game.rules).dtype()
    return _build(game.step, dtypes, shown(game, encoding))


Shown = tuple[Callable[..., Any], ...]  # compiled: what writes an observation, makes moves of actions, pays, and ends


def shown(game: Game, encoding: str) -> Shown:
    """How a game shows itself to agents that see this encoding."""
    learning = game.learning
    return learning.encodings[encoding].write, learning.move_of, learning.worth, learning.part


class Pieces(NamedTuple):
    """What happens at one table (hall, number of the table), for loops on the CPU and kernels on a GPU."""

    next_episode: Callable[..., bool]  # (…, anew): false if a bot fails
    act: Callable[..., int]  # (…, action): how that went
    clear: Callable[..., None]  # (stage, number of the table): forgets what the step before brought


def pieces(
    step: Step, functions: Shown, ask: Callable[..., int], draw: Callable[..., int], start: Callable[..., None]
) -> Pieces:
    """The pieces of a game: `ask` asks a bot, `draw` picks a card, `start` (hall, table) begins a game."""
    _, legal, apply, where, observe, _, moves = step
    look, has, can, _ = asking(legal, moves)
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
                move = draw(s["left"], int(s["left_total"]), deal_word(of, np.uint64(where(s))))
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
        t, lucks, setup = h.stage.tables[i], h.stage.lucks[i], h.setup[0]
        players = int(setup["players"])
        seat = OVER
        while seat == OVER:
            t["deal"] += 1
            deal = int(t["deal"])
            of = deal_stream((t["high"], t["low"], t["way"]), np.uint64(deal))
            t["stream"][0], t["stream"][1], t["stream"][2], t["stream"][3] = of[0], of[1], of[2], of[3]
            rotation = int(setup["rotation"]) if setup["rotation"] >= 0 else deal % players
            t["rotation"] = rotation
            t["lineup"] = (i + deal) % int(setup["lineups"])
            for place in range(players):
                lucks[place] = deal_luck(of, rotation, place)
            start(h, i)
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
    def asks(h: Hall, i: int, seat: int) -> bool:
        """Whether a policy beside the learner decides at a seat."""
        t, players = h.stage.tables[i], int(h.setup[0]["players"])
        player = seat - int(t["rotation"])
        return bool(h.asked[int(t["lineup"]) * players + (player if player >= 0 else player + players)])

    @compiled_as(counted=False)
    def pay(h: Hall, i: int, count: bool) -> None:
        """Give the learner's players what their worth has grown by; at the start there is nothing to count."""
        stage, t, setup = h.stage, h.stage.tables[i], h.setup[0]
        players, rotation = int(setup["players"]), int(t["rotation"])
        base, reward = int(t["lineup"]) * players, int(setup["reward"])
        for player in range(players):
            if h.seating[base + player]["bot"] == 0 and not h.asked[base + player]:
                seat = player + rotation
                now = worth(stage.states[i], h.rules[0], seat if seat < players else seat - players, reward)
                if count:
                    stage.rewards[i, player] += now - stage.paid[i, player]
                stage.paid[i, player] = now

    @compiled_as(counted=False)
    def settle(h: Hall, i: int, seat: int) -> None:
        """Wait for a decision; the learner's first one is where its episode begins."""
        t = h.stage.tables[i]
        if t["waiting"] and not asks(h, i, seat):
            t["waiting"] = 0
            t["part"] = part(h.stage.states[i], int(h.setup[0]["episode"]))
            pay(h, i, False)
        show(h, i, seat)

    @compiled_as(counted=False, inline=False)  # seldom called: inlined, it would take long to compile
    def next_episode(h: Hall, i: int, anew: bool) -> bool:
        """Begin an episode: in a new game, or with what comes next in this one; false if a bot fails."""
        t, s = h.stage.tables[i], h.stage.states[i]
        seat = int(s["to_act"])
        if anew or seat == OVER:
            seat = new_game(h, i)
            if seat == ILLEGAL:
                return False
        t["over"], t["waiting"] = 0, 1
        settle(h, i, seat)
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
        other = asks(h, i, seat)
        known = action >= 0 and action < stage.masks.shape[1]
        move = move_of(action, players, seat) if known else -1
        if not can(s, r, move):
            if other:
                return ILLEGAL_BOT
            if not setup["penalised"]:
                return ILLEGAL_ACTION
            stage.rewards[i, stage.players[i]] = setup["penalty"]
            return FINE
        if not other:
            t["seat"] = seat
        apply(s, r, move, None)
        after = go_on(h, i)
        if after == OVER and t["waiting"]:
            after = new_game(h, i)  # the learner had nothing to decide, so nothing is paid
        if after == ILLEGAL:
            return ILLEGAL_BOT
        if t["waiting"]:
            settle(h, i, after)
            return FINE
        pay(h, i, True)
        seat = int(t["seat"])
        if after != OVER:
            seat = after
            if asks(h, i, seat) or part(s, int(setup["episode"])) == t["part"]:
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

    return Pieces(next_episode, act, clear)


@cache
def _build(step: Step, dtypes: tuple[Dtype, Dtype, Dtype], functions: Shown) -> TablesLoop:
    begin_game, observe, write = step.start, step.observe, functions[0]

    @compiled_as(counted=False)
    def start(h: Hall, i: int) -> None:
        begin_game(h.stage.states[i], h.rules[0], int(h.setup[0]["players"]), None)

    next_episode, act, clear = pieces(step, functions, asker(step, *dtypes), drawer(dtypes[0]), start)

    def begin(h: Hall, chosen: Array, first: int, last: int) -> None:
        h.trouble[0] = FINE
        for i in range(first, last):
            if chosen[i]:
                clear(h.stage, i)
                anew = chosen[i] == ANEW or not h.stage.tables[i]["over"]
                if not next_episode(h, i, anew):
                    h.trouble[0], h.trouble[1] = ILLEGAL_BOT, i

    def look_at(h: Hall, rows: Array, out: Array) -> None:
        for n in range(len(rows)):
            s = h.stage.states[rows[n]]
            seat = int(s["to_act"])
            write(observe(s, h.rules[0], seat, h.own.views[0]), h.rules[0], seat, out[n])

    def step_all(h: Hall, actions: Array, first: int, last: int) -> None:
        stage, trouble, lines = h.stage, h.trouble, h.stage.lines
        trouble[0] = FINE
        size, begins = stage.states.itemsize, not h.setup[0]["within"]
        for i in range(first, last):
            ahead = int(h.setup[0]["address"]) + (i + AHEAD) * size
            if i + AHEAD < last:
                for line in range(len(lines)):
                    fetch(ahead + lines[line])
            if actions[i] == WAIT:
                continue
            if begins:
                clear(stage, i)
            done = act(h, i, actions[i])
            if done != FINE and trouble[0] == FINE:
                trouble[0], trouble[1] = done, i

    outer: tuple[Callable[..., None], ...] = (begin, step_all, look_at)
    return TablesLoop(*(compiled(function, inline=False, counted=False) for function in outer))
