"""`pitboss new-bot`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pitboss.cli.common import console, print_json
from pitboss.cli.options import Game, Json
from pitboss.core.errors import PitbossError


def new_bot(
    name: Annotated[str, Argument(metavar="NAME", help="What to call it, such as careful or my-bot.")],
    game: Game = "flip7:tournament",
    out: Annotated[Path, Option(metavar="DIR", help="The folder to write to, created if needed.")] = Path(),
    json: Json = False,
) -> None:
    """Write a starter bot, with comments, and its test. Existing files are never overwritten.

    Examples:
      pitboss new-bot careful
      pitboss new-bot bluffer --game show:fair --out bots
    """
    from shlex import quote

    from rich.markup import escape

    from pitboss.core.registry import load
    from pitboss.tournament.starter import Starter

    starter = Starter(load(game), name)
    files = {out / starter.file: starter.bot_text(), out / starter.test_file: starter.test_text()}
    for file in files:
        if file.exists():
            raise PitbossError(f"{file} exists already and is left as it is; choose another name, or --out DIR")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            with file.open("x", encoding="utf-8") as opened:
                opened.write(text)
    except OSError as problem:
        raise PitbossError(f"cannot write to {out}: {problem.strerror}") from problem
    bot, test = files
    entry, spec = quote(f"{bot}:{starter.class_name}"), quote(str(starter.game))
    line_up = ",".join([entry, *starter.others])
    few = ",".join([entry, *starter.others][: max(1, starter.game.rules.seats[0] - 1)])  # a person is the last one
    steps = {
        "run its test (with pytest installed)": f"python -m pytest {quote(str(test))}",
        "check whether it will pass in a tournament": f"pitboss check-bot {entry} --game {spec}",
        "sit down against it": f"pitboss play {spec} --bots {few}",
        "let it compete": f"pitboss simulate {spec} --bots {line_up}",
        "enter it": f"pitboss tournament run {spec} --bots {line_up}",
    }
    if starter.game.rules.seats[-1] == 1:
        del steps["sit down against it"]
    if json:
        print_json({"bot": str(bot), "test": str(test), "class": starter.class_name, "next": list(steps.values())})
        return
    to = console()
    to.print(f"Written: [bold]{escape(str(bot))}[/] and [bold]{escape(str(test))}[/]. What next:\n", soft_wrap=True)
    for about, command in steps.items():
        to.print(f"  [dim]{about}:[/]\n    {escape(command)}", soft_wrap=True)
