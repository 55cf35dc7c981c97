"""Schedules: who meets whom how often, against counts by hand and by brute force."""

from collections import Counter
from itertools import combinations, permutations
from math import comb, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.core.errors import PitbossError
from pitboss.tournament.schedule import (
    Sitting,
    gauntlet,
    least_sittings,
    round_robin,
    sample,
    sittings_for,
    swiss,
    swiss_rounds,
)


def sat(sittings):
    """How often each bot sits."""
    return Counter(bot for sitting in sittings for bot in sitting.bots)


def met(sittings):
    """How often each pair meets."""
    return Counter(frozenset(pair) for sitting in sittings for pair in combinations(sitting.bots, 2))


def spread(counts, of):
    """The most and the least of so many counts, those that are 0 included."""
    values = [*counts.values(), *[0] * (of - len(counts))]
    return max(values, default=0) - min(values, default=0)


@st.composite
def fields(draw, most_bots=9):
    """Bots, seats and blocks."""
    bots = draw(st.integers(1, most_bots))
    return bots, draw(st.integers(1, bots)), draw(st.integers(1, 4))


# --- a sitting ---


@given(st.lists(st.integers(0, 99), min_size=1, max_size=18, unique=True))
def test_rotations_give_every_bot_every_seat_once(bots):
    sitting, k = Sitting(0, tuple(bots)), len(bots)
    rotations = [sitting.seats(j) for j in range(k)]
    assert rotations[0] == sitting.bots
    for i, bot in enumerate(bots):
        assert [seats.index(bot) for seats in rotations] == [(i + j) % k for j in range(k)]


# --- round robin, gauntlet, and what joins later ---


@given(fields())
def test_round_robin_has_every_set_on_every_block_once(field):
    bots, seats, blocks = field
    played = [(s.block, frozenset(s.bots)) for s in round_robin(bots, seats, blocks)]
    assert len(played) == len(set(played)) == blocks * comb(bots, seats)
    assert {block for block, _ in played} == set(range(blocks))
    assert all(len(members) == seats and members <= set(range(bots)) for _, members in played)


@given(fields())
def test_round_robin_seats_all_pairs_and_seats_equally(field):
    bots, seats, blocks = field
    played = list(round_robin(bots, seats, blocks))
    assert spread(met(played), comb(bots, 2)) == 0
    places = Counter(
        (bot, seat) for s in played for rotation in range(seats) for seat, bot in enumerate(s.seats(rotation))
    )
    assert len(places) == bots * seats
    assert spread(places, bots * seats) == 0


def test_round_robin_finishes_a_block_before_the_next():
    assert [s.block for s in round_robin(4, 2, 2)] == [0] * 6 + [1] * 6


@pytest.mark.parametrize(("seats", "blocks"), [(2, 1), (3, 2), (4, 6)])
def test_orders_change_until_everybody_has_followed_everybody_equally(seats, blocks):
    played = list(round_robin(seats, seats, blocks))
    cycles = {min(s.seats(j) for j in range(seats)) for s in played}
    assert len(cycles) == len({(0, *rest) for rest in permutations(range(1, seats))}) == blocks
    follows = Counter((s.bots[i - 1], s.bots[i]) for s in played for i in range(seats))
    assert len(follows) == seats * (seats - 1)
    assert spread(follows, seats * (seats - 1)) == 0


@given(fields(), st.data())
def test_gauntlet_is_the_part_of_the_round_robin_with_the_hero(field, data):
    bots, seats, blocks = field
    hero = data.draw(st.integers(0, bots - 1))
    run = {(s.block, frozenset(s.bots)) for s in gauntlet(bots, seats, blocks, hero)}
    assert run == {(s.block, frozenset(s.bots)) for s in round_robin(bots, seats, blocks) if hero in s.bots}


