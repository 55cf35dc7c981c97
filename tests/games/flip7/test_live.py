"""A real table that is followed by typing: the same states as the game itself, undo, and what is refused."""

import pytest

from pitboss import load, play
from pitboss.core.companion import TableSetup, default_names
from pitboss.core.errors import PitbossError
from pitboss.core.step import DEALER
from pitboss.games.flip7.cards import TEXT
from pitboss.games.flip7.companion import Flip7Companion
from pitboss.games.flip7.moves import HIT

BOTS = {"solo": "ev", "numbers": "ev,stay-20,random"}


def typed(record, table):
    """What a person would type for a recorded game: each entry, and the position after it."""
    positions = [(position.copy(), position.to_act) for position, _, _ in record.replay()]
    cards, moves = iter(record.cards), iter(record.moves)
    for i, (_, to_act) in enumerate(positions[:-1]):
        if to_act == DEALER:
            yield TEXT[next(cards)], positions[i + 1][0]
            continue
        move = next(moves)
        if move == HIT and positions[i + 1][1] == DEALER:
            continue  # the card tells it
        text = record.game.format_move(move)
        yield table.names[int(text[1:])] if text.startswith("@") else text, positions[i + 1][0]


def follow(preset, seed):
    record = play(f"flip7:{preset}(target=60)", BOTS.get(preset, "ev,stay-20,random,ev+freeze-leader"), seed=seed)
    return record, Flip7Companion(record.game, TableSetup(default_names(len(record.seats), 0)))


@pytest.mark.parametrize("seed", range(3))
def test_typing_a_game_gives_its_states(preset, seed):
    record, table = follow(preset, seed)
    for entry, position in typed(record, table):
        table.enter(entry)
        assert table.position == position, table.entries
    assert table.position.over
    assert table.position.outcome == record.outcome


def test_undo_goes_back_to_every_state(preset):
    record, table = follow(preset, 5)
    before = []
    for entry, _ in typed(record, table):
        before.append((table.position.copy(), len(table.entries)))
        table.enter(entry)
    for position, count in reversed(before[-12:]):
        table.undo()
        assert (table.position, len(table.entries)) == (position, count)
    table.undo(len(table.entries))
    assert table.position == record.game.start(len(record.seats))


def test_several_words_are_one_line_or_nothing():
    table = Flip7Companion(load("flip7:numbers"), TableSetup(["Ann", "Bob", "me"], me=2))
    before = table.position.copy()
    with pytest.raises(PitbossError, match="'77' is neither a card"):
        table.enter("12 11 77")
    assert table.position == before
    assert table.entries == []
    table.enter("ann 12, bob: 11 2:10")
    assert [seat.cards for seat in table.view.seats] == [[12], [11], [10]]
    assert table.entries == ["12", "11", "10"]
    assert table.undo(2) == ["11", "10"]
    assert table.due == "Bob: opening card?"


def test_whose_card_is_due_is_said():
    table = Flip7Companion(load("flip7:tournament"), TableSetup(["Ann", "Bob", "me"], me=2, dealer=0))
    assert table.due == "Bob: opening card?"
    table.enter("3 f3")
    assert table.due == "me: who gets the Flip Three? (Ann, Bob, me)"
    table.enter("b")
    assert table.due == "Bob: card 1 of three?"
    table.enter("sc")
    assert table.due == "Bob: who gets the Second Chance? (Ann, Bob, me)"
    table.enter("@1")
    assert table.due == "Bob: card 2 of three?"
    table.enter("3")
    assert table.due == "Bob: a second 3; is the Second Chance used, y or n?"
    table.enter("y")
    assert table.due == "Ann: opening card?"
    table.enter("7")
    assert table.due == "me: card, or s to stay?"
    assert [event.kind for event in table.enter("stay")] == ["stays"]
    assert table.due == "Ann: card, or s to stay?"


def refused(table, line):
    """The sentence with which a line is refused; nothing has changed."""
    before, entries = table.position.copy(), list(table.entries)
    with pytest.raises(PitbossError) as problem:
        table.enter(line)
    assert (table.position, table.entries) == (before, entries)
    return str(problem.value)


