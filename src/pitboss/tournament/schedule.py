"""Who meets whom: round robin, gauntlet, a balanced sample of a large field, and Swiss rounds.

A schedule is data. It knows bots only as numbers from 0 and says which of them sit down together on
which deal block; nothing in here plays or is random, so the same call always gives the same schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, comb, log

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.types import Ints

MOST_SITTINGS = 2_000_000
NEW_PAIR = 4  # a sample would rather bring two bots together for the first time than save two second meetings


@dataclass(frozen=True)
class Sitting:
    """Some bots on one deal block: as many matches as seats, so that each bot takes each seat once.

    >>> Sitting(0, (4, 7, 9)).seats(1)
    (9, 4, 7)
    """

    block: int
    bots: tuple[int, ...]  # who sits where in rotation 0

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The bot at each seat: in rotation j, bot i of the sitting is at seat (i + j) mod seats."""
        k = len(self.bots)
        return tuple(self.bots[(seat - rotation) % k] for seat in range(k))


def round_robin(bots: int, seats: int, blocks: int) -> Iterator[Sitting]:
    """Every set of bots on every block.

    >>> [sitting.bots for sitting in round_robin(bots=3, seats=2, blocks=1)]
    [(0, 1), (0, 2), (1, 2)]
    """
    _verify(bots, seats, blocks)
    _verify_length(comb(bots, seats) * blocks)
    return (_sitting(block, members) for block in range(blocks) for members in combinations(range(bots), seats))


def gauntlet(bots: int, seats: int, blocks: int, hero: int = 0) -> Iterator[Sitting]:
    """One bot with every set of the others, on every block.

    >>> [sitting.bots for sitting in gauntlet(bots=3, seats=2, blocks=1, hero=1)]
    [(1, 0), (1, 2)]
    """
    _verify(bots, seats, blocks)
    _verify_length(comb(bots - 1, seats - 1) * blocks)
    others = [bot for bot in range(bots) if bot != hero]
    if len(others) == bots:
        raise PitbossError(f"bot {hero} cannot run the gauntlet: the bots have the numbers 0 to {bots - 1}")
    return (_sitting(block, (hero, *members)) for block in range(blocks) for members in combinations(others, seats - 1))


def _verify(bots: int, seats: int, blocks: int = 1) -> None:
    """Refuse a field that cannot fill a table."""
    if seats < 1 or blocks < 1:
        what, number = ("seats", seats) if seats < 1 else ("blocks", blocks)
        raise PitbossError(f"a tournament needs at least one of its {what}, not {number}")
    if bots < seats:
        many = "1 bot" if bots == 1 else f"{bots} bots"
        fewer = f"give `seats={bots}`, or " if bots > 1 else ""
        raise PitbossError(f"{many} cannot fill a table of {seats} seats; {fewer}enter at least {seats} bots")


def _verify_length(sittings: int) -> None:
    """Refuse a schedule that nobody could write down, let alone play."""
    if sittings > MOST_SITTINGS:
        raise PitbossError(
            f"that would be {sittings:,} sets of bots and deals, and {MOST_SITTINGS:,} are possible; give fewer "
            "`blocks`, or a smaller budget of `games`"
        )


def _sitting(block: int, members: Sequence[int]) -> Sitting:
    """These bots, in an order that changes from block to block.

    Rotations give every bot every seat but leave its neighbours as they are. Other orders on other blocks see to
    it that nobody always plays after the same one; six blocks have all orders that four bots can sit in.
    """
    order = list(members[:1])
    for n, bot in enumerate(members[1:], 1):
        order.insert(1 + block % n, bot)
    return Sitting(block, tuple(order))


# --- a balanced sample ---


def sittings_for(games: int, seats: int, best_of: int) -> int:
    """How many sittings a budget of games pays for if every match goes to its last game.

    >>> sittings_for(games=1000, seats=4, best_of=5)
    50
    """
    return games // (seats * best_of)


def sample(bots: int, seats: int, sittings: int) -> list[Sitting]:
    """A schedule of so many sittings in which all bots sit equally often (±1) and every pair meets.

    A block is a round of sets without a bot in common; bots for whom there is no place sit in the next. Pairs meet
    as evenly as a search by exchanges gets them. Raises PitbossError if the sittings are too few.

    >>> len(sample(bots=30, seats=4, sittings=100))
    100
    """
    least = least_sittings(bots, seats)
    if sittings < least:
        raise PitbossError(
            f"{sittings} sittings are too few for {bots} bots at {seats} seats: "
            f"it takes {least} until every {'pair has met' if seats > 1 else 'bot has played'}"
        )
    _verify_length(sittings)
    rounds = _Rounds(bots, seats)
    out: list[Sitting] = []
    while len(out) < sittings:
        block = rounds.played
        out += [_sitting(block, members) for members in rounds.next(sittings - len(out))]
    return out


@cache
def least_sittings(bots: int, seats: int) -> int:
    """The smallest budget that `sample` accepts: whole rounds until every pair has met.

    >>> least_sittings(bots=9, seats=3)
    12
    """
    _verify(bots, seats)
    rounds = _Rounds(bots, seats)
    total = len(rounds.next())
    while not rounds.all_met:
        total += len(rounds.next())
    return total


