"""Near-equilibrium play of the whole game of Show, from a table.

The game is far too large to solve, so information sets are merged (`sets`), and a table has the chances of the answers
in each. `training` makes the tables. Since their second version there are broad and fine sets: where a fine one was met
often enough, it decides, else the broad one that it is part of.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError
from pitboss.core.keys import below
from pitboss.core.types import Array
from pitboss.games.show.bots.rules_of_thumb import by_averages, show_bot
from pitboss.games.show.bots.sets import FINER, describe, exchanged, fine_place_of, place_of, refine
from pitboss.games.show.game import Show
from pitboss.games.show.state import CALL_1, CALL_2, State

SURE = 0.06  # less likely answers are not given at all
MOST_BROAD = 800_000  # broad sets that a table keeps: those that are met most
MOST_FINE = 400_000  # fine sets: those that matter most
ALIKE = 8  # in 255ths: a fine set that answers so nearly like its broad one is not kept

USUAL = np.array([6.0])  # the call of show-6, for what the table does not know
FOLDER = Path(__file__).parent / "tables"
FIRST, LATEST = 1, 2  # versions of the tables that come with pitboss


@dataclass(frozen=True)
class PolicyTable:
    """A policy: for every information set the chance, in 255ths, of the answer 1. Tables of version 1 have no fine
    sets."""

    keys: Array
    chances: Array
    fine_keys: Array
    fine_chances: Array

    @classmethod
    def of(cls, keys: Array, sums: Array, fine_keys: Array, fine_sums: Array) -> PolicyTable:
        """The average policy of a training."""
        keys, chances, met = _average(keys, sums)
        fine_keys, fine_chances, weight = _average(fine_keys, fine_sums)
        differ = np.abs(fine_chances.astype(int) - chances[np.searchsorted(keys, fine_keys // FINER)])
        kept = _most(np.where(differ > ALIKE, weight * differ, 0.0), MOST_FINE)
        broad = _most(met, MOST_BROAD)
        return cls(keys[broad], chances[broad], fine_keys[kept], fine_chances[kept])

    def __len__(self) -> int:
        return len(self.keys) + len(self.fine_keys)

    def save(self, path: Path) -> None:
        """Write the table; keys as differences, which compress well."""
        path.parent.mkdir(parents=True, exist_ok=True)
        steps, fine_steps = np.diff(self.keys, prepend=0), np.diff(self.fine_keys, prepend=0)
        np.savez_compressed(
            path, steps=steps, chances=self.chances, fine_steps=fine_steps, fine_chances=self.fine_chances
        )

    @classmethod
    def load(cls, path: Path) -> PolicyTable:
        """Read a table."""
        with np.load(path) as file:
            if "fine_steps" not in file:
                nothing = np.zeros(0, np.int64)
                return cls(np.cumsum(file["steps"]), file["chances"], nothing, nothing)
            fine = np.cumsum(file["fine_steps"]), file["fine_chances"]
            return cls(np.cumsum(file["steps"]), file["chances"], *fine)

    def params(self) -> Array:
        """The table as a compiled bot reads it: the size of a hash table, its keys, its chances; then the same of the
        fine sets, if there are any."""
        size = 1 << (2 * len(self.keys) - 1).bit_length()
        out = np.zeros(1 + 2 * size)
        out[0] = size
        _fill(out, self.keys, self.chances)
        if not len(self.fine_keys):
            return out
        size = 1 << (2 * len(self.fine_keys) - 1).bit_length()
        fine = np.zeros(1 + 2 * size)
        fine[0] = size
        _fill_fine(fine, self.fine_keys, self.fine_chances)
        return np.concatenate([out, fine])

    @property
    def player(self) -> Any:
        """The compiled bot that plays it."""
        return fine_bot if len(self.fine_keys) else cfr_bot


def _most(weight: Array, most: int) -> Array:
    """Which ones have the most weight."""
    return weight > (np.partition(weight, -most)[-most] if len(weight) > most else 0.0)


def _average(keys: Array, sums: Array) -> tuple[Array, Array, Array]:
    """Information sets in order, the chances of their answers 1, and how much they were met."""
    total = sums.sum(axis=1, dtype=np.float64)
    kept = np.flatnonzero(total > 0)
    kept = kept[np.argsort(keys[kept])]
    share = sums[kept, 1] / total[kept]
    share = np.where(share < SURE, 0.0, np.where(share > 1 - SURE, 1.0, share))
    return keys[kept] - 1, np.rint(255 * share).astype(np.uint8), total[kept]


@compiled_as(inline=False)
def _fill(params: Array, keys: Array, chances: Array) -> None:
    size = int(params[0])
    for i in range(len(keys)):
        at = place_of(params[1 : 1 + size], int(keys[i]), size - 1)
        params[1 + at] = keys[i] + 1
        params[1 + size + at] = chances[i]


@compiled_as(inline=False)
def _fill_fine(params: Array, keys: Array, chances: Array) -> None:
    size = int(params[0])
    for i in range(len(keys)):
        at = fine_place_of(params[1 : 1 + size], int(keys[i]), size - 1)
        params[1 + at] = keys[i] + 1
        params[1 + size + at] = chances[i]


@compiled
def cfr_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Plays a trained table; where the table knows nothing, it plays as `show-6` does."""
    key, own_turned, other_turned = describe(v)
    size = int(params[0])
    at = place_of(params[1 : 1 + size], key, size - 1)
    if int(params[1 + at]) == 0:
        decision = int(v["decision"])
        if decision == CALL_1 or decision == CALL_2:
            return show_bot(v, r, seat, USUAL, luck)
        return by_averages(v)
    answer = 1 if below(luck, 255) < int(params[1 + size + at]) else 0
    return answer ^ exchanged(int(v["decision"]), own_turned, other_turned)


