"""A tournament to read: one HTML file with the table, how sure it is, plots, and links to replays.

`page` takes plain data, described by `Report`, and knows neither the store nor the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NotRequired, TypedDict, cast

from pitboss.render import document, fill, plots, read

Interval = Sequence[float] | None  # low and high, or None where one block says nothing about luck


class Standing(TypedDict):
    """One bot's line of the table."""

    name: str
    rank: int
    kind: str  # "built-in", "file", "command" …
    version: str
    matches: int
    wins: int
    draws: int
    win_share: float
    ci95: Interval
    strength: float | None
    strength_ci95: Interval
    p_best: float | None
    mean_place: float
    mean_score: float
    game_win_share: float
    faults: Mapping[str, int]  # by kind
    fault: NotRequired[str]  # what the first of them was
    ms_per_decision: float  # 0 for bots that have no process of their own
    ms_most: float
    nondeterministic: bool
    mean_length: NotRequired[float | None]  # of its games, where bots play alone


class HeadToHead(TypedDict):
    """Row against column: how often the row's bot came before the column's, and how often they met."""

    names: Sequence[str]
    wins: Sequence[Sequence[float]]
    games: Sequence[Sequence[int]]


class Replay(TypedDict):
    """A game to look at; the address is relative to the report."""

    title: str
    href: str


class Report(TypedDict):
    """All that a report shows."""

    id: str
    title: str
    game: str  # a spec
    created: str
    settings: Sequence[Sequence[str]]  # label, text
    key_hash: str
    key: str | None  # None while the tournament runs
    seed: NotRequired[str | None]  # None: the key is from the operating system
    matches: int
    games: int
    seconds: NotRequired[float]
    standings: Sequence[Standing]
    head_to_head: HeadToHead
    statements: Sequence[str]
    score_histograms: Mapping[str, Sequence[Sequence[int]]]  # from, up to but not with, how many
    length_histogram: Sequence[Sequence[int]]  # how long, how many
    length_name: str  # "rounds"
    clock: NotRequired[str]  # that bots were timed by, if not by the processor's: "wall"
    replays: Sequence[Replay]
    warnings: Sequence[str]


MANY = 20  # bots; of more, the head-to-head table is set closer
MOST_BARS = 40  # of the histogram of lengths
LONG = 0.01  # of the games may be longer than this histogram shows
SHADES = 10  # of the head-to-head table: 0 loses all, 5 is even, 10 wins all


def page(data: Report | Mapping[str, Any]) -> str:
    """The report as one self-contained HTML file."""
    report = cast(Report, data)
    facts = [
        report["game"],
        f"{len(report['standings'])} bots",
        f"{report['matches']:,} matches",
        f"{report['games']:,} games",
        *([_duration(report["seconds"])] if report.get("seconds") else []),
        report["created"].replace("T", " ").replace("+00:00", " UTC"),
    ]
    body = fill(
        read("report.html"),
        title=escape(report["title"]),
        facts=" · ".join(map(escape, facts)),
        warnings="".join(f'<p class="callout"><strong>⚠</strong> {_sentence(w)}</p>' for w in report["warnings"]),
        statements=_statements(report),
        standings=_standings(report["standings"], report["length_name"]),
        strength=_strength(report["standings"]),
        head_to_head=_head_to_head(report["head_to_head"]),
        scores=_scores(report),
        length=_length(report),
        times=_times(report["standings"], report.get("clock")),
        faults=_faults(report["standings"]),
        replays=_replays(report["replays"]),
        settings=_pairs(report["settings"]),
        key=_key(report),
    )
    return document(report["title"], "report", body, ["base.css", "report.css"], ["theme.js"])


# --- words ---


def _sentence(text: str, names: Iterable[str] = ()) -> str:
    """A statement as a sentence; it begins with a capital unless it begins with a name."""
    start = text[:1] if text.startswith(tuple(names)) else text[:1].upper()
    return escape(start + text[1:] + ("" if text.endswith((".", "!", "?")) else "."))


