"""Where tournaments are kept: a SQLite file by default, any database that SQLAlchemy speaks by URL.

A sitting and all that belongs to it is saved in one transaction, and saving it again changes
nothing. So a run that was killed has each sitting wholly or not at all, and `resume` plays the rest.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from pitboss.arena.contestant import Contestant
from pitboss.arena.match import MatchRow, unpack
from pitboss.arena.schedule import Sitting
from pitboss.arena.store import schema as t
from pitboss.table.errors import PitbossError
from pitboss.table.keys import Key
from pitboss.table.record import Record
from pitboss.table.registry import load

DEFAULT_STORE = "pitboss.db"
HEAD = "0001"  # the newest migration
OPEN, FINISHED = "unfinished", "finished"


@dataclass(frozen=True)
class Stored:
    """A tournament as it is written down."""

    id: str
    created: str
    spec: str
    settings: dict[str, Any]
    key: Key
    state: str
    entries: tuple[Contestant, ...]

    @property
    def finished(self) -> bool:
        """Whether everything planned has been played."""
        return self.state == FINISHED

    @property
    def key_hash(self) -> str:
        """SHA-256 of the key: told at the beginning, so that anyone can check the key against it at the end."""
        return hashlib.sha256(str(self.key).encode()).hexdigest()


def new_id() -> str:
    """A short name that no other tournament has: letters and digits that are not mistaken for others."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(6))


