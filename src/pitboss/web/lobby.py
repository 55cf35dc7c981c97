"""What the front page offers: a hand of every game, for one click."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import chain

from pitboss.core.game import Game
from pitboss.core.registry import DEFAULT_GAME, game_classes
from pitboss.core.scene import Face
from pitboss.core.types import Data

OPPONENTS = 2  # bots at a table that is made by one click, where so many can sit
SHOWN = 6  # cards of a game on the front page


@dataclass(frozen=True)
class Offer:
    """One game on the front page."""

    name: str
    title: str
    about: str
    spec: str
    bots: tuple[str, ...]  # who sits there, besides the person who clicked
    faces: tuple[Data, ...]  # some of its cards
    secrets: bool


@cache
def offers() -> tuple[Offer, ...]:
    """All installed games, the usual one first."""
    known = game_classes(lambda why: None)  # the room has said it when it opened
    names = sorted(known, key=lambda name: name != DEFAULT_GAME)
    return tuple(_offer(known[name].parse("")) for name in names)


def _offer(game: Game) -> Offer:
    seats, bots = game.rules.seats, game.default_bots()[::-1]  # those that are named last are the strongest
    count = min(max(seats[0], OPPONENTS + 1), seats[-1]) - 1
    return Offer(
        game.name, game.title, game.about, str(game), tuple(bots[n % len(bots)] for n in range(count)),
        tuple(asdict(face) for face in some(game.speaker().faces(), SHOWN)), game.has_secrets,
    )  # fmt: skip


def some(faces: Sequence[Face], most: int) -> list[Face]:
    """A few cards that show what there is: of every kind, and far apart."""
    kinds: dict[str, list[Face]] = defaultdict(list)
    for face in faces:
        if face.kind != "hidden":
            kinds[face.kind].append(face)
    rare = [*kinds.values()][1:most]  # of the first kind there are most
    few = most // (len(rare) + 1) // 2 or 1
    shown = [*chain(*(_apart(each, few) for each in rare))]
    return [*chain(*(_apart(each, most - len(shown)) for each in [*kinds.values()][:1])), *shown]


def _apart(faces: Sequence[Face], most: int) -> list[Face]:
    """At most so many, evenly spread."""
    count = min(most, len(faces))
    return [faces[(2 * n + 1) * len(faces) // (2 * count)] for n in range(count)]
