"""Each layer by itself: it refuses what it should, and nothing else."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.arena.referee import doctor, landlock, sandbox, seccomp
from pitboss.arena.referee.doctor import Diagnosis, Finding
from pitboss.arena.referee.seats import Referee
from pitboss.table.errors import PitbossError
from tests.arena.tables import GAME

linux = pytest.mark.skipif(not sandbox.LINUX or not seccomp.supported(), reason="Linux only")


def tried(setup, attempt):
    """Run two pieces of Python in a process of its own; what the second one printed or raised."""
    code = (
        "import os, sys, socket\n"
        "from pitboss.arena.referee import landlock, sandbox, seccomp\n"
        "seccomp.libc().prctl(38, 1, 0, 0, 0)\n"
        "column = seccomp._ARCHITECTURES[os.uname().machine][0] if seccomp.supported() else 0\n"
        "def call(name, *arguments): return seccomp.libc().syscall(seccomp._CALLS[name][column], *arguments)\n"
        f"{setup}\n"
        "try:\n"
        f"    print({attempt}, flush=True)\n"
        "except Exception as problem:\n"
        "    print(type(problem).__name__)\n"
    )
    env = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.strip()


# --- seccomp ---

BARE = "seccomp.install(seccomp.Filter())"
# A thread of C's own, which somebody waits for: it wakes by a futex that is not its own.
JOINED = (
    "[c := __import__('ctypes'), thread := c.c_void_p(), made := seccomp.libc().pthread_create("
    "c.byref(thread), None, seccomp.libc().usleep, c.c_void_p(10000)), seccomp.libc().pthread_join(thread, None)]"
    "[2:] == [0, 0]"
)


@linux
@pytest.mark.parametrize(
    ("attempt", "result"),
    [
        ("os.getpid() > 0", "True"),
        ("len(open('/proc/self/stat').read()) > 0", "True"),
        ("__import__('resource').getrlimit(0) is not None", "True"),
        ("[t := __import__('threading').Thread(target=print, args=('hi',)), t.start(), t.join()][1]", "hi\nNone"),
        ("socket.socket()", "PermissionError"),
        ("socket.socketpair()", "PermissionError"),
        ("os.fork()", "PermissionError"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
        ("os.execv('/bin/true', ['true'])", "PermissionError"),
        ("os.kill(os.getpid(), 0)", "PermissionError"),
        ("os.kill(-1, 0)", "PermissionError"),
        ("os.pipe()", "PermissionError"),
        ("os.memfd_create('x')", "PermissionError"),
        ("os.unlink('/nonexistent')", "PermissionError"),
        ("os.setpriority(0, 0, 5)", "PermissionError"),
        ("__import__('mmap').mmap(-1, 4096)", "PermissionError"),
        ("len(__import__('mmap').mmap(-1, 4096, flags=0x22))", "4096"),
        ("__import__('resource').setrlimit(0, (1, 1))", "ValueError"),
        ("seccomp.libc().prctl(1, 9, 0, 0, 0)", "-1"),
        ("seccomp.libc().prctl(4, 1, 0, 0, 0)", "-1"),
        ("seccomp.libc().prctl(3, 0, 0, 0, 0)", "1"),
        ("seccomp.libc().syscall(463)", "-1"),
        ("seccomp.fork_beside()", "PermissionError"),
        ("os.set_blocking(0, False)", "PermissionError"),
        ("__import__('fcntl').flock(0, 1)", "PermissionError"),
        ("__import__('fcntl').lockf(0, 1)", "PermissionError"),
        ("__import__('fcntl').fcntl(0, 4, 2048)", "PermissionError"),
        ("__import__('fcntl').fcntl(0, 3) >= 0", "True"),
        ("__import__('time').clock_gettime(~os.getppid() << 3 | 2)", "OSError"),
        ("__import__('time').process_time() > 0", "True"),
        ("os.posix_fadvise(0, 0, 0, 4)", "PermissionError"),
        ("call('clock_getres', ~os.getppid() << 3 | 2, bytes(16))", "-1"),
        ("call('clock_getres', 1, bytes(16))", "0"),
        ("call('clock_nanosleep', ~os.getppid() << 3 | 2, 1, bytes(16), None)", "-1"),
        ("call('timer_create', 1, None, bytes(8))", "-1"),
        ("call('io_setup', 1, bytes(8))", "-1"),
        ("call('futex', bytes(64), 1, 1)", "-1"),
        ("call('futex', bytes(64), 1 | 128, 1)", "0"),
        (JOINED, "True"),
    ],
)
def test_the_filter(attempt, result):
    assert tried(BARE, attempt) == result


@linux
@pytest.mark.parametrize(
    ("options", "attempt", "result"),
    [
        ("run=True", "os.execv('/bin/echo', ['echo', 'hello'])", "hello"),
        ("share=True", "__import__('mmap').mmap(-1, 4096)", "PermissionError"),
        ("share=True", "len(os.pipe())", "2"),
        ("fork=True", "os.fork()", "PermissionError"),
        ("fork=True", "seccomp.libc().prctl(1, 9, 0, 0, 0)", "0"),
        ("fork=True", "seccomp.libc().prctl(1, 0, 0, 0, 0)", "-1"),
        ("share=True", "os.set_blocking(0, False)", "None"),
        ("share=True", "__import__('fcntl').fcntl(os.pipe()[1], 1031, 1 << 20)", "PermissionError"),
        ("fork=True, run=True", "os.posix_spawn('/bin/true', ['true'], {})", "PermissionError"),
        ("signal=os.getpid()", "os.kill(os.getpid(), 0)", "None"),
        ("signal=os.getpid()", "os.kill(os.getppid(), 0)", "PermissionError"),
        ("write=False", "open('/dev/null', 'w')", "PermissionError"),
        ("write=False", "open('/dev/null').read()", ""),
    ],
)
def test_options_of_the_filter(options, attempt, result):
    assert tried(f"seccomp.install(seccomp.Filter({options}))", attempt) == result


FORKS = """
ours, theirs = socket.socketpair()
pid = os.fork()
if pid == 0:
    secret = os.open("/dev/zero", os.O_RDONLY)
    listener = seccomp.install(seccomp.Filter(fork=True), listen={listen})
    socket.send_fds(theirs, [secret.to_bytes()], [listener] * {listen})
    if seccomp.fork_beside() == 0:
        os._exit(len(os.read(secret, 1)))
    try:
        seccomp.fork_beside()
    except PermissionError:
        os._exit(7)
    os._exit(0)