def test_fields_that_cannot_be_seated_are_refused():
    with pytest.raises(
        PitbossError, match="2 bots cannot fill a table of 4 seats; give `seats=2`, or enter at least 4"
    ):
        round_robin(2, 4, 1)
    for refused in (lambda: gauntlet(1, 2, 1), lambda: sample(1, 2, 9), lambda: swiss(1, 2, 0, [0], [[0]], [0])):
        with pytest.raises(PitbossError, match="1 bot cannot fill a table of 2 seats"):
            refused()
    with pytest.raises(PitbossError, match="0 bots cannot fill a table of 2 seats; enter at least 2 bots"):
        round_robin(0, 2, 1)
    with pytest.raises(PitbossError, match="at least one of its seats, not 0"):
        round_robin(2, 0, 1)
    with pytest.raises(PitbossError, match="at least one of its blocks, not 0"):
        round_robin(2, 2, 0)
    with pytest.raises(PitbossError, match="bot 5 cannot run the gauntlet: the bots have the numbers 0 to 3"):
        gauntlet(4, 2, 1, hero=5)


# --- a balanced sample ---


@given(st.integers(1, 40), st.integers(1, 18), st.integers(0, 60))
def test_sample_is_fair_to_every_bot_and_every_pair(bots, seats, more):
    seats = min(bots, seats)
    sittings = least_sittings(bots, seats) + more
    played = sample(bots, seats, sittings)
    assert len(played) == sittings
    assert all(len(set(s.bots)) == seats for s in played)
    assert spread(sat(played), bots) <= 1
    assert seats == 1 or len(met(played)) == comb(bots, 2)
    blocks = [s.block for s in played]
    assert blocks == sorted(blocks)
    for block, count in Counter(blocks).items():
        assert count == bots // seats or block == blocks[-1]
        assert max(sat(s for s in played if s.block == block).values()) == 1


@pytest.mark.parametrize(("bots", "sittings"), [(2, 1), (7, 21), (8, 28), (31, 465), (200, 19_900)])
def test_pairs_all_meet_once_in_the_fewest_games_there_can_be(bots, sittings):
    assert least_sittings(bots, 2) == sittings
    assert set(met(sample(bots, 2, sittings)).values()) == {1}


