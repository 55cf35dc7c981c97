"""The rule book of Liar's Dice: a state of fixed size, and the functions that change it. All of it is compiled.

Chance is a player: while dice are rolled, `to_act` is DEALER and the move is what a die shows, less one. A bid of 3
dice that show 5 is one of 180 moves (`bid_of`); calling the last bidder a liar is the first.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pitboss.core.compile import compiled
from pitboss.core.events import Event, emit
from pitboss.core.layout import GameLayout
from pitboss.core.secrets import NONE, Secrets
from pitboss.core.step import DEALER, FAULT, OVER, RUNNING, WON, ask, column_numbers, tally_wins
from pitboss.core.types import EventBuffer

SEATS, DICE, FACES = 6, 5, 6  # at most
MOST = SEATS * DICE  # dice in one round

ROLL, BID_OR_CALL = 0, 1  # decisions; the dealer's is always 0
LIAR = 0  # moves: this one, then all bids
MOVES = 1 + MOST * FACES
COLUMNS = ("rounds", "dice", "bids", "calls", "calls_won")  # of tally
ROUNDS, DICE_LEFT, BIDS, CALLS, CALLS_WON = column_numbers(COLUMNS)

LAYOUT = GameLayout(
    kinds=FACES,
    seats=SEATS,
    table={
        "round": "the round that is played",
        "turn": "the seat that bids, or rolls",
        "rolled": "how many dice that seat has rolled in this round",
        "first": "the seat that bids first in this round",
        "bid": "the last bid, as a move; 0 if there is none yet",
        "bidder": "who made it, or -1",
        "in_play": "how many dice all have together",
    },
    each={
        "dice[5]": "the dice of each seat, 0 to 5: -2 if you may not know it, -1 if there is none",
        "shown[5]": "the dice that each seat had to show last, or -1",
        "said": "the last bid of each seat in this round, as a move; 0 if it has not bid",
        "count": "how many dice each seat has",
        "bids": "how many bids each seat has made",
        "calls": "how often each seat has called somebody a liar",
        "calls_won": "how often it was right",
        "won": "1 for the winner",
    },
)
SECRETS = Secrets(LAYOUT, rolled=("dice",))


class LiarEvent(Event):
    """What can happen, and how it is told."""

    texts: ClassVar[dict[str, str]] = {
        "round": "--- Round {a} ---",
        "rolled": "{who} rolls {a}",
        "bid": "{who} bids {a} × {b}",
        "called": "{who} calls {other} a liar",
        "shows": "{who} shows {dice}",
        "counted": "There are {a} × {b}",
        "lost": "{who} loses a die and has {a} left",
        "fault": "{who} is at fault",
        "wins": "{who} wins",
    }
    secret: ClassVar[dict[str, str]] = {"rolled": "{who} rolls a die"}
    minor = ("rolled", "bid")

    def words(self, names: Any) -> dict[str, Any]:
        other = names[self.b] if self.kind == "called" else ""
        return {**super().words(names), "other": other, "dice": " ".join(str(self.a))}


BEGUN, ROLLED, HAS_BID, CALLED, SHOWS, COUNTED, LOST, FAULTED, WINS = range(len(LiarEvent.texts))


@compiled
def quantity(bid: int) -> int:
    """How many dice a bid is about."""
    return (bid - 1) // FACES + 1


@compiled
def face(bid: int) -> int:
    """What they are to show, less one."""
    return (bid - 1) % FACES


@compiled
def bid_of(count: int, side: int) -> int:
    """The move that bids so many dice of a side."""
    return (count - 1) * FACES + side + 1


@compiled
def start(s: Any, r: Any, seats: int, ev: EventBuffer) -> None:
    """A new game, up to its first die; it sets every field."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = s["first"] = 0
    s["in_play"] = seats * int(r["dice"])
    for seat in range(SEATS):
        s["count"][seat] = int(r["dice"]) if seat < seats else 0
        s["bids"][seat] = s["calls"][seat] = s["calls_won"][seat] = s["won"][seat] = 0
        for i in range(DICE):
            s["dice"][seat, i] = s["shown"][seat, i] = NONE
    s["left_total"] = r["faces"]
    for side in range(FACES):
        s["left"][side] = 1 if side < int(r["faces"]) else 0
    begin_round(s, ev)


@compiled
def begin_round(s: Any, ev: EventBuffer) -> None:
    """All roll all their dice, one after the other."""
    s["round"] += 1
    s["bid"] = s["rolled"] = 0
    s["bidder"] = NONE
    for seat in range(SEATS):
        s["said"][seat] = 0
    s["turn"] = s["first"]
    emit(ev, BEGUN, -1, int(s["round"]), 0)
    ask(s, DEALER, ROLL)


