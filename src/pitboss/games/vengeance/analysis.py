"""What Flip 7: With a Vengeance says about good play.

A lone player is told what a card and staying are worth in points of the round: exact, but for an Unlucky 7 that comes
later in it, which makes some thousandths of a point. At a table with others every decision is tried in playouts of the
round, and the totals are then worth a chance to win (`bots.playout`). These playouts end with the round, so they tell
moves apart with fewer tries than rollouts to the end of the game.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

import numpy as np

from pitboss.core.analysis import (
    MOVE,
    VALUE,
    Advice,
    Analysis,
    AnswerKind,
    Benchmark,
    BestFigure,
    CompiledOpinion,
    Cost,
    Described,
    Goal,
    MoveValue,
    Opinion,
    Problem,
    Progress,
    Solution,
    Terms,
    said_first,
)
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.game import Position
from pitboss.core.playouts import spread
from pitboss.core.types import Array, Floats, RulesRecord, StateRecord
from pitboss.games.vengeance.bots.counter import worth_of_hit
from pitboss.games.vengeance.bots.playout import AT_LEADER, standing
from pitboss.games.vengeance.bots.rollout import try_once
from pitboss.games.vengeance.cards import KINDS, LINE, MINUS_2, NAME, TEXT, parse_cards
from pitboss.games.vengeance.game import Vengeance
from pitboss.games.vengeance.solver.round import lone_round, solve
from pitboss.games.vengeance.state import HIT, HIT_OR_STAY, STAY, clashes
from pitboss.games.vengeance.view import VengeanceDecision, VengeanceView

PLAYOUTS, LEAST, FEWER = 6000, 200, 1200  # of all moves of a decision; of each, if they are many; for regret
GRAVE_POINTS, GRAVE_CHANCE = 2.0, 0.05
ALONE = "counting every card, to some thousandths of a point"
UNIT = "chances to win"


class VengeanceAnalysis(Analysis):
    """Exact points for a lone player, and chances to win, by playouts, for all others."""

    game: Vengeance

    def opinion(self, view: VengeanceView, *, chances: bool = False) -> Opinion | None:
        moves = list(view.legal)
        if not moves:
            return None
        if self.game.rules.solo:
            return self._alone(view)
        wins = self._try(view, moves, PLAYOUTS)
        count, best = wins.shape[1], int(wins.mean(axis=1).argmax())
        values = [
            MoveValue(
                move,
                self.game.format_move(move),
                float(wins[k].mean()),
                win=float(wins[k].mean()),
                ci95=_interval(wins[k]),
                behind=_interval(wins[best] - wins[k]),
                rollouts=count,
            )
            for k, move in enumerate(moves)
        ]
        return Opinion(UNIT, _how(count), tuple(values), GRAVE_CHANCE, percent=True)

    def compiled(self) -> CompiledOpinion | None:
        """For a lone player; chances to win are measured by rollouts there."""
        if not self.game.rules.solo:
            return None
        return CompiledOpinion(_say_alone, np.zeros(1), (AnswerKind("points", ALONE, GRAVE_POINTS),))

    def _alone(self, view: VengeanceView) -> Opinion | None:
        if view.decision is not VengeanceDecision.HIT_OR_STAY:
            return None
        hit = float(worth_of_hit(view.state, self.game.record[0], view.seat, -np.inf))
        moves = [MoveValue(STAY, "stay", float(view.points)), MoveValue(HIT, "hit", hit)]
        return Opinion("points", ALONE, tuple(moves), GRAVE_POINTS)

    def _try(self, view: VengeanceView, moves: Sequence[int], playouts: int) -> Floats:
        """What each move won in each playout, all of them with the same luck; the same question, the same answer."""
        values = np.zeros((len(moves), max(LEAST, playouts // len(moves))))
        params = np.concatenate([AT_LEADER, standing(self.game)])
        luck = np.uint64(zlib.crc32(view.state.tobytes()) << 16)
        _try_moves(view.state, self.game.record[0], np.array(moves, np.int64), luck, params, values)
        return values

    @property
    def terms(self) -> Terms:
        if self.game.rules.solo:
            return Terms("Points lost by hits and stays", "points", ALONE, "round", not self.game.rules.actions)
        return Terms("Chances to win lost by single decisions", UNIT, _how(LEAST))

    def cost(self, position: Position, move: int) -> Cost | None:
        if self.game.rules.solo:
            return super().cost(position, move)
        view = position.view(position.to_act)
        moves = list(view.legal)
        if move not in moves:
            return None
        wins, made, lost = self._try(view, moves, FEWER), moves.index(move), 0.0
        for half in (0, 1):  # choose by one half, value by the other: the best of what was seen would count luck
            chosen = int(wins[:, half::2].mean(axis=1).argmax())
            lost += float((wins[chosen] - wins[made])[1 - half :: 2].mean()) / 2
        means = wins.mean(axis=1)
        best = int(means.argmax())
        return Cost(lost, float(means[made]), moves[best], float(means[best]))

    def earned(self, position: Position) -> list[tuple[float, int]]:
        s = position.states[0]
        if not self.game.rules.solo:
            return super().earned(position)
        return [(float(s["total"][0]), int(s["round"]))]

    def benchmark(self, progress: Progress | None = None) -> Benchmark | None:
        """The best round of a lone player, of numbers alone.

        >>> from pitboss import load
        >>> [round(best.value, 4) for best in load("vengeance:solo").analysis.benchmark().best]
        [20.7339]
        """
        rules = self.game.rules
        if not rules.solo or rules.actions or rules.modifiers or rules.copies > 1:
            return None
        return Benchmark(
            (BestFigure("points", "points a round", "mean_round_score", _best_round(str(self.game))),),
            "best play with a fresh deck every round; counting cards can pass it",
        )

    def advise(self, described: Described) -> Advice:
        return advise(self.game, described)

    def solve(self, problem: Problem, progress: Progress | None = None) -> Solution | None:
        return solve(self.game, problem, progress)


@compiled
def _say_alone(s: StateRecord, r: RulesRecord, seat: int, params: Array, luck: np.uint64, lines: Array) -> int:
    """What a lone player is told, wholly compiled; see `CompiledOpinion`."""
    if int(s["decision"]) != HIT_OR_STAY:
        return -1
    lines[0, 0] = 2
    lines[1:3, :] = np.nan
    lines[1, MOVE], lines[1, VALUE] = STAY, int(s["points"][seat])
    lines[2, MOVE], lines[2, VALUE] = HIT, worth_of_hit(s, r, seat, -np.inf)
    return 0


@lru_cache(maxsize=8)
def _best_round(spec: str) -> float:
    from pitboss.core.registry import load

    game: Vengeance = load(spec)  # type: ignore[assignment]
    return lone_round(game, 0, 0, np.array(game.rules.deck)).hit


@compiled_as(inline=False)
def _try_moves(s: StateRecord, r: RulesRecord, moves: Array, luck: np.uint64, params: Array, values: Array) -> None:
    for i in range(values.shape[1]):
        try_once(s, r, moves, spread(luck, i), params, values[:, i])


def _how(count: int) -> str:
    return f"measured in {count:,} playouts of the round for each move, with all seats playing on as ev"


def _interval(values: Floats) -> tuple[float, float]:
    """Where the mean of what was measured lies, with 95 %."""
    mean, half = float(values.mean()), 1.96 * float(values.std()) / sqrt(len(values) - 1)
    return mean - half, mean + half


# --- advice from cards that somebody names ---


def advise(game: Vengeance, described: Described) -> Advice:
    """Hit or stay, for the most points, from the cards in front of a player and those seen elsewhere.

    >>> from pitboss import load
    >>> advise(load("vengeance"), Described("13 12 9", seen="13 11")).headline
    'Stay'
    """
    if described.holds:
        raise PitbossError(f"{game.name} has no {described.holds[0]}; name the cards in front of you alone")
    mine, seen = parse_cards(described.hand or "-"), parse_cards(described.seen or "-")
    gone = parse_cards(described.discards or "-")
    named = np.bincount([*mine, *seen, *gone], minlength=KINDS)
    for kind, there in enumerate(game.rules.deck):
        if named[kind] > there:
            raise PitbossError(f"you named {named[kind]} of the card {TEXT[kind]}, but {game} has {there or 'none'}")
    line, twin, left = *_line_of(mine), np.array(game.rules.deck) - named
    found = lone_round(game, line, twin, left)
    cards = int(left.sum())
    busts = sum(int(left[kind]) for kind in range(MINUS_2) if clashes(line, twin, kind))
    best = "hit" if found.hit > found.stay or line & 1 else "stay"
    reason = "The Zero must hit." if line & 1 else said_first(*_brings(best, found.hit, found.stay))
    lines = [f"{busts} of {cards} cards bust you: {busts / max(cards, 1):.1%}"]
    if not game.rules.solo:
        lines.append("What others do is left out: advise --live follows a whole table and tells chances to win.")
    values = (found.hit, found.stay)
    facts = {
        "game": str(game), "best": best, "hit": found.hit, "stay": found.stay, "busts": busts, "cards": cards,
    }  # fmt: skip
    goal = Goal("points", "points of the round", "for the most points", values, int(best == "stay"))
    return Advice(best.capitalize(), reason, tuple(lines), busts / max(cards, 1), ("hit", "stay"), (goal,), facts)


def _brings(best: str, hit: float, stay: float) -> tuple[str, str, str, str]:
    """The words of the sentence that is said first."""
    if best == "hit":
        return "hit", f"is worth {hit:.2f} points", "staying", f"{stay:.0f}"
    return "stay", f"is worth {stay:.0f} points", "hitting", f"{hit:.2f}"


def _line_of(cards: list[int]) -> tuple[int, int]:
    """The bits of a line in which these cards lie, or a sentence that says why they cannot."""
    line = twin = 0
    for kind in sorted(cards):
        if kind >= LINE:
            raise PitbossError(f"a {NAME[kind]} cannot lie in front of you: name it among the cards seen")
        if kind < MINUS_2 and clashes(line, twin, kind):
            raise PitbossError(f"your cards have another {NAME[kind]}: that is a bust")
        twin |= line & 1 << kind
        line |= 1 << kind
    return line, twin
