"""Flip 7: With a Vengeance as a `Game`: this file ties the room together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pitboss.core.analysis import Analysis
from pitboss.core.bot import BotEntry
from pitboss.core.companion import Companion, TableSetup
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.learning import Learning
from pitboss.core.scene import Coming
from pitboss.core.task import Task
from pitboss.core.types import Data, Dtype
from pitboss.games.vengeance import cards, events
from pitboss.games.vengeance.cards import NAME
from pitboss.games.vengeance.compact import compact
from pitboss.games.vengeance.rules import MAX_SEATS, SEATS_PER_COPY
from pitboss.games.vengeance.side import VengeanceSide
from pitboss.games.vengeance.state import LAYOUT, clashes
from pitboss.games.vengeance.step import COLUMNS, STEP
from pitboss.games.vengeance.view import VengeanceView
from pitboss.games.vengeance.words import ENGLISH


class Vengeance(Game, VengeanceSide):
    """Push your luck where nobody is safe: cards move between players, and staying does not protect.

    >>> from pitboss import load
    >>> load("vengeance:brutal").rules.below_zero
    True
    """

    step = STEP
    deck = VengeanceSide.deck
    state_dtype = LAYOUT.dtype
    view_dtype = LAYOUT.dtype
    view_class = VengeanceView
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
    environments: ClassVar[dict[str, Data]] = {
        "Vengeance": {"game": "vengeance:standard", "opponents": "stay-25,ev,bust-0.25"}
    }

    levels: ClassVar[dict[str, int]] = {
        "random": 1, "cautious": 2, "stay-20": 3, "stay-25": 4, "ev": 4, "counter": 4, "rollout-50": 5,
    }  # fmt: skip

    tasks: ClassVar[tuple[Task, ...]] = tuple(
        Task(f"vengeance-{n}-v1", "vengeance:standard", n, ("stay-25", "cards-4", "bust-0.25", "ev")) for n in (3, 5)
    )

    def compact(self, seats: int) -> Dtype:
        return compact(self.rules, seats)

    def format_card(self, card: int) -> str:
        return cards.format_card(card)

    def parse_card(self, text: str) -> int:
        return cards.parse_card(text)

    def odds(self, view: VengeanceView) -> list[str]:
        total = sum(view.coming)
        ranked = sorted(enumerate(view.coming), key=lambda item: -item[1])
        return [
            f"The next card busts you with probability {view.bust_odds:.1%} ({total} cards to come from)",
            "   ".join(f"{NAME[kind]} {n / total:.1%}" for kind, n in ranked if n),
        ]

    def next_cards(self, view: VengeanceView) -> list[Coming]:
        coming, line = view.coming, sum(1 << kind for kind in set(view.cards))
        twin = sum(1 << kind for kind in set(view.cards) if view.cards.count(kind) > 1)

        def harm(kind: int) -> str:
            if kind < cards.MINUS_2 and clashes(line, twin, kind):
                return "bust"
            if kind == 0:
                return "no points without a Flip 7"
            return "discards your line" if kind == cards.UNLUCKY_7 and view.cards else ""

        return [Coming(ENGLISH.face(kind), n / sum(coming), harm(kind)) for kind, n in enumerate(coming) if n]

    def seats_hint(self, seats: int) -> str:
        copies = -(-seats // SEATS_PER_COPY)
        if self.rules.solo or not self.rules.copies < copies <= MAX_SEATS // SEATS_PER_COPY:
            return ""
        return f"; copies={copies} makes room for {SEATS_PER_COPY * copies}"

    def bots(self) -> Mapping[str, BotEntry]:
        from pitboss.games.vengeance.bots.simple import ENTRIES

        return ENTRIES

    def joints(self) -> Mapping[str, str]:
        from pitboss.games.vengeance.bots.aim import TARGET_RULES

        return TARGET_RULES

    def default_bots(self) -> list[str]:
        return ["ev"] if self.rules.solo else ["random", "cautious", "stay-25", "ev"]

    def make_analysis(self) -> Analysis:
        from pitboss.games.vengeance.analysis import VengeanceAnalysis

        return VengeanceAnalysis(self)

    def make_companion(self, setup: TableSetup) -> Companion:
        from pitboss.games.vengeance.companion import VengeanceCompanion

        return VengeanceCompanion(self, setup)

    def make_learning(self) -> Learning:
        from pitboss.games.vengeance.encode import learning

        return learning(super().make_learning())

    def rivals(self) -> list[str]:
        return [] if self.rules.solo else ["stay-25", "ev", "bust-0.25", "cards-4"]
