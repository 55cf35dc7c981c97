"""Advice for a live table: what a person sees goes in, what to do comes out.

`advice` takes the view of a seat, of any game of Flip 7 at any moment, and says what can be said: the odds of the
next card, what hitting and staying are worth in points, in rounds to the target and in chances to win, and what
each target of an action card would do. `advise` does the same from cards that somebody names.

At a table with others a targeted Freeze or Flip Three is taken to go to somebody else, so it is a card
that does nothing to the player who draws it. That others draw from the same deck is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pitboss.core.analysis import Advice, Described, Goal, percents, said_first
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.step import OVER
from pitboss.core.types import Data
from pitboss.games.flip7 import prospects
from pitboss.games.flip7.calibration import corrected
from pitboss.games.flip7.cards import (
    FLIP_THREE,
    FREEZE,
    KINDS,
    NAME,
    NUMBERS,
    SECOND_CHANCE,
    TEXT,
    TIMES_2,
    parse_cards,
)
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.solver.oracle import Round, solve_round
from pitboss.games.flip7.solver.race import race, race_utility, without_targets
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, SEAT_0, STATE, STAY, plus_points, score
from pitboss.games.flip7.view import Flip7Decision, Flip7View

CHOICES = ("hit", "stay")
AIMS = {  # what one can play for: as a column of a table, and as a purpose
    "points": ("points", "for the most points"),
    "rounds": ("rounds to the target", "for the fewest rounds"),
    "win": ("chance to win", "to win"),
}
BRINGS = {"points": "is worth {} points", "rounds": "takes {} rounds", "win": "wins {}"}
INSTEAD = ("staying", "hitting")  # what the other choice is called
ACTION_SWITCHES = {FREEZE: "freeze", FLIP_THREE: "flip_three", SECOND_CHANCE: "second_chance"}


def advise(
    game: Game,
    hand: str,
    *,
    seen: str = "-",
    discards: str = "-",
    totals: Sequence[int] = (),
    me: int = 0,
    second_chance: bool = False,
) -> Data:
    """What hitting and staying are worth, for JSON, from cards that somebody names.

    `hand` is what lies in front of the player, `seen` what lies in front of others, `discards` what a reshuffle
    would bring back; all other cards are in the deck. With `totals`, also in rounds to the target.

    >>> from pitboss import load
    >>> facts = advise(load("flip7:solo"), "5 9 12 +4", seen="12 12 11 7")
    >>> facts["best"], facts["busts"], facts["cards"]
    ('stay', 21, 77)
    """
    table = verify_game(game)
    verify_totals(table, totals, me)
    mine, others, gone = parse_cards(hand or "-"), parse_cards(seen or "-"), parse_cards(discards or "-")
    if second_chance and SECOND_CHANCE not in mine:
        mine.append(SECOND_CHANCE)
    verify_seen(table, mine, others, gone)
    view = _view_of(table, mine, others, gone, totals, me)
    return advice(view, standings=bool(totals))


def advice_for(game: Flip7, described: Described) -> Advice:
    """Advice for a table that somebody describes."""
    holds_chance = "second-chance" in described.holds
    facts = advise(
        game, described.hand, seen=described.seen, discards=described.discards, totals=described.totals,
        me=described.me, second_chance=holds_chance,
    )  # fmt: skip
    return table_advice(facts)


def advice(view: Flip7View, *, standings: bool = True, outlook: bool = True) -> Data:
    """What can be said to a seat, for JSON.

    While the seat is in the round: what a hit would bring and risk, whether or not it is its turn. Without
    `standings` totals are not looked at; without `outlook`, which takes longest, how the round will end is left out.

    >>> from pitboss import load
    >>> game = load("flip7:numbers").start(2)
    >>> for card in ("12", "7"):
    ...     _ = game.apply(card)
    >>> facts = advice(game.view(0))
    >>> facts["my_turn"], facts["best"], round(facts["risk"], 3)
    (True, 'hit', 0.143)
    """
    game, alone = view.game, len(view.seats) == 1
    facts: Data = {
        "game": str(game),
        "seat": view.seat,
        "totals": view.totals,
        "my_turn": view.to_act == view.seat,
        "decision": view.decision.name.lower() if view.to_act >= 0 else None,
        "in_round": view.active and view.to_act >= -1,
        "hand": [TEXT[kind] for kind in view.cards],
        "points": view.points,
    }
    worth = prospects.worth(view) if standings and not alone and prospects.known(game) and view.to_act > OVER else None
    if worth is not None:
        facts["win"] = {"chance": corrected(float(worth[view.points]), view)}
        facts |= _targets(view)
    if not facts["in_round"]:
        return facts
    odds = view.odds
    pairs = 0 if view.second_chance else sum(odds.counts[kind] for kind in view.numbers)
    facts |= {"cards": odds.cards, "busts": pairs, "risk": odds.bust}
    table = _lone(game, alone)
    answer = _solve(view, table)
    hit = _with_passes(view, table, answer)
    facts |= {"hit": hit, "stay": answer.stay, "best": answer.best}
    if outlook:
        outcome = answer.outcome
        then = {"points": outcome.mean, "bust": outcome.bust, "flip7": outcome.flip7, "cards": outcome.cards}
        facts["then"] = then
    if standings:
        rounds = _solve(view, table, race_utility(_rounds(game), view.total))
        facts["rounds"] = {"hit": 1 - _with_passes(view, table, rounds), "stay": 1 - rounds.stay, "best": rounds.best}
    if worth is not None:
        hit, stay = _chances(view, worth)
        facts["win"] = {"chance": max(hit, stay), "hit": hit, "stay": stay, "best": CHOICES[stay >= hit]}
    return facts


def table_advice(facts: Data, names: Sequence[str] = ()) -> Advice:
    """What a person is told of what `advice` and `advise` found out; with the names of a table that is followed."""
    headline = reason = ""
    if "targets" in facts and names:
        best, *others = (f"{names[each['seat']]} ({each['win']:.1%} to win)" for each in facts["targets"])
        headline = f"Put it on {names[facts['best_target']]}"
        reason = f"Put the {facts['card']} on {'; '.join([best, ', '.join(others)] if others else [best])}"
    if not facts["in_round"]:
        out = f"You are out of this round with {facts['points']} points"
        known = f", and win with probability {facts['win']['chance']:.1%}" if "win" in facts else ""
        facts["advice"] = headline or "You are out of this round."
        return Advice(facts["advice"], reason or f"{out}{known}.", facts=facts)
    found: dict[str, Data] = {"points": facts, **{name: facts[name] for name in ("rounds", "win") if name in facts}}
    goals = tuple(
        Goal(name, *AIMS[name], (worth["hit"], worth["stay"]), CHOICES.index(worth["best"]), name == "win")
        for name, worth in found.items()
    )
    among = f"{facts['busts']} of {facts['cards']} cards"
    lines = [f"The next card busts you with probability {facts['risk']:.1%}: {among}"]
    if not names:
        lines.insert(0, f"{' '.join(facts['hand']) or 'no cards'}, {facts['points']} points")
    if not headline:
        headline, reason = _verdict(goals, bool(facts["my_turn"]) and facts["decision"] == "hit_or_stay")
    facts["advice"] = headline
    return Advice(headline, reason, tuple(lines), facts["risk"], CHOICES, goals, facts)


def _verdict(goals: Sequence[Goal], asked: bool) -> tuple[str, str]:
    """What to do in one sentence, by the last of the goals, and what is best for which of them."""
    goal = goals[-1]  # the chance to win, where it is known
    first, second = goal.values[goal.best], goal.values[1 - goal.best]
    texts = percents(first, second) if goal.percent else (f"{first:.2f}", f"{second:.2f}")
    best = CHOICES[goal.best] if asked else f"if you had to hit or stay: {CHOICES[goal.best]}"
    told = said_first(best, BRINGS[goal.name].format(texts[0]), INSTEAD[goal.best], texts[1])
    if len({each.best for each in goals}) == 1:
        which = "for all of these" if len(goals) > 1 else goal.purpose
        return told, f"To {CHOICES[goal.best]} is best {which}."
    return told, ", ".join(f"{CHOICES[each.best]} {each.purpose}" for each in goals).capitalize() + "."


def chances_to_win(view: Flip7View) -> dict[int, float]:
    """The chance to win after each move of the seat that decides, by a model; empty where none is known.

    The first answer for a rule book takes a while, for the duel's table is worked out for it.

    >>> from pitboss import load
    >>> game = load("flip7:numbers(target=30)").start(2)
    >>> for entry in ("12", "7", "hit", "5", "stay"):
    ...     _ = game.apply(entry)
    >>> {game.game.format_move(move): f"{chance:.0%}" for move, chance in chances_to_win(game.view(0)).items()}
    {'hit': '68%', 'stay': '65%'}
    """
    if view.to_act != view.seat or not prospects.known(view.game):
        return {}
    if view.decision in (Flip7Decision.TARGET, Flip7Decision.ASSIGN):
        return {SEAT_0 + seat: chance for seat, chance in prospects.of_targets(view).items()}
    if view.decision != Flip7Decision.HIT_OR_STAY:
        return {}
    return dict(zip((HIT, STAY), _chances(view, prospects.worth(view)), strict=True))


def _chances(view: Flip7View, worth: Floats) -> tuple[float, float]:
    """The chances to win of a hit and of a stay."""
    table = _lone(view.game, False)
    answer = _solve(view, table, worth)
    return corrected(_with_passes(view, table, answer), view), corrected(answer.stay, view)


def _targets(view: Flip7View) -> Data:
    """What each seat would mean for the card that this seat must put somewhere."""
    if view.to_act != view.seat or view.decision not in (Flip7Decision.TARGET, Flip7Decision.ASSIGN):
        return {}
    chances = prospects.of_targets(view)
    return {
        "card": TEXT[view.card],
        "targets": [{"seat": seat, "win": chance} for seat, chance in chances.items()],
        "best_target": next(iter(chances)),
    }


def verify_game(game: Game) -> Flip7:
    """The game, if there is advice for it; else refuse."""
    if not isinstance(game, Flip7):
        raise PitbossError(f"there is advice for Flip 7 only, not for {game}")
    return game


def verify_totals(game: Flip7, totals: Sequence[int], me: int) -> None:
    """Refuse totals that no running game can have."""
    if totals and not 0 <= me < len(totals):
        raise PitbossError(f"`me` is your place among the totals, from 0 to {len(totals) - 1}, not {me}")
    for total in totals:
        if not 0 <= total < game.rules.target:
            raise PitbossError(f"a total is from 0 to {game.rules.target - 1} while the game goes on, not {total}")


def verify_seen(game: Flip7, hand: Sequence[int], seen: Sequence[int], discards: Sequence[int]) -> None:
    """Refuse cards that cannot lie like this, with a sentence that says which."""
    named = [*hand, *seen, *discards]
    for kind, there in enumerate(game.rules.deck):
        if named.count(kind) > there:
            n = named.count(kind)
            raise PitbossError(f"you named {n} of the card {TEXT[kind]}, but {game} has {there or 'none'}")
    for kind in hand:
        many = {2: "two", 3: "three"}.get(hand.count(kind), str(hand.count(kind)))
        if kind < NUMBERS and hand.count(kind) > 1:
            raise PitbossError(f"your hand has {many} {TEXT[kind]}s: that is a bust")
        if kind == SECOND_CHANCE and hand.count(kind) > 1 and game.rules.second_chance != "inert":
            raise PitbossError(f"your hand has {many} Second Chances: nobody may hold more than one")
        if kind >= FREEZE and getattr(game.rules, ACTION_SWITCHES[kind]) == "targeted":
            ends = "whoever it is put on is out of the round" if kind == FREEZE else "it is used up when it is drawn"
            raise PitbossError(f"a {NAME[kind]} cannot lie in your hand: {ends}; name it among the cards seen")


def _view_of(
    game: Flip7, hand: list[int], seen: list[int], discards: list[int], totals: Sequence[int], me: int
) -> Flip7View:
    """The view of a player who must hit or stay; what lies in front of others is out of play until the round ends."""
    states = np.zeros(1, STATE)
    s = states[0]
    seats = len(totals) or game.rules.seats[0]
    s["seats"] = s["active"] = s["opened"] = seats
    s["to_act"] = s["turn"] = me
    s["decision"], s["card"], s["taker"], s["assigning"], s["round"] = HIT_OR_STAY, -1, -1, -1, 1
    s["total"][: len(totals)] = totals
    for field, cards in (("front", hand), ("spent", seen), ("discards", discards)):
        counts = np.bincount(np.array(cards, np.int64), minlength=KINDS)
        (s["front"][me] if field == "front" else s[field])[:] = counts
    s["left"] = np.array(game.rules.deck) - s["front"][me] - s["spent"] - s["discards"]
    s["left_total"] = s["left"].sum()
    s["chance"][me] = SECOND_CHANCE in hand and game.rules.second_chance != "inert"
    s["three"][me] = FLIP_THREE in hand and game.rules.flip_three == "next_hit"
    numbers = [kind for kind in hand if kind < NUMBERS]
    plus = sum(plus_points(kind) for kind in hand if NUMBERS <= kind < TIMES_2)
    s["numbers"][me], s["sum"][me] = len(numbers), sum(numbers)
    s["points"][me] = score(sum(numbers), len(numbers), int(TIMES_2 in hand), plus)
    return game.view(states.tobytes(), me)


# --- the round as a lone player has it ---


@lru_cache(maxsize=64)
def _lone(game: Flip7, alone: bool) -> Flip7:
    """The same table without the cards that do nothing to the player who draws them, if they can be left out.

    That makes the answer much quicker. Where several cards are drawn at once, one that does nothing takes the
    place of another, so there all stay.
    """
    idle = ("inert",) if alone else ("inert", "targeted")
    changes = {name: "absent" for name in ACTION_SWITCHES.values() if getattr(game.rules, name) in idle}
    if "flip_three" not in changes and game.rules.flip_three != "absent":
        changes = {name: "inert" for name in changes if getattr(game.rules, name) == "targeted"}
    return Flip7(game.rules.change(changes))


@lru_cache(maxsize=8)
def _rounds(game: Flip7) -> Floats:
    return race(without_targets(game)).rounds


def _solve(view: Flip7View, table: Flip7, utility: Floats | None = None) -> Round:
    deck = table.rules.deck
    return solve_round(
        table,
        [kind for kind in view.cards if deck[kind]],
        left=[n if deck[kind] else 0 for kind, n in enumerate(view.left)],
        discards=[n if deck[kind] else 0 for kind, n in enumerate(view.discards)],
        second_chance=view.second_chance,
        draws_three=view.draws_three,
        utility=utility,
    )


def _with_passes(view: Flip7View, table: Flip7, answer: Round) -> float:
    """What a hit is worth where some cards do nothing: after one of these the choice is the same again.

    So they change nothing where to hit is better, and otherwise are a chance to stay after all.
    """
    if answer.hit >= answer.stay:
        return answer.hit
    counts = view.odds.counts
    passes = sum(n for kind, n in enumerate(counts) if not table.rules.deck[kind])
    share = passes / (sum(counts) or 1)
    return share * answer.stay + (1 - share) * answer.hit
