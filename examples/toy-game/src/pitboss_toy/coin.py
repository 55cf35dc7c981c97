"""A bot in Python, found by its own entry point: any package could add one like it to any game."""

from __future__ import annotations

from pitboss.core.bot import BotEntry, Wanted
from pitboss_toy.bot import ToyBot
from pitboss_toy.step import BANK, DRAW
from pitboss_toy.view import View


class Coin(ToyBot):
    """Tosses a coin."""

    def draw_or_bank(self, view: View) -> int:
        return DRAW if self.rng.random() < 0.5 else BANK


def _coin(wanted: Wanted) -> type[Coin]:
    wanted.verify_plain()
    return Coin


ENTRY = BotEntry("coin", "tosses a coin", _coin)
