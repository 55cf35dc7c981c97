"""Would the conformance tests notice? Run by `make mutants`.

Two kinds of mutants, each of which must make at least one of the game's conformance tests fail:
every switch of every rule book set to every other value, and small edits of the rule book's code
(a comparison changed, a number off by one, a condition negated, a statement dropped), drawn by a
fixed seed. An edit that makes the game crash or hang is caught too.

    python tests/mutants.py                 all switches, a sample of edits, for every game
    python tests/mutants.py --edits all     every edit there is
    python tests/mutants.py --game show     one game only

A mutant lives in a process of its own, forked from one that has loaded what all of them need (`WARM`), and finds the
edited code instead of what lies in `src`: nothing is copied, and little is loaded anew.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import random
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from pitboss.core.registry import game_class
from pitboss.core.rules import show

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TIMEOUT_S = 60  # of processor time: a run that takes more hangs; all tests of a game together take ten or twenty

# Functions that are no rules.
NO_RULES = {
    "where": "names a card's place in the key's stream; tests/core looks after it",
    "gains": "tells players what a card would add; tests/games/flip7 looks after it",
    "clashes": "tells players what would bust; tests/games/vengeance looks after it",
    "tally": "counts finished games for simulations; tests/run looks after it",
}

# Edits that change nothing: the function, and the line before or after the edit.
SAME_FLIP7 = {
    ("apply", 's["card"] = -1'): "every question sets its own card",
    ("_open_next", 'if int(r["stay_before_opening"]) and int(s["taken"][seat]) > (1) and _may_stay(s, r, seat):'):
        "whoever is still active before its opening card has taken no card or three",
    ("_deal", 's["taken"][seat] += (2)'): "the rules ask only whether there were any; `where` needs the number",
    ("_claim", "return (1)"): "equal claims, whatever they are",
    ("put_on", 's["flipping"] = (2)'): "yes is any number but 0",
    ("put_on", 's["again"] = (2)'): "yes is any number but 0",
    ("end_flip", "drop_waiting(s, begin, end - begin, ev)"): "assign_next and resolve_waiting would discard them too",
    ("turn_over", "while (i <= j):"): "a card changes places with itself",
    ("turn_over", "i += (2)"): "there are three cards at most",
    ("turn_over", "j -= (2)"): "there are three cards at most",
    ("turn_over", 's["waiting_by"][i] = s["waiting_by"][j]'): "one Flip Three, one chooser",
    ("turn_over", 's["waiting_by"][j] = by'): "one Flip Three, one chooser",
    ("drop_waiting", 's["waiting_by"][i - count] = s["waiting_by"][i]'): "one Flip Three, one chooser",
    ("drop_waiting", 's["waiting_for"][i - count] = s["waiting_for"][i]'): "what moves up is not assigned yet",
}  # fmt: skip
SAME_SHOW = {
    ("_show", 'if int(s["caller"]) == player and int(s["payoff"][player]) <= (1):'): "payoffs come in thousands here",
}  # fmt: skip
FIRST_DEALER = "  # the first round moves it on to the last seat (V3)"
SAME_VENGEANCE = {
    ("start", 's["dealer"] = seats - 2 if (seats >= 1) else 0' + FIRST_DEALER): "left of -1 is 0",
    ("start", 's["dealer"] = seats - 2 if seats > (2) else 0' + FIRST_DEALER): "with two it is 0 either way",
    ("start", 's["dealer"] = seats - 2 if seats > 1 else (1)' + FIRST_DEALER): "alone, everybody's left is 0",
    ("apply", "if move < (1):"): "an only answer is never to stay",
    ("apply", "if (move <= 0):"): "an only answer is never to stay",
    ("_fault", "if (card > 0):"): "the card of a question is an action or a modifier",
    ("_fault", "if card >= (1):"): "the card of a question is an action or a modifier",
    ("_end_round", 'if (total + gained <= 0) and not int(r["below_zero"]):'): "0 is 0",
    ("_end_round", 'if total + gained < (1) and not int(r["below_zero"]):'): "0 is 0",
    ("_end_game", 'if winners == 1 or ((winners >= 1) and int(r["tie"]) == rules.SHARED):'): "one is enough anyway",
    ("_deal", 's["taken"][seat] += 1'): "the rules ask nothing of it; `where` needs the number",
    (
        "can_pick",
        "return place >= 0 and (seat <= int(s['seats'])) and (within_choice(s, r, seat) >> (place % LINE)) & 1 != 0",
    ): "nobody sits there, and no card lies there",
    ("_end_flip", "while (begin <= end):  # all are the same seat's"): "a card changes places with itself",
    (
        "deadly",
        "return (line & (((2) << NUMBERS) - 1)) | (((line >> UNLUCKY_7) & 1) << SEVEN) | (-two & THIRTEENS)",
    ): "an Unlucky 7 starts over whatever is deadly; what odds make of it, test_properties looks after",
    ("out_of_play", "if (kind <= LINE):"): "no line has a bit above 21",
    ("bits_in", "return ((bits * (16843010)) >> 24) & 0xFF"): "no line has a bit above 21",
    ("_only_card", "for seat in range((int(s['seats']) + 1), -1, -1):"): "nobody sits there",
    (
        "_only_card",
        "places += some + ((2) if line & (line - 1) != 0 else 0)  # two stand for more",
    ): "three do so as well",
    ("_end_flip", "drop_waiting(s, begin, ev)"): "resolve_waiting would discard them too",
    ("stop_taking", "if (int(s['obeyed']) > 0):"): "the kind of an action is above 21",
    ("stop_taking", 'if int(s["obeyed"]) >= (1):'): "the kind of an action is above 21",
    ("worth", 'return total if (total > 0) or int(r["below_zero"]) else 0'): "0 is 0",
    ("worth", 'return total if total >= (1) or int(r["below_zero"]) else 0'): "0 is 0",
}


@dataclass(frozen=True)
class Book:
    """A game's rule book and the tests that guard it."""

    game: str
    files: tuple[str, ...]
    tests: str
    same: dict[tuple[str, str], str]
    first: str  # the test file that is tried first

    def source(self, file: str) -> Path:
        return SOURCE / "pitboss" / "games" / self.game / f"{file}.py"

    def module(self, file: str) -> str:
        return f"pitboss.games.{self.game}.{file}"


