"""S: one player against the deck."""

from __future__ import annotations

from collections import Counter

from taped import Table, holding


def test_S01_the_hand_starts_empty_and_stay_is_legal_at_once():
    t = Table("solo", seats=1)
    assert len(t.left.split()) == 85
    assert (t.front(0), t.asked) == ("-", "0: stay hit")
    assert t.tell("0:stay").totals == [0]
    assert (t.view.round, t.asked) == (2, "0: stay hit")


def test_S02_hit_draws_one_card():
    t = Table("solo", seats=1).tell("0:hit 5")
    assert (t.front(0), t.asked) == ("5", "0: stay hit")
    assert t.tell("0:hit 9").points == [14]


def test_S02_stay_banks():
    t = Table("solo", seats=1).tell("0:hit 5 0:hit 9 0:stay")
    assert t.totals == [14]
    assert (t.view.round, t.front(0)) == (2, "-")


def test_S02_bust_and_flip_7_end_the_round():
    t = Table("solo", seats=1).tell("0:hit 5 0:hit 5")
    assert (t.totals, t.view.round, t.asked) == ([0], 2, "0: stay hit")
    t = holding("solo", "1 2 3 4 5 6").tell("0:hit 7")
    assert (t.totals, t.view.round, t.asked) == ([43], 2, "0: stay hit")


def test_S02_the_next_round_is_played_with_the_rest_of_the_deck():
    t = Table("solo", seats=1).tell("0:hit 1 0:hit x2 0:stay")
    assert not {"1", "x2"} & set(t.left.split())
    assert t.discards == "1 x2"


def test_S02_every_round_counts_even_an_empty_one():
    t = Table("solo", seats=1)
    for number in range(2, 12):
        assert t.tell("0:stay").view.round == number


def test_S03_all_discards_return_and_the_hand_does_not():
    t = Table("solo", seats=1).tell("0:hit 12 0:hit 11 0:stay 0:hit 10 0:hit 10 0:hit 9").stack("")
    deck = Counter(t.tell("0:hit").left.split())
    assert t.heard("reshuffled") == [-1]
    assert (deck["12"], deck["11"], deck["10"], deck["9"]) == (12, 11, 10, 8)
    assert (deck.total(), t.front(0)) == (84, "9")


def test_S04_the_game_takes_as_many_rounds_as_it_takes_to_get_there():
    t = Table("solo(target=50)", seats=1)
    for _ in range(3):
        t.tell("0:hit 12 0:hit 10 0:stay")
    assert (t.over, t.totals, t.view.round) == (True, [66], 3)
    assert t.position.outcome.winners == (0,)


def test_S04_as_episodes_rounds_go_on_over_one_deck():
    t = Table("solo(target=100000)", seats=1).arrange(total=[195])
    t.tell("0:hit 12 0:hit 11 0:stay")
    assert [(event.points, event.total) for event in t.events if event.kind == "round scored"] == [(23, 218)]
    assert (t.asked, t.view.round, t.discards) == ("0: stay hit", 2, "11 12")
