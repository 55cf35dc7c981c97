"""Lets tests/mutants.py change a rule book: PITBOSS_MUTATE="standard:reach=active"."""

from __future__ import annotations

import os
from dataclasses import replace

from pitboss.games.vengeance.rules import VengeanceRules

if mutation := os.environ.get("PITBOSS_MUTATE"):
    preset, _, change = mutation.partition(":")
    name, _, value = change.partition("=")
    VengeanceRules.presets[preset] = replace(
        VengeanceRules.presets[preset], **{name: VengeanceRules.switches()[name].read(name, value)}
    )
