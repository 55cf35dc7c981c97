"""What the next card may be: exact, from the cards that are left.

If the deck is empty the next card comes from the new deck that a reshuffle would make, so the odds look there.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.deck import cards_among
from pitboss.games.vengeance.cards import KINDS, MINUS_2
from pitboss.games.vengeance.state import State, out_of_play


@compiled
def coming(s: State, r: State, kind: int) -> int:
    """How many cards of this kind the next card is drawn from."""
    return int(s["left"][kind]) if int(s["left_total"]) > 0 else out_of_play(s, r, kind)


@compiled
def all_coming(s: State, r: State) -> int:
    """How many cards the next one is drawn from."""
    total = int(s["left_total"])
    if total == 0:
        for kind in range(KINDS):
            total += out_of_play(s, r, kind)
    return total


@compiled
def busts_coming(s: State, r: State, seat: int) -> int:
    """How many of those would bust the seat."""
    bits, count = int(s["deadly"][seat]), 0
    if int(s["left_total"]) > 0:
        return cards_among(s["left"], bits)
    for kind in range(MINUS_2):
        count += out_of_play(s, r, kind) * ((bits >> kind) & 1)
    return count
