"""The columns of the standings: one list for terminals, reports and notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pitboss.core.registry import load
from pitboss.tournament.standings import Interval, Standings, StandingsRow


@dataclass(frozen=True)
class StandingsColumn:
    """One column: its title, what it means, and its text for a row, with the 95 % interval where there is one."""

    title: str
    about: str
    text: Callable[[StandingsRow], str]
    span: Callable[[StandingsRow], str] = lambda row: ""
    share: Callable[[StandingsRow], float] | None = None  # to be drawn as a bar


def columns(table: Standings) -> list[StandingsColumn]:
    """The columns that the standings of this tournament have."""
    out = [
        StandingsColumn("ranks", "the ranks that it can have, at 95 % for all bots together", ranks),
        StandingsColumn("matches", "played", lambda row: f"{row.matches:,}"),
        StandingsColumn("won", "matches", lambda row: f"{row.wins:,}"),
        StandingsColumn("drawn", "matches", lambda row: f"{row.draws:,}"),
        StandingsColumn(
            "share", "of matches won, a tie shared", lambda row: f"{100 * row.win_share:.1f} %",
            lambda row: between(row.ci95, "{:.1f}", 100), lambda row: row.win_share,
        ),
        StandingsColumn(
            "strength", "logarithm of the odds against the middle of the field; the table is ordered by it",
            lambda row: f"{row.strength:+.2f}", lambda row: between(row.strength_ci95, "{:+.2f}"),
        ),
        StandingsColumn("best?", "the probability that no other bot is stronger", _best),
    ]  # fmt: skip
    if table.settings["seats"] == 1:
        length = load(table.game).length or "decisions"
        span = StandingsColumn(
            length, "in a game, on average", lambda row: f"{row.mean_length or 0:.2f}",
            lambda row: between(row.length_ci95, "{:.2f}"),
        )  # fmt: skip
        out.append(span)
    else:
        out += [
            StandingsColumn("score", "in a game, on average", lambda row: f"{row.mean_score:.1f}"),
            StandingsColumn("place", "in a game, on average", lambda row: f"{row.mean_place:.2f}"),
            StandingsColumn("games won", "a tie shared", lambda row: f"{100 * row.game_win_share:.1f} %"),
        ]
    if any(row.faults for row in table.rows):
        out.append(StandingsColumn("faults", "decisions", lambda row: f"{sum(row.faults.values()):,}"))
    if not any(row.draws for row in table.rows):
        out = [column for column in out if column.title != "drawn"]
    return out


def ranks(row: StandingsRow) -> str:
    """The ranks that a bot can have."""
    if row.rank_ci95 is None:
        return ""
    low, high = row.rank_ci95
    return f"{low}" if low == high else f"{low} to {high}"


def between(interval: Interval, form: str, times: float = 1) -> str:
    """An interval.

    >>> between([0.25, 0.5], "{:.1f}", 100)
    '25.0 to 50.0'
    """
    return "" if interval is None else " to ".join(form.format(times * end) for end in interval)


def _best(row: StandingsRow) -> str:
    """A probability that never claims to be certain."""
    p = row.p_best
    return "" if p is None else "> 99 %" if p > 0.99 else "< 1 %" if p < 0.01 else f"{100 * p:.0f} %"
