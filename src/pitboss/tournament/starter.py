"""The first file of a new bot, and its test: `pitboss new-bot` writes them for any game.

What to say is asked of the game: the class that its bots inherit from, the decisions that this class splits into,
and what a view can tell. A game of another package gets a starter like those that come with pitboss.
"""

from __future__ import annotations

import inspect
import keyword
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from textwrap import wrap

from pitboss.core.bot import Bot
from pitboss.core.dealer import Keyed
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.legal import some
from pitboss.core.step import DEALER
from pitboss.core.types import GameView
from pitboss.core.view import View

WIDTH = 100

_BOT = '''"""{title}, a bot for {game}. Its test is {test}.

{about}
"""

from {home} import {base}


class {name}({base}):
    """Plays by luck where nothing better is written yet."""
{methods}

# What a view tells, besides view.legal, the moves that you may make:
#
{view}
'''

_METHOD = """
    def {name}({parameters}):
{comment}
        return {answer}
"""

_TEST = '''"""What {file} must always do. Add what yours must do: a view in, a move out."""

from pathlib import Path

import pytest
from pitboss import play

GAME = "{game}"
BOT = f"{{Path(__file__).with_name('{file}')}}:{name}"
OTHERS = {others}


@pytest.mark.parametrize("seat", range(len(OTHERS) + 1))
@pytest.mark.parametrize("seed", range(5))
def test_finishes_games_at_every_seat(seat, seed):
    """An exception or an illegal move raises an error that says what it was."""
    line_up = [*OTHERS[:seat], BOT, *OTHERS[seat:]]
    assert play(GAME, line_up, seed).outcome.scores


def test_plays_the_same_game_again():
    """All luck comes from self.rng, so the same seed gives the same moves."""
    games = [play(GAME, [BOT, *OTHERS], seed=1) for _ in range(2)]
    assert games[0].moves == games[1].moves
'''


@dataclass(frozen=True)
class Starter:
    """A new bot for a game, by a name such as `careful` or `my-bot`.

    >>> from pitboss import load
    >>> starter = Starter(load("flip7"), "my-bot")
    >>> starter.file, starter.class_name, starter.test_file
    ('my_bot.py', 'MyBot', 'test_my_bot.py')
    """

    game: Game
    name: str

    def __post_init__(self) -> None:
        """Refuse names that make no file and no class, or that would hide a module of Python from others."""
        if not self._words or not self._words[0][0].isalpha() or not self.name.isascii():
            raise PitbossError(f"{self.name!r} makes no name for a class; use letters and digits, such as careful-2")
        if keyword.iskeyword(self.module) or self.module in (*sys.stdlib_module_names, "pitboss", "numpy", "pytest"):
            raise PitbossError(
                f"a file {self.file} would stand in the way of Python's own {self.module}; call it my-{self.module}?"
            )

    @cached_property
    def _words(self) -> list[str]:
        text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", self.name.removesuffix(".py"))
        return re.findall(r"[A-Za-z0-9]+", text)

    @property
    def module(self) -> str:
        """The name of the bot's file, without its ending."""
        return "_".join(self._words).lower()

    @property
    def file(self) -> str:
        """The name of the bot's file."""
        return f"{self.module}.py"

    @property
    def test_file(self) -> str:
        """The name of its test's file."""
        return f"test_{self.file}"

    @property
    def class_name(self) -> str:
        """The name of the class."""
        return "".join(word[0].upper() + word[1:] for word in self._words)

    def bot_text(self) -> str:
        """The bot: every decision has its method, which plays by luck or as the base class would."""
        base = self.game.python_bot()
        own = _decisions(base)
        about = "Each method answers one kind of decision: a view goes in, a move comes out."
        if any(not _must(method) for method in own):
            about += (
                f" What {base.__name__} can answer by itself is left to it: change what you want to play differently, "
                "and delete the rest."
            )
        methods = [_method(method) for method in own or [Bot.decide]]
        return _BOT.format(
            title=self.class_name,
            game=self.game.name,
            test=self.test_file,
            about="\n".join(wrap(about, WIDTH)),
            home=_home(base),
            base=base.__name__,
            name=self.class_name,
            methods="".join(methods),
            view="\n".join(self._view_lines()),
        )

    def test_text(self) -> str:
        """Its test, which passes as long as the bot plays legally and repeatably."""
        others = repr(self.others).replace("'", '"')
        return _TEST.format(game=self.game, file=self.file, name=self.class_name, others=others)

    @property
    def others(self) -> list[str]:
        """Built-in bots to sit with."""
        return self.game.default_bots()[1:]

    def _view_lines(self) -> Iterator[str]:
        view = _first_view(self.game)
        for name, about in [*_told(type(view)), *_fields(view)]:
            yield from _comment(about, f"#   view.{name:<16} ", WIDTH + 20)
        yield "#"
        yield f"# A first question may be: {view.question}"
        answers = some([f'"{self.game.format_move(move)}"' for move in view.legal])
        yield f"# You may answer {answers}, or with the number that view.legal has for it."


