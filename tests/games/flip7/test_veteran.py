"""The bot `veteran`: a net that puts the chances to win right, and what it does with them."""

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core.errors import BotError
from pitboss.core.registry import bot
from pitboss.games.flip7.bots.experience import ABOUT_OTHER, ABOUT_POINTS, ABOUT_TABLE, SURE, experience, put_right
from pitboss.games.flip7.bots.veteran import WEIGHTS
from pitboss.games.flip7.cards import FREEZE
from pitboss.games.flip7.state import HIT, SEAT_0, STAY, TARGET
from tests.asking import ask
from tests.games.flip7.test_winner import table_of

OFFICIAL = "flip7:official"


def plain_net(weights, others, table, total, chances):
    """The net as a formula, layer by layer."""
    net = experience(weights)
    points = np.arange(len(chances))
    bounded = np.clip(chances, SURE, 1 - SURE)
    odds = np.log(bounded / (1 - bounded))
    own = np.array([
        points / 25, (total + points) / 100 - 1, total + points >= 200, odds / 3,
        np.maximum(total + points - 170, 0) / 30, points == 0,
    ]).T  # fmt: skip
    pooled = np.zeros((len(chances), net.other.shape[1]))
    for about in others:
        read = np.hstack([np.tile(about, (len(own), 1)), own, np.ones((len(own), 1))])
        pooled += np.maximum(read @ net.other, 0)
    read = np.hstack([pooled, own, np.tile(table, (len(own), 1)), np.ones((len(own), 1))])
    more = np.maximum(read @ net.table, 0) @ net.odds[:-1] + net.odds[-1]
    return np.maximum.accumulate(1 / (1 + np.exp(-odds - more)))


@pytest.mark.parametrize("others", [1, 3, 5])
def test_the_net_by_its_formula(others):
    weights, luck = np.load(WEIGHTS).astype(np.float64), np.random.default_rng(others)
    about, table = luck.normal(size=(others, ABOUT_OTHER)), luck.normal(size=ABOUT_TABLE)
    chances = np.sort(luck.random(100))
    chances[:3], chances[-3:] = 0, 1
    expected = plain_net(weights, about, table, 120, chances)
    put_right(experience(weights), about, table, 120, 200, chances)
    np.testing.assert_allclose(chances, expected, atol=1e-7)


def test_the_weights_are_as_many_as_the_layers_need():
    weights = np.load(WEIGHTS)
    first, second = int(weights[0]), int(weights[1])
    layers = (ABOUT_OTHER + ABOUT_POINTS + 1) * first + (first + ABOUT_POINTS + ABOUT_TABLE + 1) * second + second + 1
    assert len(weights) == 2 + layers


def answer(hands, totals, **more):
    game, s = table_of(OFFICIAL, hands, totals, **more)
    return ask(bot("veteran", game), game, s)


def test_it_hits_a_low_hand_and_stays_when_that_wins():
    assert answer([[2, 3], [5], [6], [8]], [50, 60, 70, 80]) == HIT
    assert answer([[12, 11, 10], None, None, None], [170, 60, 70, 80]) == STAY
    assert answer([[12, 11, 10, 9], [5], [6], [8]], [50, 60, 70, 80]) == STAY


def test_it_plays_on_when_only_that_can_win():
    """Somebody has won already unless we get further: the points at risk are worth nothing."""
    assert answer([[12, 11, 10], None], [150, 205]) == HIT


def test_it_freezes_somebody_who_holds_enough_to_win():
    """That one would stay: to freeze ourselves would be to lose. Nor does it when it holds enough itself."""
    for hands, totals in [
        ([[9, 7], [9, 8]], [83, 184]),
        ([[12, 7], [12, 10, 9]], [170, 186]),
        ([[10, 8, 7], [12, 5]], [180, 74]),
        ([[5], [11]], [65, 192]),
        ([[12, 11, 3], [12, 9, 6], [10, 8], [11, 9]], [100, 184, 95, 120]),
    ]:
        assert answer(hands, totals, decision=TARGET, card=FREEZE) == SEAT_0 + 1, (hands, totals)


def test_it_does_not_stay_behind_somebody_who_holds_enough_to_win():
    assert answer([[12, 11, 10, 4], [11, 6, 4]], [165, 185]) == HIT
    assert answer([[12, 11, 10, 4], [11, 6, 4]], [170, 185]) == STAY  # a point ahead
    assert answer([[9, 7, 4, 3], [12, 10, 7, 5, 4], None], [197, 184, 50]) == HIT
    assert answer([[10, 9, 3], [12, 10, 9, 3], None, None], [182, 172, 50, 50]) == HIT


def test_it_plays_only_where_it_learned():
    for spec in ("flip7:numbers", "flip7:official(target=100)", "flip7:solo"):
        with pytest.raises(BotError, match="learned at flip7:official"):
            bot("veteran", load(spec))
    with pytest.raises(BotError, match="takes no number"):
        bot("veteran-3", load(OFFICIAL))


def test_same_games_on_any_number_of_threads():
    bots = ["veteran", "hunter", "stay-25"]
    one, two = (simulate(OFFICIAL, bots, games=60, seed=4, threads=n).to_dict()["bots"] for n in (1, 2))
    assert one == two
    assert one[0]["win_share"] > one[2]["win_share"]
