"""What a process does to itself before it runs a bot: it gives everything up.

Layers, each of them whole without the others: a session of its own, limits, an unprivileged user
(if the referee is root), Landlock, and the seccomp filter. `confine` applies what the machine has and
names it; `pitboss arena doctor` tries whether it holds.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import stat
import struct
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from pitboss.arena.referee import landlock, seccomp
from pitboss.arena.referee.seccomp import libc

PACKAGE = Path(__file__).resolve().parents[2]  # pitboss itself
LINUX = sys.platform == "linux"

FILES = 64  # open at once
CONTROL = 3  # a warm process's socket
IN, OUT = FILES - 2, FILES - 1  # the pipes of a child: the last descriptors it may have
THREADS = 64  # of a bot whose processes can be counted
PAGE_TABLES = 512  # bytes of address space that take one byte of the kernel's memory, and of no limit
FIRST_USER = 0x70000000  # far above all users that anybody has; a process id is added
NOBODY = 65534

DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")  # not /dev/zero: mapped, it is memory that outlives a game
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf", "/etc/alternatives",
          "/etc/localtime")  # fmt: skip


class Layer(StrEnum):
    """What can protect a machine from a bot."""

    GROUP = "process group"
    DISK = "read-only disk"
    LIMITS = "limits"
    USER = "unprivileged user"
    FILES = "Landlock"
    CALLS = "seccomp"


def python_folders() -> list[str]:
    """What a bot in Python reads: the interpreter, its libraries, and this package."""
    folders = [Path(p) for p in sysconfig.get_paths().values() if "lib" in Path(p).parts]
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix}:
        folders += [Path(prefix, "lib"), Path(prefix, "lib64")]
    folders += [Path(p) for p in ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo")]
    folders += [Path(p) for p in ("/etc/ld.so.cache", "/etc/localtime")]
    folders.append(PACKAGE)
    return sorted({str(p.resolve()) for p in folders if p.exists()})


def loaded_packages() -> list[str]:
    """Where everything that this process has imported lies: a package's folder, or a module's file."""
    out = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and "." not in name:
            path = Path(file).resolve()
            out.add(str(path.parent if path.name == "__init__.py" else path))
    return sorted(out)


def within(path: str, folders: Iterable[str]) -> bool:
    """Whether a path lies in one of these folders, or is one of them."""
    return any(Path(path).resolve().is_relative_to(folder) for folder in folders)


def confine(
    readable: Sequence[str], memory: int, calls: seccomp.Filter, listen: bool = False, listed: str = ""
) -> tuple[list[Layer], int | None]:
    """Give up everything but reading these paths; which layers hold now.

    `memory` is what the process may have in addition to what it has. With `listen` comes a descriptor
    at which the filter asks for leave to fork (see `seccomp.install`). What the folder `listed` holds can be seen,
    but of its files only those that are readable can be read.
    """
    held = [Layer.GROUP, Layer.LIMITS]
    _limit(memory, whole=not calls.run)
    if not LINUX:
        return held, None
    libc().prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    with suppress(OSError):
        landlock.restrict(readable, DEVICES, [listed] if listed else [])
        held.append(Layer.FILES)
    if os.getuid() == 0:
        _drop(readable if Layer.FILES in held else None)
    elif _count_apart():
        _set_limit(resource.RLIMIT_NPROC, THREADS)
    if os.getuid() != 0:
        held.append(Layer.USER)
    if Layer.FILES not in held:
        libc().prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: the referee cannot look into it, but neither can its own kind
    die_with_parent()
    listener = None
    if seccomp.supported():
        with suppress(OSError):
            listener = install(calls, held, listen)
            held.append(Layer.CALLS)
    return held, listener


def install(calls: seccomp.Filter, held: Sequence[Layer], listen: bool = False) -> int | None:
    """The filter, which also keeps files from being written where Landlock does not."""
    without = seccomp.Filter(calls.fork, calls.run, calls.share, Layer.FILES in held, calls.signal)
    return seccomp.install(without, listen)


_NEW_MOUNTS, _NEW_USERS = 0x20000, 0x10000000
_SET_MOUNTS, _HERE, _RECURSIVE, _READ_ONLY, _SLAVE = 442, -100, 0x8000, 1, 1 << 19


def read_only_disk(needed: Iterable[str]) -> bool:
    """See the disk by mounts of one's own, through which nothing is written; whether that is possible.

    What a bot reads, it could otherwise remember: a file keeps when it was last read, and anybody may ask.
    For a process without threads. Root just does it; others need a namespace of users, where
    the machine allows that, and these paths can be read from there too.
    """
    if not LINUX:
        return False
    paths = [path for path in needed if _can_read(path)]
    pid = os.fork()  # where it is tried first: half of it would be worse than nothing
    if pid == 0:
        with suppress(BaseException):
            _mount_read_only()
            os._exit(0 if all(map(_can_read, paths)) else 1)
        os._exit(1)
    if os.waitpid(pid, 0)[1]:
        return False
    _mount_read_only()
    return True


def _can_read(path: str) -> bool:
    """By trying: what `os.access` says of it leaves out the rights of root that a process may have."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _mount_read_only() -> None:
    user, group, root = os.getuid(), os.getgid(), os.getuid() == 0
    if libc().unshare(_NEW_MOUNTS | (0 if root else _NEW_USERS)) < 0:
        raise OSError(ctypes.get_errno(), "no mounts of its own")
    if not root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path("/proc/self", name).write_text(text)
    wanted = struct.pack("4Q", _READ_ONLY, 0, _SLAVE, 0)
    if libc().syscall(_SET_MOUNTS, _HERE, b"/", _RECURSIVE, wanted, ctypes.c_size_t(len(wanted))) < 0:
        raise OSError(ctypes.get_errno(), "mounts cannot be made read-only")
    if not root:
        _keep_rights(0)


