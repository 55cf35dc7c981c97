"""A bot that weighs what the next card wins against what it risks.

    pitboss simulate flip7:tournament --bots examples/bots/gambler.py:Gambler,stay-25,ev --games 1000

It looks one card ahead only, as the built-in `ev` does, but counts in Python, where every step can
be read. `hunger` above 1 makes it bolder: `gambler.py:Gambler(hunger=1.3)`.
"""

from pitboss.flip7 import HIT, STAY, Flip7Bot


class Gambler(Flip7Bot):
    """Hits while the average gain of one more card, times `hunger`, is above the average loss."""

    def __init__(self, hunger: float = 1.0) -> None:
        self.hunger = hunger

    def hit_or_stay(self, view):
        loss = view.odds.bust * view.points
        gain = sum(chance * view.gains[card] for card, chance in view.odds.kinds.items())
        return HIT if self.hunger * gain > loss else STAY
