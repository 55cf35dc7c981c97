"""Training from beginning to end: pieces of work, checkpoints, a learning curve, and the agent's file at the end.

A training that is stopped goes on from its checkpoint, `agent.npz.part`, when it is started again with the same
settings, and ends in the same agent as one that was never stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pitboss import __version__
from pitboss.core.counts import whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.files import write_whole
from pitboss.core.game import Game
from pitboss.core.registry import load
from pitboss.core.types import Data
from pitboss.learn.agent import read_arrays, write_arrays
from pitboss.learn.keep import Keeper
from pitboss.learn.player import entrant
from pitboss.learn.report import CARD_GAMES, Point, card, curve, measure, progress_point, what_is_measured
from pitboss.learn.trainer import Trainer, TrainingSettings
from pitboss.stats.stopping import StopSign

METHODS = {
    "qlearn": "pitboss.learn.qlearn:QLearning",
    "ppo": "pitboss.learn.ppo:PPO",
    "league": "pitboss.learn.league:League",
}
POINTS = 20  # of a learning curve
SUFFIX = ".npz"

Progress = Callable[[int, int], None]


def method(name: str) -> type[Trainer]:
    """A method by its name."""
    if name not in METHODS:
        raise PitbossError(unknown("method", name, METHODS))
    module, _, attribute = METHODS[name].partition(":")
    return getattr(import_module(module), attribute)  # type: ignore[no-any-return]


def train(
    name: str,
    game: str | Game,
    out: Path,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    tensorboard: Path | None = None,
    checkpoints: Path | None = None,
    **settings: Any,
) -> Data:
    """Train an agent and write it to a file, with a picture and a page beside it; what is known of it.

    The other settings are those of `TrainingSettings`: `steps`, `seats`, `opponents`, `reward`, `episode`, `tables`
    and, for networks, `hidden`, `learning_rate` and `entropy`; and `games`, which measure the finished agent. Each
    point of the learning curve goes into the folder `tensorboard`, if one is named, and the agent of that time into the
    folder `checkpoints`. An opponent `agent:FOLDER` stands for all agents in a folder, such as those checkpoints.

    Ctrl-C stops after the piece of work in hand, and `stopped` is then true. The same call goes on from there. The
    networks are small: set OPENBLAS_NUM_THREADS=1 before NumPy is imported, as the command does, or several threads
    will wait for each other.
    """
    table, file = load(game), out if out.suffix == SUFFIX else out.with_name(out.name + SUFFIX)
    chosen, measured = method(name), whole_number(settings.pop("games", CARD_GAMES), "games")
    plan = TrainingSettings.of(chosen, table, seed, settings)
    trainer, points = chosen(table, plan), list[Point]()
    part = file.with_name(file.name + ".part")
    if part.exists():
        points = _go_on(part, trainer)
    kept = Keeper(trainer, file.stem, what_is_measured(table, plan.seats[0]), tensorboard, checkpoints)
    with StopSign(b"") as stop:
        while trainer.done < plan.steps and not stop.pressed:
            if trainer.done * POINTS >= plan.steps * len(points):
                points.append(_point(trainer))
                _keep(part, trainer, points)
                kept.add(points[-1])
            trainer.advance()
            if progress:
                progress(min(trainer.done, plan.steps), plan.steps)
    _keep(part, trainer, points)
    facts = {"agent": str(file), "settings": plan.to_dict(), "steps": trainer.done, "method": name}
    if trainer.done < plan.steps:
        return {**facts, "stopped": True}
    points.append(_point(trainer))
    kept.add(points[-1])
    return {**facts, "stopped": False, **_finish(trainer, points, file, part, measured)}


def _finish(trainer: Trainer, points: list[Point], file: Path, part: Path, games: int) -> Data:
    """Write the agent, its curve and its page."""
    settings, game = trainer.settings, trainer.game
    agent = trainer.agent()
    score = measure(game, entrant(agent, game), settings.seats, games)
    about = {
        "pitboss": __version__, "method": settings.method, "about": trainer.about, "against": trainer.against(),
        "seed": settings.seed,
        "settings": settings.to_dict(), "command": command(settings, file), "steps": trainer.done, "score": score,
        "curve": [list(point) for point in points],
    }  # fmt: skip
    replace(agent, about=about).save(file)
    drawn, page = file.with_suffix(".svg"), file.with_suffix(".md")
    what = what_is_measured(game, settings.seats[0])
    write_whole(drawn, curve(f"{file.stem}, {settings.method}", what, points))
    write_whole(page, card(about, file.stem, file.stat().st_size))
    part.unlink()
    return {"score": score, "curve": str(drawn), "card": str(page), "bytes": file.stat().st_size}


def command(settings: TrainingSettings, file: Path) -> str:
    """The command that trains the same agent again; settings that the command does not have are named behind it."""
    words = [f"pitboss train {settings.method} '{settings.game}' --out {file.name} --seed {settings.seed}"]
    words += [f"--steps {settings.steps} --seats {','.join(map(str, settings.seats))}"]
    words += [f"--reward {settings.reward} --episode {settings.episode}"]
    words += [f"--opponents {','.join(settings.opponents)}"] if settings.opponents else []
    usual, chosen = method(settings.method).usual, settings.to_dict()
    other = [f"{name} = {chosen[name]}" for name in usual if name != "steps" and chosen[name] != usual[name]]
    words += [f"--settings more.toml  # which says: {', '.join(other)}"] if other else []
    return " ".join(words)


def _point(trainer: Trainer) -> Point:
    seats = trainer.settings.seats[0]
    return progress_point(trainer.game, entrant(trainer.agent(), trainer.game), seats, trainer.done)


def _keep(part: Path, trainer: Trainer, points: Sequence[Point]) -> None:
    about = {"settings": trainer.settings.to_dict(), "points": points, "pitboss": __version__}
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    write_arrays(part, {"about": text, **trainer.save()})


def _go_on(part: Path, trainer: Trainer) -> list[Point]:
    """Take up a checkpoint of the same settings."""
    try:
        saved = read_arrays(part)
        about = json.loads(saved["about"].tobytes())
        if about["settings"] != trainer.settings.to_dict() or about["pitboss"] != __version__:
            raise PitbossError(
                f"{part} belongs to a training with other settings; continue with those, or delete it to start again"
            )
        trainer.restore(saved)
    except PitbossError:
        raise
    except Exception as problem:  # archives fail in many ways
        raise PitbossError(f"{part} cannot be read ({problem}); delete it to start again") from problem
    return [Point(*point) for point in about["points"]]
