"""A view as seats, rows of cards, badges and captions: the one thing that terminals and pages draw."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.core.types import Data


@dataclass(frozen=True)
class Face:
    """One card as drawn: its short text, its kind for the shape, its name in words.

    Pages also know a colour and a sign (`render/cards.js`); a card that names none gets what suits its text.
    """

    text: str
    kind: str  # number, modifier, action, hidden
    name: str
    faded: bool = False
    tone: str = ""  # ink, gray, brown, olive, red, sky, green, plum, pink, teal, orange, blue, violet, amber
    mark: str = ""  # of `render/marks.js`, or any sign as text


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
    state: str = ""  # bust, frozen, stays, triumph: pages mark it by more than a badge
    points: int | None = None  # what lies there now
    total: int | None = None  # what was scored so far: a race, if the scene has a target


@dataclass(frozen=True)
class Scene:
    """A whole table as one seat sees it."""

    title: str  # what follows its last comma names the part of the game: a round, a turn
    caption: str
    seats: tuple[SeatScene, ...]
    centre: tuple[tuple[str, tuple[Face, ...]], ...]  # named rows: cards waiting, discards
    target: int | None = None  # the total that ends the game
    deck: int | None = None  # how many cards are still to come
    discarded: int | None = None  # and how many are gone

    def to_dict(self) -> Data:
        """For JSON. `dataclasses.asdict` would do the same, at a tenth of the speed."""
        return {
            "title": self.title,
            "caption": self.caption,
            "seats": tuple({**vars(seat), "rows": tuple(map(_row, seat.rows))} for seat in self.seats),
            "centre": tuple((name, _row(faces)) for name, faces in self.centre),
            "target": self.target,
            "deck": self.deck,
            "discarded": self.discarded,
        }


def _row(faces: tuple[Face, ...]) -> tuple[Data, ...]:
    return tuple({**vars(face)} for face in faces)
