"""Who is at a table now, how long the one whose turn it is has had, and what was said without words."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pitboss.web.rate_limits import Limiter
from pitboss.web.room.company import Gesture, Presence, Reaction, Why
from pitboss.web.room.table import RoomTable, SeatKind, Ticket

GONE_SECONDS = 30.0  # after which a bot plays for who has left others waiting
STAND_IN_SECONDS = 1.5  # that it then takes for a decision
GRACE_SECONDS = 1.0  # for an answer that is on its way when the time is up
SAID_SECONDS = 6.0  # for which a reaction is told
SAID_PER_MINUTE = 20  # reactions of one person


@dataclass(frozen=True)
class Now:
    """What people are told about each other."""

    presence: tuple[Presence, ...]
    left: float | None  # seconds for the open decision; None: as many as it takes
    said: tuple[Gesture, ...]


class People:
    """The people at one table, as far as their connections tell. Nothing of this is written down.

    A clock decides only while somebody of the table is connected, and a bot plays for who has left only if another
    person is there to be kept waiting: a table that all have left is found again as it was.
    """

    def __init__(self, table: RoomTable, clock: Callable[[], float] = time.monotonic) -> None:
        self.table, self._clock = table, clock
        self._near: dict[str, bool] = {}  # tickets that are connected, and whether someone looks
        self._left: dict[str, float] = {}  # tickets that were, and since when they are not
        self._asked = (-1, 0.0)  # the newest step when somebody was last asked, and when that was
        self._said: deque[Gesture] = deque(maxlen=8)
        self._number = 0
        self._brake = Limiter(SAID_PER_MINUTE, clock)

    def notice(self, connected: Iterable[tuple[str, bool]]) -> bool:
        """Take note of who is connected now, as tickets and whether their page is hidden; whether that is news."""
        near: dict[str, bool] = {}
        for ticket, away in connected:
            near[ticket] = near.get(ticket, False) or not away
        for ticket in self._near.keys() - near.keys():
            self._left[ticket] = self._clock()
        for ticket in near:
            self._left.pop(ticket, None)
        before, self._near = self.presence(), near
        return before != self.presence()

    def presence(self) -> tuple[Presence, ...]:
        """Whether somebody is at each seat."""
        return tuple(self._presence(seat) for seat in range(len(self.table.places)))

    def _presence(self, seat: int) -> Presence:
        if self.table.places[seat].kind is SeatKind.BOT:
            return Presence.BOT
        ticket = self._ticket(seat)
        if ticket is None or ticket.invitation:
            return Presence.EXPECTED
        if ticket.hash not in self._near:
            return Presence.GONE
        return Presence.HERE if self._near[ticket.hash] else Presence.AWAY

    def _ticket(self, seat: int) -> Ticket | None:
        return next((ticket for ticket in self.table.tickets if seat in ticket.seats), None)

    # --- time ---

    def _since(self) -> float:
        """Since when the open decision is open, as far as we have seen."""
        newest = len(self.table.moments) - 1
        if self._asked[0] != newest:
            self._asked = newest, self._clock()
        return self._asked[1]

    def _waiting(self) -> tuple[int, Ticket] | None:
        """The seat of the person who must decide, and their ticket; nobody's time runs before they have come."""
        seat = self.table.waits_for
        ticket = self._ticket(seat) if seat >= 0 else None
        if ticket is None or ticket.invitation:
            return None
        return seat, ticket

    def left(self) -> float | None:
        """Seconds that are left for the open decision; None where there is no clock."""
        if not self.table.house.clock or self._waiting() is None:
            return None
        return max(0.0, self._since() + self.table.house.clock - self._clock())

    def due(self) -> tuple[int, Why] | None:
        """The seat for which somebody else must decide now, and why."""
        waiting, house = self._waiting(), self.table.house
        if waiting is None or not self._near:
            return None
        (seat, ticket), since, now = waiting, self._since(), self._clock()
        if house.stand_in and self._kept_waiting(ticket):
            gone = self._left.get(ticket.hash)
            if gone is not None and now - gone >= GONE_SECONDS and now - since >= STAND_IN_SECONDS:
                return seat, Why.GONE
        if house.clock and now - since >= house.clock + GRACE_SECONDS:
            return seat, Why.CLOCK
        return None

    def _kept_waiting(self, absent: Ticket) -> bool:
        """Whether another person at the table is there."""
        others = (ticket for ticket in self.table.tickets if ticket.seats and ticket.hash != absent.hash)
        return any(ticket.hash in self._near for ticket in others)

    # --- reactions ---

    def react(self, ticket: Ticket, eye: int | None, what: Reaction) -> bool:
        """Say something; whether that is allowed now."""
        if not self._brake.allows(ticket.hash):
            return False
        self._number += 1
        seat = next((seat for seat in ticket.seats if seat == eye), ticket.seats[0])
        self._said.append(Gesture(self._number, seat, what, self._clock()))
        return True

    def now(self) -> Now:
        """What people are told."""
        old = self._clock() - SAID_SECONDS
        return Now(self.presence(), self.left(), tuple(said for said in self._said if said.when > old))
