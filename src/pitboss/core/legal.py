"""Which moves are legal, in either of the two forms in which a rule book says so.

A game of at most 62 moves says all at once: `legal(state, rules)` is an integer whose bit m is set if move m is legal.
A game of more, up to 4,096, is asked move by move: `legal(state, rules, move)` is true or false, for cards too. Which
of the two it is, `Step.moves` tells. Compiled code asks through `asking`, and compiles to the bare test of a bit where
there are few moves; Python sees an integer of bits in both cases, as long as need be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pitboss.core.compile import compiled
from pitboss.core.types import Array, RulesRecord, StateRecord, ViewRecord

if TYPE_CHECKING:
    import numpy as np

FEW = 62  # moves whose bits fit into one integer of compiled code
MOST_MOVES = 4096
NAMED = 20  # moves that a sentence lists if there are many


class Asking(NamedTuple):
    """How compiled code asks what is legal: once for a position, then for each move that it thinks of."""

    look: Callable[[StateRecord, RulesRecord], int]  # (state, rules): what `has` wants to know first
    has: Callable[[int, StateRecord, RulesRecord, int], bool]  # (looked, state, rules, move below `Step.moves`)
    can: Callable[[StateRecord, RulesRecord, int], bool]  # (state, rules, any number): both at once, for a single move
    write: Callable[[StateRecord, RulesRecord, Array], None]  # (state, rules, words): all legal moves, as bits


@cache
def asking(legal: Callable[..., int], moves: int) -> Asking:
    """The questions for a game of so many moves."""
    import numpy as np

    if moves <= FEW:

        def look(s: StateRecord, r: RulesRecord) -> int:
            return legal(s, r)

        def has(bits: int, s: StateRecord, r: RulesRecord, move: int) -> bool:
            return (bits >> move) & 1 != 0

        def can(s: StateRecord, r: RulesRecord, move: int) -> bool:
            return move >= 0 and move < moves and (legal(s, r) >> move) & 1 != 0

        def write(s: StateRecord, r: RulesRecord, words: Array) -> None:
            words[0] = legal(s, r)

    else:

        def look(s: StateRecord, r: RulesRecord) -> int:
            return 0

        def has(bits: int, s: StateRecord, r: RulesRecord, move: int) -> bool:
            return bool(legal(s, r, move))

        def can(s: StateRecord, r: RulesRecord, move: int) -> bool:
            return move >= 0 and move < moves and bool(legal(s, r, move))

        def write(s: StateRecord, r: RulesRecord, words: Array) -> None:
            for i in range(len(words)):
                words[i] = 0
            for move in range(moves):
                if legal(s, r, move):
                    words[move >> 6] |= np.uint64(1) << np.uint64(move & 63)

    return Asking(compiled(look), compiled(has), compiled(can), compiled(write))


@cache
def chooser(legal: Callable[..., int], moves: int) -> Callable[[StateRecord, RulesRecord, np.uint64], int]:
    """`choose(view, rules, luck)` for compiled bots: any legal move, all equally likely.

    It makes the choice that `self.rng.choice(view.legal)` makes in a Python bot.
    """
    from pitboss.core.keys import below

    look, has, *_ = asking(legal, moves)

    def choose(v: ViewRecord, r: RulesRecord, luck: np.uint64) -> int:
        looked, count = look(v, r), 0
        for move in range(moves):
            if has(looked, v, r, move):
                count += 1
        skip = below(luck, count)
        for move in range(moves):
            if has(looked, v, r, move):
                if skip == 0:
                    return move
                skip -= 1
        return -1

    return compiled(choose)


def words_of(moves: int) -> int:
    """How many words of 64 bits the legal moves take."""
    return -(-moves // 64)


def moves_of(bits: int) -> list[int]:
    """The moves whose bits are set, in order.

    >>> moves_of(0b1101), moves_of(1 << 4000)
    ([0, 2, 3], [4000])
    """
    return [move for move, digit in enumerate(reversed(bin(bits))) if digit == "1"]


def some(texts: Sequence[str]) -> str:
    """Moves in a sentence; of many the first ones, and how many more there are.

    >>> some(["hit", "stay"]), some([f"bid {n}" for n in range(1, 100)])[-22:]
    ('hit, stay', 'bid 20 … and 79 others')
    """
    if len(texts) <= FEW:
        return ", ".join(texts)
    return f"{', '.join(texts[:NAMED])} … and {len(texts) - NAMED} others"
