"""What a finished game was like: everybody's chances to win as it went on, and what its decisions cost or won.

Both are found one step at a time, by the game's own `Analysis` or else by rollouts, so that a page can show how far it
is. The page then picks what is worth telling (`render/story.js`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pitboss.analysis import analysis_of
from pitboss.analysis.rollouts import Rollouts
from pitboss.core.analysis import MoveValue, Outlook
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.core.registry import load

CERTAIN = "certain: the game is over"
ALONE = "certain: nobody else plays"
BY_A_MODEL = "by a model of the other players"


def outlook(game: Game, position: Position) -> Outlook:
    """Everybody's chances to win from a position, every card lying where it lies.

    >>> from pitboss import load
    >>> found = outlook(load("flip7:official"), load("flip7:official").start(3))
    >>> [round(chance, 3) for chance in found.chances]
    [0.333, 0.333, 0.333]
    """
    if position.over:
        return Outlook(tuple(position.outcome.shares), CERTAIN)
    if position.seats == 1:
        return Outlook((1.0,), ALONE)
    return analysis_of(game).outlook(position) or Rollouts(game).outlook(position)


@dataclass(frozen=True)
class Judgement:
    """A decision compared with the best move it could have been."""

    better: int  # the best move: the one that was made, if that was the best
    lost: float  # what was given away
    ahead: float  # if it was the best move: how much more it was worth than the next
    certain: bool  # whether luck in measuring can be left out as the reason for either
    blunder: bool  # whether it gave much away
    usual: int  # what the bot of the rollouts would have done; the same, if that plays any move
    policy: str  # its name
    unit: str
    percent: bool  # whether it is counted in shares
    how: str


def judge(game: Game, position: Position, move: int) -> Judgement | None:
    """What a decision cost, seen from the seat that made it; None where nobody can say, or there was one move only.

    In chances to win where the game knows them at once, else in what its hints count in.

    >>> from pitboss import load
    >>> table = load("flip7:solo").start(1)
    >>> for entry in ("hit", "12", "hit", "10", "hit", "11"):
    ...     _ = table.apply(entry)
    >>> found = judge(table.game, table, table.game.parse_move("hit"))
    >>> found.blunder, table.game.format_move(found.better), found.unit
    (True, 'stay', 'points')
    """
    analysis = analysis_of(game)
    said = analysis.opinion(position.view(position.to_act), chances=analysis.quick_chances)
    if said is None or len(said.moves) < 2 or said.value(move) is None:
        return None
    if all(worth.win is not None for worth in said.moves):
        worth = {worth.move: worth.win or 0.0 for worth in said.moves}
        unit, percent, how = "chances to win", True, said.how if said.percent else BY_A_MODEL
    else:
        worth = {worth.move: worth.value for worth in said.moves}
        unit, percent, how = said.unit, said.percent, said.how
    contenders = [each.move for each in said.contenders]
    best = max(reversed(contenders), key=lambda each: worth[each])
    lost = max(worth[best] - worth[move], 0.0)
    next_best = max((each for each in worth if each != best), key=lambda each: worth[each])
    ahead = max(worth[best] - worth[next_best], 0.0) if move == best else 0.0
    other = next(each for each in said.moves if each.move == (next_best if move == best else move))
    usual = _usual(str(game), position.seats)
    policy = usual.entrants[0]
    return Judgement(
        better=best, lost=lost, ahead=ahead, certain=_certainly_behind(other), blunder=said.is_blunder(move),
        usual=move if policy.make else usual.decide(position, position.to_act), policy=policy.name,
        unit=unit, percent=percent, how=how,
    )  # fmt: skip


@lru_cache(maxsize=8)
def _usual(spec: str, count: int) -> Seats:
    """The bot of the rollouts at every seat."""
    game = load(spec)
    seats = Seats(game, [Rollouts(game).policy] * count)
    seats.start(Key.from_seed(1), 0, 0)
    return seats


def _certainly_behind(worth: MoveValue) -> bool:
    return worth.behind[0] > 0 if worth.behind else worth.ci95 is None
