"""Playing on a cluster, with Ray: the same games as here, on as many machines as it has.

Each processor of the cluster gets a station, a process that plays what it is sent. Units of work (chunks of a
simulation, matches of a tournament) are sent in portions of at least half a second, a few ahead for each station, and
no more. What a station that is lost had not finished is played again elsewhere; what it had finished is counted once.
"""

from __future__ import annotations

import logging
import math
import os
import pickle
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.types import Data
from pitboss.core.version import code_version, installed
from pitboss.run import cluster_node
from pitboss.run.executors import Results
from pitboss.run.work import Order, Unit

PORTION_SECONDS = 0.75  # aimed at: at least half a second, though stations differ
AHEAD = 2  # portions that a station holds, so that it never waits for the next one
WINDOW = 4  # portions for each station that may be done before their turn, where the order matters
GROWTH = 8  # a portion is at most so many times as large as those that were measured
MOST_LOSSES = 3  # of the stations that played the same portion
LOOK_AROUND = 5.0  # seconds after which new nodes are looked for
PATIENCE = 300.0  # seconds to wait for a first station
GRACE = 10.0  # seconds that the first station waits for the others, so that short runs are shared out, too
ANSWER = 10.0  # seconds in which a cluster must answer
BEAT = 0.25  # seconds after which the caller is asked whether to go on

# Nothing is told to anybody, nothing is fetched, and no accelerators are counted.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_DEDUP_LOGS": "0",
}


@dataclass
class Portion:
    """Units of work that are sent together."""

    number: int
    units: list[Unit]
    losses: int = 0


@dataclass(eq=False)
class _Member:
    """A station, what it has said about itself, and what it holds."""

    actor: Any
    asked: Any  # what it has been asked before it may play, and has not answered
    about: dict[str, str] = field(default_factory=dict)
    ready: bool = False
    holds: deque[tuple[Any, Portion]] = field(default_factory=deque)

    @property
    def refs(self) -> list[Any]:
        """The answers that it owes; of its portions the next one."""
        return [self.holds[0][0]] if self.ready and self.holds else [] if self.ready else [self.asked]


class Cluster:
    """Stations on a cluster that runs already, or on one that is started here and ends with it.

    `address` is what `ray start` printed (host:port), "auto" for the cluster of this machine, or None: what the
    environment variable RAY_ADDRESS says, or else this machine alone.
    """

    threads = 0

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """At most so many workers."""
        try:
            os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
            import ray
        except ModuleNotFoundError:
            raise PitbossError("playing on a cluster needs Ray: pip install 'pitboss[ray]'") from None
        if workers is not None and workers < 1:
            raise PitbossError(f"the number of workers must be 1 or more, not {workers}")
        self._ray, self._most = ray, workers
        self._address = address or os.environ.get("RAY_ADDRESS") or "local"
        self._order: Order | None = None  # that was played last
        self._done: Counter[tuple[str, str]] = Counter()  # on each node: its address and id
        self.lost = 0  # stations

    @property
    def workers(self) -> int:
        """How many stations there should be."""
        processors = int(self._ray.cluster_resources().get("CPU", 0)) if self._ray.is_initialized() else 1
        return processors if self._most is None else min(self._most, processors)

    @property
    def local(self) -> bool:
        """Whether it is started here, with no other machine and no other pitboss."""
        return self._address == "local"

    def connect(self) -> bool:
        """Be part of the cluster; whether this was news, and is to be undone by `disconnect`."""
        if self._ray.is_initialized():
            return False
        self._verify_answers()
        local = {"include_dashboard": False, "object_store_memory": 256 << 20} if self.local else {}
        settings = self._ray.job_config.JobConfig()
        settings._py_driver_sys_path = _Nowhere()
        try:
            with _uninjected() if local else nullcontext():
                self._ray.init(
                    address=self._address, job_config=settings, log_to_driver=False, logging_level=logging.ERROR,
                    **local,
                )  # fmt: skip
        except Exception as problem:
            raise self._unreachable(str(problem).strip().partition("\n")[0]) from problem
        return True

    def _verify_answers(self) -> None:
        """Ray itself would wait for minutes at an address where nobody is."""
        host, colon, port = self._address.rpartition("://")[2].rpartition(":")
        if colon and port.isdigit():
            try:
                socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
            except OSError as problem:
                raise self._unreachable(problem.strerror or str(problem)) from problem

    def _unreachable(self, why: str) -> PitbossError:
        return PitbossError(
            f"there is no cluster at {self._address} that could be joined ({why}); ray start --head begins one and "
            "prints its address"
        )

    def disconnect(self) -> None:
        """Leave the cluster."""
        with redirect_stdout(sys.stderr):  # it may have kept back what it has to tell
            self._ray.shutdown()

    def run(self, order: Order, units: Iterable[Unit], in_order: bool = False) -> Results:
        """What came of the units, portion by portion; None whenever it is time to ask whether to go on."""
        self._order, travelling = order, order.travelling()
        yield None
        with redirect_stdout(_Aside(sys.stdout)):
            news = self.connect()
            crew = _Crew(self, travelling, iter(units), in_order)
            try:
                yield from crew.work()
            finally:
                crew.close()
                if news:
                    self.disconnect()

    def count(self, about: dict[str, str], units: list[Unit]) -> None:
        """Units have been played on a node."""
        assert self._order
        self._done[about["node"], about["id"]] += sum(map(self._order.weigh, units))

    def report(self) -> Data:
        """Who has played how much, for JSON."""
        what = self._order.counted if self._order else ""
        nodes = [{"node": node, "id": id, what: count} for (node, id), count in sorted(self._done.items())]
        return {"name": "ray", "nodes": nodes, "workers_lost": self.lost}


