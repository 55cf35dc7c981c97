"""The page's engine and words.js together say and draw in every game what Python says and draws, in every language."""

import hashlib
import json
import os

import pytest

from pitboss.core.keys import Key
from pitboss.core.legal import moves_of
from pitboss.core.play import GameInProgress, Seats
from pitboss.core.registry import line_up, load
from pitboss.core.secrets import NOBODY
from tests.page.test_engine import SEED, specs

LINE_UPS = {
    "flip7": ["stay-25", "ev", "random"],
    "show": ["show-6", "random"],
    "vengeance": ["random", "ev", "stay-25"],
}
DEALS = {"en": int(os.environ.get("PITBOSS_TOLD_GAMES", 6)), "de": 2, "es": 2}  # games of each table


def plain(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def told(spec, names, deals, language):
    """What `tell` of jobs.mjs says of games."""
    game, steps = load(spec), -deals
    say, seen = game.speaker(language), hashlib.sha256(plain(load(spec).speaker(language).rules(game.named_rules)))

    def tell(position, events):
        nonlocal steps
        steps += 1
        view = position.view(max(position.to_act, 0))
        bits = 0 if position.to_act < 0 else int(game.loops.legal(position.states, game.record))
        heard = [[event, event.seen_by(0), event.seen_by(1)] for event in events]
        seen.update(
            plain([
                [[say.event(each, names) for each in each_eye] for each_eye in heard],
                say.question(view, names),
                [(say.move(view, move, names), game.touches(view, move)) for move in moves_of(bits)],
                say.scene(view, names).to_dict(),
                say.scene(position.view(0), names, NOBODY).to_dict(),
            ])
        )  # fmt: skip

    for deal in range(deals):
        GameInProgress(Seats(game, line_up(names, game)), Key.parse(SEED), (deal, 0), watch=tell).finish()
    return [seen.hexdigest(), steps]


def seated(spec):
    """A line-up for a table."""
    name, game = spec.partition(":")[0], load(spec)
    return LINE_UPS[name][: game.rules.seats[-1]]


@pytest.mark.parametrize("language", DEALS)
@pytest.mark.parametrize("name", LINE_UPS)
def test_everything_that_is_said_and_drawn_is_the_same(engine, name, language):
    words = load(name).describe_words()
    jobs = [
        {"do": "tell", "spec": spec, "names": seated(spec), "seed": SEED, "deals": DEALS[language], "words": words,
         "language": language}
        for spec in specs(name)
    ]  # fmt: skip
    for job, got in zip(jobs, engine.run(jobs), strict=True):
        assert got == told(job["spec"], job["names"], DEALS[language], language), job["spec"]
