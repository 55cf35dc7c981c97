"""What a server was started with."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field

from pitboss.sandbox.limits import Limits
from pitboss.tournament import DEFAULT_STORE

EVERYWHERE = ("0.0.0.0", "::")  # hosts that let the whole network in
HOUR = 3600.0
DAY = 24 * HOUR


@dataclass(frozen=True)
class ServerSettings:
    """Where things are kept, what is allowed, and how much of it."""

    store: str = DEFAULT_STORE  # tournaments, and the games played here
    host: str = "127.0.0.1"
    port: int = 7777
    names: tuple[str, ...] = ()  # names of this machine besides localhost and its addresses, for links
    allow_runs: bool = False  # tournaments may be started from a page
    allow_uploads: bool = False  # bots may be submitted by those who know the token
    upload_token: str = ""
    uploads: str = ""  # the folder for them; beside the store if not named
    uploads_per_minute: int = 6  # bots, and wrong tokens, for one address
    most_uploads: int = 200
    host_token: str = ""  # whoever knows it may stop and resume every tournament
    proxy: str = ""  # the address of a server before this one, whose word about visitors' addresses is believed
    most_runs: int = 1  # tournaments that this server plays at once
    limits: Limits = field(default_factory=Limits)  # of bots, in these tournaments and when they are checked
    creations_per_minute: int = 120  # new tables and the like, for one address
    wrong_codes_per_minute: int = 12  # of tables, typed at one address
    most_tables: int = 2000  # at once
    tables_per_address: int = 400
    most_steps: int = 20_000  # of one game
    steps_in_memory: int = 300_000  # of all games together; 3 KB each at a large table
    steps_per_address: int = 100_000
    decision_seconds: float = 0.25  # that a bot may think about a move, where visitors seat it

    # What may be asked of the solver, which works in processes of its own.
    quick_seconds: float = 3.0  # after which a question counts as costly
    costly_seconds: float = 60.0  # after which a costly question is given up
    costly_per_minute: int = 6  # costly questions, for one address

    # What a connection may do.
    body_bytes: int = 256 * 1024  # the most that a request may bring
    header_bytes: int = 32 * 1024
    request_seconds: float = 20.0  # in which a request must have come
    sending_seconds: float = 60.0  # in which an answer must have been read
    connections: int = 1000  # at once
    connections_per_address: int = 400
    messages_per_minute: int = 300  # on one WebSocket
    idle_seconds: float = 600.0  # after which a table that nobody looks at is put away; it comes back when asked for
    unfinished_seconds: float = 2 * DAY  # after which a game that nobody goes on with is dropped
    finished_seconds: float = 60 * DAY


def own_address() -> str:
    """The address by which others in the network reach this machine, or else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address of nobody: nothing is sent, but the way out is looked up
            return str(asking.getsockname()[0])
        except OSError:
            return socket.gethostname()
