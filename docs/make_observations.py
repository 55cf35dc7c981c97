"""Write docs/reference/observations.md: what the numbers of every observation of the built-in games mean.

python docs/make_observations.py
"""

from __future__ import annotations

import re
from pathlib import Path

from pitboss import load
from pitboss.core.learning import Field

PAGE = Path(__file__).resolve().parent / "reference" / "observations.md"
TABLES = (("flip7:solo", 1, ("hand",)), ("flip7:official", 4, ()), ("show:fair", 2, ()))

HEAD = """\
# Observations

Made from the code by `python docs/make_observations.py`; do not edit this page by hand.

[Environments](../how-to/environments.md) show an agent a row of numbers. These are the rows of some tables, by the name
that the setting `observation` takes. `Encoding.slices(rules, seats)` says where each field stands in a row, and
`DictObservation` gives them by name. A field that seats or actions have each is listed once. Other rules and numbers of
seats have other limits and sizes. A game that says nothing about learning has one observation, `plain`: its view,
number by number.

`complete` is sufficient. In a game with secrets, what an agent has observed at its decisions, in order, is all that it
was ever told; in an open game, every row has all that lies on the table. The tests check this for Flip 7,
Show and the sequel, whose `plain` leaves nothing out either. `features`, `rich` and `tensor` of Show do not tell how a
card came into the graveyard, and `table` of Flip 7 does not tell who holds which card. `plain` of a game from elsewhere
tells what its state keeps: a game with secrets must keep what was said in public, such as all bids since a seat was
last asked ([an example](../../examples/liars-dice/README.md)).
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    for spec, seats, only in TABLES:
        game = load(spec)
        for name, encoding in game.learning.encodings.items():
            if only and name not in only:
                continue
            size = encoding.size(game.rules, seats)
            parts.append(f"\n## `{name}` of {spec}\n")
            parts.append(f"{encoding.about[0].upper()}{encoding.about[1:]}. With {seats} at the table it has {size} "
                         f"number{'s' * (size > 1)}.\n")  # fmt: skip
            parts.append("| field | numbers | from | to | |\n|---|---|---|---|---|")
            parts += [_row(field) for field in encoding.layout(game.rules, seats) if not _again(field.name)]
    return "\n".join(parts) + "\n"


def _again(name: str) -> bool:
    """Whether a field repeats one of the first seat or action."""
    found = re.match(r"(?:seat\+|choice )(\d+)", name)
    return found is not None and found[1] != "0"


def _row(field: Field) -> str:
    each = (
        "of every seat" if field.name.startswith("seat+0 ") else "of every action" if "choice 0" in field.name else ""
    )
    name = re.sub(r"^seat\+0 |^(choice) 0$", r"\1", field.name)
    about = "; ".join(text for text in (field.about, each) if text)
    return f"| {name} | {field.size} | {field.low:g} | {field.high:g} | {about} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
