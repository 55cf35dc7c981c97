"""A tournament on a cluster: nodes play matches, and only the driver writes to the store."""

from __future__ import annotations

from collections.abc import Set
from contextlib import ExitStack
from dataclasses import dataclass, replace

from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.core.temporary import temporary_folder
from pitboss.core.version import engine_version
from pitboss.run.work import Order
from pitboss.sandbox.doctor import examine
from pitboss.tournament.match import Done, MatchPlan, MatchWorker, Unit


@dataclass(frozen=True)
class TournamentOrder(Order):
    """All that a node must know to play matches: the plan, the bots' files, and what the driver is protected from."""

    plan: MatchPlan
    sources: tuple[bytes | None, ...]
    engine: str
    prevented: frozenset[str]

    @classmethod
    def of(cls, plan: MatchPlan) -> TournamentOrder:
        """Refuses bots that cannot travel."""
        for bot in plan.contestants:
            if bot.kind == "class":
                raise PitbossError(
                    f"{bot.name} is a class of this program, and cannot travel to other machines; put it into a file"
                )
        strangers = any(not bot.inside for bot in plan.contestants)
        return cls(
            plan,
            tuple(bot.source() if bot.kind == "python" else None for bot in plan.contestants),
            engine_version(load(plan.spec)),
            _prevented() if strangers else frozenset(),
        )

    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> TournamentPlayer:
        if engine_version(load(self.plan.spec)) != self.engine:
            raise PitbossError(f"the rules of {self.plan.spec} are others than where the tournament is driven")
        missing = self.prevented - _prevented() if alone and self.prevented else frozenset()
        if missing:
            raise PitbossError(
                f"the sandbox is weaker here than where the tournament is driven: a bot could "
                f"{', '.join(sorted(missing))} (pitboss arena doctor tells why)"
            )
        return TournamentPlayer(self)


def _prevented() -> frozenset[str]:
    """What a bot cannot do on this machine."""
    return frozenset(finding.what for finding in examine().findings if finding.prevented)


class TournamentPlayer:
    """Plays matches on a node, under a referee of its own."""

    def __init__(self, order: TournamentOrder) -> None:
        with ExitStack() as stack:
            home = stack.enter_context(temporary_folder())
            bots = tuple(
                bot.as_entered(source, home / str(n))
                for n, (bot, source) in enumerate(zip(order.plan.contestants, order.sources, strict=True))
            )
            for bot in bots:
                bot.verify_source()
            self._worker = stack.enter_context(MatchWorker(replace(order.plan, contestants=bots)))
            self._all = stack.pop_all()

    def play_all(self, units: list[Unit]) -> list[Done]:
        return self._worker.play_all(units)

    def close(self) -> None:
        self._all.close()
