"""The kernels that add up what others have played: the sums of a chunk, as `stats.Sums` has them."""

from __future__ import annotations

from functools import cache
from math import floor
from typing import NamedTuple

import numpy as np
from numba import cuda, types

from pitboss.core.step import SHARE
from pitboss.core.types import Array, Numba
from pitboss.run import kernel

# How finely a chunk's numbers are divided. Whole ones and quarters up to LARGEST add up without rounding, in any order.
WHOLE, QUARTERS, FINER = 0, 1, 2
LARGEST = float(2**19)


class Folding(NamedTuple):
    """Which sums a chunk is folded into: each is the sum of products of two numbers of a block.

    The numbers of a block are 1; each bot's columns, summed over rotations; these summed over bots; and each bot's
    share of the win in each rotation. Sums follow in the order of the fields of `stats.Sums`.
    """

    width: int
    left: Array
    right: Array


@cache
def folding(seats: int, rotations: int, columns: int) -> Folding:
    """The sums of a game with so many columns, in this number of seats and rotations."""
    by_bot = 1 + np.arange(seats * columns).reshape(seats, columns)
    whole = 1 + seats * columns + np.arange(columns)
    shares = 1 + (seats + 1) * columns + np.arange(seats * rotations)
    pairs = [
        *((0, i) for i in by_bot.flat),
        *((i, j) for bot in by_bot for i in bot for j in bot),
        *((i, j) for i in whole for j in whole),
        *((i, j) for i in by_bot[:, SHARE] for j in by_bot[:, SHARE]),
        *((0, i) for i in shares),
        *((i, i) for i in shares),
    ]
    left, right = np.array(pairs, np.int32).T.copy()
    return Folding(1 + (seats + 1) * columns + seats * rotations, left, right)


@cache
def fold_kernels() -> tuple[Numba, Numba]:
    """The kernels that make a block's numbers of its rows, and a chunk's sums of its blocks' numbers."""

    def fold(rows: Array, blocks: int, per_chunk: int, numbers: Array, fineness: Array) -> None:
        """One column of one block to a thread; marks chunks whose sums could depend on the order."""
        rotations, seats, columns = rows.shape[1], rows.shape[2], rows.shape[3]
        block, column = divmod(cuda.grid(1), columns)
        if block >= blocks:
            return
        every = 0.0
        for bot in range(seats):
            total = 0.0
            for rotation in range(rotations):
                seat = bot + rotation
                if seat >= seats:  # cheaper than a division
                    seat -= seats
                x = rows[block, rotation, seat, column]
                if x != floor(x):
                    cuda.atomic.max(fineness, block // per_chunk, QUARTERS if 4.0 * x == floor(4.0 * x) else FINER)
                if column == SHARE:
                    numbers[block, 1 + (seats + 1) * columns + bot * rotations + rotation] = x
                total += x
            if abs(total) * seats > LARGEST:
                cuda.atomic.max(fineness, block // per_chunk, FINER)
            numbers[block, 1 + bot * columns + column] = total
            every += total
        numbers[block, 1 + seats * columns + column] = every
        if column == 0:
            numbers[block, 0] = 1.0

    def add_up(
        numbers: Array, blocks: int, per_chunk: int, left: Array, right: Array, sums: Array, totals: Array
    ) -> None:
        """One chunk to a block of threads; sums over all chunks, and over their sizes, in the order in which they come,
        which is any."""
        chunk = cuda.blockIdx.x
        begin = chunk * per_chunk
        end = min(begin + per_chunk, blocks)
        for k in range(cuda.threadIdx.x, len(left), cuda.blockDim.x):
            i, j, total = left[k], right[k], 0.0
            for block in range(begin, end):
                total += numbers[block, i] * numbers[block, j]
            sums[chunk, k] = total
            cuda.atomic.add(totals, (0, k), total)
            cuda.atomic.add(totals, (1, k), abs(total))

    whole, floats, small_ints = types.int64, kernel.FLOATS, kernel.SMALL_INTS
    return (
        kernel.compile_kernel(fold, (floats[4], whole, whole, floats[2], small_ints)),
        kernel.compile_kernel(add_up, (floats[2], whole, whole, small_ints, small_ints, floats[2], floats[2])),
    )
