"""What protects this machine from bots: every layer is tried, by bots that try to get out of a sandbox (`trials`)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from pitboss.core.errors import PitbossError, unknown
from pitboss.core.registry import DEFAULT_GAME, load
from pitboss.core.temporary import temporary_folder
from pitboss.core.types import Data
from pitboss.sandbox import calls, landlock, trials, wire
from pitboss.sandbox.confine import LINUX, Layer
from pitboss.sandbox.limits import Ended, Limits
from pitboss.sandbox.process import Process
from pitboss.sandbox.supervisor import WITHOUT, Source, Supervisor, program, without
from pitboss.sandbox.template import Template

LIMITS = Limits(start=60.0, wall=1.0, memory=trials.MEMORY, output=100_000)

_NAMES, _CALLS = str(Layer.NAMESPACES), str(Layer.SECCOMP)
_FILES = f"{_NAMES} or {Layer.LANDLOCK}"

# What a bot must not be able to do, and the layers that see to it. The first ones are needed by
# `--require-isolation`; without the others a bot is a nuisance, but no danger.
TRIALS = {
    "read": ("read files that are not its own", _FILES),
    "write": ("write files", f"{_NAMES}, {Layer.LANDLOCK} or {_CALLS}"),
    "modes": ("change files' modes", f"{_NAMES} or {_CALLS}"),
    "network": ("use the network", _CALLS),
    "fork": ("start other processes", _CALLS),
    "exec": ("run other programs", f"{_NAMES}, {Layer.LANDLOCK} or {_CALLS}"),
    "signal": ("signal other processes", _CALLS),
    "root": ("be root", f"{Layer.USER} and {_CALLS}"),
    "traces": ("leave traces on the disk by reading", _NAMES),
    "memory": ("use more memory than it is given", Layer.LIMITS),
    "threads": ("start threads without end", f"{Layer.USER} and {_CALLS}"),
    "unlimit": ("lift its limits", _CALLS),
    "processes": ("see other processes", f"{_NAMES} and {_CALLS}"),
    "counters": ("read what the system counts", f"{_CALLS} and ({_FILES})"),
    "pages": ("fetch or drop pages of files that others use", _CALLS),
    "share": ("make memory that outlives its game", f"{_CALLS} and ({_FILES})"),
    "timers": ("set timers", _CALLS),
    "outside": ("see which other files there are", _NAMES),
    "import": ("import what lies beside it", _FILES),
}
_UNKNOWN = "this trial was not carried out"
_NEEDED = ("read", "write", "modes", "network", "fork", "exec", "signal", "root")


@dataclass(frozen=True)
class Trial:
    """One thing that a bot must not be able to do."""

    what: str
    prevented: bool
    by: str  # the layers that should
    needed: bool  # for isolation
    ways: tuple[str, ...] = ()  # that worked


@dataclass(frozen=True)
class Diagnosis:
    """What protects this machine, and what does not."""

    system: str
    findings: tuple[Trial, ...]
    notes: tuple[str, ...]
    layers: tuple[tuple[str, bool], ...] = ()  # and whether each is in force

    @property
    def isolated(self) -> bool:
        """Whether untrusted bots can be run."""
        return all(finding.prevented for finding in self.findings if finding.needed)

    @property
    def open(self) -> list[str]:
        """What a bot could do here though it must not."""
        return [finding.what for finding in self.findings if not finding.prevented]

    @property
    def verdict(self) -> str:
        """All in one sentence."""
        if not self.open:
            return "Bots run in a sandbox: nothing that was tried worked."
        if self.isolated:
            return f"Bots run in a sandbox, except that one could {_either(self.open)}."
        return f"There is no safe sandbox here: a bot could {_either(self.open)}. Run only bots that you trust."

    def verify_isolated(self) -> None:
        """Refuse to go on where bots cannot be kept in a sandbox."""
        if not self.isolated:
            missing = _either([f.what for f in self.findings if f.needed and not f.prevented])
            raise PitbossError(
                f"this machine has no safe sandbox for bots: one could {missing}; pitboss arena doctor tells more, "
                f"and without `require_isolation` they run with what protection there is"
            )

    def to_dict(self) -> Data:
        """For JSON."""
        return {
            "system": self.system, "isolated": self.isolated, "verdict": self.verdict,
            "layers": dict(self.layers), "findings": [asdict(finding) for finding in self.findings],
            "notes": list(self.notes),
        }  # fmt: skip


def _either(things: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(things[:-1]), things[-1]]))


@cache
def examine() -> Diagnosis:
    """Try everything, once in the life of this process."""
    with temporary_folder("doctor") as folder:
        game = load(DEFAULT_GAME)  # any game would do
        patient, victim = _ward(folder, game.python_bot())
        supervisor = Supervisor(game, LIMITS)
        try:
            of_program = _from_program(supervisor, patient, victim) if LINUX else {}
            held, of_file = _from_file(supervisor, Source(patient, f"Patient({victim!r})", _own(patient)))
        finally:
            supervisor.close()
    findings = []
    for trial, (what, by) in TRIALS.items():
        ways = of_file.get(trial, [_UNKNOWN])
        ways = [*ways, *(f"{way}, as a program" for way in of_program.get(trial, []))]
        findings.append(Trial(what, not ways, by, trial in _NEEDED, tuple(ways)))
    layers = tuple((str(layer), str(layer) in held) for layer in Layer)
    return Diagnosis(f"{os.uname().sysname} {os.uname().release}", tuple(findings), tuple(_notes()), layers)


def switch_off(layers: Iterable[str]) -> None:
    """Leave these layers out of every sandbox that this process makes from now on; PitbossError for one unknown."""
    named = {layer.replace(" ", "-").lower(): str(layer) for layer in Layer}
    for name in layers:
        if name.replace(" ", "-").lower() not in named:
            raise PitbossError(unknown("layer", name, list(named)))
    os.environ[WITHOUT] = ",".join([*without(), *(named[name.replace(" ", "-").lower()] for name in layers)])
    examine.cache_clear()


def _ward(folder: Path, base: type) -> tuple[str, str]:
    """A folder in which nothing but the sandbox protects anything: the patient's file, and its victim."""
    folder.chmod(0o777)
    for name in ("secret", "spare", "other"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o666)
    (folder / f"{trials.NEIGHBOUR}.py").write_text("")
    patient = folder / "patient.py"
    joined = f"from {base.__module__} import {base.__name__}\n\n    Patient = patient({base.__name__})"
    own = Path(trials.__file__).read_text(encoding="utf-8")
    patient.write_text(f'{own}\nif __name__ != "__main__":\n    {joined}\n', encoding="utf-8")
    diary = folder / trials.DIARY
    diary.write_text("diary")
    os.utime(diary, (0, diary.stat().st_mtime))  # a disk that notes when a file is read has something to note
    return str(patient), str(folder / "secret")


