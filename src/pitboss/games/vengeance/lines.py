"""What happens to lines: cards come and go, numbers bust, the special numbers do their work.

Part of the rule book; `step` and `actions` call these.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.cards import LINE, LUCKY_13, MINUS_2, SEVEN, THIRTEEN, UNLUCKY_7
from pitboss.games.vengeance.state import BONUS, BUSTED, FLIP_7, FLIPPED_7, State, clashes, leave, number_on, thirteens


@compiled
def put(s: State, seat: int, kind: int) -> None:
    """A card comes to lie in front of a seat, whatever it means there."""
    bit, line = 1 << kind, int(s["line"][seat])
    s["twin"][seat] |= line & bit
    s["line"][seat] = line | bit


@compiled
def counts(r: State, line: int, twin: int, kind: int) -> int:
    """1 if a number counts among the seven of a line in which it does not lie: a second 13 may not (V6)."""
    second = ((1 << THIRTEEN | 1 << LUCKY_13) >> kind) & thirteens(line, twin)
    return 1 - (second & 1 if int(r["thirteens"]) == rules.ONCE else 0)


@compiled
def lift(s: State, r: State, seat: int, kind: int) -> None:
    """A face-up card leaves a line."""
    bit, line, twin = 1 << kind, int(s["line"][seat]), int(s["twin"][seat])
    if twin & bit:
        twin ^= bit
    else:
        line ^= bit
    s["line"][seat] = line
    s["twin"][seat] = twin
    if kind < MINUS_2:
        s["sum"][seat] -= number_on(kind)
        s["count"][seat] -= counts(r, line, twin, kind)


@compiled
def receive(s: State, r: State, seat: int, kind: int, ev: EventBuffer) -> None:
    """A number or a modifier comes into a line that is not bust, in whatever way."""
    line, twin = int(s["line"][seat]), int(s["twin"][seat])
    if kind == UNLUCKY_7:
        _start_over(s, seat, ev)
        return
    put(s, seat, kind)
    if kind >= MINUS_2:
        return
    if clashes(line, twin, kind):
        bust_out(s, seat)
        emit(ev, events.BUST, seat, kind, 0)
        return
    count = int(s["count"][seat]) + counts(r, line, twin, kind)
    s["count"][seat] = count
    s["sum"][seat] += number_on(kind)
    if count == FLIP_7:
        _flip_7(s, seat, ev)


@compiled
def bust_out(s: State, seat: int) -> None:
    leave(s, seat, BUSTED)
    s["busts"][seat] += 1


@compiled
def _start_over(s: State, seat: int, ev: EventBuffer) -> None:
    """V9: all other cards of the line are discarded."""
    line, twin = int(s["line"][seat]), int(s["twin"][seat])
    s["line"][seat] = 1 << UNLUCKY_7
    s["twin"][seat] = 0
    s["sum"][seat] = SEVEN
    s["count"][seat] = 1
    for kind in range(LINE):
        if (line >> kind) & 1:
            emit(ev, events.DISCARDED, seat, kind, 0)
        if (twin >> kind) & 1:
            emit(ev, events.DISCARDED, seat, kind, 0)


@compiled
def _flip_7(s: State, seat: int, ev: EventBuffer) -> None:
    """V6: the round is over for all."""
    leave(s, seat, FLIPPED_7)
    s["flip7s"][seat] += 1
    s["bonus"][seat] = BONUS
    s["flipped"] = seat
    emit(ev, events.FLIP_7_MADE, seat, 0, 0)
