"""Flip 7 as a `Game`: this file ties the room together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from pitboss.core.analysis import Analysis
from pitboss.core.bot import BotEntry
from pitboss.core.companion import Chart, Companion, TableSetup
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.learning import Learning
from pitboss.core.scene import Coming
from pitboss.core.task import Task
from pitboss.core.types import Data, Dtype
from pitboss.games.flip7 import cards, events
from pitboss.games.flip7.compact import compact
from pitboss.games.flip7.rules import MAX_SEATS, SEATS_PER_COPY
from pitboss.games.flip7.side import Flip7Side
from pitboss.games.flip7.state import STATE
from pitboss.games.flip7.step import COLUMNS, PARTS, STEP
from pitboss.games.flip7.view import Flip7View
from pitboss.games.flip7.words import ENGLISH


class Flip7(Game, Flip7Side):
    """Push your luck: draw different numbers, stop before a pair.

    >>> from pitboss import load
    >>> load("flip7:solo").rules.solo
    True
    """

    step = STEP
    parts = PARTS
    state_dtype = STATE
    view_dtype = STATE
    event_kinds = events.KINDS
    most_events = events.MOST_EVENTS
    columns = COLUMNS
    score = "total"
    round_limit = "max_rounds"
    figures: ClassVar[tuple[Figure, ...]] = (
        Figure("rounds_per_game", "rounds", "rounds"),
        Figure("mean_total", "total", "total"),
        Figure("mean_round_score", "a round", "total", per="rounds"),
        Figure("bust_rate", "busts", "busts", per="rounds", percent=True),
        Figure("flip7_rate", "Flip 7s", "flip_7s", per="rounds", percent=True),
    )
    length = "rounds"
    stake = "points"
    deck = Flip7Side.deck
    environments: ClassVar[dict[str, Data]] = {
        "Flip7Solo-v0": {"game": "flip7:solo", "reward": "points"},  # pays overshoot, so it teaches to play on
        "Flip7Solo-v1": {"game": "flip7:solo", "reward": "points", "episode": "round"},
        "Flip7-v0": {"game": "flip7:official", "opponents": "stay-25,ev,bust-0.25"},  # does not show all cards
        "Flip7-v1": {"game": "flip7:official", "opponents": "stay-25,ev,bust-0.25", "observation": "complete"},
    }

    levels: ClassVar[dict[str, int]] = {
        "random": 1, "conservative": 2, "stay-20": 3, "stay-25": 3, "ev": 4, "winner": 4, "hunter": 5, "modeller": 5,
    }  # fmt: skip

    tasks: ClassVar[tuple[Task, ...]] = (
        Task("flip7-solo-v1", "flip7:solo", 1),
        *(Task(f"flip7-{n}-v1", "flip7:official", n, ("stay-25", "bust-0.25", "ev", "winner")) for n in (2, 4, 6)),
    )

    def compact(self, seats: int) -> Dtype:
        return compact(self.rules, seats)

    def format_card(self, card: int) -> str:
        return cards.format_card(card)

    def parse_card(self, text: str) -> int:
        return cards.parse_card(text)

    def odds(self, view: Flip7View) -> list[str]:
        odds = view.odds
        ranked = sorted(odds.kinds.items(), key=lambda item: -item[1])
        return [
            f"The next card busts you with probability {odds.bust:.1%} ({odds.cards} cards to come from)",
            "   ".join(f"{cards.TEXT[kind]} {chance:.1%}" for kind, chance in ranked),
        ]

    def next_cards(self, view: Flip7View) -> list[Coming]:
        harm = "costs the Second Chance" if view.second_chance else "bust"
        held = view.numbers
        return [
            Coming(ENGLISH.face(kind), chance, harm if kind in held else "") for kind, chance in view.odds.kinds.items()
        ]

    def seats_hint(self, seats: int) -> str:
        copies = -(-seats // SEATS_PER_COPY)
        if self.rules.solo or not self.rules.copies < copies <= MAX_SEATS // SEATS_PER_COPY:
            return ""
        return f"; copies={copies} makes room for {SEATS_PER_COPY * copies}"

    def bots(self) -> Mapping[str, BotEntry]:
        from pitboss.games.flip7.bots.rules_of_thumb import ENTRIES

        return ENTRIES

    def joints(self) -> Mapping[str, str]:
        from pitboss.games.flip7.bots.rules_of_thumb import TARGET_RULES

        return TARGET_RULES

    def default_bots(self) -> list[str]:
        return ["ev"] if self.rules.solo else ["random", "conservative", "stay-25", "ev"]

    def make_analysis(self) -> Analysis:
        from pitboss.games.flip7.analysis import Flip7Analysis

        return Flip7Analysis(self)

    def make_companion(self, setup: TableSetup) -> Companion:
        from pitboss.games.flip7.companion import Flip7Companion

        return Flip7Companion(self, setup)

    def make_chart(self, progress: Callable[[int, int], None] | None = None) -> Chart:
        from pitboss.games.flip7.chart import chart
        from pitboss.games.flip7.poster import draw

        facts = chart(self, progress)
        return Chart(draw(facts), facts)

    def make_learning(self) -> Learning:
        from pitboss.games.flip7.encode import learning

        return learning(self.rules)

    def rivals(self) -> list[str]:
        from pitboss.games.flip7.features import rivals

        return rivals(self.rules)
