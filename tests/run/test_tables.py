"""Many games side by side, decided from outside, are the games that bots play by themselves."""

import os
import subprocess
import sys

import numpy as np
import pytest

from pitboss import PitbossError, bot, load, play
from pitboss.core.bot import compiled_bot
from pitboss.core.errors import BotError, IllegalMove
from pitboss.core.keys import Key
from pitboss.games.flip7 import HIT, STAY, Flip7Bot
from pitboss.run.tables import LEARNER, Tables


def stay_at(tables, limit):
    """Hit until the hand has so many points; choose the first legal seat."""
    out = tables.masks.argmax(axis=1)
    for i in range(len(tables)):
        if tables.masks[i, HIT]:
            position = tables.position(i)
            points = position.view(position.to_act).points
            out[i] = HIT if points < limit else STAY
    return out


def play_out(tables, policy, games):
    """Step until every table has finished so many games: each one's sums of rewards, episode by episode."""
    done = [[] for _ in range(len(tables))]
    sums = np.zeros_like(tables.rewards)
    while min(map(len, done)) < games:
        tables.step(policy(tables))
        sums += tables.rewards
        for i in np.flatnonzero(tables.terminated | tables.truncated):
            done[i].append(sums[i].tolist())
            sums[i] = 0
    return [rows[:games] for rows in done]


def test_solo_games_are_those_that_a_bot_plays():
    tables = Tables("flip7:solo", [LEARNER], 5, reward="rounds")
    tables.reset(seed=10)
    for i, rows in enumerate(play_out(tables, lambda t: stay_at(t, 25), 3)):
        key = Key.from_seed(10 + i, quick=True)
        lengths = [play("flip7:solo", ["stay-25"], key, deal=deal).outcome for deal in range(3)]
        assert [sum(row) for row in rows] == [-rounds_of(key, deal) for deal in range(3)]
        assert all(outcome.ended == "won" for outcome in lengths)


def rounds_of(key, deal):
    ends = []
    play("flip7:solo", ["stay-25"], key, deal=deal, watch=lambda position, _: ends.append(position.view(0).round))
    return ends[-1]


@pytest.mark.parametrize("seat", [None, 2])
def test_a_learner_that_plays_like_a_bot_wins_like_a_bot(seat):
    """One seat against bots that use luck: deals, seats and luck are those of `play`."""
    tables = Tables("flip7:numbers(target=60)", [LEARNER, "random", "stay-25"], 6, seat=seat, threads=1)
    tables.reset(seed=3)
    got = play_out(tables, lambda t: stay_at(t, 20), 4)
    players = ["stay-20", "random", "stay-25"]
    for i, rows in enumerate(got):
        for deal, row in enumerate(rows):
            rotation = deal % 3 if seat is None else seat
            seated = [players[(place - rotation) % 3] for place in range(3)]
            record = play(
                "flip7:numbers(target=60)", seated, Key.from_seed(3 + i, quick=True), deal=deal, rotation=rotation
            )
            assert row == [record.outcome.shares[rotation], 0, 0]


def test_all_seats_can_be_the_learners():
    """Self-play: who acts is said by its place in the line-up, and everybody is paid."""
    tables = Tables("flip7:official", [LEARNER] * 3, 8)
    tables.reset(seed=1)
    seen = set()
    for _ in range(200):
        seats = [tables.position(i).to_act for i in range(8)]
        assert [(s - r) % 3 for s, r in zip(seats, tables.tables["rotation"], strict=True)] == tables.players.tolist()
        seen |= set(tables.players.tolist())
        tables.step(stay_at(tables, 25))
        ended = tables.terminated
        assert np.allclose(tables.rewards[ended].sum(axis=1), 1)
        assert not tables.rewards[~ended].any()
    assert seen == {0, 1, 2}


def test_several_line_ups_take_turns():
    """An agent that plays badly wins less against better players, so the line-ups can be told apart."""
    tables = Tables("flip7:numbers", [[LEARNER, "stay-25"], [LEARNER, LEARNER]], 4, seat=0)
    tables.reset(seed=1)
    assert tables.tables["lineup"].tolist() == [0, 1, 0, 1]
    while not tables.terminated[0]:
        tables.step(np.zeros(4, int))
    assert tables.tables["lineup"][0] == 1
    assert set(tables.players.tolist()) <= {0, 1}


