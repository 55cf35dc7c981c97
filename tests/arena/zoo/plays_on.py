"""Has all its games played by the one process that they come from, which remembers them; each game's own process only
waits for a while, in case that does not work."""

import os
import select
import time

import msgspec

from pitboss.arena.referee import sandbox, wire
from pitboss.arena.referee.child import Seat
from pitboss.flip7 import Flip7Bot

DECODE = msgspec.msgpack.Decoder(wire.ToChild).decode
PIPES = []
GAMES = 0
SEAT = None


def play_until(control):
    """Answer the referee's questions, until it wants something else."""
    while PIPES and control not in select.select([control, PIPES[0]], [], [])[0]:
        reader, writer, output = PIPES
        try:
            message = DECODE(wire.read(reader))
        except EOFError:
            PIPES.clear()
            return
        answer = {wire.Begin: SEAT.begin, wire.Decide: SEAT.decide, wire.Finish: SEAT.finish}[type(message)](message)
        os.write(output, f"remembers {GAMES} games\n".encode())
        os.write(writer, wire.frame(answer))


def in_the_warm_process(fork, receive):
    def forked():
        global GAMES, SEAT
        import sys

        pid = fork()
        if pid == 0:
            time.sleep(0.1)
        else:
            GAMES += 1
            caller = sys._getframe(1).f_locals
            SEAT = Seat(caller["game"], caller["entrant"])
            PIPES[:] = map(os.dup, caller["given"] or [sandbox.IN, sandbox.OUT, 1])
        return pid

    def received(control, decoder):
        play_until(control)
        return receive(control, decoder)

    return forked, received


if hasattr(sandbox, "fork"):
    sandbox.fork, wire.receive = in_the_warm_process(sandbox.fork, wire.receive)
else:
    os.fork, wire.receive = in_the_warm_process(os.fork, wire.receive)
os.closerange = lambda *_: None


class PlaysOn(Flip7Bot):
    def hit_or_stay(self, view):
        return "stay"
