"""What a seat may know, and how that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pitboss.core.scene import Face, Scene, SeatScene
from pitboss_toy.rules import COPIES, HIGHEST, Rules
from pitboss_toy.step import BANK, DRAW, SKULL, STATE


class View:
    """One seat's view, a snapshot. `game` is the table, `record` what compiled bots get."""

    def __init__(self, game: Any, raw: bytes, seat: int) -> None:
        self.game, self.raw, self.seat = game, raw, seat

    @cached_property
    def record(self) -> Any:
        """The state itself: this game has no secrets."""
        return np.frombuffer(self.raw, STATE)[0]

    @property
    def state(self) -> Any:
        """The same, by the name that `Game.imagine` asks for."""
        return self.record

    @property
    def rules(self) -> Rules:
        """The rules of this table."""
        return self.game.rules  # type: ignore[no-any-return]

    @property
    def to_act(self) -> int:
        """The seat whose move it is; -1 the dealer, -2 nobody: the game is over."""
        return int(self.record["to_act"])

    @property
    def legal(self) -> list[int]:
        """The moves that you may make now; none if somebody else is to act."""
        return [BANK, DRAW] if self.to_act == self.seat else []

    @property
    def question(self) -> str:
        """What is being decided, in words."""
        return f"Draw another chip, or bank {self.pot}?"

    @property
    def pot(self) -> int:
        """What the player in turn would bank."""
        return int(self.record["pot"])

    @property
    def totals(self) -> list[int]:
        """The points of all seats."""
        return self.record["total"][: int(self.record["seats"])].tolist()  # type: ignore[no-any-return]

    @property
    def bag(self) -> list[int]:
        """How many chips of each number are left in the bag; place 0 counts skulls."""
        return self.record["left"].tolist()  # type: ignore[no-any-return]

    @property
    def danger(self) -> float:
        """The probability that the next chip is a skull."""
        return self.bag[SKULL] / sum(self.bag)

    @property
    def drawn(self) -> list[int]:
        """The numbers drawn in this turn, in order of size."""
        return [chip for chip in range(1, HIGHEST + 1) for _ in range(COPIES - self.bag[chip])]

    def to_dict(self) -> dict[str, Any]:
        """For bots in other languages, which get views as JSON."""
        return {"seat": self.seat, "pot": self.pot, "totals": self.totals, "bag": self.bag, "danger": self.danger}


def scene(view: View, names: Sequence[str]) -> Scene:
    """The table to look at: everybody's total, and the chips of whoever's turn it is."""
    turn = int(view.record["turn"])
    seats = []
    for seat, total in enumerate(view.totals):
        chips = view.drawn if seat == turn else []
        faces = tuple(Face(str(chip), "number", f"a chip of {chip}") for chip in chips)
        pot = f"{view.pot} in the pot, " if seat == turn else ""
        badges = ("wins",) if view.record["won"][seat] else ()
        seats.append(SeatScene(names[seat], (faces,), badges, f"{pot}{total} in total", view.to_act == seat, False))
    skulls = (Face("☠", "action", "skull"),) * view.bag[SKULL]
    caption = f"{sum(view.bag)} chips in the bag"
    return Scene(f"{view.game}, round {int(view.record['round'])}", caption, tuple(seats), (("in the bag", skulls),))
