"""What is said and drawn of a game that describes nothing itself: its wording, made from its layout."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pitboss.core import step
from pitboss.core.events import Event
from pitboss.core.layout import GameLayout
from pitboss.core.types import Data
from pitboss.core.wording import ENGLISH, Wording, read_texts

if TYPE_CHECKING:
    from pitboss.core.game import Game

_QUESTIONS = {"over": "to_act == OVER", "due": "to_act == DEALER", "yours": "to_act == viewer", "waits": "True"}
_FACE = {
    "text": "NAME[card] if card >= 0 and NAME[card] else '?'",
    "kind": "'number' if card >= 0 and NAME[card] else 'hidden'",
    "say": "'card' if card >= 0 and NAME[card] else 'hidden'",
    "values": {"card_name": "name(card)"},
}


def plain_wording(game: Game) -> Wording:
    """The game's own wording, with defaults for all that it leaves out: the cards of its `card_fields` are drawn, and
    all other numbers are told by name."""
    own = game.wording
    structure: Data = {"questions": _QUESTIONS, "face": _FACE}
    drawn, texts = _drawn(game.layout, game.card_fields) if game.layout else ({}, {})
    structure |= {**drawn, "event": {"moments": dict(getattr(game.event_class, "moments", {}))}}
    languages = {
        language: _merged(common, texts, {"events": _events(game), "secret": _secret(game)})
        for language, common in read_texts(os.path.dirname(__file__)).items()
    }
    title = "with round" if game.layout and "round" in game.layout.about else "without round"
    for said in languages.values():
        said["scene"] = {**said.get("scene", {}), "title": said.pop("title")[title]}
    if own is not None:
        structure |= own.structure
        for language, said in own.texts.items():
            languages[language] = _merged(languages.get(language, languages[ENGLISH]), said)
    layout = game.layout.view if game.layout and game.secrets else game.layout
    constants: Data = {
        **card_names(game),
        **{n: v for n, v in vars(step).items() if n.isupper() and isinstance(v, int)},
    }
    constants |= {"DEAL": game.deals[0], **(own.constants if own else {})}
    return Wording(lambda: (structure, languages), own.layout if own else layout, lambda: constants)


def _merged(*tables: Data) -> Data:
    out: Data = {}
    for table in tables:
        out |= {name: {**out.get(name, {}), **part} for name, part in table.items()}
    return out


def card_names(game: Game) -> Data:
    shape = (game.state_dtype["left"].shape or (0,)) if "left" in (game.state_dtype.names or ()) else (0,)
    return {"NAME": tuple(game.format_card(card) for card in range(shape[0]))}


def _events(game: Game) -> Data:
    made = getattr(game, "event_class", Event)
    if told_by_texts(made):
        return dict(made.texts)
    return dict.fromkeys(game.event_kinds, "{who}: {kind}")


def told_by_texts(made: type[Any]) -> bool:
    """Whether the texts of a class of events are all that it says."""
    return issubclass(made, Event) and made.words is Event.words and made.text is Event.text


def _secret(game: Game) -> Data:
    return dict(getattr(game.event_class, "secret", {}))


def _drawn(layout: GameLayout, cards: Iterable[str]) -> tuple[Data, Data]:
    """How a table of this layout is drawn, and its texts."""
    sizes = {name: (*shape, ())[0] for name, _, *shape in layout.fields}
    common = [field for field in layout.about if field not in layout.each]
    rows = [_row(f"{field}[seat]", len(sizes[field]) == 2) for field in layout.each if field in cards]
    own = [field for field in layout.each if field not in (*cards, "won") and len(sizes[field]) == 1]
    facts = [field for field in common if field not in (*cards, "round", "turn") and not sizes[field]]
    structure: Data = {
        "seat": {
            "rows": rows,
            "values": {field: f"{field}[seat]" for field in own},
            "captions": {"facts": "True"},
            "badges": {"wins": "won[seat] and ended != RUNNING"} if "won" in layout.each else {},
            **({"total": "total"} if "total" in own else {}),
        },
        "centre": {_words(field): _row(field, bool(sizes[field])) for field in common if field in cards},
    }
    texts = {
        "captions": {"facts": _told(own)},
        "scene": {"caption": _told(facts)},
        "centre": {_words(field): _words(field) for field in common if field in cards},
    }
    return structure, texts


def _row(field: str, several: bool) -> str:
    """Cards by their numbers; -1 is none, less is one that lies face down."""
    return f"[card for card in {field if several else f'[{field}]'} if card != -1]"


def _told(fields: Iterable[str]) -> str:
    return ", ".join(f"{_words(field)} {{{field}}}" for field in fields)


def _words(field: str) -> str:
    return field.replace("_", " ")
