"""What a seat may know, for games that say nothing else: the fields of their record as attributes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pitboss.core.legal import moves_of
from pitboss.core.types import Data

if TYPE_CHECKING:
    from pitboss.core.game import Game

PLUMBING = ("seat", "to_act", "decision", "seats", "ended", "left_total")  # of every game


class View:
    """One seat's view, a snapshot. Every field of the game's layout is an attribute: a number, or a list of them, of
    all who play where each seat has its own. What is hidden is -2 (`secrets.COVERED`).

    A game that wants to tell more inherits from this, adds properties, and names the class as its `view_class`.
    """

    def __init__(self, game: Game, raw: bytes, seat: int) -> None:
        self.game, self.raw, self.seat = game, raw, seat
        self.legal_bits: int | None = None  # where they are known already

    @cached_property
    def record(self) -> Any:
        """The record itself, as compiled bots get it."""
        return np.frombuffer(self.raw, self.game.view_dtype)[0]

    @property
    def state(self) -> Any:
        """The same, by the name that `Game.imagine` asks for where all is open."""
        return self.record

    @property
    def rules(self) -> Any:
        """The rules of this table."""
        return self.game.rules

    @cached_property
    def legal(self) -> list[int]:
        """The moves that you may make now; none if somebody else is to act."""
        if self.to_act != self.seat or self.seat < 0:
            return []
        return moves_of(self.game.legal_bits(self.raw) if self.legal_bits is None else self.legal_bits)

    @property
    def question(self) -> str:
        """What is being decided, in words."""
        return self.game.question(self) if self.to_act == self.seat else self.game.speaker().question(self)

    def __getattr__(self, name: str) -> Any:
        """A field of the record."""
        game = self.__dict__.get("game")
        if game is None or name not in (game.view_dtype.names or ()):
            raise AttributeError(f"the view has no {name}")
        value = self.record[name].tolist()
        return value[: int(self.record["seats"])] if game.layout and name in game.layout.each else value

    def to_dict(self) -> Data:
        """For bots in other languages, which get views as JSON."""
        names = [name for name in self.game.view_dtype.names or () if name not in ("seat", "left_total")]
        return {"seat": self.seat, **{name: getattr(self, name) for name in names}}

    def __reduce__(self) -> Any:
        return type(self), (self.game, self.raw, self.seat)
