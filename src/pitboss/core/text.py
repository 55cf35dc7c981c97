"""Names that other people chose, as they may be shown: on a terminal, in a spreadsheet, beside other names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

MARKS = ("Mn", "Me", "Mc")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # shown as nothing, yet no spaces to Unicode

# Letters that look like those of the Latin alphabet, or like each other: all of a line look like its first.
_ALIKE = """
a а α ɑ
b ь Ь в β
c с ϲ
d ԁ
e е є ε ҽ
g ɡ
h һ н η
i і ι ı l 1 | ӏ ɩ
j ј ϳ
k к κ
m м Μ
n п ո Ν
o о ο 0 օ σ
p р ρ
q ԛ
r г
s ѕ ꜱ
t т τ
u υ ս
v ν ѵ
w ԝ ω ш
x х χ
y у γ ү Υ
z ᴢ ζ
- ‐ ‑ ‒ – — ― − _ ー
"""
_LIKE = {ord(c): first for first, *others in map(str.split, _ALIKE.strip().splitlines()) for c in others}


def printable(text: str, keep: str = "") -> str:
    r"""The text without anything that a terminal would obey: what cannot be printed is written as an escape.

    >>> printable("a\x1b[2Jb\n", keep="\n")
    'a\\x1b[2Jb\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text)


def plain_name(text: str) -> str:
    """A name as it is shown: of letters and signs that can be seen, with single spaces.

    >>> plain_name("ｓｔａｙ\u200b-25 \u202e"), plain_name("\u3164")
    ('stay-25', '?')
    """
    seen = (c for c in unicodedata.normalize("NFKC", text) if c not in BLANKS and unicodedata.category(c) != "Cf")
    return printable(" ".join("".join(seen).split())) or "?"


def likeness(name: str) -> str:
    """The same for names that a reader could take for one another: they differ in case, accents or look-alikes.

    >>> likeness("Stay-25") == likeness("ѕtау‐25"), likeness("stay-25") == likeness("stay-20")
    (True, False)
    """
    parts = unicodedata.normalize("NFKD", plain_name(name)).translate(_LIKE)  # capitals look like other letters
    folded = unicodedata.normalize("NFKD", parts.casefold()).translate(_LIKE)
    return "".join(c for c in folded if unicodedata.category(c) not in MARKS)


def cell(value: object) -> object:
    """A value for a table that a spreadsheet reads: no text is a formula, and numbers stay numbers.

    >>> cell("=1+1"), cell(-1.5), cell("ev")
    ("'=1+1", -1.5, 'ev')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def as_json_text(text: str) -> str:
    r"""JSON in which a terminal finds nothing to obey: what cannot be printed is escaped, as JSON escapes.

    >>> as_json_text('{"name": "\x9b2J"}')
    '{"name": "\\u009b2J"}'
    """
    return re.sub(r"[^\n -~]", lambda c: c[0] if c[0].isprintable() else _escape(ord(c[0])), text)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else "".join(f"\\u{half:04x}" for half in _surrogates(code - 0x10000))


def _surrogates(rest: int) -> tuple[int, int]:
    return 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF)


def counted(count: int, what: str, several: str = "") -> str:
    """So many of something.

    >>> counted(1, "bot"), counted(1200, "match", "matches")
    ('1 bot', '1,200 matches')
    """
    return f"{count:,} {what if count == 1 else several or what + 's'}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """A statement as a sentence; it begins with a capital unless it begins with a name.

    >>> sentence("ev is better", ["ev"]), sentence("too close to call")
    ('ev is better.', 'Too close to call.')
    """
    start = text[:1] if text.startswith(tuple(names)) else text[:1].upper()
    return start + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
