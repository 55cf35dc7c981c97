"""The order of play: games of a bot on one deal far apart, everybody in step, and the same games as in any other."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import Tournament
from pitboss.run.executors import Threads
from pitboss.tournament.match import MatchWorker
from pitboss.tournament.order import groups, play_order
from pitboss.tournament.schedule import gauntlet, round_robin, sample
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t

BOTS = "ev,stay-25,random,stay-20,bust-0.25"


def ordered(sittings):
    """All matches of a schedule as they are played: sitting and rotation."""
    sittings = list(sittings)
    blocks, bots = np.array([s.block for s in sittings]), np.array([s.bots for s in sittings])
    return [(sittings[n], rotation) for part, rotation in play_order(blocks, bots) for n in part.tolist()]


def least_gap(matches):
    """How many games of a bot there are at least from one on a deal to its next on the same."""
    gaps, played = [], {}
    for sitting, _ in matches:
        for bot in sitting.bots:
            own = played.setdefault(bot, [])
            if sitting.block in own:
                gaps.append(own[::-1].index(sitting.block) + 1)
            own.append(sitting.block)
    return min(gaps)


fields = st.tuples(st.integers(2, 8), st.integers(2, 4), st.integers(1, 12)).filter(lambda field: field[0] >= field[1])


@given(fields)
def test_every_match_is_played_once(field):
    for made in (round_robin(*field), gauntlet(*field)):
        matches = ordered(sittings := list(made))
        assert len(matches) == len(set(matches)) == len(sittings) * field[1]


@given(fields)
def test_a_deal_comes_back_late(field):
    """The first B + 1 games of a bot cannot be on B different deals, so B is the best that any order can do. In this
    one there are at least B - 1 groups from one to the next, and a bot is missing from some of them."""
    blocks = field[2]
    sittings = list(round_robin(*field))
    count = 1 + int(groups(np.array(sorted({tuple(sorted(s.bots)) for s in sittings}))).max())
    own = len({s.bots for s in sittings if 0 in s.bots and s.block == 0})
    absent = count - own  # groups without a bot, of which all may come one after the other
    gap = least_gap(ordered(sittings))
    assert max(1, blocks - 1 - absent * -(-blocks // count)) <= gap <= blocks


@pytest.mark.parametrize(
    ("made", "gap", "bound"),
    [
        (round_robin(2, 2, 20), 20, 20),
        (round_robin(4, 2, 20), 20, 20),
        (round_robin(5, 2, 20), 15, 20),
        (round_robin(10, 2, 60), 53, 60),
        (round_robin(8, 4, 10), 9, 10),
        (round_robin(12, 4, 20), 10, 20),  # not all groups are full, and some bots are in several running
        (gauntlet(10, 2, 20), 20, 20),
        (sample(30, 4, 100), 13, 15),
    ],
)
def test_how_late(made, gap, bound):
    sittings = list(made)
    assert len({s.block for s in sittings}) == bound
    assert least_gap(ordered(sittings)) == gap


@given(fields)
def test_all_sets_advance_together(field):
    """At any moment no set has played more than one block more than another."""
    played = {tuple(sorted(s.bots)): 0 for s in round_robin(*field)}
    for sitting, _ in ordered(round_robin(*field)):
        played[tuple(sorted(sitting.bots))] += 1
        assert max(played.values()) - min(played.values()) <= 1


def content(store):
    """All that was played, but for the time it took."""
    columns = {table: [c.name for c in table.columns if c.name not in ("cpu", "most")] for table in
               (t.sittings, t.matches, t.games, t.results, t.faults)}  # fmt: skip
    return [list(store.rows(table, "cup", *names)) for table, names in columns.items()]


@pytest.mark.parametrize(
    ("settings", "wins"),
    [
        ({"seats": 3, "best_of": 3, "blocks": 4}, [35, 33, 0, 12, 32]),
        ({"format": "gauntlet", "blocks": 6}, [33, 5, 0, 3, 7]),
        ({"games": 60}, [19, 14, 1, 10, 16]),
        ({"format": "swiss"}, [6, 4, 1, 2, 3]),
    ],
)
def test_the_same_games_as_sitting_by_sitting(settings, wins, tmp_path):
    """As they were played before there was such an order, to the last row; also if half of it had been played so."""
    cup = {"spec": "flip7:tournament", "bots": BOTS, "seed": 11, **settings}
    table = Tournament(**cup, store=(store := Store(":memory:")), id="cup").play()
    assert [next(row.wins for row in table.rows if row.name == name) for name in BOTS.split(",")] == wins
    half = Tournament(**cup, store=":memory:", id="cup")
    jobs = sorted(half.store.planned("cup"), key=lambda job: (job[0], job[2]))
    with MatchWorker(half._plan(tmp_path)) as worker:
        played = worker.play_all(jobs[: len(jobs) // 2])
    half.store.save("cup", played, half.settings.best_of)
    assert half.play().matches == table.matches
    assert content(half.store) == content(store)


def test_a_sitting_of_which_some_rotations_are_played_needs_only_the_others(tmp_path):
    cup = Tournament("flip7:tournament", BOTS, seats=3, blocks=2, seed=11, id="cup")
    jobs = [*cup.store.planned("cup")]
    some = random.Random(1).sample(jobs, 25)
    with MatchWorker(cup._plan(tmp_path)) as worker:
        cup.store.save("cup", worker.play_all(some), 1)
    given = []

    class Watched(Threads):
        def run(self, plan, jobs):
            return super().run(plan, (given.append(job) or job for job in jobs))

    seen = []
    cup.play(watch=seen.append, executor=Watched())
    assert given == [job for job in jobs if job not in some]
    assert (seen[0].matches_before, seen[-1].matches, seen[-1].all_matches) == (25, len(jobs), len(jobs))
    assert {state for _, _, state in cup.store.sittings("cup")} == {t.PLAYED}
