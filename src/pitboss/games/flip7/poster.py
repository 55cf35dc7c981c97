"""The chart of when to hit as one page of SVG, A4 upright: nothing to fetch, and as clear in grey as in colour.

Hit is dark and grows from the bottom of a cell, stay is light and fills the rest, so a cell that is part dark is
a share, and no shade has to be told from another.
"""

from __future__ import annotations

from html import escape

from pitboss.core.types import Data

WIDTH, HEIGHT = 1050, 1485  # A4, five units to the millimetre
MARGIN = 55
LEFT, RIGHT = 205, 888  # of the cells; names stand before, limits after
ROW_MOST = 29  # units of height; fewer if the page is full
GAP = 2  # between rows
HEADING, AXIS, BETWEEN = 40, 28, 22  # above the cells of a table, below them, and between tables
TOP, BOTTOM = 232, 70  # what is above all tables and below them

HIT, STAY, INK, FAINT = "#17457a", "#f7c873", "#1a1a1a", "#d9d9d9"

LEAD = "Find your row, then the points that staying would bank. Exact, from a fresh deck."

STYLE = (
    f"text{{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;font-size:19px;fill:{INK}}}"
    ".title{font-size:50px;font-weight:700}.lead{font-size:22px}.heading{font-size:25px;font-weight:700}"
    ".limit{font-weight:700}.tick{font-size:17px}.note{font-size:16px}"
    f".hit{{fill:{HIT}}}.stay{{fill:{STAY}}}.none{{fill:none;stroke:{FAINT}}}.grid{{stroke:{INK};stroke-width:1.5}}"
)

Part = tuple[str, str, list[tuple[str, Data]]]  # a heading, what the rows are, rows by name


def draw(facts: Data) -> str:
    """The picture of what `chart.chart` found."""
    parts, last = _parts(facts), len(facts["points"]) - 1
    rows = sum(len(part[2]) for part in parts)
    room = HEIGHT - TOP - BOTTOM - len(parts) * (HEADING + AXIS + BETWEEN)
    height = min(ROW_MOST, room / rows)
    out, y = [_head(facts)], float(TOP)
    for heading, what, named in parts:
        out.append(_text(MARGIN, y + 24, heading, "heading"))
        out.append(_text(WIDTH - MARGIN, y + 24, what, "note", "end"))
        y += HEADING
        for name, row in named:
            out.append(_cells(name, row, y, height))
            y += height
        out.append(_axis(last, y))
        y += AXIS + BETWEEN
    out.append(_foot(facts))
    about = "; ".join(f"{name}: {limit_text(row)}" for name, row in parts[0][2])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img"><title>When to hit: {escape(facts["game"])}</title><desc>{escape(about)}</desc>'
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(out)}</svg>\n'
    )


def limit_text(row: Data) -> str:
    """What a row says in two words.

    >>> limit_text({"limit": 25}), limit_text({"limit": 0}), limit_text({"limit": None})
    ('stay at 25', 'stay', 'hit')
    """
    limit = row["limit"]
    return "hit" if limit is None else f"stay at {limit}" if limit else "stay"


def _parts(facts: Data) -> list[Part]:
    target = facts["target"]
    parts: list[Part] = [
        ("By the numbers you hold", "for the most points", [(_numbers(row), row) for row in facts["by_numbers"]]),
        ("By the risk that the next card busts you", "for the most points", [_risk(row) for row in facts["by_risk"]]),
        (
            f"By your total, on the way to {target}",
            "for the fewest rounds",
            [(f"{row['total']} points", row) for row in facts["by_total"]],
        ),
    ]
    saved = facts["with_second_chance"]
    if saved and any(row["limit"] is not None for row in saved):
        parts.insert(1, ("With a Second Chance in hand", "for the most points", [(_numbers(r), r) for r in saved]))
    return parts


def _numbers(row: Data) -> str:
    return f"{row['numbers']} number{'s' if row['numbers'] > 1 else ''}"


