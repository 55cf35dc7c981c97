"""The duel: the chance to win from every pair of totals, for two players who each play their rounds alone.

The model: each round both draw from a deck of their own, fresh and whole, without seeing what the other does,
and both totals count at its end. A round is then one move of each player: which way to play it. What it
leads to is known from the pairs with more points, so the pairs are solved one by one, from the highest down.

Each is a small zero-sum game. We begin with one way to play for each side, add the best answer to what
the other side mixes, and mix anew, until no answer gains more than `GAP`. That answer is found by the round
oracle, so it is the best of all ways to play the round. A round in which neither gains a point leads back to
the same pair; its chance is an unknown that is solved for along with the mixture.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.core.types import Array
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.follow import begin_with, follow
from pitboss.games.flip7.solver.hands import POINTS, Floats, HandTable
from pitboss.games.flip7.solver.oracle import begin
from pitboss.games.flip7.solver.settle import solve
from pitboss.games.flip7.solver.table_cache import Progress, kept

Opponent = Callable[[int, int], Floats]

MOST_TARGET = 400
GAP = 1e-3  # of a game: what the best answer may gain on a mixture that counts as solved
SURE = 1e-9  # when a chance that stands on both sides counts as found
MOST_WAYS = 16  # to play a round that are mixed
MIXING = 1000  # steps of regret matching for one mixture
FEW_HANDS = 50_000  # up to which every pair of totals is solved
APART = 5  # otherwise: a solved pair serves those up to so many points below it
CLOSE = 25  # points to the target within which every pair is solved in any case

EVEN = np.full(1, 0.5)  # a tie that equals play on


@dataclass(frozen=True)
class Duel:
    """`wins[a, b]` is the chance of a player with total a against one with total b, before a round."""

    game: Flip7
    wins: Floats
    gap: float  # what a player could gain at most, in any pair, by playing the round otherwise

    def utility(self, mine: int, other: int, points: Floats) -> Floats:
        """What my points are worth if the other's round ends like this (how often with 0, 1, 2, … points)."""
        out = np.zeros(POINTS)
        worth(DuelChances(self.wins, EVEN), mine, other, points, out)
        return out


def duel(game: Flip7, progress: Progress | None = None) -> Duel:
    """An equilibrium of the model. The tables of our own rule books come with pitboss, those of others are kept on disk
    when they have been worked out.

    Action cards are left out of the deck, because what they do depends on whom they are put on.

    >>> from pitboss import load
    >>> found = duel(load("flip7:numbers(target=20)"))
    >>> round(float(found.wins[10, 0]), 2), found.gap < 0.002
    (0.67, True)
    """
    book = without_actions(game)
    if book.rules.target > MOST_TARGET:
        raise PitbossError(f"the duel is worked out for targets up to {MOST_TARGET}, not for {game}")
    table = kept("duel", book, lambda told: found(book, told), progress)
    target = int(book.rules.target)
    wins = np.empty((target, target))
    lower = np.tril_indices(target)
    wins[lower] = table[:-1]
    wins.T[lower] = 1 - wins[lower]
    return Duel(book, wins, float(table[-1]))


def found(book: Flip7, progress: Progress) -> Floats:
    """The table as it is kept: half of it, since the other half are the other player's chances, and then the gap."""
    solved, _ = equilibrium(book, progress)
    return np.append(solved.wins[np.tril_indices(len(solved.wins))], solved.gap).astype(np.float32)


def best_response(game: Flip7, opponent: Opponent, progress: Progress | None = None) -> Floats:
    """The chance to win against a given opponent, from every pair of totals, by the best play of every round.

    `opponent(own, other)` says how often its round ends with 0, 1, 2, … points when it has the total `own`
    (`rounds.opponent` makes one of a bot). `wins[a, b]` is the chance with total a when the opponent has b. A tie at
    the target is played on, where the rules say so, and counts one half where they do not.
    """
    book = without_actions(game)
    target, table = int(book.rules.target), begin(book).table
    chances, done = DuelChances(np.zeros((target, target)), np.full(POINTS, 0.5)), 0
    if book.rules.tie == "extra_round":
        _answer_ties(table, chances, opponent)
    for pairs in _diagonals(target, whole=True):
        for a, b in pairs:
            chances.wins[a, b] = answer_pair(table, chances, a, b, opponent(b, a))
        done += len(pairs)
        if progress:
            progress(done, target * target)
    return cast(Floats, chances.wins)


