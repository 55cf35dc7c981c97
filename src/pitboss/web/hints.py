"""Hints and blunders: the odds of the next card, what each move is worth, and which decisions gave much away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import BaseModel, Field

from pitboss.analysis import analysis_of
from pitboss.core.game import Game, Position
from pitboss.core.types import Data, GameView


class ComingCard(BaseModel):
    """A card that may come next."""

    face: Data
    chance: float
    harm: str = Field(description="What it would do to you, if that is bad.")


class Worth(BaseModel):
    """What a move is worth."""

    move: str
    text: str
    value: float
    ci95: tuple[float, float] | None = Field(None, description="Of a value that was measured.")
    rollouts: int = Field(0, description="In which it was measured.")
    win: float | None = Field(
        None, description="The chance to win after it, by a model; null if not asked or not known."
    )
    best: bool
    blunder: bool = Field(False, description="Whether it gives much away, for certain.")


class Hint(BaseModel):
    """Everything about one decision."""

    seat: int
    question: str
    advice: str = Field(default="", description="What to do, in a sentence; empty where nobody can say.")
    odds: list[str] = Field(description="The chances in words.")
    coming: list[ComingCard]
    worth: list[Worth] = Field(description="Empty where nobody can say.")
    unit: str = Field(default="", description="In what moves are valued.")
    percent: bool = Field(default=False, description="Whether values are shares, to be shown as per cent.")
    how: str = Field(default="", description="How the values were found, and what they leave out.")
    grave: float = Field(default=0.0, description="What a move must lose to be called a blunder.")
    more: bool = Field(default=False, description="Whether chances to win are known, too, if they are asked for.")
    note: str = Field(default="", description="What was asked for and left out, and why; empty if nothing was.")


def in_words(game: Game, view: GameView, move: int, names: Sequence[str]) -> str:
    """What a move means, without the sign that it is typed by in a terminal: `ev`, not `@1 ev`."""
    return game.describe_move(view, move, names).removeprefix(f"{game.format_move(move)} ")


def advised(game: Game, view: GameView, move: int, names: Sequence[str]) -> str:
    """A move as advice: where it is a player, the name alone would read as if that player won."""
    text = in_words(game, view, move, names)
    return f"choose {text}" if text in names else text


def hint(game: Game, position: Position, seat: int, names: Sequence[str], *, chances: bool = False) -> Hint:
    """What can be said about the decision of a seat, from its view alone."""
    view = position.view(seat)
    analysis = analysis_of(game)
    said = analysis.opinion(view, chances=chances)
    coming = sorted(game.next_cards(view), key=lambda card: -card.chance)
    found = Hint(
        seat=seat,
        question=view.question,
        odds=game.odds(view),
        coming=[ComingCard(face=asdict(card.face), chance=card.chance, harm=card.harm) for card in coming],
        worth=[],
        more=not chances and analysis.knows_chances,
    )
    if said is None:
        return found
    worth = [
        Worth(
            move=each.text, text=in_words(game, view, each.move, names), value=each.value, ci95=each.ci95,
            rollouts=each.rollouts, win=each.win, best=each.move == said.best, blunder=said.is_blunder(each.move),
        )
        for each in said.moves
    ]  # fmt: skip
    told = {"advice": said.sentence(lambda move: advised(game, view, move, names)), "worth": worth}
    same = {name: getattr(said, name) for name in ("unit", "percent", "how", "grave")}
    return found.model_copy(update=told | same)


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
                played=in_words(game, view, each.move, labels),
                better=in_words(game, view, said.best, labels),
                lost=said.lost(each.move),
                unit=said.unit,
                percent=said.percent,
            )
            out.append(blunder)
    return out
