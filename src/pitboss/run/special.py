"""A loop made for one table: the same games as `core.loop`, up to twice as fast, once it is compiled.

Rules, number of seats, bots and the way of dealing are constants of it, as in a kernel for a GPU: what the rules switch
off is not there, bots are called by name, and the state is no record but numbers in registers and arrays on the stack
(`packed`). The rule book is the same: these are its own functions, compiled for another type of state.

Compiling takes as long as half a minute, so a loop is made only for those who play millions of games (`WORTH_GAMES`)
or if a file of machine code is there from an earlier run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError

from pitboss.core.bot import Entrant
from pitboss.core.code_cache import COMPILING
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.game import Game
from pitboss.core.keys import Dealing, Key
from pitboss.core.legal import asking
from pitboss.core.native import SEATING
from pitboss.core.seating import params_at
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, FINE, OVER
from pitboss.core.types import Array, Dtype, Numba, RulesRecord, ViewRecord, Word
from pitboss.core.vector_draw import DECK, DeckLanes
from pitboss.run.packed import cpu_packing, lowered_by

WORTH_GAMES = 5_000_000  # from which a loop that must be compiled is worth it: it saves 2 µs a game, and takes 10 s
LOADED_GAMES = 20_000  # from which one that lies in the cache is: loading takes 20 ms

CACHE_LINE = 64
# Numbers of a state that most steps read, if it has them: until one is known, it is not known what comes next.
BUSY = ("to_act", "decision", "card", "left_total", "taker", "turn")

CHAIR = ("bot", "params", "size")  # whose it is, from the seating: who sits where changes with each rotation

Bots = tuple[Callable[..., int], ...]


class SpecialLoop:
    """The loop of a table for these bots, in any order and with any parameters."""

    def __init__(self, game: Game, bots: Bots, seats: int, way: np.uint64) -> None:
        self._bots, self._failed = bots, False
        self.state = _roomy(game.compact(seats))
        self._play = _built(game, bots, seats, self.state, way)
        self._play._cache.options += lowered_by()
        self._signature = (
            types.Array(from_dtype(self.state), 1, "C"),
            types.Array(from_dtype(SEATING), 1, "C"),
            types.Array(types.uint64, 1, "C"),
            types.UniTuple(types.int64, 2),
            types.Array(types.float64, 4, "C"),
            types.Array(types.int64, 1, "C"),
        )

    @property
    def kept(self) -> bool:
        """Whether its machine code is in the cache."""
        return bool(self._play._cache.holds(self._signature))

    def ready(self) -> bool:
        """Compile it, or load it; false if some bot cannot do without a record of the table."""
        if not self._failed:
            try:
                self._play.compile(self._signature)
            except NumbaError:
                COMPILING.stop()
                self._failed = True
        return not self._failed

    def seating(self, entrants: Sequence[Entrant]) -> Array:
        """Who sits where: each bot's number in this loop, and its parameters; the caller keeps the entrants alive."""
        out = np.zeros(len(entrants), SEATING)
        for i, entrant in enumerate(entrants):
            params = entrant.params
            out[i] = [*self._bots].index(entrant.function), params.ctypes.data, len(params), entrant.trusted  # type: ignore[arg-type]
        return out

    def play(self, seating: Array, key: Array, span: tuple[int, int], rows: Array, counts: Array) -> int:
        """Play the blocks from span[0] on, in span[1] rotations, as `Loops.play_blocks` does."""
        return int(self._play(_aligned(self.state), seating, key, span, rows, counts))


def special_loop(game: Game, entrants: Sequence[Entrant], key: Key, games: int) -> SpecialLoop | None:
    """The loop for a run of so many games, ready to play; None if the general one serves it better."""
    if games < LOADED_GAMES or not all(e.function and e.trusted for e in entrants):
        return None
    loop = _loop(game, bot_set(entrants), len(entrants), key.way)
    return loop if (games >= WORTH_GAMES or loop.kept) and loop.ready() else None


def bot_set(entrants: Sequence[Entrant]) -> Bots:
    """The different bots of a line-up, in an order that depends on nothing else."""
    return tuple(sorted({e.function for e in entrants if e.function}, key=_label))


