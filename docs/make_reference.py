"""Write docs/reference/api.md from the signatures and docstrings of the public names.

    python docs/make_reference.py            write the page
    python docs/make_reference.py --check    only say whether it is up to date

The page depends on nothing but the sources, so that a test can compare it.
"""

from __future__ import annotations

import inspect
import re
import sys
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent / "reference" / "api.md"
WIDTH = 100

HEAD = """\
# The Python interface

Made from the docstrings by `docs/make_reference.py`; do not edit this page by hand.

What stands here is meant to be used; other names may change. Errors that you can do something about
are `pitboss.PitbossError`, with a sentence that says what to do.
"""

# The sections of the page: a title, and the names in it as "module:name".
SECTIONS = (
    (
        "Play and simulate",
        "pitboss:load pitboss:bot pitboss:play pitboss:simulate pitboss.run.batch:Result "
        "pitboss.stats.intervals:Estimate pitboss:Record pitboss:replay pitboss.core.plots:Plot pitboss:PitbossError",
    ),
    (
        "Bots of Flip 7",
        "pitboss.flip7:Flip7Bot pitboss.core.bot:Bot pitboss.flip7:compiled_bot pitboss.flip7:View "
        "pitboss.games.flip7.view:SeatView pitboss.games.flip7.odds:Odds pitboss.flip7:Move pitboss.flip7:target "
        "pitboss.games.flip7.view:Flip7Decision pitboss.games.flip7.view:Status pitboss.games.flip7.events:Flip7Event "
        "pitboss.flip7:Rules",
    ),
    (
        "Bots of Show",
        "pitboss.show:ShowBot pitboss.show:View pitboss.show:Decision pitboss.games.show.events:ShowEvent "
        "pitboss.show:Rules "
        "pitboss.games.show.encode:tensor pitboss.games.show.encode:rich",
    ),
    (
        "Solving",
        "pitboss.analysis.trees.tree:build pitboss.analysis.trees.tree:Tree pitboss.analysis.trees.lp:solve "
        "pitboss.analysis.trees.lp:PerfectPlay pitboss.analysis.trees.policy:expected_value "
        "pitboss.analysis.trees.policy:exploitability pitboss.analysis.trees.policy:cfr_plus "
        "pitboss.analysis.trees.policy:policy_of_bot pitboss.games.show.bots.training:learn "
        "pitboss.games.show.bots.cfr:PolicyTable "
        "pitboss.games.flip7.solver.oracle:solve_round pitboss.games.flip7.solver.oracle:Round "
        "pitboss.games.flip7.solver.oracle:RoundOutcome pitboss.games.flip7.solver.race:race "
        "pitboss.games.flip7.solver.race:Race "
        "pitboss.games.flip7.advice:advice pitboss.games.flip7.advice:advise "
        "pitboss.games.flip7.companion:Flip7Companion pitboss.games.flip7.chart:chart pitboss.games.flip7.poster:draw",
    ),
    (
        "What moves and games are worth",
        "pitboss.analysis:analysis_of pitboss.core.analysis:Analysis pitboss.core.analysis:Opinion "
        "pitboss.core.analysis:MoveValue pitboss.core.analysis:Cost pitboss.core.analysis:Terms "
        "pitboss.core.analysis:Benchmark pitboss.core.analysis:BestFigure pitboss.core.analysis:Described "
        "pitboss.core.analysis:Advice pitboss.core.analysis:Goal pitboss.core.analysis:Problem "
        "pitboss.core.analysis:Solution "
        "pitboss.core.analysis:Grid pitboss.analysis.rollouts:Rollouts pitboss.analysis.regret:regret "
        "pitboss.analysis.regret:Regret pitboss.analysis.regret:Mistake pitboss.analysis.solve:solve "
        "pitboss.analysis.solve:Exact pitboss.analysis.solve:BestAnswer pitboss.analysis.solve:Measured",
    ),
    (
        "At a real table",
        "pitboss.analysis.companion:companion_of pitboss.core.companion:TableSetup pitboss.core.companion:Companion "
        "pitboss.core.companion:CardTap pitboss.core.companion:WordTap pitboss.core.companion:Chart",
    ),
    (
        "Tournaments",
        "pitboss:Tournament pitboss.tournament.standings:Standings pitboss.tournament.standings:StandingsRow "
        "pitboss.tournament.standings:ShareDifference pitboss:compare pitboss.tournament.compare:Comparison "
        "pitboss.tournament.tune:tune pitboss.tournament.tune:TuneSettings pitboss.tournament.tune:Tuning "
        "pitboss.tournament.check:check_bot pitboss.tournament.check:Checkup pitboss.sandbox.limits:Limits "
        "pitboss.sandbox.limits:Ending pitboss.tournament.store:Store pitboss.tournament.report:write_report "
        "pitboss.tournament.export:export pitboss.render.replay:page pitboss.sandbox.doctor:examine "
        "pitboss.sandbox.doctor:Diagnosis",
    ),
    (
        "Behind a tournament",
        "pitboss.tournament.referee.seats:Referee pitboss.tournament.referee.seats:GuardedSeats "
        "pitboss.tournament.contestant:Contestant pitboss.tournament.entering:contestants "
        "pitboss.tournament.settings:TournamentOptions pitboss.tournament.settings:TournamentSettings "
        "pitboss.tournament.progress:Progress "
        "pitboss.tournament.schedule:round_robin pitboss.tournament.schedule:sample "
        "pitboss.run.executors:Executor "
        "pitboss.stats.ratings:Finishes pitboss.stats.ratings:strengths pitboss.stats.ratings:head_to_head "
        "pitboss.stats.ratings:block_interval pitboss.stats.ratings.sequential:Sequential",
    ),
    (
        "Games and positions",
        "pitboss.core.side:Side pitboss.core.game:Game pitboss.core.game:Position pitboss.core.side:Outcome",
    ),
    (
        "What a game's author needs",
        "pitboss.core.rules:RulesBase pitboss.core.rules:switch pitboss.core.rules:Switch "
        "pitboss.core.layout:Layout pitboss.core.layout:GameLayout pitboss.core.step:Step "
        "pitboss.core.compile:compiled "
        "pitboss.core.legal:chooser pitboss.core.legal:moves_of "
        "pitboss.core.step:ask pitboss.core.step:cards_left pitboss.core.step:see_all pitboss.core.step:tally_wins "
        "pitboss.core.step:column_numbers pitboss.core.figure:Figure pitboss.core.events:emit "
        "pitboss.core.events:Event pitboss.core.secrets:Secrets pitboss.core.view:View pitboss.core.bot:BotEntry "
        "pitboss.core.bot:Wanted pitboss.core.luck:Luck pitboss.core.scene:Scene pitboss.core.scene:SeatScene "
        "pitboss.core.scene:Face pitboss.core.scene:Coming pitboss.core.contract:check pitboss.core.leak:check",
    ),
    (
        "Environments",
        "pitboss.envs:SeatEnv pitboss.envs:SeatVectorEnv pitboss.envs:DictObservation pitboss.envs.aec:env "
        "pitboss.envs.aec:TableEnv pitboss.envs.spiel:load pitboss.envs.spiel:cached_tree pitboss.run.tables:Tables "
        "pitboss.run.device_tables:DeviceTables pitboss.core.policy:policy",
    ),
    (
        "Agents",
        "pitboss.learn.train:train pitboss.learn.agent:Agent pitboss.learn.agent:load pitboss.learn.agent:shipped "
        "pitboss.learn.player:entrant pitboss.learn.trainer:TrainingSettings pitboss.learn.trainer:Trainer",
    ),
    (
        "What a game tells learning agents",
        "pitboss.core.learning:Learning pitboss.core.learning:Encoding pitboss.core.learning:Field "
        "pitboss.core.learning:Stakes",
    ),
    ("The card room", "pitboss.web.app:create_app pitboss.web.settings:ServerSettings"),
    ("Luck", "pitboss.core.keys:Key pitboss.core.dealer:Keyed pitboss.core.dealer:Tape pitboss.core.dealer:Live"),
    (
        "Results of simulations",
        "pitboss.run.batch:Result pitboss.run.batch:PairedComparison pitboss.stats.intervals:Estimate",
    ),
)


