"""Who is entered, and what is not even looked into."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from pitboss import load
from pitboss.core.errors import BotError, PitbossError
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.ownership import MOST_SOURCE
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.tournament import Tournament

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


def test_a_file_called_bot_is_a_file_like_any_other(tmp_path, referee):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "pitboss.db").write_text("a key")
    (mine,) = contestants(f"{tmp_path}/bot.py", referee.game, referee, private=[tmp_path / "pitboss.db"])
    assert (mine.folder, mine.files) == ("", [tmp_path / "bot.py"])
    assert mine.source() == BOT.encode()


def test_a_tournament_of_old_is_played_as_it_was_entered(tmp_path, referee):
    """When a file called bot owned its folder, and nothing was written down about folders."""
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "table.txt").write_text("1 2 3")
    (team,) = contestants(f"{folder}/", referee.game, referee)
    data = team.to_dict()
    del data["folder"]
    old = Contestant.from_dict(data)
    assert old == team
    source = old.source()
    (folder / "table.txt").write_text("changed")
    kept = old.as_entered(source, tmp_path / "again")
    assert (tmp_path / "again" / "table.txt").read_text() == "1 2 3"
    assert kept.folder == str(tmp_path / "again")
    kept.verify_source()


@pytest.mark.parametrize("place", ["cup.db", "deep/cup.db", ".hidden/cup.db", "../link/cup.db"])
def test_a_bot_cannot_own_the_store(tmp_path, place):
    folder = tmp_path / "mine"
    for each in ("deep", ".hidden"):
        (folder / each).mkdir(parents=True)
    (folder / "bot.py").write_text(BOT)
    (tmp_path / "link").symlink_to(folder)
    store = folder / place
    with pytest.raises(PitbossError, match="owns the folder .*mine, and could read .*cup.db there"):
        Tournament("flip7:tournament", f"{folder}/,ev", store=str(store))
    assert not store.exists()
    with pytest.raises(PitbossError, match=r"could read .*report there"):
        Tournament("flip7:tournament", f"{folder}/,ev", private=[folder / "report"])
    Tournament("flip7:tournament", f"{folder}/bot.py,ev", store=str(store)).store.close()


def test_a_bot_cannot_own_any_database(tmp_path, enter):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    with closing(sqlite3.connect(folder / "book")) as connection:
        connection.execute("CREATE TABLE keys (key)")
    with pytest.raises(BotError, match="has no bots"):
        enter(f"{tmp_path}/")
    for text in (f"{folder}/", f"{folder}/:Mine"):
        with pytest.raises(BotError, match="mine belongs to the bot, and holds book, a database; .* move it"):
            enter(text)
    with pytest.raises(BotError, match="book is a database"):
        enter(f"cmd:cat {folder}/book")


def test_what_is_hidden_is_nobodys(tmp_path, referee):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / ".git").mkdir()
    for name in (".env", ".git/config", ".DS_Store"):
        (tmp_path / name).write_text("secret")
    (mine,) = contestants(f"{tmp_path}/", referee.game, referee)
    assert [file.name for file in mine.files] == ["bot.py"]
    assert b"secret" not in mine.source()


def test_a_program_owns_a_folder_that_it_is_given(tmp_path, referee):
    folder = tmp_path / "anna"
    folder.mkdir()
    (folder / "__main__.py").write_text("print(1)")
    (folder / "table.txt").write_text("1 2 3")
    (anna,) = contestants(f"cmd:python3 {folder}/", referee.game, referee)
    assert (anna.name, anna.folder) == ("anna", str(folder))
    assert [file.name for file in anna.files] == ["__main__.py", "table.txt"]
    (bare,) = contestants(f"cmd:{shutil.which('cat')} {folder}/__main__.py", referee.game, referee)
    assert bare.folder == ""


def test_names_that_cannot_be_shown_are_not(tmp_path, enter):
    (tmp_path / "good.py").write_text(BOT)
    (tmp_path / "esc\x1b[2J.txt").write_text("")
    (tmp_path / "esc\x1b.py").write_text(BOT)
    (tmp_path / "none\x9b").mkdir()
    (tmp_path / "none\x9b" / "main.py").write_text(BOT)
    _, left_out = enter(f"{tmp_path}/")
    assert len(left_out) == 3
    assert all(why.isprintable() for why in left_out)


def test_a_stranger_is_not_shown_as_one_of_ours(tmp_path, enter):
    """Nor as another stranger."""
    for name in ("ev", "Stay", "\u0435v", "Mine", "M\u0456ne"):
        (tmp_path / f"{name}.py").write_text(BOT.replace("Mine", name))
    (tmp_path / "stay-25.py").write_text("import nothing_of_that_name")
    (tmp_path / "e\u200bv.py").write_text("import nothing_of_that_name")
    names, left_out = enter(f"ev,stay-25,{tmp_path}/")
    assert names[:2] == ["ev", "stay-25"]
    assert {"stay-25 (file)", "ev (file)"} < set(names)
    assert all("(file)" in name for name in names[2:] if name.casefold().startswith(("stay", "ev", "\u0435")))
    assert [name for name in names if name.startswith("M")] == ["Mine", "M\u0456ne#2"]
    assert len(left_out) == 1  # the name with a letter that cannot be seen
