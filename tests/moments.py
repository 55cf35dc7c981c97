"""What a replay of Flip 7 shows at each step, worked out by the rules alone."""

from dataclasses import replace

from pitboss.core.game import Position
from pitboss.core.step import DEALER


def moments(record):
    """Each step's position to be seen and its events: a round ends with its cards on the table, and the next begins
    with the step after it."""
    carried = []
    for step, (position, events, _) in enumerate(record.replay()):
        starts = next((i for i, event in enumerate(events) if step and event.kind == "round started"), None)
        if starts is None:
            yield position.copy(), [*carried, *events]
            carried = []
        else:
            yield at_the_end_of(record, int(position.states["round"][0]) - 1, step), [*carried, *events[:starts]]
            carried = events[starts:]


def at_the_end_of(record, number, steps) -> Position:
    """The same cards and moves under rules by which this round is the last."""
    game = type(record.game)(replace(record.game.rules, max_rounds=number))
    position, cards, moves = game.start(len(record.seats)), iter(record.cards), iter(record.moves)
    for _ in range(steps):
        position.apply(next(cards if position.to_act == DEALER else moves))
    return position
