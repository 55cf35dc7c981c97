"""The documentation does what it says: its commands run, its links lead somewhere, its tables are true.

Blocks of ```python and ```bash are run in page order, each page in a folder and a namespace of its
own. A block whose first line is a comment with a file's name (# my_bot.py, # cup.toml) is saved as that
file first. What is typed into an interactive command stands in a comment before it:
<!-- typed: hit, quit -->. Where a block takes long, a comment says which numbers the tests put in the place
of others: <!-- fewer: 2000000=200000 -->. All other blocks are only shown. A page that needs more than pitboss itself
says so:
<!-- needs: gymnasium, pyspiel --> names packages, without which it is left out (and <!-- with: gymnasium --> one
without which the next block is); for <!-- needs: postgres --> there is
$STORE, the URL of an empty database, for <!-- needs: ray --> a cluster at $RAY_ADDRESS.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.main import get_command

import pitboss
from pitboss.analysis.solve import solve
from pitboss.cli.commands import command_line
from pitboss.core.analysis import Problem
from pitboss.core.bot import split_bots
from pitboss.core.rules import RulesBase, Switch
from pitboss.core.rules import show as value_text
from pitboss.games import flip7, show, vengeance
from pitboss.games.show import events

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
RUN = ("python", "bash")
SHOWN = ("sh", "text", "pycon", "json", "toml")
TIMEOUT_S = 240  # of one block; the first may have to compile the rules


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, its text, what is typed into it, and whether the commands before
    it print it."""

    page: Path
    line: int
    language: str
    text: str
    typed: str
    printed: bool

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"

    @property
    def file(self) -> str | None:
        """The file that the block asks to be saved as."""
        found = re.match(r"# ([\w-]+\.(?:py|toml))\n", self.text)
        return found[1] if found else None


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    fence = re.compile(
        r"(?:<!-- typed: (.*?) -->\n)?(?:<!-- with: (\w+) -->\n)?(?:<!-- fewer: (.*?) -->\n)?(<!-- printed -->\n)?"
        r"^```(\w*)\n(.*?)^```$",
        re.MULTILINE | re.DOTALL,
    )
    for found in fence.finditer(text):
        if found[2] and importlib.util.find_spec(found[2]) is None:
            continue
        typed = "".join(f"{answer.strip()}\n" for answer in (found[1] or "").split(",") if answer.strip())
        line = text[: found.start(5)].count("\n") + 1
        yield Block(page, line, found[5], fewer(found[6], found[3] or ""), typed, bool(found[4]))


def fewer(text: str, numbers: str) -> str:
    """A block with other numbers: `2000000=200000` is one for another."""
    for many, few in (pair.split("=") for pair in numbers.split()):
        assert text.count(many) == 1, f"{many} is not in the block that should do with fewer"
        text = text.replace(many, few)
    return text


def needs(page: Path) -> list[str]:
    """What a page needs besides pitboss itself."""
    found = re.search(r"<!-- needs: (.*?) -->", page.read_text(encoding="utf-8"))
    return [what.strip() for what in found[1].split(",")] if found else []


def need(packages: Iterable[str]) -> None:
    """Leave a test out where some of these packages are not installed."""
    for package in packages:
        pytest.importorskip(package, reason=f"{package} is not installed: make test-all installs it")


