"""How much one visitor may ask for: visitors who ask for much wait for their own turns, and do not hold up others."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


class Turns:
    """So many may work at once, one for each client; those who wait come in turn, client by client."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._working: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def waiting(self, client: str) -> int:
        """How many of a client's wait."""
        return len(self._waiting.get(client, ()))

    @asynccontextmanager
    async def of(self, client: str) -> AsyncIterator[None]:
        """Wait for a turn of this client, and have it as long as the block lasts."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._call()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # called at the same moment
                self._end(client)
            else:
                self._drop(client, turn)
            raise
        try:
            yield
        finally:
            self._end(client)

    def _call(self) -> None:
        """Start those that there is room for, and whose client is not working already."""
        for client in list(self._waiting):
            if self._working.total() >= self.at_once:
                return
            if not self._working[client]:
                turn = self._waiting[client].popleft()
                self._waiting.move_to_end(client)
                if not self._waiting[client]:
                    del self._waiting[client]
                self._working[client] += 1
                turn.set_result(None)

    def _end(self, client: str) -> None:
        del self._working[client]
        self._call()

    def _drop(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(client, deque())
        if turn in queue:
            queue.remove(turn)
        if not queue:
            self._waiting.pop(client, None)


class Limiter:
    """So many of something in a minute for each address; what is not used up is saved, for a minute.

    >>> now = [0.0]
    >>> limiter = Limiter(2, clock=lambda: now[0])
    >>> limiter.allows("a"), limiter.allows("a"), limiter.allows("a"), limiter.allows("b")
    (True, True, False, True)
    >>> now[0] = 30.0
    >>> limiter.allows("a"), limiter.allows("a")
    (True, False)
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute, self._clock = per_minute, clock
        self._left: dict[str, tuple[float, float]] = {}  # how many are left, and since when

    def allows(self, who: str) -> bool:
        """Whether one more is fine; if so, it is counted."""
        now = self._clock()
        left, since = self._left.get(who, (float(self.per_minute), now))
        left = min(self.per_minute, left + (now - since) * self.per_minute / 60)
        if len(self._left) > 10_000:  # those who have been quiet for a minute have all of it again
            self._left = {name: entry for name, entry in self._left.items() if now - entry[1] < 60}
        self._left[who] = (left - (left >= 1), now)
        return left >= 1

    def verify(self, who: str) -> None:
        """Refuse one too many."""
        if not self.allows(who):
            self._refuse()

    def verify_left(self, who: str) -> None:
        """Refuse who has none left; this counts nothing, for it may turn out to be fine."""
        left, since = self._left.get(who, (float(self.per_minute), 0.0))
        if left + (self._clock() - since) * self.per_minute / 60 < 1:
            self._refuse()

    def _refuse(self) -> None:
        from pitboss.web.errors import Refused  # which loads what a server needs not to listen

        raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"{self.per_minute} a minute are the limit; wait a little")


def client_of(connection: HTTPConnection) -> str:
    """What counts as one client: an address; with IPv6 its network, since one machine has many addresses there."""
    return network(connection.client.host) if connection.client else ""


@lru_cache(maxsize=10_000)
def network(address: str) -> str:
    """What counts as one visitor.

    >>> network("192.0.2.7"), network("2001:db8::1:2:3:4"), network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
