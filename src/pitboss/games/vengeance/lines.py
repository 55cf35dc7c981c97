"""What happens to lines: cards come and go, numbers bust, the special numbers do their work.

Part of the rule book; `step` and `actions` call these.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.types import EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.cards import LINE, LUCKY_13, MINUS_2, SEVEN, THIRTEEN, UNLUCKY_7
from pitboss.games.vengeance.state import (
    BONUS,
    BUSTED,
    FLIP_7,
    FLIPPED_7,
    THIRTEENS,
    State,
    bits_in,
    deadly,
    leave,
    minus_points,
    number_on,
    points,
)


@compiled
def put(s: State, seat: int, kind: int) -> None:
    """A card comes to lie in front of a seat, whatever it means there."""
    bit, line = 1 << kind, int(s["line"][seat])
    _lay(s, seat, line | bit, int(s["twin"][seat]) | (line & bit))
    if kind >= MINUS_2:
        s["minus"][seat] += minus_points(kind)


@compiled
def _lay(s: State, seat: int, line: int, twin: int) -> None:
    """These cards now lie in front of a seat."""
    s["line"][seat] = line
    s["twin"][seat] = twin
    s["deadly"][seat] = deadly(line, twin)


@compiled
def counts(r: State, line: int, kind: int) -> int:
    """1 if a number counts among the seven of a line in which it does not lie: a second 13 may not (V6)."""
    second = (THIRTEENS >> kind) & ((line >> THIRTEEN) | (line >> LUCKY_13)) & 1
    return 1 - (second if int(r["thirteens"]) == rules.ONCE else 0)


@compiled
def lift(s: State, r: State, seat: int, kind: int) -> None:
    """A face-up card leaves a line."""
    bit, line, twin = 1 << kind, int(s["line"][seat]), int(s["twin"][seat])
    if twin & bit:
        twin ^= bit
    else:
        line ^= bit
    _lay(s, seat, line, twin)
    if kind < MINUS_2:
        s["sum"][seat] -= number_on(kind)
        s["count"][seat] -= counts(r, line, kind)
    else:
        s["minus"][seat] -= minus_points(kind)
    appraise(s, r, seat)


@compiled
def appraise(s: State, r: State, seat: int) -> None:
    """Say anew what a seat would score if the round ended now; for whatever changes that."""
    s["points"][seat] = points(s, r, seat)


@compiled
def receive(s: State, r: State, seat: int, kind: int, ev: EventBuffer) -> None:
    """A number or a modifier comes into a line that is not bust, in whatever way."""
    _receive(s, r, seat, kind, ev)
    appraise(s, r, seat)


@compiled
def _receive(s: State, r: State, seat: int, kind: int, ev: EventBuffer) -> None:
    line = int(s["line"][seat])
    busts = (int(s["deadly"][seat]) >> kind) & 1
    if kind == UNLUCKY_7:
        _start_over(s, seat, ev)
        return
    put(s, seat, kind)
    if kind >= MINUS_2:
        return
    if busts:
        bust_out(s, seat)
        emit(ev, events.BUST, seat, kind, 0)
        return
    count = int(s["count"][seat]) + counts(r, line, kind)
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
    s["discarded"] += bits_in(line) + bits_in(twin)
    _lay(s, seat, 1 << UNLUCKY_7, 0)
    s["sum"][seat] = SEVEN
    s["minus"][seat] = 0
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
