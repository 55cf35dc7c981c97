"""`pitboss class`: init, run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.command import Commands
from pitboss.cli.common import RunProgress, console, errors, print_json
from pitboss.cli.options import Game, Json, number_of
from pitboss.cli.standings import LiveStandings

if TYPE_CHECKING:
    from pitboss.tournament.classroom.handout import Handout
    from pitboss.tournament.classroom.run import ClassResults

classroom = Commands("class")

MOST_TOLD = 20  # of one kind

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the class.")]


@classroom.callback()
def _classroom() -> None:
    """A class in a box: from a folder of students' files to a leaderboard and grades."""


@classroom.command()
def init(
    folder: Folder,
    game: Game = "flip7:tournament",
    games: Annotated[int, number_of("How many games the class plays; a setting, too.")] = 6000,
    json: Json = False,
) -> None:
    """Make the folder of a class: a handout for students, hidden opponents, and settings. Nothing is overwritten.

    Example:

    [bold]pitboss class init course --game flip7:tournament[/]
    """
    from rich.markup import escape

    from pitboss.tournament.classroom.box import init_class

    written = init_class(folder, game, games)
    if json:
        print_json({"files": [str(path) for path in written]})
        return
    out, place = console(), escape(str(folder))
    out.print(f"The class is in [bold]{place}[/]:\n", soft_wrap=True)
    for name, about in (
        ("class.toml", "the settings, with the hidden opponents"),
        ("handout/", "give this to students: a README, a starter bot and its test"),
        ("submissions/", "put their files here: anna.py, or anna/bot.py"),
    ):
        out.print(f"  {name:<13} [dim]{about}[/]", soft_wrap=True)
    out.print(f"\nWhen the files are there: [bold]pitboss class run {place}[/]", soft_wrap=True)


@classroom.command()
def run(
    folder: Folder,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that check and play; all cores if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Check all students' files, play what is missing, and write leaderboard, pages and grades.

    Run it again when late files have arrived: only what they miss is played. Ctrl-C loses nothing.

    Example:

    [bold]pitboss class run course[/]
    """
    from pitboss.tournament.classroom.handout import write_handout
    from pitboss.tournament.classroom.run import ClassRun

    going = ClassRun(folder, workers)
    try:
        with RunProgress(json, "checking", "bots") as progress:
            going.prepare(progress)
        with LiveStandings(json) as watch:
            results = going.play(watch)
    except KeyboardInterrupt:
        errors().print("\nStopped. What was played is saved: run the same command again to go on.")
        raise typer.Exit(130) from None
    written = write_handout(results)
    if json:
        print_json(_as_data(results, written))
    else:
        _print(results, written)


def _as_data(results: ClassResults, written: Handout) -> dict[str, object]:
    return {
        "leaderboard": str(written.leaderboard),
        "pages": {name: str(path) for name, path in written.pages.items()},
        "grades": str(written.grades),
        "gradescope": str(written.gradescope),
        "entered": list(results.entered),
        "not_entered": [vars(one) for one in results.refused],
        "similar": [pair.to_dict() for pair in results.similar],
        "standings": [
            {
                "place": line.place,
                "name": line.row.name,
                "points": line.points if line.student else None,
                "win_share": line.row.win_share,
                "ci95": line.row.ci95,
                "faults": line.row.faults,
            }
            for line in written.lines
        ],
    }


def _print(results: ClassResults, written: Handout) -> None:
    from rich.markup import escape

    out, table = console(), results.standings
    many = len(results.students)
    out.print(
        f"[bold]{escape(results.box.title)}[/], {escape(table.game)}: {many} student{'s' * (many != 1)}, "
        f"{table.matches:,} matches, {table.games:,} games\n",
        soft_wrap=True,
    )
    width = max(len(line.row.name) for line in written.lines)
    for line in written.lines:
        low, high = line.row.ci95 or (line.row.win_share, line.row.win_share)
        share = f"{100 * line.row.win_share:5.1f} % [dim]({100 * low:.1f} to {100 * high:.1f})[/]"
        faults = f"  [yellow]{line.faults:,} fault{'s' * (line.faults != 1)}[/]" if line.faults else ""
        name = escape(f"{line.row.name:<{width}}")
        who = f"[bold]{name}[/]" if line.student else f"[dim]{name}[/]"
        out.print(f"{line.place:>3}  {who}  {share}{faults}", soft_wrap=True)
    for title, colour, sentences in (
        ("Not entered", "yellow", [f"{one.student}: {one.why}" for one in results.refused]),
        ("Not ready, but entered", "yellow", _not_ready(results)),
        ("Similar: look at these", "magenta", [pair.sentence() for pair in results.similar]),
    ):
        if sentences:
            out.print(f"\n[{colour}]{title}[/]")
            for sentence in sentences[:MOST_TOLD]:
                out.print(f"  {escape(sentence)}", soft_wrap=True)
            if len(sentences) > MOST_TOLD:
                out.print(
                    f"  [dim]and {len(sentences) - MOST_TOLD} more: {escape(str(written.similar.parent))}[/]",
                    soft_wrap=True,
                )
    out.print("")
    for about, path in (
        ("Leaderboard, with a page for each student", written.leaderboard),
        ("Grades", written.grades),
        ("Gradescope's results.json", written.gradescope),
    ):
        out.print(f"{about}: [bold]{escape(str(path))}[/]", soft_wrap=True)


def _not_ready(results: ClassResults) -> list[str]:
    return [
        f"{one.name}: {finding.about}: {finding.text}"
        for one in results.students
        for finding in one.checkup.findings
        if not finding.fine
    ]
