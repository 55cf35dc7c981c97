"""Bots that play for the win: `winner`, `hunter`, `modeller`, and what they expect of others."""

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.registry import bot
from pitboss.games.flip7.bots.counting import most_held, surely_hits
from pitboss.games.flip7.bots.forecast import A_CHANCE, AS_EV, NOTHING, THREE_CARDS, forecast, most_points
from pitboss.games.flip7.bots.foregone import dips, hits_anyway
from pitboss.games.flip7.bots.winner import (
    STOP_COLUMNS,
    STOPS,
    chances,
    chances_up_to,
    stopping_rule,
    stopping_rules,
    win_model,
)
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, KINDS, NUMBERS, SECOND_CHANCE
from pitboss.games.flip7.prospects import of_targets
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.solver.rounds import opponent
from pitboss.games.flip7.state import ASSIGN, HIT_OR_STAY, SEAT_0, TARGET
from tests.asking import ask

BOOK = "flip7:official"  # whose table of chances comes with pitboss: that of another target would be worked out


def table_of(spec, hands, totals, decision=HIT_OR_STAY, card=-1, seat=0):
    """A state in which each seat holds these cards (None: out of the round with nothing) and has this total."""
    game = load(spec)
    s = game.start(len(hands)).states[0]
    s["to_act"], s["decision"], s["card"], s["turn"], s["opened"] = seat, decision, card, seat, len(hands)
    s["taker"], s["to_take"] = -1, 0
    s["total"][: len(totals)] = totals
    for i, hand in enumerate(hands):
        for kind in hand or ():
            s["front"][i, kind] += 1
            s["left"][kind] -= 1
            s["left_total"] -= 1
        numbers = [kind for kind in hand or () if kind < NUMBERS]
        s["numbers"][i], s["sum"][i], s["points"][i] = len(numbers), sum(numbers), sum(numbers)
        s["chance"][i] = SECOND_CHANCE in (hand or ())
        if hand is None:
            s["status"][i] = 1
            s["active"] -= 1
    return game, s


def answer(name, spec, hands, totals, decision=HIT_OR_STAY, card=-1):
    game, s = table_of(spec, hands, totals, decision, card)
    return ask(bot(name, game), game, s, luck=5)


# --- what is expected of others ---


def ends(spec, hands, stop=AS_EV, put=NOTHING, seat=1):
    _, s = table_of(spec, hands, [0] * len(hands))
    out = np.zeros(POINTS)
    forecast(s, seat, stop, put, out)
    assert out.sum() == pytest.approx(1)
    return out


@pytest.mark.parametrize("name", ["ev", "stay-20", "stay-35"])
def test_forecast_of_a_fresh_hand_is_that_of_the_bot(name):
    stop = AS_EV if name == "ev" else int(name[5:])
    expected = opponent(load("flip7:numbers"), name)(0, 0)
    np.testing.assert_allclose(ends("flip7:numbers", [[], []], stop), expected, atol=1e-12)


@pytest.mark.parametrize("stop", [AS_EV, 23, 40])
@pytest.mark.parametrize("put", [NOTHING, A_CHANCE])
def test_forecast_by_a_plain_recursion(stop, put):
    """From a hand in the middle of a round, with cards gone: 5 and 9. A Second Chance saves once."""
    hands = [[12, 11, 10, 7], [5, 9]]
    _, s = table_of("flip7:numbers", hands, [0, 0])
    expected = np.zeros(POINTS)

    def stays(hand, deck, chance):
        if len(hand) == 7 or stop != AS_EV:
            return len(hand) == 7 or sum(hand) >= stop
        gains = sum(n * (kind + 15 * (len(hand) == 6)) for kind, n in enumerate(deck) if kind not in hand)
        return gains <= (0 if chance else sum(deck[kind] for kind in hand) * sum(hand))

    def play(p, hand, deck, chance):
        if stays(hand, deck, chance):
            expected[sum(hand) + 15 * (len(hand) == 7)] += p
            return
        for kind, n in enumerate(deck):
            left = [m - (k == kind) for k, m in enumerate(deck)]
            if n and kind in hand and not chance:
                expected[0] += p * n / sum(deck)
            elif n:
                play(p * n / sum(deck), hand if kind in hand else [*hand, kind], left, chance and kind not in hand)

    left = s["left"][:NUMBERS].tolist()
    left[0] = left[1] = left[2] = left[6] = 0  # or it would take long
    s["left"][:NUMBERS] = left
    play(1.0, [5, 9], left, put == A_CHANCE)
    out = np.zeros(POINTS)
    forecast(s, 1, stop, put, out)
    np.testing.assert_allclose(out, expected, atol=1e-12)