class Store:
    """Tournaments in a database. `Store()` is a file here, `Store(":memory:")` is gone afterwards."""

    def __init__(self, url: str = DEFAULT_STORE) -> None:
        self.name = url  # as the user writes it
        if url == ":memory:":
            url = "sqlite://"
        self.url = url if "://" in url else f"sqlite:///{url}"

    @classmethod
    def existing(cls, url: str) -> Store:
        """A store to read from: a file that is not there is not made."""
        if "://" not in url and not Path(url).exists():
            raise PitbossError(f"there is no store {url} yet; pitboss tournament run makes one, --store names another")
        return cls(url)

    @cached_property
    def engine(self) -> Engine:
        """The database, its schema brought up to date."""
        engine = _engine(self.url)
        try:
            with engine.connect() as connection:
                upgrade(connection)
                connection.commit()
        except sql.exc.DatabaseError as problem:
            raise PitbossError(f"{self.name} cannot be used as a store: {problem.orig}") from problem
        return engine

    def close(self) -> None:
        """Let go of the database."""
        if "engine" in self.__dict__:
            self.engine.dispose()

    # --- writing ---

    def create(
        self, id: str, spec: str, settings: dict[str, Any], key: Key, entries: Sequence[Contestant],
        sittings: Iterable[Sitting],
    ) -> Stored:  # fmt: skip
        """Write down a tournament and its whole schedule."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self.engine.begin() as connection:
            if connection.execute(sql.select(t.tournaments.c.id).where(t.tournaments.c.id == id)).first():
                raise PitbossError(
                    f"there is already a tournament {id} in {self.name}; choose another --id, or resume it"
                )
            connection.execute(
                t.tournaments.insert(),
                {"id": id, "created": created, "spec": spec, "settings": settings, "key": str(key), "state": OPEN},
            )
            _add_entries(connection, id, 0, entries)
            _add_sittings(connection, id, 0, sittings, settings["best_of"])
        return self.tournament(id)

    def extend(self, id: str, entries: Sequence[Contestant], sittings: Iterable[Sitting]) -> None:
        """More bots, more sittings, or both: in one transaction."""
        stored = self.tournament(id)
        with self.engine.begin() as connection:
            _add_entries(connection, id, len(stored.entries), entries)
            count = sql.select(sql.func.count()).select_from(t.sittings).where(t.sittings.c.tournament == id)
            first = connection.execute(count).scalar_one()
            _add_sittings(connection, id, first, sittings, stored.settings["best_of"])
            connection.execute(sql.update(t.tournaments).where(t.tournaments.c.id == id).values(state=OPEN))

    def save(self, id: str, played: Sequence[tuple[int, Sitting, tuple[MatchRow, ...]]], best_of: int) -> None:
        """Results of whole sittings, in one transaction; those saved before are left as they are."""
        with self.engine.begin() as connection:
            numbers = [number for number, _, _ in played]
            open_ones = set(
                connection.execute(
                    sql.select(t.sittings.c.number).where(
                        t.sittings.c.tournament == id, t.sittings.c.number.in_(numbers), t.sittings.c.state == t.PLANNED
                    )
                ).scalars()
            )
            new = [each for each in played if each[0] in open_ones]
            if new:
                _save(connection, id, new, best_of)

    def finish(self, id: str) -> None:
        """All is played."""
        with self.engine.begin() as connection:
            connection.execute(sql.update(t.tournaments).where(t.tournaments.c.id == id).values(state=FINISHED))

    def mark_steady(self, id: str, entry: int, steady: bool) -> None:
        """Whether a bot played the same game alike when asked a second time."""
        with self.engine.begin() as connection:
            where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
            connection.execute(sql.update(t.entries).where(where).values(steady=int(steady)))

    # --- reading ---

    def ids(self) -> list[str]:
        """All tournaments, the oldest first."""
        with self.engine.connect() as connection:
            order = (t.tournaments.c.created, t.tournaments.c.id)
            return list(connection.execute(sql.select(t.tournaments.c.id).order_by(*order)).scalars())

    def tournament(self, id: str) -> Stored:
        """One tournament; `latest` is the one made last."""
        with self.engine.connect() as connection:
            if id == "latest":
                known = self.ids()
                if not known:
                    raise PitbossError(f"there is no tournament in {self.name} yet: pitboss tournament run")
                id = known[-1]
            row = connection.execute(sql.select(t.tournaments).where(t.tournaments.c.id == id)).mappings().first()
            if row is None:
                known = self.ids()
                some = f"it has {', '.join(known[-8:])}" if known else "it has none yet"
                raise PitbossError(f"there is no tournament {id!r} in {self.name}; {some}")
            select = sql.select(t.entries.c.contestant).where(t.entries.c.tournament == id).order_by(t.entries.c.number)
            entries = tuple(Contestant.from_dict(data) for data in connection.execute(select).scalars())
        return Stored(
            id, row["created"], row["spec"], dict(row["settings"]), Key.parse(row["key"]), row["state"], entries
        )

    def source(self, id: str, entry: int) -> bytes | None:
        """The source of a bot as it was entered."""
        with self.engine.connect() as connection:
            where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
            return connection.execute(sql.select(t.entries.c.source).where(where)).scalar()

    def planned(self, id: str) -> list[tuple[int, Sitting]]:
        """The sittings that are still to be played, in order."""
        return [(number, sitting) for number, sitting, state in self.sittings(id) if state == t.PLANNED]

    def sittings(self, id: str) -> list[tuple[int, Sitting, int]]:
        """All sittings: number, who and on what block, state."""
        with self.engine.connect() as connection:
            rows = connection.execute(
                sql.select(t.sittings).where(t.sittings.c.tournament == id).order_by(t.sittings.c.number)
            ).mappings()
            return [(r["number"], Sitting(r["block"], tuple(r["bots"])), r["state"]) for r in rows]

    def rows(self, table: sql.Table, id: str, *columns: str) -> Generator[Any, None, None]:
        """Some columns of all rows of a tournament, in the order of the primary key."""
        chosen = [table.c[name] for name in columns]
        keys = [column for column in table.primary_key.columns if column.name != "tournament"]
        select = sql.select(*chosen).where(table.c.tournament == id).order_by(*keys)
        with self.engine.connect() as connection:
            yield from connection.execute(select)

    def record(self, id: str, number: int) -> Record:
        """A game that was played, as a record; without the key as long as it may not be known."""
        for record in self.records(id, [number]):
            return record
        with self.engine.connect() as connection:
            where = (t.games.c.tournament == id) & (t.games.c.number == number)
            known = connection.execute(sql.select(t.games.c.number).where(where)).first()
        why = "has not been played, or was not needed" if known else "is not in its schedule"
        raise PitbossError(f"game {number} of the tournament {id} {why}")

    def records(
        self, id: str, numbers: sql.Select[tuple[int]] | Sequence[int] | None = None
    ) -> Generator[Record, None, None]:
        """The games that were played (of these numbers, or all), in order, as records."""
        stored = self.tournament(id)
        game, why = load(stored.spec), dict[int, dict[int, str]]()

        def among(column: sql.Column[int]) -> sql.ColumnElement[bool]:
            return sql.true() if numbers is None else column.in_(numbers)

        with self.engine.connect() as connection:
            select = sql.select(t.faults.c.game, t.faults.c.move, t.faults.c.text).where(t.faults.c.tournament == id)
            for number, move, text in connection.execute(
                select.where(among(t.faults.c.game)).order_by(t.faults.c.game, t.faults.c.move)
            ):
                why.setdefault(number, {})[move] = text
            chosen = (t.games.c.tournament == id) & (t.games.c.state == t.PLAYED) & among(t.games.c.number)
            for row in connection.execute(sql.select(t.games).where(chosen).order_by(t.games.c.number)).mappings():
                bots = [stored.entries[entry] for entry in row["seats"]]
                record = Record(
                    game, [bot.name for bot in bots], [bot.version for bot in bots], stored.key, row["deal"],
                    row["rotation"], moves=unpack(row["moves"]), faults=why.get(row["number"], {}),
                    output={int(n): text for n, text in row["output"] or []},
                ).deal_again()  # fmt: skip
                yield record if stored.finished else replace(record, key=None)


def _engine(url: str) -> Engine:
    # a file is opened for each use and closed again, so that nothing of it is held between two
    pool = sql.NullPool if url.startswith("sqlite:///") else None
    try:
        engine = sql.create_engine(
            url, poolclass=pool, json_serializer=lambda data: json.dumps(data, separators=(",", ":"))
        )
    except Exception as problem:
        raise PitbossError(
            f"{url!r} is no store: give a file, or a URL such as sqlite:///games.db ({problem})"
        ) from problem
    if engine.dialect.name == "sqlite":
        path = engine.url.database
        if path and path != ":memory:" and (Path(path).is_dir() or not Path(path).resolve().parent.is_dir()):
            why = "it is a folder; name a file in it" if Path(path).is_dir() else "there is no such folder"
            raise PitbossError(f"cannot keep a store in {path}: {why}")

        @sql.event.listens_for(engine, "connect")
        def _settle(connection: Any, _: Any) -> None:
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=30000"):
                connection.execute(f"PRAGMA {pragma}")

    return engine


def upgrade(connection: Connection) -> None:
    """Bring the schema up to date. A store of a newer pitboss is refused."""
    if sql.inspect(connection).has_table("alembic_version"):
        version = connection.execute(sql.text("SELECT version_num FROM alembic_version")).scalar()
        if version == HEAD:
            return
        if version is not None and version > HEAD:
            raise PitbossError(f"the store was written by a newer pitboss (its schema is {version}); update pitboss")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _add_entries(connection: Connection, id: str, first: int, entries: Sequence[Contestant]) -> None:
    rows = [
        {
            "tournament": id, "number": number, "name": entry.name, "version": entry.version,
            "contestant": entry.as_dict(), "source": entry.source(),
        }
        for number, entry in enumerate(entries, first)
    ]  # fmt: skip
    if rows:
        connection.execute(t.entries.insert(), rows)


def _add_sittings(connection: Connection, id: str, first: int, sittings: Iterable[Sitting], best_of: int) -> None:
    """Sittings and every game that may be played in them."""
    rows: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []

    def write() -> None:
        if rows:
            connection.execute(t.sittings.insert(), rows)
            connection.execute(t.games.insert(), games)
            rows.clear()
            games.clear()

    for number, sitting in enumerate(sittings, first):
        rows.append(
            {"tournament": id, "number": number, "block": sitting.block, "bots": sitting.bots, "state": t.PLANNED}
        )
        for rotation in range(len(sitting.bots)):
            seats = sitting.seats(rotation)
            games += [
                {
                    "tournament": id, "number": game_number(number, len(seats), rotation, best_of, game),
                    "sitting": number, "rotation": rotation, "game": game,
                    "deal": sitting.block * best_of + game, "seats": seats, "state": t.PLANNED,
                }
                for game in range(best_of)
            ]  # fmt: skip
        if len(games) > 5000:
            write()
    write()


def game_number(sitting: int, seats: int, rotation: int, best_of: int, game: int) -> int:
    """The number of a game in its tournament."""
    return (sitting * seats + rotation) * best_of + game


def _save(
    connection: Connection, id: str, played: Sequence[tuple[int, Sitting, tuple[MatchRow, ...]]], best_of: int
) -> None:
    matches, games, unneeded, results, faults = [], [], [], [], []
    for number, sitting, rows in played:
        for match in rows:
            matches.append(
                {
                    "tournament": id, "sitting": number, "rotation": match.rotation, "wins": match.wins,
                    "shares": match.shares, "places": match.places, "forfeits": match.forfeits,
                }
            )  # fmt: skip
            entries = sitting.seats(match.rotation)
            place = game_number(number, len(entries), match.rotation, best_of, 0)
            for game in match.games:
                n = place + game.number
                games.append(
                    {
                        "_t": id, "_n": n, "ended": game.ended, "length": game.length, "cards": game.cards,
                        "moves": game.moves, "output": game.output or None,
                    }
                )  # fmt: skip
                for seat, r in enumerate(game.seats):
                    results.append(
                        {
                            "tournament": id, "game": n, "seat": seat, "entry": entries[seat], "share": r.share,
                            "place": r.place, "score": r.score, "decisions": r.decisions, "cpu": r.cpu, "most": r.most,
                        }
                    )  # fmt: skip
                faults += [
                    {
                        "tournament": id, "game": n, "move": f.move, "seat": f.seat, "entry": entries[f.seat],
                        "kind": f.kind, "text": f.text,
                    }
                    for f in game.faults
                ]  # fmt: skip
            unneeded += [{"_t": id, "_n": place + g} for g in range(len(match.games), best_of)]
    this = (t.games.c.tournament == sql.bindparam("_t")) & (t.games.c.number == sql.bindparam("_n"))
    names = ("ended", "length", "cards", "moves", "output")
    update = sql.update(t.games).where(this)
    connection.execute(
        update.values(state=t.PLAYED, **{name: sql.bindparam(name, type_=t.games.c[name].type) for name in names}),
        games,
    )
    if unneeded:
        connection.execute(update.values(state=t.NOT_NEEDED), unneeded)
    connection.execute(t.matches.insert(), matches)
    connection.execute(t.results.insert(), results)
    if faults:
        connection.execute(t.faults.insert(), faults)
    numbers = [number for number, _, _ in played]
    connection.execute(
        sql.update(t.sittings)
        .where(t.sittings.c.tournament == id, t.sittings.c.number.in_(numbers))
        .values(state=t.PLAYED)
    )
