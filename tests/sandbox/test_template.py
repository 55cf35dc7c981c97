"""Templates: processes that have a bot imported, and fork a player for every game."""

import time

import pytest

from pitboss.sandbox import confine, wire
from pitboss.sandbox.limits import Limits
from pitboss.sandbox.supervisor import Source, Supervisor
from pitboss.sandbox.template import Template
from tests.tournament.tables import EXAMPLES, GAME, clean

pytestmark = pytest.mark.skipif(not confine.LINUX, reason="Linux only")


def test_a_template_that_was_refused_because_it_asked_too_early_asks_again():
    """On a busy machine it may ask for leave to fork before its answer, that the bot is imported, has been read."""
    with clean():
        supervisor = Supervisor(GAME, Limits(start=60.0))
        template = Template(supervisor, Source(str(EXAMPLES / "gambler.py"), "Gambler"))
        assert template.problem == ""
        listener = template._sandbox.listener
        if listener is None:
            pytest.skip("this kernel cannot ask")
        for _ in range(3):
            while not listener._poll.poll(1000):
                time.sleep(0.01)
            template._refuse()
        player = template.player()
        player.send(wire.BEGIN_FORM.pack(wire.BEGIN, 0, 1))
        assert player.receive(60.0)[:1] == wire.MOVED
        player.kill()
        template.close()
        supervisor.close()