def _label(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"


_loop = cache(SpecialLoop)


def _chain(bots: Bots) -> Callable[..., int]:
    """Asks one of several bots by number."""
    first, rest = bots[0], bots[1:]
    if not rest:

        def ask_last(which: int, v: ViewRecord, r: RulesRecord, seat: int, params: Array, luck: Word) -> int:
            return first(v, r, seat, params, luck)

        return compiled(ask_last, counted=False)
    others = _chain(rest)

    def ask(which: int, v: ViewRecord, r: RulesRecord, seat: int, params: Array, luck: Word) -> int:
        if which == 0:
            return first(v, r, seat, params, luck)
        return others(which - 1, v, r, seat, params, luck)

    return compiled(ask, counted=False)


def _fields(dtype: Dtype) -> Dtype:
    return np.dtype([(name, dtype[name].base, dtype[name].shape) for name in dtype.names or ()], align=True)


def _aligned(dtype: Dtype) -> Array:
    """An empty record that begins where a line of the cache does."""
    memory = np.zeros(dtype.itemsize + CACHE_LINE, np.uint8)
    begin = -memory.ctypes.data % CACHE_LINE
    return memory[begin : begin + dtype.itemsize].view(dtype)


def _roomy(dtype: Dtype) -> Dtype:
    """The fields with the deck in front, followed by nothing up to a whole vector of counts."""
    names, lanes = [DECK, *(name for name in dtype.names or () if name != DECK)], DeckLanes.of(dtype)
    if lanes is None:
        return _fields(dtype)
    pad = lanes.lanes - lanes.kinds
    parts: list[Any] = [(name, dtype[name].base, dtype[name].shape) for name in names]
    spaced = np.dtype([parts[0], ("room", parts[0][1], (pad,)), *parts[1:]], align=True)
    return spaced[names]


def resized(record: Array, dtype: Dtype) -> Array:
    """The fields of a record in another dtype, whose arrays may be shorter or longer."""
    out = np.zeros(1, dtype)
    for name in dtype.names or ():
        old, new = record[name], out[name]
        both = tuple(slice(0, min(a, b)) for a, b in zip(old.shape, new.shape, strict=True))
        new[both] = old[both]
    return out


def _built(game: Game, bots: Bots, seats: int, state: Dtype, way: np.uint64) -> Numba:
    _, legal, apply, where, observe, tally, moves = game.step
    stream, word, luck = Dealing.by(way)
    can, ask = asking(legal, moves).can, _chain(bots)
    view = _fields(game.view_dtype)
    begun = np.zeros(1, game.state_dtype)
    game.loops.start(begun, game.record, seats, None)  # chance has no part in it, so every game starts alike
    rules, fresh, blank = game.record.copy(), resized(begun, state), np.zeros(1, view)
    # On the stack the compiler can leave out much of a state that bots see only a view of. One that they read
    # themselves is better off in memory: of that it would keep so many cards in registers that none were left.
    table, fill, draw = cpu_packing(state, {"seats": seats}, stack=game.has_secrets, busy=BUSY, deck=True)
    new_view, fill_view, _ = cpu_packing(view, {}, stack=True)
    chairs = np.dtype([("luck", np.uint64, (seats,)), *((name, np.int64, (seats,)) for name in CHAIR)])
    new_chairs, _, _ = cpu_packing(chairs, {}, stack=True)

    def play(states: Array, seating: Array, key: Array, span: tuple[int, int], rows: Array, counts: Array) -> int:
        """Play blocks into rows[block, rotation, seat]; FINE, or the bot that answered nonsense."""
        first, rotations = span
        r, s, v, chair = rules[0], table(states[0]), new_view(blank[0]), new_chairs(blank[0])
        fill_view(v, blank[0])
        decisions, cards, cut = 0, 0, 0
        for block in range(rows.shape[0]):
            deal = stream(key, np.uint64(first + block))
            for rotation in range(rotations):
                for seat in range(seats):
                    b = seating[seat - rotation if seat >= rotation else seat - rotation + seats]
                    chair["luck"][seat] = luck(deal, rotation, seat)
                    chair["bot"][seat], chair["params"][seat], chair["size"][seat] = b["bot"], b["params"], b["size"]
                fill(s, fresh[0])
                while True:
                    seat = int(s["to_act"])
                    if seat == DEALER:
                        move = draw(s, word(deal, np.uint64(where(s))))
                        cards += 1
                    elif seat == OVER:
                        break
                    else:
                        state_of_luck = next_luck(chair["luck"][seat])
                        chair["luck"][seat] = state_of_luck
                        decisions += 1
                        params = params_at(chair["params"][seat], chair["size"][seat])
                        bits = luck_bits(state_of_luck)
                        move = ask(chair["bot"][seat], observe(s, r, seat, v), r, seat, params, bits)
                        if not can(s, r, move):
                            return seat - rotation if seat >= rotation else seat - rotation + seats
                    apply(s, r, move, None)
                if int(s["ended"]) == CUT:
                    cut += 1
                tally(s, rows[block, rotation])
        counts[0] = decisions
        counts[1] = cards
        counts[2] = cut
        return FINE

    return compiled_as(inline=False, counted=False)(play)
