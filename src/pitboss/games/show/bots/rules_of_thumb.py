"""The built-in bots of Show, compiled. They get a view, never the state.

Averages are compared crosswise, as whole numbers, so that no rounding can change a move: with n cards
unseen that come to t points, a known card counts n times its points and an unknown one t.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.keys import below
from pitboss.core.types import Array
from pitboss.games.show.cards import LEAST_POINTS, MOST_POINTS, PLACES, POINTS, QUEEN, SLOTS, TEN
from pitboss.games.show.state import (
    CALL_1,
    CALL_2,
    DISCARD,
    KEEP,
    KEEP_OR_DISCARD,
    LOOK_OTHER,
    LOOK_OWN,
    NO,
    SWAP_OR_LEAVE,
    SWAP_OTHER,
    SWAP_OWN,
    UNKNOWN,
    USE_POWER,
    WHICH_SLOT,
    YES,
    State,
)

VALUES = MOST_POINTS - LEAST_POINTS + 1  # how many different points a card can have


@compiled
def unseen(v: State) -> tuple[int, int]:
    """How many cards the seat has not seen, and what they come to."""
    count, points = 0, 0
    for card in range(1, PLACES):
        n = int(v["unseen"][card])
        count += n
        points += n * int(POINTS[card])
    return max(count, 1), points


@compiled
def _worth(card: int, count: int, points: int) -> int:
    """A card's points, or the average of the unseen ones, times their count."""
    return points if card == UNKNOWN else count * int(POINTS[card])


@compiled
def _highest(cards: Array, count: int, points: int) -> int:
    """The slot with the highest points on average."""
    return 0 if _worth(int(cards[0]), count, points) >= _worth(int(cards[1]), count, points) else 1


@compiled
def _unknown(cards: Array) -> int:
    """A slot whose card is unknown, or slot 0."""
    return 1 if int(cards[0]) != UNKNOWN and int(cards[1]) == UNKNOWN else 0


@compiled
def _some_unknown(cards: Array) -> bool:
    return int(cards[0]) == UNKNOWN or int(cards[1]) == UNKNOWN


@compiled
def by_averages(v: State) -> int:
    """An answer to every decision but the call: keep what improves the average, look at what is unknown."""
    decision = int(v["decision"])
    count, points = unseen(v)
    worst = _highest(v["own"], count, points)
    best = 1 - _highest(v["other"], count, points)
    if decision == KEEP_OR_DISCARD:
        drawn = count * int(POINTS[int(v["drawn"])])
        return KEEP if drawn < _worth(int(v["own"][worst]), count, points) else DISCARD
    if decision == WHICH_SLOT or decision == SWAP_OWN:
        return worst
    if decision == SWAP_OTHER:
        return best
    if decision == LOOK_OWN:
        return _unknown(v["own"])
    if decision == LOOK_OTHER:
        return _unknown(v["other"])
    mine, theirs = int(v["own"][worst]), int(v["other"][best])
    if decision == SWAP_OR_LEAVE:
        mine, theirs = int(v["own"][int(v["own_slot"])]), int(v["other"][int(v["other_slot"])])
        return YES if int(POINTS[theirs]) < int(POINTS[mine]) else NO
    if decision == USE_POWER:
        power = int(v["power"])
        if power == TEN:
            return YES if _some_unknown(v["own"]) else NO
        if power == QUEEN:
            return YES if _worth(theirs, count, points) < _worth(mine, count, points) else NO
        return YES if power > QUEEN or _some_unknown(v["other"]) else NO
    return 0  # the first look: slots are alike


@compiled_as(counted=False)
def random_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Any move, both equally likely."""
    return below(luck, 2)


@compiled_as(counted=False)
def show_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Calls when its two cards come to N or less on average."""
    decision = int(v["decision"])
    if decision != CALL_1 and decision != CALL_2:
        return by_averages(v)
    count, points = unseen(v)
    total = _worth(int(v["own"][0]), count, points) + _worth(int(v["own"][1]), count, points)
    return YES if total <= int(params[0]) * count else NO


