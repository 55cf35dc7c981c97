"""What a game offers people at a real table: a companion that follows it, and a chart for the wall.

A person types what falls and what players do; that becomes cards and moves of the game's own rules, which keep the
state. Everything typed is kept, and to undo is to play all but the last of it again. A game returns its own `Companion`
from `Game.make_companion`; `pitboss.analysis.companion` follows all others whose cards lie open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pitboss.core.analysis import Advice
from pitboss.core.errors import NotationError, PitbossError
from pitboss.core.scene import Face
from pitboss.core.types import Data, GameEvent, GameView

if TYPE_CHECKING:
    from pitboss.core.game import Game, Position

LETTERS = "ABCDEFGIJKLMOPRTVWXZ"  # no H, N, S, Y, U, Q, which are moves and commands


@dataclass(frozen=True)
class TableSetup:
    """A real table as it is when somebody begins to follow it."""

    names: Sequence[str] = ()  # who plays, clockwise
    totals: Sequence[int] = ()  # everybody's points so far
    me: int = 0
    dealer: int | None = None  # the seat that deals first; the last one if left out
    discards: str = "-"


@dataclass(frozen=True)
class CardTap:
    """A card that may fall: how many are left, how likely it comes next, and what it would do to who gets it."""

    entry: str
    face: Face
    left: int
    chance: float
    harm: str = ""


@dataclass(frozen=True)
class WordTap:
    """Anything else that can be entered: a move, a player, yes or no."""

    entry: str
    text: str
    about: str  # "move", "player", or "table" for what concerns all


@dataclass(frozen=True)
class Chart:
    """What to do when, on a page for the wall."""

    svg: str
    facts: Data  # the numbers behind the picture, for JSON


def default_names(seats: int, me: int) -> list[str]:
    """Names that are quick to type: a letter each, and `me`.

    >>> default_names(4, 1)
    ['A', 'me', 'B', 'C']
    """
    others = [*LETTERS, *(f"P{i}" for i in range(seats))]
    return ["me" if seat == me else others[seat - (seat > me)] for seat in range(seats)]


class Companion(ABC):
    """A game at a real table. A game's own says what words mean (`take`), what is due, and what it advises."""

    help: ClassVar[tuple[str, ...]] = ()  # what can be typed, a line each

    def __init__(self, game: Game, setup: TableSetup) -> None:
        seats = len(setup.names) or len(setup.totals) or game.rules.seats[0]
        game.verify_seats(seats)
        if setup.totals and len(setup.totals) != seats:
            raise PitbossError(
                f"there are {seats} names and {len(setup.totals)} totals; give one of each for every player"
            )
        for name, place in (("me", setup.me), ("dealer", setup.dealer)):
            if place is not None and not 0 <= place < seats:
                raise PitbossError(f"`{name}` is a place at the table, from 0 to {seats - 1}, not {place}")
        self.game: Any = game
        self.me, self.setup = setup.me, setup
        self.names = list(setup.names) or default_names(seats, setup.me)
        low = [name.lower() for name in self.names]
        for name in low:
            if low.count(name) > 1:
                raise PitbossError(f"two players are called {name!r}; give each a name of its own")
        self.entries: list[str] = []
        self.position: Position = self.begin()

    def begin(self) -> Position:
        """The table at the start."""
        return self.game.start(len(self.names))  # type: ignore[no-any-return]

    # --- what is to be seen ---

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.over

    @property
    def view(self) -> GameView:
        """The table as the person sees it."""
        return self.position.view(self.me)

    @property
    def asked(self) -> int:
        """The seat that takes a card or decides now; negative if it is nobody's, or the game is over."""
        return self.position.to_act

    @property
    @abstractmethod
    def due(self) -> str:
        """What to type next, naming the player it is about."""

    @abstractmethod
    def card_taps(self) -> list[CardTap]:
        """The cards that may fall now, in a fixed order; none while no card can."""

    @abstractmethod
    def word_taps(self) -> list[WordTap]:
        """What can be entered besides cards."""

    @abstractmethod
    def advice(self, chances: bool = True) -> Advice | None:
        """What can be said to the person now, if anything; with chances to win, which may take longer."""

    def prepare(self) -> None:
        """Compile and work out now whatever will be needed later, when people wait at the table."""
        probe = self.position.copy()
        probe.apply(probe.legal[0])
        self.advice()

    # --- what is typed ---

    @abstractmethod
    def take(self, words: list[str]) -> tuple[list[str], str, list[Any]]:
        """Do what the first words mean: the rest of them, what to keep of them for undo, the events."""

    def words(self, line: str) -> list[str]:
        """The words of a line."""
        return line.split()

    def enter(self, line: str) -> list[Any]:
        """Take in what somebody typed, all of it or nothing; returns the events it caused."""
        words = self.words(line)
        if not words:
            raise NotationError(f"type what happened; help lists what can be typed. {self.due}")
        before, count = self.position.copy(), len(self.entries)
        events: list[GameEvent] = []
        try:
            while words:
                words, entry, caused = self.take(words)
                if entry:
                    self.entries.append(entry)
                events += caused
        except PitbossError:
            self.position = before
            del self.entries[count:]
            raise
        return events

    def undo(self, times: int = 1) -> list[str]:
        """Take back the last entries; returns them."""
        if not 1 <= times <= len(self.entries):
            there = f"only {len(self.entries)}" if self.entries else "nothing"
            raise PitbossError(f"there is {there} to undo")
        kept, gone = self.entries[:-times], self.entries[-times:]
        self.entries, self.position = [], self.begin()
        for entry in kept:
            self.enter(entry)
        return gone
