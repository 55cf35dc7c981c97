"""What bots did wrong, in words: how often, what, and where in their own file. It comes before every other result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pitboss.core.errors import BotError
from pitboss.core.text import counted, listed
from pitboss.sandbox.limits import Ending
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchRow

MOST_TOLD = 5  # bots whose faults are told one by one


def said(kind: str, text: str, path: str = "") -> str:
    """Why the referee ruled a fault, without whose and of what kind, and without the folder that the file lies in.

    >>> said("exception", "the bot Kim at seat 0: exception: /home/me/kim.py does not import", "/home/me/kim.py")
    'kim.py does not import'
    """
    why = text.partition(f": {kind}: ")[2] or text
    return why.replace(f"{Path(path).parent}/", "") if path else why


@dataclass(frozen=True)
class FaultsOfBot:
    """All faults of one bot."""

    name: str
    kinds: dict[str, int] = field(default_factory=dict)  # those that it was not asked for any more are not counted
    first: str = ""  # why, and in which line of its file
    forfeits: int = 0
    matches: int = 0  # that it played in

    @property
    def count(self) -> int:
        """How many."""
        return sum(self.kinds.values())

    def sentence(self) -> str:
        """In words.

        >>> FaultsOfBot("Kim", {"exception": 3}, "it raised ValueError: no idea (line 7 of kim.py)", 1, 4).sentence()
        'Kim was at fault 3 times (exception) and forfeited 1 of 4 matches; the first time it raised ValueError: no \
idea (line 7 of kim.py)'
        """
        kinds = ", ".join(kind if len(self.kinds) == 1 else f"{n:,} {kind}" for kind, n in self.kinds.items())
        lost = (
            f" and forfeited {self.forfeits:,} of {counted(self.matches, 'match', 'matches')}" if self.forfeits else ""
        )
        times = "once" if self.count == 1 else f"{self.count:,} times"
        why = f"; the first time {self.first}" if self.first else ""
        return f"{self.name} was at fault {times} ({kinds}){lost}{why}"


def in_words(faulty: Iterable[FaultsOfBot]) -> list[str]:
    """Sentences about the bots that were at fault; of many, who lost everything by it, and the worst of the others."""
    some = sorted((each for each in faulty if each.count), key=lambda each: (-each.forfeits, -each.count, each.name))
    if len(some) <= MOST_TOLD:
        return [each.sentence() for each in some]
    gone = [each.name for each in some if each.forfeits and each.forfeits == each.matches]
    out = [f"{len(some)} bots were at fault"]
    if gone:
        out[0] += f", and {counted(len(gone), 'bot')} forfeited every match: {listed(gone)}"
    return [*out, *(each.sentence() for each in some[:MOST_TOLD])]


class FaultTally:
    """Faults while matches are played, by the numbers of the bots."""

    def __init__(self, bots: Sequence[Contestant]) -> None:
        self.bots, self._first = bots, dict[int, str]()
        self._kinds = [Counter[str]() for _ in bots]
        self._decisions = [0] * len(bots)

    def add(self, seated: Sequence[int], match: MatchRow) -> None:
        """One match, with these bots at its seats."""
        for game in match.games:
            for bot, seat in zip(seated, game.seats, strict=True):
                self._decisions[bot] += seat.decisions
            for fault in game.faults:
                bot = seated[fault.seat]
                if fault.kind != Ending.FORFEIT:
                    self._kinds[bot][fault.kind] += 1
                    self._first.setdefault(bot, said(fault.kind, fault.text, self.bots[bot].path))

    def verify(self) -> None:
        """Stop if a bot has never answered: its losses say nothing about how it plays."""
        for number, bot in enumerate(self.bots):
            if self._kinds[number] and not self._decisions[number] and not bot.inside:
                raise BotError(f"{bot.name} cannot play: {self._first[number]} (`pitboss check-bot` says more)")

    def result(self) -> tuple[FaultsOfBot, ...]:
        """What was found of each bot that was at fault."""
        each = zip(self.bots, self._kinds, strict=True)
        return tuple(
            FaultsOfBot(bot.name, dict(sorted(kinds.items())), self._first[n])
            for n, (bot, kinds) in enumerate(each)
            if kinds
        )
