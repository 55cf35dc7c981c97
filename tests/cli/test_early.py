"""A command that finds nothing compiled runs interpreted while another process compiles: the same answers, sooner."""

import json
import os
import subprocess
import sys

import pytest

from pitboss.cli import early
from pitboss.core import launch
from pitboss.core.cache_folder import cache_folder
from pitboss.run import quick

# A command whose compiler is a process of the test's: it ends when `finish` is called, or with the command. Tests play
# with the machine code of this machine's cache, where something is missing only as far as `is_ready` says.
PROGRAM = """
import os, subprocess, sys
if "PITBOSS_WITH_COMPILER" in os.environ:
    print("again", file=sys.stderr)
from pitboss.cli import early
from pitboss.cli.app import main
from pitboss.run import quick

class Compiler(subprocess.Popen):
    def __init__(self, *words, **options):
        print("compiles", *words, file=sys.stderr)
        super().__init__([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    def finish(self):
        self.stdin.close()
    def wait(self, timeout=None):
        self.finish()
        return super().wait(timeout)
    def terminate(self):
        print("stopped", file=sys.stderr)
        super().terminate()

def for_ever():
    while True:
        pass

early.start = Compiler
early._possible = lambda: "PITBOSS_WITH_COMPILER" not in os.environ
quick.is_ready = lambda command, game: False
quick.begin = lambda words: None
begin = early.begin
def begun(*words, **options):
    begin(*words, **options)
    from pitboss.run import work
    SEAM
early.begin = begun
try: main()
finally: print("numba" in sys.modules, file=sys.stderr)
"""
IN_A_GAME = """play = work.CompiledJob._play
    def some(job, *rest):
        play(job, *rest)
        if "PITBOSS_WITH_COMPILER" not in os.environ:
            THEN
    work.CompiledJob._play = some
"""
LINE_UP = """import pitboss.core.registry as registry
    def some(*words):
        THEN
    registry.line_up = some
"""
SLOW = IN_A_GAME.replace("THEN", "early.signal.setitimer(early.signal.ITIMER_VIRTUAL, 0.01)\n            THEN")
SIMULATE = ["simulate", "flip7:official", "--bots", "ev,stay-25", "--games", "40", "--seed", "3", "--json"]


def run(words, seam="", then="pass", **env):
    """What a command printed, what it said, and its exit code."""
    program = PROGRAM.replace("SEAM", seam.replace("THEN", then) or "pass")
    done = subprocess.run(
        [sys.executable, "-c", program, *words], env={**os.environ, **env}, capture_output=True, text=True, check=False,
        input="hit\nstay\nodds\nquit\n",
    )  # fmt: skip
    return done.stdout, done.stderr.splitlines(), done.returncode


def games(text):
    """What does not depend on the time in the answer to `SIMULATE`."""
    return {key: value for key, value in json.loads(text).items() if "second" not in key}


@pytest.fixture(scope="module")
def compiled():
    out, said, code = run(SIMULATE, PITBOSS_WITH_COMPILER="1")
    assert (said, code) == (["again", "True"], 0)
    return games(out)


def test_the_interpreted_answer_comes_first(compiled):
    out, said, code = run(SIMULATE)
    assert games(out) == compiled
    assert said == [f"compiles pitboss.cli.early {' '.join(SIMULATE)}", "False"]
    assert code == 0


def test_the_compiler_is_ready_in_mid_run(compiled):
    out, said, code = run(SIMULATE, IN_A_GAME, "early._compiler.finish(); for_ever()")
    assert games(out) == compiled
    assert said[1:] == ["again", "True"]
    assert code == 0


def test_plain_python_is_too_slow(compiled):
    out, said, code = run(SIMULATE, SLOW, "for_ever()")
    assert games(out) == compiled
    assert said[1:] == ["again", "True"]
    assert code == 0


