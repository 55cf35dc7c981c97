"""Check and measure simulation on a GPU: `python benchmarks/gpu.py`, on a machine that has one.

First that games and results equal the CPU's; then games a second, whole calls of `simulate` with statistics included,
and the share of the device's own dealing floor. Prints the rows of the GPU's table in BENCHMARKS.md.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numba
import numba_cuda
import numpy as np
from numba import cuda, from_dtype

import pitboss
from pitboss import load, simulate
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.game import Game
from pitboss.core.keys import FULL, QUICK, Dealing, Key
from pitboss.core.registry import line_up
from pitboss.core.seating import seating
from pitboss.run.device import Gpu
from pitboss.run.device_tables import OUT, DeviceTables
from pitboss.run.packed import packing
from pitboss.run.tables import LEARNER, Tables
from pitboss.run.word_draw import BYTES, word_drawer

STAYERS = ["stay-20", "stay-23", "stay-26", "stay-30"]
MIXED = ["stay-25", "ev", "bust-0.25", "random"]
SAME_GAMES = [
    ("flip7:numbers", STAYERS),
    ("flip7:official", MIXED),
    ("flip7:tournament", ["ev+freeze-leader", "cards-4(all=true)", "random", "stay-25+freeze-risky"]),
    ("flip7:simulation", MIXED),
    ("flip7:solo", ["bust-0.25"]),
    ("flip7:official(copies=2)", (MIXED * 9)),
    ("flip7:numbers(tie=shared,target=30)", [*STAYERS, *STAYERS]),
    ("flip7:official(target=100000,max_rounds=300)", ["always-hit", "random"]),
    ("vengeance:standard", MIXED),
    ("vengeance:brutal(copies=2)", ["stay-25+random-targets", "random"] * 10),
    ("vengeance:quick", ["bust-0.25", "always-hit"]),
    ("vengeance:solo", ["stay-25"]),
    ("show:classic", ["show-6", "random"]),
    ("show:fair(call_penalty=0.3)", ["show-5", "show-7"]),
]
# Environments: tables, opponents and settings.
ENVIRONMENTS = [
    ("flip7:solo", [], {"episode": "round", "penalty": -1.0}),
    ("flip7:official", ["stay-25"] * 3, {"penalty": -1.0}),
    ("show:fair", ["show-6"], {"encoding": "complete", "penalty": -1.0}),
]
# Bots that make arrays, with how many blocks: slow ones play few.
THINKERS = [
    ("show:classic", ["counter", "show-6"], 20_000),
    ("vengeance:standard", ["counter", "stay-25"], 1000),
    ("flip7:numbers", ["oracle", "ev"], 1000),
    ("flip7:numbers", ["winner", "ev"], 1000),
]
MEASURED = [
    ("flip7:numbers", STAYERS, "300 million"),
    ("flip7:official", STAYERS, "200 million"),
    ("flip7:tournament", STAYERS, ""),
    ("flip7:simulation", STAYERS, ""),
    ("flip7:official", MIXED, "100 million"),
    ("flip7:solo", ["stay-25"], ""),
    ("vengeance:numbers", STAYERS, ""),
    ("vengeance:standard", ["stay-25+random-targets"] * 2, ""),
    ("vengeance:standard", ["stay-25+random-targets"] * 4, ""),
    ("show:classic", ["show-6", "show-6"], ""),
]
OWN = ("seconds", "games_per_second", "threads", "executor")  # what may differ from the CPU's


def cpu_rows(game: Game, entrants: list[Entrant], key: Key, first: int, count: int) -> np.ndarray[Any, Any]:
    """Blocks as the CPU plays them: rows[block, rotation, seat, column]."""
    seats = len(entrants)
    states, views = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype)
    at = seating(entrants, game.view_dtype, game.rules_class.dtype())
    rows = np.zeros((count, seats, seats, game.width))
    game.loops.play_blocks((states, views, game.record), at, key.words, (first, seats), rows, np.zeros(3, np.int64))
    return rows


def check(spec: str, bots: list[str], key: Key, blocks: int = 3000) -> bool:
    """Whether the device plays the CPU's games, number for number, and sums them up alike."""
    game = load(spec)
    entrants = line_up(bots, game)
    gpu = Gpu(game, entrants, key, len(bots), lambda first, count: cpu_rows(game, entrants, key, first, count))
    same_games = bool((gpu.rows(10, blocks) == cpu_rows(game, entrants, key, 10, blocks)).all())
    here, there = (simulate(game, bots, 200_000, key, device=d).to_dict() for d in ("cpu", "cuda"))
    return same_games and all(here[name] == there[name] for name in here if name not in OWN)


