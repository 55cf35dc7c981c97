"""Which system calls a bot's process may make: a seccomp filter, assembled here.

Most calls are harmless and allowed; those that reach out of the process, change files, or start
other processes are refused with EPERM, so that a bot sees an ordinary error. Programs made for
another architecture (or x32) are killed at their first call, because the numbers would mean
something else.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import signal
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

# Numbers of calls on x86_64 and aarch64; None: there is no such call.
_CALLS: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "fork": (57, None), "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435), "execve": (59, 221),
    "execveat": (322, 281), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272),
    "setsid": (112, 157), "setpgid": (109, 154), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # sockets, and other ways to talk
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191),
    "semtimedop": (220, 192), "mq_open": (240, 180), "mq_unlink": (241, 181), "fanotify_init": (300, 262),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "setsockopt": (54, 208), "getsockopt": (55, 209),
    "shutdown": (48, 210), "flock": (73, 32), "ioctl": (16, 29), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "futex": (202, 98),
    "timer_create": (222, 107),  # whose signal wakes a warm process that was stopped
    "futex_waitv": (449, 449), "futex_wake": (454, 454), "futex_wait": (455, 455), "futex_requeue": (456, 456),
    "io_setup": (206, 0),  # of which all processes together have so many
    # what is in the kernel's memory of files tells what others have read
    "fadvise64": (221, 223), "readahead": (187, 213), "mincore": (27, 232), "cachestat": (451, 451),
    "preadv2": (327, 286),
    # limits and rights
    "setrlimit": (160, 164), "prlimit64": (302, 261), "setuid": (105, 146), "setgid": (106, 144),
    "setreuid": (113, 145), "setregid": (114, 143), "setresuid": (117, 147), "setresgid": (119, 149),
    "setgroups": (116, 159), "setfsuid": (122, 151), "setfsgid": (123, 152), "capset": (126, 91),
    "unshare": (272, 97), "setns": (308, 268), "personality": (135, 92), "prctl": (157, 167),
    # files: Landlock leaves some of these to us, and older versions of it more
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "truncate": (76, 45), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None),
    "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36), "unlink": (87, None), "unlinkat": (263, 35),
    "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None), "mknod": (133, None), "mknodat": (259, 33),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open": (2, None), "openat": (257, 56),
    "openat2": (437, 437), "creat": (85, None), "fcntl": (72, 25), "mmap": (9, 222),
    "pipe": (22, None), "pipe2": (293, 59), "eventfd": (284, None), "eventfd2": (290, 19),
    # the kernel itself
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "bpf": (321, 280), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "userfaultfd": (323, 282), "perf_event_open": (298, 241), "swapon": (167, 224),
    "swapoff": (168, 225), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "sethostname": (170, 161), "setdomainname": (171, 162),
    "iopl": (172, None), "ioperm": (173, None), "syslog": (103, 116), "vhangup": (153, 58), "sync": (162, 81),
    "syncfs": (306, 267),
}  # fmt: skip

_NEWEST = 462  # calls that came later than this list are answered as if the kernel had none of them

# Calls that are not refused as such: a rule looks at their arguments, or the filter's options decide.
_SPECIAL = ("fork", "vfork", "clone", "clone3", "execve", "execveat", "kill", "tgkill", "prlimit64", "prctl",
            "open", "openat", "openat2", "creat", "fcntl", "ioctl", "clock_gettime", "clock_getres", "clock_nanosleep",
            "futex", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue", "mmap", "pipe", "pipe2", "eventfd",
            "eventfd2")  # fmt: skip

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

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
# fcntl: F_SETOWN, F_SETSIG and F_SETOWN_EX make the kernel send signals, F_SETLEASE and F_NOTIFY make others wait,
# locks can be seen by others, and large pipes (F_SETPIPE_SZ) make those of others small.
_MEDDLING = (8, 10, 15, 1024, 1026, 5, 6, 7, 36, 37, 38, 1031)
# An open file that a child has from its warm process is shared with it, and with the children of other games:
# with its flags, options and locks. So these are all that may be done to one: F_DUPFD, F_GETFD, F_SETFD, F_GETFL and
# F_DUPFD_CLOEXEC of fcntl; TCGETS, TIOCGWINSZ (is it a terminal?), FIONCLEX and FIOCLEX of ioctl.
_OWN_FCNTL = (0, 1, 2, 3, 1030)
_OWN_IOCTL = (0x5401, 0x5413, 0x5450, 0x5451)
_PDEATHSIG, _DUMPABLE = 1, 4  # prctl
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
# A futex that is not the process's own belongs to the file that it lies in, a library that everybody has mapped, say:
# who wakes it learns who waits there. All that needs one is to wait for the end of a thread (FUTEX_WAIT and
# FUTEX_WAIT_BITSET, by either clock); who does is told to look again, until it has come.
_FUTEX_PRIVATE, _FUTEX_WAITS = 128, (0, 256, 9, 265)

_Code = list[tuple[int, int, int, int]]


@dataclass(frozen=True)
class Filter:
    """What a process may do besides the usual."""

    fork: bool = False  # ask the referee for leave to `fork_beside` (where the kernel cannot ask: just do it)
    run: bool = False  # exec another program
    share: bool = False  # make pipes, and change open files: what carries state from game to game if open before
    write: bool = True  # open files for writing; Landlock says which
    signal: int = 0  # the one process that it may signal: itself; 0: none


@cache
def _program(wanted: Filter, asks: bool) -> bytes:
    """A filter as instructions for the kernel. Made once: every child needs it again."""
    column, arch = _ARCHITECTURES[platform.machine()]
    number = {name: numbers[column] for name, numbers in _CALLS.items()}
    code: _Code = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NR)]
    if arch == 0xC000003E:
        code += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]  # x32
    code += [(_AT_LEAST, 0, 1, _NEWEST + 1), (_RETURN, 0, 0, _ENOSYS)]
    rules: dict[str, _Code] = {name: [(_RETURN, 0, 0, _EPERM)] for name in _CALLS if name not in _SPECIAL}
    rules |= _rules(wanted, asks)
    for name, rule in rules.items():
        nr = number[name]
        if nr is not None:
            code += [(_EQUAL, 0, len(rule), nr), *rule]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *line) for line in code)


def _any_of(values: Sequence[int]) -> _Code:
    """Skip the next instruction after these if the value loaded is one of them."""
    return [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]


def _rules(wanted: Filter, asks: bool) -> dict[str, _Code]:
    """For each special call what is done about it; every rule ends in a verdict."""
    no, yes = (_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)
    forking = (_RETURN, 0, 0, (_ASK if asks else _ALLOW) if wanted.fork else _EPERM)
    out: dict[str, _Code] = {
        "clone": [
            (_LOAD, 0, 0, _ARGS), (_EQUAL, 0, 1, _CLONE_BESIDE), forking,
            (_ANY_BIT, 0, 1, _CLONE_AWAY), no, (_ANY_BIT, 0, 1, _CLONE_THREAD), yes, no,
        ],
        "clone3": [(_RETURN, 0, 0, _ENOSYS)],  # its flags lie in memory, unseen: glibc then uses clone
        "openat2": [(_RETURN, 0, 0, _ENOSYS)],
        "fork": [no],
        "vfork": [no],
        "prlimit64": [  # reading limits is fine: the pointer to new ones is null
            (_LOAD, 0, 0, _ARGS + 16), (_EQUAL, 1, 0, 0), no, (_LOAD, 0, 0, _ARGS + 20), (_EQUAL, 1, 0, 0), no, yes,
        ],
        "fcntl": [(_LOAD, 0, 0, _ARGS + 8), *_any_of(_MEDDLING), yes, no],
        "ioctl": [yes],
        "futex": [
            (_LOAD, 0, 0, _ARGS + 8), (_ANY_BIT, 0, 1, _FUTEX_PRIVATE), yes,
            *_any_of(_FUTEX_WAITS), (_RETURN, 0, 0, _EINVAL), (_RETURN, 0, 0, _EAGAIN),
        ],
        "kill": [no],
        "tgkill": [no],
    }  # fmt: skip
    # Numbers below zero are the clocks of other processes: how long somebody else has thought.
    clock: _Code = [(_LOAD, 0, 0, _ARGS), (_AT_LEAST, 0, 1, 1 << 31), (_RETURN, 0, 0, _EINVAL), yes]
    out |= dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), clock)
    out |= {name: [(_RETURN, 0, 0, _ENOSYS)] for name in _CALLS if name.startswith("futex_")}
    if wanted.signal:
        itself: _Code = [(_LOAD, 0, 0, _ARGS), (_EQUAL, 0, 1, wanted.signal), yes, no]
        out |= {"kill": itself, "tgkill": itself}
    denied_prctl: _Code = [(_LOAD, 0, 0, _ARGS), (_EQUAL, 2, 0, _PDEATHSIG), (_EQUAL, 1, 0, _DUMPABLE), yes, no]
    if wanted.fork:  # its children must bind their lives to its parent's, and nobody may loosen that
        denied_prctl = [
            (_LOAD, 0, 0, _ARGS), (_EQUAL, 4, 0, _DUMPABLE), (_EQUAL, 0, 2, _PDEATHSIG),
            (_LOAD, 0, 0, _ARGS + 8), (_EQUAL, 0, 1, signal.SIGKILL), yes, no,
        ]  # fmt: skip
    out["prctl"] = denied_prctl
    if not wanted.run:
        out |= {"execve": [no], "execveat": [no]}
    # Shared memory of no file outlives a game if it was made before, and no limit counts it.
    shared = (_ANY_BIT, 0, 2, _MAP_ANONYMOUS), (_ANY_BIT, 0, 1, _MAP_SHARED)
    out["mmap"] = [(_LOAD, 0, 0, _ARGS + 24), *shared, no, yes]
    if not wanted.share:
        out |= {name: [no] for name in ("pipe", "pipe2", "eventfd", "eventfd2")}
        out["fcntl"] = [(_LOAD, 0, 0, _ARGS + 8), *_any_of(_OWN_FCNTL), no, yes]
        out["ioctl"] = [(_LOAD, 0, 0, _ARGS + 8), *_any_of(_OWN_IOCTL), no, yes]
    if not wanted.write:
        denied = (_RETURN, 0, 0, _EACCES)
        look = {"open": 8, "openat": 16}  # where the flags lie
        out |= {n: [(_LOAD, 0, 0, _ARGS + at), (_ANY_BIT, 0, 1, _WRITING), denied, yes] for n, at in look.items()}
        out["creat"] = [denied]
    return out


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _NEW_LISTENER = 1, 8


@cache
def libc() -> ctypes.CDLL:
    """The C library, for calls that Python has no name for."""
    return ctypes.CDLL(None, use_errno=True)


def supported() -> bool:
    """Whether this machine is one that the list of calls is for."""
    return os.uname().sysname == "Linux" and platform.machine() in _ARCHITECTURES


def install(wanted: Filter, listen: bool = False) -> int | None:
    """Put the calling thread, and all that it starts, under a filter for good; OSError if that fails.

    With `listen`, forks wait for an answer at the descriptor returned (None: this kernel cannot ask,
    and forks are allowed).
    """
    for asks in (True, False) if listen and _can_place() else (False,):
        code = _program(wanted, asks)
        held = ctypes.create_string_buffer(code, len(code))
        program = _Program(len(code) // 8, ctypes.addressof(held))
        flags = _NEW_LISTENER if asks else 0
        got = libc().syscall(_SECCOMP[platform.machine()], _SET_FILTER, flags, ctypes.byref(program))
        if got >= 0:
            return int(got) if asks else None
    number = ctypes.get_errno()
    raise OSError(number, f"no seccomp filter: {os.strerror(number)}")


# --- forking, and answering a process that asks for leave to ---


def fork_beside() -> int:
    """Fork a process whose parent is this one's parent, so that this one learns nothing of its life and its end."""
    system, python = ctypes.PyDLL(None, use_errno=True), ctypes.pythonapi
    python.PyOS_BeforeFork()
    number = _CALLS["clone"][_ARCHITECTURES[platform.machine()][0]]
    pid = int(system.syscall(number, ctypes.c_ulong(_CLONE_BESIDE), None, None, None, None))
    problem = ctypes.get_errno()
    (python.PyOS_AfterFork_Child if pid == 0 else python.PyOS_AfterFork_Parent)()
    if pid < 0:
        raise OSError(problem, os.strerror(problem))
    return pid


