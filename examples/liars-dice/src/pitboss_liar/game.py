"""Liar's Dice as pitboss sees it: its rules as switches, its view, its bots, and what ties everything together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pitboss.core.bot import RANDOM, Bot, BotEntry
from pitboss.core.compile import compiled
from pitboss.core.errors import NotationError
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.rules import RulesBase, switch
from pitboss.core.step import FAULT, Step
from pitboss.core.view import View
from pitboss_liar import step as book
from pitboss_liar.step import (
    COLUMNS,
    DICE,
    FACES,
    LAYOUT,
    LIAR,
    MOST,
    MOVES,
    SEATS,
    SECRETS,
    LiarEvent,
    bid_of,
    face,
    quantity,
)


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """One table's rules: a preset with some switches set, such as `full(dice=3)`."""

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "full"
    seats: ClassVar[range] = range(2, SEATS + 1)

    dice: int = switch(5, "how many dice everybody begins with", least=1, most=DICE)
    faces: int = switch(6, "how many sides a die has", least=2, most=FACES)
    wild: bool = switch(False, "ones count as whatever was bid")


Rules.presets.update(full=Rules(), wild=Rules(wild=True), tiny=Rules(dice=1, faces=3))


class LiarView(View):
    """What a seat may know of a game of Liar's Dice."""

    @property
    def own(self) -> list[int]:
        """What your dice show, 1 to 6."""
        return [die + 1 for die in self.dice[self.seat] if die >= 0]

    @property
    def last_bid(self) -> tuple[int, int] | None:
        """The last bid, how many and of what; None if you bid first."""
        return (quantity(self.bid), face(self.bid) + 1) if self.bid else None


class LiarBot(Bot):
    """Bots written in Python inherit from this and write `decide`: a move of `view.legal`, "liar", or "bid 3 5".

    >>> class Trusting(LiarBot):
    ...     def decide(self, view):
    ...         return view.legal[-1] if view.last_bid is None else "liar"
    """


@compiled
def doubt_bot(v: Any, r: Any, seat: int, params: Any, luck: Any) -> int:
    """Calls a bid that needs more than N percent of what others have on average; else bids what it has most of."""
    faces, others = int(r["faces"]), int(v["in_play"]) - int(v["count"][seat])
    chances = 2 if int(r["wild"]) else 1  # sides of a die that count
    best, most, own = 0, -1, 0
    for side in range(faces):
        have = 0
        for i in range(DICE):
            die = int(v["dice"][seat, i])
            have += 1 if die == side or (int(r["wild"]) and die == 0) else 0
        if have >= most:
            best, most = side, have
        if int(v["bid"]) > 0 and side == face(int(v["bid"])):
            own = have
    bid = int(v["bid"])
    if bid > 0 and (quantity(bid) - own) * faces * 100 > others * chances * int(params[0]):
        return LIAR
    more = bid_of(max(quantity(bid), 1) if bid > 0 else max(most, 1), best)
    while more <= bid:
        more += FACES
    return more if quantity(more) <= int(v["in_play"]) else LIAR if bid > 0 else bid_of(1, best)


class LiarsDice(Game):
    """Bid on dice that you cannot see, and call who bids too much a liar."""

    name = "liar"
    about = "hidden dice: bid on what all have together, and call who bids too much a liar"
    preset_about: ClassVar[dict[str, str]] = {
        "full": "five dice each",
        "wild": "ones count as whatever was bid",
        "tiny": "one die of three sides each, so that it can be solved",
    }
    rules_class = Rules
    step = Step(book.start, book.legal, book.apply, book.where, SECRETS.observe, book.tally, MOVES)
    layout = LAYOUT
    secrets = SECRETS
    view_class = LiarView
    event_class = LiarEvent
    bot_class = LiarBot
    deals = ("die", "dice")
    card_names = tuple(map(str, range(1, FACES + 1)))
    card_fields = ("dice", "shown")
    columns = COLUMNS
    score = "dice"
    length = "rounds"
    figures = (
        Figure("rounds_per_game", "rounds", "rounds"),
        Figure("calls_won_rate", "calls won", "calls_won", per="calls", percent=True),
        Figure("bids_per_round", "bids a round", "bids", per="rounds"),
    )

    def format_move(self, move: int) -> str:
        if move == FAULT:
            return "fault"
        return "liar" if move == LIAR else f"bid {quantity(move)} {face(move) + 1}"

    def parse_move(self, text: str) -> int:
        match text.split():
            case ["fault"]:
                return FAULT
            case ["liar"]:
                return LIAR
            case ["bid", count, side] if count.isdecimal() and side.isdecimal():
                if 1 <= int(count) <= MOST and 1 <= int(side) <= FACES:
                    return bid_of(int(count), int(side) - 1)
        raise NotationError(f"{text!r} is no move; say liar, or how many dice show what, such as bid 3 5")

    def question(self, view: LiarView) -> str:
        if view.last_bid is None:
            return "What do you bid?"
        count, side = view.last_bid
        return f"Bid more than {count} × {side}, or call it a lie?"

    def odds(self, view: LiarView) -> list[str]:
        others, own = view.in_play - view.count[view.seat], view.own
        lines = [f"The others have {others} dice"]
        for side in range(1, self.rules.faces + 1):
            wild = self.rules.wild and side > 1
            have = own.count(side) + (own.count(1) if wild else 0)
            lines.append(
                f"{side}: you have {have}, all have {have + others * (1 + wild) / self.rules.faces:.1f} on average"
            )
        return lines

    def words(self) -> list[str]:
        rules = self.rules
        dice = "one die" if rules.dice == 1 else f"{rules.dice} dice"
        return [
            f"Everybody has {dice} with {rules.faces} sides, rolls them in secret, and looks at them alone.",
            "In turn, bid how many dice of all show a side: more dice than the last bid, or as many of a higher side.",
            "Or call the last bidder a liar. Then all dice are shown, and the caller loses a die if there are enough, "
            "else the bidder. If nothing higher can be bid, the next one has to call.",
            "Ones count as whatever was bid." if rules.wild else "Ones count as ones.",
            "Then all roll again, and the loser begins. Who has no dice left is out; the last one wins.",
        ]

    def bots(self) -> dict[str, BotEntry]:
        about = "calls bids that need more than N % of what others have on average, and bids what it has most of"
        return {"doubt": BotEntry.simple("doubt-N", about, doubt_bot, least=0, most=1000), "random": RANDOM}

    def default_bots(self) -> list[str]:
        return ["random", "doubt-200", "doubt-100", "doubt-150"]  # the last is who plays on in rollouts