def _answer_ties(table: HandTable, chances: DuelChances, opponent: Opponent) -> None:
    """The chances of ties at the target and beyond it, each from those above it."""
    target, above = len(chances.wins), None
    for points in range(POINTS - 1, -1, -1):
        total = target + points
        other = opponent(total, total)
        if above is not None and np.array_equal(other, above) and np.ptp(chances.ties[points + 1 :]) == 0:
            chances.ties[points] = chances.ties[points + 1]  # nothing is different here
        else:
            chances.ties[points] = answer_pair(table, chances, total, total, other)
        above = other


def without_actions(game: Flip7) -> Flip7:
    """The same table with numbers and modifiers only, for two who do not end each other's rounds."""
    absent = dict.fromkeys(("freeze", "flip_three", "second_chance"), "absent")
    book = Flip7(game.rules.change({**absent, "solo": False, "flip7_ends_round": True}))
    return cast(Flip7, load(str(book)))  # read again: switches that change nothing are then as they usually are


def _diagonals(target: int, whole: bool = False) -> Any:
    """Pairs of totals, those with more points in sum first; the lower total first, or all."""
    for points in range(2 * target - 2, -1, -1):
        last = min(points, target - 1) if whole else points // 2
        yield [(a, points - a) for a in range(max(0, points - target + 1), last + 1)]


PlayedPairs = dict[tuple[int, int], tuple[Floats, Floats]]


