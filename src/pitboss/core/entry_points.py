"""Where games and bots live: what installed packages say by their entry points, pitboss itself among them.

    [project.entry-points."pitboss.games"]
    flip7 = "pitboss.games.flip7.game:Flip7"

A process that cannot look at installed packages, that of a bot in its sandbox, is told beforehand (`remember`).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

GAMES = "pitboss.games"  # a name, and the class of the game
SIDES = "pitboss.sides"  # the same name, and what a bot's process needs of it (`core.side`), where that is not all
BOTS = "pitboss.bots"  # game.name, and a `BotEntry`
SCHEMES = "pitboss.schemes"  # a word before a colon, and the function (place, game) that makes an `Entrant`
GROUPS = (GAMES, SIDES, BOTS, SCHEMES)
OWN = "pitboss."

_told: dict[str, dict[str, str]] = {}


@cache
def places(group: str) -> dict[str, str]:
    """The names of a group, and `module:name` for each; nobody can take a name of pitboss's own."""
    if _told:
        return _told[group]
    from importlib.metadata import entry_points

    found = [(entry.name, entry.value) for entry in entry_points(group=group)]
    return dict(sorted(found, key=lambda item: item[1].startswith(OWN)))


def split_spec(spec: str) -> tuple[str, str]:
    """The name of a game, and its rules.

    >>> split_spec("flip7:solo(target=100)"), split_spec("flip7(target=100)")
    (('flip7', 'solo(target=100)'), ('flip7', '(target=100)'))
    """
    name, _, rules = spec.strip().partition(":")
    if not rules and "(" in name:
        name, bracket, rest = name.partition("(")
        rules = bracket + rest
    return name.strip(), rules


def remember(told: dict[str, dict[str, str]]) -> None:
    """Take these places for all that there are."""
    _told.update(told)
    places.cache_clear()


def attribute(place: str) -> Any:
    """What `module:name` means."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
