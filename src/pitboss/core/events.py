"""How a rule book tells what happened: it writes events, four numbers each, into a buffer.

The numbers are kind, seat, and two details that depend on the kind. The caller gives the buffer, or
None, which is decided at compile time and costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    import numpy as np

Events: TypeAlias = Any  # an int32 array made by `buffer`, or None: no events wanted


def buffer(most: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """A buffer for so many events of one move; its first number counts them."""
    import numpy as np

    return np.zeros((most + 1, 4), np.int32)


@compiled
def emit(ev: Events, kind: int, seat: int, a: int, b: int) -> None:
    """Write an event."""
    if ev is not None:
        n = int(ev[0, 0]) + 1
        ev[0, 0] = n
        if n < len(ev):  # compiled, a write beyond the end would not be noticed; `drain` says it
            ev[n, 0] = kind
            ev[n, 1] = seat
            ev[n, 2] = a
            ev[n, 3] = b


def drain(ev: np.ndarray[Any, Any]) -> list[list[int]]:
    """The events in a buffer, which is then empty again."""
    count = int(ev[0, 0])
    ev[0, 0] = 0
    if count >= len(ev):
        raise PitbossError(f"one move caused {count} events, but most_events of the game is {len(ev) - 1}")
    return ev[1 : count + 1].tolist()  # type: ignore[no-any-return]
