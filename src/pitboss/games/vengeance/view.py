"""What a seat may know, which is everything but the order of the deck (V25).

A view is a snapshot: it stays as it was, however the game goes on. It reads fields from the bytes of the state record
when asked, because most bots ask for two or three.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from pitboss.core.legal import moves_of
from pitboss.core.types import Data, GameView, StateRecord
from pitboss.games.vengeance.cards import KINDS, LINE, MINUS_2, TEXT
from pitboss.games.vengeance.moves import VengeanceMove
from pitboss.games.vengeance.odds import all_coming, busts_coming, coming
from pitboss.games.vengeance.state import LAYOUT, number_on, out_of_play
from pitboss.games.vengeance.words import ENGLISH

if TYPE_CHECKING:
    from pitboss.games.vengeance.rules import VengeanceRules


class VengeanceDecision(Enum):
    """The kinds of decision."""

    DEAL = 0
    HIT_OR_STAY = 1
    TARGET = 2
    PICK = 3
    PICK_SECOND = 4
    PRIZE = 5


class Standing(Enum):
    """How a seat stands in the round."""

    ACTIVE = 0
    STAYED = 1
    BUSTED = 2
    FLIP_7 = 3


class VengeanceSeat:
    """One player's place at the table, as everybody sees it."""

    def __init__(self, game: GameView, raw: bytes, seat: int) -> None:
        self.game, self.raw, self.seat = game, raw, seat

    def _number(self, field: str) -> int:
        """This seat's place in a field."""
        return LAYOUT.reader(self.raw)[field][self.seat]  # type: ignore[no-any-return]

    @property
    def points(self) -> int:
        """What this seat would score if the round ended now."""
        return self._number("points")

    @property
    def total(self) -> int:
        """Points of finished rounds."""
        return self._number("total")

    @property
    def number_count(self) -> int:
        """How many different numbers it holds, as they count towards a Flip 7."""
        return self._number("count")

    @property
    def status(self) -> Standing:
        """How it stands in the round."""
        return Standing(self._number("status"))

    @property
    def active(self) -> bool:
        """Whether it still takes turns."""
        return self._number("status") == 0

    @property
    def busted(self) -> bool:
        """Whether it is bust: its line lies face down."""
        return self.status is Standing.BUSTED

    @property
    def cards(self) -> list[int]:
        """The cards in front of it, in kind order."""
        line, twin = self._number("line"), self._number("twin")
        return [kind for kind in range(LINE) for bits in (line, twin) if bits >> kind & 1]

    @property
    def numbers(self) -> list[int]:
        """The numbers on its cards, in order; two 13s can lie together."""
        return sorted(number_on(kind) for kind in self.cards if kind < MINUS_2)

    @property
    def modifiers(self) -> list[int]:
        """Its modifiers, as kinds of cards."""
        return [kind for kind in self.cards if kind >= MINUS_2]

    @property
    def has_zero(self) -> bool:
        """Whether The Zero makes its line worthless, short of a Flip 7."""
        return self._number("line") & 1 == 1

    def to_dict(self) -> Data:
        """For JSON, with names for cards and statuses."""
        return {
            "seat": self.seat, "status": self.status.name.lower(), "points": self.points, "total": self.total,
            "cards": [TEXT[kind] for kind in self.cards], "numbers": self.numbers, "number_count": self.number_count,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<seat {self.seat}: {self.points} points, {self.status.name.lower()}, total {self.total}>"


class VengeanceView(VengeanceSeat):
    """A seat's view of the whole table; the seat's own things are read directly: `view.points`."""

    def __init__(self, game: GameView, raw: bytes, seat: int) -> None:
        super().__init__(game, raw, seat)
        self.legal_bits: int | None = None  # where they are known already

    def _of_table(self, field: str) -> int:
        return LAYOUT.reader(self.raw)[field]  # type: ignore[no-any-return]

    @property
    def rules(self) -> VengeanceRules:
        """The rules of this table."""
        return self.game.rules  # type: ignore[no-any-return]

    @property
    def decision(self) -> VengeanceDecision:
        """What is being decided."""
        return VengeanceDecision(self._of_table("decision"))

    @property
    def to_act(self) -> int:
        """The seat whose move it is; -1 the dealer, -2 nobody: the game is over."""
        return self._of_table("to_act")

    @property
    def card(self) -> int:
        """The card being decided about, or -1."""
        return self._of_table("card")

    @property
    def picked(self) -> tuple[int, int] | None:
        """The first card of a Swap, once it is chosen: its seat and its kind."""
        place = self._of_table("picked")
        return divmod(place, LINE) if place >= 0 else None

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._of_table("round")

    @property
    def dealer(self) -> int:
        """The seat that deals this round."""
        return self._of_table("dealer")

    @property
    def turn(self) -> int:
        """The seat whose turn it is, -1 during the opening deal."""
        return self._of_table("turn")

    @cached_property
    def seats(self) -> tuple[VengeanceSeat, ...]:
        """All seats, by number."""
        return tuple(VengeanceSeat(self.game, self.raw, seat) for seat in range(self._of_table("seats")))

    @property
    def others(self) -> list[VengeanceSeat]:
        """All seats but this one."""
        return [seat for seat in self.seats if seat.seat != self.seat]

    @property
    def totals(self) -> list[int]:
        """Everybody's points of finished rounds."""
        return [seat.total for seat in self.seats]

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards of each kind the deck still has."""
        return tuple(LAYOUT.reader(self.raw)["left"])

    @property
    def cards_left(self) -> int:
        """How many cards the deck still has."""
        return self._of_table("left_total")

    @property
    def discards(self) -> tuple[int, ...]:
        """How many cards of each kind a new deck would have now."""
        return tuple(int(out_of_play(self.state, self.game.rules_record, kind)) for kind in range(KINDS))

    @property
    def waiting(self) -> list[tuple[int, int]]:
        """Cards that wait for the end of a Flip Four, the last one first: (card, the seat that resolves it)."""
        s = LAYOUT.reader(self.raw)
        return [*zip(s["waiting_card"], s["waiting_by"], strict=True)][: s["waiting"]]

    @property
    def coming(self) -> tuple[int, ...]:
        """How many cards of each kind the next card is drawn from."""
        return tuple(int(coming(self.state, self.game.rules_record, kind)) for kind in range(KINDS))

    @property
    def bust_odds(self) -> float:
        """The chance that the next card would bust you."""
        s, r = self.state, self.game.rules_record
        return int(busts_coming(s, r, self.seat)) / max(1, int(all_coming(s, r)))

    @cached_property
    def legal(self) -> list[VengeanceMove]:
        """The moves this seat may make now; none if somebody else is to act."""
        if self.to_act != self.seat:
            return []
        bits = self.game.legal_bits(self.raw) if self.legal_bits is None else self.legal_bits
        return [VengeanceMove(move) for move in moves_of(bits)]

    @cached_property
    def state(self) -> StateRecord:
        """The state record itself, to read what has no name here."""
        return LAYOUT.record(self.raw)

    def to_dict(self) -> Data:
        """For JSON: everything that the seat may know, with names instead of numbers."""
        picked = self.picked
        return {
            "seat": self.seat,
            "round": self.round,
            "dealer": self.dealer,
            "turn": self.turn,
            "to_act": self.to_act,
            "decision": self.decision.name.lower(),
            "card": TEXT[self.card] if self.card >= 0 else None,
            "picked": {"seat": picked[0], "card": TEXT[picked[1]]} if picked else None,
            "seats": [seat.to_dict() for seat in self.seats],
            "waiting": [{"card": TEXT[card], "by": by} for card, by in self.waiting],
            "left": _by_name(self.left),
            "cards_left": self.cards_left,
            "discards": _by_name(self.discards),
            "bust_odds": self.bust_odds,
        }

    @property
    def question(self) -> str:
        """What is being decided, in words."""
        return ENGLISH.question(self)

    def __reduce__(self) -> tuple[object, ...]:
        return VengeanceView, (self.game, self.raw, self.seat)


def _by_name(counts: tuple[int, ...]) -> dict[str, int]:
    return {TEXT[kind]: n for kind, n in enumerate(counts) if n}
