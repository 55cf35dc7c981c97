"""The terminal, as commands write to it: it obeys us alone, and shows as much of a table as it has room for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from pitboss.core.text import printable

NAME = 14  # characters of a name that a line has room for, at least


class Screen(Console):
    """A console on which a name or a text by somebody else is only ever shown, whatever it is made of."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What is printed, piece by piece, without anything that a terminal would obey."""
        for segment in super().render(renderable, options):
            harmless = segment.is_control or segment.text.isprintable()
            yield segment if harmless else Segment(printable(segment.text, keep="\n"), segment.style)

    def table(self, *titles: str, numbers: Sequence[str] = ()) -> Table:
        """An empty table as all of ours look; `numbers` are the last columns, at the right edge and never folded."""
        table = Table(*titles, box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
        for title in numbers:
            table.add_column(title, justify="right", no_wrap=True)
        return table

    def widest(self, tables: Iterator[Table], names: Iterable[str]) -> Table:
        """The first of these tables, which leave out more and more, that there is room for; otherwise the last.

        A name that is very long may take several lines.
        """
        table, spare = Table(), max(0, max(map(len, names), default=0) - NAME)
        for table in tables:
            if self.measure(table, options=self.options.update(width=10_000)).maximum - spare <= self.width:
                break
        return table