def _own(patient: str) -> tuple[str, ...]:
    return (str(Path(patient).with_name(trials.DIARY)),)


def _from_file(supervisor: Supervisor, source: Source) -> tuple[list[str], dict[str, list[str]]]:
    """The layers in force, and the results of a bot file's trials."""
    template = Template(supervisor, source)
    held: list[str] = list(template.held)
    try:
        player = template.player()
    except Ended:
        return held, {}
    try:
        player.send(wire.BEGIN_FORM.pack(wire.BEGIN, 0, 1))
        with suppress(Ended):
            player.receive(LIMITS.start)
        return held, dict(_results(player.take_output()))
    finally:
        player.kill()
        template.close()


def _from_program(supervisor: Supervisor, patient: str, victim: str) -> dict[str, list[str]]:
    """The results of a program's trials."""
    argv = (os.path.realpath(sys.executable), "-I", "-S", patient, victim)
    sandbox, (reader, writer, output) = program(
        supervisor, Source(patient, own=_own(patient), argv=argv, shown=(sys.base_prefix,))
    )
    process, said = Process(sandbox.pid, reader, writer, output, LIMITS), b""
    try:
        with suppress(Ended):
            while True:
                said += process.receive(LIMITS.start)
    finally:
        process.kill()
        sandbox.close()
    tried = dict(_results(said.decode(errors="replace")))
    return tried if "root" in tried else {trial: [_UNKNOWN] for trial in TRIALS}


def _results(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        with suppress(ValueError, KeyError, TypeError):
            result = json.loads(line)
            yield result["trial"], list(result["worked"])


def _notes() -> list[str]:
    if not LINUX:
        return [
            "The sandbox is made of what only Linux has: here bots get processes and limits, no more.",
            "Time is taken by the clock on the wall, so a busy machine can cost a bot its move.",
        ]
    off, known = without(), landlock.version()
    out = [f"Switched off: {', '.join(off)}."] if off else []
    out.append(f"Landlock: version {known}." if known else "Landlock: this kernel has none, or it is switched off.")
    if not calls.supported():
        out.append(f"seccomp: there is no list of system calls for {os.uname().machine}.")
    if os.getuid() == 0:
        out.append("You are root: bots run as a user that owns nothing. An ordinary user is the better referee.")
    return out
