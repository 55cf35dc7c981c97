"""The rules of a table in plain words, made from its switches."""

from __future__ import annotations

from pitboss.games.vengeance.rules import VengeanceRules


def words(r: VengeanceRules) -> list[str]:
    """Sentences that explain this table to somebody who has never played."""
    return [*_aim(r), *_round(r), *_specials(r), *(_cards(r) if r.actions or r.modifiers else ()), *_end(r)]


def _aim(r: VengeanceRules) -> list[str]:
    has = ["92 numbers (one 0, one 1, two 2s … thirteen 13s)"]
    if r.modifiers:
        has.append("six modifiers (−2 −4 −6 −8 −10 ÷2)")
    if r.actions:
        has.append("two each of Just One More, Flip Four, Swap, Steal, Discard")
    mixed = f"{r.copies} decks mixed, each of " if r.copies > 1 else ""
    aim = (
        f"Reach {r.target} points in as few rounds as you can."
        if r.solo
        else f"Be ahead when, after a round, somebody has {r.target} points or more."
    )
    return [aim, f"The deck has {sum(r.deck)} cards: {mixed}{'; '.join(has)}."]


def _round(r: VengeanceRules) -> list[str]:
    out = [
        "A round opens with one card for everyone, from the dealer's left; the deal passes on each round.",
        "In turn, hit for a card or stay. You may stay with nothing.",
        "Receiving a number that you already have busts you: the round is worth nothing to you.",
    ]
    if not r.solo and (r.actions or r.modifiers):
        out.append(
            "Staying is not safe: until the round ends, others can give you cards and take yours."
            if r.reach == "all"
            else "Who has stayed is safe: nobody else can give it cards or take any."
        )
    score = "Your score is the sum of your numbers"
    if r.modifiers:
        floor = "which may lead below 0" if r.below_zero else "but not below 0"
        score += f", halved (rounded down) by ÷2, less your minus cards, {floor}"
    out.append(f"{score}, and 15 more for seven different numbers, a Flip 7, which ends the round for everyone.")
    out.append(f"Two 13s count as {'one' if r.thirteens == 'once' else 'two'} of the seven.")
    if not r.solo and r.flip7_bonus == "either":
        floor = "may then be" if r.below_zero else "does not fall"
        out.append(
            "Whoever makes a Flip 7 may take 15 points off another player instead of getting 15; "
            f"a total {floor} below 0."
        )
    return out


def _specials(r: VengeanceRules) -> list[str]:
    also = " and modifiers" if r.modifiers else ""
    return [
        "The Zero: your round is worth 0 unless you make a Flip 7, and you must hit. It is one of the seven.",
        f"Unlucky 7: all your other numbers{also} are discarded. It never busts you, but a further 7 does.",
        "Lucky 13: you may have one other 13 beside it, and both add 13. A third busts you.",
    ]


def _cards(r: VengeanceRules) -> list[str]:
    out = []
    whom = "any player who is not bust" if r.reach == "all" else "any active player, or yourself"
    if r.modifiers:
        bust = ""
        if r.modifiers_on_bust and not r.solo:
            costs = "whom its minus then costs" if r.below_zero else "where it has no effect"
            bust = f", or on one who is bust, {costs}"
        out.append("Modifiers: you must take them yourself." if r.solo else f"Modifiers: put each on {whom}{bust}.")
    if not r.actions:
        return out
    if r.solo:
        out.append("Actions: you play them on yourself.")
    elif r.chooser == "target":
        out.append(f"Actions: play each on {whom}. That player makes all choices.")
    else:
        out.append(
            f"Just One More and Flip Four: play each on {whom}. Swap, Steal and Discard: choose yourself, at once."
        )
    return [
        *out,
        "Just One More: take one more card and stay.",
        "Flip Four: take four cards, one at a time. Actions and modifiers among them wait until you have all four.",
        "Swap: two cards of two players change places. Steal: take a card of another player.",
        "Discard: a card of any player who can be chosen goes away.",
        "Cards that you get this way can bust you, too.",
    ]


def _end(r: VengeanceRules) -> list[str]:
    out = ["The deck is not shuffled between rounds; when it is empty, all cards not on the table become the new deck."]
    if not r.solo:
        tie = "A tie is played on by everyone." if r.tie == "extra_round" else "Tied players share the win."
        out.append(f"The highest total wins. {tie}")
    out.append(f"A game not decided after {r.max_rounds} rounds is cut and has no winner.")
    return out
