"""The state of a Flip 7 game: one record of fixed size, copied by value.

It holds how many cards of each kind lie where, never an order, so there is nothing in it that a
player at the table could not know. Everything a seat has is an array over seats.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from pitboss.flip7 import events, rules
from pitboss.flip7.cards import KINDS, NUMBERS, PLUS_2, TIMES_2
from pitboss.flip7.rules import MAX_COPIES, MAX_SEATS
from pitboss.table.compile import compiled
from pitboss.table.events import Events, emit

State: TypeAlias = np.void

# What is being decided.
DEAL, HIT_OR_STAY, TARGET, ASSIGN, SAVE = 0, 1, 2, 3, 4

# Moves. A dealer's move is the kind of the card.
STAY, HIT, NO, YES, SEAT_0 = 0, 1, 2, 3, 4

# How a seat stands in the round.
ACTIVE, BUSTED, STAYED, FROZEN, BANKED, FLIPPED_7 = 0, 1, 2, 3, 4, 5

FLIP_7 = 7  # different numbers
BONUS = 15  # points for them

MOST_WAITING = 6 * MAX_COPIES  # every Freeze and Flip Three can be set aside at once

_SEAT = (MAX_SEATS,)
STATE = np.dtype(
    [
        # whose move, and about what
        ("to_act", np.int32),
        ("decision", np.int32),
        ("card", np.int32),  # the card being decided about, or -1
        # the game
        ("seats", np.int32),
        ("ended", np.int32),  # RUNNING, WON, TIED, CUT
        ("round", np.int32),  # from 1
        ("dealer", np.int32),
        ("total", np.int32, _SEAT),  # points of finished rounds
        ("last", np.int32, _SEAT),  # of which in the latest round
        ("won", np.int32, _SEAT),  # 1 for a winner of the finished game
        ("busts", np.int32, _SEAT),  # rounds busted so far
        ("flip7s", np.int32, _SEAT),  # Flip 7s so far
        # the round
        ("active", np.int32),  # how many seats are
        ("stopped", np.int32),  # 1 if a Flip 7 ended the round
        ("opened", np.int32),  # seats that had their chance of an opening card
        ("turn", np.int32),  # whose turn it is, -1 during the opening deal
        ("again", np.int32),  # 1 if the seat in turn will decide again
        ("status", np.int8, _SEAT),
        # a hit, an opening card or a Flip Three under way
        ("taker", np.int32),  # who takes cards, or -1
        ("to_take", np.int32),  # how many more
        ("flipping", np.int32),  # 1 if by a Flip Three that was put on the taker
        ("three_hit", np.int32),  # 1 if by a hit that draws three
        # cards set aside by Flip Threes: the last one is resolved first
        ("waiting", np.int32),
        ("waiting_card", np.int8, (MOST_WAITING,)),
        ("waiting_by", np.int8, (MOST_WAITING,)),  # the seat that chooses
        ("waiting_for", np.int8, (MOST_WAITING,)),  # the seat chosen, or -1
        ("waiting_from", np.int32),  # where the cards of the latest Flip Three begin
        ("assigning", np.int32),  # the next card to be assigned, or -1
        # cards by kind
        ("left_total", np.int32),
        ("left", np.int16, (KINDS,)),  # in the deck
        ("discards", np.int16, (KINDS,)),  # what a reshuffle would bring back now
        ("spent", np.int16, (KINDS,)),  # discarded in this round, out of play until it ends
        ("front", np.int8, (MAX_SEATS, KINDS)),  # in front of each seat
        # what a seat's cards come to
        ("points", np.int32, _SEAT),  # what it would bank now
        ("sum", np.int32, _SEAT),  # of its number cards
        ("numbers", np.int32, _SEAT),  # how many different numbers it holds
        ("chance", np.int8, _SEAT),  # 1 if a Second Chance protects it
        ("three", np.int8, _SEAT),  # 1 if its next hit draws three
        ("taken", np.int32, _SEAT),  # cards taken in this round
    ],
    align=True,
)

AT = {name: STATE.fields[name][1] for name in STATE.names}  # type: ignore[index, union-attr]  # where each field lies


# --- small changes and questions that the rules are made of ---


@compiled
def ask(s: State, who: int, decision: int, card: int) -> bool:
    s["to_act"] = who
    s["decision"] = decision
    s["card"] = card
    return True


@compiled
def take_cards(s: State, seat: int, cards: int) -> None:
    s["taker"] = seat
    s["to_take"] = cards


@compiled
def leave(s: State, seat: int, how: int) -> None:
    s["status"][seat] = how
    s["active"] -= 1


@compiled
def bust_out(s: State, seat: int) -> None:
    leave(s, seat, BUSTED)
    s["points"][seat] = 0
    s["busts"][seat] += 1


@compiled
def use_up(s: State, r: State, card: int) -> None:
    """A card that did its work: whether it can return in this round is a switch (T10, O10)."""
    if int(r["round_discards"]) == rules.STAY_OUT:
        s["spent"][card] += 1
    else:
        s["discards"][card] += 1


@compiled
def spend(s: State, seat: int, card: int, ev: Events) -> None:
    """A card discarded without effect stays out until the round ends."""
    s["spent"][card] += 1
    emit(ev, events.DISCARDED, seat, card, 0)


@compiled
def active_seats(s: State) -> int:
    """The active seats, as bits."""
    bits = 0
    for seat in range(int(s["seats"])):
        if int(s["status"][seat]) == ACTIVE:
            bits |= 1 << seat
    return bits


@compiled
def lowest_seat(bits: int) -> int:
    seat = 0
    while not (bits >> seat) & 1:
        seat += 1
    return seat


@compiled
def left_of(s: State, seat: int) -> int:
    """The next seat clockwise (C11); a comparison, because a division would cost more."""
    return seat + 1 if seat + 1 < int(s["seats"]) else 0


@compiled
def next_active(s: State, seat: int) -> int:
    seat = left_of(s, seat)
    while int(s["status"][seat]) != ACTIVE:
        seat = left_of(s, seat)
    return seat


@compiled
def score(total: int, numbers: int, doubled: int, plus: int) -> int:
    """What a hand is worth (C4): the sum of its numbers, how many they are, whether x2 is held, its plus-cards."""
    bonus = BONUS if numbers >= FLIP_7 else 0
    return (2 * total if doubled else total) + plus + bonus


@compiled
def plus_points(card: int) -> int:
    """The points on a plus-card."""
    return 2 * (card - PLUS_2 + 1)


@compiled
def gain(s: State, seat: int, card: int) -> int:
    """What a number or modifier that the seat can hold adds to its points (C4)."""
    if PLUS_2 <= card < TIMES_2:
        return plus_points(card)
    total, numbers, doubled = int(s["sum"][seat]), int(s["numbers"][seat]), int(s["front"][seat, TIMES_2])
    before = score(total, numbers, doubled, 0)
    if card < NUMBERS:
        return score(total + card, numbers + 1, doubled, 0) - before
    return score(total, numbers, 1, 0) - before


@compiled
def gains(s: State, seat: int, out: np.ndarray[Any, Any]) -> None:
    """What each kind of card adds; 0 for a number that the seat holds, and for action cards."""
    for kind in range(TIMES_2 + 1):
        out[kind] = 0 if kind < NUMBERS and int(s["front"][seat, kind]) else gain(s, seat, kind)
