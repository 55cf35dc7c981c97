"""What a bot must not be able to do, tried: the patient of `doctor`.

With a class from `patient`, which `doctor` adds, this is a bot file like any other, run in a sandbox like any other:
it tries everything while it is imported, and again as a player. It is also a program (`python trials.py VICTIM`).
What worked comes out as lines of JSON.

Each trial is a number of ways to do the same; a way that raises OSError (or what Python makes of one) was refused, and
all others worked. VICTIM is a file that nothing but the sandbox protects: anybody may read and write it.
"""

from __future__ import annotations

import ctypes
import fcntl
import importlib
import json
import mmap
import os
import platform
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

MEMORY = 1 << 28  # bytes that the patient may have
MANY = 200  # threads
NEIGHBOUR = "pitboss_neighbour"  # a module that lies beside the patient, and is not its own
DIARY = "diary"  # a file that is

LIBC: Any = ctypes.CDLL(None, use_errno=True)
_COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 2)
_NUMBERS = {  # of calls that Python has no name for
    "mincore": (27, 232, -1), "readahead": (187, 213, -1), "cachestat": (451, 451, -1), "shmget": (29, 194, -1),
    "timer_create": (222, 107, -1), "clone": (56, 220, -1), "tgkill": (234, 131, -1), "madvise": (28, 233, -1),
    "io_uring_setup": (425, 425, -1), "pidfd_getfd": (438, 438, -1), "sysinfo": (99, 179, -1),
    "times": (100, 153, -1), "process_vm_readv": (310, 270, -1), "msgget": (68, 186, -1),
    "perf_event_open": (298, 241, -1),
}  # fmt: skip
_COLD, _PAGEOUT, _WILLNEED = 20, 21, 3
_NEW_USERS, _BESIDE = 0x10000000, 0x8000 | signal.SIGCHLD

Way = Callable[[], object]


def call(name: str, *arguments: object) -> int:
    """A system call by its name; OSError if it is refused."""
    return checked(LIBC.syscall(_NUMBERS[name][_COLUMN], *arguments))


def checked(got: int) -> int:
    if got < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return got


def unless(condition: object) -> None:
    """For ways that work if something is so."""
    if not condition:
        raise PermissionError


def reading(path: str) -> Way:
    def way() -> None:
        with open(path, "rb") as file:
            file.read(1)

    return way


def writing(path: str, flags: int) -> Way:
    def way() -> None:
        os.close(os.open(path, flags, 0o600))

    return way


def seeing(path: str) -> Way:
    return lambda: os.stat(path)


def forking(fork: Callable[[], int]) -> Way:
    def way() -> None:
        if fork() == 0:
            os._exit(0)

    return way


def temporary(folder: str) -> None:
    descriptor, path = tempfile.mkstemp(dir=folder)
    os.close(descriptor)
    os.unlink(path)


def leave_trace(path: str) -> None:
    """Read a file, and see by its times that somebody has."""
    before = os.stat(path).st_atime_ns
    with open(path, "rb") as file:
        file.read()
    unless(os.stat(path).st_atime_ns != before)


def many_threads() -> None:
    done, started = threading.Event(), []
    threading.stack_size(1 << 16)  # or it would be memory that ends it
    try:
        for _ in range(MANY):
            thread = threading.Thread(target=done.wait)
            thread.start()
            started.append(thread)
    except RuntimeError as problem:
        raise PermissionError from problem
    finally:
        done.set()
        for thread in started:  # the template forks next, which must not happen while one of them holds a lock
            thread.join()


def pages(advice: int) -> Way:
    """Tell the kernel what to do about pages of a library that everybody has mapped."""

    def way() -> None:
        place = ctypes.cast(LIBC.printf, ctypes.c_void_p).value or 0
        call("madvise", ctypes.c_void_p(place & ~0xFFF), ctypes.c_size_t(4096), advice)

    return way


