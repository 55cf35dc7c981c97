"""What a process does to itself before it runs a bot: it gives up everything but what is named.

Layers, each of them whole without the others: namespaces, limits, an unprivileged user (if the supervisor is root),
Landlock, and the seccomp filter. `confine` applies what the machine has and names it; `pitboss arena doctor` tries
whether it holds, and can leave out any of them, to see what the others are worth alone.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

from pitboss.sandbox import calls, landlock
from pitboss.sandbox.calls import libc
from pitboss.sandbox.namespaces import DEVICES

LINUX = sys.platform == "linux"

FILES = 64  # open at once
THREADS = 64  # of a bot that may have any
PAGE_TABLES = 512  # bytes of address space that take one byte of the kernel's memory, and of no limit
FIRST_USER = 0x70000000  # far above all users that anybody has
NOBODY = 65534


class Layer(StrEnum):
    """What can protect a machine from a bot."""

    NAMESPACES = "namespaces"
    LIMITS = "limits"
    USER = "unprivileged user"
    LANDLOCK = "Landlock"
    SECCOMP = "seccomp"


@dataclass(frozen=True)
class Policy:
    """What one process may have: everything else it has not."""

    memory: int  # bytes, in addition to what it has
    calls: calls.Filter
    readable: Sequence[str]  # folders and files
    listed: Sequence[str] = ()  # folders whose names can be seen
    user: int = NOBODY  # whom to become, for root
    space: int = 0  # bytes of address space that it has already; 0: limit what it allocates instead
    without: frozenset[str] = field(default=frozenset())  # layers to leave out


def confine(policy: Policy, listen: bool = False, apart: bool = False) -> tuple[list[Layer], int | None]:
    """Give up everything that the policy does not name; which layers hold now.

    `apart` says that the process is in namespaces of its own already. With `listen` comes a descriptor at which the
    filter asks for leave to fork (see `calls.install`).
    """
    held = [Layer.NAMESPACES] if apart else []
    if Layer.LIMITS not in policy.without:
        _limit(policy)
        held.append(Layer.LIMITS)
    if not LINUX:
        return held, None
    libc().prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    if Layer.LANDLOCK not in policy.without:
        with suppress(OSError):
            landlock.restrict(policy.readable, DEVICES, policy.listed)
            held.append(Layer.LANDLOCK)
    if Layer.USER not in policy.without:
        guarded = Layer.LANDLOCK in held or apart
        if os.getuid() == 0:
            _drop(policy.user, policy.readable if guarded else ())
        else:
            if apart or _count_apart():
                _set_limit(resource.RLIMIT_NPROC, THREADS)
            if apart:
                _keep_rights(0)
        if os.getuid() != 0:
            held.append(Layer.USER)
    if Layer.LANDLOCK not in held and not apart:
        libc().prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: nobody can look into it, not even the supervisor
    die_with_parent()
    listener = None
    if Layer.SECCOMP not in policy.without and calls.supported():
        with suppress(OSError):
            wanted = policy.calls
            write = Layer.LANDLOCK in held or apart  # who else keeps files from being written?
            wanted = calls.Filter(wanted.fork, wanted.program, wanted.threads, write, wanted.itself)
            listener = calls.install(wanted, listen)
            held.append(Layer.SECCOMP)
    return held, listener


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
    each keeps to its limit, and the supervisor must not pay for that."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # there is none but on Linux
        file.write("1000")


def address_space() -> int:
    """Bytes of address space that this process has; 0 where that cannot be known."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _limit(policy: Policy) -> None:
    """Limits of memory (of the whole address space, or of data: some runtimes reserve a lot of space that they
    never use, and may as long as the kernel's tables of it take no more memory than they), open files, and
    no files written."""
    limits = {resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NOFILE: FILES, resource.RLIMIT_CORE: 0}
    if policy.space:
        limits[resource.RLIMIT_AS] = policy.space + policy.memory
    else:
        limits |= {resource.RLIMIT_DATA: policy.memory, resource.RLIMIT_AS: policy.memory * PAGE_TABLES}
    for kind, most in limits.items():
        _set_limit(kind, most)


def _set_limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # some systems know a limit but cannot set it
        resource.setrlimit(kind, (most, most))


# --- users, and what is left of root's rights ---

_NEW_USERS = 0x10000000
_KEEP_CAPABILITIES, _AMBIENT, _RAISE = 8, 47, 2
_CAPGET, _CAPSET = {"x86_64": 125, "aarch64": 90}, {"x86_64": 126, "aarch64": 91}
_READ_ANYTHING = 2  # CAP_DAC_READ_SEARCH
_RIGHTS = struct.pack("Ii", 0x20080522, 0)  # version 3: effective, permitted, inheritable; twice 32 bits of them


def _drop(user: int, readable: Iterable[str]) -> None:
    """Become a user that owns nothing.

    Where something else decides what can be read, and root's own files are among that (its interpreter, say), the
    process keeps the right to read what files' modes forbid, and no other.
    """
    needed = [path for path in readable if os.path.exists(path)]
    keep = bool(needed) and os.uname().machine in _CAPSET
    if keep:
        libc().prctl(_KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    for number in (user, NOBODY):
        try:
            os.setresgid(number, number, number)
            os.setresuid(number, number, number)
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


def _keep_rights(right: int) -> None:
    """Give up all of root's rights but this one."""
    libc().syscall(_CAPSET[os.uname().machine], _RIGHTS, struct.pack("6I", right, right, right, 0, 0, 0))


def _has_rights() -> bool:
    """Whether this process has any of root's rights."""
    rights = ctypes.create_string_buffer(24)
    number = _CAPGET.get(os.uname().machine)
    return number is None or libc().syscall(number, _RIGHTS, rights) < 0 or any(rights.raw)


def _count_apart() -> bool:
    """Be the only one whose threads are counted against the limit of a user's processes; whether that is possible.

    Linux counts them for each namespace of users. In one of its own a process has none of root's rights outside, so
    one that needs such rights to read root's files stays where it is.
    """
    if _has_rights() or libc().unshare(_NEW_USERS) < 0:
        return False
    _keep_rights(0)
    return True
