"""A learning curve as a picture: an SVG file with its own colours, for light and dark pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from pitboss.render.plots import ticks

WIDTH, HEIGHT, LEFT, BELOW, ABOVE, RIGHT = 640, 320, 62, 44, 40, 24

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 } .title { font-weight: 600 }
.grid { stroke: #ccc } .band { fill: #3b7dd8; opacity: .25 } .line { fill: none; stroke: #2c62ac; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #555 } .line { stroke: #7fb0f5 } }
"""


class Point(NamedTuple):
    """How an agent did after so many steps, with the interval of that."""

    steps: int
    value: float
    low: float
    high: float


def picture(title: str, what: str, points: Sequence[Point]) -> str:
    """The curve with a band for the intervals; `what` says what was measured.

    >>> picture("ppo", "points a round", [Point(0, 1, 0, 2), Point(1000, 5, 4, 6)]).startswith("<svg")
    True
    """
    low, high = min(p.low for p in points), max(p.high for p in points)
    room = (high - low) * 0.05 or 0.5
    low, high, most = low - room, high + room, max(points[-1].steps, 1)

    def x(steps: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * steps / most

    def y(value: float) -> float:
        return ABOVE + (HEIGHT - ABOVE - BELOW) * (high - value) / (high - low)

    parts = [f'<text class="title" x="{LEFT}" y="22">{escape(title)}: {escape(what)}</text>']
    for value in ticks(low, high):
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    parts += [
        f'<text x="{x(steps):.1f}" y="{HEIGHT - 24}" text-anchor="middle">{_short(steps)}</text>'
        for steps in ticks(0, most)
    ]
    parts.append(f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 6}" text-anchor="middle">decisions made while learning</text>')
    band = [(p.steps, p.high) for p in points] + [(p.steps, p.low) for p in reversed(points)]
    parts.append(f'<polygon class="band" points="{" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in band)}"/>')
    line = " ".join(f"{x(p.steps):.1f},{y(p.value):.1f}" for p in points)
    parts.append(f'<polyline class="line" points="{line}"/>')
    about = f"{what}: {points[0].value:.3g} at first, {points[-1].value:.3g} at the end"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}. {escape(about)}"><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )


def _short(steps: float) -> str:
    """A number of steps that people can read.

    >>> _short(2_500_000), _short(1200), _short(0)
    ('2.5M', '1.2k', '0')
    """
    if steps >= 1e6:
        return f"{steps / 1e6:.3g}M"
    return f"{steps / 1e3:.3g}k" if steps >= 1e3 else f"{steps:.0f}"
