"""What runs in a sandbox: a template imports a bot, and forks a player for every game.

The template has run a stranger's module, which may have changed everything in it, so nothing here is relied on. Where
the kernel can (Linux 5.9), each fork waits for the supervisor's leave, and a new player waits until the supervisor
has put its open files into their places: it has nothing else, and shares no open file with anybody. Between forks the
template stands still in the kernel: it runs only while no game of its bot is played.

Everything in here is loaded into every process of a bot, so it does without what makes processes slow to fork.
"""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import io
import os
import random
import sys
from contextlib import suppress
from typing import Any

from pitboss.core.bot import Bot, Entrant, bots_in, from_file
from pitboss.core.legal import some
from pitboss.core.luck import Luck, mix
from pitboss.core.side import Outcome, Side
from pitboss.core.types import GameView
from pitboss.sandbox import calls, wire
from pitboss.sandbox.calls import CONTROL
from pitboss.sandbox.readable import LIBRARY, PACKAGE

NURSERY = 4  # where a player gets its open files from, if the kernel cannot place them
LUCKS = 64  # places for the luck of seats
PRACTICE = 40  # decisions
HEAVY = ("state", "record")  # what of a view needs NumPy


class Said(io.TextIOWrapper):
    """Standard output that remembers whether anything was written to it."""

    anything = False

    def write(self, text: str) -> int:
        self.anything = True
        return super().write(text)


def failure(problem: BaseException) -> bytes:
    """What a bot raised, and where in files of its own."""
    try:
        if isinstance(problem, SystemExit):
            return wire.failed("crash", f"it ended itself: SystemExit({problem.code!r:.100})")
        place, trace = "", problem.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if not file.startswith((PACKAGE, LIBRARY, "<")):
                place = f" (line {trace.tb_lineno} of {os.path.basename(file)})"
            trace = trace.tb_next
        text = f"it raised {type(problem).__name__}: {problem}"[: wire.MOST_TEXT - 200] + place
        return wire.failed("out of memory" if isinstance(problem, MemoryError) else "exception", text)
    except BaseException as another:  # an exception whose text raises
        return wire.failed("exception", f"it raised {type(problem).__name__}, and then {type(another).__name__}")


# --- a player: one bot, one game, one process ---


class Player:
    """The bot's place at the table, in its own process."""

    def __init__(self, side: Side, entrant: Entrant) -> None:
        self.side, self.entrant = side, entrant
        self.game: Any = None  # the whole of it, for a compiled bot
        if self.entrant.function is not None:
            self.game = compile_bot(self.entrant, side)
        self.lucks = [0] * LUCKS
        self.bot: Any = None
        self.seat = 0

    def begin(self, message: bytes) -> bytes:
        """A new bot, and new luck everywhere."""
        _, self.seat, luck = wire.BEGIN_FORM.unpack(message)
        self.lucks[self.seat] = luck
        seed_all(luck)
        if self.entrant.make:
            self.bot = self.entrant.make()
            self.bot.start(self.seat, self.side.rules, Luck({"luck": [self.lucks]}, self.seat))
        return self.moved(0, 0)

    def moved(self, number: int, move: int) -> bytes:
        """An answer; that to BEGIN has the number 0."""
        said: Any = sys.stdout
        anything = getattr(said, "anything", True)
        if anything:
            with suppress(BaseException):
                said.flush()
                said.anything = False
        return wire.MOVED_FORM.pack(wire.MOVED, number, move, anything)

    def decide(self, message: bytes) -> bytes:
        """The bot's move, as a number."""
        _, number, luck, size = wire.DECIDE_FORM.unpack_from(message)
        self.lucks[self.seat] = luck
        end = wire.DECIDE_FORM.size + size
        raw = message[end:]
        if self.bot is None:
            return self.moved(number, self.call(raw, luck))
        legal = int.from_bytes(message[wire.DECIDE_FORM.size : end], "little")
        view = self.side.view_with(raw, self.seat, legal)
        move = self.bot.decide(view)
        if type(move) is not int:
            if isinstance(move, str):
                try:
                    move = self.side.parse_move_at(view, move[:100])
                except ValueError as problem:
                    return wire.failed("illegal move", str(problem))
            if isinstance(move, bool) or not hasattr(move, "__index__"):
                return self.no_move(move, view)
            move = move.__index__()
        if not -(1 << 62) < move < 1 << 62:
            return self.no_move(move, view)
        return self.moved(number, move)

    def no_move(self, answer: object, view: GameView) -> bytes:
        """The sentence for an answer that is not a move."""
        legal = some([str(move) for move in view.legal])
        said = f"it answered {answer!r:.100}, which is no move"
        return wire.failed("illegal move", f"{said}; to {view.question!r} it may answer {legal}")

    def call(self, raw: bytes, luck: int) -> int:
        """The move of a compiled bot."""
        import numpy as np

        game, function = self.game, self.entrant.function
        assert function is not None
        views = np.frombuffer(raw, game.view_dtype).copy()
        return int(function(views[0], game.record[0], self.seat, self.entrant.params, np.uint64(mix(luck))))

    def events(self, message: bytes) -> None:
        """What happened meanwhile; there is no answer."""
        import json

        if self.bot is not None:
            for event in json.loads(message[1:]):
                self.bot.saw(self.side.event_class(**event))

    def finish(self, message: bytes) -> bytes:
        """The game is over."""
        import json

        number, outcome = json.loads(message[1:])
        if self.bot is not None:
            ended, *lists = (outcome[name] for name in ("ended", "winners", "shares", "scores"))
            self.bot.end(Outcome(ended, *map(tuple, lists)))
        return self.moved(number, 0)


