"""Simulation on a GPU: the games that the CPU would play, many at a time, and the same sums of them.

`Gpu` launches kernels (`kernel`) and adds up what they found. Games are keyed, so each comes out as on the CPU, number
for number. Sums are made on the device, for the same chunks as on the CPU and for all of a launch. Where rounding would
depend on the order, those of chunks are brought back and added up here, so results are equal to the last bit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.types import Array
from pitboss.stats.intervals import Sums

if TYPE_CHECKING:
    from pitboss.run.kernel import Kernel

DEVICES = ("cpu", "cuda")

GAMES_A_LAUNCH = 1 << 23  # less than a tenth of a second on a large GPU
SLOW_GAMES_A_LAUNCH = 1 << 16  # of bots that make arrays: some seconds
EXACT = (2.0**53, 2.0**49, 0.0)  # up to where sums are exact: of whole numbers, of squares of quarters, of others

Played = tuple[Sums, np.ndarray[Any, Any]]  # sums, and numbers of decisions, cards and games cut


def verify_bots(entrants: Sequence[Entrant]) -> None:
    """Refuse bots that can run on no device, by name."""
    for entrant in entrants:
        if entrant.make:
            raise BotError(
                f"the bot {entrant.name} is written in Python; on a GPU only compiled built-in bots can play"
            )
        if not entrant.trusted:
            raise BotError(f"the bot {entrant.name} is not built in; on a GPU only compiled built-in bots can play")


def verify_gpu() -> None:
    """Refuse to go on without a GPU, saying what is missing."""
    if find_spec("numba_cuda") is None:
        raise PitbossError("`device=cuda` needs the extra cuda: pip install 'pitboss[cuda]'")
    from numba import cuda

    from pitboss.core.machine import INTERPRETED
    from pitboss.run.kernel import SIMULATED

    if SIMULATED and not INTERPRETED:
        raise PitbossError("the CUDA simulator runs plain Python: set NUMBA_DISABLE_JIT=1 as well")
    if not cuda.is_available():
        raise PitbossError("there is no GPU here that CUDA can use; `device=cpu` plays the same games")


def player(game: Game, entrants: Sequence[Entrant], key: Key, rotations: int) -> Kernel:
    """The kernel for a line-up; bots that the device's compiler cannot take are refused by name."""
    from numba.core.errors import NumbaError

    from pitboss.run.kernel import bot_set, play_kernel

    bots, seats, way = bot_set([_function(e) for e in entrants]), len(entrants), key.way
    try:
        return play_kernel(game, bots, seats, rotations, way)
    except NumbaError:  # perhaps because some make arrays
        pass
    try:
        return play_kernel(game, bots, seats, rotations, way, arrays=True)
    except NumbaError as problem:
        for entrant in entrants:
            try:
                play_kernel(game, bot_set([_function(entrant)]), seats, rotations, way, arrays=True)
            except NumbaError as its:
                raise BotError(f"the bot {entrant.name} cannot play on a GPU: {_reason(its)}") from its
        raise BotError(f"these bots cannot play on a GPU together: {_reason(problem)}") from problem


def _function(entrant: Entrant) -> Callable[..., int]:
    assert entrant.function is not None
    return entrant.function


def _reason(problem: Exception) -> str:
    """What the compiler could not do, in a line."""
    missing = re.search(r"No implementation of function Function\(<(?:built-in )?function (\w+)", str(problem))
    if missing:
        return f"it uses {missing[1]}, which does not exist there"
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith(("Failed in", "During"))), type(problem).__name__)