@compiled
def fine_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """The same with fine information sets; where the table has none, the broad one decides."""
    key, own_turned, other_turned = describe(v)
    begin = 1 + 2 * int(params[0])
    size = int(params[begin])
    at = fine_place_of(params[begin + 1 : begin + 1 + size], refine(v, key, own_turned), size - 1)
    if int(params[begin + 1 + at]) == 0:
        return cfr_bot(v, r, seat, params, luck)
    answer = 1 if below(luck, 255) < int(params[begin + 1 + size + at]) else 0
    return answer ^ exchanged(int(v["decision"]), own_turned, other_turned)


# --- by name ---


def table_path(game: Show, version: int | None = None) -> Path:
    """The table that comes with pitboss for these rules: of this version, or the newest there is."""
    there = [number for number in (LATEST, FIRST) if place_of_version(game, number).exists()]
    if version is not None and version not in there:
        raise BotError(f"there is no version {version} of cfr for {game}; leave it out, or choose {FIRST}")
    return place_of_version(game, version or there[0])


def place_of_version(game: Show, version: int = LATEST) -> Path:
    """Where a table for these rules lies, if there is one."""
    presets = game.rules_class.presets
    preset = next((name for name, rules in presets.items() if rules == game.rules), None)
    if preset is None:
        there = ", ".join(f"{game.name}:{name}" for name in presets)
        raise BotError(f"there is no table of near-equilibrium play for {game}; there is one for {there}")
    return FOLDER / (f"{preset}.npz" if version == FIRST else f"{preset}-{version}.npz")


def _build(wanted: Wanted) -> tuple[Any, Any]:
    if wanted.rule:
        raise BotError("nothing can be joined to cfr")
    if len(wanted.named) > 1 or set(wanted.named) - {"file", "version"} or wanted.number is not None:
        raise BotError(
            "the bot cfr takes one parameter, a table of your own: cfr(file=table.npz); or cfr(version=1), which plays"
            " as it did at first"
        )
    version = wanted.named.get("version")
    if version is not None and not version.isdecimal():
        raise BotError(f"the version of cfr is a number, such as cfr(version=1), not {version!r}")
    path = Path(wanted.named["file"]) if "file" in wanted.named else None
    path = path or table_path(wanted.game, None if version is None else int(version))
    try:
        table = PolicyTable.load(path)
    except (OSError, ValueError, KeyError) as problem:
        raise BotError(f"{path} is not a table that pitboss solve --train has written") from problem
    return table.player, table.params()


ENTRY = BotEntry("cfr", "plays a table of near-equilibrium play; cfr(file=F) plays one that you trained", _build)
