"""What a bot's process needs of Show."""

from __future__ import annotations

from typing import Any

from pitboss.show import moves
from pitboss.show.events import Event
from pitboss.show.rules import Rules
from pitboss.show.view import View
from pitboss.table.side import Side


class ShowSide(Side):
    """Show as its bots see it."""

    name = "show"
    rules_class = Rules
    event_class = Event
    rules: Rules

    def view(self, raw: bytes, seat: int) -> View:
        return View(self, raw, seat)

    def format_move(self, move: int) -> str:
        return moves.format_move(move)

    def parse_move(self, text: str) -> int:
        return moves.parse_move(text)

    def python_bot(self) -> type[Any]:
        from pitboss.show.bot import ShowBot

        return ShowBot