def resident() -> None:
    place = ctypes.cast(LIBC.printf, ctypes.c_void_p).value or 0
    call("mincore", ctypes.c_void_p(place & ~0xFFF), ctypes.c_size_t(4096), ctypes.create_string_buffer(1))


def of_file(do: Callable[[int], object]) -> Way:
    def way() -> None:
        with open(os.__file__, "rb") as file:
            do(file.fileno())

    return way


def others() -> None:
    """See any process but oneself, by its entry in /proc."""
    unless({name for name in os.listdir("/proc") if name.isdigit()} - {str(os.getpid())})


def import_neighbour(folder: str) -> None:
    sys.path.insert(0, folder)
    try:
        importlib.import_module(NEIGHBOUR)
    finally:
        sys.path.remove(folder)


def trials(victim: str, program: bool) -> dict[str, dict[str, Way]]:
    """All that is tried, by name; what may spoil the other trials comes last."""
    folder, parent, own = os.path.dirname(victim), os.getppid(), os.path.abspath(__file__)
    clocks = ctypes.create_string_buffer(256)
    tried: dict[str, dict[str, Way]] = {
        "read": {path: reading(path) for path in (victim, "/etc/passwd", f"/proc/{parent}/environ", "/proc/self/mem")}
        | {"a folder": lambda: unless(os.path.basename(victim) in os.listdir(folder)),
           "memory of others": lambda: read_memory(parent)},
        "write": {
            "over": writing(victim, os.O_WRONLY), "cut": writing(victim, os.O_WRONLY | os.O_TRUNC),
            "append": writing(victim, os.O_WRONLY | os.O_APPEND), "beside": writing(f"{folder}/new", os.O_CREAT),
            "own file": writing(own, os.O_WRONLY), "truncate": lambda: os.truncate(victim, 0),
            "/tmp": lambda: temporary("/tmp"), "/dev/shm": lambda: temporary("/dev/shm"),
            "folder": lambda: os.mkdir(f"{folder}/made"), "link": lambda: os.symlink("x", f"{folder}/link"),
            "hard link": lambda: os.link(victim, f"{folder}/hard"),
            "rename": lambda: os.rename(f"{folder}/spare", f"{folder}/moved"),
            "remove": lambda: os.unlink(f"{folder}/other"),
        },
        "modes": {
            "mode": lambda: os.chmod(victim, 0o666), "times": lambda: os.utime(victim),
            "own": lambda: os.chmod(own, 0o644), "attribute": lambda: os.setxattr(victim, "user.x", b"x"),
            "owner": lambda: os.chown(victim, -1, -1),
        },
        "network": {
            "tcp": lambda: socket.socket().close(), "pair": socket.socketpair,
            "local": lambda: socket.socket(socket.AF_UNIX).close(),
            "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
        },
        "fork": {
            "fork": forking(os.fork), "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
            "clone": forking(lambda: call("clone", ctypes.c_ulong(_BESIDE), None, None, None, None)),
        },
        "signal": {
            "parent": lambda: os.kill(parent, 0), "first": lambda: os.kill(1, 0), "all": lambda: os.kill(-1, 0),
            "group": lambda: os.killpg(0, 0), "handle": lambda: os.pidfd_open(parent),
            "thread": lambda: call("tgkill", parent, parent, 0),
            "by a file": lambda: fcntl.fcntl(1, fcntl.F_SETOWN, parent),
        },
        "traces": {"own file": lambda: leave_trace(f"{folder}/{DIARY}"), "library": lambda: leave_trace(os.__file__)},
        # not touched, or the supervisor would end this process and all other trials with it
        "memory": {"at once": lambda: mmap.mmap(-1, 4 * MEMORY, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()},
        "threads": {"many": many_threads},
        "unlimit": {
            "limit": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60)),
            "of others": lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE),
            "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)),
            "processors": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
        },
        "processes": {
            "list": others, "open files": seeing(f"/proc/{parent}/fd"), "threads": seeing(f"/proc/{parent}/task"),
            "processors": lambda: os.sched_getaffinity(parent), "clock": lambda: time.clock_gettime(~parent << 3 | 2),
            "session": lambda: unless(parent != 1 and os.getsid(parent)),
            "priority": lambda: os.getpriority(os.PRIO_PROCESS, parent),
        },
        "counters": {
            "usage": lambda: resource.getrusage(resource.RUSAGE_SELF), "times": lambda: call("times", clocks),
            "machine": lambda: call("sysinfo", clocks), "own": reading("/proc/self/stat"),
            "load": os.getloadavg, "free space": lambda: os.statvfs("/"),
            "events": lambda: call("perf_event_open", clocks, 0, -1, -1, 0),
        },
        "pages": {
            "cold": pages(_COLD), "evict": pages(_PAGEOUT), "fetch": pages(_WILLNEED), "resident": resident,
            "advice": of_file(lambda file: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)),
            "ahead": of_file(lambda file: call("readahead", file, ctypes.c_long(0), ctypes.c_size_t(4096))),
            "cached": of_file(lambda file: call("cachestat", file, bytes(16), clocks, 0)),
        },
        "share": {
            "anonymous": lambda: mmap.mmap(-1, 4096), "file": lambda: os.close(os.memfd_create("x")),
            "segment": lambda: call("shmget", 0, ctypes.c_size_t(4096), 0o1600),
            "queue": lambda: call("msgget", 0, 0o1600), "/dev/zero": reading("/dev/zero"),
            "ring": lambda: call("io_uring_setup", 1, clocks),
        },
        "timers": {
            "alarm": lambda: signal.setitimer(signal.ITIMER_REAL, 1e6),
            "timer": lambda: call("timer_create", 1, None, clocks),
        },
        "outside": {path: seeing(path) for path in (victim, "/etc/passwd", "/var", "/sys", "/proc/self")},
        "import": {"beside": lambda: import_neighbour(folder), "here": lambda: import_neighbour("")},
        "root": {
            "user": lambda: unless(os.geteuid() == 0), "become": lambda: os.setuid(0), "root": lambda: os.chroot("/"),
            "rights": lambda: checked(LIBC.unshare(_NEW_USERS)),
        },
    }  # fmt: skip
    for name in ("counters", "timers", "import") if program else ():  # a program may: it is new in every game
        del tried[name]
    return tried


