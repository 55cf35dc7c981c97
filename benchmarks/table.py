"""How smoothly a table is drawn: python benchmarks/table.py

Draws the steps of games in Chromium. Prints how long a step takes, how far apart frames are while cards fly, and how
much the page shifts. It needs the extra `browser`, and a chromium of the system's.
"""

from __future__ import annotations

import json
import os
import shutil

from playwright.sync_api import Browser, sync_playwright

from pitboss import play
from pitboss.render import joined, read
from pitboss.render.replay import steps

BOTS = ["ev", "stay-25", "random", "bust-0.25", "stay-20", "conservative"]
STEPS = slice(60, 160)
SCRIPT = """
import { motion } from "./motion.js";
import { Table } from "./table.js";
Object.assign(window, { Table, motion });
"""
DRAWN = """(steps) => {
  motion("off");
  const table = (window.table = new Table(document.querySelector(".cloth")));
  table.near = 0;
  const times = steps.map(([scene]) => {
    const begin = performance.now();
    table.draw(scene);
    document.body.getBoundingClientRect(); // laid out, too
    return performance.now() - begin;
  });
  return { first: times[0], times: times.slice(1).sort((a, b) => a - b) };
}"""
SHOWN = """async (steps) => {
  motion("calm");
  let [shift, gaps] = [0, []];
  const sum = (list) => list.getEntries().forEach((entry) => (shift += entry.value));
  new PerformanceObserver(sum).observe({ type: "layout-shift" });
  for (const [scene, moments] of steps) {
    table.draw(scene, table.scene, moments);
    let last = performance.now();
    for (const end = last + 420; last < end; ) {
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
  }
  return { shift, gaps: gaps.sort((a, b) => a - b) };
}"""


def measure(browser: Browser, seats: int) -> str:
    """A line about a table with so many seats."""
    record = play("flip7:official", (BOTS * 3)[:seats], seed=3)
    told = [(step["scenes"][0], step.get("moments", [[]])[0]) for step in steps(record)[STEPS]]
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    style = read("base.css") + read("table.css") + ".felt { display: grid; height: 860px; }"
    page.set_content(
        f"<!DOCTYPE html><style>{style}</style><div class=felt><div class=cloth></div></div>"
        f"<script>{joined(SCRIPT)}</script>"
    )
    drawn = page.evaluate(DRAWN, json.loads(json.dumps(told)))
    shown = page.evaluate(SHOWN, json.loads(json.dumps(told[:30])))
    page.close()
    middle, most = (drawn["times"][int(len(drawn["times"]) * part)] for part in (0.5, 0.9))
    gap, late = (shown["gaps"][int(len(shown["gaps"]) * part)] for part in (0.5, 0.95))
    return (
        f"{seats} seats: first {drawn['first']:.0f} ms, then {middle:.1f} ms a step (nine in ten below {most:.1f}); "
        f"frames {gap:.1f} ms apart (95 in 100 below {late:.1f}); layout shift {shown['shift']:.3f}"
    )


def main() -> None:
    """Measure small and large tables."""
    program = os.environ.get("PITBOSS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as start:
        browser = start.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for seats in (2, 6, 18):
            print(measure(browser, seats))
        browser.close()


if __name__ == "__main__":
    main()
