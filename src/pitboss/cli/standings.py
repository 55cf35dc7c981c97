"""Standings on a terminal: while they are being played, and afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pitboss.cli.common import STANDARD_OUTPUT, console, errors, print_json, quiet, time_left, writable, write_csv
from pitboss.core.text import counted

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live
    from rich.table import Table

    from pitboss.cli.screen import Screen
    from pitboss.tournament.columns import StandingsColumn
    from pitboss.tournament.progress import Progress
    from pitboss.tournament.standings import Standings
    from pitboss.tournament.store import Stored


class LiveStandings:
    """The table while it is being played, on a terminal."""

    def __init__(self, hidden: bool) -> None:
        self._hidden = hidden or quiet()
        self._live: Live | None = None

    def __enter__(self) -> Callable[[Progress], None] | None:
        if self._hidden:
            return None
        from rich.live import Live
        from rich.text import Text

        screen = errors()
        live = self._live = Live(Text("getting ready …"), console=screen, transient=True, refresh_per_second=4)
        live.start()
        return lambda progress: live.update(running(progress, screen))

    def __exit__(self, *problem: object) -> None:
        if self._live:
            self._live.stop()


def running(p: Progress, screen: Screen) -> Group:
    """Who leads, and how long it takes: what is drawn again and again."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar

    speed = p.games / p.seconds if p.seconds > 0 else 0.0
    done_here = p.matches - p.matches_before
    left = time_left(p.seconds, done_here, done_here + p.all_matches - p.matches)
    line = f" {p.matches:,} of {p.all_matches:,} matches, {speed:,.0f} games/s{left}"
    if p.matches == p.all_matches:
        line = f" All {p.matches:,} matches are played; the table follows …"
    bar = ProgressBar(p.all_matches, p.matches, width=min(30, screen.width))
    tables = (_leading(p, titles, screen) for titles in (("share", "matches"), ("share",), ()))
    return Group(screen.widest(tables, p.shares), bar, line)


def _leading(p: Progress, titles: Sequence[str], screen: Screen) -> Table:
    from rich.markup import escape

    table = screen.table("leading so far", numbers=titles)
    table.columns[0].overflow = "fold"
    for name, (share, matches) in sorted(p.shares.items(), key=lambda item: -item[1][0])[:8]:
        cells = {"share": f"{share:.1%}", "matches": f"{matches:,}"}
        table.add_row(escape(name), *(cells[title] for title in titles))
    return table


def print_standings(
    standings: Standings, csv: Path | None, json: bool, how: Mapping[str, object] = MappingProxyType({})
) -> None:
    """The table, and in JSON also how it was made."""
    if csv:
        write_csv(standings.as_csv(), writable(csv))
    if json:
        print_json({**standings.to_dict(), **how})
    if json or csv == STANDARD_OUTPUT:
        return
    from rich.markup import escape

    from pitboss.sandbox.limits import Limits

    out = console()
    s = standings
    exceptions = Limits.from_dict(s.settings["limits"]).exceptions
    state = "" if s.finished else f", [yellow]{s.matches_planned - s.matches:,} still to play[/]"
    played = f"{counted(s.matches, 'match', 'matches')}, {counted(s.games, 'game')}"
    out.print(f"[bold]{escape(s.game)}[/], {s.id}: {played}{state}")
    if exceptions:
        out.print(f"[dim]{escape(exceptions)}[/]", soft_wrap=True)
    for warning in s.warnings():  # before the table, which they may call in question
        out.print(f"[yellow]{escape(warning)}[/]")
    out.print()
    out.print(out.widest(_tables(s, out), (row.name for row in s.rows)))
    if s.versus:
        out.print("\n[dim]At 95 % for all bots together:[/]")
        for statement in s.statements():
            out.print(f"  {escape(statement)}.")
    if s.key and s.settings["seed"] is None:
        out.print(f"\n[dim]Key: {s.key} (its SHA-256 is the hash published before play)[/]", soft_wrap=True)


def _tables(s: Standings, screen: Screen) -> Iterator[Table]:
    """The table, and what is left of it on narrower and narrower terminals: the names of the bots stay to the end."""
    from pitboss.tournament.columns import columns

    every = columns(s)
    order = ("place", "games won", "score", "faults", "", "best?", "drawn", "matches", "strength", "won", "ranks",
             "share")  # fmt: skip
    spans = frozenset(column.title for column in every)
    yield _table(s, every, spans, screen)
    for title in (*order, *(column.title for column in every if column.title not in order)):
        spans = spans if title else frozenset({"share"})
        every = [column for column in every if column.title != title]
        yield _table(s, every, spans, screen)


def _table(s: Standings, shown: Sequence[StandingsColumn], spans: frozenset[str], screen: Screen) -> Table:
    """One line for each bot; what a narrow terminal has no room for is in the report and in --json."""
    from rich.markup import escape

    from pitboss.cli.screen import NAME

    table = screen.table(numbers=[""])
    table.add_column("bot", overflow="fold", min_width=min(NAME, max((len(row.name) for row in s.rows), default=0)))
    spans &= {column.title for column in shown if any(column.span(row) for row in s.rows)}
    for column in shown:
        table.add_column(column.title + " (95 %)" * (column.title in spans), justify="right", no_wrap=True)
    for row in s.rows:
        cells = (
            column.text(row) + (f" [dim]({column.span(row)})[/]" if column.title in spans and column.span(row) else "")
            for column in shown
        )
        table.add_row(str(row.rank), f"[bold]{escape(row.name)}[/]", *cells)
    return table


def print_tournaments(found: Sequence[Stored]) -> None:
    """A line for each tournament; on a narrow terminal only who played in which, and whether they still do."""
    out = console()
    tables = (_list(found, titles, out) for titles in (("begun", "game", "state"), ("state",), ()))
    out.print(out.widest(tables, (_names(s) for s in found)))


def _list(found: Sequence[Stored], titles: Sequence[str], screen: Screen) -> Table:
    from rich.markup import escape

    table = screen.table()
    for title in ("id", *titles):
        table.add_column(title, no_wrap=True)
    table.add_column("bots", overflow="fold")
    for s in found:
        cells = {"begun": s.created[:16].replace("T", " "), "game": s.spec, "state": s.state}
        table.add_row(s.id, *(escape(cells[title]) for title in titles), escape(_names(s)))
    return table


def _names(s: Stored) -> str:
    return ", ".join(bot.name for bot in s.entries[:6]) + (", …" if len(s.entries) > 6 else "")
