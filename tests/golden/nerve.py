"""A Python bot of Flip 7 with a memory and luck of its own, as its author wrote it for the last version."""

from pitboss.flip7 import HIT, STAY, Flip7Bot


class Nerve(Flip7Bot):
    """Hits while the risk is small; grows bolder with every bust it sees, and sometimes on a whim."""

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.busts = 0

    def saw(self, event):
        self.busts += event.kind == "busts"

    def hit_or_stay(self, view):
        nerve = 0.2 + 0.01 * min(self.busts, 10) + 0.05 * self.rng.random()
        return HIT if view.odds.bust < nerve else STAY
