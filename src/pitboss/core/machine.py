"""Machine code: the one place that knows Numba's decorator and its disk cache.

Numba's own cache looks only at the file a function stands in, so a changed helper in another
file would go unnoticed. Ours lives in a folder named after a hash of every source that can be
compiled, and after the versions that compile it: a changed rule is a new folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import caching
from numba.extending import typeof_impl

from pitboss.core.compile import Options

P = ParamSpec("P")
R = TypeVar("R")

INTERPRETED = bool(numba.config.DISABLE_JIT)
PACKAGE = Path(__file__).resolve().parent.parent
KEPT_FOLDERS = 4
PLAIN = ("cli", "web", "tournament", "render", "sandbox")  # folders in which nothing is compiled

_announced = False


def announce() -> None:
    """Say once, on stderr, that the rules are being compiled."""
    global _announced
    if not _announced and not os.environ.get("PITBOSS_QUIET"):
        print("pitboss: compiling for this machine, once (about half a minute) ...", file=sys.stderr, flush=True)
    _announced = True


def sources(package: Path = PACKAGE) -> list[Path]:
    """The files whose content decides what compiled code does: all but those of `PLAIN` folders."""
    return sorted(p for p in package.rglob("*.py") if p.relative_to(package).parts[0] not in PLAIN)


@functools.cache
def origin(function: Callable[..., Any]) -> str:
    """What tells the rule book of another package apart in the cache: a hash of all its sources; ours need none."""
    plain = getattr(function, "py_func", function)
    file, depth = Path(plain.__code__.co_filename).resolve(), plain.__module__.count(".")
    if PACKAGE in file.parents:
        return ""
    digest = hashlib.sha256()
    for path in sorted(file.parents[depth - 1].rglob("*.py")) if depth else [file]:
        digest.update(path.read_bytes())
    return f" {digest.hexdigest()[:20]}"


def cache_root() -> Path:
    """The folder of all that can be made again."""
    home = os.environ.get("PITBOSS_CACHE")
    return Path(home) if home else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitboss"


@functools.cache
def cache_folder(package: Path = PACKAGE) -> Path:
    """Where machine code is kept: one folder per state of the sources and tools."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {platform.python_version()}".encode())
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    root, name = cache_root(), f"compiled-{digest.hexdigest()[:20]}"
    if (root / name).exists():
        return root / name
    try:
        root.mkdir(parents=True, exist_ok=True)
        if not os.access(root, os.W_OK):
            raise OSError
    except OSError:
        from pitboss.core.temporary import folder_until_exit

        root = folder_until_exit("cache")
    folder = root / name
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        _forget_old(root)
    return folder


def _forget_old(root: Path) -> None:
    newest_first = sorted(root.glob("compiled-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in newest_first[KEPT_FOLDERS:]:
        shutil.rmtree(old, ignore_errors=True)


class Locator(caching._CacheLocator):  # type: ignore[misc]
    """Puts a function's machine code into `cache_folder()`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return cache_folder().name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Locator:
        return cls(function)


class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class Kept:
    """What we add to a cache of Numba's: a closure is told apart by a tag we choose. Numba's own way, a pickle of
    the functions closed over, differs from process to process and never hits."""

    tag = ""
    tools: tuple[str, ...] = ()  # versions that count, beyond those of the folder

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (sig, codegen.magic_tuple(), self.tag, *self.tools)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)  # type: ignore[misc]
        if found is None:
            announce()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, where that is allowed: the process of a bot from a file may not write."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)  # type: ignore[misc]


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
    file = Path(function.__code__.co_filename).resolve()
    if PACKAGE in file.parents and file.relative_to(PACKAGE).parts[0] not in PLAIN:
        cache = _Cache(function)
        cache.tag = options.tag
        dispatcher._cache = cache
    return dispatcher  # type: ignore[no-any-return]


def admit(functions: dict[Callable[..., Any], Options]) -> None:
    """Let machine code call these functions: it calls compiled twins of them."""

    @functools.cache  # Numba's types hold dispatchers weakly
    def twin(function: Callable[..., Any]) -> Any:
        return machine_code(function, functions[function])

    @typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
    def typeof_function(function: Callable[..., Any], context: Any) -> Any:
        return numba.types.Dispatcher(twin(function)) if function in functions else None
