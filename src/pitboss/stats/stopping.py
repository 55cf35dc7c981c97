"""Ctrl-C that waits for a good moment, and so the signal by which systems and schedulers end a program."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
MESSAGE = b"\nStopping when what is being played is saved. Ctrl-C again stops at once.\n"


class StopSign:
    """Within it, Ctrl-C only leaves word; `obey` raises KeyboardInterrupt where nothing is half done.

    An exception in the middle of a transaction, or of compiled code, could end anywhere. A second Ctrl-C does not wait,
    and the first one does not where nothing can be half done (`at_once`). What a shell runs in the background is not
    meant by Ctrl-C; SIGTERM stops it.
    """

    def __init__(self, message: bytes = MESSAGE, at_once: bool = False) -> None:
        self.pressed, self._message, self._at_once = False, message, at_once
        self._before: dict[int, Any] = {}

    def __enter__(self) -> StopSign:
        if threading.current_thread() is threading.main_thread():
            meant = [number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
            self._before = {number: signal.signal(number, self._press) for number in meant}
        return self

    def __exit__(self, *problem: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self.pressed or self._at_once:
            raise KeyboardInterrupt
        self.pressed = True
        os.write(2, self._message)

    def obey(self) -> None:
        """Stop here if somebody wants to."""
        if self.pressed:
            raise KeyboardInterrupt
