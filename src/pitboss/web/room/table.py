"""A game in progress, at which people and bots sit.

Nothing in here waits or writes: `Room` does. A table is made of who sits there, a key and the moves so far, and
can be made again from those.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from threading import Lock

from pitboss.analysis.rollouts import Rollouts
from pitboss.core.bot import Bot, Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.play import GameInProgress, Seats
from pitboss.core.record import labels_of
from pitboss.core.registry import bot as find
from pitboss.core.registry import load
from pitboss.core.splitmix import next_luck
from pitboss.core.step import DEALER, FAULT
from pitboss.core.types import Array, GameEvent
from pitboss.render.steps import TableAt, closing
from pitboss.web.room.company import NO_RULES, HouseRules, StandIn, Stood, Why
from pitboss.web.room.you import YOU


class SeatKind(StrEnum):
    """Who sits at a seat."""

    HERE = "here"  # a person at the screen that made the table
    GUEST = "guest"  # a person who comes by a link
    BOT = "bot"


@dataclass(frozen=True)
class Place:
    """One seat, and who has it: a person's name, which may be empty, or a bot."""

    kind: SeatKind
    name: str


def names_of(places: Sequence[Place]) -> list[str]:
    """What everybody is called; people who gave no name by their seat, or as what they are.

    >>> names_of([Place(SeatKind.HERE, ""), Place(SeatKind.BOT, "ev"), Place(SeatKind.BOT, "ev")])
    ['Guest', 'ev (1)', 'ev (2)']
    """
    people = sum(place.kind is not SeatKind.BOT for place in places)

    def nameless(seat: int) -> str:
        return "Guest" if people == 1 else f"Player {seat + 1}"

    return labels_of([place.name or nameless(seat) for seat, place in enumerate(places)])


@dataclass(frozen=True)
class TablePlan:
    """What a table is made of."""

    spec: str
    places: tuple[Place, ...]
    key: Key | None = None  # chosen by the host; None: random
    hints: bool = True
    pace: float = 0.0  # steps a second, if only bots play
    house: HouseRules = NO_RULES


@dataclass(frozen=True)
class Moment:
    """The game after a card or a move, and what that caused."""

    states: Array
    events: tuple[GameEvent, ...]
    closing: Array | None = None  # the table at the end of a round, before it was cleared
    when: float = 0.0  # by the clock that only goes forward


@dataclass
class Ticket:
    """Whoever has the token with this hash may look from and play at these seats. An invitation works once."""

    hash: str
    seats: tuple[int, ...]
    host: bool = False  # may say how fast bots play, and whom to invite
    invitation: bool = False
    number: int = -1  # of an invitation: what it was made from, the seat at the first table; see `invitation_by`
    token: str = ""  # only in the copy for the client that has just sent it; it is never stored


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is kept of a token. It is long and random, so that nobody finds it by trying."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def invitation_by(host: str, seat: int) -> str:
    """The invitation to a seat: the host's token leads to it, so that nothing of it must be kept, and not back."""
    return hmac.new(host.encode(errors="replace"), f"seat {seat}".encode(), "sha256").hexdigest()[:32]


def verify_housed(text: str) -> None:
    """Refuse everything but built-in and installed bots: no files, no programs."""
    if ".py" in text or ":" in text or "/" in text:
        raise BotError("only bots that are built in or installed can be seated here, such as ev; a file cannot")


def house_bot(text: str, game: Game) -> Entrant:
    """A bot that is built in or installed."""
    verify_housed(text)
    try:
        return find(text, game)
    except BotError as problem:
        raise BotError(str(problem).replace(", path/to/file.py:MyBot", "")) from None  # which is refused here


