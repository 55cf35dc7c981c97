"""Measures what BENCHMARKS.md reports: `make bench`.

Machines are noisy, so what counts are ratios taken in one run: every rate is the best of several
short, interleaved measurements.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numba
import numpy as np

from arena import measure_referee
from envs import env_rows
from pitboss import Tournament, __version__, load, simulate
from pitboss.core.compile import compiled
from pitboss.core.keys import Key, deal_stream, deal_word, draw
from pitboss.core.registry import line_up
from pitboss.games.flip7 import HIT, STAY, Flip7Bot
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.run.special import WORTH_GAMES
from pitboss.run.work import CompiledJob
from web import measure as measure_room

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "BENCHMARKS.md"
STAYERS = ["stay-20", "stay-23", "stay-26", "stay-30"]


@compiled
def floor(left: Any, deck: Any, key: Any, deals: int, cards: int) -> int:
    """The dealing itself: so many keyed draws from counts, a new deck whenever one is empty."""
    total, seen = 0, 0
    for deal in range(deals):
        s = deal_stream(key, np.uint64(deal))
        for n in range(cards):
            if total == 0:
                for kind in range(len(deck)):
                    left[kind] = deck[kind]
                    total += int(deck[kind])
            card = draw(left, total, deal_word(s, np.uint64(n)))
            left[card] -= 1
            total -= 1
            seen += card
    return seen


class Stay25(Flip7Bot):
    """`stay-25` as a user would write it."""

    def hit_or_stay(self, view: Any) -> Any:
        return HIT if view.points < 25 else STAY


class Bust25(Flip7Bot):
    """`bust-0.25` as a user would write it."""

    def hit_or_stay(self, view: Any) -> Any:
        return HIT if view.odds.bust < 0.25 else STAY


def best(measures: dict[str, Callable[[], float]], rounds: int = 7) -> dict[str, float]:
    """The smallest value of each measurement, all taken in turn."""
    out = {name: float("inf") for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            out[name] = min(out[name], measure())
    return out


def seconds_per_card(spec: str, threads: int = 1, games: int = 20_000, bots: Sequence[str] = STAYERS) -> float:
    result = simulate(spec, bots, games, 1, threads)
    return result.seconds / result.cards


def floor_per_card(spec: str, cards: int = 2_000_000) -> float:
    deck = load(spec).record["deck"][0]
    key = Key.from_seed(1, quick=True).words
    left = np.zeros_like(deck)
    floor(left, deck, key, 1, 1)
    began = time.process_time()
    floor(left, deck, key, cards // 125, 125)
    return (time.process_time() - began) / cards


def loop_rows(spec: str, bots: Sequence[str], wanted: str) -> list[tuple[str, str, str, str]]:
    """The loop that serves all tables, the loop made for this one, and dealing alone, in turn: processor time."""
    game, key = load(spec), Key.from_seed(1, quick=True)
    entrants = line_up(list(bots), game)
    loops = {
        "general": CompiledJob(game, entrants, key, len(bots)),
        "own": CompiledJob(game, entrants, key, len(bots), WORTH_GAMES),
    }
    games = 20_000
    cards = {}
    for name, job in loops.items():
        job.warm_up()
        cards[name] = int(job.rows(0, games // len(bots))[1][1])
    assert cards["general"] == cards["own"], "the two loops play different games"

    def per_card(job: CompiledJob) -> float:
        began = time.process_time()
        job.rows(0, games // len(bots))
        return (time.process_time() - began) / cards["own"]

    got = best({
        "floor": lambda: floor_per_card(spec),
        **{name: lambda job=job: per_card(job) for name, job in loops.items()},
    })  # fmt: skip
    out = []
    for name, label in (("general", "general loop"), ("own", "loop of its own")):
        detail = f"{got[name] * 1e9:.1f} ns a card, {got[name] / got['floor']:.2f} × dealing alone"
        rate = games / (got[name] * cards["own"])
        title = f"{spec}, {len(bots)} × {bots[0] if len(set(bots)) == 1 else 'stay-N'}, {label}"
        out.append((title, f"{rate:,.0f} games/s", wanted if name == "own" else "", detail))
    return out


def child(code: str, **environment: str) -> float:
    """Seconds that a new process takes for this."""
    env = {**os.environ, "PITBOSS_QUIET": "1", **environment}
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=env, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def interpreted_games_per_second() -> float:
    code = (
        "from pitboss import simulate\n"
        f"print(simulate('flip7:numbers', {STAYERS}, 8, 1, 1).to_dict()['games_per_second'])"
    )
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    return float(done.stdout)


HELP = "import sys; sys.argv = ['pitboss', '--help']\nfrom pitboss.cli.app import main\nmain()"
BARE = (
    "import sys, typer\nsys.argv = ['bare', '--help']\napp = typer.Typer(rich_markup_mode='rich')\n"
    "@app.command()\ndef a():\n    'One.'\n@app.command()\ndef b():\n    'Two.'\napp()"
)
SIMULATE = "from pitboss import simulate; simulate('flip7:official', ['ev', 'stay-25'], games=2)"


def show_rows() -> list[tuple[str, str, str, str]]:
    """The hidden-card game: its bots' time for a decision."""
    spec, out = "show:classic", []
    for name, wanted, games in (("counter", "at most 20 µs", 20_000), ("cfr", "", 20_000), ("mc-100", "", 400)):
        runs = [simulate(spec, [name, name], games, 1, 1) for _ in range(3)]
        micros = min(r.seconds / r.decisions for r in runs) * 1e6
        out.append((f"{spec}, {name}: a decision", f"{micros:.2f} µs", wanted, "the engine's time included"))
    return out


