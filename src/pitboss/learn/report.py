"""How an agent does, in games that it has not learned from: its learning curve as an SVG file, and its page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from pitboss.core.bot import Entrant
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.plots import ticks
from pitboss.core.types import Data
from pitboss.run.batch import simulate
from pitboss.stats.intervals import Estimate

CURVE_GAMES, CURVE_SEED = 1_000, 20_000
CARD_GAMES, CARD_SEED = 10_000, 1
WIDTH, HEIGHT, LEFT, BELOW, ABOVE, RIGHT = 640, 320, 62, 44, 40, 24

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 } .title { font-weight: 600 }
.grid { stroke: #ccc } .band { fill: #3b7dd8; opacity: .25 } .line { fill: none; stroke: #2c62ac; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #555 } .line { stroke: #7fb0f5 } }
"""


CARD = """\
# Agent `{name}`

Plays `{game}`; {size:,.0f} kB. Made by

```sh
{command}
```

with pitboss {pitboss}: {about}, {steps:,} decisions, against {against}, with {seats} at a table. It was paid by \
`{reward}`, an episode was a {episode}, and nothing but such rewards taught it.

How it does in games of seed {seed}, with 95 % intervals:

| seats | what | result | games |
|---|---|---|---|
"""


class Point(NamedTuple):
    """How an agent did after so many steps, with the interval of that."""

    steps: int
    value: float
    low: float
    high: float


def progress_point(game: Game, agent: Entrant, seats: int, steps: int) -> Point:
    """One point of a learning curve: points of a round, for one who plays alone, or else the share of wins."""
    result = simulate(game, [agent, *_rivals(game, seats)], CURVE_GAMES, CURVE_SEED)
    found = result.sums.figure(alone_figure(game), 0) if seats == 1 else result.win_share(0)
    low, high = found.ci95 or (found.mean, found.mean)
    return Point(steps, found.mean, low, high)


def what_is_measured(game: Game, seats: int) -> str:
    """In words, what `progress_point` measures."""
    if seats == 1:
        return alone_figure(game).about
    return f"share of wins against {', '.join(_rivals(game, seats))}"


def alone_figure(game: Game) -> Figure:
    """What a lone player is measured by: its score, by what a game's length is counted in."""
    about = "score of a game" if game.length is None else f"score by {game.length}"
    return Figure("score", about, game.score, per=game.length).among(game.columns)


def measure(game: Game, agent: Entrant, seats: Sequence[int], games: int = CARD_GAMES) -> list[Data]:
    """How an agent does alone, or against each of the game's rivals, at tables of these sizes."""
    out = []
    for n in seats:
        if n == 1:
            result = simulate(game, [agent], games, CARD_SEED)
            out += [_line(f.about, n, result.games, result.sums.figure(f, 0)) for f in game.figures]
            continue
        for rival in game.rivals():
            result = simulate(game, [agent, *[rival] * (n - 1)], games, CARD_SEED)
            out.append(_line(f"wins against {rival}", n, result.games, result.win_share(0)))
    return out


def card(about: Data, name: str, size: int) -> str:
    """A page in Markdown: how an agent was made, and how it does."""
    settings = about["settings"]
    rows = []
    for line in about["score"]:
        alone = line["seats"] == 1
        form = "{:.3f}" if alone else "{:.1%}"
        value, low, high = (form.format(line[key]) for key in ("mean", "low", "high"))
        even = "" if alone else f" (even: {1 / line['seats']:.0%})"
        rows.append(f"| {line['seats']} | {line['what']}{even} | {value} ({low} to {high}) | {line['games']:,} |\n")
    seats = ", ".join(map(str, settings["seats"]))
    made = {**settings, **about, "name": name, "size": size / 1000, "seats": seats, "seed": CARD_SEED}
    return CARD.format(**made) + "".join(rows)


def _rivals(game: Game, seats: int) -> list[str]:
    some = game.rivals()
    return [some[i % len(some)] for i in range(seats - 1)]


def _line(what: str, seats: int, games: int, found: Estimate) -> Data:
    low, high = found.ci95 or (found.mean, found.mean)
    return {"what": what, "seats": seats, "games": games, "mean": found.mean, "low": low, "high": high}


def curve(title: str, what: str, points: Sequence[Point]) -> str:
    """The curve with a band for the intervals; `what` says what was measured.

    >>> curve("ppo", "points a round", [Point(0, 1, 0, 2), Point(1000, 5, 4, 6)]).startswith("<svg")
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
