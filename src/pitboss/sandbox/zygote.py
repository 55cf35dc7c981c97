"""The process that makes sandboxed ones, started afresh, so that it holds nothing of the supervisor's memory.

It runs no bot. For every order it forks a *first* process, which has namespaces of its own, forks the
process that was ordered (a template, see `inside`, or a program in another language), and then only buries the dead
and tells the supervisor how they ended. When the first process dies, all that came from it die too.
"""

from __future__ import annotations

import _socket
import gc
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

from pitboss.core import entry_points
from pitboss.core.side import load_side
from pitboss.core.types import Data
from pitboss.sandbox import calls, confine, inside, namespaces, readable, wire
from pitboss.sandbox.confine import FILES, FIRST_USER, Layer, Policy

MOST_ORDER = 1 << 20  # bytes
ROOM = {"numpy": 1 << 28, "numba": 1 << 29}  # bytes of address space that packages take, before a bot has any
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", "PITBOSS_QUIET": "1",
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "UV_USE_IO_URING": "0",
}  # fmt: skip


class Zygote:
    """Makes processes for the supervisor, and sees to it that none outlives it."""

    def __init__(self, control: Any) -> None:
        self.control = control
        setup, _ = wire.receive(control, MOST_ORDER)
        self.memory, self.without = setup["memory"], frozenset(setup["without"])
        self.site, self.cache = setup["site"], setup["cache"]
        sys.path[:] = [*readable.python_path(), *self.site]
        self.libraries: dict[tuple[str, ...], list[str]] = {}
        os.environ["PITBOSS_CACHE"] = os.path.dirname(self.cache)
        entry_points.remember(setup["places"])
        self.side = load_side(setup["spec"])
        if setup["sample"]:
            inside.practise(self.side, *setup["sample"])
        self.apart = Layer.NAMESPACES not in self.without and confine.LINUX and namespaces.possible(readable.LIBRARY)
        self.base = [*readable.standard_library(), readable.PACKAGE, *readable.BESIDE, *setup["shown"]]
        self.space = confine.address_space()
        self.pid, self.made = os.getpid(), 0
        self.groups: list[int] = []
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead need no burial
        gc.collect()
        gc.freeze()

    def serve(self) -> None:
        """Work until the supervisor hangs up or dies."""
        wire.send(self.control, {"apart": self.apart})
        while True:
            try:
                order, given = wire.receive(self.control, MOST_ORDER)
            except (EOFError, OSError):
                break
            wire.send(self.control, {"pid": self.make(order, given)})
            for descriptor in given:
                os.close(descriptor)
        for group in self.groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        with suppress(ChildProcessError):  # which comes when all are gone
            os.wait()

    def make(self, order: Data, given: list[int]) -> int:
        """A new first process, in a session of its own; its number."""
        self.made += 1
        shown = self.shown(order)
        user, group = os.geteuid(), os.getegid()
        pid = namespaces.fork_apart() if self.apart else os.fork()
        if pid:
            self.groups = [other for other in self.groups if _exists(other)] + [pid]
            return pid
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            confine.die_with_parent()
            if self.apart:
                namespaces.be_oneself(user, group)
                namespaces.build_root(shown, order["own"])
            self.first(order, given, shown)
        except BaseException as problem:
            with suppress(BaseException):
                os.write(given[1], f"this process could not be made: {problem}".encode())
        finally:
            os._exit(70)

    def shown(self, order: Data) -> list[str]:
        """What of the disk the process may read, besides its own files."""
        if order["argv"]:
            return [*readable.SYSTEM, *self.site, readable.LIBRARY, *order["shown"]]
        packages = tuple(order["packages"])
        if packages not in self.libraries:
            known = [*self.base, *order["shown"], *map(os.path.realpath, self.site)]
            found = readable.shared_libraries(order["modules"])
            self.libraries[packages] = [path for path in found if not readable.within(path, known)]
            readable.warm_up([*self.base, *order["shown"], *self.libraries[packages]])
        cache = [self.cache] if "numba" in packages else []
        return [*self.base, *order["shown"], *self.libraries[packages], *cache]

    def first(self, order: Data, given: list[int], shown: list[str]) -> NoReturn:
        """Fork the process that was ordered, and bury the dead until it is among them."""
        control, output, status, *others = given
        ordered = os.fork()
        if ordered == 0:
            try:
                self.ordered(order, control, output, others, shown)
            except BaseException as problem:
                with suppress(BaseException):
                    os.write(output, f"this process could not be made: {problem}".encode())
            finally:
                os._exit(70)
        for descriptor in range(FILES):
            if descriptor != status:
                with suppress(OSError):
                    os.close(descriptor)
        while True:
            with suppress(InterruptedError):
                pid, how = os.waitpid(-1, 0)
                with suppress(OSError):
                    os.write(status, f"{pid} {os.waitstatus_to_exitcode(how)}\n".encode())
                if pid == ordered:
                    os._exit(0)

    def ordered(self, order: Data, control: int, output: int, others: list[int], shown: list[str]) -> None:
        """Become the process that was ordered: give up everything, say so, and go to work."""
        program = bool(order["argv"])
        policy = Policy(
            memory=self.memory,
            calls=calls.Filter(not program, program, order["threads"], itself=os.getpid() if program else 0),
            readable=[*shown, *order["own"]],
            listed=[*readable.python_path(), *self.site, *order["listed"]],
            user=FIRST_USER + (self.pid % (1 << 20)) * 128 + self.made % 128,
            space=0 if program else self.space + sum(ROOM.get(name, 0) for name in order["packages"]),
            without=self.without,
        )
        if program:
            _keep([*others, control])
            _say({})
            confine.confine(policy, apart=self.apart)
            _execute(order["argv"])
            return
        _keep([os.open(os.devnull, os.O_RDWR), output, output, control, others[0]])
        held, listener = confine.confine(policy, listen=True, apart=self.apart)
        sys.path[:0] = order["path"]  # not before: nothing of a stranger's is imported where it could do harm
        if not self.apart:
            sys.meta_path.insert(0, inside.Unshown())
        _say({"held": [str(layer) for layer in held]}, [] if listener is None else [listener])
        if listener is not None:
            os.close(listener)
            os.close(inside.NURSERY)
        inside.serve_template(self.side, listener is not None)


def _keep(descriptors: list[int]) -> None:
    """Make these open files number 0, 1, 2, …, and close all others."""
    above = max(*descriptors, FILES) + 1
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, above + place)
    for place in range(len(descriptors)):
        os.dup2(above + place, place)
    os.closerange(len(descriptors), above + len(descriptors))


def _say(message: Data, files: list[int] | None = None) -> None:
    """Tell the supervisor, who learns from the kernel which process this is."""
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, calls.CONTROL)
    wire.send(control, {**message, "pid": os.getpid()}, files or [])
    control.detach()


def _execute(argv: list[str]) -> None:
    """Become a program in another language."""
    os.set_inheritable(calls.CONTROL, False)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; others expect the usual
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(argv[0], argv, ENVIRONMENT)
    except OSError as problem:
        os.write(2, f"cannot run {argv[0]}: {problem.strerror}".encode())


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def main() -> None:
    """Serve the supervisor that started this process."""
    confine.adopt_orphans()
    confine.die_first()
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    Zygote(control).serve()


if __name__ == "__main__":
    main()
