"""A Ray cluster for the tests: three nodes on one machine, of one processor each, in a process of its own.

python tests/cluster.py    reads orders: add [NAME=VALUE …], kill; says the address, and ok after each
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

NODES = 3
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_DOCKER_CPU_WARNING": "1", "RAY_IGNORE_UNHANDLED_ERRORS": "1"}
MEMORY = 100 << 20  # bytes of each node's object store


class Cluster:
    """Three nodes, until it is closed. `kill` kills all that runs on one of them, but never the first."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env={**os.environ, **QUIET, "PITBOSS_QUIET": "1"},
        )  # fmt: skip
        self.address = self._answer()

    def _answer(self):
        for line in self.process.stdout:
            if line.startswith("> "):
                return line.removeprefix("> ").strip()
        raise AssertionError("the cluster has not come up")

    def _tell(self, *order):
        print(*order, file=self.process.stdin, flush=True)
        assert self._answer() == "ok"

    def add(self, **environment):
        """One more node, with these variables in its environment."""
        self._tell("add", *(f"{name}={value}" for name, value in environment.items()))

    def kill(self):
        """Kill the node that was added last."""
        self._tell("kill")

    def close(self):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()


def children(pid):
    """Processes that this one has started, by their ids."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(place.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(place.parent.name))
    return found


def lose(nodes, node):
    """A node ends with all its workers at once: those that outlived it by a second could finish what they are at."""
    workers = [pid for raylet in node.all_processes["raylet"] for pid in children(raylet.process.pid)]
    nodes.remove_node(node, allow_graceful=False)
    for pid in workers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def main():
    from ray.cluster_utils import Cluster as Nodes

    each = {"num_cpus": 1, "object_store_memory": MEMORY, "include_dashboard": False}
    nodes = Nodes(initialize_head=True, head_node_args=each)
    added = [nodes.add_node(**each) for _ in range(NODES - 1)]
    print(">", nodes.address, flush=True)
    for line in sys.stdin:
        order, *words = line.split()
        if order == "add":
            added.append(nodes.add_node(**each, env_vars=dict(word.split("=", 1) for word in words)))
        else:
            lose(nodes, added.pop())
        print("> ok", flush=True)
    nodes.shutdown()


if __name__ == "__main__":
    main()
