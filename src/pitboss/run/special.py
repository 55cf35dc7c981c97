"""A loop made for one table: the same games as `core.loop`, up to twice as fast, once it is compiled.

Rules, number of seats and bots are constants of it, as in a kernel for a GPU: what the rules switch off is not there,
bots are called by name, and the state is no record but numbers in registers and arrays on the stack (`packed`). The
rule book is the same: these are its own functions, compiled for another type of state.

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
from pitboss.core.keys import luck, stream
from pitboss.core.legal import asking
from pitboss.core.machine import INTERPRETED
from pitboss.core.native import SEATING
from pitboss.core.seating import params_at
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, FINE, OVER
from pitboss.core.types import Array, Dtype, Numba, RulesRecord, ViewRecord, Word
from pitboss.core.vector_draw import DECK, DeckLanes
from pitboss.run.packed import cpu_packing, lowered_by
from pitboss.run.words_ahead import words_ahead

WORTH_GAMES = 5_000_000  # from which a loop that must be compiled is worth it: it saves 2 µs a game, and takes 10 s
LOADED_GAMES = 20_000  # from which one that lies in the cache is: loading takes 20 ms

CACHE_LINE = 64
BUSY = ("to_act", "decision", "card", "left_total")  # numbers of a state that every step reads, if it has them

Bots = tuple[Callable[..., int], ...]


class SpecialLoop:
    """The loop of a table for these bots, in any order and with any parameters."""

    def __init__(self, game: Game, bots: Bots, seats: int) -> None:
        self._bots, self._failed = bots, False
        self.state = _roomy(game.compact(seats))
        self._play = _built(game, bots, seats, self.state)
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


def special_loop(game: Game, entrants: Sequence[Entrant], games: int) -> SpecialLoop | None:
    """The loop for a run of so many games, ready to play; None if the general one serves it better."""
    if INTERPRETED or games < LOADED_GAMES or not all(e.function and e.trusted for e in entrants):
        return None
    loop = _loop(game, bot_set(entrants), len(entrants))
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


def _built(game: Game, bots: Bots, seats: int, state: Dtype) -> Numba:
    _, legal, apply, where, observe, tally, moves = game.step
    can, ask = asking(legal, moves).can, _chain(bots)
    view = _fields(game.view_dtype)
    begun = np.zeros(1, game.state_dtype)
    game.loops.start(begun, game.record, seats, None)  # chance has no part in it, so every game starts alike
    rules, fresh, blank = game.record.copy(), resized(begun, state), np.zeros(1, view)
    # On the stack the compiler can leave out much of a state that bots see only a view of. One that they read
    # themselves is better off in memory: of that it would keep so many cards in registers that none were left.
    table, fill, draw = cpu_packing(state, {"seats": seats}, stack=game.has_secrets, busy=BUSY, deck=True)
    new_view, fill_view, _ = cpu_packing(view, {}, stack=True)
    new_lucks, _, _ = cpu_packing(np.dtype([("of", np.uint64, (seats,))]), {}, stack=True)
    new_words, forget_words, word = words_ahead(seats)

    def play(states: Array, seating: Array, key: Array, span: tuple[int, int], rows: Array, counts: Array) -> int:
        """Play blocks into rows[block, rotation, seat]; FINE, or the bot that answered nonsense."""
        first, rotations = span
        r, s, v, lucks = rules[0], table(states[0]), new_view(blank[0]), new_lucks(blank[0])["of"]
        words = new_words()
        fill_view(v, blank[0])
        decisions, cards, cut = 0, 0, 0
        for block in range(rows.shape[0]):
            deal = stream(key[0], key[1], np.uint64(first + block))
            forget_words(words)
            for rotation in range(rotations):
                for seat in range(seats):
                    lucks[seat] = luck(deal, rotation, seat)
                fill(s, fresh[0])
                while True:
                    seat = int(s["to_act"])
                    if seat == DEALER:
                        move = draw(s, word(words, deal, np.uint64(where(s))))
                        cards += 1
                    elif seat == OVER:
                        break
                    else:
                        bot = seat - rotation
                        if bot < 0:
                            bot += seats
                        state_of_luck = next_luck(lucks[seat])
                        lucks[seat] = state_of_luck
                        decisions += 1
                        b = seating[bot]
                        params = params_at(b["params"], b["size"])
                        move = ask(b["bot"], observe(s, r, seat, v), r, seat, params, luck_bits(state_of_luck))
                        if not can(s, r, move):
                            return bot
                    apply(s, r, move, None)
                if int(s["ended"]) == CUT:
                    cut += 1
                tally(s, rows[block, rotation])
        counts[0] = decisions
        counts[1] = cards
        counts[2] = cut
        return FINE

    return compiled_as(inline=False, counted=False)(play)
