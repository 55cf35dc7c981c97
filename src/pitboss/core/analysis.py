"""What a game can say about good play: the port that a game implements, and the answers it gives.

A game returns its own `Analysis` from `Game.make_analysis`. One that does not is analysed by rollouts
(`pitboss.analysis.rollouts`), so hints, advice, blunders, regret and solutions exist for every game; of its own
`Analysis` a game must define `opinion` alone.

Answers are frozen objects with `to_dict`, for JSON; those that people read as a page have `report`, too: lines of text,
and grids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.core.errors import PitbossError
from pitboss.core.types import Data, GameView

if TYPE_CHECKING:
    from pitboss.core.bot import Entrant
    from pitboss.core.game import Game, Position

Progress = Callable[[int, int], None]  # done, in all


# --- one decision ---


def percents(first: float, second: float) -> tuple[str, str]:
    """Two shares as people read them, with as many digits as tell them apart.

    >>> percents(0.41, 0.36), percents(0.411, 0.408)
    (('41 %', '36 %'), ('41.1 %', '40.8 %'))
    """
    digits = 1 if round(100 * first) == round(100 * second) else 0
    return f"{100 * first:.{digits}f} %", f"{100 * second:.{digits}f} %"


def said_first(best: str, brings: str, other: str, other_brings: str) -> str:
    """What a person is told first.

    >>> said_first("hit", "wins 41 %", "staying", "36 %")
    'Hit. It wins 41 %, staying 36 %.'
    """
    return f"{best[:1].upper()}{best[1:]}. It {brings}, {other} {other_brings}."


@dataclass(frozen=True)
class MoveValue:
    """What one move of a decision is worth."""

    move: int
    text: str
    value: float
    win: float | None = None  # the chance to win after it, by a model, if that was asked for and is known
    ci95: tuple[float, float] | None = None  # of a value that was measured
    behind: tuple[float, float] | None = None  # of a measured value: 95 % interval of what the best move has more
    rollouts: int = 0  # in which the value was measured; 0: it was worked out

    def to_dict(self) -> Data:
        """For JSON."""
        measured = {"ci95": list(self.ci95 or ()) or None, "rollouts": self.rollouts} if self.rollouts else {}
        win = {} if self.win is None else {"win": self.win}
        return {"move": self.text, "value": self.value, **win, **measured}


@dataclass(frozen=True)
class Opinion:
    """What the legal moves of one decision are worth, and how that was found."""

    unit: str
    how: str
    moves: tuple[MoveValue, ...]
    grave: float  # what a move must lose to be called a blunder
    percent: bool = False  # whether values are shares, to be shown as per cent

    def value(self, move: int) -> float | None:
        """What a move is worth; None if nothing is known about it, as about a referee's ruling."""
        return next((worth.value for worth in self.moves if worth.move == move), None)

    def win(self, move: int) -> float | None:
        """The chance to win after a move, if it is known."""
        return next((worth.win for worth in self.moves if worth.move == move), None)

    @property
    def contenders(self) -> list[MoveValue]:
        """The moves that can be the best: of measured ones those that were not dropped on the way for being worse."""
        most = max(worth.rollouts for worth in self.moves)
        return [worth for worth in self.moves if worth.rollouts == most]

    @property
    def best(self) -> int:
        """The move that wins most, and of those that win as often the one that is worth most; of equal ones the
        last."""
        return max(reversed(self.contenders), key=lambda worth: (round(worth.win or 0.0, 6), worth.value)).move

    def lost(self, move: int) -> float:
        """What a move gives away, compared with the one of most value; nothing for a referee's ruling."""
        value = self.value(move)
        return 0.0 if value is None else max(max(worth.value for worth in self.contenders) - value, 0.0)

    def is_blunder(self, move: int) -> bool:
        """Whether a move gives much away, for certain, and does not win more often for that."""
        behind = next((worth.behind for worth in self.moves if worth.move == move), None)
        return self.lost(move) >= self.grave and move != self.best and (behind is None or behind[0] > 0)

    def format(self, value: float) -> str:
        """A value as people read it."""
        return f"{value:.1%}" if self.percent else f"{value:.2f}"

    def sentence(self, say: Callable[[int], str]) -> str:
        """What to do, and what the next best move would bring: the first thing that a person is told."""
        best = next(worth for worth in self.contenders if worth.move == self.best)
        known = all(worth.win is not None for worth in self.contenders)
        rest = [worth for worth in self.contenders if worth is not best]
        if not rest:
            return f"{say(best.move).capitalize()}."
        other = max(rest, key=lambda worth: (worth.win if known else None) or worth.value)
        if best.win is not None and other.win is not None:
            first, second = percents(best.win, other.win)
            return said_first(say(best.move), f"wins {first}", say(other.move), second)
        unit = "" if self.percent else f" {self.unit.partition(' (')[0]}"
        return said_first(
            say(best.move), f"is worth {self.format(best.value)}{unit}", say(other.move), self.format(other.value)
        )

    def to_dict(self) -> Data:
        """For JSON."""
        best = next(worth.text for worth in self.moves if worth.move == self.best)
        moves = [worth.to_dict() for worth in self.moves]
        return {"unit": self.unit, "how": self.how, "best": best, "grave": self.grave, "moves": moves}


