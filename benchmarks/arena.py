"""What the referee costs: how much longer a decision takes in a process of its own, and games a second.

python benchmarks/arena.py
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.arena.contestant import contestants
from pitboss.arena.referee.seats import Referee
from pitboss.table.keys import Key
from pitboss.table.play import Runner, Seats
from pitboss.table.registry import line_up, load

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
    runner, rows = Runner(seats), np.zeros((len(seats.entrants), seats.game.columns))
    runner.play(Key.from_seed(0), 0, 0, rows)
    times.clear()
    began = time.perf_counter()
    for deal in range(games):
        runner.play(Key.from_seed(1), deal, 0, rows)
    return times, time.perf_counter() - began


def measure_referee(spec: str = "flip7:tournament", games: int = 200) -> dict[str, Any]:
    """A Python bot against itself, inside and under the referee.

    The overhead is the median time of a decision under the referee less that of the same decisions
    inside; games a second are with every bot in a process of its own that is made for every game.
    """
    game = load(spec)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.py")
        path.write_text(BOT)
        bots = [f"{path}:Stay"] * 2
        inside, _ = _timed(Seats(game, line_up(bots, game)), games)
        with Referee(game) as referee:
            outside, seconds = _timed(referee.seats(contestants(bots, game, referee)), games)
    return {
        "game": spec,
        "decisions": len(outside),
        "inside_us": round(1e6 * statistics.median(inside), 1),
        "outside_us": round(1e6 * statistics.median(outside), 1),
        "overhead_us": round(1e6 * (statistics.median(outside) - statistics.median(inside)), 1),
        "games_per_second": round(games / seconds, 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure_referee(), indent=2))
