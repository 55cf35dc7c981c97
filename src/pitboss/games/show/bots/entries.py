"""The built-in bots by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.errors import BotError
from pitboss.games.show.bots.rules_of_thumb import counter_bot, random_bot, show_bot
from pitboss.games.show.bots.search import mc_bot

Build = Callable[[Wanted], tuple[Any, list[float]]]


def _bot(function: Any, numbers: Sequence[float] = (), limits: tuple[str, int, int] | None = None) -> Build:
    """How a bot with these parameters is made; or one that takes a number, such as `show-6`, within limits."""

    def build(wanted: Wanted) -> tuple[Any, list[float]]:
        if wanted.rule:
            raise BotError(f"nothing can be joined to {wanted.name}: Show has no target rules")
        if limits is None:
            wanted.verify_plain()
            return function, list(numbers)
        if wanted.named:
            raise BotError(f"the bot {wanted.name} takes no named parameters")
        return function, [wanted.verify_number(*limits)]

    return build


ENTRIES: dict[str, BotEntry] = {
    "random": BotEntry("random", "any move, all equally likely", _bot(random_bot)),
    "show": BotEntry(
        "show-N",
        "keeps what improves its average and calls at an average total of N or less",
        _bot(show_bot, limits=("show-6", 0, 26)),
    ),
    "counter": BotEntry(
        "counter", "plays by the exact chance to win if the hands were compared now", _bot(counter_bot, (560, 700))
    ),
    "mc": BotEntry(
        "mc-N",
        "tries both answers in N worlds that fit what it knows, playing on as show-6",
        _bot(mc_bot, limits=("mc-100", 1, 100_000)),
    ),
}
