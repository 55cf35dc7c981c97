"""Tournaments that another version began: they go on if their games are played alike, whatever the code looks like."""

import json
from dataclasses import replace

import pytest

from pitboss import Tournament
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.version import EARLIER
from pitboss.tournament.store import Store

PATIENT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot


class Patient(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < 30 else STAY
"""


def half_played(bots):
    """A tournament that was stopped in the middle."""
    t = Tournament("flip7:tournament", bots, blocks=100, seed=1, store=Store(":memory:"))

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        t.play(watch=stop)
    assert 0 < t.standings().matches < t.standings().matches_planned
    return t


def begun_elsewhere(t, monkeypatch):
    """As if rules and built-in bots had had other fingerprints when it began."""
    monkeypatch.setattr(Tournament, "settings", replace(t.settings, engine="0123456789abcdef"))
    others = tuple(replace(bot, version="other") if bot.kind == "built-in" else bot for bot in t._stored.entries)
    t._stored = replace(t._stored, entries=others)


def table(standings):
    data = standings.to_dict()
    return json.dumps({k: v for k, v in data.items() if k not in ("id", "created", "times", "key", "bots")})


def test_other_code_that_plays_alike_goes_on(monkeypatch):
    t = half_played("stay-25,ev,random")
    begun_elsewhere(t, monkeypatch)
    whole = Tournament("flip7:tournament", "stay-25,ev,random", blocks=100, seed=1).play()
    assert table(t.play()) == table(whole)


def test_so_does_one_with_a_bot_from_a_file(tmp_path, monkeypatch):
    (tmp_path / "patient.py").write_text(PATIENT)
    t = half_played(f"{tmp_path / 'patient.py'},ev")
    begun_elsewhere(t, monkeypatch)
    assert t.play().finished


def test_one_of_which_nothing_was_played_goes_on(monkeypatch):
    t = Tournament("flip7:tournament", "stay-25,ev", blocks=1, store=Store(":memory:"))
    begun_elsewhere(t, monkeypatch)
    assert t.play().finished


def test_other_rules_are_refused(monkeypatch):
    t = half_played("stay-25,ev")
    begun_elsewhere(t, monkeypatch)
    t._stored = replace(t._stored, spec="flip7:tournament(target=190)")
    with pytest.raises(PitbossError, match="started with other rules .* game .* ends differently"):
        t.play()


def test_a_bot_that_moves_otherwise_is_refused(monkeypatch):
    t = half_played("stay-25,ev")
    begun_elsewhere(t, monkeypatch)
    impostors = (replace(t._stored.entries[0], text="stay-24"), t._stored.entries[1])
    t._stored = replace(t._stored, entries=impostors)
    with pytest.raises(BotError, match="stay-24 plays differently in this version .*; continue with the version"):
        t.play()


def test_versions_that_are_known_to_play_alike_are_not_played_again(monkeypatch):
    """From before there were fingerprints."""
    t = half_played("stay-25,ev")
    monkeypatch.setattr(Tournament, "settings", replace(t.settings, engine=EARLIER["flip7"][0]))
    monkeypatch.setattr("pitboss.tournament.upgrade._play_again", None)
    assert t.play().finished
