"""A game in a package of its own gets all that pitboss can do, and pitboss does not know it.

The package in examples/toy-game is really installed, into a folder of its own, and used from new processes.
"""

import json

import pytest

from tests.packages import EXAMPLES, SOURCES, install, python

TOY = EXAMPLES / "toy-game"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder into which the package is installed."""
    return install(TOY, tmp_path_factory.mktemp("site"))


@pytest.fixture
def run(site, tmp_path):
    """Run a Python program that finds the package; what it printed."""

    def run(*args, folder=site, **more):
        return python(folder, tmp_path, *args, **more)

    return run


def varied(site, folder, old, new):
    """A copy of the installed package with another line in it."""
    found = False
    for path in site.rglob("*"):
        if path.suffix in (".py", ".txt") or path.name in ("METADATA", "WHEEL", "RECORD"):
            copy = folder / path.relative_to(site)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            found = found or old in text
            copy.write_text(text.replace(old, new), encoding="utf-8")
    assert found
    return folder


def test_pitboss_does_not_know_it(run):
    assert "unknown game 'toy'" in run("-m", "pitboss", "rules", "toy", folder="nowhere", code=2)
    for file in SOURCES.rglob("*.py"):
        assert "pitboss_toy" not in file.read_text(encoding="utf-8")


def test_rules_games_and_bots(run):
    assert "toy:fair" in run("-m", "pitboss", "games")
    rules = json.loads(run("-m", "pitboss", "rules", "toy:fair(skulls=3)", "--json"))
    assert rules["words"][0] == "The bag holds two chips of each number from 1 to 5, and 3 skulls."
    assert rules["cards"] == 13
    bots = json.loads(run("-m", "pitboss", "bots", "toy", "--json"))
    assert [bot["name"] for bot in bots["bots"]] == ["bank", "ev", "coin"]


def test_simulate(run):
    args = ["-m", "pitboss", "simulate", "toy", "--bots", "bank-3,ev,coin", "--games", "600", "--seed", "1", "--json"]
    data = json.loads(run(*args))
    assert (data["game"], data["games"]) == ("toy:race", 600)
    assert data["bots"][1]["win_share"] > data["bots"][0]["win_share"]
    assert json.loads(run(*args, "--threads", "1"))["bots"] == data["bots"]


def test_changed_rules_are_compiled_anew(run, site, tmp_path):
    """The machine code of a rule book outside of pitboss is kept, but never for other rules."""
    args = ["-m", "pitboss", "simulate", "toy", "--bots", "bank-3,ev", "--games", "20", "--seed", "1", "--json"]
    before = json.loads(run(*args))
    changed = varied(site, tmp_path / "changed", 's["pot"] += move', 's["pot"] += 3 * move')
    after = json.loads(run(*args, folder=changed))
    assert after["rounds_per_game"]["mean"] < before["rounds_per_game"]["mean"]
    assert json.loads(run(*args))["bots"] == before["bots"]


def test_play_record_and_replay(run):
    pitboss = ["-m", "pitboss"]
    run(*pitboss, "play", "toy:fair", "--watch", "--bots", "ev,coin,bank-8", "--seed", "3", "--record", "game.json")
    assert json.loads(run(*pitboss, "replay", "game.json", "--verify", "--json"))["verified"]
    assert "--- Round 1 ---" in run(*pitboss, "replay", "game.json")
    assert "pot " in run(*pitboss, "replay", "game.json", "--step", "5")
    asked = json.loads(run(*pitboss, "ask", "ev", "game.json@1", "--json"))
    assert asked["answer"] == asked["played"]["move"]
    worth = {each["move"]: each for each in asked["worth"]["moves"]}
    assert set(worth) == {"bank", "draw"}
    assert all(each["ci95"][0] <= each["value"] <= each["ci95"][1] and each["rollouts"] for each in worth.values())
    advice = json.loads(run(*pitboss, "advise", "--record", "game.json@1", "--json"))
    assert (advice["game"], advice["advice"]) == ("toy:fair", asked["worth"])
    shown = " ".join(run(*pitboss, "advise", "toy:fair", "--record", "game.json@1").split())
    assert "with all seats playing on as ev" in shown
    run(*pitboss, "replay", "game.json", "--html", "game.html")


def test_a_real_table_is_followed(run):
    args = ["-m", "pitboss", "advise", "toy", "--live", "--names", "ann,me", "--me", "1", "--json"]
    lines = run(*args, typed="5 bank\n3\ndraw 9\nundo 2\nquit\n").splitlines()
    first, second, wrong, back = map(json.loads, lines)
    assert first["told"] == ["ann draws 5, pot 5", "ann banks 5, total 5"]
    assert first["due"] == "Which chip falls?"
    assert second["due"].startswith("me: ")
    assert first["advice"] == {}  # nothing is asked of me yet
    assert second["advice"]["best"] in ("draw", "bank")
    assert [move["rollouts"] > 0 for move in second["advice"]["moves"]] == [True, True]
    assert "unknown chip '9'" in wrong["refused"]
    assert back["due"].startswith("ann: ")
    assert "toy:race has no chart" in run("-m", "pitboss", "chart", "toy", code=2)
    table = 'TableTapped(spec="toy", names=["ann", "me"], me=1, totals=[0, 0], dealer=1, taps=["5", "bank", "3"])'
    code = f"table = {table}; seen = followed(table); print(seen.due, len(seen.words), advice(table, True).headline)"
    shown = run("-c", f"from pitboss.web.companion import TableTapped, advice, followed; {code}").split()
    assert shown[0] == "me:"
    assert shown[-2] == "2"
    assert shown[-1] in ("draw", "bank")


def test_regret_and_what_cannot_be_solved(run):
    args = ["-m", "pitboss", "simulate", "toy", "--bots", "ev,bank-1", "--games", "10", "--seed", "1", "--regret"]
    careful, timid = json.loads(run(*args, "--json"))["regret"]["bots"]
    assert careful["lost_per_game"]["mean"] < timid["lost_per_game"]["mean"]
    assert "Share of the win lost by single decisions" in run(*args)
    too_large = run("-m", "pitboss", "solve", "toy", code=2)
    assert "the tree of toy:race is too large to solve: it has" in too_large
    assert "the limit is 5,000,000" in too_large
    assert "cannot be described in cards" in run("-m", "pitboss", "advise", "toy", "--hand", "5", code=2)


def test_a_new_bot_is_written_for_it(run, tmp_path):
    run("-m", "pitboss", "new-bot", "mine", "--game", "toy")
    assert "from pitboss_toy import ToyBot" in (tmp_path / "mine.py").read_text(encoding="utf-8")
    assert "16 passed" in run("-m", "pytest", "-p", "no:cacheprovider", "test_mine.py")


def test_a_table_that_begins_with_three_seats(run, site, tmp_path):
    """Two are not enough: what fills a table by itself finds out how many it takes."""
    folder = varied(site, tmp_path / "crowded", "range(2, SEATS + 1)", "range(3, SEATS + 1)")
    args = ["ev", "bank-3", "--game", "toy", "--seed", 1, "--blocks", 20, "--json"]
    assert json.loads(run("-m", "pitboss", "compare", *args, folder=folder))["seats"] == 4
    made = json.loads(run("-m", "pitboss", "new-bot", "mine", "--game", "toy", "--json", folder=folder))
    assert "pitboss play toy:race --bots mine.py:Mine,bank-10" in made["next"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def words(self) -> list[str]:", "def wards(self) -> list[str]:", "the method `words` is missing"),
        ('name = "toy"', 'name = "game"', "it calls itself game, but is registered as toy"),
        ('"busts", per="rounds"', '"bust", per="rounds"', "unknown column of tally 'bust'"),
        ("    columns = COLUMNS\n", "    columns = 6\n", "the columns of tally have names now"),
        ("class Toy(Game):", "class Toy(Game:", "the game toy cannot be loaded: SyntaxError"),
    ],
)
def test_a_game_half_written_is_told_what_it_lacks_and_harms_no_other(run, site, tmp_path, old, new, said):
    folder = varied(site, tmp_path / "half", old, new)
    assert said in run("-m", "pitboss", "rules", "toy", folder=folder, code=2)
    assert "show:fair" in run("-m", "pitboss", "games", folder=folder)


def test_a_bot_that_plays_another_game_is_told_which(run):
    """Its package is lent to the processes of bots that play its game, and to no others."""
    run("-m", "pitboss", "new-bot", "mine", "--game", "toy")
    said = json.loads(run("-m", "pitboss", "check-bot", "mine.py", "--games", 4, "--json", code=1, of="stdout"))
    assert "this is a bot for toy, so let it play that" in said[0]["findings"][0]["text"]
    assert json.loads(run("-m", "pitboss", "check-bot", "mine.py", "--game", "toy", "--games", 4, "--json"))[0]["fine"]


def test_tournament(run):
    """Built-in bots, one from an entry point, and one from a file, which the referee keeps in a process of its own."""
    run("-m", "pitboss", "new-bot", "mine", "--game", "toy")
    args = ["toy:fair", "--bots", "ev,bank-3,coin,mine.py:Mine", "--seats", 3, "--best-of", 3, "--blocks", 5]
    data = json.loads(run("-m", "pitboss", "tournament", "run", *args, "--seed", 1, "--workers", 1, "--json"))
    assert (data["game"], data["finished"], data["matches"]) == ("toy:fair", True, 4 * 3 * 5)
    assert {row["name"] for row in data["standings"]} == {"ev", "bank-3", "coin", "Mine"}
    assert {row["matches"] for row in data["standings"]} == {3 * 3 * 5}
    assert all(row["faults"] == {} for row in data["standings"])
    assert data["standings"][0]["name"] == "ev"


ENVIRONMENT = """
import gymnasium, pitboss.envs
from gymnasium.utils.env_checker import check_env
check_env(gymnasium.make("pitboss/Toy-v0").unwrapped)
many = gymnasium.make_vec("pitboss/Toy-v0", num_envs=50, opponents="ev,bank-5", seat=0)
one = gymnasium.make("pitboss/Toy-v0", opponents="ev,bank-5", seat=0)
rows, _ = many.reset(seed=3)
row, _ = one.reset(seed=3)
over = False
while not over:
    assert (rows[0] == row).all()
    rows, rewards, ended, _, _ = many.step((rows.sum(axis=1) % 3 > 0).astype(int))
    row, reward, over, _, _ = one.step(int(row.sum() % 3 > 0))
    assert (rewards[0], ended[0]) == (reward, over)
