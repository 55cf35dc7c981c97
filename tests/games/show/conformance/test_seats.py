"""H18 to H21: small decks, what a seat may know, tensors, faults. Hands are mostly 2s 8s and 3h 9h."""

from __future__ import annotations

import random

import pytest

import pitboss
from pitboss.core.errors import IllegalMove, NotationError, SpecError
from pitboss.games.show import ShowBot
from pitboss.games.show.encode import RICH_SIZE, rich, tensor
from tests.games.show.conformance.taped import ALL, DECK, NUMBER, QUESTIONS, Table, opened, presets

TWO_ROUNDS = "4d 0:discard 4c 1:discard 5d 0:discard 5c 1:discard"

# --- small decks ---


@presets(*ALL)
def test_H18_a_deck_of_a_few_cards(preset):
    t = Table(f"{preset}(deck=*1 *2 As Ah 3s 3h)")
    assert t.position.legal[:] == (1, 3, 14, 16, 53, 54)
    t.tell("As *1 3s Ah 0:0 1:0")
    assert (t.view(0).cards_left, str(t.position.legal)) == (2, "3h, *2")


@presets(*ALL)
def test_H18_a_card_may_come_several_times(preset):
    t = Table(f"{preset}(deck=*1 *1 *1 2s 2s 2s)").tell("2s *1 2s *1 0:1 1:1")
    assert (t.hand(0), t.hand(1), t.view(0).cards_left) == ("2s 2s", "*1 *1", 2)
    assert (t.view(0).unseen[2], t.view(0).unseen[53]) == (2, 3)
    assert (t.view(1).unseen[2], t.view(1).unseen[53]) == (3, 2)
    t.tell("*1 0:keep 0:0")
    assert (t.hand(0), t.graveyard, t.knows(0)) == ("*1 2s", "2s", "*1 2s / ? ?")
    assert (t.view(0).unseen[2], t.view(0).unseen[53]) == (1, 2)
    t.tell("0:play-on" if t.asked == "0: call" else "")
    with pytest.raises(IllegalMove):
        t.position.apply("*1")  # all three are out


def test_H18_twins_are_told_apart_by_where_they_lie():
    t = Table("full(deck=2s 2s 2s 2s Qs Qs Qs)").tell("2s 2s 2s Qs 0:0 1:1 Qs 0:discard 0:yes 0:1 0:0 0:play-on")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "? Qs / ? ?")
    t.tell("Qs 1:discard 1:yes 1:1 1:0")
    assert (t.hand(0), t.hand(1)) == ("Qs 2s", "2s 2s")
    assert (t.knows(0), t.knows(1)) == ("? ? / ? 2s", "? ? / Qs ?")


def test_H18_powers_work_in_small_decks():
    t = opened(
        "full(deck=2s 8s 3h 9h 10d Kd Kd)", "Kd 0:discard 0:yes 0:1 0:1 0:swap 0:play-on 10d 1:discard 1:yes 1:1"
    )
    assert (t.knows(0), t.knows(1)) == ("2s 9h / ? 8s", "3h 8s / ? ?")


@pytest.mark.parametrize("deck", ["As 2s 3s 4s", "As 2s 3s 4s 5s 1x", " ".join([*DECK, "As"])])
def test_H18_decks_that_cannot_be_played(deck):
    with pytest.raises(SpecError):
        pitboss.load(f"show:classic(deck={deck})")


# --- what a seat may know ---


@presets(*ALL)
def test_H19_own_cards_seen_or_kept_and_the_drawn_one(preset):
    t = opened(preset, "7d")
    assert (t.knows(0), t.knows(1)) == ("2s ? / ? ?", "3h ? / ? ?")
    assert (t.view(0).drawn, t.view(1).drawn) == (NUMBER["7d"], -1)
    assert (t.view(0).question, t.view(1).question) == ("Keep 7♦ or discard it?", "Player 1 decides")
    t.tell("0:keep 0:1")
    assert (t.knows(0), t.knows(1), t.view(0).drawn) == ("2s 7d / ? ?", "3h ? / ? ?", -1)


