"""A bot's policy on a tree: what it answers in every information set."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from typing import Any

import numpy as np

from pitboss.analysis.trees.tree import Floats, Tree
from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError
from pitboss.core.loop import CLOCK
from pitboss.core.luck import Luck, mix
from pitboss.core.registry import bot as enter

LUCKS = 12  # divisible by 2, 3 and 4; with more moves a multiple of their number, so that a lot among them is even


def policy_of_bot(tree: Tree, bot: str | Entrant | type[Any] | Callable[..., int], lucks: int = LUCKS) -> Floats:
    """How often a bot makes each choice, at either seat.

    A bot is asked by its view alone, once for each of `lucks` evenly spaced values of its luck (or of so many more that
    its moves divide their number): one that mixes its moves in finer proportions needs more of them. A Python bot is
    made anew for every question; one that remembers earlier decisions is not itself here, and one that listens to
    events is refused.

    >>> from pitboss import load
    >>> from pitboss.analysis.trees.tree import build
    >>> tree = build(load("show:classic(deck=* * * 2 2)"))
    >>> [float(p) for p in policy_of_bot(tree, "random")[:2]]
    [0.5, 0.5]
    """
    entrant = enter(bot, tree.game)
    ask = _compiled(tree, entrant) if entrant.make is None else _python(tree, entrant)
    asked: dict[tuple[int, bytes], Floats] = {}  # many information sets have the same view
    policy = np.zeros(tree.choices)
    for information in range(tree.sets):
        start, end = tree.set_choices[information : information + 2].tolist()
        view = int(tree.set_seat[information]), tree.set_view[information].tobytes()
        if view not in asked:
            many = lcm(lucks, end - start)
            answers = [ask(information, np.uint64((2 * i + 1 << 63) // many)) for i in range(many)]
            asked[view] = _shares(tree, entrant, tree.choice_move[start:end].tolist(), answers)
        policy[start:end] = asked[view]
    return policy


def _shares(tree: Tree, entrant: Entrant, legal: list[int], answers: list[Any]) -> Floats:
    """How often each legal move is among the answers."""
    for answer in answers:
        if answer not in legal:
            moves = ", ".join(map(tree.game.format_move, legal))
            raise BotError(f"the bot {entrant.name} answered {answer!r}, which is not legal; legal: {moves}")
    return np.array([answers.count(move) / len(answers) for move in legal])


def _compiled(tree: Tree, entrant: Entrant) -> Callable[[int, np.uint64], int]:
    function, rules = entrant.function, tree.game.record.copy()
    assert function is not None

    def ask(information: int, luck: np.uint64) -> int:
        views = tree.set_view[information : information + 1].copy()  # a bot may write to what it is given
        return int(function(views[0], rules[0], int(tree.set_seat[information]), entrant.params, luck))

    return ask


def _python(tree: Tree, entrant: Entrant) -> Callable[[int, np.uint64], Any]:
    make = entrant.make
    assert make is not None
    if make().wants_events:
        raise BotError(f"the bot {entrant.name} listens to events, so what it does cannot be read off its view alone")

    def ask(information: int, luck: np.uint64) -> Any:
        seat = int(tree.set_seat[information])
        try:
            bot = make()
            bot.start(seat, tree.game.rules, _Given(luck))
            view = tree.view(information)
            move = bot.decide(view)
        except Exception as problem:
            raise BotError(f"the bot {entrant.name} raised {type(problem).__name__}: {problem}") from problem
        return tree.game.parse_move_at(view, move) if isinstance(move, str) else move

    return ask


class _Given(Luck):
    """Luck whose first number is made of given bits, as a compiled bot would get them."""

    def __init__(self, bits: np.uint64) -> None:
        super().__init__(np.zeros(1, CLOCK), 0)
        self._given = int(bits)

    def bits(self) -> int:
        n, self._drawn = self._drawn, self._drawn + 1
        return mix(self._given ^ mix(n)) if n else self._given
