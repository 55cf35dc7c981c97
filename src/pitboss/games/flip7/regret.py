"""Regret: what each decision of a bot to hit or to stay costs, against the exact answer for those cards.

Every game of a simulation is played again, and wherever a bot had to hit or stay, what it did is compared with
the better of the two, counting every card, with best play ever after. In a solo book without Freeze and Flip
Three this is exact: on average, a bot's points and the points it lost make up what best play would have scored
with the decks that it met. At a table with others it is what a lone player would lose: that others draw from the
same deck, or end the round, is left out, and Freeze and Flip Three count as cards that are not there.

Only points of the round count. A bot that stays early because its total is near the target loses some here, and is
right to.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.play import Seats, play
from pitboss.core.record import Record
from pitboss.core.registry import Lineup, line_up, load
from pitboss.games.flip7.bots.counting import surely_hits, worth_of_hit
from pitboss.games.flip7.cards import KINDS, TEXT
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.solver.oracle import IDENTITY
from pitboss.games.flip7.state import HIT, HIT_OR_STAY
from pitboss.run.batch import unique
from pitboss.stats.intervals import Estimate, ratio

Progress = Callable[[int, int], None]

MISTAKES = 10
LEAST = 1e-9  # points; less is rounding


@dataclass(order=True)
class Mistake:
    """A decision that cost points: where it was made, and with what."""

    lost: float
    deal: int
    rotation: int
    decision: int  # which of the game's, from 0
    bot: str = field(compare=False)
    did: str = field(compare=False)
    hand: str = field(compare=False)
    points: int = field(compare=False)
    hit: float = field(compare=False)  # what it would have been worth


@dataclass
class Regret:
    """What bots lost in some games."""

    names: list[str]
    exact: bool  # one seat, and no card that it would have to leave out
    sums: Floats  # by bot, by block: points lost, points made, rounds
    mistakes: list[Mistake]  # the most expensive first
    interrupted: bool = False

    @property
    def blocks(self) -> int:
        """How many deals were scored."""
        return int(self.sums.shape[1])

    def lost(self, bot: int) -> Estimate:
        """Points lost in a round."""
        lost, _, rounds = self.sums[bot].T
        return _ratio(lost, rounds)

    def optimal(self, bot: int) -> Estimate:
        """Points made, as a share of what best play would have made of the same decks; if that is exact."""
        lost, made, _ = self.sums[bot].T
        return _ratio(made, made + lost)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        bots = [
            {
                "name": name,
                "lost_per_round": self.lost(i).to_dict(),
                "percent_of_optimal": _percent(self.optimal(i)) if self.exact else None,
            }
            for i, name in enumerate(self.names)
        ]
        return {
            "exact": self.exact,
            "blocks": self.blocks,
            "interrupted": self.interrupted,
            "bots": bots,
            "mistakes": [vars(mistake) for mistake in self.mistakes],
        }


def regret(
    game: str | Game,
    bots: Lineup,
    games: int = 1000,
    seed: int | Key = 0,
    *,
    rotate: bool = True,
    progress: Progress | None = None,
) -> Regret:
    """Play the games that a simulation with the same arguments plays, and score each decision to hit or stay.

    Ctrl-C ends early with the deals that are done.

    >>> found = regret("flip7:solo", ["oracle"], games=3, seed=1)
    >>> found.lost(0).mean, found.mistakes
    (0.0, [])
    """
    table = verify_game(load(game))
    entrants = line_up(bots, table)
    table.verify_seats(len(entrants))
    seats = len(entrants)
    rotations = seats if rotate else 1
    blocks = -(-games // rotations)
    names = unique([entrant.name for entrant in entrants])
    exact = table.rules.solo and table.rules.freeze == table.rules.flip_three == "absent"
    found = Regret(names, exact, np.zeros((seats, blocks, 3)), [])
    places = [Seats(table, [entrants[(s - j) % seats] for s in range(seats)]) for j in range(rotations)]
    scored = 0
    try:
        for deal in range(blocks):
            for j, seated in enumerate(places):
                record = play(table, [], seed, deal=deal, rotation=j, seats=seated)
                _score(found, table, record, [(s - j) % seats for s in range(seats)])
                if progress:
                    progress(deal * rotations + j + 1, blocks * rotations)
            scored = deal + 1
    except KeyboardInterrupt:
        if scored == 0:
            raise
        found.interrupted, found.sums = True, found.sums[:, :scored]
    found.mistakes.sort(reverse=True)
    return found


def joined(parts: Sequence[Regret]) -> Regret:
    """Bots that were scored one by one, together."""
    fewest = min(part.blocks for part in parts)
    return Regret(
        unique([name for part in parts for name in part.names]),
        all(part.exact for part in parts),
        np.concatenate([part.sums[:, :fewest] for part in parts]),
        heapq.nlargest(MISTAKES, (mistake for part in parts for mistake in part.mistakes)),
        any(part.interrupted for part in parts),
    )


def verify_game(game: Game) -> Flip7:
    """The game, if its decisions can be scored; else refuse."""
    if not isinstance(game, Flip7):
        raise PitbossError(f"regret is known for Flip 7 only: there is no exact answer for each decision of {game}")
    return game


def _score(found: Regret, game: Flip7, record: Record, bots: list[int]) -> None:
    """Add what one game cost each bot; seat s is bots[s]."""
    made = 0
    for position, _, _ in record.replay():
        state, seat = position.states[0], position.to_act
        if position.over:
            for s, bot in enumerate(bots):
                found.sums[bot, record.deal] += (0, int(state["total"][s]), int(state["round"]))
        elif seat >= 0:
            if int(state["decision"]) == HIT_OR_STAY:
                _judge(found, game, record, made, position.states, seat, bots[seat])
            made += 1


def _judge(found: Regret, game: Flip7, record: Record, made: int, states: Any, seat: int, bot: int) -> None:
    """Compare a decision with the better one."""
    move = record.moves[made]
    hit = _hit(states, game.record, seat, move, IDENTITY)
    points = int(states[0]["points"][seat])
    lost = points - hit if move == HIT else hit - points
    if lost < LEAST:
        return
    found.sums[bot, record.deal, 0] += lost
    if len(found.mistakes) == MISTAKES and lost <= found.mistakes[0].lost:
        return
    front = states[0]["front"][seat]
    hand = " ".join(TEXT[kind] for kind in range(KINDS) for _ in range(int(front[kind])))
    did = game.format_move(move)
    mistake = Mistake(lost, record.deal, record.rotation, made, found.names[bot], did, hand, points, hit)
    add = heapq.heappush if len(found.mistakes) < MISTAKES else heapq.heapreplace
    add(found.mistakes, mistake)


@compiled
def _hit(states: Any, rules: Any, seat: int, move: int, utility: Any) -> float:
    """What a card is worth; just infinite, to save work, where the bot took one and that needs no table."""
    s, r = states[0], rules[0]
    if move == HIT and surely_hits(s, seat, utility):
        return np.inf
    return worth_of_hit(s, r, seat, utility)


def _ratio(a: Floats, b: Floats) -> Estimate:
    """Sum of a over sum of b."""
    return ratio(float(a.sum()), float(a @ a), float(b.sum()), float(b @ b), float(a @ b), len(a))


def _percent(share: Estimate) -> dict[str, Any]:
    interval = share.ci95
    return {"mean": 100 * share.mean, "ci95": interval and [100 * end for end in interval]}
