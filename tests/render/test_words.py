"""Pages say and draw the same as Python: words.js against core/speaker.py, over games played at random."""

import random
import shutil

import pytest

from pitboss import load
from pitboss.core.step import DEALER, FAULT
from pitboss.games.flip7.rules import Flip7Rules
from tests.render.spoken import coded, differences, opened

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")

TABLES = [f"flip7:{name}" for name in Flip7Rules.presets] + ["flip7:official(copies=2)"]
NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")
LANGUAGES = ("en",)


def played(game, language, games, rng, most=80):
    """Calls of words.js about games played at random, with what Python says."""
    yield opened(game)
    say = game.speaker(language)
    yield {"call": "rules"}, say.rules(game.named_rules)
    for _ in range(games):
        seats = rng.choice(game.rules.seats[:5])
        names, position = NAMES[:seats], game.start(seats)
        yield from told(say, position.events(), names)
        for _ in range(most):
            yield from seen(game, say, position, names)
            if position.over:
                break
            move = FAULT if position.to_act != DEALER and rng.random() < 0.02 else rng.choice(position.legal)
            yield from told(say, position.apply(move), names)


def told(say, events, names):
    for event in events:
        numbers = [event.kind, event.seat, event.a, event.b]
        for eye in (None, *range(len(names))):
            heard = event if eye is None else event.seen_by(eye)
            yield {"call": "event", "event": numbers, "names": names, "seat": eye}, say.event(heard, names)


def seen(game, say, position, names):
    for seat in {0, max(position.to_act, 0)}:
        view = position.view(seat)
        call = {"raw": coded(view.raw), "names": names, "seat": seat}
        yield {"call": "question", **call}, say.question(view, names)
        moves = [int(move) for move in view.legal]
        yield {"call": "moves", "moves": moves, **call}, [say.move(view, move, names) for move in moves]
        yield {"call": "scene", **call}, say.scene(view, names).to_dict()


@pytest.mark.parametrize("table", TABLES)
def test_words_js_says_and_draws_the_same_as_python(table):
    game = load(table)
    for language in LANGUAGES:
        assert not differences(played(game, language, 4, random.Random(table)), language)[:3]
