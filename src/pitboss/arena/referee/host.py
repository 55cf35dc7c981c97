"""The other side of the referee: `python -m pitboss.arena.referee.host`, started afresh, so that it holds nothing
of the referee's memory.

The *zygote* imports pitboss and the game once and runs no bot. For every bot it forks a *warm* process,
which gives everything up and then imports the bot's file; from the warm process a *child* is forked
for every game, so that nothing a bot does in a game can be found again in the next. Programs in
other languages are started by the zygote too.

A warm process must fork, and runs a stranger's module first, which may have changed everything in it. So
nothing here is relied on after the import. The module is imported in a thread that may not fork. Where
the kernel can, each fork of the main thread is asked for and granted by the referee, who at that moment
puts a new open file in place of every one that the process has (`process.Keeper.grant`): a child
shares none with the child of another game. A child is the zygote's, not the warm process's, which
learns nothing of its end; and while a game is played, the warm process is stopped.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pitboss.arena.contestant import files_in
from pitboss.arena.referee import sandbox, seccomp, wire
from pitboss.arena.referee.child import GENERATORS, Seat, described, serve_game
from pitboss.arena.referee.sandbox import CONTROL, FILES, IN, OUT
from pitboss.table.bot import Bot, Entrant, bots_in
from pitboss.table.errors import PitbossError
from pitboss.table.game import Game
from pitboss.table.keys import next_luck
from pitboss.table.loop import CLOCK
from pitboss.table.luck import Luck
from pitboss.table.registry import bot as find_bot
from pitboss.table.registry import load
from pitboss.table.seating import seating
from pitboss.table.step import DEALER

REAP = 20  # milliseconds until the dead are buried: they count among a user's processes

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", "PITBOSS_QUIET": "1",
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "UV_USE_IO_URING": "0",
}  # fmt: skip


# --- a warm process: one bot, imported ---


def serve_bot(control: socket.socket, game: Game, held: list[sandbox.Layer]) -> None:
    """Import a bot, then fork a child for every game."""
    decoder = msgspec.msgpack.Decoder(wire.ToWarm)
    entrant: Entrant | None = None
    files: dict[int, tuple[str, int]] = {}
    while True:
        try:
            message, given = wire.receive(control, decoder)
        except EOFError:
            os._exit(0)
        match message:
            case wire.Load(text):
                entrant, answer = import_bot(text, game, held)
                files = sandbox.open_files()
                gc.collect()
                gc.freeze()
            case wire.List(path):
                answer = _in_thread(lambda path=path: wire.Names([*bots_in(Path(path), game.python_bot())]), held)
            case wire.Reap(pid):
                answer = wire.Exited(_exit_code(pid))
            case _:
                assert entrant is not None
                with suppress(ChildProcessError):
                    while os.waitpid(-1, os.WNOHANG) != (0, 0):
                        pass
                pid = sandbox.fork()
                if pid == 0:
                    _become_child(game, entrant, held, given, files)
                if given:
                    for descriptor in given:
                        os.close(descriptor)
                else:
                    os.closerange(0, CONTROL)
                    os.closerange(CONTROL + 1, FILES)
                answer = wire.Started(pid)
        wire.send(control, answer)


def _become_child(
    game: Game, entrant: Entrant, held: list[sandbox.Layer], given: list[int], files: dict[int, tuple[str, int]]
) -> None:
    """Play one game; its pipes are given, or already in their places."""
    try:
        sandbox.die_with_parent()
        if given:
            reader, writer, output = given
            for descriptor, place in ((output, 1), (output, 2), (reader, IN), (writer, OUT)):
                os.dup2(descriptor, place)
        sandbox.only_own_files(files)
        if sandbox.Layer.CALLS in held:
            sandbox.install(seccomp.Filter(), held)
        serve_game(Seat(game, entrant))
    except EOFError:  # the game is over
        os._exit(0)
    finally:
        os._exit(70)


def import_bot(text: str, game: Game, held: list[sandbox.Layer]) -> tuple[Entrant | None, Any]:
    """Import a bot where it cannot fork, and compile it if it is to be compiled."""
    found: list[Entrant] = []

    def work() -> Any:
        entrant = find_bot(text, game)
        kind = type(entrant.make()) if entrant.make else Bot
        seating([entrant], game.view_dtype, game.rules_class.dtype())
        found.append(entrant)
        return wire.Loaded(kind.wants_events, kind.end is not Bot.end)

    np.random.default_rng = GENERATORS
    answer = _in_thread(work, held)
    return (found[0] if found else None), answer


def _in_thread(work: Any, held: list[sandbox.Layer]) -> Any:
    """The result of strangers' code, run in a thread that may not fork."""
    results: list[Any] = []

    def run() -> None:
        try:
            if sandbox.Layer.CALLS in held:
                sandbox.install(seccomp.Filter(), held)
            results.append(work())
        except PitbossError as problem:  # a sentence already
            results.append(wire.Failed("exception", str(problem)[: wire.MOST_TEXT]))
        except BaseException as problem:
            results.append(described(problem))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    with suppress(BaseException):
        sys.stdout.flush()
    return results[0]


# --- the zygote ---


