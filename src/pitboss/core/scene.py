"""A view as seats, rows of cards, badges and captions: the one thing that terminals and pages draw."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.core.types import Data


@dataclass(frozen=True)
class Face:
    """One card as drawn: its short text, its kind for the colour, its name in words."""

    text: str
    kind: str  # number, modifier, action, hidden
    name: str
    faded: bool = False


@dataclass(frozen=True)
class Coming:
    """A card that may come next: how likely, and what it would do to who draws it, if that is bad."""

    face: Face
    chance: float
    harm: str = ""


@dataclass(frozen=True)
class SeatScene:
    """One player's place: rows of cards from top to bottom."""

    name: str
    rows: tuple[tuple[Face, ...], ...]
    badges: tuple[str, ...]
    caption: str
    to_act: bool
    out: bool


@dataclass(frozen=True)
class Scene:
    """A whole table as one seat sees it."""

    title: str  # what follows its last comma names the part of the game: a round, a turn
    caption: str
    seats: tuple[SeatScene, ...]
    centre: tuple[tuple[str, tuple[Face, ...]], ...]  # named rows: cards waiting, discards

    def to_dict(self) -> Data:
        """For JSON. `dataclasses.asdict` would do the same, at a tenth of the speed."""
        return {
            "title": self.title,
            "caption": self.caption,
            "seats": tuple({**vars(seat), "rows": tuple(map(_row, seat.rows))} for seat in self.seats),
            "centre": tuple((name, _row(faces)) for name, faces in self.centre),
        }


def _row(faces: tuple[Face, ...]) -> tuple[Data, ...]:
    return tuple({**vars(face)} for face in faces)
