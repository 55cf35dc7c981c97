"""The report of a tournament: a folder with `index.html` and replays of games worth seeing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.record import Record
from pitboss.core.registry import load, title_of
from pitboss.core.types import Data
from pitboss.render import handout as handout_page
from pitboss.render import replay as replay_page
from pitboss.render import report as report_page
from pitboss.sandbox.limits import Ending, Limits
from pitboss.tournament.columns import columns
from pitboss.tournament.profile import BotProfile, profiles
from pitboss.tournament.standings import Standings, standings
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t

BARS = 20  # of a histogram
MOST_REPLAYS = 8


@dataclass(frozen=True)
class Written:
    """Where a report is."""

    index: Path
    replays: list[Path]


def write_report(store: Store, id: str, folder: Path | None = None) -> Written:
    """Write the report of a tournament, as far as it has been played, with a page for each bot."""
    folder = folder or Path(f"{id}-report")
    table = standings(store, id)
    chosen = list(worth_seeing(store, table))
    found = profiles(store, id) if table.games else []
    try:
        pages = _write_bots(store, id, found, folder / "bots")
        replays, links = [], []
        for number, title in chosen:
            path = folder / f"game-{number}.html"
            write_whole(path, _replay(store, id, number))
            replays.append(path)
            links.append({"title": title, "href": path.name})
        index = folder / "index.html"
        about = [
            {"name": each.row.name, "words": each.words, "href": f"bots/{pages[each.row.name].name}"} for each in found
        ]
        write_whole(index, report_page.page(report_data(store, table, links, about)))
    except OSError as problem:
        raise PitbossError(f"cannot write the report to {folder}: {problem.strerror}") from problem
    return Written(index, replays)


def write_bot_pages(store: Store, id: str, folder: Path | None = None, bots: Sequence[str] = ()) -> dict[str, Path]:
    """Write a page for each bot (or for these), to hand out, and what a program can read of it beside it; where.

    A page says why its bot won or lost, and links replays of its most expensive decisions. No folder of the organiser's
    is named in it.
    """
    stored = store.tournament(id)
    folder = folder or Path(f"{stored.id}-bots")
    try:
        return _write_bots(store, stored.id, profiles(store, stored.id, bots), folder)
    except OSError as problem:
        raise PitbossError(f"cannot write the pages to {folder}: {problem.strerror}") from problem


def _write_bots(store: Store, id: str, found: Sequence[BotProfile], folder: Path) -> dict[str, Path]:
    stored, out, used = store.tournament(id), dict[str, Path](), set[str]()
    folder.mkdir(parents=True, exist_ok=True)
    for profile in found:
        name = file_name(profile.row.name, used)
        write_replays(store, id, profile, folder)
        data = {**profile.to_dict(), "tournament": id, "game": stored.spec}
        write_whole(folder / f"{name}.json", json.dumps(data, indent=1) + "\n")
        out[profile.row.name] = folder / f"{name}.html"
        write_whole(out[profile.row.name], handout_page.page(data))
    return out


def write_replays(
    store: Store, id: str, profile: BotProfile, folder: Path, change: Callable[[Record], Record] = lambda record: record
) -> None:
    """Write replays of the most expensive decisions of a bot; `change` may leave things out.

    One that is there is written again: it may be of another tournament, whose report was in this folder."""
    for number in {decision.game for decision in profile.verdicts.worst}:
        write_whole(folder / f"game-{number}.html", _replay(store, id, number, change))


def _replay(store: Store, id: str, number: int, change: Callable[[Record], Record] = lambda record: record) -> str:
    """A replay's page; faults name files, not the folders that they lie in."""
    record = store.record(id, number)
    for entry in store.tournament(id).entries:
        if entry.path:
            folder = f"{Path(entry.path).parent}/"
            record.faults = {move: text.replace(folder, "") for move, text in record.faults.items()}
    return replay_page.page(change(record))


def file_name(name: str, used: set[str]) -> str:
    """A file's name for a bot, unlike those that are used.

    >>> file_name("Careful v2", set()), file_name("../x", {"x"})
    ('Careful-v2', 'x-2')
    """
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-._") or "bot"
    found = next(each for n in count(1) if (each := plain if n == 1 else f"{plain}-{n}").lower() not in used)
    used.add(found.lower())
    return found


