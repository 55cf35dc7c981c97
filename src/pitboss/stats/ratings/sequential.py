"""Is A better than B? A test that may be looked at after every block, and stops when it knows.

Each deal block gives one difference from -1 to 1: the share of games that A won, minus B's. Think of a
gambler who suspects that the true mean is above some number m, and bets a part of his money on each block, at
odds that would be fair if it were m. If the mean is m or less, the probability that his money ever grows to 40
times what he began with is 1/40 at most, however long he plays (Ville's inequality). So once he has that much, m is
given up. A second gambler bets that the mean is below. What neither has refuted is the interval.

Nobody knows beforehand how much to bet. So the money is divided among gamblers who bet different parts of
it, from timid to bold, and what they own together counts. If most blocks are alike, the bold ones find out
quickly, and nobody had to say beforehand how much blocks differ.

Nothing is assumed but that differences lie from -1 to 1 and that each has the same mean whatever came before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from math import log

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.types import Floats

PARTS: Floats = 0.98 / 1.5 ** np.arange(16.0)  # of a gambler's money: from nearly all down to 0.2 %
HALVINGS = 50
MOST = 10_000  # differences looked at in one go


class Verdict(StrEnum):
    """What is known about A against B."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNDECIDED = "undecided"


class Sequential:
    """Collects differences until it is known whether A is better than B, worse, or the same to within a margin.

    The probability is 1 - alpha that `interval` contains the true mean at all times. So whatever the
    truth, and whenever one stops, a wrong verdict has a probability of alpha at most: "better" where A is not,
    "worse" where it is not, "same" where the mean is further from zero than the margin.

    What comes after the verdict is not looked at, so the result does not depend on how many differences are
    added at a time.

    >>> test = Sequential()
    >>> test.add([1, 0, 1, 1, 0])
    <Verdict.UNDECIDED: 'undecided'>
    >>> test.add([1, 0, 1, 1, 0] * 10), test.n
    (<Verdict.BETTER: 'better'>, 16)
    """

    def __init__(self, alpha: float = 0.05, margin: float = 0.01) -> None:
        if not 0 < alpha < 1:
            raise PitbossError(f"the probability of an error must lie between 0 and 1, not at {alpha}")
        if not 0 <= margin < 1:
            raise PitbossError(f"the margin must be 0 or more and less than 1, not {margin}")
        self.alpha, self.margin = alpha, margin
        self.verdict = Verdict.UNDECIDED
        self._enough = log(2 / alpha)
        self._seen: Counter[float] = Counter()
        # log money of the gamblers who bet on: more than 0, less than 0, more than -margin, less than margin
        self._money = np.zeros((4, len(PARTS)))

    @property
    def n(self) -> int:
        """How many blocks were looked at."""
        return self._seen.total()

    @property
    def mean(self) -> float:
        """The mean difference; 0 before the first block."""
        return sum(value * count for value, count in sorted(self._seen.items())) / max(1, self.n)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies, at any time, with probability 1 - alpha."""
        return self._end(1), -self._end(-1)

    def _end(self, sign: int) -> float:
        """The lowest mean that is not refuted; with sign -1, of the differences with their signs turned."""
        values, counts = np.array(sorted(self._seen)), np.array([n for _, n in sorted(self._seen.items())], float)
        low, high = -1.0, 1.0
        for _ in range(HALVINGS):  # the higher m, the less a gambler wins who bets on more
            m = (low + high) / 2
            refuted = _together(counts @ _gains(sign * values, m)) >= self._enough
            low, high = (m, high) if refuted else (low, m)
        return low

    def add(self, differences: Iterable[float]) -> Verdict:
        """Look at more blocks, one after another, until there is a verdict."""
        new = np.array(list(differences), float)
        if not (np.abs(new) <= 1).all():
            raise PitbossError("a difference between shares of wins must lie from -1 to 1")
        for first in range(0, len(new), MOST):
            if self.verdict is Verdict.UNDECIDED:
                self._look(new[first : first + MOST])
        return self.verdict

    def _look(self, new: Floats) -> None:
        bets = [_gains(new, 0.0), _gains(-new, 0.0), _gains(new, -self.margin), _gains(-new, -self.margin)]
        money = np.cumsum(np.concatenate([self._money[None], np.stack(bets, axis=1)]), axis=0)[1:]
        more, less, not_less, not_more = (_together(money) >= self._enough).T
        decided = np.flatnonzero(more | less | (not_less & not_more))
        stop = int(decided[0]) if len(decided) else len(new) - 1
        self._seen.update(new[: stop + 1].tolist())
        self._money = money[stop]
        if len(decided):
            self.verdict = Verdict.BETTER if more[stop] else Verdict.WORSE if less[stop] else Verdict.SAME


def _gains(differences: Floats, m: float) -> Floats:
    """[difference, part] By how much the log money of gamblers grows who bet that the mean is above m.

    They bet a part of it on something that pays (1 + difference) / (1 + m), and keep the rest.
    """
    return np.log1p(PARTS * ((differences[:, None] - m) / (1 + m)))


def _together(money: Floats) -> Floats:
    """The log of what all own together who began with equal parts of 1."""
    most = money.max(axis=-1, keepdims=True)
    total: Floats = np.log(np.exp(money - most).mean(axis=-1)) + most[..., 0]
    return total


def interval_at_any_time(values: Iterable[float], alpha: float = 0.05) -> tuple[float, float]:
    """Where the mean of numbers from -1 to 1 lies: with probability 1 - alpha at all times, whenever one looks.

    >>> low, high = interval_at_any_time([1, 0, 1, 1, 0] * 20)
    >>> 0.3 < low < 0.6 < high < 0.9
    True
    """
    test = Sequential(alpha)
    test._seen.update(values)
    return test.interval
