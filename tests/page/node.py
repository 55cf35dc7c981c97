"""Games built for the page, and node, which runs them."""

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

from pitboss.page.target import build_module, describe

DRIVE = Path(__file__).with_name("drive.mjs")


def missing():
    """What must be installed first, if anything."""
    if shutil.which("node") is None:
        return "the page's engine needs node: the system's package nodejs"
    if importlib.util.find_spec("ziglang") is None:
        return "the page's engine needs a linker: make test-all installs ziglang"
    return None


class Engine:
    """The page's engine in node, with games in a folder."""

    def __init__(self, folder):
        self.folder, self.descriptions = folder, {}

    def describe(self, name):
        """A game's description; its module is then in the folder."""
        if name not in self.descriptions:
            self.descriptions[name] = json.loads(json.dumps(describe(name)))
            (self.folder / f"{name}.json").write_text(json.dumps(self.descriptions[name]))
            (self.folder / f"{name}.wasm").write_bytes(build_module(name))
        return self.descriptions[name]

    def run(self, jobs):
        """The results of jobs, in one process."""
        for job in jobs:
            self.describe(job["spec"].partition(":")[0])
        order = json.dumps({"folder": str(self.folder), "jobs": jobs})
        done = subprocess.run(["node", str(DRIVE)], input=order, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
