"""Show as a `Game`: this file ties the room together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from pitboss.core.analysis import Analysis
from pitboss.core.bot import BotEntry
from pitboss.core.figure import Figure
from pitboss.core.game import Game, Position
from pitboss.core.learning import Learning
from pitboss.core.scene import Coming, Scene
from pitboss.core.secrets import NOBODY
from pitboss.core.step import in_one
from pitboss.core.task import Task
from pitboss.core.types import Data
from pitboss.games.show import cards, events
from pitboss.games.show.bots import rules_of_thumb as bots
from pitboss.games.show.bots.entries import ENTRIES
from pitboss.games.show.coming import next_cards
from pitboss.games.show.notes import STATE, STEP, VIEW
from pitboss.games.show.side import ShowSide
from pitboss.games.show.step import COLUMNS
from pitboss.games.show.view import ShowView
from pitboss.games.show.worlds import imagine


class Show(Game, ShowSide):
    """Two players, hidden cards, the lower total wins.

    >>> from pitboss import load
    >>> str(load("show"))
    'show:fair'
    """

    step = STEP
    parts = in_one(STEP.apply)
    state_dtype = STATE
    view_dtype = VIEW
    event_kinds = events.KINDS
    most_events = events.MOST_EVENTS
    columns = COLUMNS
    score = "points"
    figures: ClassVar[tuple[Figure, ...]] = (
        Figure("payoff", "payoff", "payoff"),
        Figure("turns_per_game", "turns", "turns"),
        Figure("call_rate", "calls", "calls", percent=True),
        Figure("caller_win_rate", "calls won", "calls_won", per="calls", percent=True),
        Figure("deck_out_rate", "deck-outs", "deck_outs", percent=True),
    )
    length = "turns"
    deck = ShowSide.deck
    environments: ClassVar[dict[str, Data]] = {
        "Show-v0": {"game": "show:fair", "opponents": "show-6"},  # its observation forgets what was done in the open
        "Show-v1": {"game": "show:fair", "opponents": "show-6", "observation": "complete"},
    }

    levels: ClassVar[dict[str, int]] = {"random": 1, "show-1": 3, "show-6": 4, "counter": 4, "cfr": 4}

    tasks: ClassVar[tuple[Task, ...]] = tuple(
        Task(f"show-{rules}-v1", f"show:{rules}", 2, ("random", "show-6", "counter", "cfr(version=1)"))
        for rules in ("fair", "classic")
    )

    def imagine(self, view: ShowView, luck: int) -> Position:
        position = Position(self)
        imagine(view.record, self.record[0], position.states[0], np.uint64(luck))
        return position

    def format_card(self, card: int) -> str:
        return cards.format_card(card)

    def parse_card(self, text: str) -> int:
        return cards.parse_card(text)

    def odds(self, view: ShowView) -> list[str]:
        won, of = bots.chance(view.record, view.own[0], view.own[1], np.zeros(bots.VALUES, np.int64))
        return [
            f"Your cards come to {view.expected_total:.1f} on average, a card not seen yet to {view.unseen_mean:.1f}",
            f"If the hands were compared now, you would win {won / of:.1%} of the time, a tie counting half",
        ]

    def next_cards(self, view: ShowView) -> list[Coming]:
        return next_cards(view)

    def public_scene(self, position: Position, names: Sequence[str]) -> Scene:
        return self.speaker().scene(position.view(0), names, NOBODY)

    def bots(self) -> Mapping[str, BotEntry]:
        return ENTRIES

    def default_bots(self) -> list[str]:
        return ["show-6", "counter"]

    def rivals(self) -> list[str]:
        return ["show-6", "counter"]

    def make_analysis(self) -> Analysis:
        from pitboss.games.show.analysis import ShowAnalysis

        return ShowAnalysis(self)

    def make_learning(self) -> Learning:
        from pitboss.games.show.encode import LEARNING

        return LEARNING
