"""Records of fixed size, described once: for compiled code as a NumPy dtype, for plain Python as places in bytes.

Where NumPy is at hand, functions marked `@compiled` take its records; in light mode (`compile.light`) they are plain
Python and take a `Reader` instead. Both are read as s["front"][seat, kind].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Any

from pitboss.core.compile import light

if TYPE_CHECKING:
    import numpy as np

# Numbers as `struct` and NumPy call them: whole ones of 1, 2 and 4 bytes, and floats.
I8, I16, I32, F64 = "b", "h", "i", "d"
_SIZE = {I8: 1, I16: 2, I32: 4}


class Layout:
    """The fields of a record in their order, each at a multiple of its size: (name, kind of number[, shape]).

    >>> Layout(("status", I8, (3,)), ("total", I32)).at
    {'status': 0, 'total': 4}
    """

    def __init__(self, *fields: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> None:
        self.fields = fields
        self.at: dict[str, int] = {}  # where each field begins
        self._read: dict[str, Callable[[bytes], Any]] = {}
        end = 0
        for name, kind, *shapes in fields:
            shape: tuple[int, ...] = (*shapes, ())[0]
            at = _rounded(end, _SIZE[kind])
            end = at + _SIZE[kind] * math.prod(shape)
            self.at[name] = at
            self._read[name] = _reader(at, end, kind, shape)
        self.size = _rounded(end, max(_SIZE[kind] for _, kind, *_ in fields))

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The record as NumPy knows it."""
        import numpy as np

        return np.dtype([*self.fields], align=True)

    def reader(self, raw: bytes) -> Reader:
        """The record in these bytes, without NumPy."""
        return Reader(self._read, raw)

    def record(self, raw: bytes) -> Any:
        """The record in these bytes, as functions marked `@compiled` take it now."""
        if light():
            return self.reader(raw)
        import numpy as np

        return np.frombuffer(raw, self.dtype)[0]


class GameLayout(Layout):
    """The state of a game: the fields that all games have, then its own, with a line about each.

    `table` has numbers that belong to all, `each` numbers that every seat has; `dice[5]` are five of them. `kinds` is
    how many kinds of cards the dealer has, `seats` how many may play at most.

    >>> layout = GameLayout(2, 4, table={"round": "which round it is"}, each={"dice[5]": "the dice of all seats"})
    >>> layout.dtype["dice"].shape, layout.each, layout.about["round"]
    ((4, 5), ('dice',), 'which round it is')
    """

    def __init__(self, kinds: int, seats: int, *, table: Mapping[str, str], each: Mapping[str, str]) -> None:
        own = {_split(field): about for field, about in (*table.items(), *each.items())}
        self.about = {name: about for (name, _), about in own.items()}
        self.each = tuple(_split(field)[0] for field in each)
        shapes = {name: (seats, *shape) if name in self.each else shape for name, shape in own}
        numbers = ("to_act", "decision", "seats", "ended", "left_total")
        super().__init__(
            *((name, I32) for name in numbers),
            ("left", I32, (kinds,)),
            *((name, I32, shape) if shape else (name, I32) for name, shape in shapes.items()),
        )

    @cached_property
    def view(self) -> Layout:
        """The same for one seat of a game with secrets."""
        return Layout(("seat", I32), *self.fields)  # the seat first: Numba takes a record that begins alike for another


def _split(field: str) -> tuple[str, tuple[int, ...]]:
    """The name and the shape of `dice[5]`."""
    name, _, size = field.removesuffix("]").partition("[")
    return name, (int(size),) if size else ()


class Reader:
    """A record in bytes: a field is a number, a tuple of them, or a table that is read as [i, j]."""

    __slots__ = ("_raw", "_read")

    def __init__(self, read: dict[str, Callable[[bytes], Any]], raw: bytes) -> None:
        self._read, self._raw = read, raw

    def __getitem__(self, name: str) -> Any:
        return self._read[name](self._raw)


def _rounded(at: int, size: int) -> int:
    return -(-at // size) * size


def _reader(at: int, end: int, kind: str, shape: tuple[int, ...]) -> Callable[[bytes], Any]:
    """What reads a field."""
    if len(shape) > 1:
        return lambda raw: memoryview(raw)[at:end].cast(kind, shape)  # type: ignore[call-overload]
    unpack = Struct(f"{math.prod(shape)}{kind}").unpack_from
    if shape:
        return lambda raw: unpack(raw, at)
    return lambda raw: unpack(raw, at)[0]


def numbers(count: int) -> Any:
    """Room for whole numbers, which a function marked `@compiled` fills in."""
    if light():
        return [0] * count
    import numpy as np

    return np.zeros(count, np.int64)


def constants(values: Sequence[float], kind: str) -> Any:
    """Numbers that functions marked `@compiled` look up."""
    if light():
        return tuple(values)
    import numpy as np

    return np.array(values, kind)
