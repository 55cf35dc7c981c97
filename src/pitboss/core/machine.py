"""Functions as machine code: the one place that knows Numba's decorator."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.extending import typeof_impl

from pitboss.core.code_cache import CodeCache
from pitboss.core.compile import BOT_FILE, Options, interpreted
from pitboss.core.inlined import InlinedFunction
from pitboss.core.types import Numba

P = ParamSpec("P")
R = TypeVar("R")

INTERPRETED = interpreted()


def machine_code(function: Callable[P, R], options: Options) -> Callable[P, R]:
    """`function`, which compiles when it is first called; in interpreted mode as it is."""
    if INTERPRETED:
        if not options.wraps:
            return function

        @functools.wraps(function)
        def quiet(*args: P.args, **kwargs: P.kwargs) -> R:
            with np.errstate(over="ignore"):
                return function(*args, **kwargs)

        return quiet
    # The pieces of a rule book are small and called from one or two places: inlined into the loop
    # that plays it, they run a third faster (BENCHMARKS.md).
    dispatcher = numba.njit(nogil=True, error_model="numpy", forceinline=options.inline, _nrt=options.counted)(function)
    if not function.__module__.startswith(BOT_FILE):  # other bots may read what is cached
        if options.inline:
            dispatcher = InlinedFunction(function, targetoptions=dispatcher.targetoptions)
        dispatcher._cache = CodeCache(function)
        dispatcher._cache.options = f"{options.inline} {options.counted}"
    return dispatcher  # type: ignore[no-any-return]


def admit(functions: dict[Callable[..., Any], Options]) -> None:
    """Let machine code call these functions: it calls compiled twins of them."""

    @functools.cache  # Numba's types hold dispatchers weakly
    def twin(function: Callable[..., Any]) -> Any:
        return machine_code(function, functions[function])

    @typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
    def typeof_function(function: Callable[..., Any], context: Numba) -> Any:
        return numba.types.Dispatcher(twin(function)) if function in functions else None
