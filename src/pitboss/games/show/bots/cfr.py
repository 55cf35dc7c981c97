"""Near-equilibrium play of the whole game of Show: counterfactual regret minimisation by sampling.

The game is far too large to solve, so information sets are merged: a player remembers its own cards
and the drawn one by their points, its opponent's roughly, which of those its opponent knows, the turn
and whether somebody has called, but not the graveyard and not the order of slots: the one with more
points comes first.

Training walks the game's own `step`. A walk is made for one player: chance and the opponent are
sampled, and inside a window of its own decisions both answers are tried; before and after the window
its answers are sampled too, which keeps a walk short however long the game is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.keys import Key, below, draw
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, Word
from pitboss.games.show.bots.rules_of_thumb import by_averages, show_bot
from pitboss.games.show.cards import LEAST_POINTS, POINTS
from pitboss.games.show.game import Show
from pitboss.games.show.notes import STATE, VIEW
from pitboss.games.show.rules import THOUSAND
from pitboss.games.show.state import (
    CALL_1,
    CALL_2,
    LOOK_OTHER,
    LOOK_OWN,
    PEEK_1,
    SWAP_OTHER,
    SWAP_OWN,
    UNKNOWN,
    WHICH_SLOT,
    YES,
    State,
)
from pitboss.games.show.step import apply, observe, start

CAPACITY = 1 << 21  # places of the training table
WINDOW = 6  # decisions of one walk at which both answers are tried
NOW = WINDOW  # the place of the state in play; those below keep states to come back to
LATEST = 24  # the last decision at which a window may begin
EXPLORE = 0.2  # how often an answer before the window is tried at random
MOST_TURNS = 10  # of one player; later it calls if it can
LATEST_TURN = 5  # later turns look alike
WALKS_UNIT = 1_000_000.0  # walks after which a walk weighs 1
STEP = 20_000  # walks between two looks at how full the table is
SURE = 0.06  # less likely answers are not given at all

USUAL = np.array([6.0])  # the call of show-6, for what the table does not know
FOLDER = Path(__file__).parent / "tables"


# --- information sets ---


@compiled
def _class(card: int) -> int:
    """A card by its points; 0 if unknown."""
    return 0 if card == UNKNOWN else int(POINTS[card]) - LEAST_POINTS + 1


@compiled
def _rough_class(card: int) -> int:
    """An opponent's card: unknown, very low, low, middling, high, very high."""
    if card == UNKNOWN:
        return 0
    points = int(POINTS[card])
    return 1 if points <= 0 else 2 if points <= 3 else 3 if points <= 6 else 4 if points <= 9 else 5


@compiled
def describe(v: State) -> tuple[int, int, int]:
    """The information set of a view as a number, and whether its own and the other slots are exchanged."""
    own_0, own_1 = _class(int(v["own"][0])), _class(int(v["own"][1]))
    other_0 = 2 * _rough_class(int(v["other"][0])) + int(v["other_known_to_other"][0])
    other_1 = 2 * _rough_class(int(v["other"][1])) + int(v["other_known_to_other"][1])
    own_turned, other_turned = 0, 0
    if own_1 > own_0:
        own_0, own_1, own_turned = own_1, own_0, 1
    if other_1 > other_0:
        other_0, other_1, other_turned = other_1, other_0, 1
    seat, decision = int(v["seat"]), int(v["decision"])
    key = decision - PEEK_1
    key = key * 2 + seat
    key = key * 2 + int(v["last_turn"])
    key = key * 8 + min(int(v["turns"][seat]), LATEST_TURN)
    key = key * 16 + own_0
    key = key * 16 + own_1
    key = key * 16 + other_0
    key = key * 16 + other_1
    key = key * 16 + (_class(int(v["drawn"])) if int(v["drawn"]) != UNKNOWN else 0)
    key = key * 16 + int(v["power"])
    if decision > SWAP_OWN:
        key = key * 4 + 2 * (int(v["own_slot"]) ^ own_turned) + (int(v["other_slot"]) ^ other_turned)
    else:
        key = key * 4
    return key, own_turned, other_turned


