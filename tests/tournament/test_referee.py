"""The referee: guarded bots play as they would in process, are timed, told, struck and forfeited."""

import importlib.util
import py_compile
from py_compile import PycInvalidationMode

import numpy as np
import pytest

from pitboss import load, play
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.keys import Key
from pitboss.core.play import Runner
from pitboss.sandbox.limits import BotFault, Ending, Limits
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.referee.seats import Referee
from tests.tournament.conftest import BOTS
from tests.tournament.tables import EXAMPLES, GAME, ZOO, endings, guarded, printed, seated, tight

# --- the same game as in process ---


@pytest.mark.parametrize(
    ("spec", "bots"),
    [
        ("flip7:tournament", ["{file}:Lucky", "{file}:Lucky", "random"]),
        ("flip7:official", ["{examples}/gambler.py:Gambler(hunger=1.2)", "{examples}/watcher.py:Watcher", "ev"]),
        ("flip7:tournament", ["{file}:quick(limit=17)", "{examples}/racer.py:racer"]),
        ("show:full", ["{examples}/reader.py:Reader(at_once=10)", "{examples}/reader.py"]),
    ],
)
def test_a_guarded_game_is_the_game_in_process(file, spec, bots):
    game = load(spec)
    bots = [bot.format(file=file, examples=EXAMPLES) for bot in bots]
    with tight(game, Limits(start=60.0)) as referee:
        seats = seated(referee, *bots)
        runner = Runner(seats, faults=True)
        for deal in range(3):
            inside = play(game, bots, seed=5, deal=deal, rotation=1)
            outside = play(game, [], seed=5, deal=deal, rotation=1, seats=seats)
            assert (outside.moves, outside.trail, outside.outcome) == (inside.moves, inside.trail, inside.outcome)
            runner.play(Key.from_seed(5), deal, 1, np.zeros((len(bots), game.width)))
            assert (runner.moves, runner.faults) == (inside.moves, {})


def test_events_and_the_end_are_told_as_the_seat_may_know_them(file, tmp_path):
    """In Show a seat hears less than happened; what it hears is the same inside and outside."""
    (tmp_path / "listener.py").write_text(
        "from pitboss.show import ShowBot\n"
        "class Listener(ShowBot):\n"
        "    def saw(self, event):\n"
        "        print(event)\n"
        "    def end(self, outcome):\n"
        "        print(outcome)\n"
    )
    heard = []

    class Inside(load("show").python_bot()):
        def saw(self, event):
            heard.append(repr(event))

        def end(self, outcome):
            heard.append(repr(outcome))

    game = load("show:full")
    play(game, [Inside, "show-6"], seed=4)
    with tight(game) as referee:
        seats = seated(referee, tmp_path / "listener.py", "show-6")
        play(game, [], seed=4, seats=seats)
    assert printed(seats).replace("\n\n", "\n").splitlines() == heard
    assert any("a=-1" in line for line in heard)


def test_a_table_played_by_the_runner_tells_bots_that_listen(referee, file):
    seats = seated(referee, f"{file}:Teller", "stay-20")
    runner = Runner(seats, faults=True)
    assert seats.tells_events
    runner.play(Key.from_seed(1), 0, 0, np.zeros((2, GAME.width)))
    assert "dealt" in printed(seats)
    assert f"over: won {runner.outcome.scores}" in printed(seats)
    assert not seated(referee, f"{file}:Sometimes", "stay-20").tells_events


@pytest.mark.parametrize("bot", ["{file}:Teller", "cmd:python {examples}/lines.py"])
def test_much_can_happen_between_two_decisions(file, bot):
    """More events than fit into a pipe at once: they are read as they are written."""
    with tight(limits=Limits(decision=20.0)) as referee:
        seats = seated(referee, bot.format(file=file, examples=EXAMPLES), "ev")

        def again(position, events):
            if position.to_act == 0:
                seats.guests[0].see(events * 3000)

        play(GAME, [], seed=1, seats=seats, watch=again)
    assert seats.faults == []


# --- faults ---


def test_after_a_fault_a_new_child_goes_on(file):
    with tight(load("flip7:tournament(target=80)")) as referee:
        record, seats = guarded(referee, f"{file}:Sometimes")
    assert [(seat, kind) for _, seat, kind, _ in seats.faults] == [(0, Ending.EXCEPTION)]
    move = seats.faults[0][0]
    assert record.moves[move] == -1
    assert record.faults == {move: seats.faults[0][3]}
    assert "RuntimeError: round two (line 37 of some.py)" in record.faults[move]
    said = [seats.output[n].split() for n in sorted(seats.output)]
    assert [words[1] for words in said][:3] == ["1", "2", "1"]
    assert len({words[3] for words in said}) == len(said)


def test_a_file_opened_during_the_import_can_be_read_in_every_game(referee, tmp_path):
    path = tmp_path / "reader.py"
    path.write_text(
        "from pitboss.flip7 import Flip7Bot\n"
        "DATA = open(__file__)\n"
        "DATA.readline()\n"
        "class Reader(Flip7Bot):\n"
        "    def hit_or_stay(self, view):\n"
        "        print(DATA.readline().strip())\n"
        "        return 'stay'\n"
    )
    for deal in range(2):
        _, seats = guarded(referee, path, deal=deal)
        assert printed(seats).startswith("DATA = open(__file__)")
        assert seats.faults == []


