"""Whether a tournament that another version of pitboss started can continue with this one.

Fingerprints say that code has changed, not that games have: a rule book that became faster has a new one, too. Where
fingerprints differ, stored games are played again. If the rules lead to the same results, and each built-in bot makes
the moves that it made, the rest will fit what is there.
"""

from __future__ import annotations

from contextlib import closing

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game
from pitboss.core.play import GameInProgress, Seats
from pitboss.core.registry import bot as find_bot
from pitboss.core.step import FAULT
from pitboss.core.version import bot_version, plays_like
from pitboss.tournament.match import MatchPlan, unpack
from pitboss.tournament.store import Store
from pitboss.tournament.store.schema import PLAYED, games, results

GAMES_AGAIN = 300  # at most, spread evenly over what was played: two seconds or so

OTHER_VERSION = "continue with the version that started the tournament, or run a new one"


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
    for number, entries, deal, rotation, moves, cards in again:
        asked = [entry in changed for entry in entries]
        bots = [plan.contestants[entry] for entry in entries]
        there = [find_bot(b.text, game) if b.kind == "built-in" else Entrant(b.name) for b in bots]
        table = GameInProgress(Seats(game, there), plan.key, (deal, rotation))
        if _play_again(table, unpack(moves), asked) != (cards, scores[number]):
            raise PitbossError(
                f"the tournament {id} was started with other rules of {game}: game {number} ends differently in this "
                f"version of pitboss; {OTHER_VERSION}"
            )


def _play_again(table: GameInProgress, moves: list[int], asked: list[bool]) -> tuple[int, list[int]]:
    """How many cards are dealt, and everybody's score. Seats that are asked must move as they did, or are refused."""
    position, seats = table.position, table.seats
    for move in moves:
        table.deal()
        seat = position.to_act
        if position.over or (move != FAULT and move not in position.legal):
            return -1, []
        if asked[seat] and move != FAULT and seats.decide(position, seat) != move:
            name = seats.entrants[seat].name
            raise BotError(f"{name} plays differently in this version of pitboss; {OTHER_VERSION}")
        table.apply(move)
    table.deal()
    return len(table.record.cards), list(position.outcome.scores) if position.over else []
