"""What moves and games are worth, for any game.

A game's own `Analysis` (`pitboss.core.analysis`) answers where it has one; where it has none, `rollouts` try each move.
`regret` adds up what decisions cost, `solve` says what perfect play is worth, and `trees` writes small games out.
"""

from __future__ import annotations

from pitboss.core.analysis import Analysis
from pitboss.core.game import Game


def analysis_of(game: Game) -> Analysis:
    """What a game says about good play, or else what rollouts say.

    >>> from pitboss import load
    >>> position = load("flip7:solo").start(1)
    >>> said = analysis_of(position.game).opinion(position.view(0))
    >>> position.game.format_move(said.best), round(said.value(said.best), 1)
    ('hit', 20.2)
    """
    if game.analysis is not None:
        return game.analysis
    from pitboss.analysis.rollouts import Rollouts

    return Rollouts(game)
