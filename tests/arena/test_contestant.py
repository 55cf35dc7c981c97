"""Who is entered, and what is not even looked into."""

import os

import pytest

from pitboss import load
from pitboss.arena.contestant import MOST_SOURCE, contestants
from pitboss.arena.referee.seats import Referee
from pitboss.table.errors import BotError

BOT = "from pitboss.flip7 import Flip7Bot\nclass Mine(Flip7Bot): pass\n"


@pytest.fixture(scope="module")
def referee():
    with Referee(load("flip7:tournament")) as referee:
        yield referee


@pytest.fixture
def enter(referee):
    """Enter these texts: names, and sentences about what was left out."""

    def run(texts):
        left_out = []
        return [c.name for c in contestants(texts, referee.game, referee, left_out)], left_out

    return run


def test_a_folder_is_entered_without_what_cannot_be_a_bot(tmp_path, enter):
    (tmp_path / "good.py").write_text(BOT)
    (tmp_path / "notes.py").write_text("x = 1\n")
    (tmp_path / "_own.py").write_text(BOT)
    (tmp_path / "._good.py").write_bytes(b"\x00\x05\x16\x07")  # as macOS packs beside each file
    for name in ("several", "pictures"):
        (tmp_path / name).mkdir()
    (tmp_path / "several" / "main.py").write_text(BOT)
    (tmp_path / "pictures" / "cat.png").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "copy.py").symlink_to(tmp_path / "good.py")
    (tmp_path / "passwd.py").symlink_to("/etc/passwd")
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(MOST_SOURCE + 1)
    (tmp_path / "many.py").write_text(BOT + "".join(f"class Mine{n}(Flip7Bot): pass\n" for n in range(30)))
    (tmp_path / "esc\x1b.py").write_text(BOT)
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(BOT)
    with (tmp_path / "team" / "weights").open("wb") as file:
        file.truncate(MOST_SOURCE + 1)
    for name in ("rob.ipynb", "ann.py.txt"):
        (tmp_path / name).write_text(BOT)
    names, left_out = enter(f"{tmp_path}/")
    assert names == ["Mine"]
    for what in (f"what is no Python file in {tmp_path}: ann.py.txt, rob.ipynb",
                 "notes.py has no bot of this game: no class in it inherits from Flip7Bot", "several has no bot.py",
                 "pipe.py is not a file", "copy.py is a link", "passwd.py is a link", "huge.py has more than 16 MB",
                 "many.py has 31 bots", "cannot be shown", "team holds more than 16 MB"):  # fmt: skip
        assert sum(what in why for why in left_out) == 1
    assert len(left_out) == 10


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("Mine(limt=30)", r"unexpected keyword argument 'limt'"),
        ("Mine(1, 2)", "positional argument"),
        ("Mine(limit=-1)", "ValueError: not below 0"),
        ("Mine(limit=)", "'limit=' in .* is not of the form name=value"),
        ("Mine(limit=30)", ""),
    ],
)
def test_wrong_arguments_are_told_before_play(tmp_path, enter, call, wrong):
    made = "    def __init__(self, limit=20):\n        if limit < 0: raise ValueError('not below 0')\n"
    (tmp_path / "mine.py").write_text(BOT.replace(" pass\n", "\n" + made))
    text = f"{tmp_path}/mine.py:{call}"
    if not wrong:
        assert enter(text) == ([call], [])
        return
    with pytest.raises(BotError, match=wrong) as refused:
        enter(text)
    assert str(refused.value).count("mine.py") == 1


def test_a_folder_of_ones_own_does_not_lend_what_links_point_to(tmp_path, referee):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(BOT)
    (tmp_path / "mine" / "table.txt").write_text("1 2 3")
    (tmp_path / "mine" / "peek").symlink_to("/etc/passwd")
    [mine] = contestants(f"{tmp_path}/", referee.game, referee)
    assert [file.name for file in mine.files] == ["bot.py", "table.txt"]
    assert b"root:" not in mine.source()


def test_the_folder_of_one_bot_is_that_bot(tmp_path, enter):
    (tmp_path / "bot.py").write_text("from table import LIMIT\n" + BOT)
    (tmp_path / "table.py").write_text("LIMIT = float(open('limit.txt').read())\n")  # which it cannot be on its own
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.py").write_text("x = 1\n")
    (tmp_path / "notes.py").write_text("y = 1\n")
    assert enter(f"{tmp_path}/") == ([tmp_path.name], [])


def test_names_tell_bots_apart(tmp_path, enter):
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.py").write_text(BOT)
    assert enter(f"{tmp_path}/,ev,ev")[0] == ["ann", "ben", "ev", "ev#2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{0}/pipe.py", "is not a file"),
        ("{0}/none.py", "there is no bot file"),
        ("{0}/empty/", "has no bots"),
        ("{0}/mine.py:Mime(limit=3)", "mine.py: 'Mime' .did you mean 'Mine'"),
        ("{0}/notes.py:Notes", "no subclass of Flip7Bot"),
    ],
)
def test_what_cannot_be_entered_is_said(tmp_path, enter, text, sentence):
    (tmp_path / "mine.py").write_text(BOT)
    (tmp_path / "notes.py").write_text("x = 1")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BotError, match=sentence):
        enter(text.format(tmp_path))


def test_a_name_is_shown_as_far_as_there_is_room(tmp_path, enter):
    for file in ("one.py", "two.py"):
        (tmp_path / file).write_text(BOT.replace("Mine", "M" * 10_000) + BOT.replace("Mine", "M" * 9_999))
    names, _ = enter(f"{tmp_path}/")
    assert len(set(names)) == 4
    assert max(map(len, names)) < 100


def test_files_of_a_folder_may_be_called_anything(tmp_path, enter):
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(BOT)
    with open(os.fsencode(tmp_path / "team") + b"/no\xfftext", "w") as file:
        file.write("data")
    assert enter(f"{tmp_path}/") == (["Mine"], [])