@presets(*ALL)
def test_H19_two_worlds_that_a_seat_cannot_tell_apart_look_alike(preset):
    on = "" if preset == "fair" else "{}:play-on"
    story = f"{{}} 3h {{}} 9h 0:0 1:0 {{}} 0:keep 0:1 {on.format(0)} 10c 1:discard 1:yes 1:1 {on.format(1)} {{}}"
    first, second = Table(preset), Table(preset)
    one, two = story.format("2s", "8s", "6d", "5d"), story.format("Kh", "8s", "*1", "Qs")
    for word, twin in zip(one.split(), two.split(), strict=True):
        first.tell(word)
        second.tell(twin)
        assert first.view(1).record.tobytes() == second.view(1).record.tobytes()
        assert first.heard(1) == second.heard(1)
    assert first.view(0).record.tobytes() != second.view(0).record.tobytes()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rules", [*ALL, "full(power_on_replace=true)", "full(deck=Qs Qs Ks Kh Js Js 10s 10s As As)"])
def test_H19_whatever_happens(rules, seed):
    """The table checks both views after every word."""
    t, rng = Table(rules), random.Random(seed)
    while not t.over:
        if t.position.to_act < 0:
            t.tell(rng.choice(str(t.position.legal).split(", ")))
        else:
            no, yes = QUESTIONS[t.code][1]
            chance = {62: 0.1, 63: 0.1, 64: 0.7, 66: 0.9}.get(t.code, 0.5)
            t.tell(f"{t.position.to_act}:{yes if rng.random() < chance else no}")


# --- tensors ---


@presets(*ALL)
def test_H20_four_cards_and_a_code(preset):
    t = Table(preset).tell("2s 3h 8s 9h")
    assert tensor(t.view(0)).tolist() == [-1, -1, -1, -1, 60]
    assert tensor(t.tell("0:1").view(1)).tolist() == [-1, -1, -1, -1, 61]
    t.tell("1:0 Jd")
    assert tensor(t.view(0)).tolist() == [-1, 8, -1, -1, 64]
    t.tell("0:discard 0:yes")
    assert tensor(t.view(0)).tolist() == [-1, 8, -1, -1, 68]
    t.tell("0:0")
    assert tensor(t.view(0)).tolist()[:4] == [-1, 8, 16, -1]
    assert tensor(t.view(1)).tolist()[:4] == [16, -1, -1, -1]


@presets(*ALL)
def test_H20_a_joker_is_a_number_and_unknown_is_minus_one(preset):
    t = Table(preset).tell("*1 3h *2 9h 0:0 1:0 Kd")
    assert tensor(t.view(0)).tolist() == [53, -1, -1, -1, 64]
    assert tensor(t.tell("0:keep 0:0").view(0)).tolist()[:4] == [39, -1, -1, -1]


@presets(*ALL)
@pytest.mark.parametrize("card", ["7d", "*2", "As"])
def test_H20_the_rich_one_has_the_drawn_card_for_its_player_only(preset, card):
    t = opened(preset, card)
    assert rich(t.view(0)).tolist()[:6] == [2, -1, -1, -1, 64, NUMBER[card]]
    assert rich(t.view(1)).tolist()[:6] == [16, -1, -1, -1, 64, -1]


@presets(*ALL)
def test_H20_the_rich_one_has_the_rest_of_the_view(preset):
    t = opened(preset, "7d 0:discard")
    flat = rich(t.view(0)).tolist()
    assert len(flat) == RICH_SIZE
    ahead = [] if preset == "fair" else [62]
    assert flat[4:5] == (ahead or [0])
    assert flat[6:10] == [0, 0, 1, 0]  # who knows which slot
    assert flat[10:15] == [1, 1 if preset == "fair" else 0, -1, 0, 49]  # turns, caller, last turn, cards left
    grave, unseen = flat[15:70], flat[70:125]
    assert flat[125:] == [0, 0, 0]  # no power in question
    assert [card for card, n in enumerate(grave) if n] == [NUMBER["7d"]]
    assert [card for card, n in enumerate(unseen) if not n] == [0, NUMBER["2s"], NUMBER["7d"]]


