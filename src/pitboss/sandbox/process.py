"""A sandboxed process as the supervisor sees it: a way to talk, one for what it prints, and a clock.

Time is what the kernel says that the process used, not what the clock on the wall says: a busy machine costs no bot
a game. A process that uses no time and does not answer either is given `wall` times its limit, and more if it only
waits for its turn to run. (`Limits.clock` can ask for the clock on the wall instead.)
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Set
from contextlib import suppress

from pitboss.core.text import printable
from pitboss.sandbox import wire
from pitboss.sandbox.limits import Ended, Ending, Limits

LOOK = 0.05  # seconds between two looks at a process that does not answer
MOMENT = 1.0  # seconds for a process that hung up to end
STARVED = 5.0  # times more patience with a process that could run but does not get to
SHARED = 1 << 27  # bytes of memory that a process has before it takes any: libraries
ENDED = "its process ended"
POLLIN = select.POLLIN
LINUX = sys.platform == "linux"

_REPORTED = (Ending.CRASH, Ending.EXCEPTION, Ending.ILLEGAL, Ending.MEMORY)  # what a process says of itself


def raise_failure(message: bytes) -> None:
    """Raise what a process reports of itself, if that is what the message is."""
    if message[:1] == wire.FAILED:
        kind, _, text = message[1:].decode(errors="replace").partition("\0")
        known = Ending(kind) if kind in _REPORTED else Ending.PROTOCOL
        raise Ended(known, printable(text[: wire.MOST_TEXT], keep="\n\t"))


class Process:
    """One process, and what is known of it. The descriptors are its own from now on.

    `reader` must be set so that reading waits for `LOOK` at the most (see `supervisor`).
    """

    def __init__(self, pid: int, reader: int, writer: int, output: int, limits: Limits) -> None:
        self.pid, self.reader, self.writer, self.output, self.limits = pid, reader, writer, output, limits
        self.used = 0.0  # seconds, by the latest answer
        self.aside: Set[int] = frozenset()  # cores on which to end, if it matters
        self.printed = b""
        self.alive = True
        self.number = 0  # as it is counted in its sandbox
        self.meanwhile: list[Callable[[], None]] = []  # done now and then while it is waited for
        self._handle: int | None = None  # of this very process, even if its number is given to another
        with suppress(OSError, AttributeError):
            self._handle = os.pidfd_open(pid)
        self._clock = clock(pid)
        self._last = 0.0
        self._last = self.cpu()
        self._asked_at = 0.0
        self._silent = False  # it has closed its output
        self._drained = 0  # bytes of it, kept or not

    def cpu(self) -> float:
        """Seconds of processor time so far (where that cannot be read: of time)."""
        if not LINUX:
            return time.monotonic()
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self._last

    def send(self, data: bytes) -> None:
        """Send a message; a process that does not take it will be found out when it should answer."""
        if not self.alive:
            raise Ended(Ending.CRASH, ENDED)
        self._asked_at = time.monotonic()
        try:
            sent = os.write(self.writer, data)
            if sent < len(data):  # a pipe takes 64 KB at once
                self._send_slowly(data[sent:])
        except BlockingIOError:
            self._send_slowly(data)
        except OSError:
            pass  # it is gone; whoever waits for its answer is told how it went

    def _send_slowly(self, data: bytes) -> None:
        """Wait until it reads, and read what it prints meanwhile."""
        until = time.monotonic() + self.limits.wall * self.limits.decision
        full = select.poll()
        full.register(self.writer, select.POLLOUT)
        full.register(self.output, POLLIN)
        while time.monotonic() < until:
            if any(descriptor == self.output for descriptor, _ in full.poll(LOOK * 1000)):
                self._drain()
            try:
                data = data[os.write(self.writer, data) :]
                if not data:
                    return
            except BlockingIOError:
                continue
            except OSError:
                return
        raise Ended(Ending.STALL, "it does not read what it is sent")

    def receive(self, limit: float, by_wall: bool = False) -> bytes:
        """The next message, for which the process has used at most this much of its time."""
        if not self.alive:
            raise Ended(Ending.CRASH, ENDED)
        try:
            data = os.read(self.reader, wire.MOST)
        except BlockingIOError:
            data = self._wait(limit, by_wall)
        except OSError:
            data = b""
        if not data:
            raise Ended(Ending.CRASH, ENDED)
        now = self.cpu()
        self.used, self._last = now - self._last, now
        if by_wall:
            self.used = time.monotonic() - self._asked_at
        if self.used > limit:
            raise self._timeout(limit)
        return data

    def audit(self, limit: float, by_wall: bool = False) -> None:
        """Raise Ended if the process has used more than this much of its time since its latest answer."""
        self.used = time.monotonic() - self._asked_at if by_wall else self.cpu() - self._last
        if self.used > limit:
            raise self._timeout(limit)

    def _timeout(self, limit: float) -> Ended:
        return Ended(Ending.TIMEOUT, f"it used {self.used:.3g} s of {limit:g} s")

    def _wait(self, limit: float, by_wall: bool) -> bytes:
        """Wait for a message, and look after the process meanwhile."""
        began = looked = time.monotonic()
        ready = select.poll()
        ready.register(self.reader, POLLIN)
        if not self._silent:
            ready.register(self.output, POLLIN)
        while True:
            for descriptor, _ in ready.poll(LOOK * 1000):
                if descriptor == self.output and not self._drain():
                    ready.unregister(self.output)
                elif descriptor == self.reader:
                    try:
                        return os.read(self.reader, wire.MOST)
                    except BlockingIOError:
                        continue
                    except OSError:
                        return b""
            now = time.monotonic()
            if now - looked >= LOOK:
                looked = now
                self.look(limit, now - began, by_wall)

    def look(self, limit: float, waited: float, by_wall: bool) -> None:
        """Raise Ended if the process has used too much of something."""
        for errand in self.meanwhile:
            errand()
        self.audit(limit, by_wall)
        if _memory(self.pid) > self.limits.memory + SHARED:
            raise Ended(Ending.MEMORY, f"it used more than {self.limits.memory >> 20} MB of memory")
        patience = self.limits.wall * limit
        if waited > patience and (waited > STARVED * patience or not _could_run(self.pid)):
            raise Ended(Ending.STALL, f"it did not answer for {waited:.2g} s, though it used only {self.used:.2g} s")

    def _drain(self) -> bool:
        """Read what the process prints; what is too much is dropped. Whether there may be more."""
        try:
            data = os.read(self.output, wire.MOST)
        except BlockingIOError:
            return True
        self._silent = not data
        self._drained += len(data)
        if len(self.printed) <= 4 * self.limits.output:
            self.printed += data
        return bool(data)

    def _drain_all(self) -> None:
        before = -1
        while before != self._drained:
            before = self._drained
            self._drain()

    def take_output(self) -> str:
        """What the process printed since last time."""
        if self.alive:
            self._drain_all()
        if not self.printed:
            return ""
        text, self.printed = printable(self.printed.decode(errors="replace"), keep="\n\t"), b""
        most = self.limits.output
        return text if len(text) <= most else text[:most] + " …"

    def has_ended(self) -> bool:
        """Whether it has ended, or does so within a moment."""
        if self._handle is None:
            return True
        ended = select.poll()
        ended.register(self._handle, POLLIN)
        began, used = time.monotonic(), self.cpu()
        while not ended.poll(LOOK * 1000):
            waited = time.monotonic() - began
            starved = waited < STARVED * MOMENT and self.cpu() - used < MOMENT and _could_run(self.pid)
            if waited > MOMENT and not starved:
                return False
        return True

    def kill(self) -> None:
        """End the process, whatever it is doing; what it printed is kept."""
        if not self.alive:
            return
        with suppress(ProcessLookupError, PermissionError):
            if self.aside:
                os.sched_setaffinity(self.pid, self.aside)
            if self._handle is None:
                os.kill(self.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self._drain_all()
        self.close()

    def close(self) -> None:
        """Hang up."""
        self.alive = False
        for descriptor in {self.reader, self.writer, self._handle, self.output} - {None}:
            assert descriptor is not None
            os.close(descriptor)
        self._handle = None


def clock(pid: int) -> int:
    """The clock of a process, as clock_gettime names it."""
    return (~pid << 3) | 2


def _memory(pid: int) -> int:
    """Bytes of memory that a process uses, 0 where that cannot be known."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def stat(pid: int, task: str = "") -> list[str]:
    """State, parent, … of a process or one of its threads; empty where that cannot be known."""
    try:
        with open(f"/proc/{pid}/task/{task}/stat" if task else f"/proc/{pid}/stat", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def _could_run(pid: int) -> bool:
    """Whether some thread of a process waits only for a processor."""
    try:
        return any(stat(pid, task)[:1] == ["R"] for task in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return False
