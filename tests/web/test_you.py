"""A person who plays alone and gave no name is `You`, and spoken to; others read of a guest."""

import re

import pytest

from pitboss import load, play
from pitboss.web.room.you import YOU, to_you

THIRD = re.compile(r"(?<!of )\b[Yy]ou (is|has|[a-z]+[^s]s)\b|\bYou's\b|[a-z] You\b")


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:tournament", "show:full", "vengeance:standard"])
def test_no_sentence_speaks_of_you_as_of_somebody_else(spec):
    game, said = load(spec), set()
    for seed in range(1, 6):
        record = play(game, ["random"] * game.rules.seats[-1], seed=seed)
        for seat in range(2):
            names = [YOU if other == seat else f"bot {other}" for other in range(len(record.labels))]
            said |= {to_you(event.text(names)) for _, events, _ in record.replay() for event in events}
    about = [line for line in said if YOU in line or YOU.lower() in line]
    assert about
    assert not [line for line in about if THIRD.search(line)]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("You busts on a second 7", "You bust on a second 7"),
        ("You is frozen by ev and banks 12", "You are frozen by ev and bank 12"),
        ("You must flip three, chosen by ev", "You must flip three, chosen by ev"),
        ("Freeze is assigned to You by ev", "Freeze is assigned to you by ev"),
        ("Swap waits until You has four cards", "Swap waits until you have four cards"),
        ("No card is left for You, who stays with 9", "No card is left for you, who stay with 9"),
        ("You exchanges their left card for the card of ev", "You exchange your left card for the card of ev"),
        ("You: SECOND CHANCE USED! The second 7 is discarded", "You: SECOND CHANCE USED! The second 7 is discarded"),
        ("ev hits", "ev hits"),
    ],
)  # fmt: skip
def test_sentences(told, said):
    assert to_you(told) == said


def test_who_plays_alone_without_a_name(room):
    id, token = room.make("flip7:numbers", "here ", "bot ev", "bot ev", seed="1")
    own = room.ask("GET", f"/api/tables/{id}", headers={"Authorization": f"Bearer {token}"}).json()
    seen = room.ask("GET", f"/api/tables/{id}").json()
    assert own["names"] == [YOU, "ev (1)", "ev (2)"]
    assert seen["names"] == ["Guest", "ev (1)", "ev (2)"]
    assert own["title"] == "Flip 7 · Numbers"
    lines, others = ([text for step in look["steps"] for text, _ in step["events"]] for look in (own, seen))
    assert any(line.startswith("You get ") for line in lines)
    assert any(line.startswith("Guest gets ") for line in others)
    assert own["steps"][0]["scene"]["title"] == "Flip 7 · Numbers, round 1"


def test_several_without_a_name_are_told_apart(room):
    id, token = room.make("flip7:numbers", "here ", "here Ann", "here ", seed="1")
    own = room.ask("GET", f"/api/tables/{id}", headers={"Authorization": f"Bearer {token}"}).json()
    assert own["names"] == ["Player 1", "Ann", "Player 3"]
