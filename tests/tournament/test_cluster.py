"""Games on a Ray cluster of three nodes: the same as here, whatever happens to the nodes.

Drivers are processes of their own. All tests are of one group: they share one cluster, and leave it as it was.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import pitboss
from pitboss import Tournament, load, simulate
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.keys import Key
from pitboss.core.registry import bot
from pitboss.core.version import engine_version
from pitboss.games.flip7 import Flip7Bot
from pitboss.run.remote import SimOrder, Traveller
from pitboss.tournament.cluster import TournamentOrder
from pitboss.tournament.entering import contestants
from pitboss.tournament.match import MatchPlan
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.store import Store
from tests.cluster import NODES
from tests.tournament.tables import ZOO, SlowBot
from tests.tournament.test_launch import BEGIN, elsewhere, facts, folder, marker
from tests.tournament.test_launch import run as run_python

__all__ = ["elsewhere", "folder", "marker"]

PITBOSS = [sys.executable, "-m", "pitboss"]
BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Careful(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < 23 else STAY
"""

SIMULATE = """
import json, sys
from pitboss import simulate
from pitboss.run.cluster import Cluster

executor = Cluster(sys.argv[1])

def progress(done, all):
    print(json.dumps(len(executor.report()["nodes"])), flush=True)

result = simulate(sys.argv[2], sys.argv[3], int(sys.argv[4]), 1, executor=executor, progress=progress)
print(json.dumps(result.to_dict()), flush=True)
"""

TOURNAMENT = """
import json, sys
from pitboss import Tournament
from pitboss.run.cluster import Cluster

executor = Cluster(sys.argv[1])

def watch(progress):
    print(json.dumps(len(executor.report()["nodes"])), flush=True)

made = Tournament.open("cup", sys.argv[2])
made.play(watch, executor=executor)
print(json.dumps({"executor": executor.report()}), flush=True)
"""


@pytest.fixture
def careful(tmp_path):
    """A bot of a file."""
    path = tmp_path / "careful.py"
    path.write_text(BOT)
    return f"{path}:Careful"


