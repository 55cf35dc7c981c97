"""Regret: its sums make up the exact value, and each mistake is one by the oracle's own answer."""

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.analysis import regret as module
from pitboss.analysis.regret import joined, regret
from pitboss.games.flip7.cards import SECOND_CHANCE, parse_cards
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.state import HIT_OR_STAY
from pitboss.run.batch import records


@pytest.mark.parametrize("spec", ["flip7:solo", "flip7:solo(second_chance=kept)"])
def test_the_oracle_loses_nothing(spec):
    found = regret(spec, "oracle", games=8, seed=3)
    assert (found.terms.exact, found.lost(0).mean, found.optimal(0).mean, found.mistakes) == (True, 0, 1, [])


@pytest.mark.parametrize("bot", ["stay-15", "stay-40", "random"])
def test_points_made_and_lost_are_the_exact_value(bot):
    """In rounds from a fresh deck, whatever the bot does."""
    found = regret("flip7:solo(max_rounds=1)", bot, games=4000, seed=2)
    lost, made, rounds = found.sums[0].T
    assert np.all(rounds == 1)
    assert lost.mean() > 1
    error = (made + lost).std() / len(made) ** 0.5
    assert error < 0.5
    assert (made + lost).mean() == pytest.approx(20.2291054, abs=4 * error)


@pytest.mark.parametrize("spec", ["flip7:solo", "flip7:solo(second_chance=kept)"])
@pytest.mark.parametrize(("bot", "did"), [("stay-15", "stay"), ("stay-50", "hit")])
def test_mistakes_are_mistakes_by_the_oracle(spec, bot, did):
    game = load(spec)
    found = regret(game, bot, games=20, seed=1)
    played = records(game, bot, 20, 1)
    assert len(found.mistakes) == 10
    assert did in {m.did for m in found.mistakes}
    assert [m.lost for m in found.mistakes] == sorted((m.lost for m in found.mistakes), reverse=True)
    for mistake in found.mistakes:
        state = position_at(played[mistake.deal], mistake.decision)
        hand = parse_cards(mistake.hand.replace(",", ""))
        answer = solve_round(
            game, hand, left=state["left"], discards=state["discards"], second_chance=SECOND_CHANCE in hand
        )
        assert (mistake.did, mistake.better) == ("hit" if answer.best == "stay" else "stay", answer.best)
        worth = {mistake.did: mistake.worth, mistake.better: mistake.worth_of_better}
        assert worth == {"hit": pytest.approx(answer.hit), "stay": answer.points}
        assert mistake.lost == pytest.approx(abs(answer.hit - answer.stay))


def position_at(record, decision):
    """The state in which a record's decision was made."""
    made = 0
    for position, _, _ in record.replay():
        if position.to_act >= 0:
            if made == decision:
                assert position.states[0]["decision"] == HIT_OR_STAY
                return position.states[0].copy()
            made += 1
    raise AssertionError("no such decision")


def test_the_ten_are_the_most_expensive(monkeypatch):
    ten = regret("flip7:solo", "random", games=20, seed=5)
    monkeypatch.setattr(module, "MISTAKES", 10**6)
    every = regret("flip7:solo", "random", games=20, seed=5)
    assert len(every.mistakes) > 50
    assert ten.mistakes == every.mistakes[:10]
    assert sum(m.lost for m in every.mistakes) == pytest.approx(ten.sums[0, :, 0].sum())


def test_bots_keep_their_own_losses_in_every_seat(monkeypatch):
    monkeypatch.setattr(module, "MISTAKES", 10**6)
    found = regret("flip7:numbers", "oracle,stay-15,stay-15", games=9, seed=1)
    assert found.names == ["oracle", "stay-15", "stay-15#2"]
    assert not found.terms.exact
    assert found.to_dict()["bots"][0]["percent_of_optimal"] is None
    assert {(m.bot, m.rotation) for m in found.mistakes} == {(b, j) for b in found.names[1:] for j in range(3)}
    assert found.lost(0).mean == 0
    for bot in (1, 2):
        of_bot = [m.lost for m in found.mistakes if m.bot == found.names[bot]]
        assert sum(of_bot) == pytest.approx(found.sums[bot, :, 0].sum())


@pytest.mark.parametrize(("spec", "bots"), [("flip7:solo", "ev"), ("flip7:official", "ev,stay-25")])
def test_the_games_are_those_of_the_simulation(spec, bots):
    found, result = regret(spec, bots, games=10, seed=7), simulate(spec, bots, games=10, seed=7).to_dict()
    for sums, bot in zip(found.sums, result["bots"], strict=True):
        _, made, rounds = sums.sum(axis=0)
        assert made / 10 == pytest.approx(bot["mean_total"]["mean"])
        assert rounds / 10 == pytest.approx(bot["rounds_per_game"]["mean"])


def test_an_interrupt_keeps_the_deals_that_are_scored():
    def stop(done, total):
        if done == 7:
            raise KeyboardInterrupt

    found = regret("flip7:numbers", "stay-15,stay-20", games=20, seed=1, progress=stop)
    assert found.interrupted
    assert found.blocks == 3
    whole = regret("flip7:numbers", "stay-15,stay-20", games=6, seed=1)
    assert (found.sums == whole.sums).all()
    assert not whole.interrupted

    def at_once(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        regret("flip7:numbers", "stay-15,stay-20", games=20, seed=1, progress=at_once)


def test_bots_scored_one_by_one_are_joined():
    parts = [regret("flip7:solo", bot, games=6, seed=2) for bot in ("stay-15", "random", "stay-15")]
    both = joined(parts)
    assert both.names == ["stay-15", "random", "stay-15#2"]
    assert [both.lost(i) for i in range(3)] == [part.lost(0) for part in parts]
    assert both.mistakes == sorted((m for part in parts for m in part.mistakes), reverse=True)[:10]
    assert both.terms.exact
