"""Take the screenshots of the documentation, into docs/images, and of the front page, from real pages of a real server.

    python docs/make_screens.py                      all of them
    python docs/make_screens.py vengeance-swap.jpg   some, by name

It needs the extras `web`, `page` and `browser`, and a chromium of the system's. Seeds are fixed, so the games are the
same every time; fonts are those of the machine.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import uvicorn
from playwright.sync_api import Page, sync_playwright

from pitboss import load, play
from pitboss.core.types import Data
from pitboss.page.build import build
from pitboss.render import joined, read
from pitboss.render.replay import steps
from pitboss.render.steps import Moment
from pitboss.web.app import create_app
from pitboss.web.settings import ServerSettings
from pitboss.web.warmup import warm

IMAGES = Path(__file__).resolve().parent / "images"
FRONT = IMAGES.parent.parent / "src/pitboss/web/static"  # what the room shows of itself
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
CROWD = ("here Ann", "bot ev", "bot stay-25", "bot conservative")


def serve(folder: str) -> str:
    """A server in a thread, which ends with this process; its address."""
    warm()
    config = uvicorn.Config(
        create_app(ServerSettings(store=f"{folder}/room.db", allow_runs=True)), port=0, log_level="warning"
    )
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def make(base: str, spec: str, *places: str, **more: Any) -> tuple[str, str]:
    """A new table: its id and its maker's token."""
    asked = [dict(zip(("kind", "name"), place.split(" ", 1), strict=True)) for place in places]
    answer = (
        httpx.post(f"{base}/api/tables", json={"spec": spec, "places": asked, **more}, timeout=60)
        .raise_for_status()
        .json()
    )
    return answer["id"], answer["token"]


def answer(page: Page, *moves: str) -> None:
    """Make these moves, and read the recaps in between."""
    for move in moves:
        while page.wait_for_selector("[data-state=asked], [data-state=recap]").get_attribute("data-state") == "recap":
            page.locator("dialog[open] button").click()
        page.locator(f"[data-move='{move}']").click()
    page.wait_for_selector("[data-state=asked], [data-state=recap]")


def table(page: Page, base: str) -> None:
    """In the middle of a round, with a hint."""
    id, token = make(base, "flip7:official", *CROWD, seed="11")
    page.goto(f"{base}/table/{id}#{token}")
    answer(page, "hit", "hit")
    page.keyboard.press("?")
    page.locator(".hint thead").wait_for(timeout=180_000)  # with chances to win


def replay(page: Page, base: str) -> None:
    """A finished game of bots, at the worst blunder."""
    id, token = make(base, "flip7:official", "bot ev", "bot stay-25", "bot always-hit", seed="5", pace=0)
    me = {"Authorization": f"Bearer {token}"}
    while not httpx.post(f"{base}/api/tables/{id}/step", headers=me).json()["ending"]:
        pass
    for blunder in sorted(httpx.get(f"{base}/api/blunders/{id}").json(), key=lambda blunder: -blunder["lost"]):
        asked = {"step": blunder["step"], "chances": True}
        said = httpx.get(f"{base}/api/decisions/{id}", params=asked, timeout=180).json()
        if not any(each["best"] and each["move"] == said["played"] for each in said["worth"]):
            break  # it did not even help to win
    page.goto(f"{base}/replay/{id}?move={blunder['step']}")
    page.wait_for_selector("#replay[data-judged]")
    page.locator(".opinion thead").wait_for()


def phone(page: Page, base: str) -> None:
    """Show on a phone, in the dark."""
    id, token = make(base, "show:fair", "here Ann", "bot show-6", seed="3")
    page.goto(f"{base}/table/{id}#{token}")
    answer(page, "0", "1", "0")


def tournament(page: Page, base: str) -> None:
    """A tournament of built-in bots that is over."""
    asked = {"spec": "flip7:tournament", "bots": ["ev", "stay-25", "bust-0.25", "random"], "blocks": 100, "seed": "1"}
    id = httpx.post(f"{base}/api/tournaments", json=asked, timeout=60).raise_for_status().json()["id"]
    page.goto(f"{base}/tournaments/{id}")
    page.wait_for_selector("[data-state=finished]", timeout=120_000)


def companion(page: Page, base: str) -> None:
    """In the middle of a round at a real table, alone: nobody else's chances need to be worked out first."""
    page.goto(f"{base}/companion#rules=flip7:solo&names=me&totals=120&taps=12+8+5")
    page.wait_for_selector("[data-advised='3']", timeout=300_000)


def without_server(page: Page, base: str) -> None:
    """The page without a server, in the middle of a round, with a hint."""
    with tempfile.TemporaryDirectory() as folder:
        page.goto(f"{build(Path(folder)).folder.as_uri()}/index.html#/play/flip7:official?seed=3")
        hit = page.locator(".choices button", has_text="Hit")
        for _ in range(3):
            page.wait_for_selector(".page[data-state=asked]")
            (hit if hit.count() else page.locator(".choices button")).first.click()
        page.wait_for_selector(".page[data-state=asked]")
        page.keyboard.press("?")
        page.locator(".hint thead").wait_for()