def test_forecast_of_what_is_put_on_a_seat():
    nothing, three, chance = (
        ends("flip7:official", [[], [3, 8, 10]], AS_EV, put) for put in (NOTHING, THREE_CARDS, A_CHANCE)
    )
    assert three[0] > nothing[0] > chance[0] > 0
    both = ends("flip7:official", [[], [3, 8, 10, SECOND_CHANCE]], AS_EV, THREE_CARDS)
    assert three[0] > both[0] > chance[0]
    out = ends("flip7:official", [[], None])
    assert out[0] == 1


def test_a_second_chance_is_worth_a_few_points_and_not_the_game():
    """At the beginning of a game, by the chance to win that people are told."""
    position = load("flip7:tournament").start(2)
    position.apply("sc")
    view = position.view(position.to_act)
    own, other = (of_targets(view)[seat] for seat in (view.seat, 1 - view.seat))
    assert 0.5 < own < 0.6
    assert 0.4 < other < 0.5


def test_three_cards_by_a_plain_count():
    """With one number in hand and a stopping rule that stays at once: all that happens is three cards."""
    _, s = table_of("flip7:official", [[], [12]], [0, 0])
    left, cards = s["left"].astype(int), int(s["left_total"])
    out = ends("flip7:official", [[], [12]], 1, THREE_CARDS)
    no_pair = 0.0
    for a in range(KINDS):
        for b in range(KINDS):
            for c in range(KINDS):
                numbers = [k for k in (a, b, c, 12) if k < NUMBERS]
                if len(set(numbers)) == len(numbers):
                    # other cards are taken to be as many at each draw
                    deck, p = left.copy(), 1.0
                    for n, kind in enumerate((a, b, c)):
                        p *= deck[kind] / (cards - n)
                        if kind < NUMBERS:
                            deck[kind] -= 1
                    no_pair += p
    assert 1 - out[0] == pytest.approx(no_pair, abs=0.01)


# --- playing for the win ---


def test_a_leader_stays_and_the_last_hope_goes_on():
    hand = [[4, 12, 11], None]
    assert answer("winner", BOOK, hand, [180, 150]) == 0  # 207 points, and the other one has nothing
    assert answer("winner", BOOK, [[4, 12], None], [180, 150]) == 1
    behind = [[12, 11, 9], [12, 10, 9, 3]]
    game, s = table_of(BOOK, behind, [150, 180])
    s["status"][1], s["active"] = 2, 1  # the other one has stayed and will have 214
    assert ask(bot("winner", game), game, s, luck=5) == 1
    assert ask(bot("oracle", game), game, s, luck=5) == 0


def test_hunter_does_not_freeze_a_winner_over_the_line():
    """The leader would win the game if it banked now; the rule that freezes leaders does just that."""
    hands, totals = [[2, 3], [9, 12, 4], [1]], [170, 180, 160]
    assert answer("winner+freeze-leader", BOOK, hands, totals, TARGET, FREEZE) == SEAT_0 + 1
    assert answer("hunter", BOOK, hands, totals, TARGET, FREEZE) != SEAT_0 + 1
    assert answer("hunter", BOOK, hands, totals, TARGET, FLIP_THREE) == SEAT_0 + 1


def test_hunter_freezes_who_has_little_and_spoils_who_has_much():
    hands, totals = [[5, 8], [2], [12, 10, 9, 6]], [160, 160, 140]
    assert answer("hunter", BOOK, hands, totals, TARGET, FREEZE) == SEAT_0 + 1
    assert answer("hunter", BOOK, [[5, 8], [2], [12, 10, 9, 6]], [160, 160, 160], ASSIGN, FLIP_THREE) == SEAT_0 + 2
    # a Second Chance goes to whoever can do least with it
    assert (
        answer("hunter", BOOK, [[5, SECOND_CHANCE], [2], [12, 9]], [160, 190, 140], TARGET, SECOND_CHANCE) == SEAT_0 + 2
    )


def test_winner_beats_the_oracle():
    result = simulate("flip7:numbers", ["winner", "oracle"], games=4000, seed=Key.from_seed(3))
    assert result.versus()[0].difference.low > 0.01


