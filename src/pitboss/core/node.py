"""Expressions and texts of a game's wording as nodes: nested lists for JSON, so that a page computes the same.

`formula` reads expressions into nodes and `phrase` texts. A node becomes Python code once (`function`), because scenes
are drawn after every move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pitboss.core.errors import PitbossError

Node: TypeAlias = Any  # a number, a text, or a list: what to do, and the nodes to do it with
Constant: TypeAlias = int | str | tuple[int | str, ...]


def spread(counts: Iterable[int]) -> list[int]:
    """The cards of a count of each kind.

    >>> spread([0, 2, 1])
    [1, 1, 2]
    """
    return [kind for kind, n in enumerate(counts) if n for _ in range(n)]


def show(value: object) -> str:
    """A value as it stands in a text.

    >>> show(7), show(True), show([1, "a"]), show(0.5)
    ('7', 'true', '1, a', '0.5')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(show, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _name(facts: Any, card: int) -> str:
    return facts.name_of(card)  # type: ignore[no-any-return]


def _player(facts: Any, seat: int) -> str:
    names = facts["names"]
    return names[seat] if 0 <= seat < len(names) else ""


def _join(between: str, values: Iterable[object]) -> str:
    return between.join(map(show, values))


def _reversed(values: Any) -> list[Any]:
    return [*values][::-1]


# What can be called; the first two also look at the players' names and the language.
OF_FACTS: dict[str, Callable[..., str]] = {"name": _name, "player": _player}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "join": _join, "len": len, "max": max, "min": min, "range": range, "reversed": _reversed,
    "spread": spread, "sum": sum,
}  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """What names mean in an expression: constants of the game, values that are described, and fields of the record.

    `fields` is None where any name may be one.
    """

    constants: Mapping[str, Constant]
    fields: Collection[str] | None = None
    values: Collection[str] = ()
    locals: tuple[str, ...] = ()

    def node(self, name: str) -> Node:
        """What a name stands for."""
        if name in self.locals:
            return ["local", name]
        if name in self.values:
            return ["value", name]
        if name in self.constants:
            constant = self.constants[name]
            return ["table", name] if isinstance(constant, tuple) else constant
        if self.fields is not None and name not in self.fields:
            known = ", ".join(sorted({*self.fields, *self.values}))
            raise PitbossError(f"there is no {name!r} here; there are {known}")
        return ["field", name]

    def within(self, name: str) -> Scope:
        """The scope of the value with this name: in there, the name is the field's."""
        return replace(self, values=[value for value in self.values if value != name])


def function(node: Node, tables: Mapping[str, Constant]) -> Callable[[Any], Any]:
    """What computes a node from facts: a dictionary of fields and values that gets them when asked."""
    if isinstance(node, str | int):
        return lambda facts: node
    made = {**{f"t_{name}": table for name, table in tables.items()}, **FUNCTIONS, **OF_FACTS, "show": show}
    return eval(f"lambda v: {_code(node)}", made)  # type: ignore[no-any-return]  # of nodes that were read above


def _code(node: Node) -> str:
    """A node as Python code in which `v` is the facts."""
    if not isinstance(node, list):
        return repr(node)
    match node:
        case ["field", name]:
            return f"v[{name!r}]"
        case ["value", name]:
            return f"v[{'=' + name!r}]"
        case ["local", name]:
            return f"l_{name}"
        case ["table", name]:
            return f"t_{name}"
        case ["rule", name]:
            return f"v['rules'][{name!r}]"
        case ["at", value, index]:
            return f"{_code(value)}[{_code(index)}]"
        case ["slice", value, low, high]:
            return f"{_code(value)}[{_code(low)}:{_code(high)}]"
        case ["list", *parts]:
            return f"[{', '.join(map(_code, parts))}]"
        case ["if", test, body, other]:
            return f"({_code(body)} if {_code(test)} else {_code(other)})"
        case ["and" | "or" as word, *parts]:
            return f"({f' {word} '.join(map(_code, parts))})"
        case ["not", part]:
            return f"(not {_code(part)})"
        case ["call", name, *args]:
            return f"{name}({', '.join(['v'] * (name in OF_FACTS) + [*map(_code, args)])})"
        case ["each", result, loops]:
            whole = " ".join(f"for l_{name} in {_code(over)} if {_code(test)}" for name, over, test in loops)
            return f"[{_code(result)} {whole}]"
        case ["say", *parts]:
            return f"({' + '.join(repr(p) if isinstance(p, str) else f'show({_code(p)})' for p in parts)})"
        case ["choose", value, cases, other]:
            chosen = "".join(f"{_code(said)} if {_code(test)} else " for test, said in cases)
            return f"(lambda l_n: {chosen}{_code(other)})({_code(value)})"
        case ["show", part]:
            return f"show({_code(part)})"
        case [operator, left, right]:
            return f"({_code(left)} {operator} {_code(right)})"
    raise AssertionError(node)
