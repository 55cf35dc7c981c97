"""Which bots are told apart, all pairs of a field together, and which ranks each can have.

All pairs are tested in the joint model (`luce`), so that what two bots did against everybody counts, not their few
meetings alone. For each pair, the two are given one strength, with which they win as often together as they did, and
we look how far from even they shared these wins: a score test, which also works for a bot that lost everything. How
much more than in the model luck varies, because games on the same deal are alike, is measured over all bots and blocks.

The threshold is the one that the largest of all differences between equals passes in one tournament of twenty
(simulated, with the correlations of the model). Pairs beyond it are taken out, and the rest is tested again, with the
lower threshold of fewer pairs (step-down). So any two equal bots of a field are called different in at most 5 % of
tournaments.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from pitboss.core.types import Floats, Ints
from pitboss.stats.ratings.luce import NEARBY, Chain

BoolArray = np.ndarray[Any, np.dtype[np.bool_]]

DRAWS = 4000  # of the largest difference between equals
FEWEST = 6  # blocks: five could all favour the same of two equal bots (1 in 16)
STEPS, REACH = 8, 1.5  # towards the strength that two bots have in common, and how far one goes
POWER = 0.84  # with so much beyond the threshold, four tournaments of five find a difference


@dataclass(frozen=True)
class Ranks:
    """What can be said about the order of a field, at 95 % for all of it together."""

    better: BoolArray  # [a, b] a is better than b
    low: Ints  # [bot] the best rank that it can have
    high: Ints
    more: Floats  # [a, b] how many times as many games would tell the two apart, if they differ as much as they seem to

    @classmethod
    def nothing(cls, bots: int) -> Ranks:
        """Every rank is possible."""
        none = np.zeros((bots, bots), bool)
        return cls(none, np.ones(bots, np.int64), np.full(bots, bots), np.full((bots, bots), np.inf))


def ranks(chain: Chain, theta: Floats, seen: Ints, seed: int = 0) -> Ranks:
    """Which bots are told apart, from the model, its fit, and in how many blocks each was seen."""
    n = chain.bots
    pairs = np.array(list(combinations(range(n), 2)))
    if not len(pairs) or chain.blocks < FEWEST:
        return Ranks.nothing(n)
    freedom, spread = _overdispersion(chain, theta)
    z = _scores(chain, theta, pairs) / np.sqrt(spread)
    z[seen[pairs].min(axis=1) < FEWEST] = 0.0
    largest = _differences_of_equals(chain, theta, pairs, freedom, seed)
    apart = np.zeros(len(pairs), bool)
    while True:
        threshold = float(np.quantile(largest[:, ~apart].max(axis=1), 0.95)) if not apart.all() else np.inf
        new = ~apart & (np.abs(z) > threshold)
        if not new.any():
            break
        apart |= new
    better, more = np.zeros((n, n), bool), np.full((n, n), np.inf)
    a, b = pairs.T
    better[a, b], better[b, a] = apart & (z > 0), apart & (z < 0)
    with np.errstate(divide="ignore"):
        more[a, b] = more[b, a] = np.where(apart, 1.0, np.maximum(1.0, ((threshold + POWER) / np.abs(z)) ** 2))
    return Ranks(better, 1 + better.sum(axis=0), n - better.sum(axis=1), more)


def _overdispersion(chain: Chain, theta: Floats) -> tuple[int, float]:
    """How much more than in the model the wins of bots vary from block to block, and from how many numbers we know."""
    n, part = chain.bots, max(1, NEARBY // chain.numbers**2)
    squares = expected = 0.0
    freedom = 1 - n
    for first in range(0, chain.blocks, part):
        blocks = range(first, min(first + part, chain.blocks))
        weights = np.zeros((len(blocks), chain.blocks))
        weights[np.arange(len(blocks)), list(blocks)] = 1
        off, told = chain.against(theta[None], weights)
        sat = np.diagonal(told, axis1=1, axis2=2)[:, :n]
        squares += float((off[:, :n] ** 2).sum())
        expected += float(sat.sum())
        freedom += int(((sat > 0).sum(axis=1) - 1).clip(0).sum())
    freedom = max(1, freedom)
    total = freedom + n - 1
    return freedom, max(squares / max(expected, 1e-12) * total / freedom, 1e-3)


def _scores(chain: Chain, theta: Floats, pairs: Ints) -> Floats:
    """For each pair: how much more than half of their wins the first has, in standard deviations of the model."""
    out, part = np.empty(len(pairs)), max(1, NEARBY // chain.numbers**2)
    once = np.ones((1, chain.blocks))
    for first in range(0, len(pairs), part):
        some = pairs[first : first + part]
        row, (a, b) = np.arange(len(some)), some.T
        at = np.repeat(theta[None], len(some), axis=0)
        at[row, a] = at[row, b] = (theta[a] + theta[b]) / 2
        for _ in range(STEPS):
            off, told = chain.against(at, once)
            both = told[row, a, a] + told[row, b, b] + 2 * told[row, a, b]
            move = (off[row, a] + off[row, b]) / np.maximum(both, 1e-9)
            move = np.clip(move, -REACH, REACH)
            if np.abs(move).max() < 1e-3:
                break
            at[row, a] += move
            at[row, b] += move
        spread = (told[row, a, a] + told[row, b, b] - 2 * told[row, a, b]) / 4
        out[first : first + part] = (off[row, a] - off[row, b]) / 2 / np.sqrt(np.maximum(spread, 1e-9))
    return out


def _differences_of_equals(chain: Chain, theta: Floats, pairs: Ints, freedom: int, seed: int) -> Floats:
    """[draw, pair] Differences between bots that are all equal, each by its own standard deviation."""
    n, luck = chain.bots, np.random.Generator(np.random.PCG64(seed))
    _, told = chain.against(theta[None], np.ones((1, chain.blocks)))
    told = told[0, :n, :n] + np.eye(n) * 0.25 + 1 / n  # a made-up game for each, and a fixed mean
    root = np.linalg.cholesky(np.linalg.inv(told))
    drawn = luck.standard_normal((DRAWS, n)) @ root.T
    drawn /= np.sqrt(luck.chisquare(freedom, (DRAWS, 1)) / freedom)
    a, b = pairs.T
    spread = root @ root.T
    found: Floats = np.abs(drawn[:, a] - drawn[:, b]) / np.sqrt(spread[a, a] + spread[b, b] - 2 * spread[a, b])
    return found
