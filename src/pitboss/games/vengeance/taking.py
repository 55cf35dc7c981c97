"""Taking cards: a hit, an opening card, a Just One More, a Flip Four; and the cards that wait for a Flip Four to end.

Part of the rule book; `step` and `actions` call these. While a seat takes cards, the dealer is asked for each. Cards
that wait lie in a stack: the last one is resolved first, and those of one Flip Four are turned over when it ends, so
that they come in the order drawn, before any older ones (V12).
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.step import DEALER
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events
from pitboss.games.vengeance.cards import FLIP_FOUR, KINDS
from pitboss.games.vengeance.state import BUSTED, DEAL, FLIPPED_7, STAYED, State, ask, leave, out_of_play


@compiled
def take(s: State, seat: int, cards: int, obeyed: int) -> bool:
    """A seat takes so many cards, obeying an action or none (-1); true if the dealer is asked for the first."""
    s["taker"] = seat
    s["to_take"] = cards
    s["obeyed"] = obeyed
    return ask_dealer(s)


@compiled
def ask_dealer(s: State) -> bool:
    """Ask for a card, unless the deck is empty: then `find_card` comes next."""
    return int(s["left_total"]) > 0 and ask(s, DEALER, DEAL, -1)


@compiled
def find_card(s: State, r: State, ev: EventBuffer) -> bool:
    """V7: shuffle, and ask for the card that is due; if there is none to be had, the taker has stayed."""
    seat = int(s["taker"])
    _reshuffle(s, r, ev)
    if ask_dealer(s):
        return True
    leave(s, seat, STAYED)
    emit(ev, events.OUT_OF_CARDS, seat, 0, 0)
    stop_taking(s, seat, ev)
    return False


@compiled
def stop_taking(s: State, seat: int, ev: EventBuffer) -> None:
    """The cards are taken, and the action that was obeyed is discarded (V11)."""
    flipped = int(s["obeyed"]) == FLIP_FOUR
    if int(s["obeyed"]) >= 0:
        s["discarded"] += 1
    s["taker"] = s["obeyed"] = -1
    if flipped:
        _end_flip(s, seat, ev)


@compiled
def _reshuffle(s: State, r: State, ev: EventBuffer) -> None:
    """What is neither in the deck nor on the table becomes the new deck."""
    cards = 0
    for kind in range(KINDS):
        count = out_of_play(s, r, kind)
        s["left"][kind] = count
        cards += count
    s["left_total"] = cards
    s["discarded"] = 0
    if cards > 0:
        emit(ev, events.RESHUFFLED, -1, cards, 0)


# --- cards that wait ---


@compiled
def set_aside(s: State, seat: int, card: int, ev: EventBuffer) -> None:
    n = int(s["waiting"])
    s["waiting_card"][n] = card
    s["waiting_by"][n] = seat
    s["waiting"] = n + 1
    emit(ev, events.SET_ASIDE, seat, card, 0)


@compiled
def _end_flip(s: State, seat: int, ev: EventBuffer) -> None:
    """See to the cards that wait for the end of a Flip Four. A Flip 7 will discard them all (V6)."""
    begin, end = int(s["waiting_from"]), int(s["waiting"]) - 1
    if int(s["status"][seat]) == BUSTED:
        drop_waiting(s, begin, ev)
    elif int(s["status"][seat]) != FLIPPED_7:
        while begin < end:  # all are the same seat's
            card = s["waiting_card"][begin]
            s["waiting_card"][begin] = s["waiting_card"][end]
            s["waiting_card"][end] = card
            begin += 1
            end -= 1


@compiled
def drop_waiting(s: State, begin: int, ev: EventBuffer) -> None:
    """Discard the cards that wait, from this one on."""
    for i in range(begin, int(s["waiting"])):
        discard(s, int(s["waiting_by"][i]), int(s["waiting_card"][i]), ev)
    s["waiting"] = begin


@compiled
def discard(s: State, seat: int, card: int, ev: EventBuffer) -> bool:
    """A card goes without effect; nobody is asked."""
    s["discarded"] += 1
    emit(ev, events.DISCARDED, seat, card, 0)
    return False
