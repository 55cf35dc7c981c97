"""Standings on a terminal: while they are being played, and afterwards."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pitboss.cli.common import console, print_json, writable

if TYPE_CHECKING:
    from pitboss.arena.standings import Standings
    from pitboss.arena.tournament import Progress


class Live:
    """The table while it is being played: on a terminal, and only after a moment."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()
        self._live: Any = None

    def __enter__(self) -> Any:
        if self._quiet:
            return None
        from rich.console import Console
        from rich.live import Live as Display

        self._live = Display(console=Console(stderr=True, highlight=False), transient=True, refresh_per_second=4)
        self._live.start()
        return self._update

    def _update(self, progress: Progress) -> None:
        self._live.update(_running(progress))

    def __exit__(self, *problem: object) -> None:
        if self._live:
            self._live.stop()


def _running(p: Progress) -> Any:
    from rich.console import Group
    from rich.markup import escape
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    speed = p.games / p.seconds if p.seconds > 0 else 0.0
    done_here = p.matches - p.matches_before
    left = p.seconds / done_here * (p.all_matches - p.matches) if done_here else 0.0
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("leading so far", overflow="fold")
    table.add_column("matches", justify="right")
    table.add_column("share", justify="right")
    for name, (share, matches) in sorted(p.shares.items(), key=lambda item: -item[1][0])[:8]:
        table.add_row(escape(name), f"{matches:,}", f"{share:.1%}")
    minutes, seconds = divmod(round(left), 60)
    line = f"{p.matches:,} of {p.all_matches:,} matches, {speed:,.0f} games/s, {minutes}:{seconds:02d} left"
    bar = Table.grid()
    bar.add_row(ProgressBar(p.all_matches, p.matches, width=50))
    return Group(table, bar, line)


def print_standings(
    standings: Standings, csv: Path | None, json: bool, how: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """The table, and in JSON also how it was made."""
    if csv:
        writable(csv).write_text(standings.as_csv(), encoding="utf-8")
    if json:
        print_json({**standings.as_dict(), **how})
        return
    from rich.markup import escape

    out = console()
    s = standings
    state = "" if s.finished else f", [yellow]{s.matches_planned - s.matches:,} still to play[/]"
    out.print(f"[bold]{escape(s.game)}[/], {s.id}: {s.matches:,} matches, {s.games:,} games{state}\n")
    table = _table(s, wide=True)
    if out.measure(table, options=out.options.update(width=10_000)).maximum > out.width:
        table = _table(s, wide=False)
    out.print(table)
    for row in s.rows:
        if row.faults:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in row.faults.items())
            gone = f"; {row.forfeits:,} matches forfeited" if row.forfeits else ""
            out.print(f"[yellow]{escape(row.name)}[/]: faults: {kinds}{gone}")
    if s.versus:
        out.print("\n[dim]At 95 % for all pairs together:[/]")
        for statement in s.statements():
            out.print(f"  {escape(statement)}.")
    for warning in s.warnings():
        out.print(f"[yellow]{escape(warning)}[/]")
    if s.key and s.settings["seed"] is None:
        out.print(f"\n[dim]Key: {s.key} (its SHA-256 is the hash told at the start)[/]", soft_wrap=True)


def _table(s: Standings, wide: bool) -> Any:
    """One line for each bot; what a narrow terminal has no room for is in the report and in --json."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("bot", overflow="fold", min_width=min(8, max((len(row.name) for row in s.rows), default=0)))
    drawn, faulty = any(row.draws for row in s.rows), wide and any(row.faults for row in s.rows)
    titles = ["matches", "won", "drawn"] if drawn else ["matches", "won"]
    alone = s.settings["seats"] == 1
    titles += ["share (95 %)"]
    titles += ["strength (95 %)"] if wide else [] if alone else ["strength"]
    titles += ["best?"]
    titles += [f"{_length(s)} (95 %)" if wide else _length(s)] if alone else ["score"] * wide
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    if faulty:
        table.add_column("faults", justify="right", no_wrap=True)
    for row in s.rows:
        cells = [str(row.rank), f"[bold]{escape(row.name)}[/]", f"{row.matches:,}", f"{row.wins:,}"]
        cells += [f"{row.draws:,}"] * drawn
        cells += [_around(100 * row.win_share, row.ci95, 100, "{:.1f} %")]
        if wide or not alone:
            cells += [_around(row.strength, row.strength_ci95 if wide else None, 1, "{:+.2f}")]
        cells += ["" if row.p_best is None else f"{row.p_best:.0%}"]
        if row.mean_length is not None:
            cells += [_around(row.mean_length, row.length_ci95 if wide else None, 1, "{:.2f}")]
        else:
            cells += [f"{row.mean_score:.1f}"] * wide
        if faulty:
            cells.append(f"{sum(row.faults.values()):,}")
        table.add_row(*cells)
    return table


def _length(s: Standings) -> str:
    """What the length of a game is counted in."""
    from pitboss.table.registry import load

    length = load(s.game).length
    return length[0] if length else "decisions"


def _around(value: float, interval: list[float] | None, scale: float, form: str) -> str:
    text = form.format(value)
    if interval is None:
        return text
    low, high = (form.format(scale * end) for end in interval)
    return f"{text} [dim]({low.removesuffix(' %')} to {high.removesuffix(' %')})[/]"
