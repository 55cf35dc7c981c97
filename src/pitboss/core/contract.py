"""What pitboss takes for granted about any game: `verify` looks at a class, `check` plays it.

A rule book is compiled, and compiled code does not notice that an array is too short or that a card is due where
none is left: it goes on with nonsense, or breaks the process much later. `check` finds that out with a sentence.
Call it in the tests of your game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from pitboss.core import leak
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game, Position
from pitboss.core.legal import MOST_MOVES
from pitboss.core.record import SPACE
from pitboss.core.side import RuleBook, Side
from pitboss.core.step import CUT, DEALER, FAULT, RUNNING, SHARE
from pitboss.core.types import GameEvent

FIELDS = ("to_act", "decision", "seats", "ended", "left", "left_total")
# What a game says, or the methods that it must define instead.
INSTEAD: dict[str, tuple[str, ...]] = {
    "move_names": ("format_move", "parse_move"),
    "card_names": ("format_card", "parse_card"),
    "layout": ("view", "scene"),
}
MOST_STEPS = 1_000_000  # of a game that ends
MOST_PLACE = 1 << 56
GUARD = -12345.0  # stands where `tally` must not write


def verify(kind: type[Game], name: str) -> None:
    """Refuse a class that is not a valid game of this name, and list everything that is missing."""
    lacks = list(_lacks(kind, name))
    if lacks:
        raise PitbossError(f"{kind.__module__}:{kind.__name__} is not a valid game: {'; '.join(lacks)}")


def _lacks(kind: type[Game], name: str) -> Iterator[str]:
    silent = kind.wording is None and kind.words is RuleBook.words
    methods = sorted([*getattr(kind, "__abstractmethods__", ()), *(["words"] if silent else [])])
    if methods:
        yield _missing("method", methods)
    for said, instead in INSTEAD.items():
        if said == "layout" and kind.wording:  # which draws the scene
            instead = ("view",)
        if not getattr(kind, said) and any(getattr(kind, method) is getattr(Game, method) for method in instead):
            yield f"`{said}` is missing, or the methods {' and '.join(f'`{method}`' for method in instead)}"
    said_by_all = (key for base in (Game, RuleBook, Side) for key in base.__annotations__)
    missing = [key for key in said_by_all if not hasattr(kind, key)]
    if missing:
        yield _missing("attribute", missing)
        return
    if kind.name != name:
        yield f"it calls itself {kind.name}, but is registered as {name}"
    fields = kind.state_dtype.names or ()
    unset = [field for field in FIELDS if field not in fields]
    if unset:
        yield f"its state has no {', '.join(unset)}"
    if not 1 <= kind.step.moves <= MOST_MOVES:
        yield f"its step has {kind.step.moves} moves; from 1 to {MOST_MOVES:,} are possible"
    untold = [preset for preset in kind.rules_class.presets if preset not in kind.preset_about]
    if untold:
        yield f"preset_about says nothing of {', '.join(untold)}"


def _missing(what: str, names: Sequence[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    return f"the {what}{'s' * (len(names) > 1)} {listed} {'are' if len(names) > 1 else 'is'} missing"


def check(game: Game, seats: int, seed: int = 0, games: int = 10) -> Counter[str]:
    """Play games at random, faults among the moves, and look whether everything fits together; what was looked at,
    counted. If the game has secrets, `leak.check` follows. AssertionError says what does not fit."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for number in range(games):
        position, places = game.start(seats), set[int]()
        _told(position, position.events(), seen)
        while not position.over:
            seen["steps"] += 1
            assert seen["steps"] < MOST_STEPS * (number + 1), f"the game does not end; its state is {position.states}"
            move = _dealt(position, places, rng, seen) if position.to_act == DEALER else _decided(position, rng, seen)
            _told(position, position.apply(move), seen)
        _ended(position)
        seen["games"] += 1
    if game.has_secrets:
        seen += leak.check(game, seats, seed, games)
    return seen


