"""What is said and drawn of a game, for pages: plain values that JSON can carry, which `words.js` reads."""

from __future__ import annotations

from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.plain import card_names, told_by_texts
from pitboss.core.types import Data
from pitboss.core.view import View


def describe_words(game: Game) -> Data:
    """What a page needs to say and draw a game, as plain values for JSON; `words.js` reads it."""
    wording = game.whole_wording
    messages = {language: wording.messages(language) for language in wording.texts}
    nodes = wording.nodes
    tables = {name: value for name, value in wording.constants.items() if isinstance(value, tuple)}
    used = str([nodes, messages])
    event = game.event_class
    books = map(type(game).parse, game.rules_class.presets)
    return {
        **nodes,
        "kinds": [*game.event_kinds],
        "minor": [kind for kind in game.event_kinds if not event(kind, 0, 0, 0).major],
        "tables": {name: [*table] for name, table in tables.items() if f"'{name}'" in used or name == "NAME"},
        "languages": messages,
        "rulebooks": {table["game"]: table for table in map(describe_table, books)},
        "notation": {
            "moves": [_written(game.format_move, n) for n in range(game.step.moves)],
            "cards": [*card_names(game)["NAME"]],
        },
        "publicSeat": -1 if game.secrets else 0,
        "python": python_parts(game),
    }


def describe_table(game: Game) -> Data:
    """The rules of one table by name, for `words.js`; what Python code says of them, where the game has no data."""
    said = {} if game.whole_wording.says("rules") else {"said": game.words()}
    return {
        "game": str(game),
        "title": game.full_title,
        "rules": {name: _plain(value) for name, value in game.named_rules.items()},
        **said,
    }


def _plain(value: Any) -> Any:
    return [*map(int, value)] if isinstance(value, tuple) else value


def _written(write: Any, number: int) -> str | None:
    try:
        return str(write(number))
    except (PitbossError, ValueError, IndexError, TypeError):
        return None


def python_parts(game: Game) -> list[str]:
    """The parts of a game that are Python code, so that a page shows defaults for them."""
    own, made, event = game.wording, type(game), game.event_class
    described = own.structure if own else {}
    view = game.view_class or View
    code = made.question is not Game.question or made.view is not Game.view or view.question is not View.question
    told = "event" not in described and not told_by_texts(event)
    parts = {
        "scene": made.scene is not Game.scene,
        "questions": "questions" not in described and code,
        "moves": made.describe_move is not Game.describe_move or ("moves" not in described and game.texts_need_view),
        "events": told,
    }
    return [name for name, by_code in parts.items() if by_code]
