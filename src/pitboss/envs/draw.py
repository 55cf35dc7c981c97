"""A scene as plain text, and as a picture made with Pillow."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pitboss.core.scene import Face, Scene, SeatScene

PANEL, CARD, GAP = 330, (38, 46), 8
HEAD, LINE = 52, 18

GREEN, PAPER, INK, PALE = (25, 84, 60), (250, 248, 240), (30, 30, 30), (205, 222, 212)
COLOUR = {"number": PAPER, "modifier": (216, 122, 30), "action": (60, 90, 190), "hidden": (110, 40, 50)}
LETTERS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "☠": "X"})  # the font that Pillow brings has no signs


def text(scene: Scene) -> str:
    """A scene in a few lines.

    >>> from pitboss import load
    >>> game = load("flip7:solo")
    >>> print(text(game.scene(game.start(1).view(0), ["Ann"])))
    Flip 7 · Solo, round 1: 85 cards in the deck, 0 discarded
    > Ann: nothing (0 on the table, 0 in total)
    """
    lines = [f"{scene.title}: {scene.caption}"]
    lines += [f"  {name}: {_cards(faces)}" for name, faces in scene.centre]
    for seat in scene.seats:
        cards = "  ".join(_cards(row) for row in seat.rows if row) or "nothing"
        badges = "".join(f" [{badge}]" for badge in seat.badges)
        lines.append(f"{'>' if seat.to_act else ' '} {seat.name}: {cards} ({seat.caption}){badges}")
    return "\n".join(lines)


def _cards(faces: tuple[Face, ...]) -> str:
    return " ".join(face.name if face.kind == "action" else face.text for face in faces)


def picture(scene: Scene) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A scene as an array of pixels; always of the same size for the same number of seats."""
    count = len(scene.seats)
    columns = 1 if count == 1 else 2 if count <= 6 else 3
    panel = 2 * LINE + GAP + max(len(seat.rows) for seat in scene.seats) * (CARD[1] + GAP) + GAP
    centre = HEAD + CARD[1] + LINE + GAP
    width, height = GAP + columns * (PANEL + GAP), centre + -(-count // columns) * (panel + GAP)
    image = Image.new("RGB", (width, height), GREEN)
    pen = ImageDraw.Draw(image)
    _write(pen, (GAP, GAP), scene.title, 18, PAPER)
    _write(pen, (GAP, GAP + 24), scene.caption, 13, PALE)
    share = width // max(1, len(scene.centre))
    for i, (name, faces) in enumerate(scene.centre):
        _write(pen, (GAP + i * share, HEAD), name, 13, PALE)
        _row(pen, faces, GAP + i * share, HEAD + LINE, share - 2 * GAP)
    for i, seat in enumerate(scene.seats):
        x, y = GAP + i % columns * (PANEL + GAP), centre + i // columns * (panel + GAP)
        _seat(pen, seat, x, y, panel)
    return np.asarray(image, np.uint8).copy()


def _seat(pen: ImageDraw.ImageDraw, seat: SeatScene, x: int, y: int, height: int) -> None:
    frame = (240, 200, 60) if seat.to_act else (70, 110, 92)
    pen.rounded_rectangle((x, y, x + PANEL, y + height), 8, (18, 64, 46) if seat.out else None, frame, 2)
    _write(pen, (x + GAP, y + 4), " · ".join((seat.name, *seat.badges)), 14, PAPER)
    _write(pen, (x + GAP, y + 4 + LINE), seat.caption, 12, PALE)
    for i, row in enumerate(seat.rows):
        _row(pen, row, x + GAP, y + 2 * LINE + GAP + i * (CARD[1] + GAP), PANEL - 2 * GAP)


def _row(pen: ImageDraw.ImageDraw, faces: tuple[Face, ...], x: int, y: int, width: int) -> None:
    """Cards side by side; many of them overlap."""
    step = min(CARD[0] + 4, (width - CARD[0]) // max(1, len(faces) - 1))
    for i, face in enumerate(faces):
        left, ink = x + i * step, INK if face.kind == "number" else PAPER
        back = tuple(c // 2 for c in COLOUR[face.kind]) if face.faded else COLOUR[face.kind]
        pen.rounded_rectangle((left, y, left + CARD[0], y + CARD[1]), 5, back, INK)
        label = face.text.translate(LETTERS)
        pen.text((left + CARD[0] // 2, y + CARD[1] // 2), label, ink, _font(16 if len(label) < 3 else 13), "mm")


def _write(pen: ImageDraw.ImageDraw, at: tuple[int, int], line: str, size: int, colour: tuple[int, int, int]) -> None:
    pen.text(at, line.translate(LETTERS), colour, _font(size))


@cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size)
