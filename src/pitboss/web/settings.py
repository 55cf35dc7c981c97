"""What a server was started with."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.arena.store import DEFAULT_STORE

HOUR = 3600.0
DAY = 24 * HOUR


@dataclass(frozen=True)
class Settings:
    """Where things are kept, what is allowed, and how much of it."""

    store: str = DEFAULT_STORE  # tournaments, and the games played here
    host: str = "127.0.0.1"
    port: int = 7777
    names: tuple[str, ...] = ()  # names of this machine besides localhost and its addresses, for links
    allow_runs: bool = False  # tournaments may be started from a page
    allow_uploads: bool = False  # bots may be sent in, by those who know the token
    upload_token: str = ""
    body_bytes: int = 256 * 1024  # the most that a request may bring
    creations_per_minute: int = 120  # new tables and the like, for one address
    most_tables: int = 2000  # at once
    most_steps: int = 20_000  # of one game
    idle_seconds: float = 600.0  # after which a table that nobody looks at is put away; it comes back when asked for
    unfinished_seconds: float = 2 * DAY  # after which a game that nobody goes on with is dropped
    finished_seconds: float = 60 * DAY
