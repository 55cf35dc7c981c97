"""The rule book: a state of fixed size, and the functions that change it. All of it is compiled.

Chance is a player: when a card is due, `to_act` is DEALER and the move is the card. What is secret is named in
`SECRETS`; from that follow what a seat is shown, and the worlds that it cannot tell from the real one.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pitboss.core.compile import compiled
from pitboss.core.events import Event, emit
from pitboss.core.layout import GameLayout
from pitboss.core.secrets import NONE, Secrets
from pitboss.core.step import DEALER, OVER, RUNNING, TIED, WON, ask, cards_left, column_numbers, tally_wins
from pitboss.core.types import EventBuffer

SEATS = 4  # at most
HIGHEST = 9  # cards are numbered from 1 to this at most; card number 0 is a 1

DEAL, HOLD_OR_SWAP = 0, 1  # decisions; the dealer's is always 0
MOVES = ("hold", "swap")
HOLD, SWAP = range(len(MOVES))
COLUMNS = ("card", "swaps")  # of tally
CARD, SWAPS = column_numbers(COLUMNS)

LAYOUT = GameLayout(
    kinds=HIGHEST,
    seats=SEATS,
    table={"turn": "the seat whose turn it is", "dealt": "how many cards were dealt so far"},
    each={
        "hand": "the card of each seat: -2 if you may not know it, -1 if it has none yet",
        "thrown": "the card that each seat threw away last, or -1",
        "swaps": "how often each seat has swapped its card",
        "won": "1 for winners",
    },
)
SECRETS = Secrets(LAYOUT, dealt=("hand",))


class NerveEvent(Event):
    """What can happen, and how it is told."""

    texts: ClassVar[dict[str, str]] = {
        "dealt": "{who} gets {a}",
        "held": "{who} holds",
        "threw": "{who} throws {a} away",
        "fault": "{who} is at fault and has to hold",
        "shows": "{who} shows {a}",
        "wins": "{who} wins with {a}",
    }
    secret: ClassVar[dict[str, str]] = {"dealt": "{who} gets a card"}  # what all others are told
    minor = ("dealt",)


DEALT, HELD, THREW, FAULTED, SHOWS, WINS = range(len(NerveEvent.texts))


@compiled
def start(s: Any, r: Any, seats: int, ev: EventBuffer) -> None:
    """A new game, up to its first card; it sets every field."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["turn"] = s["dealt"] = 0
    for seat in range(SEATS):
        s["hand"][seat] = s["thrown"][seat] = NONE
        s["swaps"][seat] = s["won"][seat] = 0
    s["left_total"] = 0
    for card in range(HIGHEST):
        s["left"][card] = int(r["copies"]) if card < int(r["highest"]) else 0
        s["left_total"] += s["left"][card]
    ask(s, DEALER, DEAL)


@compiled
def legal(s: Any, r: Any) -> int:
    """Bit m is set if move m (or card m) can be made. It looks at nothing that is secret."""
    if int(s["to_act"]) == OVER:
        return 0
    return 1 << HOLD | 1 << SWAP if int(s["decision"]) == HOLD_OR_SWAP else cards_left(s)


@compiled
def apply(s: Any, r: Any, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question."""
    seat = int(s["turn"])
    if int(s["decision"]) == DEAL:
        s["left"][move] -= 1
        s["left_total"] -= 1
        s["dealt"] += 1
        s["hand"][seat] = move
        emit(ev, DEALT, seat, move + 1, 0)
        if int(s["dealt"]) < int(s["seats"]):  # the first card of each
            s["turn"] += 1
        elif int(s["dealt"]) == int(s["seats"]):
            begin_turn(s, r, 0, ev)
        else:
            begin_turn(s, r, seat, ev)
    elif move == SWAP:
        s["swaps"][seat] += 1
        s["thrown"][seat] = s["hand"][seat]
        emit(ev, THREW, seat, int(s["hand"][seat]) + 1, 0)
        s["hand"][seat] = NONE
        ask(s, DEALER, DEAL)
    else:
        emit(ev, HELD if move == HOLD else FAULTED, seat, 0, 0)
        begin_turn(s, r, seat + 1, ev)


@compiled
def begin_turn(s: Any, r: Any, first: int, ev: EventBuffer) -> None:
    """The next seat that can swap is asked; when there is none, all show."""
    for seat in range(first, int(s["seats"])):
        if int(s["swaps"][seat]) < int(r["swaps"]) and int(s["left_total"]) > 0:
            s["turn"] = seat
            ask(s, seat, HOLD_OR_SWAP)
            return
    show(s, ev)


@compiled
def show(s: Any, ev: EventBuffer) -> None:
    """All show; the highest card wins."""
    best, winners = 0, 0
    for seat in range(int(s["seats"])):
        emit(ev, SHOWS, seat, int(s["hand"][seat]) + 1, 0)
        best = max(best, int(s["hand"][seat]))
    for seat in range(int(s["seats"])):
        if int(s["hand"][seat]) == best:
            s["won"][seat] = 1
            winners += 1
            emit(ev, WINS, seat, best + 1, 0)
    s["ended"] = WON if winners == 1 else TIED
    ask(s, OVER, DEAL)


@compiled
def where(s: Any) -> int:
    """The place of the next card in the key's stream: a seat gets the same cards whatever others do."""
    return (int(s["turn"]) << 8) | (int(s["swaps"][int(s["turn"])]))


@compiled
def tally(s: Any, rows: Any) -> None:
    """Who has won; then our own columns."""
    tally_wins(rows, s["won"], int(s["seats"]))
    for seat in range(int(s["seats"])):
        rows[seat, CARD] = int(s["hand"][seat]) + 1
        rows[seat, SWAPS] = int(s["swaps"][seat])
