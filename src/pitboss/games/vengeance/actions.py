"""Actions and modifiers: on whom they are played, what is chosen, and the cards that wait for a Flip Four to end.

Part of the rule book; `step` calls these. Functions that may have to ask somebody return true if they did; whether the
question has more than one answer is seen afterwards, in one place for all (`only_answer`). Cards that wait lie in a
stack: the last one is resolved first, and those of one Flip Four are turned over when it ends, so that they come in the
order drawn, before any older ones (V12).
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
    CARD_0,
    HIT_OR_STAY,
    NO_ANSWER,
    PICK,
    PICK_SECOND,
    PRIZE,
    SEAT_0,
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
def draw_card(s: State, r: State, by: int, card: int) -> bool:
    """Somebody who is not bust has drawn a modifier or an action: whom is it played on, or what is chosen?"""
    if card >= SWAP and int(r["chooser"]) == rules.CHOSEN_BY_DRAWER:
        return ask_for_card(s, by, card)
    return ask(s, by, TARGET, card)


@compiled
def play_on(s: State, r: State, card: int, seat: int, by: int, ev: EventBuffer) -> bool:
    """Play a card on a seat."""
    emit(ev, events.PLAYED, seat, card, by)
    if card < LINE:
        put(s, seat, card)
        if int(s["status"][seat]) == BUSTED and int(r["below_zero"]):
            s["owed"][seat] += minus_points(card)  # V22
    elif card == JUST_ONE_MORE:
        leave(s, seat, STAYED)  # V13
        take_cards(s, seat, 1, card)
    elif card == FLIP_FOUR:
        take_cards(s, seat, 4, card)
        s["waiting_from"] = s["waiting"]
    else:
        return ask_for_card(s, seat, card)
    return False


# --- which card ---


@compiled
def ask_for_card(s: State, chooser: int, card: int) -> bool:
    s["picked"] = -1
    return ask(s, chooser, PICK, card)


@compiled
def within_choice(s: State, r: State, seat: int) -> int:
    """The cards of a seat that the seat to act may choose now, as bits (V14 to V16): not its own if it steals, nor any
    of the seat whose card it has picked already."""
    chooser, picked = int(s["to_act"]), int(s["picked"])
    barred = chooser if int(s["card"]) == STEAL else picked // LINE if picked >= 0 else -1
    return int(s["line"][seat]) if seat != barred and within_reach(s, r, seat, chooser) else 0


@compiled
def can_pick(s: State, r: State, place: int) -> bool:
    """Whether the seat to act may choose this card: a place is seat * LINE + kind."""
    seat = place // LINE
    return place >= 0 and seat < int(s["seats"]) and (within_choice(s, r, seat) >> (place % LINE)) & 1 != 0


@compiled
def pick(s: State, r: State, chooser: int, card: int, place: int, ev: EventBuffer) -> bool:
    """The only or the first card that an action wants has been chosen."""
    seat, kind = place // LINE, place % LINE
    if card == SWAP:
        s["picked"] = place
        return ask(s, chooser, PICK_SECOND, SWAP)
    lift(s, r, seat, kind)
    if card == DISCARD:
        emit(ev, events.LOST, seat, kind, chooser)
    else:
        emit(ev, events.STOLEN, chooser, kind, seat)
        receive(s, r, chooser, kind, ev)
    return False


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


# --- questions that are none (V17) ---


@compiled
def only_answer(s: State, r: State) -> int:
    """The answer to a question that has no other, NO_ANSWER if there is none at all, and -1 if somebody must decide."""
    decision = int(s["decision"])
    if decision <= HIT_OR_STAY or decision == PRIZE:
        return -1
    if decision == TARGET:
        return _only_target(s, r)
    return _only_card(s, r, decision)


@compiled
def _only_target(s: State, r: State) -> int:
    by, card = int(s["to_act"]), int(s["card"])
    for seat in range(int(s["seats"])):
        if seat != by and can_target(s, r, seat, by, card):
            return -1
    return SEAT_0 + by


@compiled
def _only_card(s: State, r: State, decision: int) -> int:
    first, places, seats = -1, 0, 0
    for seat in range(int(s["seats"])):
        line = within_choice(s, r, seat)
        if line != 0:
            seats += 1
            places += 2 if line & (line - 1) else 1  # two stand for more
            if first < 0:
                first = seat
    swapping = decision == PICK and int(s["card"]) == SWAP
    if seats == 0 or (swapping and seats == 1):
        return NO_ANSWER
    if places > 2 or (places == 2 and not (swapping and seats == 2)):
        return -1
    kind, line = 0, int(s["line"][first])
    while not (line >> kind) & 1:
        kind += 1
    return CARD_0 + first * LINE + kind


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
    return draw_card(s, r, by, card)
