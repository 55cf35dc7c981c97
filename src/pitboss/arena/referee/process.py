"""A bot's process as the referee sees it: two pipes to talk, one for what it prints, and a clock.

Time is what the kernel says that the process used, not what the clock on the wall says: a busy
machine costs no bot a game. A process that uses no time and does not answer either is given `wall`
times its limit, and more if it only waits for its turn to run.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from pitboss.arena.referee import seccomp, wire
from pitboss.arena.referee.endings import Ended, Ending, Limits

LOOK = 0.05  # seconds between two looks at a process that does not answer
MOMENT = 1.0  # seconds for a process that hung up to end
STARVED = 5.0  # times more patience with a process that could run but does not get to
ENDED = "its process ended"
POLLIN = select.POLLIN
LINUX = sys.platform == "linux"

_REPORTED = (Ending.CRASH, Ending.EXCEPTION, Ending.ILLEGAL, Ending.MEMORY)  # what a process says of itself
_decode = msgspec.msgpack.Decoder(wire.FromOthers).decode


def understand(body: bytes) -> Any:
    """A message from a process; Ended if it reports a failure, or if it cannot be read."""
    try:
        answer = _decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as problem:
        raise Ended(Ending.PROTOCOL, f"its answer cannot be read: {problem}") from problem
    if type(answer) is wire.Failed:
        kind = Ending(answer.kind) if answer.kind in _REPORTED else Ending.PROTOCOL
        raise Ended(kind, printable(answer.text[: wire.MOST_TEXT]))
    return answer


class Process:
    """One process, and what is known of it. The descriptors are its own from now on."""

    def __init__(self, pid: int, reader: int, writer: int, output: int, limits: Limits) -> None:
        self.pid, self.reader, self.writer, self.output, self.limits = pid, reader, writer, output, limits
        self.used = 0.0  # seconds, by the latest answer
        self.most_memory = limits.memory + _memory(pid)
        self.printed = b""
        self.alive = True
        self.meanwhile: Callable[[], None] | None = None  # done now and then while it is waited for
        self._handle: int | None = None  # of this very process, even if its number is given to another
        with suppress(OSError, AttributeError):
            self._handle = os.pidfd_open(pid)
        self._clock = clock(pid)
        self._last = 0.0
        self._last = self.cpu()
        self._data = b""
        self._silent = False  # it has closed its output
        self._listener: int | None = None
        self._poll = select.poll()
        for descriptor in {reader, output}:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, POLLIN)
        os.set_blocking(writer, False)

    def cpu(self) -> float:
        """Seconds of processor time so far (where that cannot be read: of time)."""
        if not LINUX:
            return time.monotonic()
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self._last

    def watch_forks(self, listener: int) -> None:
        """Refuse at once whatever asks here for leave to fork (see `Keeper.grant`)."""
        self._listener = listener
        self._poll.register(listener, POLLIN)

    def send(self, data: bytes) -> None:
        """Send a frame; a process that does not take it will be found out when it should answer."""
        if not self.alive:
            raise Ended(Ending.CRASH, ENDED)
        patience = self.limits.wall * self.limits.decision
        try:
            while data:
                try:
                    data = data[os.write(self.writer, data) :]
                except BlockingIOError:
                    patience = self._wait_to_send(patience)
        except OSError:
            pass  # it is gone; whoever waits for its answer is told how it went

    def _wait_to_send(self, patience: float) -> float:
        """Wait until it reads, and read what it prints meanwhile; how much patience is left."""
        began = time.monotonic()
        full = select.poll()
        full.register(self.writer, select.POLLOUT)
        full.register(self.output, POLLIN)
        if any(descriptor == self.output for descriptor, _ in full.poll(LOOK * 1000)):
            self._drain()
        left = patience - (time.monotonic() - began)
        if left <= 0:
            raise Ended(Ending.STALL, "it does not read what it is sent")
        return left

    def receive(self, limit: float) -> bytes:
        """The next message, for which the process has used at most this much of its time."""
        if not self.alive:
            raise Ended(Ending.CRASH, ENDED)
        ready = self._poll.poll(min(limit, LOOK) * 1000)
        body = self._take(ready)
        if body is None:
            body = self._wait(limit)
        now = self.cpu()
        self.used, self._last = now - self._last, now
        if self.used > limit:
            raise self._timeout(limit)
        return body

    def audit(self, limit: float) -> None:
        """Raise Ended if the process has used more than this much of its time since its latest answer."""
        self.used = self.cpu() - self._last
        if self.used > limit:
            raise self._timeout(limit)

    def _timeout(self, limit: float) -> Ended:
        return Ended(Ending.TIMEOUT, f"it used {self.used:.3g} s of {limit:g} s")

    def _wait(self, limit: float) -> bytes:
        """Wait for a message, and look after the process meanwhile."""
        began = looked = time.monotonic()
        while True:
            left = limit - (self.cpu() - self._last)
            body = self._take(self._poll.poll(max(min(left, LOOK), 0.001) * 1000))
            if body is not None:
                return body
            now = time.monotonic()
            if now - looked >= LOOK or left <= 0:
                looked = now
                self._look(limit, now - began)

    def _look(self, limit: float, waited: float) -> None:
        """Raise Ended if the process has used too much of something."""
        if self.meanwhile is not None:
            self.meanwhile()
        self.audit(limit)
        if _memory(self.pid) > self.most_memory:
            raise Ended(Ending.MEMORY, f"it used more than {self.limits.memory >> 20} MB of memory")
        patience = self.limits.wall * limit
        if waited > patience and (waited > STARVED * patience or not _could_run(self.pid)):
            raise Ended(Ending.STALL, f"it did not answer for {waited:.2g} s, though it used only {self.used:.2g} s")

    def _take(self, ready: Sequence[tuple[int, int]]) -> bytes | None:
        """Read what there is; a whole message if one has come."""
        for descriptor, what in ready:
            if descriptor == self.output:
                self._drain()
            elif descriptor == self._listener:
                if not what & POLLIN:
                    self._poll.unregister(descriptor)  # nobody is left who could ask
                seccomp.refuse(descriptor)
        for descriptor, _ in ready:
            if descriptor == self.reader:
                try:
                    data = os.read(descriptor, wire.MOST)
                except (BlockingIOError, ConnectionResetError):
                    continue
                if not data:
                    raise Ended(Ending.CRASH, ENDED)
                self._data += data
                return self.cut()
        return None

    def cut(self) -> bytes | None:
        """The first whole message of what has been read."""
        data, size = self._data, wire.HEADER.size
        if len(data) < size:
            return None
        size += wire.HEADER.unpack_from(data)[0]
        if size > wire.MOST:
            raise Ended(Ending.PROTOCOL, f"it sent a message of {size} bytes; {wire.MOST} is the most")
        if len(data) < size:
            return None
        body, self._data = data[wire.HEADER.size : size], data[size:]
        if self._data:
            raise Ended(Ending.PROTOCOL, "it sent more than one answer")
        return body

    def ask(self, data: bytes, limit: float) -> Any:
        """Send a frame and decode the answer; a failure that it reports is raised."""
        self.send(data)
        return understand(self.receive(limit))

    def _drain(self) -> None:
        """Read what the process prints; what is too much is dropped."""
        try:
            data = os.read(self.output, wire.MOST)
        except BlockingIOError:
            return
        if not data and not self._silent:
            self._silent = True
            self._poll.unregister(self.output)
        if len(self.printed) <= 4 * self.limits.output:
            self.printed += data

    def take_output(self) -> str:
        """What the process printed since last time."""
        if not self.printed:
            return ""
        text, self.printed = printable(self.printed.decode(errors="replace")), b""
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
        """End the process, whatever it is doing."""
        if self.alive:
            self._end()
            self.close()

    def _end(self) -> None:
        self.alive = False
        with suppress(ProcessLookupError, PermissionError):
            if self._handle is None:
                os.kill(self.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self._drain()

    def close(self) -> None:
        """Hang up."""
        self.alive = False
        for descriptor in {self.reader, self.writer, self.output, self._handle} - {None}:
            assert descriptor is not None
            os.close(descriptor)
        self._handle = None


class Child(Process):
    """A process for one game, from a warm one that holds the other ends of its pipes too, if it wants to."""

    def kill(self) -> None:
        """End the process; it is still to be buried."""
        if self.alive:
            self._end()

    def bury(self) -> bool:
        """Let go of a process that was killed; whether nothing is left in its pipes for the warm one to find."""
        empty = self.has_ended()
        while empty and _waiting(self.output) and not self._silent:
            self._drain()
        empty = empty and not any(map(_waiting, (self.reader, self.writer, self.output)))
        self.close()
        return empty


def clock(pid: int) -> int:
    """The clock of a process, as clock_gettime names it."""
    return (~pid << 3) | 2


def _waiting(descriptor: int) -> int:
    """Bytes in a pipe that nobody has read."""
    count = bytearray(4)
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


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


def printable(text: str) -> str:
    """A bot's text without what could play tricks on a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)
