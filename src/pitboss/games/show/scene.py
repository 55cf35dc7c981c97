"""A view of Show to look at: what the seat does not know lies face down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pitboss.core.scene import Coming, Face, Scene, SeatScene
from pitboss.core.step import OVER
from pitboss.games.show.cards import JOKER, NAME, POINTS, RANKS
from pitboss.games.show.view import ShowView


def face(card: int) -> Face:
    """A card as drawn; face down if it is not known."""
    if card <= 0:
        return Face("?", "hidden", "a card face down")
    return Face(NAME[card], "number", f"{NAME[card]}, {int(POINTS[card])} points")


def scene(view: ShowView, names: Sequence[str]) -> Scene:
    """The table as a seat sees it."""
    r = view.record
    seats = []
    for seat in range(2):
        mine = seat == view.seat
        cards = view.own if mine else view.other
        known = [int(POINTS[card]) for card in cards if card > 0]
        badges = ["called Show"] if view.caller == seat else []
        if mine:
            badges += [f"opponent knows slot {i}" for i in range(2) if r["own_known_to_other"][i]]
        else:
            badges += [f"knows its slot {i}" for i in range(2) if r["other_known_to_other"][i]]
        caption = f"{sum(known)} points known" if known else "nothing known"
        if view.to_act == OVER:
            caption = f"{int(r['points'][seat])} points"
        drawn = (face(view.drawn),) if mine and view.drawn > 0 else ()
        seats.append(
            SeatScene(names[seat], (drawn, tuple(map(face, cards))), tuple(badges), caption, view.to_act == seat, False)
        )
    grave = view.graveyard[-8:]
    centre = ((f"graveyard ({len(view.graveyard)})", tuple(map(face, grave))),) if grave else ()
    turn = sum(view.turns)
    return Scene(f"{view.game}, turn {turn}", f"{view.cards_left} cards to draw", tuple(seats), centre)


def public_scene(view: ShowView, names: Sequence[str]) -> Scene:
    """The table as somebody sees it who holds no cards: hands lie face down until the game is over."""
    seen = scene(view, names)
    if view.to_act == OVER:
        return seen
    down = (face(0), face(0))
    seats = tuple(
        SeatScene(name, ((), down), ("called Show",) if view.caller == i else (), "", view.to_act == i, False)
        for i, name in enumerate(names)
    )
    return replace(seen, seats=seats)


def next_cards(view: ShowView) -> list[Coming]:
    """What the next card may be: those not seen, which are in the pile or the opponent's, joined by their points."""
    counts: dict[int, int] = {}
    for card, n in enumerate(view.unseen):
        if n:
            counts[int(POINTS[card])] = counts.get(int(POINTS[card]), 0) + n
    total = sum(counts.values())
    return [Coming(_of_points(points), n / total) for points, n in sorted(counts.items())]


def _of_points(points: int) -> Face:
    if points < 0:
        return Face(NAME[JOKER], "number", f"joker, {points} points")
    if points == 0:
        return Face("red K", "number", "red king, 0 points")
    return Face(RANKS[points - 1], "number", f"{RANKS[points - 1]}, {points} points")
