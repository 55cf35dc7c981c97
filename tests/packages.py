"""Packages that bring games: really installed, into a folder of their own, and used from new processes."""

import os
import subprocess
import sys
from pathlib import Path

import pitboss

SOURCES = Path(pitboss.__file__).resolve().parent
EXAMPLES = SOURCES.parent.parent / "examples"


def environment(site):
    """Variables of a process that finds a package that is installed there."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(SOURCES.parent)])}


def install(package, site):
    """Install a package into a folder."""
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    python(site, ".", "-m", "pip", "--quiet", "install", *offline, "--target", site, package)
    return site


def python(site, folder, *args, code=0, of=None, typed=""):
    """Run a Python program that finds the package; what it printed."""
    done = subprocess.run(
        [sys.executable, *map(str, args)],
        cwd=folder, env=environment(site), input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return getattr(done, of or ("stderr" if code else "stdout"))
