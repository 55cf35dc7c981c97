"""Ctrl-C that waits for a good moment."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Any

MESSAGE = b"\nStopping when what is being played is saved. Ctrl-C again stops at once.\n"


class StopSign:
    """Within it, Ctrl-C only leaves word; `obey` raises KeyboardInterrupt where nothing is half done.

    An exception in the middle of a transaction, or of compiled code, could end anywhere. A second Ctrl-C does not wait.
    """

    def __init__(self, message: bytes = MESSAGE) -> None:
        self.pressed, self._message = False, message
        self._before: Any = None

    def __enter__(self) -> StopSign:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *problem: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
        os.write(2, self._message)

    def obey(self) -> None:
        """Stop here if somebody wants to."""
        if self.pressed:
            raise KeyboardInterrupt