@compiled
def _turned(decision: int, own_turned: int, other_turned: int) -> int:
    """Whether the answers 0 and 1 change places: they do if they name slots that do."""
    if decision == LOOK_OTHER or decision == SWAP_OTHER:
        return other_turned
    if decision <= PEEK_1 + 1 or decision == WHICH_SLOT or decision == LOOK_OWN or decision == SWAP_OWN:
        return own_turned
    return 0


@compiled
def _place(keys: Array, key: int, mask: int) -> int:
    """The place of a key in a hash table: where it is, or where it can go."""
    at = (key * 0x9E3779B1 + (key >> 21)) & mask
    while int(keys[at]) != 0 and int(keys[at]) != key + 1:
        at = (at + 1) & mask
    return at


# --- tables ---


@dataclass(frozen=True)
class PolicyTable:
    """A policy: for every information set the chance, in 255ths, of the answer 1."""

    keys: Array
    chances: Array

    @classmethod
    def of(cls, keys: Array, sums: Array) -> PolicyTable:
        """The average policy of a training."""
        total = sums.sum(axis=1)
        kept = total > 0
        order = np.argsort(keys[kept])
        share = sums[kept, 1] / total[kept]
        share = np.where(share < SURE, 0.0, np.where(share > 1 - SURE, 1.0, share))
        return cls(keys[kept][order] - 1, np.rint(255 * share[order]).astype(np.uint8))

    def __len__(self) -> int:
        return len(self.keys)

    def save(self, path: Path) -> None:
        """Write the table; keys as differences, which compress well."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, steps=np.diff(self.keys, prepend=0), chances=self.chances)

    @classmethod
    def load(cls, path: Path) -> PolicyTable:
        """Read a table."""
        with np.load(path) as file:
            return cls(np.cumsum(file["steps"]), file["chances"])

    def params(self) -> Array:
        """The table as a compiled bot reads it: the size of a hash table, its keys, its chances."""
        size = 1 << (2 * len(self) - 1).bit_length()
        out = np.zeros(1 + 2 * size)
        out[0] = size
        _fill(out, self.keys, self.chances)
        return out


@compiled_as(inline=False)
def _fill(params: Array, keys: Array, chances: Array) -> None:
    size = int(params[0])
    for i in range(len(keys)):
        at = _place(params[1 : 1 + size], int(keys[i]), size - 1)
        params[1 + at] = keys[i] + 1
        params[1 + size + at] = chances[i]


@compiled
def cfr_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Plays a trained table; where the table knows nothing, it plays as `show-6` does."""
    key, own_turned, other_turned = describe(v)
    size = int(params[0])
    at = _place(params[1 : 1 + size], key, size - 1)
    if int(params[1 + at]) == 0:
        decision = int(v["decision"])
        if decision == CALL_1 or decision == CALL_2:
            return show_bot(v, r, seat, USUAL, luck)
        return by_averages(v)
    answer = 1 if below(luck, 255) < int(params[1 + size + at]) else 0
    return answer ^ _turned(int(v["decision"]), own_turned, other_turned)


# --- training ---


@compiled
def _chance_of_1(regrets: Array, at: int) -> float:
    """Regret matching."""
    a, b = max(regrets[at, 0], 0.0), max(regrets[at, 1], 0.0)
    return b / (a + b) if a + b > 0 else 0.5


@compiled
def _random(luck: Word) -> float:
    luck[0] = next_luck(luck[0])
    return below(luck_bits(luck[0]), 1 << 24) / (1 << 24)


@compiled
def _sample(s: State, r: State, seat: int, p: float, turned: int, luck: Word) -> None:
    apply(s, r, (1 if _random(luck) < p else 0) ^ turned, None)


