"""A view of Flip 7 to look at: action cards lie above the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.core.scene import Face, Scene, SeatScene
from pitboss.games.flip7.cards import FREEZE, NAME, NUMBERS, TEXT
from pitboss.games.flip7.view import Flip7View, SeatView, Status

_BADGE = {
    Status.BUSTED: "bust",
    Status.STAYED: "stays",
    Status.FROZEN: "frozen",
    Status.BANKED: "banked",
    Status.FLIP_7: "FLIP 7",
}


def face(kind: int, faded: bool = False) -> Face:
    """A card as drawn."""
    family = "number" if kind < NUMBERS else "modifier" if kind < FREEZE else "action"
    return Face(TEXT[kind], family, NAME[kind], faded)


def _seat(seat: SeatView, view: Flip7View, name: str) -> SeatScene:
    busted = seat.status is Status.BUSTED
    action = tuple(face(k, busted) for k in seat.cards if k >= FREEZE)
    rest = tuple(face(k, busted) for k in seat.cards if k < FREEZE)
    badges = [_BADGE[seat.status]] if seat.status in _BADGE else []
    if seat.seat == view.dealer and len(view.seats) > 1:
        badges.append("dealer")
    if seat.second_chance:
        badges.append("second chance")
    if seat.draws_three:
        badges.append("next hit draws 3")
    caption = f"{seat.points} on the table, {seat.total} in total"
    return SeatScene(name, (action, rest), tuple(badges), caption, view.to_act == seat.seat, not seat.active)


def scene(view: Flip7View, names: Sequence[str]) -> Scene:
    """The table as a seat sees it."""
    seats = tuple(_seat(seat, view, names[seat.seat]) for seat in view.seats)
    centre = []
    if view.waiting:
        centre.append(("set aside", tuple(face(card) for card, _, _ in view.waiting)))
    if view.card >= 0:
        centre.append(("in question", (face(view.card),)))
    discards = sum(view.discards) + sum(view.spent)
    caption = f"{view.cards_left} cards in the deck, {discards} discarded"
    return Scene(f"{view.game}, round {view.round}", caption, seats, tuple(centre))
