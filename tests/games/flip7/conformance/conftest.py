"""Lets tests/mutants.py change a rule book: PITBOSS_MUTATE="official:save=asked"."""

from __future__ import annotations

import os
from dataclasses import replace

from pitboss.games.flip7.rules import Flip7Rules

if mutation := os.environ.get("PITBOSS_MUTATE"):
    preset, _, change = mutation.partition(":")
    name, _, value = change.partition("=")
    Flip7Rules.presets[preset] = replace(
        Flip7Rules.presets[preset], **{name: Flip7Rules.switches()[name].read(name, value)}
    )
