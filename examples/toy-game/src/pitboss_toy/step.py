"""The rule book: a state of fixed size, and the functions that change it. All of it is compiled.

Chance is a player: when a chip is due, `to_act` is DEALER and the move is the chip.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pitboss.core.compile import compiled
from pitboss.core.events import Event, emit
from pitboss.core.layout import GameLayout
from pitboss.core.step import CUT, DEALER, OVER, RUNNING, TIED, WON, ask, cards_left, column_numbers, tally_wins
from pitboss.core.types import EventBuffer

SEATS = 6  # at most
HIGHEST = 5  # chips are numbered from 1 to this
COPIES = 2  # of each number
MOST_ROUNDS = 500  # bots that never bank must come to an end, too

SKULL = 0  # a chip is its number
DEAL, DRAW_OR_BANK = 0, 1  # decisions; the dealer's is always 0
MOVES = ("bank", "draw")
BANK, DRAW = range(len(MOVES))
COLUMNS = ("rounds", "total", "busts")  # of tally
ROUNDS, TOTAL, BUSTS = column_numbers(COLUMNS)

LAYOUT = GameLayout(
    kinds=HIGHEST + 1,
    seats=SEATS,
    table={
        "round": "the round that is played",
        "turn": "the seat whose turn it is",
        "drawn": "how many chips were drawn in this turn",
        "pot": "what the player in turn would bank",
    },
    each={"total": "the points of all seats", "busts": "how often a skull came", "won": "1 for winners"},
)


class ToyEvent(Event):
    """What can happen, and how it is told."""

    texts: ClassVar[dict[str, str]] = {
        "round": "--- Round {a} ---",
        "drew": "{who} draws {a}, pot {b}",
        "bust": "{who} draws a skull and loses {a}",
        "banked": "{who} banks {a}, total {b}",
        "fault": "{who} is at fault and loses {a}",
        "wins": "{who} wins with {a} points",
        "cut": "The game is cut: no winner",
    }
    minor = ("drew",)


BEGUN, DREW, BUST, BANKED, FAULTED, WINS, CUT_SHORT = range(len(ToyEvent.texts))


@compiled
def start(s: Any, r: Any, seats: int, ev: EventBuffer) -> None:
    """A new game, up to its first chip; it sets every field."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = 1
    s["turn"] = 0
    for seat in range(SEATS):
        s["total"][seat] = s["busts"][seat] = s["won"][seat] = 0
    begin_turn(s, r, ev)


@compiled
def legal(s: Any, r: Any) -> int:
    """Bit m is set if move m (or chip m) can be made."""
    if int(s["to_act"]) == OVER:
        return 0
    return 1 << BANK | 1 << DRAW if int(s["decision"]) == DRAW_OR_BANK else cards_left(s)


@compiled
def apply(s: Any, r: Any, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question."""
    seat = int(s["turn"])
    if int(s["decision"]) == DEAL:
        s["left"][move] -= 1
        s["left_total"] -= 1
        s["drawn"] += 1
        if move == SKULL:
            s["busts"][seat] += 1
            emit(ev, BUST, seat, int(s["pot"]), 0)
            end_turn(s, r, ev)
        else:
            s["pot"] += move
            emit(ev, DREW, seat, move, int(s["pot"]))
            ask(s, seat, DRAW_OR_BANK)
    elif move == DRAW:
        ask(s, DEALER, DEAL)
    elif move == BANK:
        s["total"][seat] += s["pot"]
        emit(ev, BANKED, seat, int(s["pot"]), int(s["total"][seat]))
        end_turn(s, r, ev)
    else:  # a fault costs the pot
        emit(ev, FAULTED, seat, int(s["pot"]), 0)
        end_turn(s, r, ev)


@compiled
def begin_turn(s: Any, r: Any, ev: EventBuffer) -> None:
    """Every turn begins with a full bag and a chip that nobody is asked about."""
    s["pot"] = s["drawn"] = 0
    s["left"][SKULL] = r["skulls"]
    for chip in range(1, HIGHEST + 1):
        s["left"][chip] = COPIES
    s["left_total"] = int(r["skulls"]) + COPIES * HIGHEST
    if int(s["turn"]) == 0:
        emit(ev, BEGUN, -1, int(s["round"]), 0)
    ask(s, DEALER, DEAL)


@compiled
def end_turn(s: Any, r: Any, ev: EventBuffer) -> None:
    """The next turn begins, unless somebody has won, or it has gone on for too long."""
    s["pot"] = 0
    s["turn"] = (int(s["turn"]) + 1) % int(s["seats"])
    round_over = int(s["turn"]) == 0
    if round_over or not int(r["even"]):
        judge(s, r, ev)
    if round_over and int(s["ended"]) == RUNNING:
        s["round"] += 1
        if int(s["round"]) > MOST_ROUNDS:
            s["ended"] = CUT
            emit(ev, CUT_SHORT, -1, 0, 0)
    if int(s["ended"]) == RUNNING:
        begin_turn(s, r, ev)
    else:
        ask(s, OVER, DEAL)


@compiled
def judge(s: Any, r: Any, ev: EventBuffer) -> None:
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
            emit(ev, WINS, seat, best, 0)
    s["ended"] = WON if winners == 1 else TIED


@compiled
def where(s: Any) -> int:
    """The place of the next chip in the key's stream: two games of one key differ only where bots do."""
    return (int(s["round"]) << 32) | (int(s["turn"]) << 24) | int(s["drawn"])


@compiled
def tally(s: Any, rows: Any) -> None:
    """Who has won; then our own columns."""
    tally_wins(rows, s["won"], int(s["seats"]))
    for seat in range(int(s["seats"])):
        rows[seat, ROUNDS] = int(s["round"])
        rows[seat, TOTAL] = int(s["total"][seat])
        rows[seat, BUSTS] = int(s["busts"][seat])
