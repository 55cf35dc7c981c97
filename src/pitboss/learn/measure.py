"""How an agent does, in games that it has not learned from, and the page that says so."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.core.bot import Entrant
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.types import Data
from pitboss.learn.curve import Point
from pitboss.run.batch import simulate
from pitboss.stats.intervals import Estimate

CURVE_GAMES, CURVE_SEED = 1_000, 20_000
CARD_GAMES, CARD_SEED = 10_000, 1


def progress_point(game: Game, agent: Entrant, seats: int, steps: int) -> Point:
    """One point of a learning curve: points of a round, for one who plays alone, or else the share of wins."""
    result = simulate(game, [agent, *_rivals(game, seats)], CURVE_GAMES, CURVE_SEED)
    found = result.sums.figure(alone_figure(game), 0) if seats == 1 else result.win_share(0)
    low, high = found.ci95 or (found.mean, found.mean)
    return Point(steps, found.mean, low, high)


def what_is_measured(game: Game, seats: int) -> str:
    """In words, what `progress_point` measures."""
    if seats == 1:
        return alone_figure(game).about
    return f"share of wins against {', '.join(_rivals(game, seats))}"


def alone_figure(game: Game) -> Figure:
    """What a lone player is measured by: its score, by what a game's length is counted in."""
    about = "score of a game" if game.length is None else f"score by {game.length}"
    return Figure("score", about, game.score, per=game.length).among(game.columns)


def measure(game: Game, agent: Entrant, seats: Sequence[int], games: int = CARD_GAMES) -> list[Data]:
    """How an agent does alone, or against each of the game's rivals, at tables of these sizes."""
    out = []
    for n in seats:
        if n == 1:
            result = simulate(game, [agent], games, CARD_SEED)
            out += [_line(f.about, n, result.games, result.sums.figure(f, 0)) for f in game.figures]
            continue
        for rival in game.rivals():
            result = simulate(game, [agent, *[rival] * (n - 1)], games, CARD_SEED)
            out.append(_line(f"wins against {rival}", n, result.games, result.win_share(0)))
    return out


def card(about: Data, name: str, size: int) -> str:
    """A page in Markdown: how an agent was made, and how it does."""
    settings = about["settings"]
    lines = [
        f"# Agent `{name}`",
        "",
        f"Plays `{settings['game']}`; {size / 1000:,.0f} kB. Made by",
        "",
        "```sh",
        about["command"],
        "```",
        "",
        f"with pitboss {about['pitboss']}: {about['about']}, {about['steps']:,} decisions, against {about['against']}, "
        f"with {', '.join(map(str, settings['seats']))} at a table. It was paid by `{settings['reward']}`, an episode "
        f"was a {settings['episode']}, and nothing but such rewards taught it.",
        "",
        f"How it does in games of seed {CARD_SEED}, with 95 % intervals:",
        "",
        "| seats | what | result | games |",
        "|---|---|---|---|",
    ]
    for line in about["score"]:
        alone = line["seats"] == 1
        form = "{:.3f}" if alone else "{:.1%}"
        value, low, high = (form.format(line[key]) for key in ("mean", "low", "high"))
        even = "" if alone else f" (even: {1 / line['seats']:.0%})"
        lines.append(f"| {line['seats']} | {line['what']}{even} | {value} ({low} to {high}) | {line['games']:,} |")
    return "\n".join(lines) + "\n"


def _rivals(game: Game, seats: int) -> list[str]:
    some = game.rivals()
    return [some[i % len(some)] for i in range(seats - 1)]


def _line(what: str, seats: int, games: int, found: Estimate) -> Data:
    low, high = found.ci95 or (found.mean, found.mean)
    return {"what": what, "seats": seats, "games": games, "mean": found.mean, "low": low, "high": high}
