"""Games and bots by name. Nothing is imported until it is asked for.

Packages add games through the entry-point group `pitboss.games` (name = "module:GameClass") and bots through
`pitboss.bots` ("flip7.name" = "module:ENTRY", where ENTRY is a `BotEntry`); pitboss's own come the same way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

from pitboss.core import entry_points
from pitboss.core.bot import Bot, BotEntry, Entrant, as_written, compiled_entrant, enter, split_bots
from pitboss.core.entry_points import split_spec
from pitboss.core.errors import BotError, PitbossError, SpecError, unknown
from pitboss.core.game import Game

DEFAULT_GAME = "flip7"


def games() -> dict[str, str]:
    """All games that can be loaded: name and where its class lives."""
    return entry_points.places(entry_points.GAMES)


@cache
def game_class(name: str) -> type[Game]:
    """The class of a game, which may be half written."""
    from pitboss.core.contract import verify

    known = games()
    if name not in known:
        raise SpecError(unknown("game", name, known))
    try:
        kind: type[Game] = entry_points.attribute(known[name])
    except Exception as problem:
        module = known[name].partition(":")[0]
        raise SpecError(
            f"the game {name} cannot be loaded: {type(problem).__name__}: {problem}; "
            f"python -c 'import {module}' shows where"
        ) from problem
    verify(kind, name)
    return kind


def game_classes(left_out: Callable[[str], None]) -> dict[str, type[Game]]:
    """All games by name. One that cannot be loaded takes none of the others with it: `left_out` is told why."""
    out = {}
    for name in games():
        try:
            out[name] = game_class(name)
        except PitbossError as problem:
            left_out(str(problem))
    return out


def load(spec: str | Game) -> Game:
    """The game that a spec names: `flip7:tournament(target=100)`.

    >>> load("flip7") == load("flip7:official")
    True
    """
    if isinstance(spec, Game):
        return spec
    name, rules = split_spec(spec)
    return game_class(name).parse(rules)


def title_of(spec: str) -> str:
    """What people call the game and the rule book of a spec; a game that is not installed here keeps its spec.

    >>> title_of("show:classic"), title_of("chess:blitz")
    ('Show · Classic', 'chess:blitz')
    """
    try:
        return load(spec).full_title
    except PitbossError:
        return spec


def bot(text: str | Entrant | type[Any] | Callable[..., int], game: str | Game = DEFAULT_GAME) -> Entrant:
    """The bot that a text names, or a bot class itself, ready to be seated.

    >>> bot("stay-25").name
    'stay-25'
    """
    if isinstance(text, Entrant):
        return text
    if isinstance(text, type):
        return Entrant(text.__name__, make=text)
    if isinstance(text, Bot):
        raise BotError(f"give the class {type(text).__name__}, not an instance: a new bot is made for every game")
    if hasattr(text, "compiled_bot_params"):
        return compiled_entrant(text, getattr(text, "__name__", "bot"), {})
    if not isinstance(text, str):
        raise BotError(f"{text!r} is no bot: give a name, a class or a function marked @compiled_bot")
    table, text = load(game), as_written(text)
    scheme, colon, place = text.partition(":")
    schemes = entry_points.places(entry_points.SCHEMES)
    if colon and scheme in schemes:
        return entry_points.attribute(schemes[scheme])(place, table)  # type: ignore[no-any-return]
    own = table.bots()
    named = any(text == name or text.startswith((f"{name}-", f"{name}(", f"{name}+")) for name in own)
    return enter(text, own if named or ".py" in text else bots_of(table), table)


def bots_of(game: Game) -> dict[str, BotEntry]:
    """All bots of a game by name: its own, and those that build on it or come from other packages."""
    out = dict(game.bots())
    for name, place in entry_points.places(entry_points.BOTS).items():
        owner, _, short = name.partition(".")
        if owner == game.name:
            try:
                out[short] = entry_points.attribute(place)
            except (ImportError, AttributeError) as problem:  # it takes none of the others with it
                warnings.warn(f"the bot {short} of {owner} is left out: {problem}", stacklevel=2)
    return out


Lineup: TypeAlias = str | Sequence[str | Entrant | type[Any] | Callable[..., int]]


def line_up(bots: Lineup, game: str | Game = DEFAULT_GAME) -> list[Entrant]:
    """The bots of a table, from a list or from a text with commas.

    >>> [entrant.name for entrant in line_up("ev*2,stay-25")]
    ['ev', 'ev', 'stay-25']
    """
    return [bot(b, game) for b in (split_bots(bots) if isinstance(bots, str) else bots)]
