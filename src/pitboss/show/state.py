"""The state of a game of Show, and the view of one seat: two records of fixed size.

The state holds every card where it lies; only the rule book sees it. A view holds what one seat may
know (H19). `knows[v, o, s]` says whether player v knows the card in slot s of player o. Who knows
which slot is public, because all looking and exchanging is done in the open; the cards are not.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pitboss.show.cards import CARDS, PLACES, SLOTS

State: TypeAlias = np.void

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
STATE = np.dtype(
    [
        ("to_act", np.int32),
        ("decision", np.int32),
        ("seats", np.int32),
        ("ended", np.int32),
        ("player", np.int32),  # whose turn it is
        ("turns", np.int32, (PLAYERS,)),  # turns begun by each player
        ("caller", np.int32),  # who called Show, or -1
        ("last_turn", np.int32),  # 1 if this turn is the last
        ("dealt", np.int32),  # opening cards dealt so far
        ("drawn", np.int32),  # the card just drawn, or 0
        ("power", np.int32),  # the rank whose power is in question, or 0
        ("own_slot", np.int32),  # chosen for an exchange
        ("other_slot", np.int32),
        ("hand", np.int8, _HANDS),
        ("knows", np.int8, (PLAYERS, *_HANDS)),
        ("left_total", np.int32),
        ("left", np.int8, (PLACES,)),
        ("grave_size", np.int32),
        ("grave", np.int8, (CARDS,)),  # in order
        ("payoff", np.int32, (PLAYERS,)),  # in thousandths, when the game is over
        ("points", np.int32, (PLAYERS,)),  # of the hands, when they are compared
        ("deck_out", np.int32),  # 1 if the game ended for want of cards
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("to_act", np.int32),
        ("decision", np.int32),
        ("seat", np.int32),
        ("player", np.int32),
        ("turns", np.int32, (PLAYERS,)),
        ("caller", np.int32),
        ("last_turn", np.int32),
        ("drawn", np.int32),  # your drawn card, or UNKNOWN
        ("power", np.int32),
        ("own_slot", np.int32),
        ("other_slot", np.int32),
        ("own", np.int32, (SLOTS,)),  # your cards that you know, or UNKNOWN
        ("other", np.int32, (SLOTS,)),  # your opponent's that you know
        ("own_known_to_other", np.int32, (SLOTS,)),  # 1 if your opponent knows this card of yours
        ("other_known_to_other", np.int32, (SLOTS,)),  # 1 if your opponent knows this card of its own
        ("dealt", np.int32),
        ("deck_out", np.int32),
        ("left_total", np.int32),
        ("grave_size", np.int32),
        ("grave", np.int8, (CARDS,)),
        ("unseen", np.int8, (PLACES,)),  # cards that you have not seen, by number
        ("ended", np.int32),
        ("payoff", np.int32, (PLAYERS,)),
        ("points", np.int32, (PLAYERS,)),
    ],
    align=True,
)
