"""A game for the page: its module (`build_module`) and its description as data (`describe`).

A module holds the game's own rule book, dealing by a key, the loop that plays blocks of games, and the compiled bots:
the functions that everybody else runs too. It is kept on disk, named by all that it is made of.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.errors import NumbaError

from pitboss.analysis.rollouts import Rollouts
from pitboss.core.cache_folder import cache_folder
from pitboss.core.code_cache import COMPILING
from pitboss.core.errors import PitbossError
from pitboss.core.files import one_at_a_time, write_whole
from pitboss.core.fingerprint import fingerprint
from pitboss.core.game import Game
from pitboss.core.machine import INTERPRETED
from pitboss.core.native import SEATING
from pitboss.core.pointers import signature
from pitboss.core.registry import game_class, load
from pitboss.core.step import WIN_COLUMNS
from pitboss.core.types import Data, Dtype
from pitboss.page.bots import Functions, ParamTables, describe_bots, describe_function, functions_of
from pitboss.page.exports import Export, exports, opinion_exports, opinions
from pitboss.page.linking import LEAST_MEMORY, LINKER, MOST_MEMORY, Unit, link, verify_linker
from pitboss.page.lowering import lowered

HERE = Path(__file__).parent
MADE_BY = ("lowering.py", "linking.py", "runtime.ll")  # how modules are made; what they are made of has fingerprints
_KINDS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "float64": "d", "uint64": "Q", "uint8": "B"}


@dataclass(frozen=True)
class GameModule:
    """A module that is built, and the functions of bots that are not in it, with the reason."""

    wasm: bytes
    refused: dict[str, str]


def presets_of(name: str) -> dict[str, Game]:
    """A game at each of its tables, by the text that names them."""
    return {f"{name}:{preset}": load(f"{name}:{preset}") for preset in game_class(name).rules_class.presets}


def build_module(name: str) -> bytes:
    """The WebAssembly module of a game, from the cache if that has it."""
    return built(name).wasm


@cache
def built(name: str) -> GameModule:
    """The module of a game."""
    if INTERPRETED:
        raise PitbossError("a page is made of compiled functions; unset NUMBA_DISABLE_JIT")
    presets = presets_of(name)
    functions, game = functions_of(presets), next(iter(presets.values()))
    verify_linker()
    called = exports(game) | opinion_exports(game, opinions(presets.values()))
    file = cache_folder() / f"page.{name}-{_made_of(game, called, functions)[:32]}"
    with one_at_a_time(cache_folder() / "page.lock"):
        try:
            size, _, rest = file.read_bytes().partition(b"\n")
            return GameModule(rest[int(size) :], json.loads(rest[: int(size)]))
        except (OSError, ValueError):
            made = _build(game, called, functions)
        refused = json.dumps(made.refused).encode()
        with suppress(PitbossError):  # where nothing can be kept, it is built again
            write_whole(file, b"%d\n%s%s" % (len(refused), refused, made.wasm))
    return made


def _made_of(game: Game, called: dict[str, Export], functions: Functions) -> str:
    """All that a module depends on."""
    own = sha256(b"".join((HERE / name).read_bytes() for name in MADE_BY))
    tools = numba.__version__, llvmlite.__version__, np.__version__, version(LINKER), own.hexdigest()
    covers = tuple(function for function, _ in called.values())
    return fingerprint(tools, covers, tuple(functions), game.state_dtype, game.view_dtype, game.rules_class.dtype())


def _build(game: Game, called: dict[str, Export], functions: Functions) -> GameModule:
    units = [Unit(name, lowered(function).lower(kind)) for name, (function, kind) in called.items()]
    refused: dict[str, str] = {}
    for function, name in functions.items():
        try:
            made = lowered(function).lower(signature(game.view_dtype, game.rules_class.dtype()))
        except NumbaError as problem:
            COMPILING.stop()
            refused[name] = f"does not compile for WebAssembly: {str(problem).splitlines()[0]}"
            continue
        unit = Unit(name, made, by_place=True)
        if missing := unit.missing():
            refused[name] = describe_function(missing)
        else:
            units.append(unit)
    return GameModule(link(units), refused)


def describe(name: str) -> Data:
    """Everything about a game that a page needs besides its module, as data."""
    presets, module, tables = presets_of(name), built(name), ParamTables()
    functions, said, game = functions_of(presets), opinions(presets.values()), next(iter(presets.values()))
    return {
        "name": name,
        "title": game.title,
        "about": game.about,
        "presets": [
            _describe_preset(text, table)
            | describe_bots(table, functions, module.refused, tables)
            | {"opinion": _describe_opinion(table, said, tables)}
            for text, table in presets.items()
        ],
        "tables": tables.to_list(),
        "layouts": {
            "state": describe_layout(game.state_dtype),
            "view": describe_layout(game.view_dtype),
            "rules": describe_layout(game.rules_class.dtype()),
            "seating": describe_layout(SEATING),
        },
        "moves": game.step.moves,
        "mostEvents": game.most_events,
        "eventKinds": [*game.event_kinds],
        "secrets": game.has_secrets,
        "memory": {"least": LEAST_MEMORY, "most": MOST_MEMORY},
        "roundLimit": game.round_limit,
        "columns": [*WIN_COLUMNS, *game.columns],
        "score": game.score_place,
        "length": game.length_place,
        "figures": [
            {"name": f.name, "about": f.about, "place": f.place, "per": f.per_place, "percent": f.percent}
            for f in game.figures
        ],
    }


def _describe_opinion(game: Game, functions: dict[Callable[..., int], str], tables: ParamTables) -> Data:
    """What says how much moves are worth: a function of the module, or rollouts with a policy, if there is one."""
    said, policy = game.analysis.compiled() if game.analysis else None, Rollouts(game).policy
    play_on = {"playOn": policy.name if policy.function else ""}  # with whom games are played on, for a story
    if said:
        kinds = [vars(kind) for kind in said.kinds]
        return {"function": functions[said.function], "kinds": kinds} | play_on | tables.split(said.params)
    return {"policy": play_on["playOn"] if not game.has_secrets else ""} | play_on


def _describe_preset(text: str, game: Game) -> Data:
    seats = game.rules.seats
    return {
        "text": text,
        "title": game.rules.title,
        "fullTitle": game.full_title,
        "about": game.preset_about.get(text.partition(":")[2], ""),
        "seats": [seats[0], seats[-1]],
        "rules": b64encode(game.record.tobytes()).decode(),
        "lineUp": game.default_bots(),
    }


def describe_layout(dtype: Dtype) -> Data:
    """Where the fields of a record lie: [offset, kind of number, shape]."""
    fields: Any = dtype.fields or {}
    return {
        "size": dtype.itemsize,
        "fields": {
            name: [fields[name][1], _KINDS[fields[name][0].base.name], [*fields[name][0].shape]]
            for name in dtype.names or ()
        },
    }
