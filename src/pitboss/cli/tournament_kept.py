"""`pitboss tournament list`, `show`, `report`, `export` and `delete`: what is done with tournaments that are kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, print_json, writable
from pitboss.cli.options import DEFAULT_STORE, Csv, Id, Json, StoreUrl
from pitboss.cli.standings import print_standings, print_tournaments
from pitboss.core.errors import PitbossError
from pitboss.core.text import counted


def list_(store: StoreUrl = DEFAULT_STORE, json: Json = False) -> None:
    """List all tournaments of a store, the oldest first.

    Example:
      pitboss tournament list --store cup.db
    """
    from pitboss.tournament.store import Store

    kept = Store.existing(store) if store != DEFAULT_STORE or Path(store).exists() else None
    all_of_them = [kept.tournament(id) for id in kept.ids()] if kept else []
    if json:
        facts = ({"id": s.id, "created": s.created, "game": s.spec, "state": s.state} for s in all_of_them)
        bots = ({"bots": [bot.name for bot in s.entries]} for s in all_of_them)
        print_json([{**each, **names} for each, names in zip(facts, bots, strict=True)])
        return
    if not all_of_them:
        console().print(f"No tournaments in {store} yet. Begin with: [bold]pitboss tournament run[/]")
        return
    print_tournaments(all_of_them)


def show(
    id: Id = "latest", store: StoreUrl = DEFAULT_STORE,
    csv: Csv = None, json: Json = False,
) -> None:  # fmt: skip
    """Show the table of a tournament, also while it is being played. --json also says why each bot won or lost.

    Example:
      pitboss tournament show latest
    """
    from pitboss.tournament.store import Store
    from pitboss.tournament.tournament import Tournament

    if csv:
        writable(csv)
    made = Tournament.open(id, Store.existing(store))
    table = made.standings()
    why = [profile.to_dict() for profile in made.profiles()] if json and table.games else []
    print_standings(table, csv, json, {"profiles": why})


def report(
    id: Id = "latest",
    out: Annotated[
        Path | None, Option(metavar="DIR", help="The folder to write. \\[default: ID-report, or ID-bots]")
    ] = None,
    for_each: Annotated[
        bool, Option("--for-each", help="Write a page for each bot instead, to hand out: why it won or lost.")
    ] = False,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Write the HTML report: strengths, who beat whom, scores, faults, and replays of games worth seeing.

    With --for-each there is a page and a JSON file for each bot: what it did differently from the others, where it
    wins, and the decisions that cost it most, with their replays.

    Examples:
      pitboss tournament report latest --out cup
      pitboss tournament report latest --for-each --out handouts
    """
    from pitboss.tournament.report import write_bot_pages, write_report
    from pitboss.tournament.store import Store

    kept = Store.existing(store)
    if for_each:
        pages = write_bot_pages(kept, kept.tournament(id).id, out)
        if json:
            print_json({name: str(path) for name, path in pages.items()})
        for name, path in {} if json else pages.items():
            console().print(f"{name}:  {path}", soft_wrap=True, markup=False)
        return
    written = write_report(kept, kept.tournament(id).id, out)
    if json:
        print_json({"report": str(written.index), "replays": [str(path) for path in written.replays]})
    else:
        console().print(f"Report:  {written.index}", soft_wrap=True)
        for path in written.replays[:1]:
            console().print(f"Replay:  {path}", soft_wrap=True)


def export(
    id: Id,
    file: Annotated[Path, Argument(metavar="FILE", help="Records as .jsonl, .json or .txt, or results as .csv.")],
    bot: Annotated[str | None, Option(help="Only the games of this bot.")] = None,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Write all games of a tournament to a file: as records that replay, or as a table of results.

    Examples:
      pitboss tournament export latest games.jsonl
      pitboss tournament export latest results.csv --bot stay-25
    """
    from pitboss.tournament.export import export as write
    from pitboss.tournament.store import Store

    kept = Store.existing(store)
    with RunProgress(json, "writing") as progress:
        count = write(kept, kept.tournament(id).id, writable(file), bot, progress)
    if json:
        print_json({"file": str(file), "games": count})
    else:
        console().print(f"Written: {counted(count, 'game')} to [bold]{file}[/]", soft_wrap=True)


def delete(
    id: Id,
    yes: Annotated[bool, Option("--yes", help="Do not ask first.")] = False,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Delete a tournament from its store, with all its games. This cannot be undone.

    Example:
      pitboss tournament delete k3v9qd
    """
    from pitboss.tournament.store import Store
    from pitboss.tournament.tournament import Tournament

    kept = Store.existing(store)
    stored, matches = kept.tournament(id), Tournament.open(id, kept).standings().matches
    size = f"{counted(len(stored.entries), 'bot')}, {counted(matches, 'match', 'matches')}"
    what = f"the tournament {stored.id} of {stored.spec} ({size})"
    if not yes:
        if not sys.stdin.isatty():
            raise PitbossError(f"to delete {what}, add --yes")
        if not typer.confirm(f"Delete {what}?"):
            raise typer.Exit
    kept.delete(stored.id)
    if json:
        print_json({"deleted": stored.id})
    else:
        console().print(f"Deleted: {what}", markup=False, soft_wrap=True)
