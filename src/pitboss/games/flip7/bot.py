"""Bots in Python: the class to inherit from, and four readable ones.

The four play exactly as the compiled bots of the same idea; a test compares them game by game.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.core.bot import Bot
from pitboss.core.errors import IllegalMove
from pitboss.games.flip7.cards import NAME, SECOND_CHANCE
from pitboss.games.flip7.moves import HIT, NO, STAY, YES, Move, target
from pitboss.games.flip7.view import Flip7Decision, Flip7View

_HIT_OR_STAY = Flip7Decision.HIT_OR_STAY


class Flip7Bot(Bot):
    """Inherit from this and write `hit_or_stay`; the other decisions have sensible defaults.

    >>> class Careful(Flip7Bot):
    ...     def hit_or_stay(self, view):
    ...         return HIT if view.odds.bust < 0.2 else STAY
    """

    def hit_or_stay(self, view: Flip7View) -> Move | str:
        """HIT or STAY ("hit" and "stay" will do)."""
        raise NotImplementedError(f"{type(self).__name__} must define hit_or_stay(self, view)")

    def use_second_chance(self, view: Flip7View, card: int) -> bool:
        """Whether to use your Second Chance against this duplicate, where the rules ask."""
        return True

    def choose_target(self, view: Flip7View, card: int, targets: Sequence[int]) -> int:
        """The seat that gets a Freeze, a Flip Three or a Second Chance: one of `targets`.

        The default keeps a Second Chance, or gives it to whoever is last, and puts the other cards
        on the opponent who has the most, in total and on the table.
        """
        if card == SECOND_CHANCE and view.seat in targets:
            return view.seat
        others = [view.seats[t] for t in targets if t != view.seat]
        if card == SECOND_CHANCE:
            return min(others, key=lambda s: s.total).seat
        return max(others, key=lambda s: s.total + s.points).seat

    def decide(self, view: Flip7View) -> Move | str:
        """Hand each decision to its method."""
        what = view.decision
        if what is _HIT_OR_STAY:
            return self.hit_or_stay(view)
        if what is Flip7Decision.SAVE:
            return YES if self.use_second_chance(view, view.card) else NO
        targets = [move.seat for move in view.legal]
        seat = self.choose_target(view, view.card, targets)
        if seat not in targets:
            raise IllegalMove(f"choose_target returned {seat!r}; the {NAME[view.card]} can go to {targets}")
        return target(seat)


class RandomTargets(Flip7Bot):
    """Chooses any legal target by luck, as built-in bots do that name no target rule."""

    def choose_target(self, view: Flip7View, card: int, targets: Sequence[int]) -> int:
        return self.rng.choice(targets)


class Flip7RandomBot(Flip7Bot):
    """Any legal move, all equally likely: `random`."""

    def decide(self, view: Flip7View) -> Move:
        return self.rng.choice(view.legal)


class ConservativeBot(RandomTargets):
    """Passes after two cards of any kind: `conservative`."""

    def hit_or_stay(self, view: Flip7View) -> Move:
        return HIT if len(view.cards) < 2 else STAY


class BustProbabilityBot(RandomTargets):
    """Stays when the next card busts with probability `limit` or more: `bust-P`."""

    def __init__(self, limit: float = 0.5) -> None:
        self.limit = limit

    def hit_or_stay(self, view: Flip7View) -> Move:
        return HIT if view.odds.bust < self.limit else STAY


class CardCountBot(RandomTargets):
    """Stays with `count` number cards: `cards-N`."""

    def __init__(self, count: int = 7) -> None:
        self.count = count

    def hit_or_stay(self, view: Flip7View) -> Move:
        return HIT if view.number_count < self.count else STAY
