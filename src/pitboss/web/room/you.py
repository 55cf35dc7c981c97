"""Sentences about somebody, told to them: `You hits and banks 20` becomes `You hit and bank 20`.

Games say what happens of everybody by name; whoever plays alone and gave no name is called `YOU`, and spoken to.
"""

from __future__ import annotations

import re

YOU = "You"

_IRREGULAR = {"is": "are", "has": "have", "does": "do"}
_VERB = re.compile(rf"(^|: |until ){YOU} ([a-z]+)")  # of which you are the subject
_NEXT_VERB = re.compile(r"\b(and|who) ([a-z]{2,}s)\b")


def to_you(text: str) -> str:
    """A sentence in which `YOU` stands for a name, as it is said to that person.

    >>> to_you("You draws a skull and loses 5")
    'You draw a skull and lose 5'
    >>> to_you("ev looks at the left card of You")
    'ev looks at the left card of you'
    >>> to_you("--- Round 2: You deals ---")
    '--- Round 2: You deal ---'
    """
    if YOU not in text:
        return text
    if text.startswith(f"{YOU} "):
        text = _NEXT_VERB.sub(lambda found: f"{found[1]} {_plain(found[2])}", text).replace(" their ", " your ")
    elif f"for {YOU}, who" in text:
        text = _NEXT_VERB.sub(lambda found: f"{found[1]} {_plain(found[2])}", text)
    text = _VERB.sub(lambda found: f"{found[1]}{YOU} {_plain(found[2])}", text)
    return re.sub(rf"(?<=[a-z,] ){YOU}\b", YOU.lower(), text)


def _plain(verb: str) -> str:
    """A verb as it follows `you`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(ch|sh|ss|x|z|o)es$", verb):
        return verb[:-2]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
