"""In which order the matches of a schedule are played: those on one deal as far apart as can be, for every bot.

Bots see the same deals again and again, at other seats and against others, which is what makes results comparable. A
bot that got a few bits from one game into the next, by whatever crack, would know the cards. So no bot meets a deal
again before it has met all the others, as nearly as that is possible, while all sets of bots advance together: whoever
looks at the table in the middle finds that everybody has played about equally much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import gcd

import numpy as np

from pitboss.core.types import Ints


def play_order(blocks: Ints, bots: Ints) -> Iterator[tuple[Ints, int]]:
    """All matches of a schedule in the order of play, in parts: sittings by their number, and a rotation.

    `blocks[s]` and `bots[s]` are the deal block and the members of sitting s. All are played at rotation 0, then all
    at rotation 1, and so on. Where every set of bots sits on every block, the sets are divided into groups without a
    bot in common (`groups`). Turn by turn, one group after the other plays, each on the next block, round and round.
    Of B blocks, two games of a bot on one deal are then B groups apart, or B - 1 where B and the number of groups have
    a divisor in common. More than B games of a bot apart they cannot be, in any order.

    Other schedules are played as they were made. In a sample, whose blocks have no bot twice, this separates the
    games on one deal by all other games of a bot. A Swiss round cannot be spread: it is a single block, which must be
    over before the next is known, so a bot plays its rotations one after the other, only others' matches between them.
    """
    sittings, seats = bots.shape
    size = 1 + int(blocks.max(initial=-1))
    sets, member = np.unique(np.sort(bots, axis=1), axis=0, return_inverse=True)
    table = np.arange(sittings)  # or, if all sets sit on all blocks, [set, block]
    if len(sets) * size != sittings or len(np.unique(member.reshape(-1) * size + blocks)) != sittings:
        yield from ((table, rotation) for rotation in range(seats))
        return
    table = np.argsort(member.reshape(-1) * size + blocks).reshape(len(sets), size)
    group = groups(sets)
    order = np.argsort(group, kind="stable")
    count = 1 + int(group.max())
    common = gcd(count, size)  # with which a set would be on the same block again before it was on all: so it moves on
    moves = common > 1
    for turn in range(seats * size):
        first = turn * count + moves * (turn * common // size)
        yield table[order, (first + group[order]) % size], turn // size


def groups(sets: Ints) -> Ints:
    """A group for each set of bots, such that no bot is twice in a group; few groups, though not always the fewest.

    Each set takes the first group that has none of its members. Sets whose members add up to the same, modulo the
    number of bots, come together: pairs then need no more groups than there are bots.

    >>> groups(np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])).tolist()
    [1, 0, 2, 2, 0, 1]
    """
    out = np.zeros(len(sets), np.int64)
    taken: Counter[int] = Counter()  # the groups of each bot, as bits
    for number in np.argsort(sets.sum(axis=1) % (1 + sets.max()), kind="stable").tolist():
        members = sets[number].tolist()
        used = 0
        for bot in members:
            used |= taken[bot]
        free = ~used & (used + 1)
        for bot in members:
            taken[bot] |= free
        out[number] = free.bit_length() - 1
    return out
