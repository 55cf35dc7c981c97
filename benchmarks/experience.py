"""Teach the bot `veteran` anew: `python benchmarks/experience.py`, which needs PyTorch.

`hunter` plays against itself at `flip7:official` with two to six seats, on all cores for so many seconds. Of each seat
and round one decision is kept: what the net reads there (`games/flip7/bots/experience.py`), the points that the round
then brought, what the model said these were worth, and whether the seat won. From these the net learns how wrong the
model is. Prints how well both foretell games that the net has not learned from, by number of seats, and writes the
weights to where the bot looks for them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from typing import Any

import numpy as np
import torch

from pitboss.core.compile import compiled_as
from pitboss.core.keys import draw
from pitboss.core.registry import bot, load
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array
from pitboss.games.flip7.bots.experience import ABOUT_OTHER, ABOUT_POINTS, ABOUT_TABLE, SURE, about_other, about_table
from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.veteran import WEIGHTS
from pitboss.games.flip7.bots.winner import WinModel, chances, win_model, winner_bot
from pitboss.games.flip7.solver.hands import POINTS, Floats
from pitboss.games.flip7.state import ACTIVE, HIT_OR_STAY
from pitboss.games.flip7.step import apply

SEATS = (2, 4, 6, 4, 3, 6, 2, 5, 4, 6, 4, 6, 3, 4, 5, 6)  # at the tables that are played side by side
OTHERS = max(SEATS) - 1
MOST_ROUNDS = 1024  # of all seats of a game together
BROUGHT, TOLD, WON = -3, -2, -1  # the last columns
COLUMNS = OTHERS * ABOUT_OTHER + ABOUT_TABLE + 3
FIRST, SECOND = 24, 32  # neurons
TARGET, BATCH, HELD_BACK = 200, 32_768, 20  # one decision in so many is not learned from


@compiled_as(inline=False)
def _play(states: Array, rules: Array, model: WinModel, params: Array, luck: np.uint64, rows: Array) -> int:
    """Play a game that has just begun; fill in decisions, and return how many."""
    s, r, count, seats = states[0], rules[0], 0, int(states[0]["seats"])
    row_of, seen, who = np.full(seats, -1), np.zeros(seats, np.int64), np.zeros(len(rows), np.int64)
    rounds, worth, began = np.zeros((seats, POINTS)), np.empty((seats, POINTS)), int(s["round"])
    while True:
        if int(s["to_act"]) == OVER or int(s["round"]) != began:
            for seat in range(seats):
                if row_of[seat] >= 0:
                    points = int(s["last"][seat])
                    rows[row_of[seat], BROUGHT], rows[row_of[seat], TOLD] = points, worth[seat, points]
            row_of[:], seen[:], began = -1, 0, int(s["round"])
        if int(s["to_act"]) == OVER:
            break
        seat, luck = int(s["to_act"]), next_luck(luck)
        bits = luck_bits(luck)
        if seat == DEALER:
            apply(s, r, draw(s["left"], int(s["left_total"]), bits), None)
            continue
        if int(s["decision"]) == HIT_OR_STAY and int(s["numbers"][seat]) > 0 and count + 1 < len(rows):
            seen[seat] += 1
            if luck_bits(bits) % np.uint64(seen[seat]) == 0:  # each of a round's decisions is as likely to be kept
                if row_of[seat] < 0:
                    row_of[seat], who[count] = count, seat
                    count += 1
                _tell(s, r, seat, rounds, rows[row_of[seat]])
                chances(s, seat, model, rounds, worth[seat])
        apply(s, r, winner_bot(s, r, seat, params, bits), None)
    for i in range(count):
        rows[i, WON] = int(s["won"][who[i]]) / max(int(s["won"][:seats].sum()), 1)
    return count


@compiled_as(inline=False)
def _tell(s: Any, r: Any, seat: int, rounds: Array, row: Array) -> None:
    """Fill in what the net reads."""
    row[:], at, playing = 0.0, 0, 0
    for other in range(len(rounds)):
        plays = 1 if int(s["status"][other]) == ACTIVE else 0
        playing += plays
        if other != seat:
            forecast(s, other, AS_EV, NOTHING, rounds[other])
            about_other(s, r, seat, other, rounds[other], plays, row[at : at + ABOUT_OTHER])
            at += ABOUT_OTHER
    about_table(s, seat, playing, row[OTHERS * ABOUT_OTHER :])


def decisions(place: int, seats: int, seconds: float) -> Floats:
    """Decisions of the games that one process plays in some seconds."""
    game, out, until = load("flip7:official"), [], time.monotonic() + seconds
    params, model, begun = np.array(bot("hunter", game).params, np.float64), win_model(game), game.start(seats).states
    states, n = begun.copy(), 0
    while not out or time.monotonic() < until:
        states[0] = begun[0]
        rows = np.zeros((MOST_ROUNDS, COLUMNS))
        luck = luck_bits(np.uint64((1000 * seats + place) * 100_000_003 + n))
        count = _play(states, game.record, model, params, np.uint64(luck), rows)
        out.append(rows[:count].astype(np.float32))
        n += 1
    return np.concatenate(out)


def all_decisions(seconds: float) -> Floats:
    """Those of all processes."""
    decisions(0, 2, 0.0)  # compiles
    cores = os.cpu_count() or 1
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        jobs = [(place, SEATS[place % len(SEATS)], seconds * cores / max(cores, len(SEATS))) for place in range(16)]
        return np.concatenate(pool.starmap(decisions, jobs, chunksize=1))


class Net(torch.nn.Module):
    """The net of `experience.put_right`, for many decisions at once."""

    def __init__(self) -> None:
        super().__init__()
        self.other = torch.nn.Linear(ABOUT_OTHER + ABOUT_POINTS, FIRST)
        self.table = torch.nn.Linear(FIRST + ABOUT_POINTS + ABOUT_TABLE, SECOND)
        self.odds = torch.nn.Linear(SECOND, 1)
        torch.nn.init.zeros_(self.odds.weight)  # it begins with what the model says
        torch.nn.init.zeros_(self.odds.bias)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        others = rows[:, : OTHERS * ABOUT_OTHER].reshape(-1, OTHERS, ABOUT_OTHER)
        table = rows[:, OTHERS * ABOUT_OTHER : BROUGHT]
        brought, odds = rows[:, BROUGHT], torch.logit(rows[:, TOLD].clamp(SURE, 1 - SURE))
        total = (table[:, 5] + 1) * 100 + brought
        points = torch.stack(
            [
                brought / 25,
                total / 100 - 1,
                (total >= TARGET).float(),
                odds / 3,
                torch.relu(total - TARGET + 30) / 30,
                (brought == 0).float(),
            ],
            1,
        )
        there = torch.arange(OTHERS, device=rows.device)[None] < seats_of(rows)[:, None] - 1
        each = torch.relu(self.other(torch.cat([others, points[:, None].expand(-1, OTHERS, -1)], 2)))
        pooled = (each * there[..., None]).sum(1)
        return odds + self.odds(torch.relu(self.table(torch.cat([pooled, points, table], 1))))[:, 0]  # type: ignore[no-any-return]

    def numbers(self) -> Floats:
        """The weights as one row."""
        parts = [np.array([FIRST, SECOND], np.float32)]
        for layer in (self.other, self.table, self.odds):
            parts += [layer.weight.detach().cpu().numpy().T.ravel(), layer.bias.detach().cpu().numpy()]
        return np.concatenate(parts)


def seats_of(rows: torch.Tensor) -> torch.Tensor:
    return torch.round((rows[:, OTHERS * ABOUT_OTHER] + 1) * 4)


def taught(rows: torch.Tensor, seconds: float) -> Net:
    """A net that has learned for some seconds."""
    torch.manual_seed(1)
    net, began, done = Net().to(rows.device), time.monotonic(), 0.0
    steps = torch.optim.Adam(net.parameters())
    while done < 1:
        for group in steps.param_groups:
            group["lr"] = 1e-3 * (1 + np.cos(np.pi * done)) + 1e-5
        some = rows[torch.randint(len(rows), (BATCH,), device=rows.device)]
        steps.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(net(some), some[:, WON]).backward()
        steps.step()
        done = (time.monotonic() - began) / seconds
    return net


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--playing", type=float, default=300, help="seconds of playing")
    asked.add_argument("--learning", type=float, default=60, help="seconds of learning")
    chosen = asked.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = torch.from_numpy(all_decisions(chosen.playing)).to(device)
    held_back = torch.arange(len(rows), device=device) % HELD_BACK == 0
    net, test = taught(rows[~held_back], chosen.learning), rows[held_back]
    with torch.no_grad():
        told = {"model": torch.logit(test[:, TOLD].clamp(SURE, 1 - SURE)), "net": net(test)}
    print(f"{len(rows):,} decisions; log loss of {len(test):,} that were held back:")
    for seats in sorted(set(SEATS)):
        here = seats_of(test) == seats
        by = torch.nn.functional.binary_cross_entropy_with_logits
        losses = (f"{name} {float(by(odds[here], test[here][:, WON])):.4f}" for name, odds in told.items())
        print(f"{seats} seats: {', '.join(losses)}")
    np.save(WEIGHTS, net.numbers().astype(np.float32))


if __name__ == "__main__":
    main()
