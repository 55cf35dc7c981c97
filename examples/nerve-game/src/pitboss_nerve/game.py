"""The game as pitboss sees it: its rules as switches, its bots, and what ties everything together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pitboss.core.bot import RANDOM, Bot, BotEntry
from pitboss.core.compile import compiled
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.rules import RulesBase, switch
from pitboss.core.step import Step
from pitboss.core.view import View
from pitboss_nerve import step as book
from pitboss_nerve.step import COLUMNS, HIGHEST, HOLD, LAYOUT, MOVES, SEATS, SECRETS, SWAP, NerveEvent


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """One table's rules: a preset with some switches set, such as `full(swaps=2)`."""

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "full"
    seats: ClassVar[range] = range(2, SEATS + 1)

    highest: int = switch(9, "the highest number in the deck", least=4, most=HIGHEST)
    copies: int = switch(2, "how many cards there are of each number", least=1, most=4)
    swaps: int = switch(1, "how often a player may swap its card", least=1, most=3)


Rules.presets.update(full=Rules(), tiny=Rules(highest=4, copies=1))


class NerveBot(Bot):
    """Bots written in Python inherit from this and write `decide`: "hold" or "swap".

    >>> class Careful(NerveBot):
    ...     def decide(self, view):
    ...         return "hold" if view.hand[view.seat] > 4 else "swap"
    """


@compiled
def hold_bot(v: Any, r: Any, seat: int, params: Any, luck: Any) -> int:
    """Holds a card of N or more."""
    return HOLD if int(v["hand"][seat]) + 1 >= int(params[0]) else SWAP


class Nerve(Game):
    """One hidden card each: hold it, or swap it for one that may be worse."""

    name = "nerve"
    about = "one hidden card each: hold it, or swap it for one that may be worse"
    preset_about: ClassVar[dict[str, str]] = {
        "full": "18 cards, one swap each",
        "tiny": "four cards, so that it can be solved",
    }
    rules_class = Rules
    step = Step(book.start, book.legal, book.apply, book.where, SECRETS.observe, book.tally)
    layout = LAYOUT
    secrets = SECRETS
    event_class = NerveEvent
    bot_class = NerveBot
    card_names = tuple(map(str, range(1, HIGHEST + 1)))
    card_fields = ("hand", "thrown")
    move_names = MOVES
    columns = COLUMNS
    score = "card"
    figures = (Figure("mean_card", "card", "card"), Figure("swap_rate", "swaps", "swaps"))

    def question(self, view: View) -> str:
        return f"Hold your {view.hand[view.seat] + 1}, or swap it?"

    def odds(self, view: View) -> list[str]:
        better = sum(view.left[view.hand[view.seat] + 1 :]) / max(sum(view.left), 1)
        return [f"A card that you have not seen beats yours with probability {better:.1%}"]

    def words(self) -> list[str]:
        rules = self.rules
        copies = "one card" if rules.copies == 1 else f"{rules.copies} cards"
        often = "once" if rules.swaps == 1 else f"up to {rules.swaps} times"
        return [
            f"The deck has {copies} of each number from 1 to {rules.highest}.",
            "Everybody gets a card and looks at it alone.",
            f"One after the other may throw the card away, face up, and get another instead, {often}.",
            "When all hold, all show, and the highest card wins. Equal ones share the win.",
        ]

    def bots(self) -> dict[str, BotEntry]:
        return {
            "hold": BotEntry.simple("hold-N", "holds a card of N or more", hold_bot, least=1, most=HIGHEST),
            "random": RANDOM,
        }

    def default_bots(self) -> list[str]:
        return ["hold-5", "hold-6", "random"]
