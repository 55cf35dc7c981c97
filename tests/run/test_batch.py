"""Batches: the same for any number of threads, honest about blocks, seats and luck."""

import pytest

from pitboss import simulate
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.core.record import Record
from pitboss.games.flip7 import Flip7Bot
from pitboss.run.batch import records
from pitboss.run.work import CHUNK_GAMES

CLOCK = ("seconds", "games_per_second", "threads")


def facts(*args, **kwargs):
    data = simulate(*args, **kwargs).to_dict()
    return {name: value for name, value in data.items() if name not in CLOCK}


def line_up(seats):
    bots = ["stay-20", "ev", "random", "bust-0.3", "cards-4", "conservative"]
    return [bots[i % len(bots)] for i in range(seats)]


@pytest.mark.parametrize("seats", [2, 4, 18])
def test_threads_change_nothing(preset, seats):
    if preset == "solo":
        seats = 1
    games = 3 * CHUNK_GAMES if seats < 18 else 400
    one = facts(f"flip7:{preset}", line_up(seats), games, 3, 1)
    assert one == facts(f"flip7:{preset}", line_up(seats), games, 3, 2)
    assert one["cards"] > one["games"]


def test_thirty_six_seats_on_two_decks():
    for preset in ("official", "tournament", "simulation", "numbers"):
        spec = f"flip7:{preset}(copies=2)"
        one = facts(spec, line_up(36), 36, 1, 1)
        assert one == facts(spec, line_up(36), 36, 1, 2)
        assert one["games"] == 36


def test_games_are_rounded_up_to_blocks():
    result = simulate("flip7:numbers", line_up(4), games=10, seed=1)
    assert (result.games, result.blocks, result.rotations) == (12, 3, 4)
    fixed = simulate("flip7:numbers", line_up(4), games=10, seed=1, rotate=False)
    assert (fixed.games, fixed.blocks, fixed.rotations) == (10, 10, 1)
    assert [len(b["seats"]) for b in fixed.to_dict()["bots"]] == [1, 1, 1, 1]


def test_the_figures_of_the_report():
    data = simulate("flip7:official", ["stay-20", "stay-20", "ev"], games=300, seed=1).to_dict()
    assert data["game"] == "flip7:official"
    assert [b["name"] for b in data["bots"]] == ["stay-20", "stay-20#2", "ev"]
    for place in (data, *data["bots"]):
        for name in ("rounds_per_game", "mean_total", "mean_round_score", "bust_rate", "flip7_rate"):
            low, high = place[name]["ci95"]
            assert low <= place[name]["mean"] <= high
    assert sum(b["win_share"] for b in data["bots"]) == pytest.approx(1)
    assert sum(b["wins"] for b in data["bots"]) == 300
    assert {(v["a"], v["b"]) for v in data["versus"]} == {
        ("stay-20", "stay-20#2"),
        ("stay-20", "ev"),
        ("stay-20#2", "ev"),
    }


def test_luck_is_not_called_better():
    """Equal bots are told apart at most as often as promised; unequal ones are."""
    wrong = sum(
        simulate("flip7:numbers", ["stay-24", "stay-24"], 200, s).versus()[0].better is not None for s in range(60)
    )
    assert wrong <= 8
    (verdict,) = simulate("flip7:numbers", ["stay-24", "random"], 400, 1).versus()
    assert verdict.better == "stay-24"


def test_paired_deals_sharpen_comparisons():
    """On shared deals two similar bots differ by less noise than as if their shares were unrelated."""
    result = simulate("flip7:solo", ["stay-23"], 2000, 1)
    assert result.blocks == 2000
    pair = simulate("flip7:numbers", ["stay-23", "stay-24"], 4000, 1)
    shared = pair.sums.difference(0, 1)
    apart = simulate("flip7:numbers", ["stay-23", "stay-24"], 4000, 1, rotate=False).sums.difference(0, 1)
    assert shared.high - shared.low < apart.high - apart.low


def test_records_are_of_the_games_that_were_counted():
    bots = ["random", "ev+freeze-leader", "stay-22"]
    result = simulate("flip7:tournament", bots, games=6, seed=9)
    written = records("flip7:tournament", bots, 6, 9)
    totals = [0.0] * 3
    for n, record in enumerate(written):
        record.verify()
        for seat, total in enumerate(record.outcome.scores):
            totals[(seat - n % 3) % 3] += total
        assert record.seats == [bots[(s - n % 3) % 3] for s in range(3)]
    assert totals == result.sums.columns[:, 4].tolist()
    assert sum(len(r.moves) for r in written) == result.decisions
    assert sum(len(r.cards) for r in written) == result.cards


def test_python_bots_mix_with_compiled_ones():
    class Stay22(Flip7Bot):
        def hit_or_stay(self, view):
            return "hit" if view.points < 22 else "stay"

    a = simulate("flip7:simulation", ["stay-22", "ev", "random"], 90, 4)
    b = simulate("flip7:simulation", [Stay22, "ev", "random"], 90, 4, threads=2)
    assert a.sums.columns.tolist() == b.sums.columns.tolist()
    assert b.threads == 1


def test_a_key_or_its_seed():
    seed = facts("flip7:solo", ["ev"], 50, 3)
    whole = Key.from_seed(3, quick=True)
    key = facts("flip7:solo", ["ev"], 50, whole)
    assert key.pop("seed") == str(whole) == seed["key"]
    assert seed.pop("seed") == 3
    assert seed == key


def test_whole_keys_say_how_they_deal():
    """Simulations of earlier versions dealt in full; so do their keys today."""
    quick, full = (facts("flip7:solo", ["ev"], 50, f"{way}:{'1' * 32}") for way in ("quick", "key"))
    assert quick["cards"] != full["cards"]
    assert full["key"] == f"key:{'1' * 32}"
    (record,) = records("flip7:solo", ["ev"], 1, f"quick:{'1' * 32}")
    assert record.key == Key(int("1" * 32, 16), quick=True)
    assert Record.from_line(record.to_line()).deal_again().trail == record.trail


def test_cut_games_have_no_winner():
    data = simulate("flip7:numbers(max_rounds=2)", ["stay-20", "stay-25"], games=40, seed=1).to_dict()
    assert data["cut"] == 40
    assert [b["win_share"] for b in data["bots"]] == [0, 0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"games": 0}, "`games` must be a whole number from 1 up, such as .*, not 0"),
        ({"games": -5}, "not -5"),
        ({"threads": 0}, "number of threads must be 1 or more"),
        ({"seed": -1}, "a seed must be a whole number from 0 up"),
        ({"bots": ["ev"]}, "is for 2 to 18 seats, not 1"),
    ],
)
def test_refusals(change, sentence):
    with pytest.raises(PitbossError, match=sentence):
        simulate(**{"game": "flip7:numbers", "bots": ["ev", "ev"], **change})


def test_stopping_early_keeps_what_is_done():
    """Ctrl-C in the middle: the result says so and holds whole chunks."""

    def press(done, total):
        if done >= 2 * CHUNK_GAMES:
            raise KeyboardInterrupt

    for threads in (1, 2):
        result = simulate("flip7:numbers", ["stay-20", "stay-25"], 20 * CHUNK_GAMES, 1, threads, progress=press)
        assert result.interrupted
        assert result.games == 2 * CHUNK_GAMES
        whole = simulate("flip7:numbers", ["stay-20", "stay-25"], 2 * CHUNK_GAMES, 1)
        assert result.sums.columns.tolist() == whole.sums.columns.tolist()
