"""A made-up tournament, as the data of a report: what the numbers are does not matter, only that they agree."""

import math
from random import Random

NAMES = ["ev", "bust-0.25", "stay-25", "conservative", "my_bots/a_rather_long_file_name.py:TheBotOfTheYear", "random"]


def report(bots=6, blocks=50, finished=True, names=None):
    """The data for so many bots; with one block there are no intervals."""
    luck = Random(bots)
    names = names or [NAMES[i] if i < len(NAMES) else f"student-{i:02d}.py:Bot" for i in range(bots)]
    bots = len(names)
    truth = [1.2 - 2.4 * i / max(1, bots - 1) for i in range(bots)]
    met = [[0 if a == b else 2 * blocks for b in range(bots)] for a in range(bots)]
    wins = [[0] * bots for _ in range(bots)]
    for a in range(bots):
        for b in range(a):
            p = 1 / (1 + math.exp(truth[b] - truth[a]))
            won = sum(luck.random() < p for _ in range(2 * blocks))
            drawn = min(2 * blocks - won, blocks // 20)
            wins[a][b], wins[b][a] = won, 2 * blocks - won - drawn
    matches = 2 * blocks * (bots - 1)
    standings = []
    for i, name in enumerate(names):
        share = sum(wins[i]) / max(1, matches)
        half = 1.96 * math.sqrt(share * (1 - share) / max(1, matches))
        own = name.endswith("Bot") or ".py" in name
        standings.append(
            {
                "name": name, "rank": i + 1, "kind": "file" if own else "built-in",
                "version": "3f9ac2d17b04e5" if own else "", "matches": matches, "wins": sum(wins[i]), "draws": 3,
                "win_share": share, "ci95": None if blocks == 1 else [share - half, share + half],
                "strength": truth[i], "strength_ci95": None if blocks == 1 else [truth[i] - 0.2, truth[i] + 0.23],
                "p_best": None if blocks == 1 else [0.9971, 0.0029, *([0.0] * bots)][i], "mean_place": 1 + (1 - share),
                "mean_score": 190 - 8.3 * i, "game_win_share": 0.5 + (share - 0.5) / 2,
                "faults": {"timeout": 3, "illegal move": 1} if i == bots - 2 else {},
                "ms_per_decision": 0.05 * 3**(i % 6) if own else 0, "ms_most": 0.4 * 4**(i % 6) if own else 0,
                "nondeterministic": i == 4,
                "cells": [
                    ("1 to 3", "", None),
                    (f"{100 * share:.1f} %", "" if blocks == 1 else f"{100 * (share - half):.1f} to 99.9", share),
                    (f"{truth[i]:+.2f}", "", None),
                    (f"{matches:,}", "", None),
                ],
            }
        )  # fmt: skip
    return {
        "id": "brave-otter", "title": "Tournament brave-otter", "game": "flip7:tournament(target=200)",
        "created": "2025-11-15 14:02", "matches": matches * bots // 2, "games": matches * bots * 2, "seconds": 312.4,
        "settings": [["format", "round robin"], ["seats", "2"], ["match", "best of 5"], ["time", "0.5 s"]],
        "key_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "key": "key:000102030405060708090a0b0c0d0e0f" if finished else None,
        "standings": standings, "head_to_head": {"names": names, "wins": wins, "games": met},
        "columns": [("ranks", "that it can have"), ("share", "of matches won"), ("strength", ""), ("matches", "")],
        "statements": ["ev is better than stay-25 and random", "the other 7 pairs are too close to call"],
        "score_histograms": {
            name: [[10 * k, 10 * k + 10, round(400 * math.exp(-(((k - 20 + i / 2) / 4) ** 2)))] for k in range(26)]
            for i, name in enumerate(names)
        },
        "length_histogram": [[n, round(300 * math.exp(-(((n - 9) / 2.5) ** 2)))] for n in range(4, 18)],
        "length_name": "rounds",
        "replays": [{"title": "ev – stay-25: the closest game of the best", "href": "game-12.html"}],
        "warnings": ["4 of 3,000 games had faults of time or memory, which need not happen again in the same way"],
    }  # fmt: skip
