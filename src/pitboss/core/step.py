"""The contract between a game's rule book and everything that plays it.

A game's state is a NumPy record with at least these fields:

    to_act      the seat whose move it is, or DEALER, or OVER
    decision    what is being decided, numbered by the game; the dealer's is 0
    seats       how many play
    ended       RUNNING, WON, TIED or CUT
    left        cards still to come, by kind; left_total is their sum

A move is a whole number from 0 up to one below `Step.moves`, or FAULT; cards are the dealer's moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.core.compile import compiled
from pitboss.core.legal import FEW
from pitboss.core.types import Array, EventBuffer, RulesRecord, StateRecord, ViewRecord

DEALER, OVER = -1, -2  # values of to_act besides seats
FAULT = -1  # the referee's move
RUNNING, WON, TIED, CUT = 0, 1, 2, 3
MOST_SEATS = 62
FINE = -1  # what a loop returns if all its games were played

# The first columns that every game's `tally` fills (`tally_wins` does it); the game's own follow.
WIN_COLUMNS = ("outright", "shared", "share")
OUTRIGHT, SHARED_WIN, SHARE = range(len(WIN_COLUMNS))


def column_numbers(own: Sequence[str]) -> range:
    """Where `tally` writes a game's own columns.

    >>> ROUNDS, TOTAL = column_numbers(("rounds", "total"))
    >>> ROUNDS, TOTAL
    (3, 4)
    """
    return range(len(WIN_COLUMNS), len(WIN_COLUMNS) + len(own))


@compiled
def tally_wins(rows: Array, won: Any, seats: int) -> None:
    """Fill the columns that all games have, from 1 for those who have won (alone, or together) and 0 for others."""
    winners = 0
    for seat in range(seats):
        winners += int(won[seat])
    share = 1 / winners if winners else 0.0  # once: dividing is slow on GPUs
    for seat in range(seats):
        wins = int(won[seat])
        rows[seat, OUTRIGHT] = wins if winners == 1 else 0
        rows[seat, SHARED_WIN] = wins if winners > 1 else 0
        rows[seat, SHARE] = share if wins else 0.0


@compiled
def ask(s: StateRecord, who: int, decision: int) -> None:
    """Who is to act next (a seat, DEALER or OVER), and what is decided then."""
    s["to_act"] = who
    s["decision"] = decision


@compiled
def cards_left(s: StateRecord) -> int:
    """What the dealer can deal, as bits: all kinds of which some are left."""
    bits = 0
    for card in range(len(s["left"])):
        if int(s["left"][card]) > 0:
            bits |= 1 << card
    return bits


@compiled
def see_all(s: StateRecord, r: RulesRecord, seat: int, view: ViewRecord) -> Any:
    """`Step.observe` of a game in which everything is open: the view is the state."""
    return s


class Step(NamedTuple):
    """The rule book of a game: functions on its state, all compiled, none random."""

    start: Callable[[StateRecord, RulesRecord, int, EventBuffer], None]  # (state, rules, seats, events): a new game
    # (state, rules): bit m is set if move m is legal; of more than 62 moves, (state, rules, move): whether it is
    legal: Callable[..., int]
    apply: Callable[[StateRecord, RulesRecord, int, EventBuffer], None]  # (state, rules, move, events): make a move
    where: Callable[[StateRecord], int]  # (state): the place of the next card in the key's stream, below 2**56
    # (state, rules, seat, view): fills in and returns what the seat may know; where all is open, the state itself
    observe: Callable[[StateRecord, RulesRecord, int, ViewRecord], ViewRecord]
    tally: Callable[[StateRecord, Array], None]  # (state, rows): a finished game as numbers, a row for each seat
    moves: int = FEW  # how many there are, cards included; MOST_MOVES at most


class StepParts(NamedTuple):
    """`Step.apply` in three, for devices on which many games do the same at the same time: those whose round is over
    wait for one another there. A rule book need not offer them; `apply` is the first, then the others in turn until
    one says true."""

    answer: Callable[[StateRecord, RulesRecord, int, EventBuffer], bool]  # make a move; true if it raises a question
    proceed: Callable[[StateRecord, RulesRecord, EventBuffer], bool]  # to the next question; false: the round is over
    end_round: Callable[[StateRecord, RulesRecord, EventBuffer], bool]  # begin the next one; true: the game is over


def in_one(apply: Callable[..., None]) -> StepParts:
    """A rule book without rounds, or one that is not in parts: the first does it all."""

    def answer(s: StateRecord, r: RulesRecord, move: int, ev: EventBuffer) -> bool:
        apply(s, r, move, ev)
        return True

    def nothing(s: StateRecord, r: RulesRecord, ev: EventBuffer) -> bool:
        return True

    no_more = compiled(nothing)
    return StepParts(compiled(answer), no_more, no_more)
