"""`pitboss train`."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, print_json, writable
from pitboss.cli.options import Json, Spec, number_of
from pitboss.core.errors import PitbossError
from pitboss.core.types import Data


def train(
    method: Annotated[str, Argument(metavar="METHOD", help="How to learn: qlearn, ppo or league.")],
    spec: Spec,
    out: Annotated[Path, Option(help="The agent's file; its curve (.svg) and its page (.md) go beside it.")],
    seed: Annotated[int, Option(help="A number that decides all luck.")] = 0,
    steps: Annotated[int | None, number_of("How many decisions to learn from.")] = None,
    seats: Annotated[str | None, Option(help="How many play, such as 2 or 2,4.", metavar="N,…")] = None,
    opponents: Annotated[
        str | None, Option(help="Compiled bots to train against; by default it plays itself.", metavar="A,B,…")
    ] = None,
    reward: Annotated[str | None, Option(help="What the agent is rewarded for, as in the environments.")] = None,
    episode: Annotated[str | None, Option(help="What an episode is, as in the environments.")] = None,
    settings: Annotated[
        Path | None,
        Option(help="A TOML file with these and the other settings: hidden, learning_rate, entropy, tables."),
    ] = None,
    tensorboard: Annotated[Path | None, Option(help="A folder for TensorBoard's figures.")] = None,
    checkpoints: Annotated[
        Path | None, Option(help="A folder for the agents on the way; agent:FOLDER names all of them as opponents.")
    ] = None,
    games: Annotated[
        int | None, number_of("Games that measure the finished agent, for each line of the result; usually 10,000.")
    ] = None,
    json: Json = False,
) -> None:
    """Train an agent: a small file that plays as a bot, agent:FILE.

    qlearn fills a table of values. ppo trains a small network. league trains one against itself and its former
    selves. After Ctrl-C the same command continues, and ends with the same agent.

    Examples:
      pitboss train qlearn flip7:solo --out mine.npz --seed 1
      pitboss train ppo flip7:solo --out racer.npz --seed 1   (for the fewest rounds)
      pitboss train league flip7:official --seats 2,4 --out many.npz --seed 1
      pitboss train ppo show:fair --settings large.toml --tensorboard runs --out large.npz
    """
    # The networks are small: several threads would wait for each other, and round differently.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pitboss.core.bot import split_bots
    from pitboss.learn import train as learn

    try:
        places = [int(n) for n in seats.split(",")] if seats else None
    except ValueError:
        raise PitbossError(f"--seats takes numbers with commas between them, such as 2,4, not {seats!r}") from None
    chosen = {
        "steps": steps, "seats": places, "opponents": split_bots(opponents) if opponents else None, "reward": reward,
        "episode": episode, "games": games,
    }  # fmt: skip
    given = {name: value for name, value in chosen.items() if value is not None}
    with RunProgress(json, "learning", "decisions") as progress:
        facts = learn.train(
            method, spec, writable(out), seed, progress=progress, tensorboard=tensorboard, checkpoints=checkpoints,
            **{**_settings_in(settings), **given},
        )  # fmt: skip
    if json:
        print_json(facts)
    else:
        _show(facts)
    if facts["stopped"]:
        raise typer.Exit(130)


def _settings_in(file: Path | None) -> Data:
    """What a TOML file says about a training."""
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise PitbossError(f"{file} cannot be read: {problem.strerror}") from None
    except ValueError as problem:
        raise PitbossError(f"{file} is not a TOML file: {problem}") from None


def _show(facts: Data) -> None:
    out = console()
    if facts["stopped"]:
        wanted = facts["settings"]["steps"]
        out.print(f"Stopped after {facts['steps']:,} of {wanted:,} decisions; the same command continues from there.")
        return
    table = out.table("seats", "what", "result", "games")
    for line in facts["score"]:
        form = "{:.3f}" if line["seats"] == 1 else "{:.1%}"
        half = (line["high"] - line["low"]) / 2
        table.add_row(
            str(line["seats"]), line["what"], f"{form.format(line['mean'])} ± {form.format(half)}", f"{line['games']:,}"
        )
    out.print(table)
    out.print(f"\nWritten to {facts['agent']} ({facts['bytes'] / 1000:,.0f} kB), {facts['curve']} and {facts['card']}")
    game = facts["settings"]["game"]
    out.print(f"[dim]Let it play: pitboss simulate '{game}' --bots agent:{facts['agent']},…[/]")
