"""Which files a process may open: Landlock, by its three system calls.

What is not named is closed: a confined process reads only what it was given, and writes nothing.
Newer kernels can do more (`version`); what an older one lacks is left to the other layers.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

from pitboss.sandbox.calls import libc

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every architecture
_RUN, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _TRUNCATE, _DEVICE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
_OF_FILES = _RUN | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE
_MOST = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}  # rights known by version
_NEWEST = (1 << 16) - 1
_NETWORK, _SCOPES = 0b11, 0b11  # TCP both ways; signals and abstract sockets to others


def _call(number: int, *arguments: object) -> int:
    got = libc().syscall(number, *arguments)
    if got < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return int(got)


def version() -> int:
    """What this kernel's Landlock can do, 0 for nothing at all."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str] = (), listed: Iterable[str] = ()) -> None:
    """Confine the calling thread, and all that it starts, to these files and folders, for good.

    What is readable can also be run; what folders hold that are only listed can be seen, not read. Paths that
    do not exist are left out. Needs `no_new_privs`.
    """
    known = version()
    handled = _MOST.get(known, _NEWEST)
    fields = [handled, *([_NETWORK] if known >= 4 else []), *([_SCOPES] if known >= 6 else [])]
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    rules = _call(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    try:
        reading, writing = _RUN | _READ_FILE | _READ_FOLDER, _WRITE_FILE | _READ_FILE
        for paths, rights in ((readable, reading), (writable, writing), (listed, _READ_FOLDER)):
            for path in paths:
                _add(rules, path, rights & handled)
        _call(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint32(0))
    finally:
        os.close(rules)


def _add(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, place)
        _call(_ADD, ctypes.c_int(rules), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(place)
