"""The simple bots do what they say, and bots in Python get what they need."""

import pytest

from pitboss import load, play, simulate
from pitboss.core.bot import enter
from pitboss.core.errors import BotError, IllegalMove
from pitboss.core.keys import Key
from pitboss.games.vengeance.bot import VengeanceBot
from pitboss.games.vengeance.bots.simple import ENTRIES
from pitboss.games.vengeance.cards import NAME
from tests.asking import ask
from tests.games.vengeance.conformance.taped import Table

GAME = load("vengeance:standard")


def choice(table, bot, luck=0):
    """The move that a built-in bot makes now, as text."""
    position = table.position
    move = ask(enter(bot, ENTRIES, GAME), position.game, position.states[0], position.to_act, luck)
    return position.game.format_move(move)


def test_stay_n():
    table = Table("standard").tell("12 7 9 0:hit 11 1:stay 2:stay")
    assert choice(table, "stay-24") == "hit"
    assert choice(table, "stay-23") == "stay"


def test_cards_n():
    table = Table("standard").tell("12 7 9 0:hit 11 1:stay 2:stay")
    assert choice(table, "cards-3") == "hit"
    assert choice(table, "cards-2") == "stay"


def test_bust_p_counts_every_way_to_bust():
    table = Table("standard").tell("13 7 9 0:hit l13 1:stay 2:stay").stack("13 13 u7 0 -4 sw 5 6 8 10")
    assert table.view.bust_odds == 0.2
    assert choice(table, "bust-0.21") == "hit"
    assert choice(table, "bust-0.2") == "stay"


@pytest.mark.parametrize(
    ("deck", "move"),
    [
        ("10 -4 sw", "hit"),  # a new number
        ("12 12 10", "stay"),  # 24 to lose, 10 to gain
        ("u7", "stay"),  # 16 to lose
        ("0", "stay"),
        ("13 13 13 12", "hit"),  # 39 to gain, 23 to lose
    ],
)
def test_ev(deck, move):
    table = Table("standard").tell("12 7 9 0:hit 11 1:stay 2:stay").stack(deck)
    assert choice(table, "ev") == move


def test_an_action_goes_to_somebody_who_can_use_it():
    story = "5 -4 1:@0 -6 2:@0 0:hit st"
    assert choice(Table("standard").tell(story), "stay-24") == "@0"
    assert choice(Table("standard(waste=false)").tell(story), "stay-24") == "@1", "who has all the cards can steal none"


def test_modifiers_go_to_the_leader():
    table = Table("standard").arrange(total=[0, 50, 0]).tell("12 7 9 0:hit -4")
    assert choice(table, "ev") == "@1"
    table = Table("standard").arrange(total=[90, 0, 0]).tell("12 7 9 0:hit f4")
    assert choice(table, "ev") == "@2"


def test_choices_are_kept_to_oneself():
    for card in ("sw", "st", "di"):
        assert choice(Table("standard").tell(f"12 7 9 0:hit {card}"), "ev") == "@0"


def test_steals_the_best_card_that_does_not_bust():
    table = Table("standard").tell("12 12 9 0:hit 5 1:hit 10 2:hit 11 0:hit st 0:@0")
    assert choice(table, "ev") == "10@1"  # 12@1 would bust it, and 11@2 costs the leader nothing


def test_discards_its_own_burden_or_the_leaders_best():
    table = Table("standard").tell("12 7 9 0:hit -10 0:@0 1:hit 13 2:stay 0:hit di 0:@0")
    assert choice(table, "ev") == "13@1"
    table = Table("standard").tell("12 7 9 0:hit -10 0:@0 1:stay 2:stay 0:hit di 0:@0")
    assert choice(table, "ev") == "-10@0"


def test_a_swap_takes_two_cards_that_belong_together():
    table = Table("standard").tell("10 10 9 0:hit 2 1:hit 12 2:stay 0:hit sw 0:@0")
    assert choice(table, "ev") == "10@0"
    table.tell("0:10@0")
    assert choice(table, "ev") == "12@1"
    table.tell("0:12@1")
    assert table.status == "active busted stayed"
    assert table.points == [14, 0, 9]


def test_random_targets_are_all_of_them():
    table = Table("standard").tell("12 7 9 0:hit -4")
    step = 2**62
    assert {choice(table, "ev+random-targets", luck) for luck in range(0, 2**64, step)} == {"@0", "@1", "@2"}
    with pytest.raises(BotError, match="unknown target rule"):
        enter("ev+freeze-leader", ENTRIES, GAME)


def test_better_bots_win_more():
    versus = simulate("vengeance", "random,cautious,ev", games=900, seed=Key.from_seed(1)).to_dict()["versus"]
    assert [pair["better"] for pair in versus] == ["cautious", "ev", "ev"]


class Noting(VengeanceBot):
    """Notes what it is asked; all else by default."""

    asked: set[str] = set()  # noqa: RUF012

    def hit_or_stay(self, view):
        self.asked.add("hit or stay")
        return "hit" if view.bust_odds < 0.3 else "stay"

    def choose_target(self, view, card, targets):
        self.asked.add(f"target {NAME[card]}")
        return super().choose_target(view, card, targets)

    def choose_card(self, view, action, cards):
        self.asked.add(f"card {NAME[action]}")
        return super().choose_card(view, action, cards)

    def choose_second(self, view, first, cards):
        self.asked.add("second")
        assert first[0] not in {seat for seat, _ in cards}
        return super().choose_second(view, first, cards)

    def choose_prize(self, view, seats):
        self.asked.add("prize")
        return super().choose_prize(view, seats)


def test_a_python_bot_is_asked_everything():
    from pitboss.core.bot import Entrant

    for seed in range(40):
        assert play("vengeance:brutal", [Entrant("noting", make=Noting)] * 3, seed=seed).verify()
        if {"prize", "second", "card Steal", "card Discard"} <= Noting.asked:
            break
    assert {"hit or stay", "second", "prize", "card Swap", "card Steal", "card Discard", "target −4"} <= Noting.asked


def test_an_illegal_choice_says_what_was_possible():
    class Wrong(VengeanceBot):
        def choose_target(self, view, card, targets):
            return 7

        def choose_card(self, view, action, cards):
            return (0, 13)

    table = Table("standard").tell("12 7 9 0:hit st")
    with pytest.raises(IllegalMove, match=r"choose_target returned 7; choose one of \[0, 1, 2\]"):
        Wrong().decide(table.position.view(0))
    table.tell("0:@0")
    with pytest.raises(IllegalMove, match="the Steal can take"):
        Wrong().decide(table.position.view(0))
