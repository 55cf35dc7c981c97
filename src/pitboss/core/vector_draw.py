"""`keys.draw` in a dozen instructions instead of sixty: all kinds of cards at once, as a vector.

It is built for the state of a game, whose dtypes tell how many kinds there are and how large their sum can get. The
vector holds for each kind how many cards there are up to it; the card that is picked is as many kinds away from the
first as have sums that the pick reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pitboss.core.compile import compiled_as
from pitboss.core.keys import below, draw
from pitboss.core.machine import INTERPRETED
from pitboss.core.types import Array, Dtype, Numba, Word

MOST_KINDS = 64  # in one vector; beyond, walking is as good
DECK = "left"

_I32 = ir.IntType(32)


class DeckLanes(NamedTuple):
    """The vector of a deck: a lane for each kind, and some behind that stay as large as the last."""

    kinds: int
    size: int  # bits of a count
    sums: int  # bits of a sum
    room: bool  # whether as many counts as there are lanes can be read at once

    @classmethod
    def of(cls, state: Dtype) -> DeckLanes | None:
        """The lanes for states of this dtype; None if there are too many kinds."""
        (kinds,), size, fields = state[DECK].shape, 8 * state[DECK].base.itemsize, state.fields
        sums = max(size, 8 * state["left_total"].itemsize)
        bare = cls(kinds, size, sums, False)
        room = fields is not None and fields[DECK][1] + bare.lanes * size // 8 <= state.itemsize
        return bare._replace(room=room) if kinds <= MOST_KINDS else None

    @property
    def lanes(self) -> int:
        """How many lanes there are."""
        return int(1 << (self.kinds - 1).bit_length())

    @property
    def vector(self) -> Numba:
        """The type of the vector of sums."""
        return ir.VectorType(ir.IntType(self.sums), self.lanes)

    def add_up(self, builder: Numba, counts: Numba) -> Numba:
        """The sums of the counts that lie at an address."""
        lanes, kinds = self.lanes, self.kinds
        loaded = lanes if self.room else kinds  # a whole vector loads at once; what lies behind the kinds is dropped
        few = ir.VectorType(ir.IntType(self.size), loaded)
        out = builder.load(builder.bitcast(counts, few.as_pointer()), align=1)
        places = [lane if lane < kinds else loaded for lane in range(lanes)]  # behind the last kind come zeros
        out = builder.shuffle_vector(out, ir.Constant(few, [0] * loaded), _places(places))
        out = builder.zext(out, self.vector) if self.sums > self.size else out
        zeros, step = ir.Constant(self.vector, [0] * lanes), 1
        while step < lanes:  # each lane adds up the 2, 4, 8 … lanes before it
            before = [lane - step if lane >= step else lanes for lane in range(lanes)]
            out = builder.add(out, builder.shuffle_vector(out, zeros, _places(before)))
            step *= 2
        return out

    def passed(self, builder: Numba, sums: Numba, pick: Numba) -> Numba:
        """How many kinds come before the card that is picked."""
        found = builder.icmp_unsigned(">=", self.spread(builder, pick), sums)
        number = builder.ctpop(builder.bitcast(found, ir.IntType(self.lanes)))
        return builder.zext(number, ir.IntType(64)) if self.lanes < 64 else number

    def changed(self, builder: Numba, sums: Numba, kind: Numba, change: Numba) -> Numba:
        """The sums after the count of one kind has changed."""
        own = ir.Constant(self.vector, list(range(self.lanes)))
        above = builder.icmp_unsigned(">=", own, self.spread(builder, kind))
        zeros = ir.Constant(self.vector, [0] * self.lanes)
        return builder.add(sums, builder.select(above, self.spread(builder, change), zeros))

    def counts(self, builder: Numba, sums: Numba) -> Numba:
        """The counts that have these sums, and zeros behind them; for counts that have as many bits."""
        zeros, lanes = ir.Constant(self.vector, [0] * self.lanes), self.lanes
        return builder.sub(sums, builder.shuffle_vector(sums, zeros, _places([lanes, *range(lanes - 1)])))

    def spread(self, builder: Numba, number: Numba) -> Numba:
        """A number of 64 bits in all lanes."""
        zeros = ir.Constant(self.vector, [0] * self.lanes)
        one = builder.insert_element(zeros, builder.trunc(number, ir.IntType(self.sums)), ir.Constant(_I32, 0))
        return builder.shuffle_vector(one, zeros, _places([0] * self.lanes))


@cache
def drawer(state: Dtype) -> Callable[[Array, int, Word], int]:
    """`draw(left, total, bits)` for states of this dtype: the same card as `keys.draw`, sooner."""
    lanes = DeckLanes.of(state)
    if INTERPRETED or lanes is None:
        return draw

    @intrinsic  # type: ignore[untyped-decorator]
    def passed(typing: Numba, left: Numba, pick: Numba) -> Numba:
        """How many kinds come before the card that is picked."""

        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            data = args[0]
            if isinstance(left, types.Array):
                data = cgutils.create_struct_proxy(left)(context, builder, data).data
            return lanes.passed(builder, lanes.add_up(builder, data), args[1])

        return types.int64(left, types.int64), codegen

    def draw_at_once(left: Array, total: int, bits: Word) -> int:
        return passed(left, below(bits, total))  # type: ignore[no-any-return]

    return compiled_as(counted=False)(draw_at_once)


def _places(lanes: list[int]) -> Numba:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
