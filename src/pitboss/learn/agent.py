"""Agents: what has been learned, and for which table, in one small file.

The file is a NumPy archive (.npz) of plain arrays, which cannot hold code, and a JSON text `about` with the table,
the method, the seed and how the agent did. A checksum of everything tells a damaged file.

What agents look at are encodings of the game. One called `choices` describes each action by some numbers of its own,
its fields `choice 0`, `choice 1`, and so on; a network then scores actions by what they mean, at tables of any size.
For other games an action is its number. One called `cells` gives each action's place in a table of values.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.errors import BotError, PitbossError, unknown
from pitboss.core.files import write_whole
from pitboss.core.game import Game
from pitboss.core.legal import FEW
from pitboss.core.types import Array, Data
from pitboss.learn.net import SCORER

FORMAT = 1
SHIPPED = Path(__file__).parent / "agents"
TABLE, NETWORK, ADVISED = "table", "network", "advised"  # kinds of agents
ADVICE = "advice"  # in `about` of one that is advised: the bot that it asks before it decides
CELLS, CHOICES = "cells", "choices"  # encodings that agents know
ARRAYS = {TABLE: ("values",), NETWORK: SCORER, ADVISED: SCORER}
MOST_BYTES = 1 << 26


@dataclass(frozen=True)
class Agent:
    """What has been learned: a table of values, or the weights of a network that scores actions.

    The network of an agent that is advised also hears which action another bot would take.

    `encoding` names what it looks at. `about` is for people, and must be what JSON can hold.
    """

    kind: str
    game: str
    encoding: str
    arrays: Mapping[str, Array]
    about: Mapping[str, Any]

    def save(self, path: Path) -> None:
        """Write the file, or leave the old one as it was."""
        arrays = {name: np.ascontiguousarray(self.arrays[name]) for name in ARRAYS[self.kind]}
        facts = {"format": FORMAT, "kind": self.kind, "game": self.game, "encoding": self.encoding, **self.about}
        text = np.frombuffer(json.dumps(facts, sort_keys=True).encode(), np.uint8)
        write_arrays(path, {"about": text, "checksum": _checksum(text, arrays), **arrays})

    def verify_game(self, game: Game) -> None:
        """Refuse to play at another table than the one it learned at."""
        if self.game != str(game):
            raise BotError(f"this agent has learned {self.game}, and cannot play {game}")


def load(place: str) -> Agent:
    """The agent in a file, or a shipped one by its name."""
    path = SHIPPED / f"{place}.npz" if place in shipped() else Path(place)
    if not path.is_file():
        raise BotError(unknown("agent", place, [*shipped(), "path/to/agent.npz"]))
    try:
        return _read(path)
    except Exception as problem:  # archives fail in many ways, and whichever it is, the file is of no use
        raise BotError(f"{place} cannot be used as an agent: {problem}") from problem


def shipped() -> dict[str, str]:
    """The agents that come with pitboss, by name: the tables that they play."""
    return {path.stem: _facts(path)["game"] for path in sorted(SHIPPED.glob("*.npz"))}


def each_agent(bot: str) -> list[str]:
    """All agents of a folder, if `agent:FOLDER` names one; or else the bot itself."""
    scheme, _, place = bot.partition(":")
    if scheme != "agent" or not Path(place).is_dir():
        return [bot]
    found = [f"agent:{path}" for path in sorted(Path(place).glob("*.npz"))]
    if not found:
        raise BotError(f"there is no agent in the folder {place}")
    return found


def version(place: str) -> str:
    """16 hexadecimal digits of a hash of an agent's file."""
    path = SHIPPED / f"{place}.npz" if place in shipped() else Path(place)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """A NumPy archive that is there wholly, or not at all."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    write_whole(path, out.getvalue())


def read_arrays(path: Path) -> dict[str, Array]:
    """What `write_arrays` wrote. Nothing in it is run."""
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _facts(path: Path) -> Data:
    with np.load(path, allow_pickle=False) as archive:
        return json.loads(archive["about"].tobytes())  # type: ignore[no-any-return]


def _read(path: Path) -> Agent:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES >> 20} MB")
    found = read_arrays(path)
    if "about" not in found or "checksum" not in found:
        raise ValueError("it does not say what it is")
    facts = json.loads(found["about"].tobytes())
    if facts.get("format") != FORMAT:
        raise ValueError(f"it is of format {facts.get('format')}, and this version of pitboss reads format {FORMAT}")
    kind = facts["kind"]
    if kind not in ARRAYS:
        raise ValueError(f"agents are {' or '.join(ARRAYS)}, not {kind!r}")
    arrays = {name: found[name] for name in ARRAYS[kind]}
    if not np.array_equal(found["checksum"], _checksum(found["about"], arrays)):
        raise ValueError("its checksum is wrong, so it has been damaged or changed")
    for name, array in arrays.items():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise ValueError(f"its {name} are not all numbers")
    about = {name: fact for name, fact in facts.items() if name not in ("format", "kind", "game", "encoding")}
    return Agent(kind, facts["game"], facts["encoding"], arrays, about)


def _checksum(text: Array, arrays: Mapping[str, Array]) -> Array:
    digest = hashlib.sha256(text.tobytes())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode() + arrays[name].tobytes())
    return np.frombuffer(digest.digest(), np.uint8)


# --- what agents look at ---


@dataclass(frozen=True)
class Sight:
    """How a network sees a table: so many numbers for the state, and so many for each action."""

    encoding: str
    state: int
    choice: int
    numbered: bool  # whether an action is only told by its number
    scale: Array  # what the numbers for the state are multiplied by

    @classmethod
    def of(cls, game: Game) -> Sight:
        """The best way to see this game."""
        learning, seats = game.learning, game.rules.seats[-1]
        if CHOICES in learning.encodings:
            fields = learning.encodings[CHOICES].slices(game.rules, seats)
            first = fields["choice 0"]
            scale = np.ones(first.start, np.float32)
            return cls(CHOICES, first.start, first.stop - first.start, False, scale)
        name, encoding = next(iter(learning.encodings.items()))
        low, high = encoding.bounds(game.rules, game.rules.seats[0])
        if encoding.size(game.rules, seats) != len(low):
            raise PitbossError(
                f"the encoding {name} of {game} depends on the number of seats, so no network can use it"
            )
        # Limits that are only those of a kind of integer say nothing about the numbers that come.
        most = np.clip(np.maximum(np.abs(low), np.abs(high)), 1.0, 100.0)
        return cls(name, len(low), learning.actions(game.rules, seats), True, (1.0 / most).astype(np.float32))

    def states(self, observations: Array) -> Array:
        """The part of observations that is about the state."""
        return observations[:, : self.state].astype(np.float32) * self.scale

    def choices(self, observations: Array, rows: Array, actions: Array) -> Array:
        """What there is to know about some actions, each of a row."""
        if self.numbered and self.choice > FEW:
            return np.zeros((len(actions), 0), np.float32)  # a row each would take gigabytes
        if self.numbered:
            out = np.zeros((len(actions), self.choice), np.float32)
            out[np.arange(len(actions)), actions] = 1.0
            return out
        each = observations[:, self.state :].reshape(len(observations), -1, self.choice)
        return np.ascontiguousarray(each[rows, actions])


def cells_of(game: Game) -> int:
    """How many places the table of values of a game has."""
    if CELLS not in game.learning.encodings:
        raise PitbossError(
            f"{game} has no table of values: its make_learning gives no encoding {CELLS!r}; ppo and league need none"
        )
    _, high = game.learning.encodings[CELLS].bounds(game.rules, game.rules.seats[0])
    return int(high.max()) + 1


def actions_by_seats(game: Game) -> Sequence[int]:
    """How many actions there are at a table with 0, 1, 2, … seats; 0 where that is not possible."""
    seats = game.rules.seats
    return [game.learning.actions(game.rules, n) if n in seats else 0 for n in range(seats[-1] + 1)]
