"""Bots: what answers a view with a move.

A bot is a Python class that inherits from `Bot` (through its game's own base class), or a compiled
function `bot(view, rules, seat, params, luck) -> move`. Both are named by text:

    stay-25                       a built-in bot and its number
    cards-4(all=true)             with named parameters
    ev+freeze-leader              joined with a target rule
    my_bots.py:Careful            a class, or a function marked @compiled_bot, in a file
    my_bots.py:Careful(limit=30)  with arguments
    agent:mine.npz                an agent that has learned, by its file or, if it is shipped, by its name
    ev*3                          three of them, in a list with commas
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from pitboss.core.compile import BOT_FILE, compiled, end_light
from pitboss.core.errors import BotError, unknown
from pitboss.core.layout import F64, constants
from pitboss.core.rules import split_arguments
from pitboss.core.types import Array, GameEvent, GameView

if TYPE_CHECKING:
    import random

    from pitboss.core.policy import BatchPolicy


MOST_BOTS = 10_000  # in one list
MOST_COMMAS = 4  # in the name of a file

# A file, or a folder, and what in it: bots/mine.py:Careful(limit=30)
PLACE = re.compile(r"(?P<path>.+\.py|.*/)(?::(?P<call>(?P<name>\w+)(?:\((?P<arguments>.*)\))?))?")


class Bot:
    """The base of all bots written in Python. A new one is made for every game."""

    wants_events: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.wants_events = cls.saw is not Bot.saw

    rng: random.Random

    def start(self, seat: int, rules: Any, rng: random.Random) -> None:
        """The game begins: your seat, its rules, and your own random numbers. If you override this, call it, or keep
        `rng` yourself."""
        self.rng = rng

    def decide(self, view: GameView) -> Any:
        """Your move: a number or its text. Game classes split this by the kind of decision."""
        raise NotImplementedError(f"{type(self).__name__} must define decide(self, view)")

    def saw(self, event: GameEvent) -> None:
        """Something happened that you may know. Games are played more slowly for bots that ask."""

    def end(self, outcome: Any) -> None:
        """The game is over."""


@dataclass(frozen=True)
class Entrant:
    """A bot ready to be seated: exactly one of `make` (Python) and `function` (compiled) is set."""

    name: str
    make: Callable[[], Bot] | None = None
    function: Callable[..., int] | None = None
    params: Array = field(default_factory=lambda: constants([0.0], F64))
    version: str = ""  # of a bot from a file: a hash of its source
    trusted: bool = False  # built in: reads the table itself, where others get a copy
    policy: BatchPolicy | None = None  # of one that answers many tables at once; `make` then gives it a single seat


class NumberNeeded(BotError):
    """A bot is named without its number, or with one out of its limits; they are whole, if the number must be."""

    def __init__(self, why: str, example: str, least: float, most: float) -> None:
        super().__init__(why)
        self.example, self.least, self.most = example, least, most


@dataclass(frozen=True)
class Wanted:
    """What a text says about a built-in bot, for the function that makes it."""

    name: str
    number: float | None  # after the dash
    named: Mapping[str, str]  # in brackets
    rule: str | None  # after the plus sign
    game: Any  # the table it is to sit at

    def verify_plain(self) -> None:
        """Refuse a number and parameters, for bots that take none."""
        if self.number is not None or self.named:
            raise BotError(f"the bot {self.name} takes no number and no parameters")

    def verify_number(self, example: str, least: float, most: float) -> float:
        """The number after the name; whole, if its limits are."""
        number, whole = self.number, isinstance(least, int)
        if number is None or not least <= number <= most or (whole and number != int(number)):
            kind = "a whole number" if whole else "a number"
            why = f"{self.name} needs {kind} from {least:g} to {most:g} after a dash, such as {example}"
            raise NumberNeeded(why, example, least, most)
        return number


@dataclass(frozen=True)
class BotEntry:
    """A built-in bot: how it is written, what it does, and how to make one: a compiled function with its
    parameters, or a Python class."""

    usage: str
    about: str
    build: Callable[[Wanted], tuple[Any, Sequence[float] | Array] | Callable[[], Bot]]

    @classmethod
    def simple(cls, usage: str, about: str, bot: Any, *, least: int | None = None, most: int = 0) -> BotEntry:
        """One that takes nothing, such as `ev`, or a whole number between limits, such as `bank-N`."""

        def build(wanted: Wanted) -> Any:
            if least is None:
                wanted.verify_plain()
                return bot if isinstance(bot, type) else (bot, [])
            number = int(wanted.verify_number(f"{wanted.name}-{most}", least, most))
            return (lambda: bot(number)) if isinstance(bot, type) else (bot, [number])

        return cls(usage, about, build)


class RandomBot(Bot):
    """Makes any legal move, all equally likely."""

    def decide(self, view: GameView) -> int:
        return self.rng.choice(view.legal)  # type: ignore[no-any-return]


RANDOM = BotEntry.simple("random", "any legal move, all equally likely", RandomBot)


def compiled_bot(function: Callable[..., int] | None = None, **params: float) -> Any:
    """Mark a function of a bot file as a compiled bot: `bot(view, rules, seat, params, luck) -> move`.

    Named numbers become its parameters, in this order, with these defaults: `@compiled_bot(limit=25)`
    is entered as `file.py:bot` or `file.py:bot(limit=30)` and reads `params[0]`.
    """
    if function is None:
        return lambda marked: compiled_bot(marked, **params)
    end_light()
    marked: Any = compiled(function)
    marked.compiled_bot_params = params
    return marked


def compiled_entrant(bot: Any, name: str, given: Mapping[str, Any]) -> Entrant:
    """A function marked `@compiled_bot`, with these parameters instead of its defaults."""
    params = dict(bot.compiled_bot_params)
    for key, value in given.items():
        if key not in params:
            raise BotError(unknown(f"parameter of {name}:", key, params or ["(it has none)"]))
        if not isinstance(value, int | float):
            raise BotError(f"{key}={value!r} of {name} is not a number")
        params[key] = value
    return Entrant(name, function=bot, params=_frozen([*params.values()]))


def _frozen(numbers: Sequence[float] | Array) -> Array:
    import numpy as np

    params = np.array(numbers if len(numbers) else [0.0], np.float64)
    params.flags.writeable = False
    return params


def split_bots(text: str) -> list[str]:
    """The bots that a text names: commas between them, BOT*N for N of them. A file that exists may have commas in its
    name.

    >>> split_bots("ev*2, cards-4(all=true)")
    ['ev', 'ev', 'cards-4(all=true)']
    """
    out: list[str] = []
    for part in _files_whole(split_arguments(text, keep_empty=True)):
        name, star, count = part.strip().rpartition("*")
        if not star:
            name, count = count, "1"
        if not name or not count.isdigit() or int(count) < 1:
            raise BotError(f"{part.strip()!r} names no bot in {text!r}; write them with commas, such as stay-25,ev*2")
        if len(out) + int(count) > MOST_BOTS:
            raise BotError(f"{text!r} names more than {MOST_BOTS:,} bots, which is the most that one list can have")
        out += [name] * int(count)
    return out


def _files_whole(parts: list[str]) -> list[str]:
    """The same parts, but those together again that make the name of a file."""
    out, at = [], 0
    while at < len(parts):
        ends = range(min(len(parts), at + MOST_COMMAS + 1), at + 1, -1)
        end = next((end for end in ends if _is_file(",".join(parts[at:end]))), at + 1)
        out.append(",".join(parts[at:end]))
        at = end
    return out


def _is_file(text: str) -> bool:
    found = PLACE.fullmatch(re.sub(r"\*\d+$", "", text.strip()))
    return found is not None and os.path.exists(found["path"])


def as_written(text: str) -> str:
    """The text of a bot as we write it: names of built-in bots have small letters.

    >>> as_written(" EV+Freeze-Leader"), as_written("Mine.py:Careful"), as_written("Cfr(file=My.npz)")
    ('ev+freeze-leader', 'Mine.py:Careful', 'cfr(file=My.npz)')
    """
    text = text.strip()
    if ".py" in text or ":" in text or "/" in text:
        return text
    name, bracket, rest = text.partition("(")
    return name.lower() + bracket + rest


def enter(text: str, entries: Mapping[str, BotEntry], game: Any) -> Entrant:
    """The bot that a text names, for a game with these built-in bots."""
    text = text.strip()
    if ".py" in text:
        entrant = from_file(text, game.python_bot())
        return replace(entrant, version=_version(text))
    found = re.fullmatch(r"([a-z][a-z-]*?)(?:-(\d+(?:\.\d+)?))?(?:\((.*)\))?(?:\+([a-z-]+))?", text)
    if not found or found[1] not in entries:
        raise BotError(unknown("bot", text, [entry.usage for entry in entries.values()] + ["path/to/file.py:MyBot"]))
    name, number, inside, rule = found.groups()
    named = dict(_named(part, text) for part in split_arguments(inside or ""))
    made = entries[name].build(Wanted(name, float(number) if number else None, named, rule, game))
    if callable(made):
        return Entrant(text, make=made)
    function, numbers = made
    return Entrant(text, function=function, params=_frozen(numbers), trusted=True)


def _named(part: str, text: str) -> tuple[str, str]:
    name, equals, value = (piece.strip() for piece in part.partition("="))
    if not (name and equals and value):
        raise BotError(f"{part!r} in {text!r} is not of the form name=value")
    return name, value


def _parts(text: str) -> tuple[str, str | None, str | None]:
    """The file, the name and the arguments in `file.py:name(arguments)`."""
    found = PLACE.fullmatch(text)
    if not found or found["path"].endswith("/"):
        raise BotError(f"{text!r} is not of the form path/to/file.py:MyBot")
    return found["path"], found["name"], found["arguments"]


def _version(text: str) -> str:
    import hashlib

    with open(_parts(text)[0], "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def from_file(text: str, base: type[Bot]) -> Entrant:
    """The bot of a file that a text names, without its version; in light mode, Python bots load lightly."""
    path, name, inside = _parts(text)
    choices = bots_in(path, base)
    if name is None:
        if not choices:
            raise BotError(f"{path} has no bots: no subclass of {base.__name__}, no function marked @compiled_bot")
        if len(choices) > 1:
            raise BotError(f"{path} has {len(choices)} bots; say which: {', '.join(f'{path}:{n}' for n in choices)}")
        name = next(iter(choices))
    elif name not in choices:
        if hasattr(_load(path), name):
            raise BotError(f"{name} in {path} is neither a subclass of {base.__name__} nor marked @compiled_bot")
        raise BotError(unknown(f"bot in {path}:", name, choices or ["(the file has none)"]))
    bot = choices[name]
    places, arguments = [], {}
    for part in split_arguments(inside or ""):
        if "=" in part:
            key, value = _named(part, text)
            arguments[key] = _value(value)
        else:
            places.append(_value(part.strip()))
    if not isinstance(bot, type):
        if places:
            raise BotError(f"{text}: the parameters of a compiled bot are given by name")
        return compiled_entrant(bot, text, arguments)
    try:
        bot(*places, **arguments)
    except Exception as problem:
        raise BotError(f"{text}: making the bot failed with {type(problem).__name__}: {problem}") from problem
    return Entrant(text, make=lambda: bot(*places, **arguments))


def bots_in(path: str | os.PathLike[str], base: type[Bot]) -> dict[str, Any]:
    """The bots of a file by name: classes that inherit from `base`, functions marked @compiled_bot."""
    module = _load(path)
    return {n: v for n, v in vars(module).items() if _is_bot(v, base, module)}


def _value(text: str) -> Any:
    """A Python value, or else the text itself."""
    import ast

    try:
        return ast.literal_eval({"true": "True", "false": "False"}.get(text, text))
    except (ValueError, SyntaxError):
        return text


def _is_bot(value: object, base: type[Bot], module: ModuleType) -> bool:
    if isinstance(value, type):
        return issubclass(value, base) and value.__module__ == module.__name__
    return hasattr(value, "compiled_bot_params")


def _load(path: str | os.PathLike[str]) -> ModuleType:
    if not os.path.isfile(path):
        raise BotError(f"there is no bot file {path}")
    place = int.from_bytes(os.fsencode(os.path.realpath(path)), "big")
    name = f"{BOT_FILE}{place % (2**61 - 1):x}"  # different for different files, without a library of hashes
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        del sys.modules[name]
        if isinstance(problem, KeyboardInterrupt):
            raise
        line = f", line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        raise BotError(f"{path} does not import{line}: {type(problem).__name__}: {problem}") from problem
    return module