@pytest.mark.parametrize("when", [IN_A_GAME, LINE_UP])
def test_ctrl_c_stops_both(when):
    out, said, code = run(SIMULATE, when, "import signal; os.kill(os.getpid(), signal.SIGINT); for_ever()")
    assert (out, code) == ("", 130)
    assert said[1:] == ["stopped", "pitboss: interrupted; nothing was saved", "False"]


@pytest.mark.parametrize(
    "words",
    [
        ["advise", "5", "9", "12", "--json"],
        ["advise", "--hand", "3 8 10", "--second-chance", "--totals", "120,168", "--json"],
        ["play", "show:fair", "--seed", "2"],
        ["play", "--watch", "--seed", "2", "--json"],
        ["simulate", "vengeance", "--games", "8", "--seed", "1", "--csv", "-"],
    ],
)
def test_other_commands_answer_alike(words):
    plain, said, code = run(words)
    assert said[0].startswith("compiles ")
    assert said[-1] == "False"
    assert run(words, PITBOSS_WITH_COMPILER="1") == (plain, ["again", "True"], code)


def test_mistakes_are_told_once():
    out, said, code = run(["simulate", "flip7:official", "--bots", "nobody,ev"])
    assert (out, code) == ("", 2)
    assert [line for line in said if "nobody" in line and not line.startswith("compiles")]
    assert "again" not in said


def test_who_begins_at_once(monkeypatch, tmp_path):
    assert early.few(400, "ev,stay-25", None)
    assert early.few(1000, None, None)
    assert early.few(1000, None, 4)
    assert not early.few(1000, None, 5)
    assert not early.few(2001, "ev,stay-25", None)
    for outside in ("mine.py", "agent:flip7", "bots/,ev"):
        assert not early.few(10, f"ev,{outside}", None)

    def possible(**env):
        with monkeypatch.context() as patch:
            patch.delenv("PITBOSS_QUIET", raising=False)
            patch.setattr(early, "may_defer", lambda: True)
            patch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
            for name, value in env.items():
                if name.isupper() and name != "PREBUILT":
                    patch.setenv(name, value)
                else:
                    patch.setattr(os if name == "sched_getaffinity" else early, name, value, raising=False)
            return early._possible()

    assert possible()
    assert not possible(PITBOSS_QUIET="1")
    assert not possible(PREBUILT=tmp_path)
    assert not possible(may_defer=lambda: False)  # as in a library, or with NUMBA_DISABLE_JIT
    assert not possible(deferred=lambda: True)
    assert not possible(sched_getaffinity=lambda pid: {0})
    assert not possible(cache_folder=lambda: tmp_path)  # one that ends with this process


def test_what_the_other_process_does(tmp_path):
    """It runs the command, of which nobody sees anything, and notes that the next one need not begin like this."""
    folder = tmp_path / "cache" / "compiled"
    folder.mkdir(parents=True)
    for file in cache_folder().iterdir():
        if not file.name.startswith(("ready-", "quick-")):
            (folder / file.name).symlink_to(file)
    env = {**os.environ, "PITBOSS_CACHE": str(folder.parent)}
    done = launch.start("pitboss.cli.early", *SIMULATE, environment=env, stdout=subprocess.PIPE)
    out, _ = done.communicate()
    assert done.returncode == 0
    assert games(out.decode())
    assert len([*folder.glob("ready-*")]) == 1


def test_a_command_is_ready_until_a_file_changes(monkeypatch, tmp_path):
    monkeypatch.setattr(quick, "cache_folder", lambda: tmp_path)
    assert not quick.is_ready("simulate", "show")
    quick.note_ready("simulate", "show")
    assert quick.is_ready("simulate", "show")
    assert not quick.is_ready("advise", "show")
    assert not quick.is_ready("simulate", "flip7")
    copy = tmp_path / "pitboss"
    copy.mkdir()
    (copy / "one.py").write_text("edited")
    monkeypatch.setattr(quick, "PACKAGE", copy)
    quick._around.cache_clear()
    assert not quick.is_ready("simulate", "show")
    monkeypatch.undo()
    quick._around.cache_clear()
