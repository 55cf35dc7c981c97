"""What a game says and draws, as data: two kinds of files in its folder, which Python and pages both read.

`words.toml` says what is drawn where and which text is said when, with expressions over the fields of a view
(`formula`). `words.en.toml` has the texts in English (`phrase`), `words.de.toml` in German, and so on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any, Self

from pitboss.core.errors import PitbossError
from pitboss.core.layout import Layout
from pitboss.core.node import Constant, Node, Scope
from pitboss.core.phrase import ONE, phrase
from pitboss.core.types import Data

ENGLISH = "en"

# The tables of a language's file, and which names mean what in their texts.
TEXTS = {
    "events": "event",
    "secret": "event",
    "questions": "table",
    "moves": "move",
    "scene": "table",
    "centre": "table",
    "captions": "seat",
    "badges": "seat",
    "faces": "face",
    "rules": "rules",
    "cards": "cards",
}

# The tables of `words.toml` whose entries are a text's name and when it is said.
CASES = {"questions": "table", "moves": "move", "centre": "table", "rules": "rules"}
FACE = ("text", "kind", "say", "tone", "mark")
SEAT = ("faded", "out", "points", "total")
SCENE = ("target", "deck", "discarded")
ALWAYS = ("names", "viewer", "game", "rules")  # known besides the fields of a view


class Wording:
    """What one game says and draws, in all its languages."""

    def __init__(
        self,
        read: Callable[[], tuple[Data, dict[str, Data]]],
        layout: Layout | None,
        constants: Callable[[], Mapping[str, Constant]],
    ) -> None:
        self._read, self.layout, self._constants = read, layout, constants

    @classmethod
    def beside(cls, module: str, layout: Layout, *modules: ModuleType) -> Self:
        """The wording in the folder of a module. Expressions know the constants of other modules by their names, such
        as TEXT or SEAT_0."""
        return cls(lambda: read_folder(os.path.dirname(module)), layout, lambda: _constants(modules))

    @cached_property
    def _files(self) -> tuple[Data, dict[str, Data]]:
        return self._read()

    @property
    def structure(self) -> Data:
        """What `words.toml` says."""
        return self._files[0]

    @property
    def texts(self) -> dict[str, Data]:
        """The texts of all languages."""
        return self._files[1]

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Numbers and tables of the game by name."""
        return self._constants()

    def says(self, part: str) -> bool:
        """Whether a table of this name is described: questions, moves, seat, rules …"""
        return part in self.structure

    def part(self, *path: str) -> Data:
        """A table of `words.toml`, empty if there is none."""
        found: Data = self.structure
        for name in path:
            found = found.get(name, {})
        return found

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """What names mean, by the part of the wording that they stand in."""
        fields = {*(name for name, *_ in self.layout.fields), *ALWAYS} if self.layout else {"seats", "to_act", *ALWAYS}
        values = [*self.part("values")]

        def scope(fields: Collection[str] | None, *values: str) -> Scope:
            return Scope(self.constants, fields, values)

        return {
            "table": scope(fields, *values),
            "seat": scope({*fields, "seat", "it"}, *values, *self.part("seat", "values")),
            "move": scope({*fields, "move"}, *values, *self.part("move", "values")),
            "event": scope({"who", "seat", "a", "b", "kind", "names"}, *self.part("event", "values")),
            "face": scope({"card"}, *self.part("face", "values")),
            "rules": scope(None, *self.part("rule", "values")),
            "cards": scope(()),
        }

    def _formulas(self, table: Mapping[str, str], scope: str) -> dict[str, Node]:
        return {name: _formula(text, self.scopes[scope]) for name, text in table.items()}

    def _values(self, *path: str, scope: str) -> dict[str, Node]:
        known = self.scopes[scope]
        return {name: _formula(text, known.within(name)) for name, text in self.part(*path).items()}

    @cached_property
    def nodes(self) -> Data:
        """What `words.toml` says, with all expressions read."""
        seat, face, event, scene = (self.part(name) for name in ("seat", "face", "event", "scene"))
        return {
            "values": {
                "table": self._values("values", scope="table"),
                "seat": self._values("seat", "values", scope="seat"),
                "move": self._values("move", "values", scope="move"),
                "event": self._values("event", "values", scope="event"),
                "face": self._values("face", "values", scope="face"),
                "rules": self._values("rule", "values", scope="rules"),
            },
            **{name: self._formulas(self.part(name), scope) for name, scope in CASES.items()},
            "rows": [_formula(row, self.scopes["seat"]) for row in seat.get("rows", ())],
            "seat": self._formulas({name: seat[name] for name in SEAT if name in seat}, "seat"),
            "states": self._formulas(seat.get("states", {}), "seat"),
            "scene": self._formulas({name: scene[name] for name in SCENE if name in scene}, "table"),
            "captions": self._formulas(seat.get("captions", {}), "seat"),
            "badges": self._formulas(seat.get("badges", {}), "seat"),
            "face": self._formulas({name: face[name] for name in FACE if name in face}, "face"),
            "touch": self._formulas(self.part("touch"), "move"),
            "hidden": event.get("hidden", {}),
            "moments": event.get("moments", {}),
        }

    def messages(self, language: str) -> dict[str, dict[str, Node]]:
        """All texts of a language, read; those of pitboss itself come first, and English where one is missing."""
        if language not in self.texts:
            raise PitbossError(f"there are no texts in {language!r}; there are {', '.join(self.texts)}")
        out: dict[str, dict[str, Node]] = {name: {} for name in TEXTS}
        for texts in (self.texts[ENGLISH], self.texts[language]):
            plurals = {
                word: _formula(text, Scope({}, (), (), ("n",))) for word, text in texts.get("plural", {}).items()
            } or ONE
            for name, scope in TEXTS.items():
                for key, text in texts.get(name, {}).items():
                    out[name][key] = phrase(text, self.scopes[scope], plurals)
        return out


def read_folder(folder: str) -> tuple[Data, dict[str, Data]]:
    """The structure and the texts of all languages in a folder."""
    return _read_toml(os.path.join(folder, "words.toml")), read_texts(folder)


def read_texts(folder: str) -> dict[str, Data]:
    """The texts of all languages in a folder: of each `words.LANGUAGE.toml`."""
    parts = (name.split(".") for name in sorted(os.listdir(folder)))
    found = [part[1] for part in parts if len(part) == 3 and (part[0], part[2]) == ("words", "toml")]
    if ENGLISH not in found:
        raise PitbossError(f"{folder} needs a words.{ENGLISH}.toml: other languages fall back on English")
    return {language: _read_toml(os.path.join(folder, f"words.{language}.toml")) for language in found}


def _read_toml(path: str) -> Data:
    import tomllib  # here, and `formula` below: a bot's process seldom needs them

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError) as problem:
        raise PitbossError(f"{path} cannot be read: {problem}") from problem


def _formula(text: str, scope: Scope) -> Node:
    from pitboss.core.formula import formula

    return formula(text, scope)


def _constants(modules: Collection[ModuleType]) -> dict[str, Any]:
    found = {name: value for module in modules for name, value in vars(module).items() if name.isupper()}
    return {name: value for name, value in found.items() if _plain(value)}


def _plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(each, int | str) for each in value)
    return isinstance(value, int | str)
