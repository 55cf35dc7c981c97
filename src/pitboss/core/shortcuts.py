"""Keys that make a move, for the terminal and the browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitboss.core.types import GameView

if TYPE_CHECKING:
    from pitboss.core.game import Game

TAKEN = ("q", "?")  # by the terminal and the browser themselves
MOST = 40  # moves; of more, only those have keys for which the game says one


def shortcuts(game: Game, view: GameView, labels: Sequence[str]) -> list[list[str]]:
    """The keys of each legal move, the best first: the one that the game says, the first letter of its label if no
    other begins so, a sign that stands alone in its text or label, and, where no move has a digit there, its place in
    the list. So a sign that stands for one move never makes another."""
    moves = list(view.legal)
    own = [game.key(move) for move in moves]
    if len(moves) > MOST:
        return [[key] if key else [] for key in own]
    texts = [game.format_move(move).lower() for move in moves]
    letters = [next(iter(re.findall("[a-z]", label.lower())), "") for label in labels]
    signs = [
        {word for word in re.findall(r"\w+", f"{text} {label.lower()}") if len(word) == 1}
        for text, label in zip(texts, labels, strict=True)
    ]
    alone, places = Counter(letters), not any(sign.isdigit() for some in signs for sign in some)
    used = {*TAKEN, *own}
    out = []
    for i, mine in enumerate(own):
        others = {sign for j, some in enumerate(signs) if j != i for sign in some}
        wanted = [letters[i] if alone[letters[i]] == 1 else "", *sorted(signs[i]), str(i + 1) if places else ""]
        keys = [key for key in dict.fromkeys(wanted) if len(key) == 1 and key not in used and key not in others]
        used.update(keys)
        out.append([mine, *keys] if mine else keys)
    return out
