"""Recorded games and figures of simulations, kept so that a changed rule shows as a difference.

python -m tests.games.vengeance.make_golden
"""

from __future__ import annotations

from pathlib import Path

import pitboss
from pitboss.core.keys import Key

PLACE = Path(__file__).parent / "golden.txt"
GAMES = [  # rules, bots, seed
    ("vengeance:standard", "random,stay-25,ev", 1),
    ("vengeance:brutal", "random,ev+random-targets,bust-0.25,always-hit", 2),
    ("vengeance:quick", "cautious,ev", 3),
    ("vengeance:numbers", "stay-25,cards-4,ev", 4),
    ("vengeance:solo", "ev", 5),
]


def lines() -> list[str]:
    """Each game as a line of its record, then what its table said, and what a simulation counts."""
    out = []
    for spec, bots, seed in GAMES:
        record = pitboss.play(spec, bots, seed)
        out.append(record.to_line().rpartition("|")[0])  # less the digests of states, which change with their layout
        out += [event.text(record.labels) for _, told, _ in record.replay() for event in told]
        found = pitboss.simulate(spec, bots, 60, Key.from_seed(seed), 1)
        out.append(f"{found.games} games: {found.decisions} decisions, {found.cards} cards")
    return out


if __name__ == "__main__":
    PLACE.write_text("\n".join(lines()) + "\n")
