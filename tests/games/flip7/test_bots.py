"""The built-in bots do what their names say; the readable ones play like the compiled ones."""

import itertools

import numpy as np
import pytest

from pitboss import bot, load, play, simulate
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.games.flip7 import BustProbabilityBot, CardCountBot, ConservativeBot, Flip7Bot, RandomBot
from pitboss.games.flip7.bots.rules_of_thumb import ENTRIES, TARGET_RULES

TWINS = {"random": RandomBot, "conservative": ConservativeBot, "bust-0.5": BustProbabilityBot, "cards-7": CardCountBot}


@pytest.mark.parametrize("twin", TWINS)
def test_readable_bots_equal_the_compiled_ones_game_by_game(preset, twin):
    others = [] if preset == "solo" else ["ev", "random"]
    for deal in range(12):
        compiled = play(f"flip7:{preset}", [twin, *others], seed=7, deal=deal)
        readable = play(f"flip7:{preset}", [TWINS[twin], *others], seed=7, deal=deal)
        assert compiled.moves == readable.moves
        assert compiled.cards == readable.cards


def test_in_batches_too(preset):
    names = ["bust-0.5"] if preset == "solo" else list(TWINS)
    bots = [TWINS[name] for name in names]
    a = simulate(f"flip7:{preset}", names, games=80, seed=3)
    b = simulate(f"flip7:{preset}", bots, games=80, seed=3)
    assert a.sums.columns.tolist() == b.sums.columns.tolist()
    assert (a.decisions, a.cards, a.cut) == (b.decisions, b.cards, b.cut)


def test_the_default_targets_of_python_bots_are_freeze_leader():
    class Stay20(Flip7Bot):
        def hit_or_stay(self, view):
            return "hit" if view.points < 20 else "stay"

    for spec, deal in itertools.product(("flip7:official", "flip7:tournament"), range(12)):
        a = play(spec, [Stay20, "ev", "random", "random"], seed=2, deal=deal)
        b = play(spec, ["stay-20+freeze-leader", "ev", "random", "random"], seed=2, deal=deal)
        assert a.moves == b.moves


def decide(name, position):
    """What a built-in bot does here."""
    seat = position.to_act
    seats = Seats(position.game, [bot(name)] * position.seats)
    seats.start(Key.from_seed(0), 0, 0)
    return position.game.format_move(seats.decide(position, seat))


def solo(cards, spec="flip7:solo"):
    position = load(spec).start(1)
    for card in cards.split():
        position.apply("hit")
        position.apply(card)
    return position


@pytest.mark.parametrize(
    ("name", "cards", "move"),
    [
        ("stay-20", "12 7", "hit"),
        ("stay-20", "12 8", "stay"),
        ("cards-2", "12 +4", "hit"),
        ("cards-2(all=true)", "12 +4", "stay"),
        ("cards-2", "12 11", "stay"),
        ("conservative", "12", "hit"),
        ("conservative", "x2 12", "stay"),
        ("always-hit", "12 11 10 9 8 7", "hit"),
        ("bust-0.14", "12", "hit"),  # 11 of 84 are twelves: 0.131
        ("bust-0.13", "12", "stay"),
        ("ev", "", "hit"),
        ("ev", "12 11 10 9", "stay"),
        ("ev", "0 1 2 3 4 5", "hit"),  # a Flip 7 is near and little is at stake
    ],
)
def test_what_they_do(name, cards, move):
    assert decide(name, solo(cards)) == move


def test_bust_probability_is_exact_at_its_limit():
    """With 12 in hand 11 of 84 cards bust: exactly that limit stays, a hair above hits."""
    position = solo("12")
    assert position.view(0).odds.bust == 11 / 84
    assert decide("bust-0.130953", position) == "hit"
    assert decide("bust-0.130952", position) == "stay"


