"""The bots `oracle` and `race` by table: what is best with a fresh deck, looked up instead of worked out.

`oracle(deck=fresh)` and `race(deck=fresh)` do not count cards: they play every hand as if all other cards were
still in the deck. That is a little worse, and many times faster. A table holds one bit for each total (for
`race`), whether a Second Chance is held, and the hand of numbers and modifiers: hit or stay.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.types import Array
from pitboss.games.flip7.bots.rules_of_thumb import choose
from pitboss.games.flip7.cards import FREEZE, NUMBERS, TIMES_2
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import BUST, ON_ACTION, SETS, SIZE, SUM, Floats
from pitboss.games.flip7.solver.oracle import IDENTITY, Deck, begin
from pitboss.games.flip7.solver.race import race, race_utility
from pitboss.games.flip7.solver.table_cache import Progress, kept
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, STAY, State, plus_points, score

Bits: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

BITS = 32  # in one parameter, which as a float holds such a number exactly
# Parameters: a target rule, the size of the table by total, by Second Chance held and by modifiers held, its bits.
RULE, TOTALS, CHANCES, COLUMNS, TABLE = 0, 1, 2, 3, 4
AFTER_CHANCE = ON_ACTION + 2  # the situation that follows a Second Chance


def for_points(game: Flip7) -> Floats:
    """The table of `oracle`: the same for all totals."""
    return _packed(_hits(*_begin(game), IDENTITY)[None])


def for_rounds(game: Flip7) -> Floats:
    """The table of `race`: some seconds, then kept on disk."""
    return kept("plays", game, lambda told: _race_table(game, told))


def _race_table(game: Flip7, progress: Progress) -> Floats:
    rounds, (deck, points), bits = race(game, progress).rounds, _begin(game), []
    for total in range(len(rounds) - 1):
        bits.append(_hits(deck, points, race_utility(rounds, total)))
        progress(total + 1, len(rounds) - 1)
    return _packed(np.stack(bits))


def _begin(game: Flip7) -> tuple[Deck, Any]:
    """The fresh deck, and the points of each of its hands."""
    if max(game.rules.deck[NUMBERS:FREEZE]) > 1:
        raise PitbossError(f"there is no table for {game}: it has several cards of one modifier")
    deck = begin(game)
    modifiers = deck.table.modifiers.tolist()
    points = np.empty((len(deck.table.sets), 1 << len(modifiers)), np.int64)
    for m in range(points.shape[1]):
        held = [kind for i, kind in enumerate(modifiers) if m >> i & 1]
        plus = sum(plus_points(kind) for kind in held if kind != TIMES_2)
        points[:, m] = [score(int(SUM[x]), int(SIZE[x]), int(TIMES_2 in held), plus) for x in deck.table.sets]
    return deck, points


def _hits(deck: Deck, points: Array, utility: Floats) -> Bits:
    """By Second Chance held, numbers and modifiers: 1 if another card is better."""
    deck.settle(utility, whole=True)
    table, columns = deck.table, points.shape[1]
    values = deck.best.values[deck.best.place].reshape(len(table.sets), len(table.plan), columns)
    start = len(table.plan) - 1
    situations = [start, int(table.plan[start, AFTER_CHANCE])]
    if situations[1] == BUST:  # there is none
        situations.pop()
    out = np.zeros((len(situations), SETS, columns), np.uint8)
    for has, z in enumerate(situations):
        out[has, table.sets] = values[:, z] > utility[points]
    return out


def _packed(bits: Bits) -> Floats:
    """The table as parameters, but for the target rule."""
    words = np.packbits(bits.ravel(), bitorder="little").view("<u4")
    return np.concatenate([[bits.shape[0], bits.shape[1], bits.shape[3]], words.astype(np.float64)])


@compiled
def fresh_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits or stays as the table says for its total and hand."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[RULE]), luck)
    numbers, modifiers = 0, 0
    for kind in range(NUMBERS):
        numbers |= int(s["front"][seat, kind]) << kind
    for kind in range(NUMBERS, FREEZE):
        modifiers |= int(s["front"][seat, kind]) << (kind - NUMBERS)
    total = min(int(s["total"][seat]), int(params[TOTALS]) - 1)
    chance = min(int(s["chance"][seat]), int(params[CHANCES]) - 1)
    columns = int(params[COLUMNS])
    bit = ((total * int(params[CHANCES]) + chance) * SETS + numbers) * columns + min(modifiers, columns - 1)
    return HIT if (int(params[TABLE + bit // BITS]) >> (bit % BITS)) & 1 else STAY
