"""Bots in Python: the class to inherit from."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.core.bot import Bot
from pitboss.core.errors import IllegalMove
from pitboss.games.vengeance.cards import DISCARD, MINUS_2, NAME, STEAL, SWAP
from pitboss.games.vengeance.moves import VengeanceMove, card_of, target
from pitboss.games.vengeance.state import clashes, number_on
from pitboss.games.vengeance.view import VengeanceDecision, VengeanceView

Card = tuple[int, int]  # a card on the table: the seat that has it, and its kind


class VengeanceBot(Bot):
    """Inherit from this and write `hit_or_stay`; the other decisions have sensible defaults.

    >>> class Careful(VengeanceBot):
    ...     def hit_or_stay(self, view):
    ...         return "hit" if view.bust_odds < 0.2 else "stay"
    """

    def hit_or_stay(self, view: VengeanceView) -> VengeanceMove | str:
        """HIT or STAY ("hit" and "stay" will do). Who holds The Zero is not asked: it must hit."""
        raise NotImplementedError(f"{type(self).__name__} must define hit_or_stay(self, view)")

    def choose_target(self, view: VengeanceView, card: int, targets: Sequence[int]) -> int:
        """The seat that gets a modifier or on which an action is played: one of `targets`.

        The default plays Swap, Steal and Discard on itself, so that it makes the choice, and everything else on the
        opponent who has the most, in total and on the table.
        """
        if card >= SWAP and view.seat in targets:
            return view.seat
        others = [view.seats[seat] for seat in targets if seat != view.seat]
        return max(others, key=lambda seat: (seat.total + seat.points, -seat.seat)).seat

    def choose_card(self, view: VengeanceView, action: int, cards: Sequence[Card]) -> Card:
        """The card that a Discard, a Steal or a Swap takes, the first of two for a Swap: one of `cards`.

        The default discards its worst modifier or the leader's best number, steals the highest number that does not
        bust it, and swaps a modifier or its lowest number.
        """
        own = [card for card in cards if card[0] == view.seat]
        burdens = [card for card in own if card[1] >= MINUS_2]
        if action == DISCARD and burdens:
            return burdens[-1]
        if action == SWAP and own:
            return burdens[-1] if burdens else min(own, key=lambda card: number_on(card[1]))
        return self._best_number(view, cards, safe=action == STEAL)

    def choose_second(self, view: VengeanceView, first: Card, cards: Sequence[Card]) -> Card:
        """The card that changes places with the first one of a Swap: one of `cards`, all of other players.

        The default takes the highest number that does not bust it.
        """
        return self._best_number(view, cards, safe=True)

    def choose_prize(self, view: VengeanceView, seats: Sequence[int]) -> int:
        """After your Flip 7, where the rules ask: your own seat for 15 points, or whoever is to lose 15."""
        return view.seat

    def _best_number(self, view: VengeanceView, cards: Sequence[Card], safe: bool) -> Card:
        """The highest number of an opponent; if `safe`, one that does not bust this seat, as long as there is one."""
        line = sum(1 << kind for kind in set(view.cards))
        good = [card for card in cards if card[0] != view.seat and card[1] < MINUS_2]
        if safe:
            good = [card for card in good if card[1] != 0 and not clashes(line, 0, card[1])] or good
        return max(good or cards, key=lambda card: (number_on(card[1]) if card[1] < MINUS_2 else -1, -card[0]))

    def decide(self, view: VengeanceView) -> VengeanceMove | str:
        """Hand each decision to its method."""
        what = view.decision
        if what is VengeanceDecision.HIT_OR_STAY:
            return self.hit_or_stay(view)
        if what in (VengeanceDecision.TARGET, VengeanceDecision.PRIZE):
            return self._seat(view, what)
        cards = [(move.seat, move.card) for move in view.legal]
        if what is VengeanceDecision.PICK:
            method, card = "choose_card", self.choose_card(view, view.card, cards)
        else:
            assert view.picked is not None
            method, card = "choose_second", self.choose_second(view, view.picked, cards)
        if card not in cards:
            raise IllegalMove(f"{method} returned {card!r}; the {NAME[view.card]} can take (seat, kind) of {cards}")
        return card_of(*card)

    def _seat(self, view: VengeanceView, what: VengeanceDecision) -> VengeanceMove:
        seats = [move.seat for move in view.legal]
        if what is VengeanceDecision.PRIZE:
            method, seat = "choose_prize", self.choose_prize(view, seats)
        else:
            method, seat = "choose_target", self.choose_target(view, view.card, seats)
        if seat not in seats:
            raise IllegalMove(f"{method} returned {seat!r}; choose one of {seats}")
        return target(seat)