def _dealt(position: Position, places: set[int], rng: random.Random, seen: Counter[str]) -> int:
    """A card that can come, by the counts that a dealer goes by."""
    game, state = position.game, position.states[0]
    left = [int(n) for n in state["left"]]
    assert int(state["decision"]) == 0, f"while a card is due, the decision is {state['decision']}, not 0"
    assert sum(left) == int(state["left_total"]), f"left_total is {state['left_total']}, but left holds {sum(left)}"
    assert sum(left) > 0, "a card is due, and none is left"
    legal = list(position.legal)
    counted = [card for card, n in enumerate(left) if n]
    assert legal == counted, f"cards {legal} are legal, but left has {counted}"
    assert 0 <= position.place < MOST_PLACE, f"where is {position.place}, which is not from 0 to 2**56"
    assert position.place not in places, f"where is {position.place} for a second card of one game: the same luck twice"
    places.add(position.place)
    card = rng.choices(range(len(left)), left)[0]
    text = game.format_card(card)
    assert len(text.split()) == 1, f"the card {card} is written {text!r}, which is not one word"
    assert game.parse_card(text) == card, f"the card {card} is written {text!r}, which reads as {game.parse_card(text)}"
    seen["cards"] += 1
    return card


def _decided(position: Position, rng: random.Random, seen: Counter[str]) -> int:
    """A legal move of the seat that is asked, now and then the referee's FAULT."""
    game, seat = position.game, position.to_act
    assert 0 <= seat < position.seats, f"seat {seat} is to act at a table of {position.seats}"
    view, legal = position.view(seat), list(position.legal)
    assert legal, f"seat {seat} is asked, and no move is legal"
    assert list(view.legal) == legal, f"the view of seat {seat} offers {list(view.legal)}, the rules {legal}"
    for move in (*legal, FAULT):
        text = game.format_move(move)
        assert game.parse_move(text) == move, f"the move {move} is written {text!r}, which reads as another"
        tidy = text == " ".join(text.split()) and SPACE not in text and "|" not in text
        assert tidy, f"the move {move} is written {text!r}: texts are words with single spaces, without ~ and |"
        here = game.format_move_at(view, move) if move != FAULT else text
        assert game.parse_move_at(view, here) == move, f"the move {move} is written {here!r} here, and reads as another"
    seen["decisions"] += 1
    return rng.choice(legal) if rng.random() < 0.99 else FAULT


def _told(position: Position, events: list[GameEvent], seen: Counter[str]) -> None:
    """Whatever can be asked about a position has an answer."""
    game = position.game
    names = [f"player {seat}" for seat in range(position.seats)]
    for event in events:
        for seat in range(position.seats):
            assert event.seen_by(seat).text(names), f"{event} says nothing to seat {seat}"
    for seat in range(position.seats):
        view = position.view(seat)
        assert view.legal if position.to_act == seat else not view.legal, f"seat {seat} is offered a move out of turn"
        scene = game.scene(view, names)
        assert [place.name for place in scene.seats] == names, f"the scene has not all seats in order: {scene.seats}"
        assert [place.to_act for place in scene.seats] == [position.to_act == i for i in range(position.seats)]
        game.odds(view)
        chances = [coming.chance for coming in game.next_cards(view)]
        assert not chances or abs(sum(chances) - 1) < 1e-9, f"the chances of the next cards come to {sum(chances)}"
    seen["events"] += len(events)


def _ended(position: Position) -> None:
    """The tally of a finished game is one of shares, and stays within its columns."""
    game, seats, columns = position.game, position.seats, position.game.width
    rows = np.full((seats + 2, columns + 2), GUARD)
    game.loops.tally(position.states, rows)
    outside = chain(rows[seats:].flat, rows[:seats, columns:].flat)
    assert all(x == GUARD for x in outside), f"tally writes beyond its {columns} columns or {seats} seats"
    ended = int(position.states["ended"][0])
    assert ended != RUNNING, "the game is over, but ended is RUNNING"
    assert not position.legal, f"the game is over, but {position.legal} is legal"
    total = rows[:seats, SHARE].sum()
    assert abs(total - (ended != CUT)) < 1e-9, f"the shares of the win come to {total}"
