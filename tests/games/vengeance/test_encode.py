"""What learning agents see and do: every legal move has one action, and all numbers keep to their limits."""

import numpy as np
import pytest

from pitboss import load, play
from pitboss.games.vengeance.encode import STATE_SIZE, actions, move_of
from pitboss.games.vengeance.state import CARD_0

BOOKS = {
    "standard": 3,
    "brutal": 2,
    "quick": 4,
    "numbers": 2,
    "numbers(flip7_bonus=either)": 3,
    "solo(actions=true)": 1,
}


@pytest.mark.parametrize("spec", BOOKS)
def test_actions_and_what_is_known_of_them(spec):
    seats, game = BOOKS[spec], load(f"vengeance:{spec}")
    count, choices = actions(game.rules, seats), game.learning.encodings["choices"]
    low, high = choices.bounds(game.rules, seats)
    record = play(game, ["ev+random-targets"] * seats, seed=2)
    row = np.zeros(choices.size(game.rules, seats), np.float32)
    for position, _, _ in record.replay():
        seat = position.to_act
        if seat < 0:
            continue
        moves = [move_of(action, seats, seat) for action in range(count)]
        assert len(set(moves)) == count
        assert set(position.legal) <= set(moves)
        choices.write(position.states[0], game.record[0], seat, row)
        assert np.all((low <= row) & (row <= high))
        told = row[STATE_SIZE:].reshape(count, -1)
        assert all(told[moves.index(move)].any() for move in position.legal if move <= 1 or move >= CARD_0)


def test_an_agent_is_the_same_at_every_seat():
    """Seats are counted from the own one: a table turned by one seat looks the same."""
    game, rows = load("vengeance"), []
    for me in range(3):
        position = game.start(3)
        s = position.states[0]
        s["dealer"], s["taker"] = (int(s["dealer"]) + me) % 3, (int(s["taker"]) + me) % 3
        for seat, total in enumerate((50, 120, 80)):
            s["total"][(seat + me) % 3] = total
        for word in ("12", "7", "9", "hit", "st", f"@{me}"):
            position.apply(word)
        rows.append(np.zeros(game.learning.encodings["choices"].size(game.rules, 3), np.float32))
        game.learning.encodings["choices"].write(s, game.record[0], me, rows[-1])
    assert rows[0].tolist() == rows[1].tolist() == rows[2].tolist()