def worth_seeing(store: Store, table: Standings) -> Iterator[tuple[int, str]]:
    """Games to look at: close ones between the best, the highest score, the longest, and faults of each kind."""
    names = [entry.name for entry in store.tournament(table.id).entries]
    rank = {row.name: row.rank for row in table.rows}
    scores: dict[int, list[tuple[int, int]]] = {}
    for game, entry, score in store.rows(t.results, table.id, "game", "entry", "score"):
        scores.setdefault(game, []).append((entry, score))
    if not scores:
        return
    lengths = {n: length for n, length in store.rows(t.games, table.id, "number", "length") if length is not None}
    seen: set[int] = set()

    def who(game: int) -> str:
        return " – ".join(names[entry] for entry, _ in scores[game])

    def ranks(game: int) -> int:
        return sum(rank[names[entry]] for entry, _ in scores[game])

    def gap(game: int) -> int:
        first, *rest = sorted((score for _, score in scores[game]), reverse=True)
        return first - rest[0] if rest else 0

    best = min(map(ranks, scores))
    for game, why in (
        (min((g for g in scores if ranks(g) == best), key=lambda g: (gap(g), g)), "the closest game of the best"),
        (max(scores, key=lambda g: (max(s for _, s in scores[g]), -g)), "the highest score"),
        (max(scores, key=lambda g: (lengths[g], -g)), "the longest game"),
    ):
        if game not in seen:
            seen.add(game)
            yield game, f"{who(game)}: {why}"
    kinds: set[tuple[int, str]] = set()
    for game, entry, kind in store.rows(t.faults, table.id, "game", "entry", "kind"):
        if kind != Ending.FORFEIT and (entry, kind) not in kinds and game not in seen and len(seen) < MOST_REPLAYS:
            kinds.add((entry, kind))
            seen.add(game)
            yield game, f"{who(game)}: {names[entry]} is ruled a fault ({kind})"


def report_data(store: Store, table: Standings, replays: list[dict[str, str]], profiles: Sequence[Data] = ()) -> Data:
    """What the page shows, as plain data; of each profile `name`, `words`, and the address of the bot's page."""
    pages = {each["name"]: each["href"] for each in profiles}
    entries = store.tournament(table.id).entries
    times = {each.name: each for each in table.times}
    game, shown = load(table.game), columns(table)
    scores: dict[str, list[int]] = {entry.name: [] for entry in entries}
    for entry, score in store.rows(t.results, table.id, "entry", "score"):
        scores[entries[entry].name].append(score)
    lengths = Counter(n for (n,) in store.rows(t.games, table.id, "length") if n is not None)
    order = [row.name for row in table.rows]
    place = [table.names.index(name) for name in order]
    return {
        "id": table.id,
        "title": f"Tournament {table.id}",
        "game": title_of(table.game),
        "created": table.created,
        "settings": [pair for pair in settings_in_words(table) if pair[0] != "seed" or table.finished],
        "key_hash": table.key_hash,
        "key": table.key,
        "seed": table.settings["seed"] if table.finished else None,
        "matches": table.matches,
        "games": table.games,
        "standings": [
            {
                **asdict(row), **asdict(times[row.name]), "nondeterministic": row.steady is False,
                "fault": row.first_fault, "href": pages.get(row.name),
                "cells": [(c.text(row), c.span(row), c.share and c.share(row)) for c in shown],
            }
            for row in table.rows
        ],
        "head_to_head": {
            "names": order,
            "wins": [[table.wins[a][b] for b in place] for a in place],
            "games": [[table.meetings[a][b] for b in place] for a in place],
        },
        "columns": [(column.title, column.about) for column in shown],
        "statements": table.statements(),
        "score_histograms": _histograms(scores),
        "length_histogram": [[n, lengths[n]] for n in sorted(lengths)],
        "length_name": game.length or "decisions",
        "clock": Limits.from_dict(table.settings["limits"]).clock,
        "replays": replays,
        "profiles": list(profiles),
        "warnings": table.warnings(),
    }  # fmt: skip


def settings_in_words(table: Standings) -> list[list[str]]:
    """How a tournament is played: label and text."""
    s, limits = table.settings, Limits.from_dict(table.settings["limits"])
    field = f"a budget of {s['games']:,} games" if s["games"] else f"{s['blocks']} deals for each set of bots"
    return [
        ["rules", table.game],
        ["format", s["format"].replace("-", " ") + (f", {s['rounds']} rounds" if s["rounds"] else "")],
        ["seats", str(s["seats"])],
        ["match", f"best of {s['best_of']}" if s["seats"] > 1 else "two bots on the same deals, the shorter game wins"],
        ["schedule", "round by round" if s["format"] == "swiss" else field],
        ["seed", s["seed"] or "none: a key from the operating system"],
        ["time", f"{limits.decision:g} s for a decision, {limits.start:g} s for the start"],
        *([["note", limits.exceptions]] if limits.exceptions else []),
        ["strikes", f"{s['strikes']} faults forfeit a match"],
    ]


def _histograms(scores: dict[str, list[int]]) -> dict[str, list[list[int]]]:
    """Counts in bars of one width for all bots: [from, to, count]."""
    every = [score for of_bot in scores.values() for score in of_bot]
    if not every:
        return {name: [] for name in scores}
    low, high = min(every), max(every)
    width = max(1, -(-(high - low + 1) // BARS))
    bars = range(low, high + 1, width)
    out = {}
    for name, of_bot in scores.items():
        counts = Counter((score - low) // width for score in of_bot)
        out[name] = [[start, start + width, counts[i]] for i, start in enumerate(bars)]
    return out
