"""Why a bot won or lost, to read: as one HTML file that can be handed out, and as sections of other pages."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from pitboss.core import plots
from pitboss.core.text import sentence
from pitboss.core.types import Data
from pitboss.render import document, fill
from pitboss.render.report import ends


def page(bot: Data) -> str:
    """The page of a bot, from its profile (`tournament.profile`) as plain data."""
    row = bot["row"]
    facts = [bot["game"], f"tournament {bot['tournament']}", f"{row['matches']:,} matches", f"{row['games']:,} games"]
    values = {"title": row["name"], "facts": facts, "why": why(bot)}
    return document("handout", **values)


def why(bot: Data) -> Markup:
    """The sections that say why a bot won or lost; replays lie beside the page that they are on."""
    name = bot["row"]["name"]
    return fill(
        "why.html",
        **bot,
        sentences=[sentence(text, [name]) for text in bot["words"]],
        number=_number,
        span=_span,
        by_seat=_shares("Share of games won by seat", bot["seats"], 1 / max(1, len(bot["seats"])), "a fair share"),
        by_opponent=_shares("Share of games placed before each other bot", bot["opponents"], 0.5, "even"),
    )


def _number(figure: Data, value: float) -> str:
    return f"{100 * value:.1f}\u00a0%" if figure["percent"] else f"{value:.2f}"


def _span(figure: Data, interval: Sequence[float] | None) -> str:
    return "" if interval is None else " to ".join(_number(figure, end) for end in interval)


def _shares(title: str, parts: Sequence[Data], middle: float, about: str) -> Markup | None:
    if not parts:
        return None
    dots = [
        plots.Dot(part["name"], 100 * part["share"], *ends(part["ci95"], 100), f"{100 * part['share']:.0f} %")
        for part in parts
    ]
    return plots.whiskers(title, dots, "{:g} %".format, (100 * middle, about))
