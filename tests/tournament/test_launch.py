"""No process of ours imports what lies in the current folder, beside the calling script, or among bots.

Files called like modules of Python's, and of ours, lie there. Each writes a line if it is imported where files can be
written, which no bot's process can.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss
from pitboss.page.linking import LINKER

SOURCES = Path(pitboss.__file__).parent
NAMES = ["sitecustomize", "usercustomize", "numpy", "encodings", "json", "pitboss", "typing", "tbb", "msgspec"]
SPY = """
try:
    with open({marker!r}, "a") as file:
        file.write(f"{{__name__}} in {{__file__}}\\n")
except OSError:
    pass  # shut in
"""
BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class {name}(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < {limit} else STAY
"""
CUP = ["flip7:tournament(target=60)", "--blocks", "2", "--seed", "5", "--store", ":memory:", "--json"]

# A script that has imported what it needs, and whose folder is then searched first, as in a notebook.
BEGIN = """
import sys
here = sys.path.pop(0)
import json, os, socket
from pitboss import Tournament
from pitboss.core import launch
launch.home()
Tournament("flip7:tournament(target=60)", "ev,random", blocks=1, seed=5).play()
sys.path.insert(0, here)
os.environ |= {"PYTHONPATH": here, "PYTHONSTARTUP": here + "/json.py", "PYTHONUSERBASE": here}
"""
STARTED = """
ours, theirs = socket.socketpair()
ours.close()
words = [str(os.getpid()) if word == "PID" else word for word in sys.argv[1:]]
sys.exit(launch.start(*words, stdin=theirs.fileno()).wait())
"""
PLAYED = """
cup = Tournament("flip7:tournament(target=60)", ["secrets.py", "random.py", "ev"], blocks=2, seed=5)
print(json.dumps(cup.play(workers=int(sys.argv[1])).to_dict()))
"""


def write_bots(folder, marker, *names):
    """Two honest bots in files of these names."""
    for limit, name in enumerate(names, 24):
        source = SPY.format(marker=str(marker)) + BOT.format(name=f"Bot{limit}", limit=limit)
        (folder / f"{name}.py").write_text(source)


@pytest.fixture
def marker(tmp_path):
    """Which is not there unless something was imported that must not be."""
    return tmp_path / "imported"


@pytest.fixture
def folder(tmp_path, marker):
    """Bots called random.py and secrets.py, among files with other unfortunate names."""
    folder = tmp_path / "bots"
    folder.mkdir()
    write_bots(folder, marker, "random", "secrets")
    for name in NAMES:
        (folder / f"{name}.py").write_text(SPY.format(marker=str(marker)))
    return folder


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The table of the same bots under other names, in a folder with nothing else."""
    folder = tmp_path_factory.mktemp("elsewhere")
    write_bots(folder, folder / "imported", "one", "two")
    return facts(run(folder, "-P", "-m", "pitboss", "tournament", "run", *CUP, "--bots", "two.py,one.py,ev"))


def run(folder, *arguments, code=0):
    """A Python that is started in a folder; what it prints."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def facts(table):
    """What must not depend on where bots lie; their versions are those of files that write elsewhere."""
    table = json.loads(table)
    rows = [{k: v for k, v in row.items() if k != "version"} for row in table["standings"]]
    return {
        **{k: v for k, v in table.items() if k not in ("id", "created", "times", "key", "key_hash")},
        "standings": rows,
    }


# Every module of ours that is started as a process, what it is given, and with which code it ends without anybody.
WAYS = {"pitboss": (["games"], 0), "pitboss.run.processes": (["0", "PID"], 0), "pitboss.web.worker": ([], 0),
        LINKER: (["version"], 0)}  # fmt: skip


@pytest.mark.parametrize("module", WAYS)
def test_a_process_of_ours_imports_nothing_by_accident(folder, marker, module):
    if module == LINKER:
        pytest.importorskip(LINKER, reason="needs the extra page")
    arguments, code = WAYS[module]
    (folder / "script.py").write_text(BEGIN + STARTED)
    run(folder, "script.py", module, *arguments, code=code)
    assert not marker.exists(), marker.read_text()


def test_there_is_no_other_way_to_start_a_process():
    """But for the zygote, which looks for modules in Python's own library only, what a stranger's program becomes in a
    sandbox, what the doctor's patient tries to, and the command line, which begins again as it was begun."""
    ways = (
        r"\bPopen\(|subprocess\.(?:run|call|check|get)|create_subprocess|os\.(?:exec|spawn|posix_spawn|system|popen)|"
        r"multiprocessing(?!\.connection)|ProcessPool|import pty"
    )
    found = {
        (path.relative_to(SOURCES).as_posix(), hit)
        for path in SOURCES.rglob("*.py")
        for hit in re.findall(ways, path.read_text(encoding="utf-8"))
    }
    assert found == {
        ("cli/app.py", "os.exec"), ("core/launch.py", "Popen("), ("core/launch.py", "create_subprocess"),
        ("sandbox/supervisor.py", "Popen("),
        ("sandbox/zygote.py", "os.exec"), ("sandbox/trials.py", "os.exec"), ("sandbox/trials.py", "os.posix_spawn"),
    }  # fmt: skip


def test_all_that_is_started_is_in_the_list_above():
    started = re.compile(r"launch\.start(?:_async)?\(\s*([^,)]+)")
    texts = [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")]
    found = {name.strip('"') for text in texts for name in started.findall(text)}
    assert {LINKER if name == "LINKER" else name for name in found} == set(WAYS)


def test_files_that_would_be_imported(folder, marker):
    """By a Python that is started without care: the spies are awake."""
    subprocess.run([sys.executable, "-m", "pitboss.run.processes"], cwd=folder, capture_output=True, check=False)
    assert marker.exists()


@pytest.mark.parametrize("flags", [["-P"], []])
def test_bots_with_the_names_of_modules_play(folder, marker, elsewhere, flags):
    if not flags:
        (folder / "pitboss.py").unlink()  # which is what `python -m pitboss` would run, and not us
        (folder / "typing.py").unlink()  # Python imports it itself before it comes to us
    bots = "secrets.py,random.py,ev"
    table = run(folder, *flags, "-m", "pitboss", "tournament", "run", *CUP, "--bots", bots, "--workers", 2)
    assert not marker.exists(), marker.read_text()
    assert facts(table) == elsewhere


@pytest.mark.parametrize("workers", [1, 2])
def test_a_script_beside_such_files(folder, marker, elsewhere, workers):
    (folder / "script.py").write_text(BEGIN + PLAYED)
    table = run(folder, "script.py", workers)
    assert not marker.exists(), marker.read_text()
    assert facts(table) == elsewhere
