"""What a bot's process needs of Flip 7: With a Vengeance."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from pitboss.core.compile import light
from pitboss.core.side import RuleBook
from pitboss.core.types import RulesRecord
from pitboss.games.vengeance.bot import VengeanceBot
from pitboss.games.vengeance.cards import NAME
from pitboss.games.vengeance.events import VengeanceEvent
from pitboss.games.vengeance.moves import VengeanceMove
from pitboss.games.vengeance.rules import PRESET_ABOUT, VengeanceRules
from pitboss.games.vengeance.state import LAYOUT, MOVES
from pitboss.games.vengeance.step import legal
from pitboss.games.vengeance.view import VengeanceView
from pitboss.games.vengeance.words import WORDING


class VengeanceSide(RuleBook):
    """Flip 7: With a Vengeance as its bots see it."""

    name = "vengeance"
    title = "Flip 7: With a Vengeance"
    about = "push your luck, and nobody is safe: swap, steal and discard cards of other players"
    preset_about: ClassVar[dict[str, str]] = PRESET_ABOUT
    rules_class = VengeanceRules
    event_class = VengeanceEvent
    wording = WORDING
    view_class = VengeanceView
    bot_class = VengeanceBot
    rules: VengeanceRules

    @cached_property
    def rules_record(self) -> RulesRecord:
        """The rules as functions marked `@compiled` take them now."""
        return self.rules.numbers() if light() else self.rules.record()[0]

    def legal_bits(self, raw: bytes) -> int:
        """The legal moves of whoever is to act in the state with these bytes, as bits."""
        s, r = LAYOUT.record(raw), self.rules_record
        return sum(1 << move for move in range(MOVES) if legal(s, r, move))

    def view(self, raw: bytes, seat: int) -> VengeanceView:
        return VengeanceView(self, raw, seat)

    def format_move(self, move: int) -> str:
        return str(VengeanceMove(move))

    def parse_move(self, text: str) -> VengeanceMove:
        return VengeanceMove(text)

    def deck(self) -> list[tuple[str, int]]:
        return [(NAME[kind], n) for kind, n in enumerate(self.rules.deck) if n]
