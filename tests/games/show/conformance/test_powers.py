"""H10 to H12: what the powers do, and how knowledge follows the cards.

Hands are 2s 8s and 3h 9h; seat 0 knows 2s, seat 1 knows 3h.
"""

from __future__ import annotations

import pytest

from tests.games.show.conformance.taped import ALL, Table, opened, presets

ON = {"classic": "{}:play-on", "full": "{}:play-on", "fair": ""}


def second(preset: str, story: str) -> Table:
    """The story in the first turn of seat 1."""
    return opened(preset, "4d 0:discard " + ON[preset].format(0)).tell(story)


# --- ten and jack ---


@presets(*ALL)
def test_H10_a_ten_looks_at_an_own_card(preset):
    t = opened(preset, "10d 0:discard 0:yes")
    assert (t.asked, t.code) == ("0: look", 67)
    t.tell("0:1")
    assert (t.knows(0), t.knows(1)) == ("2s 8s / ? ?", "3h ? / ? ?")
    assert (t.heard(0), t.heard(1)) == (["0 looked 1 8s"], ["0 looked 1 ?"])
    assert t.view(1).record["other_known_to_other"].tolist() == [1, 1]
    assert t.asked == ("card for 1" if preset == "fair" else "0: call")


@presets(*ALL)
def test_H10_even_at_one_it_knows(preset):
    assert opened(preset, "10d 0:discard 0:yes 0:0").knows(0) == "2s ? / ? ?"


@presets(*ALL)
def test_H10_a_ten_of_player_2(preset):
    t = second(preset, "10c 1:discard 1:yes")
    assert (t.asked, t.code) == ("1: look", 67)
    t.tell("1:1")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h 9h / ? ?")
    assert (t.heard(0), t.heard(1)) == (["1 looked 1 ?"], ["1 looked 1 9h"])


@presets(*ALL)
@pytest.mark.parametrize(("slot", "card", "knows"), [(0, "3h", "2s ? / 3h ?"), (1, "9h", "2s ? / ? 9h")])
def test_H10_a_jack_looks_at_an_opponents_card(preset, slot, card, knows):
    t = opened(preset, "Jd 0:discard 0:yes")
    assert (t.asked, t.code) == ("0: look across", 68)
    t.tell(f"0:{slot}")
    assert (t.knows(0), t.knows(1)) == (knows, "3h ? / ? ?")
    assert (t.heard(0), t.heard(1)) == ([f"0 looked across {slot} {card}"], [f"0 looked across {slot} ?"])
    assert t.view(1).record["own_known_to_other"].tolist() == [1 - slot, slot]
    assert t.asked == ("card for 1" if preset == "fair" else "0: call")


@presets(*ALL)
def test_H10_a_jack_of_player_2(preset):
    t = second(preset, "Jc 1:discard 1:yes")
    assert (t.asked, t.code) == ("1: look across", 68)
    t.tell("1:0")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h ? / 2s ?")
    assert (t.heard(0), t.heard(1)) == (["1 looked across 0 ?"], ["1 looked across 0 2s"])


# --- queen ---


def test_H11_a_queen_asks_for_two_slots():
    t = opened("full", "Qd 0:discard 0:yes")
    assert (t.asked, t.code) == ("0: offer", 69)
    t.tell("0:1")
    assert (t.asked, t.code) == ("0: take", 70)
    t.tell("0:0")
    assert t.heard(0) == t.heard(1) == ["0 swapped 1 0"]
    assert (t.hand(0), t.hand(1), t.asked) == ("2s 3h", "8s 9h", "0: call")


