"""How a bot's decision can go wrong, and the limits it plays under."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pitboss.core.errors import BotError, PitbossError, unknown
from pitboss.sandbox.readable import package_called

THREADS = "threads"  # the one thing that can be allowed which is not a package
CLOCKS = ("processor", "wall")


def split_names(texts: str | Iterable[str]) -> tuple[str, ...]:
    """Names that may be allowed, from a text with commas or several of them.

    >>> split_names(["scipy, threads", "scipy", "pandas"])
    ('scipy', 'threads', 'pandas')
    """
    names = (name.strip() for text in ([texts] if isinstance(texts, str) else texts) for name in text.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def install(package: str) -> str:
    """The command that installs a package for the Python that pitboss runs on."""
    return f"python -m pip install {package}"


class Ending(StrEnum):
    """Why the referee ruled a fault."""

    TIMEOUT = "timeout"  # it used more time than it has
    STALL = "stall"  # it used none, and did not answer either
    CRASH = "crash"  # its process ended
    EXCEPTION = "exception"
    ILLEGAL = "illegal move"
    MEMORY = "out of memory"
    PROTOCOL = "protocol error"  # it did not speak as agreed
    FORFEIT = "forfeit"  # it is not asked any more


class BotFault(BotError):
    """A decision that a bot did not make: the seat, the kind of ending, and a sentence."""

    def __init__(self, kind: Ending, seat: int, text: str) -> None:
        super().__init__(text)
        self.kind, self.seat = kind, seat


class Ended(Exception):
    """What a bot's process did instead of answering."""

    def __init__(self, kind: Ending, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


@dataclass(frozen=True)
class Limits:
    """What a bot may use. Times are seconds.

    By default they are of the bot's own processor time, whatever else the machine does: a busy machine costs no bot a
    decision. A bot that sleeps uses none; it gets `wall` times the limit by the clock on the wall, and is then stopped
    (a stall). With `clock="wall"` only the clock on the wall counts: an answer that takes longer than the limit is a
    fault, whatever the bot, or the machine, was doing meanwhile.

    >>> Limits(decision=0).verify()
    Traceback (most recent call last):
    ...
    pitboss.core.errors.PitbossError: a limit must be above 0, and decision is 0
    """

    decision: float = 0.5  # for one decision
    start: float = 5.0  # to be imported, and to get ready for a game; of processor time, always
    bank: float | None = None  # for a whole game: what decisions may take beyond their limit
    wall: float = 4.0  # how many times its limit a bot that does nothing may take by the clock on the wall
    memory: int = 1 << 30  # bytes
    output: int = 4000  # characters that are kept of what a bot prints in one decision
    clock: str = "processor"  # what a decision's time is taken by: "processor" or "wall"
    allow: tuple[str, ...] = ()  # packages that bots may import besides NumPy; and "threads"

    def verify(self) -> None:
        """Refuse limits under which nobody could play."""
        for name in ("decision", "start", "wall", "memory"):
            if not getattr(self, name) > 0:
                raise PitbossError(f"a limit must be above 0, and {name} is {getattr(self, name)}")
        if self.clock not in CLOCKS:
            raise PitbossError(unknown("clock", self.clock, CLOCKS))
        for name in self.packages:
            if name in sys.stdlib_module_names:
                raise PitbossError(f"{name} is part of Python, and need not be allowed")
            if package_called(name) is None:
                raise PitbossError(
                    f"{name!r} cannot be allowed: no package of that name is installed here; "
                    f"install it beside pitboss first: {install(name)}"
                )

    @property
    def packages(self) -> tuple[str, ...]:
        """What bots may import besides Python's own, pitboss and NumPy."""
        return tuple(name for name in self.allow if name != THREADS)

    @property
    def threads(self) -> bool:
        """Whether bots may have threads."""
        return THREADS in self.allow

    @property
    def exceptions(self) -> str:
        """What bots may do with these limits that they may not elsewhere, or the reverse, in words; often nothing."""
        parts = ["time is taken by the clock on the wall"] if self.clock == "wall" else []
        parts += [f"bots may import {', '.join(self.packages)}"] if self.packages else []
        parts += ["bots may have threads"] if self.threads else []
        return "; ".join(parts)

    @classmethod
    def from_dict(cls, data: dict[str, object]) -> Limits:
        """What `dataclasses.asdict` wrote down, perhaps as JSON, perhaps before there were all of these."""
        known = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        return cls(**known)  # type: ignore[arg-type]
