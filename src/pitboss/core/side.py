"""A game as a bot's process needs it: its rules, views, moves and events, without what plays it.

A whole `Game` is such a side too. A game may have a lighter one, by the entry point `pitboss.sides`, in a module of its
own that imports neither NumPy nor Numba in light mode (`compile.light`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pitboss.core import entry_points
from pitboss.core.bot import Bot
from pitboss.core.compile import end_light
from pitboss.core.entry_points import split_spec
from pitboss.core.errors import NotationError, unknown
from pitboss.core.rules import titled
from pitboss.core.step import FAULT
from pitboss.core.types import Data, GameView

if TYPE_CHECKING:
    from pitboss.core.rules import RulesBase
    from pitboss.core.speaker import Speaker
    from pitboss.core.wording import Wording


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    ended: str  # "won", "tied" or "cut"
    winners: tuple[int, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...]


class Side(ABC):
    """The bots' side of one rule book of one game."""

    name: ClassVar[str]
    rules_class: ClassVar[type[RulesBase]]
    event_class: ClassVar[type[Any]]  # made from the name of a kind, a seat and two details (`events.Event`)
    move_names: ClassVar[tuple[str, ...]] = ()  # by number; a game without must define format_move and parse_move
    view_class: ClassVar[type[Any] | None] = None  # made from a game, the bytes of a record and a seat
    bot_class: ClassVar[type[Bot]] = Bot  # that bots written in Python inherit from
    wording: ClassVar[Wording | None] = None  # what the game says and draws, as data; what it leaves out has defaults

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    @classmethod
    def parse(cls, text: str) -> Self:
        """The game under the rules written here: `preset(switch=value, …)`."""
        return cls(cls.rules_class.parse(text))

    def view(self, raw: bytes, seat: int) -> GameView:
        """The view whose record has these bytes."""
        assert self.view_class is not None
        return self.view_class(self, raw, seat)

    def view_with(self, raw: bytes, seat: int, legal: int) -> GameView:
        """The same where the legal moves are known, as bits (`legal.moves_of` reads them): a view that would have to
        work them out takes them."""
        view = self.view(raw, seat)
        if self.view_class is not None and isinstance(view, self.view_class):
            view.legal_bits = legal
        return view

    def format_move(self, move: int) -> str:
        """A player's move as text: a word, or several with a space between them, such as `bid 3 5`. People choose word
        by word where there are many moves. A `~` is not for texts: records have it for the space."""
        return "fault" if move == FAULT else self.move_names[move]

    def parse_move(self, text: str) -> int:
        """The move that a text means."""
        if text not in (*self.move_names, "fault"):
            raise NotationError(unknown("move", text, self.move_names))
        return FAULT if text == "fault" else self.move_names.index(text)

    def format_move_at(self, view: GameView, move: int) -> str:
        """A move as who has this view would say it: `swap A/7 B/12`, where records say `swap A B`."""
        return self.format_move(move)

    def parse_move_at(self, view: GameView, text: str) -> int:
        """The move that a text means to who has this view; it reads what `format_move_at` writes."""
        return self.parse_move(text)

    @property
    def texts_need_view(self) -> bool:
        """Whether moves are written differently in different positions."""
        return type(self).parse_move_at is not Side.parse_move_at

    @cached_property
    def named_rules(self) -> Data:
        """The rules by name, as texts of the wording have them."""
        return self.rules.named()  # type: ignore[no-any-return]

    def speaker(self, language: str = "en") -> Speaker:
        """What says and draws this game in a language."""
        from pitboss.core.speaker import speaker

        return speaker(self.whole_wording, language)

    @property
    def whole_wording(self) -> Wording:
        """All that is said and drawn."""
        assert self.wording is not None, f"{type(self).__name__} has no wording"
        return self.wording

    def python_bot(self) -> type[Any]:
        """The class that bots written in Python inherit from."""
        return self.bot_class


class RuleBook(Side):
    """A side that also explains its rules: `pitboss rules` needs neither NumPy nor Numba for a light one."""

    title: ClassVar[str]  # the name for people: "Flip 7"; made from `name`, if a class says none
    about: ClassVar[str]  # one line
    preset_about: ClassVar[Mapping[str, str]]  # one line for each preset
    deals: ClassVar[tuple[str, str]] = ("card", "cards")  # what the dealer deals: one, and many

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls) and "title" not in vars(cls):
            cls.title = titled(cls.name)

    def __str__(self) -> str:
        return f"{self.name}:{self.rules}"

    @cached_property
    def full_title(self) -> str:
        """The game and its rule book for people, who never need `str(game)` unless they type it.

        >>> from pitboss import load
        >>> load("flip7").full_title, load("vengeance:quick(target=100)").full_title
        ('Flip 7 · Official', 'Flip 7: With a Vengeance · Quick (target: 100)')
        """
        return f"{self.title} · {self.rules.title}"

    def words(self) -> list[str]:
        """The rules of this table in plain words, from its switches."""
        if self.wording is None:
            raise NotImplementedError(f"{type(self).__name__} must define words(self), or have rules in a words.toml")
        return self.speaker().rules(self.named_rules)

    @abstractmethod
    def deck(self) -> list[tuple[str, int]]:
        """The cards by name, and how many of each."""


def load_side(spec: str) -> Side:
    """The bots' side of the game that a spec names; of a game that has none, the whole of it."""
    name, rules = split_spec(spec)
    side = _side_class(name)
    if side:
        return side.parse(rules)
    end_light()
    from pitboss.core.registry import load

    return load(spec)


def rule_book_class(name: str) -> type[RuleBook]:
    """What explains the rules of a game: its side, if that can, or else the whole of it."""
    side = _side_class(name)
    if side and issubclass(side, RuleBook):
        return side
    end_light()
    from pitboss.core.registry import game_class

    return game_class(name)


def _side_class(name: str) -> type[Side] | None:
    place = entry_points.places(entry_points.SIDES).get(name)
    return entry_points.attribute(place) if place else None
