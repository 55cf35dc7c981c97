"""Actions and modifiers: on whom they are played, what is chosen, and the cards that wait for a Flip Four to end.

Part of the rule book; `step` calls these. Functions that may have to ask somebody return true if they did; whether the
question has more than one answer is seen afterwards, in one place for all (`only_answer`).
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, LINE, STEAL, SWAP
from pitboss.games.vengeance.lines import appraise, lift, put, receive
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
)
from pitboss.games.vengeance.taking import discard, take

# --- on whom ---


@compiled
def within_reach(s: State, r: State, seat: int, chooser: int) -> bool:
    """Whether cards of a seat may be chosen, and cards be played on it (V11)."""
    status = int(s["status"][seat])
    return status == ACTIVE or seat == chooser or (status == STAYED and int(r["reach"]) == rules.REACH_ALL)


@compiled
def can_target(s: State, r: State, seat: int, by: int, card: int) -> bool:
    """Whether a seat may play a card on another (V11, V17, V18, V22)."""
    if card < LINE and int(r["modifiers_on_bust"]) and int(s["status"][seat]) == BUSTED:
        return True
    return within_reach(s, r, seat, by) and (card < SWAP or bool(r["waste"]) or _can_use(s, r, seat, card))


@compiled
def _can_use(s: State, r: State, seat: int, card: int) -> bool:
    """Whether a seat on whom a Swap, a Steal or a Discard is played has something to choose (V14 to V16)."""
    lines = 0
    for other in range(int(s["seats"])):
        if int(s["line"][other]) != 0 and within_reach(s, r, other, seat) and not (card == STEAL and other == seat):
            lines += 1
    return lines >= (2 if card == SWAP else 1)


@compiled
def _any_use(s: State, r: State, by: int, card: int) -> bool:
    """Whether there is anybody on whom a Swap, a Steal or a Discard can be played."""
    for seat in range(int(s["seats"])):
        if can_target(s, r, seat, by, card):
            return True
    return False


@compiled
def draw_card(s: State, r: State, by: int, card: int, ev: EventBuffer) -> bool:
    """Somebody who is not bust has drawn a modifier or an action: whom is it played on, or what is chosen?"""
    if card >= SWAP and int(r["chooser"]) == rules.CHOSEN_BY_DRAWER:
        return ask(s, by, PICK, card)
    if card >= SWAP and not int(r["waste"]) and not _any_use(s, r, by, card):
        return discard(s, by, card, ev)  # V17
    return ask(s, by, TARGET, card)


@compiled
def play_on(s: State, r: State, card: int, seat: int, by: int, ev: EventBuffer) -> bool:
    """Play a card on a seat."""
    emit(ev, events.PLAYED, seat, card, by)
    if card < LINE:
        put(s, seat, card)
        if int(s["status"][seat]) == BUSTED and int(r["below_zero"]):
            s["owed"][seat] += minus_points(card)  # V22
        appraise(s, r, seat)
    elif card == JUST_ONE_MORE:
        leave(s, seat, STAYED)  # V13
        return take(s, seat, 1, card)
    elif card == FLIP_FOUR:
        s["waiting_from"] = s["waiting"]
        return take(s, seat, 4, card)
    else:
        return ask(s, seat, PICK, card)
    return False


# --- which card ---


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
    s["discarded"] += 1  # the action (V11)
    lift(s, r, seat, kind)
    if card == DISCARD:
        s["discarded"] += 1
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
    s["discarded"] += 1  # the Swap
    lift(s, r, seat, kind)
    lift(s, r, seat_2, kind_2)
    emit(ev, events.SWAPPED, seat, kind_2, seat_2)
    emit(ev, events.SWAPPED, seat_2, kind, seat)
    receive(s, r, seat, kind_2, ev)
    receive(s, r, seat_2, kind, ev)
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
    only = by if can_target(s, r, by, by, card) else -1
    for seat in range(int(s["seats"])):
        if seat != by and can_target(s, r, seat, by, card):
            if only >= 0:
                return -1
            only = seat
    return SEAT_0 + only


@compiled
def _only_card(s: State, r: State, decision: int) -> int:
    first, places, seats = -1, 0, 0
    for seat in range(int(s["seats"]) - 1, -1, -1):
        line = within_choice(s, r, seat)
        some = 1 if line != 0 else 0
        seats += some
        places += some + (1 if line & (line - 1) != 0 else 0)  # two stand for more
        first = seat if some else first
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
def resolve_waiting(s: State, r: State, ev: EventBuffer) -> bool:
    n = int(s["waiting"]) - 1
    card, by = int(s["waiting_card"][n]), int(s["waiting_by"][n])
    s["waiting"] = n
    if int(s["status"][by]) == BUSTED:
        return discard(s, by, card, ev)
    return draw_card(s, r, by, card, ev)