class Gpu:
    """Plays the blocks of one simulation on the current CUDA device.

    `play_alone(first, count)` plays some blocks on the CPU; it is asked if a bot made an illegal move, to say which.
    """

    def __init__(
        self,
        game: Game,
        entrants: Sequence[Entrant],
        key: Key,
        rotations: int,
        play_alone: Callable[[int, int], object],
    ) -> None:
        verify_bots(entrants)
        verify_gpu()
        from numba import cuda

        from pitboss.run.kernel import SIMULATED, bot_set
        from pitboss.run.kernel_sums import fold_kernels, folding

        seats = len(entrants)
        self._shape = (rotations, seats, game.width)
        self._play_alone = play_alone
        self._play = player(game, entrants, key, rotations)
        self._fold, self._add_up = fold_kernels()
        self._folding = folding(seats, rotations, game.width)
        functions = [_function(e) for e in entrants]
        order = bot_set(functions)
        params = np.zeros((seats, max(len(e.params) for e in entrants)))
        for row, entrant in zip(params, entrants, strict=True):
            row[: len(entrant.params)] = entrant.params
        which = np.array([order.index(f) for f in functions], np.int32)
        self._line_up = [cuda.to_device(array) for array in (params, which, key.words)]
        self._together = cuda.to_device(self._play.together)
        self._pairs = [cuda.to_device(array) for array in (self._folding.left, self._folding.right)]
        # No more than run at once: blocks that wait for their turn would keep the sums of the launch before waiting.
        self._blocks, self._threads = (1, 2) if SIMULATED else (self._play.blocks(), self._play.threads)
        if self._play.arrays:
            from pitboss.run.kernel_memory import threads_with_room

            self._blocks = max(1, min(self._blocks, threads_with_room() // self._threads))
        self._width = 2 if SIMULATED else 128  # threads of a block that sums

    def most_blocks(self, per_chunk: int) -> int:
        """How many blocks one launch can play: whole chunks, within a third of the device's memory for each of two."""
        from numba import cuda

        from pitboss.run.kernel import SIMULATED

        most = (SLOW_GAMES_A_LAUNCH if self._play.arrays else GAMES_A_LAUNCH) // self._shape[0]
        if not SIMULATED:
            numbers = int(np.prod(self._shape)) + self._folding.width + len(self._folding.left) / per_chunk
            most = min(most, int(cuda.current_context().get_memory_info().free / 3 / (8 * numbers)))
        return max(1, most // per_chunk) * per_chunk

    def rows(self, first: int, count: int) -> Array:
        """Blocks first, first+1, … as rows[block, rotation, seat, column], as the CPU's loop would fill them."""
        desk = _Desk(self, count, count)
        self._launch(desk, first, count, count)
        desk.wait()
        self._verify(desk, first, count)
        return desk.rows.copy_to_host()  # type: ignore[no-any-return]

    def run(self, begin: int, end: int, per_chunk: int) -> Generator[Played, None, None]:
        """Play blocks and yield sums in order, of whole launches where that changes nothing, else of chunks."""
        if begin == end:
            return
        size = min(self.most_blocks(per_chunk), -(-(end - begin) // per_chunk) * per_chunk)
        desks = [_Desk(self, size, per_chunk) for _ in range(2 if end - begin > size else 1)]
        ahead: list[tuple[_Desk, int, int]] = []
        self._grown, self._fineness = np.zeros(len(self._folding.left)), 0
        first = begin
        while first < end:
            count = min(size, end - first)
            self._launch(desks[0], first, count, per_chunk)  # while this one plays, the one before is added up
            ahead.append((desks[0], first, count))
            first += count
            desks.reverse()
            if len(ahead) == 2:
                yield from self._sums(*ahead.pop(0), per_chunk)
        for last in ahead:
            yield from self._sums(*last, per_chunk)

    def _launch(self, desk: _Desk, first: int, count: int, per_chunk: int) -> None:
        games, chunks = count * self._shape[0], -(-count // per_chunk)
        tasks = count * self._shape[2]
        desk.clear()
        self._play.launch[self._blocks, self._threads, desk.stream, self._play.shared](
            *self._line_up, first, games, self._together, desk.rows, desk.tickets, desk.counts
        )
        self._fold[-(-tasks // self._width), self._width, desk.stream](
            desk.rows, count, per_chunk, desk.numbers, desk.fineness
        )
        self._add_up[chunks, self._width, desk.stream](
            desk.numbers, count, per_chunk, *self._pairs, desk.sums, desk.totals
        )
        desk.fetch()

    def _verify(self, desk: _Desk, first: int, count: int) -> None:
        """If a bot made an illegal move, let the CPU come to it and say so; and see that all games were played."""
        if fault := int(desk.seen["counts"][3]):
            self._play_alone(first + (fault - 1) // self._shape[0], 1)
            raise BotError("a bot made a move on the GPU that is illegal, but not on the CPU")
        if int(desk.seen["counts"][4]) != count * self._shape[0]:
            raise PitbossError(
                "the GPU ran out of memory for what its bots work out; `device=cpu` plays the same games"
            )

    def _sums(self, desk: _Desk, first: int, count: int, per_chunk: int) -> Generator[Played, None, None]:
        from pitboss.run.kernel_sums import FINER

        desk.wait()
        self._verify(desk, first, count)
        counts, chunks = desk.seen["counts"][:3].copy(), -(-count // per_chunk)
        fineness, (totals, sizes) = desk.seen["fineness"][:chunks].copy(), desk.seen["totals"].copy()
        self._fineness = max(self._fineness, int(fineness.max()))
        self._grown += sizes
        if self._grown.max() < EXACT[self._fineness]:
            yield self._read(totals, count), counts
            return
        sums = desk.sums.copy_to_host(stream=desk.stream)
        for chunk in range(chunks):  # from here on, the order of adding counts
            begin = chunk * per_chunk
            size = min(per_chunk, count - begin)
            if fineness[chunk] == FINER:
                part = Sums.of(desk.rows[begin : begin + size].copy_to_host(stream=desk.stream))
            else:
                part = self._read(sums[chunk], size)
            yield part, counts if chunk == 0 else np.zeros_like(counts)

    def _read(self, sums: Array, blocks: int) -> Sums:
        """The sums that a device made, by name."""
        rotations, seats, columns = self._shape
        sizes = [seats * columns, seats * columns**2, columns**2, seats**2, seats * rotations, seats * rotations]
        by_bot, products, whole, shares, at_seat, squares = np.split(sums, np.cumsum(sizes)[:-1])
        bot, rotation = np.meshgrid(np.arange(seats), np.arange(rotations), indexing="ij")
        seat_share, seat_squares = np.zeros((seats, seats)), np.zeros((seats, seats))
        seat_share[bot, (bot + rotation) % seats] = at_seat.reshape(seats, rotations)
        seat_squares[bot, (bot + rotation) % seats] = squares.reshape(seats, rotations)
        return Sums(
            blocks,
            rotations,
            by_bot.reshape(seats, columns),
            products.reshape(seats, columns, columns),
            whole.reshape(columns, columns),
            shares.reshape(seats, seats),
            seat_share,
            seat_squares,
        )


class _Desk:
    """The memory of one launch: what the kernels write, and what of it is brought back.

    Each has a stream of its own, so that one launch is summed up, and its last games end, while the next one plays.
    """

    def __init__(self, gpu: Gpu, blocks: int, per_chunk: int) -> None:
        from numba import cuda

        chunks = -(-blocks // per_chunk)
        self.stream, self._done = cuda.stream(), cuda.event()
        self.rows = cuda.device_array((blocks, *gpu._shape))
        self.numbers = cuda.device_array((blocks, gpu._folding.width))
        self.sums = cuda.device_array((chunks, len(gpu._folding.left)))
        self.totals = cuda.device_array((2, len(gpu._folding.left)))
        self.fineness = cuda.device_array(chunks, np.int32)
        self.tickets, self.counts = cuda.device_array(1, np.int64), cuda.device_array(5, np.int64)
        self._brought = {"totals": self.totals, "fineness": self.fineness, "counts": self.counts}
        self.seen = {name: cuda.pinned_array(a.shape, a.dtype) for name, a in self._brought.items()}
        self._zeros = [(a, np.zeros(a.shape, a.dtype)) for a in (self.totals, self.fineness, self.tickets, self.counts)]

    def clear(self) -> None:
        for array, zeros in self._zeros:
            array.copy_to_device(zeros, stream=self.stream)

    def fetch(self) -> None:
        for name, array in self._brought.items():
            array.copy_to_host(self.seen[name], stream=self.stream)
        self._done.record(self.stream)

    def wait(self) -> None:
        self._done.synchronize()
