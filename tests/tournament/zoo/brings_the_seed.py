"""Searches its memory, its environment, its arguments, its open files and its ancestors for the key."""

import ctypes
import gc
import os
import sys

import numba  # noqa: F401  # which what it searches for needs

from pitboss.core.keys import Key
from pitboss.core.loop import clock_dtype
from pitboss.games.flip7 import Flip7Bot

CLOCK = clock_dtype(62)


def memory():
    """The referee's own copy of a key could only lie here if this process came from the referee."""
    for thing in gc.get_objects():
        if isinstance(thing, Key):
            yield f"a key: {thing}"
        dtype = getattr(thing, "dtype", None)
        if dtype == CLOCK and (thing["high"].any() or thing["low"].any() or thing["deal"].any()):
            yield "a clock with a key"


def around():
    words = [*sys.argv, *(f"{k}={v}" for k, v in os.environ.items())]
    yield from (f"word: {word}" for word in words if "key" in word.lower() or "seed" in word.lower())
    yield from (f"open file {n}" for n in range(4, 64) if is_open(n))
    for pid in (os.getpid(), os.getppid(), 1):
        for name in ("environ", "cmdline", "mem", "maps", *(("fd/0", "fd/3") if pid != os.getpid() else ())):
            try:
                os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
                yield f"/proc/{pid}/{name}"
            except OSError:
                pass
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(8)
    pointers = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    if libc.process_vm_readv(os.getppid(), pointers, 1, pointers, 1, 0) >= 0:
        yield "the parent's memory"


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


class BringsTheSeed(Flip7Bot):
    def hit_or_stay(self, view):
        print("found:", [*memory(), *around()])
        return "stay"
