"""What best play of Flip 7 is worth: in a round, in the race to the target, in the duel of two.

This is what `pitboss solve flip7:…` prints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.core.errors import PitbossError, unknown
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.duel import best_response, duel
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.solver.oracle import Outcome, solve_round
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.solver.rounds import opponent

Progress = Callable[[int, int], None]

OBJECTIVES = ("points", "rounds")


def answer(
    game: Flip7, seats: int | None, objective: str | None, against: str | None, progress: Progress | None = None
) -> dict[str, Any]:
    """The facts about one player, whose rounds begin with a fresh deck, or about two, for JSON."""
    if seats is None and game.rules.solo:
        seats = 1
    if seats == 2 and not game.rules.solo:
        if objective is not None:
            raise PitbossError("two players have one objective, to win; --objective is for --seats 1")
        return _answer_to(game, against, progress) if against else _best_duel(game, progress)
    if seats != 1:
        raise PitbossError(f"{game} can be solved for --seats 1, a lone player, or --seats 2, who play for the win")
    if against is not None:
        raise PitbossError("--against names the other of two players: it needs --seats 2, and a rule book for two")
    if objective is not None and objective not in OBJECTIVES:
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


def _best_duel(game: Flip7, progress: Progress | None) -> dict[str, Any]:
    """The chance to win for two who play their rounds alone, in equilibrium."""
    found = duel(game, progress)
    return {**_duel_facts(found.game, found.wins), "gap": found.gap}


def _answer_to(game: Flip7, against: str, progress: Progress | None) -> dict[str, Any]:
    """The same for the best answer to a bot."""
    return {**_duel_facts(game, best_response(game, opponent(game, against), progress)), "against": against}


def _duel_facts(game: Flip7, wins: Floats) -> dict[str, Any]:
    return {
        "kind": "duel",
        "game": str(game),
        "seats": 2,
        "objective": "win",
        "value": float(wins[0, 0]),
        "wins": [[float(p) for p in row] for row in wins],
    }


def _ends(outcome: Outcome) -> dict[str, Any]:
    """How a round ends; of a race, the first."""
    scores = {str(points): p for points, p in outcome.scores().items()}
    return {"bust": outcome.bust, "flip7": outcome.flip7, "cards": outcome.cards, "scores": scores}
