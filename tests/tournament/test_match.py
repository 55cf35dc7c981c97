"""Matches: rule T14, and what a worker hands back."""

import pytest

from pitboss.core.game import Outcome
from pitboss.core.keys import Key
from pitboss.core.play import play
from pitboss.core.registry import load
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchPlan, MatchWorker, decided, game_places, pack, unpack, verdict
from pitboss.tournament.schedule import Sitting


def match(*games, seats=2, best_of=5):
    """Play out a match in which these seats won each game (a tuple: shared; None: cut): games needed, shares."""
    wins = [0] * seats
    for played, winners in enumerate(games, 1):
        for seat in [winners] if isinstance(winners, int) else winners or ():
            wins[seat] += 1
        if decided(wins, best_of, played):
            return played, verdict(wins)[0]
    raise AssertionError(f"not decided after {len(games)} games: {wins}")


def test_T14_the_first_to_win_the_majority_wins():
    assert match(0, 0, 0) == (3, (1.0, 0.0))
    assert match(0, 1, 1, 0, 1) == (5, (0.0, 1.0))
    assert match(1, best_of=1) == (1, (0.0, 1.0))


def test_T14_it_stops_as_soon_as_it_is_decided_and_not_before():
    assert not decided([2, 0], best_of=5, played=2)
    assert decided([3, 0], best_of=5, played=3)
    assert not decided([2, 0], best_of=4, played=2)
    assert decided([3, 1], best_of=4, played=4)


def test_T14_level_after_n_games_is_drawn():
    assert match(0, 0, 1, 1, best_of=4) == (4, (0.5, 0.5))


def test_T14_a_cut_game_counts_for_nobody():
    assert match(0, None, None, None, None) == (5, (1.0, 0.0))
    assert match(*[None] * 5) == (5, (0.5, 0.5))


def test_T14_a_shared_game_is_a_win_for_each():
    assert match((0, 1), (0, 1), 0) == (3, (1.0, 0.0))
    assert match((0, 1), (0, 1), (0, 1)) == (3, (0.5, 0.5))


def test_T14_with_more_than_two_seats_most_wins_count():
    assert match(0, 1, 2, 0, 1, seats=3) == (5, (0.5, 0.5, 0.0))
    assert match(0, 1, 2, 0, 0, seats=3) == (5, (1.0, 0.0, 0.0))


def test_T14_with_more_than_two_seats_it_stops_when_nobody_can_catch_up():
    assert match(0, 0, 0, seats=3) == (3, (1.0, 0.0, 0.0))
    assert not decided([2, 1, 0], best_of=5, played=3)
    assert decided([3, 1, 0], best_of=5, played=4)
    # half of the games and one more is not enough where games can be shared by others
    assert not decided([4, 3, 0], best_of=7, played=4)


def test_T14_who_forfeits_is_behind_everybody():
    assert verdict([3, 1, 0], frozenset({0})) == ((0.0, 1.0, 0.0), (3, 1, 2))
    assert decided([0, 0], best_of=5, played=1, forfeited=frozenset({1}))
    assert verdict([0, 0], frozenset({0, 1})) == ((0.0, 0.0), (1, 1))
    assert not decided([1, 0, 0], best_of=5, played=1, forfeited=frozenset({1}))


def test_a_match_alone_goes_to_its_last_game():
    assert not decided([2], best_of=3, played=2)
    assert decided([3], best_of=3, played=3)


def test_places_of_a_game():
    assert game_places(Outcome("won", (2,), (0.0, 0.0, 1.0), (199, 199, 205))) == (2, 2, 1)
    assert game_places(Outcome("tied", (0, 1), (0.5, 0.5, 0.0), (210, 205, 190))) == (1, 1, 3)
    assert game_places(Outcome("cut", (), (0.0, 0.0), (10, 20))) == (1, 1)


def test_moves_are_packed_and_unpacked():
    moves = [0, 1, 61, -1] * 100
    assert unpack(pack(moves)) == moves
    assert len(pack(moves)) < 60


def built_in(*names):
    return tuple(Contestant(name, name, "built-in", "") for name in names)


@pytest.mark.parametrize(
    ("spec", "names"), [("flip7:tournament", ("stay-25", "random", "ev")), ("show:fair", ("show-6", "random"))]
)
def test_a_worker_plays_the_games_that_play_would(spec, names):
    key = Key.from_seed(3)
    plan = MatchPlan(spec, built_in(*names), key, best_of=3)
    with MatchWorker(plan) as worker:
        matches = [worker.play(Sitting(7, tuple(range(len(names)))), j) for j in range(len(names))]
    assert [m.rotation for m in matches] == [*range(len(names))]
    for m in matches:
        seated = [names[bot] for bot in Sitting(7, tuple(range(len(names)))).seats(m.rotation)]
        wins = [0] * len(names)
        for game in m.games:
            record = play(spec, seated, key, deal=7 * 3 + game.number, rotation=m.rotation)
            assert unpack(game.moves) == record.moves
            assert [row.score for row in game.seats] == [*record.outcome.scores]
            assert [row.share for row in game.seats] == [*record.outcome.shares]
            assert game.cards == len(record.cards)
            for seat in record.outcome.winners:
                wins[seat] += 1
        assert m.wins == tuple(wins)
        assert decided(wins, 3, len(m.games))


def test_a_bot_that_plays_otherwise_is_found():
    plan = MatchPlan("flip7:tournament", built_in("stay-25", "ev"), Key.from_seed(3))
    with MatchWorker(plan) as worker:
        moves = unpack(worker.play(Sitting(0, (0, 1)), 0).games[0].moves)
        assert worker.differs((0, 1), 0, 0, moves) is None
        edited = [*moves]
        at = next(n for n, move in enumerate(moves) if move in (0, 1))
        edited[at] = 1 - moves[at]
        assert worker.differs((0, 1), 0, 0, edited) == whose(plan, moves, at)


def whose(plan, moves, number):
    """Whose move it was, told by the record."""
    record = play(plan.spec, ["stay-25", "ev"], plan.key)
    assert record.moves == moves
    seats = []

    def watch(position, _):
        if position.to_act >= 0:
            seats.append(position.to_act)

    play(load(plan.spec), ["stay-25", "ev"], plan.key, watch=watch)
    return seats[number]
