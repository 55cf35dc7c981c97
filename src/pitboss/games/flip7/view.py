"""What a seat may know, which in Flip 7 is everything but the order of the deck (T12).

A view is a snapshot: it stays as it was, however the game goes on. It reads fields from the bytes
of the state record when asked, because most bots ask for two or three.
"""

from __future__ import annotations

import struct
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pitboss.core.layout import numbers
from pitboss.core.types import Data
from pitboss.former import AsDict
from pitboss.games.flip7.cards import KINDS, NUMBERS, TEXT
from pitboss.games.flip7.moves import Move
from pitboss.games.flip7.odds import Odds
from pitboss.games.flip7.state import AT, LAYOUT, gains
from pitboss.games.flip7.words import ENGLISH

if TYPE_CHECKING:
    from pitboss.games.flip7.rules import Flip7Rules
    from pitboss.games.flip7.side import Flip7Side


class Flip7Decision(Enum):
    """The kinds of decision."""

    DEAL = 0
    HIT_OR_STAY = 1
    TARGET = 2
    ASSIGN = 3
    SAVE = 4


class Status(Enum):
    """How a seat stands in the round."""

    ACTIVE = 0
    BUSTED = 1
    STAYED = 2
    FROZEN = 3
    BANKED = 4
    FLIP_7 = 5


_DECISIONS = tuple(Flip7Decision)
_I32 = struct.Struct("<i").unpack_from
_COUNTS = struct.Struct(f"<{KINDS}h").unpack_from
_TO_ACT, _DECISION, _CARD, _SEATS, _ROUND = (AT[n] for n in ("to_act", "decision", "card", "seats", "round"))
_POINTS, _NUMBERS, _LEFT, _LEFT_TOTAL = (AT[n] for n in ("points", "numbers", "left", "left_total"))
_DISCARDS, _FRONT, _CHANCE, _STATUS = (AT[n] for n in ("discards", "front", "chance", "status"))
_TOTAL, _THREE = AT["total"], AT["three"]


