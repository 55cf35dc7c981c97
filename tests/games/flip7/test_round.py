"""The round oracle: known values, a slow recursive oracle, and the rule book itself, tried card by card."""

import random
from functools import cache

import numpy as np
import pytest

from pitboss import load
from pitboss.core.errors import PitbossError
from pitboss.core.step import DEALER
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.solver.oracle import DECKS, begin, solve_round
from pitboss.games.flip7.solver.plan import _bare, lone_rules, lone_seat, situation
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, NO, SAVE, STATE, STAY, YES

SOLO, NUMBERS_ONLY, CHANCES = load("flip7:solo"), load("flip7:numbers"), load("flip7:solo(second_chance=kept)")

# Every way to treat a lone player's cards that the switches allow, nearly.
BOOKS = [
    "flip7:solo",
    "flip7:solo(freeze=inert)",
    "flip7:solo(second_chance=kept)",
    "flip7:solo(second_chance=flag, round_discards=stay_out)",
    "flip7:solo(second_chance=given, save=asked, after_save=banks)",
    "flip7:simulation",
    "flip7:official",
    "flip7:tournament",
]


@pytest.mark.parametrize(("game", "value"), [(NUMBERS_ONLY, 18.5652176), (SOLO, 20.2291054)])
def test_known_values_of_a_fresh_deck(game, value):
    answer = solve_round(game)
    assert answer.hit == pytest.approx(value, abs=5e-8)
    assert (answer.stay, answer.risk, answer.best) == (0, 0, "hit")


@pytest.mark.parametrize("game", [NUMBERS_ONLY, SOLO, CHANCES], ids=str)
def test_following_the_play_gives_its_value(game):
    for hand in ("", "12", "0 1 2 3 4 5", "12 3 7"):
        answer = solve_round(game, hand)
        outcome = answer.outcome
        assert outcome.points.sum() == pytest.approx(1)
        assert outcome.mean == pytest.approx(answer.value)
        assert outcome.bust <= outcome.scores().get(0, 0) + 1e-12
        assert (outcome.cards > 0) == (answer.best == "hit")


def test_following_the_play_for_another_utility():
    worth = [min(points, 30) ** 0.5 for points in range(POINTS)]
    answer = solve_round(SOLO, "2 5", utility=worth)
    assert answer.outcome.points @ worth == pytest.approx(answer.value)


def test_the_first_card_is_safe_and_the_odds_of_the_second_are_those_of_the_deck():
    answer = solve_round(SOLO, "12 +4")
    assert answer.risk == 11 / 83
    assert answer.points == 16
    assert solve_round(CHANCES, "12 sc", second_chance=True).risk == 0


def test_a_second_chance_is_worth_something_and_more_if_the_round_goes_on():
    banks = load("flip7:solo(second_chance=kept, after_save=banks)")
    assert solve_round(SOLO).value + 1.8 < solve_round(banks).value < solve_round(CHANCES).value - 0.2


def test_cards_that_do_nothing_change_nothing():
    """Whoever draws one is asked again, and the next card that matters is as likely as before."""
    assert solve_round(load("flip7:solo(freeze=inert)")).value == pytest.approx(solve_round(SOLO).value)


# --- a slow oracle that shares no code ---


def slow(hand, deck, chance, worth):
    """Best play by plain recursion: numbers, modifiers and Second Chances that let the player play on."""

    def points(hand):
        numbers = [k for k in hand if k < NUMBERS]
        plus = sum(2 * (k - 12) for k in hand if NUMBERS <= k < TIMES_2)
        return sum(numbers) * (2 if TIMES_2 in hand else 1) + plus + 15 * (len(numbers) == 7)

    @cache
    def hit(hand, deck, chance):
        if not deck:
            return worth[points(hand)]
        total = 0.0
        for i, card in enumerate(deck):
            rest = deck[:i] + deck[i + 1 :]
            if card == SECOND_CHANCE:
                total += best(hand, rest, True)
            elif card >= NUMBERS or card not in hand:
                total += best(tuple(sorted((*hand, card))), rest, chance)
            else:
                total += best(hand, rest, False) if chance else worth[0]
        return total / len(deck)

    def best(hand, deck, chance):
        if sum(k < NUMBERS for k in hand) == 7:
            return worth[points(hand)]
        return max(worth[points(hand)], hit(hand, deck, chance))

    return hit(tuple(sorted(hand)), tuple(sorted(deck)), chance)


