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

from pitboss.core.compile import compiled_as, interpreted
from pitboss.core.keys import below, draw
from pitboss.core.types import Array, Dtype, Numba, Word

MOST_KINDS = 64  # in one vector; beyond, walking is as good
DECK = "left"

_I32, _I64 = ir.IntType(32), ir.IntType(64)


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
    def counts(self) -> Numba:
        """The type of the vector of counts."""
        return ir.VectorType(ir.IntType(self.size), self.lanes)

    @property
    def vector(self) -> Numba:
        """The type of the vector of sums."""
        return ir.VectorType(ir.IntType(self.sums), self.lanes)

    def read(self, builder: Numba, place: Numba) -> Numba:
        """The counts that lie at an address, and zeros behind them."""
        lanes, kinds = self.lanes, self.kinds
        loaded = lanes if self.room else kinds  # a whole vector loads at once; what lies behind the kinds is dropped
        few = ir.VectorType(ir.IntType(self.size), loaded)
        out = builder.load(builder.bitcast(place, few.as_pointer()), align=1)
        places = [lane if lane < kinds else loaded for lane in range(lanes)]  # behind the last kind come zeros
        return builder.shuffle_vector(out, _zeros(few), _places(places))

    def add_up(self, builder: Numba, counts: Numba) -> Numba:
        """The sums of counts."""
        out, step = self._widened(builder, counts), 1
        while step < self.lanes:  # each lane adds up the 2, 4, 8 … lanes before it
            before = [lane - step if lane >= step else self.lanes for lane in range(self.lanes)]
            out = builder.add(out, builder.shuffle_vector(out, _zeros(self.vector), _places(before)))
            step *= 2
        return out

    def passed(self, builder: Numba, sums: Numba, pick: Numba) -> Numba:
        """How many kinds come before the card that is picked."""
        found = builder.icmp_unsigned(">=", _spread(builder, pick, self.vector), sums)
        number = builder.ctpop(builder.bitcast(found, ir.IntType(self.lanes)))
        return builder.zext(number, _I64) if self.lanes < 64 else number

    def among(self, builder: Numba, counts: Numba, bits: Numba) -> Numba:
        """How many cards there are of the kinds whose bits are set."""
        mask = builder.trunc(bits, ir.IntType(self.lanes)) if self.lanes < 64 else bits
        mask = builder.bitcast(mask, ir.VectorType(ir.IntType(1), self.lanes))
        some = self._widened(builder, builder.select(mask, counts, _zeros(self.counts)))
        name = f"llvm.vector.reduce.add.v{self.lanes}i{self.sums}"
        add = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(self.sums), [self.vector]), name
        )
        return builder.zext(builder.call(add, [some]), _I64)

    def sums_changed(self, builder: Numba, sums: Numba, kind: Numba, change: Numba) -> Numba:
        """The sums after the count of one kind has changed."""
        return self._changed(builder, sums, ">=", kind, change)

    def count_changed(self, builder: Numba, counts: Numba, kind: Numba, change: Numba) -> Numba:
        """The counts after that."""
        return self._changed(builder, counts, "==", kind, change)

    def _changed(self, builder: Numba, old: Numba, which: str, kind: Numba, change: Numba) -> Numba:
        own = ir.Constant(old.type, list(range(self.lanes)))
        there = builder.icmp_unsigned(which, own, _spread(builder, kind, old.type))
        return builder.add(old, builder.select(there, _spread(builder, change, old.type), _zeros(old.type)))

    def _widened(self, builder: Numba, counts: Numba) -> Numba:
        return builder.zext(counts, self.vector) if self.sums > self.size else counts


@cache
def drawer(state: Dtype) -> Callable[[Array, int, Word], int]:
    """`draw(left, total, bits)` for states of this dtype: the same card as `keys.draw`, sooner."""
    lanes = DeckLanes.of(state)
    if interpreted() or lanes is None:
        return draw

    @intrinsic  # type: ignore[untyped-decorator]
    def passed(typing: Numba, left: Numba, pick: Numba) -> Numba:
        """How many kinds come before the card that is picked."""

        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            data = args[0]
            if isinstance(left, types.Array):
                data = cgutils.create_struct_proxy(left)(context, builder, data).data
            return lanes.passed(builder, lanes.add_up(builder, lanes.read(builder, data)), args[1])

        return types.int64(left, types.int64), codegen

    def draw_at_once(left: Array, total: int, bits: Word) -> int:
        return passed(left, below(bits, total))  # type: ignore[no-any-return]

    return compiled_as(counted=False)(draw_at_once)


def _spread(builder: Numba, number: Numba, vector: Numba) -> Numba:
    """A number of 64 bits in all lanes."""
    one = builder.insert_element(_zeros(vector), builder.trunc(number, vector.element), ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, _zeros(vector), _places([0] * vector.count))


def _zeros(vector: Numba) -> Numba:
    return ir.Constant(vector, [0] * vector.count)


def _places(lanes: list[int]) -> Numba:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
