"""A compiled bot: it stays with a number of points, but not when staying would lose the game.

    pitboss simulate flip7:tournament --bots "examples/bots/racer.py:racer(limit=28),stay-25,ev" --games 100000

Everything in a function marked @compiled_bot becomes machine code, so that it plays as fast as the
built-in bots: whole numbers, loops and fields of the records, but no lists, texts or objects.
"""

from pitboss.flip7 import HIT, STAY, compiled_bot
from pitboss.games.flip7.bots.rules_of_thumb import FREEZE_LEADER, choose
from pitboss.games.flip7.state import HIT_OR_STAY


@compiled_bot(limit=25)
def racer(view, rules, seat, params, luck):
    """Stays with `limit` points, which is `params[0]`."""
    if int(view["decision"]) != HIT_OR_STAY:
        return choose(view, rules, seat, FREEZE_LEADER, luck)
    mine = int(view["total"][seat]) + int(view["points"][seat])
    for other in range(int(view["seats"])):
        theirs = int(view["total"][other]) + int(view["points"][other])
        if other != seat and theirs >= int(rules["target"]) and theirs >= mine:
            return HIT
    return HIT if int(view["points"][seat]) < int(params[0]) else STAY
