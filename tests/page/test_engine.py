"""In a browser's engine every game is the same as in Python: rows, states, views, events, legal moves, to the bit."""

import hashlib
import json

import pytest

from pitboss.core.keys import Key
from pitboss.core.legal import moves_of
from pitboss.core.play import GameInProgress, Seats
from pitboss.core.registry import game_class, line_up, load
from pitboss.run.work import CompiledJob

GAMES = ("flip7", "show", "vengeance")
SEED = "7"
SLOW = {"oracle", "race", "winner", "hunter", "modeller", "veteran", "counter", "mc-100"}  # bots that think for long
BLOCKS, FEW_BLOCKS = 60, 3


def specs(name):
    return [f"{name}:{preset}" for preset in game_class(name).rules_class.presets]


def lineups(engine, spec):
    """Line-ups in which each bot that a page has at this table sits at least once."""
    name = spec.partition(":")[0]
    (preset,) = [preset for preset in engine.describe(name)["presets"] if preset["text"] == spec]
    names, (least, most) = [each["name"] for each in preset["bots"]], preset["seats"]
    size = max(least, min(most, 4))
    quick, slow = [n for n in names if n not in SLOW], [n for n in names if n in SLOW]
    for group, blocks in ((quick, BLOCKS), (slow, FEW_BLOCKS)):
        for at in range(0, len(group), size):
            some = group[at : at + size]
            yield some + quick[: size - len(some)], blocks


def rows_of(spec, names, first, blocks):
    game = load(spec)
    entrants = line_up(names, game)
    rows, counts = CompiledJob(game, entrants, Key.parse(SEED), len(names)).rows(first, blocks)
    return [hashlib.sha256(rows.tobytes()).hexdigest(), counts.tolist()]


def watched(spec, names, deal, rotation):
    """What `watch` of drive.mjs says of a game."""
    game, seen, steps = load(spec), hashlib.sha256(), -1

    def watch(position, events):
        nonlocal steps
        steps += 1
        seen.update(position.states.tobytes())
        for seat in range(position.seats):
            game.loops.observe(position.states, game.record, seat, position.views)
            seen.update(position.views.tobytes())
        legal = [] if position.over else moves_of(int(game.loops.legal(position.states, game.record)))
        happened = [[game.event_kinds.index(event.kind), event.seat, event.a, event.b] for event in events]
        seen.update(json.dumps([happened, position.to_act, legal], separators=(",", ":")).encode())

    going = GameInProgress(Seats(game, line_up(names, game)), Key.parse(SEED), (deal, rotation), watch=watch)
    going.finish()
    return [seen.hexdigest(), steps]


def simulations(engine, name):
    """Jobs in which each bot plays at each table of a game."""
    return [
        {"do": "simulate", "spec": spec, "names": names, "seed": SEED, "first": 3, "blocks": blocks,
         "rotations": len(names)}
        for spec in specs(name)
        for names, blocks in lineups(engine, spec)
    ]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_rows_of_all_bots_at_all_tables_are_the_same(engine, name):
    jobs = simulations(engine, name)
    for job, got in zip(jobs, engine.run(jobs), strict=True):
        assert got == rows_of(job["spec"], job["names"], 3, job["blocks"]), job


@pytest.mark.parametrize("name", GAMES)
def test_every_state_view_and_event_is_the_same(engine, name):
    jobs = [
        {"do": "watch", "spec": spec, "names": names, "seed": SEED, "deal": deal, "rotation": 0}
        for spec in specs(name)
        for names, blocks in lineups(engine, spec)
        for deal in range(8 if blocks == BLOCKS else 1)
    ]
    for job, (*got, rows) in zip(jobs, engine.run(jobs), strict=True):
        assert got == watched(job["spec"], job["names"], job["deal"], 0), job
        assert len(rows) == len(job["names"])
