"""What a bot's process needs of Show."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from pitboss.core.side import RuleBook
from pitboss.games.show import cards, moves
from pitboss.games.show.events import ShowEvent
from pitboss.games.show.rules import PRESET_ABOUT, ShowRules
from pitboss.games.show.view import ShowView
from pitboss.games.show.words import WORDING


class ShowSide(RuleBook):
    """Show as its bots see it."""

    name = "show"
    about = "two players, hidden cards, the lower total wins"
    preset_about: ClassVar[dict[str, str]] = PRESET_ABOUT
    rules_class = ShowRules
    event_class = ShowEvent
    wording = WORDING
    rules: ShowRules

    def view(self, raw: bytes, seat: int) -> ShowView:
        return ShowView(self, raw, seat)

    def format_move(self, move: int) -> str:
        return moves.format_move(move)

    def parse_move(self, text: str) -> int:
        return moves.parse_move(text)

    def deck(self) -> list[tuple[str, int]]:
        return [(cards.TEXT[card], n) for card, n in sorted(Counter(self.rules.cards).items())]

    def python_bot(self) -> type[Any]:
        from pitboss.games.show.bot import ShowBot

        return ShowBot