def provided(what: list[str], request: pytest.FixtureRequest) -> dict[str, str]:
    """Variables that lead a page to what it needs; where that is not installed, the test is left out."""
    if what == ["postgres"]:
        return {"STORE": request.getfixturevalue("postgres").new()}
    if what == ["ray"]:
        return {"RAY_ADDRESS": request.getfixturevalue("cluster").address}
    need(what)
    return {}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `pitboss` and `python` are those of this interpreter."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for program, arguments in {"pitboss": " -m pitboss", "python": ""}.items():
        script = programs / program
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{arguments} "$@"\n')
        script.chmod(0o755)
    sources = str(Path(pitboss.__file__).resolve().parent.parent)
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, [sources, os.environ.get("PYTHONPATH")])),
        "PITBOSS_QUIET": "1",
        "COLUMNS": "80",
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_blocks_run(
    page: Path,
    shell: dict[str, str],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PITBOSS_QUIET", "1")
    shell |= provided(needs(page), request)
    namespace: dict[str, object] = {"__name__": "page"}
    printed = ""
    for block in blocks(page):
        assert block.language in RUN + SHOWN, f"{block.place}: a block must say what it is: {RUN + SHOWN}"
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            exec(compile("\n" * block.line + block.text, str(page), "exec"), namespace)
        elif block.language == "bash":
            printed = run(block, folder, shell)
        elif block.printed:
            for line in block.text.splitlines():
                assert plain(line) in printed, f"{block.place}: not printed any more: {line}"


def plain(text: str) -> str:
    """A text without what may differ from run to run, or from terminal to terminal."""
    return " ".join(re.sub(r"\d+\.\d+ (m?s)\b", r"\1", " ".join(text.split())).split())


def run(block: Block, folder: Path, shell: dict[str, str]) -> str:
    """Run the commands of a block; what they print."""
    done = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", block.text],
        cwd=folder, env=shell, input=block.typed, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (
        f"{block.place}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    )
    if block.typed:
        asked = re.sub(r"\s+", " ", done.stdout)
        assert "left unfinished" in asked, f"{block.place}: what is typed should end with quit"
    return plain(done.stdout)


def test_nothing_outside_is_run() -> None:
    """Commands that change the machine are shown, not run."""
    for page in PAGES:
        for block in blocks(page):
            if block.language == "bash":
                found = re.search(r"\b(make|git|pip|apt|sudo|curl)\b", block.text)
                assert not found, f"{block.place}: {found and found[0]} belongs into a block marked sh"


def test_interactive_commands_are_fed() -> None:
    for page in PAGES:
        for block in blocks(page):
            for line in block.text.splitlines():
                asks = line.startswith("pitboss play") and "--watch" not in line
                asks |= line.startswith("pitboss advise") and "--live" in line
                if block.language == "bash" and asks:
                    assert block.typed, f"{block.place}: say what is typed: <!-- typed: hit, quit -->"


def test_first_bot_has_ten_lines_at_most() -> None:
    first = next(block for block in blocks(ROOT / "README.md") if block.language == "python")
    assert first.file == "my_bot.py"
    assert len(first.text.splitlines()) <= 10


def test_first_screen() -> None:
    """What it is, the two commands, the bot, the picture: all before the first heading below the title."""
    screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    for needed in (
        "make run",
        "make test",
        "class MyBot(Flip7Bot)",
        "--bots my_bot.py:MyBot",
        "docs/images/room-table.jpg",
    ):
        assert needed in screen


@pytest.mark.parametrize("file", sorted((ROOT / "examples" / "bots").glob("*.py")), ids=name)
def test_example_bots_play(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the table and the bots of the command that the file gives at its top, but few games."""
    monkeypatch.chdir(ROOT)
    command = re.search(r"^    (pitboss (simulate|tournament run) .*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert command
    words = shlex.split(command[1].removeprefix(f"pitboss {command[2]}"))
    bots = split_bots(words[words.index("--bots") + 1])
    if command[2] == "simulate":
        assert bots[0].startswith(name(file))
        assert pitboss.simulate(words[0], bots, games=12, seed=1).games == 12
    else:  # a program that is no module of ours
        assert bots[0] == f"cmd:python {name(file)}"
        standings = pitboss.Tournament(words[0], bots, blocks=1, seed=1).play()
        assert not any(row.faults for row in standings.rows)


# --- the page of all commands ---


def command_rows() -> dict[str, str]:
    """Commands and their examples, as docs/reference/commands.md has them."""
    text = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(pitboss [^`]+)` \| .* \| `([^`]+)` \|$", text, re.MULTILINE))


def all_commands(group: Any, path: str) -> Iterator[str]:
    """The commands of a Typer group, and of the groups within it."""
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from all_commands(command, f"{path} {word}")
        else:
            yield f"{path} {word}"


def test_every_command_is_on_its_page() -> None:
    assert sorted(command_rows()) == sorted(all_commands(get_command(command_line()), "pitboss"))
    for command, example in command_rows().items():
        assert example.startswith(command)


def test_examples_of_commands_run(shell: dict[str, str], tmp_path: Path) -> None:
    """In the order of the page, because some of them need what others have written."""
    folder = tmp_path / "page"
    folder.mkdir()
    for line, example in enumerate(command_rows().values()):
        run(Block(DOCS / "reference" / "commands.md", line, "bash", example, "", False), folder, shell)


# --- links ---


def anchors(page: Path) -> set[str]:
    """The anchors that a reader's software makes of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)]+)\)", text):
        assert not link.startswith("/"), f"{name(page)}: {link} is no relative link"
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)}: {link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{name(page)}: {link}: there is no such heading"


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        if page != DOCS / "README.md":
            assert f"({page.relative_to(DOCS).as_posix()})" in index


# --- pages that must agree with the code ---


def script(path: Path) -> ModuleType:
    """A script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reference_is_up_to_date() -> None:
    need(["gymnasium", "pettingzoo", "pyspiel"])  # its classes are on the page
    reference = script(DOCS / "make_reference.py")
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run python docs/make_reference.py"
    assert not re.search(r"\b0x[0-9a-f]{6,}", reference.page()), "an address in memory, other in every run"


def test_picture_can_be_made_and_fetches_nothing() -> None:
    picture = script(DOCS / "make_picture.py")
    for svg in (picture.table(), picture.PICTURE.read_text(encoding="utf-8")):
        assert svg.startswith("<svg")
        assert "Second" in svg
        assert "Freeze" in svg
        assert set(re.findall(r"https?://[^\"' )]+", svg)) == {"http://www.w3.org/2000/svg"}  # a name, not fetched


def test_picture_of_strengths_is_of_what_is_played() -> None:
    picture = script(DOCS / "make_picture.py")
    made, kept = picture.strength(), picture.STRENGTH.read_text(encoding="utf-8")
    texts = re.compile(r"<text[^>]*>([^<]+)</text>")
    assert texts.findall(made) == texts.findall(kept), "run python docs/make_picture.py"
    assert set(re.findall(r"https?://[^\"' )]+", kept)) == {"http://www.w3.org/2000/svg"}


@dataclass(frozen=True)
class RulesPage:
    """A page with a game's rules: its paragraphs by letter, with the last number of each, and its switches."""

    game: str
    rules: type[RulesBase]
    last: dict[str, int]

    @property
    def text(self) -> str:
        return (DOCS / "reference" / f"{self.game}-rules.md").read_text(encoding="utf-8")

    @property
    def ids(self) -> list[str]:
        """All ids that the page should have, in order."""
        return [f"{book}{n}" for book, most in self.last.items() for n in range(1, most + 1)]


RULES_PAGES = [
    RulesPage("flip7", flip7.Rules, {"C": 14, "S": 4, "A": 7, "T": 14, "N": 3, "O": 10}),
    RulesPage("show", show.Rules, {"H": 21}),
    RulesPage("vengeance", vengeance.Rules, {"V": 26}),
]
each_rules_page = pytest.mark.parametrize("page", RULES_PAGES, ids=lambda page: page.game)


def takes(kind: Switch) -> str:
    """The values of a switch as its table says them."""
    if kind.choices:
        return ", ".join(kind.choices)
    if kind.most:
        return f"{kind.least} to {kind.most}"
    return "0 or more" if kind.scale else "cards" if kind.reader else "true, false"


@pytest.mark.parametrize(
    ("page", "switch"), [pytest.param(p, s, id=f"{p.game}-{s}") for p in RULES_PAGES for s in p.rules.switches()]
)
def test_switch_is_documented(page: RulesPage, switch: str) -> None:
    kind, text = page.rules.switches()[switch], page.text
    row = next(line for line in text.splitlines() if line.startswith(f"| `{switch}` |"))
    _, _, allowed, *values, _ = (cell.strip() for cell in row.split("|"))
    assert allowed == takes(kind)
    presets = page.rules.presets.values()
    assert values == ["–" if switch in r.needless() else value_text(getattr(r, switch)) for r in presets]
    assert re.search(rf"^- `{switch}`: ", text, re.MULTILINE), f"{switch} is not explained"
    for choice in kind.choices:
        assert f"`{choice}`" in text, f"{switch}={choice} is not explained"


@each_rules_page
def test_switch_table_has_all_presets(page: RulesPage) -> None:
    head = next(line for line in page.text.splitlines() if line.startswith("| switch |"))
    assert head == f"| switch | takes | {' | '.join(page.rules.presets)} |"


@each_rules_page
def test_all_paragraphs_are_there(page: RulesPage) -> None:
    """C1 to C14 and so on, each once, in order."""
    assert re.findall(r"^- \*\*([A-Z]\d+)\b", page.text, re.MULTILINE) == page.ids


@each_rules_page
def test_paragraphs_named_in_the_code_exist(page: RulesPage) -> None:
    letters = "".join(page.last)
    for path in (ROOT / "src" / "pitboss" / "games" / page.game).rglob("*.py"):
        comments = re.findall(r'#.*|""".*?"""', path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for named in re.findall(rf"\b[{letters}]\d{{1,2}}\b", " ".join(comments)):
            assert named in page.ids, f"{path.name} names {named}, which is not on the rules page"


@pytest.mark.parametrize("preset", show.Rules.presets)
def test_figures_of_show_are_what_solve_measures(preset: str) -> None:
    """The rows of "Why `fair` exists"."""
    facts = solve(pitboss.load(f"show:{preset}"), Problem(games=400_000, seed=1)).to_dict()
    wins = [(p["wins"], 1.96 * (p["wins"] * (1 - p["wins"]) / facts["games"]) ** 0.5) for p in facts["players"]]
    value, turns = facts["value"], facts["turns_per_game"]
    cells = [
        f"`show:{preset}`",
        f"{value['mean']:+.4f} ± {half(value):.4f}",
        *(f"{100 * mean:.2f} ± {100 * width:.2f} %" for mean, width in wins),
        f"{turns['mean']:.4f} ± {half(turns):.4f}",
    ]
    row = f"| {' | '.join(cells)} |"
    assert row in RULES_PAGES[1].text.splitlines(), f"write into show-rules.md: {row}"


def half(estimate: dict[str, Any]) -> float:
    """Half the width of an interval."""
    low, high = estimate["ci95"]
    return float(high - low) / 2


def test_events_of_show_are_documented() -> None:
    """Every kind has its row, which says who may know the card."""
    section = (DOCS / "reference" / "notation.md").read_text(encoding="utf-8").partition("### Events of Show")[2]
    rows = dict(re.findall(r"^\| `([a-z ]+)` \| .* \| ([^|]*) \|$", section.partition("\n## ")[0], re.MULTILINE))
    assert sorted(rows) == sorted(events.KINDS)
    for kind, who in rows.items():
        event = events.ShowEvent(kind, 0, 1, 1)
        seen = "all" if event.seen_by(1) == event else "the seat" if event.seen_by(0) == event else "nobody"
        assert who.removeprefix("the card: ") == seen


# --- examples in docstrings ---


def modules() -> list[str]:
    names = (m.name for m in pkgutil.walk_packages(pitboss.__path__, "pitboss."))
    left_out = ("pitboss.cli", "pitboss.__main__", "pitboss.tournament.store.migrations")  # which Alembic runs
    return ["pitboss", *(n for n in names if not n.startswith(left_out))]


@pytest.mark.parametrize("module", modules())
def test_docstring_examples(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    needed = {
        "pitboss.envs": "gymnasium PIL", "pitboss.envs.aec": "pettingzoo", "pitboss.envs.spiel": "pyspiel",
        "pitboss.envs.sb3": "stable_baselines3",
        "pitboss.run.kernel": "numba_cuda", "pitboss.run.packed": "numba_cuda",
    }  # fmt: skip
    need(" ".join(packages for start, packages in needed.items() if module.startswith(start)).split())
    failed, _ = doctest.testmod(import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
