"""Machine code on disk: compiled once, then loaded.

Numba's own cache looks only at the file a function stands in, so a changed helper in another file would go unnoticed.
Ours names machine code by what its function is made of, helpers included (`fingerprint`), and by the versions that
compile it. What is not changed is never compiled again, whatever else is.

A wheel brings the code of its games half-made (`PREBUILT`): as optimised bitcode, which becomes machine code for any
processor of its kind in a second or two. `tools/prebuild.py` makes it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import platform
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import caching
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from pitboss.core.cache_folder import PREBUILT, cache_folder, cache_root
from pitboss.core.fingerprint import fingerprint, functions_in
from pitboss.core.inlined import Inlined
from pitboss.core.native import Piece
from pitboss.core.progress_bar import ProgressBar
from pitboss.core.types import Numba

KEPT_DAYS = 60
LAST_STEP = 0.5  # of the time: what the outermost function takes, into which all others are inlined

# The functions whose machine code was asked for, and its files: those that Python calls, if nothing had to be compiled.
USED: dict[Callable[..., Any], set[Path]] = {}

# Where bitcode for a wheel goes; set by tools/prebuild.py.
_outgoing = os.environ.get("PITBOSS_PREBUILD")


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


class Kept:
    """A cache of Numba's with a file for each function and signature, named by all that machine code is made of."""

    tools: tuple[str, ...] = (numba.__version__, np.__version__, platform.python_version())
    options: str = ""

    def _file(self, sig: Numba, codegen: Numba, *kind: str) -> Path:
        launch = str(getattr(self, "_launch_config_key", None))  # of a kernel on a GPU
        return cache_folder() / self._titled(sig, self.tools, codegen.magic_tuple(), launch, *kind)

    def _titled(self, sig: Numba, *more: object) -> str:
        function: Any = self._py_func  # type: ignore[attr-defined]
        made_of = fingerprint(function, str(sig), self.options, more)
        return f"{function.__module__.rpartition('.')[2]}.{function.__name__}-{made_of[:32]}"

    def _load_overload(self, sig: Numba, target_context: Numba) -> Numba:
        return self._stored(sig, target_context) or self._otherwise(sig, target_context)

    def _stored(self, sig: Numba, target_context: Numba) -> Numba:
        data = _read(self._file(sig, target_context.codegen()))
        return data and self._impl.rebuild(target_context, data)  # type: ignore[attr-defined]

    def _otherwise(self, sig: Numba, target_context: Numba) -> Numba:
        """What to do if there is no machine code: None to compile it."""
        COMPILING.begin(self._py_func)  # type: ignore[attr-defined]

    def _save_overload(self, sig: Numba, data: Numba) -> None:
        impl: Any = self._impl  # type: ignore[attr-defined]
        COMPILING.end(self._py_func)  # type: ignore[attr-defined]
        if impl.check_cachable(data):
            _forget_old_or_not()
            write(self._file(sig, data.codegen), impl.reduce(data))