def test_refusals_say_why():
    table = Flip7Companion(load("flip7:official"), TableSetup(["ann", "bob", "me"], me=2, discards="2 x2"))
    table.enter("2 5 7")
    assert refused(table, "2") == "no 2 is left in the deck: all 2 2 are 1 with ann, 1 with the discards"
    assert refused(table, "x2") == "no x2 is left in the deck: the only x2 is with the discards"
    assert refused(table, "bob 4") == "bob is not the one whose turn it is. ann: card, or s to stay?"
    assert refused(table, "y") == "'y' is not possible now. ann: card, or s to stay?"
    assert "type the card that ann got twice" in refused(table, "bust")
    assert "neither a card (0 1 2" in refused(table, "jump")
    assert refused(table, "  ") == "type what happened; help lists what can be typed. ann: card, or s to stay?"
    assert refused(table, "carl: 4") == "'carl' is no player; there are ann (@0), bob (@1), me (@2)"
    table.enter("fz")
    assert refused(table, "carl").startswith("'carl' is no player")
    assert refused(table, "1") == "'1' is a card, or write @1 for a seat. ann: who gets the Freeze? (ann, bob, me)"
    table.enter("bob")
    assert table.due.startswith("me: card")
    table.enter("f3")
    assert refused(table, "bob") == "bob cannot get it. me: who gets the Flip Three? (ann, me)"
    assert (
        refused(Flip7Companion(load("flip7:numbers"), TableSetup(["a", "b"])), "sc")
        == "flip7:numbers has no Second Chance"
    )


def test_nothing_to_undo():
    table = Flip7Companion(load("flip7:solo"), TableSetup())
    with pytest.raises(PitbossError, match="nothing to undo"):
        table.undo()
    table.enter("5")
    with pytest.raises(PitbossError, match="only 1 to undo"):
        table.undo(2)


def test_the_end_of_the_game_can_be_undone():
    table = Flip7Companion(load("flip7:numbers(target=10)"), TableSetup(totals=[9, 0]))
    table.enter("5 6 s s")
    assert table.position.over
    assert table.due == "The game is over: undo or quit?"
    assert refused(table, "5") == "the game is over; undo takes back the last entry"
    table.undo()
    assert table.due == "A: card, or s to stay?"


def test_shuffle_brings_the_discards_back():
    table = Flip7Companion(load("flip7:numbers"), TableSetup(totals=[0, 0], discards="12 12 11"))
    assert table.view.cards_left == 76
    table.enter("shuffle")
    assert (table.view.cards_left, sum(table.view.discards)) == (79, 0)
    assert "no discards" in refused(table, "shuffle")
    table.undo()
    assert table.view.cards_left == 76


def test_new_ends_the_round_for_those_who_are_in():
    table = Flip7Companion(load("flip7:numbers"), TableSetup(totals=[100, 50, 0]))
    assert refused(table, "new") == "the round cannot end here. me: opening card?"
    table.enter("5 6 7 5")
    table.enter("new")
    assert (table.view.round, table.view.totals) == (2, [100, 56, 7])
    assert table.entries[-1] == "new"
    table.undo()
    assert table.due == "A: card, or s to stay?"


def test_totals_can_be_put_right():
    table = Flip7Companion(load("flip7:numbers"), TableSetup(totals=[100, 50]))
    table.enter("totals 110,55")
    assert table.view.totals == [110, 55]
    assert "takes 2 whole numbers, such as totals 110,55" in refused(table, "totals 110")
    assert "from 0 to 199" in refused(table, "totals 110 200")
    table.undo()
    assert table.view.totals == [100, 50]


@pytest.mark.parametrize("dealer", range(4))
def test_the_deal_begins_left_of_the_dealer(dealer):
    table = Flip7Companion(load("flip7:official"), TableSetup(totals=[0] * 4, dealer=dealer))
    order = []
    for card in ("12", "11", "10", "9", "8"):
        order.append(table.asked)
        table.enter(card)
    first = (dealer + 1) % 4
    assert order == [first, (first + 1) % 4, (first + 2) % 4, dealer, first]
    table.enter("new")
    assert table.view.dealer == first


def test_what_cannot_be_a_table_is_refused():
    game = load("flip7:official")
    for names, options, sentence in (
        (["ann", "5"], {}, "'5' is no name for a player here"),
        (["ann", "stay"], {}, "a player cannot be called 'stay'"),
        (["ann", "undo"], {}, "a player cannot be called 'undo'"),
        (["ann", "Ann"], {}, "two players are called 'ann'"),
        (["ann", "bob"], {"totals": [1, 2, 3]}, "there are 2 names and 3 totals"),
        (["ann", "bob"], {"me": 2}, "`me` is a place at the table, from 0 to 1, not 2"),
        (["ann", "bob"], {"dealer": -1}, "`dealer` is a place at the table"),
        (["ann", "bob"], {"discards": "2 2 2"}, "you named 3 of the card 2"),
        (["ann"], {}, "2 to 18 seats, not 1"),
    ):
        with pytest.raises(PitbossError, match=sentence):
            Flip7Companion(game, TableSetup(names, **options))


def test_names_of_any_number_of_players_can_be_typed():
    for seats in range(2, 37):
        Flip7Companion(load("flip7:official(copies=2)"), TableSetup(default_names(seats, seats - 1)))
