"""Temporary folders that do not outlive us, even if we are killed: whoever comes next removes them.

A folder in use holds a file on which its maker has a lock, which the operating system releases when the maker ends,
however it ends. A folder whose lock is free is nobody's any more.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

PREFIX = "pitboss-"
LOCK = ".pitboss-lock"


@contextmanager
def temporary_folder(purpose: str = "") -> Iterator[Path]:
    """A folder that is gone afterwards. `purpose` becomes part of its name, for people who find it."""
    remove_abandoned()
    folder, lock = _make(f"{PREFIX}{purpose}-" if purpose else PREFIX)
    maker = os.getpid()
    try:
        yield folder
    finally:
        if os.getpid() == maker:  # a child that was forked meanwhile must not take it from its parent
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def folder_until_exit(purpose: str) -> Path:
    """A temporary folder for the rest of this process's life."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder(purpose))


def _make(prefix: str) -> tuple[Path, int]:
    """A new folder, and its lock, which we hold."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        with suppress(OSError):  # the lock was taken, or the folder was gone: somebody tidied up at this very moment
            lock = os.open(folder / LOCK, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(lock).st_nlink:
                    return folder, lock
            except OSError:
                pass
            os.close(lock)


@cache
def remove_abandoned() -> None:
    """Remove what processes that are gone have left; once in the life of this one."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is gone already, or not ours
            _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: Path) -> None:
    """Remove a folder if it is this user's, was made by `temporary_folder`, and its maker is gone."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if os.fstat(lock).st_uid != os.getuid():
            return
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != LOCK:
                os.unlink(entry)
        (folder / LOCK).unlink()  # last, so that whoever is stopped here has not made it nobody's
        folder.rmdir()
    finally:
        os.close(lock)