def page() -> str:
    """The whole page as text."""
    parts = [HEAD]
    for title, names in SECTIONS:
        parts.append(f"## {title}\n")
        for name in names.split():
            module, _, attribute = name.partition(":")
            parts.append(entry(f"{module}.{attribute}", getattr(import_module(module), attribute)))
    return "\n".join(parts)


def entry(name: str, thing: Any) -> str:
    """One public name: a heading, its signature, its docstring, and for a class its members."""
    thing = getattr(thing, "py_func", thing)  # a compiled function documents the Python it was made of
    out = [f"### `{name}`\n"]
    if isinstance(thing, type) and issubclass(thing, Enum):
        out.append(prose(thing))
        return "\n".join([*out, ", ".join(f"`{member.name}`" for member in thing) + "\n"])
    if not (isinstance(thing, type) and issubclass(thing, Exception)):
        out.append(f"```text\n{folded(name.rpartition('.')[2] + signature(thing))}\n```\n")
    out.append(prose(thing))
    if isinstance(thing, type):
        bases = [base.__name__ for base in thing.__bases__ if base.__module__.startswith("pitboss")]
        if bases:
            out.append(f"Has everything that `{bases[0]}` has.\n")
        members = [line for name, value in vars(thing).items() if (line := member(name, value))]
        if members:
            out.append("\n".join(members) + "\n")
    return "\n".join(out)