BOOKS = {
    book.game: book
    for book in (
        Book("flip7", ("step", "actions", "state"), "tests/games/flip7/conformance", SAME_FLIP7, "common"),
        Book("show", ("step",), "tests/games/show/conformance", SAME_SHOW, "calls"),
        Book(
            "vengeance",
            ("step", "actions", "taking", "lines", "state"),
            "tests/games/vengeance/conformance",
            SAME_VENGEANCE,
            "actions",
        ),
    )
}


@dataclass(frozen=True)
class Mutant:
    """Something to notice: where, what, and how to run the tests against it."""

    where: str
    what: str
    run: Callable[[], str]  # what caught it, or nothing


# --- switches ---


def switches(book: Book) -> Iterator[Mutant]:
    rules_class = game_class(book.game).rules_class
    for preset, rules in rules_class.presets.items():
        refused = rules.needless()
        for name, switch in rules_class.switches().items():
            if name not in refused:
                for value in switch.others(getattr(rules, name)):
                    change = f"{name}={show(value)}"
                    run = partial(first_failure, book, first=preset, PITBOSS_MUTATE=f"{preset}:{change}")
                    yield Mutant(preset, change, run)


# --- edits ---


@dataclass(frozen=True)
class Edit:
    """A piece of a source file replaced by another."""

    book: Book
    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def run(self) -> str:
        code = self.book.source(self.file).read_bytes()
        return first_failure(
            self.book, (self.book.module(self.file), code[: self.start] + self.new.encode() + code[self.end :])
        )

    def mutant(self) -> Mutant:
        return Mutant(f"{self.file}.py:{self.line}", f"{self.old}  →  {self.new}", self.run)


_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt
}  # fmt: skip


def edits(book: Book, file: str) -> Iterator[Edit]:
    """All edits of the functions in a file of the rule book."""
    code = book.source(file).read_bytes()
    lines = code.splitlines(keepends=True)
    begins = [sum(map(len, lines[:n])) for n in range(len(lines))]
    for function in ast.parse(code).body:
        if isinstance(function, ast.FunctionDef) and function.name not in NO_RULES:
            for node in (n for statement in function.body for n in _pieces(statement)):
                start = begins[node.lineno - 1] + node.col_offset
                end = begins[node.end_lineno - 1] + node.end_col_offset
                before = lines[node.lineno - 1]
                for new in _changes(node):
                    after = before[: node.col_offset] + new.encode() + code[end : begins[node.lineno - 1] + len(before)]
                    if not {(function.name, line.decode().strip()) for line in (before, after)} & book.same.keys():
                        yield Edit(book, file, node.lineno, start, end, ast.unparse(node), new)


