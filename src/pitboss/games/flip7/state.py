"""The state of a Flip 7 game: one record of fixed size, copied by value.

It holds how many cards of each kind lie where, never an order, so there is nothing in it that a
player at the table could not know. Everything a seat has is an array over seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.layout import I8, I16, I32, Layout
from pitboss.core.types import Array, EventBuffer
from pitboss.games.flip7 import events, rules
from pitboss.games.flip7.cards import KINDS, NUMBERS, PLUS_2, TIMES_2
from pitboss.games.flip7.rules import MAX_COPIES, MAX_SEATS

if TYPE_CHECKING:
    import numpy as np

State: TypeAlias = "np.void"

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
LAYOUT = Layout(
    # whose move, and about what
    ("to_act", I32),
    ("decision", I32),
    ("card", I32),  # the card being decided about, or -1
    # the game
    ("seats", I32),
    ("ended", I32),  # RUNNING, WON, TIED, CUT
    ("round", I32),  # from 1
    ("dealer", I32),
    ("total", I32, _SEAT),  # points of finished rounds
    ("last", I32, _SEAT),  # of which in the latest round
    ("won", I32, _SEAT),  # 1 for a winner of the finished game
    ("busts", I32, _SEAT),  # rounds busted so far
    ("flip7s", I32, _SEAT),  # Flip 7s so far
    # the round
    ("active", I32),  # how many seats are
    ("stopped", I32),  # 1 if a Flip 7 ended the round
    ("opened", I32),  # seats that had their chance of an opening card
    ("turn", I32),  # whose turn it is, -1 during the opening deal
    ("again", I32),  # 1 if the seat in turn will decide again
    ("status", I8, _SEAT),
    # a hit, an opening card or a Flip Three under way
    ("taker", I32),  # who takes cards, or -1
    ("to_take", I32),  # how many more
    ("flipping", I32),  # 1 if by a Flip Three that was put on the taker
    ("three_hit", I32),  # 1 if by a hit that draws three
    # cards set aside by Flip Threes: the last one is resolved first
    ("waiting", I32),
    ("waiting_card", I8, (MOST_WAITING,)),
    ("waiting_by", I8, (MOST_WAITING,)),  # the seat that chooses
    ("waiting_for", I8, (MOST_WAITING,)),  # the seat chosen, or -1
    ("waiting_from", I32),  # where the cards of the latest Flip Three begin
    ("assigning", I32),  # the next card to be assigned, or -1
    # cards by kind
    ("left_total", I32),
    ("left", I16, (KINDS,)),  # in the deck
    ("discards", I16, (KINDS,)),  # what a reshuffle would bring back now
    ("spent", I16, (KINDS,)),  # discarded in this round, out of play until it ends
    ("front", I8, (MAX_SEATS, KINDS)),  # in front of each seat
    # what a seat's cards come to
    ("points", I32, _SEAT),  # what it would bank now
    ("sum", I32, _SEAT),  # of its number cards
    ("numbers", I32, _SEAT),  # how many different numbers it holds
    ("chance", I8, _SEAT),  # 1 if a Second Chance protects it
    ("three", I8, _SEAT),  # 1 if its next hit draws three
    ("taken", I32, _SEAT),  # cards taken in this round
)
AT = LAYOUT.at

if TYPE_CHECKING:
    STATE: np.dtype[np.void]
else:

    def __getattr__(name: str) -> Any:
        if name == "STATE":  # for NumPy and compiled code: made when it is asked for
            return LAYOUT.dtype
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
def spend(s: State, seat: int, card: int, ev: EventBuffer) -> None:
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
def gains(s: State, seat: int, out: Array) -> None:
    """What each kind of card adds; 0 for a number that the seat holds, and for action cards."""
    for kind in range(TIMES_2 + 1):
        out[kind] = 0 if kind < NUMBERS and int(s["front"][seat, kind]) else gain(s, seat, kind)
