"""Policies that decide for many tables at once play as bots of their kind do, one at a time and in batches."""

import numpy as np
import pytest

from pitboss import PitbossError, load, play, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.policy import policy
from pitboss.run.tables import LEARNER, Tables

NUMBERS, OFFICIAL = load("flip7:numbers(target=60)"), load("flip7:official(target=40)")


def stays_at(limit, game, encoding="table"):
    """A policy that decides as the bot stay-N does, and chooses the first seat that it may."""
    points = game.learning.encodings[encoding].slices(game.rules, 3)["seat+0 points"]

    def decide(observations, masks):
        hit = np.where(observations[:, points][:, 0] < limit, 1, 0)
        return np.where(masks[:, 0] & masks[:, 1], hit, masks.argmax(axis=1))

    return policy(decide, game, f"stays at {limit}", encoding)


def games_of(tables, deals):
    """What the learner sees, is paid and where its episodes end, by table and deal, for so many deals."""
    mine = stays_at(20, tables.game).policy
    out = [[] for _ in range(len(tables))]
    while tables.tables["deal"].min() < deals:
        seen, deal = tables.observations.tolist(), tables.tables["deal"].tolist()
        tables.step(mine.decide(tables.observations, tables.masks))
        for i in range(len(tables)):
            ended = bool(tables.terminated[i])
            final = tables.final[i].tolist() if ended else None
            out[i].append((deal[i], seen[i], tables.rewards[i].tolist(), ended, final))
    return out


@pytest.mark.parametrize("autoreset", ["same-step", "next-step"])
@pytest.mark.parametrize("episode", ["game", "round"])
def test_a_policy_is_the_opponent_that_a_bot_is(autoreset, episode):
    """The learner sees the same games, step by step, whether the others are compiled or asked together."""
    found = []
    for others in (["stay-25", "stay-15"], [stays_at(25, NUMBERS, "complete"), stays_at(15, NUMBERS)]):
        lineup = [LEARNER, *others]
        tables = Tables(NUMBERS, lineup, 5, encoding="table", episode=episode, autoreset=autoreset, threads=1)
        tables.reset(seed=3)
        found.append(games_of(tables, 5))
    assert found[0] == found[1]
    assert len(found[0][0]) > 40


def test_games_with_policies_are_those_of_play():
    """At a table where the agent may have nothing to decide; such games are nobody's, as with other bots."""
    others = [stays_at(25, OFFICIAL, "complete"), stays_at(15, OFFICIAL)]
    tables = Tables(OFFICIAL, [LEARNER, *others], 6, encoding="table")
    tables.reset(seed=5)
    players = [stays_at(20, OFFICIAL), *others]
    ends = 0
    for i, steps in enumerate(games_of(tables, 9)):
        paid = {}
        for deal, _, reward, _, _ in steps:
            paid[deal] = paid.get(deal, 0.0) + reward[0]
        for deal, share in list(paid.items())[:9]:
            rotation = deal % 3
            seated = [players[(seat - rotation) % 3] for seat in range(3)]
            record = play(OFFICIAL, seated, Key.from_seed(5 + i, quick=True), deal=deal, rotation=rotation)
            assert share == record.outcome.shares[rotation]
            ends += 1
    assert ends > 40


def test_policies_take_a_seat_in_simulations():
    asked = simulate(NUMBERS, [stays_at(25, NUMBERS), "stay-15"], 300, 1)
    assert asked.win_share(0).mean == simulate(NUMBERS, ["stay-25", "stay-15"], 300, 1).win_share(0).mean


def test_what_a_policy_may_not_do_is_said():
    wrong = policy(lambda observations, masks: np.full(len(masks), 7), NUMBERS, "sevens")
    for others, sentence in (
        ([wrong], "sevens chose the action 7, which is not legal there"),
        ([policy(lambda observations, masks: [1], NUMBERS, "one")], "asked for 8 actions, and gave 1"),
    ):
        tables = Tables(NUMBERS, [LEARNER, *others], 8, seat=1)
        with pytest.raises(BotError, match=sentence):
            tables.reset(seed=1)
    with pytest.raises(PitbossError, match="unknown observation 'x'"):
        policy(wrong.policy.decide, NUMBERS, encoding="x")
    with pytest.raises(PitbossError, match="nobody is left to learn"):
        Tables(NUMBERS, [wrong, "stay-15"], 2)
