"""`keys.draw` in a dozen instructions instead of sixty: all kinds of cards at once, as a vector.

It is built for the state of a game, whose dtypes tell how many kinds there are and how large their sum can get.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pitboss.core.compile import compiled_as
from pitboss.core.keys import below, draw
from pitboss.core.machine import INTERPRETED
from pitboss.core.types import Array, Dtype, Numba, Word

MOST_KINDS = 64  # in one vector; beyond, walking is as good

_I32 = ir.IntType(32)


@cache
def drawer(state: Dtype) -> Callable[[Array, int, Word], int]:
    """`draw(left, total, bits)` for states of this dtype: the same card as `keys.draw`, sooner."""
    (kinds,), size = state["left"].shape, 8 * state["left"].base.itemsize
    if INTERPRETED or kinds > MOST_KINDS:
        return draw
    sums = max(size, 8 * state["left_total"].itemsize)
    lanes = 1 << (kinds - 1).bit_length()
    fields = state.fields
    room = fields is not None and fields["left"][1] + lanes * size // 8 <= state.itemsize
    loaded = lanes if room else kinds  # a whole vector loads at once; what lies behind the last kind is dropped

    @intrinsic  # type: ignore[untyped-decorator]
    def passed(typing: Numba, left: Numba, pick: Numba) -> Numba:
        """How many kinds come before the card that is picked."""

        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            data = args[0]
            if isinstance(left, types.Array):
                data = cgutils.create_struct_proxy(left)(context, builder, data).data
            few = ir.VectorType(ir.IntType(size), loaded)
            wide = ir.VectorType(ir.IntType(sums), lanes)
            counts = builder.load(builder.bitcast(data, few.as_pointer()), align=1)
            places = [lane if lane < kinds else loaded for lane in range(lanes)]  # behind the last kind come zeros
            counts = builder.shuffle_vector(counts, ir.Constant(few, [0] * loaded), _places(places))
            counts = builder.zext(counts, wide) if sums > size else counts
            zeros, step = ir.Constant(wide, [0] * lanes), 1
            while step < lanes:  # each lane adds up the 2, 4, 8 … lanes before it
                before = [lane - step if lane >= step else lanes for lane in range(lanes)]
                counts = builder.add(counts, builder.shuffle_vector(counts, zeros, _places(before)))
                step *= 2
            one = builder.insert_element(zeros, builder.trunc(args[1], ir.IntType(sums)), ir.Constant(_I32, 0))
            picks = builder.shuffle_vector(one, zeros, _places([0] * lanes))
            found = builder.bitcast(builder.icmp_unsigned(">=", picks, counts), ir.IntType(lanes))
            number = builder.ctpop(found)
            return builder.zext(number, ir.IntType(64)) if lanes < 64 else number

        return types.int64(left, types.int64), codegen

    def draw_at_once(left: Array, total: int, bits: Word) -> int:
        return passed(left, below(bits, total))  # type: ignore[no-any-return]

    return compiled_as(counted=False)(draw_at_once)


def _places(lanes: list[int]) -> Numba:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
