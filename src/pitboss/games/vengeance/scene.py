"""A view of Flip 7: With a Vengeance to look at: modifiers lie above the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.core.scene import Face, Scene, SeatScene
from pitboss.games.vengeance.cards import HALF, LINE, LUCKY_13, MINUS_2, NAME, UNLUCKY_7
from pitboss.games.vengeance.view import Standing, VengeanceSeat, VengeanceView

_BADGE = {Standing.BUSTED: "bust", Standing.STAYED: "stays", Standing.FLIP_7: "FLIP 7"}
_SHORT = {UNLUCKY_7: "7☠", LUCKY_13: "13★", HALF: "÷2"}
_NAME = {0: "The Zero"}


def face(kind: int, faded: bool = False) -> Face:
    """A card as drawn."""
    family = "number" if kind < MINUS_2 else "modifier" if kind < LINE else "action"
    return Face(_SHORT.get(kind, NAME[kind]), family, _NAME.get(kind, NAME[kind]), faded)


def _seat(seat: VengeanceSeat, view: VengeanceView, name: str) -> SeatScene:
    faces = {kind: face(kind, seat.busted) for kind in seat.cards}
    modifiers = tuple(faces[kind] for kind in seat.cards if kind >= MINUS_2)
    numbers = tuple(faces[kind] for kind in seat.cards if kind < MINUS_2)
    badges = [_BADGE[seat.status]] if seat.status in _BADGE else []
    if seat.seat == view.dealer and len(view.seats) > 1:
        badges.append("dealer")
    if seat.has_zero and seat.active:
        badges.append("must hit")
    caption = f"{seat.points} on the table, {seat.total} in total"
    return SeatScene(name, (modifiers, numbers), tuple(badges), caption, view.to_act == seat.seat, not seat.active)


def scene(view: VengeanceView, names: Sequence[str]) -> Scene:
    """The table as a seat sees it."""
    seats = tuple(_seat(seat, view, names[seat.seat]) for seat in view.seats)
    centre = []
    if view.waiting:
        centre.append(("waiting", tuple(face(card) for card, _ in reversed(view.waiting))))
    if view.card >= 0:
        centre.append(("in question", (face(view.card),)))
    if view.picked:
        centre.append((f"to be swapped, from {names[view.picked[0]]}", (face(view.picked[1]),)))
    caption = f"{view.cards_left} cards in the deck, {sum(view.discards)} discarded"
    return Scene(f"{view.game}, round {view.round}", caption, seats, tuple(centre))
