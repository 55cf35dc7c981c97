"""A test for any game: does a seat learn what it may not know?

Games are played at random. At every step, for each seat, its view is turned into worlds that fit it, in which
everything that the seat cannot see is dealt anew. What the view hides must be hidden everywhere:

- such a world looks the same to the seat, to the last bit of its view, and so do its legal moves, the question, the
  scene, the odds, and whatever else is made of a view;
- the same move, in the real world and in the other, tells the seat the same story exactly if it leaves it with the
  same view: nothing changes in a view without an event that says so, and no event tells what the view does not;
- two cards of which either may fall, or two moves of another seat, tell the same story if they leave the seat with the
  same view but not the same table: what fell then lies there unseen. Where the tables are the same, too, nothing is
  left to hide: a die that was rolled openly may be forgotten;
- and `seen_by` leaves nothing of a card out that the view shows: one of the two is wrong.

A story is what the seat and those who only watch are told: events, their texts, and whether they are important. A
seat's own moves it knows, and a fault is announced by the referee.

`check` raises AssertionError where that does not hold, with a sentence that says how to get there. It cannot know what
should be a secret: what `observe` shows and `imagine` keeps is known to the seat.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Any, NamedTuple

from pitboss.core.game import Game, Position
from pitboss.core.secrets import NOBODY
from pitboss.core.step import DEALER, FAULT
from pitboss.core.types import Data, GameEvent
from pitboss.former import view_as_dict

MOST_MOVES = 6  # that are tried at a position; of cards, that is a sample
FAULTS = 0.01  # of the moves
MORE_WORLDS = 100  # to find out whether a choice is an open one
REMEDY = "Let the event not tell it, or let observe show it if the seat may know it."


def check(game: Game, seats: int, seed: int, games: int = 10, worlds: int = 2) -> Counter[str]:
    """Play games at random and look for leaks; what was compared, counted. AssertionError says what leaks, to which
    seat, and how to get there."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(games):
        position, path = game.start(seats), list[str]()
        position.events()
        while not position.over:
            moves = _moves(position, rng)
            for seat in range(seats):
                _Look(position, seat, path, rng, seen).compare(moves, worlds)
            path.append(_word(position, moves[0]))
            position.apply(moves[0])
    assert seen["other worlds"] or not game.has_secrets, f"{game} has secrets, but no view of a seat ever hid anything"
    return seen


def _moves(position: Position, rng: random.Random) -> list[int]:
    """Some moves to try in random order, of which the first is made."""
    legal = list(position.legal)
    moves = rng.sample(legal, min(len(legal), MOST_MOVES))
    if position.to_act != DEALER:
        moves.insert(0 if rng.random() < FAULTS else len(moves), FAULT)
    return moves


class _Told(NamedTuple):
    """One event, as it reaches a seat."""

    event: GameEvent
    text: str
    watched: str  # the text for those who only watch
    major: bool


HOW = ("by what seen_by leaves in it", "by its text", "by its text for those who only watch", "by being major or not")


@dataclass(frozen=True)
class _Outcome:
    """What a move leads to, and what the seat is told on the way."""

    move: int
    after: Position
    view: bytes
    events: list[GameEvent]  # as they happened
    told: list[_Told]


