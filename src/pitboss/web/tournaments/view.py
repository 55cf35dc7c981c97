"""A tournament as plain data: the table, who beat whom, and one bot in detail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import sqlalchemy as sql
from pydantic import BaseModel, Field

from pitboss.core.registry import title_of
from pitboss.tournament.judging import Verdicts
from pitboss.tournament.profile import FieldFigure, SharePart, profiles
from pitboss.tournament.report import settings_in_words
from pitboss.tournament.results import Matches
from pitboss.tournament.standings import Standings, StandingsRow, Times, standings
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t
from pitboss.web.errors import not_found

GAMES = 50  # of a bot that are listed at once
FAULTS = 5  # of a kind that are told


class Summary(BaseModel):
    """A tournament in a list."""

    id: str
    name: str = Field(description="What who began it calls it; empty if they did not say.")
    game: str
    title: str = Field(description="The game and its rule book, for people.")
    created: str
    finished: bool
    running: bool = Field(description="Whether this server plays it now; another program may, without our knowing.")
    bots: list[str]
    matches: int
    planned: int


class Deciding(BaseModel):
    """Two neighbours of the table that are closest to being told apart, and the last game in which they met."""

    bots: tuple[str, str]
    games_to_tell: int = Field(description="How many in all would tell them apart, if they differ as it seems.")
    game: int | None = Field(description="Its number; null if they have not met.")


class TournamentLook(BaseModel):
    """All that is known about a tournament now."""

    title: str = Field(description="The game and its rule book, for people.")
    table: Standings = Field(description="The standings; who has beaten whom is in the order of `names`.")
    moving: bool = Field(description="Whether it is being played, as far as we can see.")
    apart: list[bool] = Field(description="Of each bot but the last, whether it is better than the next for certain.")
    deciding: Deciding | None = Field(description="Where a game counts most; null if all neighbours are told apart.")
    settings: list[tuple[str, str]]
    statements: list[str]
    warnings: list[str]


class GameLine(BaseModel):
    """A game of a bot."""

    number: int
    players: list[str] = Field(description="By seat.")
    seat: int
    place: int
    score: int
    won: float = Field(description="1: won, 0: lost, between: shared.")
    faults: int


class FaultLine(BaseModel):
    """A decision that was ruled a fault."""

    kind: str
    count: int = Field(description="Of this kind.")
    game: int
    text: str


class ProfileLook(BaseModel):
    """Why a bot won or lost."""

    games: int = Field(description="That were looked at, of all.")
    words: list[str] = Field(description="What was found, in sentences; each difference is more than luck.")
    figures: list[FieldFigure] = Field(description="The game's own figures, beside those of all others.")
    moves: list[FieldFigure] = Field(description="How often it made which move, and with how much at stake.")
    seats: list[SharePart]
    opponents: list[SharePart]
    verdicts: Verdicts = Field(description="What its decisions cost, from a sample of them.")


class BotLook(BaseModel):
    """A bot in a tournament."""

    tournament: str
    title: str = Field(description="The game and its rule book, for people.")
    game: str
    finished: bool
    row: StandingsRow = Field(description="Its line of the table.")
    times: Times
    all_games: int
    games: list[GameLine]
    faults: list[FaultLine]


def summaries(store: Store, running: set[str], called: dict[str, str], most: int | None = None) -> list[Summary]:
    """All tournaments, or so many, the newest first."""
    ids = store.ids()[::-1][:most]
    sittings, played = (
        dict[str, int](map(tuple, store.query(sql.select(of, sql.func.count()).where(of.in_(ids)).group_by(of))))
        for of in (t.sittings.c.tournament, t.matches.c.tournament)
    )
    out = []
    for id in ids:
        stored = store.tournament(id)
        seats = stored.settings["seats"]
        planned, matches = seats * sittings.get(id, 0), played.get(id, 0)
        if seats == 1:  # those who play alone meet on their deals
            found = Matches(store, stored)
            planned, matches = found.planned, len(found.players)
        names = [entry.name for entry in stored.entries]
        summary = Summary(
            id=id, game=stored.spec, title=title_of(stored.spec),
            created=stored.created, finished=stored.finished, running=id in running,
            bots=names, matches=matches, planned=planned, name=called.get(id, ""),
        )  # fmt: skip
        out.append(summary)
    return out


def look(store: Store, id: str, moving: bool) -> TournamentLook:
    """A tournament as far as it has been played."""
    table = standings(store, id)
    return TournamentLook(
        title=title_of(table.game),
        table=replace(table, versus=(), settings={}),  # which are told in words
        moving=moving and not table.finished,
        apart=_apart(table),
        deciding=_deciding(store, table),
        settings=[(name, text) for name, text in settings_in_words(table) if name != "seed" or table.finished],
        statements=table.statements() if table.matches else [],
        warnings=table.warnings(),
    )


def _apart(table: Standings) -> list[bool]:
    """Whether each bot is told apart from the next."""
    sure = {frozenset((pair.a, pair.b)) for pair in table.versus if pair.better is not None}
    return [frozenset((row.name, after.name)) in sure for row, after in pairwise(table.rows)]


def _deciding(store: Store, table: Standings) -> Deciding | None:
    """The two neighbours that the fewest games would tell apart."""
    open_ = [
        (row.games_to_tell, row.name, after.name)
        for (row, after), apart in zip(pairwise(table.rows), _apart(table), strict=True)
        if not apart and row.games_to_tell is not None
    ]
    if not open_:
        return None
    games, first, second = min(open_)
    one, other = t.results.alias(), t.results.alias()
    met = (one.c.tournament == other.c.tournament) & (one.c.game == other.c.game)
    mine = (one.c.tournament == table.id) & (one.c.entry == table.names.index(first))
    theirs = other.c.entry == table.names.index(second)
    wanted = sql.select(one.c.game).join(other, met).where(mine, theirs).order_by(one.c.game.desc()).limit(1)
    found = store.query(wanted)
    return Deciding(bots=(first, second), games_to_tell=games, game=found[0][0] if found else None)


def bot_look(store: Store, id: str, number: int, offset: int) -> BotLook:
    """One bot of a tournament, and some of its games, the newest first."""
    table = standings(store, id)
    if number >= len(table.names):
        raise not_found(f"the tournament {id} has {len(table.names)} bots")
    rank = [row.name for row in table.rows].index(table.names[number])
    r, g, f = t.results.c, t.games.c, t.faults.c
    mine = (r.tournament == id) & (r.entry == number)
    wanted = sql.select(r.game, r.seat, r.place, r.score, r.share, g.seats).join(
        t.games, (g.tournament == r.tournament) & (g.number == r.game)
    )
    wanted = wanted.where(mine).order_by(r.game.desc(), r.seat).limit(GAMES).offset(offset)
    own = (f.tournament == id) & (f.entry == number)
    store.verify(id)
    ((count,),) = store.query(sql.select(sql.func.count()).where(mine))
    rows = store.query(wanted)
    faults = store.query(sql.select(f.kind, f.game, f.text, f.seat).where(own).order_by(f.game, f.move))
    in_game = Counter((game, seat) for _, game, _, seat in faults)
    kinds = Counter(kind for kind, *_ in faults)
    told: Counter[str] = Counter()
    lines = []
    for kind, game, text, _ in faults:
        told[kind] += 1
        if told[kind] <= FAULTS:
            lines.append(FaultLine(kind=kind, count=kinds[kind], game=game, text=text))
    return BotLook(
        tournament=table.id, title=title_of(table.game),
        game=table.game, finished=table.finished, row=table.rows[rank], times=table.times[rank],
        all_games=count,
        games=[
            GameLine(
                number=game, players=[table.names[n] for n in seats], seat=seat, place=place, score=score, won=share,
                faults=in_game[game, seat],
            )
            for game, seat, place, score, share, seats in rows
        ],
        faults=lines,
    )  # fmt: skip


def profile_look(store: Store, id: str, number: int) -> ProfileLook:
    """Why one bot of a tournament won or lost."""
    entries = store.tournament(id).entries
    if number >= len(entries):
        raise not_found(f"the tournament {id} has {len(entries)} bots")
    [found] = profiles(store, id, [entries[number].name])
    return ProfileLook(**{name: getattr(found, name) for name in ProfileLook.model_fields})
