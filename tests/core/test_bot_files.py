"""Bots from files: both kinds work, and what is wrong with one is said in a sentence."""

import pytest

from pitboss import bot, play, simulate
from pitboss.core.errors import BotError
from pitboss.games.flip7 import Flip7Bot, RandomBot

GOOD = """
from pitboss.flip7 import HIT, STAY, Flip7Bot, compiled_bot


class Careful(Flip7Bot):
    def __init__(self, limit=18, name="x"):
        self.limit = limit

    def hit_or_stay(self, view):
        return HIT if view.points < self.limit else STAY


class Wordy(Flip7Bot):
    def hit_or_stay(self, view):
        return "twist" if view.points < 18 else "stick"


@compiled_bot
def quick(view, rules, seat, params, luck):
    if view["decision"] == 1:
        return 1 if view["points"][seat] < 18 else 0
    return 3 if view["decision"] == 4 else 4


@compiled_bot(floor=0, limit=18)
def tuned(view, rules, seat, params, luck):
    if view["decision"] == 1:
        return HIT if params[0] <= view["points"][seat] < params[1] else STAY
    return 3 if view["decision"] == 4 else 4


@compiled_bot
def wrong(view, rules, seat, params, luck):
    return 50


class Helper:
    pass
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "bots.py"
    path.write_text(GOOD)
    return path


def test_python_compiled_and_built_in_bots_of_one_idea_play_alike(file):
    def wins(name):
        result = simulate("flip7:numbers", [name, "ev"], games=60, seed=3)
        return [result.win_share(i).mean for i in range(2)], result.decisions

    expected = wins("stay-18")
    for name in (
        "Careful",
        "Careful(limit=18, name=hello)",
        "Careful(18)",
        "Wordy",
        "quick",
        "tuned",
        "tuned(limit=18)",
    ):
        assert wins(f"{file}:{name}") == expected


def test_arguments_reach_the_bot(file):
    assert (
        play("flip7:solo", [f"{file}:Careful(limit=25)"], seed=1).moves == play("flip7:solo", ["stay-25"], seed=1).moves
    )


def test_parameters_are_known_by_name(file):
    named = play("flip7:solo", [f"{file}:tuned(limit=25, floor=0)"], seed=1)
    assert named.moves == play("flip7:solo", ["stay-25"], seed=1).moves


CHEATS = """
from pitboss.flip7 import STAY, compiled_bot

@compiled_bot
def cheat(view, rules, seat, params, luck):
    view["total"][seat] = 500
    view["points"][seat] = 150
    rules["target"] = 1
    return STAY if view["decision"] == 1 else 4

@compiled_bot
def honest(view, rules, seat, params, luck):
    return STAY if view["decision"] == 1 else 4
