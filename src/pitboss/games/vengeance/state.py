"""The state of a game: one record of fixed size, copied by value.

A line is two words of bits, `line` and `twin`: bit k of `line` says that a card of kind k lies there, bit k of `twin`
that a second one does (the card that busted it, or what comes from another copy of the deck). The deck is counts by
kind. Which cards are discarded is stored nowhere: all that are neither in the deck nor on the table (`out_of_play`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pitboss.core.compile import compiled
from pitboss.core.layout import I8, I16, I32, Layout
from pitboss.games.vengeance.cards import HALF, KINDS, LINE, LUCKY_13, MINUS_2, NUMBERS, SEVEN, THIRTEEN, UNLUCKY_7
from pitboss.games.vengeance.rules import MAX_COPIES, MAX_SEATS

if TYPE_CHECKING:
    import numpy as np

State: TypeAlias = "np.void"

# What is being decided.
DEAL, HIT_OR_STAY, TARGET, PICK, PICK_SECOND, PRIZE = 0, 1, 2, 3, 4, 5

# Moves: a seat, or a card of a seat. A dealer's move is the kind of the card.
STAY, HIT, SEAT_0 = 0, 1, 2
CARD_0 = SEAT_0 + MAX_SEATS
MOVES = CARD_0 + MAX_SEATS * LINE
NO_ANSWER = MOVES  # nobody's move: there is no card to choose (V17)

# How a seat stands in the round.
ACTIVE, STAYED, BUSTED, FLIPPED_7 = 0, 1, 2, 3

THIRTEENS = 1 << THIRTEEN | 1 << LUCKY_13  # as bits

FLIP_7 = 7  # different numbers
BONUS = 15  # points for them

MOST_WAITING = 16 * MAX_COPIES  # every action and modifier can wait at once

_SEAT = (MAX_SEATS,)
LAYOUT = Layout(
    # whose move, and about what
    ("to_act", I32),
    ("decision", I32),
    ("card", I32),  # the card being decided about, or -1
    ("picked", I32),  # the first card of a Swap (seat * LINE + kind), or -1
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
    ("flipped", I32),  # the seat whose Flip 7 has ended the round, or -1
    ("opened", I32),  # seats that had their chance of an opening card
    ("turn", I32),  # whose turn it is, -1 during the opening deal
    ("status", I8, _SEAT),
    # a hit, an opening card, a Just One More or a Flip Four under way
    ("taker", I32),  # who takes cards, or -1
    ("to_take", I32),  # how many more, while it does
    ("obeyed", I32),  # the action that makes it take them, or -1
    # cards that wait for the end of a Flip Four: the last one is resolved first
    ("waiting", I32),
    ("waiting_card", I8, (MOST_WAITING,)),
    ("waiting_by", I8, (MOST_WAITING,)),  # the seat that resolves it
    ("waiting_from", I32),  # where the cards of the latest Flip Four begin
    # the cards
    ("left_total", I32),
    ("discarded", I32),  # how many cards are neither in the deck nor on the table
    ("left", I16, (KINDS,)),  # in the deck
    ("line", I32, _SEAT),  # in front of each seat, by bits of kinds
    ("twin", I32, _SEAT),  # second cards of a kind
    # what a seat's cards come to
    ("deadly", I32, _SEAT),  # the kinds of numbers that would bust it, as bits
    ("sum", I32, _SEAT),  # of its numbers
    ("minus", I32, _SEAT),  # what its minus cards subtract
    ("count", I32, _SEAT),  # how many different numbers it holds
    ("points", I32, _SEAT),  # what it would score if the round ended now
    ("owed", I32, _SEAT),  # minus cards put on it since it busted
    ("bonus", I32, _SEAT),  # for a Flip 7, or because of somebody else's
    ("taken", I32, _SEAT),  # cards taken in this round
)

# --- small changes ---


@compiled
def ask(s: State, who: int, decision: int, card: int) -> bool:
    s["to_act"] = who
    s["decision"] = decision
    s["card"] = card
    return True


@compiled
def leave(s: State, seat: int, how: int) -> None:
    """A seat stays, busts or makes a Flip 7; those that stayed may do the other two."""
    if int(s["status"][seat]) == ACTIVE:
        s["active"] -= 1
    s["status"][seat] = how


@compiled
def left_of(s: State, seat: int) -> int:
    """The next seat clockwise (V3); a comparison, because a division would cost more."""
    return seat + 1 if seat + 1 < int(s["seats"]) else 0


@compiled
def next_active(s: State, seat: int) -> int:
    seat = left_of(s, seat)
    while int(s["status"][seat]) != ACTIVE:
        seat = left_of(s, seat)
    return seat


# --- cards and lines ---


@compiled
def bits_in(bits: int) -> int:
    """How many bits of a word of 32 are set."""
    bits -= (bits >> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) >> 24) & 0xFF


@compiled
def number_on(kind: int) -> int:
    """The number on a number card."""
    if kind < NUMBERS:
        return kind
    return SEVEN if kind == UNLUCKY_7 else THIRTEEN


@compiled
def deadly(line: int, twin: int) -> int:
    """The kinds of numbers that bust a line which receives them, as bits: those that lie there, a 7 beside the
    Unlucky 7, and both kinds of 13 beside two of them (V5, V9, V10). Without branches: which number comes nobody can
    foresee, a processor neither."""
    two = (line >> LUCKY_13) & ((line >> THIRTEEN) | (twin >> LUCKY_13)) & 1
    return (line & ((1 << NUMBERS) - 1)) | (((line >> UNLUCKY_7) & 1) << SEVEN) | (-two & THIRTEENS)


@compiled
def clashes(line: int, twin: int, kind: int) -> bool:
    """Whether a number would bust a line that receives it."""
    return (deadly(line, twin) >> kind) & 1 != 0


@compiled
def minus_points(kind: int) -> int:
    """What a minus card subtracts; ÷2 subtracts nothing."""
    return 2 * (kind - MINUS_2 + 1) if kind < HALF else 0


@compiled
def worth(r: State, line: int, minus: int, total: int) -> int:
    """What a line scores whose numbers and minus cards add up to these totals, but for The Zero and a bonus (V19).
    Without a branch for the ÷2: who has it changes from one card to the next, and a wrong guess costs more."""
    total = (total >> ((line >> HALF) & 1)) - minus
    return total if total >= 0 or int(r["below_zero"]) else 0


@compiled
def points(s: State, r: State, seat: int) -> int:
    """What the seat would score if the round ended now (V8, V19, V22, V23)."""
    status, line, bonus = int(s["status"][seat]), int(s["line"][seat]), int(s["bonus"][seat])
    if status == BUSTED:
        return bonus - int(s["owed"][seat])
    if line & 1 and status != FLIPPED_7:
        return bonus
    return bonus + worth(r, line, int(s["minus"][seat]), int(s["sum"][seat]))


@compiled
def out_of_play(s: State, r: State, kind: int) -> int:
    """How many cards of a kind a new deck would have (V7): all that are neither in the deck nor on the table."""
    count = int(r["deck"][kind]) - int(s["left"][kind])
    if kind < LINE:
        for seat in range(int(s["seats"])):
            count -= ((int(s["line"][seat]) >> kind) & 1) + ((int(s["twin"][seat]) >> kind) & 1)
    for i in range(int(s["waiting"])):
        count -= 1 if int(s["waiting_card"][i]) == kind else 0
    count -= 1 if int(s["obeyed"]) == kind else 0
    return count - (1 if int(s["card"]) == kind else 0)
