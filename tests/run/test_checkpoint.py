"""Long simulations: stopped at any moment and taken up again, they end as if they had not been."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pitboss import simulate
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.games.flip7 import Flip7Bot
from pitboss.run.checkpoint import STATE, RunState
from pitboss.run.work import CHUNK_GAMES

BOTS = ["stay-25", "ev", "random"]
GAMES = 6 * CHUNK_GAMES + 500


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """What is kept, is kept here; what is compiled stays where it is."""
    monkeypatch.setattr("pitboss.run.checkpoint.cache_root", lambda: tmp_path / "cache")
    return tmp_path / "cache"


class Stay22(Flip7Bot):
    def hit_or_stay(self, view):
        return "hit" if view.points < 22 else "stay"


def facts(result):
    """What must not depend on how it was run."""
    data = result.to_dict()
    return {k: v for k, v in data.items() if k not in ("seconds", "games_per_second", "threads", "resumed", "executor")}


def stop_after(games):
    """As Ctrl-C when so many games are done."""

    def press(done, total):
        if done >= games:
            raise KeyboardInterrupt

    return press


def run(games=GAMES, bots=BOTS, spec="flip7:official", **how):
    return simulate(spec, bots, games, seed=3, **how)


@pytest.mark.parametrize(("bots", "games"), [(BOTS, GAMES), ([Stay22, "ev"], 150)])
@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_and_resumed_is_as_if_never_stopped(bots, games, threads, cache):
    whole = run(games, bots)
    first = run(games, bots, threads=threads, progress=stop_after(games // 4))
    assert first.interrupted
    second = run(games, bots, threads=threads, resume=True, progress=stop_after(games // 2))
    assert (second.interrupted, second.resumed) == (True, first.games)
    last = run(games, bots, threads=threads, resume=True)
    assert (last.interrupted, last.resumed) == (False, second.games)
    assert facts(last) == facts(whole)
    assert not any((cache / "runs").iterdir())


def test_what_an_earlier_version_began_is_dealt_to_its_end_as_then():
    """Seeds meant full keys."""
    key = Key.from_seed(3)
    whole = simulate("flip7:official", BOTS, GAMES, key)
    simulate("flip7:official", BOTS, GAMES, key, progress=stop_after(GAMES // 2))
    gone_on = run(resume=True)
    assert gone_on.resumed
    assert facts(gone_on) == facts(whole)
    assert run(resume=True).key == Key.from_seed(3, quick=True)  # nothing is left of it


def test_resume_with_nothing_to_resume_begins():
    assert facts(run(resume=True)) == facts(run())


def test_more_games_than_were_asked_for_at_first():
    run(progress=stop_after(CHUNK_GAMES))
    assert facts(run(2 * GAMES, resume=True)) == facts(run(2 * GAMES))
    run(progress=stop_after(3 * CHUNK_GAMES))
    with pytest.raises(PitbossError, match="games of this simulation are kept; ask for as many"):
        run(CHUNK_GAMES, resume=True)


def test_another_simulation_is_not_taken_up():
    run(progress=stop_after(CHUNK_GAMES))
    assert simulate("flip7:official", BOTS, 600, seed=4, resume=True).resumed == 0
    assert simulate("flip7:official", [*BOTS[1:], BOTS[0]], 600, seed=3, resume=True).resumed == 0
    assert simulate("flip7:official(target=150)", BOTS, 600, seed=3, resume=True).resumed == 0
    assert simulate("flip7:official", BOTS, 600, seed=3, rotate=False, resume=True).resumed == 0


def test_a_state_comes_back_to_the_last_bit():
    stopped = run(progress=stop_after(CHUNK_GAMES))
    state = RunState(stopped.sums, (1, 2, 3), 0.1)
    again = RunState.from_dict(json.loads(json.dumps(state.to_dict())))
    for name, value in vars(stopped.sums).items():
        assert np.array_equal(getattr(again.sums, name), value)
        assert np.asarray(getattr(again.sums, name)).dtype == np.asarray(value).dtype
    assert (again.counts, again.seconds) == (state.counts, state.seconds)


# --- games in Parquet files ---

KILLED = """
import sys, time
from pathlib import Path
from pitboss import simulate
from pitboss.run import checkpoint, parquet

def linger(done, all):
    if done > all // 4:  # whoever kills it may be late
        time.sleep(0.5)