secret, listeners, _, _ = socket.recv_fds(ours, 1, 1)
def end(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def answer(allowed):
    number, who = seccomp.asked(listeners[0])
    if allowed:
        seccomp.place(listeners[0], number, {{secret[0]: os.open("/dev/null", os.O_RDONLY)}})
    seccomp.reply(listeners[0], number, allowed)
    return who == pid
"""


@linux
def test_a_child_is_its_parents_parents():
    assert tried(FORKS.format(listen=False), "end(pid), sorted([end(-1), end(-1)])") == "0 [0, 1]"


@linux
def test_a_fork_must_be_granted_and_open_files_can_be_exchanged():
    """Whoever holds the listener says yes, having put another file in the place of one, and then no."""
    assert tried(FORKS.format(listen=True), "answer(True), answer(False), end(pid), end(-1)") == "True True 7 0"


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
    column = seccomp._ARCHITECTURES[platform.machine()][0]
    numbers = {name: pair[column] for name, pair in seccomp._CALLS.items()}
    assert {name: known.get(name) for name in numbers if name in known} == {
        n: v for n, v in numbers.items() if n in known
    }
    assert len(known.keys() & numbers.keys()) > 100


# --- Landlock ---


@pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
def test_files(tmp_path):
    (tmp_path / "open").mkdir()
    for name in ("open/a", "b", "c"):
        (tmp_path / name).write_text(name)
    setup = (
        f"import json; folder = {str(tmp_path)!r}\n"
        "readable = [folder + '/open', folder + '/b', '/nonexistent', *sandbox.python_folders()]\n"
        "landlock.restrict(readable, ['/dev/null'])\n"
        "def attempt(way):\n"
        "    try: return way()\n"
        "    except OSError as problem: return problem.strerror\n"
    )
    ways = (
        "{'a': lambda: open(folder + '/open/a').read(), 'b': lambda: open(folder + '/b').read(),"
        " 'c': lambda: open(folder + '/c').read(), 'open': lambda: os.listdir(folder + '/open'),"
        " 'folder': lambda: os.listdir(folder), 'write': lambda: open(folder + '/b', 'w'),"
        " 'new': lambda: open(folder + '/open/new', 'w'), 'null': lambda: open('/dev/null', 'w').write('x')}"
    )
    result = json.loads(tried(setup, f"json.dumps({{name: attempt(way) for name, way in {ways}.items()}})"))
    denied = "Permission denied"
    assert result == {
        "a": "open/a", "b": "b", "c": denied, "open": ["a"],
        "folder": denied, "write": denied, "new": denied, "null": 1,
    }  # fmt: skip


# --- the disk ---


@linux
def test_who_has_read_a_file_cannot_be_told_from_a_read_only_disk(tmp_path):
    path = tmp_path / "file"
    path.write_text("text")
    read = f"(open({str(path)!r}).read(), int(os.stat({str(path)!r}).st_atime))"
    os.utime(path, (0, 0))
    if tried("held = sandbox.read_only_disk(['/usr/lib'])", "held") == "False":
        pytest.skip("this machine allows no mounts of one's own")
    assert tried("sandbox.read_only_disk(['/usr/lib'])", read) == "('text', 0)"
    assert tried("sandbox.read_only_disk(['/usr/lib'])", f"open({str(path)!r}, 'w')") == "OSError"
    assert path.read_text() == "text"


# --- all together ---


def test_the_doctor_finds_what_is_open():
    findings = [Finding("write files", True, "Landlock", True), Finding("use the network", False, "seccomp", True)]
    sick = Diagnosis("Somewhere", tuple(findings), ())
    assert not sick.isolated
    assert "one could use the network" in sick.verdict
    with pytest.raises(PitbossError, match="bots cannot be shut in on this machine: one could use the network"):
        sick.verify_isolated()
    mild = Diagnosis("Somewhere", (findings[0], Finding("be slow", False, "limits", False)), ())
    mild.verify_isolated()
    assert mild.verdict == "Bots from files are shut in, except that one could be slow."


@linux
def test_a_patient_that_is_not_shut_in_gets_out(tmp_path):
    """The doctor's trials can fail: without any layer, everything works."""
    victim = tmp_path / "secret"
    victim.write_text("secret")
    code = (
        "import sys; from pitboss.arena.referee import doctor, sandbox\n"
        "sandbox.confine = lambda *_, **__: ([], None)\n"
        "sandbox.read_only_disk = lambda *_: False\n"
        "doctor._TRY.pop('memory')\n"
        "doctor.patient(sys.argv[1])\n"
    )
    env = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]}
    out = subprocess.run([sys.executable, "-c", code, str(victim)], env=env, capture_output=True, text=True).stdout
    worked = {r["trial"]: r["worked"] for r in map(json.loads, out.splitlines()) if "trial" in r}
    expected = dict.fromkeys(doctor.TRIALS, True) | {"root": os.getuid() == 0}
    del expected["memory"]
    assert worked == expected


def test_isolation_can_be_required(monkeypatch):
    sick = Diagnosis("Somewhere", (Finding("use the network", False, "seccomp", True),), ())
    monkeypatch.setattr(doctor, "examine", lambda: sick)
    with pytest.raises(PitbossError, match="cannot be shut in"):
        Referee(GAME, require_isolation=True)
    monkeypatch.undo()
    if doctor.examine().isolated:
        Referee(GAME, require_isolation=True).close()
