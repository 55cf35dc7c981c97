"""The gradients, written by hand, against differences; and the same network compiled."""

import numpy as np
import pytest

from pitboss.learn import net, ppo


def _problem(seed=0):
    rng = np.random.default_rng(seed)
    weights = {name: array.astype(np.float64) for name, array in net.make(5, 3, 4, rng).items()}
    for name in weights:  # nothing at exactly zero, where rectifiers have no slope
        weights[name] += 0.3 * rng.standard_normal(weights[name].shape)
    legal = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 1], [1, 0, 0, 0]])
    rows, actions = np.nonzero(legal)
    batch = net.Batch(rng.standard_normal((4, 5)), rng.standard_normal((len(rows), 3)), rows, actions, 4)
    return rng, weights, batch


def _slope(weights, name, place, loss):
    step = 1e-3
    before = weights[name][place]
    weights[name][place] = before + step
    up = loss()
    weights[name][place] = before - step
    down = loss()
    weights[name][place] = before
    return (up - down) / (2 * step)


def test_scores_are_probabilities_of_legal_actions_only():
    _, weights, batch = _problem()
    chances = np.exp(net.score(weights, batch).logs)
    assert chances.sum(1) == pytest.approx(1)
    assert chances[3].tolist() == [1, 0, 0, 0]
    assert chances[0, 2] == 0


@pytest.mark.parametrize("name", net.SCORER)
def test_gradients_of_the_policy_are_slopes_of_the_clipped_loss(name):
    rng, weights, batch = _problem()
    taken, gains = np.array([0, 3, 1, 0]), np.array([1.0, -2.0, 0.5, 1.0])
    before = net.score(weights, batch).logs[np.arange(4), taken] + np.array([0.05, -0.05, 0.5, 0.0])
    entropy = 0.1

    def loss():
        logs = net.score(weights, batch).logs.astype(np.float64)
        chances = np.exp(logs)
        ratio = np.exp(logs[np.arange(4), taken] - before)
        clipped = np.clip(ratio, 1 - ppo.CLIP, 1 + ppo.CLIP)
        spread = -(chances * np.where(chances > 0, logs, 0)).sum(1)
        return float((-np.minimum(ratio * gains, clipped * gains) - entropy * spread).mean())

    found = ppo.improve(weights, batch, taken, before, gains, entropy)[name]
    for _ in range(5):
        place = tuple(rng.integers(n) for n in found.shape)
        assert found[place] == pytest.approx(_slope(weights, name, place, loss), abs=2e-3)


def test_actions_that_are_only_numbers_need_no_rows_of_their_own():
    rng, weights, batch = _problem()
    weights["choice"] = rng.standard_normal((4, 4))
    rows = batch._replace(choices=np.eye(4)[batch.actions])
    none = batch._replace(choices=np.zeros((len(batch.actions), 0)))
    known = np.array([0, 3, 1, 0]), np.zeros(4), np.array([1.0, -2.0, 0.5, 1.0]), 0.1
    np.testing.assert_array_equal(net.score(weights, rows).logs, net.score(weights, none).logs)
    for name, slope in ppo.improve(weights, rows, *known).items():
        np.testing.assert_allclose(ppo.improve(weights, none, *known)[name], slope, atol=1e-6)


@pytest.mark.parametrize("name", net.CRITIC)
def test_gradients_of_the_critic_are_slopes_of_half_the_mean_square(name):
    rng, weights, batch = _problem()
    returns = rng.standard_normal(4)

    def loss():
        return float(((net.value(weights, batch.states).values - returns) ** 2).mean() / 2)

    found = ppo.correct(weights, batch, returns)[name]
    for _ in range(5):
        place = tuple(rng.integers(n) for n in found.shape)
        assert found[place] == pytest.approx(_slope(weights, name, place, loss), abs=1e-3)


def test_advantages_are_counted_for_each_player_by_itself():
    # One table, two players in turn; player 1 earns 1 at the end of the episode, player 0 loses it.
    values = np.array([[0.5], [0.25], [0.0], [0.0], [0.75]], np.float32)
    players = np.array([[0], [1], [0], [1], [0]])
    rewards = np.zeros((4, 1, 2))
    rewards[2, 0] = -1.0, 1.0
    ended = np.array([[False], [False], [True], [False]])
    advantages, known = np.zeros((4, 1)), np.zeros((4, 1), bool)
    ppo._look_back(values, players, rewards, ended, advantages, known)
    assert advantages[:3, 0].tolist() == pytest.approx([-0.5 - ppo.LAMBDA, 0.75, -1.0])
    assert known[:, 0].tolist() == [True, True, True, False]  # nobody knows yet what the last decision led to


def test_adam_finds_the_bottom_of_a_bowl():
    weights = {"x": np.array([3.0, -2.0], np.float32)}
    adam = net.Adam(weights)
    for _ in range(2000):
        adam.step({"x": 2 * weights["x"]}, 0.01)
    assert np.abs(weights["x"]).max() < 0.05
