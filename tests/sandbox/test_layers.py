"""Each layer by itself: it refuses what it should, and nothing else."""

import json
import os
import platform
from pathlib import Path

import pytest

from pitboss.sandbox import calls, confine, landlock, namespaces, readable
from tests.sandbox.tried import tried

linux = pytest.mark.skipif(not confine.LINUX or not calls.supported(), reason="Linux only")
apart = pytest.mark.skipif(not confine.LINUX or not namespaces.possible(), reason="this machine allows no namespaces")


# --- seccomp ---

BARE = "calls.install(calls.Filter())"
# A thread of C's own, which somebody waits for: it wakes by a futex that is not its own.
JOINED = (
    "[thread := ctypes.c_void_p(), made := calls.libc().pthread_create("
    "ctypes.byref(thread), None, calls.libc().usleep, ctypes.c_void_p(10000)), "
    "calls.libc().pthread_join(thread, None)][1:] == [0, 0]"
)


@linux
@pytest.mark.parametrize(
    ("attempt", "result"),
    [
        ("len(open('/proc/self/stat').read()) > 0", "True"),
        ("__import__('resource').getrlimit(0) is not None", "True"),
        ("__import__('resource').prlimit(os.getppid(), 0)", "PermissionError"),
        ("len(os.sched_getaffinity(0)) > 0", "True"),
        ("os.sched_getaffinity(os.getppid())", "PermissionError"),
        ("__import__('threading').Thread(target=print).start()", "RuntimeError"),
        ("os.getpid()", "-1"),
        ("call('gettid')", "-1"),
        ("call('set_tid_address', None)", "-1"),
        ("os.times() and call('times', bytes(64))", "-1"),
        ("__import__('resource').getrusage(0)", "OSError"),
        ("os.statvfs('/')", "OSError"),
        ("call('sysinfo', bytes(256))", "-1"),
        ("socket.socket()", "PermissionError"),
        ("socket.socketpair()", "PermissionError"),
        ("os.fork()", "PermissionError"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
        ("os.execv('/bin/true', ['true'])", "PermissionError"),
        ("os.kill(1, 0)", "PermissionError"),
        ("os.kill(-1, 0)", "PermissionError"),
        ("os.pipe()", "PermissionError"),
        ("os.setsid()", "PermissionError"),
        ("os.chdir('/')", "PermissionError"),
        ("os.memfd_create('x')", "PermissionError"),
        ("os.unlink('/nonexistent')", "PermissionError"),
        ("os.setpriority(0, 0, 5)", "PermissionError"),
        ("os.getpriority(0, 0)", "PermissionError"),
        ("__import__('signal').setitimer(0, 1e6)", "itimer_error"),
        ("__import__('mmap').mmap(-1, 4096)", "PermissionError"),
        ("len(__import__('mmap').mmap(-1, 4096, flags=0x22))", "4096"),
        ("__import__('mmap').mmap(-1, 4096, flags=0x22).madvise(4)", "None"),
        ("__import__('mmap').mmap(-1, 4096, flags=0x22).madvise(3)", "OSError"),
        ("__import__('mmap').mmap(-1, 4096, flags=0x22).madvise(21)", "OSError"),
        ("__import__('resource').setrlimit(0, (1, 1))", "ValueError"),
        ("calls.libc().prctl(1, 9, 0, 0, 0)", "0"),
        ("calls.libc().prctl(1, 0, 0, 0, 0)", "-1"),
        ("calls.libc().prctl(4, 1, 0, 0, 0)", "-1"),
        ("calls.libc().prctl(3, 0, 0, 0, 0)", "1"),
        ("refused(463)", "ENOSYS"),
        ("refused(calls.number_of('clone3'), None, 0)", "ENOSYS"),
        ("refused(calls.number_of('io_uring_setup'), 1, None)", "ENOSYS"),
        ("refused(calls.number_of('execve'), None, None, None)", "EPERM"),
        ("calls.forker()()", "PermissionError"),
        ("os.set_blocking(0, False)", "PermissionError"),
        ("__import__('fcntl').flock(0, 1)", "PermissionError"),
        ("__import__('fcntl').lockf(0, 1)", "PermissionError"),
        ("__import__('fcntl').fcntl(0, 4, 2048)", "PermissionError"),
        ("__import__('fcntl').fcntl(0, 1026, 1)", "PermissionError"),
        ("__import__('fcntl').fcntl(0, 3) >= 0", "True"),
        ("__import__('time').clock_gettime(~os.getppid() << 3 | 2)", "OSError"),
        ("__import__('time').process_time() > 0", "True"),
        ("os.posix_fadvise(0, 0, 0, 4)", "PermissionError"),
        ("call('clock_getres', ~os.getppid() << 3 | 2, bytes(16))", "-1"),
        ("call('clock_getres', 1, bytes(16))", "0"),
        ("call('clock_nanosleep', ~os.getppid() << 3 | 2, 1, bytes(16), None)", "-1"),
        ("call('futex', bytes(64), 1, 1)", "-1"),
        ("call('futex', bytes(64), 1 | 128, 1)", "0"),
        ("refused(calls.number_of('futex'), ctypes.create_string_buffer(64), 6 | 128, 0, None)", "ENOSYS"),
    ],
)
def test_the_filter(attempt, result):
    assert tried(BARE, attempt) == result


THREAD = "[t := __import__('threading').Thread(target=print, args=('hi',)), t.start(), t.join()][1]"


@linux
@pytest.mark.parametrize(
    ("options", "attempt", "result"),
    [
        ("threads=True", THREAD, "hi\nNone"),
        ("threads=True", JOINED, "True"),
        ("threads=True", "os.fork()", "PermissionError"),
        ("program=True", "os.execv('/bin/echo', ['echo', 'hello'])", "hello"),
        ("program=True", "__import__('mmap').mmap(-1, 4096)", "PermissionError"),
        ("program=True", "len(os.pipe())", "2"),
        ("program=True", "os.getpid() > 1", "True"),
        ("program=True", THREAD, "hi\nNone"),
        ("program=True", "os.fork()", "PermissionError"),
        ("program=True", "socket.socketpair()", "PermissionError"),
        ("program=True", "os.set_blocking(0, False)", "None"),
        ("program=True", "__import__('fcntl').fcntl(os.pipe()[1], 1031, 1 << 20)", "PermissionError"),
        ("program=True", "os.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
        ("fork=True", "os.fork()", "PermissionError"),
        ("program=True, itself=os.getpid()", "os.kill(os.getpid(), 0)", "None"),
        ("program=True, itself=os.getpid()", "os.kill(os.getppid(), 0)", "PermissionError"),
        ("write=False", "open('/dev/null', 'w')", "PermissionError"),
        ("write=False", "open('/dev/null').read()", ""),
    ],
)
def test_options_of_the_filter(options, attempt, result):
    assert tried(f"calls.install(calls.Filter({options}))", attempt) == result


@linux
def test_every_call_has_a_number_for_this_machine():
    """Against the numbers that the C library's headers give, where they are installed."""
    header = Path(f"/usr/include/{platform.machine()}-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("there are no headers here")
    lines = (line.split() for line in header.read_text().splitlines())
    known = {
        words[1].removeprefix("__NR_"): int(words[2]) for words in lines if words[:1] == ["#define"] and len(words) == 3
    }
    numbers = {name: calls.number_of(name) for name in calls.CALLS}
    assert {name: known[name] for name in numbers if name in known} == {n: v for n, v in numbers.items() if n in known}
    assert len(known.keys() & numbers.keys()) > 100


# --- who asks ---

ASKS = """
ours, theirs = socket.socketpair()
pid = os.fork()
if pid == 0:
    secret = os.open("/dev/zero", os.O_RDONLY)
    ours.detach()
    channel = socket.socket(fileno=os.dup2(theirs.fileno(), calls.CONTROL))
    descriptor = calls.install(calls.Filter(fork=True), listen=True)
    socket.send_fds(channel, [secret.to_bytes()], [descriptor])
    os.close(descriptor)
    fork = calls.forker()
    if fork() == 0:
        calls.introduce()
        os._exit(len(os.read(secret, 1)))
    try:
        fork()
    except PermissionError:
        os._exit(7)
    os._exit(0)
theirs.close()
secret, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
asks = listener.Listener(descriptors[0])
def end(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def next_question():
    while (question := asks.asked(30000)) is None: pass
    return question
"""


@linux
def test_a_fork_must_be_granted_and_a_newborn_gets_its_files():
    """Whoever holds the listener lets it fork, puts other files in the place of the child's, and then says no."""
    steps = (
        "first := next_question(), asks.allow_fork(first), both := [next_question(), next_question()], "
        "nothing := os.open('/dev/null', os.O_RDONLY), "
        "[asks.refuse(q) if q.forks else asks.give(q, dict.fromkeys(range(secret[0] + 1), nothing)) for q in both]"
    )
    ends = "first.pid == pid, sorted(q.forks for q in both), sorted([end(-1), end(-1)])"
    assert tried(ASKS, f"[{steps}] and ({ends})") == "(True, [False, True], [0, 7])"


@linux
def test_where_nobody_is_left_who_could_ask_nobody_is_waited_for():
    """A process that is gone leaves its listener hung up, which older kernels call ready to be read, for ever."""
    gone = "os.kill(pid, 9), end(pid), [asks.asked(milliseconds) for milliseconds in (0, 50)]"
    assert tried(ASKS, f"[{gone}][-1]") == "[None, None]"


@linux
def test_what_is_not_there_to_be_received_is_not_received():
    """A listener that is hung up and nothing else: receiving would wait where no test could end it."""
    setup = """
reader, writer = os.pipe()
os.close(writer)  # POLLHUP, and nothing to read
import fcntl
fcntl.ioctl = lambda *_: sys.exit("received")
"""
    assert tried(setup, "listener.Listener(reader).asked(0)") == "None"


# --- Landlock ---


@pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
def test_files(tmp_path):
    for folder in ("open", "listed"):
        (tmp_path / folder).mkdir()
    for name in ("open/a", "b", "c", "listed/d"):
        (tmp_path / name).write_text(name)
    setup = (
        f"folder = {str(tmp_path)!r}\n"
        "library = [*readable.standard_library(), readable.PACKAGE]\n"
        "shown = [folder + '/open', folder + '/b', '/nonexistent', *library]\n"
        "landlock.restrict(shown, ['/dev/null'], [folder + '/listed'])\n"
        "def attempt(way):\n"
        "    try: return way()\n"
        "    except OSError as problem: return problem.strerror\n"
    )
    ways = (
        "{'a': lambda: open(folder + '/open/a').read(), 'b': lambda: open(folder + '/b').read(),"
        " 'c': lambda: open(folder + '/c').read(), 'open': lambda: os.listdir(folder + '/open'),"
        " 'listed': lambda: os.listdir(folder + '/listed'), 'd': lambda: open(folder + '/listed/d').read(),"
        " 'folder': lambda: os.listdir(folder), 'write': lambda: open(folder + '/b', 'w'),"
        " 'new': lambda: open(folder + '/open/new', 'w'), 'null': lambda: open('/dev/null', 'w').write('x')}"
    )
    result = json.loads(tried(setup, f"json.dumps({{name: attempt(way) for name, way in {ways}.items()}})"))
    denied = "Permission denied"
    assert result == {
        "a": "open/a", "b": "b", "c": denied, "open": ["a"], "listed": ["d"], "d": denied,
        "folder": denied, "write": denied, "new": denied, "null": 1,
    }  # fmt: skip


# --- namespaces ---

ROOT = """
user, group = os.geteuid(), os.getegid()
reader, writer = os.pipe()
pid = namespaces.fork_apart()
if pid == 0:
    os.close(reader)
    try:
        namespaces.be_oneself(user, group)
        namespaces.build_root({shown!r}, {copied!r})
        found = {look}
    except BaseException as problem:
        found = repr(problem)
    os.write(writer, json.dumps(found).encode())
    os._exit(0)
os.close(writer)
found = json.loads(open(reader).read())
os.waitpid(pid, 0)
"""


def seen(shown, copied, look):
    """What a piece of Python finds in a root that is made of these; nothing of Python itself can be imported there."""
    return json.loads(
        tried(ROOT.format(shown=list(map(str, shown)), copied=list(map(str, copied)), look=look), "json.dumps(found)")
    )


@apart
def test_there_is_nothing_in_a_root_but_what_is_named(tmp_path):
    (tmp_path / "shown").mkdir()
    for name in ("shown/inside", "shown/.hidden", "alone", "own", "secret"):
        (tmp_path / name).write_text(name)
    look = f"[sorted(os.listdir(p)) for p in ('/', '/proc', '/dev', {str(tmp_path)!r}, {str(tmp_path / 'shown')!r})]"
    root, proc, devices, here, shown = seen([tmp_path / "shown", tmp_path / "alone"], [tmp_path / "own"], look)
    assert root == sorted({"dev", "proc", "tmp", tmp_path.parts[1]})
    assert proc == []
    assert devices == ["null", "random", "urandom"]
    assert (here, shown) == (["alone", "own", "shown"], [".hidden", "inside"])


@apart
def test_nothing_can_be_written_in_a_root_and_copies_are_what_they_were(tmp_path):
    (tmp_path / "shown").mkdir()
    for name in ("shown/inside", "own"):
        (tmp_path / name).write_text("as it was")
        (tmp_path / name).chmod(0o666)
    look = f"""[
        [kind for path in ({str(tmp_path / "shown/inside")!r}, {str(tmp_path / "own")!r}, "/new", "/tmp/x", "/proc/x")
         for kind in [attempt(path)]], open({str(tmp_path / "own")!r}).read()]"""
    attempt = """
def attempt(path):
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError as problem:
        return problem.errno
"""
    setup = attempt + ROOT.format(shown=[str(tmp_path / "shown")], copied=[str(tmp_path / "own")], look=look)
    errors, text = json.loads(tried(setup, "json.dumps(found)"))
    assert errors == [30] * 5  # a read-only file system
    assert text == "as it was"
    assert {(tmp_path / name).read_text() for name in ("shown/inside", "own")} == {"as it was"}


@apart
def test_building_a_root_never_writes_to_what_it_shows(tmp_path):
    """Not even if the same file is shown, by several names, and is also to be copied; in any order."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "absolute").symlink_to(tmp_path / "folder")
    paths = [tmp_path / name / "file" for name in ("folder", "link", "absolute")]
    paths[0].write_text("#!/bin/sh\n" * 100)
    paths[0].chmod(0o755)
    before = paths[0].stat()
    names = [*paths, tmp_path / "folder", tmp_path / "link"]
    for shown, copied in ((names, paths), (names[::-1], paths[::-1]), (paths[1:], names[:1]), ([], paths), (names, [])):
        look = f"[len(open(path).read()) for path in {[str(path) for path in paths if path in [*shown, *copied]]!r}]"
        assert set(seen(shown, copied, look)) == {1000}
        after = paths[0].stat()
        assert (after.st_size, after.st_mtime_ns, after.st_mode) == (before.st_size, before.st_mtime_ns, before.st_mode)


@apart
def test_a_copy_is_a_snapshot(tmp_path):
    own = tmp_path / "own"
    own.write_text("before")
    look = f"[open({str(own)!r}).read(), os.stat({str(own)!r}).st_dev != {own.stat().st_dev}]"
    assert seen([], [own], look) == ["before", True]
    assert seen([own], [], look) == ["before", False]


@apart
def test_links_lead_where_they_led_in_any_order(tmp_path):
    (tmp_path / "usr" / "lib").mkdir(parents=True)
    (tmp_path / "usr-lib").mkdir()
    (tmp_path / "usr" / "lib" / "a.so").write_text("a")
    (tmp_path / "usr" / "lib" / "b.so").symlink_to("a.so")
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "loop").symlink_to("loop")
    look = f"[open({str(tmp_path)!r} + name).read() for name in ('/lib/a.so', '/usr/lib/a.so', '/lib/b.so')]"
    paths = [tmp_path / name for name in ("usr/lib/a.so", "lib/b.so", "lib/a.so", "usr-lib")]
    for shown in (paths, paths[::-1], [tmp_path / "lib", tmp_path / "usr", tmp_path / "nothing"]):
        assert seen(shown, [], look) == ["a", "a", "a"]
    assert "too many links" in seen([tmp_path / "loop"], [], look)


@apart
def test_who_has_read_a_file_cannot_be_told_from_a_root(tmp_path):
    own, shown = tmp_path / "own", tmp_path / "shown"
    for path in (own, shown):
        path.write_text("text")
        os.utime(path, (0, 0))
    look = (
        f"[(open(p).read(), os.stat(p).st_atime_ns)[1] == os.stat(p).st_atime_ns for p in {[str(own), str(shown)]!r}]"
    )
    assert seen([shown], [own], look) == [True, True]
    assert shown.stat().st_atime == 0


# --- what of the disk is shown ---


def test_packages_are_shown_to_those_who_mention_them():
    assert readable.packages_for([b"import random"], []) == []
    assert readable.packages_for([b"import numpy as np"], []) == ["numpy"]
    assert set(readable.packages_for([b"x = 1", b"@compiled_bot"], ["scipy"])) == {"numba", "numpy", "scipy"}


def test_files_of_packages_and_of_what_they_need():
    files = {Path(path).name for path in readable.package_files("numba")}
    assert {"numba", "numpy", "llvmlite"} <= files
    assert "rich" not in files
    assert readable.package_files("no-such-package-anywhere") == []
    assert all(Path(path).exists() for path in readable.package_files("numpy"))


@linux
def test_libraries_of_the_system_are_found_with_their_links():
    found = readable.shared_libraries([])
    assert any("libc.so" in path for path in found)
    assert all(os.path.isfile(path) for path in found)
    assert not any(path.startswith("/dev") for path in found)


def test_little_of_python_is_shown():
    names = {Path(path).name for path in readable.standard_library()}
    assert {"random.py", "json", "os.py"} <= names
    assert not names & {"site-packages", "test", "idlelib", "ensurepip"}
    assert readable.within(os.__file__, [readable.LIBRARY])
    assert not readable.within(readable.LIBRARY + "-other/x", [readable.LIBRARY])
