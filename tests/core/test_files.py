"""Files that people ask for, temporary folders, and names that others chose."""

import csv
import io
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from pitboss.core import temporary
from pitboss.core.errors import PitbossError
from pitboss.core.files import one_at_a_time, whole_file, write_whole
from pitboss.core.text import as_json_text, cell, likeness, plain_name, printable

STILL = """
import sys, time
from pitboss.core.temporary import temporary_folder
with temporary_folder("test") as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text("x")
    print(folder, flush=True)
    time.sleep(600)
"""


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "before")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.write("half" + 1)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", b"content")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"content"


def test_devices_and_pipes_stay_what_they_are(tmp_path):
    write_whole(Path("/dev/null"), "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(PitbossError, match="cannot write /dev/full: No space left on device"):
        write_whole(Path("/dev/full"), "too much")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    write_whole(tmp_path / "pipe", "through")
    reader.join()
    assert read == ["through"]
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(PitbossError, match="cannot write .*: No such file or directory"):
        write_whole(tmp_path / "no" / "folder", "x")


@pytest.fixture
def tmp(tmp_path, monkeypatch):
    """A folder for temporary folders of these tests alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    temporary.remove_abandoned.cache_clear()
    return tmp_path


def test_folders_of_processes_that_were_killed_are_removed(tmp):
    def start():
        process = subprocess.Popen(
            [sys.executable, "-c", STILL], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp)}
        )
        return process, Path(process.stdout.readline().strip())

    dead, gone = start()
    living, kept = start()
    dead.kill()
    dead.wait()
    assert gone.is_dir()
    not_ours = [tmp / "pitboss-mine", tmp / "pitboss-link", tmp / "other"]
    not_ours[0].mkdir()  # by somebody who likes the name
    (tmp / "target").mkdir()
    (tmp / "target" / temporary.LOCK).touch()
    not_ours[1].symlink_to(tmp / "target")
    not_ours[2].mkdir()
    with temporary.temporary_folder() as own:
        assert own.is_dir()
        assert not gone.exists()
        assert kept.is_dir()
        assert all(path.exists() for path in not_ours)
        assert (tmp / "target" / temporary.LOCK).exists()
    assert not own.exists()
    living.send_signal(signal.SIGKILL)
    living.wait()
    for process in (dead, living):
        process.stdout.close()


def test_a_forked_child_does_not_remove_its_parents_folder(tmp):
    manager = temporary.temporary_folder()
    with manager as folder:
        child = os.fork()
        if not child:
            try:
                manager.__exit__(None, None, None)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert folder.is_dir()
    assert not folder.exists()


def test_nothing_commands_a_terminal():
    assert printable("a\x1b]0;x\x07\x9b\u202eb\udcff") == "a\\x1b]0;x\\x07\\x9b\\u202eb\\udcff"
    assert as_json_text('["\x9b", "\U000e0001", "ü"]\n') == '["\\u009b", "\\udb40\\udc01", "ü"]\n'


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])
def test_no_text_is_a_formula(text):
    out = io.StringIO(newline="")
    csv.writer(out).writerow([cell(value) for value in (text, -1, -0.5, "ev", "a=b")])
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert row == [f"'{text}", "-1", "-0.5", "ev", "a=b"]


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("STAY-25", "stay-25"), ("stay\u201125", "stay-25"), ("st\u0430y-25", "stay-25"), ("stay\u200b-25", "stay-25"),
        ("\uff53tay-25", "stay-25"), ("sta\u0301y-25", "stay-25"), ("stay-25\u3164", "stay-25"),
        ("\u041d\u0415\u039d", "hen"), ("b0tl", "bot1"),
    ],
)  # fmt: skip
def test_look_alikes_are_known(other, name):
    assert likeness(other) == likeness(name)
    assert plain_name(other).isprintable()


def test_one_at_a_time(tmp_path):
    order, begun = [], threading.Event()

    def second():
        begun.set()
        with one_at_a_time(tmp_path / "lock"):
            order.append("second")

    with one_at_a_time(tmp_path / "lock"):
        waiting = threading.Thread(target=second)
        waiting.start()
        begun.wait()
        time.sleep(0.1)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    with one_at_a_time(tmp_path / "nowhere" / "lock"):
        order.append("without a lock")
    assert order[-1] == "without a lock"