@pytest.mark.parametrize(("bots", "seats"), [(30, 4), (12, 4), (25, 7), (19, 18), (200, 18)])
def test_least_budget_is_within_three_times_what_no_schedule_can_beat(bots, seats):
    """Each bot must sit (bots-1)/(seats-1) times to meet everybody."""
    each = -(-(bots - 1) // (seats - 1))
    bound = -(-bots * each // seats)
    assert bound <= least_sittings(bots, seats) <= 3 * bound


def test_thirty_bots_at_four_seats():
    played = sample(30, 4, 1000)
    assert least_sittings(30, 4) < 110
    pairs = met(played)
    assert (min(pairs.values()), max(pairs.values())) == (13, 15)  # 6,000 meetings of 435 pairs: 13.8 on average


def test_sample_of_larger_budget_begins_with_the_smaller_one():
    """Up to the smaller one's last round, which may be cut short."""
    small, large = sample(30, 4, 150), sample(30, 4, 400)
    assert large[: 150 // 7 * 7] == small[: 150 // 7 * 7]


def test_too_small_a_budget_is_refused_with_the_least_that_will_do():
    least = least_sittings(30, 4)
    with pytest.raises(
        PitbossError, match=f"{least - 1} sittings are too few for 30 bots at 4 seats: it takes {least}"
    ):
        sample(30, 4, least - 1)
    with pytest.raises(PitbossError, match="it takes 3 until every bot has played"):
        sample(3, 1, 2)


def test_budget_is_never_exceeded():
    assert [sittings_for(games, 4, 5) for games in (19, 20, 39, 40)] == [0, 1, 1, 2]


# --- Swiss ---


def partitions(bots, seats):
    """All ways to seat all bots at tables."""
    if not bots:
        yield []
        return
    for rest in combinations(bots[1:], seats - 1):
        for others in partitions([bot for bot in bots[1:] if bot not in rest], seats):
            yield [(bots[0], *rest), *others]


class Cup:
    """A Swiss tournament in which whoever draws the higher number wins."""

    def __init__(self, bots, seats, strengths, luck):
        self.bots, self.seats, self.strengths, self.luck = bots, seats, strengths, luck
        self.points, self.sat_out = [0.0] * bots, [0] * bots
        self.met = np.zeros((bots, bots), int)
        self.random = Random(bots * seats)

    def round(self, number):
        sittings = swiss(self.bots, self.seats, number, self.points, self.met, self.sat_out)
        playing = sat(sittings)
        assert set(playing.values()) == {1}
        assert len(playing) == self.bots // self.seats * self.seats
        assert all(s.block == number for s in sittings)
        for bot in range(self.bots):
            if bot not in playing:
                self.sat_out[bot] += 1
                self.points[bot] += (self.seats - 1) / 2
        for sitting in sittings:
            drawn = {bot: self.strengths[bot] + self.luck * self.random.random() for bot in sitting.bots}
            for a, b in combinations(sitting.bots, 2):
                self.met[a, b] += 1
                self.met[b, a] += 1
                self.points[max(a, b, key=drawn.__getitem__)] += 1
        return sittings


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (9, 3), (8, 4), (10, 2)])
def test_swiss_round_is_the_best_there_is(bots, seats):
    """As few rematches as possible, by brute force; the distance in places is mostly the smallest too."""

    def judge(groups):
        pairs = [pair for members in groups for pair in combinations(members, 2)]
        return sum(int(before[a, b]) for a, b in pairs), sum((place[a] - place[b]) ** 2 for a, b in pairs)

    rounds = closest = 0
    for seed in range(5):
        order = Random(seed).sample(range(bots), bots)
        cup = Cup(bots, seats, order, luck=bots / 2)
        for number in range(swiss_rounds(bots, seats)):
            before = cup.met.copy()
            places = sorted(set(cup.points), reverse=True)
            place = [places.index(points) for points in cup.points]
            best = min(map(judge, partitions(list(range(bots)), seats)))
            found = judge([s.bots for s in cup.round(number)])
            assert found[0] == best[0]
            rounds, closest = rounds + 1, closest + (found == best)
    assert closest > 0.8 * rounds


@pytest.mark.parametrize(("bots", "seats"), [(30, 2), (31, 2), (30, 4), (33, 4), (100, 6)])
def test_swiss_finds_the_best(bots, seats):
    strengths = Random(bots).sample(range(bots), bots)
    cup = Cup(bots, seats, strengths, luck=bots / 10)
    for number in range(swiss_rounds(bots, seats)):
        cup.round(number)
    ranking = sorted(range(bots), key=lambda bot: -cup.points[bot])
    assert strengths.index(bots - 1) in ranking[:2]
    assert strengths.index(0) in ranking[bots // 2 :]
    rematches = (cup.met - 1).clip(0).sum() / cup.met.sum()
    assert rematches == 0 if seats == 2 else rematches < 0.05


@pytest.mark.parametrize(("bots", "seats"), [(5, 2), (7, 4), (11, 3), (5, 4)])
def test_everybody_sits_out_equally_often(bots, seats):
    cup = Cup(bots, seats, range(bots), luck=3)
    for number in range(12):
        cup.round(number)
        assert max(cup.sat_out) - min(cup.sat_out) <= 1


def test_the_last_one_sits_out_first():
    points = [3, 0, 2, 1, 2]
    nobody_met = np.zeros((5, 5), int)
    assert sat(swiss(5, 2, 0, points, nobody_met, [0] * 5)).keys() == {0, 2, 3, 4}
    assert sat(swiss(5, 2, 0, points, nobody_met, [0, 1, 0, 0, 0])).keys() == {0, 1, 2, 4}


def test_swiss_depends_on_its_arguments_alone():
    points = [Random(3).random() for _ in range(24)]
    arguments = (24, 4, 2, points, np.ones((24, 24), int), [0] * 24)
    assert swiss(*arguments) == swiss(*arguments)


@given(st.integers(1, 200), st.integers(1, 18))
def test_swiss_rounds_are_enough_and_not_needlessly_many(bots, seats):
    seats = min(bots, seats)
    rounds = swiss_rounds(bots, seats)
    assert rounds >= 1
    if seats > 1:
        enough_to_meet_all = rounds * (seats - 1) >= bots - 1
        assert enough_to_meet_all or rounds > log(bots, seats)
        assert (rounds - 1) * (seats - 1) < bots - 1
