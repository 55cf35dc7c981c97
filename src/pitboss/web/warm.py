"""Compile what a first visitor would wait for."""

from __future__ import annotations

import sys

from pitboss.analysis import analysis_of
from pitboss.core.play import play
from pitboss.core.registry import game_classes


def warm() -> None:
    """Play one short game of each kind, and form one opinion about it."""
    for kind in game_classes(lambda why: print(f"Left out: {why}", file=sys.stderr)).values():
        game = kind.parse("")
        record = play(game, (game.default_bots() * game.rules.seats[0])[: max(game.rules.seats[0], 2)], seed=1)
        for position, _, _ in record.replay():
            if position.to_act >= 0:
                analysis = analysis_of(game)
                analysis.opinion(position.view(position.to_act), chances=analysis.knows_chances)
                break