class Training(NamedTuple):
    """What a training works on: information sets by their places in a hash table, and games to walk through."""

    keys: Array
    regrets: Array  # [place, answer]
    sums: Array  # [place, answer]: how often it was given, which makes the average policy
    states: Array
    views: Array
    luck: Word

    @classmethod
    def begin(cls, seed: int) -> Training:
        """Nothing learned yet."""
        regrets, sums, luck = np.zeros((CAPACITY, 2)), np.zeros((CAPACITY, 2)), Key.from_seed(seed).low
        games = np.zeros(WINDOW + 1, STATE), np.zeros(1, VIEW), np.array([luck], np.uint64)
        return cls(np.zeros(CAPACITY, np.int64), regrets, sums, *games)


@compiled
def walk(training: Training, r: State, me: int, window: int, weight: float) -> None:
    """Play a game that begins in states[NOW], and learn from it for the player `me`.

    Where both answers are tried, the state is kept in states[0], states[1], … until the value of the
    answer 0 is known. (A loop, because Numba cannot keep recursive functions in its cache.)
    """
    keys, regrets, sums, states, views, luck = training
    v = views[0]
    places, turns, counts = np.zeros(WINDOW, np.int64), np.zeros(WINDOW, np.int64), np.zeros(WINDOW, np.int64)
    chances, zeros, tried = np.zeros(WINDOW), np.zeros(WINDOW), np.zeros(WINDOW, np.int64)
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
                at, p, zero = places[open_branches], chances[open_branches], zeros[open_branches]
                mean = (1 - p) * zero + p * value
                regrets[at, 0] += weight * (zero - mean)
                regrets[at, 1] += weight * (value - mean)
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
            turned = _turned(decision, own_turned, other_turned)
            at = _place(keys, key, CAPACITY - 1)
            keys[at] = key + 1
            p = _chance_of_1(regrets, at)
            if seat != me:
                sums[at, 0] += weight * (1 - p)
                sums[at, 1] += weight * p
                _sample(s, r, seat, p, turned, luck)
                continue
            made += 1
            if made <= window or made > window + WINDOW:
                explore = made <= window and _random(luck) < EXPLORE
                _sample(s, r, seat, 0.5 if explore else p, turned, luck)
                continue
            places[open_branches], chances[open_branches], turns[open_branches] = at, p, turned
            counts[open_branches], tried[open_branches] = made, 0
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


def learn(game: Show, walks: int, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> PolicyTable:
    """Train a table of near-equilibrium play; sixteen million walks take half a minute to two on a core."""
    training, done = Training.begin(seed), 0
    while done < walks:
        now = min(STEP, walks - done)
        train(training, game.record, done, now)
        done += now
        if np.count_nonzero(training.keys) > 0.8 * CAPACITY:  # a full table would be searched for ever
            raise PitbossError(
                f"{game} has too many information sets: the table is full after {done:,} walks; ask for fewer"
            )
        if progress:
            progress(done, walks)
    return PolicyTable.of(training.keys, training.sums)


# --- the bot ---


def shipped(game: Show) -> Path:
    """The table that comes with pitboss for these rules."""
    for preset, rules in game.rules_class.presets.items():
        if rules == game.rules:
            return FOLDER / f"{preset}.npz"
    raise BotError(
        f"there is no table of near-equilibrium play for {game}; there is one for "
        + ", ".join(f"{game.name}:{preset}" for preset in game.rules_class.presets)
    )


def _build(wanted: Wanted) -> tuple[Any, Any]:
    if wanted.rule:
        raise BotError("nothing can be joined to cfr")
    if set(wanted.named) - {"file"} or wanted.number is not None:
        raise BotError("the bot cfr takes one parameter, a table of your own: cfr(file=table.npz)")
    path = Path(wanted.named["file"]) if "file" in wanted.named else shipped(wanted.game)
    try:
        return cfr_bot, PolicyTable.load(path).params()
    except (OSError, ValueError, KeyError) as problem:
        raise BotError(f"{path} is not a table that pitboss solve --train has written") from problem


ENTRY = BotEntry("cfr", "plays a table of near-equilibrium play; cfr(file=F) plays one that you trained", _build)