def solver_rows() -> list[tuple[str, str, str, str]]:
    """Bots that know the answer or search for it, in whole games, their tables ready; and one answer of the oracle."""
    out = []
    for spec, bots, games, wanted in (
        ("flip7:solo", ["race"], 2_000, "at least 1,000"),
        ("flip7:solo", ["race(deck=fresh)"], 40_000, "at least 20,000"),
        ("flip7:solo", ["oracle"], 2_000, ""),
        ("flip7:numbers", ["oracle", "ev"], 1_000, ""),
        ("flip7:numbers", ["winner", "ev"], 400, ""),
        ("flip7:official", ["hunter", "ev"], 200, ""),
        ("flip7:simulation", ["adaptive", "ev"], 4_000, ""),
        ("flip7:official", ["rollout", "ev"], 400, "at least 100"),
        ("flip7:numbers", ["rollout", "ev"], 400, "at least 100"),
    ):
        rate = max((lambda r: r.games / r.seconds)(simulate(spec, bots, games, 1, 1)) for _ in range(3))
        out.append((f"{spec}, {' against '.join(bots)}", f"{rate:,.0f} games/s", wanted, "one thread"))
    game, times = load("flip7:solo"), []
    for _ in range(50):
        began = time.perf_counter()
        solve_round(game)
        times.append(time.perf_counter() - began)
    took = f"{min(times) * 1e3:.2f} ms"
    out.append(("the exact answer to a round of flip7:solo", took, "at most 1 ms", "from its beginning, 85 cards"))
    return out


def arena_rows() -> list[tuple[str, str, str, str]]:
    """Tournaments: what a process of its own costs a bot, and the whole with schedule, store and ratings."""
    runs = [measure_referee() for _ in range(3)]
    quick = min(runs, key=lambda run: run["overhead_us"])
    times = f"{quick['outside_us']} µs against {quick['inside_us']} µs in process, {quick['decisions']:,} decisions"
    rate = max(run["games_per_second"] for run in runs)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        cup = Tournament("flip7:tournament", STAYERS, best_of=5, blocks=300, seed=1, store=f"{folder}/games.db")
        games = cup.play().games
        whole = games / (time.perf_counter() - began)
    two = max(run["games_per_second_2_workers"] for run in runs)
    alone = "flip7:tournament, 2 seats, a new process for each bot and game"
    return [
        ("sandboxed Python bots: a decision, above its own time", f"{quick['overhead_us']} µs", "at most 40 µs", times),
        ("sandboxed Python bots, one worker", f"{rate:.0f} games/s", "at least 260", alone),
        ("sandboxed Python bots, two workers", f"{two:.0f} games/s", "at least 480", alone),
        ("a tournament of built-in bots", f"{whole:,.0f} games/s", "", f"{games:,} games, SQLite and ratings included"),
    ]  # fmt: skip


