"""How soon pages of the room are seen, and whether anything jumps: `python benchmarks/paint.py`.

A server in a process of its own, ready; Chromium opens each page with an empty cache, several times. The first paint
with content and the sum of layout shifts are what the browser itself reports (PerformanceObserver).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from web import SPEC, Client, Crowd, ready

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
WATCH = """
window.seen = {paint: 0, shift: 0, moved: []};
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (entry.name === "first-contentful-paint") window.seen.paint = entry.startTime;
})).observe({type: "paint", buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (entry.hadRecentInput) return;
  window.seen.shift += entry.value;
  window.seen.moved.push(...entry.sources.map((source) => source.node?.className || source.node?.nodeName));
})).observe({type: "layout-shift", buffered: true});
"""
SETTLED = 1500  # milliseconds after loading, in which what comes late has come
SIZES = {"desk": (1440, 900), "phone": (360, 740)}


def look(browser: Browser, address: str, size: tuple[int, int]) -> dict[str, Any]:
    """One visit with nothing kept."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(SETTLED)
    seen: dict[str, Any] = page.evaluate("window.seen")
    context.close()
    return seen


async def make_table(crowd: Crowd) -> str:
    """The path of a table with a person and two bots."""
    client = await Client(crowd.host, crowd.port).open()
    places = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "name": "ev"}, {"kind": "bot", "name": "stay-25"}]
    made = await client.ask("POST", "/api/tables", {"spec": SPEC, "places": places})
    return f"/table/{made['id']}#{made['token']}"


def visits(address: str, paths: list[str], times: int) -> dict[str, dict[str, Any]]:
    """The median first paint in milliseconds, and the largest sum of shifts, of each page at each size."""
    program = os.environ.get("PITBOSS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    found = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        for path in paths:
            for name, size in SIZES.items():
                seen = [look(browser, address + path, size) for _ in range(times)]
                found[f"{path.split('#')[0]} {name}"] = {
                    "first_paint_ms": statistics.median(each["paint"] for each in seen),
                    "layout_shift": max(each["shift"] for each in seen),
                    "moved": sorted({what for each in seen for what in each["moved"]}),
                }
        browser.close()
    return found


def measure(times: int = 5) -> dict[str, dict[str, Any]]:
    """Start a server, wait until it is ready, and look at its pages."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--json"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                text = ""
                while not text.endswith("}\n"):
                    text += server.stdout.readline()
                address = json.loads(text)["url"].rstrip("/")
                host, _, port = address.split("//")[1].partition(":")
                table = asyncio.run(prepare(Crowd(host, int(port))))
                return visits(address, ["/", "/play", "/watch", "/replays", "/tournaments", "/companion", table], times)
            finally:
                server.terminate()


async def prepare(crowd: Crowd) -> str:
    """Wait until the server is ready, and make a table."""
    await ready(crowd)
    return await make_table(crowd)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="visits of each page")
    for page, seen in measure(**vars(parser.parse_args())).items():
        moved = f", moved: {', '.join(seen['moved'])}" if seen["moved"] else ""
        print(f"{page:24} first paint {seen['first_paint_ms']:5.0f} ms, layout shift {seen['layout_shift']:.3f}{moved}")