@pytest.mark.parametrize("seed", range(30))
def test_the_table_equals_a_slow_recursion_on_small_decks(seed):
    rng = random.Random(seed)
    game = rng.choice([SOLO, CHANCES])
    cards = [kind for kind, n in enumerate(game.rules.deck) for _ in range(n)]
    rng.shuffle(cards)
    hand = []
    for card in cards[: rng.randrange(8)]:
        if card < SECOND_CHANCE and (card >= NUMBERS or card not in hand) and sum(k < NUMBERS for k in hand) < 6:
            hand.append(card)
    deck = cards[20 : 20 + rng.randrange(1, 10)]
    chance = game is CHANCES and deck.count(SECOND_CHANCE) < 3 and rng.random() < 0.5
    worth = np.cumsum([rng.random() for _ in range(POINTS)])
    left = np.bincount(deck, minlength=KINDS)
    held = [*hand, SECOND_CHANCE] if chance else hand
    # Nothing returns when this deck is empty, not even what was used up.
    stay_out = load("flip7:solo(second_chance=kept, round_discards=stay_out)")
    answer = solve_round(stay_out if game is CHANCES else game, held, left=left, second_chance=chance, utility=worth)
    assert answer.hit == pytest.approx(slow(hand, deck, chance, worth))


# --- the rule book, tried card by card ---


class Brute:
    """Best play of a lone seat, by `flip7.step` alone. A third deck in one round is not drawn from."""

    def __init__(self, game, worth, decks=DECKS):
        self.game, self.rules, self.worth, self.decks = game, lone_rules(game), worth, decks
        self.known = {}

    def after(self, state, move):
        states = state.copy()
        self.game.loops.apply(states, self.rules, move, None)
        return states

    def value(self, state, round_, deck):
        s = state[0]
        if s["round"] != round_:
            return self.worth[int(s["last"][0])]
        key = s.tobytes(), deck
        if key not in self.known:
            self.known[key] = self.decide(state, round_, deck)
        return self.known[key]

    def decide(self, state, round_, deck):
        s = state[0]
        if s["to_act"] == DEALER:
            cards = int(s["left_total"])
            total = 0.0
            for kind in range(KINDS):
                if s["left"][kind]:
                    total += int(s["left"][kind]) * self.move(state, kind, round_, deck)
            return total / cards
        if s["decision"] == SAVE:
            return max(self.move(state, YES, round_, deck), self.move(state, NO, round_, deck))
        assert s["decision"] == HIT_OR_STAY
        return max(self.move(state, STAY, round_, deck), self.move(state, HIT, round_, deck))

    def move(self, state, move, round_, deck):
        then = self.after(state, move)
        if then[0]["round"] == round_ and then[0]["to_act"] == DEALER:
            before = int(state[0]["left_total"]) - (state[0]["to_act"] == DEALER)
            if then[0]["left_total"] > before:
                deck += 1
                if deck > self.decks:
                    return self.worth[int(then[0]["points"][0])]
        return self.value(then, round_, deck)


def scattered(game, rng, deck_size, discards_size):
    """A hand, some cards left, some to be reshuffled; the rest lies in front of others."""
    cards = [kind for kind, n in enumerate(game.rules.deck) for _ in range(n)]
    rng.shuffle(cards)
    hand = []
    for card in cards[: rng.randrange(7)]:
        if card < FREEZE and (card >= NUMBERS or card not in hand) and sum(k < NUMBERS for k in hand) < 6:
            hand.append(card)
    # Few numbers, often those held: decks that can be drawn to the end.
    small = [card for card in cards[10:] if card >= NUMBERS or card in hand or card < 4 or rng.random() < 0.2]
    left, discards = small[:deck_size], small[deck_size : deck_size + discards_size]
    return hand, np.bincount(left, minlength=KINDS), np.bincount(discards, minlength=KINDS)


def with_points(state):
    """`points` of a state made by hand: the oracle does not need it, the rule book does."""
    front = state["front"][0]
    plus = sum(2 * (k - 12) * int(front[k]) for k in range(NUMBERS, TIMES_2))
    state["points"][0] = int(state["sum"][0]) * (2 if front[TIMES_2] else 1) + plus
    return state


@pytest.mark.parametrize("spec", BOOKS)
@pytest.mark.parametrize("seed", range(12))
def test_depleted_decks_equal_the_rule_book_card_by_card(spec, seed):
    game, rng = load(spec), random.Random(f"{spec} {seed}")
    hand, left, discards = scattered(game, rng, seed % 6, rng.randrange(1, 6))
    worth = np.cumsum([rng.random() for _ in range(POINTS)])
    chance = game.rules.second_chance in ("kept", "flag") and left[21] + discards[21] < 3 and rng.random() < 0.4
    three = game.rules.flip_three == "next_hit" and left[20] + discards[20] < 3 and rng.random() < 0.4
    hand += [SECOND_CHANCE] * chance + [20] * three
    start = np.array([with_points(lone_seat(game, hand, left, discards, chance, three))], STATE)
    brute = Brute(game, worth).move(start, HIT, int(start[0]["round"]), 1 if left.sum() else 0)
    answer = solve_round(
        game, hand, left=left, discards=discards, second_chance=chance, draws_three=three, utility=worth
    )
    assert answer.hit == pytest.approx(brute)
    assert answer.stay == worth[int(start[0]["points"][0])]
    assert answer.outcome.points @ worth == pytest.approx(answer.value)