def _decisions(base: type[object]) -> list[Callable[..., object]]:
    """The methods that a game's base class splits decisions into, in the order in which it has them."""
    methods = {}
    for cls in reversed(base.__mro__):
        if issubclass(cls, Bot) and cls is not Bot:
            methods.update({name: value for name, value in vars(cls).items() if inspect.isfunction(value)})
    return [method for name, method in methods.items() if not name.startswith("_") and not hasattr(Bot, name)]


def _must(method: Callable[..., object]) -> bool:
    """Whether a bot must write this method, because the base class only raises."""
    return "NotImplementedError" in method.__code__.co_names


def _method(method: Callable[..., object]) -> str:
    parameters = list(inspect.signature(method).parameters)
    answer = "self.rng.choice(view.legal)  # your idea goes here"
    if not _must(method):
        answer = f"super().{method.__name__}({', '.join(parameters[1:])})"
    about = " ".join((inspect.getdoc(method) or "Your move.").split())
    comment = "\n".join(_comment(about, "        # ", WIDTH))
    return _METHOD.format(name=method.__name__, parameters=", ".join(parameters), comment=comment, answer=answer)


def _comment(text: str, start: str, width: int) -> list[str]:
    """A text as lines of comment; lines after the first are indented like it."""
    indent = start[: start.index("#") + 1].ljust(len(start))
    return wrap(text, width, initial_indent=start, subsequent_indent=indent)


def _home(base: type[object]) -> str:
    """Where bot authors import the base class from: the shortest module that has it."""
    parts = base.__module__.split(".")
    modules = (".".join(parts[:n]) for n in range(1, len(parts)))
    return next((m for m in modules if vars(import_module(m)).get(base.__name__) is base), base.__module__)


def _told(view: type[object]) -> list[tuple[str, str]]:
    """What a view can tell: its public properties and methods, with the first paragraphs of their docstrings."""
    found: dict[str, str] = {}
    for cls in reversed(view.__mro__[:-1]):
        for name, value in vars(cls).items():
            about = inspect.getdoc(value) if isinstance(value, property | cached_property) else None
            if about and not name.startswith("_") and name not in ("legal", "question"):
                found[name] = " ".join(about.partition("\n\n")[0].split())
    return list(found.items())


def _fields(view: GameView) -> list[tuple[str, str]]:
    """What the fields of a game's layout tell, where views have them as attributes."""
    layout = view.game.layout if isinstance(view, View) else None
    if layout is None:
        return []
    one, many = view.game.deals
    return [("left", f"How many of each kind of {one} may still come, of all {many} by number."), *layout.about.items()]


def _first_view(game: Game) -> GameView:
    """What the first seat that must decide sees, in some game."""
    position, dealer = game.start(max(1, len(game.default_bots()))), Keyed(Key.from_seed(1))
    while position.to_act == DEALER:
        position.apply(dealer.card(position))
    return position.view(position.to_act)
