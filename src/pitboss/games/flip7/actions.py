"""The action cards: Second Chance, Freeze, Flip Three, and the cards that a Flip Three sets aside.

Part of the rule book; `step` calls these. Functions that may have to ask somebody return true if
they did. Cards set aside lie in a stack: the last one is resolved first, and those of one Flip
Three are turned over when it ends, so that they come in draw order, before any older ones (T6).
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.flip7 import events, rules
from pitboss.games.flip7.cards import FREEZE, SECOND_CHANCE
from pitboss.games.flip7.state import (
    ACTIVE,
    ASSIGN,
    BANKED,
    BUSTED,
    FLIPPED_7,
    FROZEN,
    TARGET,
    State,
    active_seats,
    ask,
    leave,
    lowest_seat,
    spend,
    take_cards,
    use_up,
)

# --- Second Chance ---


@compiled
def chance_drawn(s: State, r: State, seat: int, ev: EventBuffer) -> bool:
    how = int(r["second_chance"])
    if how < rules.FLAG:
        s["front"][seat, SECOND_CHANCE] += 1
        return False
    free = not int(s["chance"][seat])
    if how == rules.FLAG or (how == rules.KEPT and free) or (how == rules.GIVEN and free and int(s["active"]) == 1):
        give_chance(s, seat, seat, ev)
        return False
    seats = receivers(s, r)
    if seats == 0:
        spend(s, seat, SECOND_CHANCE, ev)
        return False
    if seats & (seats - 1) == 0:
        give_chance(s, lowest_seat(seats), seat, ev)
        return False
    return ask(s, seat, TARGET, SECOND_CHANCE)


@compiled
def give_chance(s: State, seat: int, by: int, ev: EventBuffer) -> None:
    s["front"][seat, SECOND_CHANCE] += 1
    s["chance"][seat] = 1
    emit(ev, events.CHANCE_GIVEN, seat, SECOND_CHANCE, by)


@compiled
def receivers(s: State, r: State) -> int:
    """The seats that may be given a Second Chance, as bits (T7, O5)."""
    bits = 0
    for seat in range(int(s["seats"])):
        status = int(s["status"][seat])
        welcome = status == ACTIVE or (int(r["second_chance_to"]) == rules.TO_UNBUSTED and status != BUSTED)
        if welcome and not int(s["chance"][seat]):
            bits |= 1 << seat
    return bits


@compiled
def save(s: State, r: State, seat: int, card: int, ev: EventBuffer) -> None:
    """The Second Chance and the duplicate go; the player plays on, or banks and is done."""
    s["chance"][seat] = 0
    s["front"][seat, SECOND_CHANCE] -= 1
    use_up(s, r, SECOND_CHANCE)
    use_up(s, r, card)
    emit(ev, events.SAVED, seat, card, 0)
    if int(r["after_save"]) == rules.BANKS:
        leave(s, seat, BANKED)
        emit(ev, events.STAYS, seat, int(s["points"][seat]), 0)
        if int(s["flipping"]):
            drop_waiting(s, int(s["waiting_from"]), int(s["waiting"]) - int(s["waiting_from"]), ev)


# --- Freeze and Flip Three on a target ---


@compiled
def choose_target(s: State, r: State, by: int, card: int, ev: EventBuffer) -> bool:
    if int(s["active"]) > 1:
        return ask(s, by, TARGET, card)
    put_on(s, r, card, lowest_seat(active_seats(s)), by, ev)
    return False


@compiled
def put_on(s: State, r: State, card: int, seat: int, by: int, ev: EventBuffer) -> None:
    """Resolve a Freeze or a Flip Three on a seat that is active."""
    if card == FREEZE:
        s["front"][seat, FREEZE] += 1
        leave(s, seat, FROZEN)
        emit(ev, events.FROZE, seat, int(s["points"][seat]), by)
    else:
        take_cards(s, seat, 3)
        s["flipping"] = 1
        s["waiting_from"] = s["waiting"]
        if seat == int(s["turn"]) and int(r["again_after_flip_three"]):
            s["again"] = 1
        emit(ev, events.FLIPS_THREE, seat, 0, by)


# --- cards set aside ---


@compiled
def set_aside(s: State, seat: int, card: int, ev: EventBuffer) -> None:
    n = int(s["waiting"])
    s["waiting_card"][n] = card
    s["waiting_by"][n] = seat
    s["waiting_for"][n] = -1
    s["waiting"] = n + 1
    emit(ev, events.SET_ASIDE, seat, card, 0)


@compiled
def may_choose(s: State, seat: int) -> bool:
    """T5: a flipper who has busted or made seven resolves nothing more."""
    return int(s["status"][seat]) != BUSTED and int(s["status"][seat]) != FLIPPED_7


@compiled
def end_flip(s: State, r: State, seat: int, ev: EventBuffer) -> None:
    """The three cards are done: see to those that were set aside."""
    begin, end = int(s["waiting_from"]), int(s["waiting"])
    if begin == end:
        return
    if not may_choose(s, seat):
        drop_waiting(s, begin, end - begin, ev)
    elif int(r["set_aside"]) == rules.ASSIGN_ALL:
        s["assigning"] = begin
    else:
        turn_over(s, begin)


@compiled
def turn_over(s: State, begin: int) -> None:
    """Reverse the latest cards, so that taking from the end gives them in draw order (T6)."""
    i, j = begin, int(s["waiting"]) - 1
    while i < j:
        card, by, to = int(s["waiting_card"][i]), int(s["waiting_by"][i]), int(s["waiting_for"][i])
        s["waiting_card"][i] = s["waiting_card"][j]
        s["waiting_by"][i] = s["waiting_by"][j]
        s["waiting_for"][i] = s["waiting_for"][j]
        s["waiting_card"][j] = card
        s["waiting_by"][j] = by
        s["waiting_for"][j] = to
        i += 1
        j -= 1


@compiled
def drop_waiting(s: State, begin: int, count: int, ev: EventBuffer) -> None:
    """Discard some of the cards set aside."""
    for i in range(begin, begin + count):
        spend(s, int(s["waiting_by"][i]), int(s["waiting_card"][i]), ev)
    for i in range(begin + count, int(s["waiting"])):
        s["waiting_card"][i - count] = s["waiting_card"][i]
        s["waiting_by"][i - count] = s["waiting_by"][i]
        s["waiting_for"][i - count] = s["waiting_for"][i]
    s["waiting"] -= count


@compiled
def assign_next(s: State, ev: EventBuffer) -> bool:
    """O4: all cards set aside are assigned before the first is resolved."""
    i = int(s["assigning"])
    if i == int(s["waiting"]):
        s["assigning"] = -1
        turn_over(s, int(s["waiting_from"]))
        return False
    by = int(s["waiting_by"][i])
    if not may_choose(s, by):
        drop_waiting(s, i, int(s["waiting"]) - i, ev)
        return False
    if int(s["active"]) > 1:
        return ask(s, by, ASSIGN, int(s["waiting_card"][i]))
    assign(s, lowest_seat(active_seats(s)), ev)
    return False


@compiled
def assign(s: State, seat: int, ev: EventBuffer) -> None:
    i = int(s["assigning"])
    s["waiting_for"][i] = seat
    s["assigning"] = i + 1
    emit(ev, events.ASSIGNED, seat, int(s["waiting_card"][i]), int(s["waiting_by"][i]))


@compiled
def resolve_waiting(s: State, r: State, ev: EventBuffer) -> bool:
    n = int(s["waiting"]) - 1
    card, by, to = int(s["waiting_card"][n]), int(s["waiting_by"][n]), int(s["waiting_for"][n])
    s["waiting"] = n
    if to < 0 and may_choose(s, by):
        return choose_target(s, r, by, card, ev)
    if to >= 0 and int(s["status"][to]) == ACTIVE:
        put_on(s, r, card, to, by, ev)
    else:
        spend(s, by, card, ev)  # C13
    return False