@pytest.mark.parametrize(
    ("slots", "hands", "first", "second"),
    [
        ("0:0 0:0", ("3h 8s", "2s 9h"), "? ? / 2s ?", "? ? / 3h ?"),
        ("0:0 0:1", ("9h 8s", "3h 2s"), "? ? / ? 2s", "3h ? / ? ?"),
        ("0:1 0:0", ("2s 3h", "8s 9h"), "2s ? / ? ?", "? ? / ? 3h"),
        ("0:1 0:1", ("2s 9h", "3h 8s"), "2s ? / ? ?", "3h ? / ? ?"),
    ],
)
def test_H11_what_each_knew_follows_the_card(slots, hands, first, second):
    t = opened("full", f"Qd 0:discard 0:yes {slots}")
    assert (t.hand(0), t.hand(1)) == hands
    assert (t.knows(0), t.knows(1)) == (first, second)


@pytest.mark.parametrize(
    ("slots", "hands", "first", "after"),
    [
        ("1:0 1:0", ("3h 8s", "2s 9h"), "? ? / 2s ?", "? ? / 3h ?"),
        ("1:0 1:1", ("2s 3h", "8s 9h"), "2s ? / ? ?", "? ? / ? 3h"),
        ("1:1 1:0", ("9h 8s", "3h 2s"), "? ? / ? 2s", "3h ? / ? ?"),
        ("1:1 1:1", ("2s 9h", "3h 8s"), "2s ? / ? ?", "3h ? / ? ?"),
    ],
)
def test_H11_a_queen_of_player_2(slots, hands, first, after):
    t = second("full", f"Qd 1:discard 1:yes {slots}")
    assert (t.hand(0), t.hand(1)) == hands
    assert (t.knows(0), t.knows(1)) == (first, after)


def test_H11_both_know_both():
    t = opened("full", "Jd 0:discard 0:yes 0:0 0:play-on Jc 1:discard 1:yes 1:0 1:play-on")
    assert (t.knows(0), t.knows(1)) == ("2s ? / 3h ?", "3h ? / 2s ?")
    t.tell("Qd 0:discard 0:yes 0:0 0:0")
    assert (t.knows(0), t.knows(1)) == ("3h ? / 2s ?", "2s ? / 3h ?")
    t.tell("0:play-on Qc 1:discard 1:yes 1:1 1:0")
    assert (t.knows(0), t.knows(1)) == ("? ? / 2s 3h", "2s 3h / ? ?")


def test_H11_one_knows_both_the_other_none():
    t = opened("full", "10d 0:discard 0:yes 0:1 0:play-on 4d 1:discard 1:play-on Jd 0:discard 0:yes 0:1")
    assert (t.knows(0), t.knows(1)) == ("2s 8s / ? 9h", "3h ? / ? ?")
    t.tell("0:play-on Qd 1:discard 1:yes 1:1 1:1")
    assert (t.knows(0), t.knows(1)) == ("2s 9h / ? 8s", "3h ? / ? ?")


def test_H11_there_and_back():
    t = opened("full", "Qd 0:discard 0:yes 0:0 0:1 0:play-on Qc 1:discard 1:yes 1:1 1:0")
    assert (t.hand(0), t.hand(1)) == ("2s 8s", "3h 9h")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h ? / ? ?")


def test_H11_knowledge_follows_a_kept_card_until_it_is_replaced():
    t = opened("full", "7d 0:keep 0:1 0:play-on Qc 1:discard 1:yes 1:0 1:1")
    assert (t.hand(0), t.hand(1)) == ("2s 3h", "7d 9h")
    assert (t.knows(0), t.knows(1)) == ("2s ? / 7d ?", "? ? / ? 3h")
    t.tell("1:play-on 6d 0:keep 0:1")
    assert (t.graveyard, t.knows(0), t.knows(1)) == ("8s Qc 3h", "2s 6d / 7d ?", "? ? / ? ?")
    t.tell("0:play-on 5d 1:keep 1:0")
    assert (t.graveyard, t.knows(0), t.knows(1)) == ("8s Qc 3h 7d", "2s 6d / ? ?", "5d ? / ? ?")


# --- king ---