@presets("full")
def test_H20_the_rich_one_tells_a_queen_from_a_king(preset):
    queen, king = opened(preset, "Qd 0:discard 0:yes 0:1"), opened(preset, "Kc 0:discard 0:yes 0:1")
    assert rich(queen.view(0)).tolist()[125:127] == [12, 1]
    assert rich(king.view(0)).tolist()[125:127] == [13, 1]


# --- faults ---

TO_FAULT = {
    60: "2s 3h 8s 9h",
    61: "2s 3h 8s 9h 0:0",
    62: "2s 3h 8s 9h 0:0 1:0 4d 0:discard",
    63: "2s 3h 8s 9h 0:0 1:0 4d 0:discard 0:play-on 4c 1:discard",
    64: "~ 4c",
    65: "~ 4c #:keep",
    66: "~ 10d #:discard",
    67: "~ 10d #:discard #:yes",
    68: "~ Jd #:discard #:yes",
    69: "~ Qd #:discard #:yes",
    70: "~ Qd #:discard #:yes #:1",
    71: "~ Kd #:discard #:yes #:1 #:0",
}
OPENING = "2s 3h 8s 9h 0:0 1:0"
CASES = [(code, seat) for code in QUESTIONS for seat in (0, 1) if code > 63 or seat == code % 2]


@pytest.mark.parametrize(("code", "seat"), CASES)
def test_H21_a_fault_loses_the_game_for_that_seat(code, seat):
    opening = OPENING + " 4d 0:discard 0:play-on" * seat
    t = Table("full(call_penalty=0.5)").tell(TO_FAULT[code].replace("~", opening).replace("#", str(seat)))
    assert (t.code, t.position.to_act) == (code, seat)
    t.tell(f"{seat}:fault")
    assert (t.asked, t.payoff) == ("over", [[-1000, 1000], [1000, -1000]][seat])
    assert t.heard(0) == t.heard(1) == [f"{seat} fault"]
    assert t.position.outcome.winners == (1 - seat,)


@presets("classic", "fair")
def test_H21_at_other_tables(preset):
    t = opened(preset, "7d 0:fault")
    assert (t.payoff, t.knows(0), t.knows(1)) == ([-1000, 1000], "2s ? / ? ?", "3h ? / ? ?")
    assert opened(preset, "10d 0:discard 0:yes 0:fault").payoff == [-1000, 1000]


def test_H21_in_a_last_turn():
    t = opened("classic", "4d 0:discard 0:play-on 4c 1:discard 1:show As 0:fault")
    assert (t.payoff, t.points) == ([-1000, 1000], [0, 0])
    t = opened("fair", TWO_ROUNDS + " 6d 0:discard 0:show As 1:fault")
    assert (t.payoff, t.points) == ([1000, -1000], [0, 0])


@presets(*ALL)
def test_H21_it_is_never_offered_and_never_the_dealers(preset):
    t = Table(preset)
    with pytest.raises(NotationError):
        t.position.apply("fault")
    with pytest.raises(IllegalMove):
        t.position.apply(-1)
    assert "fault" not in opened(preset, "7d").position.legal


class Raises(ShowBot):
    def keep(self, view):
        raise RuntimeError("no idea")


class Answers7(ShowBot):
    def choose_slot(self, view):
        return 7

    def keep(self, view):
        return True


@presets(*ALL)
@pytest.mark.parametrize("bot", [Raises, Answers7])
def test_H21_an_exception_and_an_illegal_answer_are_faults(preset, bot):
    assert pitboss.play(f"show:{preset}", [bot, ShowBot], faults=True).outcome.winners == (1,)
    story = pitboss.play(f"show:{preset}(call_from_turn=9)", [ShowBot, bot], faults=True)
    assert (story.outcome.winners, story.moves[-1], len(story.faults)) == ((0,), -1, 1)
