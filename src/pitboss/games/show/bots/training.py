"""Learning a table of near-equilibrium play: counterfactual regret minimisation by sampling.

Training walks the game's own `step`. A walk is made for one player: chance and the opponent are
sampled, and inside a window of its own decisions both answers are tried; before and after the window
its answers are sampled too, which keeps a walk short however long the game is.

A fine information set is met rarely, so it begins with what is known of the broad one that it is part of: the mean
regrets of that count like so many walks (`PRIOR`) besides its own.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, repeat
from typing import NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key, below, draw
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, Word
from pitboss.games.show.bots.cfr import PolicyTable
from pitboss.games.show.bots.sets import describe, exchanged, fine_place_of, place_of, refine
from pitboss.games.show.game import Show
from pitboss.games.show.notes import STATE, VIEW, apply, observe, start
from pitboss.games.show.rules import THOUSAND
from pitboss.games.show.state import CALL_1, CALL_2, YES, State

CAPACITY = 1 << 22  # places for broad sets
FINE_CAPACITY = 1 << 25  # and for fine ones, at most; when most are taken, no new ones are begun
NEW_SETS = 16  # fine ones that a walk begins, about; a short training needs fewer places
WINDOW = 6  # decisions of one walk at which both answers are tried
NOW = WINDOW  # the place of the state in play; those below keep states to come back to
LATEST = 24  # the last decision at which a window may begin
EXPLORE = 0.2  # how often an answer before the window is tried at random
MOST_TURNS = 10  # of one player; later it calls if it can
WALKS_UNIT = 1_000_000.0  # walks after which a walk weighs 1
STEP = 20_000  # walks between two looks at how full the table is
PRIOR = 400.0  # walks

SEEN = 2  # the column of regrets that has the weight of all walks


@compiled
def _random(luck: Word) -> float:
    luck[0] = next_luck(luck[0])
    return below(luck_bits(luck[0]), 1 << 24) / (1 << 24)


@compiled
def _sample(s: State, r: State, p: float, turned: int, luck: Word) -> None:
    apply(s, r, (1 if _random(luck) < p else 0) ^ turned, None)


class Training(NamedTuple):
    """What a training works on: information sets by their places in hash tables, and games to walk through."""

    keys: Array
    regrets: Array  # [place, answer | SEEN]
    sums: Array  # [place, answer]: how often it was given, which makes the average policy
    fine_keys: Array
    fine_regrets: Array
    fine_sums: Array
    taken: Array  # how many fine places
    states: Array
    views: Array
    luck: Word

    @classmethod
    def begin(cls, luck: np.uint64, walks: int) -> Training:
        """Nothing learned yet. Broad sets are met millions of times: single precision would lose what is added last."""
        fine = min(1 << (NEW_SETS * walks).bit_length(), FINE_CAPACITY)
        places = (
            (np.zeros(n, np.int64), np.zeros((n, 3), kind), np.zeros((n, 2), kind))
            for n, kind in ((CAPACITY, np.float64), (fine, np.float32))
        )
        games = np.zeros(WINDOW + 1, STATE), np.zeros(1, VIEW), np.array([luck], np.uint64)
        return cls(*next(places), *next(places), np.zeros(1, np.int64), *games)

    def beside(self, luck: np.uint64) -> Training:
        """The same information sets, and games and luck of its own: for another thread."""
        games = np.zeros_like(self.states), np.zeros_like(self.views)
        return self._replace(states=games[0], views=games[1], luck=np.array([luck], np.uint64))


@compiled
def _fine_place(training: Training, key: int) -> int:
    """The place of a fine set, begun if it is new; -1 if there is no room."""
    keys = training.fine_keys
    at = fine_place_of(keys, key, len(keys) - 1)
    if int(keys[at]) == 0:
        if training.taken[0] > len(keys) * 3 // 4:
            return -1
        training.taken[0] += 1
        keys[at] = key + 1
    return at


@compiled
def _chance_of_1(training: Training, at: int, fine: int, weight: float) -> float:
    """Regret matching."""
    regrets = training.regrets
    a, b = float(regrets[at, 0]), float(regrets[at, 1])
    if fine >= 0:
        known = float(regrets[at, SEEN])
        share = PRIOR * weight / known if known > 0 else 0.0
        a = a * share + float(training.fine_regrets[fine, 0])
        b = b * share + float(training.fine_regrets[fine, 1])
    a, b = max(a, 0.0), max(b, 0.0)
    return b / (a + b) if a + b > 0 else 0.5


@compiled
def _learn(regrets: Array, at: int, weight: float, zero: float, one: float, mean: float) -> None:
    regrets[at, 0] += weight * (zero - mean)
    regrets[at, 1] += weight * (one - mean)
    regrets[at, SEEN] += weight


@compiled
def walk(training: Training, r: State, me: int, window: int, weight: float) -> None:
    """Play a game that begins in states[NOW], and learn from it for the player `me`.

    Where both answers are tried, the state is kept in states[0], states[1], … until the value of the
    answer 0 is known. (A loop, because Numba cannot keep recursive functions in its cache.)
    """
    keys, sums, states, luck = training.keys, training.sums, training.states, training.luck
    v = training.views[0]
    places, turns, counts = np.zeros(WINDOW, np.int64), np.zeros(WINDOW, np.int64), np.zeros(WINDOW, np.int64)
    fines, chances, zeros = np.zeros(WINDOW, np.int64), np.zeros(WINDOW), np.zeros(WINDOW)
    tried = np.zeros(WINDOW, np.int64)
    open_branches, made = 0, 0
    s = states[NOW]
    while True:
        seat, decision = int(s["to_act"]), int(s["decision"])
        if seat == DEALER:
            luck[0] = next_luck(luck[0])
            apply(s, r, draw(s["left"], int(s["left_total"]), luck_bits(luck[0])), None)
        elif seat == OVER:
            value = int(s["payoff"][me]) / THOUSAND
            while open_branches > 0 and tried[open_branches - 1]:
                open_branches -= 1
                p, zero = chances[open_branches], zeros[open_branches]
                mean = (1 - p) * zero + p * value
                _learn(training.regrets, places[open_branches], weight, zero, value, mean)
                if fines[open_branches] >= 0:
                    _learn(training.fine_regrets, fines[open_branches], weight, zero, value, mean)
                value = mean
            if open_branches == 0:
                return
            latest = open_branches - 1
            zeros[latest] = value
            tried[latest] = 1
            made = counts[latest]
            states[NOW] = states[latest]
            apply(s, r, 1 ^ turns[latest], None)
        elif (decision == CALL_1 or decision == CALL_2) and int(s["turns"][seat]) >= MOST_TURNS:
            apply(s, r, YES, None)
        else:
            observe(s, r, seat, v)
            key, own_turned, other_turned = describe(v)
            turned = exchanged(decision, own_turned, other_turned)
            at = place_of(keys, key, CAPACITY - 1)
            keys[at] = key + 1
            fine = _fine_place(training, refine(v, key, own_turned))
            p = _chance_of_1(training, at, fine, weight)
            if seat != me:
                sums[at, 0] += weight * (1 - p)
                sums[at, 1] += weight * p
                if fine >= 0:
                    training.fine_sums[fine, 0] += weight * (1 - p)
                    training.fine_sums[fine, 1] += weight * p
                _sample(s, r, p, turned, luck)
                continue
            made += 1
            if made <= window or made > window + WINDOW:
                explore = made <= window and _random(luck) < EXPLORE
                _sample(s, r, 0.5 if explore else p, turned, luck)
                continue
            places[open_branches], fines[open_branches], chances[open_branches] = at, fine, p
            turns[open_branches], counts[open_branches], tried[open_branches] = turned, made, 0
            states[open_branches] = s
            open_branches += 1
            apply(s, r, turned, None)


@compiled_as(inline=False)
def train(training: Training, rules: Array, first: int, walks: int) -> None:
    """Make walks first, first+1, …; later ones weigh more, because they start from better play."""
    states, luck = training.states, training.luck
    for n in range(first, first + walks):
        luck[0] = next_luck(luck[0])
        window = below(luck_bits(luck[0]), LATEST + 1)
        start(states[NOW], rules[0], 2, None)
        walk(training, rules[0], n & 1, window, (n + 1.0) / WALKS_UNIT)


def learn(
    game: Show, walks: int, seed: int = 0, progress: Callable[[int, int], None] | None = None, threads: int = 1
) -> PolicyTable:
    """Train a table of near-equilibrium play.

    Threads work on the same numbers and do not wait for one another. What two of them add to one number at the same
    time may be lost, which is rare, but makes each training with several threads another one.
    """
    key, done = Key.from_seed(seed), 0
    first = Training.begin(key.low, walks)
    workers = [first, *(first.beside(np.uint64(key.stream(number)[0])) for number in range(1, threads))]
    train(first, game.record, 0, 0)  # compiled once
    with ThreadPoolExecutor(threads) as pool:
        while done < walks:
            now = min(STEP * threads, walks - done)
            starts = [done + now * number // threads for number in range(threads + 1)]
            counts = (end - start for start, end in pairwise(starts))
            list(pool.map(train, workers, repeat(game.record), starts, counts))
            done += now
            if np.count_nonzero(first.keys) > 0.8 * CAPACITY:  # a full table would be searched for ever
                raise PitbossError(
                    f"{game} has too many information sets: the table is full after {done:,} walks; ask for fewer"
                )
            if progress:
                progress(done, walks)
    return PolicyTable.of(first.keys, first.sums, first.fine_keys, first.fine_sums)