def test_what_is_printed_in_a_long_game_is_kept_up_to_a_limit(tmp_path):
    (tmp_path / "wordy.py").write_text(
        "from pitboss.flip7 import Flip7Bot\n"
        "class Wordy(Flip7Bot):\n"
        "    def hit_or_stay(self, view):\n"
        "        print('word ' * 100)\n"
        "        return 'stay'\n"
    )
    with tight(load("flip7:tournament(target=1000)"), Limits(output=100)) as referee:
        for deal in range(2):
            _, seats = guarded(referee, tmp_path / "wordy.py", deal=deal)
            assert seats.cpu[0][0] > 30
            assert sum(map(len, seats.output.values())) == 25 * 100


def test_strikes_make_a_seat_forfeit_for_the_rest_of_the_match(referee):
    seats = seated(referee, ZOO / "nonsense.py:Raises", "stay-20")
    seats.new_match(strikes=1)
    play(GAME, [], seed=1, seats=seats, faults=True)
    kinds = [kind for _, _, kind, _ in seats.faults]
    assert kinds[:2] == [Ending.EXCEPTION, Ending.FORFEIT]
    assert seats.forfeited == {0}
    play(GAME, [], seed=2, seats=seats, faults=True)
    assert endings(seats) == {Ending.FORFEIT}
    assert seats.guests[0].process is None
    seats.new_match(strikes=2)
    play(GAME, [], seed=2, seats=seats, faults=True)
    assert Ending.EXCEPTION in endings(seats)


def test_that_somebody_has_forfeited_is_noted_once_in_a_game(referee):
    """Two of them make the longest games there are."""
    seats = seated(referee, ZOO / "nonsense.py:Raises", ZOO / "nonsense.py:Nonsense")
    seats.new_match(strikes=1)
    record = play(GAME, [], seed=1, seats=seats, faults=True)
    assert record.outcome.ended == "cut"
    assert [kind for _, _, kind, _ in seats.faults].count(Ending.FORFEIT) == 2 < len(record.moves)
    play(GAME, [], seed=2, seats=seats, faults=True)
    assert [(seat, kind) for _, seat, kind, _ in sorted(seats.faults)] == [(0, Ending.FORFEIT), (1, Ending.FORFEIT)]


def test_without_strikes_nobody_forfeits_and_without_faults_the_first_one_is_raised(referee):
    seats = seated(referee, ZOO / "nonsense.py:Raises", "stay-20")
    play(GAME, [], seed=1, seats=seats, faults=True)
    assert endings(seats) == {Ending.EXCEPTION}
    with pytest.raises(BotFault, match="the bot Raises at seat 0: exception: it raised ZeroDivisionError") as caught:
        play(GAME, [], seed=1, seats=seats)
    assert (caught.value.kind, caught.value.seat) == (Ending.EXCEPTION, 0)


def test_a_built_in_bot_beside_it_is_never_at_fault(referee):
    _, seats = guarded(referee, ZOO / "exits.py:Exits", others=("random", "random"))
    assert {seat for _, seat, _, _ in seats.faults} == {0}
    assert seats.cpu[1] == (0, 0.0, 0.0)


# --- time ---


def test_time_is_counted_for_each_seat(file):
    with tight(limits=Limits(decision=2.0)) as referee:
        _, seats = guarded(referee, f"{file}:Thinks(seconds=0.05)")
    decisions, total, most = seats.cpu[0]
    assert decisions > 0
    assert total >= 0.05 * decisions
    assert 0.05 <= most <= total


def test_a_bank_pays_for_long_thoughts_until_it_is_empty(file):
    """Decisions take 0.3 s and may take 0.2: a bank of 0.25 pays for two of them, in every game."""
    game = load("flip7:tournament(target=100)")
    with tight(game, Limits(decision=0.2, bank=0.25, wall=20)) as referee:
        seats = seated(referee, f"{file}:Thinks(seconds=0.3)", "stay-20")
        for deal in range(2):
            play(game, [], seed=1, deal=deal, seats=seats, faults=True)
            assert endings(seats) == {Ending.TIMEOUT}
            assert len(seats.faults) == seats.cpu[0][0] - 2


@pytest.mark.parametrize("name", ["decision", "start", "wall", "memory"])
def test_limits_that_leave_nothing_are_refused(name):
    with pytest.raises(PitbossError, match=f"a limit must be above 0, and {name} is 0"):
        Referee(GAME, Limits(**{name: 0}))


# --- who takes part ---


