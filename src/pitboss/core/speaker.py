"""Says and draws what happens, from a game's wording: `words.js` is the same for pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from pitboss.core.events import HIDDEN
from pitboss.core.node import Node, function
from pitboss.core.scene import Face, Scene, SeatScene
from pitboss.core.types import Data, GameView
from pitboss.core.wording import ENGLISH, Wording

Computed = Callable[["Facts"], Any]
NameOf = Callable[[int], str]  # of a card
_NO_FIELDS: Data = {}


class Facts(dict[str, Any]):
    """What is known at a moment: fields of a record and described values, each computed when it is first asked for."""

    __slots__ = ("_fields", "_values", "name_of")

    def __init__(self, fields: Any, values: Mapping[str, Computed], name_of: NameOf, known: Data) -> None:
        super().__init__(known)
        self._fields, self._values, self.name_of = fields, values, name_of

    def __missing__(self, key: str) -> Any:
        if key[0] == "=":
            value = self._values[key](self)
        else:
            value = self._fields[key]
            if isinstance(value, memoryview):
                value = value.tolist()
        self[key] = value
        return value


@cache
def speaker(wording: Wording, language: str = ENGLISH) -> Speaker:
    """Who speaks a language about a game."""
    return Speaker(wording, language)


class Speaker:
    """Speaks one language about one game."""

    def __init__(self, wording: Wording, language: str = ENGLISH) -> None:
        self.wording, self.language = wording, language

    @cached_property
    def _texts(self) -> dict[str, dict[str, Node]]:
        return self.wording.messages(self.language)

    def _function(self, node: Node) -> Computed:
        return function(node, self.wording.constants)

    def _functions(self, nodes: Mapping[str, Node]) -> dict[str, Computed]:
        return {name: self._function(node) for name, node in nodes.items()}

    def _values(self, *scopes: str) -> dict[str, Computed]:
        nodes = self.wording.nodes["values"]
        return {f"={name}": self._function(node) for scope in scopes for name, node in nodes[scope].items()}

    def _cases(self, name: str) -> list[tuple[Computed, Computed]]:
        """When each text of a table is said, and the text."""
        texts = self._texts[name]
        return [(self._function(when), self._function(texts[key])) for key, when in self.wording.nodes[name].items()]

    # cards

    @cached_property
    def _names(self) -> list[str]:
        names: Any = self.wording.constants["NAME"]
        return [str(self._texts["cards"].get(name, name)) for name in names]

    def card(self, card: int) -> str:
        """The name of a card; of a number that is none, nothing."""
        names = self._names
        return names[card] if 0 <= card < len(names) else ""

    @cached_property
    def _face(self) -> tuple[dict[str, Computed], dict[str, Computed], dict[str, Computed]]:
        return self._functions(self.wording.nodes["face"]), self._values("face"), self._functions(self._texts["faces"])

    @cached_property
    def _faces(self) -> dict[tuple[int, bool], Face]:
        return {}

    def face(self, card: int, faded: bool = False) -> Face:
        """A card as drawn."""
        made = self._faces.get((card, faded))
        if made is None:
            how, values, texts = self._face
            facts = Facts(_NO_FIELDS, values, self.card, {"card": card})
            name = texts[how["say"](facts)](facts) if "say" in how else self.card(card)
            tone, mark = (how[part](facts) if part in how else "" for part in ("tone", "mark"))
            made = self._faces[card, faded] = Face(how["text"](facts), how["kind"](facts), name, faded, tone, mark)
        return made

    def faces(self) -> list[Face]:
        """All kinds of cards, as drawn."""
        return [self.face(card) for card, name in enumerate(self._names) if name]

    # events

    @cached_property
    def _event(self) -> tuple[dict[str, Computed], dict[str, Computed], dict[str, Computed]]:
        return self._values("event"), self._functions(self._texts["events"]), self._functions(self._texts["secret"])

    def event(self, event: Any, names: Sequence[str]) -> str:
        """A line for the log."""
        values, texts, secret = self._event
        seat = event.seat
        who = names[seat] if 0 <= seat < len(names) else ""
        known = {"who": who, "seat": seat, "a": event.a, "b": event.b, "kind": event.kind, "names": names}
        facts = Facts(_NO_FIELDS, values, self.card, known)
        covered = event.a == event.b == HIDDEN and event.kind in secret
        return (secret if covered else texts)[event.kind](facts)  # type: ignore[no-any-return]

    # decisions

    def _facts(self, view: GameView, values: Mapping[str, Computed], names: Sequence[str], viewer: int) -> Facts:
        game, layout = view.game, self.wording.layout
        fields = layout.reader(view.raw) if layout else _NO_FIELDS
        known = {"names": names, "viewer": viewer, "game": game.full_title, "rules": game.named_rules}
        return Facts(fields, values, self.card, known)

    @cached_property
    def _questions(self) -> tuple[dict[str, Computed], list[tuple[Computed, Computed]]]:
        return self._values("table"), self._cases("questions")

    def question(self, view: GameView, names: Sequence[str] = ()) -> str:
        """What is being decided."""
        values, cases = self._questions
        return _first(cases, self._facts(view, values, names, view.seat))

    @cached_property
    def _moves(self) -> tuple[dict[str, Computed], list[tuple[Computed, Computed]]]:
        return self._values("table", "move"), self._cases("moves")

    def move(self, view: GameView, move: int, names: Sequence[str]) -> str:
        """What a move means, for who must choose."""
        values, cases = self._moves
        facts = self._facts(view, values, names, view.seat)
        facts["move"] = int(move)
        return _first(cases, facts)

    @cached_property
    def _touch(self) -> tuple[dict[str, Computed], dict[str, Computed]]:
        return self._values("table", "move"), self._functions(self.wording.nodes["touch"])

    def touches(self, view: GameView, move: int) -> tuple[int, int | None] | None:
        """What a person can click on to make a move, as `Game.touches` says it."""
        values, touch = self._touch
        facts = self._facts(view, values, (), view.seat)
        facts["move"] = int(move)
        seat = touch["seat"](facts)
        card = touch["card"](facts) if "card" in touch and seat >= 0 else -1
        return None if seat < 0 else (seat, None if card < 0 else card)

    # the rules

    def rules(self, rules: Mapping[str, Any]) -> list[str]:
        """Sentences that explain a table to somebody who has never played; `rules` are those of `Side.named_rules`."""
        facts = Facts(rules, self._values("rules"), self.card, {})
        return [said(facts) for when, said in self._cases("rules") if when(facts)]

    # the table

    @cached_property
    def _scene(self) -> _SceneParts:
        return _SceneParts(self)

    def scene(self, view: GameView, names: Sequence[str], viewer: int | None = None) -> Scene:
        """The table as a seat sees it, or as `viewer` does, which is -1 for somebody who only watches."""
        parts = self._scene
        facts = self._facts(view, parts.values, names, view.seat if viewer is None else viewer)
        count = facts["seats"] if parts.has_seats else len(names)
        seats = tuple(parts.seat(facts, seat, names[seat]) for seat in range(count))
        rows = ((said, tuple(map(self.face, cards(facts)))) for cards, said in parts.centre)
        centre = tuple((said(facts), row) for said, row in rows if row)
        return Scene(parts.title(facts), parts.caption(facts), seats, centre, *parts.numbers(facts))


class _SceneParts:
    """The parts of a scene as functions."""

    def __init__(self, speaker: Speaker) -> None:
        wording, texts, of = speaker.wording, speaker._texts, speaker._function
        nodes, scene = wording.nodes, texts["scene"]
        missing = None  # what a game does not say is not drawn
        self.face = speaker.face
        self.values = speaker._values("table", "seat")
        self.of_seat = [f"={name}" for name in nodes["values"]["seat"]]
        self.has_seats = wording.layout is not None and "seats" in wording.layout.at
        self.title, self.caption = of(scene.get("title", "")), of(scene.get("caption", ""))
        self.centre = speaker._cases("centre")
        self.rows = [of(node) for node in nodes["rows"]]
        self.faded, self.out = (of(nodes["seat"].get(name, 0)) for name in ("faded", "out"))
        self.captions, self.badges = speaker._cases("captions"), speaker._cases("badges")
        self.states = [(of(when), state) for state, when in nodes["states"].items()]
        self.scores = [of(nodes["seat"].get(name, missing)) for name in ("points", "total")]
        self.counts = [of(nodes["scene"].get(name, missing)) for name in ("target", "deck", "discarded")]

    def numbers(self, facts: Facts) -> tuple[int | None, ...]:
        """The target, and how many cards are in the deck and discarded."""
        return tuple(map(_whole, (count(facts) for count in self.counts)))

    def seat(self, facts: Facts, seat: int, name: str) -> SeatScene:
        """One player's place."""
        facts["seat"] = seat
        for key in self.of_seat:
            facts.pop(key, None)
        faded, face, badges = bool(self.faded(facts)), self.face, []
        for when, said in self.badges:
            found = when(facts)
            if isinstance(found, list):  # a badge for each
                for facts["it"] in found:
                    badges.append(said(facts))
            elif found:
                badges.append(said(facts))
        rows = tuple(tuple([face(card, faded) for card in row(facts)]) for row in self.rows)
        caption = _first(self.captions, facts)
        state = next((state for when, state in self.states if when(facts)), "")
        points, total = (_whole(score(facts)) for score in self.scores)
        acts, out = facts["to_act"] == seat, bool(self.out(facts))
        return SeatScene(name, rows, tuple(badges), caption, acts, out, state, points, total)


def _whole(number: Any) -> int | None:
    return None if number is None else int(number)


def _first(cases: Sequence[tuple[Computed, Computed]], facts: Facts) -> str:
    """The first text that is to be said, or none."""
    for when, said in cases:
        if when(facts):
            return said(facts)  # type: ignore[no-any-return]
    return ""
