"""What the next card may be, as a seat of Show can know."""

from __future__ import annotations

from pitboss.core.scene import Coming, Face
from pitboss.core.text import counted
from pitboss.games.show.cards import JOKER, NAME, POINTS, RANKS
from pitboss.games.show.view import ShowView


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
    return Face(RANKS[points - 1], "number", f"{RANKS[points - 1]}, {counted(points, 'point')}")