def test_opponents_can_be_changed_on_the_way():
    def run(change):
        tables = Tables("flip7:numbers", [LEARNER, "stay-25"], 50, seat=0)
        tables.reset(seed=1)
        if change:
            tables.take_seats([LEARNER, "stay-1"])
        return [sum(row[0] for row in rows) for rows in play_out(tables, lambda t: stay_at(t, 25), 4)]

    assert sum(run(change=True)) > sum(run(change=False)) + 50
    with pytest.raises(PitbossError, match="learner's players at the same places"):
        Tables("flip7:numbers", [LEARNER, "stay-25"], 2).take_seats(["stay-25", LEARNER])


@pytest.mark.parametrize("spec", ["flip7:tournament", "show:full"])
def test_threads_change_nothing(spec):
    def trail(threads):
        bots = ["random", "random"] if spec.startswith("flip7") else ["random"]
        tables = Tables(spec, [LEARNER, *bots], 300, threads=threads)
        tables.reset(seed=5)
        out = []
        for step in range(60):
            legal = [np.flatnonzero(mask) for mask in tables.masks]
            tables.step([moves[(step * 7 + i) % len(moves)] for i, moves in enumerate(legal)])
            out.append((tables.observations.tobytes(), tables.rewards.tobytes(), tables.masks.tobytes()))
        return out

    assert trail(1) == trail(3)


def test_rounds_as_episodes_carry_the_deck_over():
    tables = Tables("flip7:solo", [LEARNER], 1, reward="points", episode="round")
    tables.reset(seed=2)
    left, rewards = [], []
    while len(rewards) < 6:
        tables.step(stay_at(tables, 20))
        if tables.terminated[0]:
            left.append(tables.position(0).view(0).cards_left)
            rewards.append(tables.rewards[0, 0])
            assert tables.final.tolist() == tables.observations.tolist()
    assert left == sorted(left, reverse=True)
    assert left[-1] < 75
    assert sum(rewards) == tables.position(0).view(0).total
    assert tables.tables["deal"].tolist() == [0]


def test_a_bots_nonsense_and_an_illegal_action_are_named():
    @compiled_bot
    def nonsense(view, rules, seat, params, luck):
        return 61

    tables = Tables("flip7:numbers", [LEARNER, nonsense], 2, seat=1)
    with pytest.raises(BotError, match="the bot nonsense made an illegal move at table .*; legal: stay, hit"):
        tables.reset(seed=1)
    tables = Tables("flip7:official", [LEARNER, "ev"], 3)
    tables.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"action 5 is not legal at table 1 now; legal: \[0, 1\] \(stay, hit\)"):
        tables.step([tables.masks[0].argmax(), 5, tables.masks[2].argmax()])
    with pytest.raises(IllegalMove, match=r"action -1 is not legal at table 0"):
        tables.step([-1, 1, -1])


def test_an_illegal_action_can_be_penalised():
    tables = Tables("flip7:official", [LEARNER, "ev"], 2, seat=0, penalty=-0.5)
    tables.reset(seed=1)
    before = tables.observations.copy()
    tables.step([7, 1])
    assert tables.rewards.tolist() == [[-0.5, 0], [0, 0]]
    assert tables.observations[0].tolist() == before[0].tolist()
    assert tables.observations[1].tolist() != before[1].tolist()


