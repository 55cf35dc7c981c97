"""What the sandbox costs: how much longer a decision takes in a process of its own, and games a second.

python benchmarks/arena.py

It runs with older versions of pitboss, too, for figures of both in one run.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from pitboss import Tournament
from pitboss.core.keys import Key
from pitboss.core.play import Runner, Seats
from pitboss.core.registry import line_up, load
from pitboss.tournament.entering import contestants
from pitboss.tournament.referee.seats import Referee

BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Stay(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < 25 else STAY
"""


def _timed(seats: Seats, games: int) -> tuple[list[float], float]:
    """Seconds of each decision that is asked of a Python bot, and of the whole."""
    times: list[float] = []
    ask = seats.ask

    def timed(raw: bytes, seat: int) -> int:
        began = time.perf_counter()
        move = ask(raw, seat)
        times.append(time.perf_counter() - began)
        return move

    seats.ask = timed  # type: ignore[method-assign]
    runner, rows = Runner(seats), np.zeros((len(seats.entrants), seats.game.width))
    runner.play(Key.from_seed(0), 0, 0, rows)
    times.clear()
    began = time.perf_counter()
    for deal in range(games):
        runner.play(Key.from_seed(1), deal, 0, rows)
    return times, time.perf_counter() - began


def games_per_second(bots: list[str], workers: int, blocks: int, spec: str = "flip7:tournament") -> float:
    """Of a tournament in memory, from when a fifth of its matches are played: the workers have started by then."""
    seen: list[tuple[float, int]] = []
    tournament = Tournament(spec, bots, blocks=blocks, seed=1)
    tournament.play(watch=lambda progress: seen.append((time.perf_counter(), progress.games)), workers=workers)
    (began, before), (ended, games) = seen[len(seen) // 5], seen[-1]
    return (games - before) / (ended - began)


def measure_referee(spec: str = "flip7:tournament", games: int = 200) -> dict[str, Any]:
    """A Python bot against itself, inside and under the referee.

    The overhead is the median time of a decision under the referee less that of the same decisions
    inside; games a second are those of a tournament, with a process for every bot that is made for every game.
    """
    game = load(spec)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.py")
        path.write_text(BOT)
        bots = [f"{path}:Stay"] * 2
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(cores)})  # as a tournament's worker and its bots keep to one core
        inside, _ = _timed(Seats(game, line_up(bots, game)), games)
        with Referee(game) as referee:
            outside, _ = _timed(referee.seats(contestants(bots, game, referee)), games)
        os.sched_setaffinity(0, cores)
        one, two = (max(games_per_second(bots, workers, 2 * games) for _ in range(3)) for workers in (1, 2))
    return {
        "game": spec,
        "decisions": len(outside),
        "inside_us": round(1e6 * statistics.median(inside), 1),
        "outside_us": round(1e6 * statistics.median(outside), 1),
        "overhead_us": round(1e6 * (statistics.median(outside) - statistics.median(inside)), 1),
        "games_per_second": round(one, 1),
        "games_per_second_2_workers": round(two, 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure_referee(), indent=2))
