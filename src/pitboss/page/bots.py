"""The built-in bots of a game as data: which function of its module each is, with which parameters.

A bot that takes a number, such as `stay-25`, is described with its limits and the parameter that the number becomes, so
that a page can seat `stay-31` too; the same for rules that are joined to bots with a plus sign.
"""

from __future__ import annotations

import warnings
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from pitboss.core.bot import BotEntry, Entrant, NumberNeeded, enter
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game
from pitboss.core.registry import bots_of
from pitboss.core.types import Array, Data

MOST_NUMBERS = 50_000  # of a table that a page brings: half a megabyte
SHORT = 64  # parameters that are written out
_HEAD = 8  # parameters before a table, which may differ where the table is the same
_LONG = 4096  # numbers from which on more of them may differ:
_LONG_HEAD = 256


@dataclass
class ParamTables:
    """Long parameters, each once: bots that differ in their first parameters share the rest."""

    arrays: list[Array] = field(default_factory=list)

    def split(self, params: Array) -> Data:
        """Parameters as a list, and the number of a table that follows it, or -1."""
        if len(params) <= SHORT:
            return {"params": params.tolist(), "table": -1}
        for n, table in enumerate(self.arrays):
            if len(table) <= len(params) and np.array_equal(params[-len(table) :], table):
                return {"params": params[: -len(table)].tolist(), "table": n}
        head = _LONG_HEAD if len(params) > _LONG else _HEAD
        self.arrays.append(params[head:])
        return {"params": params[:head].tolist(), "table": len(self.arrays) - 1}

    def to_list(self) -> list[str]:
        """The tables as texts: first bytes of all numbers, then their second bytes, …, which packs a third better."""
        planes = (np.frombuffer(table.tobytes(), np.uint8).reshape(-1, 8).T for table in self.arrays)
        return [b64encode(np.ascontiguousarray(plane).tobytes()).decode() for plane in planes]


Functions = dict[Callable[..., int], str]  # of the module: their names


def functions_of(presets: Mapping[str, Game]) -> Functions:
    """The compiled functions that a game's bots are made of, with the names that they get in its module."""
    out: Functions = {}
    for game in presets.values():
        for name, entry in bots_of(game).items():
            try:
                made = _typical(name, entry, game)
            except PitbossError:
                continue
            if made.function is not None and made.function not in out and len(made.params) <= MOST_NUMBERS:
                out[made.function] = f"bot_{len(out)}"
    return out


def describe_bots(game: Game, functions: Functions, refused: Mapping[str, str], tables: ParamTables) -> Data:
    """The bots that can sit at this table, and those that cannot, with the reason. `refused` has names of functions."""
    bots, left_out = [], []
    for name, entry in bots_of(game).items():
        try:
            bots.append(_describe(name, entry, game, functions, refused) | {"about": entry.about, "usage": entry.usage})
            params = bots[-1].pop("entrant").params
            bots[-1] |= tables.split(params)
        except PitbossError as problem:
            left_out.append({"name": name, "why": str(problem)})
    return {"bots": bots, "refused": left_out}


def _typical(name: str, entry: BotEntry, game: Game, more: str = "") -> Entrant:
    """A bot of an entry, with the number that its sentence names if it needs one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            try:
                return enter(name + more, {name: entry}, game)
            except NumberNeeded as problem:
                return enter(problem.example + more, {name: entry}, game)
        except FutureWarning as problem:
            raise BotError(str(problem)) from problem


def _describe(name: str, entry: BotEntry, game: Game, functions: Functions, refused: Mapping[str, str]) -> Data:
    made = _typical(name, entry, game)
    if made.function is None:
        raise BotError(f"{made.name} is written in Python, not compiled")
    if len(made.params) > MOST_NUMBERS:
        raise BotError(f"{made.name} plays by a table of {len(made.params):,} numbers, too large for a page")
    function = functions[made.function]
    if function in refused:
        raise BotError(f"{made.name} {refused[function]}")
    return {
        "name": made.name,
        "function": function,
        "trusted": int(made.trusted),
        "number": _number(name, entry, game, made),
        "joints": _joints(name, entry, game, made),
        "entrant": made,
    }


def _number(name: str, entry: BotEntry, game: Game, made: Entrant) -> Data | None:
    """Which numbers a bot takes, and the parameter that they become: the number times a scale."""
    try:
        enter(f"{name}-999999999999", {name: entry}, game)
    except NumberNeeded as needed:
        least, most = needed.least, needed.most
    except BotError:
        return None
    else:
        return None

    def params(number: float) -> Array:
        return enter(f"{name}-{number:f}".rstrip("0").rstrip("."), {name: entry}, game).params

    low, high = params(least), params(most)
    places = np.flatnonzero(low != high)
    if len(places) != 1 or low[places[0]] != least * (scale := high[places[0]] / most):
        return None
    place, whole = int(places[0]), isinstance(least, int)
    return {"least": least, "most": most, "whole": whole, "place": place, "scale": float(scale), "prefix": f"{name}-"}


def _joints(name: str, entry: BotEntry, game: Game, made: Entrant) -> Data | None:
    """The rules that can be joined to a bot, and the parameter that tells them apart."""
    values: dict[str, float] = {}
    place = -1
    for rule in game.joints():
        try:
            params = _typical(name, entry, game, f"+{rule}").params
        except PitbossError:
            return None
        places = np.flatnonzero(params != made.params)
        place = int(places[0]) if len(places) else place
        values[rule] = float(params[place]) if len(places) else float("nan")
    if place < 0:
        return None
    own = float(made.params[place])
    return {"place": place, "values": {rule: own if np.isnan(value) else value for rule, value in values.items()}}


def describe_function(missing: list[str]) -> str:
    """Why a function cannot be had in a browser."""
    return f"calls {', '.join(missing)}, which WebAssembly has not"