def member(name: str, value: Any) -> str:
    """A line for a public method or property; nothing for what is private, inherited or undocumented."""
    if name.startswith("_"):
        return ""
    if isinstance(value, property | cached_property):
        function, call = (value.fget if isinstance(value, property) else value.func), ""
    else:
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not inspect.isfunction(function):
            return ""
        call = signature(function, without_first=not isinstance(value, staticmethod))
    doc = inspect.cleandoc(function.__doc__ or "").split("\n>>>")[0].strip()
    text = " ".join(doc.split())
    return f"- `{name}{call}`" + (f": {text}" if text else "")


def signature(thing: Any, without_first: bool = False) -> str:
    """A signature as it is written in the source, without quotation marks around annotations."""
    try:
        shape = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    parts, marked = [], False
    parameters = list(shape.parameters.values())
    if isinstance(thing, type) and parameters and parameters[0].name in ("args", "values"):
        return ""
    for parameter in parameters[without_first:]:
        text = parameter.name
        if parameter.kind is parameter.KEYWORD_ONLY and not marked:
            parts.append("*")
            marked = True
        if parameter.annotation is not parameter.empty:
            text += f": {annotation(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            text += f" = {default(parameter.default)}" if ":" in text else f"={default(parameter.default)}"
        parts.append({parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + text)
    back = shape.return_annotation
    arrow = f" -> {annotation(back)}" if back is not shape.empty and not isinstance(thing, type) else ""
    return f"({', '.join(parts)}){arrow}"


def default(value: Any) -> str:
    """A default as text that is the same in every run."""
    if "factory" in repr(value):
        return "…"
    return getattr(value, "__name__", None) or repr(value)


def folded(call: str) -> str:
    """A long signature with a parameter on each line."""
    if len(call) <= WIDTH:
        return call
    head, _, rest = call.partition("(")
    inside, _, back = rest.rpartition(")")
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(inside):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(inside[start:i].strip())
            start = i + 1
    return "\n".join([f"{head}(", *(f"    {part}," for part in [*parts, inside[start:].strip()]), f"){back}"])


def annotation(value: Any) -> str:
    """An annotation as text."""
    return value if isinstance(value, str) else inspect.formatannotation(value)


def prose(thing: Any) -> str:
    """A docstring as Markdown: its examples become blocks."""
    doc = inspect.getdoc(thing) or ""
    example = re.compile(r"(?:^>>> .*\n(?:^(?!>>> |\s*$).*\n?)*)+", re.MULTILINE)
    doc = example.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", doc + "\n")
    return doc.strip() + "\n"


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") != text:
            sys.exit(f"{PAGE} is out of date; run python docs/make_reference.py")
        print(f"{PAGE} is up to date")
    else:
        PAGE.write_text(text, encoding="utf-8")
        print(f"wrote {PAGE}")