class Zygote:
    """Makes processes for the referee, and sees to it that none outlives it."""

    def __init__(self, control: socket.socket) -> None:
        self.control, self.parent = control, os.getppid()
        self.decoder = msgspec.msgpack.Decoder(wire.ToZygote)
        setup, _ = wire.receive(control, self.decoder)
        sys.path[:] = setup.path
        self.game, self.memory = load(setup.spec), setup.memory
        self.groups: set[int] = set()
        self.ended: dict[int, int] = {}
        practise(self.game)
        folders = sandbox.python_folders()
        places = [*sandbox.loaded_packages(), str(_compile_cache())]
        self.readable = [*folders, *(p for p in places if not sandbox.within(p, folders))]
        sandbox.read_only_disk(self.readable)
        gc.collect()
        gc.freeze()

    def serve(self) -> None:
        """Work until the referee hangs up or dies."""
        wire.send(self.control, wire.Started(os.getpid()))
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        while os.getppid() == self.parent:
            ready = waiting.poll(REAP)
            self.reap()
            if not ready:
                continue
            try:
                message, given = wire.receive(self.control, self.decoder)
            except EOFError:
                break
            if isinstance(message, wire.Reap):
                self.reap()
                answer: Any = wire.Exited(self.ended.pop(message.pid, None))
            else:
                answer = wire.Started(self.make(message, given))
            for descriptor in given:
                os.close(descriptor)
            wire.send(self.control, answer)
        self.end()

    def make(self, message: wire.Warm | wire.Run, given: list[int]) -> int:
        """A new process in a session of its own."""
        pid = os.fork()
        if pid:
            self.groups.add(pid)
            return pid
        try:
            os.setsid()
            if isinstance(message, wire.Run):
                self.run(message, given)
            else:
                self.warm(message, given)
        except BaseException as problem:
            with suppress(BaseException):
                print(f"this process could not be made: {problem}", file=sys.stderr, flush=True)
        finally:
            os._exit(70)

    def warm(self, message: wire.Warm, given: list[int]) -> None:
        """Become the warm process of a bot."""
        control, output = given
        sandbox.only_descriptors([0, output, output, control])
        sys.path[:] = [p for p in sys.path if sandbox.within(p, self.readable)]
        sys.path[:0] = [message.folder] if message.folder else []
        held, listener = sandbox.confine(
            [*self.readable, message.path, *_own(message.folder)], self.memory, seccomp.Filter(fork=True),
            listen=True, listed=message.folder,
        )  # fmt: skip
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, CONTROL) as channel:
            wire.send(channel, wire.Started(os.getpid()), [] if listener is None else [listener])
            if listener is not None:
                os.close(listener)
            serve_bot(channel, self.game, held)

    def run(self, message: wire.Run, given: list[int]) -> None:
        """Become a program in another language."""
        sandbox.only_descriptors(given)
        os.chdir("/")
        sandbox.confine(
            [*sandbox.SYSTEM, *sandbox.python_folders(), *message.readable, *_own(message.folder)],
            self.memory,
            seccomp.Filter(run=True, share=True, signal=os.getpid()),
            listed=message.folder,
        )
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; others expect the usual
            signal.signal(number, signal.SIG_DFL)
        try:
            os.execve(message.argv[0], message.argv, ENVIRONMENT)
        except OSError as problem:
            print(f"cannot run {message.argv[0]}: {problem.strerror}", file=sys.stderr, flush=True)

    def reap(self) -> None:
        """Note how processes ended; what is left of their groups ends too."""
        with suppress(ChildProcessError):
            while (dead := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = dead
                if pid in self.groups:
                    self.groups.discard(pid)
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(pid, signal.SIGKILL)
                self.ended[pid] = os.waitstatus_to_exitcode(status)
                while len(self.ended) > 100:
                    del self.ended[next(iter(self.ended))]

    def end(self) -> None:
        """Kill whatever is left."""
        for group in self.groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


def _exit_code(pid: int) -> int | None:
    """How a child ended that has ended, or is about to."""
    with suppress(ChildProcessError):
        for _ in range(50):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
    return None


def _own(folder: str) -> list[str]:
    return [str(path) for path in files_in(folder)] if folder else []


def _compile_cache() -> Path:
    from pitboss.table.compile import cache_folder

    return cache_folder()


def practise(game: Game) -> None:
    """Play a few moves and look at everything once, so that no child has to load machine code."""
    clock = np.zeros(1, CLOCK)
    rng = Luck(clock, 0)
    position = game.start(game.rules.seats[0])
    for _ in range(40):
        if position.over:
            break
        if position.to_act != DEALER:
            view = position.view(position.to_act)
            for name in dir(type(view)):
                with suppress(Exception):
                    getattr(view, name)
        clock["luck"][0][0] = next_luck(clock["luck"][0][0])
        position.apply(rng.choice(position.legal))


def main() -> None:
    """Serve the referee that started this process."""
    sandbox.adopt_orphans()
    sandbox.die_first()
    _compile_cache()  # which the environment may name
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    with socket.socket(fileno=os.dup(0)) as control, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        Zygote(control).serve()


if __name__ == "__main__":
    main()
