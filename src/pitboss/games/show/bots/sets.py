"""Information sets of the whole game of Show, merged: what a table of near-equilibrium play remembers of a view.

There are two ways to merge. *Broadly*, a player remembers its own cards and the drawn one by their points, its
opponent's roughly, which of those its opponent knows, the turn and whether somebody has called; not the graveyard, and
not the order of slots: the one with more points comes first. *Finely*, it remembers besides what its opponent did with
its last card and what it threw out in its last two turns, which of its own cards its opponent knows, and how many
points have gone to the graveyard.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.splitmix import luck_bits
from pitboss.core.types import Array
from pitboss.games.show.cards import LEAST_POINTS, POINTS
from pitboss.games.show.notes import DISCARDED, PLACED
from pitboss.games.show.state import (
    LOOK_OTHER,
    LOOK_OWN,
    PEEK_1,
    PLAYERS,
    SWAP_OTHER,
    SWAP_OWN,
    UNKNOWN,
    WHICH_SLOT,
    State,
)

LATEST_TURN = 5  # later turns look alike
FINER = 1024  # fine sets that a broad one may have
USUAL_POINTS = 6  # of a card
FEW_GONE, MANY_GONE = (
    6,
    16,
)  # points above the usual in the graveyard: below and from here on it has few high cards, many


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
def exchanged(decision: int, own_turned: int, other_turned: int) -> int:
    """Whether the answers 0 and 1 change places: they do if they name slots that do."""
    if decision == LOOK_OTHER or decision == SWAP_OTHER:
        return other_turned
    if decision <= PEEK_1 + 1 or decision == WHICH_SLOT or decision == LOOK_OWN or decision == SWAP_OWN:
        return own_turned
    return 0


@compiled
def place_of(keys: Array, key: int, mask: int) -> int:
    """The place of a key in a hash table: where it is, or where it can go."""
    at = (key * 0x9E3779B1 + (key >> 21)) & mask
    while int(keys[at]) != 0 and int(keys[at]) != key + 1:
        at = (at + 1) & mask
    return at


@compiled
def refine(v: State, key: int, own_turned: int) -> int:
    """The number of the fine information set, from that of the broad one."""
    seat, size = int(v["seat"]), int(v["grave_size"])
    other = 1 - seat
    latest = size - 1  # every turn throws out one card; the last of the opponent's lies here, or before
    if latest >= 0 and latest % PLAYERS != other:
        latest -= 1
    done = 0
    if latest >= 0:
        done = _rough_class(int(v["grave"][latest]))
        if int(v["notes"][other, PLACED]) > DISCARDED:
            done += 5
    before = 0
    if latest >= PLAYERS:
        points = int(POINTS[int(v["grave"][latest - PLAYERS])])
        before = 1 if points <= 4 else 2 if points <= 8 else 3
    known = int(v["own_known_to_other"][own_turned]) + 2 * int(v["own_known_to_other"][1 - own_turned])
    gone = 0
    for i in range(size):
        gone += int(POINTS[int(v["grave"][i])]) - USUAL_POINTS
    high = 0 if gone < FEW_GONE else 1 if gone < MANY_GONE else 2
    return (((key * 4 + known) * 4 + high) * 4 + before) * 16 + done


@compiled
def fine_place_of(keys: Array, key: int, mask: int) -> int:
    """The place of a fine set's number in a hash table: where it is, or where it can go."""
    at = int(np.int64(luck_bits(np.uint64(key)) >> np.uint64(20))) & mask
    while int(keys[at]) != 0 and int(keys[at]) != key + 1:
        at = (at + 1) & mask
    return at
