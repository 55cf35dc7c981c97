"""The page without a server as a folder of static files, for any web server and for `file://`.

    index.html  app.js  style.css  icon.svg  games/NAME.js …  sw.js  manifest.webmanifest

`app.js` is our modules joined (`join`); `games/NAME.js` is a game: its records, bots and texts as data, and its rules
as WebAssembly. Both are classic scripts, because a browser loads nothing else from a folder.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.registry import games, load
from pitboss.core.types import Data
from pitboss.page.target import build_module, describe
from pitboss.render import HERE as SHARED
from pitboss.render.join import join

STATIC = Path(__file__).parent / "static"
LANGUAGES = ("en", "de", "es")
STYLES = ("base.css", "table.css", "story.css", "page.css")
COPIED = ("index.html", "icon.svg")


@dataclass(frozen=True)
class BuiltPage:
    """What was written, and how large it is."""

    folder: Path
    games: dict[str, int]  # bytes of each game's script, gzipped
    shared: int  # bytes of everything else, gzipped

    def to_dict(self) -> Data:
        """For JSON."""
        return {"folder": str(self.folder), "gzipped": {"page": self.shared, "games": self.games}}


def build(out: Path, names: Sequence[str] = (), tell: Callable[[str], None] = lambda _: None) -> BuiltPage:
    """Write the page with these games, by default all that are installed; files that are in the way are replaced."""
    known = list(games())
    for name in names:
        if name not in known:
            raise PitbossError(f"there is no game {name!r}; there are {', '.join(known)}")
    files: dict[str, bytes] = {}
    catalogue = []
    for name in names or known:
        tell(name)
        described = {**describe(name), "words": load(name).describe_words()}
        files[f"games/{name}.js"] = _game_script(name, described, build_module(name))
        catalogue.append(_listed(described))
    files["app.js"] = app_script(catalogue).encode()
    files["style.css"] = "\n".join(_source(name) for name in STYLES).encode()
    files |= {name: _source(name).encode() for name in COPIED}
    files["manifest.webmanifest"] = (STATIC / "manifest.webmanifest").read_bytes()
    files["sw.js"] = _service_worker(files)
    _write(out, files)
    sizes = {name: len(gzip.compress(data, 9)) for name, data in files.items()}
    of_game = {name: sizes.pop(f"games/{name}.js") for name in names or known}
    return BuiltPage(out, of_game, sum(sizes.values()))


def app_script(catalogue: list[Data]) -> str:
    """All our modules as one script. The worker's is a text within it: a page from a folder may load no other."""
    modules = {file.name: file.read_text("utf-8") for place in (SHARED, STATIC) for file in place.glob("*.js")}
    modules.pop("sw.js")
    texts = {code: json.loads((STATIC / f"{code}.json").read_text("utf-8")) for code in LANGUAGES}
    modules["catalogue.js"] = (
        f"export const VERSION = {json.dumps(version('pitboss'))};\n"
        f"export const GAMES = {_json(catalogue)};\n"
        f"export const TEXTS = {_json(texts)};\n"
        f"export const WORKER = {_json(join(modules, 'worker.js'))};\n"
    )
    return join(modules, "main.js")


def _listed(described: Data) -> Data:
    """What the page must know of a game before it is loaded."""
    presets = [
        {key: preset[key] for key in ("text", "title", "fullTitle", "about", "seats")}
        for preset in described["presets"]
    ]
    return {**{key: described[key] for key in ("name", "title", "about", "secrets")}, "presets": presets}


def _game_script(name: str, described: Data, wasm: bytes) -> bytes:
    """A game, each part compressed before it is written as text: compressed text of binary data is a fifth larger."""
    tables = [_packed(base64.b64decode(table)) for table in described["tables"]]
    rest = _json({key: value for key, value in described.items() if key != "tables"})
    data = {"description": _packed(rest.encode()), "tables": tables, "wasm": _packed(wasm)}
    return f"(globalThis.pitbossGames ??= {{}})[{json.dumps(name)}] = {_json(data)};\n".encode()


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _service_worker(files: dict[str, bytes]) -> bytes:
    """Keeps all files on the device; another build has another name, so the old files go."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + files[name])
    head = (
        f"const CACHE = {json.dumps('pitboss-' + digest.hexdigest()[:16])};\nconst FILES = {_json(['./', *files])};\n"
    )
    return (head + _source("sw.js")).encode()


def _source(name: str) -> str:
    file = STATIC / name
    return (file if file.exists() else SHARED / name).read_text("utf-8")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _write(out: Path, files: dict[str, bytes]) -> None:
    (out / "games").mkdir(parents=True, exist_ok=True)
    for old in (out / "games").glob("*.js"):
        if f"games/{old.name}" not in files:
            old.unlink()
    for name, data in files.items():
        write_whole(out / name, data)