_RECEIVE, _SEND, _PLACE = 0xC0502100, 0xC0182101, 0x40182103
_CONTINUE, _AT = 1, 1


def _can_place() -> bool:
    """Whether whoever answers can also give open files: Linux 5.9."""
    first, second = os.uname().release.split(".")[:2]
    return (int(first), int("".join(c for c in second if c.isdigit()) or 0)) >= (5, 9)


def asked(listener: int) -> tuple[int, int] | None:
    """The question of a process that waits at a listener, as a number, and the process; None if it has died."""
    note = bytearray(80)
    try:
        fcntl.ioctl(listener, _RECEIVE, note)
    except OSError:
        return None
    number, pid = struct.unpack_from("QI", note)
    return number, pid


def place(listener: int, number: int, files: Mapping[int, int]) -> None:
    """Give open files to the process that asked, each at its place, whatever it has there; OSError if it has died."""
    for at, descriptor in files.items():
        fcntl.ioctl(listener, _PLACE, struct.pack("QIIII", number, _AT, descriptor, at, 0))


def reply(listener: int, number: int, allowed: bool) -> None:
    """Answer a question."""
    answer = struct.pack("QqiI", number, 0, 0 if allowed else -errno.EPERM, _CONTINUE if allowed else 0)
    with suppress(OSError):  # it has died meanwhile
        fcntl.ioctl(listener, _SEND, bytearray(answer))


def refuse(listener: int) -> None:
    """Say no to one process that waits at a listener."""
    question = asked(listener)
    if question is not None:
        reply(listener, question[0], False)
