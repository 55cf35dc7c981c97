"""What a bot's process needs of Flip 7."""

from __future__ import annotations

from typing import Any, ClassVar

from pitboss.core.compile import light
from pitboss.core.side import RuleBook
from pitboss.core.types import RulesRecord
from pitboss.games.flip7 import cards
from pitboss.games.flip7.events import Flip7Event
from pitboss.games.flip7.moves import Move
from pitboss.games.flip7.rules import PRESET_ABOUT, Flip7Rules
from pitboss.games.flip7.state import LAYOUT
from pitboss.games.flip7.step import legal
from pitboss.games.flip7.view import Flip7View
from pitboss.games.flip7.words import WORDING


class Flip7Side(RuleBook):
    """Flip 7 as its bots see it."""

    name = "flip7"
    about = "push your luck: draw different numbers, stop before a pair"
    preset_about: ClassVar[dict[str, str]] = PRESET_ABOUT
    rules_class = Flip7Rules
    event_class = Flip7Event
    wording = WORDING
    rules: Flip7Rules

    def legal_bits(self, raw: bytes) -> int:
        """The legal moves of whoever is to act in the state with these bytes, as bits."""
        rules: RulesRecord = self.rules.numbers() if light() else self.rules.record()[0]
        return int(legal(LAYOUT.record(raw), rules))

    def view(self, raw: bytes, seat: int) -> Flip7View:
        return Flip7View(self, raw, seat)

    def view_with(self, raw: bytes, seat: int, legal: int) -> Flip7View:
        return Flip7View(self, raw, seat, legal)

    def format_move(self, move: int) -> str:
        return str(Move(move))

    def parse_move(self, text: str) -> Move:
        return Move(text)  # type: ignore[arg-type]  # an enum reads texts too

    def deck(self) -> list[tuple[str, int]]:
        return [(cards.NAME[kind], n) for kind, n in enumerate(self.rules.deck) if n]

    def python_bot(self) -> type[Any]:
        from pitboss.games.flip7.bot import Flip7Bot

        return Flip7Bot
