"""Files that people ask for: written whole, or not at all, and never in the place of something that is no file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from pitboss.core.errors import PitbossError


def is_special(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder: a device, a pipe, a socket."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def whole_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write, as text ("w") or bytes ("wb"): it appears when all of it is written.

    What is there before stays until then. A device or a pipe is written to as it is, and a link is followed. That
    the disk is full, or the folder is not ours, is said in a sentence.
    """
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    try:
        if is_special(path):
            with path.open(mode, **text) as file:  # type: ignore[call-overload]
                yield file
            return
        target = path.resolve()
        half = target.with_name(target.name + ".new")
        try:
            with half.open(mode, **text) as file:  # type: ignore[call-overload]
                yield file
            half.replace(target)
        except BaseException:
            with suppress(OSError):
                half.unlink()
            raise
    except OSError as problem:
        raise PitbossError(f"cannot write {path}: {problem.strerror or problem}") from problem


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file wholly, or not at all."""
    with whole_file(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Wait until no other process is at what this file stands for; where files cannot be locked, go ahead."""
    try:
        import fcntl

        file = lock.open("w")
    except (ImportError, OSError):
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
