"""The page without a server in Chromium: what it weighs, how soon the first card lies there, how fast it plays.

    python benchmarks/page.py

Native games are played in the same run, in turn with the page's, so that both have the same machine. Times are the best
of several visits: other work on the machine only adds to them.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pitboss import simulate
from pitboss.page.build import build
from pitboss.page.serve import server

SPEC, BOTS, GAMES, VISITS = "flip7:official", ["stay-20", "stay-25", "ev", "random"], 100_000, 3
CHROMIUM = os.environ.get("PITBOSS_CHROMIUM", "/usr/bin/chromium")
ONE_CORE = "Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => {cores} })"


def visits(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds to the first card: on the first visit, with nothing kept, and on the second, offline."""
    first, second = [], []
    for _ in range(VISITS):
        context = browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        began = time.perf_counter()
        page.goto(f"{address}#/play/{SPEC}?seed=5")
        page.wait_for_selector(".table .card")
        first.append(time.perf_counter() - began)
        page.evaluate("() => navigator.serviceWorker.ready")
        page.wait_for_timeout(1000)
        context.set_offline(True)
        began = time.perf_counter()
        page.reload()
        page.wait_for_selector(".table .card")
        second.append(time.perf_counter() - began)
        context.close()
    return min(first), min(second)


def speed(browser: Browser, address: str, cores: int) -> float:
    """Games a second in the lab, on so many workers."""
    page = browser.new_page()
    page.add_init_script(ONE_CORE.replace("{cores}", str(cores)))
    page.goto(f"{address}#/lab?spec={SPEC}&bots={','.join(BOTS)}&games={GAMES}&seed=7")
    found = []
    for _ in range(VISITS):
        page.get_by_role("button", name="Simulate").click()
        page.wait_for_selector(".page[data-state=running]")
        page.wait_for_selector(".page[data-state=done]", timeout=300_000)
        found.append(float(re.sub(r"\D", "", page.inner_text("[role=status]").rsplit(":", 1)[1])))
    page.close()
    return max(found)


def advice(browser: Browser, address: str) -> float:
    """Milliseconds for the answer at a real table, after three cards."""
    page = browser.new_page()
    page.goto(f"{address}#/advice")
    page.get_by_role("button", name="Begin").click()
    found = []
    for _ in range(VISITS):
        for card in ("12", "5", "9"):
            page.locator(".keys button", has=page.locator(f"b:text-is('{card}')")).click()
        found.append(float(page.get_attribute(".page", "data-milliseconds") or "nan"))
        for _ in range(3):
            page.get_by_role("button", name="Undo").click()
    page.close()
    return min(found)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        built = build(Path(folder) / "page")
        for name, size in built.games.items():
            print(f"{name}: {(built.shared + size) / 1000:.0f} kB to load, gzipped")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        with server(built.folder, "127.0.0.1", 0) as listening:
            threading.Thread(target=listening.serve_forever, daemon=True).start()
            address = f"http://localhost:{listening.server_address[1]}/"
            first, second = visits(browser, address)
            print(f"first card {first:.2f} s, second visit offline {second:.2f} s")
            print(f"advice {advice(browser, address):.1f} ms")
            native, one, two = [], [], []
            for _ in range(2):
                native.append(simulate(SPEC, BOTS, GAMES, 7, threads=1).to_dict()["games_per_second"])
                one.append(speed(browser, address, 1))
                two.append(speed(browser, address, 2))
            print(
                f"{SPEC}: native {max(native):,.0f} games/s on one thread, the page {max(one):,.0f} on one worker",
                end=" ",
            )
            print(
                f"({max(one) / max(native):.2f} of native) and {max(two):,.0f} on two ({max(two) / max(one):.2f} times)"
            )
            listening.shutdown()
        browser.close()


if __name__ == "__main__":
    main()
