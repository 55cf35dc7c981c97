"""Moves of several words, typed at a terminal: what can come next, and the tab key.

bid 3       bid 3 … 1, 2, 3, 4, 5, 6
bid 3 <Tab> offers the same, where Python has readline
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

FEW = 12  # moves up to which all are listed before one is typed


def offered(answer: str, labels: Sequence[str]) -> int:
    """Which of the offered moves an answer repeats, or the end of which alone; -1: none.

    >>> labels = ["to yourself", "to ann", "to bob", "to bob-2"]
    >>> offered("to ann", labels), offered("Bob", labels), offered("to carl", labels)
    (1, 2, -1)
    """
    said, plain = answer.strip().lower(), [label.lower() for label in labels]
    places = [i for i, label in enumerate(plain) if label == said]
    places = places or [i for i, label in enumerate(plain) if label.endswith(f" {said}")]
    return places[0] if len(places) == 1 else -1


class WordTree:
    """The moves that are possible now, by their words.

    >>> moves = WordTree(["liar", "bid 1 5", "bid 1 6", "bid 2 1"])
    >>> moves.next([]), moves.next(["bid"]), moves.next(["bid", "1"]), moves.next(["liar"])
    ('liar, bid …', '1, 2', '5, 6', '')
    >>> WordTree([f"draw {n}" for n in range(1, 61)]).next(["draw"])
    '1 to 60'
    >>> moves.advice("bid 1 9", "'bid 1 9' is not a move")
    "'bid 1 9' is not a move; you may: bid 1 … 5, 6"
    """

    def __init__(self, moves: Iterable[str]) -> None:
        self._moves = [text.split() for text in moves]

    def after(self, words: Sequence[str]) -> dict[str, bool]:
        """The words that can follow on these, and whether more words come after them."""
        at, typed = len(words), [word.lower() for word in words]
        open_to = [move for move in self._moves if len(move) > at and [word.lower() for word in move[:at]] == typed]
        return {move[at]: len(move) > at + 1 for move in open_to}

    def next(self, words: Sequence[str]) -> str:
        """The same as a text; empty if nothing can follow."""
        after = self.after(words)
        numbers = [int(word) for word in after if word.isdecimal()]
        if len(numbers) > FEW and numbers == [*range(numbers[0], numbers[0] + len(after))]:
            return f"{numbers[0]} to {numbers[-1]}"
        mixed = len({*after.values()}) > 1 or len(after) == 1  # then it helps to see which words are not enough
        return ", ".join(f"{word} …" if more and mixed else word for word, more in after.items())

    def advice(self, answer: str, refusal: str) -> str:
        """What to say to an answer that is not a move: what can follow its first words, if these are right."""
        words = answer.removesuffix("?").split()
        depth = next((n for n in range(len(words), 0, -1) if self.after(words[:n])), 0)
        if not depth:
            return ""
        then = f"{' '.join(words[:depth])} … {self.next(words[:depth])}"
        return then if depth == len(words) else f"{refusal}; you may: {then}"

    @contextmanager
    def completed(self) -> Iterator[None]:
        """While somebody types, the tab key completes words."""
        try:
            import readline
        except ImportError:  # Windows
            yield
            return

        def complete(text: str, state: int) -> str | None:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            fitting = [word for word in self.after(before) if word.lower().startswith(text.lower())]
            return f"{fitting[state]} " if state < len(fitting) else None

        kept, marks = readline.get_completer(), readline.get_completer_delims()
        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
        try:
            yield
        finally:
            readline.set_completer(kept)
            readline.set_completer_delims(marks)