class _Rounds:
    """Rounds of sets without a bot in common, one after the other, in which meetings are spread evenly."""

    def __init__(self, bots: int, seats: int) -> None:
        self.bots, self.seats, self.played = bots, seats, 0
        self._met = np.zeros((bots, bots), np.int64)
        self._sat = np.zeros(bots, np.int64)

    @property
    def all_met(self) -> bool:
        """Whether every pair has met."""
        return self.seats == 1 or bool((self._met + np.eye(self.bots, dtype=np.int64)).min() > 0)

    def next(self, most: int | None = None) -> list[list[int]]:
        """The next round, of this many sets at most; whoever sat least has a place first."""
        whole = self.bots // self.seats
        tables = whole if most is None else min(most, whole)
        groups = self._circle() if self.seats == 2 and tables == whole else self._searched(tables)
        for members in groups:
            self._met[np.ix_(members, members)] += 1
            self._sat[members] += 1
        np.fill_diagonal(self._met, 0)
        self.played += 1
        return groups

    def _circle(self) -> list[list[int]]:
        """All pairs in as few rounds as can be: one bot stays, the others move on around a table.

        With an odd number of bots, whoever would meet the place left empty sits out.
        """
        places = self.bots + self.bots % 2
        ring = [(self.played + i) % (places - 1) for i in range(places - 1)]
        pairs = [[ring[0], places - 1], *([ring[i], ring[-i]] for i in range(1, places // 2))]
        return [sorted(pair) for pair in pairs if max(pair) < self.bots]

    def _searched(self, tables: int) -> list[list[int]]:
        cost = 2 * self._met - NEW_PAIR * (self._met == 0)
        np.fill_diagonal(cost, 0)
        order = sorted(range(self.bots), key=lambda bot: (self._sat[bot], (bot + self.played) % self.bots))
        return _exchange(cost, _fill(cost, order, self.seats, tables), tables, self._sat)


def _fill(cost: Ints, order: Sequence[int], seats: int, tables: int) -> Ints:
    """A table for each bot, `tables` for those without one: each table is filled with whoever adds least cost."""
    at = np.full(len(order), tables)
    waiting = list(order[: tables * seats])
    for table in range(tables):
        members = [waiting.pop(0)]
        price = cost[members[0]].copy()
        while len(members) < seats:
            bot = min(waiting, key=price.__getitem__)
            waiting.remove(bot)
            members.append(bot)
            price += cost[bot]
        at[members] = table
    return at


def _exchange(cost: Ints, at: Ints, tables: int, level: Ints) -> list[list[int]]:
    """Exchange two bots of different tables as long as that lowers the cost of all pairs at one table.

    A bot at a table and one without may be exchanged only if they are of the same level. Costs are whole numbers:
    the result does not depend on how a machine adds.
    """
    everyone = np.arange(len(at))
    joining = np.zeros((len(at), tables + 1), np.int64)  # what each bot costs with all who sit at a table
    for table in range(tables):
        joining[:, table] = cost[:, at == table].sum(axis=1)
    while True:
        seated = (at != tables).astype(np.int64)
        here = joining[everyone, at]
        there = joining[:, at]  # [i, j]: what i costs at the table of j
        change = there + there.T - here[:, None] - here - cost * (seated[:, None] + seated)
        change[(at[:, None] == at) | ((seated[:, None] != seated) & (level[:, None] != level))] = 0
        i, j = divmod(int(change.argmin()), len(at))
        if change[i, j] >= 0:
            return [np.flatnonzero(at == table).tolist() for table in range(tables)]
        moved = cost[:, j] - cost[:, i]
        joining[:, at[i]] += moved
        joining[:, at[j]] -= moved
        joining[:, tables] = 0
        at[i], at[j] = at[j], at[i]


# --- Swiss ---


def swiss_rounds(bots: int, seats: int) -> int:
    """A sensible number of rounds: twice as many as would find the best without luck, and one more; never more
    than it takes to meet everybody.

    >>> swiss_rounds(bots=30, seats=2), swiss_rounds(bots=30, seats=4)
    (11, 7)
    """
    _verify(bots, seats)
    if seats == 1 or bots == seats:
        return 1
    return min(2 * ceil(log(bots, seats) - 1e-9) + 1, ceil((bots - 1) / (seats - 1)))


def swiss(
    bots: int, seats: int, round: int, points: Sequence[float], met: Sequence[Sequence[int]], sat_out: Sequence[int]
) -> list[Sitting]:
    """One Swiss round, on the block of its number: bots with nearly equal points meet, as few as possible again.

    `points` are what each bot has so far, `met[a][b]` how often two have met, `sat_out` how often each had no
    place. Those who sat out least may have to now; among them, those with the fewest points.

    >>> again = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    >>> [sitting.bots for sitting in swiss(4, 2, 1, [1, 0, 1, 0], again, [0, 0, 0, 0])]
    [(0, 2), (1, 3)]
    """
    _verify(bots, seats)
    tables = bots // seats
    places = sorted({-value for value in points})
    place = np.array([places.index(-value) for value in points], np.int64)
    staying = sorted(range(bots), key=lambda bot: (-sat_out[bot], place[bot], bot))[: tables * seats]
    order = sorted(staying, key=lambda bot: (place[bot], bot))
    field = np.array(order)
    apart = (place[field][:, None] - place[field]) ** 2
    again = np.array(met, np.int64)[np.ix_(field, field)]
    cost = apart + again * (1 + int(apart.sum()))  # no distance outweighs a meeting more
    np.fill_diagonal(cost, 0)
    starts = (np.arange(len(order)) // seats, _fill(cost, range(len(order)), seats, tables))
    found = [_exchange(cost, at, tables, np.zeros(len(order), np.int64)) for at in starts]
    best = min(found, key=lambda groups: sum(int(cost[np.ix_(members, members)].sum()) for members in groups))
    return [_sitting(round, field[members].tolist()) for members in best]
