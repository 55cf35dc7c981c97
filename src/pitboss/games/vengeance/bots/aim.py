"""Whom to play cards on and which to take: rules that built-in bots are joined with by a plus sign.

`stay-25+random-targets` is `stay-25` that chooses by luck. What a card does is weighed in points: what the seat gains,
and what the opponent loses who has the most in total and on the table.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.keys import below
from pitboss.games.vengeance.actions import within_choice
from pitboss.games.vengeance.cards import DISCARD, LINE, MINUS_2, STEAL, SWAP, UNLUCKY_7
from pitboss.games.vengeance.state import (
    BONUS,
    BUSTED,
    CARD_0,
    FLIP_7,
    HIT_OR_STAY,
    PICK,
    PICK_SECOND,
    PRIZE,
    SEAT_0,
    TARGET,
    State,
    bits_in,
    clashes,
    minus_points,
    number_on,
    worth,
)
from pitboss.games.vengeance.step import legal

TARGET_RULES = {
    "at-leader": "modifiers, Just One More and Flip Four on the opponent with the most points, in total and on the "
    "table; takes what gains the most against it. What a bot does that names no rule",
    "random-targets": "anything legal, by luck",
}
AT_LEADER, RANDOM_TARGETS = 0, 1

LEAST = -1_000_000


@compiled
def span(s: State) -> tuple[int, int]:
    """The first move that can be legal now and the last, and one: a small part of all."""
    seats, decision = int(s["seats"]), int(s["decision"])
    if decision == TARGET or decision == PRIZE:
        return SEAT_0, SEAT_0 + seats
    if decision == PICK or decision == PICK_SECOND:
        return CARD_0, CARD_0 + seats * LINE
    return 0, SEAT_0


@compiled
def any_move(s: State, r: State, luck: np.uint64) -> int:
    """A legal move by luck, all equally likely: the one that `rng.choice(view.legal)` is in a Python bot."""
    decision = int(s["decision"])
    if decision == HIT_OR_STAY:
        return below(luck, 2)
    if decision == PICK or decision == PICK_SECOND:
        return _any_card(s, r, luck)
    legal_seats, count = 0, 0
    for seat in range(int(s["seats"])):
        one = 1 if legal(s, r, SEAT_0 + seat) else 0
        legal_seats |= one << seat
        count += one
    skip, chosen, passed = below(luck, count), 0, 0
    for seat in range(int(s["seats"])):
        passed += (legal_seats >> seat) & 1
        chosen += 1 if passed <= skip else 0
    return SEAT_0 + chosen


@compiled
def _any_card(s: State, r: State, luck: np.uint64) -> int:
    """A card by luck: lines are counted as a whole, because there are many places and few cards."""
    count = 0
    for seat in range(int(s["seats"])):
        count += bits_in(within_choice(s, r, seat))
    skip = below(luck, count)
    for seat in range(int(s["seats"])):
        line = within_choice(s, r, seat)
        count = bits_in(line)
        if skip < count:
            kind, passed = 0, 0
            for k in range(LINE):
                passed += (line >> k) & 1
                kind += 1 if passed <= skip else 0
            return CARD_0 + seat * LINE + kind
        skip -= count
    return -1


@compiled
def leader(s: State, r: State, seat: int) -> int:
    """The opponent with the most points in total and on the table who is not bust; -1: nobody."""
    best, most = -1, LEAST
    for other in range(int(s["seats"])):
        if other != seat and int(s["status"][other]) != BUSTED:
            merit = int(s["total"][other]) + held(s, r, other, -1, -1)
            if merit > most:
                best, most = other, merit
    return best


@compiled
def held(s: State, r: State, seat: int, lost: int, got: int) -> int:
    """What a line would be worth without one card and with another (-1: none), by the cards that lie there."""
    line, twin, total = int(s["line"][seat]), int(s["twin"][seat]), int(s["sum"][seat])
    count, minus = int(s["count"][seat]), int(s["minus"][seat])
    if lost >= 0:
        if (twin >> lost) & 1:
            twin ^= 1 << lost
        else:
            line ^= 1 << lost
        if lost < MINUS_2:
            total -= number_on(lost)
            count -= 1
        else:
            minus -= minus_points(lost)
    if got >= 0 and got < MINUS_2:
        if got == UNLUCKY_7:
            return number_on(got)
        if clashes(line, twin, got):
            return 0
        total += number_on(got)
        count += 1
    if got >= 0:
        line |= 1 << got
        minus += minus_points(got) if got >= MINUS_2 else 0
    if count >= FLIP_7:
        return worth(r, line, minus, total) + BONUS
    return 0 if line & 1 else worth(r, line, minus, total)


@compiled
def aim(s: State, r: State, seat: int, rule: int, luck: np.uint64) -> int:
    """The answer to everything but hit or stay."""
    if rule == RANDOM_TARGETS:
        return any_move(s, r, luck)
    decision, card = int(s["decision"]), int(s["card"])
    if (decision == PRIZE or (decision == TARGET and card >= SWAP)) and (int(r["waste"]) or legal(s, r, SEAT_0 + seat)):
        return SEAT_0 + seat  # who an action is played on makes the choices
    rival = leader(s, r, seat)
    if decision == TARGET:
        return SEAT_0 + rival if rival >= 0 and legal(s, r, SEAT_0 + rival) else any_move(s, r, luck)
    best, most = -1, LEAST
    for owner in range(int(s["seats"])):
        line = within_choice(s, r, owner)
        if line != 0:
            for kind in range(LINE):
                if (line >> kind) & 1:
                    place = owner * LINE + kind
                    brings = merit(s, r, seat, rival, place)
                    if brings > most:
                        best, most = place, brings
    return CARD_0 + best


@compiled
def merit(s: State, r: State, seat: int, rival: int, place: int) -> int:
    """What it brings to take this card, for the action in question."""
    owner, kind, action = place // LINE, place % LINE, int(s["card"])
    if int(s["decision"]) == PICK_SECOND:
        return _exchange(s, r, seat, rival, int(s["picked"]), place)
    if action == SWAP:
        return _best_exchange(s, r, seat, rival, place)
    loss = held(s, r, owner, -1, -1) - held(s, r, owner, kind, -1)
    if action == DISCARD:
        return -loss if owner == seat else loss if owner == rival else 0
    gain = held(s, r, seat, -1, kind) - held(s, r, seat, -1, -1)
    return gain + (loss if owner == rival else 0) if action == STEAL else 0


@compiled
def _best_exchange(s: State, r: State, seat: int, rival: int, place: int) -> int:
    """The best that a Swap of this card can bring, if it is one's own and goes to the rival; else little."""
    if place // LINE != seat or rival < 0 or int(s["line"][rival]) == 0:
        return LEAST // 2 + (1 if place // LINE == rival else 0)
    best = LEAST
    for kind in range(LINE):
        if (int(s["line"][rival]) >> kind) & 1:
            best = max(best, _exchange(s, r, seat, rival, place, rival * LINE + kind))
    return best


@compiled
def _exchange(s: State, r: State, seat: int, rival: int, one: int, other: int) -> int:
    """What a Swap of two cards brings: what the seat gains, and what the rival loses."""
    return _change(s, r, seat, rival, one, other) + _change(s, r, seat, rival, other, one)


@compiled
def _change(s: State, r: State, seat: int, rival: int, lost: int, got: int) -> int:
    """What it is worth to the seat that the owner of one card gets another for it."""
    owner = lost // LINE
    if owner != seat and owner != rival:
        return 0
    change = held(s, r, owner, lost % LINE, got % LINE) - held(s, r, owner, -1, -1)
    return change if owner == seat else -change
