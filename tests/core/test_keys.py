"""The hash is SipHash-1-3, its numbers are even, and bots' luck is no card's."""

import random

import numpy as np
import pytest

from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key, below, deal_luck, deal_word, draw, luck, stream, word
from pitboss.core.splitmix import luck_at, luck_bits, next_luck

MASK = 2**64 - 1


def siphash(key: bytes, message: bytes, c: int, d: int) -> int:
    """A plain reference, for any number of rounds."""

    def rotate(x, n):
        return (x << n | x >> (64 - n)) & MASK

    def rounds(v, n):
        a, b, c_, d_ = v
        for _ in range(n):
            a = (a + b) & MASK
            b = rotate(b, 13) ^ a
            a = rotate(a, 32)
            c_ = (c_ + d_) & MASK
            d_ = rotate(d_, 16) ^ c_
            a = (a + d_) & MASK
            d_ = rotate(d_, 21) ^ a
            c_ = (c_ + b) & MASK
            b = rotate(b, 17) ^ c_
            c_ = rotate(c_, 32)
        return a, b, c_, d_

    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    names = (b"somepseu", b"dorandom", b"lygenera", b"tedbytes")
    i0, i1, i2, i3 = (int.from_bytes(name, "big") for name in names)
    v = (k0 ^ i0, k1 ^ i1, k0 ^ i2, k1 ^ i3)
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for at in range(0, len(padded), 8):
        m = int.from_bytes(padded[at : at + 8], "little")
        v = rounds((v[0], v[1], v[2], v[3] ^ m), c)
        v = (v[0] ^ m, v[1], v[2], v[3])
    v = rounds((v[0], v[1], v[2] ^ 0xFF, v[3]), d)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_the_reference_is_siphash():
    """The example that SipHash's authors publish for two and four rounds."""
    assert siphash(bytes(range(16)), bytes(range(15)), 2, 4) == 0xA129CA6149BE45E5


def ours(key: int, deal: int, place: int) -> int:
    return int(word(Key(key).stream(deal), np.uint64(place)))


def test_words_are_siphash_1_3():
    rng = random.Random(7)
    for _ in range(200):
        key, deal, place = rng.getrandbits(128), rng.getrandbits(64), rng.getrandbits(64)
        raw = (key & MASK).to_bytes(8, "little") + (key >> 64).to_bytes(8, "little")
        assert ours(key, deal, place) == siphash(raw, deal.to_bytes(8, "little") + place.to_bytes(8, "little"), 1, 3)


@pytest.mark.parametrize(
    ("key", "deal", "place", "expected"),
    [
        (0, 0, 0, 0x76BE999E3E25B2A0),
        (1, 0, 0, 0x7FC94DC44BD0ED9C),
        (0x000102030405060708090A0B0C0D0E0F, 3, 5 << 32 | 2 << 24 | 1, 0xDB5858FAD8DA7793),
        (2**128 - 1, 2**64 - 1, 2**56 - 1, 0x3E03FDA890A97E0F),
    ],
)
def test_fixed_vectors(key, deal, place, expected):
    """Written down once: if these change, every game ever recorded changes."""
    assert ours(key, deal, place) == expected


def splitmix(state: int) -> int:
    """A plain reference."""
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
    return state ^ state >> 31


def test_quick_words_are_splitmix64_of_a_deal_that_siphash_makes():
    rng = random.Random(8)
    for _ in range(200):
        key, deal, place = rng.getrandbits(128), rng.getrandbits(64), rng.getrandbits(57)
        state = ours(key, deal, 2 << 56)
        at, mask = (splitmix((state + n * 0x9E3779B97F4A7C15) & MASK) for n in (place, 3 << 56))
        expected = at ^ mask
        assert int(deal_word(Key(key, quick=True).stream(deal), np.uint64(place))) == expected


@pytest.mark.parametrize(
    ("key", "deal", "place", "expected"),
    [
        (0, 0, 0, 0x69FAD1EBB1A9BC27),
        (0x000102030405060708090A0B0C0D0E0F, 3, 5 << 32 | 2 << 24 | 1, 0x8E65D7009A22F5F0),
        (2**128 - 1, 2**64 - 1, 2**56 - 1, 0x374331E3BAAB62E4),
    ],
)
def test_fixed_vectors_of_quick_keys(key, deal, place, expected):
    """Written down once: if these change, every simulation with a seed changes."""
    assert int(deal_word(Key(key, quick=True).stream(deal), np.uint64(place))) == expected


def test_a_key_says_how_it_deals():
    full, quick = Key.from_seed(2), Key.from_seed(2, quick=True)
    assert (str(full)[:4], str(quick)[:6]) == ("key:", "quick:")
    assert str(full)[4:] == str(quick)[6:]
    assert Key.parse(str(quick)) == Key.of("2", quick=True) == Key.of(2, quick=True) == quick != full
    assert Key.of(str(full), quick=True) == full == full.in_full()  # a whole key is what it is
    with pytest.raises(PitbossError, match="could be foreseen; give a seed, or a key that begins with key:"):
        quick.in_full()
    place = np.uint64(3 << 32 | 1)
    assert deal_word(full.stream(5), place) == word(full.stream(5), place) != deal_word(quick.stream(5), place)
    assert deal_luck(full.stream(5), 1, 2) == luck(full.stream(5), 1, 2) != deal_luck(quick.stream(5), 1, 2)


def test_seeds_expand_to_keys():
    assert str(Key.from_seed(1)) == "key:fc1ff87eb5289b56ed91fe9a8d587efc"
    assert Key.parse("1") == Key.from_seed(1) == Key.parse(str(Key.from_seed(1)))
    assert Key.from_seed(1) != Key.from_seed(2)
    assert Key.fresh() != Key.fresh()


