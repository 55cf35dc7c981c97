"""`pitboss play --live`: a person types the cards that fall at a real table, and can take entries back.

Everything typed is kept. To take something back is to play the game again without it: bots make the same moves, because
their luck comes from the same seed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.cli.screen import Screen
    from pitboss.core.game import Position

LIVE_HELP = (
    "Type each card as it falls, several with spaces between them; undo takes back the last entry, undo 3 three."
)


class Quit(BaseException):
    """The person left. No error of a bot, so not an Exception."""


class TakenBack(BaseException):
    """The person took entries back: the game begins again, and comes to where they were."""

    def __init__(self, table: TypedTable, entries: str) -> None:
        super().__init__(entries)
        self.table = table


def ask(out: Screen, question: str) -> str:
    """What the person answers."""
    try:
        answer = str(out.input(f"{question} ")).strip()
    except EOFError:
        raise Quit from None
    if answer.lower() in ("quit", "exit", "q"):
        raise Quit
    return answer


class TypedTable:
    """A dealer who asks which card fell, until the answer is a card that can be there."""

    def __init__(self, out: Screen, labels: list[str]) -> None:
        self._out, self._labels = out, labels
        self._entries: list[tuple[int, str]] = []  # cards and moves, and how they were written
        self._again = 0  # entries that have been made again since the game began anew
        self._waiting: list[str] = []  # cards of the same line

    @property
    def replaying(self) -> bool:
        """Whether the next card or move is one that was typed before."""
        return self._again < len(self._entries)

    def next(self) -> int:
        """The next of these."""
        self._again += 1
        return self._entries[self._again - 1][0]

    def keep(self, move: int, text: str) -> None:
        """A card or a move was typed."""
        self._entries.append((move, text))
        self._again += 1

    def rewind(self) -> None:
        """The game starts again."""
        self._again = 0
        self._waiting = []

    def is_undo(self, line: str) -> bool:
        """Whether somebody wants to take something back; if there is something, that is done."""
        found = re.fullmatch(r"u(?:ndo)?(?:\s+(\d+))?", line.lower())
        if not found:
            return False
        times = int(found[1] or 1)
        if not 1 <= times <= len(self._entries):
            there = f"only {len(self._entries)}" if self._entries else "nothing"
            self._out.print(f"There is {there} to undo.", style="red")
            return True
        gone = self._entries[-times:]
        del self._entries[-times:]
        raise TakenBack(self, " ".join(text for _, text in gone))

    def follow(self, position: Position) -> None:
        """Somebody decides before the next card: what was typed ahead of that does not count."""
        if self._waiting and position.to_act >= 0:
            name = self._labels[position.to_act]
            self._out.print(f"[yellow]Not used: {' '.join(self._waiting)}[/], because {name} decides first.")
            self._waiting = []

    def card(self, position: Position) -> int:
        """The card that fell."""
        from pitboss.core.errors import PitbossError

        if self.replaying:
            return self.next()
        game = position.game
        one = game.deals[0]
        who = position.taker
        whose = f"{self._labels[who]}: which" if who >= 0 else "Which"
        while True:
            if not self._waiting:
                line = ask(self._out, f"[bold]{whose} {one} fell?[/]")
                if self.is_undo(line):
                    continue
                if line.lower() in ("help", "?"):
                    self._out.print(LIVE_HELP)
                    continue
                self._waiting = line.split()
                continue
            word = self._waiting.pop(0)
            try:
                card = game.parse_card(word)
                if card not in position.legal:
                    raise PitbossError(f"no {game.format_card(card)} is left")
            except PitbossError as problem:
                self._waiting = []
                self._out.print(f"{problem}; help says what you can type", style="red", markup=False)
                continue
            self.keep(card, game.format_card(card))
            return card
