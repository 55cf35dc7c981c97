"""What a seat may know of a game of Show (H19): nothing in here comes from a card it has not seen."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from operator import mul
from typing import TYPE_CHECKING, Any

from pitboss.core.layout import I8, Layout
from pitboss.core.types import Data
from pitboss.former import AsDict
from pitboss.games.show import state
from pitboss.games.show.cards import PLAIN_POINTS, RANKS, TEXT
from pitboss.games.show.state import PLAYERS, UNKNOWN
from pitboss.games.show.words import ENGLISH

if TYPE_CHECKING:
    from pitboss.games.show.rules import ShowRules
    from pitboss.games.show.side import ShowSide


NOTE = 5  # numbers about a player's latest turn (`notes`)
NOTES = ("notes", I8, (PLAYERS, NOTE))
VIEW_LAYOUT = Layout(*state.VIEW_LAYOUT.fields, NOTES)


class ShowDecision(IntEnum):
    """The kinds of decision, by their codes."""

    DEAL = state.DEAL
    PEEK_1 = state.PEEK_1
    PEEK_2 = state.PEEK_2
    CALL_1 = state.CALL_1
    CALL_2 = state.CALL_2
    KEEP_OR_DISCARD = state.KEEP_OR_DISCARD
    WHICH_SLOT = state.WHICH_SLOT
    USE_POWER = state.USE_POWER
    LOOK_OWN = state.LOOK_OWN
    LOOK_OTHER = state.LOOK_OTHER
    SWAP_OWN = state.SWAP_OWN
    SWAP_OTHER = state.SWAP_OTHER
    SWAP_OR_LEAVE = state.SWAP_OR_LEAVE


class ShowView(AsDict):
    """One seat's view, a snapshot."""

    game: Any  # the game; in the process of a bot from a file, only its side

    def __init__(self, game: ShowSide, raw: bytes, seat: int) -> None:
        self.game, self.seat, self._raw = game, seat, raw
        self._fields = VIEW_LAYOUT.reader(raw)

    @property
    def raw(self) -> bytes:
        """The bytes of the record."""
        return self._raw

    @cached_property
    def record(self) -> Any:
        """The record itself, as compiled bots get it."""
        import numpy as np

        return np.frombuffer(self._raw, VIEW_LAYOUT.dtype)[0]

    @property
    def rules(self) -> ShowRules:
        """The rules of this table."""
        return self.game.rules  # type: ignore[no-any-return]

    @property
    def decision(self) -> ShowDecision:
        """What is being decided."""
        return ShowDecision(self._fields["decision"])

    @property
    def to_act(self) -> int:
        """The seat whose move it is; -1 the dealer, -2 nobody: the game is over."""
        return self._fields["to_act"]  # type: ignore[no-any-return]

    @property
    def own(self) -> list[int]:
        """Your two cards; -1 for one that you do not know."""
        return [*self._fields["own"]]

    @property
    def other(self) -> list[int]:
        """Your opponent's two cards; -1 for one that you do not know."""
        return [*self._fields["other"]]

    @property
    def drawn(self) -> int:
        """The card that you have just drawn, or -1."""
        return self._fields["drawn"]  # type: ignore[no-any-return]

    @property
    def graveyard(self) -> list[int]:
        """The discarded cards, in order."""
        return [*self._fields["grave"][: self._fields["grave_size"]]]

    @property
    def unseen(self) -> list[int]:
        """How many of each card you have not seen, by its number."""
        return [*self._fields["unseen"]]

    @property
    def cards_left(self) -> int:
        """How many cards the draw pile has."""
        return self._fields["left_total"]  # type: ignore[no-any-return]

    @property
    def turns(self) -> list[int]:
        """How many turns each player has begun."""
        return [*self._fields["turns"]]

    @property
    def caller(self) -> int:
        """Who has called Show, or -1."""
        return self._fields["caller"]  # type: ignore[no-any-return]

    @property
    def last_turn(self) -> bool:
        """Whether this turn is the last."""
        return bool(self._fields["last_turn"])

    @property
    def power(self) -> int:
        """The rank whose power is in question: 10, 11 a jack, 12 a queen, 13 a king; or 0."""
        return self._fields["power"]  # type: ignore[no-any-return]

    @property
    def own_slot(self) -> int:
        """The slot of yours that was chosen for an exchange."""
        return self._fields["own_slot"]  # type: ignore[no-any-return]

    @property
    def other_slot(self) -> int:
        """The slot of your opponent's that was chosen for an exchange."""
        return self._fields["other_slot"]  # type: ignore[no-any-return]

    @property
    def unseen_mean(self) -> float:
        """The average points of the cards that you have not seen."""
        unseen = self._fields["unseen"]
        count = sum(unseen)
        return sum(map(mul, unseen, PLAIN_POINTS)) / count if count else 0.0

    def expected(self, card: int) -> float:
        """The points of a card, or their average if it is unknown."""
        return self.unseen_mean if card == UNKNOWN else float(PLAIN_POINTS[card])

    @property
    def expected_total(self) -> float:
        """What your two cards come to, on average."""
        return sum(map(self.expected, self.own))

    @property
    def legal(self) -> list[int]:
        """The moves that you may make now; none if somebody else is to act."""
        return [0, 1] if self.to_act == self.seat else []

    @property
    def question(self) -> str:
        """What is being decided, in words."""
        return ENGLISH.question(self)

    def to_dict(self) -> Data:
        """For JSON: everything that the seat may know, with names instead of numbers; an unknown card is null."""
        choosing = self.decision in (ShowDecision.SWAP_OTHER, ShowDecision.SWAP_OR_LEAVE)
        return {
            "seat": self.seat,
            "to_act": self.to_act,
            "decision": self.decision.name.lower(),
            "own": [_text(card) for card in self.own],
            "other": [_text(card) for card in self.other],
            "drawn": _text(self.drawn),
            "graveyard": [TEXT[card] for card in self.graveyard],
            "unseen": [TEXT[card] for card, n in enumerate(self.unseen) for _ in range(n)],
            "cards_left": self.cards_left,
            "turns": self.turns,
            "caller": self.caller if self.caller >= 0 else None,
            "last_turn": self.last_turn,
            "power": RANKS[self.power - 1] if self.power > 0 else None,
            "own_slot": self.own_slot if choosing else None,
            "other_slot": self.other_slot if self.decision is ShowDecision.SWAP_OR_LEAVE else None,
            "expected_total": self.expected_total,
        }

    def __reduce__(self) -> Any:
        return ShowView, (self.game, self._raw, self.seat)


def _text(card: int) -> str | None:
    return TEXT[card] if card > 0 else None
