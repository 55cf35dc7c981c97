"""Agents: what has been learned, and for which table, in one small file.

The file is a NumPy archive (.npz) of plain arrays, which cannot hold code, and a JSON text `about` with the table,
the method, the seed and how the agent did. A checksum of everything tells a damaged file.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.errors import BotError, unknown
from pitboss.core.files import write_whole
from pitboss.core.game import Game
from pitboss.core.types import Array, Data

FORMAT = 1
SHIPPED = Path(__file__).parent / "agents"
TABLE, NETWORK = "table", "network"  # kinds of agents
ARRAYS = {TABLE: ("values",), NETWORK: ("state", "choice", "bias", "inner", "inner_bias", "out")}
MOST_BYTES = 1 << 26


@dataclass(frozen=True)
class Agent:
    """What has been learned: a table of values, or the weights of a network that scores actions.

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
        raise BotError(f"{place} is no agent that can be used: {problem}") from problem


def shipped() -> dict[str, str]:
    """The agents that come with pitboss, by name: the tables that they play."""
    return {path.stem: _facts(path)["game"] for path in sorted(SHIPPED.glob("*.npz"))}


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
