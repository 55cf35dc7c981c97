"""Where all luck comes from: SipHash-1-3 of a 128-bit key and two words.

The first word is the number of the deal, the second says which card of it (or which decision
of a bot) is meant. There is no generator state: any card of any deal can be asked for by
anyone, in any order, on any machine, and the answer is the same.

- Dealer's words are below 2**56 and are made by the game (`Step.where`).
- A bot's luck begins at a word with the top byte set, so it is unrelated to any card, and goes on
  from there by SplitMix64 (`splitmix`), which is faster: nobody's luck need be kept secret from its owner.

SipHash is made to keep a secret key secret from those who see its outputs; 128 bits cannot be
searched. A short seed can: `Key.from_seed(1)` is for repeatable experiments, `Key.fresh()` for
play that nobody may foresee.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.splitmix import STEP, luck_bits
from pitboss.core.types import Array

Stream: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_I0, _I1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_I2, _I3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_LENGTH, _FF = np.uint64(16 << 56), np.uint64(0xFF)
_13, _16, _17, _21, _32 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(32)
_43, _47, _48, _51 = np.uint64(43), np.uint64(47), np.uint64(48), np.uint64(51)
_40, _LUCK = np.uint64(40), np.uint64(1 << 56)


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


@compiled_as(wraps=True)
def luck_at(of: Stream, rotation: int, seat: int, decision: int) -> np.uint64:
    """The bits that a bot gets at its n-th decision, counted from 1: for those who keep no state of luck."""
    return luck_bits(luck(of, rotation, seat) + np.uint64(decision) * STEP)


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
    """128 bits that decide a whole run.

    >>> Key.from_seed(1) == Key.parse("1")
    True
    >>> Key.parse(str(Key.from_seed(1))) == Key.from_seed(1)
    True
    """

    value: int

    @classmethod
    def from_seed(cls, seed: int) -> Key:
        """A short seed, expanded: the first 16 bytes of SHA-256 of its decimal text."""
        if seed < 0:
            raise PitbossError(f"a seed must be a whole number from 0 up, not {seed}")
        digest = hashlib.sha256(f"pitboss seed {seed}".encode()).digest()
        return cls(int.from_bytes(digest[:16], "big"))

    @classmethod
    def fresh(cls) -> Key:
        """A key nobody can know, from the operating system."""
        return cls(secrets.randbits(128))

    @classmethod
    def of(cls, seed: Seed) -> Key:
        """The key that a seed means; a fresh one if it is None."""
        if seed is None:
            return cls.fresh()
        if isinstance(seed, Key):
            return seed
        return cls.parse(seed) if isinstance(seed, str) else cls.from_seed(seed)

    @classmethod
    def parse(cls, text: str) -> Key:
        """A seed (digits) or a whole key (`key:` and 32 hexadecimal digits)."""
        body = text.strip()
        if body.startswith("key:") and len(body) == 36:
            try:
                return cls(int(body[4:], 16))
            except ValueError:
                pass
        if body.isascii() and body.isdigit():
            return cls.from_seed(int(body))
        raise PitbossError(
            f"{text!r} is not a seed; give a whole number from 0 up, such as 42, or key: and 32 hexadecimal digits"
        )

    def __str__(self) -> str:
        return f"key:{self.value:032x}"

    @property
    def high(self) -> np.uint64:
        """The upper 64 bits."""
        return np.uint64(self.value >> 64)

    @property
    def low(self) -> np.uint64:
        """The lower 64 bits."""
        return np.uint64(self.value & (2**64 - 1))

    def stream(self, deal: int) -> Stream:
        """The stream of one deal, for `word` and `luck`.

        Compiled functions hand unsigned words back as plain integers, which would be taken for
        signed ones on the way in again: Python callers make them `np.uint64`.
        """
        a, b, c, d = stream(self.high, self.low, np.uint64(deal))
        return np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)


Seed: TypeAlias = int | str | Key | None  # a number, a text of one or of a whole key, or None: one that nobody chose
