"""`pitboss evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, print_json
from pitboss.cli.options import Json
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitboss.cli.screen import Screen
    from pitboss.core.task import Task
    from pitboss.run.evaluate import Evaluation


def evaluate(
    bots: Annotated[
        list[str] | None,
        Argument(metavar="BOT…", help="Built-in bots, agent:official, agent:mine.npz or mine.py:MyBot."),
    ] = None,
    task: Annotated[
        list[str] | None, Option(metavar="NAME", help="The task; repeat it for several. Without one, tasks are listed.")
    ] = None,
    markdown: Annotated[bool, Option("--markdown", help="Print a table for a page in Markdown.")] = False,
    json: Json = False,
) -> None:
    """Measure bots at a task: a fixed table, fixed opponents, fixed deals, so that figures of different people compare.

    A task never changes; a change makes a new version of it. Bots from files play in this process, without a
    sandbox: evaluate those that you trust.

    Examples:
      pitboss evaluate
      pitboss evaluate ev agent:official --task flip7-4-v1
    """
    from pitboss.core.registry import line_up
    from pitboss.run.evaluate import all_tasks, find_task
    from pitboss.run.evaluate import evaluate as measure
    from pitboss.run.evaluate import markdown as as_markdown

    if not task:
        if bots:
            raise PitbossError(f"add --task: {', '.join(all_tasks())}")
        _list(list(all_tasks().values()), json)
        return
    if not bots:
        raise PitbossError("name a bot to evaluate: pitboss evaluate ev --task " + task[0])
    tasks = [find_task(name) for name in task]
    for chosen in tasks:
        line_up(bots, chosen.table)  # what cannot play is told before anything is played
    found = []
    for chosen in tasks:
        for bot in bots:
            with RunProgress(json, f"{bot} at {chosen.name}") as progress:
                found.append(measure(bot, chosen, progress))
    if json:
        print_json([each.to_dict() for each in found])
        return
    for chosen in tasks:
        of_task = [each for each in found if each.task == chosen]
        if markdown:
            typer.echo(as_markdown(of_task))
        else:
            _show(of_task, console())


def _list(tasks: Sequence[Task], json: bool) -> None:
    if json:
        from dataclasses import asdict

        print_json([asdict(task) for task in tasks])
        return
    out = console()
    table = out.table("task", "table", "seats", "opponents", "games")
    for task in tasks:
        games = f"{task.games:,}" + (" against each" if task.opponents else "")
        table.add_row(task.name, task.table, str(task.seats), ", ".join(task.opponents) or "none", games)
    out.print(table)
    out.print(f"\nMeasure a bot:  [bold]pitboss evaluate random --task {tasks[0].name}[/]")


def _show(found: Sequence[Evaluation], out: Screen) -> None:
    from rich.markup import escape

    from pitboss.run.evaluate import table as cells_of

    task = found[0].task
    even = f", even is {found[0].even:.1%}" if task.opponents else ""
    out.print(f"[bold]{task.name}[/]: {task.table}, {task.seats} seat{'s' * (task.seats > 1)}{even}\n")
    heads, *rows = cells_of(found)
    table = out.table(*heads)
    for bot, *cells in rows:
        table.add_row(escape(bot), *cells)
    out.print(table)
    against = " against each opponent, which takes all other seats" if task.opponents else ""
    out.print(f"\n[dim]{found[0].lines[0].games:,} games{against}; 95 % intervals[/]\n")
