"""`check-bot`: will this bot pass in a tournament? It plays under the referee to find out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.core.counts import Count, whole_number
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.play import Runner
from pitboss.core.registry import games as known_games
from pitboss.core.types import Data
from pitboss.sandbox.limits import THREADS, Ending, Limits, install
from pitboss.sandbox.readable import package_called
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.faults import said
from pitboss.tournament.referee.seats import Referee

AGAIN = 3  # games played a second time
SLOW = 0.5  # the part of the time limit from which on a bot is warned

ADVICE = {
    Ending.TIMEOUT: "think less about each decision, or prepare in start()",
    Ending.STALL: "do not sleep, wait or read from the keyboard",
    Ending.CRASH: "do not end the process; return a move instead",
    Ending.EXCEPTION: "correct this in your file",
    Ending.ILLEGAL: "answer with one of view.legal",
    Ending.MEMORY: "keep less in memory",
    Ending.PROTOCOL: "decide() must return a move: a number of view.legal, or its text",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    about: str
    fine: bool
    text: str


@dataclass(frozen=True)
class Checkup:
    """All that was found out about one bot."""

    bot: str
    version: str
    games: int
    decisions: int
    ms_per_decision: float
    ms_most: float
    findings: tuple[Finding, ...]

    @property
    def fine(self) -> bool:
        """Whether it can be entered."""
        return all(finding.fine for finding in self.findings)

    def to_dict(self) -> Data:
        """For JSON."""
        return {**vars(self), "fine": self.fine, "findings": [vars(finding) for finding in self.findings]}


def check_bot(
    text: str,
    referee: Referee,
    games: Count = 40,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    left_out: list[str] | None = None,
) -> list[Checkup]:
    """Let every bot that a text names play some games, against built-in bots of all sorts, at every seat.

    `progress` is called after each game with the games played and all games, and `left_out` gets a sentence about each
    file of a folder that cannot be entered.

        with Referee(load("flip7:tournament")) as referee:
            [checkup.fine for checkup in check_bot("bots/", referee)]
    """
    found, each = contestants(text, referee.game, referee, left_out), whole_number(games, "games")
    for bot in found:
        if bot.kind == "built-in":
            raise PitbossError(f"{bot.text} is built in, and needs no check; name a file, a folder or a program")
    out = []
    for i, bot in enumerate(found):

        def played(done: int, before: int = i * each) -> None:
            if progress:
                progress(before + done, each * len(found))

        out.append(check_one(bot, referee, each, Key.from_seed(seed), played))
    return out


def check_one(
    bot: Contestant, referee: Referee, games: int, key: Key, played: Callable[[int], None] = lambda done: None
) -> Checkup:
    """Let one bot play some games; `played` is called after each, with the number so far."""
    game = referee.game
    opponents = contestants(game.default_bots(), game, referee)
    tables = []
    for n in range(max(1, len(opponents))):
        seats = min(game.rules.seats[-1], 2 + n % 3)
        if seats not in game.rules.seats:
            seats = game.rules.seats[0]
        others = [opponents[(n + i) % len(opponents)] for i in range(seats - 1)]
        own = n % seats
        tables.append((own, Runner(referee.seats([*others[:own], bot, *others[own:]]), faults=True)))
    faults: list[tuple[Ending, str]] = []
    unlike, printed, decisions, seconds, most = 0, 0, 0, 0.0, 0.0
    for n in range(games):
        own, runner = tables[n % len(tables)]
        moves = _play(runner, key, n, game)
        faults += [(kind, why) for _, seat, kind, why in runner.seats.faults if seat == own]
        count, spent, longest = runner.seats.cpu[own]
        decisions, seconds, most = decisions + count, seconds + spent, max(most, longest)
        printed += bool(runner.seats.output)
        if n < AGAIN and not runner.seats.faults:
            unlike += _play(runner, key, n, game) != moves
        played(n + 1)
        if len(faults) >= 20:
            break
    mean = seconds / max(1, decisions)
    if faults and not decisions:  # it never got as far as being asked
        findings = [Finding("loading", False, _told(bot, *faults[0]))]
    elif faults:
        findings = [_loaded(bot), *_fault_findings(bot, faults)]
    else:
        findings = [
            _loaded(bot),
            Finding("its answers", True, f"{decisions:,} decisions, all of them legal"),
            _time_finding(mean, most, referee.limits),
            _repeat_finding(unlike),
        ]
    if printed:
        findings.append(Finding("its output", True, f"it printed in {printed} games; that is kept with its moves"))
    return Checkup(bot.name, bot.version, n + 1, decisions, 1e3 * mean, 1e3 * most, tuple(findings))


def _play(runner: Runner[Any], key: Key, deal: int, game: Game) -> list[int]:
    runner.seats.new_match(0)
    runner.play(key, deal, 0, np.zeros((len(runner.seats.entrants), game.width)))
    return runner.moves


def _loaded(bot: Contestant) -> Finding:
    done = "has been run" if bot.kind == "command" else "has been imported"
    return Finding("loading", True, f"{bot.text} {done}")


def _fault_findings(bot: Contestant, faults: list[tuple[Ending, str]]) -> list[Finding]:
    out = []
    for kind, count in Counter(kind for kind, _ in faults).items():
        first = next(why for other, why in faults if other is kind)
        times = "once" if count == 1 else f"{count} times, first"
        out.append(Finding(str(kind), False, f"{times}: {_told(bot, kind, first)}"))
    return out


def _told(bot: Contestant, kind: Ending, why: str) -> str:
    """Why the referee ruled a fault, without whose and of what kind, and what to do about it."""
    reason = said(kind, why)
    what = _about_modules(bot, reason) or _about_threads(reason) or _about_files(reason) or ADVICE[kind]
    return f"{reason}. What to do: {what}"


def _about_modules(bot: Contestant, why: str) -> str:
    """What to do about a module that is not there (or that is there, but not to be read)."""
    missing = re.search(r"No module named '(\w+)|Permission denied: '\S*-packages/(\w+)", why)
    if not missing:
        return ""
    module = missing[1] or missing[2]
    beside = Path(bot.path).parent
    if (beside / f"{module}.py").is_file() or (beside / module).is_dir():
        return (
            "a file may read nothing beside it; put both into a folder, call the first one bot.py, and enter the folder"
        )
    for name, place in known_games().items():
        if re.match(rf"{module}\b", place):
            return f"this is a bot for {name}, so let it play that"
    package = package_called(module)
    if package is None:
        return f"do without it, or install it beside pitboss ({install(module)}) and allow it: `allow={module}`"
    return f"do without it, or allow it: `allow={package.name}`"


def _about_threads(why: str) -> str:
    """What to do about a thread that could not be started."""
    return f"do without threads, or allow them: `allow={THREADS}`" if "can't start new thread" in why else ""


def _about_files(why: str) -> str:
    """What to do about a file that a bot wanted to read and may not, or a line that raised."""
    if re.search(r"(FileNotFound|Permission)Error: \[Errno", why):
        return (
            "a bot reads only its own folder; put the file and the bot into one, call the bot's file bot.py, enter the "
            "folder, and find the file with Path(__file__).with_name(…)"
        )
    named = re.search(r"\(line \d+ of [^()]+\)", why)
    return f"look at {named[0][1:-1]}" if named else ""


def _repeat_finding(unlike: int) -> Finding:
    if not unlike:
        return Finding("repeatability", True, "played again with the same luck, it makes the same moves")
    text = (
        f"{unlike} of {AGAIN} games went differently when played again with the same luck; take random numbers from "
        "the rng that start() gets, and do not use the clock"
    )
    return Finding("repeatability", False, text)


def _time_finding(mean: float, most: float, limits: Limits) -> Finding:
    text = f"{1e3 * mean:.2f} ms for a decision, {1e3 * most:.1f} ms at most; the limit is {1e3 * limits.decision:g} ms"
    text += " by the clock on the wall" if limits.clock == "wall" else ""
    if most > SLOW * limits.decision:
        return Finding("its time", False, f"{text}: on a slower machine it would be too late")
    return Finding("its time", True, text)
