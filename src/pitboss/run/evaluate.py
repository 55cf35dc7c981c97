"""How good is a bot? The same protocol for everybody: fixed tables, opponents, deals and numbers of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.notebook import html_table, share
from pitboss.core.registry import game_class, games, load
from pitboss.core.task import Task
from pitboss.core.types import Data
from pitboss.run.batch import Result, simulate
from pitboss.stats.intervals import Estimate

Progress = Callable[[int, int], None]  # games done, games in all


@dataclass(frozen=True)
class Line:
    """One figure: the share of wins against an opponent, or what somebody who plays alone makes."""

    what: str
    found: Estimate
    games: int
    percent: bool

    def to_dict(self) -> Data:
        """For JSON."""
        return {"what": self.what, **self.found.to_dict(), "games": self.games}


@dataclass(frozen=True)
class Evaluation:
    """What a bot makes of a task."""

    task: Task
    bot: str
    lines: tuple[Line, ...]

    @property
    def even(self) -> float:
        """The share that equal bots would have."""
        return 1 / self.task.seats

    @property
    def overall(self) -> Line:
        """One number: the mean over all opponents, or the first figure of somebody who plays alone.

        The deals against different opponents are different ones, so variances add up."""
        if not self.task.opponents:
            return self.lines[0]
        ends = [(line.found.low or 0.0, line.found.high or 1.0) for line in self.lines]
        mean = sum(line.found.mean for line in self.lines) / len(self.lines)
        half = sqrt(sum(((high - low) / 2) ** 2 for low, high in ends)) / len(self.lines)
        found = Estimate(mean, max(mean - half, 0.0), min(mean + half, 1.0))
        return Line("all opponents", found, sum(line.games for line in self.lines), percent=True)

    def to_dict(self) -> Data:
        """For JSON."""
        task = {"task": self.task.name, "table": self.task.table, "seats": self.task.seats, "seed": self.task.seed}
        even = {"even": self.even} if self.task.opponents else {}
        return {**task, "bot": self.bot, **even, "overall": self.overall.to_dict(),
                "lines": [line.to_dict() for line in self.lines]}  # fmt: skip

    def _repr_html_(self) -> str:
        rows = [[line.what, share(line.found.mean, line.found.ci95), line.games] for line in self.lines]
        return html_table(["against", "share of wins (95 %)", "games"], rows, f"{self.bot} at {self.task.name}")


def tasks_of(game: str) -> tuple[Task, ...]:
    """The tasks of a game: its own, or, where it says nothing, its first table with the fewest players."""
    kind: type[Game] = game_class(game)
    if kind.tasks:
        return kind.tasks
    table = load(game)
    seats = max(table.rules.seats[0], min(2, table.rules.seats[-1]))
    return (Task(f"{game}-v1", str(table), seats, tuple(dict.fromkeys(table.rivals())) if seats > 1 else ()),)


def all_tasks() -> dict[str, Task]:
    """The tasks of all installed games, by name."""
    return {task.name: task for game in games() for task in tasks_of(game)}


def find_task(name: str) -> Task:
    """The task of this name."""
    known = all_tasks()
    if name not in known:
        raise PitbossError(unknown("task", name, list(known)))
    return known[name]


def table(found: Sequence[Evaluation]) -> list[list[str]]:
    """What bots make of one task as the cells of a table, the best first, below a row of heads."""
    alone = not found[0].task.opponents
    ranked = sorted(found, key=lambda each: each.overall.found.mean if alone else -each.overall.found.mean)
    lines = [[*each.lines] if alone else [each.overall, *each.lines] for each in ranked]
    heads = ["bot", *(line.what for line in lines[0])]
    return [heads, *([each.bot, *map(_text, its)] for each, its in zip(ranked, lines, strict=True))]


def markdown(found: Sequence[Evaluation]) -> str:
    """The same for a page in Markdown."""
    heads, *rows = table(found)
    lines = [heads, ["---"] * len(heads), *([f"`{bot}`", *cells] for bot, *cells in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _text(line: Line) -> str:
    value, ends = line.found.mean, line.found.ci95
    if line.percent:
        return f"{100 * value:.1f} %" + (f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f})" if ends else "")
    return f"{value:.3f}" + (f" ({ends[0]:.3f} to {ends[1]:.3f})" if ends else "")


def evaluate(bot: str, task: str | Task, progress: Progress | None = None, threads: int | None = None) -> Evaluation:
    """Play a task: the same deals and opponents for every bot, each deal in all rotations of the seats.

    >>> found = evaluate("stay-25", Task("short", "flip7:numbers", 2, ("stay-20", "random"), games=200))
    >>> [line.what for line in found.lines], found.lines[1].found.mean > 0.8
    (['stay-20', 'random'], True)
    """
    task = find_task(task) if isinstance(task, str) else task
    seatings, lines = task.rounds or (("", task.seed),), list[Line]()
    for number, (opponent, seed) in enumerate(seatings):

        def step(done: int, _: int, before: int = number * task.games) -> None:
            if progress:
                progress(before + done, len(seatings) * task.games)

        line_up = [bot, *[opponent] * (task.seats - 1)]
        result = simulate(task.table, line_up, task.games, Key.from_seed(seed), threads, progress=step)
        if result.interrupted:
            raise KeyboardInterrupt
        lines += [_against(opponent, result)] if opponent else _alone(result)
    return Evaluation(task, bot, tuple(lines))


def _against(opponent: str, result: Result) -> Line:
    return Line(opponent, result.win_share(0), result.games, percent=True)


def _alone(result: Result) -> list[Line]:
    return [Line(f.about, result.sums.figure(f, 0), result.games, f.percent) for f in result.game.figures]
