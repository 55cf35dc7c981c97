"""Errors are sentences a person can act on; the command line prints them and exits with code 2.

An argument is named in backticks, as a caller in Python writes it: `seats=2`. The command line says --seats 2 instead.
"""

from __future__ import annotations

from collections.abc import Iterable


class PitbossError(ValueError):
    """Something the user gave cannot be used; the message says what, and what would do."""


class SpecError(PitbossError):
    """A game, preset, switch or number of seats that does not exist."""


class BotError(PitbossError):
    """A bot that cannot be found, loaded, or that answered nonsense."""


class NotationError(PitbossError):
    """Text that is not a card, a hand, a move or a position."""


class IllegalMove(PitbossError):
    """A move that the rules do not offer now."""


class RecordError(PitbossError):
    """A record that cannot be read, or does not replay."""


def unknown(kind: str, given: str, choices: Iterable[str]) -> str:
    """The sentence for a name that is not among the choices.

    >>> unknown("preset", "offical", ["official", "solo"])
    "unknown preset 'offical' (did you mean 'official'?); the choices are: official, solo"
    """
    names = list(choices)
    return f"unknown {kind} {given!r}{near(given, names)}; the choices are: {', '.join(names)}"


def near(given: str, choices: Iterable[str]) -> str:
    """Which of the choices was probably meant, in brackets; nothing if none is like it.

    >>> near("hti", ["hit", "stay"]), near("banana", ["hit", "stay"])
    (" (did you mean 'hit'?)", '')
    """
    from difflib import get_close_matches

    found = get_close_matches(given, list(choices), n=1)
    return f" (did you mean {found[0]!r}?)" if found else ""
