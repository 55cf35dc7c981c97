"""Results as notebooks show them: small tables of HTML, and data frames of pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, TypeAlias

from pitboss.core.errors import PitbossError
from pitboss.core.text import cell
from pitboss.core.types import Data

DataFrame: TypeAlias = Any  # of pandas, which need not be there


def html_table(head: Sequence[str], rows: Iterable[Sequence[object]], below: str = "") -> str:
    """A table with a line of text below it; nothing in it is taken for HTML.

    >>> html_table(["bot"], [["<b>"]], "too close to call")
    '<table><tr><th>bot</th></tr><tr><td>&lt;b&gt;</td></tr></table><p>too close to call</p>'
    """
    lines = [_line("th", head), *(_line("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>" + (f"<p>{escape(below)}</p>" if below else "")


def _line(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"


def share(mean: float, interval: Sequence[float] | None) -> str:
    """A share and its interval.

    >>> share(0.5, [0.45, 0.55]), share(1.0, None)
    ('50.0 % (45.0 to 55.0)', '100.0 %')
    """
    return f"{100 * mean:.1f} %" + (f" ({100 * interval[0]:.1f} to {100 * interval[1]:.1f})" if interval else "")


def data_frame(rows: Sequence[Data]) -> DataFrame:
    """Rows as a data frame; an interval becomes two columns, `…_low` and `…_high`."""
    try:
        import pandas
    except ImportError as problem:
        raise PitbossError("to_pandas() needs pandas: pip install 'pitboss[pandas]'") from problem
    return pandas.DataFrame([flat(row) for row in rows])


def csv_text(rows: Sequence[Data]) -> str:
    """Rows for a spreadsheet, in which no text is taken for a formula.

    >>> csv_text([{"name": "=ev", "ci95": [1, 2]}])
    "name,ci95_low,ci95_high\\n'=ev,1,2\\n"
    """
    out, lines = io.StringIO(), [flat(row) for row in rows]
    writer = csv.DictWriter(out, list(lines[0]) if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in line.items()} for line in lines)
    return out.getvalue()


def flat(row: Data) -> Data:
    """A row in which every value is a number or a text.

    >>> flat({"mean": 1.5, "ci95": [1, 2], "faults": {"time": 2, "move": 1}})
    {'mean': 1.5, 'ci95_low': 1, 'ci95_high': 2, 'faults': 3}
    """
    out: Data = {}
    for name, value in row.items():
        if name.endswith("ci95"):
            out[f"{name}_low"], out[f"{name}_high"] = value or (None, None)
        elif isinstance(value, dict) and "ci95" in value:
            out |= flat({name: value["mean"], f"{name}_ci95": value["ci95"]})
        elif isinstance(value, dict):
            out[name] = sum(value.values())
        else:
            out[name] = value
    return out