class SeatView(AsDict):
    """One player's place at the table, as everybody sees it."""

    __slots__ = ("_raw", "seat")

    def __init__(self, raw: bytes, seat: int) -> None:
        self._raw, self.seat = raw, seat

    @property
    def points(self) -> int:
        """What this seat would bank now; 0 if it busted."""
        return _I32(self._raw, _POINTS + 4 * self.seat)[0]  # type: ignore[no-any-return]

    @property
    def total(self) -> int:
        """Points of finished rounds."""
        return _I32(self._raw, _TOTAL + 4 * self.seat)[0]  # type: ignore[no-any-return]

    @property
    def number_count(self) -> int:
        """How many different numbers it holds."""
        return _I32(self._raw, _NUMBERS + 4 * self.seat)[0]  # type: ignore[no-any-return]

    @property
    def second_chance(self) -> bool:
        """Whether a Second Chance protects it."""
        return self._raw[_CHANCE + self.seat] == 1

    @property
    def draws_three(self) -> bool:
        """Whether its next hit must draw three cards."""
        return self._raw[_THREE + self.seat] == 1

    @property
    def status(self) -> Status:
        """How it stands in the round."""
        return Status(self._raw[_STATUS + self.seat])

    @property
    def active(self) -> bool:
        """Whether it is still in the round."""
        return self._raw[_STATUS + self.seat] == 0

    @property
    def counts(self) -> bytes:
        """How many of each kind lie in front of it."""
        at = _FRONT + KINDS * self.seat
        return self._raw[at : at + KINDS]

    @property
    def cards(self) -> list[int]:
        """The cards in front of it, in kind order."""
        return [kind for kind, n in enumerate(self.counts) for _ in range(n)]

    @property
    def numbers(self) -> list[int]:
        """The different numbers it holds."""
        return [kind for kind, n in enumerate(self.counts[:NUMBERS]) if n]

    def to_dict(self) -> Data:
        """For JSON, with names for cards and statuses."""
        return {
            "seat": self.seat, "status": self.status.name.lower(), "points": self.points, "total": self.total,
            "cards": [TEXT[kind] for kind in self.cards], "numbers": self.numbers,
            "second_chance": self.second_chance, "draws_three": self.draws_three,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<seat {self.seat}: {self.points} points, {self.status.name.lower()}, total {self.total}>"


class Flip7View(SeatView):
    """A seat's view of the whole table; the seat's own things are read directly: `view.points`."""

    __slots__ = ("__dict__", "_legal", "game")

    game: Any  # the game; in the process of a bot from a file, only its side

    def __init__(self, game: Flip7Side, raw: bytes, seat: int, legal: int | None = None) -> None:
        self._raw, self.seat, self.game, self._legal = raw, seat, game, legal

    @property
    def raw(self) -> bytes:
        """The bytes of the record."""
        return self._raw

    @property
    def rules(self) -> Flip7Rules:
        """The rules of this table."""
        return self.game.rules  # type: ignore[no-any-return]

    @property
    def decision(self) -> Flip7Decision:
        """What is being decided."""
        return _DECISIONS[self._raw[_DECISION]]

    @property
    def to_act(self) -> int:
        """The seat whose move it is; -1 the dealer, -2 nobody: the game is over."""
        return _I32(self._raw, _TO_ACT)[0]  # type: ignore[no-any-return]

    @property
    def card(self) -> int:
        """The card being decided about, or -1."""
        return _I32(self._raw, _CARD)[0]  # type: ignore[no-any-return]

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return _I32(self._raw, _ROUND)[0]  # type: ignore[no-any-return]

    @property
    def dealer(self) -> int:
        """The seat that deals this round."""
        return _I32(self._raw, AT["dealer"])[0]  # type: ignore[no-any-return]

    @property
    def turn(self) -> int:
        """The seat whose turn it is, -1 during the opening deal."""
        return _I32(self._raw, AT["turn"])[0]  # type: ignore[no-any-return]

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """All seats, by number."""
        return tuple(SeatView(self._raw, i) for i in range(_I32(self._raw, _SEATS)[0]))

    @property
    def others(self) -> list[SeatView]:
        """All seats but this one."""
        return [s for s in self.seats if s.seat != self.seat]

    @property
    def totals(self) -> list[int]:
        """Everybody's points of finished rounds."""
        return [s.total for s in self.seats]

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards of each kind the deck still has."""
        return _COUNTS(self._raw, _LEFT)

    @property
    def cards_left(self) -> int:
        """How many cards the deck still has."""
        return _I32(self._raw, _LEFT_TOTAL)[0]  # type: ignore[no-any-return]

    @property
    def discards(self) -> tuple[int, ...]:
        """How many cards of each kind a reshuffle would bring back now."""
        return _COUNTS(self._raw, _DISCARDS)

    @property
    def spent(self) -> tuple[int, ...]:
        """How many cards of each kind are out of play until the round ends."""
        return _COUNTS(self._raw, AT["spent"])

    @property
    def waiting(self) -> list[tuple[int, int, int]]:
        """Cards set aside by Flip Threes: (card, the seat that chooses, the seat chosen or -1)."""
        s = LAYOUT.reader(self._raw)
        count = s["waiting"]
        return [*zip(s["waiting_card"][:count], s["waiting_by"][:count], s["waiting_for"][:count], strict=True)]

    @property
    def odds(self) -> Odds:
        """The exact odds of the next card, for this seat."""
        return Odds(self._raw, self.seat)

    @cached_property
    def gains(self) -> list[int]:
        """The points that a card of each kind would add to your hand; 0 for a number you hold."""
        out = numbers(KINDS)
        gains(LAYOUT.record(self._raw), self.seat, out)
        return [*map(int, out)]

    @cached_property
    def legal(self) -> list[Move]:
        """The moves this seat may make now; none if somebody else is to act."""
        if self.to_act != self.seat:
            return []
        bits = self.game.legal_bits(self._raw) if self._legal is None else self._legal
        return [Move(m) for m in range(62) if bits >> m & 1]

    @property
    def state(self) -> Any:
        """The state record itself, to read what has no name here."""
        import numpy as np

        return np.frombuffer(self._raw, LAYOUT.dtype)[0]

    def to_dict(self) -> Data:
        """For JSON: everything that the seat may know, with names instead of numbers."""
        return {
            "seat": self.seat,
            "round": self.round,
            "dealer": self.dealer,
            "turn": self.turn,
            "to_act": self.to_act,
            "decision": self.decision.name.lower(),
            "card": TEXT[self.card] if self.card >= 0 else None,
            "seats": [seat.to_dict() for seat in self.seats],
            "waiting": [
                {"card": TEXT[card], "by": by, "for": seat if seat >= 0 else None} for card, by, seat in self.waiting
            ],
            "left": _by_name(self.left),
            "cards_left": self.cards_left,
            "discards": _by_name(self.discards),
            "spent": _by_name(self.spent),
            "odds": {"bust": self.odds.bust, "cards": {TEXT[k]: chance for k, chance in self.odds.kinds.items()}},
        }

    @property
    def question(self) -> str:
        """What is being decided, in words."""
        return ENGLISH.question(self)

    def __reduce__(self) -> Any:
        return Flip7View, (self.game, self._raw, self.seat, self._legal)


def _by_name(counts: tuple[int, ...]) -> dict[str, int]:
    return {TEXT[kind]: n for kind, n in enumerate(counts) if n}
