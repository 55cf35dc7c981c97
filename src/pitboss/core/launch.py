"""How every process of ours starts: a fresh Python that runs one of our modules, and imports nothing by accident.

`python -m` looks for modules in the current folder first, where strangers' bots may lie under any name: a bot called
`random.py` would be imported in place of Python's own module, by a process that knows the key of a tournament. So a
process that starts here looks into neither the current folder, nor that of the calling script, nor PYTHONPATH, but
into these only:

- the standard library and the site-packages of this interpreter, as Python itself finds them;
- the one folder `pitboss/` that the caller has imported, and nothing that lies beside it;
- behind all others, the folders of packages that are installed elsewhere and needed: those that bring games or bots by
  entry points, pitboss, and what they require.

`python -I` would do most of that. But it also ignores PYTHONHASHSEED, which bots need to play the same game twice, so
the variables that Python would obey are left out of the environment instead.

This file is also the first that such a process runs (`_main`), before there is a pitboss: it imports only the library.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import runpy
import site
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import Distribution, distributions
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from asyncio.subprocess import Process

Home: TypeAlias = tuple[str, Sequence[str]]  # the folder of pitboss itself, and those of other packages

PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
GROUPS = ("pitboss.games", "pitboss.sides", "pitboss.bots", "pitboss.schemes")  # of entry points
LOADED_FIRST = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")


def start(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a module of ours. The environment, if given, is all that it gets; other options are those of Popen."""
    return subprocess.Popen(_command(module, arguments), env=_clean(environment), **options)


async def start_async(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> Process:
    """The same, for callers that wait for many things at once."""
    from asyncio import create_subprocess_exec

    return await create_subprocess_exec(*_command(module, arguments), env=_clean(environment), **options)


def _command(module: str, arguments: Sequence[str]) -> list[str]:
    flags = ["-P"] if _of_user() else ["-P", "-s"]
    return [sys.executable, *flags, os.path.realpath(__file__), json.dumps(home()), module, *arguments]


def _clean(environment: Mapping[str, str] | None) -> dict[str, str]:
    if environment is not None:
        return dict(environment)
    return {name: value for name, value in os.environ.items() if not injects(name)}


def injects(name: str) -> bool:
    """Whether a variable of the environment can make a Python run other code than ours, or ours otherwise."""
    return name.startswith("PYTHON") or name in LOADED_FIRST


def home() -> Home:
    """Where a process of ours finds what a fresh Python would not."""
    own = [os.path.realpath(folder) for folder in site.getsitepackages()]
    own += [os.path.realpath(site.getusersitepackages())] if _of_user() else []
    avoided = accidental()
    searched = [place for place in sys.path if os.path.realpath(place) not in avoided]
    todo = [*Distribution.discover(name="pitboss", path=searched)][:1]
    todo += [found for found in distributions(path=searched) if any(e.group in GROUPS for e in found.entry_points)]
    seen, folders = {"pitboss"}, list[str]()
    for found in todo:  # which grows meanwhile
        folder = os.path.realpath(str(found.locate_file("")))
        if folder in own:
            continue  # and what it requires is installed with it
        if folder not in folders:
            folders.append(folder)
        for name in {re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in found.requires or []} - seen:
            seen.add(name)
            todo += [*Distribution.discover(name=name, path=searched)][:1]
    return PACKAGE, folders


def accidental() -> set[str]:
    """Folders in which this process finds modules only because of where it was started, or by what script."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    return {os.path.realpath(place) for place in (os.curdir, os.path.dirname(script or ""))}


def _of_user() -> bool:
    """Whether pitboss is installed for one user, and so is what it needs."""
    return os.path.dirname(PACKAGE) == os.path.realpath(site.getusersitepackages())


def move_in(home: Home) -> None:
    """Import pitboss from its folder, whatever else is called so, and let packages be found in the other folders."""
    package, folders = home
    sys.path += [folder for folder in folders if folder not in sys.path]
    spec = importlib.util.spec_from_file_location(
        "pitboss", os.path.join(package, "__init__.py"), submodule_search_locations=[package]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules["pitboss"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def _main() -> None:
    home, module, *arguments = sys.argv[1:]
    move_in(json.loads(home))
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
