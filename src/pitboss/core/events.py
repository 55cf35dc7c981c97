"""How a rule book tells what happened: it writes events, four numbers each, into a buffer.

The numbers are kind, seat, and two details that depend on the kind. The caller gives the buffer, or
None, which is decided at compile time and costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.node import Scope, function
from pitboss.core.phrase import phrase
from pitboss.core.types import Array, Data, EventBuffer

if TYPE_CHECKING:
    import numpy as np


Events = EventBuffer  # its former name, which games of other packages import


def buffer(most: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """A buffer for so many events of one move; its first number counts them."""
    import numpy as np

    return np.zeros((most + 1, 4), np.int32)


@compiled
def emit(ev: EventBuffer, kind: int, seat: int, a: int, b: int) -> None:
    """Write an event."""
    if ev is not None:
        n = int(ev[0, 0]) + 1
        ev[0, 0] = n
        if n < len(ev):  # compiled, a write beyond the end would not be noticed; `drain` says it
            ev[n, 0] = kind
            ev[n, 1] = seat
            ev[n, 2] = a
            ev[n, 3] = b


def drain(ev: Array) -> list[list[int]]:
    """The events in a buffer, which is then empty again."""
    count = int(ev[0, 0])
    ev[0, 0] = 0
    if count >= len(ev):
        raise PitbossError(f"one move caused {count} events, but most_events of the game is {len(ev) - 1}")
    return ev[1 : count + 1].tolist()  # type: ignore[no-any-return]


HIDDEN = -1  # instead of a detail that a seat may not know


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: its kind, a seat (-1: nobody's), and two details.

    A game inherits from this and says with `texts` which kinds there are, in the order of their numbers, and how they
    read. `secret` has kinds whose details only their own seat may know, and what everybody else is told.

    >>> class Dealt(Event):
    ...     texts = {"drew": "{who} draws {a}", "won": "{who} wins with {a} points"}
    ...     secret = {"drew": "{who} draws a card"}
    >>> Dealt("drew", 0, 7, 0).text(["Ann", "Bob"])
    'Ann draws 7'
    >>> Dealt("drew", 0, 7, 0).seen_by(1).text(["Ann", "Bob"])
    'Ann draws a card'
    """

    kind: str
    seat: int
    a: int
    b: int

    texts: ClassVar[Mapping[str, str]] = {}
    secret: ClassVar[Mapping[str, str]] = {}
    moments: ClassVar[
        Mapping[str, str]
    ] = {}  # what pages make of kinds: bust, frozen, triumph, saved, scored, peek, won
    minor: ClassVar[Collection[str]] = ()  # kinds that somebody who only glances at the game need not be told

    @property
    def major(self) -> bool:
        """Whether somebody who only glances at the game should be told."""
        return self.kind not in self.minor

    def seen_by(self, seat: int) -> Self:
        """The event as a seat may know it."""
        if seat == self.seat or self.kind not in self.secret:
            return self
        return type(self)(self.kind, self.seat, HIDDEN, HIDDEN)

    def words(self, names: Sequence[str]) -> Data:
        """What can stand in brackets in a text; a game may add to it."""
        return {"who": names[self.seat] if 0 <= self.seat < len(names) else "", "a": self.a, "b": self.b}

    def text(self, names: Sequence[str]) -> str:
        """A line for the log."""
        covered = self.kind in self.secret and self.a == self.b == HIDDEN
        return _said((self.secret if covered else self.texts)[self.kind])(self.words(names))


@cache
def _said(text: str) -> Callable[[Data], str]:
    """What fills in a text."""
    return function(phrase(text, Scope({})), {})
