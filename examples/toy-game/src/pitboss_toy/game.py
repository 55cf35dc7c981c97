"""The game as pitboss sees it: its rules as switches, its bots, and what ties everything together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pitboss.core.bot import Bot, BotEntry
from pitboss.core.compile import compiled
from pitboss.core.game import Figure, Game
from pitboss.core.rules import RulesBase, switch
from pitboss.core.scene import Coming, Face
from pitboss.core.step import Step, see_all
from pitboss.core.view import View
from pitboss_toy import step as book
from pitboss_toy.step import BANK, COLUMNS, DRAW, HIGHEST, LAYOUT, MOVES, SEATS, SKULL, ToyEvent


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """One table's rules: a preset with some switches set, such as `race(skulls=3)`."""

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "race"
    seats: ClassVar[range] = range(2, SEATS + 1)

    target: int = switch(30, "the points that win", least=1, most=1000)
    skulls: int = switch(2, "how many skulls are in the bag", least=1, most=9)
    even: bool = switch(False, "a round is played to its end, so that all have the same number of turns")


Rules.presets.update(race=Rules(), fair=Rules(even=True))


class ToyBot(Bot):
    """Bots written in Python inherit from this and write `decide`: "draw" or "bank".

    >>> class Careful(ToyBot):
    ...     def decide(self, view):
    ...         return "draw" if view.pot < 8 else "bank"
    """


class Coin(ToyBot):
    """Tosses a coin."""

    def decide(self, view: View) -> int:
        return self.rng.choice([BANK, DRAW])


@compiled
def bank_bot(s: Any, r: Any, seat: int, params: Any, luck: Any) -> int:
    """Banks with N in the pot or more, or with enough to win."""
    enough = min(int(params[0]), int(r["target"]) - int(s["total"][seat]))
    return BANK if int(s["pot"]) >= enough else DRAW


@compiled
def ev_bot(s: Any, r: Any, seat: int, params: Any, luck: Any) -> int:
    """Draws while one more chip gains points on average, and banks with enough to win."""
    pot = int(s["pot"])
    if pot + int(s["total"][seat]) >= int(r["target"]):
        return BANK
    gain = 0
    for chip in range(1, HIGHEST + 1):
        gain += chip * int(s["left"][chip])
    return DRAW if gain > pot * int(s["left"][SKULL]) else BANK


# A bot that any package could add to any game: pyproject.toml names it as an entry point.
COIN = BotEntry.simple("coin", "tosses a coin", Coin)


class Toy(Game):
    """Draw chips, bank them before a skull takes them."""

    name = "toy"
    about = "push your luck: draw chips, bank them before a skull takes them"
    preset_about: ClassVar[dict[str, str]] = {
        "race": "whoever first has 30 points wins at once",
        "fair": "the round is finished, so that all have the same number of turns",
    }
    rules_class = Rules
    step = Step(book.start, book.legal, book.apply, book.where, see_all, book.tally)
    layout = LAYOUT
    event_class = ToyEvent
    bot_class = ToyBot
    deals = ("chip", "chips")
    card_names = ("skull", *map(str, range(1, HIGHEST + 1)))
    move_names = MOVES
    columns = COLUMNS
    score = "total"
    length = "rounds"
    figures = (
        Figure("rounds_per_game", "rounds", "rounds"),
        Figure("mean_total", "total", "total"),
        Figure("bust_rate", "busts", "busts", per="rounds", percent=True),
    )

    def question(self, view: View) -> str:
        return f"Draw another chip, or bank {view.pot}?"

    def next_cards(self, view: View) -> list[Coming]:
        faces = [Face(name, "number" if chip else "action", name) for chip, name in enumerate(self.card_names)]
        total = sum(view.left)
        return [Coming(faces[c], n / total, "" if c else "bust") for c, n in enumerate(view.left) if n]

    def words(self) -> list[str]:
        rules = self.rules
        skulls = "one skull" if rules.skulls == 1 else f"{rules.skulls} skulls"
        end = "the round is finished; then the most points win" if rules.even else "the game is over and won"
        return [
            f"The bag holds two chips of each number from 1 to {HIGHEST}, and {skulls}.",
            "In your turn draw a chip. A number is added to your pot; then draw another, or bank the pot.",
            "A skull takes the pot and ends your turn. Then all chips go back into the bag.",
            f"When somebody has {rules.target} points, {end}.",
        ]

    def bots(self) -> dict[str, BotEntry]:
        return {
            "bank": BotEntry.simple("bank-N", "banks with N in the pot", bank_bot, least=1, most=100),
            "ev": BotEntry.simple("ev", "draws while one more chip gains points on average", ev_bot),
        }

    def default_bots(self) -> list[str]:
        return ["bank-5", "bank-10", "ev"]
