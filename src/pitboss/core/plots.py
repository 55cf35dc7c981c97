"""Plots as SVG text, from plain data: no library, and no colour of their own.

Positions along a plot are percentages and sizes are pixels, so that a plot is as wide as the page lets it be
while its text stays as large as it is. Colours come from the page (report.css), which knows light from
dark. Whatever is told by a colour is also told by a shape or a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from markupsafe import Markup

from pitboss.core.files import write_whole
from pitboss.core.picture import painter

ROW = 36  # pixels for a name and what is drawn below it
AXIS = 26  # pixels for the numbers below a plot
MARGIN = 3.0  # per cent on either side, so that nothing at the edge is cut off
MOST_SIGNS = 30  # of a name; the rest is in the tooltip


@dataclass(frozen=True)
class Dot:
    """A bot's line in a plot: a value, perhaps its interval, and how both read."""

    name: str
    value: float
    low: float | None
    high: float | None
    text: str


def short(name: str, most: int = MOST_SIGNS) -> str:
    """A name that is not too long for a plot.

    >>> short("a" * 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return name if len(name) <= most else name[: most - 1] + "…"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from low to high, about so many.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks(-3, 220)
    [0.0, 50.0, 100.0, 150.0, 200.0]
    """
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
    return [round(i * step, 10) + 0.0 for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def whiskers(
    title: str,
    dots: Sequence[Dot],
    form: Callable[[float], str] = "{:g}".format,
    reference: tuple[float, str] | None = None,
    scale: tuple[float, float] | None = None,
) -> Markup:
    """One line for each bot: a dot, and a whisker over its interval if it has one.

    What lies beyond the scale, if one is given, ends in an arrow at the edge.
    """
    ends = [x for dot in dots for x in (dot.value, dot.low, dot.high) if x is not None]
    ends += [reference[0]] if reference else []
    low, high = scale or (min(ends), max(ends))
    low, high = _widened(max(low, min(ends)), min(high, max(ends)))
    at = _scale(low, high)
    height = ROW * len(dots)
    parts = [_grid(ticks(low, high), at, form, height)]
    if reference:
        parts.append(_line("reference", at(reference[0]), 0, at(reference[0]), height, reference[1]))
    for i, dot in enumerate(dots):
        y = ROW * i
        parts.append(_labels(dot.name, dot.text, y))
        middle = y + 26
        drawn = ""
        if dot.low is not None and dot.high is not None:
            seen = [min(max(x, low), high) for x in (dot.low, dot.high)]
            drawn += _line("whisker", at(seen[0]), middle, at(seen[1]), middle)
            for x, end in zip(seen, (dot.low, dot.high), strict=True):
                drawn += (
                    _line("whisker", at(x), middle - 4, at(x), middle + 4)
                    if x == end
                    else _arrow(at(x), middle, end < x)
                )
        if low <= dot.value <= high:
            drawn += f'<circle class="dot" cx="{at(dot.value)}" cy="{middle}" r="4.5"/>'
        elif dot.low is None:
            drawn += _arrow(at(low if dot.value < low else high), middle, dot.value < low)
        parts.append(f"<g><title>{escape(_told(dot))}</title>{drawn}</g>")
    about = "; ".join(map(_told, dots))
    return _svg(title, about, height + AXIS, parts)


def times(title: str, rows: Sequence[tuple[str, float, float]]) -> Markup:
    """The mean (a dot) and the most (a diamond) milliseconds of each bot, on a scale of powers of ten."""
    low = math.floor(math.log10(max(1e-3, min(mean for _, mean, _ in rows))))
    high = math.ceil(math.log10(max(1e-3, *(most for _, _, most in rows))) + 1e-9)
    linear = _scale(low, max(high, low + 1))

    def at(ms: float) -> str:
        return linear(math.log10(max(ms, 10.0**low)))

    height = ROW * len(rows)
    parts = [_grid([10.0**power for power in range(low, max(high, low + 1) + 1)], at, _milliseconds, height)]
    for i, (name, mean, most) in enumerate(rows):
        y, text = ROW * i, f"{_milliseconds(mean)}, at most {_milliseconds(most)}"
        middle = y + 26
        drawn = (
            _line("whisker thin", at(mean), middle, at(most), middle)
            + f'<circle class="dot" cx="{at(mean)}" cy="{middle}" r="4.5"/>'
            + f'<svg x="{at(most)}" y="{middle}" overflow="visible"><path class="most" d="M0-6L6 0L0 6L-6 0Z"/></svg>'
        )
        parts += [_labels(name, text, y), f"<g><title>{escape(name)}: {text}</title>{drawn}</g>"]
    return _svg(title, "; ".join(f"{n}: {_milliseconds(a)}, at most {_milliseconds(b)}" for n, a, b in rows),
                height + AXIS, parts)  # fmt: skip


def histogram(
    title: str,
    bars: Sequence[Sequence[float]],
    reach: tuple[float, float] | None = None,
    most: float | None = None,
    height: int = 90,
    unit: str = "",
) -> Markup:
    """Counts in bars `[from, to, count]`; several plots compare if they have one reach and one most."""
    low, high = reach or (min(bar[0] for bar in bars), max(bar[1] for bar in bars))
    at, width = _scale(low, high), _scale(0, high - low, 0)
    total = sum(bar[2] for bar in bars)
    tallest = most or max((bar[2] / total for bar in bars), default=1) if total else 1
    middle = 0.5 if all(end - start == 1 for start, end, _ in bars) else 0  # a bar that is one number has it below
    marks = [x for x in ticks(low, high, 4) if x + middle <= high]
    parts = [_grid(marks, lambda x: at(x + middle), "{:g}".format, height)]
    for start, end, count in bars:
        if not count:
            continue
        tall = max(1.0, (height - 4) * count / total / tallest)
        told = f"{start:g}" if end - start <= 1 else f"{start:g} to {end - 1:g}"
        tip = f"<title>{told}{unit and ' ' + escape(unit)}: {count:,} ({count / total:.1%})</title>"
        parts.append(
            f'<rect class="bar" x="{at(start)}" y="{height - tall:.1f}" width="{width(end - start)}" '
            f'height="{tall:.1f}">{tip}</rect>'
        )
    mean = sum((start + end - 1) / 2 * count for start, end, count in bars) / total if total else 0
    about = f"{total:,} counted, the mean is about {mean:.3g}{unit and ' ' + unit}"
    return _svg(title, about, height + AXIS, parts)


@dataclass(frozen=True)
class Plot:
    """A plot with its title: a notebook shows it, and `save` writes it to a file."""

    title: str
    drawing: Markup

    def __repr__(self) -> str:
        return f"<plot: {self.title}>"

    def _repr_svg_(self) -> str:
        return standalone(self.title, self.drawing)

    def save(self, path: str | Path) -> Path:
        """Write the plot as SVG, or as PNG with the extra `png`; the name of the file says which."""
        file = Path(path)
        write_whole(file, painter(file.suffix)(self._repr_svg_()))
        return file


def share_plot(title: str, rows: Iterable[tuple[str, float, Sequence[float] | None]]) -> Plot:
    """A plot of shares in per cent: of each line the name, the share and its interval."""
    dots = []
    for name, share, interval in rows:
        low, high = (100 * end for end in interval) if interval else (None, None)
        dots.append(Dot(name, 100 * share, low, high, f"{100 * share:.1f} %"))
    return Plot(title, whiskers(title, dots, "{:g} %".format))


def standalone(title: str, plot: Markup, width: int = 640) -> str:
    """A plot as an SVG file of its own, with colours for a white page and its title above."""
    height = float(plot.partition('height="')[2].partition('"')[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 48:g}"><style>{_STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/><text class="label" x="16" y="24">{escape(title)}</text>'
        f'<svg x="16" y="40" width="{width - 32}" height="{height:g}">{plot}</svg></svg>'
    )


_STYLE = (
    "text{font:13px sans-serif;fill:#222}.label{font-weight:600}.grid{stroke:#ddd}.tick{fill:#666;font-size:12px}"
    ".whisker{stroke:#2b6ca3;stroke-width:2.5;stroke-linecap:round}.dot,.arrow{fill:#2b6ca3}"
)


# --- parts of plots ---


def _told(dot: Dot) -> str:
    interval = "" if dot.low is None or dot.high is None else f" (95 %: {dot.low:.3g} to {dot.high:.3g})"
    return f"{dot.name}: {dot.text}{interval}"


def _svg(title: str, about: str, height: float, parts: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="plot" role="img" width="100%" height="{height:g}" aria-label="{escape(title)}. {escape(about)}">'
        f"<desc>{escape(about)}</desc>{''.join(parts)}</svg>"
    )


def _grid(values: Sequence[float], at: Callable[[float], str], form: Callable[[float], str], height: float) -> str:
    return "".join(
        _line("grid", at(x), 0, at(x), height)
        + f'<text class="tick" x="{at(x)}" y="{height + 17:g}" text-anchor="middle">{escape(form(x))}</text>'
        for x in values
    )


def _labels(name: str, text: str, y: float) -> str:
    room = min(MOST_SIGNS, MOST_SIGNS + 8 - len(text))
    return (
        f'<text class="label" x="0" y="{y + 15:g}"><title>{escape(name)}</title>{escape(short(name, room))}</text>'
        f'<text class="value" x="100%" y="{y + 15:g}" text-anchor="end">{escape(text)}</text>'
    )


def _arrow(x: str, y: float, left: bool) -> str:
    """The end of what goes on beyond the edge."""
    shape = "M-7 0L1-5V5Z" if left else "M7 0L-1-5V5Z"
    return f'<svg x="{x}" y="{y:g}" overflow="visible"><path class="arrow" d="{shape}"/></svg>'


def _line(kind: str, x1: str, y1: float, x2: str, y2: float, tip: str = "") -> str:
    inside = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<line class="{kind}" x1="{x1}" y1="{y1:g}" x2="{x2}" y2="{y2:g}">{inside}</line>'


def _scale(low: float, high: float, margin: float = MARGIN) -> Callable[[float], str]:
    """From values to percentages."""
    room = (100 - 2 * MARGIN) / (high - low)
    return lambda x: f"{margin + room * (x - low):.2f}%"


def _widened(low: float, high: float) -> tuple[float, float]:
    room = (high - low) * 0.02 or 0.5
    return low - room, high + room


def _milliseconds(ms: float) -> str:
    """A time that people can read.

    >>> _milliseconds(0.034), _milliseconds(2.5), _milliseconds(1500)
    ('34 µs', '2.5 ms', '1.5 s')
    """
    if ms < 1:
        return f"{ms * 1000:.3g} µs"
    return f"{ms:.3g} ms" if ms < 1000 else f"{ms / 1000:.3g} s"
