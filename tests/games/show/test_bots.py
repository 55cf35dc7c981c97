"""The bots of Show: what they do, what they know, and who beats whom."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from pitboss import bot, load, play, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.games.show import ShowBot
from pitboss.games.show.bots.rules_of_thumb import VALUES, chance
from pitboss.games.show.cards import POINTS
from pitboss.games.show.encode import RICH_SIZE, rich, tensor

PRESETS = ["classic", "full", "fair"]


def told(spec, story):
    """A position from cards and answers, in order."""
    position = load(spec).start(2)
    for word in story.split():
        position.apply(word)
    return position


def decide(name, position):
    seats = Seats(position.game, [bot(name, position.game)] * 2)
    seats.start(Key.from_seed(0), 0, 0)
    return seats.decide(position, position.to_act)


# Player 1 has 9h and (unseen) 2s, and looks at the first; Player 2 looks at its second.
OPENING = "9h 5d 2s 7c 0 1"


@pytest.mark.parametrize("name", ["show-6", "counter", "mc-5000"])
def test_low_cards_are_kept_and_high_ones_are_not(name):
    assert decide(name, told("show:classic", f"{OPENING} *1")) == 0
    assert decide(name, told("show:classic", f"{OPENING} Ks")) == 1


def test_the_known_high_card_goes():
    assert decide("show-6", told("show:classic", f"{OPENING} *1 0")) == 0
    assert decide("counter", told("show:classic", f"{OPENING} *1 0")) == 0


@pytest.mark.parametrize("name", ["show-6", "counter"])
def test_tens_and_jacks_look_at_what_is_unknown(name):
    ten = told("show:classic", f"{OPENING} 10s 1")
    assert decide(name, ten) == 1
    ten.apply(1)
    assert decide(name, ten) == 1  # slot 0 is known
    jack = told("show:classic", f"{OPENING} Js 1")
    assert decide(name, jack) == 1


def test_show_calls_at_its_number():
    """A joker kept in place of the 9: -1 and an unseen card of a little over 6 on average."""
    position = told("show:classic", f"{OPENING} *1 0 0")
    expected = position.view(0).expected_total
    assert 5 < expected < 6
    assert decide("show-6", position) == 1
    assert decide("show-5", position) == 0


def test_the_chance_to_win_is_exact():
    """Against a plain count of all ways the unseen cards can lie."""
    rng = np.random.default_rng(3)
    checked = 0
    while checked < 12:
        position = load("show:full(deck=* A 2 3 3 5 8 10 J Q Kh Ks)").start(2)
        for _ in range(int(rng.integers(6, 20))):
            if not position.over:
                position.apply(int(rng.choice(list(position.legal))))
        seat = position.to_act
        if seat < 0:
            continue
        view = position.view(seat)
        unseen = [card for card, n in enumerate(view.unseen) for _ in range(n)]
        holes = view.own.count(-1) + view.other.count(-1)
        score = ways = 0
        for cards in itertools.permutations(unseen, holes):
            rest = iter(cards)
            mine = sum(int(POINTS[c if c > 0 else next(rest)]) for c in view.own)
            theirs = sum(int(POINTS[c if c > 0 else next(rest)]) for c in view.other)
            score += 2 * (mine < theirs) + (mine == theirs)
            ways += 2
        above, below = chance(view.record, *view.own, np.zeros(VALUES, np.int64))
        assert Fraction(int(above), int(below)) == Fraction(score, ways)
        checked += 1


class Twin(ShowBot):
    """The defaults are show-6."""


def test_python_bots_play_the_defaults_as_show_6_does():
    for spec, deal in itertools.product(PRESETS, range(15)):
        a = play(f"show:{spec}", ["show-6", "counter"], seed=4, deal=deal)
        b = play(f"show:{spec}", [Twin, "counter"], seed=4, deal=deal)
        assert a.moves == b.moves


@pytest.mark.parametrize("spec", ["classic", "fair"])
def test_counter_and_cfr_beat_show_6(spec):
    """On blocks fixed beforehand, seats rotated on shared deals: the interval excludes zero."""
    for name in ("counter", "cfr"):
        (pair,) = simulate(f"show:{spec}", [name, "show-6"], games=200_000, seed=Key.from_seed(11)).versus()
        assert pair.difference.low > 0
        assert pair.better == name


def test_search_beats_random_play_and_cfr_beats_search():
    (pair,) = simulate("show:classic", ["mc-30", "random"], games=4000, seed=Key.from_seed(1)).versus()
    assert pair.better == "mc-30"
    (pair,) = simulate("show:classic", ["cfr", "mc-30"], games=20_000, seed=Key.from_seed(1)).versus()
    assert pair.better == "cfr"


def test_the_first_player_of_classic_has_the_edge_and_rotation_makes_up_for_it():
    result = simulate("show:classic", ["show-6", "show-6"], games=20_000, seed=Key.from_seed(1)).to_dict()
    for player in result["bots"]:
        first, second = player["seats"]
        assert first["win_share"] > 0.55 > 0.45 > second["win_share"]
        assert player["win_share"] == pytest.approx(0.5)
    assert {"payoff", "turns_per_game", "call_rate", "caller_win_rate", "deck_out_rate"} <= set(result)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("show", "show needs a whole number from 0 to 26"),
        ("show-27", "such as show-6"),
        ("counter-3", "takes no number"),
        ("mc", "mc needs a whole number"),
        ("show-6+freeze-leader", "nothing can be joined to show"),
        ("cfr(x=1)", "takes one parameter, a table of your own"),
        ("cfr(file=nowhere.npz)", "is not a table that pitboss solve --train has written"),
    ],
)
def test_bots_that_cannot_be(text, sentence):
    with pytest.raises(BotError, match=sentence):
        bot(text, "show:fair")


def test_there_is_no_table_for_other_rules():
    with pytest.raises(BotError, match="there is one for show:fair, show:classic, show:full"):
        bot("cfr", "show:fair(call_from_turn=2)")


def test_the_tensors():
    position = told("show:classic", f"{OPENING} *1")
    assert tensor(position.view(0)).tolist() == [22, -1, -1, -1, 64]
    assert tensor(position.view(1)).tolist() == [-1, 46, -1, -1, 64]
    assert len(rich(position.view(0))) == RICH_SIZE
    assert 53 in rich(position.view(0))[:8]
    assert 53 not in rich(position.view(1))[:8]


def test_threads_and_records_in_show_too():
    for spec in PRESETS:
        one = simulate(f"show:{spec}", ["counter", "show-5"], 8000, 3, 1)
        two = simulate(f"show:{spec}", ["counter", "show-5"], 8000, 3, 2)
        assert one.sums.columns.tolist() == two.sums.columns.tolist()
        play(f"show:{spec}", ["cfr", "random"], seed=2).verify()
