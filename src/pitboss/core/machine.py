"""Machine code: the one place that knows Numba's decorator and its disk cache.

Numba's own cache looks only at the file a function stands in, so a changed helper in another file would go unnoticed.
Ours names machine code by what its function is made of, helpers included (`fingerprint`), and by the versions that
compile it. What is not changed is never compiled again, whatever else is.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import platform
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import caching
from numba.core.serialize import dumps
from numba.extending import typeof_impl

from pitboss.core.compile import Options
from pitboss.core.fingerprint import fingerprint

P = ParamSpec("P")
R = TypeVar("R")

INTERPRETED = bool(numba.config.DISABLE_JIT)
PACKAGE = Path(__file__).resolve().parent.parent
KEPT_DAYS = 60

_announced = False


def announce() -> None:
    """Say once, on stderr, that the rules are being compiled."""
    global _announced
    if not _announced and not os.environ.get("PITBOSS_QUIET"):
        print("pitboss: compiling for this machine, once (about half a minute) ...", file=sys.stderr, flush=True)
    _announced = True


def cache_root() -> Path:
    """The folder of all that can be made again."""
    home = os.environ.get("PITBOSS_CACHE")
    return Path(home) if home else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitboss"


@functools.cache
def cache_folder() -> Path:
    """Where machine code and worked-out tables are kept."""
    root = cache_root()
    try:
        folder = root / "compiled"
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK) and not any(folder.iterdir()):
            raise OSError
    except OSError:
        from pitboss.core.temporary import folder_until_exit

        return folder_until_exit("cache")
    return folder


@functools.cache
def _forget_old() -> None:
    """Make room, once in a process: what nobody has used for a long time goes, and what an older pitboss left."""
    old = time.time() - KEPT_DAYS * 86400
    for path in cache_folder().iterdir():
        if path.stat().st_mtime < old:
            path.unlink(missing_ok=True)
    for folder in cache_root().glob("compiled-*"):
        shutil.rmtree(folder, ignore_errors=True)


class Locator(caching._CacheLocator):  # type: ignore[misc]
    """What Numba wants to know of a cache; `Kept` decides what lies where."""

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Locator:
        return cls()


class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class Kept:
    """A cache of Numba's with a file for each function and signature, named by all that machine code is made of."""

    tools: tuple[str, ...] = (numba.__version__, np.__version__, platform.python_version())
    options: str = ""

    def _file(self, sig: Any, codegen: Any) -> Path:
        function: Any = self._py_func  # type: ignore[attr-defined]
        launch = str(getattr(self, "_launch_config_key", None))  # of a kernel on a GPU
        made_of = fingerprint(function, str(sig), self.options, self.tools, codegen.magic_tuple(), launch)
        return cache_folder() / f"{function.__module__.rpartition('.')[2]}.{function.__name__}-{made_of[:32]}"

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        file = self._file(sig, target_context.codegen())
        try:
            data = pickle.loads(file.read_bytes())
        except (OSError, pickle.UnpicklingError, EOFError):
            announce()
            return None
        with contextlib.suppress(OSError):
            os.utime(file)
        return self._impl.rebuild(target_context, data)  # type: ignore[attr-defined]

    def _save_overload(self, sig: Any, data: Any) -> None:
        impl: Any = self._impl  # type: ignore[attr-defined]
        if not impl.check_cachable(data):
            return
        file = self._file(sig, data.codegen)
        part = file.with_name(f"{file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):  # the process of a bot from a file may not write
            _forget_old()
            part.write_bytes(dumps(impl.reduce(data)))
            part.replace(file)


class _Cache(Kept, caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _Impl


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
    dispatcher._cache = _Cache(function)
    dispatcher._cache.options = f"{options.inline} {options.counted}"
    return dispatcher  # type: ignore[no-any-return]


def admit(functions: dict[Callable[..., Any], Options]) -> None:
    """Let machine code call these functions: it calls compiled twins of them."""

    @functools.cache  # Numba's types hold dispatchers weakly
    def twin(function: Callable[..., Any]) -> Any:
        return machine_code(function, functions[function])

    @typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
    def typeof_function(function: Callable[..., Any], context: Any) -> Any:
        return numba.types.Dispatcher(twin(function)) if function in functions else None
