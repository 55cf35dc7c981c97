"""The game as pitboss sees it: this file ties the others together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pitboss.core.bot import BotEntry
from pitboss.core.errors import NotationError, unknown
from pitboss.core.game import Figure, Game
from pitboss.core.scene import Coming, Face, Scene
from pitboss.core.step import FAULT
from pitboss_toy import events
from pitboss_toy.rules import COPIES, HIGHEST, PRESET_ABOUT, Rules
from pitboss_toy.step import BANK, COLUMNS, DRAW, STATE, STEP
from pitboss_toy.view import View, scene

CHIPS = ("skull", *map(str, range(1, HIGHEST + 1)))
MOVES = {"bank": BANK, "draw": DRAW, "fault": FAULT}


class Toy(Game):
    """Draw chips, bank them before a skull takes them.

    >>> game = Toy.parse("race").start(2)
    >>> [event.text(["Ann", "Bob"]) for event in game.apply("5")]
    ['Ann draws 5, pot 5']
    >>> "bank" in game.legal
    True
    """

    name = "toy"
    about = "push your luck: draw chips, bank them before a skull takes them"
    preset_about: ClassVar[dict[str, str]] = PRESET_ABOUT
    rules_class = Rules
    step = STEP
    state_dtype = STATE
    view_dtype = STATE
    event_class = events.Event
    event_kinds = events.KINDS
    most_events = events.MOST_EVENTS
    columns = COLUMNS
    score = "total"
    figures: ClassVar[tuple[Figure, ...]] = (
        Figure("rounds_per_game", "rounds", "rounds"),
        Figure("mean_total", "total", "total"),
        Figure("bust_rate", "busts", "busts", per="rounds", percent=True),
    )
    length = "rounds"
    rules: Rules

    def view(self, raw: bytes, seat: int) -> View:
        return View(self, raw, seat)

    def format_card(self, card: int) -> str:
        return CHIPS[card]

    def parse_card(self, text: str) -> int:
        if text not in CHIPS:
            raise NotationError(unknown("chip", text, CHIPS))
        return CHIPS.index(text)

    def format_move(self, move: int) -> str:
        return next(text for text, number in MOVES.items() if number == move)

    def parse_move(self, text: str) -> int:
        if text not in MOVES:
            raise NotationError(unknown("move", text, ["draw", "bank"]))
        return MOVES[text]

    def odds(self, view: View) -> list[str]:
        return [f"The next chip is a skull with probability {view.danger:.1%}"]

    def next_cards(self, view: View) -> list[Coming]:
        total = sum(view.bag)
        faces = [Face("☠", "action", "skull"), *(Face(chip, "number", f"a chip of {chip}") for chip in CHIPS[1:])]
        return [
            Coming(face, n / total, "" if chip else "bust")
            for chip, (face, n) in enumerate(zip(faces, view.bag, strict=True))
            if n
        ]

    def scene(self, view: View, names: Sequence[str]) -> Scene:
        return scene(view, names)

    def words(self) -> list[str]:
        return self.rules.words()

    def deck(self) -> list[tuple[str, int]]:
        return [("skull", self.rules.skulls), *((chip, COPIES) for chip in CHIPS[1:])]

    def bots(self) -> Mapping[str, BotEntry]:
        from pitboss_toy.bots import ENTRIES

        return ENTRIES

    def default_bots(self) -> list[str]:
        return ["bank-5", "bank-10", "ev"]

    def python_bot(self) -> type[Any]:
        from pitboss_toy.bot import ToyBot

        return ToyBot
