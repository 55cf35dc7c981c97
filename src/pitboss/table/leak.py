"""A test for any game: does a seat learn what it may not know?

Games are played at random. After every step each seat's view is turned into worlds that fit it, in
which everything the seat cannot see is dealt anew. In such a world

- the seat's view is the same, to the last bit, and so are its legal moves and what it is shown;
- the same next move tells the seat the same story exactly if it leaves it with the same view: nothing
  changes in a view without an event that says so, and no event tells what the view does not.

`check` raises AssertionError, with the position, where that does not hold.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from pitboss.table.game import Game, Position
from pitboss.table.step import DEALER


def check(game: Game, seats: int, seed: int, games: int = 10, worlds: int = 2) -> Counter[str]:
    """Play games at random and look for leaks; what was compared, counted."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(games):
        position = game.start(seats)
        position.events()
        while not position.over:
            move = rng.choice(list(position.legal))
            for seat in range(seats):
                for _ in range(worlds):
                    _compare(position, seat, move, rng.getrandbits(64), seen)
            position.apply(move)
    assert seen["other worlds"] or not game.has_secrets, f"{game} has secrets, but no view of a seat ever hid anything"
    return seen


def _compare(position: Position, seat: int, move: int, luck: int, seen: Counter[str]) -> None:
    game = position.game
    names = [f"player {i}" for i in range(position.seats)]
    view = position.view(seat)
    world = game.imagine(view, luck)
    same = world.view(seat)
    assert _bits(world, seat) == _bits(position, seat), f"a view tells what seat {seat} cannot know: {position.states}"
    assert game.scene(same, names) == game.scene(view, names)
    assert same.question == view.question
    if position.to_act != DEALER:
        assert list(world.legal) == list(position.legal), f"legal moves tell seat {seat} a secret"
    seen["views"] += 1
    seen["other worlds"] += bool(world.states != position.states)
    if move not in world.legal:
        return
    real = position.copy()
    told = [event.seen_by(seat) for event in real.apply(move)]
    told_there = [event.seen_by(seat) for event in world.apply(move)]
    alike = _bits(real, seat) == _bits(world, seat)
    assert (told == told_there) == alike, f"events and view disagree for seat {seat}: {told} / {told_there}"
    seen["moves that tell nothing" if alike else "moves that tell something"] += 1


def _bits(position: Position, seat: int) -> Any:
    position.view(seat)
    return position.views.tobytes()
