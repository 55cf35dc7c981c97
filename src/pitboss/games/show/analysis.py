"""What Show says about good play.

Both answers of a decision are tried in worlds that fit the view. Of the whole deck there is near-equilibrium play, to
be measured and learned anew.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

from pitboss.core.analysis import (
    HIGH,
    LOW,
    MOVE,
    TRIED,
    VALUE,
    WIN,
    Analysis,
    AnswerKind,
    CompiledOpinion,
    MoveValue,
    Opinion,
    Progress,
    Report,
    Solution,
    Terms,
)
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.types import Array, Data
from pitboss.games.show.bots.cfr import PolicyTable, table_path
from pitboss.games.show.bots.search import try_answers
from pitboss.games.show.bots.training import learn
from pitboss.games.show.game import Show
from pitboss.games.show.rules import THOUSAND, WHOLE_DECK
from pitboss.games.show.state import State
from pitboss.games.show.view import ShowView

WORLDS = 2000
UNIT = "games (1 won, 0 tied, -1 lost)"
MEASURED = f"measured in {WORLDS:,} worlds that fit what you know, both playing on as show-6"
GRAVE = 0.2
WALKS = 16_000_000  # of a training: from one to six minutes on a core, by the length of the games


class ShowAnalysis(Analysis):
    """Measured answers, and a table of near-equilibrium play."""

    game: Show

    def opinion(self, view: ShowView, *, chances: bool = False) -> Opinion | None:
        if not view.legal:
            return None
        luck = np.uint64(zlib.crc32(view.record.tobytes()))  # the same question gets the same answer
        sums = np.zeros((2, 2), np.int64)
        try_answers(view.record, self.game.record[0], WORLDS, luck, sums)
        moves = []
        for move in view.legal:
            mean, squares = sums[move] / WORLDS / (THOUSAND, THOUSAND**2)
            half = 1.96 * sqrt(max(float(squares - mean**2), 0.0) / (WORLDS - 1))
            ci95 = float(mean - half), float(mean + half)
            moves.append(MoveValue(move, self.game.format_move(move), float(mean), ci95=ci95, rollouts=WORLDS))
        return Opinion(UNIT, MEASURED, tuple(moves), GRAVE)

    def compiled(self) -> CompiledOpinion:
        return CompiledOpinion(say, np.zeros(1), (AnswerKind(UNIT, MEASURED, GRAVE),))

    @property
    def terms(self) -> Terms:
        return Terms("Games lost by single decisions", UNIT, MEASURED)

    def equilibrium(self) -> Entrant | None:
        if self.game.rules.deck != WHOLE_DECK:
            return None
        table = PolicyTable.load(table_path(self.game))
        return Entrant("cfr", function=table.player, params=table.params(), trusted=True)

    def train(
        self, file: Path | None, walks: int | None, seed: int, progress: Progress | None = None, threads: int = 1
    ) -> Solution:
        if file is None:
            raise PitbossError("say where to write the table: `out=FILE`; the bot is then cfr(file=FILE)")
        walks = walks or WALKS
        table = learn(self.game, walks, seed, progress, threads)
        table.save(file)
        return Trained(str(self.game), walks, seed, len(table), str(file), file.stat().st_size)


@compiled
def say(v: State, r: State, seat: int, params: Array, luck: np.uint64, lines: Array) -> int:
    """What `opinion` says, wholly compiled; see `CompiledOpinion`."""
    sums = np.zeros((2, 2), np.int64)
    try_answers(v, r, WORLDS, luck, sums)
    for move in range(2):
        mean, squares = sums[move, 0] / WORLDS / THOUSAND, sums[move, 1] / WORLDS / THOUSAND**2
        half = 1.96 * np.sqrt(max(squares - mean * mean, 0.0) / (WORLDS - 1))
        line = lines[move + 1]
        line[MOVE], line[VALUE], line[WIN], line[TRIED] = move, mean, np.nan, WORLDS
        line[LOW], line[HIGH] = mean - half, mean + half
    lines[0, 0] = 2
    return 0


@dataclass(frozen=True)
class Trained(Solution):
    """A table of near-equilibrium play that was learned and written to a file."""

    game: str
    walks: int
    seed: int
    sets: int  # of information
    file: str
    size: int  # in bytes

    def report(self) -> Report:
        size = self.size / 1000
        return [f": {self.sets:,} information sets after {self.walks:,} walks, written to {self.file} ({size:,.0f} kB)"]

    def to_dict(self) -> Data:
        return {"kind": "trained", "game": self.game, "walks": self.walks, "seed": self.seed, "sets": self.sets,
                "file": self.file, "bytes": self.size}  # fmt: skip
