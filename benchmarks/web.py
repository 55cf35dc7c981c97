"""How long a move takes in the browser's room while many play and many watch: `python benchmarks/web.py`.

A server in a process of its own; people who think for a moment before each move, each at a table with two bots; and
others who watch those tables. All of them live in this process, on the same machine, and are part of the load.
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


async def play(client: Client, seconds: float, think: float, out: list[float], rng: random.Random) -> tuple[str, int]:
    """Sit at a table and play for a while; the table's id, and its last step."""
    places = [{"kind": "here", "name": "Ann"}, *({"kind": "bot", "name": bot} for bot in BOTS)]
    made = await client.ask("POST", "/api/tables", {"spec": SPEC, "places": places})
    path, token = f"/api/tables/{made['id']}", made["token"]
    tables.append(made["id"])
    look = await client.ask("GET", path, token=token)
    end = time.perf_counter() + seconds
    await asyncio.sleep(rng.random() * think)
    while time.perf_counter() < end and not look["ending"]:
        move = rng.choice(look["choices"])["move"]
        begin = time.perf_counter()
        look = await client.ask(
            "POST", f"{path}/moves", {"seat": look["to_act"], "move": move, "step": look["last"]}, token
        )
        out.append(time.perf_counter() - begin)
        await asyncio.sleep(think * (0.5 + rng.random()))
    return made["id"], look["last"]


async def watch(host: str, port: int, number: int, ends: dict[str, int], seen: list[bool]) -> None:
    """Look on until the table has come to its last step; whether all steps came, in order."""
    while len(tables) <= number // 2:
        await asyncio.sleep(0.05)
    id, last = tables[number // 2], -1
    async with connect(f"ws://{host}:{port}/api/tables/{id}/live", max_size=None) as socket:
        await socket.send(json.dumps({"token": None, "since": -1}))
        while id not in ends or last < ends[id]:
            try:
                look = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
            except TimeoutError:
                continue
            numbers = [step["number"] for step in look["steps"]]
            if numbers != list(range(last + 1, look["last"] + 1)):
                seen.append(False)
                return
            last = look["last"]
    seen.append(True)


tables: list[str] = []


async def crowd(host: str, port: int, players: int, watchers: int, seconds: float, think: float) -> dict[str, Any]:
    """All of them at once; how long moves took, in milliseconds, and whether something was lost."""
    tables.clear()
    times: list[float] = []
    ends: dict[str, int] = {}
    seen: list[bool] = []
    clients = [await Client(host, port).open() for _ in range(players)]
    looking = [asyncio.create_task(watch(host, port, n, ends, seen)) for n in range(watchers)]
    games = [play(client, seconds, think, times, random.Random(n)) for n, client in enumerate(clients)]
    ends.update(await asyncio.gather(*games))
    await asyncio.wait_for(asyncio.gather(*looking), 30)
    ms = 1000 * np.array(times)
    return {
        "moves": len(ms),
        "moves_per_second": len(ms) / seconds,
        "median_ms": float(np.median(ms)),
        "p99_ms": float(np.quantile(ms, 0.99)),
        "most_ms": float(ms.max()),
        "watchers": len(seen),
        "lost": seen.count(False),
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
                before = cpu(server.pid)
                found = asyncio.run(crowd(host, int(port), players, watchers, seconds, think))
                return found | {"server_cpu_ms_per_move": 1000 * (cpu(server.pid) - before) / found["moves"]}
            finally:
                server.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two moves of a person, on average")
    print(json.dumps(measure(**vars(parser.parse_args())), indent=1))