@dataclass(frozen=True)
class Cost:
    """What a decision gave away: the move's worth beside that of a better one. Where worths are measured, `lost` is
    right on average, and may be less than nothing."""

    lost: float
    worth: float
    better: int
    worth_of_better: float


@dataclass(frozen=True)
class Outlook:
    """Each seat's chance to win from where a game stands, and how that was found."""

    chances: tuple[float, ...]  # shares of the win: together 1, unless nobody wins
    how: str
    half: float = 0.0  # of the 95 % interval of a chance that was measured; 0: by a model, or certain


@dataclass(frozen=True)
class Terms:
    """In what the costs of decisions are counted."""

    title: str  # of a table of them
    unit: str
    how: str
    per: str = "game"  # what they are averaged over
    exact: bool = False  # whether costs and earnings make up what best play would have earned


# --- whole games ---


@dataclass(frozen=True)
class BestFigure:
    """A figure of simulations, and what best play makes of it."""

    name: str
    about: str
    figure: str  # the name of a `Figure`
    value: float
    fewer: bool = False  # whether less is better


@dataclass(frozen=True)
class Benchmark:
    """What 100 % is: the figures of best play, to stand beside those of bots."""

    best: tuple[BestFigure, ...]
    meaning: str

    def to_dict(self) -> Data:
        """For JSON."""
        return {**{best.figure: best.value for best in self.best}, "meaning": self.meaning}