def room_rows() -> list[tuple[str, str, str, str]]:
    """The room in the browser, crowded."""
    found = min((measure_room() for _ in range(3)), key=lambda run: run["p99_ms"])
    detail = (
        f"100 games and 200 watchers at once, {found['moves']:,} moves, median {found['median_ms']:.0f} ms, "
        f"{found['server_cpu_ms_per_move']:.1f} ms of processor time each, {found['lost']} watchers missed a step"
    )
    return [("the room in the browser: 99 of 100 moves within", f"{found['p99_ms']:.0f} ms", "under 100 ms", detail)]


def rows() -> list[tuple[str, str, str, str]]:
    out = []
    out += loop_rows("flip7:numbers", STAYERS, "at most 1.6 × dealing alone")
    out += loop_rows("flip7:official", STAYERS, "twice the best C++ (peers.md)")
    out += loop_rows("flip7:official", ["ev"] * 4, "the best C++ (peers.md)")
    out += loop_rows("show:classic", ["show-6"] * 2, "1,500,000")
    out += show_rows()
    out += solver_rows()
    for preset in ("tournament", "simulation", "solo"):
        bots = ["stay-25"] if preset == "solo" else STAYERS
        rate = max((lambda r: r.games / r.seconds)(simulate(f"flip7:{preset}", bots, 20_000, 1, 1)) for _ in range(5))
        out.append((f"flip7:{preset}, {len(bots)} × stay-N", f"{rate:,.0f} games/s", "", "one thread"))
    got = best({
        "one": lambda: seconds_per_card("flip7:official", 1, 120_000),
        "two": lambda: seconds_per_card("flip7:official", 2, 120_000),
    })  # fmt: skip
    out.append(("two threads / one", f"{got['one'] / got['two']:.2f}", "at least 1.7", "flip7:official"))
    compiled_rate = max(
        (lambda r: r.games / r.seconds)(simulate("flip7:numbers", STAYERS, 20_000, 1, 1)) for _ in range(5)
    )
    slow = max(interpreted_games_per_second() for _ in range(2))
    out.append(
        ("compiled / interpreted", f"{compiled_rate / slow:,.0f}", "at least 200", f"{slow:.1f} games/s interpreted")
    )
    for bots, label in (([Stay25] * 4, "stay-25"), ([Bust25] * 4, "bust-0.25"), ([Stay25, Bust25] * 2, "two of each")):
        rate = max((lambda r: r.decisions / r.seconds)(simulate("flip7:numbers", bots, 400, 1)) for _ in range(9))
        out.append(
            (
                f"Python bots in process: {label}",
                f"{rate:,.0f} decisions/s",
                "at least 400,000",
                "flip7:numbers, 4 seats",
            )
        )
    out += arena_rows()
    out += env_rows()
    out += room_rows()
    got = best({"ours": lambda: child(HELP), "bare": lambda: child(BARE)}, 9)
    extra = got["ours"] - got["bare"]
    out.append(
        (
            "pitboss --help above a bare Typer app",
            f"{extra:.2f} s",
            "at most 0.15 s",
            f"{got['ours']:.2f} s against {got['bare']:.2f} s",
        )
    )
    with tempfile.TemporaryDirectory() as cache:
        first = child(SIMULATE, PITBOSS_CACHE=cache)
        second = min(child(SIMULATE, PITBOSS_CACHE=cache) for _ in range(5))
    out.append(("first simulation on a machine, compiling", f"{first:.1f} s", "under 60 s", "whole process"))
    out.append(("simulation in the next process", f"{second:.2f} s", "under 2 s", "whole process"))
    return out


def machine() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}"
    return f"{cpu}, {os.cpu_count()} cores, {versions}"


def main() -> None:
    table = ["| what | measured | wanted | detail |", "|---|---|---|---|"]
    for row in rows():
        table.append("| " + " | ".join(row) + " |")
        print(" | ".join(row), flush=True)
    head = f"pitboss {__version__}, {date.today()}: {machine()}. Command: `make bench`."
    block = "\n".join(["<!-- begin: made by benchmarks/run.py -->", head, "", *table, "<!-- end -->"])
    text = REPORT.read_text() if REPORT.exists() else "# Benchmarks\n\n<!-- begin --><!-- end -->\n"
    REPORT.write_text(re.sub(r"<!-- begin.*?<!-- end -->", lambda _: block, text, flags=re.DOTALL))
    print(f"\nWritten to {REPORT.name}.")


if __name__ == "__main__":
    main()
