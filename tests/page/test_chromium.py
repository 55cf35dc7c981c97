"""In Chromium games are the same as in node, which are the same as in Python (`test_engine`)."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.page.test_engine import GAMES, simulations

ROOT = Path(__file__).resolve().parents[2]
KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm"}
DRIVE = """
async ([name, jobs]) => {
  const [{ does }, { openGame }, { sha256 }] = await Promise.all([
    import("/tests/page/jobs.mjs"),
    import("/src/pitboss/page/static/engine.js"),
    import("/src/pitboss/page/static/sha256.js"),
  ]);
  const [description, wasm] = await Promise.all([
    fetch(`/built/${name}.json`).then((answer) => answer.json()),
    fetch(`/built/${name}.wasm`).then((answer) => answer.arrayBuffer()),
  ]);
  const game = await openGame({ description, wasm: new Uint8Array(wasm) });
  const hasher = () => {
    const parts = [];
    const all = { update: (part) => { parts.push(...part); return all; } };
    all.digest = () => [...sha256(Uint8Array.from(parts))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return all;
  };
  return JSON.stringify(jobs.map((job) => does[job.do](game, { ...job, hasher })));
}
"""


@pytest.fixture(scope="module")
def page(browser, engine):
    """A page that reads modules and games from the disk, as if a server had them."""

    def serve(route):
        path = urlsplit(route.request.url).path
        file = engine.folder / path.removeprefix("/built/") if path.startswith("/built/") else ROOT / path[1:]
        if path == "/":
            route.fulfill(body="<!doctype html>", content_type="text/html")
        else:
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])

    context = browser.new_context()
    context.route("http://page.test/**", serve)
    opened = context.new_page()
    opened.goto("http://page.test/")
    yield opened
    context.close()


@pytest.mark.parametrize("name", GAMES)
def test_rows_of_all_bots_at_all_tables_are_the_same(engine, page, name):
    jobs = simulations(engine, name)
    assert json.loads(page.evaluate(DRIVE, [name, jobs])) == engine.run(jobs)
