"""Looks, at the start of a game, at everything that another game (or another bot) may have changed, having changed in
the last game what it could: pages of files, clocks, counters, numbers of all kinds. Says what it sees."""

import contextlib
import ctypes
import os
import platform
import resource
import time

from pitboss.games.flip7 import Flip7Bot

LIBC = ctypes.CDLL(None, use_errno=True)
LIBRARY = os.path.dirname(os.__file__)
X86 = platform.machine() == "x86_64"
COLD = sorted(
    os.path.join(LIBRARY, name) for name in os.listdir(LIBRARY) if name.endswith(".py") and "p" < name < "tu"
)  # files of the library that nobody else reads


def faults():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_majflt, usage.ru_inblock


def stat_of(pid):
    return [os.stat(f"/proc/{pid}/{name}").st_nlink for name in ("fd", "task")]


def others():
    """A live channel: how many threads and open files others have, by the numbers of links."""
    found = [stat_of(pid) for pid in {1, os.getppid(), *range(2, 400)} if os.path.exists(f"/proc/{pid}")]
    if not found:
        raise OSError("nobody is there")
    return found


def lock_with_number():
    """FUTEX_LOCK_PI writes the number of the thread into memory."""
    word = ctypes.c_uint32(0)
    if LIBC.syscall(202 if X86 else 98, ctypes.byref(word), 6 | 128, 0, None) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return word.value


def call(x86, arm, *arguments):
    got = LIBC.syscall(x86 if X86 else arm, *arguments)
    if got < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return got


def resident():
    place = ctypes.cast(LIBC.printf, ctypes.c_void_p).value & ~0xFFF
    pages = ctypes.create_string_buffer(64)
    call(27, 232, ctypes.c_void_p(place), ctypes.c_size_t(64 * 4096), pages)
    return pages.raw


LOOK = {
    "page faults": faults,
    "counters": lambda: open("/proc/self/stat").read(),  # noqa: SIM115
    "input": lambda: open("/proc/self/io").read(),  # noqa: SIM115
    "resident pages": resident,
    "others": others,
    "number": lambda: call(39, 172),
    "thread": lambda: call(186, 178),
    "thread again": lambda: call(218, 96, None),
    "lock": lock_with_number,
    "free memory": lambda: call(99, 179, ctypes.create_string_buffer(256)),
    "free space": lambda: os.statvfs("/"),
    "load": os.getloadavg,
    "entropy": lambda: open("/proc/sys/kernel/random/entropy_avail").read(),  # noqa: SIM115
    "processors of others": lambda: os.sched_getaffinity(os.getppid()),
    "limits of others": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE),
    "processor": lambda: call(309, 168, ctypes.create_string_buffer(8), None, None),
    "switches": lambda: open("/proc/self/status").read(),  # noqa: SIM115
    "times": lambda: call(100, 153, ctypes.create_string_buffer(64)),
    "session": lambda: os.getsid(0),
    "name": lambda: name_of_process(),
}
SAME = {  # what may be seen, and must be the same in all games
    "host": lambda: tuple(os.uname()),
    "processors": lambda: sorted(os.sched_getaffinity(0)),
    "limits": lambda: [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE)],
    "open files": lambda: [n for n in range(64) if is_open(n)],
    "parent": os.getppid,
    "files": lambda: [numbers(path) for path in (__file__, LIBRARY, COLD[0], "/", "/tmp", "/proc", "/dev/null")],
    "places": lambda: [numbers(n) for n in (0,)],
    "folder": lambda: os.getcwd(),
}


def name_of_process():
    """Set by the last game (see `leave`), if it is shared."""
    name = ctypes.create_string_buffer(16)
    LIBC.prctl(16, name, 0, 0, 0)
    if name.value != b"left":
        raise OSError("it is not what the last game left")
    return name.value


def numbers(path):
    found = os.stat(path)
    return (found.st_ino, found.st_dev, found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns, found.st_nlink)


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def look():
    for name, way in LOOK.items():
        with contextlib.suppress(OSError):
            print(f"sees {name}: {way()}")


def leave():
    """Change what can be changed: touch files, take numbers, name oneself."""
    for path in COLD:
        with open(path, "rb") as file:
            file.read()
    LIBC.prctl(15, b"left", 0, 0, 0)


class Leaks(Flip7Bot):
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        look()
        for name, way in SAME.items():
            print(f"same {name}: {way()}")
        leave()

    def hit_or_stay(self, view):
        return "stay"


class Times(Flip7Bot):
    """Measures how long each file of the library takes to read, in nanoseconds, and reads half of them for the next
    game: what has been read is quicker, if that is all there is to it."""

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        print("took:", *map(self.time, COLD))
        marked = [rng.random() < 0.5 for _ in COLD]
        for path in (path for path, mark in zip(COLD, marked, strict=True) if mark):
            with open(path, "rb") as file:
                file.read()
        print("marked:", *map(int, marked))

    def time(self, path):
        began = time.perf_counter_ns()
        descriptor = os.open(path, os.O_RDONLY)
        os.pread(descriptor, 4096, 0)
        took = time.perf_counter_ns() - began
        os.close(descriptor)
        return took

    def hit_or_stay(self, view):
        return "stay"
