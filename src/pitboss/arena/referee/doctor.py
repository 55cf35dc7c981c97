"""What protects this machine from bots: every layer is tried, in a process that is shut in as a bot would be.

python -m pitboss.arena.referee.doctor    the patient: it shuts itself in, tries to get out, and reports
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitboss.arena.referee import landlock, sandbox, seccomp
from pitboss.table.errors import PitbossError

MEMORY = 1 << 28  # bytes that the patient may have

# What a bot must not be able to do, and the layer that sees to it. The first ones are needed by
# `--require-isolation`; without the others a bot is a nuisance, but no danger.
TRIALS = {
    "read": ("read files that are not its own", "Landlock"),
    "write": ("write files", "Landlock"),
    "modes": ("change files' modes", "seccomp"),
    "network": ("use the network", "seccomp"),
    "fork": ("start other processes", "seccomp"),
    "exec": ("run other programs", "seccomp"),
    "signal": ("signal other processes", "seccomp"),
    "root": ("be root", "an unprivileged user"),
    "traces": ("leave traces on the disk by reading", "a read-only disk"),
    "memory": ("use more memory than it is given", "limits"),
    "threads": ("start threads without end", "limits"),
    "unlimit": ("lift its limits", "seccomp"),
}
_OPTIONAL = ("traces", "memory", "threads", "unlimit")


@dataclass(frozen=True)
class Finding:
    """One thing that a bot must not be able to do."""

    what: str
    prevented: bool
    by: str  # the layer that should
    needed: bool  # for isolation


@dataclass(frozen=True)
class Diagnosis:
    """What protects this machine, and what does not."""

    system: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    @property
    def isolated(self) -> bool:
        """Whether strangers' bots can be let in."""
        return all(finding.prevented for finding in self.findings if finding.needed)

    @property
    def open(self) -> list[str]:
        """What a bot could do here though it must not."""
        return [finding.what for finding in self.findings if not finding.prevented]

    @property
    def verdict(self) -> str:
        """All in one sentence."""
        if not self.open:
            return "Bots from files are shut in: nothing that was tried worked."
        if self.isolated:
            return f"Bots from files are shut in, except that one could {_either(self.open)}."
        return f"Bots from files are not shut in here: one could {_either(self.open)}. Run only bots that you trust."

    def verify_isolated(self) -> None:
        """Refuse to go on where bots cannot be shut in."""
        if not self.isolated:
            missing = _either([f.what for f in self.findings if f.needed and not f.prevented])
            raise PitbossError(
                f"bots cannot be shut in on this machine: one could {missing}; pitboss arena doctor tells more, "
                f"and without --require-isolation they run with what protection there is"
            )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "system": self.system, "isolated": self.isolated, "verdict": self.verdict,
            "findings": [asdict(finding) for finding in self.findings], "notes": list(self.notes),
        }  # fmt: skip


def _either(things: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(things[:-1]), things[-1]]))


@cache
def examine() -> Diagnosis:
    """Try everything, once in the life of this process."""
    with tempfile.TemporaryDirectory(prefix="pitboss-doctor-") as folder:
        os.chmod(folder, 0o777)  # so that it is not the modes of files that protect them
        victim = Path(folder, "secret")
        victim.write_text("secret")
        victim.chmod(0o666)
        environment = {"PYTHONPATH": str(sandbox.PACKAGE.parent), "PATH": os.environ.get("PATH", "")}
        patient = subprocess.Popen(
            [sys.executable, "-P", "-m", "pitboss.arena.referee.doctor", str(victim)], env=environment, cwd="/",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = patient.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            output = b""
        finally:
            patient.kill()
            patient.wait()
    lines = [json.loads(line) for line in output.decode(errors="replace").splitlines() if line.startswith("{")]
    worked = {line["trial"]: line["worked"] for line in lines if "trial" in line}
    held: list[str] = next((line["held"] for line in lines if "held" in line), [])
    findings = tuple(
        Finding(what, not worked.get(trial, True), by, trial not in _OPTIONAL) for trial, (what, by) in TRIALS.items()
    )
    return Diagnosis(f"{os.uname().sysname} {os.uname().release}", findings, tuple(_notes(held)))


def _notes(held: list[str]) -> list[str]:
    if not sandbox.LINUX:
        return [
            "Landlock and seccomp, which shut bots in, are Linux's own: here bots get processes and limits, no more.",
            "Time is taken by the clock on the wall, so a busy machine can cost a bot its move.",
        ]
    out = [f"Layers in force: {', '.join(held)}."]
    known = landlock.version()
    out.append(f"Landlock: version {known}." if known else "Landlock: this kernel has none, or it is switched off.")
    if not seccomp.supported():
        out.append(f"seccomp: there is no list of system calls for {os.uname().machine}.")
    if os.getuid() == 0:
        out.append("You are root: bots run as a user that owns nothing. An ordinary user is the better referee.")
    return out


# --- the patient ---


def _read(victim: str) -> None:
    for path in (victim, "/etc/passwd"):
        with open(path) as file:
            file.read()


def _write(victim: str) -> None:
    with open(victim, "w") as file:
        file.write("no longer")


def _fork(victim: str) -> None:
    if os.fork() == 0:
        os._exit(0)


def _signal(victim: str) -> None:
    os.kill(os.getppid(), 0)


def _root(victim: str) -> None:
    if os.getuid() != 0:
        raise PermissionError


def _traces(victim: str) -> None:
    if os.statvfs(victim).f_flag & os.ST_RDONLY:
        raise PermissionError


def _memory(victim: str) -> None:
    if not bytearray(4 * MEMORY):
        raise MemoryError


def _threads(victim: str) -> None:
    done = threading.Event()
    threading.stack_size(1 << 16)  # or it would be memory that ends it
    try:
        for _ in range(2 * sandbox.THREADS):
            threading.Thread(target=done.wait).start()
    except RuntimeError as problem:
        raise PermissionError from problem
    finally:
        done.set()


def _unlimit(victim: str) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (sandbox.FILES - 1, sandbox.FILES - 1))


_TRY: dict[str, Callable[[str], object]] = {
    "read": _read,
    "write": _write,
    "modes": lambda victim: os.chmod(victim, 0o600),
    "network": lambda victim: socket.socket().close(),
    "fork": _fork,
    "signal": _signal,
    "root": _root,
    "traces": _traces,
    "memory": _memory,
    "threads": _threads,
    "unlimit": _unlimit,
    "exec": lambda victim: os.execv("/bin/true", ["true"]),  # last: if it works, this process is another
}


def patient(victim: str) -> None:
    """Shut this process in, and try to get out."""
    disk = [sandbox.Layer.DISK] * sandbox.read_only_disk(sandbox.python_folders())
    held, _ = sandbox.confine(sandbox.python_folders(), MEMORY, seccomp.Filter())
    held += disk
    print(json.dumps({"held": [str(layer) for layer in held]}), flush=True)
    for trial, attempt in _TRY.items():
        try:
            if trial == "exec":
                print(json.dumps({"trial": trial, "worked": True}), flush=True)
            attempt(victim)
            worked = True
        except (OSError, MemoryError, ValueError):  # the last is how Python reports a limit refused
            worked = False
        print(json.dumps({"trial": trial, "worked": worked}), flush=True)


if __name__ == "__main__":
    patient(sys.argv[1])
