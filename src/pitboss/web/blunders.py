"""The decisions of a game that gave much away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pitboss.analysis import analysis_of
from pitboss.core.game import Game, Position


class Blunder(BaseModel):
    """A decision that gave much away."""

    step: int = Field(description="The step that it led to.")
    seat: int
    played: str
    better: str
    lost: float
    unit: str
    percent: bool = Field(description="Whether what was lost is a share, to be shown as per cent.")


@dataclass(frozen=True)
class Made:
    """A decision of a recorded game: the step that it led to, the table before it, and the move."""

    step: int
    before: Position
    move: int


def blunders(game: Game, made: Sequence[Made], labels: Sequence[str], *, chances: bool) -> list[Blunder]:
    """Those of some decisions that gave much away, where that can be said."""
    out, analysis = [], analysis_of(game)
    for each in made:
        view = each.before.view(each.before.to_act)
        said = analysis.opinion(view, chances=chances)
        if said and said.is_blunder(each.move):
            blunder = Blunder(
                step=each.step,
                seat=each.before.to_act,
                played=game.describe_move(view, each.move, labels),
                better=game.describe_move(view, said.best, labels),
                lost=said.lost(each.move),
                unit=said.unit,
                percent=said.percent,
            )
            out.append(blunder)
    return out