def equilibrium(game: Flip7, progress: Progress | None = None) -> tuple[Duel, PlayedPairs]:
    """The table, and how both rounds end in each pair that was solved, the lower total first."""
    target, table = int(game.rules.target), begin(game).table
    apart = 1 if len(table.sets) * len(table.level) <= FEW_HANDS else APART
    chances, gaps = DuelChances(np.full((target, target), 0.5), EVEN), [0.0]
    plays: PlayedPairs = {}
    first = for_points(table)
    threads = os.cpu_count() or 1  # the pairs of a diagonal do not need each other

    def solve_some(pairs: list[tuple[int, int]]) -> None:
        for a, b in pairs:
            near = plays.get((min(a + apart, target - 1), b)) or plays.get((a, min(b + apart, target - 1)))
            mine, other = (way.copy() for way in near or (first, first))
            gaps.append(solve_pair(table, chances, a, b, mine, other))
            plays[a, b] = mine, other

    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for pairs in _diagonals(target):
            anchors = {(a, b): (_anchor(a, target, apart), _anchor(b, target, apart)) for a, b in pairs}
            solved = [pair for pair, at in anchors.items() if pair == at]
            list(pool.map(solve_some, (solved[n::threads] for n in range(threads))))
            for (a, b), at in anchors.items():
                if (a, b) != at:
                    play_pair(chances, a, b, *(plays[at] if at in plays else plays[at[1], at[0]][::-1]))
            done += len(pairs)
            if progress:
                progress(done, target * (target + 1) // 2)
    return Duel(game, chances.wins, max(gaps)), plays


def _anchor(total: int, target: int, apart: int) -> int:
    """The total that is solved in place of this one."""
    if target - total <= CLOSE:
        return total
    return min(total - total % apart + apart - 1, target - 1)


def for_points(table: HandTable) -> Floats:
    """How a round ends that is played for the most points."""
    out = np.zeros(POINTS)
    best_way(table, np.arange(POINTS, dtype=np.float64), out)
    return out


# --- compiled ---


class DuelChances(NamedTuple):
    """The chance to win before a round."""

    wins: Any  # by both totals
    ties: Any  # after a tie at the target or beyond, by the points beyond it; the last is for all above


class Ways(NamedTuple):
    """Ways to play a round of both sides, as how often they end with each number of points, against each other."""

    mine: Any
    other: Any
    payoff: Any  # the chance of the first to win, but for rounds that lead back to the same pair
    again: Any  # how often that happens


@compiled
def win_chance(chances: DuelChances, mine: int, other: int) -> float:
    """After a round: the higher total wins if one has reached the target; a tie is played on."""
    target = len(chances.wins)
    if mine < target and other < target:
        return chances.wins[mine, other]  # type: ignore[no-any-return]
    if mine == other:
        return chances.ties[min(mine - target, len(chances.ties) - 1)]  # type: ignore[no-any-return]
    return 1.0 if mine > other else 0.0


@compiled
def worth_each(chances: DuelChances, mine: int, other: int, points: Array, out: Array) -> None:
    """Fill in what each number of points is worth, given how the other's round ends."""
    for x in range(POINTS):
        out[x] = 0.0
        for y in range(POINTS):
            if points[y] > 0.0:
                out[x] += points[y] * win_chance(chances, mine + x, other + y)


@compiled
def worth(chances: DuelChances, mine: int, other: int, points: Array, out: Array) -> None:
    """The same, but it never falls: a solved pair is off by up to half the gap, so a point more can seem to be worth
    less."""
    worth_each(chances, mine, other, points, out)
    for x in range(1, POINTS):
        out[x] = max(out[x], out[x - 1])


@compiled_as(inline=False)
def best_way(table: HandTable, utility: Array, out: Array) -> float:
    """The value of the best way to play a round, and how it ends then."""
    value, best = solve(table, utility, np.zeros(len(table.plan)))
    ends = begin_with(table, 1.0)
    follow(table, best, ends, 0, len(table.sets))
    out[:] = ends.points
    return max(value, utility[0])  # type: ignore[no-any-return]


@compiled_as(inline=False)
def answer_pair(table: HandTable, chances: DuelChances, a: int, b: int, other: Array) -> float:
    """The best chance in one pair, below the target or tied beyond it, which is filled in.

    A round may lead back to the pair. The chance x of a way to play is then x = what other ends bring + x times how
    often that happens, and the best way must hold for it.
    """
    utility, mine, chance, target = np.zeros(POINTS), np.zeros(POINTS), 0.5, len(chances.wins)
    while True:
        if a < target:
            chances.wins[a, b] = chance
        else:
            chances.ties[a - target] = chance
        worth(chances, a, b, other, utility)
        better = best_way(table, utility, mine)
        if abs(better - chance) < SURE:
            return better
        back = mine[0] * other[0]
        if a - target == len(chances.ties) - 1:  # the last tie stands for all above it
            back = (mine * other).sum()
        chance = (better - back * chance) / (1.0 - back)


@compiled_as(inline=False)
def solve_pair(table: HandTable, chances: DuelChances, a: int, b: int, mine: Array, other: Array) -> float:
    """Solve one pair: fills in its chances, and how both rounds end on average. Returns the gap that is left.

    `mine` and `other` come with a way to begin with.
    """
    ways = Ways(
        np.zeros((MOST_WAYS, POINTS)), np.zeros((MOST_WAYS, POINTS)), np.zeros((MOST_WAYS, MOST_WAYS)),
        np.zeros((MOST_WAYS, MOST_WAYS)),
    )  # fmt: skip
    my_mix, other_mix = np.zeros(MOST_WAYS), np.zeros(MOST_WAYS)
    utility, my_best, other_best = np.zeros(POINTS), mine.copy(), other.copy()
    chance, count = 0.5, 0
    while True:
        ways.mine[count], ways.other[count] = my_best, other_best
        count += 1
        _pay(chances, a, b, ways, count)
        chance = _mix(ways, count, chance, my_mix, other_mix)
        mine[:] = 0.0
        other[:] = 0.0
        for i in range(count):
            mine += my_mix[i] * ways.mine[i]
            other += other_mix[i] * ways.other[i]
        _fill_in(chances, a, b, chance)
        worth(chances, a, b, other, utility)
        most = best_way(table, utility, my_best)
        worth(chances, b, a, mine, utility)
        least = 1.0 - best_way(table, utility, other_best)
        if most - least < GAP or count == MOST_WAYS:
            return most - least


@compiled
def _fill_in(chances: DuelChances, a: int, b: int, chance: float) -> None:
    chances.wins[a, b], chances.wins[b, a] = chance, 1.0 - chance
    if a == b:
        chances.wins[a, b] = 0.5


@compiled
def _pay(chances: DuelChances, a: int, b: int, ways: Ways, count: int) -> None:
    """Fill in the chances of the newest way against all others, but for rounds that lead back to the pair."""
    chances.wins[a, b] = chances.wins[b, a] = 0.0
    new, utility = count - 1, np.zeros(POINTS)
    for j in range(count):
        worth_each(chances, a, b, ways.other[j], utility)
        for i in range(count):
            if i == new or j == new:
                ways.again[i, j] = ways.mine[i, 0] * ways.other[j, 0]
                ways.payoff[i, j] = 0.0
                for x in range(POINTS):
                    ways.payoff[i, j] += ways.mine[i, x] * utility[x]


@compiled
def _mix(found: Ways, ways: int, chance: float, mine: Array, other: Array) -> float:
    """Mix the ways of both sides by regret matching; returns the chance of the first to win."""
    my_regret, other_regret = np.zeros(ways), np.zeros(ways)
    my_sum, other_sum = np.zeros(ways), np.zeros(ways)
    mine[:ways] = 1.0 / ways
    other[:ways] = 1.0 / ways
    for step in range(MIXING if ways > 1 else 1):
        matrix = found.payoff[:ways, :ways] + chance * found.again[:ways, :ways]
        _regret(matrix, other[:ways], my_regret, mine[:ways])
        _regret(-matrix.T, mine[:ways], other_regret, other[:ways])
        my_sum += (step + 1) * mine[:ways]
        other_sum += (step + 1) * other[:ways]
        if step % 20 == 0 or step == MIXING - 1:
            weight, won, back = my_sum.sum() * other_sum.sum(), 0.0, 0.0
            for i in range(ways):
                for j in range(ways):
                    won += my_sum[i] * other_sum[j] * found.payoff[i, j]
                    back += my_sum[i] * other_sum[j] * found.again[i, j]
            chance = won / (weight - back)
    mine[:ways] = my_sum / my_sum.sum()
    other[:ways] = other_sum / other_sum.sum()
    return chance


@compiled
def _regret(matrix: Any, other: Array, regret: Array, mine: Array) -> None:
    """Lean towards what would have done better."""
    ways = len(mine)
    gains, average, total = np.zeros(ways), 0.0, 0.0
    for i in range(ways):
        for j in range(ways):
            gains[i] += matrix[i, j] * other[j]
        average += mine[i] * gains[i]
    for i in range(ways):
        regret[i] = max(regret[i] + gains[i] - average, 0.0)
        total += regret[i]
    for i in range(ways):
        mine[i] = regret[i] / total if total > 0.0 else 1.0 / ways


@compiled_as(inline=False)
def play_pair(chances: DuelChances, a: int, b: int, mine: Array, other: Array) -> None:
    """Fill in the chances of one pair if both play like this."""
    chances.wins[a, b] = chances.wins[b, a] = 0.0
    utility = np.zeros(POINTS)
    worth_each(chances, a, b, other, utility)
    chance = 0.0
    for x in range(POINTS):
        chance += mine[x] * utility[x]
    _fill_in(chances, a, b, chance / (1.0 - mine[0] * other[0]))
