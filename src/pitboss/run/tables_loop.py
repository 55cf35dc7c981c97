"""The compiled loop behind `Tables`, built once for each game and encoding."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.game import Game
from pitboss.core.keys import luck, stream, word
from pitboss.core.legal import asking
from pitboss.core.loop import ILLEGAL, asker
from pitboss.core.machine import INTERPRETED
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, OVER, Step
from pitboss.core.types import Array, Dtype, Numba, RulesRecord, StateRecord, ViewRecord
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


class Scratch(NamedTuple):
    """What one thread needs for itself."""

    views: Array
    spare: StateRecord  # a state to lend
    lent: RulesRecord  # rules to lend
    trouble: Array  # [how the run ended, at which table]


class TablesLoop(NamedTuple):
    """The compiled functions; both work on the tables from `first` up to `last`."""

    begin: Callable[..., None]  # (stage, scratch, rules, setup, seating, chosen, first, last): episodes where chosen
    step: Callable[..., None]  # (stage, scratch, rules, setup, seating, actions, first, last): one action each


def tables_loop(game: Game, encoding: str) -> TablesLoop:
    """The loop of a game that shows agents this encoding; compiled when first called."""
    learning, rules = game.learning, type(game.rules).dtype()
    functions = (learning.encodings[encoding].write, learning.move_of, learning.worth, learning.part)
    return _build(game.step, game.state_dtype, game.view_dtype, rules, *functions)


@cache
def _build(
    step: Step,
    state_dtype: Dtype,
    view_dtype: Dtype,
    rules_dtype: Dtype,
    write: Callable[[ViewRecord, RulesRecord, int, Array], None],
    move_of: Callable[[int, int, int], int],
    worth: Callable[[StateRecord, RulesRecord, int, int], float],
    part: Callable[[StateRecord, int], int],
) -> TablesLoop:
    ask = asker(step, state_dtype, view_dtype, rules_dtype)
    start, legal, apply, where, observe, _, moves = step
    look, has, can, _ = asking(legal, moves)
    draw = drawer(state_dtype)

    @compiled_as(counted=False)
    def go_on(
        t: StateRecord,
        s: StateRecord,
        lucks: Array,
        scratch: Scratch,
        r: RulesRecord,
        setup: StateRecord,
        seating: Array,
    ) -> int:
        """Play chance and bots up to a decision of the learner's: its seat, OVER, or ILLEGAL for a bot's nonsense."""
        players, rotation = int(setup["players"]), int(t["rotation"])
        base = int(t["lineup"]) * players
        of = (t["stream"][0], t["stream"][1], t["stream"][2], t["stream"][3])
        while True:
            seat = int(s["to_act"])
            if seat == DEALER:
                move = draw(s["left"], int(s["left_total"]), word(of, np.uint64(where(s))))
            elif seat == OVER:
                return OVER
            else:
                bot = base + (seat - rotation if seat >= rotation else seat - rotation + players)
                if seating[bot]["bot"] == 0:
                    return seat
                lucks[seat] = next_luck(lucks[seat])
                v = scratch.views[0]
                move = ask(seating, bot, s, scratch.spare, r, scratch.lent, seat, v, luck_bits(lucks[seat]))
                if not can(s, r, move):
                    return ILLEGAL
            apply(s, r, move, None)

    @compiled_as(counted=False)
    def new_game(
        i: int,
        t: StateRecord,
        s: StateRecord,
        lucks: Array,
        scratch: Scratch,
        r: RulesRecord,
        setup: StateRecord,
        seating: Array,
    ) -> int:
        """The next game in which the learner has something to decide, up to there."""
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
            start(s, r, players, None)
            seat = go_on(t, s, lucks, scratch, r, setup, seating)
        return seat

    @compiled_as(counted=False)
    def show(
        i: int,
        stage: TableArrays,
        t: StateRecord,
        s: StateRecord,
        scratch: Scratch,
        r: RulesRecord,
        setup: StateRecord,
        seat: int,
    ) -> None:
        """Write down who must decide, what it sees and may do."""
        players, rotation = int(setup["players"]), int(t["rotation"])
        stage.players[i] = seat - rotation if seat >= rotation else seat - rotation + players
        write(observe(s, r, seat, scratch.views[0]), r, seat, stage.observations[i])
        looked = look(s, r)
        for action in range(stage.masks.shape[1]):
            stage.masks[i, action] = has(looked, s, r, move_of(action, players, seat))

    @compiled_as(counted=False)
    def pay(
        i: int,
        stage: TableArrays,
        t: StateRecord,
        s: StateRecord,
        r: RulesRecord,
        setup: StateRecord,
        seating: Array,
        count: bool,
    ) -> None:
        """Give the learner's players what their worth has grown by; at the start there is nothing to count."""
        players, rotation = int(setup["players"]), int(t["rotation"])
        base, reward = int(t["lineup"]) * players, int(setup["reward"])
        for player in range(players):
            if seating[base + player]["bot"] == 0:
                seat = player + rotation
                now = worth(s, r, seat if seat < players else seat - players, reward)
                if count:
                    stage.rewards[i, player] = now - stage.paid[i, player]
                stage.paid[i, player] = now

    @compiled_as(counted=False, inline=False)  # seldom called: inlined, it would take long to compile
    def next_episode(
        i: int, stage: TableArrays, scratch: Scratch, r: RulesRecord, setup: StateRecord, seating: Array, anew: bool
    ) -> bool:
        """Begin an episode: in a new game, or with what comes next in this one; false if a bot fails."""
        t, s, lucks = stage.tables[i], stage.states[i], stage.lucks[i]
        seat = int(s["to_act"])
        if anew or seat == OVER:
            seat = new_game(i, t, s, lucks, scratch, r, setup, seating)
            if seat == ILLEGAL:
                return False
            pay(i, stage, t, s, r, setup, seating, False)
        t["over"] = 0
        t["part"] = part(s, int(setup["episode"]))
        show(i, stage, t, s, scratch, r, setup, seat)
        return True

    @compiled_as(counted=False)
    def act(
        i: int, stage: TableArrays, scratch: Scratch, r: RulesRecord, setup: StateRecord, seating: Array, action: int
    ) -> int:
        """One action at one table, and all that follows up to the next decision of the learner's."""
        t, s, lucks = stage.tables[i], stage.states[i], stage.lucks[i]
        players, autoreset = int(setup["players"]), int(setup["autoreset"])
        if t["over"]:
            if autoreset == DISABLED:
                return OVER_ALREADY
            return FINE if next_episode(i, stage, scratch, r, setup, seating, False) else ILLEGAL_BOT
        seat = int(s["to_act"])
        known = action >= 0 and action < stage.masks.shape[1]
        move = move_of(action, players, seat) if known else -1
        if not can(s, r, move):
            if not setup["penalised"]:
                return ILLEGAL_ACTION
            stage.rewards[i, stage.players[i]] = setup["penalty"]
            return FINE
        apply(s, r, move, None)
        after = go_on(t, s, lucks, scratch, r, setup, seating)
        if after == ILLEGAL:
            return ILLEGAL_BOT
        pay(i, stage, t, s, r, setup, seating, True)
        if after != OVER:
            seat = after
            if part(s, int(setup["episode"])) == t["part"]:
                show(i, stage, t, s, scratch, r, setup, seat)
                return FINE
        cut = int(s["ended"]) == CUT
        stage.terminated[i] = not cut
        stage.truncated[i] = cut
        if autoreset == SAME_STEP:
            write(observe(s, r, seat, scratch.views[0]), r, seat, stage.final[i])
            return FINE if next_episode(i, stage, scratch, r, setup, seating, False) else ILLEGAL_BOT
        t["over"] = 1
        show(i, stage, t, s, scratch, r, setup, seat)
        return FINE

    @compiled_as(counted=False)
    def clear(i: int, stage: TableArrays) -> None:
        """Forget what the step before brought."""
        for player in range(stage.rewards.shape[1]):
            stage.rewards[i, player] = 0.0
        stage.terminated[i] = stage.truncated[i] = False

    def begin(
        stage: TableArrays,
        scratch: Scratch,
        rules: RulesRecord,
        setups: Array,
        seating: Array,
        chosen: Array,
        first: int,
        last: int,
    ) -> None:
        r, setup, trouble = rules[0], setups[0], scratch.trouble
        trouble[0] = FINE
        for i in range(first, last):
            if chosen[i]:
                clear(i, stage)
                anew = chosen[i] == ANEW or not stage.tables[i]["over"]
                if not next_episode(i, stage, scratch, r, setup, seating, anew):
                    trouble[0], trouble[1] = ILLEGAL_BOT, i

    def step_all(
        stage: TableArrays,
        scratch: Scratch,
        rules: RulesRecord,
        setups: Array,
        seating: Array,
        actions: Array,
        first: int,
        last: int,
    ) -> None:
        r, setup, trouble, lines = rules[0], setups[0], scratch.trouble, stage.lines
        trouble[0] = FINE
        size = stage.states.itemsize
        for i in range(first, last):
            ahead = int(setup["address"]) + (i + AHEAD) * size
            if i + AHEAD < last:
                for line in range(len(lines)):
                    fetch(ahead + lines[line])
            clear(i, stage)
            done = act(i, stage, scratch, r, setup, seating, actions[i])
            if done != FINE and trouble[0] == FINE:
                trouble[0], trouble[1] = done, i

    return TablesLoop(*(compiled(function, inline=False, counted=False) for function in (begin, step_all)))
