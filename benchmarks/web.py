"""How long a move takes in the browser's room while many play and many watch: `python benchmarks/web.py`.

A server in a process of its own; people who think for a moment before each move, each at a table with two bots; and
others who watch those tables. A person's page is told of changes by a socket, as those of watchers are, and one move
in ten is made after a hint. All of them live in this process, on the same machine, and are part of the load.

What the server needs before it is ready is told apart (`startup_cpu_s`): it would be counted for moves otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import connect

SPEC = "flip7:tournament(target=1000)"
BOTS = ("ev", "stay-25")
HINTS = 0.1  # of all moves are made after a look at the odds


class Client:
    """HTTP on one connection that stays open: no library between the clock and the server."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def open(self) -> Client:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        return self

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The JSON that the server answers."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Length: {len(data)}\r\n"
        head += "Content-Type: application/json\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "")
        self.writer.write(head.encode() + b"\r\n" + data)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length"))
        answer = json.loads(await self.reader.readexactly(length))
        if not lines[0].split()[1].startswith("2"):
            raise RuntimeError(f"{method} {path}: {lines[0]} {answer}")
        return answer


class Crowd:
    """All who came: how long moves and hints took, where games ended, and whether somebody missed a step."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.tables: list[str] = []
        self.ends: dict[str, int] = {}
        self.moves: list[tuple[float, float]] = []  # when, and how long it took
        self.hints: list[float] = []
        self.arrived = 0.0  # when the last of them saw a table
        self.complete: list[bool] = []


async def play(crowd: Crowd, client: Client, seconds: float, think: float, rng: random.Random) -> None:
    """Sit at a table and play for a while."""
    places = [{"kind": "here", "name": "Ann"}, *({"kind": "bot", "name": bot} for bot in BOTS)]
    made = await client.ask("POST", "/api/tables", {"spec": SPEC, "places": places})
    path, token = f"/api/tables/{made['id']}", made["token"]
    crowd.tables.append(made["id"])
    own_page = asyncio.create_task(follow(crowd, made["id"], token))
    look = await client.ask("GET", path, token=token)
    end = time.perf_counter() + seconds
    await asyncio.sleep(rng.random() * think)
    while time.perf_counter() < end and not look["ending"]:
        if rng.random() < HINTS:
            begin = time.perf_counter()
            await client.ask("GET", f"{path}/hint?seat={look['to_act']}", token=token)
            crowd.hints.append(time.perf_counter() - begin)
        move = rng.choice(look["choices"])["move"]
        begin = time.perf_counter()
        asked = {"seat": look["to_act"], "move": move, "step": look["last"]}
        look = await client.ask("POST", f"{path}/moves", asked, token)
        crowd.moves.append((begin, time.perf_counter() - begin))
        await asyncio.sleep(think * (0.5 + rng.random()))
    crowd.ends[made["id"]] = look["last"]
    await own_page


async def watch(crowd: Crowd, number: int) -> None:
    """Look on at a table; two come to each."""
    while len(crowd.tables) <= number // 2:
        await asyncio.sleep(0.05)
    await follow(crowd, crowd.tables[number // 2], None)


async def follow(crowd: Crowd, id: str, token: str | None) -> None:
    """Be told of a table until it has come to its last step, and note whether all steps came, in order."""
    last = -1
    async with connect(f"ws://{crowd.host}:{crowd.port}/api/tables/{id}/live", max_size=None) as socket:
        await socket.send(json.dumps({"token": token, "since": -1}))
        while id not in crowd.ends or last < crowd.ends[id]:
            try:
                look = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
            except TimeoutError:
                continue
            numbers = dict.fromkeys(step["number"] for step in look["steps"])  # the end of a round has two pictures
            if [*numbers] != list(range(last + 1, look["last"] + 1)):
                crowd.complete.append(False)
                return
            crowd.arrived = time.perf_counter() if last < 0 else crowd.arrived
            last = look["last"]
    crowd.complete.append(True)


async def ready(crowd: Crowd) -> None:
    """Wait until the server has loaded and compiled all games."""
    client = await Client(crowd.host, crowd.port).open()
    while (await client.ask("GET", "/api/opening"))["compiling"]:
        await asyncio.sleep(0.2)


async def gather(crowd: Crowd, players: int, watchers: int, seconds: float, think: float) -> dict[str, Any]:
    """All of them at once; how long moves took, in milliseconds, and whether something was lost.

    Moves are told apart by whether all had arrived: that a hundred tables are made and three hundred sockets opened
    within a second happens once.
    """
    began = time.perf_counter()
    clients = [await Client(crowd.host, crowd.port).open() for _ in range(players)]
    looking = [asyncio.create_task(watch(crowd, n)) for n in range(watchers)]
    await asyncio.gather(*(play(crowd, client, seconds, think, random.Random(n)) for n, client in enumerate(clients)))
    await asyncio.wait_for(asyncio.gather(*looking), 30)
    ms = np.array([1000 * took for begin, took in crowd.moves if begin >= crowd.arrived])
    arriving = [1000 * took for begin, took in crowd.moves if begin < crowd.arrived]
    return {
        "moves": len(crowd.moves),
        "moves_per_second": len(crowd.moves) / seconds,
        "median_ms": float(np.median(ms)),
        "p99_ms": float(np.quantile(ms, 0.99)),
        "most_ms": float(ms.max()),
        "all_arrived_s": crowd.arrived - began,
        "moves_until_then": len(arriving),
        "median_ms_until_then": float(np.median(arriving or [0.0])),
        "most_ms_until_then": max(arriving, default=0.0),
        "hints": len(crowd.hints),
        "hint_p99_ms": 1000 * float(np.quantile(crowd.hints or [0.0], 0.99)),
        "sockets": len(crowd.complete),
        "lost": crowd.complete.count(False),
    }


def cpu(process: int) -> float:
    """Seconds of processor time that a process has used; Linux says so."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(players: int = 100, watchers: int = 200, seconds: float = 20.0, think: float = 1.0) -> dict[str, Any]:
    """Start a server, let the crowd in, and say how it went."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--json"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                text = ""
                while not text.endswith("}\n"):
                    text += server.stdout.readline()
                address = json.loads(text)["url"].split("//")[1].rstrip("/")
                host, _, port = address.partition(":")
                gc.freeze()  # the clock is in this process, too
                crowd = Crowd(host, int(port))
                asyncio.run(ready(crowd))
                before = cpu(server.pid)
                found = asyncio.run(gather(crowd, players, watchers, seconds, think))
                used = cpu(server.pid) - before
                return found | {"server_cpu_ms_per_move": 1000 * used / found["moves"], "startup_cpu_s": before}
            finally:
                server.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two moves of a person, on average")
    print(json.dumps(measure(**vars(parser.parse_args())), indent=1))
