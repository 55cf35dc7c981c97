"""H5 to H9: draw, keep or discard, and when a power is offered. Hands are 2s 8s and 3h 9h."""

from __future__ import annotations

import pytest

from tests.games.show.conformance.taped import ALL, Table, opened, presets

POWERS = {"classic": ("10", "J"), "full": ("10", "J", "Q", "K"), "fair": ("10", "J")}
EVERY = [(preset, rank) for preset in ALL for rank in ("10", "J", "Q", "K")]


def after(preset: str, seat: int) -> str:
    """What is asked after the first turn of a seat."""
    return f"card for {1 - seat}" if preset == "fair" else f"{seat}: call"


def seated(preset: str, seat: int, story: str) -> Table:
    """The story in the first turn of a seat; `~` stands for it."""
    quiet = "4d 0:discard" + ("" if preset == "fair" else " 0:play-on")
    return opened(preset, quiet if seat else "").tell(story.replace("~", str(seat)))


@presets(*ALL)
def test_H05_only_the_player_sees_its_drawn_card(preset):
    t = opened(preset).tell("7d")
    assert (t.asked, t.code) == ("0: keep or discard 7d", 64)
    assert (t.heard(0), t.heard(1)) == (["0 drew 7d"], ["0 drew ?"])
    assert (t.view(0).drawn, t.view(1).drawn) == (33, -1)
    assert (t.view(0).unseen[33], t.view(1).unseen[33]) == (0, 1)


@presets(*ALL)
def test_H05_so_it_is_for_player_2(preset):
    t = seated(preset, 1, "7d")
    assert (t.asked, t.code) == ("1: keep or discard 7d", 64)
    assert (t.heard(0), t.heard(1)) == (["1 drew ?"], ["1 drew 7d"])
    assert (t.view(0).drawn, t.view(1).drawn) == (-1, 33)


@presets(*ALL)
def test_H05_zero_keeps_and_one_discards(preset):
    t = opened(preset, "7d")
    assert t.position.legal[:] == (0, 1)
    kept, gone = t.position.copy(), t.position.copy()
    kept.apply(0)
    gone.apply(1)
    assert int(kept.states["decision"][0]) == 65
    assert gone.view(1).graveyard == [33]


# --- keep ---


@presets(*ALL)
@pytest.mark.parametrize("seat", [0, 1])
def test_H06_the_drawn_card_goes_to_a_slot_and_the_old_one_to_the_graveyard(preset, seat):
    t = seated(preset, seat, "7d ~:keep")
    assert (t.asked, t.code) == (f"{seat}: slot for 7d", 65)
    t.tell(f"{seat}:1")
    old = ("8s", "9h")[seat]
    assert (t.hand(seat).split()[1], t.graveyard.split()[-1]) == ("7d", old)
    assert t.heard(1 - seat) == t.heard(seat) == [f"{seat} kept 1", f"{seat} replaced {old}"]
    assert t.asked == after(preset, seat)


@presets(*ALL)
def test_H06_the_other_slot(preset):
    t = opened(preset, "7d 0:keep 0:0")
    assert (t.hand(0), t.graveyard, t.knows(0)) == ("7d 8s", "2s", "7d ? / ? ?")


@presets(*ALL)
def test_H06_its_owner_knows_the_new_card_and_nobody_else(preset):
    t = opened(preset, "7d 0:keep 0:1")
    assert (t.knows(0), t.knows(1)) == ("2s 7d / ? ?", "3h ? / ? ?")
    assert t.view(1).record["other_known_to_other"].tolist() == [1, 1]


@presets(*ALL)
def test_H06_what_the_opponent_knew_of_that_slot_is_void(preset):
    on = "" if preset == "fair" else " 0:play-on"
    t = seated(preset, 1, "Jd 1:discard 1:yes 1:1" + on.replace("0", "1"))
    assert t.knows(1) == "3h ? / ? 8s"
    assert t.tell("7d 0:keep 0:1").knows(1) == "3h ? / ? ?"
    t = seated(preset, 1, "Jd 1:discard 1:yes 1:1" + on.replace("0", "1"))
    assert t.tell("7d 0:keep 0:0").knows(1) == "3h ? / ? 8s"


@presets(*ALL)
def test_H06_for_player_1_too(preset):
    on = "" if preset == "fair" else "0:play-on"
    t = opened(preset, f"Jd 0:discard 0:yes 0:1 {on} 7c 1:keep")
    assert t.knows(0) == "2s ? / ? 9h"
    assert t.tell("1:1").knows(0) == "2s ? / ? ?"


