"""Rules as a frozen value: named switches, named presets, and a text that round-trips.

A game's `Rules` is a dataclass whose fields are made by `switch`. Compiled code gets the same
value as a record of small integers (`Rules.record`): yes/no as 1 and 0, a choice as its place
in the list of choices, a number as itself, a fraction in steps of its scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pitboss.core.errors import SpecError, unknown
from pitboss.core.types import Array, Data

if TYPE_CHECKING:
    import numpy as np

YES = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True)
class Switch:
    """What one switch accepts, and what it is about."""

    about: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    scale: int = 0  # of a fraction: how many steps compiled code sees in 1
    reader: Callable[[str], str] | None = None  # of a text: checks and tidies it

    def read(self, name: str, value: object) -> object:
        """The value that this text (or Python value) stands for."""
        if self.reader:
            return self.reader(str(value))
        if self.scale:
            part = _fraction(value)
            if part is not None and part >= 0:
                return round(part * self.scale) / self.scale
        elif self.choices:
            if value in self.choices:
                return value
        elif self.most:
            number = int(value) if isinstance(value, str) and value.isdigit() else value
            if isinstance(number, int) and not isinstance(number, bool) and self.least <= number <= self.most:
                return number
        elif isinstance(value, bool):
            return value
        elif isinstance(value, str) and value.lower() in YES:
            return YES[value.lower()]
        raise SpecError(f"{name}={value} is not possible; {name} takes {self.allowed}")

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.most:
            return f"a whole number from {self.least} to {self.most}"
        if self.scale:
            return "a number from 0 up, such as 0.5"
        return "cards" if self.reader else "true or false"

    def others(self, value: object) -> list[object]:
        """Values that differ from this one (for a number, one neighbour)."""
        if self.choices:
            return [c for c in self.choices if c != value]
        if self.most:
            assert isinstance(value, int)
            return [value + 1 if value < self.most else value - 1]
        if self.scale:
            return [0.0 if value else 0.5]
        return [] if self.reader else [not value]


def _fraction(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


def switch(default: Any, about: str, *choices: str, **limits: Any) -> Any:
    """A field of a Rules class; see `Switch` for what else can be said of it."""
    return field(default=default, metadata={"switch": Switch(about, choices, **limits)})


@dataclass(frozen=True, eq=False)
class RulesBase:
    """What the Rules of all games can do. Subclasses are such dataclasses too; they add switches and
    fill `presets`."""

    presets: ClassVar[Data]
    default_preset: ClassVar[str]
    shorthands: ClassVar[tuple[str, ...]] = ()  # names that `change` takes besides the switches

    @classmethod
    @cache
    def switches(cls) -> dict[str, Switch]:
        """All switches by name, in the order of the rules page."""
        return {f.name: f.metadata["switch"] for f in fields(cls)}

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `preset(switch=value, …)`; the preset may be left out.

        >>> from pitboss.games.flip7.rules import Flip7Rules
        >>> str(Flip7Rules.parse("numbers(target = 100)"))
        'numbers(target=100)'
        """
        found = re.fullmatch(r"\s*([\w-]*)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
        if not found:
            raise SpecError(f"{text!r} is not of the form preset(switch=value, …)")
        preset = found[1] or cls.default_preset
        if preset not in cls.presets:
            raise SpecError(unknown("preset", preset, cls.presets))
        changes: dict[str, str] = {}
        for part in split_arguments(found[2] or ""):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise SpecError(f"{part.strip()!r} in the rules is not of the form switch=value")
            if name in changes:
                raise SpecError(f"the switch {name} is given twice")
            changes[name] = value
        return cls.presets[preset].change(changes)  # type: ignore[no-any-return]

    def change(self, changes: Mapping[str, object]) -> Self:
        """The same rules with some switches set; refused if a value makes no sense."""
        switches = self.switches()
        values: Data = {}
        for name, value in changes.items():
            if name not in switches:
                raise SpecError(unknown("switch", name, [*switches, *self.shorthands]))
            values[name] = switches[name].read(name, value)
        changed = replace(self, **values)
        needless = changed.needless()
        for name in values:
            if name in needless:
                raise SpecError(
                    f"{name}={show(values[name])} changes nothing here: it needs {needless[name]}; "
                    f"{name} takes {switches[name].allowed}"
                )
        return changed

    def _meaning(self) -> tuple[object, ...]:
        """The values that matter."""
        needless = self.needless()
        return tuple(None if name in needless else getattr(self, name) for name in self.switches())

    def __eq__(self, other: object) -> bool:
        """Rules are equal if they play alike: a switch that changes nothing does not count."""
        return type(other) is type(self) and self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def needless(self) -> dict[str, str]:
        """Switches that change nothing at this table, each with what it would need."""
        return {}

    def __str__(self) -> str:
        """The shortest text that parses back: a preset and what differs from it."""
        ways = []
        for preset, base in self.presets.items():
            changes = self.differences(preset)
            if base.change(changes) == self:
                inside = ", ".join(f"{name}={show(value)}" for name, value in changes.items())
                ways.append((len(changes), f"{preset}({inside})" if inside else preset))
        return min(ways)[1]

    @property
    def title(self) -> str:
        """The same for people.

        >>> from pitboss.games.flip7.rules import Flip7Rules
        >>> Flip7Rules.parse("solo").title, Flip7Rules.parse("official(target=100, modifiers=false)").title
        ('Solo', 'Official (modifiers: no, target: 100)')
        """
        preset = str(self).partition("(")[0]
        words = [f"{name.replace('_', ' ')}: {_told(value)}" for name, value in self.differences(preset).items()]
        return titled(preset) + (f" ({', '.join(words)})" if words else "")

    def differences(self, preset: str) -> dict[str, object]:
        """The switches that must be set on a preset to get these rules."""
        base, needless = self.presets[preset], self.needless()
        names = (n for n in self.switches() if n not in needless)
        return {n: getattr(self, n) for n in names if getattr(self, n) != getattr(base, n)}

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        """The record that compiled code reads."""
        import numpy as np

        return np.dtype([(name, np.int32) for name in cls.switches()], align=True)

    def numbers(self) -> Data:
        """This value as numbers, by the fields of the record."""
        out = {}
        for name, kind in self.switches().items():
            value = getattr(self, name)
            if kind.choices:
                out[name] = kind.choices.index(value)
            elif kind.reader is None:
                out[name] = round(value * kind.scale) if kind.scale else int(value)
        return out

    def named(self) -> Data:
        """This value for texts: switches as they are written, and what else the record has as numbers."""
        own = {name: getattr(self, name) for name, kind in self.switches().items() if kind.reader is None}
        return {**self.numbers(), **own, "needless": [*self.needless()]}

    def record(self) -> Array:
        """This value for compiled code: an array of one record."""
        import numpy as np

        out = np.zeros(1, self.dtype())
        for name, value in self.numbers().items():
            out[name] = value
        return out


def show(value: object) -> str:
    """A switch's value as text.

    >>> show(True), show(200), show("kept")
    ('true', '200', 'kept')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def _told(value: object) -> str:
    """A switch's value for people."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " ")


def titled(name: str) -> str:
    """A name of programs as people write it.

    >>> titled("flip7"), titled("liars-dice"), titled("fair")
    ('Flip 7', 'Liars dice', 'Fair')
    """
    words = re.sub(r"(?<=[a-z])(?=\d)", " ", re.sub(r"[-_]", " ", name))
    return words[:1].upper() + words[1:]


def split_arguments(text: str, keep_empty: bool = False) -> list[str]:
    """Split at commas outside brackets.

    >>> split_arguments("a=1, b=[2,3]")
    ['a=1', ' b=[2,3]']
    """
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [p for p in parts if keep_empty or p.strip()]
