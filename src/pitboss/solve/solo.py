"""What can be said exactly about one player of Flip 7: the best round, and the race to the target.

This is what `pitboss solve flip7:… --seats 1` prints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.flip7.game import Flip7
from pitboss.solve.oracle import Outcome, solve_round
from pitboss.solve.race import race
from pitboss.table.errors import PitbossError, unknown

Progress = Callable[[int, int], None]

OBJECTIVES = ("points", "rounds")


def answer(game: Flip7, seats: int | None, objective: str, progress: Progress | None = None) -> dict[str, Any]:
    """The facts about a lone player's round from a fresh deck, for JSON."""
    if seats != 1 and not (seats is None and game.rules.solo):
        raise PitbossError(f"{game} cannot be solved for several seats yet; --seats 1 solves it for one player")
    if objective not in OBJECTIVES:
        raise PitbossError(unknown("objective", objective, OBJECTIVES))
    return _best_race(game, progress) if objective == "rounds" else _best_round(game, progress)


def _best_round(game: Flip7, progress: Progress | None) -> dict[str, Any]:
    """The most points of a round, on average. What a lone player draws it puts on itself."""
    found = solve_round(game, progress=progress)
    outcome = found.follow(progress)
    return {
        "kind": "round",
        "game": str(game),
        "seats": 1,
        "objective": "points",
        "value": found.value,
        **_ends(outcome),
        "hands": found.hands,
    }


def _best_race(game: Flip7, progress: Progress | None) -> dict[str, Any]:
    """The fewest rounds to the target, on average, with a fresh deck each round."""
    found = race(game, progress)
    outcome = found.outcome()
    return {
        "kind": "race",
        "game": str(game),
        "seats": 1,
        "objective": "rounds",
        "value": float(found.rounds[0]),
        **_ends(outcome),
        "points": outcome.mean,
        "rounds": [float(n) for n in found.rounds],
    }


def _ends(outcome: Outcome) -> dict[str, Any]:
    """How a round ends; of a race, the first."""
    scores = {str(points): p for points, p in outcome.scores().items()}
    return {"bust": outcome.bust, "flip7": outcome.flip7, "cards": outcome.cards, "scores": scores}
