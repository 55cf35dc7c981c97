"""Puts compiled games into the wheel, so that nobody who installs it waits for a compiler.

This needs the packages that pitboss needs, which `make build` has. Without them, the wheel works as well, and compiles
on first use.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PrebuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `pitboss/prebuilt` to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not importlib.util.find_spec("numba"):
            return
        self._folder = tempfile.TemporaryDirectory()
        made = Path(self._folder.name, "prebuilt")
        subprocess.run([sys.executable, str(Path(__file__).with_name("prebuild.py")), str(made)], check=True)
        build_data["force_include"][str(made)] = "pitboss/prebuilt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