print(rows.shape, one.observation_space.shape)
"""


def test_environments(run):
    """It says nothing about learning, and is an environment, one by one and many at once."""
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")
    size = 1 + 5 + 6 + 4 + 3 * 6  # the seat, then all numbers of its state
    assert run("-c", ENVIRONMENT).strip() == f"(50, {size}) ({size},)"


def test_its_own_tests_pass(run):
    assert "14 passed" in run("-m", "pytest", "-p", "no:cacheprovider", "--rootdir", TOY, TOY / "tests")
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", TOY, "--doctest-modules", TOY / "src")


LIGHT = """
import os
os.environ["PITBOSS_LIGHT"] = "1"
from pitboss.core.side import load_side
side = load_side("toy:fair(target=20)")
position = side.start(2)
for word in ("5", "draw", "4", "bank", "skull", "2"):
    position.apply(word)
position.view(position.to_act)
view = side.view_with(position.views.tobytes(), position.to_act, 0b11)
print(view.total, [side.format_move(move) for move in view.legal], side.parse_move("bank"), side.python_bot().__name__)
"""


def test_the_whole_game_is_the_side_that_its_bots_see(run):
    """In the process of a bot, which is light until such a game is loaded."""
    assert run("-c", LIGHT) == "[9, 0] ['bank', 'draw'] 0 ToyBot\n"