@compiled
def next_seat(s: Any, seat: int) -> int:
    """The next one to the left that still has dice."""
    seats = int(s["seats"])
    seat = (seat + 1) % seats
    while int(s["count"][seat]) == 0:
        seat = (seat + 1) % seats
    return seat


@compiled
def legal(s: Any, r: Any, move: int) -> int:
    """Whether a move can be made, or a die can show this. It looks at nothing that is secret."""
    if int(s["to_act"]) == OVER:
        return 0
    if int(s["decision"]) == ROLL:
        return 1 if move < int(r["faces"]) else 0
    if move == LIAR:
        return 1 if int(s["bid"]) > 0 else 0
    possible = face(move) < int(r["faces"]) and quantity(move) <= int(s["in_play"])
    return 1 if possible and move > int(s["bid"]) else 0


@compiled
def apply(s: Any, r: Any, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question."""
    seat = int(s["turn"])
    if int(s["decision"]) == ROLL:
        s["dice"][seat, int(s["rolled"])] = move
        s["rolled"] += 1
        emit(ev, ROLLED, seat, move + 1, 0)
        if int(s["rolled"]) == int(s["count"][seat]):
            s["rolled"] = 0
            s["turn"] = next_seat(s, seat)
            if int(s["turn"]) == int(s["first"]):
                ask(s, int(s["turn"]), BID_OR_CALL)
    elif move == FAULT:
        emit(ev, FAULTED, seat, 0, 0)
        lose(s, seat, ev)
    elif move == LIAR:
        call(s, r, seat, ev)
    else:
        s["bid"] = s["said"][seat] = move
        s["bidder"] = seat
        s["bids"][seat] += 1
        emit(ev, HAS_BID, seat, quantity(move), face(move) + 1)
        if move == bid_of(int(s["in_play"]), int(r["faces"]) - 1):  # nothing is higher
            s["turn"] = next_seat(s, seat)
            call(s, r, int(s["turn"]), ev)
        else:
            s["turn"] = next_seat(s, seat)
            ask(s, int(s["turn"]), BID_OR_CALL)


@compiled
def call(s: Any, r: Any, caller: int, ev: EventBuffer) -> None:
    """All show their dice; the caller loses a die if the bid was true, else the bidder."""
    bidder, bid, found = int(s["bidder"]), int(s["bid"]), 0
    s["calls"][caller] += 1
    emit(ev, CALLED, caller, 0, bidder)
    for seat in range(int(s["seats"])):
        number = 0
        for i in range(DICE):
            die = int(s["dice"][seat, i])
            s["shown"][seat, i] = die
            if die == NONE:
                continue
            number = 10 * number + die + 1
            if die == face(bid) or (int(r["wild"]) and die == 0):
                found += 1
        if number > 0:
            emit(ev, SHOWS, seat, number, 0)
    emit(ev, COUNTED, -1, found, face(bid) + 1)
    if found < quantity(bid):
        s["calls_won"][caller] += 1
        lose(s, bidder, ev)
    else:
        lose(s, caller, ev)


@compiled
def lose(s: Any, seat: int, ev: EventBuffer) -> None:
    """A die goes, and all are put away. Who has none is out, and who is left alone has won. The loser begins, or who
    comes next."""
    for owner in range(SEATS):
        for i in range(DICE):
            s["dice"][owner, i] = NONE
    s["count"][seat] -= 1
    s["in_play"] -= 1
    emit(ev, LOST, seat, int(s["count"][seat]), 0)
    s["first"] = seat if int(s["count"][seat]) > 0 else next_seat(s, seat)
    if int(s["count"][int(s["first"])]) < int(s["in_play"]):
        begin_round(s, ev)
        return
    s["won"][int(s["first"])] = 1
    s["ended"] = WON
    emit(ev, WINS, int(s["first"]), 0, 0)
    ask(s, OVER, ROLL)


@compiled
def where(s: Any) -> int:
    """The place of the next die in the key's stream."""
    return (int(s["round"]) << 16) | (int(s["turn"]) << 8) | int(s["rolled"])


@compiled
def tally(s: Any, rows: Any) -> None:
    """Who has won; then our own columns."""
    tally_wins(rows, s["won"], int(s["seats"]))
    for seat in range(int(s["seats"])):
        rows[seat, ROUNDS] = int(s["round"])
        rows[seat, DICE_LEFT] = int(s["count"][seat])
        rows[seat, BIDS] = int(s["bids"][seat])
        rows[seat, CALLS] = int(s["calls"][seat])
        rows[seat, CALLS_WON] = int(s["calls_won"][seat])
