"""Games, tournaments and their results, to be kept from a version and compared with later ones.

    cd tests/golden && python make.py

writes the files beside this one with the pitboss that is installed. It uses public names only, so that an older version
can run it: `git worktree add /tmp/old COMMIT`, then with that version's environment.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pitboss

HERE = Path(__file__).parent
STORE = "store.db"
VARY = {"seconds", "games_per_second", "threads", "executor", "interrupted", "resumed"}  # no results

SIMULATIONS: list[tuple[str, str, int]] = [  # rules, bots, games
    ("flip7:official", "random,conservative,stay-25,ev", 400),
    ("flip7:official", "cards-4+freeze-risky,bust-0.25+freeze-leader,always-hit,mcts-20", 24),
    ("flip7:official", "oracle,winner,hunter,modeller,adaptive", 20),
    ("flip7:official", "nerve.py:Nerve,ev,racer.py:racer(limit=28)", 60),
    ("flip7:official(target=100)", "stay-20,stay-30", 200),
    ("flip7:tournament", "random,conservative,stay-25,ev", 400),
    ("flip7:tournament", "nerve.py:Nerve,hunter,adaptive+freeze-leader", 30),
    ("flip7:simulation", "stay-15,stay-25,ev,oracle(deck=fresh)", 200),
    ("flip7:numbers", "stay-20,stay-23,stay-26,stay-30", 2000),
    ("flip7:numbers", "oracle,race,winner,ev", 80),
    ("flip7:solo", "race", 40),
    ("flip7:solo", "race(deck=fresh)", 200),
    ("flip7:solo", "nerve.py:Nerve", 40),
    ("show:fair", "show-6,counter", 2000),
    ("show:fair", "cfr,mc-20", 100),
    ("show:fair", "patient.py:Patient,show-4", 100),
    ("show:classic", "show-5,counter", 1000),
    ("show:full", "counter,random", 1000),
    ("show:full", "patient.py:Patient,mc-10", 40),
]
SEEDS = (1, 20)

RECORDS: list[tuple[str, str, int]] = [  # rules, bots, seed
    ("flip7:official", "stay-25,ev,hunter", 3),
    ("flip7:tournament(target=60)", "nerve.py:Nerve,ev+freeze-leader", 4),
    ("flip7:simulation(target=50)", "stay-20,oracle", 5),
    ("flip7:numbers(target=80)", "race,winner,random", 6),
    ("flip7:solo", "race", 7),
    ("show:fair", "cfr,counter", 8),
    ("show:classic", "patient.py:Patient,show-6", 9),
    ("show:full", "counter,mc-10", 10),
]

FINISHED, HALF, HALF_SWISS = "finished", "half", "half-swiss"
TOURNAMENTS: dict[str, dict[str, Any]] = {
    FINISHED: {
        "spec": "flip7:tournament(target=60)", "bots": "stay-25,ev,nerve.py:Nerve,racer.py:racer", "best_of": 3,
        "blocks": 2, "seed": 11,
    },
    HALF: {"spec": "show:fair", "bots": "show-6,counter,patient.py:Patient", "blocks": 4, "seed": 12},
    HALF_SWISS: {
        "spec": "flip7:numbers(target=50)", "bots": "stay-15,stay-25,ev,nerve.py:Nerve", "format": "swiss",
        "rounds": 3, "seed": 13,
    },
}  # fmt: skip
STOPPED_AFTER = {HALF: 7, HALF_SWISS: 5}  # matches


def facts(found: Any) -> dict[str, Any]:
    """As it goes into JSON; versions before this one call that `as_dict`."""
    return json.loads(json.dumps(found.to_dict() if hasattr(found, "to_dict") else found.as_dict()))  # type: ignore[no-any-return]


def simulation(spec: str, bots: str, games: int, seed: Any) -> dict[str, Any]:
    """What a simulation finds out, without what differs from run to run."""
    found = facts(pitboss.simulate(spec, bots, games, seed, 1))
    return {name: value for name, value in found.items() if name not in VARY}


def standings(tournament: Any) -> dict[str, Any]:
    """The table of a tournament, without times."""
    table = facts(tournament.standings())
    return {name: value for name, value in table.items() if name not in ("created", "times", "settings")}


def _tournaments(store: Path) -> dict[str, Any]:
    """Play the tournaments, one to its end; the tables of all when they are over."""
    made = {name: pitboss.Tournament(**given, store=str(store), id=name) for name, given in TOURNAMENTS.items()}
    for name, most in STOPPED_AFTER.items():

        def stop(progress: Any, most: int = most) -> None:
            if progress.matches >= most:
                raise KeyboardInterrupt

        try:
            made[name].play(stop, workers=1)
        except KeyboardInterrupt:
            assert not made[name].standings().finished
    made[FINISHED].play(workers=1)
    tables = {"finished": standings(made[FINISHED]), "stopped": {name: standings(made[name]) for name in STOPPED_AFTER}}
    half = sqlite3.connect(store)
    half.execute("vacuum into ?", [str(HERE / STORE)])
    half.close()
    for name in STOPPED_AFTER:
        made[name].play(workers=1)
    tables["resumed"] = {name: standings(made[name]) for name in STOPPED_AFTER}
    return tables


def main() -> None:
    """Write everything."""
    from tempfile import TemporaryDirectory

    (HERE / STORE).unlink(missing_ok=True)
    with TemporaryDirectory() as folder:
        tables = _tournaments(Path(folder) / "whole.db")
    packed = gzip.compress((HERE / STORE).read_bytes(), mtime=0)
    (HERE / STORE).unlink()
    (HERE / f"{STORE}.gz").write_bytes(packed)
    (HERE / "standings.json").write_text(json.dumps(tables, indent=1) + "\n")
    found = {
        f"{spec} {bots} seed {seed}": simulation(spec, bots, games, seed)
        for spec, bots, games in SIMULATIONS
        for seed in SEEDS
    }
    (HERE / "simulations.json").write_text(json.dumps(found) + "\n")
    records = [pitboss.play(spec, bots, seed) for spec, bots, seed in RECORDS]
    (HERE / "records.jsonl").write_text("".join(json.dumps(record.to_dict()) + "\n" for record in records))
    (HERE / "records.txt").write_text("".join(record.to_line() + "\n" for record in records))


if __name__ == "__main__":
    main()
