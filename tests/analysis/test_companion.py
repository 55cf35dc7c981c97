"""Any open game at a real table: typing a recorded game gives its states, and everything can be taken back."""

import pytest

from pitboss import load, play
from pitboss.analysis.companion import OpenCompanion, companion_of
from pitboss.core.companion import TableSetup
from pitboss.core.errors import PitbossError
from pitboss.core.step import DEALER
from pitboss.games.flip7.companion import Flip7Companion

SPEC = "flip7:tournament(target=40)"


def follow():
    """A recorded game, its entries in order, and a table of people who do not know the game's own companion."""
    record = play(SPEC, "ev,stay-20,random+freeze-leader", seed=3)
    cards, moves, entries = iter(record.cards), iter(record.moves), []
    for position, _, _ in record.replay():
        if position.to_act == DEALER:
            entries.append(record.game.format_card(next(cards)))
        elif not position.over:
            entries.append(record.game.format_move(next(moves)))
    return record, entries, OpenCompanion(record.game, TableSetup(["ann", "bob", "me"], me=2))


def test_typing_a_game_gives_its_states_and_undo_goes_back():
    record, entries, table = follow()
    before = []
    for (position, _, _), entry in zip(record.replay(), entries, strict=False):
        assert table.position == position
        before.append(table.position.copy())
        shown = [*table.card_taps(), *table.word_taps()]
        assert entry in [tap.entry for tap in shown]
        table.enter(entry)
    assert table.over
    assert table.position.outcome == record.outcome
    assert table.due == "The game is over: undo or quit?"
    for position in reversed(before[-5:]):
        table.undo()
        assert table.position == position


def test_a_line_is_taken_whole_or_not_at_all():
    _, entries, table = follow()
    first = table.position.copy()
    with pytest.raises(PitbossError, match="'jump'"):
        table.enter(f"{entries[0]} jump")
    assert table.position == first
    assert table.entries == []
    table.enter(" ".join(entries[:4]))
    assert table.entries == entries[:4]


def test_the_chances_of_cards_add_up():
    _, _, table = follow()
    assert table.due == "Which card falls?"
    taps = table.card_taps()
    assert sum(tap.chance for tap in taps) == pytest.approx(1)
    assert table.word_taps() == []


def test_a_game_with_its_own_companion_uses_it():
    assert isinstance(companion_of(load(SPEC), TableSetup(["ann", "me"])), Flip7Companion)


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(PitbossError, match=r"the cards of show, which lie face down; pitboss play show:fair"):
        companion_of(load("show:fair"), TableSetup())
    for setup in (TableSetup(totals=[0, 5]), TableSetup(["ann", "me"], dealer=0), TableSetup(discards="5")):
        with pytest.raises(PitbossError, match="from its first card"):
            OpenCompanion(load(SPEC), setup)
