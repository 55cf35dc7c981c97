"""How fast games run as WebAssembly, in node and in Chromium, beside machine code: all in one run, in turn.

    python benchmarks/wasm.py

Needs the extra `page`, node, Playwright and a chromium. Times are processor time of the process that plays (in Chromium
of the page's own), so other work on the machine disturbs little; the best of several runs counts.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import sync_playwright

from pitboss import load
from pitboss.core.keys import Key
from pitboss.core.registry import line_up
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.page.target import build_module, describe
from pitboss.run.work import CompiledJob

STATIC = Path(__file__).resolve().parent.parent / "src" / "pitboss" / "page" / "static"
TABLES = {
    "flip7:official": ["ev+freeze-leader", "bust-0.25", "stay-25+freeze-risky", "random"],
    "flip7:numbers": ["stay-20", "stay-23", "stay-26", "stay-30"],
    "vengeance:standard": ["ev", "stay-25", "bust-0.25", "cards-4"],
    "show:classic": ["show-6", "random"],
}
BLOCKS, TRIES = 1000, 8
KINDS = {".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm", ".html": "text/html"}

# What both engines run: games, and the exact worth of a hit with all 85 cards to come.
MEASURE = """
import { openGame } from "./engine.js";
import { keyFromSeed } from "./keys.js";
const games = {};
export async function open(name, read) {
  const description = JSON.parse(new TextDecoder().decode(await read(`${name}.json`)));
  const began = performance.now();
  games[name] = await openGame({ description, wasm: await read(`${name}.wasm`) });
  return performance.now() - began;
}
export const play = (spec, names, blocks) =>
  games[spec.split(":")[0]].simulate(spec, names, { key: keyFromSeed(7), blocks }).counts.decisions;
export function advise() {
  const game = games.flip7, position = game.start("flip7:solo", 1, { key: keyFromSeed(7) });
  return game.opinion(position, 0).moves[0].value;
}
"""
NODE = """
import { readFileSync } from "node:fs";
import { open, play, advise } from "./measure.js";
const { tables, blocks, tries } = JSON.parse(readFileSync(0, "utf8")), here = new URL(".", import.meta.url).pathname;
const timed = (work) => {
  let best = Infinity;
  for (let i = 0; i < tries; i++) {
    const before = process.cpuUsage();
    work();
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / 1e6);
  }
  return best;
};
const out = { open: {}, play: {} };
for (const spec of Object.keys(tables)) {
  const name = spec.split(":")[0];
  out.open[name] ??= await open(name, async (file) => readFileSync(here + file));
  out.play[spec] = timed(() => play(spec, tables[spec], blocks));
}
out.advise = timed(advise);
out.worth = advise();
console.log(JSON.stringify(out));
"""


def best_of(work) -> float:
    """Seconds of processor time."""
    least = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return least


def native() -> dict:
    out = {"play": {}}
    for spec, names in TABLES.items():
        game = load(spec)
        job = CompiledJob(game, line_up(names, game), Key.from_seed(7), len(names))
        job.rows(0, 10)
        out["play"][spec] = best_of(lambda job=job: job.rows(0, BLOCKS))
    solo = load("flip7:solo")
    out["worth"] = solve_round(solo).hit
    out["advise"] = best_of(lambda: solve_round(solo))
    return out


def in_node(folder: Path) -> dict:
    (folder / "node.mjs").write_text(NODE)
    order = json.dumps({"tables": TABLES, "blocks": BLOCKS, "tries": TRIES})
    done = subprocess.run(["node", str(folder / "node.mjs")], input=order, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def in_chromium(folder: Path) -> dict:
    out = {"open": {}, "play": {}}
    with sync_playwright() as play:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()

        def serve(route) -> None:
            file = folder / (urlsplit(route.request.url).path[1:] or "index.html")
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])

        page.route("http://page.test/**", serve)
        page.goto("http://page.test/")
        page.evaluate("async () => { globalThis.m = await import('/measure.js'); }")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def used() -> float:
            """Processor time of the page's main thread, in which everything here runs."""
            metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
            return metrics["TaskDuration"]

        def timed(script: str, argument: object) -> float:
            least = float("inf")
            for _ in range(TRIES):
                before = used()
                page.evaluate(script, argument)
                least = min(least, used() - before)
            return least

        read = "async (file) => new Uint8Array(await (await fetch('/' + file)).arrayBuffer())"
        for spec, names in TABLES.items():
            name = spec.partition(":")[0]
            if name not in out["open"]:
                out["open"][name] = page.evaluate(f"(name) => m.open(name, {read})", name)
            out["play"][spec] = timed("(a) => m.play(...a)", [spec, names, BLOCKS])
        out["advise"] = timed("() => m.advise()", None)
        out["worth"] = page.evaluate("() => m.advise()")
        browser.close()
    return out


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("engine.js", "keys.js", "rollouts.js", "sha256.js"):
            shutil.copy(STATIC / name, folder)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "measure.js").write_text(MEASURE)
        (folder / "index.html").write_text("<!doctype html>")
        for name in {spec.partition(":")[0] for spec in TABLES}:
            (folder / f"{name}.json").write_text(json.dumps(describe(name)))
            (folder / f"{name}.wasm").write_bytes(build_module(name))
        here, node, chromium = native(), in_node(folder), in_chromium(folder)
    print("| table | machine code | node | Chromium |\n|---|---|---|---|")
    for spec, names in TABLES.items():
        games = BLOCKS * len(names)
        speeds = [games / each["play"][spec] for each in (here, node, chromium)]
        rest = " | ".join(f"{speed:,.0f} ({speed / speeds[0]:.2f})" for speed in speeds[1:])
        print(f"| `{spec}`, {', '.join(f'`{name}`' for name in names)}, games/s | {speeds[0]:,.0f} | {rest} |")
    times = [f"{1000 * each['advise']:.1f}" for each in (here, node, chromium)]
    print(f"| what a hit is worth, 85 cards to come, ms | {' | '.join(times)} |")
    same = np.float64(here["worth"]) == node["worth"] == chromium["worth"]
    print(f"\nThe worth of the hit is the same to the last bit: {same} ({here['worth']!r})")
    print("Opened in ms:", {name: (round(node["open"][name]), round(ms)) for name, ms in chromium["open"].items()})
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
