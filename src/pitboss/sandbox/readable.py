"""What of the disk a sandboxed process may read: Python's own library, pitboss, and packages that are named.

It is little, and it is read once before anybody plays: what a bot reads is then in memory already, so that no game can
tell by the time it takes what another game has read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # pitboss itself
LIBRARY = os.path.dirname(os.path.abspath(os.__file__))  # Python's own
HIDDEN = {"site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "turtledemo", "turtle.py",
          "ensurepip", "lib2to3", "venv", "__pycache__", "config", "pydoc_data"}  # fmt: skip
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf", "/etc/alternatives",
          "/etc/localtime")  # fmt: skip
BESIDE = ("/etc/ld.so.cache", "/etc/localtime")  # small files that the C library looks for
SLOW_TO_LOAD = ("_test", "xx", "_tkinter", "_curses", "readline", "_dbm", "_gdbm", "nis", "ossaudiodev", "spwd")

# What a bot's source must mention to be given a package that takes long to fork: its name, or what needs it.
MENTIONS = {"numba": rb"numba|compiled_bot", "numpy": rb"numpy|numba|compiled_bot|\.state\b|\.record\b"}


def standard_library() -> list[str]:
    """What Python brings along, less what no bot needs."""
    entries = [os.path.join(LIBRARY, name) for name in sorted(os.listdir(LIBRARY)) if not _hidden(name)]
    return [*entries, *(path for path in sys.path if path.endswith(".zip") and os.path.exists(path))]


def _hidden(name: str) -> bool:
    return name in HIDDEN or name.startswith("config-")


def python_path() -> list[str]:
    """Where a sandboxed Python looks for modules, in this order."""
    dynamic = os.path.join(LIBRARY, "lib-dynload")
    return [LIBRARY, *([dynamic] if os.path.isdir(dynamic) else []), os.path.dirname(PACKAGE)]


def packages_for(sources: Iterable[bytes], named: Sequence[str]) -> list[str]:
    """The packages that a bot with these sources may import, besides Python's own and pitboss."""
    text = b"\n".join(sources)
    return [*(name for name, words in MENTIONS.items() if re.search(words, text)), *named]


def package_called(name: str) -> Any:
    """The installed package (a `Distribution`) of this name, or with a module of this name; None if there is none."""
    from importlib.metadata import PackageNotFoundError, distribution

    with suppress(PackageNotFoundError, ValueError):
        return distribution(name)
    owners = _owners().get(name)
    return distribution(owners[0]) if owners else None


@cache
def _owners() -> Mapping[str, list[str]]:
    from importlib.metadata import packages_distributions

    return packages_distributions()


def _tops(package: Any) -> list[str]:
    """What a package has put into the folder that it is installed in."""
    return sorted({file.parts[0] for file in package.files or ()} - {"..", "__pycache__"})


@cache
def modules_of(*names: str) -> list[str]:
    """By what names these packages are imported: PyYAML is `yaml`."""
    found = [package_called(name) for name in names]
    modules = (top.partition(".")[0] for package in found if package is not None for top in _tops(package))
    return list(dict.fromkeys(module for module in modules if module.isidentifier()))


@cache
def package_files(*names: str) -> list[str]:
    """The folders and files of installed packages, and of those that they need themselves."""
    out: dict[str, None] = {}
    todo, seen = list(names), set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        found = package_called(name)
        if found is not None:
            out |= dict.fromkeys(str(found.locate_file(top)) for top in _tops(found))
            needed = (text for text in found.requires or () if "extra ==" not in text)
            todo += [re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in needed]
    return list(out)


def shared_libraries(modules: Iterable[str]) -> list[str]:
    """The libraries of the system that Python's own modules, and these, bring into memory: found out in a child that
    imports them all."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            os.close(reader)
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it ends with the process
            for name in (*_extensions(), *modules):
                with suppress(BaseException):
                    __import__(name)
            with open("/proc/self/maps") as maps:
                lines = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
            os.write(writer, "\n".join(sorted(path for path in lines if path.startswith("/"))).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        found = pipe.read().decode().split("\n")
    with suppress(ChildProcessError):  # whoever buries no children has none to wait for
        os.waitpid(pid, 0)
    return [path for path in {*found, *_linked(found)} if os.path.isfile(path)]


def _extensions() -> list[str]:
    with suppress(OSError):
        names = {name.partition(".")[0] for name in os.listdir(os.path.join(LIBRARY, "lib-dynload"))}
        return sorted(name for name in names if not name.startswith(SLOW_TO_LOAD))
    return []


def _linked(paths: Iterable[str]) -> list[str]:
    """Other names of these libraries in their folders, by which they are loaded."""
    out = []
    for folder in {os.path.dirname(path) for path in paths if path.endswith(".so") or ".so." in path}:
        with suppress(OSError):
            links = [os.path.join(folder, name) for name in os.listdir(folder) if ".so" in name]
            out += [link for link in links if os.path.islink(link) and os.path.realpath(link) in paths]
    return out


def within(path: str, folders: Iterable[str]) -> bool:
    """Whether a path lies in one of these folders, or is one of them."""
    real = os.path.realpath(path)
    return any(real == folder or real.startswith(folder.rstrip("/") + "/") for folder in folders)


def warm_up(paths: Iterable[str]) -> None:
    """Have the system read all of these into memory, as far as it has not."""
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                for name in names:
                    _fetch(os.path.join(folder, name))
        else:
            _fetch(path)


def _fetch(path: str) -> None:
    with suppress(OSError, AttributeError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)
        finally:
            os.close(descriptor)
