"""Advice for a live table: the cards that a person sees go in, what to do comes out.

At a table with others a targeted Freeze or Flip Three is taken to go to somebody else, so it is a card
that does nothing to the player who draws it. That others draw from the same deck is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss.flip7.cards import FLIP_THREE, KINDS, NUMBERS, SECOND_CHANCE, TEXT, parse_cards
from pitboss.flip7.game import Flip7
from pitboss.solve.oracle import Round, solve_round
from pitboss.solve.race import race, race_utility, without_targets
from pitboss.table.errors import PitbossError
from pitboss.table.game import Game


def advise(
    game: Game,
    hand: str,
    *,
    seen: str = "-",
    discards: str = "-",
    totals: Sequence[int] = (),
    me: int = 0,
    second_chance: bool = False,
) -> dict[str, Any]:
    """What hitting and staying are worth, for JSON.

    `hand` is what lies in front of the player, `seen` what lies in front of others, `discards` what a reshuffle
    would bring back; all other cards are in the deck. With `totals`, also in rounds to the target.

    >>> from pitboss import load
    >>> facts = advise(load("flip7:solo"), "5 9 12 +4", seen="12 12 11 7")
    >>> facts["best"], facts["busts"], facts["cards"]
    ('stay', 21, 77)
    """
    if not isinstance(game, Flip7):
        raise PitbossError(f"there is advice for Flip 7 only, not for {game}")
    verify_totals(game, totals, me)
    mine, others, gone = parse_cards(hand or "-"), parse_cards(seen or "-"), parse_cards(discards or "-")
    if second_chance and SECOND_CHANCE not in mine:
        mine.append(SECOND_CHANCE)
    left = verify_seen(game, mine, others, gone)
    table = game if game.rules.solo or len(totals) == 1 else _elsewhere(game)

    def ask(utility: Any = None) -> Round:
        return solve_round(
            table,
            mine,
            left=left,
            discards=[gone.count(kind) for kind in range(KINDS)],
            second_chance=SECOND_CHANCE in mine,
            draws_three=FLIP_THREE in mine and game.rules.flip_three == "next_hit",
            utility=utility,
        )

    answer = ask()
    outcome = answer.outcome
    facts = {
        "game": str(game),
        "hand": [TEXT[kind] for kind in mine],
        "points": answer.points,
        "cards": answer.cards,
        "busts": round(answer.risk * answer.cards),
        "risk": answer.risk,
        "hit": answer.hit,
        "stay": answer.stay,
        "best": answer.best,
        "then": {"points": outcome.mean, "bust": outcome.bust, "flip7": outcome.flip7, "cards": outcome.cards},
    }
    if totals:
        rounds = ask(race_utility(race(without_targets(game)).rounds, totals[me]))
        facts["rounds"] = {"hit": 1 - rounds.hit, "stay": 1 - rounds.stay, "best": rounds.best}
    return facts


def verify_totals(game: Flip7, totals: Sequence[int], me: int) -> None:
    """Refuse totals that no running game can have."""
    if totals and not 0 <= me < len(totals):
        raise PitbossError(f"--me is your place among the totals, from 0 to {len(totals) - 1}, not {me}")
    for total in totals:
        if not 0 <= total < game.rules.target:
            raise PitbossError(f"a total is from 0 to {game.rules.target - 1} while the game goes on, not {total}")


def verify_seen(game: Flip7, hand: list[int], seen: list[int], discards: list[int]) -> list[int]:
    """The deck that is left, or a sentence that says which card cannot be."""
    left = list(game.rules.deck)
    for kind in (*hand, *seen, *discards):
        left[kind] -= 1
    for kind, n in enumerate(left):
        if n < 0:
            there = game.rules.deck[kind]
            raise PitbossError(f"you named {there - n} cards {TEXT[kind]}, but {game} has {there or 'none'} of them")
    for kind in hand:
        if kind < NUMBERS and hand.count(kind) > 1:
            raise PitbossError(f"your hand has {hand.count(kind)} cards {TEXT[kind]}: that is a bust")
    return left


def _elsewhere(game: Flip7) -> Flip7:
    """The same table, where what can be put on somebody else does nothing to the player."""
    switches = {name: "inert" for name in ("freeze", "flip_three") if getattr(game.rules, name) == "targeted"}
    return Flip7(game.rules.change(switches))