@pytest.mark.parametrize("text", ["", "-1", "1.5", "abc", "key:12", "key:" + "g" * 32, "１"])
def test_what_is_no_seed_is_refused(text):
    with pytest.raises(PitbossError, match="is not a seed; give a whole number"):
        Key.parse(text)


def test_draws_are_even():
    """Chi-square of 94 cards over 94,000 places: far from both too rough and too smooth."""
    left = np.array([1] * 94, np.int16)
    deal = Key.from_seed(3).stream(0)
    counts = np.zeros(94)
    for place in range(94_000):
        counts[draw(left, 94, np.uint64(word(deal, np.uint64(place))))] += 1
    chi2 = float(((counts - 1000) ** 2 / 1000).sum())
    assert 50 < chi2 < 150  # 93 degrees of freedom: outside once in 10,000


WHERE = [r << 32 | s << 24 | n for r in range(1, 13) for s in range(6) for n in range(8)]  # of 576 cards of a deal


def quick_words(deals: int, places: list[int], seed: int = 12) -> np.ndarray:
    """words[deal, place] of a quick key."""
    key = Key.from_seed(seed, quick=True)
    return np.array([[deal_word(key.stream(d), np.uint64(p)) for p in places] for d in range(deals)], np.uint64)


def chi2(seen: np.ndarray) -> float:
    """Of counts that should be alike, in standard deviations from what is usual."""
    expected, free = seen.sum() / seen.size, seen.size - 1
    return float(((seen - expected) ** 2 / expected).sum() - free) / np.sqrt(2 * free)


@pytest.fixture(scope="module")
def many():
    """cards[deal, round, seat, n], each one of 16 by its highest bits."""
    return (quick_words(64, WHERE) >> np.uint64(60)).astype(int).reshape(64, 12, 6, 8)


def test_quick_cards_are_even_at_every_place(many):
    """Whatever of a place is fixed: the deal, the round, the seat, which card of the seat it is."""
    for axis in range(4):
        for part in np.moveaxis(many, axis, 0):
            assert abs(chi2(np.bincount(part.ravel(), minlength=16))) < 5


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("apart", [1, 2, 5])
def test_quick_cards_are_independent_of_their_neighbours(many, axis, apart):
    """All pairs of cards are equally frequent in the deals, rounds, seats and cards that follow one another."""
    first, second = np.moveaxis(many, axis, 0)[:-apart], np.moveaxis(many, axis, 0)[apart:]
    assert abs(chi2(np.bincount((16 * first + second).ravel(), minlength=256))) < 5


def test_every_bit_of_a_quick_place_moves_half_of_the_highest_bits():
    """Cards are drawn by the upper half of a word."""
    places = np.array(WHERE[:200], np.uint64)
    base = quick_words(2, WHERE[:200])
    for bit in [*range(8), *range(24, 30), *range(32, 40)]:
        moved = quick_words(2, [int(p) ^ 1 << bit for p in places])
        ones = sum(int(x).bit_count() for x in ((base ^ moved) >> np.uint64(32)).ravel())
        assert abs(ones / 400 - 16) < 5 * np.sqrt(8 / 400), bit


def test_draws_follow_the_counts_in_kind_order():
    left = np.array([0, 2, 0, 1], np.int16)
    thirds = [draw(left, 3, np.uint64(int(x * 2**64))) for x in (0.0, 0.33, 0.34, 0.66, 0.67, 0.99)]
    assert thirds == [1, 1, 1, 1, 3, 3]


def test_every_bit_of_the_input_moves_half_the_output():
    rng = random.Random(1)
    flips = []
    for bit in range(64):
        for _ in range(40):
            deal = Key(rng.getrandbits(128)).stream(rng.getrandbits(64))
            place = rng.getrandbits(64)
            change = int(word(deal, np.uint64(place))) ^ int(word(deal, np.uint64(place ^ 1 << bit)))
            flips.append(change.bit_count())
    assert abs(sum(flips) / len(flips) - 32) < 0.4
    assert min(flips) > 8


def test_neighbouring_deals_and_seats_are_unrelated():
    """Correlation of neighbours over many places, deals and keys is within noise."""
    n = 4000
    key = Key.from_seed(5)

    def column(deal, seat):
        s = key.stream(deal)
        return np.array([int(word(s, np.uint64(seat << 24 | i))) / 2**64 for i in range(n)])

    base = column(0, 0)
    for other in (column(1, 0), column(0, 1), np.roll(base, 1)):
        assert abs(np.corrcoef(base, other)[0, 1]) < 5 / np.sqrt(n)


def test_luck_is_even_and_no_card():
    deal = Key.from_seed(9).stream(4)
    starts = {int(luck(deal, rotation, seat)) for rotation in range(36) for seat in range(36)}
    assert len(starts) == 36 * 36
    cards = {int(word(deal, np.uint64(r << 32 | s << 24 | n))) for r in range(9) for s in range(4) for n in range(9)}
    assert not starts & cards
    state, ones = np.uint64(luck(deal, 0, 0)), 0
    for _ in range(2000):
        state = np.uint64(next_luck(state))
        ones += below(np.uint64(luck_bits(state)), 2)
    assert abs(ones - 1000) < 150


def test_streams_come_from_key_and_deal():
    key = Key.from_seed(2)
    assert [int(x) for x in key.stream(7)] == [int(x) for x in stream(key.high, key.low, np.uint64(7))]


def test_luck_is_the_same_without_a_state():
    deal = Key.from_seed(3).stream(8)
    state = begin = np.uint64(luck(deal, 2, 1))
    for decision in range(1, 50):
        state = np.uint64(next_luck(state))
        assert luck_at(begin, np.uint64(decision)) == luck_bits(state)