def test_settings_that_make_no_sense_are_refused():
    class Slow(Flip7Bot):
        def hit_or_stay(self, view):
            return STAY

    for arguments, sentence in (
        ((["ev", "ev"], 2), "nobody is left to learn"),
        (([LEARNER, Slow], 2), "the bot Slow is written in Python"),
        (([LEARNER], 2), "is for 2 to 18 seats"),
        (([LEARNER, "ev"], 0), "must be 1 or more"),
        (([[LEARNER, "ev"], [LEARNER, "ev", "ev"]], 1), "the same number of players"),
    ):
        with pytest.raises(PitbossError, match=sentence):
            Tables("flip7:official", *arguments)
    for settings in ({"encoding": "x"}, {"reward": "x"}, {"episode": "x"}, {"autoreset": "x"}, {"seat": 2}):
        with pytest.raises(PitbossError, match="the choices are|there is no seat 2"):
            Tables("flip7:official", [LEARNER, "ev"], 1, **settings)
    tables = Tables("flip7:official", [LEARNER, "ev"], 2)
    with pytest.raises(PitbossError, match="2 tables need 2 keys"):
        tables.reset(keys=[Key.from_seed(1, quick=True)])
    tables.reset()
    with pytest.raises(PitbossError, match="2 tables need 2 actions"):
        tables.step([1])


def test_a_game_that_nobody_knows_is_dealt_without_a_seed():
    one, two = (Tables("flip7:solo", [LEARNER], 1) for _ in range(2))
    one.reset()
    two.reset()
    assert one.tables["high"] != two.tables["high"]


TRAIL = """
import numpy as np
from pitboss.run.tables import LEARNER, Tables
for spec, bots in (("flip7:official", ["ev", "random"]), ("flip7:solo", []), ("show:full", ["show-6"])):
    tables = Tables(spec, [LEARNER, *bots], 4, threads=1, episode="round" if "solo" in spec else None)
    tables.reset(seed=1)
    for step in range(30):
        legal = [np.flatnonzero(mask) for mask in tables.masks]
        tables.step([moves[(step + i) % len(moves)] for i, moves in enumerate(legal)])
        print(tables.observations.sum(axis=1).round(3).tolist(), tables.rewards.tolist(), tables.players.tolist())
"""


@pytest.mark.interpreted
def test_interpreted_tables_do_the_same():
    def run(**environment):
        env = {**os.environ, **environment}
        done = subprocess.run([sys.executable, "-c", TRAIL], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(NUMBA_DISABLE_JIT="1") == run()


def test_encodings_keep_to_their_limits():
    """Over many games with random moves no number leaves the bounds that are promised."""
    for spec, bots, encodings in (
        ("flip7:tournament", ["random"] * 2, ["table"]),
        ("flip7:solo", [], ["hand", "table"]),
        ("show:full", ["random"], ["features", "tensor", "rich"]),
    ):
        for encoding in encodings:
            tables = Tables(spec, [LEARNER, *bots], 64, encoding=encoding)
            low, high = load(spec).learning.encodings[encoding].bounds(load(spec).rules, tables.seats)
            tables.reset(seed=1)
            rng = np.random.default_rng(1)
            for _ in range(100):
                tables.step([rng.choice(np.flatnonzero(mask)) for mask in tables.masks])
                for rows in (tables.observations, tables.final):
                    assert (rows <= high).all()
                assert (tables.observations >= low).all()


def test_seats_are_counted_from_the_agents_own():
    """At every seat an agent that plays alike sees the same row and names the same seat by the same action."""
    game = load("flip7:official")
    write, move_of = game.learning.encodings["table"].write, game.learning.move_of
    position = game.start(3)
    for card in ("5", "freeze", "@2"):
        position.apply(card)
    assert [int(move_of(4, 3, seat)) for seat in range(3)] == [4, 5, 6]
    assert int(move_of(5, 3, 2)) == 4
    rows = [np.zeros(game.learning.encodings["table"].size(game.rules, 3), np.float32) for _ in range(3)]
    for seat, row in enumerate(rows):
        write(position.states[0], game.record[0], seat, row)
    width = 7
    blocks = [row[-3 * width :].reshape(3, width).tolist() for row in rows]
    assert blocks[1] == [*blocks[0][1:], blocks[0][0]]
    assert blocks[2] == [*blocks[1][1:], blocks[1][0]]


def test_an_entrant_can_be_seated_as_it_is():
    tables = Tables("flip7:solo", [LEARNER], 1)
    assert tables.lineups[0][0].name == "learner"
    assert Tables("flip7:numbers", [LEARNER, bot("stay-25")], 1).lineups[0][1].name == "stay-25"
