"""Chances to win that come true: what advice tells beside what is won, in every tenth, at 2, 4 and 6 seats.

    python benchmarks/calibration.py [--decisions 100000] [--game flip7:official] [--workers 2] [--crossed]

The games are those of `hunter` against itself, others than the lines were made from. With `--crossed` the lines are not
those that pitboss has: they are made from nine tenths of these games and compared with the other tenth, ten times,
which says how right lines from so many games are. At most two points apart is wanted; the interval says what luck
explains. With 100,000 decisions for each number of seats it takes about three minutes on a core for each.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from typing import cast

import numpy as np

from pitboss import load
from pitboss.games.flip7.calibration import GAME, TOLD, crossed, put_right, sample, tenths
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats

SEATS, PARTS = (2, 4, 6), 16
A_GAME = {2: 3, 4: 6, 6: 9}  # decisions that are looked at, at least, on average


def part(spec: str, seats: int, games: int, seed: int) -> Floats:
    """Some of the games."""
    decisions = sample(cast(Flip7, load(spec)), seats, games, seed)
    decisions[:, GAME] += seed * games
    return decisions


def main() -> None:
    """Play, and print the tenths."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--game", default="flip7:official")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--crossed", action="store_true")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.workers) as pool:
        for seats in SEATS:
            games = asked.decisions // A_GAME[seats] // PARTS + 1
            parts = [pool.submit(part, asked.game, seats, games, 1000 + n) for n in range(PARTS)]
            decisions = np.concatenate([each.result() for each in parts])
            _, decisions[:, GAME] = np.unique(decisions[:, GAME], return_inverse=True)
            told = (
                crossed(decisions)
                if asked.crossed
                else put_right(decisions[:, TOLD], cast(Flip7, load(asked.game)), seats)
            )
            print(f"{asked.game}, {seats} seats: {len(decisions):,} decisions of {PARTS * games:,} games", flush=True)
            for each in tenths(decisions, told):
                off = f"{100 * (each.won - each.told):+.1f} ± {196 * each.error:.1f} points"
                print(
                    f"  told {each.told:6.1%}  won {each.won:6.1%}  {off}  ({each.decisions:,} decisions)", flush=True
                )


if __name__ == "__main__":
    main()
