"""The side that trusts nobody: it has sandboxes made, and ends them.

    supervisor = Supervisor(game, limits)
    template = Template(supervisor, Source(path, call="Careful(limit=30)"))
    player = template.player()     # a fresh process for one game

Whoever makes a template or a supervisor closes it.
"""

from __future__ import annotations

import marshal
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from site import getsitepackages

from pitboss.core import entry_points, launch
from pitboss.core.cache_folder import cache_folder
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.step import DEALER
from pitboss.core.types import Data
from pitboss.sandbox import readable, wire, zygote
from pitboss.sandbox.limits import Ended, Ending, Limits
from pitboss.sandbox.listener import Listener
from pitboss.sandbox.process import LINUX, LOOK

PATIENCE = 300.0  # seconds for the zygote to get ready
WITHOUT = "PITBOSS_SANDBOX_WITHOUT"  # environment: names of layers, with commas
_CREDENTIALS = struct.Struct("3i")  # process, user, group


@dataclass(frozen=True)
class Source:
    """What is to be run: a bot of a Python file, or a program."""

    path: str
    call: str = ""  # what in the file, with its arguments
    own: tuple[str, ...] = ()  # files that it may read besides
    folder: str = ""  # that it imports from, and may list
    argv: tuple[str, ...] = ()  # of a program
    shown: tuple[str, ...] = ()  # what else a program may read

    @property
    def files(self) -> list[str]:
        """All files of its own."""
        return list(dict.fromkeys([self.path, *self.own]))


