"""`pitboss arena doctor`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from pitboss.cli.command import Commands
from pitboss.cli.common import console, print_json
from pitboss.cli.options import Json

arena = Commands("arena")


@arena.callback()
def _arena() -> None:
    """Test the sandbox in which bots from files run."""


@arena.command()
def doctor(
    without: Annotated[
        list[str] | None,
        Option(metavar="LAYER", help="Switch off a layer, to see what the others do alone; repeatable."),
    ] = None,
    json: Json = False,
) -> None:
    """Test what protects this machine from bots, and what does not. Everything is tried; nothing is guessed.

    Examples:
      pitboss arena doctor
      pitboss arena doctor --without namespaces --without Landlock
    """
    from pitboss.sandbox.doctor import examine, switch_off

    switch_off(without or [])
    diagnosis = examine()
    if json:
        print_json(diagnosis.to_dict())
        return
    out = console()
    table = out.table("a bot must not", "", "thanks to")
    for finding in diagnosis.findings:
        sign = "[green]cannot[/]" if finding.prevented else "[bold red]CAN[/]"
        table.add_row(finding.what, sign, finding.by if finding.prevented else f"[dim]needs {finding.by}[/]")
    out.print(f"[bold]{diagnosis.system}[/]\n")
    for layer, holds in diagnosis.layers:
        out.print(f"{layer}: {'in force' if holds else '[bold red]missing[/]'}")
    out.print()
    out.print(table)
    out.print()
    for note in diagnosis.notes:
        out.print(f"[dim]{note}[/]")
    out.print(f"\n[bold]{diagnosis.verdict}[/]")
