"""`rollout`: legal everywhere, the same every time, and better than the habit that it searches with."""

import pytest

from pitboss import bot, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from tests.asking import ask
from tests.games.vengeance.conformance.taped import Table


def choice(table, name="rollout-64"):
    """The move that a bot makes now, as text."""
    position = table.position
    move = ask(bot(name, position.game), position.game, position.states[0], position.to_act, luck=1)
    return position.game.format_move(move)


@pytest.mark.parametrize(
    ("totals", "story", "move"),
    [
        ([190, 150], "12 5 0:hit 9 1:stay", "0:stay"),  # wins
        ([150, 190], "12 11 0:hit 9 1:stay", "0:hit"),  # the other has won if this seat stays
        ([150, 185], "12 11 0:hit 9 1:hit 8 0:hit -10", "0:@1"),  # nobody else can be hurt
        ([100, 100, 185], "12 11 9 0:hit 2 1:stay 2:hit 8 0:hit 3 2:stay 0:hit di 0:@0", "0:9@2"),  # or seat 2 has won
        ([195, 100, 100], "12 11 9 0:hit 2 1:stay 2:stay 0:hit f4", "0:@1"),  # not on itself
    ],
)
def test_it_plays_to_win(totals, story, move):
    table = Table("standard", seats=len(totals)).arrange(total=totals).tell(story)
    assert f"{table.position.to_act}:{choice(table)}" == move


def test_it_plays_every_rule_book_by_its_rules():
    """The loop refuses illegal moves. Two threads play the same games as one."""
    for spec, seats in [("brutal(target=60)", 3), ("quick(target=60)", 4), ("numbers(target=60)", 2), ("solo", 1)]:
        one, two = (
            simulate(f"vengeance:{spec}", ["rollout-8"] * seats, 8 * seats, 1, threads=threads) for threads in (1, 2)
        )
        assert one.cut == 0
        assert one.sums.columns.tolist() == two.sums.columns.tolist()


@pytest.mark.parametrize("seats", [3, 5])
def test_it_is_better_than_its_habit(seats):
    share = simulate("vengeance", ["rollout-40", *["ev"] * (seats - 1)], 150 * seats, Key.from_seed(1)).win_share(0)
    assert share.low is not None
    assert share.low > 1 / seats


def test_how_it_is_written():
    assert bot("rollout-50", "vengeance").params[0] == 50
    for text, problem in [("rollout-1", "a whole number from 2"), ("rollout+at-leader", "chooses all by itself")]:
        with pytest.raises(BotError, match=problem):
            bot(text, "vengeance")
