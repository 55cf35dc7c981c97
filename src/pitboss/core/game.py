"""A game as Python sees it: `Game` is one rule book, `Position` a game in progress.

A new game is a folder with a subclass of `Game` and a line in the registry. It brings its rules,
its state record, its `Step`, and how its views, moves and events read; everything else in pitboss
works from those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pitboss.core import events
from pitboss.core.analysis import Analysis
from pitboss.core.bot import RANDOM, BotEntry
from pitboss.core.companion import Chart, Companion, TableSetup
from pitboss.core.errors import IllegalMove, NotationError, PitbossError, SpecError, unknown
from pitboss.core.figure import Figure, place_of
from pitboss.core.layout import GameLayout
from pitboss.core.learning import Learning, generic
from pitboss.core.legal import moves_of, some
from pitboss.core.plain import plain_wording
from pitboss.core.scene import Coming, Scene
from pitboss.core.secrets import NOBODY, Secrets
from pitboss.core.side import Outcome, RuleBook
from pitboss.core.step import CUT, DEALER, FAULT, OVER, SHARE, TIED, WIN_COLUMNS, WON, Step, StepParts
from pitboss.core.task import Task
from pitboss.core.types import Array, Data, Dtype, GameEvent, GameView
from pitboss.core.view import View
from pitboss.core.wording import Wording

if TYPE_CHECKING:
    from pitboss.core.loop import Loops


class Game(RuleBook):
    """One rule book of one game. Two games are equal if their rules are."""

    step: ClassVar[Step]
    parts: ClassVar[StepParts | None] = None  # of `step.apply`, if the rule book offers them
    layout: ClassVar[GameLayout | None] = None  # of the state; the next two follow from it, or are given instead
    state_dtype: ClassVar[Dtype]
    view_dtype: ClassVar[Dtype]
    secrets: ClassVar[Secrets | None] = None  # `imagine` follows from it, or is written by the game
    event_kinds: ClassVar[tuple[str, ...]]  # follows from the texts of an `events.Event`
    most_events: ClassVar[int] = 63  # that one move can cause
    card_names: ClassVar[tuple[str, ...]] = ()  # by number; a game without must define format_card and parse_card
    card_fields: ClassVar[tuple[str, ...]] = ()  # fields of the layout that hold cards: drawn, where no scene is made
    view_class: ClassVar[type[Any] | None] = View
    columns: ClassVar[tuple[str, ...]]  # of tally, behind those that all games have (`step.WIN_COLUMNS`)
    score: ClassVar[str]  # which of them is the score
    figures: ClassVar[tuple[Figure, ...]] = ()  # what a simulation reports
    round_limit: ClassVar[str] = ""  # the switch with the number of rounds after which a game ends, if it has rounds
    length: ClassVar[str | None] = None  # which of them says how long a game was; None: count decisions
    stake: ClassVar[str] = ""  # of a view: how much a seat could lose by playing on, such as points; "": none is
    environments: ClassVar[dict[str, Data]] = {}  # for learning: names and settings; else one, named like it

    levels: ClassVar[Mapping[str, int]] = {}  # how strong bots are for people, from 1 (a beginner) to 5
    tasks: ClassVar[tuple[Task, ...]] = ()  # at which bots are measured; else one, at its first table

    width: ClassVar[int] = 0  # of a row of tally; these three follow from the names above
    score_place: ClassVar[int] = -1
    length_place: ClassVar[int | None] = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.layout is not None:
            cls.state_dtype = cls.layout.dtype
            cls.view_dtype = cls.layout.view.dtype if cls.secrets else cls.state_dtype
        if "event_kinds" not in vars(cls) and getattr(getattr(cls, "event_class", None), "texts", None):
            cls.event_kinds = tuple(cls.event_class.texts)
        if not hasattr(cls, "columns") or not hasattr(cls, "score"):
            return  # half written, which `contract.verify` tells
        cls.score_place = place_of(cls.score, cls.columns)
        cls.length_place = None if cls.length is None else place_of(cls.length, cls.columns)
        cls.width = len(WIN_COLUMNS) + len(cls.columns)
        cls.figures = tuple(figure.among(cls.columns) for figure in cls.figures)

    @cached_property
    def _text(self) -> str:
        return f"{self.name}:{self.rules}"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"load({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> Any:
        return type(self).parse, (str(self.rules),)

    @property
    def has_secrets(self) -> bool:
        """Whether a seat may not know everything that lies on the table."""
        return self.view_dtype is not self.state_dtype

    @cached_property
    def record(self) -> Array:
        """The rules for compiled code."""
        return self.rules.record()  # type: ignore[no-any-return]

    @cached_property
    def loops(self) -> Loops:
        """The compiled loops of this game."""
        from pitboss.core.loop import loops

        return loops(self.step, self.state_dtype, self.view_dtype, self.rules_class.dtype())

    def legal_bits(self, raw: bytes) -> int:
        """The legal moves of whoever is to act in the view with these bytes, as bits. The rule book can be asked if
        a view has all fields of a state that it looks at; `moves_of` makes a list of them."""
        return int(self.loops.legal(np.frombuffer(raw, self.view_dtype).copy(), self.record))

    @cached_property
    def learning(self) -> Learning:
        """What learning agents see, can do, and are paid."""
        return self.make_learning()

    def make_learning(self) -> Learning:
        """A game that says nothing shows its view as it is, and pays the share of the win."""
        return generic(self.step, self.state_dtype, self.view_dtype, self.width)

    @cached_property
    def analysis(self) -> Analysis | None:
        """What the game itself says about good play; `pitboss.analysis.analysis_of` answers for every game."""
        return self.make_analysis()

    def make_analysis(self) -> Analysis | None:
        """A game that says nothing is analysed by rollouts."""
        return None

    def make_companion(self, setup: TableSetup) -> Companion | None:
        """A real table that is followed, in the game's own words; `pitboss.analysis.companion` has one for all games
        without secrets."""
        return None

    def make_chart(self, progress: Callable[[int, int], None] | None = None) -> Chart | None:
        """A page for the wall: what to do when, if the game can say that on a page."""
        return None

    def verify_seats(self, seats: int) -> None:
        """Refuse a number of seats that this table has not."""
        allowed = self.rules.seats
        if seats not in allowed:
            some = (
                f"exactly {allowed[0]} seat{'s' * (allowed[0] > 1)}"
                if len(allowed) == 1
                else f"{allowed[0]} to {allowed[-1]} seats"
            )
            raise SpecError(f"{self} is for {some}, not {seats}{self.seats_hint(seats)}")

    def seats_hint(self, seats: int) -> str:
        """What to do about a refused number of seats."""
        return ""

    def start(self, seats: int) -> Position:
        """A new game, up to its first card or decision."""
        self.verify_seats(seats)
        position = Position(self)
        self.loops.start(position.states, self.record, seats, position.buffer)
        return position

    def compact(self, seats: int) -> Dtype:
        """The state's record cut down to what so many seats need under these rules, for devices with little memory:
        the same fields, with smaller numbers and shorter arrays (but `left`, which is walked to its end)."""
        return self.state_dtype

    def imagine(self, view: GameView, luck: int) -> Position:
        """A position that the seat whose view this is cannot tell from the real one.

        Where all is open there is only one; a game with secrets deals anew what the seat cannot see.
        """
        if self.secrets:
            return self.secrets.imagine(view, Position(self), luck)
        if self.has_secrets:
            raise PitbossError(f"{self.name} has secrets, so its class must define imagine(self, view, luck)")
        position = Position(self)
        position.states[0] = view.state
        return position

    def event_buffer(self) -> Array:
        """A buffer that `step` writes events into."""
        return events.buffer(self.most_events)

    def read_events(self, buffer: Array) -> list[GameEvent]:
        """The events in a buffer, which is emptied."""
        return [self.event_class(self.event_kinds[kind], *rest) for kind, *rest in events.drain(buffer)]

    # What a game says about itself:

    @cached_property
    def whole_wording(self) -> Wording:
        """All that is said and drawn: what the game's own wording leaves out has defaults."""
        whole = self.wording and all(self.wording.says(part) for part in ("seat", "questions", "face", "event"))
        return self.wording if self.wording and whole else plain_wording(self)

    def describe_words(self) -> Data:
        """What a page needs to say and draw this game, as plain values: `words.js` reads it."""
        from pitboss.core.exported import describe_words

        return describe_words(self)

    def question(self, view: GameView) -> str:
        """What the seat that is to act must decide, in words."""
        return self.speaker().question(view)

    def format_card(self, card: int) -> str:
        """A card, which is a dealer's move, as one word."""
        return self.card_names[card]

    def parse_card(self, text: str) -> int:
        """The card that a text means."""
        if text not in self.card_names:
            raise NotationError(unknown(self.deals[0], text, self.card_names))
        return self.card_names.index(text)

    def write_move(self, move: int, dealing: bool, view: GameView = None) -> str:
        """A card, if one is due, or a move, as who has the view says it."""
        if dealing:
            return self.format_card(move)
        return self.format_move(move) if view is None else self.format_move_at(view, move)

    def read_move(self, text: str, dealing: bool, view: GameView = None) -> int:
        """The card or move that such a text means."""
        if dealing:
            return self.parse_card(text)
        return self.parse_move(text) if view is None else self.parse_move_at(view, text)

    def odds(self, view: GameView) -> list[str]:
        """What a seat might want to know before it decides: lines of numbers."""
        coming = "   ".join(f"{card.face.name} {card.chance:.1%}" for card in self.next_cards(view))
        return [f"The next {self.deals[0]}: {coming}"] if coming else []

    def next_cards(self, view: GameView) -> list[Coming]:
        """Every card that may come next, as far as a seat can know, with its chance."""
        return []

    def describe_move(self, view: GameView, move: int, names: Sequence[str]) -> str:
        """What a legal move means here, for a person who must choose."""
        if self.wording and self.wording.says("moves"):
            return self.speaker().move(view, move, names)
        return self.format_move_at(view, move)

    def key(self, move: int) -> str:
        """A key that makes this move, in the terminal and in the browser; without one, `shortcuts` finds some."""
        return ""

    def scene(self, view: GameView, names: Sequence[str]) -> Scene:
        """A view to look at."""
        if self.layout is None and not self.wording:
            raise NotImplementedError(
                f"{type(self).__name__} has no layout, so it must define scene(self, view, names)"
            )
        return self.speaker().scene(view, names)

    def public_scene(self, position: Position, names: Sequence[str]) -> Scene | None:
        """What everybody in the room may see; None where a game with secrets of its own kind does not say."""
        if not self.has_secrets:
            return self.scene(position.view(0), names)
        return self.scene(position.view(NOBODY), names) if self.secrets else None

    def moment(self, event: GameEvent) -> str | None:
        """What pages make of an event: bust, frozen, triumph, saved, scored, peek, won …; nothing of most."""
        found: str | None = self.whole_wording.part("event", "moments").get(event.kind)
        return found

    def end_of_round(self, before: Position, move: int) -> Position | None:
        """The table as a move or card left it, if that ended a round and the next round clears the table."""
        if not self.round_limit:
            return None
        last, rules = before.copy(), self.record.copy()
        rules[self.round_limit] = 0  # so the game stops where the next round would begin, with all cards on the table
        self.loops.apply(last.states, rules, int(move), last.buffer)
        return last if last.over else None

    def touches(self, view: GameView, move: int) -> tuple[int, int | None] | None:
        """What a person can click on to make a move: a seat, and which of its cards, or None for the seat itself.

        Cards count from 0 in the last row of the seat's scene, and go on in the row above it."""
        return self.speaker().touches(view, move) if self.wording and self.wording.says("touch") else None

    def deck(self) -> list[tuple[str, int]]:
        """The cards by name, and how many of each."""
        left = self.start(self.rules.seats[0]).states["left"][0]
        return [(self.format_card(card), int(n)) for card, n in enumerate(left) if n]

    def bots(self) -> Mapping[str, BotEntry]:
        """The built-in bots by name."""
        return {"random": RANDOM}

    def joints(self) -> Mapping[str, str]:
        """Rules that can be joined to built-in bots with a plus sign, and what they do."""
        return {}

    def default_bots(self) -> list[str]:
        """A line-up worth looking at, for those who name none."""
        names, seats = [*self.bots()], self.rules.seats
        return [names[i % len(names)] for i in range(max(seats[0], min(len(names), seats[-1])))] if names else []

    def rivals(self) -> list[str]:
        """Bots worth beating: what agents that learn are measured against."""
        return self.default_bots() if self.rules.seats[-1] > 1 else []


