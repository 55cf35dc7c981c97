"""What experience adds to the model of the chance to win: a small net that learned from games.

The model (see `winner`) adds up the odds against each other seat, whose round it forecasts by a simple rule. It leaves
out modifiers, action cards and Second Chances to come, that a Flip 7 ends the round for all, and how more than two play
for the win. The net has seen how games went on from such forecasts, and puts the model's odds right: of each other seat
it reads the forecast and its points, adds up what it makes of them, so that it serves tables of any size, and then
reads what is common: our points, the cards left, how many still play.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.odds import all_coming, duplicates_coming
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.state import State

ABOUT_OTHER, ABOUT_POINTS, ABOUT_TABLE = 9, 6, 7  # how many numbers the net reads about each
LOG_2 = math.log(2.0)
SURE = 1e-4  # chances nearer to 0 or 1 than this count as so near


class Experience(NamedTuple):
    """The weights of the net."""

    other: Any  # by what it reads of another seat, then of our points, and last the bias: by neuron
    table: Any  # by what the first layer says, then of our points, of the table, and the bias: by neuron
    odds: Any  # by neuron, and last the bias


@compiled
def experience(numbers: Array) -> Experience:
    """The weights from one row of numbers; the first two say how many neurons the layers have."""
    first, second, at = int(numbers[0]), int(numbers[1]), 2
    rows = ABOUT_OTHER + ABOUT_POINTS + 1
    other = numbers[at : at + rows * first].reshape(rows, first)
    at += rows * first
    rows = first + ABOUT_POINTS + ABOUT_TABLE + 1
    table = numbers[at : at + rows * second].reshape(rows, second)
    at += rows * second
    return Experience(other, table, numbers[at : at + second + 1])


@compiled
def about_other(s: State, r: State, seat: int, other: int, ends: Array, plays: int, out: Array) -> None:
    """Fill in what the net reads about another seat, whose round ends like `ends`; `plays` is 1 if it is not over."""
    target, theirs, seats = int(r["target"]), int(s["total"][other]), int(s["seats"])
    mean, square, there, near = 0.0, 0.0, 0.0, 0.0
    for points in range(POINTS):
        p = ends[points]
        if p > 0.0:
            mean += p * points
            square += p * points * points
            there += p if theirs + points >= target else 0.0
            near += p if theirs + points >= target - 25 else 0.0
    out[0] = theirs / 100.0 - 1.0
    out[1] = mean / 25.0
    out[2] = math.sqrt(max(square - mean * mean, 0.0)) / 25.0
    out[3], out[4], out[5], out[6] = ends[0], there, near, plays
    away = other - seat if other > seat else other - seat + seats
    out[7] = away / seats
    out[8] = int(s["points"][other]) / 25.0


@compiled
def about_table(s: State, seat: int, playing: int, out: Array) -> None:
    """Fill in what the net reads about the table; so many seats are `playing` on."""
    left = all_coming(s)
    out[0] = int(s["seats"]) / 4.0 - 1.0
    out[1] = playing / 4.0 - 1.0
    out[2] = left / 94.0
    out[3] = int(s["numbers"][seat]) / 3.5 - 1.0
    out[4] = duplicates_coming(s, seat) / max(left, 1)
    out[5] = int(s["total"][seat]) / 100.0 - 1.0
    out[6] = int(s["chance"][seat])


@compiled_as(inline=False)
def put_right(net: Experience, others: Array, table: Array, total: int, target: int, chances: Array) -> None:
    """Put right the chances to win with 0, 1, 2, … points more than our total.

    `others` are lines of `about_other`, `table` is of `about_table`.
    """
    first, second = net.other.shape[1], net.table.shape[1]
    seats, common = np.empty((len(others), first)), np.empty(second)
    points, pooled, here = np.empty(ABOUT_POINTS), np.empty(first), np.empty(second)
    for o in range(len(others)):
        seats[o] = net.other[ABOUT_OTHER + ABOUT_POINTS]
        for i in range(ABOUT_OTHER):
            for j in range(first):
                seats[o, j] += others[o, i] * net.other[i, j]
    common[:] = net.table[first + ABOUT_POINTS + ABOUT_TABLE]
    for i in range(ABOUT_TABLE):
        for j in range(second):
            common[j] += table[i] * net.table[first + ABOUT_POINTS + i, j]
    for x in range(len(chances)):
        chance = min(max(chances[x], SURE), 1.0 - SURE)
        odds = _log(chance / (1.0 - chance))
        points[0], points[1] = x / 25.0, (total + x) / 100.0 - 1.0
        points[2] = 1.0 if total + x >= target else 0.0
        points[3], points[4] = odds / 3.0, max(total + x - target + 30, 0) / 30.0
        points[5] = 1.0 if x == 0 else 0.0
        pooled[:] = 0.0
        here[:] = 0.0
        for i in range(ABOUT_POINTS):
            for j in range(first):
                here[j] += points[i] * net.other[ABOUT_OTHER + i, j]
        for o in range(len(others)):
            for j in range(first):
                pooled[j] += max(seats[o, j] + here[j], 0.0)
        here[:] = common
        for i in range(first):
            for j in range(second):
                here[j] += pooled[i] * net.table[i, j]
        for i in range(ABOUT_POINTS):
            for j in range(second):
                here[j] += points[i] * net.table[first + i, j]
        more = net.odds[second]
        for j in range(second):
            more += max(here[j], 0.0) * net.odds[j]
        chances[x] = _share(odds + more)
    for x in range(1, len(chances)):  # a point more must not seem to be worth less
        chances[x] = max(chances[x], chances[x - 1])


@compiled
def _log(value: float) -> float:
    """The natural logarithm, by a series: WebAssembly has no function for it."""
    whole = 0
    while value >= 1.5:
        value *= 0.5
        whole += 1
    while value < 0.75:
        value *= 2.0
        whole -= 1
    t = (value - 1.0) / (value + 1.0)
    square = t * t
    return whole * LOG_2 + 2.0 * t * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0))))


@compiled
def _share(odds: float) -> float:
    """The chance whose odds have this logarithm."""
    far, power, term = min(abs(odds), 30.0), 1.0, 1.0
    whole = int(far)
    for i in range(1, 12):
        term *= (far - whole) / i
        power += term
    for _ in range(whole):
        power *= math.e
    return power / (1.0 + power) if odds > 0.0 else 1.0 / (1.0 + power)
