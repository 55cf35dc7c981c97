"""The sequential test keeps its error rates, whatever the differences look like and however they come in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.core.errors import PitbossError
from pitboss.stats.ratings.sequential import Sequential, Verdict


def three(up, down):
    """Blocks won, lost and neither."""
    return lambda rng, n: rng.choice([1.0, -1.0, 0.0], p=[up, down, 1 - up - down], size=n)


def two(high, low):
    """Two values with mean zero."""
    return lambda rng, n: np.where(rng.random(n) < -low / (high - low), high, low)


NO_DIFFERENCE = {
    "always won or lost": three(0.5, 0.5),
    "mostly the same": three(0.1, 0.1),
    "nearly always the same": three(0.015, 0.015),
    "seldom much better": two(1, -0.05),
    "seldom much worse": two(0.1, -1),
    "anything": lambda rng, n: rng.uniform(-1, 1, n),
}


def errors(make, runs, blocks, alpha, **options):
    """Verdicts of many runs that go on until there is one, or until the end."""
    rng = np.random.default_rng(1)
    tests = [Sequential(alpha, **options) for _ in range(runs)]
    return [test.add(make(rng, blocks)) for test in tests]


def most(alpha, runs):
    """No more errors than this, but for one time in a few thousand."""
    return alpha * runs + 3.5 * np.sqrt(alpha * (1 - alpha) * runs)


@pytest.mark.parametrize("kind", NO_DIFFERENCE)
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_equals_are_seldom_told_apart(kind, alpha):
    """Looked at after each of 1,000 blocks; a test for a fixed number of them would err in half of the runs."""
    found = errors(NO_DIFFERENCE[kind], 300, 1000, alpha, margin=0)
    assert 300 - found.count(Verdict.UNDECIDED) <= most(alpha, 300)


def test_the_simulation_would_notice_a_test_that_is_too_bold():
    """The same runs, if the gamblers were believed five times too early."""
    bold = errors(NO_DIFFERENCE["mostly the same"], 300, 1000, 0.99, margin=0)
    assert 300 - bold.count(Verdict.UNDECIDED) > most(0.2, 300)


@pytest.mark.parametrize("make", [three(0.05, 0.0), three(0.075, 0.025), two(1, -0.05)], ids=["rare", "both", "mean 0"])
def test_same_is_seldom_wrong(make):
    """At the edge of the margin the answer "same" is wrong; where the mean is zero, it is right."""
    found = errors(make, 300, 2000, 0.05, margin=0.05)
    if make(np.random.default_rng(0), 100_000).mean() > 0.03:
        assert found.count(Verdict.SAME) + found.count(Verdict.WORSE) <= most(0.05, 300)
        assert found.count(Verdict.BETTER) > 250
    else:
        assert found.count(Verdict.SAME) > 250


@pytest.mark.parametrize("mean", [-0.2, 0.0, 0.1])
def test_the_interval_holds_at_all_times(mean):
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(100):
        test = Sequential(0.1, margin=0)
        out = False
        for differences in rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(15, 15), p=five(mean)):
            test.add(differences)
            low, high = test.interval
            out = out or not low <= mean <= high
        missed += out
    assert missed <= most(0.1, 100)


def five(mean):
    """Probabilities of five values, with a given mean."""
    return np.array([0.05, 0.15, 0.6, 0.15, 0.05]) + mean * np.array([-0.05, -0.15, 0, 0.15, 0.05]) / 0.25


@pytest.mark.parametrize(("mean", "blocks"), [(0.1, 1200), (0.2, 300), (0.5, 60)])
def test_differences_are_found_soon(mean, blocks):
    """Half of the blocks fall out for one of the two."""
    rng = np.random.default_rng(3)
    needed = []
    for _ in range(40):
        test = Sequential()
        assert test.add(three((0.5 + mean) / 2, (0.5 - mean) / 2)(rng, 10_000)) is Verdict.BETTER
        needed.append(test.n)
    assert np.median(needed) < blocks
    assert np.median(needed) > 1 / mean  # nobody can know it so early


def test_a_bot_against_itself_is_the_same():
    test = Sequential()
    assert test.add([0.0] * 5000) is Verdict.SAME
    assert 300 < test.n < 1000  # something that happens in one block of 100 can hide for that long
    low, high = test.interval
    assert -0.01 <= low < 0 < high <= 0.01
    wide = Sequential(margin=0.05)
    wide.add([0.0] * 5000)
    assert wide.n < test.n / 3


@given(st.lists(st.one_of(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), st.floats(-1, 1)), max_size=120), st.data())
def test_how_differences_are_bundled_does_not_matter(differences, data):
    whole, parts, single = Sequential(), Sequential(), Sequential()
    whole.add(differences)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(differences)), max_size=4)))
    for first, last in zip([0, *cuts], [*cuts, len(differences)], strict=True):
        parts.add(differences[first:last])
    for difference in differences:
        single.add([difference])
    for other in (parts, single):
        assert (other.verdict, other.n, other.mean) == (whole.verdict, whole.n, whole.mean)
        assert other.interval == whole.interval
    low, high = whole.interval
    assert -1 <= low <= whole.mean <= high <= 1
    assert (whole.verdict is Verdict.BETTER) == (low > 0)
    assert (whole.verdict is Verdict.WORSE) == (high < 0)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), max_size=100))
def test_turned_round_the_verdict_is_turned_round(differences):
    one, other = Sequential(), Sequential()
    one.add(differences)
    other.add([-d for d in differences])
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    assert other.verdict is turned.get(one.verdict, one.verdict)
    low, high = one.interval
    assert other.interval == pytest.approx((-high, -low))


def test_what_comes_after_the_verdict_is_not_looked_at():
    test = Sequential()
    assert test.add([1] * 50) is Verdict.BETTER
    before = test.n, test.mean, test.interval
    assert before[0] < 15
    assert test.add([-1] * 1000) is Verdict.BETTER
    assert (test.n, test.mean, test.interval) == before


def test_long_rows_are_looked_at_in_pieces():
    """As many as a class of bots in a night; the verdict falls far inside."""
    rng = np.random.default_rng(4)
    test = Sequential(margin=0.04)
    assert test.add(three(0.5, 0.5)(rng, 50_000)) is Verdict.SAME
    assert 10_000 > test.n > 2000


def test_before_the_first_block():
    test = Sequential()
    assert test.add([]) is Verdict.UNDECIDED
    assert (test.n, test.mean, test.interval) == (0, 0, (-1, 1))


@pytest.mark.parametrize("wrong", [1.01, -2, float("nan")])
def test_differences_must_be_shares(wrong):
    with pytest.raises(PitbossError, match="from -1 to 1"):
        Sequential().add([0, wrong])


@pytest.mark.parametrize("options", [{"alpha": 0}, {"alpha": 1}, {"margin": -0.1}, {"margin": 1}])
def test_options_must_make_sense(options):
    with pytest.raises(PitbossError, match="must"):
        Sequential(**options)
