"""The built-in bots by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.errors import BotError
from pitboss.games.show.bots.rules_of_thumb import counter_bot, random_bot, show_bot
from pitboss.games.show.bots.search import mc_bot


def _plain(function: Any, *numbers: float) -> Callable[[Wanted], tuple[Any, list[float]]]:
    def build(wanted: Wanted) -> tuple[Any, list[float]]:
        _no_rule(wanted)
        wanted.verify_plain()
        return function, list(numbers)

    return build


def _show(wanted: Wanted) -> tuple[Any, list[float]]:
    _no_rule(wanted)
    if wanted.named:
        raise BotError("the bot show takes no named parameters")
    return show_bot, [wanted.verify_number("show-6", 0, 26)]


def _no_rule(wanted: Wanted) -> None:
    if wanted.rule:
        raise BotError(f"nothing can be joined to {wanted.name}: Show has no target rules")


def _mc(wanted: Wanted) -> tuple[Any, list[float]]:
    _no_rule(wanted)
    if wanted.named:
        raise BotError("the bot mc takes no named parameters")
    return mc_bot, [wanted.verify_number("mc-100", 1, 100_000)]


ENTRIES: dict[str, BotEntry] = {
    "random": BotEntry("random", "any move, all equally likely", _plain(random_bot)),
    "show": BotEntry("show-N", "keeps what improves its average and calls at an average total of N or less", _show),
    "counter": BotEntry(
        "counter", "plays by the exact chance to win if the hands were compared now", _plain(counter_bot, 560, 700)
    ),
    "mc": BotEntry("mc-N", "tries both answers in N worlds that fit what it knows, playing on as show-6", _mc),
}
