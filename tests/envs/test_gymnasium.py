"""The environments of Gymnasium pass its own checks, and keep the promises that those do not look at."""

import copy

import numpy as np
import pytest

from pitboss import PitbossError, load, play
from pitboss.core.errors import BotError, IllegalMove
from pitboss.core.keys import Key
from pitboss.games.flip7 import HIT, STAY, Flip7Bot

gym = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pitboss.envs import DictObservation, SeatEnv, environments  # noqa: E402

IDS = ["pitboss/Flip7Solo-v1", "pitboss/Flip7-v1", "pitboss/Show-v1"]
SETTINGS = [
    ("pitboss/Flip7Solo-v1", {"episode": "game"}),
    ("pitboss/Flip7Solo-v1", {"reward": "rounds", "observation": "table"}),
    ("pitboss/Flip7-v1", {"game": "flip7:tournament", "opponents": "ev,random", "seat": 1}),
    ("pitboss/Show-v1", {"observation": "tensor"}),
    ("pitboss/Show-v1", {"observation": "rich", "game": "show:full", "opponents": "counter", "reward": "win"}),
]


def test_ids_come_from_the_registry():
    assert [key for key in environments() if key in IDS] == IDS
    assert set(environments()) <= set(gym.registry)


@pytest.mark.parametrize(("name", "settings"), [*((name, {}) for name in IDS), *SETTINGS])
def test_gymnasiums_own_check(name, settings):
    check_env(gym.make(name, **settings).unwrapped)


