"""A bot that watches the others and remembers when they stop.

    pitboss simulate flip7:tournament --bots examples/bots/watcher.py:Watcher,stay-25,ev --games 200

`saw` is called for everything that happens at the table. A simulation goes move by move for a bot
that has it, which takes longer; leave it out of bots that do not need it.
"""

from collections import defaultdict

from pitboss.flip7 import FREEZE, HIT, SECOND_CHANCE, STAY, Flip7Bot

USUAL_STOP = 25  # what is expected of a player who has never stayed yet


class Watcher(Flip7Bot):
    """Freezes whoever has the most still to win, and takes risks only when an opponent is about to win."""

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.target = rules.target
        self.stops = defaultdict(list)  # seat -> the points it stayed with, round by round

    def saw(self, event):
        if event.kind == "stays":
            self.stops[event.seat].append(event.points)

    def usual_stop(self, seat: int) -> float:
        """With how many points a player stays, on average."""
        seen = self.stops[seat]
        return sum(seen) / len(seen) if seen else USUAL_STOP

    def hit_or_stay(self, view):
        rivals = max((other.total + self.expected(other) for other in view.others), default=0)
        if rivals >= self.target and view.total + view.points <= rivals:
            return HIT  # staying would lose the game
        return HIT if view.odds.bust < 0.25 else STAY

    def expected(self, other) -> float:
        """What a player will likely have at the end of the round, if nothing goes wrong for it."""
        return max(other.points, self.usual_stop(other.seat)) if other.active else other.points

    def choose_target(self, view, card, targets):
        if card == SECOND_CHANCE:
            return super().choose_target(view, card, targets)
        others = [view.seats[seat] for seat in targets if seat != view.seat]
        if card == FREEZE:
            return max(others, key=lambda other: self.usual_stop(other.seat) - other.points).seat
        return max(others, key=lambda other: other.number_count).seat  # three cards: who busts most easily
