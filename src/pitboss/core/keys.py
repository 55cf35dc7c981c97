"""Where all luck comes from: a hash of a 128-bit key and two words.

The first word is the number of the deal, the second says which card of it (or which decision
of a bot) is meant. There is no generator state: any card of any deal can be asked for by
anyone, in any order, on any machine, and the answer is the same.

- Dealer's words are below 2**56 and are made by the game (`Step.where`).
- A bot's luck begins at a word with the top byte set, so it is unrelated to any card, and goes on
  from there by SplitMix64 (`splitmix`), which is faster: nobody's luck need be kept secret from its owner.

The key says how it deals:

- `key:…` by SipHash-1-3 for every card. SipHash is made to keep a secret key secret from those who see its
  outputs; 128 bits cannot be searched. Where somebody might gain from foreseeing a card, this is how to deal.
- `quick:…` by SipHash-1-3 for every deal, and within it by SplitMix64, which is a fifth of the work on a GPU. For
  simulations and training. The cards of a deal tell nothing of the key or of another deal; but nobody has made it
  hard to work out the rest of a deal from many of its cards.

A short seed can be searched whatever it deals by: `Key.from_seed(1)` is for repeatable experiments, `Key.fresh()`
for play that nobody may foresee.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.splitmix import STEP, luck_bits
from pitboss.core.types import Array

Stream: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
KeyWords: TypeAlias = Any  # an array or a tuple of three: the upper half, the lower half, FULL or QUICK

_I0, _I1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_I2, _I3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_LENGTH, _FF = np.uint64(16 << 56), np.uint64(0xFF)
_13, _16, _17, _21, _32 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(32)
_43, _47, _48, _51 = np.uint64(43), np.uint64(47), np.uint64(48), np.uint64(51)
_40, _LUCK = np.uint64(40), np.uint64(1 << 56)
_QUICK_STATE, _QUICK_MASK = np.uint64(2 << 56), np.uint64(3 << 56)  # the places of what a quick deal is made by
_STEP, _0 = np.uint64(STEP), np.uint64(0)

_WHOLE_KEY = re.compile("(key|quick):([0-9a-fA-F]{32})")

FULL, QUICK = np.uint64(0), np.uint64(1)  # how a key deals: the third of its words


@compiled_as(wraps=True)
def _round(v: Stream) -> Stream:
    a, b, c, d = v
    a = a + b
    b = ((b << _13) | (b >> _51)) ^ a
    a = (a << _32) | (a >> _32)
    c = c + d
    d = ((d << _16) | (d >> _48)) ^ c
    a = a + d
    d = ((d << _21) | (d >> _43)) ^ a
    c = c + b
    b = ((b << _17) | (b >> _47)) ^ c
    c = (c << _32) | (c >> _32)
    return a, b, c, d


@compiled
def _absorb(v: Stream, word: np.uint64) -> Stream:
    a, b, c, d = _round((v[0], v[1], v[2], v[3] ^ word))
    return a ^ word, b, c, d


@compiled
def stream(high: np.uint64, low: np.uint64, deal: np.uint64) -> Stream:
    """The stream of one deal under a key: `word` then reads any place of it."""
    return _absorb((low ^ _I0, high ^ _I1, low ^ _I2, high ^ _I3), deal)


@compiled
def word(of: Stream, place: np.uint64) -> np.uint64:
    """64 random bits: the hash of (key, deal, place)."""
    a, b, c, d = _absorb(_absorb(of, place), _LENGTH)
    a, b, c, d = _round(_round(_round((a, b, c ^ _FF, d))))
    return a ^ b ^ c ^ d


@compiled
def luck(of: Stream, rotation: int, seat: int) -> np.uint64:
    """Where the luck of a bot begins: one hash for each seat in each rotation of a deal."""
    return word(of, _LUCK | (np.uint64(rotation) << _48) | (np.uint64(seat) << _40))


# --- as the key says ---


@compiled
def _full_stream(key: KeyWords, deal: np.uint64) -> Stream:
    return stream(key[0], key[1], deal)


@compiled_as(wraps=True)
def _quick_stream(key: KeyWords, deal: np.uint64) -> Stream:
    """A state of SplitMix64, and a mask: two deals can meet on the long way of SplitMix64, and by the mask their cards
    differ even then. No full stream ends with two zeros."""
    state = word(stream(key[0], key[1], deal), _QUICK_STATE)
    return state, luck_bits(state + _QUICK_MASK * _STEP), _0, _0


@compiled_as(wraps=True)
def _quick_word(of: Stream, place: np.uint64) -> np.uint64:
    return luck_bits(of[0] + place * _STEP) ^ of[1]


@compiled
def _quick_luck(of: Stream, rotation: int, seat: int) -> np.uint64:
    return _quick_word(of, _LUCK | (np.uint64(rotation) << _48) | (np.uint64(seat) << _40))


@compiled
def _is_quick(of: Stream) -> bool:
    return bool((of[2] | of[3]) == _0)


@compiled
def deal_stream(key: KeyWords, deal: np.uint64) -> Stream:
    """The stream of one deal, from the words of a key."""
    return _full_stream(key, deal) if key[2] == FULL else _quick_stream(key, deal)


@compiled
def deal_word(of: Stream, place: np.uint64) -> np.uint64:
    """64 random bits for a place of a deal."""
    return _quick_word(of, place) if _is_quick(of) else word(of, place)


@compiled
def deal_luck(of: Stream, rotation: int, seat: int) -> np.uint64:
    """Where the luck of a bot begins in a deal."""
    return _quick_luck(of, rotation, seat) if _is_quick(of) else luck(of, rotation, seat)


class Dealing(NamedTuple):
    """`deal_stream`, `deal_word` and `deal_luck` of one way, for loops that contain nothing of the other."""

    stream: Callable[[KeyWords, np.uint64], Stream]
    word: Callable[[Stream, np.uint64], np.uint64]
    luck: Callable[[Stream, int, int], np.uint64]

    @classmethod
    def by(cls, way: np.uint64) -> Dealing:
        """`FULL` or `QUICK`."""
        return cls(_full_stream, word, luck) if way == FULL else cls(_quick_stream, _quick_word, _quick_luck)


@compiled
def below(bits: np.uint64, n: int) -> int:
    """A number from 0 to n-1, made of random bits."""
    return int(np.int64(((bits >> _32) * np.uint64(n)) >> _32))  # signed, or compiled code would go on unsigned


@compiled
def draw(left: Array, total: int, bits: np.uint64) -> int:
    """The card that these bits pick among those left: kinds are walked in order, so that every
    single card is equally likely. The walk never stops early: no branch can be mispredicted, and
    games are a tenth faster for it."""
    pick = below(bits, total)
    kind, passed = 0, 0
    for k in range(len(left) - 1):
        passed += int(left[k])
        kind += 1 if pick >= passed else 0
    return kind


def new_seed() -> int:
    """A short seed that nobody chose, easy to write down: for experiments that may be repeated."""
    return secrets.randbelow(10**9)


@dataclass(frozen=True)
class Key:
    """128 bits that decide a whole run, and whether its deals are quick ones.

    >>> Key.from_seed(1) == Key.parse("1")
    True
    >>> Key.parse(str(Key.from_seed(1))) == Key.from_seed(1)
    True
    """

    value: int
    quick: bool = False

    @classmethod
    def from_seed(cls, seed: int, quick: bool = False) -> Key:
        """A short seed, expanded: the first 16 bytes of SHA-256 of its decimal text."""
        if seed < 0:
            raise PitbossError(f"a seed must be a whole number from 0 up, not {seed}")
        digest = hashlib.sha256(f"pitboss seed {seed}".encode()).digest()
        return cls(int.from_bytes(digest[:16], "big"), quick)

    @classmethod
    def fresh(cls, quick: bool = False) -> Key:
        """A key nobody can know, from the operating system."""
        return cls(secrets.randbits(128), quick)

    @classmethod
    def of(cls, seed: Seed, quick: bool = False) -> Key:
        """The key that a seed means; a fresh one if it is None. `quick` is how it deals, unless it is a whole key."""
        if seed is None:
            return cls.fresh(quick)
        if isinstance(seed, Key):
            return seed
        return cls.parse(seed, quick) if isinstance(seed, str) else cls.from_seed(seed, quick)

    @classmethod
    def parse(cls, text: str, quick: bool = False) -> Key:
        """A seed (digits), which deals as `quick` says, or a whole key (`key:` or `quick:` and 32 hexadecimal digits).

        >>> Key.parse("quick:fc1ff87eb5289b56ed91fe9a8d587efc") == Key.from_seed(1, quick=True)
        True
        """
        body = text.strip()
        if whole := _WHOLE_KEY.fullmatch(body):
            return cls(int(whole[2], 16), whole[1] == "quick")
        if body.isascii() and body.isdigit():
            return cls.from_seed(int(body), quick)
        raise PitbossError(
            f"{text!r} is not a seed; give a whole number from 0 up, such as 42, or key: and 32 hexadecimal digits"
        )

    def in_full(self) -> Key:
        """This key; a quick one is refused: for games in which somebody might gain from foreseeing cards."""
        if self.quick:
            raise PitbossError(
                f"{self} deals so that cards could be foreseen; give a seed, or a key that begins with key:"
            )
        return self

    def __str__(self) -> str:
        return f"{'quick' if self.quick else 'key'}:{self.value:032x}"

    @property
    def high(self) -> np.uint64:
        """The upper 64 bits."""
        return np.uint64(self.value >> 64)

    @property
    def low(self) -> np.uint64:
        """The lower 64 bits."""
        return np.uint64(self.value & (2**64 - 1))

    @property
    def way(self) -> np.uint64:
        """`FULL` or `QUICK`."""
        return QUICK if self.quick else FULL

    @property
    def words(self) -> Array:
        """The key for compiled code."""
        return np.array([self.high, self.low, self.way])

    def stream(self, deal: int) -> Stream:
        """The stream of one deal, for `deal_word` and `deal_luck`.

        Compiled functions hand unsigned words back as plain integers, which would be taken for
        signed ones on the way in again: Python callers make them `np.uint64`.
        """
        a, b, c, d = deal_stream(self.words, np.uint64(deal))
        return np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)


Seed: TypeAlias = int | str | Key | None  # a number, a text of one or of a whole key, or None: one that nobody chose