# --- the exact chance to win if the hands were compared now ---


@compiled
def _count_values(v: State, counts: Array) -> int:
    """How many unseen cards have each value; their number."""
    for value in range(VALUES):
        counts[value] = 0
    total = 0
    for card in range(1, PLACES):
        n = int(v["unseen"][card])
        counts[int(POINTS[card]) - LEAST_POINTS] += n
        total += n
    return total


@compiled
def _their_wins(counts: Array, known: int, hidden: int, mine: int) -> int:
    """Over all ways their hidden cards can be: twice the wins of `mine` against them, plus the ties."""
    if hidden == 0:
        return 2 if mine < known else 1 if mine == known else 0
    score = 0
    for a in range(VALUES):
        n = int(counts[a])
        if n == 0:
            continue
        first = known + a + LEAST_POINTS
        if hidden == 1:
            score += n * (2 if mine < first else 1 if mine == first else 0)
            continue
        for b in range(VALUES):
            m = int(counts[b]) - (1 if a == b else 0)
            second = first + b + LEAST_POINTS
            if m > 0:
                score += n * m * (2 if mine < second else 1 if mine == second else 0)
    return score


@compiled
def chance(v: State, own_0: int, own_1: int, counts: Array) -> tuple[int, int]:
    """The exact chance to win a comparison now, ties counting half, as a fraction (above, below).

    Your cards are given, UNKNOWN allowed; your opponent's are as you know them; every way the unknown
    ones can lie is equally likely.
    """
    cards = _count_values(v, counts)
    mine, hidden_mine = 0, 0
    for card in (own_0, own_1):
        if card == UNKNOWN:
            hidden_mine += 1
        else:
            mine += int(POINTS[card])
    theirs, hidden_theirs = 0, 0
    for slot in range(SLOTS):
        card = int(v["other"][slot])
        if card == UNKNOWN:
            hidden_theirs += 1
        else:
            theirs += int(POINTS[card])
    below_line = 2
    for i in range(hidden_mine + hidden_theirs):
        below_line *= max(cards - i, 1)
    if hidden_mine == 0:
        return _their_wins(counts, theirs, hidden_theirs, mine), below_line
    above_line = 0
    for a in range(VALUES):
        n = int(counts[a])
        if n == 0:
            continue
        counts[a] = n - 1
        if hidden_mine == 1:
            above_line += n * _their_wins(counts, theirs, hidden_theirs, mine + a + LEAST_POINTS)
        else:
            for b in range(VALUES):
                m = int(counts[b])
                if m > 0:
                    counts[b] = m - 1
                    own = mine + a + b + 2 * LEAST_POINTS
                    above_line += n * m * _their_wins(counts, theirs, hidden_theirs, own)
                    counts[b] = m
        counts[a] = n
    return above_line, below_line


@compiled
def counter_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Keeps, exchanges and calls by the exact chance to win if the hands were compared now.

    params: the chance, in thousandths, at which it calls when the call ends the game, and when its
    opponent has another turn.
    """
    decision = int(v["decision"])
    own_0, own_1, drawn = int(v["own"][0]), int(v["own"][1]), int(v["drawn"])
    counts = np.zeros(VALUES, np.int64)
    if decision == CALL_1 or decision == CALL_2:
        won, of = chance(v, own_0, own_1, counts)
        answered = int(r["last_turn_after_p1"]) if seat == 0 else int(r["last_turn_after_p2"])
        return YES if won * 1000 >= int(params[1 if answered else 0]) * of else NO
    if decision == KEEP_OR_DISCARD or decision == WHICH_SLOT:
        in_0, of_0 = chance(v, drawn, own_1, counts)
        in_1, of_1 = chance(v, own_0, drawn, counts)
        if decision == WHICH_SLOT:
            return 0 if in_0 * of_1 >= in_1 * of_0 else 1
        out, of = chance(v, own_0, own_1, counts)
        return KEEP if in_0 * of > out * of_0 or in_1 * of > out * of_1 else DISCARD
    return by_averages(v)
