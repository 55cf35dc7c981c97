"""A bot without pitboss: it reads lines of JSON and writes lines of JSON, as a program in any language can.

    pitboss tournament run flip7:tournament --bots "cmd:python examples/bots/lines.py,stay-25,ev" --blocks 20

It stays when the next card busts with a probability of `LIMIT` or more. The messages are described in
docs/reference/protocol.md.
"""

import json
import random
import sys

LIMIT = 0.25


def choose(message, rng):
    """A legal move as text."""
    view = message["view"]
    if view["decision"] == "hit_or_stay":
        return "hit" if view["odds"]["bust"] < LIMIT else "stay"
    if view["decision"] == "save":
        return "yes"
    others = [move for move in message["legal"] if move != f"@{view['seat']}"]
    mine = view["card"] == "sc" and f"@{view['seat']}" in message["legal"]
    return f"@{view['seat']}" if mine else rng.choice(others)


def main():
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            rng.seed(message["seed"])  # the only luck that a replay will find again
            answer = {"id": message["id"]}
        elif message["type"] == "decide":
            answer = {"id": message["id"], "move": choose(message, rng)}
        else:
            continue  # events and the end need no answer
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
