"""A tournament to read: one HTML file with the table, how sure it is, plots, and links to replays.

`page` takes plain data, as `tournament.report.report_data` makes it, and knows neither the store nor the games.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from pitboss.core import plots
from pitboss.core.text import sentence
from pitboss.core.types import Data
from pitboss.render import document

Bot = Data  # a row of the standings, with times and its first fault
Interval = Sequence[float] | None  # low and high, or None where one block says nothing about luck
Figure = tuple[str, str, Markup]  # a title, what to know about it, and the plot

MOST_BARS = 40  # of the histogram of lengths
LONG = 0.01  # of the games may be longer than this histogram shows
SHADES = 10  # of the head-to-head table: 0 loses all, 5 is even, 10 wins all


def page(report: Data) -> str:
    """The report as one self-contained HTML file."""
    bots: Sequence[Bot] = report["standings"]
    facts = [
        report["game"],
        f"{len(bots)} bots",
        f"{report['matches']:,} matches",
        f"{report['games']:,} games",
        *([_duration(report["seconds"])] if report.get("seconds") else []),
        report["created"].replace("T", " ").replace("+00:00", " UTC"),
    ]
    values = {"seed": None, **report, "facts": facts}
    values["statements"] = [sentence(text, [bot["name"] for bot in bots]) for text in report["statements"]]
    values["why"] = [
        {**each, "sentences": [sentence(text, [each["name"]]) for text in each["words"]]}
        for each in report.get("profiles", ())
    ]
    values["kinds"] = sorted({kind for bot in bots for kind, n in bot["faults"].items() if n})
    values |= {"strength": _strength(bots), "scores": _scores(report), "length": _length(report)}
    values["times"] = _times(bots, report.get("clock"))
    values |= {"sentence": sentence, "shade": _shade, "relative": _relative}
    return document("report", **values)


# --- words ---


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 5400 else f"{seconds / 3600:.3g} h"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _shade(share: float) -> int:
    return round(SHADES * share)


def _relative(href: str) -> str:
    """A relative address: a file beside the report, never a script or another site."""
    if ":" in href.split("/")[0] or href.startswith("/"):
        raise ValueError(f"{href!r} is not a relative address")
    return href


# --- figures ---


def _strength(bots: Sequence[Bot]) -> list[Figure]:
    """Strengths and shares beside each other, each with its intervals, in the order of the table."""
    shares = [plots.Dot(b["name"], 100 * b["win_share"], *ends(b["ci95"], 100), _percent(b["win_share"])) for b in bots]
    about = "won, with a tie shared; the whisker is the 95 % interval"
    out = [("Share of matches", about, plots.whiskers("Share of matches won", shares, "{:g} %".format))]
    rated = [b for b in bots if b["strength"] is not None]
    if rated:
        dots = [plots.Dot(b["name"], b["strength"], *ends(b["strength_ci95"]), f"{b['strength']:+.2f}") for b in rated]
        about = "one more means 2.7 wins for each loss against the other; 0 is the middle of the field"
        middle = (0, "the middle of the field")
        plot = plots.whiskers("Strength", dots, lambda x: f"{x:+g}" if x else "0", middle, _reach(rated))
        out.insert(0, ("Strength", about, plot))
    return out


def _reach(rated: Sequence[Bot]) -> tuple[float, float]:
    """From where to where strengths are drawn: as far as bots that won something need it.

    Nobody knows how far below the others a bot is that lost everything; the others would be too close to be told apart.
    """
    known = [bot["strength"] for bot in rated if bot["win_share"] > 0] or [0.0]
    room = max(1.0, (max(known) - min(known)) / 2)
    return min(known) - room, max(known) + room


def ends(interval: Interval, times: float = 1) -> tuple[float | None, float | None]:
    """Both ends of an interval, as a plot wants them."""
    return (None, None) if interval is None else (interval[0] * times, interval[1] * times)


def _scores(report: Data) -> list[Figure]:
    """One small plot for each bot, all on the same scales."""
    held = {name: bars for name, bars in report["score_histograms"].items() if any(bar[2] for bar in bars)}
    counted = [bar for bars in held.values() for bar in bars if bar[2]]
    if not counted:
        return []
    reach = (min(bar[0] for bar in counted), max(bar[1] for bar in counted))
    most = max(bar[2] / sum(b[2] for b in bars) for bars in held.values() for bar in bars)
    return [
        (
            name,
            f"mean {bot['mean_score']:.1f}",
            plots.histogram(f"Scores of {name}", held[name], reach, most, 72, "points"),
        )
        for bot in report["standings"]
        if (name := bot["name"]) in held
    ]


def _length(report: Data) -> Figure | None:
    counts, name = report["length_histogram"], report["length_name"]
    if not counts:
        return None
    total = sum(count for _, count in counts)
    mean = sum(n * count for n, count in counts) / total
    shown, longest = 0, counts[0][0]
    for n, count in counts:  # a few endless games would leave no room for all others
        if shown >= (1 - LONG) * total:
            break
        shown, longest = shown + count, n
    width = -(-(longest + 1 - counts[0][0]) // MOST_BARS)
    bars = [[start, start + width, 0] for start in range(counts[0][0], longest + 1, width)]
    for n, count in counts:
        if n <= longest:
            bars[(n - counts[0][0]) // width][2] += count
    beyond = f"; {total - shown:,} longer than {longest}, up to {counts[-1][0]:,}" if shown < total else ""
    plot = plots.histogram(f"{name} per game", bars, height=150, unit=name)
    return f"{name.capitalize()} per game", f"mean {mean:.1f}{beyond}", plot


def _times(bots: Sequence[Bot], clock: str | None) -> Figure:
    """How long bots thought; those without a process of their own are not measured."""
    timed = sorted((b for b in bots if b["ms_per_decision"] > 0), key=lambda b: b["ms_per_decision"])
    inside = sum(bot["kind"] == "built-in" for bot in bots)
    if not timed:
        return "Time per decision", "", Markup("<p>Bots that are built in are not timed one by one.</p>")
    rows = [(b["name"], b["ms_per_decision"], b["ms_most"]) for b in timed]
    time = "time by the clock on the wall" if clock == "wall" else "own processor time"
    said = f"; {inside} built-in bot{'s' * (inside != 1)} not timed" if inside else ""
    about = f"the mean (●) and the most (◆) of its {time}{said}"
    return "Time per decision", about, plots.times("Time per decision", rows)
