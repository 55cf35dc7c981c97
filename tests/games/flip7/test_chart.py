"""The chart: its cells are what the oracle says of each hand, and its picture shows the cells."""

import math
import re
from collections import defaultdict
from itertools import chain, combinations
from xml.etree import ElementTree

import pytest

from pitboss import load
from pitboss.games.flip7.cards import FREEZE, NUMBERS, TIMES_2
from pitboss.games.flip7.chart import chart
from pitboss.games.flip7.poster import draw
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.state import plus_points

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def numbers():
    return chart(load("flip7:numbers(target=60)"))


@pytest.fixture(scope="module")
def solo():
    return chart(load("flip7:solo(target=60)"))


def shares(hands, game, last, key, utility=None):
    """The share that hits by row and column, from one question to the oracle for each hand."""
    hit, dealt = defaultdict(float), defaultdict(float)
    deck = game.rules.deck
    for hand in hands:
        answer = solve_round(game, hand, utility=utility)
        weight = math.prod(deck[kind] for kind in hand) / math.comb(sum(deck), len(hand))
        at = key(hand, answer), min(answer.points, last)
        dealt[at] += weight
        hit[at] += weight * (answer.best == "hit")
    return {at: hit[at] / dealt[at] for at in dealt}


def cells(rows):
    return {(i, column): x for i, row in enumerate(rows) for column, x in enumerate(row["hit"]) if x is not None}


def test_cells_are_what_the_oracle_says_of_every_hand(numbers):
    game, last = load("flip7:numbers(target=60)"), numbers["points"][-1]
    hands = list(chain.from_iterable(combinations(range(NUMBERS), n) for n in range(1, 7)))
    expected = shares(hands, game, last, lambda hand, answer: len(hand) - 1)
    assert cells(numbers["by_numbers"]) == pytest.approx(expected)
    expected = shares(hands, game, last, lambda hand, answer: min(int(answer.risk * 100) // 5, 10))
    assert cells(numbers["by_risk"]) == pytest.approx(expected)
    (i,) = (i for i, row in enumerate(numbers["by_total"]) if row["total"] == 25)
    expected = shares(hands, game, last, lambda hand, answer: 0, race(game).utility(25))
    assert cells([numbers["by_total"][i]]) == pytest.approx(expected)


def test_cells_with_modifiers(solo):
    game = load("flip7:solo(target=60)")
    extra = list(chain.from_iterable(combinations(range(NUMBERS, FREEZE), n) for n in range(7)))

    def points(hand):
        numbers = sum(kind for kind in hand if kind < NUMBERS)
        plus = sum(plus_points(kind) for kind in hand if NUMBERS <= kind < TIMES_2)
        return numbers * (2 if TIMES_2 in hand else 1) + plus

    hands = [(*pair, *more) for pair in combinations(range(NUMBERS), 2) for more in extra]
    expected = shares([hand for hand in hands if 22 <= points(hand) <= 25], game, 99, lambda hand, answer: 2)
    found = solo["by_numbers"][1]["hit"]
    assert {(2, column): found[column] for column in range(22, 26)} == pytest.approx(expected)
    assert 0 < found[23] < 1


def test_limits(solo):
    by_total = {row["total"]: row["limit"] for row in solo["by_total"]}
    assert [by_total[total] for total in (55, 50, 45, 40)] == [5, 10, 15, 20]  # stay as soon as the target is reached
    assert solo["by_numbers"][0]["limit"] is None
    assert [row["limit"] for row in solo["by_risk"]][-3:] == [0, 0, 0]
    for row in solo["by_numbers"][2:]:
        below, above = row["hit"][: row["limit"]], row["hit"][row["limit"] :]
        assert all(x is None or x > 0.5 for x in below)
        assert above[0] < 0.5


def test_a_second_chance_has_its_own_rows():
    facts = chart(load("flip7:official(target=10)"))
    assert facts["left_out"] == ["freeze", "flip_three"]
    assert all(row["limit"] is None for row in facts["with_second_chance"])
    assert facts["by_numbers"][3]["limit"] is not None
    assert "With a Second Chance in hand: hit." in draw(facts)
    facts["with_second_chance"] = facts["by_numbers"]  # as if it were of little use
    assert "With a Second Chance in hand</text>" in draw(facts)


def test_without_one_there_are_none(solo):
    assert solo["with_second_chance"] is None
    assert solo["left_out"] == []
    assert "Second Chance" not in draw(solo)


def test_the_picture_shows_the_cells(solo):
    svg = draw(solo)
    assert set(re.findall(r"https?://[^\"' )]+", svg)) == {"http://www.w3.org/2000/svg"}  # a name, not fetched
    page = ElementTree.fromstring(svg)
    texts = [text.text for text in page.iter(f"{SVG}text")]
    rows = [*solo["by_numbers"], *solo["by_risk"], *solo["by_total"]]
    limits = [text for text in texts if re.fullmatch(r"stay at \d+", text)]
    assert limits == [f"stay at {row['limit']}" for row in rows if row["limit"]]
    boxes = {"hit": 0, "stay": 0, "none": 0}
    for path in page.iter(f"{SVG}path"):
        if path.get("class") in boxes:
            boxes[path.get("class")] += path.get("d").count("z")
    every = [x for row in rows for x in row["hit"]]
    legend = {"hit": 3, "stay": 3, "none": 1}
    assert boxes["none"] == every.count(None) + legend["none"]
    assert boxes["hit"] == sum(x is not None and x > 0 for x in every) + legend["hit"]
    assert boxes["stay"] == sum(x is not None and x < 1 for x in every) + legend["stay"]


@pytest.mark.parametrize("book", ["solo", "numbers"])
def test_all_is_on_the_page(book, request):
    page = ElementTree.fromstring(draw(request.getfixturevalue(book)))
    _, _, width, height = map(float, page.get("viewBox").split())
    for text in page.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height
    lowest = max(float(y) for path in page.iter(f"{SVG}path") for y in re.findall(r"M[\d.]+ ([\d.]+)", path.get("d")))
    notes = [float(text.get("y")) for text in page.iter(f"{SVG}text")][-2:]
    assert lowest + 24 < min(notes) - 16  # numbers below the last table do not touch the notes


def test_the_game_hands_out_picture_and_numbers(numbers):
    made = load("flip7:numbers(target=60)").make_chart()
    assert made.facts == numbers
    assert made.svg == draw(numbers)
    assert load("show:fair").make_chart() is None
