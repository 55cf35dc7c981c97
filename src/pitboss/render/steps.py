"""What a browser gets of each card and move: a scene and the lines of the log. Replays and live tables share it.

Whoever looks does so with the eyes of a seat, of `NOBODY` (what everybody in the room may see), or of `ALL`: every seat
at once, for games of bots and games that are over.

A move that ends a round makes two frames: the table at the end of the round, with what happened, and then the table of
the next round, with the events from its heading on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.core.game import Game, Position
from pitboss.core.secrets import NOBODY
from pitboss.core.types import Data, GameEvent

ALL = -2
HEADING = "---"  # with which the line begins that opens a round

LogLine = tuple[str, bool]  # a text, and whether it is a main event
Moment = tuple[str, int, int, int]  # what a page makes much of (Game.moment), whose it is, and the details of the event


class TableAt(NamedTuple):
    """A moment of a game: the table, what happened, and, if a round ended, the table before it was cleared."""

    position: Position
    events: Sequence[GameEvent]
    closing: Position | None = None


class Frame(NamedTuple):
    """A picture of a table."""

    scene: Data | None  # None where a game does not say what somebody who watches may see
    events: list[LogLine]
    moments: list[Moment]
    ends: bool = False  # a round, whose cards are cleared away after this


def closing(before: Position, move: int, after: Position) -> Position | None:
    """The table at the end of the round that a card or move ended, if it did; at the end of a game it stays anyway."""
    return None if after.over else after.game.end_of_round(before, move)


def frames(game: Game, at: TableAt, names: Sequence[str], eye: int) -> list[Frame]:
    """One frame, or two where a round ended."""
    events = [event if eye == ALL else event.seen_by(eye) for event in at.events]
    lines = [(event.text(names), event.major) for event in events]
    now = scene(game, at.position, names, eye)
    if at.closing is None:
        return [Frame(now, lines, moments(game, events))]
    first = next((n for n, (text, _) in enumerate(lines) if text.startswith(HEADING)), len(lines))
    closing = scene(game, at.closing, names, eye)
    end = Frame(closing, lines[:first], moments(game, events[:first]), ends=True)
    return [end, Frame(now, lines[first:], moments(game, events[first:]))]


def moments(game: Game, events: Sequence[GameEvent]) -> list[Moment]:
    """What a page makes much of."""
    named = ((game.moment(event), event) for event in events)
    return [(name, event.seat, event.a, event.b) for name, event in named if name]


def scene(game: Game, position: Position, names: Sequence[str], eye: int) -> Data | None:
    """The table as somebody sees it."""
    if eye == NOBODY:
        public = game.public_scene(position, names)
        return public.to_dict() if public else None
    if eye >= 0 or not game.has_secrets:
        return game.scene(position.view(eye if game.has_secrets else 0), names).to_dict()
    return _together([game.scene(position.view(seat), names).to_dict() for seat in range(position.seats)])


def chapter(title: str) -> str:
    """The round or turn that a scene belongs to: what its title says behind the last comma.

    >>> chapter("Flip 7 · Official, round 2")
    'round 2'
    """
    return title.rpartition(", ")[2]


def _together(eyes: Sequence[Data]) -> Data:
    """Every seat as it sees itself, with the cards that somebody else has seen turned up."""
    seats = []
    for i, view in enumerate(eyes):
        own, others = view["seats"][i], [other["seats"][i]["rows"] for other in eyes]
        rows = [
            tuple(
                _known([face, *(rows[r][c] for rows in others if len(rows[r]) == len(cards))])
                for c, face in enumerate(cards)
            )
            for r, cards in enumerate(own["rows"])
        ]
        seats.append({**own, "rows": tuple(rows)})
    return {**eyes[0], "seats": tuple(seats)}


def _known(faces: Sequence[Data]) -> Data:
    return next((face for face in faces if face["kind"] != "hidden"), faces[0])
