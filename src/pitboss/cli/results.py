"""What a simulation found out, on the screen and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss.cli.common import console
from pitboss.core.text import counted
from pitboss.core.types import Data

if TYPE_CHECKING:
    from rich.table import Table

    from pitboss.analysis.regret import Regret
    from pitboss.cli.screen import Screen
    from pitboss.core.analysis import Benchmark, BestFigure
    from pitboss.core.figure import Figure
    from pitboss.run.batch import Result
    from pitboss.stats.intervals import Estimate


def to_dict(results: list[Result], best: Benchmark | None) -> Data:
    """For JSON: one line-up, or the bots of a table for one, each of which played alone."""
    facts = results[0].to_dict()
    if len(results) > 1:
        for figure in results[0].game.figures:  # of one bot only
            del facts[figure.name]
        every = [result.to_dict() for result in results]
        for name in ("seconds", "cut", "decisions", "cards"):
            facts[name] = sum(data[name] for data in every)
        facts["games_per_second"] = sum(r.games for r in results) / facts["seconds"] if facts["seconds"] else 0.0
        facts["interrupted"] = results[-1].interrupted
        facts["bots"] = [bot for data in every for bot in data["bots"]]
    if best:
        from pitboss.analysis.regret import percent

        facts["optimum"] = best.to_dict()
        for bot, result in zip(facts["bots"], results, strict=True):
            shares = {each.name: of_best(result, each) for each in best.best}
            bot["percent_of_optimum"] = {name: share and percent(share) for name, share in shares.items()}
    return facts


def show(results: list[Result], best: Benchmark | None, asked: int, seed: str) -> None:
    """The table of a simulation."""
    from rich.markup import escape

    out, result, several = console(), results[0], len(results) > 1
    if results[-1].interrupted:
        whose = f" of {escape(short(results[-1].names[0]))}" if several else ""
        out.print(f"[yellow]Stopped early: these are the first {results[-1].games:,} of {asked:,} games{whose}.[/]")
    elif result.games != asked:
        out.print(f"[dim]{asked:,} games rounded up to {result.games:,}: whole blocks of {result.rotations}.[/]")
    resumed = sum(r.resumed for r in results)
    if resumed:
        out.print(f"[dim]Continued after {resumed:,} games.[/]")
    deals = f"{counted(result.blocks, 'deal')} × {result.rotations} seatings" if result.rotations > 1 else "a deal each"
    each = " for each bot alone" if several else ""
    out.print(f"[bold]{result.game}[/]: {counted(result.games, 'game')}{each} ({deals}), seed {seed}\n")
    alone = len(result.names) == 1
    figures = [figure.about for figure in result.game.figures]
    first = [] if alone else ["wins", "share ± 95 %"]
    narrower = [[*first, *figures[:n]] for n in range(len(figures), -1, -1)]
    tables = (_table(results, titles, out) for titles in [*narrower, first[1:], []])
    out.print(out.widest(tables, (short(name) for one in results for name in one.names)))
    if best:
        _show_optimum(results, best)
    if not alone:
        _verdict(result, out)
    seconds, games = sum(r.seconds for r in results), sum(r.games for r in results)
    speed = f"{games / seconds:,.0f} games/s" if seconds else ""
    cut = sum(r.cut for r in results)
    nodes = len(result.executor.get("nodes", []))
    where = counted(nodes, "node") if nodes else counted(result.threads, "thread") if result.threads else "a GPU"
    not_ended = f", {cut} cut" if cut else ""
    decisions = sum(r.decisions for r in results)
    out.print(f"\n[dim]{seconds:.1f} s on {where}: {speed}{not_ended}; {decisions:,} decisions[/]")


def _table(results: list[Result], titles: list[str], out: Screen) -> Table:
    """A line for each bot, with these columns: the last ones go first where a terminal is narrow."""
    from rich.markup import escape

    from pitboss.cli.screen import NAME

    several, alone = len(results) > 1, len(results[0].names) == 1
    table = out.table()
    table.add_column("bot", overflow="fold", min_width=min(NAME, max(len(short(n)) for r in results for n in r.names)))
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for one, bot in sorted(((r, i) for r in results for i in range(len(r.names))), key=_rank):
        cells = {"wins": f"{one.sums.wins(bot):,}", "share ± 95 %": _plus_minus(one.win_share(bot), True)}
        for figure in one.game.figures:
            estimate = one.sums.figure(figure, bot)
            whole = alone and (not several or _is_length(one, figure))
            form = _plus_minus(estimate, figure.percent) if whole else _number(estimate.mean, figure.percent)
            cells[figure.about] = form
        table.add_row(f"[bold]{escape(short(one.names[bot]))}[/]", *(cells[title] for title in titles))
    return table


def _rank(entry: tuple[Result, int]) -> tuple[float, float]:
    """Those who win most come first; of those who play alone, the quickest."""
    result, bot = entry
    length = next((f for f in result.game.figures if _is_length(result, f)), None)
    return -result.win_share(bot).mean, result.sums.figure(length, bot).mean if length and len(result.names) == 1 else 0


def _is_length(result: Result, figure: Figure) -> bool:
    """Whether this is how long games were."""
    return figure.per is None and figure.column == result.game.length


def _show_optimum(results: list[Result], best: Benchmark) -> None:
    from rich.markup import escape

    out = console()
    titles = [f"{each.about} (best: {each.value:.3f})" for each in best.best]
    table = out.table("of optimal", numbers=titles)
    for one, bot in sorted(((r, 0) for r in results), key=_rank):
        shares = [of_best(one, each) for each in best.best]
        cells = (_plus_minus(share, True) if share else "–" for share in shares)
        table.add_row(f"[bold]{escape(short(one.names[bot]))}[/]", *cells)
    out.print()
    out.print(table)
    out.print(f"[dim]100 % is {best.meaning}.[/]")
    if any(one.cut for one in results):
        out.print("[yellow]– cannot be told: some games were cut before they were over.[/]")


def of_best(result: Result, best: BestFigure) -> Estimate | None:
    """A figure of a bot that plays alone, as a share of what best play makes of it; the other way round if less is
    better. None if that cannot be told: how long games last, where some were cut."""
    from pitboss.stats.intervals import Estimate

    column = next(f for f in result.game.figures if f.name == best.figure)
    if result.cut and _is_length(result, column):
        return None
    figure = result.sums.figure(column, 0)
    low, high = figure.ci95 or (None, None)
    if best.fewer:
        return Estimate(best.value / figure.mean, high and best.value / high, low and best.value / low)
    return Estimate(figure.mean / best.value, low and low / best.value, high and high / best.value)


def show_regret(regret: Regret) -> None:
    from rich.markup import escape

    out = console()
    terms = regret.terms
    if regret.interrupted:
        out.print(f"\n[yellow]Stopped early: the first {regret.blocks:,} deals are scored.[/]", end="")
    out.print(f"\n[bold]{terms.title}[/] [dim]({terms.how})[/]")
    exact = ["of best play with the same decks"] if terms.exact else []
    table = out.table("bot", numbers=[f"lost a {terms.per} ± 95 %", *exact])
    for i in sorted(range(len(regret.names)), key=lambda i: regret.lost(i).mean):
        optimal = [_plus_minus(regret.optimal(i), True)] if terms.exact else []
        table.add_row(f"[bold]{escape(short(regret.names[i]))}[/]", _plus_minus(regret.lost(i), False), *optimal)
    out.print(table)
    if not regret.mistakes:
        return
    out.print("\n[dim]The most expensive mistakes:[/]")
    table = out.table("lost", "bot", "did", "worth", "better", "worth", "with", "game")
    for m in regret.mistakes:
        game = f"{m.deal}.{m.rotation}" if len(regret.names) > 1 else str(m.deal)
        table.add_row(
            f"{m.lost:.2f}", escape(short(m.bot)), escape(m.did), f"{m.worth:.2f}", escape(m.better),
            f"{m.worth_of_better:.2f}", escape(m.hand) or "nothing", game,
        )  # fmt: skip
    out.print(table)


def _verdict(result: Result, out: Screen) -> None:
    """Say which pairs differ significantly."""
    from rich.markup import escape

    pairs = result.versus()
    if not pairs:
        return
    if len(pairs) > 10:
        sure = sum(v.better is not None for v in pairs)
        out.print(f"\n{sure} of {len(pairs)} pairs differ significantly; --json lists them all.")
        return
    out.print("\n[dim]Difference in share of wins on the same deals:[/]")
    for v in pairs:
        better = f"[green]{escape(short(v.better))} is better[/]" if v.better else "[dim]too close to call[/]"
        out.print(
            f"  {escape(short(v.a))} − {escape(short(v.b))}: {_interval(v.difference, True, signed=True)}   {better}"
        )


def short(name: str) -> str:
    """A bot from a file by its own name alone."""
    return name.rpartition(".py:")[2]


def _number(x: float, percent: bool, signed: bool = False) -> str:
    return f"{100 * x:{'+' if signed else ''}.2f} %" if percent else f"{x:{'+' if signed else ''}.2f}"


def _interval(e: Estimate, percent: bool, signed: bool = False) -> str:
    text = _number(e.mean, percent, signed)
    if e.low is None or e.high is None:
        return text
    return f"{text} [dim]({_number(e.low, percent, signed)} to {_number(e.high, percent, signed)})[/]"


def _plus_minus(e: Estimate, percent: bool) -> str:
    text = _number(e.mean, percent)
    if e.low is None or e.high is None:
        return text
    return f"{text} [dim]± {_number((e.high - e.low) / 2, percent).removesuffix(' %')}[/]"
