"""The model behind strengths: finishes as chains of choices (Plackett-Luce, with ties after Davidson).

Every bot has a worth. Who comes first is chosen from all at the table, who comes next from those who
are left, and so on. A bot is chosen in proportion to its worth; a group of d bots that tie is chosen in
proportion to the geometric mean of their worths, times one number for all ties of d bots. For two bots
this is the Bradley-Terry model with Davidson's ties. The groups of a large table are too many; a finish of more
than six bots is therefore taken apart into its pairs, and each pair is a choice.

The logarithms of the worths and of the numbers for ties are found together, by Newton's method on the
likelihood, for many weightings of the blocks at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from pitboss.core.types import Floats, Ints

REACH = 1.5  # the most a step may change the odds of any choice (in logarithms): below 1.79 no step can do harm
STEPS = 100
MOST_SEATS = 6
NEARBY = 400_000  # numbers that a processor holds close by
SMALL = 60  # rows of matrices which linear algebra does not share out to threads: these wait for each other when others
# use the cores, and the table of a large tournament took ten times as long


@dataclass(frozen=True)
class Prior:
    """Made-up choices, won and lost so many times: each bot against the mean of the others, and each size of tie
    against one winner among equals."""

    won: Floats  # [weighting, number]
    lost: Floats


@dataclass(frozen=True)
class Stage:
    """All choices among the same number of bots, summed up by block and set."""

    sets: Ints  # [set, bot]
    block: Ints  # [entry]
    which: Ints  # [entry] the set
    count: Floats  # [entry]


class Chain:
    """All choices in many finishes. The numbers to be found: a log worth per bot, then one per size of tie."""

    def __init__(self, bots: int, players: Ints, places: Ints, blocks: Ints) -> None:
        """One row at least; `blocks` counts from 0 without gaps."""
        if players.shape[1] > MOST_SEATS:
            players, places, blocks = _pairs(players, places, blocks)
        rows, seats = players.shape
        order = np.lexsort((players, places))
        players, places = np.take_along_axis(players, order, 1), np.take_along_axis(places, order, 1)
        begins = np.ones((rows, seats + 1), bool)  # where a group of equal places begins
        begins[:, 1:seats] = places[:, 1:] != places[:, :-1]
        at = np.where(begins, np.arange(seats + 1), seats + 1)
        end = np.minimum.accumulate(at[:, ::-1], axis=1)[:, ::-1]  # the next beginning from here on
        self.bots, self.blocks = bots, int(blocks.max()) + 1
        self.stages: list[Stage] = []
        chosen, tied = [], []
        for j in range(seats - 1):  # the last one left is no choice
            here = np.flatnonzero(begins[:, j])
            if not len(here):
                continue
            size = end[here, j + 1] - j
            sets, which = np.unique(np.sort(players[here, j:], axis=1), axis=0, return_inverse=True)
            entries, count = np.unique(np.stack([blocks[here], which.reshape(-1)]), axis=1, return_counts=True)
            self.stages.append(Stage(sets, entries[0], entries[1], count.astype(float)))
            for i in range(j, seats):
                inside = i - j < size
                chosen.append(np.stack([blocks[here], players[here, i], size])[:, inside])
            tied.append(np.stack([blocks[here], size])[:, size > 1])
        self.ties = tuple(int(d) for d in np.unique(np.concatenate([t[1] for t in tied])))  # sizes that were seen
        self._count_chosen(np.concatenate(chosen, axis=1), np.concatenate(tied, axis=1))

    def _count_chosen(self, chosen: Ints, tied: Ints) -> None:
        """Per block and number: how often chosen; a bot in a tie of d counts 1/d."""
        (block, bot, size), count = np.unique(chosen, axis=1, return_counts=True)
        (tie_block, tie_size), tie_count = np.unique(tied, axis=1, return_counts=True)
        number = self.bots + np.searchsorted(np.asarray(self.ties, np.int64), tie_size)
        self._chosen_block = np.concatenate([block, tie_block])
        self._chosen_number = np.concatenate([bot, number])
        self._chosen_count = np.concatenate([count / size, tie_count.astype(float)])

    @property
    def numbers(self) -> int:
        """How many numbers are to be found."""
        return self.bots + len(self.ties)

    @cached_property
    def middle(self) -> Floats:
        """Where each number stands if all bots are equal, and d of them as likely to tie as one of them to win."""
        return np.concatenate([np.zeros(self.bots), np.log(np.asarray(self.ties, float))])

    def _against(self, numbers: Floats) -> Floats:
        """Those of made-up choices: each bot minus the mean of the others; ties as they are."""
        out, n = numbers.copy(), self.bots
        out[:, :n] = (n * numbers[:, :n] - numbers[:, :n].sum(axis=1, keepdims=True)) / max(1, n - 1)
        return out

    def _add_against(self, curve: Floats, d: Floats) -> None:
        """Add to each curve what `_against` makes of the diagonal matrix with d: few sums, not products of matrices."""
        n, b = self.bots, -1 / max(1, self.bots - 1)
        a = -n * b
        curve[:, range(self.numbers), range(self.numbers)] += np.where(np.arange(self.numbers) < n, a * a, 1.0) * d
        d = d[:, :n]
        side = a * b * d + b * b / 2 * d.sum(axis=1, keepdims=True)
        curve[:, :n, :n] += side[:, :, None]
        curve[:, :n, :n] += side[:, None, :]

    @property
    def room(self) -> int:
        """About how many numbers a fit holds for each weighting."""
        widths = [s.sets.shape[1] + len(self.ties) for s in self.stages]
        each = [len(s.sets) * max(len(self._options(s)), w * w) for s, w in zip(self.stages, widths, strict=True)]
        return int(self.blocks + sum(each))

    def information(self, theta: Floats) -> Floats:
        """How much all finishes tell about each number."""
        counts, _ = self._weigh(np.ones((1, self.blocks)))
        return np.diagonal(self._slope(theta[None], counts)[1][0])

    def against(self, theta: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """How much more often than the model expects each number was chosen, and the curvature there, for each theta
        under one weighting [weighting, block] of the blocks, or for each weighting at one theta."""
        counts, target = self._weigh(weights)
        many = max(len(theta), len(weights))
        slope, curve = self._slope(theta, [np.broadcast_to(c, (many, c.shape[1])) for c in counts])
        return target - slope, curve

    def fit(self, weights: Floats, start: Floats, prior: Prior | None, tolerance: float) -> tuple[Floats, bool]:
        """The most likely numbers for each weighting [weighting, block] of the blocks, and whether all were found."""
        part = max(1, NEARBY // self.numbers**2)
        parts = [slice(i, i + part) for i in range(0, len(weights), part)]
        fits = [self._fit(weights[p], start, prior and Prior(prior.won[p], prior.lost[p]), tolerance) for p in parts]
        return np.concatenate([theta for theta, _ in fits]), all(found for _, found in fits)

    def _fit(self, weights: Floats, start: Floats, prior: Prior | None, tolerance: float) -> tuple[Floats, bool]:
        counts, target = self._weigh(weights)
        theta = np.repeat(start[None], len(weights), axis=0)
        busy = np.arange(len(weights))
        for step in range(STEPS):
            # all begin at the same point, so that the first step needs the model's slopes only once
            at = start[None] if step == 0 else theta[busy]
            slope, curve = self._slope(at, [c[busy] for c in counts])
            slope = target[busy] - slope
            curve[:, : self.bots, : self.bots] += 1 / self.bots  # only differences matter: hold the mean
            if prior:
                both = prior.won[busy] + prior.lost[busy]
                chance = 1 / (1 + np.exp(self.middle - self._against(at)))
                slope += self._against(prior.won[busy] - both * chance)
                self._add_against(curve, both * chance * (1 - chance))
            move = solve(curve, slope)
            reach = np.ptp(move[:, : self.bots], axis=1) + np.abs(move[:, self.bots :]).max(axis=1, initial=0)
            move /= np.maximum(1.0, reach / REACH)[:, None]
            theta[busy] += move
            busy = busy[np.abs(move).max(axis=1) >= tolerance]
            if not len(busy):
                return theta, True
        return theta, False

    def _weigh(self, weights: Floats) -> tuple[list[Floats], Floats]:
        """How often each set was chosen from, and each number was chosen, if blocks count by their weights."""
        counts = [np.empty((len(weights), len(s.sets))) for s in self.stages]
        target = np.empty((len(weights), self.numbers))
        for r, weight in enumerate(weights):
            for stage, count in zip(self.stages, counts, strict=True):
                count[r] = np.bincount(stage.which, weight[stage.block] * stage.count, len(stage.sets))
            chosen = weight[self._chosen_block] * self._chosen_count
            target[r] = np.bincount(self._chosen_number, chosen, self.numbers)
        return counts, target

    def _slope(self, theta: Floats, counts: list[Floats]) -> tuple[Floats, Floats]:
        """How often each number should have been chosen, and how that changes with the numbers."""
        many, n = len(counts[0]), self.numbers
        slope, curve = np.zeros((many, n)), np.zeros((many, n, n))
        for stage, count, (local, cells, cell) in zip(self.stages, counts, self._cells, strict=True):
            options = self._options(stage)
            worth = options @ theta[:, local]  # [weighting, option, set]: long rows are quick
            worth -= worth.max(axis=1, keepdims=True)
            chance = np.exp(worth, out=worth)
            chance /= chance.sum(axis=1, keepdims=True)
            mean = options.T @ chance
            i, j = np.triu_indices(len(local))
            spread = (options[:, i] * options[:, j]).T @ chance - mean[:, i] * mean[:, j]
            single, (left, right) = local.reshape(-1), np.divmod(cells, n)
            sums = np.empty((many, len(cells)))
            for r in range(many):
                k = min(r, len(theta) - 1)  # one theta for all, or one for each
                slope[r] += np.bincount(single, (count[r] * mean[k]).reshape(-1), n)
                sums[r] = np.bincount(cell, (count[r] * spread[k]).reshape(-1), len(cells))
            curve[:, left, right] += sums
            aside = left != right
            curve[:, right[aside], left[aside]] += sums[:, aside]
        return slope, curve

    @cached_property
    def _cells(self) -> list[tuple[Ints, Ints, Ints]]:
        """Per stage: the numbers of each set [number, set]; the cells of the curve that its pairs of numbers add to,
        each once; and which of these each pair adds to. In a large field most bots never meet, and most cells are 0."""
        out = []
        for stage in self.stages:
            ties = np.broadcast_to(np.arange(self.bots, self.numbers)[:, None], (len(self.ties), len(stage.sets)))
            local = np.concatenate([stage.sets.T, ties])
            i, j = np.triu_indices(len(local))  # the rest is the same
            cells, cell = np.unique(local[i] * self.numbers + local[j], return_inverse=True)
            out.append((local, cells, cell.reshape(-1)))
        return out

    def _options(self, stage: Stage) -> Floats:
        """What can be chosen from a set, as rows: each bot alone, each group of a size that ties."""
        return options(stage.sets.shape[1], self.ties)


def solve(curve: Floats, slope: Floats) -> Floats:
    """What each symmetric, positive matrix turns into its slope: by elimination, a block of rows at a time.

    >>> solve(np.array([[[2.0, 1.0], [1.0, 2.0]]]), np.array([[4.0, 5.0]]))
    array([[1., 2.]])
    """
    if slope.shape[1] <= SMALL:
        return np.asarray(np.linalg.solve(curve, slope[..., None])[..., 0])
    first, beside, rest = curve[:, :SMALL, :SMALL], curve[:, :SMALL, SMALL:], curve[:, SMALL:, SMALL:]
    turned = np.linalg.solve(first, np.concatenate([beside, slope[:, :SMALL, None]], axis=2))
    below = beside.transpose(0, 2, 1) @ turned
    last = solve(rest - below[..., :-1], slope[:, SMALL:] - below[..., -1])
    return np.concatenate([turned[..., -1] - (turned[..., :-1] @ last[..., None])[..., 0], last], axis=1)


def _pairs(players: Ints, places: Ints, blocks: Ints) -> tuple[Ints, Ints, Ints]:
    """Each finish as the finishes of all its pairs."""
    pairs = np.array(list(combinations(range(players.shape[1]), 2)))
    return players[:, pairs].reshape(-1, 2), places[:, pairs].reshape(-1, 2), np.repeat(blocks, len(pairs))


def options(among: int, ties: tuple[int, ...]) -> Floats:
    """All groups that can come next among so many bots: what each bot and each size of tie adds to a group's log worth.

    >>> options(2, (2,))
    array([[1. , 0. , 0. ],
           [0. , 1. , 0. ],
           [0.5, 0.5, 1. ]])
    """
    return np.array(list(_options(among, ties)))


def _options(among: int, ties: tuple[int, ...]) -> Iterator[Floats]:
    for size in (1, *ties):
        for group in combinations(range(among), size):
            row = np.zeros(among + len(ties))
            row[list(group)] = 1 / size
            if size > 1:
                row[among + ties.index(size)] = 1
            yield row