checkpoint.EVERY = 0.0  # a part for every chunk
bots = ["stay-25", "ev", "random"]
simulate("flip7:official", bots, int(sys.argv[2]), seed=3, out=Path(sys.argv[1]), resume=True, progress=linger)
"""


@pytest.fixture
def table():
    """Reads a file, or a folder of them."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs PyArrow: make test-all installs it")
    return parquet.read_table


def test_a_row_for_each_seat_and_game(table, tmp_path):
    result = run(out=tmp_path / "games.parquet")
    rows = table(tmp_path / "games.parquet")
    assert rows.num_rows == 3 * result.games
    columns = {name: np.array(rows[name].to_pylist()) for name in rows.column_names}
    assert [*columns] == ["deal", "rotation", "seat", "bot", "share", "rounds", "total", "busts", "flip_7s"]
    place = (columns["deal"] * 3 + columns["rotation"]) * 3 + columns["seat"]
    assert place.tolist() == [*range(3 * result.games)]
    for i, name in enumerate(BOTS):
        own = columns["bot"] == name
        assert columns["share"][own].mean() == pytest.approx(result.win_share(i).mean, abs=1e-12)
        assert columns["total"][own].sum() == result.sums.columns[i, 4]
        assert {*columns["seat"][own][:3]} == {0, 1, 2}
    assert sorted(path.name for path in tmp_path.glob("games*")) == ["games.parquet"]


@pytest.mark.parametrize("name", ["games.parquet", "games"])
def test_games_of_a_resumed_run(table, tmp_path, name):
    out = tmp_path / name
    whole = run(out=tmp_path / "whole.parquet")
    run(out=out, progress=stop_after(GAMES // 3))
    with pytest.raises(PitbossError, match="holds .* games of a simulation that was stopped; go on with `resume`"):
        run(out=out)
    last = run(out=out, resume=True)
    assert facts(last) == facts(whole)
    assert table(out).equals(table(tmp_path / "whole.parquet"))
    assert not [path for path in tmp_path.rglob(f"{STATE}*") if "cache" not in path.parts]


def test_killed_while_writing(table, tmp_path):
    out, games = tmp_path / "games.parquet", 40 * CHUNK_GAMES
    command = [sys.executable, "-c", KILLED, str(out), str(games)]
    state = tmp_path / "games.parquet.parts" / STATE
    for parts in (2, 5):  # killed when so many are written
        running = subprocess.Popen(command)
        while not state.exists() or json.loads(state.read_text())["parts"] < parts:
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
    last = run(games, out=out, resume=True)
    assert 5 * (CHUNK_GAMES // 3 * 3) <= last.resumed < games
    assert facts(last) == facts(run(games, out=tmp_path / "whole.parquet"))
    assert table(out).equals(table(tmp_path / "whole.parquet"))


def test_what_cannot_be_written_is_refused(table, tmp_path):
    with pytest.raises(PitbossError, match="neither a file that ends in .parquet nor a folder"):
        run(out=tmp_path / "games.csv")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(PitbossError, match="full is not empty"):
        run(out=tmp_path / "full")
    run(out=tmp_path / "games.parquet", progress=stop_after(CHUNK_GAMES))
    with pytest.raises(PitbossError, match="belongs to another simulation: flip7:official with stay-25, ev, random"):
        run(bots=["ev", "ev"], out=tmp_path / "games.parquet", resume=True)


def test_a_run_that_did_nothing_leaves_nothing(table, tmp_path):
    class Broken(Flip7Bot):
        def hit_or_stay(self, view):
            raise RuntimeError("no idea")

    with pytest.raises(PitbossError, match="no idea"):
        run(40, bots=[Broken, "ev"], out=tmp_path / "games.parquet")
    assert not [*tmp_path.glob("games*")]


def test_memory_does_not_grow_with_the_games(table, tmp_path):
    code = (
        "import resource, sys; from pathlib import Path; from pitboss import simulate\n"
        "simulate('show:classic', ['show-6', 'show-6'], int(sys.argv[1]), 1, 1, out=Path(sys.argv[2]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    few, many = (
        int(subprocess.run(
            [sys.executable, "-c", code, str(games), str(tmp_path / f"{games}.parquet")],
            check=True, capture_output=True, text=True,
        ).stdout)
        for games in (500_000, 2_000_000)
    )  # fmt: skip
    assert many < few + 100_000  # kilobytes; the rows of the difference would take 216 MB