@pytest.fixture
def broken(cluster, tmp_path):
    """One more node, whose pitboss is not ours; a function that adds it, given what to do to a copy of the package."""
    added = []

    def add(change):
        copy = tmp_path / "other" / "pitboss"
        shutil.copytree(Path(pitboss.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        change(copy)
        cluster.add(PYTHONPATH=str(copy.parent))
        added.append(copy)

    yield add
    for _ in added:
        cluster.kill()


def result(data):
    """What must not depend on who played."""
    return {k: v for k, v in data.items() if k not in ("seconds", "games_per_second", "threads", "executor", "resumed")}


def table(standings):
    return {k: v for k, v in standings.to_dict().items() if k not in ("id", "created", "times")}


def drive(code, *arguments, then=None):
    """Run a driver that prints how many nodes have played, and do something when all have; what it prints last."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    last = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            last = json.loads(line)
            if then is not None and isinstance(last, int) and last >= NODES:
                then()
                then = None
    assert running.returncode == 0
    assert then is None  # it was done in time
    return last


def run(*arguments):
    """A command that must succeed; what it printed as JSON."""
    done = subprocess.run([*PITBOSS, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(*arguments):
    """A command that must not; its sentence."""
    done = subprocess.run([*PITBOSS, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr


def test_a_simulation_on_three_nodes(cluster):
    command = ("simulate", "flip7:official", "--bots", "stay-25,ev,bust-0.25,random", "--games", 200000, "--seed", 1)
    here = run(*command, "--json", "--executor", "threads")
    there = run(*command, "--json", "--executor", "ray", "--address", cluster.address)
    assert result(there) == result(here)
    assert there["executor"]["name"] == "ray"
    assert sum(node["blocks"] for node in there["executor"]["nodes"]) == there["blocks"] == 50000


def test_every_node_has_its_share(cluster, tmp_path):
    """With a bot of a file, which no other node needs to have."""
    with SlowBot(tmp_path, seconds=0.002) as slow:
        bots = f"{slow.path},stay-25,{slow.path}"
        there = drive(SIMULATE, cluster.address, "flip7:numbers", bots, 15000, then=slow.hurry)
    assert result(there) == result(simulate("flip7:numbers", bots, 15000, 1).to_dict())
    blocks = [node["blocks"] for node in there["executor"]["nodes"]]
    assert sum(blocks) == there["blocks"]
    assert len(blocks) == 3
    assert min(blocks) > 0  # how much depends on what else the machine does


@pytest.fixture
def lose_a_node(cluster):
    """Kill a node while a slow bot plays; afterwards there is a new one."""

    def lose(slow):
        cluster.kill()
        slow.hurry()

    yield lose
    cluster.add()


def test_a_node_is_lost_in_the_middle(cluster, lose_a_node, tmp_path):
    with SlowBot(tmp_path, seconds=0.002) as slow:
        bots = f"{slow.path},ev"
        there = drive(SIMULATE, cluster.address, "flip7:numbers", bots, 20000, then=lambda: lose_a_node(slow))
    assert result(there) == result(simulate("flip7:numbers", bots, 20000, 1).to_dict())
    assert there["executor"]["workers_lost"] >= 1
    assert sum(node["blocks"] for node in there["executor"]["nodes"]) == there["blocks"]


def test_a_tournament_in_postgresql_with_a_node_lost(cluster, lose_a_node, postgres, tmp_path):
    """The table of the same tournament here, on one worker, in SQLite."""
    url = postgres.new()
    with SlowBot(tmp_path) as slow:
        bots = f"{slow.path},random,stay-25,ev"
        cup = {"format": "gauntlet", "best_of": 3, "blocks": 12, "seed": 5}
        cup |= {"spec": "flip7:tournament(target=60)", "bots": bots}
        Tournament(**cup, store=url, id="cup").store.close()
        told = drive(TOURNAMENT, cluster.address, url, then=lambda: lose_a_node(slow))
    store = Store(url)
    there = Tournament.open("cup", store).standings()
    store.close()
    here = Tournament(**cup, store=str(tmp_path / "games.db"), id="cup").play(workers=1)
    assert table(there) == table(here)
    assert there.finished
    assert told["executor"]["workers_lost"] >= 1  # Ray may still count on the node of the test before
    assert sum(node["matches"] for node in told["executor"]["nodes"]) == 3 * 12 * 2


def test_ctrl_c_and_resume(cluster, tmp_path):
    url, ray = tmp_path / "games.db", ["--executor", "ray", "--address", cluster.address]
    with SlowBot(tmp_path) as slow:
        arguments = ["--bots", f"{slow.path},ev", "--best-of", 3, "--blocks", 30, "--seed", 5]
        arguments += ["--id", "cup", "--store", url, *ray]
        command = [*PITBOSS, "tournament", "run", "flip7:tournament(target=60)", *arguments]
        running = subprocess.Popen(
            [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        while running.poll() is None and (not url.exists() or _left(url) in (None, 60)):
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to everything that was started
        out, err = running.communicate(timeout=120)
    assert running.returncode == 130, out + err
    assert "matches are played and saved" in err
    assert 0 < _left(url) < 60
    there = run("tournament", "resume", "cup", "--store", url, *ray, "--json")
    here = Tournament("flip7:tournament(target=60)", f"{slow.path},ev", best_of=3, blocks=30, seed=5).play(workers=1)
    assert {k: v for k, v in there.items() if k not in ("id", "created", "times", "executor")} == json.loads(
        json.dumps(table(here))
    )


def _left(url):
    """How many matches are still to be played, or None before there is a schedule."""
    store = Store(str(url))
    try:
        return store.left("cup") if "cup" in store.ids() else None
    except PitbossError:
        return None
    finally:
        store.close()


def test_strangers_are_shut_in_on_the_nodes(cluster, tmp_path):
    """Bots that try to get out end there as they do here."""
    bots = ",".join(str(ZOO / name) for name in ("writes.py", "reaches_out.py", "reads.py")) + ",ev"
    cup = {"bots": bots, "blocks": 1, "seed": 5, "spec": "flip7:tournament(target=40)"}
    here = Tournament(**cup, store=str(tmp_path / "here.db")).play(workers=1)
    there = run(
        "tournament", "run", cup["spec"], "--bots", bots, "--blocks", 1, "--seed", 5, "--store", tmp_path / "there.db",
        "--executor", "ray", "--address", cluster.address, "--require-isolation", "--json",
    )  # fmt: skip
    assert [(row["name"], row["faults"]) for row in there["standings"]] == [(row.name, row.faults) for row in here.rows]


PLAYED = """
from pitboss.run.cluster import Cluster

sys.path.remove(here)
executor = Cluster(sys.argv[1], workers=1)
sys.path.insert(0, here)
cup = Tournament("flip7:tournament(target=60)", ["secrets.py", "random.py", "ev"], blocks=2, seed=5)
print(json.dumps(cup.play(executor=executor).to_dict()))
"""


@pytest.mark.parametrize("where", ["a cluster", "local"])
def test_nodes_import_nothing_from_where_the_driver_was_started(cluster, folder, marker, elsewhere, where):
    """Ray would have them look there before all else."""
    (folder / "script.py").write_text(BEGIN + PLAYED)
    table = run_python(folder, "script.py", cluster.address if where == "a cluster" else "local")
    assert not marker.exists(), marker.read_text()
    assert facts(table) == elsewhere


def _other_rules(copy):
    with (copy / "core" / "keys.py").open("a") as file:
        file.write("\n# somebody has been here\n")


def _none(copy):
    shutil.rmtree(copy)
    copy.mkdir()
    (copy / "__init__.py").write_text("raise ImportError('there is no pitboss here')\n")


@pytest.mark.parametrize(
    ("change", "sentence"), [(_other_rules, "has another pitboss"), (_none, "there is no pitboss here; install")]
)
def test_a_node_with_another_pitboss_is_refused(cluster, broken, change, sentence):
    broken(change)
    said = refusal("simulate", "--games", 1000, "--executor", "ray", "--address", cluster.address)
    assert sentence in said
    assert said.count("\n") == 1


def test_what_cannot_be_joined_is_said(cluster):
    assert "there is no cluster at 127.0.0.1:1 that could be joined" in refusal(
        "simulate", "--games", 100, "--executor", "ray", "--address", "127.0.0.1:1"
    )
    assert "add --executor ray" in refusal("simulate", "--address", "auto")
    assert "add --executor ray" in refusal("tournament", "run", "--address", "auto")
    assert "unknown executor 'rey' (did you mean 'ray'?)" in refusal("tournament", "run", "--executor", "rey")


# --- what travels ---


def test_a_bot_of_a_file_travels(tmp_path, careful):
    game = load("flip7:numbers")
    traveller = Traveller.of(bot(careful, game), game)
    Path(careful.partition(":")[0]).unlink()  # it is not on the other machine
    arrived = traveller.arrive(game, tmp_path / "there")
    assert (arrived.name, arrived.version) == (traveller.name, traveller.version)
    assert arrived.make().hit_or_stay
    with pytest.raises(BotError, match="is not what it was"):
        replace(traveller, source=BOT.replace("23", "24").encode()).arrive(game, tmp_path / "elsewhere")


class Mine(Flip7Bot):
    """A class of the caller's."""


def test_classes_of_the_caller_cannot_travel():
    game = load("flip7:tournament")
    with pytest.raises(PitbossError, match="Mine is a class of this program"):
        Traveller.of(bot(Mine, game), game)
    with Referee(game) as referee:
        entered = contestants([Mine, "ev"], game, referee)
    with pytest.raises(PitbossError, match="Mine is a class of this program"):
        TournamentOrder.of(MatchPlan("flip7:tournament", tuple(entered), Key.from_seed(1)))


def test_other_rules_on_a_node_are_refused():
    order = SimOrder("flip7:solo", (Traveller("ev", "", None),), Key.from_seed(1), 1, False, 0, "others")
    with pytest.raises(PitbossError, match="rules of flip7:solo are others"):
        order.open(alone=True)
    player = replace(order, engine=engine_version(load("flip7:solo"))).open(alone=True)
    [played] = player.play_all([(0, 5)])
    player.close()
    assert played.sums.blocks == 5


def test_a_tournament_takes_its_files_along(tmp_path, careful):
    game = load("flip7:tournament")
    with Referee(game) as referee:
        entered = tuple(contestants(f"{careful},ev", game, referee))
    plan = MatchPlan("flip7:tournament", entered, Key.from_seed(1), best_of=3)
    order = TournamentOrder.of(plan)
    here = order.open(alone=True)
    wanted = here.play_all([(0, Sitting(0, (0, 1)), 0), (0, Sitting(0, (0, 1)), 1)])
    here.close()
    moved = replace(order, plan=replace(plan, contestants=(replace(entered[0], path="/not/there.py"), entered[1])))
    there = moved.open(alone=True)
    got = there.play_all([(0, Sitting(0, (0, 1)), 0), (0, Sitting(0, (0, 1)), 1)])
    there.close()
    assert [[game.moves for game in m.games] for _, _, m in got] == [
        [game.moves for game in m.games] for _, _, m in wanted
    ]
    forged = replace(moved, sources=(BOT.replace("23", "24").encode(), None))
    with pytest.raises(BotError, match="has changed since it was entered"):
        forged.open(alone=True)


def test_a_node_that_shuts_in_less_is_refused(careful):
    game = load("flip7:tournament")
    with Referee(game) as referee:
        entered = tuple(contestants(f"{careful},ev", game, referee))
    order = TournamentOrder.of(MatchPlan("flip7:tournament", entered, Key.from_seed(1)))
    stricter = replace(order, prevented=order.prevented | {"read minds"})
    with pytest.raises(PitbossError, match="a bot could read minds"):
        stricter.open(alone=True)
