"""What goes between the referee and the processes of bots: MessagePack, never pickles.

A frame is four bytes of length and one message. Whatever a bot's process sends is decoded into the
few types below or refused; nothing in it is ever executed.

    referee -> zygote   Setup, then Warm and Run (with descriptors), Reap
    referee -> warm     Load or List, then Fork (with descriptors), Reap
    referee -> child    Begin, Decide, Finish
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

import msgspec

MOST = 1 << 16  # bytes of a message from a bot
MOST_TEXT = 2000  # characters of a text from a bot

HEADER = struct.Struct("<I")

Move: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 62), le=1 << 62)]  # compiled code takes 64 bits at most
Pid: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1 << 22)]  # the kernel has no others


class Setup(msgspec.Struct, tag=True):
    """To the zygote, first of all: which game, and where Python finds modules."""

    spec: str
    path: list[str]
    memory: int


class Warm(msgspec.Struct, tag=True):
    """Make a process for one bot from a file; with its control socket and its output pipe."""

    path: str
    folder: str  # that it owns and imports from, or empty


class Run(msgspec.Struct, tag=True):
    """Make a process for a program in another language; with its stdin, stdout and stderr."""

    argv: list[str]
    readable: list[str]
    folder: str  # that it owns, or empty


class Reap(msgspec.Struct, tag=True):
    """How has this process ended?"""

    pid: int


class Load(msgspec.Struct, tag=True):
    """Import this bot."""

    text: str


class List(msgspec.Struct, tag=True):
    """Import this file and say which bots it has."""

    path: str


class Fork(msgspec.Struct, tag=True):
    """A child for one game; with its two pipes and its output pipe, if they do not come when it asks for leave."""


class Begin(msgspec.Struct, tag=True):
    """A game begins."""

    seat: int
    luck: int


class Decide(msgspec.Struct, tag=True):
    """What happened since last time, then: your move. `raw` is the view's record."""

    number: int
    luck: int
    raw: bytes
    events: list[dict[str, Any]]


class Finish(msgspec.Struct, tag=True):
    """What happened since last time, then: how it ended."""

    number: int
    events: list[dict[str, Any]]
    outcome: dict[str, Any]


class Started(msgspec.Struct, tag=True):
    """A process was made."""

    pid: Pid


class Exited(msgspec.Struct, tag=True):
    """How a process ended: its exit code, or minus a signal; None if nobody knows."""

    code: int | None


class Loaded(msgspec.Struct, tag=True):
    """The bot is imported; what it wants to be told."""

    events: bool
    end: bool


class Names(msgspec.Struct, tag=True):
    """The bots of a file."""

    names: list[str]


class Moved(msgspec.Struct, tag=True):
    """The answer to a message with this number; that to Begin is 0."""

    number: int
    move: Move


class Failed(msgspec.Struct, tag=True):
    """The bot could not: the kind of ending, and a text that says why."""

    kind: str
    text: str


ToZygote = Setup | Warm | Run | Reap
ToWarm = Load | List | Fork | Reap
ToChild = Begin | Decide | Finish
FromOthers = Started | Exited | Loaded | Names | Moved | Failed

_encode = msgspec.msgpack.Encoder().encode


def frame(message: Any) -> bytes:
    """A message ready to be sent."""
    body = _encode(message)
    return HEADER.pack(len(body)) + body


def send(to: socket.socket, message: Any, descriptors: Iterable[int] = ()) -> None:
    """Send a message, with open files that the receiver gets copies of."""
    data, given = frame(message), list(descriptors)
    sent = socket.send_fds(to, [data], given) if given else 0
    to.sendall(data[sent:])


def receive(of: socket.socket, decoder: msgspec.msgpack.Decoder[Any]) -> tuple[Any, list[int]]:
    """The next message on a socket and the open files that came with it; EOFError at its end.

    For processes that trust the sender: it waits for as long as that takes.
    """
    data, given = b"", []
    size = HEADER.size
    while len(data) < size:
        part, new, _, _ = socket.recv_fds(of, size - len(data), 4)
        if not part:
            raise EOFError
        data += part
        given += new
        if size == HEADER.size == len(data):
            size += HEADER.unpack(data)[0]
    return decoder.decode(data[HEADER.size :]), given


def read(descriptor: int) -> bytes:
    """The next message on a pipe, as bytes; EOFError at its end. It trusts the sender."""
    data = os.read(descriptor, MOST)
    if not data:
        raise EOFError
    while len(data) < HEADER.size or len(data) < HEADER.size + HEADER.unpack_from(data)[0]:
        part = os.read(descriptor, MOST)
        if not part:
            raise EOFError
        data += part
    return data[HEADER.size :]