class _Look:
    """One seat at one position: what it knows here, and after each of some moves."""

    def __init__(
        self, position: Position, seat: int, path: Sequence[str], rng: random.Random, seen: Counter[str]
    ) -> None:
        self.position, self.seat, self.path, self.rng, self.seen = position, seat, path, rng, seen
        self.game: Game = position.game
        self.names = [f"player {i}" for i in range(position.seats)]
        self.view = position.view(seat)
        self.bits = position.views.tobytes()

    def compare(self, moves: Sequence[int], worlds: int) -> None:
        """Look for leaks here."""
        others = [self._imagined() for _ in range(worlds)]
        for world in others:
            self._compare_shown(world)
        here = [self._outcome(self.position, move) for move in moves]
        if self.position.to_act != self.seat:
            for one, other in combinations([outcome for outcome in here if outcome.move != FAULT], 2):
                self._compare_moves(one, other)
        for world in others:
            self._compare_worlds(here, world)

    def _imagined(self) -> Position:
        return self.game.imagine(self.view, self.rng.getrandbits(64))

    # --- what a seat is shown at a position ---

    def _shown(self, position: Position) -> Data:
        view = position.view(self.seat)
        legal = list(view.legal)
        shown = {
            "the question": view.question,
            "the legal moves": legal,
            "the labels of the moves": [self.game.describe_move(view, move, self.names) for move in legal],
            "the scene": self.game.scene(view, self.names),
            "the odds": self.game.odds(view),
            "the chances of the next card": self.game.next_cards(view),
            "the view as a dictionary": view_as_dict(view),
        }
        if position.to_act == self.seat:
            shown["what the rule book calls legal"] = list(position.legal)
        return shown

    def _compare_shown(self, world: Position) -> None:
        world.view(self.seat)
        fields = self._differing(self.position, world)
        assert self.bits == world.views.tobytes(), (
            f"a view tells what seat {self.seat} cannot know: {fields} would be another if what it cannot see were "
            f"dealt anew. Let observe cover it, or let imagine keep it if the seat may know it. {self._repeat()}"
        )
        here, there = self._shown(self.position), self._shown(world)
        for name in here:
            assert here[name] == there[name], (
                f"{name} of seat {self.seat} would be another if what it cannot see were dealt anew, with the same "
                f"view: {here[name]} here, {there[name]} there. Make it of the view alone. {self._repeat()}"
            )
        self.seen["views"] += 1
        self.seen["other worlds"] += bool(world.states != self.position.states)

    # --- what it is told when somebody moves ---

    def _outcome(self, world: Position, move: int) -> _Outcome:
        after = world.copy()
        events = after.apply(move)
        told = []
        for event in events:
            own, watcher = event.seen_by(self.seat), event.seen_by(NOBODY)
            told.append(_Told(own, own.text(self.names), watcher.text(self.names), event.major))
            self.seen[f"event {event.kind}"] += 1
        after.view(self.seat)
        return _Outcome(move, after, after.views.tobytes(), events, told)

    def _compare_worlds(self, here: Sequence[_Outcome], world: Position) -> None:
        """The same moves in another world; if the dealer can make none of them there, another one."""
        legal = list(world.legal)
        assert legal, f"imagine makes a world for seat {self.seat} in which no move is legal. {self._repeat()}"
        there = {one.move: self._outcome(world, one.move) for one in here if one.move in (*legal, FAULT)}
        for one in here:
            if one.move in there:
                self._compare_move(one, there[one.move])
        if not there and self.position.to_act == DEALER:
            other = self._outcome(world, self.rng.choice(legal))
            for one in here:
                self._compare_moves(one, other)

    def _compare_move(self, here: _Outcome, there: _Outcome) -> None:
        """The same move in two worlds that the seat cannot tell apart."""
        alike = here.view == there.view
        assert here.told == there.told or not alike, (
            f"{self._difference(here, there)} after the same {self._word(here)} in a world that it cannot tell from "
            f"this one by its view, before or after. {REMEDY} {self._repeat()}"
        )
        assert alike or here.told != there.told, (
            f"the view of seat {self.seat} changes, and no event says so: after {self._word(here)}, "
            f"{self._differing(here.after, there.after)} would be another in a world that the seat could not tell from "
            f"this one, and it is told the same: {[told.text for told in here.told]}. {self._repeat()}"
        )
        self.seen["moves that tell nothing" if alike else "moves that tell something"] += 1

    def _compare_moves(self, one: _Outcome, other: _Outcome) -> None:
        """Two cards that may fall, or two moves that another seat may make."""
        if one.view != other.view:
            assert self.position.to_act != DEALER or one.told != other.told or one.events == other.events, (
                f"seen_by hides from seat {self.seat} what its view shows: it is told the same after {self._word(one)} "
                f"and after {self._word(other)}, but its view differs in {self._differing(one.after, other.after)}. "
                f"Let observe cover it, or let seen_by tell it. {self._repeat()}"
            )
        elif one.after.states != other.after.states:
            self.seen["hidden moves"] += 1
            assert one.told == other.told or self._only_rearranged(one, other) or self._is_open(one.move, other.move), (
                f"{self._difference(one, other)} after {self._word(other)} instead of {self._word(one)}, and its view "
                f"does not show which it was. {REMEDY} {self._repeat()}"
            )

    def _is_open(self, one: int, other: int) -> bool:
        """Whether views show in some other world which of two moves a player made: then it is no hidden choice, but
        makes no difference here, as when one of two equal cards is put down."""
        if self.position.to_act == DEALER:
            return False
        for _ in range(MORE_WORLDS):
            world = self._imagined()
            if {one, other} <= set(world.legal) and self._outcome(world, one).view != self._outcome(world, other).view:
                return True
        return False

    def _only_rearranged(self, one: _Outcome, other: _Outcome) -> bool:
        """Whether two moves only put things in another order whose order the seat could not know before: to hear of
        that tells it nothing, as when two cards that lie face down change places."""
        for outcome in (one, other):
            world, before, after = self.position.copy(), list[Any](), list[Any]()
            for name in self.game.state_dtype.names or ():
                moved = one.after.states[name] != other.after.states[name]
                before += world.states[name][moved].tolist()
                after += outcome.after.states[name][moved].tolist()
                world.states[name][moved] = outcome.after.states[name][moved]
            world.view(self.seat)
            if sorted(before) != sorted(after) or world.views.tobytes() != self.bits:
                return False
        return True

    # --- sentences ---

    def _difference(self, one: _Outcome, other: _Outcome) -> str:
        """The first event that tells something."""
        here, there = next((a, b) for a, b in zip_longest(one.told, other.told) if a != b)
        how = "by happening" if not here or not there else next(HOW[i] for i in range(len(HOW)) if here[i] != there[i])
        return (
            f"the event {(here or there).event.kind!r} tells seat {self.seat} what its view hides, {how}: "
            f"it is told {_line(here)}, and {_line(there)}"
        )

    def _differing(self, one: Position, other: Position) -> str:
        """The fields of two views that are not the same."""
        a, b = one.views, other.views
        return ", ".join(name for name in self.game.view_dtype.names or () if (a[name] != b[name]).any()) or "nothing"

    def _word(self, outcome: _Outcome) -> str:
        return _word(self.position, outcome.move)

    def _repeat(self) -> str:
        start = f"{self.game!r}.start({self.position.seats})"
        return f"To get there, apply these to {start}: {' '.join(self.path)}" if self.path else f"It is so at {start}."


def _word(position: Position, move: int) -> str:
    return position.game.format_card(move) if position.to_act == DEALER else position.game.format_move(move)


def _line(told: _Told | None) -> str:
    return f"{told.event} ({told.text!r}, to those who watch {told.watched!r})" if told else "nothing"
