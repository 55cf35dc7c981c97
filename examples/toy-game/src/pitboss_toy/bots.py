"""The built-in bots, compiled. They compare whole numbers, so that no rounding can change a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled
from pitboss_toy.rules import HIGHEST
from pitboss_toy.step import BANK, DRAW, SKULL


@compiled
def bank_bot(s: Any, r: Any, seat: int, params: Any, luck: np.uint64) -> int:
    """Banks with N in the pot or more, or with enough to win."""
    enough = min(int(params[0]), int(r["target"]) - int(s["total"][seat]))
    return BANK if int(s["pot"]) >= enough else DRAW


@compiled
def ev_bot(s: Any, r: Any, seat: int, params: Any, luck: np.uint64) -> int:
    """Draws while one more chip gains points on average, and banks with enough to win."""
    pot = int(s["pot"])
    if pot + int(s["total"][seat]) >= int(r["target"]):
        return BANK
    gain = 0
    for chip in range(1, HIGHEST + 1):
        gain += chip * int(s["left"][chip])
    return DRAW if gain > pot * int(s["left"][SKULL]) else BANK


def _bank(wanted: Wanted) -> tuple[Any, list[float]]:
    return bank_bot, [wanted.verify_number("bank-8", 1, 100)]


def _ev(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    return ev_bot, []


ENTRIES = {
    "bank": BotEntry("bank-N", "banks with N in the pot", _bank),
    "ev": BotEntry("ev", "draws while one more chip gains points on average", _ev),
}
