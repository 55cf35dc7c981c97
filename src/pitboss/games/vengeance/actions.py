"""Actions and modifiers: on whom they are played, what is chosen, and the cards that wait for a Flip Four to end.

Part of the rule book; `step` calls these. Functions that may have to ask somebody return true if they did. Cards that
wait lie in a stack: the last one is resolved first, and those of one Flip Four are turned over when it ends, so that
they come in the order drawn, before any older ones (V12).
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, LINE, STEAL, SWAP
from pitboss.games.vengeance.lines import lift, put, receive
from pitboss.games.vengeance.state import (
    ACTIVE,
    BUSTED,
    PICK,
    PICK_SECOND,
    STAYED,
    TARGET,
    State,
    ask,
    leave,
    minus_points,
    take_cards,
)

# --- on whom ---


@compiled
def within_reach(s: State, r: State, seat: int, chooser: int) -> bool:
    """Whether cards of a seat may be chosen, and cards be played on it (V11)."""
    status = int(s["status"][seat])
    return status == ACTIVE or seat == chooser or (status == STAYED and int(r["reach"]) == rules.REACH_ALL)


@compiled
def can_target(s: State, r: State, seat: int, by: int, card: int) -> bool:
    """Whether a seat may play a card on another (V11, V18, V22)."""
    if card < LINE and int(r["modifiers_on_bust"]) and int(s["status"][seat]) == BUSTED:
        return True
    return within_reach(s, r, seat, by)


@compiled
def choose_target(s: State, r: State, by: int, card: int, ev: EventBuffer) -> bool:
    """Somebody has drawn a modifier or an action, and is not bust."""
    if card >= SWAP and int(r["chooser"]) == rules.CHOSEN_BY_DRAWER:
        return choose_card(s, r, by, card, ev)
    for seat in range(int(s["seats"])):
        if seat != by and can_target(s, r, seat, by, card):
            return ask(s, by, TARGET, card)
    return play_on(s, r, card, by, by, ev)


@compiled
def play_on(s: State, r: State, card: int, seat: int, by: int, ev: EventBuffer) -> bool:
    """Play a card on a seat."""
    emit(ev, events.PLAYED, seat, card, by)
    if card < LINE:
        if int(s["status"][seat]) != BUSTED:
            receive(s, r, seat, card, ev)
        else:
            put(s, seat, card)
            if int(r["below_zero"]):
                s["owed"][seat] += minus_points(card)  # V22
    elif card == JUST_ONE_MORE:
        leave(s, seat, STAYED)  # V13
        take_cards(s, seat, 1, card)
    elif card == FLIP_FOUR:
        take_cards(s, seat, 4, card)
        s["waiting_from"] = s["waiting"]
    else:
        return choose_card(s, r, seat, card, ev)
    return False


# --- which card ---


@compiled
def barred(s: State, card: int, chooser: int) -> int:
    """The seat whose cards cannot be chosen now, or -1: a thief's own, and the one whose card is picked already."""
    if card == STEAL:
        return chooser
    return int(s["picked"]) // LINE if int(s["picked"]) >= 0 else -1


@compiled
def can_pick(s: State, r: State, place: int) -> bool:
    """Whether the seat to act may choose this card: a place is seat * LINE + kind (V14 to V16)."""
    seat, chooser = place // LINE, int(s["to_act"])
    if place < 0 or seat >= int(s["seats"]) or (int(s["line"][seat]) >> (place % LINE)) & 1 == 0:
        return False
    return seat != barred(s, int(s["card"]), chooser) and within_reach(s, r, seat, chooser)