def _pieces(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all that it is made of, less docstrings, the writing of events, and -1,
    which stands for none and does so as -2."""
    if isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or _called(node) == "emit"):
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return
    if hasattr(node, "lineno"):
        yield node
    for test in _conditions(node):
        test.is_condition = True
    for child in ast.iter_child_nodes(node):
        yield from _pieces(child)


def _called(node: ast.Expr) -> str:
    call = node.value
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""


def _conditions(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.If(test) | ast.IfExp(test):
            return [test]
        case ast.BoolOp(_, values):
            return values
    return []


def _changes(node: ast.AST) -> Iterator[str]:
    if getattr(node, "is_condition", False) and isinstance(node, ast.Call):
        yield f"(not {ast.unparse(node)})"
    match node:
        case ast.Compare(left, [op], [right]):
            yield f"({ast.unparse(ast.Compare(left, [_OTHER[type(op)]()], [right]))})"
        case ast.BoolOp(op, values):
            yield f"({ast.unparse(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))})"
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield f"({value + 1})"
        case ast.BinOp(left, ast.Add(), right):
            yield f"({ast.unparse(ast.BinOp(left, ast.Sub(), right))})"
        case ast.BinOp(left, ast.Sub(), right):
            yield f"({ast.unparse(ast.BinOp(left, ast.Add(), right))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.IfExp(test, body, orelse):
            yield f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.Expr(ast.Call()):
            yield "pass"
        case ast.Assign([ast.Subscript(), *_], _):
            yield "pass"
        case ast.AugAssign(target, op, value):
            yield "pass"
            if isinstance(op, ast.Add | ast.Sub):
                yield ast.unparse(ast.AugAssign(target, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), value))


# --- running the tests ---


WARM = get_context("forkserver")  # it has loaded all that tests need but the games
LOADED = [
    "pytest",
    "pytest_timeout",
    "hypothesis",
    "numpy",
    "pitboss",
    "pitboss.core.play",
    "pitboss.core.record",
    "tests.conftest",
]
SETTINGS = {
    "NUMBA_DISABLE_JIT": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "COLUMNS": "300",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # plugins take longer to load than most mutants live
}

Module = tuple[str, bytes]  # its name, and its code instead of what lies in `src`


class Edited(MetaPathFinder):
    """Finds one module elsewhere."""

    def __init__(self, module: Module, folder: Path) -> None:
        self._name, code = module
        self._file = folder / "edited.py"
        self._file.write_bytes(code)

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self._file) if name == self._name else None


def run_tests(paths: list[str], folder: Path, edited: Module | None, environment: dict[str, str]) -> None:
    """Run tests in this process and end it, with pytest's exit code; what they print goes into the folder."""
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT_S, TIMEOUT_S + 5))  # however busy others keep the machine
    os.environ.update(environment)
    for stream in (1, 2):
        os.dup2(os.open(folder / "printed", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    if edited:
        assert not any(name.startswith("pitboss.games") for name in sys.modules), "a game is loaded already"
        sys.meta_path.insert(0, Edited(edited, folder))
    import pytest

    options = ["-x", "-q", "--tb=no", "-rfE", "--assert=plain", "-p", "no:cacheprovider", "-p", "pytest_timeout"]
    sys.exit(pytest.main([*options, *paths]))


def first_failure(book: Book, edited: Module | None = None, first: str = "", **environment: str) -> str:
    """The name of a conformance test that fails against a rule book; nothing if all pass."""
    likely = [path for name in (first, book.first) if (ROOT / (path := f"{book.tests}/test_{name}.py")).exists()]
    with tempfile.TemporaryDirectory(prefix="pitboss-mutant-") as name:
        folder = Path(name)
        process = WARM.Process(target=run_tests, args=([*likely[:1], book.tests], folder, edited, environment))
        process.start()
        process.join()
        if process.exitcode == 0:
            return ""
        if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "hangs"
        printed = (folder / "printed").read_text()
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)
    return failed[1].rpartition("::")[2] if failed else "crashes"


def judge(title: str, mutants: list[Mutant], jobs: int, console: Console) -> int:
    """Run the tests against each mutant, print who caught it, and count the survivors."""
    table = Table("where", "mutant", "caught by", title=f"{title}: {len(mutants)} mutants")
    survivors = 0
    with ThreadPoolExecutor(jobs) as pool:
        catchers = pool.map(lambda mutant: mutant.run(), mutants)
        for mutant, catcher in zip(track(mutants, f"{title} ...", console=console), catchers, strict=False):
            table.add_row(mutant.where, escape(mutant.what), escape(catcher) or "[bold red]SURVIVED")
            if not catcher:
                survivors += 1
                console.print(f"survived: {mutant.where}  {mutant.what}", markup=False)
    console.print(table)
    return survivors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=[*BOOKS], help="one game instead of all")
    parser.add_argument("--edits", default="60", help="how many edits of each game to draw, or all")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants are judged at the same time")
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ.update(SETTINGS)
    WARM.set_forkserver_preload(LOADED)

    console = Console(width=None if sys.stdout.isatty() else 180)
    survivors = 0
    for book in [BOOKS[options.game]] if options.game else BOOKS.values():
        if broken := first_failure(book):
            console.print(f"The tests of {book.game} fail without any mutant: {broken}")
            return 1
        every = [edit.mutant() for file in book.files for edit in edits(book, file)]
        drawn = every if options.edits == "all" else random.Random(options.seed).sample(every, int(options.edits))
        survivors += judge(f"{book.game}, switches", list(switches(book)), options.jobs, console)
        survivors += judge(f"{book.game}, edits", drawn, options.jobs, console)
    console.print(f"{survivors} mutants survived" if survivors else "Every mutant was caught")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
