"""What happens to lines: cards come and go, numbers bust, the special numbers do their work.

Part of the rule book; `step` and `actions` call these.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.cards import LINE, MINUS_2, SEVEN, UNLUCKY_7
from pitboss.games.vengeance.state import (
    BONUS,
    BUSTED,
    FLIP_7,
    FLIPPED_7,
    State,
    clashes,
    is_thirteen,
    leave,
    number_on,
    thirteens,
)


@compiled
def put(s: State, seat: int, kind: int) -> None:
    """A card comes to lie in front of a seat, whatever it means there."""
    bit, line = 1 << kind, int(s["line"][seat])
    if line & bit:
        s["twin"][seat] |= bit
    s["line"][seat] = line | bit


@compiled
def counts(s: State, r: State, seat: int, kind: int) -> bool:
    """Whether a number counts among the seven of a line in which it does not lie: a second 13 may not (V6)."""
    if not is_thirteen(kind) or int(r["thirteens"]) == rules.TWICE:
        return True
    return thirteens(int(s["line"][seat]), int(s["twin"][seat])) == 0


@compiled
def lift(s: State, r: State, seat: int, kind: int) -> None:
    """A face-up card leaves a line."""
    bit = 1 << kind
    if int(s["twin"][seat]) & bit:
        s["twin"][seat] ^= bit
    else:
        s["line"][seat] ^= bit
    if kind < MINUS_2:
        s["sum"][seat] -= number_on(kind)
        if counts(s, r, seat, kind):
            s["count"][seat] -= 1


@compiled
def receive(s: State, r: State, seat: int, kind: int, ev: EventBuffer) -> None:
    """A number or a modifier comes into a line that is not bust, in whatever way."""
    if kind >= MINUS_2:
        put(s, seat, kind)
    elif kind == UNLUCKY_7:
        _start_over(s, seat, ev)
    elif clashes(int(s["line"][seat]), int(s["twin"][seat]), kind):
        put(s, seat, kind)
        bust_out(s, seat)
        emit(ev, events.BUST, seat, kind, 0)
    else:
        if counts(s, r, seat, kind):
            s["count"][seat] += 1
        put(s, seat, kind)
        s["sum"][seat] += number_on(kind)
        if int(s["count"][seat]) == FLIP_7:
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
