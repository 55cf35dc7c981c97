"""The pages of a class: the leaderboard, and one for each student."""

from __future__ import annotations

from pitboss.core.types import Data
from pitboss.render import document
from pitboss.render.handout import why


def page(data: Data) -> str:
    """The leaderboard as one self-contained HTML file."""
    facts = [data["game"], f"{len(data['lines'])} bots", f"{data['matches']:,} matches", f"{data['games']:,} games"]
    return document("leaderboard", **data, facts=facts)


def student_page(data: Data) -> str:
    """One student's page as one self-contained HTML file."""
    return document("student", **{**data, "why": why(data["profile"])})