def _statements(report: Report) -> str:
    names = [bot["name"] for bot in report["standings"]]
    lines = "".join(f"<li>{_sentence(text, names)}</li>" for text in report["statements"])
    return f"<ul>{lines}</ul>" if lines else "<p>Nothing can be said yet.</p>"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 5400 else f"{seconds / 3600:.3g} h"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _span(interval: Interval, form: str, times: float = 1) -> str:
    return "" if interval is None else f"{interval[0] * times:{form}} to {interval[1] * times:{form}}"


def _pairs(pairs: Iterable[Sequence[str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in pairs) + "</dl>"


def _key(report: Report) -> str:
    """How anybody can check that the deals were fixed before the first game."""
    if report.get("seed") is not None:
        return (
            f"<p>All cards follow from the seed {escape(str(report['seed']))}: whoever plays the tournament again with "
            "it meets the same. A bot that knew it, or tried out seeds, knew the cards. Without a seed nobody can.</p>"
        )
    lines = [["its hash", report["key_hash"]]]
    told = "<p>A key decides every card of every game. Its hash (SHA-256) was told before the first one"
    if report["key"] is None:
        return f"{told}; the key itself is published when the last game has been played.</p>{_pairs(lines)}"
    command = f"printf %s {report['key']} | sha256sum"
    return (
        f"{told}, so nobody could choose the cards later.</p>{_pairs([['the key', report['key']], *lines])}"
        f"<p>This prints the hash again: <code>{escape(command)}</code></p>"
        "<p><code>pitboss replay FILE --verify</code> deals a recorded game again and compares.</p>"
    )


def _replays(replays: Sequence[Replay]) -> str:
    lines = "".join(f'<li><a href="{escape(_address(r["href"]))}">{escape(r["title"])}</a></li>' for r in replays)
    return f"<ul>{lines}</ul>" if lines else "<p>No replays were written.</p>"


def _address(href: str) -> str:
    """A relative address: a file beside the report, never a script or another site."""
    if ":" in href.split("/")[0] or href.startswith("/"):
        raise ValueError(f"{href!r} is not a relative address")
    return href


# --- tables ---

TOGETHER = [("mean place", "in a match"), ("mean score", "in a game"), ("share of games", "won, a tie shared")]


def _name(bot: Standing) -> str:
    unsteady = ' <span class="tag" title="Asked the same with the same luck, it answered otherwise">unsteady</span>'
    version = f" {bot['version'][:12]}" if bot["version"] else ""
    return (
        f'<span class="bot">{escape(bot["name"])}</span>{unsteady if bot["nondeterministic"] else ""}'
        f"<small>{escape(bot['kind'] + version)}</small>"
    )


def _standings(standings: Sequence[Standing], length: str) -> str:
    alone = any(bot.get("mean_length") is not None for bot in standings)
    heads = [
        ("share of matches", "won, a tie shared, with its 95 % interval"),
        ("strength", "logarithm of the odds against the middle of the field, with its 95 % interval"),
        ("best?", "the probability that no other bot is stronger"),
        ("matches", ""),
        ("won", ""),
        ("drawn", ""),
        *([(f"mean {length}", "in a game")] if alone else TOGETHER),
        ("faults", ""),
    ]
    rows = []
    for bot in standings:
        share = 100 * bot["win_share"]
        bar = f'<svg class="share" aria-hidden="true"><rect width="{share:.1f}%" height="100%"/></svg>'
        cells = [
            f"<b>{_percent(bot['win_share'])}</b><small>{_span(bot['ci95'], '.1f', 100)}</small>{bar}",
            _rated(bot),
            "–" if bot["p_best"] is None else _chance(bot["p_best"]),
            f"{bot['matches']:,}",
            f"{bot['wins']:,}",
            f"{bot['draws']:,}",
            *([f"{bot.get('mean_length') or 0:.2f}"] if alone else _together(bot)),
            f"{sum(bot['faults'].values()):,}" if bot["faults"] else "–",
        ]
        row = "".join(f'<td class="num">{cell}</td>' for cell in cells)
        rows.append(f'<tr><td class="num">{bot["rank"]}</td><th scope="row">{_name(bot)}</th>{row}</tr>')
    head = "".join(f'<th scope="col" class="num" title="{about}">{name}</th>' for name, about in heads)
    return (
        '<table class="plain standings"><thead><tr><th scope="col" class="num">#</th><th scope="col">bot</th>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _together(bot: Standing) -> list[str]:
    """What is told only of bots that sit at tables with others."""
    return [f"{bot['mean_place']:.2f}", f"{bot['mean_score']:.1f}", _percent(bot["game_win_share"])]


def _rated(bot: Standing) -> str:
    if bot["strength"] is None:
        return "–"
    return f"{bot['strength']:+.2f}<small>{_span(bot['strength_ci95'], '+.2f')}</small>"


def _chance(p: float) -> str:
    """A probability that never claims to be certain.

    >>> _chance(0.9999), _chance(0.347), _chance(0.0)
    ('> 99 %', '35 %', '&lt; 1 %')
    """
    return "> 99 %" if p > 0.99 else "&lt; 1 %" if p < 0.01 else f"{100 * p:.0f} %"


def _head_to_head(table: HeadToHead) -> str:
    """A table in which the shade tells what the number says: from all lost to all won."""
    names, wins, met = table["names"], table["wins"], table["games"]
    if len(names) < 2:
        return "<p>A single bot meets nobody.</p>"
    head = "".join(
        f'<th scope="col" title="{escape(name)}"><span class="unseen">{escape(name)}</span>'
        f'<span aria-hidden="true">{i}</span></th>'
        for i, name in enumerate(names, 1)
    )
    rows = []
    for i, name in enumerate(names):
        cells = []
        for j, other in enumerate(names):
            if i == j:
                cells.append('<td class="self">·</td>')
            elif not met[i][j]:
                cells.append(f'<td class="never" title="{escape(name)} never met {escape(other)}">–</td>')
            else:
                won, lost, all_of = wins[i][j], wins[j][i], met[i][j]
                drawn = all_of - won - lost
                share = (won + drawn / 2) / all_of
                tip = f"{name} against {other}: {won:g} won, {drawn:g} drawn, {lost:g} lost of {all_of:,}"
                cells.append(f'<td class="h{round(SHADES * share)}" title="{escape(tip)}">{100 * share:.0f}</td>')
        label = f'<span class="i" aria-hidden="true">{i + 1}</span><span class="bot">{escape(name)}</span>'
        rows.append(f'<tr><th scope="row" title="{escape(name)}">{label}</th>{"".join(cells)}</tr>')
    dense = " dense" if len(names) > MANY else ""
    return f'<table class="heat{dense}"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _faults(standings: Sequence[Standing]) -> str:
    kinds = sorted({kind for bot in standings for kind, n in bot["faults"].items() if n})
    if not kinds:
        return "<p>No bot was ever at fault.</p>"
    head = "".join(f'<th scope="col" class="num">{escape(kind)}</th>' for kind in kinds)
    rows = "".join(
        f'<tr><th scope="row"><span class="bot">{escape(bot["name"])}</span></th>'
        + "".join(f'<td class="num">{bot["faults"].get(kind, 0) or "–"}</td>' for kind in kinds)
        + f'<td class="num"><b>{sum(bot["faults"].values()):,}</b></td><td>{escape(bot.get("fault", ""))}</td></tr>'
        for bot in standings
        if any(bot["faults"].values())
    )
    head = f'<th scope="col">bot</th>{head}<th scope="col" class="num">all</th><th scope="col">the first</th>'
    return f'<table class="plain"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


# --- figures ---


def _strength(standings: Sequence[Standing]) -> str:
    """Strengths and shares beside each other, each with its intervals."""
    shares = [
        plots.Dot(b["name"], 100 * b["win_share"], *_ends(b["ci95"], 100), _percent(b["win_share"]))
        for b in sorted(standings, key=lambda b: -b["win_share"])
    ]
    rated = sorted((b for b in standings if b["strength"] is not None), key=lambda b: -(b["strength"] or 0))
    strengths = [
        plots.Dot(b["name"], b["strength"] or 0, *_ends(b["strength_ci95"]), f"{b['strength']:+.2f}") for b in rated
    ]
    out = [
        _figure(
            "Share of matches",
            "won, with a tie shared; the whisker is the 95 % interval",
            plots.whiskers("Share of matches won", shares, "{:g} %".format),
        )
    ]
    if strengths:
        about = "one more means 2.7 wins for each loss against the other; 0 is the middle of the field"
        plot = plots.whiskers(
            "Strength", strengths, lambda x: f"{x:+g}" if x else "0", (0, "the middle of the field"), _reach(rated)
        )
        out.insert(0, _figure("Strength", about, plot))
    return "".join(out)


def _reach(rated: Sequence[Standing]) -> tuple[float, float]:
    """From where to where strengths are drawn: as far as bots that won something need it.

    Nobody knows how far below the others a bot is that lost everything; the others would be too close to be told apart.
    """
    known = [bot["strength"] or 0 for bot in rated if bot["win_share"] > 0] or [0.0]
    room = max(1.0, (max(known) - min(known)) / 2)
    return min(known) - room, max(known) + room


def _ends(interval: Interval, times: float = 1) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval[0] * times, interval[1] * times)


def _figure(title: str, about: str, plot: str) -> str:
    caption = f"<b>{escape(title)}</b>" + (f" <span>{escape(about)}</span>" if about else "")
    return f"<figure><figcaption>{caption}</figcaption>{plot}</figure>"


def _scores(report: Report) -> str:
    """One small plot for each bot, all on the same scales."""
    held = {name: bars for name, bars in report["score_histograms"].items() if any(bar[2] for bar in bars)}
    if not held:
        return "<p>No game has been played yet.</p>"
    counted = [bar for bars in held.values() for bar in bars if bar[2]]
    reach = (min(bar[0] for bar in counted), max(bar[1] for bar in counted))
    most = max(bar[2] / sum(b[2] for b in bars) for bars in held.values() for bar in bars)
    order = [bot["name"] for bot in report["standings"] if bot["name"] in held]
    mean = {bot["name"]: f"mean {bot['mean_score']:.1f}" for bot in report["standings"]}
    return "".join(
        _figure(name, mean[name], plots.histogram(f"Scores of {name}", held[name], reach, most, 72, "points"))
        for name in order
    )


def _length(report: Report) -> str:
    counts = report["length_histogram"]
    if not counts:
        return "<p>No game has been played yet.</p>"
    name = report["length_name"]
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
    return _figure(
        f"{name.capitalize()} per game",
        f"mean {mean:.1f}{beyond}",
        plots.histogram(f"{name} per game", bars, height=150, unit=name),
    )


def _times(standings: Sequence[Standing], clock: str | None) -> str:
    """How long bots thought; those without a process of their own are not measured."""
    timed = sorted((b for b in standings if b["ms_per_decision"] > 0), key=lambda b: b["ms_per_decision"])
    inside = sum(bot["kind"] == "built-in" for bot in standings)
    said = f"{inside} built-in bot{'s' * (inside != 1)} not timed" if inside else ""
    if not timed:
        return _figure("Time per decision", "", "<p>Bots that are built in are not timed one by one.</p>")
    rows = [(b["name"], b["ms_per_decision"], b["ms_most"]) for b in timed]
    time = "time by the clock on the wall" if clock == "wall" else "own processor time"
    about = f"the mean (●) and the most (◆) of its {time}" + (f"; {said}" if said else "")
    return _figure("Time per decision", about, plots.times("Time per decision", rows))
