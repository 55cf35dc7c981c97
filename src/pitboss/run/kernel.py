"""What runs on a GPU: whole games, one to a thread. `kernel_sums` has what adds them up.

The rules are not written again here: `play` calls the functions of the game's `Step`, and the bots' own, and numba-cuda
compiles them for the device. There are no function pointers on a GPU, so a kernel is built for each set of bots, with
the rules, the number of seats and the way of dealing as constants in it; who sits where, and the bots' parameters,
stay data.

What makes it fast: the state lies in registers and shared memory (`packed`), and all threads of a warp ask bots, then
deal cards, together, so that the same instructions serve most of them at once. What happens to a thread now and then,
the end of a round or of a game, waits until several threads of the warp are there. Where the code is long, with several
kinds of decisions by several bots or by a rule book in one piece, warps would wait for instructions most of the time,
each for others; there all warps of a multiprocessor run in step, and what is fetched serves them all.

With NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1 the same kernels run as plain Python, without a GPU.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import config, cuda, from_dtype, types

from pitboss.core.compile import compiled
from pitboss.core.game import Game
from pitboss.core.keys import Dealing, Stream, draw
from pitboss.core.legal import asking
from pitboss.core.splitmix import luck_at, luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, OVER, in_one
from pitboss.core.types import Array, Dtype, Numba, RulesRecord, StateRecord, Word

SIMULATED = bool(config.ENABLE_CUDASIM)

if not SIMULATED:
    from pitboss.run.kernel_cache import keep
    from pitboss.run.kernel_memory import allow_shared, roomy
    from pitboss.run.packed import packing
    from pitboss.run.word_draw import padded, word_drawer

SHARED_MEMORY = 48 * 1024  # of a block of threads, on any GPU
ALIGNMENT = None if SIMULATED else 16  # so that words are cleared instead of bytes
ALL_SHARED_MEMORY = 228 * 1024  # of blocks that run at once, on a large GPU; each takes 1 KB besides what it asks for
MOST_THREADS = 128
WARP = 32  # threads that run the same instructions
# How many of them begin games, and end rounds, at the same time, and how often all go on before they look.
TOGETHER, TOGETHER_OF_SEVERAL = (4, 8, 3), (3, 6, 1)

# Of a kernel whose code does not fit into the memory for instructions; its threads run in step (`_in_step`).
MOST_IN_STEP, LEAST_IN_STEP = 1024, 256  # threads of a block
REGISTERS = 64 * 1024  # of a multiprocessor
RANDOM_GAMES, RANDOM_MOVES = 4, 400  # that tell what bots are asked

# What a thread is at that neither asks nor deals, besides `OVER`: its round is over; no games are left; the next
# question is to be found.
PAUSED, DONE, GOING = -3, -4, -5

NO_DEAL = (np.uint64(0),) * 4  # a stream that nobody reads

Turn: TypeAlias = tuple[Stream, int, Any]

FLOATS = {n: types.Array(types.float64, n, "C") for n in (2, 4)}
_INTS, SMALL_INTS = types.Array(types.int64, 1, "C"), types.Array(types.int32, 1, "C")
_WORDS = types.Array(types.uint64, 1, "C")


class Kernel(NamedTuple):
    """A kernel, how many threads make a block of it, and whether its bots make arrays, which takes memory."""

    launch: Numba
    threads: int
    together: Array  # what `play` is told about threads that wait for each other
    arrays: bool = False
    shared: int = 0  # bytes of shared memory that a block is given when it is launched

    def blocks(self) -> int:
        """How many blocks of threads the current device runs at once."""
        (code,) = self.launch.overloads.values()
        if self.shared:
            allow_shared(code, self.shared)
        return int(code.max_cooperative_grid_blocks(self.threads, self.shared))


def _odd(fields: Any) -> Dtype:
    """A record of an odd number of words: threads that read the same field then use different banks of memory."""
    packed: Any = np.dtype(fields, align=True)
    names = list(packed.names)
    kinds, places = zip(*(packed.fields[name][:2] for name in names), strict=True)
    size = 4 * (-(-packed.itemsize // 4) | 1)
    return np.dtype({"names": names, "formats": list(kinds), "offsets": list(places), "itemsize": size}, align=True)


def _fields(dtype: Dtype, only_arrays: bool = False) -> list[tuple[Any, ...]]:
    kinds = [(name, dtype[name]) for name in dtype.names or ()]
    return [(name, kind.base, kind.shape) for name, kind in kinds if kind.shape or not only_arrays]


def _aligned(fields: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The cards left come first, in whole words."""
    name, kind, shape = next(field for field in fields if field[0] == "left")
    whole = shape if SIMULATED else padded(np.dtype((kind, shape)))
    return [(name, kind, whole), *(field for field in fields if field[0] != "left")]


