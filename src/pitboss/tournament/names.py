"""What bots are called in a tournament: names that differ, and that nobody takes for another's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.core.game import Game
from pitboss.core.registry import bots_of
from pitboss.core.text import likeness, plain_name

if TYPE_CHECKING:
    from pitboss.tournament.contestant import Contestant

MOST_NAME = 60  # characters that are shown
KINDS = {"python": "file", "command": "program"}  # what is said of a stranger who is called like a bot of ours


def tell_apart(bots: Sequence[Contestant], game: Game) -> list[Contestant]:
    """The bots, under names that differ, and that nobody could take for one another.

    Of bots from different files the file's name tells more than a number. A bot from a file that is called like a
    built-in one, or could be taken for it, says that it is none: `stay-25 (file)`.
    """
    bots = [replace(bot, name=_honest(bot.name, bot.kind, game)) for bot in bots]
    alike = [likeness(bot.name) for bot in bots]
    files = {like: {bot.path for bot, own in zip(bots, alike, strict=True) if own == like} for like in alike}
    sharing = Counter(alike)
    taken: set[str] = set()
    out = []
    for bot, like in zip(bots, alike, strict=True):
        name = bot.name
        if bot.path and sharing[like] > 1 and len(files[like]) == sharing[like]:
            name = _honest(called_after(Path(bot.path)), bot.kind, game)
            if sum(other.path == bot.path for other in bots) > 1:
                name += f".{bot.name}"
        name = _first_free((name if n == 1 else f"{name}#{n}" for n in count(1)), taken)
        taken.add(likeness(name))
        out.append(replace(bot, name=name))
    return out


def name_of_new(bot: Contestant, others: Sequence[Contestant], game: Game) -> str:
    """The name of a bot that joins others: as a new version of itself, or by its file if the name is taken."""
    taken = {likeness(other.name) for other in others}
    before = next((other.name for other in others if other.place == bot.place), None)
    if before is None and likeness(bot.name) not in taken:
        return bot.name
    base = before or (_honest(called_after(Path(bot.path)), bot.kind, game) if bot.path else bot.name)
    return _first_free((base if n == 1 else f"{base} v{n}" for n in count(1)), taken)


def called_after(path: Path) -> str:
    """What a bot is called that has only its file: as this, or as the folder in which a file called bot lies."""
    return path.resolve().parent.name if path.stem == "bot" else path.stem


def _first_free(names: Iterable[str], taken: set[str]) -> str:
    return next(name for name in names if likeness(name) not in taken)


def _honest(name: str, kind: str, game: Game) -> str:
    """A name of what can be seen, not too long, and not that of a built-in bot unless it is one."""
    name = plain_name(name)
    name = name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + "…"
    return f"{name} ({KINDS[kind]})" if kind in KINDS and _like_built_in(name, game) else name


def _like_built_in(name: str, game: Game) -> bool:
    """Whether a name reads as that of a built-in bot, with or without a number, arguments and a rule for targets."""
    like = re.split(r"[(+]", likeness(name))[0].strip()
    number = r"(-[\d.io]+)?"  # some digits look like letters
    return like.startswith("agent:") or any(
        re.fullmatch(re.escape(likeness(own)) + number, like) for own in bots_of(game)
    )
