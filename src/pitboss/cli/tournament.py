"""`pitboss tournament` and its commands."""

from __future__ import annotations

from pitboss.cli.command import Commands
from pitboss.cli.tournament_kept import delete, export, list_, report, show
from pitboss.cli.tournament_play import add, resume, run

tournament = Commands("tournament")


@tournament.callback()
def _tournament() -> None:
    """Run tournaments: honest, isolated, and never lost."""


for command in (run, resume, add, list_, show, report, export, delete):
    tournament.command(command.__name__.rstrip("_"))(command)
