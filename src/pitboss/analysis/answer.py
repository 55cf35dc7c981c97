"""What can be said about a table: exactly where that can be, else by near-equilibrium play.

This is what `pitboss solve` prints.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitboss.core.bot import Entrant
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.step import OUTRIGHT
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver import best
from pitboss.games.show.bots.cfr import Table, cfr_bot, learn, shipped
from pitboss.games.show.game import Show
from pitboss.games.show.rules import WHOLE_DECK
from pitboss.run.batch import simulate
from pitboss.stats.intervals import mean

Progress = Callable[[int, int], None]

WALKS = 16_000_000  # of a training: from half a minute to two on a core, by the length of the games
EXACT_ITERATIONS = 1000  # of CFR+ on the tree of a small deck


def answer(
    game: Game,
    games: int,
    seed: int,
    progress: Progress | None = None,
    *,
    seats: int | None = None,
    objective: str | None = None,
    against: str | None = None,
) -> dict[str, Any]:
    """The facts about a table, for JSON; `kind` says what they are."""
    if isinstance(game, Flip7):
        return best.answer(game, seats, objective, against, progress)
    show = _show(game)
    if objective is not None or against is not None:
        raise PitbossError(f"{game} has one objective, to win; --objective and --against are for Flip 7")
    if seats is not None:
        game.verify_seats(seats)
    return measured(show, games, seed, progress) if show.rules.deck == WHOLE_DECK else exact(show)


def train(game: Game, file: Path | None, walks: int, seed: int, progress: Progress | None = None) -> dict[str, Any]:
    """Learn a table of near-equilibrium play and write it; by default where the bot `cfr` looks for it."""
    show = _show(game)
    if file is None and walks != WALKS:
        raise PitbossError("say where to write a table of your own: --out FILE; the bot is then cfr(file=FILE)")
    path = file or shipped(show)
    table = learn(show, walks, seed, progress)
    table.save(path)
    return {"kind": "trained", "game": str(game), "walks": walks, "seed": seed, "sets": len(table),
            "file": str(path), "bytes": path.stat().st_size}  # fmt: skip


def exact(game: Show) -> dict[str, Any]:
    """The value of a small deck by linear programming, and how far CFR's play of it is from perfect."""
    try:
        from pitboss.analysis.trees.lp import solve
    except ImportError as problem:
        raise PitbossError("exact answers need SciPy: pip install 'pitboss[solve]'") from problem
    from pitboss.analysis.trees.policy import cfr_plus, expected_value, exploitability

    solution = solve(game)
    policy = cfr_plus(solution.tree, EXACT_ITERATIONS)
    return {
        "kind": "exact",
        "game": str(game),
        "value": solution.value + 0.0,  # no -0.0
        "cfr": {
            "iterations": EXACT_ITERATIONS,
            "value": expected_value(solution.tree, policy),
            "exploitability": exploitability(solution.tree, policy),
        },
        "nodes": solution.tree.nodes,
        "information_sets": solution.tree.sets,
    }


def measured(game: Show, games: int, seed: int, progress: Progress | None = None) -> dict[str, Any]:
    """Near-equilibrium play against itself, seats as they are: who gains from what."""
    params = Table.load(shipped(game)).params()
    player = Entrant("cfr", function=cfr_bot, params=params, trusted=True)
    result = simulate(game, [player, player], games, seed, rotate=False, progress=progress)
    data = result.to_dict()
    first, second = data["bots"]
    for n, player_data in enumerate((first, second)):
        won = float(result.sums.columns[n, OUTRIGHT])
        player_data["won"] = mean(won, won, result.games)  # of ones and zeros the squares add up to the same
    return {
        "kind": "measured",
        "game": str(game),
        "games": result.games,
        "seed": seed,
        "value": first["payoff"],
        "turns_per_game": data["turns_per_game"],
        "ties": first["ties"] / result.games,
        "deck_out_rate": data["deck_out_rate"],
        "players": [
            {"player": n, "wins": p["won"].mean, "ci95": p["won"].ci95, "calls": p["call_rate"],
             "calls_won": p["caller_win_rate"]}
            for n, p in ((1, first), (2, second))
        ],
    }  # fmt: skip


def _show(game: Game) -> Show:
    if not isinstance(game, Show):
        raise PitbossError(
            f"there is no near-equilibrium play of {game} to learn; there is of show:classic, show:full and show:fair"
        )
    return game
