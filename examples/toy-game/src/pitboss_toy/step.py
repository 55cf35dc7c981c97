"""The rule book: a state of fixed size, and the functions that change it. All of it is compiled.

Chance is a player: when a chip is due, `to_act` is DEALER and the move is the chip.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.events import Events, emit
from pitboss.core.step import CUT, DEALER, OVER, RUNNING, TIED, WON, Step, column_numbers, tally_wins
from pitboss_toy import events
from pitboss_toy.rules import COPIES, HIGHEST, MAX_SEATS, MOST_ROUNDS

SKULL = 0  # a chip is its number
DEAL, DRAW_OR_BANK = 0, 1  # decisions; the dealer's is always 0
BANK, DRAW = 0, 1  # moves

COLUMNS = ("rounds", "total", "busts")  # of tally
ROUNDS, TOTAL, BUSTS = column_numbers(COLUMNS)

STATE = np.dtype(
    [
        # what every game has
        ("to_act", np.int32),
        ("decision", np.int32),
        ("seats", np.int32),
        ("ended", np.int32),
        ("left_total", np.int32),
        ("left", np.int16, (HIGHEST + 1,)),  # chips in the bag
        # what this one adds
        ("round", np.int32),
        ("turn", np.int32),  # whose turn it is
        ("drawn", np.int32),  # chips drawn in it
        ("pot", np.int32),
        ("total", np.int32, (MAX_SEATS,)),
        ("busts", np.int32, (MAX_SEATS,)),
        ("won", np.int32, (MAX_SEATS,)),
    ],
    align=True,
)


@compiled
def start(s: Any, r: Any, seats: int, ev: Events) -> None:
    """A new game, up to its first chip."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = 1
    s["turn"] = 0
    for seat in range(seats):
        s["total"][seat] = s["busts"][seat] = s["won"][seat] = 0
    _begin_turn(s, r, ev)


@compiled
def legal(s: Any, r: Any) -> int:
    """Bit m is set if move m (or chip m) can be made."""
    if int(s["to_act"]) == OVER:
        return 0
    if int(s["decision"]) == DRAW_OR_BANK:
        return 1 << BANK | 1 << DRAW
    bits = 0
    for chip in range(HIGHEST + 1):
        if int(s["left"][chip]) > 0:
            bits |= 1 << chip
    return bits


@compiled
def apply(s: Any, r: Any, move: int, ev: Events) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question."""
    seat = int(s["turn"])
    if int(s["decision"]) == DEAL:
        s["left"][move] -= 1
        s["left_total"] -= 1
        s["drawn"] += 1
        if move == SKULL:
            s["busts"][seat] += 1
            emit(ev, events.BUST, seat, int(s["pot"]), 0)
            _end_turn(s, r, ev)
        else:
            s["pot"] += move
            emit(ev, events.DREW, seat, move, int(s["pot"]))
            _ask(s, seat, DRAW_OR_BANK)
    elif move == DRAW:
        _ask(s, DEALER, DEAL)
    elif move == BANK:
        s["total"][seat] += s["pot"]
        emit(ev, events.BANKED, seat, int(s["pot"]), int(s["total"][seat]))
        _end_turn(s, r, ev)
    else:  # a fault costs the pot
        emit(ev, events.FAULTED, seat, int(s["pot"]), 0)
        _end_turn(s, r, ev)


@compiled
def _ask(s: Any, who: int, decision: int) -> None:
    s["to_act"] = who
    s["decision"] = decision


@compiled
def _begin_turn(s: Any, r: Any, ev: Events) -> None:
    """Every turn begins with a full bag and a chip that nobody is asked about."""
    s["pot"] = s["drawn"] = 0
    s["left"][SKULL] = r["skulls"]
    for chip in range(1, HIGHEST + 1):
        s["left"][chip] = COPIES
    s["left_total"] = int(r["skulls"]) + COPIES * HIGHEST
    if int(s["turn"]) == 0:
        emit(ev, events.ROUND, -1, int(s["round"]), 0)
    _ask(s, DEALER, DEAL)


@compiled
def _end_turn(s: Any, r: Any, ev: Events) -> None:
    s["pot"] = 0
    s["turn"] += 1
    round_over = int(s["turn"]) == int(s["seats"])
    if round_over:
        s["turn"] = 0
    if round_over or not int(r["even"]):
        _judge(s, r, ev)
    if round_over and int(s["ended"]) == RUNNING:
        s["round"] += 1
        if int(s["round"]) > MOST_ROUNDS:
            s["ended"] = CUT
            emit(ev, events.CUT_SHORT, -1, 0, 0)
    if int(s["ended"]) == RUNNING:
        _begin_turn(s, r, ev)
    else:
        _ask(s, OVER, DEAL)


@compiled
def _judge(s: Any, r: Any, ev: Events) -> None:
    """Those with the most points win, once these are enough."""
    best, winners = 0, 0
    for seat in range(int(s["seats"])):
        best = max(best, int(s["total"][seat]))
    if best < int(r["target"]):
        return
    for seat in range(int(s["seats"])):
        if int(s["total"][seat]) == best:
            s["won"][seat] = 1
            winners += 1
            emit(ev, events.WINS, seat, best, 0)
    s["ended"] = WON if winners == 1 else TIED


@compiled
def where(s: Any) -> int:
    """The place of the next chip in the key's stream: two games of one key differ only where bots do."""
    return (int(s["round"]) << 32) | (int(s["turn"]) << 24) | int(s["drawn"])


@compiled
def observe(s: Any, r: Any, seat: int, view: Any) -> Any:
    """Everything is open: the view is the state."""
    return s


@compiled
def tally(s: Any, rows: np.ndarray[Any, Any]) -> None:
    """Who has won; then our own columns."""
    seats = int(s["seats"])
    tally_wins(rows, s["won"], seats)
    for seat in range(seats):
        rows[seat, ROUNDS] = int(s["round"])
        rows[seat, TOTAL] = int(s["total"][seat])
        rows[seat, BUSTS] = int(s["busts"][seat])


STEP = Step(start, legal, apply, where, observe, tally)
