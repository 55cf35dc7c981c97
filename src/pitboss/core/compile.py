"""The mark of a function that runs as machine code: `@compiled`.

It runs as the same Python when the environment variable NUMBA_DISABLE_JIT is 1. Nothing compiles at import.

The process of a bot from a file is forked for every game, and with NumPy and Numba in it a fork takes ten times as long
as without. So there is a light mode, PITBOSS_LIGHT=1, which imports neither: marked functions stay plain Python. It
ends (`end_light`) when something comes that must be compiled. From then on machine code calls compiled twins of the
functions marked before; Python still calls those as they are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Options(NamedTuple):
    """How a function is compiled; see `compiled`."""

    wraps: bool = False
    inline: bool = True
    counted: bool = True


BOT_FILE = "pitboss_bot_"  # what names of modules begin with that are bots' files

_light = os.environ.get("PITBOSS_LIGHT") == "1"
_plain: dict[Callable[..., Any], Options] = {}  # marked in light mode


def light() -> bool:
    """Whether marked functions are plain Python, and NumPy is not to be imported."""
    return _light


def begin_light() -> None:
    """Import neither NumPy nor Numba for what follows, unless they are here already."""
    global _light
    _light = _light or "pitboss.core.machine" not in sys.modules


def end_light() -> None:
    """Compile from now on; what was marked before can be called by machine code too."""
    global _light
    if _light:
        from pitboss.core.machine import admit

        admit(_plain)
        _light = False


def compiled(
    function: Callable[P, R], *, wraps: bool = False, inline: bool = True, counted: bool = True
) -> Callable[P, R]:
    """Compile `function` on first call, releasing the GIL; interpreted and light mode return it as it is.

    `wraps` marks hash code, whose unsigned arithmetic wraps on purpose: interpreted, it runs without overflow warnings.
    Only what Python calls itself need not be inlined. Without `counted`, machine code counts no references
    to arrays, which takes half the time of a loop over many of them; it may then only borrow, and make none.
    """
    options = Options(wraps, inline, counted)
    if _light:
        _plain[function] = options
        return function
    from pitboss.core.machine import machine_code

    return machine_code(function, options)


def compiled_as(
    *, wraps: bool = False, inline: bool = True, counted: bool = True
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`compiled` as a decorator with options."""
    return lambda function: compiled(function, wraps=wraps, inline=inline, counted=counted)
