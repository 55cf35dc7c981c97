"""Chances that come true: what the model of the chance to win says, put right by games that strong bots played.

The model (see `prospects`) looks at the other seats one by one and adds up their odds; so at a full table it promises
too much to who is ahead. How often it is right was counted in games of `hunter` against itself, and a straight line
through the log-odds, one for each number of seats, puts it right. The line rises, so it never changes which move is
best. `python -m pitboss.games.flip7.calibration` works the lines out anew; `benchmarks/calibration.py` and a test
compare what is told with what is won, in other games.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.keys import draw
from pitboss.core.registry import bot, load
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, RulesRecord
from pitboss.games.flip7.bots.counting import worth_of_hit
from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.winner import WinModel, chances, win_model, winner_bot
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import POINTS, Floats
from pitboss.games.flip7.state import HIT_OR_STAY, State
from pitboss.games.flip7.step import apply

TOLD, WON, GAME = 0, 1, 2  # columns of a sample
ONE_IN_8 = np.uint64(1 << 61)  # so many decisions are looked at
MOST_DECISIONS = 4096  # of a game


@compiled
def _told(s: State, r: State, seat: int, model: WinModel) -> float:
    """The chance to win that the model gives to a seat that must hit or stay."""
    rounds, utility = np.zeros((int(s["seats"]), POINTS)), np.empty(POINTS)
    for other in range(len(rounds)):
        if other != seat:
            forecast(s, other, AS_EV, NOTHING, rounds[other])
    chances(s, seat, model, rounds, utility)
    return max(utility[int(s["points"][seat])], worth_of_hit(s, r, seat, utility))  # type: ignore[no-any-return]


@compiled_as(inline=False)
def _play(states: Array, rules: RulesRecord, model: WinModel, params: Array, luck: np.uint64, out: Array) -> int:
    """Play a game that has just begun, `hunter` against itself; fills in some decisions, and returns how many."""
    s, r, count = states[0], rules[0], 0
    asked = np.zeros(len(out), np.int64)
    while int(s["to_act"]) != OVER:
        seat = int(s["to_act"])
        luck = next_luck(luck)
        bits = luck_bits(luck)
        if seat == DEALER:
            apply(s, r, draw(s["left"], int(s["left_total"]), bits), None)
            continue
        if int(s["decision"]) == HIT_OR_STAY and bits < ONE_IN_8 and count < len(out):
            out[count, TOLD], asked[count] = _told(s, r, seat, model), seat
            count += 1
        apply(s, r, winner_bot(s, r, seat, params, bits), None)
    winners = 0
    for other in range(int(s["seats"])):
        winners += int(s["won"][other])
    for i in range(count):
        out[i, WON] = int(s["won"][asked[i]]) / max(winners, 1)
    return count


def sample(game: Flip7, seats: int, games: int, seed: int) -> Floats:
    """Decisions of games that `hunter` plays against itself: the chance by the model, the share won, the game."""
    params = np.array(bot("hunter", game).params, np.float64)
    model, out = win_model(game), []
    for n in range(games):
        rows, luck = np.zeros((MOST_DECISIONS, 3)), luck_bits(np.uint64(seed * 1_000_003 + n))
        count = _play(game.start(seats).states.copy(), game.record, model, params, np.uint64(luck), rows)
        rows[:count, GAME] = n
        out.append(rows[:count])
    return np.concatenate(out)


# --- the lines ---

# By the number of seats: where the log-odds of even chances go, and by how much they rise; the last is for more seats.
LINES: dict[int, tuple[float, float]] = {2: (0.0, 1.0)}
TINY = 1e-9


def corrected(chance: float, seats: int) -> float:
    """The chance to win that comes true, for what the model says.

    >>> corrected(0.0, 4), corrected(1.0, 4)
    (0.0, 1.0)
    """
    if not TINY < chance < 1 - TINY:
        return chance  # the game is decided
    level, slope = LINES[min(seats, max(LINES))]
    return float(1 / (1 + np.exp(-level - slope * np.log(chance / (1 - chance)))))


def line(decisions: Floats) -> tuple[float, float]:
    """The line through the log-odds that makes what was won most likely (Newton's method)."""
    told = np.clip(decisions[:, TOLD], TINY, 1 - TINY)
    x = np.stack([np.ones(len(told)), np.log(told / (1 - told))], axis=1)
    found = np.array([0.0, 1.0])
    for _ in range(20):
        p = 1 / (1 + np.exp(-x @ found))
        found += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x, x.T @ (decisions[:, WON] - p))
    return float(found[0]), float(found[1])


class Tenth(NamedTuple):
    """Decisions with chances of about the same size."""

    decisions: int
    told: float  # on average
    won: float
    error: float  # the standard error of their difference; decisions of a game go together


def tenths(decisions: Floats, seats: int) -> list[Tenth]:
    """What is told and what is won, by the size of the chance that is told."""
    told = np.array([corrected(chance, seats) for chance in decisions[:, TOLD]])
    place, out = np.minimum((told * 10).astype(np.int64), 9), []
    for n in np.unique(place):
        here = place == n
        off = decisions[here, WON] - told[here]
        by_game = np.bincount(decisions[here, GAME].astype(np.int64), off - off.mean())
        error = float(np.sqrt((by_game**2).sum())) / len(off)
        out.append(Tenth(len(off), float(told[here].mean()), float(decisions[here, WON].mean()), error))
    return out


def main() -> None:
    """Work the lines out anew, from some thousand games for each number of seats: half an hour on a core."""
    game = cast(Flip7, load("flip7:official"))
    for seats in range(2, 7):
        print(seats, line(sample(game, seats, 20_000 // seats, 1)))


if __name__ == "__main__":
    main()
