"""A game in progress, at which people and bots sit.

Nothing in here waits or writes: `Room` does. A table is made of who sits there, a key and the moves so far, and
can be made again from those.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from pitboss.table.bot import Bot, Entrant
from pitboss.table.dealer import Keyed
from pitboss.table.errors import BotError, PitbossError
from pitboss.table.game import Game, Position
from pitboss.table.keys import Key, next_luck
from pitboss.table.play import Seats
from pitboss.table.record import Record, digest, labels_of
from pitboss.table.registry import bot as find
from pitboss.table.registry import load
from pitboss.table.step import DEALER, FAULT


class Kind(StrEnum):
    """Who sits at a seat."""

    HERE = "here"  # a person at the screen that made the table
    GUEST = "guest"  # a person who comes by a link
    BOT = "bot"


@dataclass(frozen=True)
class Place:
    """One seat, and who has it: a person's name, or a bot."""

    kind: Kind
    name: str


@dataclass(frozen=True)
class Moment:
    """The game after a card or a move, and what that caused."""

    states: np.ndarray[Any, Any]
    events: tuple[Any, ...]
    drawn: dict[Any, str] = field(default_factory=dict)  # what it looks like, by who looks


@dataclass
class Ticket:
    """Who holds this token may look from, and play at, these seats. An invitation is used once."""

    token: str
    seats: tuple[int, ...]
    host: bool = False  # may say how fast bots play, and whom to invite
    invitation: bool = False


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def _same(secret: str, given: str) -> bool:
    """Compare in a time that tells nothing; what is given may be any text."""
    return secrets.compare_digest(secret.encode(), given.encode(errors="replace"))


def house_bot(text: str, game: Game) -> Entrant:
    """A bot that is built in or installed. Files and programs stay outside."""
    if ".py" in text or ":" in text or "/" in text:
        raise BotError("only bots that are built in or installed can be seated here, such as ev; a file cannot")
    return find(text, game)


class Table:
    """One game: its places, its moments, and the tokens of those who may look or play."""

    def __init__(
        self, id: str, spec: str, places: Sequence[Place], key: Key, *, hints: bool = True, most_steps: int = 20_000
    ) -> None:
        self.id, self.key, self.hints, self.most_steps = id, key, hints, most_steps
        self.game, self.places = load(spec), tuple(places)
        self.names = labels_of([place.name for place in places])
        self.people = tuple(i for i, place in enumerate(places) if place.kind is not Kind.BOT)
        self.tickets: list[Ticket] = []
        self.pace = 0.0  # steps a second; at a table with people, bots do not wait
        self.next: dict[str, Any] | None = None  # where the same people play on: a table, and the tokens for it
        entrants = [
            house_bot(place.name, self.game) if place.kind is Kind.BOT else Entrant(place.name, make=Bot)
            for place in places
        ]
        self._seats = Seats(self.game, entrants)
        self._dealer = Keyed(key)
        self.position = self.game.start(len(places))
        self.record = Record.begin(self.game, entrants, key, 0, 0)
        self._seats.start(key, 0, 0)
        self.moments: list[Moment] = []
        self._happened()

    # --- tickets ---

    def sell(self) -> Ticket:
        """Tokens for a new table: one for the screen that made it, an invitation for each guest."""
        here = tuple(i for i, place in enumerate(self.places) if place.kind is Kind.HERE)
        guests = [i for i, place in enumerate(self.places) if place.kind is Kind.GUEST]
        self.tickets = [Ticket(new_token(), here, host=True)]
        self.tickets += [Ticket(new_token(), (seat,), invitation=True) for seat in guests]
        return self.tickets[0]

    def ticket(self, token: str | None) -> Ticket | None:
        """What a token is good for; an invitation is good for nothing but `join`."""
        return next((t for t in self.tickets if not t.invitation and _same(t.token, token or "")), None)

    def join(self, invitation: str) -> Ticket:
        """Take the seat of an invitation, which then is void: not even who sent it can look from there."""
        for ticket in self.tickets:
            if ticket.invitation and _same(ticket.token, invitation):
                ticket.token, ticket.invitation = new_token(), False
                return ticket
        raise PitbossError("this invitation has been used, or there is no such; ask for a new game")

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
            raise PitbossError("the game has gone on; look at the table again")
        if seat != self.waits_for:
            raise PitbossError(f"it is not the turn of {self.names[seat]}")
        move = int(self.game.parse_move(text))
        if move == FAULT:
            raise PitbossError("only the referee can rule a fault")
        self.position.verify(move)
        self._apply(move)

    def run(self, steps: int) -> bool:
        """Deal, and let bots move, but at most so often; whether there is more to do without a person."""
        for _ in range(steps):
            if self.over or self.waits_for >= 0:
                return False
            self.go()
        return not self.over and self.waits_for < 0

    def go(self) -> None:
        """One card, or one move of a bot; one that fails makes the referee's ruling."""
        seat = self.position.to_act
        if seat == DEALER:
            self._apply(self._dealer.card(self.position))
            return
        try:
            move = self._seats.decide(self.position, seat)
        except BotError as problem:
            self.record.faults[len(self.record.moves)] = str(problem)
            move = FAULT
        self._apply(move)

    def go_again(self, moves: Sequence[int]) -> None:
        """Play the moves of a game that was put away. Bots in Python are asked again, for what they remember."""
        lucks = self._seats.clock[0]["luck"]
        for move in moves:
            self._deal()
            seat = self.position.to_act
            if seat not in self.people:
                if self._seats.entrants[seat].make is None:
                    lucks[seat] = next_luck(lucks[seat])
                else:
                    self._ask_again(seat)
            self._apply(move)

    def _deal(self) -> None:
        while self.position.to_act == DEALER:
            self._apply(self._dealer.card(self.position))

    def _ask_again(self, seat: int) -> None:
        try:
            self._seats.decide(self.position, seat)
        except BotError:
            return  # as it did the first time

    def _apply(self, move: int) -> None:
        if len(self.moments) > self.most_steps:
            raise PitbossError(f"this game has gone on for {self.most_steps:,} steps, which is as long as they may be")
        dealt = self.position.to_act == DEALER
        (self.record.cards if dealt else self.record.moves).append(int(move))
        self.game.loops.apply(self.position.states, self.game.record, int(move), self.position.buffer)
        self._happened()
        if self.over:
            self.record.outcome = self.position.outcome
            self._seats.end(self.record.outcome)

    def _happened(self) -> None:
        self.record.trail.append(digest(self.position))
        events = self.position.events()
        self._seats.saw(events)
        self.moments.append(Moment(self.position.states.copy(), tuple(events)))

    def at(self, number: int) -> Position:
        """The position at a moment, to look at."""
        position = Position(self.game)
        position.states[:] = self.moments[number].states
        return position
