"""What a compiled bot answers, asked from Python."""

import numpy as np

from pitboss.core.seating import seating


def ask(entrant, game, state, seat=0, luck=0):
    """The move of a bot at a state, by the machine code that the loops call: a plain call would compile it anew."""
    seating([entrant], game.view_dtype, game.rules_class.dtype())
    return int(entrant.function(state, game.record[0], seat, entrant.params, np.uint64(luck)))
