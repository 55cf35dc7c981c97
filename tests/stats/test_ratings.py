"""Strengths against other people's code and against brute force; intervals against simulated truth."""

from __future__ import annotations

from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from pitboss.core.errors import PitbossError
from pitboss.stats.ratings import Finishes, block_interval, head_to_head, luce, strengths


def played(strength, seats, blocks, rng, *, rotations=2, shared=0.0):
    """A round robin of bots of known strengths. Part of a bot's luck is shared by all games of a block."""
    strength = np.asarray(strength, float)
    sets = np.repeat(np.array(list(combinations(range(len(strength)), seats))), rotations, axis=0)
    own = rng.gumbel(size=(blocks, *sets.shape))
    common = rng.gumbel(size=(blocks, 1, len(strength)))
    same = rng.random((blocks, *sets.shape)) < shared  # one or the other: each finish alone follows the model
    noise = np.where(same, np.take_along_axis(common.repeat(len(sets), 1), np.broadcast_to(sets, own.shape), 2), own)
    places = (-(strength[sets] + noise)).argsort(axis=2).argsort(axis=2) + 1
    return Finishes(
        len(strength), np.tile(sets, (blocks, 1)), places.reshape(-1, seats), np.repeat(np.arange(blocks), len(sets))
    )


def with_ties(strength, tie, blocks, rng):
    """Pairs, by Davidson's model."""
    pairs = np.tile(np.array(list(combinations(range(len(strength)), 2))), (blocks, 1))
    a, b = np.exp(np.asarray(strength)[pairs]).T
    t = tie * np.sqrt(a * b)
    u = rng.random(len(pairs)) * (a + b + t)
    places = np.stack([np.where(u < a + t, 1, 2), np.where(u < a, 2, 1)], axis=1)
    return Finishes(len(strength), pairs, places, np.repeat(np.arange(blocks), len(pairs) // blocks))


def differences(strength):
    """What has a meaning of strengths."""
    return np.asarray(strength) - np.mean(strength)


# --- the most likely strengths ---


def test_two_bots_as_choix_finds_them():
    f = played([0.9, 0.2, 0, -0.1, -0.7, -1.5], 2, 12, np.random.default_rng(1))
    winner = np.where(f.places[:, :1] == 1, f.players, f.players[:, ::-1])
    expected = choix.opt_pairwise(f.bots, winner.tolist(), tol=1e-12)
    assert differences(strengths(f, 0, prior=0).strength) == pytest.approx(differences(expected), abs=1e-6)


def test_four_seats_as_choix_finds_them():
    f = played([0.8, 0.3, 0, -0.4, -1.1, 0.1], 4, 8, np.random.default_rng(2))
    ranking = np.take_along_axis(f.players, f.places.argsort(axis=1), 1)
    expected = choix.opt_rankings(f.bots, ranking.tolist(), tol=1e-12)
    assert differences(strengths(f, 0, prior=0).strength) == pytest.approx(differences(expected), abs=1e-6)


def test_a_field_too_large_for_one_block_of_rows_as_choix_finds_it():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=luce.SMALL + 20)
    f = played(truth, 2, 1, rng, rotations=3)
    winner = np.where(f.places[:, :1] == 1, f.players, f.players[:, ::-1])
    expected = choix.opt_pairwise(f.bots, winner.tolist(), tol=1e-12)
    assert differences(strengths(f, 0, prior=0).strength) == pytest.approx(differences(expected), abs=1e-5)


@pytest.mark.parametrize("rows", [1, luce.SMALL, luce.SMALL + 1, 2 * luce.SMALL + 7])
def test_elimination_by_blocks_finds_what_linear_algebra_finds(rows):
    rng = np.random.default_rng(rows)
    root = rng.normal(size=(3, rows, rows))
    curve, slope = root @ root.transpose(0, 2, 1) + np.eye(rows), rng.normal(size=(3, rows))
    assert luce.solve(curve, slope) == pytest.approx(np.linalg.solve(curve, slope[..., None])[..., 0], abs=1e-9)


def test_weightings_are_fitted_alike_alone_and_together(monkeypatch):
    f = played([0.5, 0, -0.5], 2, 12, np.random.default_rng(4))
    together = strengths(f, 50)
    monkeypatch.setattr(luce, "NEARBY", 20)  # two at a time
    apart = strengths(f, 50)
    assert np.allclose(together.low, apart.low, atol=1e-12)
    assert np.allclose(together.high, apart.high, atol=1e-12)


def log_likelihood(f, strength, tie):
    """Written down from the definition of the model, finish by finish."""
    total = 0.0
    for players, places in zip(f.players.tolist(), f.places.tolist(), strict=True):
        left = dict(zip(players, places, strict=True))
        while left:
            group = [bot for bot, place in left.items() if place == min(left.values())]

            def worth(bots):
                return tie.get(len(bots), 0.0) * np.exp(np.mean([strength[b] for b in bots]))

            every = [g for size in tie if size <= len(left) for g in combinations(left, size)]
            total += np.log(worth(group) / sum(map(worth, every)))
            left = {bot: place for bot, place in left.items() if bot not in group}
    return total


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ties_as_brute_force_finds_them(seats):
    rng = np.random.default_rng(seats)
    sets = np.array(list(combinations(range(4), seats)) * (40 // seats))
    points = np.round(2 * (np.array([0.5, 0, 0, -0.5])[sets] + rng.gumbel(size=sets.shape)))
    places = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
    f = Finishes(4, sets, places, np.arange(len(sets)))
    sizes = [
        s for s in range(2, seats + 1) if (np.sort(places)[:, s - 1 :] == np.sort(places)[:, : seats - s + 1]).any()
    ]

    def minus(x):
        return -log_likelihood(f, [0.0, *x[:3]], {1: 1.0} | {s: np.exp(t) for s, t in zip(sizes, x[3:], strict=True)})

    brute = minimize(minus, np.zeros(3 + len(sizes)), method="BFGS", options={"gtol": 1e-6}).x
    found = strengths(f, 0, prior=0)
    assert sorted(found.ties) == sizes
    assert sizes
    assert differences(found.strength) == pytest.approx(differences([0, *brute[:3]]), abs=1e-4)
    assert [np.log(found.ties[s]) for s in sizes] == pytest.approx(brute[3:], abs=1e-4)


def test_large_tables_are_read_as_pairs():
    truth = np.linspace(-1, 1, 9)
    found = strengths(played(truth, 8, 60, np.random.default_rng(4), rotations=1), 0)
    assert found.strength == pytest.approx(truth, abs=0.25)
    assert found.converged
    assert luce.MOST_SEATS < 8


@pytest.mark.parametrize("places", [[[1, 2, 2, 4]], [[1, 2, 2, 3]], [[0, 7, 7, 9]]])
def test_gaps_between_places_do_not_matter(places):
    found = strengths(Finishes(4, [[0, 1, 2, 3]], places, [0]))
    assert found.strength[1] == pytest.approx(found.strength[2])
    assert found.strength[0] > found.strength[1] > found.strength[3]


# --- odd results ---


def test_a_bot_that_always_wins_is_finite_and_not_sure():
    few, many = (strengths(Finishes(2, [[0, 1]] * n, [[1, 2]] * n, range(n))) for n in (10, 100))
    for found, n in ((few, 10), (many, 100)):
        assert found.converged
        # as if it had won n + 1/2 games and lost 1/2
        assert found.strength[0] - found.strength[1] == pytest.approx(np.log(2 * n + 1), abs=1e-6)
        assert found.low[0] < found.strength[0] - 0.5
        assert found.high[0] > found.strength[0] + 0.5
        assert found.best[0] > 0.95
    assert many.strength[0] > few.strength[0] + 0.5


def test_a_hopeless_bot_does_not_blur_the_others():
    rng = np.random.default_rng(5)
    without = strengths(played([0.5, 0, 0, -0.5], 2, 30, rng))
    with_it = strengths(played([0.5, 0, 0, -0.5, -40], 2, 30, rng))
    assert with_it.high[4] - with_it.low[4] > 3
    width, blurred = (without.high - without.low), (with_it.high - with_it.low)[:4]
    assert blurred == pytest.approx(width, rel=0.3)


def test_made_up_games_vanish_with_data():
    f = played([0.5, 0, -0.5], 2, 300, np.random.default_rng(6))
    assert strengths(f, 0).strength == pytest.approx(strengths(f, 0, prior=0).strength, abs=0.003)


def test_bots_that_never_met_are_not_compared():
    pairs = np.array([[0, 1], [2, 3]] * 40)
    places = np.where(np.arange(80)[:, None] % 6 < 3, [1, 2], [2, 1])
    found = strengths(Finishes(4, pairs, places, np.arange(80) // 2))
    together = strengths(Finishes(4, [[0, 1], [2, 3], [0, 2], [1, 3]] * 20, places, np.arange(80) // 2))
    assert together.linked
    assert not found.linked
    assert (found.high - found.low).min() > 2 * (together.high - together.low).max()


def test_one_block_has_no_intervals():
    found = strengths(Finishes(2, [[0, 1]] * 3, [[1, 2], [2, 1], [1, 2]], [5, 5, 5]))
    assert found.strength[0] > 0
    assert np.isnan([found.low, found.high, found.best]).all()


def test_a_bot_seen_in_one_block_has_no_interval():
    found = strengths(Finishes(3, [[0, 1]] * 8 + [[0, 2]], [[1, 2], [2, 1]] * 4 + [[1, 2]], [*range(8), 7]))
    assert np.isnan(found.low).tolist() == [False, False, True]
    assert found.best.sum() == pytest.approx(1)


@pytest.mark.parametrize("seats", [1, 2])
def test_without_comparisons_nothing_is_known(seats):
    rows = 3 if seats == 1 else 0
    found = strengths(Finishes(3, np.zeros((rows, seats)), np.ones((rows, seats)), np.arange(rows)))
    assert found.strength.tolist() == [0, 0, 0]
    assert np.isnan(found.low).all()
    assert not found.linked


def test_all_games_tied():
    found = strengths(Finishes(2, [[0, 1]] * 20, [[1, 1]] * 20, range(20)))
    assert found.converged
    assert found.strength == pytest.approx([0, 0], abs=1e-9)
    assert found.ties[2] > 10


@pytest.mark.parametrize(
    ("players", "places", "blocks", "sentence"),
    [
        ([[0, 1]], [[1, 2], [2, 1]], [0], "players and places of one shape"),
        ([[0, 1]], [[1, 2]], [0, 1], "a block for each row"),
        ([[0, 3]], [[1, 2]], [0], "numbers from 0 to 2"),
        ([[1, 1]], [[1, 2]], [0], "only once"),
    ],
)
def test_finishes_must_make_sense(players, places, blocks, sentence):
    with pytest.raises(PitbossError, match=sentence):
        Finishes(3, players, places, blocks)


def test_priors_must_make_sense():
    f = Finishes(2, [[0, 1]], [[1, 2]], [0])
    with pytest.raises(PitbossError, match="made-up games"):
        strengths(f, prior=0)
    with pytest.raises(PitbossError, match="0 or more"):
        strengths(f, prior=-1)


# --- what must not matter ---


@st.composite
def finishes(draw):
    bots = draw(st.integers(2, 5))
    seats = draw(st.integers(2, bots))
    rows = draw(st.integers(1, 12))
    players = [draw(st.permutations(range(bots)))[:seats] for _ in range(rows)]
    places = [[draw(st.integers(1, seats)) for _ in range(seats)] for _ in range(rows)]
    return Finishes(bots, players, places, [draw(st.integers(0, 4)) for _ in range(rows)])


@settings(max_examples=40)
@given(finishes(), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_names_hardly(f, random):
    """Rows and seats may be listed in any order: the same bits. Other numbers for bots: the same strengths."""
    found = strengths(f, 20)
    assert found.converged
    assert np.isfinite(found.strength).all()
    assert found.weight @ found.strength == pytest.approx(0, abs=1e-9)
    rows = random.sample(range(f.rows), f.rows)
    seats = random.sample(range(f.players.shape[1]), f.players.shape[1])
    other = strengths(Finishes(f.bots, f.players[rows][:, seats], f.places[rows][:, seats], f.blocks[rows]), 20)
    for name in ("strength", "low", "high", "best", "weight"):
        assert np.array_equal(getattr(found, name), getattr(other, name), equal_nan=True)
    if len(set(f.blocks.tolist())) > 1:
        assert found.best.sum() == pytest.approx(1)
        seen = ~np.isnan(found.low)
        assert (found.low <= found.high)[seen].all()
    name = np.array(random.sample(range(f.bots), f.bots))
    renamed = strengths(Finishes(f.bots, name[f.players], f.places, f.blocks), 0)
    assert renamed.strength[name] == pytest.approx(found.strength, abs=1e-6)


# --- intervals against simulated truth ---


def between(hits, of, rate, sigmas=3.5):
    """Whether a rate was seen as often as it may be seen by luck."""
    return abs(hits / of - rate) <= sigmas * np.sqrt(rate * (1 - rate) / of)


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (lambda s, rng: played(s, 2, 20, rng), [0.7, 0.2, -0.1, -0.8]),
        (lambda s, rng: played(s, 2, 25, rng, shared=0.5), [0.7, 0.2, -0.1, -0.8]),
        (lambda s, rng: with_ties(s, 0.6, 30, rng), [1.2, 0, -0.5]),
        (lambda s, rng: played(s, 4, 15, rng, rotations=4, shared=0.3), [0.6, 0.2, 0, -0.2, -0.6]),
    ],
    ids=["pairs", "pairs-shared-luck", "ties", "four-seats"],
)
def test_intervals_of_strengths_cover_at_their_rate(make, truth):
    rng = np.random.default_rng(7)
    hits = []
    for _ in range(150):
        found = strengths(make(truth, rng), resamples=200)
        centred = truth - found.weight @ truth
        hits.append((found.low <= centred) & (centred <= found.high))
    # bots of one tournament are not independent: count tournaments
    assert between(np.mean(hits) * 150, 150, 0.95)


def test_probability_of_being_best_is_calibrated():
    rng = np.random.default_rng(8)
    claimed, true = [], []
    for _ in range(200):
        truth = rng.normal(scale=0.6, size=5)
        best = strengths(played(truth, 2, 10, rng), resamples=200).best
        assert best.sum() == pytest.approx(1)
        claimed.append(best)
        true.append(np.arange(5) == truth.argmax())
    claimed, true = np.array(claimed), np.array(true)
    for low, high in ((0.05, 0.3), (0.3, 0.7), (0.7, 0.95), (0.95, 1.01)):
        those = (claimed >= low) & (claimed < high)
        assert those.sum() > 30
        assert between(true[those].sum(), those.sum(), min(0.99, claimed[those].mean()))


SHARES = {
    "a bot that often wins": (2, 0.9, 0.0),
    "equals": (2, 0.5, 0.0),
    "many games on each deal": (8, 0.7, 0.1),
    "a bot that seldom wins": (4, 0.05, 0.02),
}


@pytest.mark.parametrize("blocks", [10, 25, 50])
@pytest.mark.parametrize("kind", SHARES)
def test_intervals_of_shares_cover_at_their_rate(kind, blocks):
    games, p, alike = SHARES[kind]
    rng = np.random.default_rng(9)
    chance = rng.beta(p / alike - p, (1 - p) / alike - (1 - p), (blocks, 1500)) if alike else np.full((blocks, 1500), p)
    wins = rng.binomial(games, chance)
    found = block_interval(wins, np.full_like(wins, games), share=True)
    cover = np.mean([e.low <= p <= e.high for e in found])
    assert 0.925 < cover < 0.985
    assert all(0 <= e.low <= e.mean <= e.high <= 1 and e.high - e.low > 0.01 for e in found)


@pytest.mark.parametrize("blocks", [10, 25, 50])
def test_intervals_of_means_cover_at_their_rate(blocks):
    rng = np.random.default_rng(10)
    games = rng.integers(1, 5, (blocks, 1500))
    points = rng.gamma(20 * games, 5)
    cover = np.mean([e.low <= 100 <= e.high for e in block_interval(points, games)])
    assert 0.93 < cover < 0.965


def test_sure_things_are_not_sure():
    always, never, nothing, once, half = block_interval(
        np.array([[2, 0, 0, 1, 1]] + [[2, 0, 0, 0, 1]] * 19),
        np.array([[2, 2, 0, 2, 2]] + [[2, 2, 0, 0, 2]] * 19), share=True,
    )  # fmt: skip
    assert always.mean == always.high == 1
    assert 0.7 < always.low < 0.9
    assert never.mean == never.low == 0
    assert 0.1 < never.high < 0.3
    assert nothing.mean == 0
    assert nothing.ci95 is None
    assert once.mean == 0.5
    assert once.ci95 is None
    assert half.low < 0.4
    assert half.high > 0.6


def test_blocks_without_games_do_not_count():
    values, games = np.array([[3.0], [5], [4], [6]]), np.ones((4, 1))
    padded = np.vstack([values, np.zeros((6, 1))]), np.vstack([games, np.zeros((6, 1))])
    assert block_interval(*padded) == block_interval(values, games)


# --- each against each ---


def test_head_to_head_counts_by_hand():
    table = head_to_head(Finishes(4, [[0, 1, 2], [2, 1, 0]], [[1, 2, 2], [1, 3, 2]], [0, 0]))
    assert table.wins.tolist() == [[0, 2, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert table.ties[1, 2] == table.ties[2, 1] == 1
    assert (
        table.games == 2 * (np.ones((4, 4)) - np.eye(4)) * np.array([1, 1, 1, 0]) * np.array([[1], [1], [1], [0]])
    ).all()
    assert table.difference[0, 1] == 1
    assert np.isnan(table.difference[0, 3])


@given(finishes())
def test_head_to_head_adds_up(f):
    table = head_to_head(f)
    assert (table.wins + table.wins.T + table.ties == table.games).all()
    assert table.games.sum() == f.rows * f.players.shape[1] * (f.players.shape[1] - 1)
