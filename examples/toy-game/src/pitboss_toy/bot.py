"""The class that bots written in Python inherit from."""

from __future__ import annotations

import random

from pitboss.core.bot import Bot
from pitboss_toy.rules import Rules
from pitboss_toy.view import View


class ToyBot(Bot):
    """Inherit from this and write `draw_or_bank`.

    >>> class Careful(ToyBot):
    ...     def draw_or_bank(self, view):
    ...         return "draw" if view.danger < 0.2 else "bank"
    """

    rng: random.Random

    def start(self, seat: int, rules: Rules, rng: random.Random) -> None:
        """The game begins. If you override this, call it, or keep `rng` yourself."""
        self.rng = rng

    def draw_or_bank(self, view: View) -> int | str:
        """DRAW or BANK ("draw" and "bank" will do)."""
        raise NotImplementedError(f"{type(self).__name__} must define draw_or_bank(self, view)")

    def decide(self, view: View) -> int | str:
        """There is one kind of decision."""
        return self.draw_or_bank(view)