def test_H12_a_king_shows_two_cards_then_asks():
    t = opened("full", "Kd 0:discard 0:yes")
    assert (t.asked, t.code) == ("0: offer", 69)
    t.tell("0:1")
    assert (t.asked, t.code, t.knows(0)) == ("0: take", 70, "2s ? / ? ?")
    t.tell("0:0")
    assert (t.asked, t.code) == ("0: swap or leave", 71)
    assert (t.knows(0), t.knows(1)) == ("2s 8s / 3h ?", "3h ? / ? ?")
    assert t.heard(0) == ["0 looked 1 8s", "0 looked across 0 3h"]
    assert t.heard(1) == ["0 looked 1 ?", "0 looked across 0 ?"]
    assert (t.hand(0), t.hand(1)) == ("2s 8s", "3h 9h")


def test_H12_leave():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:1").tell("0:leave")
    assert (t.hand(0), t.hand(1)) == ("2s 8s", "3h 9h")
    assert (t.knows(0), t.knows(1)) == ("2s 8s / ? 9h", "3h ? / ? ?")
    assert t.heard(0) == t.heard(1) == ["0 left alone"]
    assert t.asked == "0: call"


def test_H12_swap():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:0").tell("0:swap")
    assert (t.hand(0), t.hand(1)) == ("2s 3h", "8s 9h")
    assert (t.knows(0), t.knows(1)) == ("2s 3h / 8s ?", "? ? / ? 3h")
    assert t.heard(0) == t.heard(1) == ["0 swapped 1 0"]
    assert t.asked == "0: call"


@pytest.mark.parametrize(
    ("answer", "first", "after"), [("leave", "2s ? / ? ?", "3h 9h / 2s ?"), ("swap", "? ? / ? 2s", "3h 2s / 9h ?")]
)
def test_H12_a_king_of_player_2(answer, first, after):
    t = second("full", f"Kc 1:discard 1:yes 1:1 1:0 1:{answer}")
    assert (t.knows(0), t.knows(1)) == (first, after)
    assert t.asked == "1: call"


def test_H12_zero_leaves_and_one_swaps():
    t = opened("full", "Kd 0:discard 0:yes 0:0 0:0")
    left, swapped = t.position.copy(), t.position.copy()
    left.apply(0)
    swapped.apply(1)
    assert left.states["hand"][0].tolist() == [[2, 8], [16, 22]]
    assert swapped.states["hand"][0].tolist() == [[16, 8], [2, 22]]


def test_H12_a_king_then_a_queen():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:1 0:swap 0:play-on")
    assert (t.knows(0), t.knows(1)) == ("2s 9h / ? 8s", "3h ? / ? ?")
    t.tell("Qd 1:discard 1:yes 1:1 1:0")
    assert (t.hand(0), t.hand(1)) == ("8s 9h", "3h 2s")
    assert (t.knows(0), t.knows(1)) == ("8s 9h / ? 2s", "3h ? / ? ?")


def test_H12_a_queen_then_a_king_that_swaps_back():
    t = opened("full", "Qd 0:discard 0:yes 0:0 0:0 0:play-on Kd 1:discard 1:yes 1:0 1:0 1:swap")
    assert (t.hand(0), t.hand(1)) == ("2s 8s", "3h 9h")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h ? / 2s ?")


def test_H12_a_king_swaps_back_what_a_king_swapped():
    t = opened("full", "Kd 0:discard 0:yes 0:0 0:1 0:swap 0:play-on Kc 1:discard 1:yes 1:1 1:0 1:swap")
    assert (t.hand(0), t.hand(1)) == ("2s 8s", "3h 9h")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? 9h", "3h 9h / 2s ?")


def test_H12_knowledge_is_void_when_a_swapped_card_is_replaced():
    t = opened("full", "Kd 0:discard 0:yes 0:1 0:0 0:swap 0:play-on 7d 1:keep 1:0")
    assert (t.graveyard, t.knows(0), t.knows(1)) == ("Kd 8s", "2s 3h / ? ?", "7d ? / ? 3h")
