"""What learning agents see of a game, what they can do, and what they are paid.

An environment shows a seat a row of numbers (`Encoding`), takes an action, and pays what the seat's
worth has grown by (`Learning.worth`). A game says how in its own folder; one that says nothing gets
`plain`: its view, number by number, and the share of the win at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.step import MOST_SEATS, RUNNING, SHARE, Step
from pitboss.core.types import Array, Dtype, RulesRecord, StateRecord, ViewRecord

COMPLETE = "complete"


@dataclass(frozen=True)
class Field:
    """A few numbers of an encoding that belong together, and the limits that they keep to."""

    name: str
    size: int
    low: float
    high: float
    about: str = ""


@dataclass(frozen=True)
class Encoding:
    """A view as a row of numbers."""

    about: str
    write: Callable[[ViewRecord, RulesRecord, int, Array], None]  # compiled: (view, rules, seat, row)
    layout: Callable[[Any, int], tuple[Field, ...]]  # (rules, seats): what the row holds
    dtype: Any = np.float32

    def size(self, rules: Any, seats: int) -> int:
        """How long the row is at a table with so many seats."""
        return sum(field.size for field in self.layout(rules, seats))

    def bounds(self, rules: Any, seats: int) -> tuple[Array, Array]:
        """The least and the greatest value of each number."""
        fields = self.layout(rules, seats)
        low = [f.low for f in fields for _ in range(f.size)]
        high = [f.high for f in fields for _ in range(f.size)]
        return np.array(low, self.dtype), np.array(high, self.dtype)

    def slices(self, rules: Any, seats: int) -> dict[str, slice]:
        """Where each field stands in the row."""
        out, at = {}, 0
        for field in self.layout(rules, seats):
            out[field.name] = slice(at, at + field.size)
            at += field.size
        return out


@dataclass(frozen=True)
class Stakes:
    """What a whole game is about: the reward that counts, its limits, and a limit for all decisions together."""

    reward: str
    low: float
    high: float
    decisions: int


@dataclass(frozen=True)
class Learning:
    """All that environments ask a game; functions are compiled.

    An action is a move as the seat itself would number it: where moves name seats, counted from its own.
    """

    encodings: Mapping[str, Encoding]  # the first is the default
    actions: Callable[[Any, int], int]  # (rules, seats): how many there are
    move_of: Callable[[int, int, int], int]  # (action, seats, seat): the move that it stands for
    # What the seat that is to act may do, asked like `Step.legal`, but with its view; None where views do not tell, and
    # no agent can play.
    legal: Callable[..., int] | None
    rewards: tuple[str, ...]  # the first is the default
    worth: Callable[
        [StateRecord, RulesRecord, int, int], float
    ]  # (state, rules, seat, reward): all that the seat has earned so far
    episodes: tuple[str, ...]  # the first is the whole game
    part: Callable[[StateRecord, int], int]  # (state, episode): a number that changes when an episode has ended
    stakes: Callable[[Any, int], Stakes]  # (rules, seats)
    lesson: Callable[[Any, int], tuple[str, str]] | None = None  # (rules, seats): reward and episode that teach fast

    @property
    def sufficient(self) -> str:
        """The encoding that leaves nothing out: the one named `complete`, or else the default."""
        return COMPLETE if COMPLETE in self.encodings else next(iter(self.encodings))


@compiled
def same_move(action: int, seats: int, seat: int) -> int:
    """For games whose moves name no seats."""
    return action


@compiled
def whole_game(s: StateRecord, episode: int) -> int:
    """For games that are played as one episode."""
    return 0


def share_stakes(rules: RulesRecord, seats: int) -> Stakes:
    """For games that are played to win."""
    return Stakes("win", 0.0, 1.0, 1_000_000)


@cache
def generic(step: Step, state: Dtype, view: Dtype, columns: int) -> Learning:
    """What a game gets that says nothing about learning. The rule book can be asked what is legal in a view if that
    has all fields of a state, with secrets covered."""
    return Learning(
        encodings={"plain": plain(view)},
        actions=lambda rules, seats: step.moves,
        move_of=same_move,
        legal=step.legal if set(state.names or ()) <= set(view.names or ()) else None,
        rewards=("win",),
        worth=share_of_win(step, columns),
        episodes=("game",),
        part=whole_game,
        stakes=share_stakes,
    )


def share_of_win(step: Step, columns: int) -> Callable[[Any, Any, int, int], float]:
    """The worth of a seat that plays to win: its share of the win, once the game is over."""
    tally = step.tally

    def worth(s: StateRecord, r: RulesRecord, seat: int, reward: int) -> float:
        if int(s["ended"]) == RUNNING:
            return 0.0
        rows = np.zeros((int(s["seats"]), columns))
        tally(s, rows)
        return float(rows[seat, SHARE])

    return compiled(worth)


def plain(view: Dtype) -> Encoding:
    """The seat's number, then all numbers of its view in the order of the record."""
    fields = [Field("seat", 1, 0, MOST_SEATS)]
    write: Callable[[Any, Any, int], int] = _nothing
    assert view.names is not None
    for key in view.names:
        kind, shape = view[key].subdtype or (view[key], ())
        limits = np.iinfo(kind)
        fields.append(Field(key, int(np.prod(shape, dtype=int)), float(limits.min), float(limits.max)))
        write = _then(write, key, bool(shape))
    whole = write

    def encode(v: ViewRecord, r: RulesRecord, seat: int, out: Array) -> None:
        out[0] = seat
        whole(v, out, 1)

    layout = tuple(fields)
    return Encoding("the view, number by number", compiled(encode), lambda rules, seats: layout, dtype=np.float32)


@compiled
def _nothing(v: ViewRecord, out: Array, at: int) -> int:
    return at


def _then(before: Callable[[Any, Any, int], int], key: str, many: bool) -> Callable[[Any, Any, int], int]:
    """Write what `before` writes, then a field of the record: compiled code cannot walk over fields."""
    if many:

        def write(v: ViewRecord, out: Array, at: int) -> int:
            at = before(v, out, at)
            for number in v[key].flat:
                out[at] = number
                at += 1
            return at

    else:

        def write(v: ViewRecord, out: Array, at: int) -> int:
            at = before(v, out, at)
            out[at] = v[key]
            return at + 1

    return compiled(write)
