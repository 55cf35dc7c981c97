"""Secrets that a game only has to name: cards in a hand, dice under a cup, choices not told yet.

A secret is a field that every seat has. From the names follow `observe`, which shows a seat its own and covers those of
others, and `imagine`, which deals anew what a view covers. When the game is over, everything is open.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pitboss.core.compile import compiled
from pitboss.core.layout import GameLayout
from pitboss.core.step import OVER
from pitboss.core.types import GameView, RulesRecord, StateRecord, ViewRecord

if TYPE_CHECKING:
    from pitboss.core.game import Position

NOBODY = -1  # a seat that no secret is told to: somebody who watches
NONE, COVERED = -1, -2  # instead of a card, a die or a choice: there is none; you may not know it

Part = Callable[[Any, Any, int], None]  # (state, view, seat): writes a part of the view


@dataclass(frozen=True)
class Secrets:
    """The fields of a layout that only their own seat may know.

    `dealt` are cards that were taken out of `left`: a view's `left` counts those that the seat has not seen, wherever
    they are. `rolled` are dice: whatever `left` has may show, again and again. `chosen` are choices that are told
    later, each with the number of choices there are. Where the field `shown` of a seat is not 0, its secrets are open.
    """

    layout: GameLayout
    dealt: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()
    chosen: Mapping[str, int] = field(default_factory=dict)
    shown: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All secret fields."""
        return (*self.dealt, *self.rolled, *self.chosen)

    @cached_property
    def observe(self) -> Callable[[Any, Any, int, Any], Any]:
        """`Step.observe`: fills in and returns what a seat may know."""
        write: Part = _seat
        for name, _, *shapes in self.layout.fields:
            if name in self.names:
                write = _then_covered(write, name, shapes[0], self._opener, name in self.dealt)
            else:
                write = _then_copied(write, name, shapes[0] if shapes else ())
        whole = write

        def observe(s: StateRecord, r: RulesRecord, seat: int, view: ViewRecord) -> Any:
            whole(s, view, seat)
            return view

        return compiled(observe)

    @cached_property
    def _opener(self) -> Callable[[Any, int], bool]:
        shown = self.shown

        if shown:

            def is_open(s: StateRecord, owner: int) -> bool:
                return int(s["to_act"]) == OVER or int(s[shown][owner]) != 0

        else:

            def is_open(s: StateRecord, owner: int) -> bool:
                return int(s["to_act"]) == OVER

        return compiled(is_open)

    def imagine(self, view: GameView, position: Position, luck: int) -> Position:
        """Make this a position that fits the view: all ways to deal what it covers are equally likely."""
        rng, state = random.Random(luck), position.states[0]
        for name in self.layout.at:
            state[name] = view.record[name]
        left = [int(n) for n in state["left"]]
        for name in self.names:
            places = state[name].reshape(-1)
            for place in (places == COVERED).nonzero()[0]:
                if name in self.chosen:
                    places[place] = rng.randrange(self.chosen[name])
                    continue
                places[place] = card = rng.choices(range(len(left)), left)[0]
                left[card] -= name in self.dealt
        state["left"] = left
        return position


@compiled
def _seat(s: StateRecord, v: ViewRecord, seat: int) -> None:
    v["seat"] = seat


def _then_copied(before: Part, name: str, shape: tuple[int, ...]) -> Part:
    """Write what `before` writes, then a field as it is: compiled code cannot walk over fields."""
    many, each = (*shape, 0, 0)[:2]  # of a constant size, as GPUs want it
    if len(shape) == 0:

        def write(s: StateRecord, v: ViewRecord, seat: int) -> None:
            before(s, v, seat)
            v[name] = s[name]

    elif len(shape) == 1:

        def write(s: StateRecord, v: ViewRecord, seat: int) -> None:
            before(s, v, seat)
            for i in range(many):
                v[name][i] = s[name][i]

    else:

        def write(s: StateRecord, v: ViewRecord, seat: int) -> None:
            before(s, v, seat)
            for i in range(many):
                for j in range(each):
                    v[name][i, j] = s[name][i, j]

    return compiled(write)


def _then_covered(
    before: Part, name: str, shape: tuple[int, ...], is_open: Callable[[Any, int], bool], dealt: bool
) -> Part:
    """Write what `before` writes, then a secret field, which is covered where it is another's."""
    seats, each = (*shape, 0)[:2]
    if each:

        def write(s: StateRecord, v: ViewRecord, seat: int) -> None:
            before(s, v, seat)
            for owner in range(seats):
                told = owner == seat or is_open(s, owner)
                for i in range(each):
                    card = int(s[name][owner, i])
                    v[name][owner, i] = card if told or card < 0 else COVERED
                    if dealt and not told and card >= 0:
                        v["left"][card] += 1

    else:

        def write(s: StateRecord, v: ViewRecord, seat: int) -> None:
            before(s, v, seat)
            for owner in range(seats):
                told = owner == seat or is_open(s, owner)
                card = int(s[name][owner])
                v[name][owner] = card if told or card < 0 else COVERED
                if dealt and not told and card >= 0:
                    v["left"][card] += 1

    return compiled(write)