class RoomTable:
    """One game: its places, its moments, and the tokens of those who may look or play."""

    def __init__(self, id: str, plan: TablePlan, *, most_steps: int = 20_000) -> None:
        self.id, self.plan, self.most_steps = id, plan, most_steps
        self.key, self.hints, self.house = plan.key or Key.fresh(), plan.hints, plan.house
        self.seeded = plan.key is not None  # whether somebody chose the seed, and so may know what will be dealt
        self.game, self.places = load(plan.spec), plan.places
        self.names = names_of(self.places)
        self.people = tuple(i for i, place in enumerate(self.places) if place.kind is not SeatKind.BOT)
        self.stand_in = Rollouts(self.game).policy  # who decides for people that do not
        self.tickets: list[Ticket] = []
        self.pace = 0.0 if self.people else plan.pace  # steps a second; at a table with people, bots do not wait
        self.code = ""  # by which guests come, as long as there is room for them
        self.stood: list[Stood] = []  # decisions that were made for people
        self.next: str | None = None  # the table at which the same people play on, with the same tokens
        self.drawn: dict[object, str] = {}  # what the newest moments look like, by viewer
        self.drawing = Lock()  # on that, for old moments are drawn in threads
        entrants = [
            house_bot(place.name, self.game) if place.kind is SeatKind.BOT else Entrant(name, make=Bot)
            for place, name in zip(self.places, self.names, strict=True)
        ]
        self.moments: list[Moment] = []
        self._going = GameInProgress(Seats(self.game, entrants), self.key, watch=self._keep, faults=True)
        self.position, self.record = self._going.position, self._going.record

    # --- tickets ---

    def sell(self) -> Ticket:
        """Tickets for a new table: one for the screen that made it, an invitation for each guest."""
        here = tuple(i for i, place in enumerate(self.places) if place.kind is SeatKind.HERE)
        guests = [i for i, place in enumerate(self.places) if place.kind is SeatKind.GUEST]
        token = new_token()
        self.tickets = [Ticket(hashed(token), here, host=True)]
        self.tickets += [
            Ticket(hashed(invitation_by(token, seat)), (seat,), invitation=True, number=seat) for seat in guests
        ]
        return replace(self.tickets[0], token=token)

    def ticket(self, token: str | None) -> Ticket | None:
        """What a token is good for; an invitation is good for nothing but `join`."""
        given = hashed(token or "")
        found = (t for t in self.tickets if not t.invitation and secrets.compare_digest(t.hash, given))
        return next((replace(ticket, token=token or "") for ticket in found), None)

    def names_for(self, ticket: Ticket | None) -> list[str]:
        """What everybody is called for who has this ticket: whoever plays alone and gave no name is `YOU`."""
        alone = ticket is not None and len(self.people) == 1 and tuple(ticket.seats) == self.people
        if not alone or self.places[self.people[0]].name:
            return self.names
        return [YOU if seat in self.people else name for seat, name in enumerate(self.names)]

    def hand_over(self, tickets: Sequence[Ticket], shift: int) -> None:
        """Let the people of another table sit down, each so many seats further on."""
        count = len(self.places)
        self.tickets = [
            replace(ticket, seats=tuple((seat + shift) % count for seat in ticket.seats)) for ticket in tickets
        ]

    def invitation(self, host: Ticket, seat: int) -> str | None:
        """What leads a guest to a seat, for the host, as long as the guest has not come."""
        ticket = next((ticket for ticket in self.tickets if ticket.invitation and seat in ticket.seats), None)
        if ticket is None:
            return None
        token = invitation_by(host.token, ticket.number if ticket.number >= 0 else seat)
        return token if hashed(token) == ticket.hash else None

    def join(self, invitation: str, name: str | None = None) -> Ticket:
        """Take the seat of an invitation, by a name of one's own. The invitation then is void: not even who sent it can
        look from there."""
        given = hashed(invitation)
        for ticket in self.tickets:
            if ticket.invitation and secrets.compare_digest(ticket.hash, given):
                return self._sit_down(ticket, name)
        raise PitbossError("this invitation has been used already; you can watch, or ask for another one")

    def join_by_code(self, name: str | None = None) -> Ticket:
        """Take the first seat that waits for a guest."""
        for ticket in self.tickets:
            if ticket.invitation:
                return self._sit_down(ticket, name)
        raise PitbossError("all seats at this table are taken; you can watch")

    def _sit_down(self, ticket: Ticket, name: str | None) -> Ticket:
        token = new_token()
        ticket.hash, ticket.invitation = hashed(token), False
        if name:
            self._rename(ticket.seats[0], name)
        return replace(ticket, token=token)

    def _rename(self, seat: int, name: str) -> None:
        places = [replace(place, name=name) if i == seat else place for i, place in enumerate(self.places)]
        self.places, self.names = tuple(places), names_of(places)
        self.record.seats[seat] = name
        with self.drawing:
            self.drawn.clear()

    # --- the game ---

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.position.over

    @property
    def waits_for(self) -> int:
        """The seat of the person who must decide now, or -1."""
        return self.position.to_act if self.position.to_act in self.people else -1

    def act(self, seat: int, text: str, step: int) -> None:
        """A person's move. `step` is how many moments they had seen: a second click must not answer a new question."""
        if self.over:
            raise PitbossError("the game is over")
        if step != len(self.moments) - 1:
            raise PitbossError("the game has moved on; look at the table again")
        if seat != self.waits_for:
            raise PitbossError(f"it is not the turn of {self.names[seat]}")
        move = int(self.game.parse_move(text))
        if move == FAULT:
            raise PitbossError("only the referee can rule a fault")
        self.position.verify(move)
        self._verify_length()
        self._going.apply(move)

    @cached_property
    def _stand_in(self) -> StandIn:
        return StandIn(self.game, self.stand_in, len(self.places))

    def stand_in_for(self, seat: int, why: Why) -> None:
        """Make the move of a person who does not, and note it."""
        self._verify_length()
        self.stood.append(Stood(len(self.moments), seat, why))
        self._going.apply(self._stand_in.decide(self.at(len(self.moments) - 1), seat))

    def run(self, seconds: float) -> bool:
        """Deal, and let bots move, for so long; whether there is more to do without a person."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.over or self.waits_for >= 0:
                return False
            self.go()
        return not self.over and self.waits_for < 0

    def go(self) -> None:
        """One card, or one move of a bot; one that fails makes the referee's ruling."""
        self._verify_length()
        self._going.go()

    def go_again(self, moves: Sequence[int], over: bool = False) -> None:
        """Play the moves of a game that was put away, and the last cards if it was over. Bots in Python are asked
        again, for what they remember."""
        going, seats = self._going, self._going.seats
        lucks = seats.clock[0]["luck"]
        for move in moves:
            going.deal()
            seat = self.position.to_act
            if seat not in self.people:
                if seats.entrants[seat].make is None:
                    lucks[seat] = next_luck(lucks[seat])
                else:
                    with suppress(BotError):  # as it did the first time
                        seats.decide(self.position, seat)
            going.apply(move)
        if over:
            going.deal()

    def _verify_length(self) -> None:
        if len(self.moments) > self.most_steps:
            raise PitbossError(f"this game has reached {self.most_steps:,} steps, the most that are allowed")

    def _keep(self, position: Position, events: Sequence[GameEvent]) -> None:
        end = None
        if self.moments:
            before, record = self.at(len(self.moments) - 1), self._going.record
            end = closing(before, (record.cards if before.to_act == DEALER else record.moves)[-1], position)
        closed = end.states if end else None
        self.moments.append(Moment(position.states.copy(), tuple(events), closed, time.monotonic()))

    def at(self, number: int) -> Position:
        """The position at a moment, to look at."""
        return self._position(self.moments[number].states)

    def look_at(self, number: int) -> TableAt:
        """A moment with all that happened, to be drawn."""
        moment = self.moments[number]
        end = None if moment.closing is None else self._position(moment.closing)
        return TableAt(self.at(number), moment.events, end)

    def visible_to_watchers(self) -> int:
        """The newest moment that those who watch may see: where people hold secrets, they are some seconds behind."""
        newest = len(self.moments) - 1
        if self.over or not self.people or not self.game.has_secrets or not self.house.delay:
            return newest
        until = time.monotonic() - self.house.delay
        while newest > 0 and self.moments[newest].when > until:
            newest -= 1
        return newest

    def _position(self, states: Array) -> Position:
        position = Position(self.game)
        position.states[:] = states
        return position
