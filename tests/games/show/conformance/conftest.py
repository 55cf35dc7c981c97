"""Lets tests/mutants.py change a rule book: PITBOSS_MUTATE="fair:queen=true"."""

from __future__ import annotations

import os
from dataclasses import replace

from pitboss.games.show.rules import ShowRules

if mutation := os.environ.get("PITBOSS_MUTATE"):
    preset, _, change = mutation.partition(":")
    name, _, value = change.partition("=")
    ShowRules.presets[preset] = replace(
        ShowRules.presets[preset], **{name: ShowRules.switches()[name].read(name, value)}
    )
