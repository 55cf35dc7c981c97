"""Numbers of games, deals and steps, as people write them."""

from __future__ import annotations

import re
from math import isfinite
from operator import index
from typing import TypeAlias

from pitboss.core.errors import PitbossError

Count: TypeAlias = int | float | str  # 1000, 1e6, "10k", "2.5M"

_TIMES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


class NotACount(PitbossError):
    """What was given is no whole number from 1 up."""


def whole_number(value: Count, argument: str = "") -> int:
    """A whole number from 1 up; `argument` is what the caller calls it, and is named if it is none.

    >>> whole_number(1e6), whole_number("10k"), whole_number("2.5M"), whole_number("1_000")
    (1000000, 10000, 2500000, 1000)
    """
    number = _number(value)
    if number is None or number < 1:
        what = f"`{argument}` must be" if argument else "give"
        raise NotACount(f"{what} a whole number from 1 up, such as 1000, 10k, 2.5M or 1e6, not {value!r}")
    return number


def _number(value: object) -> int | None:
    if isinstance(value, str):
        text = value.strip().replace(",", "").lower()
        found = re.fullmatch(r"([\d_.]+(?:e\+?\d\d?)?)([kmgb]?)", text)
        try:
            if text.isdigit():
                return int(text)
            value = float(found[1]) * _TIMES[found[2]] if found else None
        except ValueError:
            return None
    if isinstance(value, float):
        return int(value) if isfinite(value) and value == int(value) else None
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
