"""Numbers that a game reports of a simulation, by the names of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pitboss.core.errors import PitbossError, unknown
from pitboss.core.step import WIN_COLUMNS


@dataclass(frozen=True)
class Figure:
    """A number that a game reports of a simulation: a column of `tally`, over another or per game."""

    name: str
    about: str
    column: str
    per: str | None = None  # the column to divide by; None: games
    percent: bool = False
    place: int = -1  # of the column in a row of `tally`; `among` finds both
    per_place: int = -1

    def among(self, columns: Sequence[str]) -> Figure:
        """The same, with the places of its columns among a game's own."""
        return replace(
            self, place=place_of(self.column, columns), per_place=place_of(self.per, columns) if self.per else -1
        )


def place_of(column: str, own: Sequence[str]) -> int:
    """Where a column stands in a row of `tally`, behind those that all games have.

    >>> place_of("share", ("rounds", "total")), place_of("total", ("rounds", "total"))
    (2, 4)
    """
    if not isinstance(own, tuple) or not all(isinstance(name, str) for name in (column, *own)):
        raise PitbossError(
            f"the columns of tally have names now: columns = ('rounds', 'total'), score = 'total', length = 'rounds', "
            f"Figure('mean_total', 'total', 'total'); this game says columns = {own!r}, and asks for {column!r}"
        )
    names = [*WIN_COLUMNS, *own]
    if column not in names:
        raise PitbossError(unknown("column of tally", column, names))
    return names.index(column)