def _risk(row: Data) -> tuple[str, Data]:
    low, high = (round(100 * share) for share in row["risk"])
    return f"{low} to {high} %" if high < 100 else f"{low} % or more", row


def _head(facts: Data) -> str:
    y = 176
    return "".join(
        [
            _text(MARGIN, 86, "Hit or stay?", "title"),
            _text(WIDTH - MARGIN, 86, facts["game"], "lead", "end"),
            _text(MARGIN, 128, LEAD, "lead"),
            _swatch(MARGIN, y, 1.0) + _text(MARGIN + 38, y + 20, "hit", "lead"),
            _swatch(MARGIN + 105, y, 0.0) + _text(MARGIN + 143, y + 20, "stay", "lead"),
            _swatch(MARGIN + 225, y, 0.4)
            + _text(MARGIN + 263, y + 20, "depends on the cards: here 4 in 10 such hands hit", "lead"),
            _swatch(MARGIN + 765, y, None) + _text(MARGIN + 803, y + 20, "no such hand", "lead"),
        ]
    )


def _foot(facts: Data) -> str:
    lines = ["On the right: the one limit that agrees with best play for most hands of the row."]
    saved = facts["with_second_chance"]
    if saved and all(row["limit"] is None for row in saved):
        lines[0] += " With a Second Chance in hand: hit."
    elif saved:
        lines[0] += " Without a Second Chance in hand, unless it says so."
    note = "Cards that others have drawn are not counted"
    left_out = [name.replace("_", " ").title() for name in facts["left_out"]]
    lines.append(f"{note}{'; ' + ' and '.join(left_out) + ' are left out of the deck' if left_out else ''}.")
    return "".join(_text(MARGIN, HEIGHT - 56 + 24 * i, line, "note") for i, line in enumerate(lines))


def _cells(name: str, row: Data, y: float, height: float) -> str:
    """A row: its name, a cell for each number of points, its limit."""
    wide, tall = (RIGHT - LEFT) / len(row["hit"]), height - GAP
    shapes: dict[str, list[str]] = {"hit": [], "stay": [], "none": []}
    for i, share in enumerate(row["hit"]):
        x = LEFT + i * wide
        if share is None:
            shapes["none"].append(_box(x + 0.5, y + 0.5, wide - 2, tall - 1))
            continue
        dark = tall * share
        if share < 1:
            shapes["stay"].append(_box(x, y, wide - 1, tall - dark))
        if share > 0:
            shapes["hit"].append(_box(x, y + tall - dark, wide - 1, dark))
    middle = y + tall / 2 + 7
    paths = "".join(f'<path class="{kind}" d="{"".join(boxes)}"/>' for kind, boxes in shapes.items() if boxes)
    return _text(LEFT - 12, middle, name, "", "end") + paths + _text(RIGHT + 8, middle, limit_text(row), "limit")


def _axis(last: int, y: float) -> str:
    wide, out = (RIGHT - LEFT) / (last + 1), [_text(LEFT - 12, y + 19, "points:", "tick", "end")]
    for n in (*range(0, last - 2, 5), last):
        x = LEFT + (n + 0.5) * wide
        out.append(f'<path class="grid" d="M{x:.1f} {y:.1f}v5"/>')
        out.append(_text(x, y + 21, f"{n}+" if n == last else str(n), "tick", "middle"))
    return "".join(out)


def _swatch(x: float, y: float, share: float | None) -> str:
    if share is None:
        return f'<path class="none" d="{_box(x, y, 26, 26)}"/>'
    dark = 26 * share
    return f'<path class="stay" d="{_box(x, y, 26, 26)}"/><path class="hit" d="{_box(x, y + 26 - dark, 26, dark)}"/>'


def _box(x: float, y: float, wide: float, tall: float) -> str:
    return f"M{x:.1f} {y:.1f}h{wide:.1f}v{tall:.1f}h{-wide:.1f}z"


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
