"""Machine code from the cache, called without Numba.

Importing Numba takes longer than all else that a short command does, and machine code that is there needs little of it:
LLVM loads it, two of Numba's libraries have the functions that it calls, and its arguments are plain words. So a
loop is called here as Numba itself would call it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from pitboss.core.types import Array

# What the loops know of a seat: where its bot and the bot's parameters lie.
SEATING = np.dtype([("bot", np.int64), ("params", np.int64), ("size", np.int64), ("trusted", np.int64)])

# Libraries of Numba's, and how the names begin that machine code has for their functions.
_LIBRARIES = (("core/runtime/_nrt_python", "NRT_"), ("_helperlib", "numba_"))

ELF = b"\x7fELF\x02\x01"  # how a file of machine code begins, where we can look into it
SYMBOLS = 2  # the kind of a section


class Piece(NamedTuple):
    """A compiled function: its machine code, and what it is called there."""

    code: bytes
    name: str


def numba_folder() -> Path:
    """Where Numba is installed; it is not imported."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        raise ImportError("numba is not installed")
    return Path(found.origin).parent


def processor() -> tuple[str, str, str]:
    """What machine code is made for."""
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


class NativeCode:
    """Pieces that are loaded, as long as this object lives."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._libraries = [(_library(name), prefix) for name, prefix in _LIBRARIES]
        for library, prefix in self._libraries:
            for function, address in library.c_helpers.items():
                llvm.add_symbol(prefix + function, address)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for code in dict.fromkeys(piece.code for piece in pieces):
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.addresses: list[int] = [self._engine.get_function_address(piece.name) for piece in pieces]


def can_load(code: bytes) -> bool:
    """Whether all that machine code calls is here. What is not would end the process, without a word."""
    needed = _needed(code)
    for name, prefix in _LIBRARIES:
        needed -= {prefix + function for function in _library(name).c_helpers}
    here = ctypes.CDLL(None)
    return bool(code.startswith(ELF)) and all(hasattr(here, name) for name in needed)


def _needed(code: bytes) -> set[str]:
    """The names that an ELF file of 64 bits uses and does not have."""
    if not code.startswith(ELF):
        return set()
    (start,), (size, count) = struct.unpack_from("<Q", code, 40), struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, start + n * size) for n in range(count)]
    out = set()
    for _, kind, _, _, offset, length, texts, _, _, each in sections:
        for place in range(offset, offset + length, each) if kind == SYMBOLS else ():
            name, _, _, section = struct.unpack_from("<IBBH", code, place)
            if name and not section:
                begin = sections[texts][4] + name
                out.add(code[begin : code.index(0, begin)].decode())
    return out


def _library(name: str) -> Any:
    """A library of Numba's, loaded without Numba."""
    short = name.rpartition("/")[2]
    files = (numba_folder() / f"{name}{suffix}" for suffix in EXTENSION_SUFFIXES)
    spec = spec_from_file_location(short, next(file for file in files if file.exists()))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call(address: int, *arguments: Any) -> int:
    """Call a compiled function that returns a whole number, with arrays, whole numbers and tuples of these."""
    result, problem = ctypes.c_int64(), ctypes.c_void_p()
    words = [word for argument in arguments for word in _words(argument)]
    status = ctypes.CFUNCTYPE(ctypes.c_int32)(address)(ctypes.byref(result), ctypes.byref(problem), *words)
    if status:
        raise MemoryError(f"compiled code ended with {status}")  # nothing else can happen to it
    return result.value


def _words(argument: Array | int | tuple[Any, ...]) -> Iterator[Any]:
    if isinstance(argument, tuple):
        for part in argument:
            yield from _words(part)
    elif isinstance(argument, np.ndarray):
        yield from (ctypes.c_void_p(), ctypes.c_void_p())  # nobody counts references to it
        numbers = (argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides)
        yield from map(ctypes.c_int64, numbers)
    else:
        yield ctypes.c_int64(argument)