@compiled
def choose_card(s: State, r: State, chooser: int, card: int, ev: EventBuffer) -> bool:
    """Ask for a card, unless there is no choice (V17)."""
    s["picked"] = -1
    first, last, places, seats = -1, -1, 0, 0
    avoided = barred(s, card, chooser)
    for seat in range(int(s["seats"])):
        line = int(s["line"][seat])
        if line != 0 and seat != avoided and within_reach(s, r, seat, chooser):
            seats += 1
            last = lowest_place(seat, line)
            if first < 0:
                first = last
            places += 2 if line & (line - 1) else 1  # two stand for more
    if seats == 0 or (card == SWAP and seats == 1):
        return discard(chooser, card, ev)
    if card == SWAP and seats == 2 and places == 2:
        return swap(s, r, first, last, ev)
    if places == 1:
        return pick(s, r, chooser, card, first, ev)
    return ask(s, chooser, PICK, card)


@compiled
def lowest_place(seat: int, line: int) -> int:
    """The place of the first card of a line that is not empty."""
    kind = 0
    while not (line >> kind) & 1:
        kind += 1
    return seat * LINE + kind


@compiled
def pick(s: State, r: State, chooser: int, card: int, place: int, ev: EventBuffer) -> bool:
    """The only or the first card that an action wants has been chosen."""
    seat, kind = place // LINE, place % LINE
    if card == SWAP:
        return _pick_second(s, r, chooser, place, ev)
    lift(s, r, seat, kind)
    if card == DISCARD:
        emit(ev, events.LOST, seat, kind, chooser)
    else:
        emit(ev, events.STOLEN, chooser, kind, seat)
        receive(s, r, chooser, kind, ev)
    return False


@compiled
def _pick_second(s: State, r: State, chooser: int, first: int, ev: EventBuffer) -> bool:
    """Ask for the other card of a Swap, unless there is only one."""
    s["picked"] = first
    place, places = -1, 0
    for seat in range(int(s["seats"])):
        line = int(s["line"][seat])
        if line != 0 and seat != first // LINE and within_reach(s, r, seat, chooser):
            place = lowest_place(seat, line)
            places += 2 if line & (line - 1) else 1
    if places == 1:
        return swap(s, r, first, place, ev)
    return ask(s, chooser, PICK_SECOND, SWAP)


@compiled
def swap(s: State, r: State, one: int, other: int, ev: EventBuffer) -> bool:
    """V14: both cards leave, then both are received."""
    seat, kind, seat_2, kind_2 = one // LINE, one % LINE, other // LINE, other % LINE
    s["picked"] = -1
    lift(s, r, seat, kind)
    lift(s, r, seat_2, kind_2)
    emit(ev, events.SWAPPED, seat, kind_2, seat_2)
    emit(ev, events.SWAPPED, seat_2, kind, seat)
    receive(s, r, seat, kind_2, ev)
    receive(s, r, seat_2, kind, ev)
    return False


@compiled
def discard(seat: int, card: int, ev: EventBuffer) -> bool:
    """A card goes without effect; nobody is asked."""
    emit(ev, events.DISCARDED, seat, card, 0)
    return False


# --- cards that wait ---


@compiled
def set_aside(s: State, seat: int, card: int, ev: EventBuffer) -> None:
    n = int(s["waiting"])
    s["waiting_card"][n] = card
    s["waiting_by"][n] = seat
    s["waiting"] = n + 1
    emit(ev, events.SET_ASIDE, seat, card, 0)


@compiled
def end_flip(s: State, seat: int, ev: EventBuffer) -> None:
    """The four cards are taken: see to those that wait."""
    begin, end = int(s["waiting_from"]), int(s["waiting"]) - 1
    if int(s["status"][seat]) == BUSTED:
        drop_waiting(s, begin, ev)
        return
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
        discard(int(s["waiting_by"][i]), int(s["waiting_card"][i]), ev)
    s["waiting"] = begin


@compiled
def resolve_waiting(s: State, r: State, ev: EventBuffer) -> bool:
    n = int(s["waiting"]) - 1
    card, by = int(s["waiting_card"][n]), int(s["waiting_by"][n])
    s["waiting"] = n
    if int(s["status"][by]) == BUSTED:
        return discard(by, card, ev)
    return choose_target(s, r, by, card, ev)
