"""What a bot's process needs of Show."""

from __future__ import annotations

from typing import Any

from pitboss.core.side import Side
from pitboss.games.show import moves
from pitboss.games.show.events import ShowEvent
from pitboss.games.show.rules import ShowRules
from pitboss.games.show.view import ShowView


class ShowSide(Side):
    """Show as its bots see it."""

    name = "show"
    rules_class = ShowRules
    event_class = ShowEvent
    rules: ShowRules

    def view(self, raw: bytes, seat: int) -> ShowView:
        return ShowView(self, raw, seat)

    def format_move(self, move: int) -> str:
        return moves.format_move(move)

    def parse_move(self, text: str) -> int:
        return moves.parse_move(text)

    def python_bot(self) -> type[Any]:
        from pitboss.games.show.bot import ShowBot

        return ShowBot
