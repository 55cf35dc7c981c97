"""What moves are worth is said in the page as in Python, to the bit."""

import hashlib

import pytest

from pitboss.analysis.rollouts import Rollouts
from pitboss.core.keys import Key
from pitboss.core.play import GameInProgress, Seats
from pitboss.core.registry import line_up, load
from pitboss.games.flip7.advice import advice
from pitboss.games.flip7.state import HIT

SEED = "11"
TERMS = ("unit", "how", "grave", "percent")
OWN = [
    ("flip7:official", ["ev", "stay-25", "winner", "random"], 3),
    ("flip7:tournament", ["ev+freeze-leader", "random", "hunter"], 3),
    ("flip7:numbers", ["cards-4", "bust-0.3"], 2),
    ("flip7:solo", ["ev"], 1),
    ("show:classic", ["show-6", "counter"], 1),
    ("show:full", ["random", "show-6"], 1),
    ("vengeance:solo", ["ev"], 2),
]


def decisions(spec, names, every):
    """Every so many-th position in which somebody decides."""
    game, going, n = load(spec), GameInProgress(Seats(load(spec), line_up(names, spec)), Key.parse(SEED)), 0
    while not going.position.over:
        if going.position.to_act >= 0:
            if n % every == 0:
                yield game, going.position
            n += 1
        going.go()


@pytest.mark.parametrize(("spec", "names", "every"), OWN)
def test_a_games_own_analysis_says_the_same(engine, spec, names, every):
    job = {"do": "opinions", "spec": spec, "names": names, "seed": SEED, "deal": 0, "every": every}
    (said,) = engine.run([job])
    asked = 0
    for (game, position), got in zip(decisions(spec, names, every), said, strict=True):
        want = game.analysis.opinion(position.view(position.to_act), chances=True)
        if want is None:
            assert got is None
            continue
        asked += 1
        assert (got["unit"], got["how"], got["grave"], got["percent"]) == (
            want.unit,
            want.how,
            want.grave,
            want.percent,
        )
        assert [(m["move"], m["value"], m["win"]) for m in got["moves"]] == [
            (m.move, m.value, m.win) for m in want.moves
        ]
        assert [m.get("ci95") for m in got["moves"]] == [m.ci95 and list(m.ci95) for m in want.moves]
        assert got["best"] == want.best
    assert asked > 1


@pytest.mark.parametrize(("spec", "names"), [("flip7:solo", ["ev"]), ("flip7:numbers", ["cards-4", "stay-25"])])
def test_a_card_is_worth_what_advise_says(engine, spec, names):
    (said,) = engine.run([{"do": "opinions", "spec": spec, "names": names, "seed": SEED, "deal": 0, "every": 1}])
    for (_, position), got in zip(decisions(spec, names, 1), said, strict=True):
        told = advice(position.view(position.to_act), standings=False, outlook=False)
        assert {move["move"]: move["value"] for move in got["moves"]}[HIT] == told["hit"]


def test_points_alone_where_chances_need_plans(engine):
    """Flip Three on the next hit: what a chance to win would need is made in Python."""
    spec, names = "flip7:simulation", ["ev", "random"]
    (said,) = engine.run([{"do": "opinions", "spec": spec, "names": names, "seed": SEED, "deal": 0, "every": 2}])
    for (game, position), got in zip(decisions(spec, names, 2), said, strict=True):
        want = game.analysis.opinion(position.view(position.to_act))
        assert [(m["move"], m["value"]) for m in got["moves"]] == [(m.move, m.value) for m in want.moves]
        assert all(m["win"] is None for m in got["moves"])


def test_rollouts_say_the_same(engine):
    spec, names, every = "vengeance:quick", ["ev", "cautious", "random"], 40
    (said,) = engine.run([{"do": "opinions", "spec": spec, "names": names, "seed": SEED, "deal": 0, "every": every}])
    for (game, position), got in zip(decisions(spec, names, every), said, strict=True):
        want = Rollouts(game, seconds=1e9).opinion(position.view(position.to_act))
        assert [(m["move"], m["rollouts"]) for m in got["moves"]] == [(m.move, m.rollouts) for m in want.moves]
        assert [m["value"] for m in got["moves"]] == pytest.approx([m.value for m in want.moves], abs=1e-12)
        assert (got["best"], got["unit"]) == (want.best, want.unit)


@pytest.mark.parametrize(
    ("spec", "names"), [("flip7:official", ["ev", "random"]), ("vengeance:standard", ["ev", "random"]),
                        ("show:fair", ["random", "show-6"])],
)  # fmt: skip
def test_the_table_at_the_end_of_rounds_and_of_the_game(engine, spec, names):
    ((count, digest, outcome),) = engine.run([{"do": "rounds", "spec": spec, "names": names, "seed": SEED}])
    game, seen, rounds = load(spec), hashlib.sha256(), 0
    going = GameInProgress(Seats(game, line_up(names, game)), Key.parse(SEED))
    position = before = going.position
    while not position.over:
        before = position.copy()
        going.go()
        move = (going.record.cards if before.to_act < 0 else going.record.moves)[-1]
        last = game.end_of_round(before, move)
        if last:
            seen.update(last.states.tobytes())
            rounds += 1
    assert (count, digest) == (rounds, seen.hexdigest())
    ended = position.outcome
    assert outcome == {
        "ended": ended.ended, "winners": [*ended.winners], "shares": [*ended.shares], "scores": [*ended.scores]
    }  # fmt: skip
