"""All commands of `pitboss`, what they share, and the sentence that each problem ends in."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer
from typer import Option

from pitboss import __version__
from pitboss.cli.command import Clicked, Commands, as_help

# A module has the command or the group of commands that is called like it. Only the one that is asked for is imported.
_NAMES = (
    "games", "rules", "bots", "simulate", "play", "replay", "ask", "compare", "tune", "evaluate", "exploit", "new-bot",
    "new-game", "check-bot", "solve", "advise", "chart", "serve", "page", "train", "export", "dataset", "tournament",
    "class", "arena",
)  # fmt: skip
COMMANDS = {name: "classroom" if name == "class" else name.replace("-", "_") for name in _NAMES}
GUESSES = {"version": ["--version"], "help": ["--help"]}  # what people try first
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
WRONG = 2
COMPLETING = "_PITBOSS_COMPLETE"  # set by the shell when the tab key is pressed


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


def _quiet(wanted: bool) -> None:
    if wanted:
        os.environ["PITBOSS_QUIET"] = "1"


def pitboss(
    version: Annotated[
        bool, Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    quiet: Annotated[
        bool, Option("--quiet", callback=_quiet, help="Hide progress bars; works with every command.")
    ] = False,
) -> None:
    """Push-your-luck and hidden-card games: play them, write bots for them, run honest tournaments.

    Begin with [bold]pitboss play[/], [bold]pitboss tournament run[/], [bold]pitboss new-bot mine[/] or
    [bold]pitboss rules flip7:official[/].
    """


def command_line(names: Iterable[str] = COMMANDS) -> Commands:
    """The command line with these commands."""
    app = Commands("pitboss", completion=True)
    app.callback(help=as_help(pitboss.__doc__ or ""))(pitboss)
    for name in names:
        command = getattr(import_module(f"pitboss.cli.{COMMANDS[name]}"), COMMANDS[name])
        if isinstance(command, typer.Typer):
            app.add_typer(command)
        else:
            app.command(name)(command)
    return app


def run(words: list[str]) -> int:
    """Run the command that these words are, and return its exit code. A problem becomes one sentence."""
    from pitboss.core.errors import PitbossError

    words = [*GUESSES.get(words[0], words[:1]), *words[1:]]
    if words[0] == "--help" and words[1:2] and words[1] in COMMANDS:
        words = [*words[1:], "--help"]
    if "--quiet" in words:
        words = ["--quiet", *(word for word in words if word != "--quiet")]
    name = next((word for word in words if word != "--quiet"), "")
    asked = [name] if name in COMMANDS and COMPLETING not in os.environ else COMMANDS
    app = command_line(asked)
    try:
        try:
            code = app(words, prog_name="pitboss", standalone_mode=False)
            sys.stdout.flush()
        finally:
            if "pitboss.cli.early" in sys.modules:
                sys.modules["pitboss.cli.early"].settled()
        _compile_the_rest(name)
        return code or 0
    except typer.Abort:
        raise KeyboardInterrupt from None
    except PitbossError as problem:
        from pitboss.cli.common import in_flags

        return _say(in_flags(str(problem), _command(app, words)))
    except OSError as problem:
        if problem.errno in DISK_FULL:
            place = problem.filename or "all of it"
            return _say(f"cannot write {place}: {problem.strerror}; make room, and try again")
        if problem.filename is None:
            raise
        return _say(f"cannot use {problem.filename}: {problem.strerror}")
    except Exception as problem:
        if not hasattr(problem, "format_message"):  # what Typer raises for options it cannot read has it
            raise
        context = getattr(problem, "ctx", None)
        command = context.command_path if context else "pitboss"
        return _say(_as_file(words) or f"{problem.format_message()} ({command} --help has the details)")


def _as_file(words: list[str]) -> str:
    """What to write for a file that looks like an option; nothing if there is none."""
    dashed = next((word for word in words if word.startswith("-") and (".py" in word or os.path.exists(word))), None)
    return "" if dashed is None else f"{dashed} reads like an option; for the file, write ./{dashed}"


def _compile_the_rest(command: str) -> None:
    """Where this command had a compiler, the next one need not wait for what it did; where it had to compile, for
    anything."""
    code = sys.modules.get("pitboss.core.code_cache")
    if code:
        from pitboss.analysis.precompile import games_in_use, in_background
        from pitboss.run.quick import note_ready

        for game in games_in_use():
            note_ready(command, game)
        if code.COMPILING.happened:
            in_background()


def _command(app: Commands, words: list[str]) -> Clicked:
    """The command that is run."""
    command: Clicked = typer.main.get_command(app)
    for word in words:
        if word in getattr(command, "commands", ()):
            command = command.commands[word]
    return command


def _say(sentence: str) -> int:
    from pitboss.core.text import printable

    print(f"pitboss: {printable(' '.join(sentence.split()))}", file=sys.stderr)
    return WRONG