class Generators:
    """Stands in for `numpy.random.default_rng`, from before a bot is imported: made without a seed, a generator
    gets one of this game's, and those made during the import get a new one when a game begins."""

    def __init__(self) -> None:
        self._make: Any = None
        self._early: list[Any] = []
        self._seed: int | None = None
        self._made = 0

    def watch(self, module: Any) -> None:
        """Take the place of NumPy's own."""
        self._make, module.random.default_rng = module.random.default_rng, self

    def __call__(self, seed: object = None) -> Any:
        if seed is not None:
            return self._make(seed)
        self._made += 1
        if self._seed is not None:
            return self._make([self._seed, self._made])
        self._early.append(self._make())
        return self._early[-1]

    def begin(self, seed: int) -> None:
        """A game begins."""
        self._seed, self._made = seed, 0
        for generator in self._early:
            generator.bit_generator.state = self().bit_generator.state


GENERATORS = Generators()


class NumpyWatch:
    """Has `GENERATORS` told when NumPy is imported, whoever does it."""

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        if name != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("numpy")
        if spec is not None and spec.loader is not None:
            load: Any = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                load(module)
                GENERATORS.watch(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


class Unshown:
    """Where a bot can see packages that it cannot read, for want of namespaces, they are to it as if not installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name) if path is None else None
        if spec is not None and spec.origin is not None:
            try:
                os.close(os.open(spec.origin, os.O_RDONLY | os.O_CLOEXEC))
            except OSError:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name) from None
        return None


def compile_bot(entrant: Entrant, side: Side) -> Any:
    """Compile a bot that is to be compiled; the whole game, which it is called with."""
    from pitboss.core.registry import load
    from pitboss.core.seating import seating

    game = load(f"{side.name}:{side.rules}")
    seating([entrant], game.view_dtype, game.rules_class.dtype())
    return game


def seed_all(luck: int) -> None:
    """Set every generator that Python and NumPy share to the luck of this game."""
    seed = mix(luck ^ 0x5EED)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32, 1])  # bots may use the old generator
        GENERATORS.begin(seed)


def practise(side: Side, raw: bytes, seat: int, legal: int) -> None:
    """Answer as a player does, often enough for Python to know the code well: what it learns of it, it writes into
    memory, which every player would otherwise have to copy first."""

    class Novice(side.python_bot()):  # type: ignore[misc]
        def decide(self, view: GameView) -> int:
            for name in names:
                with suppress(Exception):
                    getattr(view, name)
            return 0

    names = [name for name in dir(type(side.view(raw, seat))) if not name.startswith("_") and name not in HEAVY]
    player = Player(side, Entrant("novice", make=Novice))
    for number in range(PRACTICE):
        player.begin(wire.BEGIN_FORM.pack(wire.BEGIN, seat, number))
        player.decide(wire.decide(number, number, legal, raw))


def play(player: Player) -> None:
    """Answer the supervisor until it hangs up."""
    read, write, most = os.read, os.write, wire.MOST
    answers = {
        wire.BEGIN[0]: player.begin, wire.DECIDE[0]: player.decide, wire.EVENTS[0]: player.events,
        wire.FINISH[0]: player.finish,
    }  # fmt: skip
    while True:
        message = read(CONTROL, most)
        if not message:
            os._exit(0)
        try:
            answer = answers[message[0]](message)
        except BaseException as problem:
            answer = failure(problem)
        if answer is not None:
            write(CONTROL, answer)


# --- the template: one bot, imported ---


def serve_template(side: Side, asks: bool) -> None:
    """Import a bot, then fork a player for every game."""
    sys.stdout = Said(io.FileIO(1, "w", closefd=False), "utf-8", "replace", write_through=True)
    sys.meta_path.insert(0, NumpyWatch())
    message = os.read(CONTROL, wire.MOST)
    player = None
    try:
        text = message[1:].decode()
        if message[:1] == wire.NAMES:
            answer = wire.NAMES + "\n".join(bots_in(text, side.python_bot())).encode()
        else:
            player = Player(side, from_file(text, side.python_bot()))
            answer = wire.LOADED_FORM.pack(wire.LOADED, *wants(player.entrant))
    except ValueError as problem:  # a sentence already
        answer = wire.failed("exception", str(problem)[: wire.MOST_TEXT])
    except BaseException as problem:
        answer = failure(problem)
    with suppress(BaseException):
        sys.stdout.flush()
    files = put_away()
    gc.collect()
    gc.freeze()
    os.write(CONTROL, answer)
    fork = calls.forker() if calls.supported() else os.fork
    while player is not None and next_game(asks):
        try:
            forked = fork()
        except PermissionError:  # it asked before the supervisor had read its answer
            continue
        if forked == 0:
            receive_files(asks)
            take_out(files)
            try:
                play(player)
            finally:
                os._exit(70)


def wants(entrant: Entrant) -> tuple[bool, bool]:
    """Whether a bot wants to be told events, and the end."""
    kind = type(entrant.make()) if entrant.make else Bot
    return kind.wants_events, kind.end is not Bot.end


def next_game(asks: bool) -> bool:
    """Wait until a player is wanted; where forks are asked for, asking is waiting."""
    return asks or bool(os.read(CONTROL, 1))


def receive_files(asks: bool) -> None:
    """Get a player's own open files: nothing, its output twice, and the socket to its supervisor."""
    if asks:
        calls.introduce()
        return
    import _socket

    nursery = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, NURSERY)
    _, given = wire.receive(nursery)
    wire.send(nursery, {"pid": os.getpid()})  # by which the supervisor learns who this is
    nursery.close()
    for place, descriptor in enumerate(given):
        os.dup2(descriptor, place)
        os.close(descriptor)


def put_away() -> list[tuple[int, str, int]]:
    """Close the files that the bot opened while it was imported: number, path, and the place where each is read.
    One that is only inherited would be shared by all games, down to the place where it is read."""
    out = []
    for file in gc.get_objects():
        if type(file) is io.FileIO and not file.closed and isinstance(file.name, str) and file.fileno() > NURSERY:
            with suppress(OSError):
                out.append((file.fileno(), os.path.abspath(file.name), os.lseek(file.fileno(), 0, os.SEEK_CUR)))
    os.closerange(NURSERY + 1, 64)
    return out


def take_out(files: list[tuple[int, str, int]]) -> None:
    """Open these files anew, each for this game alone."""
    for descriptor, path, place in files:
        with suppress(OSError):  # it is gone, and whoever reads it will be told
            copy = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            os.lseek(copy, place, os.SEEK_SET)
            if copy != descriptor:
                os.dup2(copy, descriptor, inheritable=False)
                os.close(copy)
