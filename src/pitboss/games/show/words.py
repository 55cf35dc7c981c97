"""What Show says and draws: `words.toml` beside this file, and a file of texts for each language."""

from __future__ import annotations

from pitboss.core import step
from pitboss.core.speaker import speaker
from pitboss.core.wording import Wording
from pitboss.games.show import cards, state

WORDING = Wording.beside(__file__, state.VIEW_LAYOUT, cards, step, state)
ENGLISH = speaker(WORDING)