class Supervisor:
    """Keeps the zygote of one game."""

    def __init__(self, game: Game, limits: Limits, aside: Set[int] = frozenset()) -> None:
        """`aside` are cores on which players come into being, and end, while others play on ours."""
        self.limits = limits
        self.nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        ours, theirs = sockets()
        output, printed = os.pipe()
        with theirs:
            self._popen = subprocess.Popen(
                [sys.executable, "-S", "-P", "-s", "-u", "-c", _BOOT, os.path.dirname(readable.PACKAGE)],
                stdin=theirs.fileno(), stdout=printed, stderr=printed, env=_ENVIRONMENT, cwd="/",
                start_new_session=True,
            )  # fmt: skip
        os.close(printed)
        self.aside = aside
        if aside:
            os.sched_setaffinity(self._popen.pid, aside)
        self._control = ours
        ours.settimeout(PATIENCE)
        try:
            wire.send(ours, _setup(game, limits))
            self.apart: bool = wire.receive(ours)[0]["apart"]
        except (EOFError, OSError) as problem:
            ours.close()
            os.close(self.nothing)
            self._popen.kill()
            self._popen.wait()
            with open(output, "rb") as pipe:
                said = pipe.read(4000).decode(errors="replace")
            raise PitbossError(f"the process that makes sandboxes does not start: {problem} {said}") from problem
        os.close(output)

    @property
    def pid(self) -> int:
        """The zygote's number."""
        return self._popen.pid

    @property
    def alive(self) -> bool:
        """Whether it can be asked for more."""
        return self._popen.poll() is None

    def make(self, order: Data, given: Sequence[int]) -> int:
        """Have a sandbox made with these open files, which are closed here; the number of its first process."""
        try:
            wire.send(self._control, order, given)
            return int(wire.receive(self._control)[0]["pid"])
        except (EOFError, OSError) as problem:
            raise Ended(Ending.CRASH, "no process could be made for it") from problem
        finally:
            for descriptor in given:
                os.close(descriptor)

    def close(self) -> None:
        """End it, and with it everything that it made."""
        self._control.close()
        os.close(self.nothing)
        try:
            self._popen.wait(5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


def _setup(game: Game, limits: Limits) -> Data:
    """What a zygote must know: the game, where packages lie, and what of them every bot may read."""
    site = [*getsitepackages(), *launch.home()[1]]
    root = type(game).__module__.partition(".")[0]
    foreign = [] if root == "pitboss" else [*_module_files(root), *readable.package_files("numpy", "numba")]
    return {
        "spec": str(game), "places": {group: entry_points.places(group) for group in entry_points.GROUPS},
        "memory": limits.memory, "without": without(), "cache": str(cache_folder()),
        "site": site, "shown": foreign, "sample": _sample(game),
    }  # fmt: skip


def _sample(game: Game) -> tuple[bytes, int, int] | None:
    """A view to practise with: its bytes, its seat, and the legal moves as bits, at the first decision of a game; if
    there is any, whatever cards come first."""
    for attempt in range(20):
        position = game.start(game.rules.seats[-1])
        while position.to_act == DEALER:
            position.apply(position.legal[attempt % len(position.legal)])
        if position.to_act >= 0:
            position.view(position.to_act)
            legal = int(game.loops.legal(position.states, game.record))
            return position.views.tobytes(), position.to_act, legal
    return None


def _module_files(name: str) -> list[str]:
    """The folder of a package, or the file of a module."""
    spec = find_spec(name)
    if spec is None:
        return []
    places = spec.submodule_search_locations or [spec.origin or ""]
    return [os.path.realpath(place) for place in places if place]


def without() -> list[str]:
    """Layers that are switched off, to see what the others are worth alone."""
    return [name for name in os.environ.get(WITHOUT, "").split(",") if name]


# What a zygote runs: a Python that looks for modules in its own library, and for pitboss in its folder.
_BOOT = "import sys; sys.path.append(sys.argv[1]); from pitboss.sandbox import zygote; zygote.main()"
_ENVIRONMENT = {
    **zygote.ENVIRONMENT, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PITBOSS_LIGHT": "1",
}  # fmt: skip


class Sandbox:
    """One sandbox: its first process, the one that it was made for, and how processes in it have ended."""

    def __init__(self, supervisor: Supervisor, source: Source, files: Sequence[int] = ()) -> None:
        limits = supervisor.limits
        packages: list[str] = []
        if not source.argv:
            packages = readable.packages_for(map(_read, source.files), limits.packages)
        order = {
            "own": source.files, "listed": [source.folder] if source.folder else [], "argv": list(source.argv),
            "path": [source.folder] if source.folder else [], "threads": limits.threads, "packages": packages,
            "modules": readable.modules_of(*packages),
            "shown": list(source.shown) if source.argv else readable.package_files(*packages),
        }  # fmt: skip
        ours, theirs = sockets(names_sender=True)
        self._status, told = os.pipe()
        os.set_blocking(self._status, False)
        self._ended: dict[int, int] = {}
        self._unread, self._closed = b"", False
        self._apart = supervisor.apart
        self._handle: int | None = None  # of the first process, even if its number is given to another
        try:
            output, *others = files
            self.first = supervisor.make(order, [theirs.detach(), output, told, *others])
            with suppress(OSError, AttributeError):
                self._handle = os.pidfd_open(self.first)
            ours.settimeout(PATIENCE)
            self.pid, given, said = started(ours)
            self.held: list[str] = marshal.loads(said).get("held", [])  # layers: no stranger has run there yet
        except (Ended, EOFError, OSError) as problem:
            ours.close()
            os.close(self._status)
            if self._handle is not None:
                os.close(self._handle)
            raise Ended(Ending.CRASH, f"no process could be made for it: {problem}") from problem
        self.control = ours
        self.listener = Listener(given[0]) if given else None

    def exit_code(self, number: int) -> int | None:
        """How the process with this number, as it is counted inside, has ended; None if that is not known."""
        until = time.monotonic() + 1.0
        while not self._closed and number not in self._ended and time.monotonic() < until:
            with suppress(BlockingIOError):
                data = os.read(self._status, wire.MOST)
                *lines, self._unread = (self._unread + data).split(b"\n")
                self._ended |= {int(pid): int(code) for pid, code in map(bytes.split, lines)}
                if not data:
                    break
            time.sleep(0.001)
        return self._ended.pop(number, None)

    def close(self) -> None:
        """End everything in it: where it has its own namespaces, all of it ends with its first process."""
        self._closed = True
        with suppress(ProcessLookupError, PermissionError):
            if self._handle is not None:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            if not self._apart:
                os.killpg(self.first, signal.SIGKILL)
        if self._handle is not None:
            os.close(self._handle)
        self.control.close()
        os.close(self._status)
        if self.listener is not None:
            self.listener.close()


def started(control: socket.socket) -> tuple[int, list[int], bytes]:
    """The number of a process that says it has started, from the kernel, and the files and the text it sent along."""
    data, notes, _, _ = control.recvmsg(wire.MOST, socket.CMSG_SPACE(4) + socket.CMSG_SPACE(_CREDENTIALS.size))
    if not data:
        raise EOFError
    pid, given = 0, []
    for _, kind, packed in notes:
        if LINUX and kind == socket.SCM_CREDENTIALS:
            pid = _CREDENTIALS.unpack(packed)[0]
        elif kind == socket.SCM_RIGHTS:
            given = list(struct.unpack(f"{len(packed) // 4}i", packed))
    if not LINUX:  # there the kernel does not say; nor are there namespaces, in which it would be called otherwise
        pid = int(marshal.loads(data)["pid"])
    if pid <= 0:  # who it is, is not known: to end number 0 would be to end ourselves
        raise EOFError("it does not say who it is")
    return pid, given, data


def program(supervisor: Supervisor, source: Source) -> tuple[Sandbox, tuple[int, int, int]]:
    """Start a program; its sandbox, and our ends of its standard input, output and errors."""
    (their_in, our_out), (our_in, their_out), (our_log, their_log) = os.pipe(), os.pipe(), os.pipe()
    try:
        sandbox = Sandbox(supervisor, source, [their_log, their_in, their_out, os.dup(their_log)])
    except Ended:
        for descriptor in (our_in, our_out, our_log):
            os.close(descriptor)
        raise
    for descriptor in (our_in, our_out, our_log):
        os.set_blocking(descriptor, False)
    return sandbox, (our_in, our_out, our_log)


def sockets(names_sender: bool = False) -> tuple[socket.socket, socket.socket]:
    """Two ends of a connection that keeps messages apart; ours waits for a moment at most, in either direction. At one
    that names the sender, the kernel says which process it is."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, _PACKETS)
    if names_sender and LINUX:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        ours.setsockopt(socket.SOL_SOCKET, direction, _MOMENT)
    return ours, theirs


_PACKETS = socket.SOCK_SEQPACKET if LINUX else socket.SOCK_DGRAM  # elsewhere there is no SEQPACKET for local sockets
_MOMENT = struct.pack("ll", 0, int(LOOK * 1e6))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
