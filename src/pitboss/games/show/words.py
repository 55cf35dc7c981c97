"""The rules of a table in plain words, made from its switches."""

from __future__ import annotations

from pitboss.games.show.rules import WHOLE_DECK, ShowRules


def words(r: ShowRules) -> list[str]:
    """Sentences that explain this table to somebody who has never played."""
    deck = "54 cards: four suits and two jokers" if r.deck == WHOLE_DECK else f"{len(r.cards)} cards: {r.deck}"
    out = [
        "Two players; the lower total of two cards wins.",
        f"The deck has {deck}. Ace 1, numbers as printed, J 11, Q 12, black K 13, red K 0, joker -1.",
        "Each gets two cards face down and looks at one of them, Player 1 first. "
        "Which slot is looked at, everybody sees.",
        "In your turn draw a card. Keep it in place of one of yours, which goes to the graveyard face up, "
        "or discard it there.",
    ]
    return [*out, *_powers(r), *_end(r)]


def _powers(r: ShowRules) -> list[str]:
    when = "drawn and discarded, or replaced," if r.power_on_replace else "drawn and discarded"
    out = []
    if r.ten:
        out.append(f"A 10 that is {when} lets you look at one of your own cards.")
    if r.jack:
        out.append(f"A jack that is {when} lets you look at one of your opponent's cards.")
    if r.queen:
        out.append(f"A queen that is {when} lets you exchange a card of yours for one of your opponent's, unseen.")
    if r.king:
        out.append(f"A king that is {when} lets you look at a card of yours and one of theirs, and exchange them.")
    return out


def _end(r: ShowRules) -> list[str]:
    first = f" from your turn number {r.call_from_turn} on" if r.call_from_turn > 1 else ""
    out = [f"At the end of your turn you may call Show{first}."]
    for player, other, last in ((1, 2, r.last_turn_after_p1), (2, 1, r.last_turn_after_p2)):
        then = f"gives Player {other} one last turn" if last else "ends the game at once"
        out.append(f"A call by Player {player} {then}.")
    needless = r.needless()
    if "powers_in_last_turn" not in needless:
        out.append(f"Powers {'may' if r.powers_in_last_turn else 'may not'} be used in the last turn.")
    if "caller_locked" not in needless:
        touch = "may not touch" if r.caller_locked else "may touch"
        out.append(f"Queens and kings {touch} the cards of a player who has called.")
    if r.call_penalty:
        out.append(f"A caller who is beaten loses {r.call_penalty:g} more than the game, one who ties half of that.")
    out.append("If a turn would begin with an empty pile, the game is a tie, unless somebody has called.")
    return out
