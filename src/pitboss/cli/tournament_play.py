"""`pitboss tournament run`, `resume` and `add`: what plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import cluster, console, errors, read_key, tell_left_out, writable
from pitboss.cli.options import (
    DEFAULT_STORE,
    Address,
    Allow,
    Clock,
    Csv,
    Id,
    Isolation,
    Json,
    Seed,
    StoreUrl,
    number_of,
)
from pitboss.cli.standings import LiveStandings, print_standings
from pitboss.core.errors import PitbossError
from pitboss.core.text import counted
from pitboss.core.types import Data

if TYPE_CHECKING:
    from pitboss.run.cluster import Cluster
    from pitboss.tournament.tournament import Tournament

Workers = Annotated[int | None, Option(help="Processes that play; all cores if bots are not built in.")]
ExecutorName = Annotated[
    str, Option("--executor", metavar="NAME", help="What runs the games: local, or ray, a cluster (--address).")
]
Report = Annotated[
    Path | None, Option(metavar="DIR", help="Also write the HTML report, with replays, into this folder.")
]

LIMITS = {"time_limit": "decision", "start_limit": "start", "time_bank": "bank", "memory": "memory"}


def run(
    spec: Annotated[str | None, Argument(metavar="SPEC", help="The game, or a TOML file with all settings.")] = None,
    bots: Annotated[
        str | None,
        Option(metavar="A,B,…", help="Bots: built in, path.py:MyBot, a folder of files (bots/), cmd:./program."),
    ] = None,
    seats: Annotated[int | None, Option("--seats", "--players", help="Seats at each table. \\[default: 2]")] = None,
    best_of: Annotated[int | None, Option(help="The most games in a match. \\[default: 1]")] = None,
    blocks: Annotated[int | None, number_of("Deals for each set of bots. \\[default: 20]")] = None,
    games: Annotated[int | None, number_of("A number of games instead: a balanced sample of all sets of bots.")] = None,
    format: Annotated[str | None, Option(help="round-robin, gauntlet (the first bot against all) or swiss.")] = None,
    rounds: Annotated[int | None, Option(help="Rounds of a Swiss tournament.")] = None,
    seed: Seed = None,
    time_limit: Annotated[float | None, Option(help="Seconds of thinking for each decision. \\[default: 0.5]")] = None,
    start_limit: Annotated[
        float | None, Option(help="Seconds for loading a bot and for its start. \\[default: 5]")
    ] = None,
    time_bank: Annotated[
        float | None, Option(help="Seconds in a game that decisions may take beyond their limit. \\[default: 0]")
    ] = None,
    clock: Clock = None,
    memory: Annotated[int | None, Option(help="Megabytes that a bot may use. \\[default: 1024]")] = None,
    allow: Allow = None,
    strikes: Annotated[int | None, Option(help="Faults in a match that forfeit it. \\[default: 3]")] = None,
    workers: Workers = None,
    executor: ExecutorName = "local",
    address: Address = None,
    store: Annotated[
        str | None, Option(metavar="URL", help="A file, or the URL of a database. \\[default: pitboss.db]")
    ] = None,
    id: Annotated[
        str | None, Option("--id", help="What to call the tournament; a short random name by default.")
    ] = None,
    require_isolation: Isolation = False,
    report: Report = None,
    csv: Csv = None,
    json: Json = False,
) -> None:
    """Play a tournament, and print the table.

    The schedule is saved before play. Ctrl-C, a crash or a power cut loses nothing: resume continues.

    Examples:
      pitboss tournament run flip7:tournament --bots random,conservative,stay-25,ev --best-of 5
      pitboss tournament run show:fair --bots show-6,counter,mine.py:MyBot --blocks 100
      pitboss tournament run flip7:official --bots bots/,stay-25 --seats 4 --games 20000 --report out
      pitboss tournament run cup.toml
      pitboss tournament run flip7:tournament --bots bots/ --executor ray --address auto
    """
    from dataclasses import replace

    from pitboss.core.registry import load
    from pitboss.sandbox.limits import Limits
    from pitboss.tournament.toml_file import read_cup
    from pitboss.tournament.tournament import Tournament

    chosen: Data = {}
    if spec is not None and spec.endswith(".toml"):
        chosen = read_cup(Path(spec))
        spec = None
    flags = {
        "game": spec, "bots": bots, "seats": seats, "best_of": best_of, "blocks": blocks, "games": games,
        "format": format, "rounds": rounds, "seed": seed, "time_limit": time_limit, "start_limit": start_limit,
        "time_bank": time_bank, "clock": clock, "memory": memory, "allow": allow or None, "strikes": strikes,
        "workers": workers, "store": store, "id": id, "require_isolation": require_isolation or None,
    }  # fmt: skip
    given = {name: value for name, value in flags.items() if value is not None}
    for name, other in (("blocks", "games"), ("games", "blocks")):
        if name in given and other not in given:
            chosen.pop(other, None)  # a flag takes the place of what the file says
    chosen |= given
    if "blocks" in chosen and ("games" in chosen or chosen.get("format") == "swiss"):
        raise PitbossError("give --blocks, or --games as a budget, or --rounds of a Swiss tournament: one of them")
    game = load(chosen.pop("game", "flip7:tournament"))
    limits = Limits()
    for name, field in LIMITS.items():
        if name in chosen:
            value = chosen.pop(name)
            if value <= 0:
                raise PitbossError(f"--{name.replace('_', '-')} must be more than 0, not {value}")
            limits = replace(limits, **{field: value * 2**20 if field == "memory" else value})
    names = chosen.pop("bots", None)
    seeded = chosen.pop("seed", None)
    url, count = chosen.pop("store", DEFAULT_STORE), chosen.pop("workers", None)
    if count is not None and count < 1:
        raise PitbossError(f"--workers must be 1 or more, not {count}")
    _verify_output(csv, report)
    players = cluster(executor, "local", address, count)
    made = Tournament(
        game, game.default_bots() if names is None else names, seed=None if seeded is None else read_key(str(seeded)),
        limits=limits, store=url, private=_outputs(csv, report), **chosen,
    )  # fmt: skip
    _announce(made, seeded, json)
    _play(made, count, players, report, csv, json)


def resume(
    id: Id = "latest", workers: Workers = None, executor: ExecutorName = "local", address: Address = None,
    store: StoreUrl = DEFAULT_STORE, report: Report = None, require_isolation: Isolation = False, json: Json = False,
) -> None:  # fmt: skip
    """Continue a tournament after Ctrl-C, a crash or a power cut.

    Example:
      pitboss tournament resume k3v9qd
    """
    from pitboss.tournament.store import Store
    from pitboss.tournament.tournament import Tournament

    _verify_output(None, report)
    players = cluster(executor, "local", address, workers)
    _play(Tournament.open(id, Store.existing(store), require_isolation), workers, players, report, None, json)


def add(
    id: Id,
    bots: Annotated[list[str], Argument(metavar="BOT", help="Bots to enter, as in run.")],
    workers: Workers = None,
    executor: ExecutorName = "local",
    address: Address = None,
    store: StoreUrl = DEFAULT_STORE,
    report: Report = None,
    require_isolation: Isolation = False,
    json: Json = False,
) -> None:
    """Enter more bots, or new versions of them, and play only the missing matches.

    Example:
      pitboss tournament add k3v9qd mine.py:MyBot
    """
    from pitboss.core.bot import split_bots
    from pitboss.tournament.store import Store
    from pitboss.tournament.tournament import Tournament

    players = cluster(executor, "local", address, workers)
    made = Tournament.open(id, Store.existing(store), require_isolation)
    known = made.standings().key is not None
    new = made.add([name for text in bots for name in split_bots(text)], _outputs(None, report))
    tell_left_out(made.left_out)
    if known and made.outside:
        errors().print(
            "[yellow]Note:[/] the key of this tournament is public, so a new bot could know the cards. "
            "Run a new one if you do not trust its author."
        )
    if not json:
        console().print(f"Entered: {', '.join(bot.name for bot in new)}")
    _play(made, workers, players, report, None, json)


def _verify_output(csv: Path | None, report: Path | None) -> None:
    """Refuse files that could not be written when all is played."""
    if csv:
        writable(csv)
    if report:
        try:
            report.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise PitbossError(f"cannot write a report to {report}: {problem.strerror}") from problem


def _outputs(csv: Path | None, report: Path | None) -> list[Path]:
    """Files that are written at the end, and that no bot may read."""
    return [path for path in (csv, report) if path]


def _announce(made: Tournament, seed: object, json: bool) -> None:
    """What can be said before the first card."""
    err = errors()
    if seed is not None and made.outside:
        err.print(
            f"[yellow]Note:[/] with --seed {seed} a bot can guess the cards by trying seeds. Without --seed nobody can."
        )
    tell_left_out(made.left_out)
    if json:
        return
    s, n = made.settings, len(made.contestants)
    seats = f"{s.seats} seats" if s.seats > 1 else "one seat"
    out = console()
    out.print(f"Tournament [bold]{made.id}[/]: {counted(n, 'bot')}, {seats}, best of {s.best_of}")
    if seed is None:
        out.print(f"Key hash: {made.key_hash}", soft_wrap=True)


def _play(
    made: Tournament, workers: int | None, executor: Cluster | None, report: Path | None, csv: Path | None, json: bool
) -> None:
    from pitboss.tournament.report import write_report

    where = "" if made.store.name == DEFAULT_STORE else f" --store {made.store.name}"
    try:
        with LiveStandings(json) as watch:
            standings = made.play(watch, workers, executor)
    except KeyboardInterrupt:
        so_far = made.standings()
        errors().print(
            f"\nStopped: {so_far.matches:,} of {so_far.matches_planned:,} matches are played and saved.\n"
            f"Continue with: [bold]pitboss tournament resume {made.id}{where}[/]",
            soft_wrap=True,
        )
        raise typer.Exit(130) from None
    written = write_report(made.store, made.id, report) if report else None
    print_standings(standings, csv, json, {"executor": executor.report()} if executor else {})
    if written and not json:
        out = console()
        out.print(f"\nReport:  [bold]{written.index}[/]", soft_wrap=True)
        if written.replays:
            out.print(f"Replay:  [bold]{written.replays[0]}[/]", soft_wrap=True)
    elif not json:
        console().print(
            f"\n[dim]As a page, with replays: pitboss tournament report {made.id}{where}[/]", soft_wrap=True
        )
