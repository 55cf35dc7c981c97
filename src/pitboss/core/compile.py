"""The mark of a function that runs as machine code: `@compiled`.

It runs as the same Python when the environment variable NUMBA_DISABLE_JIT is 1. Nothing compiles at import.

A command that knows beforehand which machine code it needs does without Numba (`begin_deferred`): marked functions can
then be named and not called. Or it plays as plain Python while another process compiles (`begin_interpreted`).

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


class NeedsCompiler(BaseException):
    """No problem of anybody's: a command goes on in a process with Numba, since it needs it, or it is worth it now."""


class Deferred:
    """A marked function in such a process."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NeedsCompiler


BOT_FILE = "pitboss_bot_"  # what names of modules begin with that are bots' files

_light = os.environ.get("PITBOSS_LIGHT") == "1"
_interpreted = os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
_deferred = _one_command = _early = False
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


def one_command() -> None:
    """This process runs one command of the command line, and nothing else."""
    global _one_command
    _one_command = True


def may_defer() -> bool:
    """Whether this process can do without Numba."""
    asked_for = _interpreted or os.environ.get("PITBOSS_WITH_COMPILER")
    return _one_command and not asked_for and "pitboss.core.machine" not in sys.modules


def begin_deferred() -> None:
    """Name marked functions from now on, and call none of them."""
    global _deferred
    _deferred = True


def deferred() -> bool:
    """Whether marked functions can only be named."""
    return _deferred


def begin_interpreted() -> None:
    """Do without Numba in this process: marked functions stay plain Python. NumPy must not warn of overflows."""
    global _interpreted, _early
    _interpreted = _early = True


def interpreted() -> bool:
    """Whether all marked functions are plain Python."""
    return _interpreted


def compiled(
    function: Callable[P, R], *, wraps: bool = False, inline: bool = True, counted: bool = True
) -> Callable[P, R]:
    """Compile `function` on first call, releasing the GIL; interpreted and light mode return it as it is.

    `wraps` marks hash code, whose unsigned arithmetic wraps on purpose: interpreted, it runs without overflow warnings.
    Only what Python calls itself need not be inlined. Without `counted`, machine code counts no references
    to arrays, which takes half the time of a loop over many of them; it may then only borrow, and make none.
    """
    if _deferred:
        return Deferred(function)
    if _early:
        return function
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
