"""A process that makes others, as the referee sees it: it asks for leave to fork, and rests in between."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from pitboss.arena.referee import sandbox, seccomp, wire
from pitboss.arena.referee.endings import Ended, Ending, Limits
from pitboss.arena.referee.process import LINUX, LOOK, POLLIN, Process, clock, stat


class Keeper(Process):
    """A process that makes others when asked: the zygote, or a warm one. It is spoken to over a socket."""

    def __init__(self, pid: int, channel: socket.socket, output: int, limits: Limits) -> None:
        super().__init__(pid, channel.fileno(), channel.fileno(), output, limits)
        self._channel = channel
        self.listener: int | None = None  # where it asks for leave to fork; closed with it

    def make(self, message: Any, given: Sequence[int], limit: float) -> int:
        """Have it make a process with these open files, which are closed here; its number."""
        try:
            if self.listener is None:
                socket.send_fds(self._channel, [wire.frame(message)], given)
            else:
                self.send(wire.frame(message))
                self.grant(given, limit)
        except BlockingIOError:
            raise Ended(Ending.PROTOCOL, "it does not read what it is sent") from None
        except OSError:
            pass
        finally:
            for descriptor in given:
                os.close(descriptor)
        answer = self.ask(b"", limit)
        if not isinstance(answer, wire.Started) or not self._made(answer.pid):
            raise Ended(Ending.PROTOCOL, "it was asked for a new process, and did not make one")
        return answer.pid

    def _made(self, pid: int) -> bool:
        """Whether a process comes from this one, and is a process, whose time can be read, not just a thread."""
        if not LINUX:
            return True
        try:
            time.clock_gettime(clock(pid))
        except OSError:
            return False
        _, parent, group = [*stat(pid), "", "", ""][:3]
        return pid != self.pid and (parent == str(self.pid) or group == str(self.pid))

    def grant(self, given: Sequence[int], limit: float) -> None:
        """Let it fork once: wait until it asks, and say yes.

        While it waits for the answer it can do nothing, if it has no other thread. So that is when all of its
        open files are taken from it, but for the socket: the child gets its pipes, and nothing at
        all besides that the children of other games have had.
        """
        assert self.listener is not None
        asked = select.poll()
        asked.register(self.listener, POLLIN)
        asked.register(self.reader, POLLIN)
        until = time.monotonic() + limit * self.limits.wall
        while time.monotonic() < until:
            for descriptor, what in asked.poll(LOOK * 1000):
                if descriptor == self.reader or not what & POLLIN:
                    return
                question = seccomp.asked(self.listener)
                if question is None:
                    continue
                number, pid = question
                try:
                    if pid == self.pid:
                        self.verify_alone()
                        self._place(number, given)
                except (Ended, OSError):
                    seccomp.reply(self.listener, number, False)
                    raise
                seccomp.reply(self.listener, number, pid == self.pid)
                if pid == self.pid:
                    return
        raise Ended(Ending.STALL, "it was asked for a new process, and did nothing")

    def _place(self, number: int, given: Sequence[int]) -> None:
        assert self.listener is not None
        reader, writer, output = given
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            files = dict.fromkeys({0, *self._open()} - {sandbox.CONTROL}, nothing)
            files |= {1: output, 2: output, sandbox.IN: reader, sandbox.OUT: writer}
            seccomp.place(self.listener, number, files)
        finally:
            os.close(nothing)

    def _open(self) -> Iterable[int]:
        """The numbers of its open files, or, if that is not for us to know, of all that it can have."""
        try:
            return map(int, os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return range(sandbox.FILES)

    def rest(self) -> None:
        """Stop it: whatever it would do now is none of its business."""
        if LINUX:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        if LINUX:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGCONT)

    def verify_alone(self) -> None:
        """Refuse to go on if it has threads besides its own: they would work while others play."""
        for _ in range(20):  # the thread that imported the bot may be just about to end
            if stat(self.pid)[17:18] in ([], ["1"]):
                return
            time.sleep(LOOK / 10)
        raise Ended(Ending.PROTOCOL, "it left a thread running when it was imported; threads belong into start()")

    def exit_code(self, pid: int) -> int | None:
        """How a process that it made has ended, if that can be known."""
        try:
            answer = self.ask(wire.frame(wire.Reap(pid)), 1.0)
        except Ended:
            return None
        return answer.code if isinstance(answer, wire.Exited) else None

    def kill(self) -> None:
        """End it, and all that it made."""
        if self.alive:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        super().kill()

    def close(self) -> None:
        if self.listener is not None:
            os.close(self.listener)
        self._channel.detach()
        super().close()
