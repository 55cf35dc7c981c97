"""A real table, followed card by card: what can be typed, what is refused, undo, taps and advice."""

import pytest

from pitboss import load
from pitboss.analysis.companion import companion_of
from pitboss.core.companion import TableSetup
from pitboss.core.errors import PitbossError

NAMES = ["ann", "bob", "me"]


def table(spec="standard", **setup):
    return companion_of(load(f"vengeance:{spec}"), TableSetup(**{"names": NAMES, "me": 2, **setup}))


def told(at, line):
    return [event.text(at.names) for event in at.enter(line)]


def test_a_round_as_people_type_it():
    at = table(totals=[120, 90, 60])
    assert at.due == "ann: opening card?"
    assert told(at, "12 7 9") == ["ann gets 12", "bob gets 7", "me gets 9"]
    assert told(at, "5 s") == ["ann gets 5", "bob stays with 7"]
    assert at.due == "me: card, or s to stay?"
    at.enter("sw")
    assert at.due == "me: on whom is the Swap played? (ann, bob, me)"
    at.enter("m")  # the beginning of a name
    assert at.due == "me: which card for the Swap, such as 5@ann?"
    at.enter("9@me 12@a")
    assert [seat.cards for seat in at.view.seats] == [[5, 9], [7], [12]]
    at.enter("s f4 me")  # ann stays; whose turn it is draws the Flip Four
    assert at.due == "me: card 1 of four?"


def test_undo_takes_back_entry_by_entry():
    at = table()
    at.enter("12 7 9 hit -4 bob")
    assert at.view.seats[1].points == 3
    assert at.undo() == ["bob"]
    assert at.due == "ann: who gets the −4? (ann, bob, me)"
    assert at.undo(2) == ["9", "-4"]
    assert at.due == "me: opening card?"
    with pytest.raises(PitbossError, match="there is only 2 to undo"):
        at.undo(9)


def test_the_table_as_it_stands():
    at = table(totals=[10, 20, 30], dealer=0, discards="13 13 l13")
    assert at.due == "bob: opening card?"
    assert (at.view.totals, at.view.cards_left, at.view.dealer) == ([10, 20, 30], 105, 0)
    at.enter("shuffle")
    assert at.view.cards_left == 108
    at.enter("totals 11,22,33")
    assert at.view.totals == [11, 22, 33]


def test_new_ends_the_round():
    at = table()
    at.enter("12 7 9 new")
    assert (at.view.totals, at.view.round) == ([12, 7, 9], 2)
    at.enter("12 0 9")
    with pytest.raises(PitbossError, match=r"the round cannot end here\. me: card"):
        at.enter("new")  # who holds The Zero must hit


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("99", "'99' is not a card"),
        ("12 7 9 x", "neither a card"),
        ("0 0", "no 0 is left in the deck"),
        ("12 7 9 -4 carl", "is no player; there are ann"),
        ("12 7 9 -4 5", "neither a player nor a card"),
        ("12 7 9 st me 5@ann", "5@ann cannot be chosen"),
        ("totals 1,2", "totals takes 3 whole numbers"),
        ("totals 1,2,200", "from 0 to 199"),
        ("shuffle", "no discards"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(line, problem):
    at = table()
    with pytest.raises(PitbossError, match=problem):
        at.enter(line)
    assert at.due == "ann: opening card?"
    assert at.entries == []


def test_names_that_mean_something_else_are_refused():
    for name in ("st", "hit", "new", "7up"):
        with pytest.raises(PitbossError, match="here"):
            table(names=["ann", name], me=0)


def test_taps_can_be_entered_at_every_moment():
    """Tap the last of all words, or else the last card, for a while: nothing is refused."""
    at = table()
    for step in range(60):
        words, cards = at.word_taps(), [tap for tap in at.card_taps() if tap.left]
        moves = [tap for tap in words if tap.about != "table"]
        taps = cards if cards and (step % 3 or not moves) else moves
        at.enter(taps[(7 * step) % len(taps)].entry)
    assert at.view.round > 1


def test_advice_says_one_thing_first():
    at = table(totals=[100, 100, 60])
    at.enter("12 7 9 5 s")
    advice = at.advice()
    assert advice.headline == "Hit"
    assert advice.reason.startswith("Hit. It wins ")
    assert advice.choices == ("stay", "hit")
    at.enter("12")
    assert at.advice() is None  # ann is asked
    at = table(totals=[100, 190, 60])
    at.enter("12 13 9 5 s -10")
    assert at.advice().headline == "To bob"  # who has won otherwise