"""


def test_writing_to_the_table_changes_nothing(tmp_path):
    """A compiled bot that is not built in gets copies: alone, among Python bots, and move by move."""
    (tmp_path / "c.py").write_text(CHEATS)
    cheat, honest = f"{tmp_path}/c.py:cheat", f"{tmp_path}/c.py:honest"

    def facts(name, other):
        result = simulate("flip7:numbers", [name, other], games=20, seed=1)
        return result.sums.columns.tolist(), result.decisions

    for other in ("stay-20", RandomBot):
        assert facts(cheat, other) == facts(honest, other)
    assert play("flip7:numbers", [cheat, "ev"], seed=2).trail == play("flip7:numbers", [honest, "ev"], seed=2).trail


@pytest.mark.parametrize(
    ("body", "sentence"),
    [('return view["pints"][seat]', "does not compile: .*pints"), ('return "hit"', "does not compile")],
)
def test_compiled_bots_that_do_not_compile(tmp_path, body, sentence):
    path = tmp_path / "n.py"
    path.write_text(
        "from pitboss.flip7 import compiled_bot\n"
        f"@compiled_bot\ndef bot(view, rules, seat, params, luck):\n    {body}\n"
    )
    for run in (simulate, play):
        with pytest.raises(BotError, match=f"the compiled bot .*n.py {sentence}"):
            run("flip7:solo", [str(path)])


def test_the_version_is_a_hash_of_the_source(file):
    before = bot(f"{file}:Careful").version
    assert len(before) == 16
    file.write_text(GOOD + "\n# changed\n")
    assert bot(f"{file}:Careful").version != before


@pytest.mark.parametrize(
    ("source", "name", "sentence"),
    [
        (GOOD, ":Carefull", "unknown bot in .*did you mean 'Careful'"),
        (GOOD, ":Helper", "neither a subclass of Flip7Bot nor marked @compiled_bot"),
        (GOOD, "", "has 5 bots; say which: .*:Careful, "),
        (GOOD, ":Careful(limt=3)", "making the bot failed with TypeError"),
        (GOOD, ":quick(limit=3)", "unknown parameter of .*quick.*it has none"),
        (GOOD, ":tuned(limt=3)", "unknown parameter of .*did you mean 'limit'"),
        (GOOD, ":tuned(limit=x)", "is not a number"),
        (GOOD, ":tuned(3)", "are given by name"),
        ("x = 1\n", "", "has no bots"),
        ("def broken(:\n", ":A", "does not import, line 1: SyntaxError"),
        ("import not_there\n", ":A", "does not import: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", ":A", "does not import: SystemExit"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path, source, name, sentence):
    path = tmp_path / "b.py"
    path.write_text(source)
    with pytest.raises(BotError, match=sentence):
        bot(f"{path}{name}")


def test_a_file_that_is_not_there():
    with pytest.raises(BotError, match="there is no bot file nowhere.py"):
        bot("nowhere.py:A")


ANSWERS = {
    "None": "answered None, which is no move; to 'Hit or stay\\?' it may answer stay, hit",
    "True": "answered True, which is no move",
    "2.0": "answered 2.0, which is no move",
    "'jump'": "raised NotationError: 'jump' is not a move",
    "3": "made an illegal move: yes is not legal for seat 0 now; legal: stay, hit",
    "77": "made an illegal move: 77 is not legal",
    "-1": "only the referee",
    "1 / 0": "raised ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("way", ["play", "simulate"])
def test_nonsense_is_named(tmp_path, answer, way):
    path = tmp_path / "b.py"
    path.write_text(
        "from pitboss.flip7 import Flip7Bot\n"
        f"class B(Flip7Bot):\n    def hit_or_stay(self, view):\n        return {answer}\n"
    )
    run = play if way == "play" else simulate
    with pytest.raises(BotError, match=f"the bot .*b.py:B at seat 0 .*{ANSWERS[answer]}"):
        run("flip7:solo", [f"{path}:B"])


def test_nonsense_of_compiled_bots_is_named(file):
    for line_up in ([f"{file}:wrong", "ev"], [f"{file}:wrong", f"{file}:Careful"]):
        with pytest.raises(BotError, match=r"the bot .*wrong at seat \d made an illegal move.*legal: stay, hit"):
            simulate("flip7:numbers", line_up, games=10)
    with pytest.raises(BotError, match="the bot .*wrong at seat 0 made an illegal move"):
        play("flip7:numbers", [f"{file}:wrong", "ev"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nobody", "unknown bot 'nobody'; the choices are: random, conservative, stay-N"),
        ("stay", "stay needs a whole number from 0 to 200 after a dash"),
        ("stay-2.5", "needs a whole number"),
        ("bust-2", "bust needs a number from 0 to 1"),
        ("cards-4(every=true)", "cards takes one named parameter"),
        ("cards-4(all=perhaps)", "cards takes one named parameter"),
        ("ev-3", "the bot ev takes no number"),
        ("stay-20(x=1)", "takes no named parameters"),
        ("ev+freeze-everyone", "unknown target rule 'freeze-everyone'"),
        ("stay-20(x)", "not of the form name=value"),
        (RandomBot(), "give the class Flip7RandomBot, not an instance"),
        (7, "7 is no bot"),
    ],
)
def test_built_in_bots_that_cannot_be(text, sentence):
    with pytest.raises(BotError, match=sentence):
        bot(text)


@pytest.mark.parametrize("text", ["ev,,ev", "ev*0,ev", "", "ev,", "*3"])
def test_lists_with_holes_are_refused(text):
    with pytest.raises(BotError, match="names no bot in"):
        simulate("flip7:numbers", text)


def test_a_list_may_be_a_text():
    assert simulate("flip7:numbers", "ev,stay-20*2", games=3).names == ["ev", "stay-20", "stay-20#2"]


def test_a_target_that_cannot_be_is_named():
    class Wild(RandomBot):
        def decide(self, view):
            return Flip7Bot.decide(self, view)

        def hit_or_stay(self, view):
            return "hit"

        def choose_target(self, view, card, targets):
            return 99

    with pytest.raises(
        BotError, match=r"choose_target returned 99; the (Freeze|Flip Three|Second Chance) can go to \["
    ):
        simulate("flip7:official", [Wild, "ev"], games=100)
