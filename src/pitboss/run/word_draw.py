"""`keys.draw` on a GPU: four kinds of cards at a time, in the bytes of a word.

A deck of 22 kinds is six words. Sums of whole words say in which one the card is; there, one multiplication makes the
sums of its first one, two and three kinds, and one subtraction compares all of them with the place of the card.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types

from pitboss.core.keys import draw
from pitboss.core.types import Array, Dtype, Numba, Word
from pitboss.run.packed import target

BYTES = 4  # of a word
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_ONES, _TOPS = 0x01010101, 0x80808080


def padded(left: Dtype) -> tuple[int, ...]:
    """The shape of the cards left that fills whole words."""
    return (-(-left.shape[0] // BYTES) * BYTES,)


def word_drawer(left: Dtype, deck: Array) -> Callable[[Array, int, Word], int]:
    """`draw(left, total, bits)`, where `left` is a `PackedArray` of whole words and holds no more cards than `deck`."""
    (kinds,) = left.shape
    counts = np.zeros(kinds, np.int64)
    counts[: len(deck)] = deck[:kinds]
    if left.base != np.int8 or kinds % BYTES or counts.reshape(-1, BYTES).sum(axis=1).max() > 127:
        return draw
    _, intrinsic = target(gpu=True)

    @intrinsic  # type: ignore[untyped-decorator]
    def draw_by_words(typing: Numba, left: Numba, total: Numba, bits: Numba) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            start = builder.bitcast(args[0], _I32.as_pointer())
            size = builder.zext(context.cast(builder, args[1], total, types.int32), _I64)
            high = builder.lshr(args[2], ir.Constant(_I64, 32))
            pick = builder.trunc(builder.lshr(builder.mul(high, size), ir.Constant(_I64, 32)), _I32)
            words = [
                builder.load(builder.gep(start, [ir.Constant(_I32, i)]), align=BYTES) for i in range(kinds // BYTES)
            ]
            return _find(builder, words, pick)

        return types.int32(left, total, bits), codegen

    return draw_by_words  # type: ignore[no-any-return]


def _find(builder: Numba, words: list[Numba], pick: Numba) -> Numba:
    """How many kinds come before the card at this place."""

    def number(n: int) -> Numba:
        return ir.Constant(_I32, n)

    add_bytes = ir.InlineAsm(ir.FunctionType(_I32, [_I32] * 3), "dp4a.u32.u32 $0, $1, $2, $3;", "=r,r,r,r")
    word, before, kind, passed = words[0], number(0), number(0), number(0)
    for i in range(1, len(words)):
        passed = builder.call(add_bytes, [words[i - 1], number(_ONES), passed])
        later = builder.icmp_unsigned(">=", pick, passed)
        word = builder.select(later, words[i], word)
        before = builder.select(later, passed, before)
        kind = builder.select(later, number(BYTES * i), kind)
    sums = builder.mul(word, number(_ONES))
    places = builder.or_(builder.mul(builder.sub(pick, before), number(_ONES)), number(_TOPS))
    return builder.add(kind, builder.ctpop(builder.and_(builder.sub(places, sums), number(_TOPS))))
