"""What is said between the supervisor, the zygote and sandboxed processes.

Every message is one packet of a SOCK_SEQPACKET socket: a letter and what belongs to it. What comes from a sandboxed
process is taken apart into the few things below, or refused; nothing in it is ever run.

    supervisor -> zygote      orders, by marshal: the zygote trusts its supervisor
    supervisor -> template    LOAD or NAMES; then it asks by itself for leave to fork
    supervisor -> player      BEGIN, EVENTS, DECIDE, FINISH
    template, player ->       LOADED, NAMES, MOVED, FAILED
"""

from __future__ import annotations

import _socket
import marshal
import os
import struct
from collections.abc import Sequence
from typing import Any

MOST = 1 << 16  # bytes of a message
MOST_TEXT = 2000  # characters of a text from a bot

LOAD, NAMES, LOADED, FAILED = b"L", b"N", b"K", b"X"
BEGIN, EVENTS, DECIDE, FINISH, MOVED = b"B", b"E", b"D", b"F", b"M"

BEGIN_FORM = struct.Struct("<cIQ")  # seat, luck
DECIDE_FORM = struct.Struct("<cqQH")  # number, luck, size of the legal moves; then these, and the view's record
MOVED_FORM = struct.Struct("<cqqB")  # number, move, whether the bot has printed anything
LOADED_FORM = struct.Struct("<cBB")  # whether it wants events, whether it wants to know the end


def decide(number: int, luck: int, legal: int, raw: bytes) -> bytes:
    """A question: the legal moves as bits, and the bytes of the view."""
    size = legal.bit_length() + 7 >> 3
    return DECIDE_FORM.pack(DECIDE, number, luck, size) + legal.to_bytes(size, "little") + raw


def failed(kind: str, text: str) -> bytes:
    """That a bot could not: the kind of ending, and a text that says why."""
    return FAILED + f"{kind}\0{text}".encode(errors="replace")[: MOST - 1]


def send(to: Any, message: Any, files: Sequence[int] = ()) -> None:
    """Send an order, with open files that the receiver gets copies of."""
    packed = struct.pack(f"{len(files)}i", *files)
    to.sendmsg([marshal.dumps(message)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)] if files else [])


def receive(of: Any, most: int = MOST) -> tuple[Any, list[int]]:
    """The next order and the open files that came with it; EOFError at the end. It trusts the sender."""
    data, notes, _, _ = of.recvmsg(most, _socket.CMSG_SPACE(8 * 4))
    if not data:
        raise EOFError
    files: list[int] = []
    for level, kind, packed in notes:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            files += struct.unpack(f"{len(packed) // 4}i", packed[: len(packed) // 4 * 4])
    for descriptor in files:
        os.set_inheritable(descriptor, False)
    return marshal.loads(data), files
