"""Which system calls a sandboxed process may make: a seccomp filter that allows what is named here, and nothing else.

What is not named is refused with EPERM, so that a bot sees an ordinary error; what a C library asks for only to find
out whether the kernel has it, with ENOSYS. Programs made for another architecture (or x32) are killed at their first
call, because the numbers would mean something else.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

# Numbers of calls on x86_64 and aarch64; None: there is no such call. Those used most come first.
_PLAIN: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "poll": (7, None), "ppoll": (271, 73), "munmap": (11, 215),
    "mprotect": (10, 226), "brk": (12, 214), "mremap": (25, 216), "close": (3, 57), "lseek": (8, 62),
    # files: which of them can be opened, Landlock and the mounts say
    "fstat": (5, 80), "newfstatat": (262, 79), "stat": (4, None), "lstat": (6, None), "statx": (332, 291),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "readv": (19, 65), "writev": (20, 66),
    "pread64": (17, 67), "getdents64": (217, 61), "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "close_range": (436, 436),
    # itself
    "exit": (60, 93), "exit_group": (231, 94), "getppid": (110, 173),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getrandom": (318, 278), "uname": (63, 160),
    "getrlimit": (97, 163), "sched_yield": (24, 124), "set_robust_list": (273, 99), "rseq": (334, 293),
    "membarrier": (324, 283), "arch_prctl": (158, None),
    # signals that it gets, and waiting
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "select": (23, None), "pselect6": (270, 72), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None),
}  # fmt: skip

# What other programs' runtimes need besides. A program is started for every game, so nothing here outlives one. (The
# numbers of bots' own processes tell how many there were before, and are nobody's business.)
_PROGRAM: dict[str, tuple[int | None, int | None]] = {
    "execve": (59, 221), "execveat": (322, 281), "pipe": (22, None), "pipe2": (293, 59), "eventfd": (284, None),
    "eventfd2": (290, 19), "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86), "signalfd4": (289, 74), "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137),
    "rt_sigpending": (127, 136), "pause": (34, None), "wait4": (61, 260), "waitid": (247, 95), "getpgid": (121, 155),
    "getpgrp": (111, None), "getsid": (124, 156), "getgroups": (115, 158), "umask": (95, 166), "chdir": (80, 49),
    "fchdir": (81, 50), "capget": (125, 90), "getrusage": (98, 165), "times": (100, 153), "sysinfo": (99, 179),
    "setitimer": (38, 103), "alarm": (37, None), "mlock": (149, 228), "munlock": (150, 229), "pkey_alloc": (330, 289),
    "pkey_free": (331, 290), "pkey_mprotect": (329, 288), "getcpu": (309, 168), "get_mempolicy": (239, 236),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "fstatfs": (138, 44), "statfs": (137, 43), "sendfile": (40, 71),
    "preadv": (295, 69), "ftruncate": (77, 46), "fsync": (74, 82), "getpid": (39, 172), "gettid": (186, 178),
    "set_tid_address": (218, 96),
}  # fmt: skip

# Whose arguments decide.
_SPECIAL: dict[str, tuple[int | None, int | None]] = {
    "mmap": (9, 222), "futex": (202, 98), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "openat": (257, 56), "open": (2, None), "fcntl": (72, 25), "ioctl": (16, 29),
    "madvise": (28, 233), "prctl": (157, 167), "prlimit64": (302, 261), "clone": (56, 220), "sendmsg": (46, 211),
    "setsid": (112, 157), "kill": (62, 129), "tgkill": (234, 131), "sched_getaffinity": (204, 123),
}  # fmt: skip

# Asked for to find out what the kernel has: who hears that it has not does without.
_UNKNOWN: dict[str, tuple[int | None, int | None]] = {
    "clone3": (435, 435), "openat2": (437, 437), "io_uring_setup": (425, 425), "futex_waitv": (449, 449),
    "futex_wake": (454, 454), "futex_wait": (455, 455), "futex_requeue": (456, 456), "getrusage": (98, 165),
    "statfs": (137, 43), "fstatfs": (138, 44), "sysinfo": (99, 179),
}  # fmt: skip

CALLS = {**_UNKNOWN, **_PROGRAM, **_SPECIAL, **_PLAIN}

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NEWEST = 462  # calls that came later than this list are answered as if the kernel had none of them

_ALLOW, _KILL, _ASK = 0x7FFF0000, 0x80000000, 0x7FC00000
_EPERM, _ENOSYS, _EACCES, _EINVAL, _EAGAIN = (
    0x00050000 | e for e in (errno.EPERM, errno.ENOSYS, errno.EACCES, errno.EINVAL, errno.EAGAIN)
)

# Classic BPF: load a word, jump if equal / greater or equal / any bit set, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NR, _ARCH, _ARGS = 0, 4, 16  # where things lie in seccomp_data

_CLONE_THREAD = 0x00010000
_CLONE_AWAY = 0x7E028080  # another parent, and all kinds of new namespaces
_CLONE_BESIDE = 0x8000 | signal.SIGCHLD  # a process whose parent is the caller's parent, and nothing else
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# fcntl: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC change nothing that others could see; F_SETFL does, where
# a file is shared.
_FCNTL, _FCNTL_SETFL = (0, 1, 2, 3, 1030), 4
_IOCTL = (0x5401, 0x5413, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ (is it a terminal?), FIONCLEX, FIOCLEX
_IOCTL_PROGRAM = (0x5421, 0x541B)  # FIONBIO, FIONREAD
_MADVISE = (0, 1, 2, 4, 8, 12, 14, 15, 16, 18)  # not those that fetch or drop pages of files, which everybody shares
_PR_SET_PDEATHSIG, _PR_GET_DUMPABLE, _PR_SET_NAME, _PR_GET_NAME, _PR_GET_NO_NEW_PRIVS, _PR_SET_VMA = (
    1, 3, 15, 16, 39, 0x53564D41,
)  # fmt: skip
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
# A futex that is not the process's own belongs to the file that it lies in, a library that everybody has mapped, say:
# who wakes it learns who waits there. All that needs one is to wait for the end of a thread (FUTEX_WAIT and
# FUTEX_WAIT_BITSET, by either clock); who does is told to look again, until it has come. Of its own, a process may use
# those that hold no number of a thread: FUTEX_WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, WAIT_BITSET, WAKE_BITSET.
_FUTEX_WAITS = (0, 256, 9, 265)
_FUTEX_OWN = (128, 129, 131, 132, 133, 137, 138, 384, 393)

CONTROL = 3  # the descriptor of a sandboxed process's own socket

_Code = list[tuple[int, int, int, int]]


@dataclass(frozen=True)
class Filter:
    """What a process may do besides the usual."""

    fork: bool = False  # ask the supervisor for leave to `fork_beside`, and for its open files (`introduce`)
    program: bool = False  # run another program, have threads and pipes
    threads: bool = False
    write: bool = True  # open files for writing; Landlock says which
    itself: int = 0  # the process that it may signal: itself; 0: none


@cache
def _machine() -> tuple[int, int]:
    return _ARCHITECTURES[os.uname().machine]


def supported() -> bool:
    """Whether this machine is one that the list of calls is for."""
    return os.uname().sysname == "Linux" and os.uname().machine in _ARCHITECTURES


def number_of(name: str) -> int:
    """The number of a call on this machine; -1 if there is none."""
    found = CALLS[name][_machine()[0]]
    return -1 if found is None else found


@cache
def _program(wanted: Filter, asks: bool) -> bytes:
    """A filter as instructions for the kernel."""
    column, arch = _machine()
    code: _Code = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NR)]
    if arch == 0xC000003E:
        code += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]  # x32
    code += [(_AT_LEAST, 0, 1, _NEWEST + 1), (_RETURN, 0, 0, _ENOSYS)]
    plain = {**_PLAIN, **(_PROGRAM if wanted.program else {})}
    rules: dict[str, _Code] = {name: [(_RETURN, 0, 0, _ALLOW)] for name in plain}
    rules |= _rules(wanted, asks)
    rules |= {name: [(_RETURN, 0, 0, _ENOSYS)] for name in _UNKNOWN if name not in rules}
    for name, rule in rules.items():
        number = CALLS[name][column]
        if number is not None:
            code += [(_EQUAL, 0, len(rule), number), *rule]
    code.append((_RETURN, 0, 0, _EPERM))
    return b"".join(struct.pack("HBBI", *line) for line in code)


def _only(at: int, values: tuple[int, ...], otherwise: int = _EPERM) -> _Code:
    """Allow the call if the argument at this place is one of these."""
    tests = [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [(_LOAD, 0, 0, _ARGS + 8 * at), *tests, (_RETURN, 0, 0, otherwise), (_RETURN, 0, 0, _ALLOW)]


def _rules(wanted: Filter, asks: bool) -> dict[str, _Code]:
    """For each special call what is done about it; every rule ends in a verdict."""
    no, yes = (_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)
    asking = (_RETURN, 0, 0, (_ASK if asks else _ALLOW) if wanted.fork else _EPERM)
    threads = yes if wanted.threads or wanted.program else (_RETURN, 0, 0, _EAGAIN)
    # Numbers below zero are the clocks of other processes: how long somebody else has thought.
    clock: _Code = [(_LOAD, 0, 0, _ARGS), (_AT_LEAST, 0, 1, 1 << 31), (_RETURN, 0, 0, _EINVAL), yes]
    writing: _Code = [yes] if wanted.write else [(_ANY_BIT, 0, 1, _WRITING), (_RETURN, 0, 0, _EACCES), yes]
    fcntls = (*_FCNTL, _FCNTL_SETFL) if wanted.program else _FCNTL
    ioctls = (*_IOCTL, *_IOCTL_PROGRAM) if wanted.program else _IOCTL
    own = _only(1, _FUTEX_OWN, _ENOSYS)
    itself: _Code = _only(0, (wanted.itself,)) if wanted.itself else [no]
    return {
        # Shared memory of no file outlives a game if it was made before, and no limit counts it.
        "mmap": [
            (_LOAD, 0, 0, _ARGS + 24), (_ANY_BIT, 0, 2, _MAP_ANONYMOUS), (_ANY_BIT, 0, 1, _MAP_SHARED), no, yes,
        ],
        "futex": [
            (_LOAD, 0, 0, _ARGS + 8),
            *((_EQUAL, len(_FUTEX_WAITS) - 1 - i + len(own), 0, value) for i, value in enumerate(_FUTEX_WAITS)),
            *own, (_RETURN, 0, 0, _EAGAIN),
        ],
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), clock),
        "openat": [(_LOAD, 0, 0, _ARGS + 16), *writing],
        "open": [(_LOAD, 0, 0, _ARGS + 8), *writing],
        "fcntl": _only(1, fcntls),
        "ioctl": _only(1, ioctls),
        "madvise": _only(2, _MADVISE, _EINVAL),
        "prctl": [
            (_LOAD, 0, 0, _ARGS), (_EQUAL, 0, 3, _PR_SET_PDEATHSIG),
            (_LOAD, 0, 0, _ARGS + 8), (_EQUAL, 5, 0, signal.SIGKILL), no,
            (_EQUAL, 3, 0, _PR_GET_DUMPABLE), (_EQUAL, 2, 0, _PR_SET_NAME), (_EQUAL, 1, 0, _PR_GET_NAME),
            (_EQUAL, 0, 1, _PR_SET_VMA), yes, no,
        ],
        "sched_getaffinity": _only(0, (0,)),  # of others it would tell whether they live
        "prlimit64": [  # reading one's own limits is fine: the pointer to new ones is null
            *(line for at in (0, 16, 20) for line in ((_LOAD, 0, 0, _ARGS + at), (_EQUAL, 1, 0, 0), no)), yes,
        ],
        "clone": [
            (_LOAD, 0, 0, _ARGS), (_EQUAL, 0, 1, _CLONE_BESIDE), asking,
            (_ANY_BIT, 0, 1, _CLONE_AWAY), no, (_ANY_BIT, 0, 1, _CLONE_THREAD), threads, no,
        ],
        "setsid": [asking],
        "sendmsg": _only(0, (CONTROL,)) if wanted.fork else [no],
        "kill": itself,
        "tgkill": itself,
    }  # fmt: skip


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _NEW_LISTENER = 1, 8


@cache
def libc() -> ctypes.CDLL:
    """The C library, for calls that Python has no name for."""
    return ctypes.CDLL(None, use_errno=True)


def install(wanted: Filter, listen: bool = False) -> int | None:
    """Put the calling thread, and all that it starts, under a filter for good; OSError if that fails.

    With `listen`, forks wait for an answer at the descriptor returned (None: this kernel cannot ask, and forks are
    allowed).
    """
    for asks in (True, False) if listen and _can_place() else (False,):
        code = _program(wanted, asks)
        held = ctypes.create_string_buffer(code, len(code))
        program = _Program(len(code) // 8, ctypes.addressof(held))
        flags = _NEW_LISTENER if asks else 0
        got = libc().syscall(_SECCOMP[os.uname().machine], _SET_FILTER, flags, ctypes.byref(program))
        if got >= 0:
            return int(got) if asks else None
    number = ctypes.get_errno()
    raise OSError(number, f"no seccomp filter: {os.strerror(number)}")


# --- inside: forking, and asking for open files ---


def forker() -> Callable[[], int]:
    """A function that forks a process whose parent is this one's parent, so that this one learns nothing of its life
    and its end.

    It is `os.fork` without what that does for processes with threads: fewer pages are touched, and must be copied.
    """
    system = ctypes.PyDLL(None, use_errno=True).syscall
    arguments = ctypes.c_long(number_of("clone")), ctypes.c_ulong(_CLONE_BESIDE), None, None, None, None

    def fork() -> int:
        pid = int(system(*arguments))
        if pid < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return pid

    return fork


def introduce() -> None:
    """Wait until the supervisor has put this process's own open files into their places."""
    os.setsid()


def _can_place() -> bool:
    """Whether whoever answers can also give open files: Linux 5.9."""
    first, second = os.uname().release.split(".")[:2]
    return (int(first), int("".join(c for c in second if c.isdigit()) or 0)) >= (5, 9)
