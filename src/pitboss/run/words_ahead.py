"""The random words of a deal before they are asked for, eight at a time: `keys.word` for loops in a hurry.

A hash takes as long as the rules for a card, and whoever asks for the next card must wait for it. But which words a
round will need can be known when it begins: where the places of cards (`Step.where`) are a round in the bits from 32
on, a seat from bit 24 on, and below a number that counts up, they are the first few of each seat. So these are made
together, as vectors, and kept, because a deal is played once for every rotation. This is a cache: a place that is not
as foreseen, or was overwritten, costs time and nothing else.

`keys.word` itself is compiled for `EightWords`, a type of ours that Numba knows a few operators of.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from pitboss.core.compile import compiled
from pitboss.core.keys import Stream, word
from pitboss.core.types import Numba, Word

AT_ONCE = 8  # words of a seat in a round
LINES = 128  # of so many words: 8 kB, a quarter of the fastest memory

Lines: TypeAlias = Any  # the words, then for each line the place that it begins at

_VECTOR = ir.VectorType(ir.IntType(64), AT_ONCE)
_WORDS = types.CPointer(types.uint64)
_NOWHERE = np.uint64(2**64 - 1)
_SEAT, _ROUND = np.uint64(24), np.uint64(32)


class Ahead(NamedTuple):
    """The words of one deal."""

    new: Callable[[], Lines]
    forget: Callable[[Lines], None]  # before another deal
    word: Callable[[Lines, Stream, Word], Word]  # (lines, deal, place): what `keys.word` gives


@cache
def words_ahead(seats: int) -> Ahead:
    """For a table of so many seats."""
    slots = 1 << (seats - 1).bit_length()
    rounds = max(1, LINES // slots)
    lines = rounds * slots
    begins, new = lines * AT_ONCE, _room(lines * (AT_ONCE + 1))
    low, round_bits, slot_bits = np.uint64(AT_ONCE - 1), np.uint64(rounds - 1), np.uint64(slots - 1)
    per_round = np.uint64(slots.bit_length() - 1)

    def forget(kept: Lines) -> None:
        for line in range(lines):
            kept[begins + line] = _NOWHERE

    def make(kept: Lines, deal: Stream, place: Word, first: int) -> None:
        """The lines of a whole round, in which this place is."""
        begin = place & ~(low | slot_bits << _SEAT)
        a, b, c, d = deal
        for slot in range(slots):
            own = begin | (np.uint64(slot) << _SEAT)
            kept[begins + first + slot] = own
            every = word((_spread(a), _spread(b), _spread(c), _spread(d)), _counted(own))
            _keep(kept, (first + slot) * AT_ONCE, every)

    make = compiled(make, counted=False, wraps=True)

    def ahead(kept: Lines, deal: Stream, place: Word) -> Word:
        first = ((place >> _ROUND) & round_bits) << per_round
        line = np.int64(first | ((place >> _SEAT) & slot_bits))
        if kept[begins + line] != place & ~low:
            make(kept, deal, place, int(np.int64(first)))
        return kept[line * AT_ONCE + np.int64(place & low)]

    return Ahead(new, compiled(forget, counted=False), compiled(ahead, counted=False, wraps=True))


# --- eight words at once ---


class EightWords(types.Type):  # type: ignore[misc]
    """A vector of words, for hash code."""

    def __init__(self) -> None:
        super().__init__(name="EightWords")


_EIGHT = EightWords()


@register_model(EightWords)
class EightWordsModel(models.PrimitiveModel):  # type: ignore[misc]
    """In machine code."""

    def __init__(self, manager: Numba, kind: Numba) -> None:
        super().__init__(manager, kind, _VECTOR)


def _add_operator(of: Callable[[Any, Any], Any], instruction: str) -> None:
    """Let hash code join a vector with another, or with a word."""

    @infer_global(of)
    class WordsOperator(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Numba, kws: Numba) -> Numba:
            return signature(_EIGHT, *args) if args[0] == _EIGHT else None

    @lower_builtin(of, EightWords, types.Any)  # type: ignore[untyped-decorator]
    def joined(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        other = args[1] if sig.args[1] == _EIGHT else _lanes(builder, args[1])
        return getattr(builder, instruction)(args[0], other)


for _of, _instruction in (
    (operator.add, "add"),
    (operator.xor, "xor"),
    (operator.or_, "or_"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    _add_operator(_of, _instruction)


def _lanes(builder: Numba, number: Numba) -> Numba:
    """A word in all lanes."""
    zeros = ir.Constant(_VECTOR, [0] * AT_ONCE)
    one = builder.insert_element(zeros, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, zeros, ir.Constant(ir.VectorType(ir.IntType(32), AT_ONCE), [0] * AT_ONCE))


@intrinsic  # type: ignore[untyped-decorator]
def _spread(typing: Numba, word: Numba) -> Numba:
    """A word eight times."""

    def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return _lanes(builder, args[0])

    return _EIGHT(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _counted(typing: Numba, word: Numba) -> Numba:
    """A word and the seven that follow it."""

    def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.add(_lanes(builder, args[0]), ir.Constant(_VECTOR, list(range(AT_ONCE))))

    return _EIGHT(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _keep(typing: Numba, kept: Numba, index: Numba, words: Numba) -> Numba:
    """Write eight words."""

    def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        place = builder.gep(args[0], [args[1]], inbounds=True)
        builder.store(args[2], builder.bitcast(place, _VECTOR.as_pointer()), align=64)
        return context.get_dummy_value()

    return types.void(kept, types.int64, words), codegen


def _room(words: int) -> Callable[[], Lines]:
    @intrinsic  # type: ignore[untyped-decorator]
    def room(typing: Numba) -> Numba:
        """Memory on the stack, which begins where a line of the cache does."""

        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            place = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), words))
            place.align = 64
            return builder.bitcast(place, context.get_value_type(_WORDS))

        return _WORDS(), codegen

    return room  # type: ignore[no-any-return]
