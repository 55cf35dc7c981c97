"""A view as numbers for learning agents (H20), and a richer one beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.show.cards import PLACES
from pitboss.show.view import View

RICH_SIZE = 2 + 2 + 1 + 1 + 2 + 2 + 2 + 1 + 1 + 1 + 2 * PLACES + 3


def tensor(view: View) -> np.ndarray[Any, np.dtype[np.int64]]:
    """`[card_1, card_2, opp_card_1, opp_card_2, code]`: card numbers, -1 for unknown.

    It has no place for the drawn card, so an agent that sees nothing else is half blind: see `rich`.
    """
    return np.array([*view.own, *view.other, view.decision], np.int64)


def rich(view: View) -> np.ndarray[Any, np.dtype[np.int64]]:
    """All that a view knows but the order of the graveyard: the tensor, the drawn card, who knows which
    slot, turns, the caller, whether this turn is the last, cards left, for every card how many are in the
    graveyard and how many unseen, the power in question, and the slots chosen for an exchange."""
    r = view.record
    grave = np.bincount(np.array(view.graveyard, np.int64), minlength=PLACES)
    flat = [
        *view.own, *view.other, int(view.decision), view.drawn, *r["own_known_to_other"], *r["other_known_to_other"],
        *view.turns, view.caller, int(view.last_turn), view.cards_left, *grave, *view.unseen,
        view.power, view.own_slot, view.other_slot,
    ]  # fmt: skip
    return np.array(flat, np.int64)