def resized(record: Array, dtype: Dtype) -> Array:
    """The fields of a record in another dtype, whose arrays may be shorter or longer."""
    out = np.zeros(1, dtype)
    for name in dtype.names or ():
        old, new = record[name], out[name]
        both = tuple(slice(0, min(a, b)) for a, b in zip(old.shape, new.shape, strict=True))
        new[both] = old[both]
    return out


def _block_size(room: int) -> int:
    """How many threads make a block, so that as many as possible are at work, if each takes so much shared memory."""
    most = min(MOST_THREADS, SHARED_MEMORY // room)
    sizes = range(WARP, most + 1, WARP) if most >= WARP else [most]
    return max(sizes, key=lambda threads: (ALL_SHARED_MEMORY // (threads * room + 1024) * threads, threads))


def _in_step(lying: int, besides: int) -> int:
    """How many threads make a block if all of a multiprocessor are one, each with so many bytes of shared memory that
    come with the launch, and so many that are part of the kernel; 0 if they are too few to be worth it. The four parts
    of a multiprocessor get as many warps each, or some would run out of registers."""
    if SIMULATED:
        return 2
    device = cuda.get_current_device()
    memory = getattr(device, "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", SHARED_MEMORY)
    most = min(MOST_IN_STEP, SHARED_MEMORY // besides, memory // (lying + besides)) // (4 * WARP) * (4 * WARP)
    return most if most >= LEAST_IN_STEP else 0


def questions(game: Game, seats: int) -> int:
    """How many kinds of decisions there are at a table, as far as a few random games show."""
    rng, kinds = random.Random(seats), set()
    for _ in range(RANDOM_GAMES):
        position = game.start(seats)
        for _ in range(RANDOM_MOVES):
            if position.over:
                break
            if position.to_act >= 0:
                kinds.add(int(position.states[0]["decision"]))
            position.apply(rng.choice(list(position.legal)))
    return len(kinds)


def _same(record: StateRecord) -> StateRecord:
    """The table of a record in the simulator."""
    return record


def _nothing(s: StateRecord, record: StateRecord) -> None:
    """In the simulator a state is copied as a whole."""


def _counter(threads: int) -> Callable[[bool], int]:
    """Counts the threads of a warp for which something holds; all must ask. In the simulator each is alone."""
    everybody = (1 << min(threads, WARP)) - 1

    def count(flag: bool) -> int:
        return int(cuda.popc(cuda.ballot_sync(everybody, flag)))

    def count_alone(flag: bool) -> int:
        return 1 if flag else 0

    return count_alone if SIMULATED else cuda.jit(device=True, inline="always")(count)


def _meeting(in_step: bool) -> Callable[[], None]:
    """Where the threads of a block wait until all are there, if they run in step."""

    def meet() -> None:
        cuda.syncthreads()

    def pass_by() -> None:
        """Each warp runs on its own."""

    chosen = meet if in_step else pass_by
    return chosen if SIMULATED else cuda.jit(device=True, inline="always")(chosen)


def _anybody(in_step: bool, count: Callable[[bool], int]) -> Callable[[bool], bool]:
    """Whether something holds for any thread that runs together with this one."""

    def in_block(flag: bool) -> bool:
        return int(cuda.syncthreads_count(np.int32(flag))) > 0

    def in_warp(flag: bool) -> bool:
        return count(flag) > 0

    chosen = in_block if in_step else in_warp
    return chosen if SIMULATED else cuda.jit(device=True, inline="always")(chosen)


def _turns(bots: int, luck: Callable[..., Any]) -> tuple[Dtype, Callable[..., Any], Callable[..., Any]]:
    """What is kept of a seat's turns, with which number they begin, and which one comes next; see `_chain`."""

    def first_turn(deal: Stream, rotation: int, seat: int) -> int:
        return 0

    def next_turn(turn: int) -> int:
        return int(turn) + 1

    if bots > 1:
        return np.dtype(np.uint64), luck, next_luck
    return np.dtype(np.int32), compiled(first_turn), compiled(next_turn)


def _chain(bots: tuple[Callable[..., int], ...], luck: Callable[..., Any]) -> Callable[..., int]:
    """Asks one of several bots by number. `turn` is the deal, the rotation, and how often the seat was asked, or where
    its luck has got to: what luck is worked out from.

    A single bot has it worked out where it looks at it, if at all. Of several, each would bring the code along, and
    instructions no longer fit into their cache: each seat's luck begins with its game, as on the CPU."""
    if len(bots) == 1:
        (only,) = bots

        def ask_one(which: int, s: StateRecord, r: RulesRecord, seat: int, params: Array, turn: Turn) -> int:
            return only(s, r, seat, params, luck_at(luck(turn[0], turn[1], seat), np.uint64(turn[2])))

        return compiled(ask_one)
    choose = link(bots)

    def ask(which: int, s: StateRecord, r: RulesRecord, seat: int, params: Array, turn: Turn) -> int:
        return choose(which, s, r, seat, params, luck_bits(turn[2]))

    return compiled(ask)


def link(bots: tuple[Callable[..., int], ...]) -> Callable[..., int]:
    """Asks the first of these bots, or hands on to the others."""
    first, rest = bots[0], bots[1:]
    others = link(rest) if rest else first

    def pick(which: int, s: StateRecord, r: RulesRecord, seat: int, params: Array, luck: Word) -> int:
        if which == 0:
            return first(s, r, seat, params, luck)
        return others(which - 1, s, r, seat, params, luck)

    def last(which: int, s: StateRecord, r: RulesRecord, seat: int, params: Array, luck: Word) -> int:
        return first(s, r, seat, params, luck)

    return compiled(pick if rest else last)


def bot_set(functions: Sequence[Callable[..., int]]) -> tuple[Callable[..., int], ...]:
    """The different bots of a line-up, in an order that depends on nothing else."""
    return tuple(sorted(set(functions), key=_label))


def _label(function: Any) -> str:
    plain = getattr(function, "py_func", function)
    return f"{plain.__module__}.{plain.__qualname__}"


@cache
def play_kernel(
    game: Game, bots: tuple[Callable[..., int], ...], seats: int, rotations: int, way: Word, arrays: bool = False
) -> Kernel:
    """The kernel that plays this table with these bots, dealt this `way` (`Key.way`); compiled now, or taken from the
    cache. If bots make arrays it must be told, and is compiled in every process."""
    _, legal, apply, where, observe, tally, moves = game.step
    straight = game.parts is not None
    answer, proceed, end_round = game.parts or in_one(apply)
    can = asking(legal, moves).can
    stream, word, luck = Dealing.by(way)
    ask = _chain(bots, luck)
    hidden = game.has_secrets
    state = _odd(_aligned(_fields(game.compact(seats))))
    lying = state if SIMULATED else _odd(_fields(state, only_arrays=True))
    view = _odd(_fields(game.view_dtype))
    begun = np.zeros(1, game.state_dtype)
    game.loops.start(begun, game.record, seats, None)  # chance has no part in it, so every game starts alike
    rules, fresh, fresh_lying = game.record, resized(begun, state), resized(begun, lying)
    together = np.array(TOGETHER if len(bots) == 1 else TOGETHER_OF_SEVERAL, np.int32) * (1, 1, 1 if straight else 2)
    turn_dtype, first_turn, next_turn = _turns(len(bots), luck)
    besides = turn_dtype.itemsize * seats
    room = lying.itemsize + besides + (view.itemsize if hidden else 0)
    long = (len(bots) > 1 or not straight) and not hidden and not arrays and questions(game, seats) > 1
    in_step = _in_step(lying.itemsize, besides) if long else 0
    threads = in_step or (min(_block_size(room), WARP) if arrays else _block_size(room))
    shared = lying.itemsize * threads if in_step and not SIMULATED else 0
    states_shape = 0 if shared else threads
    table: Callable[[Array], StateRecord]
    fill: Callable[[StateRecord, StateRecord], None]
    pick: Callable[[Array, int, Word], int]
    count, turn_kind = _counter(threads), from_dtype(turn_dtype)
    anybody, meet = _anybody(in_step > 0, count), _meeting(in_step > 0)
    if SIMULATED:
        table, fill, state_kind, view_kind, pick = _same, _nothing, state, view, draw
    else:
        pick = word_drawer(state["left"], game.record["deck"][0])
        table, fill = packing(state, lying, {"seats": seats})
        state_kind, view_kind = from_dtype(lying), from_dtype(view)

    def play(
        params: Array,
        which: Array,
        key: Array,
        first: int,
        games: int,
        together: Array,
        rows: Array,
        tickets: Array,
        counts: Array,
    ) -> None:
        """Play games of the blocks from `first` on into rows[block, rotation, seat], each thread taking the next
        one that nobody has taken; count decisions, cards and games cut, and remember a game with an illegal move.

        A thread whose game or round is over waits until as many of its warp are as `together` says, or nobody else goes
        on; its third number is how often bots are asked and cards dealt before the next look at who waits."""
        me = np.uint32(cuda.threadIdx.x)
        states = cuda.shared.array(states_shape, state_kind, alignment=ALIGNMENT)
        s = table(states[me])
        if hidden:
            views = cuda.shared.array(threads, view_kind, alignment=ALIGNMENT)
            v = views[me]
        else:
            v = s
        turns = cuda.shared.array((seats, threads), turn_kind)  # of each seat, its luck or its decisions so far
        r = cuda.const.array_like(rules)[0]
        start, start_lying = cuda.const.array_like(fresh), cuda.const.array_like(fresh_lying)
        decisions, cards, cut, finished = 0, 0, 0, 0
        ticket, block, rotation, seat = -1, 0, 0, OVER
        deal = NO_DEAL
        enough_games, enough_rounds, often = together[0], together[1], together[2]
        while anybody(seat != DONE):
            over, paused = count(seat == OVER), count(seat == PAUSED)
            busy = count(seat >= DEALER)
            if seat == OVER and (over >= enough_games or busy == 0):
                if ticket >= 0:
                    finished += 1
                    cut += 1 if int(s["ended"]) == CUT else 0
                    tally(s, rows[block, rotation])
                ticket = cuda.atomic.add(tickets, 0, 1)
                if ticket >= games:
                    seat = DONE
                else:
                    block = ticket // rotations
                    rotation = ticket - block * rotations
                    deal = stream(key, np.uint64(first + block))
                    for other in range(np.uint32(seats)):
                        turns[other, me] = first_turn(deal, rotation, int(other))
                    states[me] = start_lying[0]
                    fill(s, start[0])
                    seat = int(s["to_act"])
            ending = paused >= enough_rounds or busy == 0
            for half in range(often):
                # All ask bots, then all deal, then all go on to what comes next. A rule book that is one long piece
                # has one place here: twice its instructions would not fit into their cache.
                meet()
                asks, deals = seat >= 0 and (straight or half & 1 == 0), False
                move = 0
                if asks:
                    at = np.uint32(seat)  # nobody counts from the end of an array, and so the compiler knows
                    bot = np.uint32(seat - rotation if seat >= rotation else seat - rotation + seats)
                    turn = next_turn(turns[at, me])
                    turns[at, me] = turn
                    decisions += 1
                    known = observe(s, r, seat, v)
                    move = ask(int(which[bot]), known, r, seat, params[bot], (deal, rotation, turn))
                    if not can(s, r, move):
                        cuda.atomic.max(counts, 3, ticket + 1)
                        ticket, seat, asks = -1, OVER, False
                    elif straight:
                        seat = int(s["to_act"]) if answer(s, r, move, None) else GOING
                meet()
                if seat == DEALER and (straight or half & 1 == 1):
                    deals = True
                    move = pick(s["left"], int(s["left_total"]), word(deal, np.uint64(where(s))))
                    cards += 1
                    if straight:
                        s["decision"] = 0  # it is: so that the compiler leaves out what other answers do
                        seat = int(s["to_act"]) if answer(s, r, move, None) else GOING
                if not straight and (asks or deals):
                    seat = int(s["to_act"]) if answer(s, r, move, None) else GOING
                meet()
                if ending and seat == PAUSED:
                    seat = int(s["to_act"]) if end_round(s, r, None) else GOING
                if seat == GOING:
                    seat = int(s["to_act"]) if proceed(s, r, None) else PAUSED
        cuda.atomic.add(counts, 0, decisions)
        cuda.atomic.add(counts, 1, cards)
        cuda.atomic.add(counts, 2, cut)
        cuda.atomic.add(counts, 4, finished)

    kinds = (FLOATS[2], SMALL_INTS, _WORDS, types.int64, types.int64, SMALL_INTS, FLOATS[4], _INTS, _INTS)
    registers = REGISTERS // threads // 8 * 8 if in_step else None
    built = compile_kernel(play, kinds, arrays, registers)
    return Kernel(built, threads, together.astype(np.int32), arrays, shared)


def compile_kernel(
    function: Callable[..., None], kinds: tuple[Numba, ...], arrays: bool = False, registers: int | None = None
) -> Numba:
    """Compiled, with at most so many registers for a thread."""
    if SIMULATED:
        return cuda.jit(function)
    if arrays:
        with roomy():
            kernel = cuda.jit(lto=False)(function)  # or the linker would fuse after all
            kernel.compile(kinds)
    else:
        kernel = cuda.jit(max_registers=registers)(function)
        keep(kernel)
        kernel.compile(kinds)
    return kernel
