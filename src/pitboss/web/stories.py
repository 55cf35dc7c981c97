"""What is told of a game when it is over, step by step: chances to win, and what decisions cost (`analysis.story`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pitboss.analysis.story import judge, outlook
from pitboss.core.game import Game, Position
from pitboss.web.finished import PlayedGame
from pitboss.web.hints import Made, in_words

MOST = 600  # steps of a game whose story is told; of a longer one, as many spread over all of it


class StoryDecision(BaseModel):
    """A decision beside the best that it could have been."""

    seat: int
    played: str
    better: str = Field(description="The best move; the same if that was made.")
    lost: float = Field(description="What was given away.")
    ahead: float = Field(description="Of the best move: how much more it was worth than the next best.")
    certain: bool = Field(description="Whether the difference is more than luck in measuring it.")
    unusual: bool = Field(description="Whether the bot of the rollouts would have done something else.")
    policy: str = Field(description="That bot.")
    unit: str
    percent: bool
    how: str


class StoryPoint(BaseModel):
    """How a game stood after a step, and the decision that led there, if one did."""

    step: int
    chances: list[float] = Field(description="Each seat's chance to win, estimated.")
    half: float = Field(description="Of the 95 % interval of a chance that was measured; 0: by a model, or certain.")
    how: str
    text: str = Field(description="What happened, in words.")
    by: int | None = Field(description="Who moved; null for the dealer, and for the start.")
    decision: StoryDecision | None = None


@dataclass(frozen=True)
class StoryStep:
    """A step whose story is to be told."""

    number: int
    position: Position
    text: str
    made: Made | None


def steps_of(played: PlayedGame) -> list[int]:
    """The steps that are told: all of them, or as many as fit, chapters first."""
    last = len(played.before) - 1
    if last < MOST:
        return list(range(last + 1))
    chosen = {chapter["step"] for chapter in played.data["chapters"][:MOST]} | {0, last}
    spread = [round(i * last / MOST) for i in range(MOST)]
    rest = [step for step in spread if step not in chosen][: MOST - len(chosen)]
    return sorted({*chosen, *rest})


def story_step(played: PlayedGame, number: int) -> StoryStep:
    """What is needed to tell of a step."""
    decided = number > 0 and played.before[number - 1].to_act >= 0
    lines = played.data["events"][played.data["steps"][number]["events"][0]]
    told = [text for text, major in lines if major] or [text for text, _ in lines] or [""]
    made = played.decision(number) if decided else None
    return StoryStep(number, played.before[number], told[-1].strip("- "), made)


def tell(game: Game, steps: Sequence[StoryStep], labels: Sequence[str]) -> list[StoryPoint]:
    """The story of some steps."""
    return [_tell(game, step, labels) for step in steps]


def _tell(game: Game, step: StoryStep, labels: Sequence[str]) -> StoryPoint:
    seen = outlook(game, step.position)
    decision = _judged(game, step.made, labels) if step.made else None
    return StoryPoint(
        step=step.number, chances=list(seen.chances), half=seen.half, how=seen.how, text=step.text,
        by=step.made.before.to_act if step.made else None, decision=decision,
    )  # fmt: skip


def _judged(game: Game, made: Made, labels: Sequence[str]) -> StoryDecision | None:
    found = judge(game, made.before, made.move)
    if found is None:
        return None
    seat = made.before.to_act
    view = made.before.view(seat)
    played, better = (in_words(game, view, move, labels) for move in (made.move, found.better))
    return StoryDecision(
        seat=seat, played=played, better=better, lost=found.lost, ahead=found.ahead, certain=found.certain,
        unusual=found.usual != made.move, policy=found.policy, unit=found.unit, percent=found.percent, how=found.how,
    )  # fmt: skip
