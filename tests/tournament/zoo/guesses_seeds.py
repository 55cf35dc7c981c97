"""Looks for a seed that explains the cards it saw; if it finds one, it knows every card to come."""

import warnings

import numba  # noqa: F401  # which the dealer needs

from pitboss import load
from pitboss.core.dealer import Keyed
from pitboss.core.keys import Key
from pitboss.games.flip7 import HIT, STAY, Flip7Bot

warnings.simplefilter("ignore")  # its arithmetic wraps around, and should
SEEDS = 50
ENOUGH = 5  # cards, to be sure


class GuessesSeeds(Flip7Bot):
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.seat, self.asked, self.cards = seat, None, 0
        self.game = load(f"flip7:{rules}")
        self.dealers = [Keyed(Key.from_seed(seed), 0) for seed in range(SEEDS)]

    def saw(self, event):
        """Keep the seeds that deal what was dealt."""
        if event.kind == "dealt" and event.seat == self.seat and self.asked is not None:
            self.dealers = [dealer for dealer in self.dealers if dealer.card(self.asked) == event.card]
            self.asked, self.cards = None, self.cards + 1

    def hit_or_stay(self, view):
        self.asked = self.game.imagine(view, 0)
        self.asked.apply("hit")
        if self.cards >= ENOUGH:
            print("found the seed" if self.dealers else "no seed explains it")
            if self.dealers and self.dealers[0].card(self.asked) in view.numbers:
                self.asked = None
                return STAY
        return HIT if view.number_count < 7 else STAY
