"""What each player did in its latest turn, noted beside the state: all of it was done in the open (H19).

The rules need no memory of it: a player who throws out 5♠ from a slot that it knew leaves the same table behind as one
who has drawn and discarded 5♠. Whoever watches knows more after the one than after the other, so views have the notes.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.layout import Layout
from pitboss.core.step import Step
from pitboss.core.types import EventBuffer
from pitboss.games.show import step
from pitboss.games.show.cards import KING
from pitboss.games.show.state import (
    DEAL,
    DISCARD,
    KEEP_OR_DISCARD,
    LOOK_OTHER,
    LOOK_OWN,
    PLAYERS,
    STATE_LAYOUT,
    SWAP_OR_LEAVE,
    SWAP_OTHER,
    USE_POWER,
    WHICH_SLOT,
    YES,
    State,
)
from pitboss.games.show.view import NOTE, NOTES, VIEW_LAYOUT

# Places of a note, which are 0 until something happens.
PLACED, POWER, OWN, OTHER, EXCHANGED = 0, 1, 2, 3, 4
DISCARDED, IN_SLOT = 1, 2  # placed: the draw was discarded, or kept in slot n: IN_SLOT + n
SWAPPED, LEFT = 1, 2  # exchanged: what came of it. The slots that were looked at or exchanged are counted from 1

STATE, VIEW = Layout(*STATE_LAYOUT.fields, NOTES).dtype, VIEW_LAYOUT.dtype


@compiled
def start(s: State, r: State, seats: int, ev: EventBuffer) -> None:
    """A new game, with nothing noted."""
    step.start(s, r, seats, ev)
    for player in range(PLAYERS):
        _forget(s, player)


@compiled
def apply(s: State, r: State, move: int, ev: EventBuffer) -> None:
    """Make a move, and note it."""
    seat, decision = int(s["to_act"]), int(s["decision"])
    if decision == DEAL:
        if int(s["turns"][int(s["player"])]):
            _forget(s, int(s["player"]))
    elif move >= 0:
        _note(s, seat, decision, move)
    step.apply(s, r, move, ev)


@compiled
def _forget(s: State, player: int) -> None:
    for place in range(NOTE):
        s["notes"][player, place] = 0


@compiled
def _note(s: State, seat: int, decision: int, move: int) -> None:
    if decision == KEEP_OR_DISCARD and move == DISCARD:
        s["notes"][seat, PLACED] = DISCARDED
    elif decision == WHICH_SLOT:
        s["notes"][seat, PLACED] = IN_SLOT + move
    elif decision == USE_POWER and move == YES:
        s["notes"][seat, POWER] = s["power"]
    elif decision == LOOK_OWN:
        s["notes"][seat, OWN] = 1 + move
    elif decision == LOOK_OTHER:
        s["notes"][seat, OTHER] = 1 + move
    elif decision == SWAP_OTHER:
        s["notes"][seat, OWN] = 1 + int(s["own_slot"])
        s["notes"][seat, OTHER] = 1 + move
        s["notes"][seat, EXCHANGED] = 0 if int(s["power"]) == KING else SWAPPED
    elif decision == SWAP_OR_LEAVE:
        s["notes"][seat, EXCHANGED] = SWAPPED if move == YES else LEFT


@compiled
def observe(s: State, r: State, seat: int, v: State) -> State:
    """H19, with the notes."""
    step.observe(s, r, seat, v)
    for player in range(PLAYERS):
        for place in range(NOTE):
            v["notes"][player, place] = s["notes"][player, place]
    return v


STEP = Step(start, step.legal, apply, step.where, observe, step.tally)