class Legal(Sequence[int]):
    """The legal moves of a position; a move or its text can be looked up: `"hit" in position.legal`.

    Texts are those of who has the view, if one is given.
    """

    def __init__(self, game: Game, bits: int, dealing: bool, view: GameView = None) -> None:
        self._game, self._dealing, self._view = game, dealing, view
        self._bits, self._moves = bits, tuple(moves_of(bits))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            try:
                move = self._game.read_move(move, self._dealing, self._view)
            except ValueError:
                return False
        return isinstance(move, int | np.integer) and bool(move >= 0 and self._bits >> int(move) & 1)

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, i: Any) -> Any:
        return self._moves[i]

    def __iter__(self) -> Iterator[int]:
        return iter(self._moves)

    def __str__(self) -> str:
        return some([self._game.write_move(move, self._dealing, self._view) for move in self._moves])

    def __repr__(self) -> str:
        return f"<legal: {self}>"


class Position:
    """A game in progress. It checks moves, so that nothing illegal reaches the rules.

    >>> from pitboss import load
    >>> game = load("flip7:solo").start(1)
    >>> [event.kind for event in game.events()]
    ['round started']
    >>> "hit" in game.legal
    True
    >>> [event.kind for event in game.apply("hit")]
    ['hits']
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = np.zeros(1, game.state_dtype)
        hidden = game.view_dtype is not game.state_dtype
        self.views = np.zeros(1, game.view_dtype) if hidden else self.states
        self.buffer = game.event_buffer()

    @property
    def to_act(self) -> int:
        """The seat whose move it is, DEALER (-1) or OVER (-2)."""
        return int(self.states["to_act"][0])

    @property
    def taker(self) -> int:
        """The seat that the next card is for, where the state has a field of this name; otherwise -1."""
        return int(self.states["taker"][0]) if "taker" in (self.game.state_dtype.names or ()) else -1

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act == OVER

    @property
    def cut(self) -> bool:
        """Whether the game ended without a winner, having gone on for too long."""
        return int(self.states["ended"][0]) == CUT

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.states["seats"][0])

    @property
    def legal(self) -> Legal:
        """The legal moves, or cards if a card is due."""
        return Legal(self.game, self._bits(), self.to_act == DEALER, self._view())

    def _bits(self) -> int:
        return int(self.game.loops.legal(self.states, self.game.record))

    def _view(self) -> GameView:
        """The view that texts of moves are read with, where that matters."""
        return self.view(self.to_act) if self.game.texts_need_view and self.to_act >= 0 else None

    def events(self) -> list[GameEvent]:
        """Events not read yet: after the start of a game, its first ones."""
        return self.game.read_events(self.buffer)

    def apply(self, move: int | str) -> list[GameEvent]:
        """Make a move (or deal a card) and return what it caused."""
        if isinstance(move, str):
            move = self.game.read_move(move, self.to_act == DEALER, self._view())
        self.verify(move)
        self.buffer[0, 0] = 0
        self.game.loops.apply(self.states, self.game.record, int(move), self.buffer)
        return self.events()

    def verify(self, move: int) -> None:
        """Raise IllegalMove, with the legal ones, unless this move can be made."""
        if move >= 0 and self._bits() >> int(move) & 1:
            return
        if self.over:
            raise IllegalMove("the game is over")
        if move == FAULT and self.to_act != DEALER:
            return
        try:
            text = self.game.write_move(move, self.to_act == DEALER, self._view())
        except (ValueError, IndexError, TypeError):
            text = repr(move)
        who = "the dealer" if self.to_act == DEALER else f"seat {self.to_act}"
        raise IllegalMove(f"{text} is not legal for {who} now; legal: {self.legal}")

    def view(self, seat: int) -> GameView:
        """What a seat may know now."""
        self.game.loops.observe(self.states, self.game.record, seat, self.views)
        return self.game.view(self.views.tobytes(), seat)

    def copy(self) -> Position:
        """An independent copy."""
        other = Position(self.game)
        other.states[:] = self.states
        other.buffer[:] = self.buffer
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and bool(self.states == other.states)

    __hash__ = None  # type: ignore[assignment]

    @property
    def place(self) -> int:
        """The place of the next card in a key's stream."""
        return int(self.game.loops.where(self.states))

    @property
    def outcome(self) -> Outcome:
        """How the finished game ended."""
        rows = np.zeros((self.seats, self.game.width))
        self.game.loops.tally(self.states, rows)
        ended = {WON: "won", TIED: "tied", CUT: "cut"}[int(self.states["ended"][0])]
        shares = tuple(float(x) for x in rows[:, SHARE])
        winners = tuple(i for i, x in enumerate(shares) if x > 0) if ended != "cut" else ()
        return Outcome(ended, winners, shares, tuple(int(x) for x in rows[:, self.game.score_place]))
