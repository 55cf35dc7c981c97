"""Who sits where, for compiled code: a bot is the address of its machine code.

A compiled bot is a function `bot(view, rules, seat, params, luck) -> move`. The loops get, for
each seat, the bot's address and that of its parameters, so no line-up, number of seats or length
of parameters ever compiles a loop again, and a call costs about three nanoseconds. A seat whose
bot is a Python object has address 0: the loop comes back to Python for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.compile import interpreted
from pitboss.core.native import SEATING
from pitboss.core.types import Array, Dtype

INTERPRETED = interpreted()

_PYTHON_BOTS: list[Callable[..., int]] = []  # interpreted mode: an address is a place in this list, from 1
_PYTHON_PARAMS: list[Array] = []

if INTERPRETED:

    def params_at(address: int, size: int) -> Array:
        """The parameters that lie at an address."""
        return _PYTHON_PARAMS[int(address) - 1]

else:
    from pitboss.core.pointers import params_at as params_at


@cache
def caller(view: Dtype, rules: Dtype) -> Callable[[int], Callable[..., int]]:
    """`bot_at(address)` for compiled code: the bot whose machine code lies there."""
    if INTERPRETED:
        return lambda address: _PYTHON_BOTS[int(address) - 1]
    from pitboss.core import pointers

    return pointers.caller(view, rules)


@cache
def lender(*dtypes: Dtype) -> Callable[[Any], tuple[Array, ...]]:
    """`lent(place)` for compiled code: the arrays of a `Loan` of these types."""
    if INTERPRETED:
        return lambda place: place
    from pitboss.core import pointers

    return pointers.lender(*dtypes)


class Loan:
    """Arrays that compiled code reads and writes again and again. It gets all of them by one number, their `place`:
    handing over the arrays themselves takes a microsecond."""

    def __init__(self, *arrays: Array) -> None:
        self._arrays = arrays  # kept alive
        self._words = np.array([word for array in arrays for word in (array.ctypes.data, len(array))], np.int64)
        self.place: Any = arrays if INTERPRETED else int(self._words.ctypes.data)

    def __deepcopy__(self, memo: dict[int, Any]) -> Loan:
        """Of copies of the arrays, which lie elsewhere."""
        return Loan(*deepcopy(self._arrays, memo))


def seating(entrants: Sequence[Entrant], view: Dtype, rules: Dtype) -> Array:
    """The array for the loops; the caller keeps the entrants alive."""
    out = np.zeros(len(entrants), SEATING)
    for i, entrant in enumerate(entrants):
        function, params = entrant.function, entrant.params
        if function is None:
            continue
        if INTERPRETED:
            _PYTHON_BOTS.append(function)
            _PYTHON_PARAMS.append(params)
            out[i] = len(_PYTHON_BOTS), len(_PYTHON_PARAMS), len(params), entrant.trusted
            continue
        from pitboss.core.pointers import address_of

        out[i] = address_of(entrant, view, rules), params.ctypes.data, len(params), entrant.trusted
    return out