class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class CodeCache(Kept, caching.FunctionCache):  # type: ignore[misc]
    """The cache of a function for the CPU, which may have come with pitboss as bitcode."""

    _impl_class = _Impl

    def load_overload(self, sig: Numba, target_context: Numba) -> Numba:
        """Machine code that is there needs none of what Numba gets ready for compiling, which takes longer than all
        else that a short command does."""
        rtsys.initialize(target_context)
        USED.setdefault(self._py_func, set()).add(self._file(sig, target_context.codegen()))
        return self._stored(sig, target_context) or super().load_overload(sig, target_context)

    def holds(self, sig: Numba) -> bool:
        """Whether there is machine code for these types of arguments, so that nothing need be compiled."""
        return self._file(sig, cpu_target.target_context.codegen()).exists()

    def load_inlined(self, sig: Numba, codegen: Numba) -> Inlined | None:
        """The function for its callers in compiled code."""
        parts = _read(self._inlined_file(sig, codegen))
        if parts:
            return Inlined.of_parts(parts, codegen)
        COMPILING.begin(self._py_func)
        return None

    def save_inlined(self, sig: Numba, made: Inlined) -> None:
        COMPILING.end(self._py_func)
        write(self._inlined_file(sig, made.library.codegen), made.to_parts())

    def _inlined_file(self, sig: Numba, codegen: Numba) -> Path:
        """Such code is not made for one processor, but for all of a kind."""
        triple, *_ = codegen.magic_tuple()
        return cache_folder() / self._titled(sig, self.tools, triple, "inlined")

    def _prebuilt_name(self, sig: Numba) -> str:
        """Bitcode does for all processors of a kind, and for all releases of a version of Python and NumPy."""
        versions = (numba.__version__, *np.__version__.split(".")[:2], *platform.python_version_tuple()[:2])
        return self._titled(sig, versions, sysconfig.get_platform())

    def _otherwise(self, sig: Numba, target_context: Numba) -> Numba:
        folder = Path(_outgoing) if _outgoing else PREBUILT
        payload = _read(folder / self._prebuilt_name(sig))
        if not payload:
            return super()._otherwise(sig, target_context)
        codegen = target_context.codegen()
        name, _, bitcode = payload[0]
        library = codegen.create_library(name)
        library.enable_object_caching()  # so that its machine code can be kept
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        codegen.unserialize_library = lambda data: library  # what `rebuild` asks for; Numba's lock is ours
        try:
            made = self._impl.rebuild(target_context, payload)
        finally:
            del codegen.unserialize_library
        self._save_overload(sig, made)
        return made

    def _save_overload(self, sig: Numba, data: Numba) -> None:
        super()._save_overload(sig, data)
        if _outgoing and self._impl.check_cachable(data):
            _, *rest = self._impl.reduce(data)
            write(Path(_outgoing) / self._prebuilt_name(sig), (data.library.serialize_using_bitcode(), *rest))


def _forget_old_or_not() -> None:
    with contextlib.suppress(OSError):
        _forget_old()


def _read(file: Path) -> Any:
    """What was written to a file, marked as used; None if it is not there, or of other modules than these."""
    try:
        data = pickle.loads(file.read_bytes())
    except Exception:
        return None
    with contextlib.suppress(OSError):
        os.utime(file)
    return data


def machine_code_in(file: Path) -> Piece | None:
    """The machine code in a file of the cache."""
    data = _read(file)
    if data is None:
        return None
    (_, kind, content), about = data[:2]
    return Piece(content[0], about.llvm_func_name) if kind == "object" else None


def write(file: Path, data: Any) -> None:
    """Write a file at once, where that is allowed: the process of a bot from a file may not."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        part.write_bytes(dumps(data))
        part.replace(file)


class _Compiling:
    """Says once in a process that it compiles, and how far it is: a bar on a terminal, a line elsewhere."""

    def __init__(self) -> None:
        self.happened = False
        self._bar: ProgressBar | None = None
        self._outermost: Any = None
        self._done, self._all = 0, 1

    def begin(self, function: object) -> None:
        if self._outermost is not None:
            return
        self._outermost, self._done, self._all = function, 0, max(1, functions_in(function))
        if self._bar is None and sys.stderr.isatty():
            self._bar = ProgressBar("compiling for this machine, once").__enter__()
        elif not self.happened:
            ProgressBar("compiling for this machine, once (about half a minute)").__enter__()
        self.happened = True

    def end(self, function: object) -> None:
        self._done += 1
        if self._outermost is function:
            self.stop()
        elif self._bar:
            self._bar(int(1000 * (1 - LAST_STEP) * min(1, self._done / self._all)), 1000)

    def stop(self) -> None:
        """Nothing is being compiled any more, as if something does not compile."""
        if self._bar:
            self._bar.__exit__()
        self._bar = self._outermost = None


COMPILING = _Compiling()
