"""Whether a tournament that another version of pitboss began can go on with this one.

Fingerprints say that code has changed, not that games have: a rule book that became faster has a new one, too. Where
fingerprints differ, stored games are played again. If the rules lead to the same results, and each built-in bot makes
the moves that it made, the rest will fit what is there.
"""

from __future__ import annotations

from contextlib import closing

from pitboss.core.bot import Entrant
from pitboss.core.dealer import Keyed
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game
from pitboss.core.play import Seats
from pitboss.core.registry import bot as find_bot
from pitboss.core.step import DEALER, FAULT
from pitboss.core.version import bot_version, plays_like
from pitboss.tournament.match import MatchPlan, unpack
from pitboss.tournament.store import Store
from pitboss.tournament.store.schema import PLAYED, games, results

GAMES_AGAIN = 300  # at most, spread evenly over what was played: two seconds or so

OTHER_VERSION = "go on with the version that the tournament was begun with, or run a new one"


def verify_upgrade(store: Store, id: str, plan: MatchPlan, game: Game, engine: str) -> None:
    """Refuse a tournament if its stored games would be played differently here."""
    changed = {
        number
        for number, bot in enumerate(plan.contestants)
        if bot.kind == "built-in" and bot.version not in ("", bot_version(find_bot(bot.text, game)))
    }
    if not changed and plays_like(game, engine):
        return
    columns = ("number", "seats", "deal", "rotation", "moves", "cards", "state")
    with closing(store.rows(games, id, *columns)) as rows:
        played = [row[:-1] for row in rows if row[-1] == PLAYED]
    again = played[:: max(1, len(played) // GAMES_AGAIN)]
    numbers, scores = {row[0] for row in again}, dict[int, list[int]]()
    with closing(store.rows(results, id, "game", "score")) as rows:
        for number, score in rows:
            if number in numbers:
                scores.setdefault(number, []).append(score)
    for number, seats, deal, rotation, moves, cards in again:
        table = _Table(plan, game, seats, changed)
        if table.play(deal, rotation, unpack(moves)) != (cards, scores[number]):
            raise PitbossError(
                f"the tournament {id} was begun with other rules of {game}: game {number} ends differently in this "
                f"version of pitboss; {OTHER_VERSION}"
            )


class _Table:
    """One stored game, played again: outside bots make the moves they made, changed built-in bots are asked."""

    def __init__(self, plan: MatchPlan, game: Game, seats: list[int], changed: set[int]) -> None:
        self._key, self._asked = plan.key, [entry in changed for entry in seats]
        bots = [plan.contestants[entry] for entry in seats]
        there = [find_bot(b.text, game) if b.kind == "built-in" else Entrant(b.name) for b in bots]
        self._seats, self._position = Seats(game, there), game.start(len(seats))

    def play(self, deal: int, rotation: int, moves: list[int]) -> tuple[int, list[int]]:
        """How many cards were dealt, and everybody's score; a bot that moves otherwise than before is refused."""
        position, seats, dealer, dealt = self._position, self._seats, Keyed(self._key, deal), 0
        seats.start(self._key, deal, rotation)
        for move in moves:
            while position.to_act == DEALER:
                position.apply(dealer.card(position))
                dealt += 1
            if position.over or (move != FAULT and move not in position.legal):
                return -1, []
            seat = position.to_act
            if self._asked[seat] and move != FAULT and seats.decide(position, seat) != move:
                name = seats.entrants[seat].name
                raise BotError(f"{name} plays differently in this version of pitboss; {OTHER_VERSION}")
            position.apply(move)
        while position.to_act == DEALER:
            position.apply(dealer.card(position))
            dealt += 1
        return dealt, list(position.outcome.scores) if position.over else []
