"""The whole tree of a small two-player game, as flat arrays, built by the game's own rules.

An information set is all that a seat has observed: every change of its view, every event as it may
know it, and its own moves, in order (perfect recall). Views alone would not do: in Show, a seat that
knew neither card of a king's exchange has the same view after it as if they had been left alone.

A *choice* is one move in one information set. Choices are numbered so that those of a set lie side by
side and come after the choice that led there; a policy is one probability for each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.legal import asking, moves_of, words_of
from pitboss.core.step import DEALER, OVER, SHARE, Step
from pitboss.core.types import Array, EventBuffer, GameView

Ints: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

MOST_NODES = 5_000_000
SEATS = 2
_CHUNK = 1 << 14  # positions that grow at once; each takes about a kilobyte while it does


class SolveError(PitbossError):
    """A game that cannot be solved exactly."""


@dataclass(frozen=True)
class Tree:
    """A game written out.

    Nodes are in order of depth, the root first. `ends_…` adds up all ends that come after the same last
    choice of either seat, which is all that solving needs; there, as in `set_parent`, the number
    `choices` stands for no choice yet.

    >>> from pitboss import load
    >>> tree = build(load("show:classic(deck=* * * 2 2)"))
    >>> tree.nodes, tree.sets, tree.choices
    (524, 95, 190)
    """

    game: Game
    parent: Ints  # of each node: the node before it
    move: Ints  # of each node: the move or card that led to it
    chance: Floats  # of each node: how likely that card was, 1 after a player's move
    player: Ints  # of each node: who is to act, DEALER or OVER
    information: Ints  # of each node: its information set, or -1
    payoff: Floats  # of each node: what seat 0 gets, if it is an end
    set_seat: Ints  # of each information set: whose it is
    set_parent: Ints  # of each information set: the last choice of its seat before it
    set_view: Ints  # of each information set: the record that its seat looks at
    set_choices: Ints  # where its choices begin; one more entry for the end
    choice_move: Ints  # of each choice: the move
    choice_seat: Ints  # of each choice: whose it is
    ends_first: Ints  # of each pair of last choices: seat 0's
    ends_second: Ints  # and seat 1's
    ends_payoff: Floats  # and the payoff to seat 0, times the chance of the cards

    @property
    def nodes(self) -> int:
        """How many positions there are."""
        return len(self.parent)

    @property
    def sets(self) -> int:
        """How many information sets there are."""
        return len(self.set_seat)

    @property
    def choices(self) -> int:
        """How many choices there are, over all information sets."""
        return len(self.choice_move)

    def view(self, information: int) -> GameView:
        """What the seat to act looks at in an information set."""
        return self.game.view(self.set_view[information].tobytes(), int(self.set_seat[information]))


def build(game: Game, most_nodes: int = MOST_NODES) -> Tree:
    """The tree of a game for two seats whose payoffs add up to nothing. The payoff is the game's figure of that name,
    or else the share of the win less one half.

    >>> from pitboss import load
    >>> build(load("show:classic"), most_nodes=1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pitboss.analysis.trees.tree.SolveError: the tree of show:classic is too large to solve: it has ...
    """
    return _Builder(game, most_nodes).build()


def payoff_column(game: Game) -> int:
    """The column of `tally` that has the payoff: that of a figure named so, or else the share of the win."""
    return next((figure.place for figure in game.figures if figure.name == "payoff"), SHARE)


class _Children(NamedTuple):
    """What growing writes about the nodes of the next level, in order of parent and move."""

    states: Array
    views: Array  # [seat, node]
    events: EventBuffer
    moves: Array
    chances: Array
    payoffs: Array  # [seat, node]


class _Grower(NamedTuple):
    """Two compiled functions on arrays of positions; the rules in them are the game's own."""

    look: Callable[..., None]  # (states, rules, legal): the legal moves of each, as words of bits
    grow: Callable[..., None]  # (states, rules, legal, tallied, column, children): all positions one move further


@cache
def _grower(step: Step) -> _Grower:
    _, asked, apply, _, observe, tally, most = step
    write = asking(asked, most).write

    def look(states: Array, rules: Array, legal: Any) -> None:
        for i in range(len(states)):
            write(states[i], rules[0], legal[i])

    def grow(states: Array, rules: Array, legal: Any, tallied: Array, column: int, children: _Children) -> None:
        r, child = rules[0], 0
        for i in range(len(states)):
            for move in range(most):
                if not (legal[i, move >> 6] >> np.uint64(move & 63)) & np.uint64(1):
                    continue
                children.states[child] = states[i]
                s = children.states[child]
                children.moves[child] = move
                children.chances[child] = 1.0
                if int(s["to_act"]) == DEALER:
                    children.chances[child] = int(s["left"][move]) / int(s["left_total"])
                apply(s, r, move, children.events[child])
                for seat in range(SEATS):
                    children.views[seat, child] = observe(s, r, seat, children.views[seat, child])
                if int(s["to_act"]) == OVER:
                    tally(s, tallied)
                    for seat in range(SEATS):
                        children.payoffs[seat, child] = tallied[seat, column]
                child += 1

    return _Grower(compiled(look, inline=False), compiled(grow, inline=False))


class _Numbers:
    """Numbers for rows of bytes: equal rows get equal numbers, new ones the next."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}

    def of(self, rows: Ints) -> Ints:
        known, row = self.known, np.dtype((np.void, rows.nbytes // max(len(rows), 1)))
        keys = np.frombuffer(rows.tobytes(), row).tolist() if len(rows) else []
        return np.fromiter((known.setdefault(key, len(known)) for key in keys), np.int64, len(keys))


def _counts(legal: Ints) -> Ints:
    counts: Ints = np.bitwise_count(legal).sum(1, dtype=np.int64)
    return counts


@dataclass
class _Level:
    """The nodes of one depth: what a tree keeps of them, and what is needed to go on."""

    states: Ints
    parent: Ints
    move: Ints
    chance: Floats
    reach: Floats  # the chance of all cards so far
    payoff: Floats
    views: Ints  # [seat, node]: the number of its view
    histories: Ints  # [seat, node]: the number of all that it has observed
    last: Ints  # [seat, node]: its last choice, or -1

    def __post_init__(self) -> None:
        self.player = self.states["to_act"].astype(np.int64)
        self.information = np.full(len(self.player), -1, np.int64)


class _Builder:
    def __init__(self, game: Game, most_nodes: int) -> None:
        game.verify_seats(SEATS)
        self.game, self.most_nodes, self.column = game, most_nodes, payoff_column(game)
        self.functions = _grower(game.step)
        self.views, self.buffers, self.sets, self.offers = _Numbers(), _Numbers(), _Numbers(), _Numbers()
        self.histories = [_Numbers() for _ in range(SEATS)]
        self.seen = [np.zeros(0, np.int64) for _ in range(SEATS)]  # what a seat sees of each buffer of events
        self.sights: dict[Any, int] = {(): 0}
        self.set_rows = np.zeros((0, 4), np.int64)  # seat, parent, view, legal moves (by number)
        self.set_choices = np.zeros(1, np.int64)

    def build(self) -> Tree:
        levels, level, first = [], self._root(), 0  # first: the number of a level's first node
        while len(level.parent):
            legal = self._inform(level)
            levels.append(level)
            below = first + len(level.parent)
            nodes = below + int(np.bitwise_count(legal).sum())
            if nodes > self.most_nodes:
                raise SolveError(
                    f"the tree of {self.game} is too large to solve: it has {nodes:,} positions after {len(levels)} "
                    f"moves and cards, and the limit is {self.most_nodes:,}. Choose rules that make a game shorter, "
                    "with fewer cards or rounds"
                )
            level, first = self._next(level, legal, first), below
            levels[-1].states = np.zeros(0)  # by far the largest part, and not needed any more
        return self._tree(levels)

    def _root(self) -> _Level:
        position = self.game.start(SEATS)
        views = np.zeros((SEATS, 1), self.game.view_dtype)
        for seat in range(SEATS):
            self.game.loops.observe(position.states, self.game.record, seat, position.views)
            views[seat] = position.views
        none, one = np.full((SEATS, 1), -1, np.int64), np.ones(1)
        root = _Level(position.states, none[0], none[0], one, one, np.zeros(1), none, none.copy(), none.copy())
        root.views, root.histories = self._observed(root, np.zeros(1, np.int64), none[0], views, position.buffer[None])
        return root

    def _inform(self, level: _Level) -> Ints:
        """Put the nodes of a level into their information sets; the legal moves of each, as words of bits."""
        legal = np.zeros((len(level.states), words_of(self.game.step.moves)), np.uint64)
        self.functions.look(level.states, self.game.record, legal)
        deciding = np.flatnonzero(level.player >= 0)
        seat = level.player[deciding]
        known = len(self.sets.known)
        information = self.sets.of(np.stack([seat, level.histories[seat, deciding]], 1))
        level.information[deciding] = information
        numbers, where = np.unique(information, return_index=True)
        new = where[numbers >= known]
        seats, nodes = seat[new], deciding[new]
        offers = self.offers.of(legal[deciding])
        rows = np.stack([seats, level.last[seats, nodes], level.views[seats, nodes], offers[new]], 1)
        ends = self.set_choices[-1] + np.cumsum(_counts(legal[nodes]))
        self.set_rows = np.concatenate([self.set_rows, rows])
        self.set_choices = np.concatenate([self.set_choices, ends])
        if np.any(self.set_rows[information, 3] != offers):
            raise SolveError(f"a view of {self.game} hides what its seat may do, so no strategy can be written down")
        return legal

    def _next(self, level: _Level, legal: Ints, first: int) -> _Level:
        """All nodes one move further; `first` is the number of this level's first node."""
        counts = _counts(legal)
        parent = np.repeat(np.arange(len(legal)), counts)
        total = len(parent)
        rank = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        states = np.zeros(total, self.game.state_dtype)
        move, chance, payoff = np.zeros(total, np.int64), np.zeros(total), np.zeros((SEATS, total))
        views, histories = np.zeros((SEATS, total), np.int64), np.zeros((SEATS, total), np.int64)
        for start in range(0, len(legal), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            out = slice(*np.searchsorted(parent, [start, start + _CHUNK]))
            size = out.stop - out.start
            seen = np.zeros((SEATS, size), self.game.view_dtype)
            events = np.repeat(self.game.event_buffer()[None], size, 0)
            children = _Children(states[out], seen, events, move[out], chance[out], payoff[:, out])
            tallied = np.zeros((SEATS, self.game.width))
            self.functions.grow(level.states[chunk], self.game.record, legal[chunk], tallied, self.column, children)
            views[:, out], histories[:, out] = self._observed(level, parent[out], move[out], seen, events)
        if self.column == SHARE:
            payoff = (payoff - payoff[::-1]) / 2  # a game without a winner is worth as much as a tie
        if np.any(payoff.sum(0)):
            raise SolveError(f"the payoffs of {self.game} do not add up to nothing; only such games can be solved")
        last = level.last[:, parent]
        chosen = np.flatnonzero(level.player[parent] >= 0)
        by = parent[chosen]
        last[level.player[by], chosen] = self.set_choices[level.information[by]] + rank[chosen]
        reach = level.reach[parent] * chance
        return _Level(states, parent + first, move, chance, reach, payoff[0], views, histories, last)

    def _observed(self, level: _Level, parent: Ints, move: Ints, views: Ints, events: Ints) -> tuple[Ints, Ints]:
        """The numbers of the views after these moves, and of all that each seat has observed by then."""
        buffers = self._buffers(events)
        view, history = np.zeros(views.shape, np.int64), np.zeros(views.shape, np.int64)
        for seat in range(SEATS):
            view[seat] = self.views.of(views[seat])
            sight = self.seen[seat][buffers]
            own = np.where(level.player[parent] == seat, move, -1)
            before = level.histories[seat, parent]
            # A step that shows a seat nothing leaves no trace, not even that there was one.
            told = np.flatnonzero((own >= 0) | (sight > 0) | (view[seat] != level.views[seat, parent]))
            history[seat] = before
            rows = np.stack([before[told], own[told], view[seat, told], sight[told]], 1)
            history[seat, told] = self.histories[seat].of(rows)
        return view, history

    def _buffers(self, events: Ints) -> Ints:
        """The numbers of these buffers of events. There are few different ones: each is read once."""
        known = len(self.buffers.known)
        numbers = self.buffers.of(events)
        fresh, where = np.unique(numbers, return_index=True)
        for buffer in events[where[fresh >= known]]:
            happened = self.game.read_events(buffer.copy())
            for seat in range(SEATS):
                sight = self.sights.setdefault(tuple(e.seen_by(seat) for e in happened), len(self.sights))
                self.seen[seat] = np.append(self.seen[seat], sight)
        return numbers

    def _tree(self, levels: list[_Level]) -> Tree:
        seat, parent, view, offer = self.set_rows.T
        offered = [moves_of(int.from_bytes(words, "little")) for words in self.offers.known]
        choices = int(self.set_choices[-1])
        records = np.frombuffer(b"".join(self.views.known), self.game.view_dtype)
        counts = np.diff(self.set_choices)
        last = np.concatenate([level.last for level in levels], 1)
        names = ("parent", "move", "chance", "player", "information", "payoff", "reach")
        nodes = {name: np.concatenate([getattr(level, name) for level in levels]) for name in names}
        reach, payoff, player = nodes.pop("reach"), nodes["payoff"], nodes["player"]
        over = player == OVER
        pairs, which = np.unique(last[:, over] % (choices + 1), axis=1, return_inverse=True)
        return Tree(
            self.game, **nodes, set_seat=seat, set_parent=parent % (choices + 1), set_view=records[view],
            set_choices=self.set_choices,
            choice_move=np.concatenate([offered[o] for o in offer]), choice_seat=np.repeat(seat, counts),
            ends_first=pairs[0], ends_second=pairs[1],
            ends_payoff=np.bincount(which.ravel(), payoff[over] * reach[over]).astype(np.float64, copy=False),
        )  # fmt: skip