class _Nowhere(list[str]):
    """Where stations look for modules before all others: in no folder, though Ray would add those in which, and from
    which, the driver was started. Strangers' bots may lie there."""

    def extend(self, folders: Iterable[str]) -> None:
        pass


@contextmanager
def _uninjected() -> Iterator[None]:
    """Without the variables that could make a Python which is started meanwhile run other code than ours."""
    kept = {name: os.environ.pop(name) for name in [*os.environ] if launch.injects(name)}
    try:
        yield
    finally:
        os.environ.update(kept)


class _Aside:
    """Standard output, but what Ray tells of lost nodes, from a thread of its own, goes to the standard error."""

    def __init__(self, out: Any) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        aside = threading.current_thread().name.startswith("ray_")
        return getattr(sys.stderr if aside else self._out, name)


class _Crew:
    """The stations of one run."""

    def __init__(self, cluster: Cluster, order: Order, units: Iterator[Unit], in_order: bool) -> None:
        self._cluster, self._ray = cluster, cluster._ray
        self._order, self._units, self._in_order = pickle.dumps(order), units, in_order
        self._code = code_version()
        self._places = sorted(launch.accidental()), launch.home() if cluster.local else None
        # by value, so that a station can say what its node has, or has not
        for module in (cluster_node, launch):
            self._ray.cloudpickle.register_pickle_by_value(module)
        self._station = self._ray.remote(num_cpus=1, max_restarts=0)(cluster_node.Station)
        self._team: list[_Member] = []
        self._again: deque[Portion] = deque()  # portions of stations that were lost
        self._made, self._given = 0, 0  # portions made up, and given to the caller
        self._early: dict[int, list[Any]] = {}  # done before their turn
        self._size = 1  # units of a portion
        self._peeked: list[Unit] = []  # a unit that was looked at, and is the next to be sent
        self._barren = 0  # stations that were lost before they had played anything, one after the other
        self._looked, self._first_ready, self._waiting_since = -math.inf, math.inf, time.monotonic()

    def work(self) -> Results:
        while True:
            self._look_around()
            self._feed()
            if self._through():
                return
            refs = {ref: member for member in self._team for ref in member.refs}
            done, _ = self._ray.wait(list(refs), timeout=BEAT) if refs else ([], [])
            if not done:
                if not refs:
                    time.sleep(BEAT)
                self._verify_somebody_plays()
                yield None
            for ref in done:
                yield from self._hear(refs[ref], ref)

    def _through(self) -> bool:
        """Whether all units are played and given to the caller."""
        if self._again or self._early or any(member.holds for member in self._team):
            return False
        self._peeked = self._peeked or list(islice(self._units, 1))
        return not self._peeked

    def _look_around(self) -> None:
        """A station for each processor that has none, also of nodes that have joined since."""
        if time.monotonic() - self._looked < LOOK_AROUND:
            return
        self._looked = time.monotonic()
        for _ in range(self._cluster.workers - len(self._team)):
            actor = self._station.options(scheduling_strategy="SPREAD").remote(*self._places)
            self._team.append(_Member(actor, actor.hello.remote()))

    def _verify_somebody_plays(self) -> None:
        if any(member.ready for member in self._team):
            self._waiting_since = time.monotonic()
        elif time.monotonic() - self._waiting_since > PATIENCE:
            raise PitbossError(
                f"no processor of the cluster has become free for {PATIENCE:.0f} seconds; ray status tells who has them"
            )

    def _feed(self) -> None:
        """Tasks for all who hold fewer than they may."""
        missing = not all(member.ready for member in self._team)
        if missing and not self._made and time.monotonic() < self._first_ready + GRACE:
            return
        for _ in range(AHEAD):
            for member in self._team:
                if member.ready and len(member.holds) < AHEAD:
                    portion = self._next()
                    if portion is None:
                        return
                    member.holds.append((member.actor.play.remote(pickle.dumps(portion.units)), portion))

    def _next(self) -> Portion | None:
        if self._again:
            return self._again.popleft()
        if self._in_order and self._made - self._given >= WINDOW * max(1, len(self._team)):
            return None
        units = self._peeked + list(islice(self._units, self._size - len(self._peeked)))
        self._peeked = []
        if not units:
            return None
        self._made += 1
        return Portion(self._made - 1, units)

    def _hear(self, member: _Member, ref: Any) -> Iterator[list[Any]]:
        """An answer of a station: that it is there, that it is ready, or what it has played."""
        try:
            answer = self._ray.get(ref)
        except (self._ray.exceptions.RayActorError, self._ray.exceptions.ObjectLostError):
            self._lose(member)
            return
        if not member.ready:
            self._greet(member, answer)
            return
        _, portion = member.holds.popleft()
        problem, results, seconds = answer
        if problem:
            raise PitbossError(problem)
        wanted = math.ceil(PORTION_SECONDS * len(portion.units) / max(seconds, 1e-6))
        self._size = max(1, min(wanted, GROWTH * len(portion.units)))
        self._barren = 0
        self._cluster.count(member.about, portion.units)
        if not self._in_order:
            yield results
            return
        self._early[portion.number] = results
        while self._given in self._early:
            self._given += 1
            yield self._early.pop(self._given - 1)

    def _greet(self, member: _Member, answer: Any) -> None:
        """What a station says before it plays; another pitboss than ours is refused."""
        if not member.about:
            member.about = answer
            if not answer["pitboss"]:
                raise PitbossError(
                    f"the node {answer['node']} of the cluster cannot play: {answer['why']}; install pitboss "
                    f"{installed()} there"
                )
            if answer["code"] != self._code:
                raise PitbossError(
                    f"the node {answer['node']} of the cluster has another pitboss ({answer['pitboss']}, sources "
                    f"{answer['code']}) than this machine ({installed()}, sources {self._code}); install the same "
                    "everywhere"
                )
            alone = all(other is member or other.about.get("id") != answer["id"] for other in self._team)
            member.asked = member.actor.begin.remote(self._order, alone)
            return
        if answer:
            raise PitbossError(f"on the node {member.about['node']}: {answer}")
        member.ready = True
        self._first_ready = min(self._first_ready, time.monotonic())

    def _lose(self, member: _Member) -> None:
        """A station is gone; what it held is played again."""
        self._team.remove(member)
        with suppress(Exception):  # it may only be out of reach
            self._ray.kill(member.actor)
        self._cluster.lost += 1
        self._barren += 1
        self._looked = -math.inf
        if self._barren > MOST_LOSSES * (1 + len(self._team)):
            raise PitbossError("workers die on the cluster before they have played anything; its logs may tell why")
        for place, (_, portion) in enumerate(member.holds):
            portion.losses += place == 0  # which it was playing
            if portion.losses > MOST_LOSSES:
                raise PitbossError(
                    "workers die again and again at the same games (is there enough memory on the nodes?); what was "
                    "played is kept"
                )
            self._again.append(portion)

    def close(self) -> None:
        """End all stations; their bots end with them."""
        closing = [member.actor.close.remote() for member in self._team if member.ready and not member.holds]
        with suppress(Exception):  # whoever does not end now is ended below
            self._ray.wait(closing, num_returns=len(closing), timeout=5) if closing else None
        for member in self._team:
            with suppress(Exception):
                self._ray.kill(member.actor)
