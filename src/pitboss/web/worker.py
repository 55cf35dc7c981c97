"""A process that answers questions for the room.

What is compiled cannot be stopped in a thread, so costly questions are asked here, where the room can kill whoever does
not come to an end. A question is a pickled function without arguments, and an answer is a pickled `Answer` after its
length. The process ends when the room does, even in the middle of a question.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import threading
import traceback
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.web.errors import WRONG, Refused
from pitboss.web.warmup import warm

NICE = 5  # the room itself comes first
LENGTH = struct.Struct("!Q")


@dataclass(frozen=True)
class Answer:
    """What a question led to: a value, or a refusal with its HTTP status."""

    value: object = None
    status: int = 0  # 0: not refused
    sentence: str = ""


def _answer(question: Any) -> Answer:
    try:
        return Answer(question())
    except Refused as problem:
        return Answer(status=problem.status, sentence=str(problem))
    except PitbossError as problem:
        return Answer(status=WRONG, sentence=str(problem))
    except Exception:
        traceback.print_exc()
        return Answer(status=500, sentence="something went wrong on the server; its log has the details")


def _listen(questions: SimpleQueue[Any]) -> None:
    """Take questions in; when there is nobody left to ask any, end at once."""
    while True:
        try:
            questions.put(pickle.load(sys.stdin.buffer))
        except EOFError:
            os._exit(0)


def main() -> None:
    """Get ready, say so with an empty answer, then answer one question after the other."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is no answer
    if hasattr(os, "nice"):
        os.nice(NICE)
    questions: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    warm()
    answer = Answer()
    while True:
        data = pickle.dumps(answer)
        out.write(LENGTH.pack(len(data)) + data)
        out.flush()
        answer = _answer(questions.get())


if __name__ == "__main__":
    from pitboss.web import worker  # under its own name, by which its answers are known at the other end

    worker.main()
