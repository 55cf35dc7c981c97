"""The `pitboss` command."""

from __future__ import annotations

import errno
import sys
from typing import Annotated, Any, NoReturn

import typer

from pitboss import __version__
from pitboss.cli import (
    advise,
    arena,
    ask,
    bots,
    chart,
    check_bot,
    compare,
    games,
    new_bot,
    new_game,
    play,
    replay,
    rules,
    serve,
    simulate,
    solve,
    tournament,
    train,
)
from pitboss.cli.common import in_flags

app = typer.Typer(
    name="pitboss",
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

COMMANDS = (
    games.games,
    rules.rules,
    bots.bots,
    simulate.simulate,
    play.play,
    replay.replay,
    ask.ask,
    compare.compare,
    new_bot.new_bot,
    new_game.new_game,
    check_bot.check_bot,
    solve.solve,
    advise.advise,
    chart.chart,
    serve.serve,
    train.train,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(tournament.tournament)
app.add_typer(arena.arena)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def pitboss(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Push-your-luck and hidden-card games: play them, write bots for them, run honest tournaments.

    Begin with [bold]pitboss play[/], [bold]pitboss tournament run[/], [bold]pitboss new-bot mine[/] or
    [bold]pitboss rules flip7:official[/].
    """


def main() -> None:
    """Run the command line; what the user did wrong is one sentence and exit code 2."""
    from pitboss.core.errors import PitbossError

    try:
        sys.exit(app(sys.argv[1:] or ["--help"], prog_name="pitboss", standalone_mode=False))
    except (KeyboardInterrupt, typer.Abort):
        print("pitboss: interrupted; nothing was saved", file=sys.stderr)
        sys.exit(130)
    except PitbossError as problem:
        sentence = in_flags(str(problem), _command(sys.argv[1:]))
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno in DISK_FULL:
            _end(f"cannot write {problem.filename or 'all of it'}: {problem.strerror}; make room, and try again")
        if not hasattr(problem, "format_message"):  # what Typer raises for options it cannot read has it
            raise
        context = getattr(problem, "ctx", None)
        command = context.command_path if context else "pitboss"
        sentence = f"{problem.format_message()} ({command} --help has the details)"
    _end(sentence)


def _command(words: list[str]) -> Any:
    """The command that is run."""
    command: Any = typer.main.get_command(app)
    for word in words:
        if word not in getattr(command, "commands", ()):
            break
        command = command.commands[word]
    return command


def _end(sentence: str) -> NoReturn:
    from pitboss.core.text import printable

    print(f"pitboss: {printable(' '.join(sentence.split()))}", file=sys.stderr)
    sys.exit(2)
