"""What games say and draw, as data: every language says everything, and mistakes are told in sentences."""

import random
from pathlib import Path
from typing import ClassVar

import pytest

from pitboss import core, load
from pitboss.core.errors import PitbossError
from pitboss.core.events import Event
from pitboss.core.formula import formula
from pitboss.core.node import Scope, function
from pitboss.core.phrase import phrase, values_in
from pitboss.core.wording import CASES, ENGLISH, read_texts

GAMES = ("flip7", "show", "vengeance")
ANY = Scope({"SEVEN": 7, "TEXT": ("a", "b")})


def said(text, **values):
    return function(phrase(text, ANY), ANY.constants)(values)


def computed(text, **fields):
    return function(formula(text, ANY), ANY.constants)(fields)


@pytest.mark.parametrize("name", GAMES)
def test_every_language_says_everything_with_the_same_values(name):
    wording = load(name).wording
    english = wording.messages(ENGLISH)
    assert {*wording.texts} >= {"en", "de", "es"}
    translated = [said.get("cards", {}).keys() for language, said in wording.texts.items() if language != ENGLISH]
    assert all(names == translated[0] for names in translated), "the same cards have names of their own"
    for language, texts in wording.texts.items():
        read = wording.messages(language)
        for table, english_texts in english.items():
            if table != "cards":
                assert texts.get(table, {}).keys() == english_texts.keys(), (language, table)
            for key, node in english_texts.items():
                assert values_in(read[table][key]) == values_in(node), (language, table, key)


def test_pitboss_itself_says_everything_in_every_language():
    languages = read_texts(str(Path(core.__file__).parent))
    english = languages.pop(ENGLISH)
    assert {*languages} == {"de", "es"}
    for texts in languages.values():
        for table, said in english.items():
            assert texts[table].keys() == said.keys()
            for key, text in said.items():
                assert values_in(phrase(texts[table][key], ANY)) == values_in(phrase(text, ANY))


@pytest.mark.parametrize("name", GAMES)
def test_everything_that_can_be_said_has_a_text_and_nothing_else_has(name):
    game = load(name)
    wording, texts = game.wording, game.wording.messages(ENGLISH)
    for table in CASES:
        assert wording.nodes[table].keys() == texts[table].keys(), table
    for table in ("captions", "badges"):
        assert wording.nodes[table].keys() == texts[table].keys(), table
    assert {*game.event_kinds} == texts["events"].keys()
    assert game.describe_words()["python"] == []


def test_vengeance_draws_the_points_and_discards_that_its_rules_count():
    """The rule book keeps them among the fields, where pages find them; cards are counted one by one to compare."""
    for table in ("vengeance:brutal", "vengeance:standard", "vengeance:solo"):
        game, rng = load(table), random.Random(3)
        for _ in range(6):
            position = game.start(rng.choice(game.rules.seats[:4]))
            names = ["A", "B", "C", "D", "E"][: position.seats]
            for _ in range(150):
                view = position.view(0)
                scene = game.scene(view, names)
                for seat, drawn in zip(view.seats, scene.seats, strict=True):
                    assert drawn.caption == f"{seat.points} on the table, {seat.total} in total"
                assert scene.caption.endswith(f"in the deck, {sum(view.discards)} discarded")
                if position.over:
                    break
                position.apply(rng.choice(position.legal))


def test_texts_depend_on_numbers_and_on_words():
    cards = "{n, plural, =0 {no card} one {# card} other {# cards of {who}}}"
    assert [said(cards, n=n, who="Ann") for n in (0, 1, 2)] == ["no card", "1 card", "2 cards of Ann"]
    assert said("{way, select, up {goes up} other {stays}}", way="up") == "goes up"
    assert said("{sure, select, true {yes} other {no}}", sure=True) == "yes"
    assert said("#1: {n, plural, one {one} other {# {way, select, up {#} other {}}}}", n=3, way="up") == "#1: 3 3"
    assert said("worth {SEVEN}") == "worth 7"


def test_expressions_are_a_small_part_of_python():
    assert computed("[card for card in spread(counts) if card > 0]", counts=[2, 1, 0, 1]) == [1, 3]
    assert computed("sum(x[1:]) // 2 + len(x) * (1 < SEVEN)", x=[5, 4, 3]) == 6
    assert computed("TEXT[1] if not a and b in [1, 2] else '-'", a=0, b=2) == "b"
    assert computed("0 <= seat < 3", seat=3) is False
    assert computed("join(' ', [i * j for i in range(2) for j in range(1, 3)])") == "0 0 1 2"


@pytest.mark.parametrize(
    "text", ["open('x')", "a.b", "a @ b", "lambda: 1", "a if", "[x for x, y in z]", "a is b", "1.5"]
)
def test_other_expressions_are_refused(text):
    with pytest.raises(PitbossError, match="cannot be read"):
        formula(text, ANY)


@pytest.mark.parametrize("text", ["{who", "{who, plural, one {x}}", "who}", "{a b}", "{n, plural, one {x other {y}}"])
def test_texts_that_cannot_be_read_are_named(text):
    with pytest.raises(PitbossError, match="cannot be read"):
        phrase(text, ANY)


def test_an_unknown_name_is_told_with_the_known_ones():
    with pytest.raises(PitbossError, match="there is no 'pionts' here; there are points, seat"):
        phrase("{pionts}", Scope({}, ("points", "seat")))
    with pytest.raises(PitbossError, match="there are no texts in 'fr'; there are de, en, es"):
        load("flip7").speaker("fr").card(3)
    with pytest.raises(PitbossError, match=r"words.en.toml"):
        read_texts(str(Path(__file__).parent))


def test_a_language_can_have_its_own_plurals():
    number = Scope({}, (), (), ("n",))
    few = {"one": formula("n == 1", number), "few": formula("2 <= n % 10 <= 4", number)}
    node = phrase("{n, plural, one {karta} few {karty} other {karet}}", ANY, few)
    assert [function(node, {})({"n": n}) for n in (1, 3, 5)] == ["karta", "karty", "karet"]


def test_events_of_any_game_may_have_plurals():
    class Found(Event):
        texts: ClassVar[dict[str, str]] = {"found": "{who} finds {a, plural, one {a coin} other {# coins}}"}

    assert [Found("found", 0, n, 0).text(["Ann"]) for n in (1, 2)] == ["Ann finds a coin", "Ann finds 2 coins"]
