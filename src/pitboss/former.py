"""Names from before version 0.2, so that nobody's bot or game stops working.

A former name of a module leads to the very module that has taken its place: nothing is imported twice.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # `typing` takes as long to import as Python to start, and Ctrl-C would show where
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

SHORT = ("pitboss.flip7", "pitboss.show")  # which are there still, for bot authors
# A name, and all below it; the first that fits counts.
MOVED = {
    "pitboss.flip7.bots": "pitboss.games.flip7.bots.rules_of_thumb",
    "pitboss.flip7": "pitboss.games.flip7",
    "pitboss.show.bots": "pitboss.games.show.bots.rules_of_thumb",
    "pitboss.show.entries": "pitboss.games.show.bots.entries",
    "pitboss.show.search": "pitboss.games.show.bots.search",
    "pitboss.show": "pitboss.games.show",
    "pitboss.table": "pitboss.core",
    "pitboss.sim": "pitboss.run",
}
# Classes whose names say now which game they belong to; modules that are asked for by a former name have the old ones.
RENAMED = {
    "pitboss.games.flip7.bot": {"RandomBot": "Flip7RandomBot"},
    "pitboss.games.flip7.events": {"Event": "Flip7Event"},
    "pitboss.games.flip7.rules": {"Rules": "Flip7Rules"},
    "pitboss.games.flip7.view": {"Decision": "Flip7Decision", "View": "Flip7View"},
    "pitboss.games.show.events": {"Event": "ShowEvent"},
    "pitboss.games.show.rules": {"Rules": "ShowRules"},
    "pitboss.games.show.view": {"Decision": "ShowDecision", "View": "ShowView"},
}


class AsDict:
    """`as_dict`, which is called `to_dict` now."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """The former name of `to_dict`."""
        warnings.warn("as_dict() is called to_dict() now", DeprecationWarning, stacklevel=2)
        own: Any = self
        return own.to_dict()  # type: ignore[no-any-return]


def view_as_dict(view: Any) -> dict[str, Any] | None:
    """A view as a dictionary, by whichever name the game's author knows; None if it has neither."""
    make = getattr(view, "to_dict", None) or getattr(view, "as_dict", None)
    return make() if make else None


class FormerNames:
    """Finds modules by their former names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        loader: Any = self
        return ModuleSpec(name, loader) if present_name(name) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(present_name(spec.name))
        self._spec = module.__spec__
        for old, new in RENAMED.get(module.__name__, {}).items():
            setattr(module, old, getattr(module, new))
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # which the import system has replaced


def present_name(name: str) -> str:
    """The name that a module has now, or nothing if it never had another."""
    if not name.startswith("pitboss.") or name in SHORT:
        return ""
    for former, present in MOVED.items():
        if name == former or name.startswith(f"{former}."):
            return present + name.removeprefix(former)
    return ""


def install() -> None:
    """Let former names be found from now on: before Python looks into folders, where it would find copies."""
    sys.meta_path.insert(0, FormerNames())
