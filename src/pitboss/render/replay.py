"""A recorded game to look at: one HTML file in which any game's scenes are drawn, step by step.

`steps` is the whole game as plain data; `pack` writes down each face, seat and scene only once; `page` is
the file. The page knows no game: it draws `Scene`s (pages/table.js).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from pitboss.core.game import Position
from pitboss.core.record import Record
from pitboss.core.step import DEALER, FAULT
from pitboss.core.types import Data, GameView
from pitboss.render import document, embed, fill
from pitboss.render.steps import ALL, LogLine, TableAt, chapter, closing, frames

TOGETHER = "all together"


def page(record: Record) -> str:
    """The game as one self-contained HTML file."""
    played = data(record)
    return document(
        "replay",
        ["base.css", "table.css", "replay.css"],
        'import "./theme.js";\n'
        'import { Player, unpack } from "./player.js";\n'
        'import { Table } from "./table.js";\n'
        'const root = document.getElementById("replay");\n'
        'const replay = unpack(JSON.parse(document.getElementById("data").textContent));\n'
        'new Player(root, new Table(root.querySelector("[data-part=table]")), replay);\n',
        title=f"{heading(record)}: {record.game.full_title}",
        heading=heading(record),
        subheading=subheading(record),
        data=embed(played),
        **_around(record, played["chapters"]),
    )


@dataclass(frozen=True, repr=False)
class InlineReplay:
    """A recorded game in a notebook: the player of the replay's page, in a frame of its own."""

    record: Record
    height: int = 760

    def __repr__(self) -> str:
        return f"<replay of {self.record!r}>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{escape(heading(self.record))}" sandbox="allow-scripts" width="100%" '
            f'height="{self.height}" style="border:0" srcdoc="{escape(page(self.record))}"></iframe>'
        )


def replay(record: Record, height: int = 760) -> InlineReplay:
    """A recorded game to step through in a notebook; nothing is loaded from anywhere.

    >>> from pitboss import play, replay
    >>> replay(play("flip7:numbers", ["stay-20", "stay-25"], seed=1))._repr_html_()[:7]
    '<iframe'
    """
    return InlineReplay(record, height)


def heading(record: Record) -> str:
    """Who played."""
    labels = record.labels
    return " · ".join(labels) if len(labels) <= 6 else f"{', '.join(labels[:3])} and {len(labels) - 3} more"


def subheading(record: Record) -> str:
    """What was played."""
    return f"A game of {record.game.full_title}, {len(record.cards) + len(record.moves)} steps"


def data(record: Record) -> Data:
    """The game as the player (pages/player.js) wants it, for JSON."""
    played = steps(record)
    return {
        "game": str(record.game),
        "names": record.labels,
        "views": [{"label": label, "seat": None if eye == ALL else eye} for label, eye in _views(record)],
        "chapters": _chapters(played),
        **pack(played),
    }


def main(record: Record, chapters: Sequence[Data]) -> Markup:
    """Table, controls and log as HTML, empty but for the words around them: what the player fills."""
    return fill("replay-main.html", **_around(record, chapters))


def steps(record: Record) -> list[Data]:
    """Every step of a game, the start first, as plain data.

    A step has the card or move that led to it (`move`), the seat that made it (`by`; None for the dealer), and
    for every view a scene and the events it may know; where it is so, also what the move `means` in words, why
    it is a `fault`, and what the bot wrote meanwhile (`output`). A game without secrets has one view; one
    with secrets has what all know together, then what each seat knows. A step that `ends` a round shows its last
    table; the next round begins with the step after it.

    >>> from pitboss.core.play import play
    >>> second = steps(play("flip7:numbers", ["stay-20", "stay-25"], seed=1))[1]
    >>> second["move"], second["by"], second["events"]
    ('5', None, [[('stay-20 gets 5', False)]])
    """
    game, labels, eyes = record.game, record.labels, [eye for _, eye in _views(record)]
    out: list[Data] = []
    cards, moves = iter(record.cards), iter(enumerate(record.moves))
    before: Position | None = None
    heading: list[list[LogLine]] = [[] for _ in eyes]  # of a round that begins with the next step
    for position, events, text in record.replay():
        by = before.to_act if before and before.to_act != DEALER else None
        step: Data = {"move": text, "by": by}
        end = None
        if before:
            number, move = (None, next(cards)) if by is None else next(moves)
            end = closing(before, move, position)
            if number is not None:
                step |= {"fault": record.faults[number]} if number in record.faults else {}
                step |= {"output": record.output[number]} if number in record.output else {}
                step |= _meaning(record, before.view(by or 0), move, labels)
        shown = [frames(game, TableAt(position, events, end), labels, eye) for eye in eyes]
        step["scenes"] = [frame.scene for frame, *_ in shown]
        step["events"] = [[*begun, *frame.events] for begun, (frame, *_) in zip(heading, shown, strict=True)]
        moments = [frame.moments for frame, *_ in shown]
        step |= {"moments": moments} if any(moments) else {}
        heading = [next_round[0].events if next_round else [] for _, *next_round in shown]
        step |= {"ends": True} if end else {}
        out.append(step)
        before = position.copy()
    return out