def test_a_second_chance_is_safety():
    spec = "flip7:solo(second_chance=kept)"
    assert decide("bust-0.3", solo("12 11 10 9", spec)) == "stay"
    assert decide("bust-0.3", solo("sc 12 11 10 9", spec)) == "hit"
    assert solo("sc 12", spec).view(0).odds.bust == 0
    assert solo("sc 12", spec).view(0).odds.duplicate == 11 / 86
    assert decide("ev", solo("12 11 10 9", spec)) == "stay"
    assert decide("ev", solo("sc 12 11 10 9", spec)) == "hit"


def test_ev_agrees_with_plain_arithmetic():
    """Hit if the mean of one more card beats staying: an independent sum in fractions."""
    from tests.games.flip7.test_properties import independent_score

    rng = np.random.default_rng(1)
    game = load("flip7:solo")
    for _ in range(300):
        position = game.start(1)
        for _ in range(rng.integers(0, 7)):
            position.apply("hit")
            legal = [c for c in position.legal if c > 12 or c not in position.view(0).numbers]
            position.apply(int(rng.choice(legal)))
            if position.view(0).round > 1:
                break
        view = position.view(0)
        hand, now = view.cards, independent_score(view.cards)
        after = sum(n * (0 if k in hand and k < 13 else independent_score([*hand, k])) for k, n in enumerate(view.left))
        assert decide("ev", position) == ("hit" if after > now * sum(view.left) else "stay")


def at_the_table(cards, spec="flip7:official", seats=3):
    """Opening cards, then seat 0 hits and draws the last card."""
    position = load(spec).start(seats)
    *opening, last = cards.split()
    for card in opening:
        position.apply(card)
    position.apply("hit")
    position.apply(last)
    return position


@pytest.mark.parametrize(
    ("rule", "cards", "seat"),
    [
        ("freeze-leader", "12 5 9 fz", "@2"),
        ("freeze-leader", "12 9 5 f3", "@1"),
        ("freeze-risky", "12 5 +10 fz", "@1"),
        ("freeze-leader", "12 5 +10 fz", "@2"),
    ],
)
def test_target_rules(rule, cards, seat):
    assert decide(f"stay-20+{rule}", at_the_table(cards)) == seat


def test_random_targets_hit_everyone_alike():
    position = at_the_table("12 5 9 fz")
    seats = Seats(position.game, [bot("stay-20")] * 3)
    seats.start(Key.from_seed(0), 0, 0)
    counts = np.bincount([seats.decide(position, 0) - 4 for _ in range(900)], minlength=3)
    assert (abs(counts - 300) < 70).all()


def test_second_chance_goes_to_oneself_or_the_last():
    position = at_the_table("12 5 9 sc", "flip7:tournament")
    assert decide("stay-20+freeze-leader", position) == "@0"
    position.apply("@0")
    for word in ("stay", "stay", "hit", "sc"):  # seat 0 has one already
        position.apply(word)
    position.states["total"][0, :3] = 0, 50, 20
    assert decide("stay-20+freeze-leader", position) == "@2"


def test_every_built_in_bot_plays_every_preset(preset):
    for entry in ENTRIES.values():
        name = entry.usage.replace("-N", "-5").replace("-P", "-0.3")
        for rule in ["", *(f"+{r}" for r in TARGET_RULES)]:
            seats = 1 if preset == "solo" else 3
            result = simulate(f"flip7:{preset}(target=80, max_rounds=50)", [name + rule] * seats, games=9, seed=1)
            assert result.games == 9


def test_gains_are_differences_of_scores():
    from tests.games.flip7.test_properties import independent_score

    for cards in ("", "12", "x2 12 5", "0 1 2 3 4 5", "+4 x2 0 1 2 3 4 5", "7 +2 +10"):
        view = solo(cards).view(0)
        hand = view.cards
        for kind in range(22):
            expected = (
                0 if kind in view.numbers or kind > 18 else independent_score([*hand, kind]) - independent_score(hand)
            )
            assert view.gains[kind] == expected
