"""Terminals and files that are not in UTF-8: signs that they do not have are spelled with those they have."""

from __future__ import annotations

import codecs
import unicodedata

SPELLED = "pitboss-spelled"  # the name of the error handler
SIGNS = {
    "–": "-", "—": "-", "−": "-", "…": "...", "•": "*", "×": "x", "±": "+-", "✓": "+", "✗": "x", "→": "->",
    "♠": "s", "♥": "h", "♦": "d", "♣": "c", "█": "#", "░": ".", "━": "-", "≥": ">=", "≤": "<=",
}  # fmt: skip


def spell(text: str) -> str:
    """The text in ASCII.

    >>> spell("2–18 … ±0.5 é 10♠ 猫")
    '2-18 ... +-0.5 e 10s ?'
    """
    return "".join(c if c.isascii() else SIGNS.get(c) or _plain(c) or "?" for c in text)


def _plain(character: str) -> str:
    """The letter without its accent."""
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()


def _spelled(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeEncodeError)
    return spell(problem.object[problem.start : problem.end]), problem.end


codecs.register_error(SPELLED, _spelled)