def test_hunter_beats_random_targets():
    result = simulate(BOOK, ["hunter", "winner"], games=2000, seed=Key.from_seed(3))
    assert result.versus()[0].difference.low > 0.03


@pytest.mark.parametrize("name", ["winner", "hunter", "modeller"])
@pytest.mark.parametrize("spec", ["flip7:tournament", "flip7:simulation", "flip7:numbers", "flip7:official"])
def test_in_all_books_and_on_any_number_of_threads(name, spec):
    one = simulate(spec, [name, "ev", "stay-25"], games=30, seed=1, threads=1)
    two = simulate(spec, [name, "ev", "stay-25"], games=30, seed=1, threads=2)
    assert one.to_dict()["bots"] == two.to_dict()["bots"]
    with pytest.raises(BotError, match="one seat"):
        bot(name, "flip7:solo")


# --- guessing how others stop ---


@pytest.mark.parametrize(
    ("total", "busts", "rounds", "low", "high"),
    [
        (0, 0, 0, AS_EV, AS_EV),
        (8 * 17, 0, 8, 10, 15),
        (5 * 26, 3, 8, AS_EV, 25),
        (90, 6, 8, 35, 50),
        (0, 9, 9, 50, 200),
    ],
)
def test_the_stopping_rule_that_explains_a_game(total, busts, rounds, low, high):
    game, s = table_of("flip7:official", [[], [5]], [0, total])
    stops = np.array(stopping_rules(game)).reshape(len(STOPS), STOP_COLUMNS)
    s["round"], s["busts"][1] = rounds + 1, busts
    assert low <= stopping_rule(s, 1, stops) <= high
    assert stopping_rule(s, 1, stops[:0]) == AS_EV


# --- hits that need no forecast ---


def random_duel(rng, spec):
    """Two hands in the middle of a game of two, with part of the deck gone."""
    cards = rng.permutation(NUMBERS).tolist()
    hands = [cards[: rng.integers(1, 6)], cards[6 : 6 + rng.integers(1, 6)] if rng.random() < 0.7 else None]
    if spec != "flip7:numbers" and rng.random() < 0.3:
        hands[rng.integers(2)] = [int(rng.integers(2, NUMBERS)), SECOND_CHANCE]
    game, s = table_of(spec, hands, rng.integers(0, 200, 2).tolist())
    for kind in range(KINDS):
        gone = int(rng.integers(0, int(s["left"][kind]) + 1)) if rng.random() < 0.5 else 0
        s["left"][kind] -= gone
        s["left_total"] -= gone
    return game, s


@pytest.mark.parametrize("spec", ["flip7:numbers", "flip7:official"])
@pytest.mark.parametrize("stop", [AS_EV, 25])
def test_a_hit_that_needs_no_forecast_is_one_with_it(spec, stop):
    rng, model, found = np.random.default_rng(7), win_model(load(spec)), []
    for _ in range(200):
        _, s = random_duel(rng, spec)
        rounds, worth = np.zeros((2, POINTS)), np.empty(POINTS)
        forecast(s, 1, stop, NOTHING, rounds[1])
        assert np.flatnonzero(rounds[1]).max() <= most_points(s, 1, stop)
        chances(s, 0, model, rounds, worth)
        found.append((hits_anyway(s, 0, model.wins, dips(model.wins), stop), bool(surely_hits(s, 0, worth))))
    assert (True, False) not in found
    assert found.count((True, True)) > found.count((False, True)) / 2 > 0


def test_chances_that_are_read_are_those_of_all_points():
    """A bot reads the chances only up to what its hand can come to."""
    rng, model = np.random.default_rng(8), win_model(load("flip7:official"))
    for _ in range(50):
        _, s = random_duel(rng, "flip7:official")
        rounds, worth, some = np.zeros((2, POINTS)), np.empty(POINTS), np.empty(POINTS)
        forecast(s, 1, AS_EV, NOTHING, rounds[1])
        chances(s, 0, model, rounds, worth)
        top = min(most_held(s, 0) + 1, POINTS)
        chances_up_to(s, 0, model, rounds, top, some)
        assert some[:top].tobytes() == worth[:top].tobytes()
        best = sorted((kind for kind in range(NUMBERS) if s["left"][kind] and not s["front"][0, kind]), reverse=True)
        assert top > s["sum"][0] + sum(best[: 7 - int(s["numbers"][0])])