def _meaning(record: Record, view: GameView, move: int, labels: Sequence[str]) -> dict[str, str]:
    """What a move meant to the player who made it, where that is more than its name."""
    if move == FAULT:
        return {}
    means = record.game.describe_move(view, move, labels)
    return {} if means == record.game.format_move(move) else {"means": means}


def pack(played: Iterable[Data]) -> Data:
    """Steps in which every face, seat, scene and list of events is a number in a list of its own.

    From step to step little changes, so this is a small part of what they are in full.
    """
    faces, seats, scenes, events = _Pool(), _Pool(), _Pool(), _Pool()

    def row(cards: Iterable[Data]) -> list[int]:
        return [faces.number(face) for face in cards]

    def seat(full: Data) -> int:
        return seats.number({**full, "rows": [row(cards) for cards in full["rows"]]})

    def scene(full: Data) -> int:
        centre = [[name, row(cards)] for name, cards in full["centre"]]
        return scenes.number({**full, "seats": [seat(s) for s in full["seats"]], "centre": centre})

    packed = [
        {
            **step,
            "scenes": [scene(full) for full in step["scenes"]],
            "events": [events.number(told) for told in step["events"]],
        }
        for step in played
    ]
    return {
        "faces": faces.things,
        "seats": seats.things,
        "scenes": scenes.things,
        "events": events.things,
        "steps": packed,
    }


class _Pool:
    """Things that are told apart by what they say."""

    def __init__(self) -> None:
        self.things: list[object] = []
        self._numbers: dict[str, int] = {}

    def number(self, thing: object) -> int:
        """The thing's place in the list, where it is put if it is new."""
        number = self._numbers.setdefault(repr(thing), len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


# --- whose eyes ---


def _views(record: Record) -> list[tuple[str, int]]:
    """The ways to look at a game: a label, and a seat or `ALL`."""
    if not record.game.has_secrets:
        return [("everybody", ALL)]
    return [(TOGETHER, ALL), *((label, seat) for seat, label in enumerate(record.labels))]


# --- chapters ---


def _chapters(played: Sequence[Data]) -> list[Data]:
    """Where a new title begins: rounds, turns, or whatever a game's scenes call it behind the last comma."""
    titles = [step["scenes"][0]["title"] for step in played]
    return [{"name": chapter(title), "step": n} for n, title in enumerate(titles) if n == 0 or title != titles[n - 1]]


def _word(chapters: Sequence[Data]) -> str:
    """What a chapter of this game is called: `round` for `round 1`, `round 2` …, whatever others are called."""
    words = {name.strip(" 0123456789") for name in (chapter["name"] for chapter in chapters) if name[-1:].isdigit()}
    return words.pop() if len(words) == 1 else "chapter"


# --- words around the table ---


def _around(record: Record, chapters: Sequence[Data]) -> Data:
    """What the template says: who won, and rules, bots and key for somebody who wants to check the game."""
    labels, outcome = record.labels, record.outcome
    versions = dict(zip(labels, record.versions, strict=False))
    named = [label + (f" (version {versions[label]})" if versions.get(label) else "") for label in labels]
    about = [
        ("rules", f"{record.game.full_title}, for commands: {record.game}"),
        *((f"seat {i}", name) for i, name in enumerate(named)),
        ("deal", f"{record.deal}, rotation {record.rotation}"),
        ("key", str(record.key) if record.key else f"none: the {record.game.deals[1]} were given, not drawn"),
        (
            "record",
            f"{len(record.cards)} {record.game.deals[1]}, {len(record.moves)} moves, {len(record.faults)} faults",
        ),
    ]
    ranking = sorted(range(len(labels)), key=lambda i: (-outcome.shares[i], -outcome.scores[i]))
    return {"record": record, "ranking": ranking, "about": about, "chapter": _word(chapters)}
