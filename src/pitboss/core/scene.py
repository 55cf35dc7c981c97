"""A view as seats, rows of cards, badges and captions: the one thing that terminals and pages draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitboss.core.step import RUNNING
from pitboss.core.types import Data, GameView

if TYPE_CHECKING:
    from pitboss.core.game import Game


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


def plain_scene(game: Game, view: GameView, names: Sequence[str]) -> Scene:
    """The table of a game that draws nothing itself: the cards of its `card_fields`, and all other numbers by name."""
    layout, cards = game.layout, game.card_fields
    if layout is None:
        raise NotImplementedError(f"{type(game).__name__} has no layout, so it must define scene(self, view, names)")
    won = view.won if "won" in layout.each and view.ended != RUNNING else [0] * len(names)
    seats = []
    for seat, name in enumerate(names):
        rows = tuple(_faces(game, getattr(view, field)[seat]) for field in layout.each if field in cards)
        own = ((field, getattr(view, field)[seat]) for field in layout.each if field not in (*cards, "won"))
        badges = ("wins",) if won[seat] else ()
        seats.append(SeatScene(name, rows, badges, _facts(own), view.to_act == seat, False))
    common = [field for field in layout.about if field not in layout.each]
    part = f", round {view.round}" if "round" in common else ""
    caption = _facts((field, getattr(view, field)) for field in common if field not in (*cards, "round", "turn"))
    centre = tuple((_words(field), _faces(game, getattr(view, field))) for field in common if field in cards)
    return Scene(f"{game}{part}", caption, tuple(seats), centre)


def _faces(game: Game, cards: int | list[int]) -> tuple[Face, ...]:
    """Cards by their numbers; -1 is none, less is one that lies face down."""
    hidden = Face("?", "hidden", f"a hidden {game.deals[0]}")
    out = []
    for card in [cards] if isinstance(cards, int) else cards:
        if card != -1:
            text = game.format_card(card) if card >= 0 else ""
            out.append(Face(text, "number", text) if text else hidden)
    return tuple(out)


def _facts(numbers: Iterable[tuple[str, int | list[int]]]) -> str:
    return ", ".join(f"{_words(field)} {value}" for field, value in numbers if isinstance(value, int))


def _words(field: str) -> str:
    return field.replace("_", " ")