def swap(page: Page, base: str, seats: int = 6) -> None:
    """A Swap of which the first card is chosen; the cards that it can go for are marked."""
    id, token = make(base, "vengeance", "here Ann", *["bot stay-25"] * (seats - 1), seed="6")
    page.goto(f"{base}/table/{id}#{token}")
    page.wait_for_selector("[data-state=asked]")
    while not page.locator(".card.pick").count():
        answer(page, "@0" if page.locator("[data-move='@0']").count() else "hit")
    page.locator("[data-seat='0'] .card.pick").first.click()
    page.wait_for_selector("[data-state=asked]:not(:has([data-seat='0'] .card.pick))")


def swap_on_a_phone(page: Page, base: str) -> None:
    """The same at a smaller table."""
    swap(page, base, 4)


def drawn(page: Page, script: str, style: str = "") -> None:
    """A page of its own, with the look and a module that may import what pages are drawn with."""
    look = read("base.css") + read("table.css") + style
    page.set_content(f"<!DOCTYPE html><style>{look}</style><body><script>{joined(dedent(script))}</script>")


def cards(page: Page, base: str) -> None:
    """A face of every kind, at two sizes."""
    kinds = {"flip7": range(22), "vengeance": [0, *range(13, 27)], "show": [0, 1, 24, 27, 38, 52, 53]}
    rows = [[vars(load(game).speaker().face(kind)) for kind in wanted] for game, wanted in kinds.items()]
    drawn(
        page,
        f"""\
        import {{ cardPicture }} from "./cards.js";
        for (const width of [66, 24]) for (const row of {json.dumps(rows)}) {{
          const line = document.body.appendChild(document.createElement("div"));
          line.append(...row.map((face) => cardPicture(face, {{ width }})));
        }}""",
        "body { background: var(--felt); padding: 12px; }"
        "div { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px; }",
    )


def bust(page: Page, base: str) -> None:
    """A bust, in four moments."""
    around = moment("flip7:official", ["always-hit", "stay-25", "ev"], seed=5, name="bust")
    drawn(
        page,
        f"""\
        import {{ motion }} from "./motion.js";
        import {{ Table }} from "./table.js";
        motion("calm");
        for (const at of [180, 520, 760, 980]) {{
          const cloth = document.body.appendChild(document.createElement("div"));
          cloth.className = "felt";
          const table = new Table(cloth.appendChild(document.createElement("div")));
          table.near = 0;
          const [before, scene, moments] = {json.dumps(around)};
          table.draw(before, null);
          table.draw(scene, before, moments);
          clearTimeout(table.lively.timer);
          const own = document.getAnimations().filter((each) => cloth.contains(each.effect.target));
          own.forEach((each) => Object.assign(each, {{ currentTime: at }}).pause());
        }}""",
        "body { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; padding: 8px; }"
        ".felt { display: grid; height: 400px; }",
    )


def moment(spec: str, bots: list[str], seed: int, name: str) -> tuple[Data, Data, list[Moment]]:
    """The first great moment of this name in a game that leaves its mark on the first seat: the scenes around it."""
    for before, step in pairwise(steps(play(spec, bots, seed=seed))):
        (scene, *_), (told, *_) = step["scenes"], step.get("moments", [[]])
        if scene["seats"][0]["state"] == name and any(each[:2] == (name, 0) for each in told):
            return before["scenes"][0], scene, told
    raise SystemExit(f"game {seed} has no {name}")


SCREENS: dict[str, tuple[Callable[[Page, str], None], dict[str, Any]]] = {
    "room-table.jpg": (table, {"viewport": {"width": 1200, "height": 760}, "color_scheme": "light"}),
    "room-replay.jpg": (replay, {"viewport": {"width": 1200, "height": 760}, "color_scheme": "dark"}),
    "room-tournament.jpg": (tournament, {"viewport": {"width": 1200, "height": 900}, "color_scheme": "light"}),
    "room-companion.jpg": (companion, {"viewport": {"width": 360, "height": 720}, "color_scheme": "light"}),
    "vengeance-swap.jpg": (swap, {"viewport": {"width": 1200, "height": 760}, "color_scheme": "light"}),
    "vengeance-phone.jpg": (swap_on_a_phone, {"viewport": {"width": 360, "height": 720}, "color_scheme": "light"}),
    "page-table.jpg": (without_server, {"viewport": {"width": 1200, "height": 760}, "color_scheme": "light"}),
    "companion.jpg": (companion, {"viewport": {"width": 360, "height": 440}, "color_scheme": "light"}),
    "cards.jpg": (cards, {"viewport": {"width": 1200, "height": 560}, "color_scheme": "light"}),
    "moment-bust.jpg": (bust, {"viewport": {"width": 1200, "height": 416}, "color_scheme": "light"}),
    "room-phone.jpg": (phone, {"viewport": {"width": 360, "height": 720}, "color_scheme": "dark"}),
}


def main() -> None:
    """Take all of them, or those that are named."""
    wanted = {name: SCREENS[name] for name in sys.argv[1:] or SCREENS}
    program = os.environ.get("PITBOSS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        base = serve(folder)
        browser = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        for name, (prepare, options) in wanted.items():
            page = browser.new_page(**options, reduced_motion="reduce")
            prepare(page, base)
            page.evaluate("document.activeElement?.blur()")
            picture = (FRONT if name == "companion.jpg" else IMAGES) / name
            page.screenshot(path=picture, type="jpeg", quality=85)
            print(f"Written: {picture}")
        browser.close()


if __name__ == "__main__":
    main()