# --- discard, and the graveyard ---


@presets(*ALL)
@pytest.mark.parametrize("seat", [0, 1])
def test_H07_a_discard_is_open_and_changes_no_hand(preset, seat):
    t = seated(preset, seat, "7d").tell(f"{seat}:discard")
    assert (t.hand(0), t.hand(1), t.graveyard.split()[-1]) == ("2s 8s", "3h 9h", "7d")
    assert t.heard(0) == t.heard(1) == [f"{seat} discarded 7d"]
    assert t.asked == after(preset, seat)


@presets("classic", "full")
def test_H08_the_graveyard_is_in_order(preset):
    t = opened(preset, "7d 0:discard 0:play-on 5d 1:keep 1:0 1:play-on 4c 0:discard 0:play-on 4s 1:keep 1:1")
    assert t.graveyard == "7d 3h 4c 9h"


def test_H08_at_a_fair_table():
    assert opened("fair", "7d 0:discard 5d 1:keep 1:0 4c 0:keep 0:1 4s 1:discard").graveyard == "7d 3h 8s 4s"


# --- which cards offer a power ---


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("suit", "shdc")
@pytest.mark.parametrize(("preset", "rank"), EVERY)
def test_H09_a_drawn_and_discarded_power_card_offers_its_power_if_it_is_on(preset, rank, suit, seat):
    t = seated(preset, seat, f"{rank}{suit} ~:discard")
    if rank in POWERS[preset]:
        assert (t.asked, t.code) == (f"{seat}: use {rank}{suit}", 66)
        assert t.tell(f"{seat}:no").asked == after(preset, seat)
    else:
        assert t.asked == after(preset, seat)


@presets(*ALL)
@pytest.mark.parametrize("card", ["As", "2c", "3s", "4h", "5c", "6h", "7d", "8d", "9s", "*1", "*2"])
def test_H09_other_cards_offer_nothing(preset, card):
    assert opened(preset, f"{card} 0:discard").asked == after(preset, 0)


@presets(*ALL)
@pytest.mark.parametrize("rank", ["10", "J", "Q", "K"])
def test_H09_a_kept_power_card_offers_nothing(preset, rank):
    assert opened(preset, f"{rank}d 0:keep 0:0").asked == after(preset, 0)


@presets(*ALL)
@pytest.mark.parametrize("rank", ["10", "J", "Q", "K"])
def test_H09_nor_does_one_that_is_replaced(preset, rank):
    t = Table(preset).tell(f"{rank}s 3h 8s 9h 0:0 1:0 7d 0:keep 0:0")
    assert (t.graveyard, t.asked) == (f"{rank}s", after(preset, 0))


@pytest.mark.parametrize(("preset", "rank"), EVERY)
def test_H09_unless_power_on_replace_says_so(preset, rank):
    t = Table(f"{preset}(power_on_replace=true)").tell(f"{rank}s 3h 8s 9h 0:0 1:0 7d 0:keep 0:0")
    on = rank in POWERS[preset]
    assert t.asked == (f"0: use {rank}s" if on else after(preset, 0))
    if on:
        t.tell("0:yes 0:1")
        assert t.asked == (after(preset, 0) if rank in ("10", "J") else "0: take")


@presets(*ALL)
def test_H09_power_on_replace_looks_at_the_old_card_not_the_new(preset):
    t = opened(f"{preset}(power_on_replace=true)", "10d 0:keep 0:0")
    assert (t.graveyard, t.asked) == ("2s", after(preset, 0))
    assert opened(f"{preset}(power_on_replace=true)", "10d 0:discard").asked == "0: use 10d"


@presets(*ALL)
@pytest.mark.parametrize(("switch", "card"), [("ten", "10d"), ("jack", "Jd"), ("queen", "Qd"), ("king", "Kd")])
def test_H09_each_power_has_its_switch(preset, switch, card):
    assert opened(f"{preset}({switch}=true)", f"{card} 0:discard").asked == f"0: use {card}"
    assert opened(f"{preset}({switch}=false)", f"{card} 0:discard").asked == after(preset, 0)


@presets(*ALL)
def test_H09_the_use_of_a_power_is_public(preset):
    t = opened(preset, "10d 0:discard").tell("0:yes")
    assert t.heard(0) == t.heard(1) == ["0 power 10d"]
    assert opened(preset, "10d 0:discard").tell("0:no").knows(0) == "2s ? / ? ?"
