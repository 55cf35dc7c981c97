"""Answering processes that ask: the supervisor's end of a seccomp filter (`calls.install`)."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import struct
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from pitboss.sandbox.calls import number_of

_RECEIVE, _SEND, _PLACE = 0xC0502100, 0xC0182101, 0x40182103
_CONTINUE, _AT, _AND_ANSWER = 1, 1, 2


@dataclass(frozen=True)
class Question:
    """A process that waits for an answer: the number to answer by, who it is, and whether it wants to fork (or else to
    have its open files)."""

    number: int
    pid: int
    forks: bool


class Listener:
    """Where processes of one sandbox ask for leave to fork, and for their open files."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._fork = number_of("clone")
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def asked(self, milliseconds: float = 0) -> Question | None:
        """Who asks, if anybody does within that time.

        It receives only what is known to be there: with nobody left who could ask, older kernels wait for ever.
        """
        if not any(what & select.POLLIN for _, what in self._poll.poll(milliseconds)):
            return None
        note = bytearray(80)
        try:
            fcntl.ioctl(self.descriptor, _RECEIVE, note)
        except OSError:  # it has died meanwhile
            return None
        number, pid, _, call = struct.unpack_from("QIIi", note)
        return Question(number, pid, call == self._fork)

    def allow_fork(self, question: Question) -> None:
        """Let it fork, once."""
        self._answer(question, 0, _CONTINUE)

    def give(self, question: Question, files: Mapping[int, int]) -> None:
        """Put these open files in their places in the process that asked, whatever it has there, and let it go on;
        OSError if it has died."""
        *others, (last, its_file) = files.items()
        for at, descriptor in others:
            self._place(question, at, descriptor, _AT)
        try:
            self._place(question, last, its_file, _AT | _AND_ANSWER)
        except OSError as problem:
            if problem.errno != errno.EINVAL:
                raise
            self._place(question, last, its_file, _AT)  # Linux 5.9 to 5.13 needs two steps
            self._answer(question, 0, 0)

    def _place(self, question: Question, at: int, descriptor: int, flags: int) -> None:
        fcntl.ioctl(self.descriptor, _PLACE, struct.pack("QIIII", question.number, flags, descriptor, at, 0))

    def refuse(self, question: Question) -> None:
        """Say no."""
        self._answer(question, -errno.EPERM, 0)

    def _answer(self, question: Question, error: int, flags: int) -> None:
        with suppress(OSError):  # it has died meanwhile
            fcntl.ioctl(self.descriptor, _SEND, bytearray(struct.pack("QqiI", question.number, 0, error, flags)))

    def close(self) -> None:
        """Whoever still waits is refused by the kernel."""
        os.close(self.descriptor)
