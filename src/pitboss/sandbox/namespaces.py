"""What there is to see: users, mounts, processes, the network, each in a namespace of the sandbox's own.

The file system of a sandbox is made from nothing: an empty root in memory, into which the folders and files that are
named are mounted, and a bot's own files are copied. Then the root is made read-only and the old one is let go. There
is an empty /proc and an empty /tmp. Root just does all this; others need a namespace of users, where the machine
allows one.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
from collections.abc import Iterable
from contextlib import suppress

from pitboss.sandbox.calls import libc, number_of

DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")  # not /dev/zero: mapped, it is memory that outlives a game

_USERS, _MOUNTS, _HOST, _IPC, _PROCESSES, _NETWORK = 0x10000000, 0x20000, 0x4000000, 0x8000000, 0x20000000, 0x40000000
_ALL = _MOUNTS | _HOST | _IPC | _PROCESSES | _NETWORK
_BIND, _RECURSIVE, _PRIVATE, _NO_SUID, _NO_DEVICES, _DETACH = 0x1000, 0x4000, 0x40000, 2, 4, 2
_PIVOT = {"x86_64": 155, "aarch64": 41}
_SET_ATTRIBUTES, _HERE, _BELOW = 442, -100, 0x8000  # mount_setattr, AT_FDCWD, AT_RECURSIVE
_READ_ONLY = 1 | 2  # MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID
MOST_LINKS = 40  # on the way to a file
_BASE = "/tmp"  # any folder that exists: where the new root is put together


def fork_apart() -> int:
    """Fork a process that is the first one of namespaces of its own; OSError where that is not allowed."""
    system, python = ctypes.PyDLL(None, use_errno=True), ctypes.pythonapi
    flags = _ALL | (0 if os.geteuid() == 0 else _USERS) | signal.SIGCHLD
    python.PyOS_BeforeFork()
    pid = int(system.syscall(number_of("clone"), ctypes.c_ulong(flags), None, None, None, None))
    problem = ctypes.get_errno()
    (python.PyOS_AfterFork_Child if pid == 0 else python.PyOS_AfterFork_Parent)()
    if pid < 0:
        raise OSError(problem, f"no namespaces: {os.strerror(problem)}")
    return pid


def be_oneself(user: int, group: int) -> None:
    """In a new namespace of users, stay who one was outside; root needs none."""
    if user == 0:
        return
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        _write(f"/proc/self/{name}", text)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def build_root(shown: Iterable[str], copied: Iterable[str]) -> None:
    """See nothing but these folders and files, and copies of others, all of it read-only; OSError if that fails."""
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    _mount("tmpfs", _BASE, "tmpfs", _NO_SUID | _NO_DEVICES, b"mode=755")
    os.chdir(_BASE)
    for folder in ("old", "new"):
        os.mkdir(folder, 0o755)
    _pivot(".", "old")
    os.chdir("/")
    _mount("tmpfs", "/new", "tmpfs", _NO_SUID | _NO_DEVICES, b"mode=755")
    for name in ("proc", "tmp", "dev"):
        os.mkdir(f"/new/{name}", 0o755)
    for place in _outermost(filter(None, map(_place, (*shown, *DEVICES)))):
        _show(place)
    for path in copied:
        _copy(path)
    _make_read_only("/new")
    os.chdir("/new")
    _pivot(".", ".")  # the old root lies on top of the new one now, and is let go
    _call(libc().umount2(b".", _DETACH), "the old root stays")
    os.chdir("/")


def _make_read_only(path: str) -> None:
    """For good, with everything mounted below."""
    wanted = struct.pack("4Q", _READ_ONLY, 0, 0, 0)
    _call(
        libc().syscall(_SET_ATTRIBUTES, _HERE, os.fsencode(path), _BELOW, wanted, ctypes.c_size_t(len(wanted))),
        f"{path} cannot be made read-only",
    )


def _place(path: str) -> str:
    """Where a path of the old root really lies, having made the folders above it, and the links on the way to it;
    nothing if there is no such file.

    Links are followed by hand, as they lead in the old root: from here they would lead somewhere else.
    """
    here, todo, links = "", path.split("/")[::-1], 0
    while todo:
        name = todo.pop()
        if name in ("", "."):
            continue
        there = os.path.dirname(here).rstrip("/") if name == ".." else f"{here}/{name}"
        if os.path.islink(f"/old{there}"):
            to, links = os.readlink(f"/old{there}"), links + 1
            if links > MOST_LINKS:
                raise OSError(errno.ELOOP, f"{path} goes through too many links")
            if not os.path.lexists(f"/new{there}"):
                os.symlink(to, f"/new{there}")
            here, todo = "" if to.startswith("/") else here, todo + to.split("/")[::-1]
            continue
        if not os.path.lexists(f"/old{there}"):
            return ""
        here = there
        if any(todo) and here and not os.path.lexists(f"/new{here}"):
            os.mkdir(f"/new{here}", 0o755)
    return here


def _outermost(places: Iterable[str]) -> list[str]:
    """Those that lie in no other."""
    out: list[str] = []
    for place in sorted(set(places), key=lambda place: place.split("/")):
        if not out or not place.startswith(out[-1] + "/"):
            out.append(place)
    return out


def _show(place: str) -> None:
    """Mount a folder or a file of the old root at its own place."""
    source, target = f"/old{place}", f"/new{place}"
    if not os.path.isdir(source):
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    elif not os.path.lexists(target):
        os.mkdir(target, 0o755)
    _mount(source, target, None, _BIND | _RECURSIVE)
    _make_read_only(target)  # at once: nobody, not even we, may write to what lies there


def _copy(path: str) -> None:
    """A bot's own file, in memory: reading it leaves no trace, and what it is cannot change."""
    place = _place(path)
    source, target = f"/old{place}", f"/new{place}"
    if os.path.lexists(target):  # it lies in a folder that is shown
        return
    with open(source, "rb") as original, open(target, "xb") as copy:
        copy.write(original.read())
    os.chmod(target, 0o755 if os.access(source, os.X_OK) else 0o644)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: bytes | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _call(libc().mount(*texts, ctypes.c_ulong(flags), options), f"{target} cannot be mounted")


def _pivot(new: str, old: str) -> None:
    number = _PIVOT[os.uname().machine]
    _call(libc().syscall(number, os.fsencode(new), os.fsencode(old)), "the root cannot be changed")


def _call(got: int, otherwise: str) -> None:
    if got < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{otherwise}: {os.strerror(number)}")


def possible(needed: str = "/usr") -> bool:
    """Whether this process may have namespaces of its own, and show a folder there: found out by trying, in a child.

    In a namespace of users a process has no rights outside: whoever reads the folder only by such a right cannot there.
    """
    user, group = os.geteuid(), os.getegid()
    try:
        pid = fork_apart()
    except (OSError, KeyError):
        return False
    if pid == 0:
        with suppress(BaseException):
            be_oneself(user, group)
            build_root([needed], [])
            os._exit(0 if os.listdir(needed) else 1)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0