@compiled
def nothing(key: Any, deal: np.uint64) -> Any:
    """The stream of deals without a key."""
    return key[0], key[0], key[0], key[0]


def keyed(way: np.uint64) -> tuple[Any, Any]:
    """How streams and bits of cards are made by a key that deals this way."""
    stream, word, _ = Dealing.by(way)

    def bits(of: Any, place: int, before: np.uint64) -> np.uint64:
        return word(of, np.uint64(place))

    return stream, compiled(bits)


@compiled_as(wraps=True)
def counted(of: Any, place: int, before: np.uint64) -> np.uint64:
    """The cheapest bits that will do for dealing, each made of the ones before: no card has a key."""
    return before * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


def floor(spec: str, made: tuple[Any, Any], threads: int = 128, deals: int = 1 << 23, cards: int = 125) -> float:
    """Cards a second of the dealing alone: draws from counts in shared memory, no rules and no bots."""
    begin, bits_of = made
    deck = load(spec).record["deck"][0].astype(np.int8)
    kinds, size = len(deck), -(-len(deck) // BYTES)
    lefts = np.dtype({"names": ["left"], "formats": [(np.int8, (BYTES * size,))], "itemsize": BYTES * (size | 1)})
    lefts_kind, (table, _), draw = from_dtype(lefts), packing(lefts, lefts, {}), word_drawer(lefts["left"], deck)

    @cuda.jit
    def deal_only(deck: Any, key: Any, deals: int, out: Any) -> None:
        places = cuda.shared.array(threads, lefts_kind, alignment=16)
        left = table(places[cuda.threadIdx.x])["left"]
        for kind in range(BYTES * size):
            left[kind] = 0
        total, seen, bits = 0, 0, np.uint64(cuda.grid(1))
        for deal in range(cuda.grid(1), deals, cuda.gridsize(1)):
            of = begin(key, np.uint64(deal))
            for n in range(cards):
                if total == 0:
                    for kind in range(kinds):
                        left[kind] = deck[kind]
                        total += int(deck[kind])
                bits = bits_of(of, n, bits)
                card = draw(left, total, bits)
                left[card] -= 1
                total -= 1
                seen += card
        cuda.atomic.add(out, 0, seen)

    key, out = Key.from_seed(1), cuda.to_device(np.zeros(1, np.int64))
    arguments = (cuda.to_device(deck), cuda.to_device(key.words), deals, out)
    blocks, best = 16 * cuda.get_current_device().MULTIPROCESSOR_COUNT, float("inf")
    for _ in range(4):
        began = time.perf_counter()
        deal_only[blocks, threads](*arguments)
        cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    return deals * cards / best


def rate(spec: str, bots: list[str], games: int, key: Key) -> tuple[float, float]:
    """Games and cards a second of a whole call, the best of three."""
    runs = [simulate(spec, bots, games, key, device="cuda") for _ in range(3)]
    best = min(runs, key=lambda run: run.seconds)
    return best.games / best.seconds, best.cards / best.seconds


def check_all() -> None:
    """Say for each table whether the device and the CPU agree."""
    for spec, bots in SAME_GAMES:
        began = time.perf_counter()
        for key in (Key.from_seed(5, quick=True), Key.from_seed(5)):
            answer = "equal" if check(spec, bots, key) else "DIFFERENT"
            print(f"{answer}: {spec}, {len(bots)} seats, {key} ({time.perf_counter() - began:.1f} s)", flush=True)
    for spec, bots, blocks in THINKERS:
        game = load(spec)
        entrants, key = line_up(bots, game), Key.from_seed(5, quick=True)
        gpu = Gpu(game, entrants, key, len(bots), lambda first, count: None)
        began = time.perf_counter()
        played = gpu.rows(10, blocks)
        seconds = time.perf_counter() - began
        answer = "equal" if (played == cpu_rows(game, entrants, key, 10, blocks)).all() else "DIFFERENT"
        print(f"{answer}: {spec}, {', '.join(bots)}: {len(bots) * blocks / seconds:,.0f} games/s", flush=True)


def measure_all(games: int) -> None:
    """The table for BENCHMARKS.md."""
    floors = {spec: floor(spec, keyed(QUICK)) for spec in ("flip7:numbers", "vengeance:standard", "show:classic")}
    for name, made in (("a full key", keyed(FULL)), ("no key", (nothing, counted))):
        print(f"dealing alone with {name}: {floor('flip7:numbers', made) / 1e9:.1f} billion cards/s")
    print("| what | full key | quick key | wanted | detail |\n|---|---|---|---|---|")
    for spec, bots, wanted in MEASURED:
        full, _ = rate(spec, bots, games, Key.from_seed(1))
        fast, cards = rate(spec, bots, games, Key.from_seed(1, quick=True))
        whole = next(rate for each, rate in floors.items() if each.split(":")[0] == spec.split(":")[0])
        share = f"{cards / whole:.0%} of the dealing floor: {cards / 1e9:.1f} of {whole / 1e9:.1f} billion cards/s"
        rates = f"{full / 1e6:,.1f} | {fast / 1e6:,.1f} million games/s"
        print(f"| {spec}, {', '.join(bots)} | {rates} | {wanted} | {share} |", flush=True)


@cuda.jit
def some_legal(masks: Any, step: int, actions: Any) -> None:
    """An action for each table that is legal there: by turns all that are."""
    table = cuda.grid(1)
    if table < len(actions):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[table, action]
        left = (7 * step + table) % max(legal, 1)
        for action in range(masks.shape[1]):
            if masks[table, action]:
                if left == 0:
                    actions[table] = action
                left -= 1


def tables_all(count: int, steps: int) -> None:
    """Environments on the device: the same steps as on the CPU, and how many a second."""
    for spec, bots, settings in ENVIRONMENTS:
        few = (512, 60) if count > 512 else (4, 10)
        ours, theirs = (kind(spec, [LEARNER, *bots], few[0], **settings) for kind in (Tables, DeviceTables))
        ours.reset(seed=7)
        theirs.reset(seed=7)
        same = True
        actions = cuda.device_array(few[0], np.int64)
        for step in range(few[1]):
            same &= all((getattr(ours, name) == getattr(theirs, name).copy_to_host()).all() for name in OUT)
            some_legal[-(-few[0] // 128), 128](theirs.masks, step, actions)
            ours.step(actions.copy_to_host())
            theirs.step(actions)
        many = DeviceTables(spec, [LEARNER, *bots], count, **settings)
        many.reset(seed=1)
        actions, took = cuda.device_array(count, np.int64), []
        for step in range(steps):
            some_legal[-(-count // 128), 128](many.masks, step, actions)
            cuda.synchronize()
            began = time.perf_counter()
            many.step(actions)
            cuda.synchronize()
            took.append(time.perf_counter() - began)
        many.verify()
        answer = "equal" if same else "DIFFERENT"
        rate = count / float(np.median(took)) / 1e6
        print(f"{answer}: tables of {spec}, {len(bots)} bots: {rate:,.1f} million steps/s", flush=True)


def main() -> None:
    name = cuda.get_current_device().name
    print(f"pitboss {pitboss.__version__}: {name if isinstance(name, str) else name.decode()},", end=" ")
    print(f"Numba {numba.__version__}, numba-cuda {numba_cuda.__version__}, NumPy {np.__version__}", flush=True)
    measure_all(int(float(sys.argv[1])) if len(sys.argv) > 1 else 200_000_000)
    check_all()
    tables_all(1 << 20, 100)


if __name__ == "__main__":
    main()
