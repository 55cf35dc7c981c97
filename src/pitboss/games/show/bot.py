"""Bots for Show in Python: a method for each decision, all with sensible defaults."""

from __future__ import annotations

from pitboss.core.bot import Bot
from pitboss.games.show.cards import KING, POINTS, QUEEN, TEN
from pitboss.games.show.state import UNKNOWN
from pitboss.games.show.view import ShowDecision, ShowView


class ShowBot(Bot):
    """Inherit from this and override what you want to play differently.

    >>> class Patient(ShowBot):
    ...     def call_show(self, view):
    ...         return view.expected_total <= 4
    """

    def peek(self, view: ShowView) -> int:
        """The slot to look at before the game."""
        return 0

    def keep(self, view: ShowView) -> bool:
        """Whether to keep the card you have drawn: the default keeps what improves your average."""
        return bool(POINTS[view.drawn] < max(map(view.expected, view.own)))

    def choose_slot(self, view: ShowView) -> int:
        """The slot of the card that goes."""
        return _highest(view, view.own)

    def use_power(self, view: ShowView) -> bool:
        """Whether to use the power of the card in the graveyard (`view.power` is its rank)."""
        if view.power == TEN:
            return UNKNOWN in view.own
        if view.power == QUEEN:
            return min(map(view.expected, view.other)) < max(map(view.expected, view.own))
        return view.power == KING or UNKNOWN in view.other

    def look_own(self, view: ShowView) -> int:
        """The slot of yours to look at."""
        return view.own.index(UNKNOWN) if UNKNOWN in view.own else 0

    def look_other(self, view: ShowView) -> int:
        """The slot of your opponent's to look at."""
        return view.other.index(UNKNOWN) if UNKNOWN in view.other else 0

    def offer(self, view: ShowView) -> int:
        """The slot of yours to exchange."""
        return _highest(view, view.own)

    def take(self, view: ShowView) -> int:
        """The slot of your opponent's to exchange it for."""
        return 1 - _highest(view, view.other)

    def swap(self, view: ShowView, mine: int, theirs: int) -> bool:
        """Whether to exchange the two cards that a king has shown you."""
        return bool(POINTS[theirs] < POINTS[mine])

    def call_show(self, view: ShowView) -> bool:
        """Whether to call Show now."""
        return view.expected_total <= 6

    def decide(self, view: ShowView) -> int:
        """Hand each decision to its method."""
        decision = view.decision
        if decision is ShowDecision.KEEP_OR_DISCARD:
            return 0 if self.keep(view) else 1
        if decision is ShowDecision.SWAP_OR_LEAVE:
            return int(self.swap(view, view.own[view.own_slot], view.other[view.other_slot]))
        return int(getattr(self, _METHODS[decision])(view))


_METHODS = {
    ShowDecision.PEEK_1: "peek",
    ShowDecision.PEEK_2: "peek",
    ShowDecision.WHICH_SLOT: "choose_slot",
    ShowDecision.USE_POWER: "use_power",
    ShowDecision.LOOK_OWN: "look_own",
    ShowDecision.LOOK_OTHER: "look_other",
    ShowDecision.SWAP_OWN: "offer",
    ShowDecision.SWAP_OTHER: "take",
    ShowDecision.CALL_1: "call_show",
    ShowDecision.CALL_2: "call_show",
}


def _highest(view: ShowView, cards: list[int]) -> int:
    """The slot with the highest points on average."""
    return 0 if view.expected(cards[0]) >= view.expected(cards[1]) else 1
