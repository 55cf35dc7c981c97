"""`pitboss dataset`."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, print_json
from pitboss.cli.options import Json, Spec, number_of


def dataset(
    spec: Spec,
    name: Annotated[str, Argument(metavar="NAME", help="The data set, such as flip7/racer-v0.")],
    bot: Annotated[str, Option(metavar="BOT", help="Who plays in the agent's place.")],
    episodes: Annotated[int, number_of("How many episodes.")] = 1000,
    opponents: Annotated[str | None, Option(help="Who sits at the other seats.", metavar="A,B,…")] = None,
    observation: Annotated[str | None, Option(help="What is seen, as in the environments.")] = None,
    reward: Annotated[str | None, Option(help="What is paid, as in the environments.")] = None,
    episode: Annotated[str | None, Option(help="What an episode is, as in the environments.")] = None,
    seed: Annotated[int, Option(help="A number that decides all luck.")] = 0,
    json: Json = False,
) -> None:
    """Record what a bot sees, does and is paid, as a Minari data set for learning offline.

    It lies in the folder MINARI_DATASETS_PATH, or in ~/.minari/datasets.

    Example:
      pitboss dataset flip7:solo flip7/racer-v0 --bot agent:racer --episodes 5000
    """
    from pitboss.envs.dataset import record

    with RunProgress(json, "recording", "episodes") as progress:
        facts = record(
            name, spec, bot, episodes, seed, progress, opponents=opponents, observation=observation, reward=reward,
            episode=episode,
        )  # fmt: skip
    if json:
        print_json(facts)
        return
    screen = console()
    screen.print(f"{facts['dataset']}: {facts['episodes']:,} episodes, {facts['steps']:,} steps, "
                 f"{facts['mean_return']:.3f} paid in each on average")  # fmt: skip
    screen.print(f'[dim]In Python: minari.load_dataset("{name}")[/]')