def random_run(env, seed, steps):
    """Everything that happens in so many steps, over as many episodes as they take."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    out = [observation.tolist()]
    for _ in range(steps):
        assert env.observation_space.contains(observation)
        assert (env.unwrapped.action_masks() == info["action_mask"].astype(bool)).all()
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        out.append((observation.tolist(), reward, terminated, truncated, info["seat"], info["deal"]))
        if terminated or truncated:
            observation, info = env.reset()
    return out


@pytest.mark.parametrize(("name", "settings"), [*((name, {}) for name in IDS), SETTINGS[0], SETTINGS[2]])
def test_a_seed_decides_all_episodes(name, settings):
    one, two = (gym.make(name, **settings) for _ in range(2))
    first = random_run(one, 7, 150)
    assert random_run(two, 7, 150) == first
    assert random_run(one, 7, 150) == first
    assert random_run(one, 8, 150) != first


def test_without_a_seed_no_two_are_alike():
    one, two = (gym.make("pitboss/Flip7Solo-v1") for _ in range(2))
    cards = []
    for env in (one, two):
        env.reset()
        cards.append([env.step(HIT)[0].tolist() for _ in range(2)])
    assert cards[0] != cards[1] or one.unwrapped._key != two.unwrapped._key


def test_a_whole_game_pays_its_points_or_its_rounds():
    for reward, wanted in (("points", lambda v: v.total), ("rounds", lambda v: -v.round)):
        env = gym.make("pitboss/Flip7Solo-v1", reward=reward, episode="game")
        observation, _ = env.reset(seed=4)
        paid, over = 0, False
        while not over:
            observation, gain, over, _, _ = env.step(HIT if observation[:13] @ np.arange(13) < 22 else STAY)
            paid += gain
        assert paid == wanted(env.unwrapped._position.view(0))
    assert env.unwrapped._position.view(0).total >= 200


def test_a_round_as_an_episode_carries_the_deck_over():
    env = gym.make("pitboss/Flip7Solo-v1")
    observation, info = env.reset(seed=4)
    left = [observation[19:38].sum()]
    for _ in range(4):
        over, paid = False, 0
        while not over:
            observation, paid, over, _, info = env.step(HIT if observation[:13].sum() < 4 else STAY)
        observation, info = env.reset()
        left.append(observation[19:38].sum())
        assert observation[:19].sum() == 0
        assert paid >= 0
    assert left[0] == 85
    assert left == sorted(left, reverse=True)
    assert info["deal"] == 0
    assert observation[39] == 5  # the round
    env.step(HIT)
    observation, info = env.reset()  # in the middle of an episode: another game
    assert (info["deal"], observation[39], observation[19:38].sum()) == (1, 1, 85)


def test_the_observation_of_solo_is_what_the_document_asks_for():
    env = DictObservation(gym.make("pitboss/Flip7Solo-v1"))
    observation, _ = env.reset(seed=1)
    assert list(observation) == ["hand", "modifiers", "left", "total", "round", "action_mask"]
    assert [len(part) for part in observation.values()] == [13, 6, 19, 1, 1, 2]
    view = env.unwrapped._position.view(0)
    for _ in range(30):
        assert env.observation_space.contains(observation)
        assert observation["hand"].tolist() == [int(number in view.numbers) for number in range(13)]
        assert observation["left"].tolist() == list(view.left[:19])
        assert (observation["total"], observation["round"]) == (view.total, view.round)
        observation, _, over, *_ = env.step(HIT if len(view.numbers) < 3 else STAY)
        if over:
            observation, _ = env.reset()
        view = env.unwrapped._position.view(0)


def test_deals_and_luck_are_those_of_play():
    """An agent that plays like a bot has the game that the bot would have had."""
    env = SeatEnv("flip7:official(target=50)", "random,ev", reward="win")
    _, info = env.reset(seed=9)
    for deal in range(4):
        over, paid = False, 0.0
        while not over:
            moves = np.flatnonzero(info["action_mask"])
            view = env._position.view(info["seat"])
            action = (HIT if view.points < 20 else STAY) if moves[0] == STAY else moves[0]
            _, gain, over, _, info = env.step(action)
            paid += gain
        seat = deal % 3
        names = ["me", "random", "ev"]
        record = play(
            env.game, [Me if names[(s - seat) % 3] == "me" else names[(s - seat) % 3] for s in range(3)],
            Key.from_seed(9, quick=True), deal=deal, rotation=seat,
        )  # fmt: skip
        assert paid == record.outcome.shares[seat]
        assert (info["deal"], info["seat"]) == (deal, seat)
        _, info = env.reset()


class Me(Flip7Bot):
    """The agent of the test above; it names itself first, or whoever comes next after it."""

    def hit_or_stay(self, view):
        return HIT if view.points < 20 else STAY

    def target(self, view):
        seats = len(view.seats)
        return min(view.legal, key=lambda move: (move.seat - view.seat) % seats)


def test_python_bots_can_be_opponents():
    """Where `compiled` and Python bots decide alike, so does the environment."""
    python = SeatEnv("flip7:numbers", [StayTwenty])
    compiled = SeatEnv("flip7:numbers", "stay-20")
    assert random_run(python, 3, 100) == random_run(compiled, 3, 100)


class StayTwenty(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < 20 else STAY


class Gambler(Flip7Bot):
    """Goes by luck, and counts what it was asked."""

    asked = 0

    def hit_or_stay(self, view):
        self.asked += 1
        return HIT if self.rng.gauss(0.3, 1.0) > 0.1 * self.asked % 1 else STAY


def test_a_copy_is_a_game_of_its_own():
    def go_on(env):
        return [env.step(1 - n % 2)[0].tolist() for n in range(20)]

    env = SeatEnv("flip7:tournament", opponents=[Gambler, "random"], seat=0)
    env.reset(seed=3)
    env.step(1)
    first, second = copy.deepcopy(env), copy.deepcopy(env)
    expected = go_on(first)
    assert go_on(env) == expected  # the copy's moves changed nothing here
    del env
    assert go_on(second) == expected


def test_illegal_actions():
    env = gym.make("pitboss/Flip7-v1", seat=0, penalty=None)
    observation, _ = env.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"action 6 is not legal now; legal: \[0, 1\] \(stay, hit\)"):
        env.step(6)
    for settings, penalty in (({}, -1.0), ({"penalty": -2.5}, -2.5)):
        env = gym.make("pitboss/Flip7-v1", seat=0, **settings)
        observation, _ = env.reset(seed=1)
        again, reward, terminated, truncated, info = env.step(6)
        assert (again.tolist(), reward, terminated, truncated) == (observation.tolist(), penalty, False, False)
        assert info["action_mask"].tolist() == [1, 1, 0, 0, 0, 0, 0, 0]


def test_what_makes_no_sense_is_refused():
    class Listener(Flip7Bot):
        def hit_or_stay(self, view):
            return STAY

        def saw(self, event):
            pass

    for settings, sentence in (
        ({"seat": 4}, "there is no seat 4"),
        ({"reward": "x"}, "unknown reward 'x'; the choices are: win, points, rounds"),
        ({"observation": "hand"}, "unknown observation 'hand'"),
        ({"render_mode": "x"}, "is not possible"),
        ({"opponents": ""}, "is for 2 to 18 seats"),
        ({"opponents": [Listener]}, "wants to be told what happens"),
    ):
        with pytest.raises(PitbossError, match=sentence):
            SeatEnv("flip7:official", **{"opponents": "ev*3", **settings})
    env = SeatEnv("flip7:solo")
    with pytest.raises(PitbossError, match="call reset first"):
        env.step(0)

    class Nonsense(Flip7Bot):
        def hit_or_stay(self, view):
            return 17

    env = SeatEnv("flip7:numbers", [Nonsense], seat=1)
    with pytest.raises(BotError, match="Nonsense at seat 0 made an illegal move"):
        env.reset(seed=1)


def test_sampling_keeps_to_what_is_legal():
    env = gym.make("pitboss/Flip7-v1", game="flip7:tournament")
    env.action_space.seed(1)
    env.reset(seed=np.int64(1))
    for _ in range(300):
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert reward >= 0  # no penalty
        assert info["action_mask"].any()  # at the end, too: zeros would make probabilities NaN
        if terminated or truncated:
            env.reset()


def test_several_line_ups_take_turns():
    env = SeatEnv("flip7:numbers(target=20)", [["stay-20"], ["random"]], render_mode="ansi")
    env.reset(seed=1)
    shown = []
    for _ in range(4):
        shown.append("random" if "random" in env.render() else "stay-20")
        over = False
        while not over:
            _, _, over, _, _ = env.step(STAY)
        env.reset()
    assert shown == ["stay-20", "random"] * 2
    with pytest.raises(PitbossError, match="the same number of opponents"):
        SeatEnv("flip7:numbers", [["stay-20"], ["random", "ev"]])


def test_a_round_is_an_episode_and_the_old_id_says_so():
    """Document 000: a round is an episode. A game paid by points would pay for overshooting the target."""
    env = gym.make("pitboss/Flip7Solo-v1")
    env.reset(seed=1)
    _, reward, over, _, _ = env.step(STAY)
    assert (reward, over) == (0, True)
    with pytest.warns(DeprecationWarning, match="Flip7Solo-v0 is out of date.*`v1`"):
        gym.make("pitboss/Flip7Solo-v0")


def test_the_table_can_be_looked_at():
    env = gym.make("pitboss/Flip7-v1", render_mode="ansi", seat=0)
    env.reset(seed=1)
    assert env.render().splitlines()[0].startswith("Flip 7 · Official, round 1: ")
    assert "> agent: " in env.render()
    env = gym.make("pitboss/Show-v1", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(0)
    after = env.render()
    assert before.shape == after.shape
    assert before.dtype == np.uint8
    assert (before != after).any()
    with pytest.raises(PitbossError, match="render_mode"):
        SeatEnv("flip7:solo").render()


def test_the_tensor_of_show_is_that_of_the_document():
    """`[card_1, card_2, opp_card_1, opp_card_2, code]`, -1 for unknown, codes 60 to 71."""
    env = SeatEnv("show:full", "random", observation="tensor")
    codes, rng = set(), np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    for _ in range(1500):
        view = env._position.view(info["seat"])
        assert observation.dtype == np.int64
        assert observation.tolist() == [*view.own, *view.other, view.decision]
        codes.add(int(observation[4]))
        observation, _, over, _, info = env.step(rng.integers(2))
        if over:
            assert observation[4] == 0
            observation, info = env.reset()
    assert codes == set(range(60, 72))


def test_a_cut_game_is_truncated():
    env = SeatEnv("flip7:solo(max_rounds=3)", reward="points")
    env.reset(seed=1)
    ends = [env.step(STAY)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_a_game_that_ends_before_the_agent_decides_is_skipped():
    """Frozen at once, the agent may have nothing to say; the next deal is played instead."""
    env = SeatEnv("flip7:official(target=1)", "ev*5", seat=5)
    deals = [env.reset(seed=seed)[1]["deal"] for seed in range(30)]
    assert max(deals) > 0
    assert not env._position.over
    assert load("flip7:official(target=1)") == env.game