@dataclass(frozen=True)
class Grid:
    """A small table in a report."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Report = Sequence[str | Grid]


@dataclass(frozen=True)
class Goal:
    """What each choice is worth for one purpose."""

    name: str  # points
    about: str  # points a round
    purpose: str  # for the most points
    values: tuple[float, ...]
    best: int  # which of the choices
    percent: bool = False

    def format(self, value: float) -> str:
        """A value as people read it."""
        return f"{value:.1%}" if self.percent else f"{value:.2f}"


@dataclass(frozen=True)
class Advice:
    """What can be said to a person at a real table."""

    headline: str  # what to do, in a few words
    reason: str  # the same in a sentence, and for what it is best
    lines: tuple[str, ...] = ()  # what else there is to know
    risk: float | None = None  # that the next card does harm
    choices: tuple[str, ...] = ()
    goals: tuple[Goal, ...] = ()
    facts: Data = field(default_factory=dict)  # all that was found out, for programs

    def to_dict(self) -> Data:
        """For JSON."""
        return self.facts


class Solution(ABC):
    """What perfect play of a game is worth, or what was learned about it."""

    @abstractmethod
    def report(self) -> Report:
        """For people; the first line goes on after the name of the game."""

    @abstractmethod
    def to_dict(self) -> Data:
        """For JSON; `kind` says what it is."""


@dataclass(frozen=True)
class Described:
    """A real table as somebody describes it: cards as texts, with spaces; "-" is none."""

    hand: str = "-"
    seen: str = "-"
    discards: str = "-"
    totals: tuple[int, ...] = ()
    me: int = 0
    holds: tuple[str, ...] = ()  # what else the player has, by name


@dataclass(frozen=True)
class Problem:
    """What is to be solved; None where the game may choose."""

    seats: int | None = None
    objective: str | None = None
    against: str | None = None  # a bot: the best answer to it is wanted
    games: int | None = None  # to measure, where there is no exact answer
    seed: int = 1


# --- without Python ---

# What a line says of a move; numbers that there are not are NaN.
MOVE, VALUE, WIN, LOW, HIGH, TRIED = range(6)
SAID_COLUMNS = 6


@dataclass(frozen=True)
class AnswerKind:
    """What an answer is counted in, and how it is found: see `Opinion`."""

    unit: str
    how: str
    grave: float
    percent: bool = False


@dataclass(frozen=True)
class CompiledOpinion:
    """What compiled code can say about moves without Python, as on the page.

    `function(view, rules, seat, params, luck, lines)` fills a line of `SAID_COLUMNS` numbers for each move, and how
    many it has filled into lines[0, 0], the moves from lines[1] on. It returns which of the `kinds` its answer is, or
    -1 for none. `luck` is the checksum (CRC-32) of the bytes of the view, so that the same question gets the same
    answer.
    """

    function: Callable[..., int]
    params: Any  # numbers
    kinds: tuple[AnswerKind, ...]


class Analysis(ABC):
    """What a game knows about good play. Everything but `opinion` can be left as it is."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game

    @abstractmethod
    def opinion(self, view: GameView, *, chances: bool = False) -> Opinion | None:
        """What the moves of the seat whose view this is are worth, if anything can be said; from the view alone.

        With `chances` to win, where `knows_chances`; these may take longer."""

    def compiled(self) -> CompiledOpinion | None:
        """The same, chances included, as compiled code; None if that is not all compiled."""
        return None

    @property
    def knows_chances(self) -> bool:
        """Whether chances to win can be asked for beside the worth of moves."""
        return False

    @property
    def quick_chances(self) -> bool:
        """Whether they are known without working something out that takes long, such as a table for rules of one's
        own."""
        return self.knows_chances

    @property
    def sample(self) -> int:
        """Of how many decisions of a bot the cost is found out to judge the bot; fewer where each takes long."""
        return 150

    @property
    def terms(self) -> Terms:
        """In what costs are counted."""
        return Terms("Lost by single decisions", "what hints count in", "by the game's own analysis")

    def cost(self, position: Position, move: int) -> Cost | None:
        """What a move of the seat to act gives away; None where nothing can be said."""
        said = self.opinion(position.view(position.to_act))
        worth = said.value(move) if said else None
        if said is None or worth is None:
            return None
        best = max(reversed(said.contenders), key=lambda each: each.value)
        return Cost(said.lost(move), worth, best.move, best.value)

    def chance_cost(self, position: Position, move: int) -> Cost | None:
        """What a move of the seat to act gives away in chances to win; None where these are not known."""
        said = self.opinion(position.view(position.to_act), chances=True)
        wins = {each.move: each.win for each in said.moves if each.win is not None} if said else {}
        if move not in wins:
            return None
        better = max(reversed(wins), key=lambda each: wins[each])
        return Cost(wins[better] - wins[move], wins[move], better, wins[better])

    def outlook(self, position: Position) -> Outlook | None:
        """Everybody's chances to win from a position of which all is known, as of a game that is over; None where only
        rollouts can say."""
        return None

    def earned(self, position: Position) -> list[tuple[float, int]]:
        """Of a finished game, for each seat: what it earned in the unit of `terms`, in how many of what that counts
        `per`."""
        return [(0.0, 1)] * position.seats

    def benchmark(self, progress: Progress | None = None) -> Benchmark | None:
        """What best play makes of the figures of a simulation; None where that is not known or not comparable."""
        return None

    def advise(self, described: Described) -> Advice | None:
        """Advice from cards that somebody names; None if a table of this game cannot be described so."""
        return None

    def solve(self, problem: Problem, progress: Progress | None = None) -> Solution | None:
        """What perfect play is worth, found in the game's own way; None if the whole tree is to be solved."""
        return None

    def equilibrium(self) -> Entrant | None:
        """A bot that plays near equilibrium, for a game whose tree is too large; games of it are measured instead."""
        return None

    def train(
        self, file: Path | None, walks: int | None, seed: int, progress: Progress | None = None, threads: int = 1
    ) -> Solution:
        """Learn near-equilibrium play and write it to a file. With one thread the same seed gives the same file."""
        raise PitbossError(f"there is no near-equilibrium play of {self.game} to learn")
