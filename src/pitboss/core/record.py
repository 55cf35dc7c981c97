"""A game on paper: rules, seats, cards dealt, moves, outcome. Replaying it gives every state again.

As JSON for programs, and as one line of text for people who paste:

    pitboss1|flip7:numbers|stay-20;stay-25|key:…|0.0|7 12 5 …|hit hit stay …|won:0:201,188|1f0a…

The trail holds four hexadecimal digits for the start and for every card and move: a checksum of
the events it caused. With it, `verify` can say where an edited record goes astray.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from pitboss.core.bot import Entrant
from pitboss.core.dealer import Dealer, Keyed
from pitboss.core.errors import PitbossError, RecordError
from pitboss.core.files import write_whole
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.notebook import DataFrame, data_frame, html_table
from pitboss.core.registry import load
from pitboss.core.side import Outcome
from pitboss.core.step import DEALER
from pitboss.core.types import Data

FORMAT = "pitboss-record"
VERSION = 1
_LINE = f"pitboss{VERSION}"
SPACE = "~"  # within the text of a move: bid~3~5


def labels_of(names: Sequence[str]) -> list[str]:
    """Names that tell all seats apart: bots of the same name get their seat's number.

    >>> labels_of(["ev", "stay-25", "ev"])
    ['ev (0)', 'stay-25', 'ev (2)']
    """
    return [name if names.count(name) == 1 else f"{name} ({i})" for i, name in enumerate(names)]


def digest(position: Position) -> int:
    """Sixteen bits of checksum of the events not read yet."""
    count = int(position.buffer[0, 0])
    return zlib.crc32(position.buffer[1 : count + 1].tobytes()) & 0xFFFF


@dataclass
class Record:
    """One game. `cards` and `moves` are in the order in which they were dealt and made."""

    game: Game
    seats: list[str]
    versions: list[str]
    key: Key | None
    deal: int = 0
    rotation: int = 0
    cards: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    faults: dict[int, str] = field(default_factory=dict)  # why move n is a fault
    outcome: Outcome = field(default_factory=lambda: Outcome("cut", (), (), ()))
    trail: list[int] = field(default_factory=list)
    output: dict[int, str] = field(default_factory=dict)  # what a bot printed while it thought about move n

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {score}" for name, score in zip(self.labels, self.outcome.scores, strict=False))
        winners = " and ".join(self.labels[seat] for seat in self.outcome.winners)
        end = f"{winners} won" if winners else self.outcome.ended
        return f"<a game of {self.game}: {scores or ', '.join(self.labels)}; {end}, {len(self.moves)} moves>"

    def _repr_html_(self) -> str:
        o, empty = self.outcome, [""] * len(self.seats)
        columns = zip(range(len(self.seats)), self.seats, o.scores or empty, o.shares or empty, strict=True)
        return html_table(["seat", "name", "score", "share of the win"], list(columns), f"{self.game}: {o.ended}")

    def to_pandas(self) -> DataFrame:
        """A data frame with a row for the start and for every card and move; it needs the extra `pandas`."""
        rows: list[Data] = []
        actor: int | None = None
        for step, (position, events, what) in enumerate(self.replay()):
            told = " ".join(event.text(self.labels) for event in events)
            name = None if actor is None else self.labels[actor]
            rows.append({"step": step, "seat": actor, "name": name, "what": what, "events": told})
            actor = position.to_act if position.to_act >= 0 else None
        return data_frame(rows)

    @classmethod
    def begin(cls, game: Game, entrants: Sequence[Entrant], key: Key | None, deal: int, rotation: int) -> Record:
        """An empty record for a game that starts now."""
        return cls(game, [e.name for e in entrants], [e.version for e in entrants], key, deal, rotation)

    @property
    def labels(self) -> list[str]:
        """Names that tell all seats apart."""
        return labels_of(self.seats)

    def deal_again(self) -> Record:
        """The same record with the cards, trail and outcome that its key and its moves lead to."""
        if self.key is None:
            raise RecordError("a record without a key cannot be dealt again")
        again = replace(self, cards=[], trail=[])
        for position, _ in again._steps(Keyed(self.key, self.deal)):
            again.trail.append(digest(position))
            position.events()
        again.outcome = position.outcome
        return again

    # --- as text ---

    def to_dict(self) -> Data:
        """For JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": str(self.game),
            "seats": self.seats,
            "versions": self.versions,
            "key": str(self.key) if self.key else None,
            "deal": self.deal,
            "rotation": self.rotation,
            "cards": " ".join(map(self.game.format_card, self.cards)),
            "moves": " ".join(self.game.format_move(move).replace(" ", SPACE) for move in self.moves),
            "faults": {str(n): text for n, text in self.faults.items()},
            "outcome": {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self.outcome).items()},
            "trail": "".join(f"{x:04x}" for x in self.trail),
            **({"output": {str(n): text for n, text in self.output.items()}} if self.output else {}),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """From JSON; a RecordError says what is missing or wrong."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RecordError(f'this is not a pitboss record: a record is a JSON object with "format": "{FORMAT}"')
        if data.get("version") != VERSION:
            raise RecordError(f"the record has version {data.get('version')!r}; this pitboss reads version {VERSION}")
        try:
            game = load(_typed(data, "game", str))
            outcome = _typed(data, "outcome", dict)
            key = data.get("key")
            trail = _typed(data, "trail", str)
            return cls(
                game,
                [str(name) for name in _typed(data, "seats", list)],
                [str(version) for version in _typed(data, "versions", list)],
                Key.parse(key) if isinstance(key, str) else None,
                _typed(data, "deal", int),
                _typed(data, "rotation", int),
                [game.parse_card(word) for word in _typed(data, "cards", str).split()],
                [game.parse_move(word.replace(SPACE, " ")) for word in _typed(data, "moves", str).split()],
                {int(n): str(text) for n, text in _typed(data, "faults", dict).items()},
                Outcome(
                    _typed(outcome, "ended", str),
                    tuple(int(w) for w in _typed(outcome, "winners", list)),
                    tuple(float(s) for s in _typed(outcome, "shares", list)),
                    tuple(int(s) for s in _typed(outcome, "scores", list)),
                ),
                [int(trail[i : i + 4], 16) for i in range(0, len(trail), 4)],
                {int(n): str(text) for n, text in _typed({"output": {}, **data}, "output", dict).items()},
            )
        except RecordError:
            raise
        except (PitbossError, ValueError, TypeError) as problem:
            raise RecordError(f"the record is damaged: {problem}") from problem

    def to_line(self) -> str:
        """The record as one line of text (without the texts of faults and what bots printed)."""
        d, o = self.to_dict(), self.outcome
        seats = ";".join(
            quote(name, safe="()=+ ,/:") + (f"@{version}" if version else "")
            for name, version in zip(self.seats, self.versions, strict=True)
        )
        shares = ",".join(f"{s:.17g}" for s in o.shares)
        end = f"{o.ended}:{','.join(map(str, o.winners))}:{','.join(map(str, o.scores))}:{shares}"
        place = f"{self.deal}.{self.rotation}"
        return "|".join([_LINE, d["game"], seats, d["key"] or "", place, d["cards"], d["moves"], end, d["trail"]])

    @classmethod
    def from_line(cls, line: str) -> Record:
        """The record that a line of text holds."""
        parts = line.strip().split("|")
        if parts[0] != _LINE or len(parts) != 9:
            raise RecordError(f"this is not a record: a line begins with {_LINE}| and has nine parts")
        _, spec, seats, key, place, cards, moves, end, trail = parts
        entries = [entry.partition("@") for entry in seats.split(";")]
        deal, _, rotation = place.partition(".")
        ended, winners, scores, shares = [*end.split(":"), "", "", ""][:4]
        try:
            return cls.from_dict(
                {
                    "format": FORMAT, "version": VERSION, "game": spec, "seats": [unquote(e[0]) for e in entries],
                    "versions": [e[2] for e in entries], "key": key or None, "deal": int(deal),
                    "rotation": int(rotation), "cards": cards, "moves": moves, "faults": {}, "trail": trail,
                    "outcome": {
                        "ended": ended, "winners": [int(w) for w in winners.split(",") if w],
                        "shares": [float(s) for s in shares.split(",") if s],
                        "scores": [int(s) for s in scores.split(",") if s],
                    },
                }
            )  # fmt: skip
        except RecordError:
            raise
        except ValueError as problem:
            raise RecordError(f"the record is damaged: {problem}") from problem

    # --- replay ---

    def replay(self, dealer: Dealer | None = None) -> Iterator[tuple[Position, list[Any], str]]:
        """Play the record again: the position, what happened, and the card or move that did it.

        The position changes as you go on; copy it to keep it. A card or move that cannot be raises RecordError.
        A record of moves alone takes its cards from a dealer, and keeps them.
        """
        for position, _ in self._steps(dealer):
            yield position, position.events(), self._latest()

    def _latest(self) -> str:
        """The card or move that led to the last step, as text."""
        dealt, move = self._last
        return "start" if move is None else (self.game.format_card if dealt else self.game.format_move)(move)

    def _steps(self, dealer: Dealer | None = None) -> Iterator[tuple[Position, int]]:
        """Every position in turn, its events unread, and how many cards and moves led to it; with a dealer, who deals
        the cards, these are added to the record."""
        game = self.game
        position = game.start(len(self.seats))
        cards, moves, step = iter(self.cards), iter(self.moves), 0
        self._last: tuple[bool, int | None] = (True, None)
        yield position, 0
        while not position.over:
            step += 1
            dealing = position.to_act == DEALER
            if dealing and dealer:
                self.cards.append(dealer.card(position))
            move = next(cards if dealing else moves, None)
            who = "the dealer" if dealing else f"seat {position.to_act}"
            if move is None:
                raise RecordError(f"the record ends too early: at step {step} {who} must act, and nothing is written")
            try:
                position.verify(move)
            except PitbossError as problem:
                raise RecordError(f"the record goes astray at step {step}: {problem}") from problem
            self._last = dealing, move
            game.loops.apply(position.states, game.record, int(move), position.buffer)
            yield position, step
        if next(cards, None) is not None or next(moves, None) is not None:
            raise RecordError(f"the game is over at step {step}, but more cards or moves are written")

    def verify(self) -> int:
        """Rebuild every state and compare all that is written; the number of steps.

        Raises RecordError that says where the record differs from the game it describes.
        """
        dealer = Keyed(self.key, self.deal) if self.key else None
        cards = iter(self.cards)
        total = len(self.cards) + len(self.moves) + 1
        if len(self.trail) != total:
            raise RecordError(f"the trail has {len(self.trail)} checksums, but {total} steps are written")
        position, step = None, 0
        for position, step in self._steps():
            if digest(position) != self.trail[step]:
                raise RecordError(
                    f"step {step} ({self._latest()}) did not do what the record says: its checksum is "
                    f"{digest(position):04x}, written is {self.trail[step]:04x}"
                )
            position.events()
            if dealer and position.to_act == DEALER:
                due, written = dealer.card(position), next(cards, None)
                if written is not None and due != written:
                    form = self.game.format_card
                    raise RecordError(f"at step {step + 1} the key deals {form(due)}, written is {form(written)}")
        assert position is not None
        if position.outcome != self.outcome:
            raise RecordError(f"the game ends as {position.outcome}, written is {self.outcome}")
        return step


def _typed(data: Data, name: str, kind: type[Any]) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(f"the record is damaged: {name!r} must be of type {kind.__name__}, not {value!r}")
    return value


def write(records: Sequence[Record], path: Path) -> None:
    """Write records to a file: `.txt` a line of text each, `.jsonl` a line of JSON each, else JSON.

    The file appears whole or not at all (see `write_whole`).
    """
    if path.suffix == ".txt":
        text = "".join(record.to_line() + "\n" for record in records)
    elif path.suffix == ".jsonl":
        text = "".join(json.dumps(record.to_dict()) + "\n" for record in records)
    else:
        data = [record.to_dict() for record in records]
        text = json.dumps(data[0] if len(data) == 1 else data, indent=1) + "\n"
    write_whole(path, text)


def read(path: Path) -> list[Record]:
    """All records of a file, whichever way they are written."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise RecordError(f"cannot read {path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise RecordError(f"{path} is not a record: it is not text") from problem
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            raise RecordError(f"{path} is empty") from None
        return [_read_line(line, f"{path}, line {n}") for n, line in enumerate(lines, 1)]
    return [Record.from_dict(d) for d in (data if isinstance(data, list) else [data])]


def _read_line(line: str, place: str) -> Record:
    try:
        return Record.from_line(line) if line.startswith(_LINE) else Record.from_dict(json.loads(line))
    except json.JSONDecodeError as problem:
        raise RecordError(f"{place}: neither JSON nor a line of a record ({problem.msg})") from problem
    except RecordError as problem:
        raise RecordError(f"{place}: {problem}") from problem