@pytest.mark.parametrize("seed", range(8))
def test_a_third_deck_of_second_chances_is_never_worth_a_card(seed):
    """The oracle stops after two decks; the rule book, let loose on two more, finds nothing better."""
    game, rng = CHANCES, random.Random(seed)
    hand, left, discards = scattered(game, rng, 2, 3)
    left[SECOND_CHANCE], discards[SECOND_CHANCE] = 1, 1
    start = np.array([with_points(lone_seat(game, hand, left, discards, False, False))], STATE)
    worth = np.arange(POINTS)
    values = [Brute(game, worth, decks).move(start, HIT, int(start[0]["round"]), 1) for decks in (2, 4)]
    assert values[0] == pytest.approx(values[1])


# --- refusals ---


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("2 5 2", "two 2 in one hand are a bust"),
        ("0 0", "too many 0: flip7:solo has only 1"),
        ("sc", "too many sc: flip7:solo has none"),
        ("1 2 3 4 5 6 7", "the round is over"),
    ],
)
def test_impossible_hands_are_refused(hand, sentence):
    with pytest.raises(PitbossError, match=sentence):
        solve_round(SOLO, hand)


def test_impossible_decks_and_utilities_are_refused():
    with pytest.raises(PitbossError, match="too many 12"):
        solve_round(SOLO, "12", left=SOLO.rules.deck)
    with pytest.raises(PitbossError, match="never falls"):
        solve_round(SOLO, "12", utility=[3.0, 2.0])
    with pytest.raises(PitbossError, match="too many hands"):
        solve_round(load("flip7:official(copies=2)"))


# --- the policy, played by the rule book ---


def play_round(game, answer, rng):
    """A lone round through `flip7.step`, every choice looked up in the solved table."""
    deck, rules = answer._deck, lone_rules(game)
    places = {here: z for z, here in enumerate(deck.plan.situations)}
    states = np.array([lone_seat(game, [], game.rules.deck, [0] * KINDS, False, False)], STATE)
    s, saved = states[0], 0
    began = int(s["round"])
    while s["round"] == began:
        if s["to_act"] == DEALER:
            kinds = [kind for kind in range(KINDS) for _ in range(s["left"][kind])]
            card = rng.choice(kinds)
            saved += card < NUMBERS and s["front"][0, card] > 0
            game.loops.apply(states, rules, card, None)
        elif s["decision"] == SAVE:
            game.loops.apply(states, rules, YES, None)
        else:
            numbers = sum(1 << kind for kind in range(NUMBERS) if s["front"][0, kind])
            modifiers = sum(1 << i for i, kind in enumerate(deck.table.modifiers) if s["front"][0, kind])
            z = places[situation(_bare(s), saved, False)]
            row = deck.table.sets.tolist().index(numbers)
            value = deck.best.values[deck.best.place[row * len(places) + z], modifiers]
            game.loops.apply(states, rules, HIT if value > s["points"][0] else STAY, None)
    return int(s["last"][0])


@pytest.mark.parametrize("spec", ["flip7:simulation", "flip7:official", "flip7:tournament"])
def test_the_best_round_with_action_cards_scores_its_exact_value(spec):
    """Without modifiers, to keep it small: what situations do is the same."""
    game, rng = load(f"{spec}(modifiers=false)"), random.Random(5)
    answer = solve_round(game)
    scores = [play_round(game, answer, rng) for _ in range(4000)]
    assert abs(np.mean(scores) - answer.value) < 3.3 * np.std(scores) / len(scores) ** 0.5
    assert answer.outcome.mean == pytest.approx(answer.value)


def test_a_lone_player_of_the_official_book_is_a_solo_player_with_its_cards():
    lone = "flip7:solo(modifiers=false, freeze=targeted, flip_three=targeted, second_chance=kept)"
    assert solve_round(load(lone)).value == pytest.approx(solve_round(load("flip7:official(modifiers=false)")).value)


@pytest.mark.parametrize("spec", ["flip7:solo", "flip7:solo(second_chance=kept)", "flip7:solo(modifiers=false)"])
def test_hands_that_are_sure_to_stay_need_not_be_looked_at(spec):
    """The value is the same to the last bit as with all hands, for any utility, deck and hand."""
    game, rng, left_out = load(spec), np.random.default_rng(3), 0
    for _ in range(12):
        hand = rng.choice(13, rng.integers(0, 5), replace=False).tolist()
        gone = rng.integers(0, np.array(game.rules.deck) // 2 + 1)
        gone[hand] = np.minimum(gone[hand], np.array(game.rules.deck)[hand] - 1)
        deck = begin(game, hand, discards=gone)
        worth = np.cumsum(rng.random(POINTS) ** rng.integers(1, 5))
        value = deck.settle(worth)
        left_out += int(np.sum(deck.best.place < 0))
        assert value == deck.settle(worth, whole=True)
    assert left_out > 100
