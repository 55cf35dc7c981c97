"""The rules of a table in plain words, made from its switches."""

from __future__ import annotations

from pitboss.games.flip7.rules import Flip7Rules


def words(r: Flip7Rules) -> list[str]:
    """Sentences that explain this table to somebody who has never played."""
    return [*_aim(r), *_round(r), *_actions(r), *_end(r)]


def _aim(r: Flip7Rules) -> list[str]:
    cards = sum(r.deck)
    has = ["79 numbers (one 0, one 1, two 2s … twelve 12s)"]
    if r.modifiers:
        has.append("six modifiers (+2 +4 +6 +8 +10 x2)")
    names = [n for n, there in zip(("Freeze", "Flip Three", "Second Chance"), r.action_cards, strict=True) if there]
    if names:
        has.append(f"three each of {', '.join(names)}")
    mixed = f"{r.copies} decks mixed, each of " if r.copies > 1 else ""
    aim = (
        f"Reach {r.target} points in as few rounds as you can."
        if r.solo
        else (f"Be ahead when, after a round, somebody has {r.target} points or more.")
    )
    return [aim, f"The deck has {cards} cards: {mixed}{'; '.join(has)}."]


def _round(r: Flip7Rules) -> list[str]:
    out = []
    if r.opening_card:
        out.append("A round opens with one card for everyone, from the dealer's left; the deal passes on each round.")
    else:
        out.append("A round begins with an empty hand.")
    needs = " Stay needs a card in front of you." if r.stay_needs_card else " You may stay at once."
    out.append("In turn, hit for a card or stay and keep your points." + needs)
    out.append("A number that you already hold busts you: the round is worth nothing to you.")
    score = "Your score is the sum of your numbers"
    if r.modifiers:
        score += ", doubled if you hold x2, plus your + cards"
    out.append(f"{score}, and 15 more for seven different numbers, a Flip 7, which ends your round.")
    if not r.solo:
        out.append(
            "A Flip 7 ends the round for everyone; all who have not busted score."
            if r.flip7_ends_round
            else "A Flip 7 ends only its owner's round; the others play on."
        )
    return out


def _actions(r: Flip7Rules) -> list[str]:
    out = []
    if r.freeze == "targeted":
        out.append("Freeze: whoever draws it picks an active player, who banks its points and is out of the round.")
    elif r.freeze == "inert":
        out.append("Freeze does nothing.")
    if r.flip_three == "targeted":
        out.append("Flip Three: whoever draws it picks an active player, who takes three cards, one at a time.")
        out.append(
            "Freeze and Flip Three among the three are set aside; afterwards the flipper assigns them all, "
            "and then they are resolved in that order."
            if r.set_aside == "assign_all"
            else "Freeze and Flip Three among the three are set aside; afterwards they are resolved one by one, "
            "the flipper choosing each target when its turn comes."
        )
        if r.again_after_flip_three and not r.solo:
            out.append("A Flip Three taken in your own turn gives you another decision.")
        if r.stay_before_opening and r.opening_card and not r.solo:
            out.append("Made to flip three before your opening card, you may stay instead of taking it.")
    elif r.flip_three == "next_hit":
        out.append("Flip Three: your next hit draws three cards, one at a time; you may stay instead.")
    elif r.flip_three == "inert":
        out.append("Flip Three does nothing.")
    return out + _second_chance(r)


def _second_chance(r: Flip7Rules) -> list[str]:
    if r.second_chance == "absent":
        return []
    if r.second_chance == "inert":
        return ["Second Chance does nothing."]
    among = "another active player" if r.second_chance_to == "active" else "another player who has not busted"
    who = {
        "flag": "it protects whoever draws it; a further one does nothing",
        "kept": f"you keep it; a second one goes to {among} who holds none, or is discarded",
        "given": f"whoever draws it keeps it or gives it to {among}; nobody may hold two",
    }[r.second_chance]
    use = "may be used" if r.save == "asked" else "is used at once"
    then = "plays on" if r.after_save == "play_on" else "banks its points and is done for the round"
    return [f"Second Chance: {who}.", f"Against a duplicate it {use}: both cards are discarded and the player {then}."]


def _end(r: Flip7Rules) -> list[str]:
    out = ["The deck is not shuffled between rounds; when it is empty, the discards become the new deck."]
    if "round_discards" not in r.needless():
        out.append(
            "Cards used up in a round may come back in a reshuffle of the same round."
            if r.round_discards == "return"
            else "Cards discarded in a round do not come back in it."
        )
    if not r.solo:
        out.append(
            "The highest total wins. "
            + {
                "extra_round": "A tie is played on, round by round, by everyone.",
                "shared": "Tied players share the win.",
                "most_flip7": "A tie goes to whoever made the most Flip 7s; still tied, everyone plays another round.",
                "comeback": "A tie goes to the player who came from furthest behind in the last round; "
                "still tied, everyone plays another round.",
            }[r.tie]
        )
    out.append(f"A game not decided after {r.max_rounds} rounds is cut and has no winner.")
    return out