def read_memory(pid: int) -> None:
    room = ctypes.create_string_buffer(8)
    place = (ctypes.c_void_p * 2)(ctypes.addressof(room), 8)
    call("process_vm_readv", pid, place, ctypes.c_ulong(1), place, ctypes.c_ulong(1), ctypes.c_ulong(0))


def results(victim: str, program: bool) -> Iterator[tuple[str, list[str]]]:
    """Each trial with the ways that worked."""
    for name, ways in trials(victim, program).items():
        worked = []
        for how, way in ways.items():
            with suppress(OSError, MemoryError, ValueError, ImportError):  # Python reports a limit refused as the third
                way()
                worked.append(how)
        yield name, worked


def report(name: str, worked: list[str]) -> None:
    print(json.dumps({"trial": name, "worked": worked}), flush=True)


WHEN_IMPORTED: dict[str, list[str]] = {}


def patient(base: type[Any]) -> type[Any]:
    """A bot of the game whose bots inherit from `base`."""

    class Patient(base):  # type: ignore[misc]
        """Tries everything when it is first made, which is in its template, and when its game begins."""

        def __init__(self, victim: str) -> None:
            self.victim = victim
            if not WHEN_IMPORTED:
                WHEN_IMPORTED.update(results(victim, program=False))

        def start(self, *_: object) -> None:
            for name, worked in results(self.victim, program=False):
                report(name, [*worked, *(f"{how}, when imported" for how in WHEN_IMPORTED[name])])
            report("exec", ["exec"])  # if it works, this process is another
            with suppress(OSError):
                os.execv("/bin/true", ["true"])
            report("exec", [])

    return Patient


if __name__ == "__main__":
    for name, worked in results(sys.argv[1], program=True):
        report(name, worked)
