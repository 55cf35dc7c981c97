"""Pages say and draw the same as Python: words.js against core/speaker.py, over games played at random."""

import importlib
import random
import shutil

import pytest

from pitboss import load
from pitboss.core.scene import Scene, SeatScene
from pitboss.core.secrets import NOBODY
from pitboss.core.step import DEALER, FAULT
from pitboss.games.flip7.game import Flip7
from pitboss.games.show.game import Show
from pitboss.games.vengeance.game import Vengeance
from pitboss.render.steps import moments
from tests.packages import EXAMPLES as FOLDER
from tests.render.spoken import coded, differences, opened

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")

TABLES = [f"{game.name}:{preset}" for game in (Flip7, Show, Vengeance) for preset in game.rules_class.presets]
TABLES += ["flip7:official(copies=2, tie=comeback)", "show:full(call_penalty=0.5, power_on_replace=true)"]
TABLES += ["show:fair(deck=As 2s 3s 4s 5s Kh *1)", "vengeance:brutal(copies=2, actions=false)"]
NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")
LANGUAGES = ("en", "de", "es")


def played(game, language, games, rng, most=80):
    """Calls of words.js about games played at random, with what Python says."""
    yield opened(game)
    say = game.speaker(language)
    yield {"call": "rules"}, say.rules(game.named_rules) or game.words()
    for _ in range(games):
        seats = rng.choice(game.rules.seats[:5])
        names, position = NAMES[:seats], game.start(seats)
        yield from told(game, say, position.events(), names)
        for _ in range(most):
            yield from seen(game, say, position, names)
            if position.over:
                break
            move = FAULT if position.to_act != DEALER and rng.random() < 0.02 else rng.choice(position.legal)
            yield from told(game, say, position.apply(move), names)


def told(game, say, events, names):
    for event in events:
        numbers = [event.kind, event.seat, event.a, event.b]
        for eye in (None, *range(len(names))):
            heard = event if eye is None else event.seen_by(eye)
            yield {"call": "event", "event": numbers, "names": names, "seat": eye}, say.event(heard, names)
            yield {"call": "moments", "events": [numbers], "seat": eye}, moments(game, [heard])


def seen(game, say, position, names):
    label = say.move if game.whole_wording.says("moves") else game.describe_move
    for seat in {0, max(position.to_act, 0)}:
        view = position.view(seat)
        call = {"raw": coded(view.raw), "names": names, "seat": seat}
        yield {"call": "question", **call}, say.question(view, names)
        moves = [int(move) for move in view.legal]
        yield {"call": "moves", "moves": moves, **call}, [label(view, move, names) for move in moves]
        yield {"call": "touches", "moves": moves, **call}, [game.touches(view, move) for move in moves]
        yield {"call": "scene", **call}, say.scene(view, names).to_dict()
    public = position.view(NOBODY if game.secrets else 0)
    drawn = say.scene(public, names, NOBODY).to_dict()
    yield {"call": "publicScene", "raw": coded(public.raw), "names": names}, drawn


@pytest.mark.parametrize("table", TABLES)
def test_words_js_says_and_draws_the_same_as_python(table):
    game = load(table)
    for language in LANGUAGES:
        assert not differences(played(game, language, 2, random.Random(table)), language)[:3]


def test_english_is_what_the_game_itself_says():
    """Events, views and games of Python say the same as their speakers, which pages are compared with."""
    for table in ("flip7:tournament", "show:full", "vengeance:standard"):
        game, rng = load(table), random.Random(7)
        say, position, names = game.speaker(), load(table).start(2), NAMES[:2]
        assert game.words() == say.rules(game.named_rules)
        while not position.over:
            view = position.view(0)
            assert view.question == say.question(view)
            assert game.scene(view, names) == say.scene(view, names)
            assert game.public_scene(position, names) == say.scene(view, names, NOBODY)
            for move in view.legal:
                assert game.describe_move(view, move, names) == say.move(view, move, names)
            for event in position.apply(rng.choice(position.legal)):
                assert event.text(names) == say.event(event, names)


EXAMPLES = {"toy-game": "pitboss_toy.game:Toy", "nerve-game": "pitboss_nerve.game:Nerve"}
EXAMPLES["liars-dice"] = "pitboss_liar.game:LiarsDice"


@pytest.mark.parametrize("package", EXAMPLES)
def test_a_game_of_another_package_is_drawn_by_default(package, monkeypatch):
    """It has written nothing for pages. What it says in Python code, pages cannot know, and are told so."""
    monkeypatch.syspath_prepend(str(FOLDER / package / "src"))
    module, name = EXAMPLES[package].split(":")
    game = getattr(importlib.import_module(module), name).parse("")
    assert "scene" not in game.describe_words()["python"]
    assert "questions" in game.describe_words()["python"]
    skipped = {"event"} if package == "liars-dice" else set()  # its texts need Python's `words`
    assert ("events" in game.describe_words()["python"]) == bool(skipped)
    for language in LANGUAGES:
        calls = (call for call in played(game, language, 2, random.Random(7)) if call[0]["call"] not in skipped)
        assert not differences(calls, language)[:3]


def test_a_game_drawn_by_python_code_is_named(bids):
    """A page shows who is there and whose move it is, and says which parts are the default."""
    game = load(bids)
    words = game.describe_words()
    assert words["python"] == ["scene", "questions", "moves", "events"]
    position = game.start(2)
    call = {"call": "scene", "raw": coded(position.view(0).raw), "names": ["Ann", "Bob"], "seat": 0}
    places = tuple(SeatScene(name, (), (), "", False, False) for name in ("Ann", "Bob"))
    drawn = Scene("Bids · Long", "", places, ()).to_dict()
    told = {"call": "event", "event": [0, 1, 4, 0], "names": ["Ann", "Bob"], "seat": None}, "Bob: rolled"
    assert not differences([opened(game), (call, drawn), told])
