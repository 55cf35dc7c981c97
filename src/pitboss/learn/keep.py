"""What a training leaves on its way: agents to play against later, and figures for TensorBoard."""

from __future__ import annotations

import os
import socket
import struct
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

from pitboss.learn.report import Point
from pitboss.learn.trainer import Trainer


class Keeper:
    """Keeps the agent and the figures of each point of a learning curve, where folders are named for them."""

    def __init__(
        self, trainer: Trainer, name: str, about: str, tensorboard: Path | None, checkpoints: Path | None
    ) -> None:
        self._trainer, self._name, self._about, self._folder = trainer, name, about, checkpoints
        self._events = EventFile(tensorboard) if tensorboard else None
        self._before = trainer.done, time.perf_counter()
        if checkpoints:
            checkpoints.mkdir(parents=True, exist_ok=True)

    def add(self, point: Point) -> None:
        """A point was reached."""
        done, before = self._before
        self._before = point.steps, time.perf_counter()
        if self._folder:
            about = {"method": self._trainer.settings.method, "steps": point.steps}
            agent = replace(self._trainer.agent(), about=about)
            agent.save(self._folder / f"{self._name}-{point.steps:010d}.npz")
        if self._events:
            figures = {self._about: point.value, "interval/low": point.low, "interval/high": point.high}
            if point.steps > done:
                figures["steps a second"] = (point.steps - done) / (self._before[1] - before)
            self._events.add(point.steps, figures)


class EventFile:
    """A file of numbers by step, in the format that TensorBoard reads: records with checksums, each an `Event` in the
    encoding of Protocol Buffers."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time()
        self.path = folder / f"events.out.tfevents.{now:017.6f}.{socket.gethostname()}.{os.getpid()}"
        self._write(_number(1, now) + _bytes(3, b"brain.Event:2"))

    def add(self, step: int, figures: dict[str, float]) -> None:
        """Note figures by name."""
        values = b"".join(
            _bytes(1, _bytes(1, name.encode()) + b"\x15" + struct.pack("<f", value)) for name, value in figures.items()
        )
        self._write(_number(1, time.time()) + b"\x10" + _varint(step) + _bytes(5, values))

    def _write(self, event: bytes) -> None:
        length = struct.pack("<Q", len(event))
        with self.path.open("ab") as file:
            file.write(length + _checked(length) + event + _checked(event))


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


@cache
def _table() -> list[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


def crc32c(data: bytes) -> int:
    """The checksum of Castagnoli.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc, table = 0xFFFFFFFF, _table()
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _checked(data: bytes) -> bytes:
    """The checksum as such files have it: turned, and moved by a constant."""
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
