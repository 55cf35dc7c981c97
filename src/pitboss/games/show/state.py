"""The state of a game of Show, and the view of one seat: two records of fixed size.

The state holds every card where it lies; only the rule book sees it. A view holds what one seat may
know (H19). `knows[v, o, s]` says whether player v knows the card in slot s of player o. Who knows
which slot is public, because all looking and exchanging is done in the open; the cards are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pitboss.core.layout import I8, I32, Layout
from pitboss.games.show.cards import CARDS, PLACES, SLOTS

if TYPE_CHECKING:
    import numpy as np

State: TypeAlias = "np.void"

PLAYERS = 2
UNKNOWN = -1

# Decisions have the codes of the state tensor (H20); the dealer's is 0.
DEAL = 0
PEEK_1, PEEK_2, CALL_1, CALL_2 = 60, 61, 62, 63
KEEP_OR_DISCARD, WHICH_SLOT, USE_POWER = 64, 65, 66
LOOK_OWN, LOOK_OTHER, SWAP_OWN, SWAP_OTHER, SWAP_OR_LEAVE = 67, 68, 69, 70, 71

# Every decision has the answers 0 and 1: a slot, or these.
KEEP, DISCARD = 0, 1
NO, YES = 0, 1

_HANDS = (PLAYERS, SLOTS)
STATE_LAYOUT = Layout(
    ("to_act", I32),
    ("decision", I32),
    ("seats", I32),
    ("ended", I32),
    ("player", I32),  # whose turn it is
    ("turns", I32, (PLAYERS,)),  # turns begun by each player
    ("caller", I32),  # who called Show, or -1
    ("last_turn", I32),  # 1 if this turn is the last
    ("dealt", I32),  # opening cards dealt so far
    ("drawn", I32),  # the card just drawn, or 0
    ("power", I32),  # the rank whose power is in question, or 0
    ("own_slot", I32),  # chosen for an exchange
    ("other_slot", I32),
    ("hand", I8, _HANDS),
    ("knows", I8, (PLAYERS, *_HANDS)),
    ("left_total", I32),
    ("left", I8, (PLACES,)),
    ("grave_size", I32),
    ("grave", I8, (CARDS,)),  # in order
    ("payoff", I32, (PLAYERS,)),  # in thousandths, when the game is over
    ("points", I32, (PLAYERS,)),  # of the hands, when they are compared
    ("deck_out", I32),  # 1 if the game ended for want of cards
)

VIEW_LAYOUT = Layout(
    ("to_act", I32),
    ("decision", I32),
    ("seat", I32),
    ("player", I32),
    ("turns", I32, (PLAYERS,)),
    ("caller", I32),
    ("last_turn", I32),
    ("drawn", I32),  # your drawn card, or UNKNOWN
    ("power", I32),
    ("own_slot", I32),
    ("other_slot", I32),
    ("own", I32, (SLOTS,)),  # your cards that you know, or UNKNOWN
    ("other", I32, (SLOTS,)),  # your opponent's that you know
    ("own_known_to_other", I32, (SLOTS,)),  # 1 if your opponent knows this card of yours
    ("other_known_to_other", I32, (SLOTS,)),  # 1 if your opponent knows this card of its own
    ("dealt", I32),
    ("deck_out", I32),
    ("left_total", I32),
    ("grave_size", I32),
    ("grave", I8, (CARDS,)),
    ("unseen", I8, (PLACES,)),  # cards that you have not seen, by number
    ("ended", I32),
    ("payoff", I32, (PLAYERS,)),
    ("points", I32, (PLAYERS,)),
)