def _count_apart() -> bool:
    """Be the only one whose threads are counted against the limit of a user's processes; whether that is possible.

    Linux counts them for each namespace of users. In one of its own a process has none of root's rights outside, so
    one that needs such rights to read root's files stays where it is.
    """
    if _has_rights() or libc().unshare(_NEW_USERS) < 0:
        return False
    _keep_rights(0)
    return True


def die_with_parent() -> None:
    """Be killed when the process that made this one dies."""
    if LINUX:
        libc().prctl(1, signal.SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of processes whose own parent dies, so that they can be reaped."""
    if LINUX:
        libc().prctl(36, 1, 0, 0, 0)


def die_first() -> None:
    """Of all processes, let the system take those of bots when memory runs out: many of them may be too much, though
    each keeps to its limit, and the referee must not pay for that."""
    with suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text("1000")


def _limit(memory: int, whole: bool) -> None:
    """Limits of memory (of the whole address space, or of data: some runtimes reserve a lot of space that they
    never use, and may as long as the kernel's tables of it take no more memory than they), open files, and
    no files written."""
    limits = {resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NOFILE: FILES, resource.RLIMIT_CORE: 0}
    with suppress(OSError):
        if whole and LINUX:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            limits[resource.RLIMIT_AS] = pages * resource.getpagesize() + memory
        else:
            limits |= {resource.RLIMIT_DATA: memory, resource.RLIMIT_AS: memory * PAGE_TABLES}
    for kind, most in limits.items():
        _set_limit(kind, most)


def _set_limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # some systems know a limit but cannot set it
        resource.setrlimit(kind, (most, most))


_KEEP_CAPABILITIES, _AMBIENT, _RAISE = 8, 47, 2
_CAPGET, _CAPSET = {"x86_64": 125, "aarch64": 90}, {"x86_64": 126, "aarch64": 91}
_READ_ANYTHING = 2  # CAP_DAC_READ_SEARCH


def _drop(readable: Sequence[str] | None) -> None:
    """Become a user that owns nothing.

    Where Landlock decides what can be read (`readable`), and root's own files are among that (its
    interpreter, say), the process keeps the right to read what files' modes forbid, and no other.
    """
    number, needed = _CAPSET.get(os.uname().machine), [p for p in readable or () if os.path.exists(p)]
    keep = number is not None and readable is not None
    if keep:
        libc().prctl(_KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    for user in (FIRST_USER + os.getpid(), NOBODY):
        try:
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            break
        except OSError:  # not a user in this container
            continue
    if os.getuid() >= FIRST_USER:  # nobody else's processes are counted
        _set_limit(resource.RLIMIT_NPROC, THREADS)
    if not keep or os.getuid() == 0:
        return
    right = 0 if all(os.access(path, os.R_OK) for path in needed) else 1 << _READ_ANYTHING
    _keep_rights(right)
    if right:
        libc().prctl(_AMBIENT, _RAISE, _READ_ANYTHING, 0, 0)


_RIGHTS = struct.pack("Ii", 0x20080522, 0)  # version 3: effective, permitted, inheritable; twice 32 bits of them


def _keep_rights(right: int) -> None:
    """Give up all of root's rights but this one."""
    libc().syscall(_CAPSET[os.uname().machine], _RIGHTS, struct.pack("6I", right, right, right, 0, 0, 0))


def _has_rights() -> bool:
    """Whether this process has any of root's rights."""
    rights = ctypes.create_string_buffer(24)
    number = _CAPGET.get(os.uname().machine)
    return number is None or libc().syscall(number, _RIGHTS, rights) < 0 or any(rights.raw)


def only_descriptors(kept: Sequence[int]) -> None:
    """Make these open files number 0, 1, 2, …, and close all others."""
    above = len(kept) + max(kept)
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, above) for descriptor in kept]
    for place, copy in enumerate(copies):
        os.dup2(copy, place)
    os.closerange(len(kept), max(resource.getrlimit(resource.RLIMIT_NOFILE)[0], max(copies) + 1))


def fork() -> int:
    """A child, which the parent of this process looks after where that is possible."""
    return seccomp.fork_beside() if LINUX and seccomp.supported() else os.fork()


def open_files() -> dict[int, tuple[str, int]]:
    """The files that are open here besides a process's own: path, and the place where it is read."""
    out = {}
    for descriptor in range(CONTROL + 1, IN):
        with suppress(OSError):  # it is not open
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                path = os.readlink(f"/proc/self/fd/{descriptor}")
                out[descriptor] = path, os.lseek(descriptor, 0, os.SEEK_CUR)
    return out


def only_own_files(files: Mapping[int, tuple[str, int]]) -> None:
    """Close what is open, and open these files anew: one that is only inherited is shared with other
    processes, down to the place where it is read."""
    os.closerange(CONTROL, IN)
    for descriptor, (path, place) in files.items():
        with suppress(OSError):  # it is gone, and whoever reads it will be told
            copy = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            os.lseek(copy, place, os.SEEK_SET)
            if copy != descriptor:
                os.dup2(copy, descriptor, inheritable=False)
                os.close(copy)
