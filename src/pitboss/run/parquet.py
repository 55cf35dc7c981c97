"""Games as rows of Parquet files: one for each seat of each game.

    deal, rotation, seat    which game, and who of it
    bot                     its name
    share                   of the win: 1, a part of it, or 0
    …                       the game's own figures: rounds, total, busts

Rows are written as they are played and never held for long. A part is a whole file of its own.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.step import SHARE, column_numbers
from pitboss.core.types import Array
from pitboss.run.work import Played, Work

GROUP_ROWS = 1 << 18  # of a row group: what is held before it is written


def figures_of(game: Game) -> dict[str, int]:
    """The game's own columns: what to call them, and where `tally` puts them.

    >>> from pitboss import load
    >>> figures_of(load("flip7:official"))
    {'rounds': 3, 'total': 4, 'busts': 5, 'flip_7s': 6}
    """
    return dict(zip(game.columns, column_numbers(game.columns), strict=True))


class Parts:
    """Files part-00000.parquet, part-00001.parquet, … in a folder."""

    def __init__(self, folder: Path, work: Work, names: list[str], done: int = 0) -> None:
        """`done` parts are there already; what lies behind them was left half written."""
        try:
            import pyarrow as arrow
            from pyarrow import parquet
        except ModuleNotFoundError:
            raise PitbossError("writing Parquet needs PyArrow: pip install 'pitboss[parquet]'") from None
        self._arrow, self._parquet = arrow, parquet
        self.folder, self.done = folder, done
        self._figures, self._seats = figures_of(work.game), len(work.entrants)
        self._names = arrow.array(names)
        self._held: list[Any] = []
        self._writer: Any = None
        for path in self.paths(1 << 20):
            if int(path.stem.removeprefix("part-")) >= done:
                path.unlink()

    def paths(self, most: int | None = None) -> list[Path]:
        """The parts that are whole."""
        found = sorted(self.folder.glob("part-*.parquet"))
        return found[: self.done if most is None else most]

    def add(self, played: Played) -> None:
        """The rows of a chunk."""
        assert played.rows is not None
        self._held.append(self._table(played.first, played.rows))
        if sum(table.num_rows for table in self._held) >= GROUP_ROWS:
            self._write()

    def _table(self, first: int, rows: Array) -> Any:
        """A chunk as an Arrow table."""
        blocks, rotations, seats, _ = rows.shape
        deal, rotation, seat = (axis.reshape(-1) for axis in np.indices((blocks, rotations, seats)))
        bots = self._arrow.DictionaryArray.from_arrays(((seat - rotation) % seats).astype(np.int16), self._names)
        return self._arrow.table(
            {
                "deal": (first + deal).astype(np.int64), "rotation": rotation.astype(np.int16),
                "seat": seat.astype(np.int16), "bot": bots, "share": rows[..., SHARE].reshape(-1),
                **{name: rows[..., column].reshape(-1) for name, column in self._figures.items()},
            }
        )  # fmt: skip

    def _write(self) -> None:
        if self._held:
            table = self._arrow.concat_tables(self._held).combine_chunks()
            self._held.clear()
            if self._writer is None:
                path = self.folder / f"part-{self.done:05}.parquet"
                self._writer = self._parquet.ParquetWriter(path, table.schema, compression="zstd")
            self._writer.write_table(table, row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """End the part that is being written: it is whole, and on the disk."""
        self._write()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            with (self.folder / f"part-{self.done:05}.parquet").open("rb") as file:
                os.fsync(file.fileno())
            self.done += 1

    def join(self, out: Path) -> None:
        """All parts as one file, a row group at a time."""
        paths = self.paths()
        if len(paths) == 1:
            paths[0].replace(out)
            return
        half = self.folder / "whole.parquet"
        with self._parquet.ParquetWriter(half, self._parquet.read_schema(paths[0]), compression="zstd") as writer:
            for path in paths:
                with self._parquet.ParquetFile(path) as part:
                    for group in range(part.num_row_groups):
                        writer.write_table(part.read_row_group(group))
        half.replace(out)