def test_contestants_of_every_kind(referee, file, tmp_path):
    (tmp_path / "first.py").write_text("from pitboss.flip7 import Flip7Bot\nclass MyBot(Flip7Bot): pass\n")
    (tmp_path / "second.py").write_text("from pitboss.flip7 import Flip7Bot\nclass MyBot(Flip7Bot): pass\n")
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "_helper.py").write_text("1 / 0")
    (tmp_path / "test_first.py").write_text("1 / 0")
    (tmp_path / "data.py").write_text("TABLE = [1, 2, 3]\n")
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(
        "import helper\nfrom pitboss.flip7 import Flip7Bot\nclass Team(Flip7Bot):\n    hit_or_stay = helper.choose\n"
    )
    (tmp_path / "team" / "helper.py").write_text("def choose(self, view): return 'stay'\n")
    entered = contestants(f"stay-25,{tmp_path}/,{file}:Thinks(seconds=0.3),stay-25", GAME, referee)
    assert [c.name for c in entered] == [
        "stay-25", "broken", "first", "second", "Team", "Thinks(seconds=0.3)", "stay-25#2",
    ]  # fmt: skip
    assert [c.kind for c in entered] == ["built-in", *["python"] * 5, "built-in"]
    assert all(Contestant.from_dict(c.to_dict()) == c for c in entered)
    team = entered[4]
    _, seats = guarded(referee, f"{tmp_path}/team/:Team")
    assert seats.faults == []
    team.verify_source()
    (tmp_path / "team" / "helper.py").write_text("def choose(self, view): return 'hit'\n")
    with pytest.raises(BotError, match="Team cannot play: .*bot.py has changed since it was entered"):
        team.verify_source()


def test_a_class_of_the_callers_own_plays_inside(referee):
    class Mine(GAME.python_bot()):
        def hit_or_stay(self, view):
            return "stay"

    (mine,) = contestants([Mine], GAME, referee)
    assert (mine.name, mine.kind) == ("Mine", "class")
    record = play(GAME, [], seed=1, seats=referee.seats([mine, mine]))
    assert record.moves == play(GAME, [Mine, Mine], seed=1).moves


def test_a_class_that_cannot_start_is_at_fault(referee):
    class Mine(GAME.python_bot()):
        def start(self, seat, rules, rng):
            raise RuntimeError("not ready")

    (mine,) = contestants([Mine], GAME, referee)
    (other,) = contestants(["ev"], GAME, referee)
    seats = referee.seats([mine, other])
    play(GAME, [], seed=1, seats=seats, faults=True)
    assert endings(seats) == {Ending.EXCEPTION}
    assert "RuntimeError: not ready" in seats.faults[0][3]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("stay", "stay needs a whole number"),
        ("nobody.py", "there is no bot file nobody.py"),
        ("{file}", "has 5 bots; say which: .*:Lucky"),
        ("nowhere/", "there is no folder nowhere"),
        ("{empty}/", "has no bots"),
        ("cmd:./nothing", "there is no program .*nothing"),
        ("cmd:no-such-program-anywhere x", "there is no program no-such-program-anywhere"),
        ("cmd:", "names no program"),
        ("{empty}/x.py", "has no bots: no subclass of Flip7Bot"),
    ],
)
def test_who_cannot_be_entered(referee, file, tmp_path, text, sentence):
    (tmp_path / "x.py").write_text("")
    with pytest.raises(BotError, match=sentence):
        contestants([text.format(file=file, empty=tmp_path)], GAME, referee)


def test_a_bot_that_owns_a_folder_shares_it_with_nobody(referee, file, tmp_path):
    (tmp_path / "bot.py").write_text(BOTS)
    (tmp_path / "other.py").write_text(BOTS)
    with pytest.raises(PitbossError, match="owns the folder .* and could read .*other.py:Lucky there"):
        contestants(f"{tmp_path}/:Lucky,{tmp_path}/other.py:Lucky", GAME, referee)


def test_a_bot_reads_nothing_of_its_folder_that_its_version_does_not_tell(referee, tmp_path):
    """Python would import what is compiled, and look at the source only to see whether that is newer, if at all."""
    (tmp_path / "bot.py").write_text(
        "import helper, os\nfrom pitboss.flip7 import Flip7Bot\n"
        "class Mine(Flip7Bot):\n"
        "    def hit_or_stay(self, view):\n"
        "        print(helper.NAME, *sorted(os.listdir(os.path.dirname(__file__))))\n"
        "        return 'stay'\n"
    )
    (tmp_path / "helper.py").write_text("NAME = 'source'")
    (tmp_path / "helper.txt").write_text("NAME = 'another'")
    compiled = importlib.util.cache_from_source(tmp_path / "helper.py")
    py_compile.compile(tmp_path / "helper.txt", compiled, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    _, seats = guarded(referee, f"{tmp_path}/")
    said = printed(seats).split("\n")[0].split()
    assert [word for word in said if word != "__pycache__"] == ["source", "bot.py", "helper.py", "helper.txt"]


def test_a_file_that_changed_is_not_played(file, tmp_path):
    path = tmp_path / "changing.py"
    path.write_text(BOTS)
    with tight() as referee:
        entered = contestants([f"{path}:Lucky", "ev"], GAME, referee)
        path.write_text(BOTS + "\n")
        with pytest.raises(BotError, match="has changed since it was entered"):
            play(GAME, [], seed=1, seats=referee.seats(entered))
