"""Lets tests/mutants.py change a rule book: PITBOSS_MUTATE="fair:queen=true"."""

from __future__ import annotations

import os
from dataclasses import replace

from pitboss.games.show.rules import Rules

if mutation := os.environ.get("PITBOSS_MUTATE"):
    preset, _, change = mutation.partition(":")
    name, _, value = change.partition("=")
    Rules.presets[preset] = replace(Rules.presets[preset], **{name: Rules.switches()[name].read(name, value)})
