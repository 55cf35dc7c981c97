"""Programs that tests start beside themselves, and what became of them: one that hangs is named, with its stacks."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass

PATIENCE = 300  # seconds; less than a test may take


@dataclass
class Ended:
    """A program that has ended."""

    code: int
    out: str
    err: str


def run_together(*programs, patience=PATIENCE):
    """Run programs in Python at once, each given as its code, until all have ended."""
    with ExitStack() as stack:
        files = [[stack.enter_context(tempfile.TemporaryFile()) for _ in range(2)] for _ in programs]
        running = [
            subprocess.Popen([sys.executable, "-X", "faulthandler", "-c", code], stdout=out, stderr=err)
            for code, (out, err) in zip(programs, files, strict=True)
        ]
        until, late = time.monotonic() + patience, []
        try:
            for number, program in enumerate(running):
                try:
                    program.wait(max(0.0, until - time.monotonic()))
                except subprocess.TimeoutExpired:
                    late.append(number)
                    os.kill(program.pid, signal.SIGABRT)  # it writes where each of its threads is
                    program.wait(10)
        finally:
            for program in running:
                program.kill()
                program.wait()
        ended = [
            Ended(program.returncode, *(_content(file) for file in own))
            for program, own in zip(running, files, strict=True)
        ]
    hung = [f"program {number} did not end within {patience} s:\n{ended[number].err[-4000:]}" for number in late]
    assert not hung, "\n".join(hung)
    return ended


def _content(file):
    file.seek(0)
    return file.read().decode(errors="replace")
