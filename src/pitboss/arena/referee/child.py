"""One bot, one game, one process: reads the referee's questions from a pipe and writes the bot's answers."""

from __future__ import annotations

import os
import random
import sys
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from pitboss.arena.referee import wire
from pitboss.arena.referee.sandbox import IN, OUT, PACKAGE
from pitboss.table.bot import Bot, Entrant
from pitboss.table.errors import PitbossError
from pitboss.table.game import Game, Outcome
from pitboss.table.keys import luck_bits
from pitboss.table.loop import CLOCK
from pitboss.table.luck import Luck, mix


def describe(problem: BaseException) -> wire.Failed:
    """What a bot raised, and where."""
    if isinstance(problem, SystemExit):
        return wire.Failed("crash", f"it ended itself: SystemExit({problem.code!r:.100})")
    place, trace = "", problem.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith((str(PACKAGE), "<")):
            place = f" (line {trace.tb_lineno} of {os.path.basename(file)})"
        trace = trace.tb_next
    text = f"it raised {type(problem).__name__}: {problem}"[: wire.MOST_TEXT - 200] + place
    text = text.encode(errors="replace").decode()  # half a character cannot be sent
    return wire.Failed("out of memory" if isinstance(problem, MemoryError) else "exception", text)


class Seat:
    """The bot's place at the table, in its own process."""

    def __init__(self, game: Game, entrant: Entrant) -> None:
        self.game, self.entrant = game, entrant
        self.clock = np.zeros(1, CLOCK)
        self.bot: Bot | None = None
        self.seat = 0

    def begin(self, message: wire.Begin) -> wire.Moved:
        """A new bot, and new luck everywhere."""
        self.seat = message.seat
        self.clock["luck"][0][self.seat] = message.luck
        seed_all(message.luck)
        if self.entrant.make:
            self.bot = self.entrant.make()
            self.bot.start(self.seat, self.game.rules, Luck(self.clock, self.seat))
        return wire.Moved(0, 0)

    def tell(self, events: list[dict[str, Any]]) -> None:
        """What happened meanwhile."""
        if self.bot is not None:
            for event in events:
                self.bot.saw(self.game.event_class(**event))

    def decide(self, message: wire.Decide) -> wire.Moved | wire.Failed:
        """The bot's move, as a number."""
        if message.events:
            self.tell(message.events)
        self.clock["luck"][0][self.seat] = message.luck
        if self.bot is None:
            return wire.Moved(message.number, self.call(message))
        view = self.game.view(message.raw, self.seat)
        move = self.bot.decide(view)
        if isinstance(move, str):
            try:
                move = self.game.parse_move(move[:100])
            except PitbossError as problem:
                return wire.Failed("illegal move", str(problem))
        if isinstance(move, bool) or not isinstance(move, int | np.integer) or not -(1 << 62) < int(move) < 1 << 62:
            said, legal = f"it answered {move!r:.100}, which is no move", ", ".join(map(str, view.legal))
            return wire.Failed("illegal move", f"{said}; to {view.question!r} it may answer {legal}")
        return wire.Moved(message.number, int(move))

    def call(self, message: wire.Decide) -> int:
        """The move of a compiled bot."""
        assert self.entrant.function is not None
        views = np.frombuffer(message.raw, self.game.view_dtype).copy()
        bits = np.uint64(luck_bits(np.uint64(message.luck)))
        return int(self.entrant.function(views[0], self.game.record[0], self.seat, self.entrant.params, bits))

    def finish(self, message: wire.Finish) -> wire.Moved:
        """The game is over."""
        self.tell(message.events)
        if self.bot is not None:
            self.bot.end(msgspec.convert(message.outcome, Outcome))
        return wire.Moved(message.number, 0)


class Generators:
    """Stands in for `np.random.default_rng`, from before a bot is imported: made without a seed, a generator
    gets one of this game's, and those made during the import get a new one when a game begins."""

    def __init__(self) -> None:
        self._make = np.random.default_rng
        self._early: list[np.random.Generator] = []
        self._seed: int | None = None
        self._made = 0

    def __call__(self, seed: Any = None) -> np.random.Generator:
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


def seed_all(luck: int) -> None:
    """Set every generator that Python and NumPy share to the luck of this game."""
    seed = mix(luck ^ 0x5EED)
    random.seed(seed)
    np.random.seed([seed & 0xFFFFFFFF, seed >> 32, 1])  # noqa: NPY002  # bots may use the old generator
    GENERATORS.begin(seed)


def serve_game(seat: Seat) -> None:
    """Answer the referee until it hangs up."""
    read, write, frame = wire.read, os.write, wire.frame
    decode = msgspec.msgpack.Decoder(wire.ToChild).decode
    answers: dict[type[Any], Any] = {wire.Begin: seat.begin, wire.Decide: seat.decide, wire.Finish: seat.finish}
    while True:
        message = decode(read(IN))
        try:
            answer = answers[type(message)](message)
        except BaseException as problem:
            answer = described(problem)
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        write(OUT, frame(answer))


def described(problem: BaseException) -> wire.Failed:
    """`describe`, for exceptions of every sort."""
    try:
        return describe(problem)
    except BaseException as another:  # an exception whose text raises
        return wire.Failed("exception", f"it raised {type(problem).__name__}, and then {type(another).__name__}")
