"""Draw the pictures of the documentation, into docs/images.

    python docs/make_picture.py

- table.svg: a table in the middle of a game, as `pitboss play` shows it, made from a fixed list of
  cards and moves
- strength.svg: the strengths that a tournament of built-in bots ends in, as its report shows them, made
  with a fixed seed

Nothing in the pictures points to another address, so that they can be made again at any time and look the
same everywhere.
"""

from __future__ import annotations

import io
import re
from html import escape, unescape
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import pitboss
from pitboss.cli.draw import draw
from pitboss.core.plots import Dot, whiskers

IMAGES = Path(__file__).resolve().parent / "images"
PICTURE, STRENGTH = IMAGES / "table.svg", IMAGES / "strength.svg"
NAMES = ["human", "stay-25", "ev", "MyBot"]

# What is dealt and what the seats answer, in the order in which the game asks for it.
ROUND_1 = "12 11 9 10  hit 8 hit 7 hit 12 hit 6  hit 5 hit 10 hit 3 hit 10  stay stay stay"
ROUND_2 = "10 sc 11 9  hit 12 hit 7 hit 11 hit x2  hit +4 hit 12 hit 6  stay hit 5 hit fz"

_BLACK, _WHITE, _GREEN, _BLUE, _GREY = (24, 26, 30), (230, 232, 234), (120, 190, 90), (50, 110, 190), (120, 124, 130)
THEME = TerminalTheme((30, 32, 36), _WHITE, [_BLACK, _GREY, _GREEN, _GREY, _BLUE, _GREY, _GREY, _WHITE])

# A cell of the terminal in Rich's picture, and the strokes of the line characters within it.
CELL, LINE, MIDDLE, STROKE = 12.2, 24.4, 13.0, 1.6
STROKES = {"─": "across", "│": "up down", "╭": "right down", "╮": "left down", "╰": "right up", "╯": "left up"}


def table() -> str:
    """The picture as SVG text."""
    game = pitboss.load("flip7:official")
    position = game.start(len(NAMES))
    for word in (ROUND_1 + " " + ROUND_2).split():
        position.apply(word)
    view = position.view(position.to_act)
    choices = ", ".join(f"{move} {NAMES[move.seat]}" for move in view.legal)
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(draw(game.scene(view, NAMES)))
    console.print(Text.assemble((view.question, "bold"), (f" ({choices}) ", "dim"), ("@2", "bold green")))
    svg = console.export_svg(title="pitboss play", unique_id="table", theme=THEME)
    return fixed_cells(without_addresses(svg))


def without_addresses(svg: str) -> str:
    """Leave out the fonts that the picture would fetch, and notices with addresses."""
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", "'DejaVu Sans Mono', Menlo, Consolas, monospace")


def fixed_cells(svg: str) -> str:
    """Say where every word stands, and draw lines as lines: then no font can break the frames."""
    svg = re.sub(r'<clipPath id="table-line-\d+">.*?</clipPath>\s*', "", svg, flags=re.DOTALL)
    text = r'<text class="(table-r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>'
    svg = re.sub(text, lambda m: _cells(m[1], float(m[2]), float(m[3]), unescape(m[4])), svg)
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


def _cells(style: str, x: float, y: float, text: str) -> str:
    out = []
    for piece in re.finditer(r"─+|[│╭╮╰╯]|[^\s─│╭╮╰╯]+", text):
        left, width = x + piece.start() * CELL, len(piece[0]) * CELL
        if piece[0][0] in STROKES:
            out += [_stroke(style, left, width, y, way) for way in STROKES[piece[0][0]].split()]
        else:
            place = f'x="{left:.1f}" y="{y:g}" textLength="{width:.1f}"'
            out.append(f'<text class="{style}" {place}>{escape(piece[0])}</text>')
    return "\n".join(out)


def _stroke(style: str, left: float, width: float, y: float, way: str) -> str:
    top, middle, half = y - 18.6, left + CELL / 2, STROKE / 2
    x, y, width, height = {
        "across": (left, top + MIDDLE - half, width, STROKE),
        "left": (left, top + MIDDLE - half, CELL / 2 + half, STROKE),
        "right": (middle - half, top + MIDDLE - half, CELL / 2 + half, STROKE),
        "up": (middle - half, top, STROKE, MIDDLE),
        "down": (middle - half, top + MIDDLE, STROKE, LINE - MIDDLE + half),
    }[way]
    return f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


# --- the strengths ---

BOTS = "stay-20,stay-25,stay-30,bust-0.15,bust-0.25,ev"
WIDTH, EDGE, TITLE = 760, 24, 44

# What the report's page says in its own style sheet, for a picture that has none; the panel has a colour, so that
# the picture can be read on a light page and on a dark one.
STYLE = """
text { font: 13px 'DejaVu Sans', Verdana, Arial, sans-serif; fill: #1c1e20; }
.title { font-size: 15px; }
.title, .label { font-weight: bold; }
.tick { font-size: 12px; fill: #5a6066; }
.grid { stroke: #d8dcdf; }
.reference { stroke: #5a6066; stroke-width: 1.5; stroke-dasharray: 4 4; }
.whisker { stroke: #0f62a8; stroke-width: 2.5; stroke-linecap: round; }
.dot { fill: #0f62a8; stroke: #fff; stroke-width: 1.5; }
"""


def strength() -> str:
    """The picture as SVG text."""
    standings = pitboss.Tournament("flip7:tournament", BOTS, best_of=5, blocks=100, seed=1).play()
    dots = []
    for row in sorted(standings.rows, key=lambda row: -row.strength):
        low, high = row.strength_ci95 or (None, None)
        dots.append(Dot(row.name, row.strength, low, high, f"{row.strength:+.2f}"))
    plot = whiskers("Strength", dots, lambda x: f"{x:+g}" if x else "0", (0, "the middle of the field"))
    plot = re.sub(r"<title>.*?</title>|<desc>.*?</desc>", "", plot)  # for pages, which have tooltips
    inner, height = WIDTH - 2 * EDGE, int(re.search(r'height="(\d+)"', plot)[1])  # type: ignore[index]
    plot = plot.replace('width="100%"', f'x="{EDGE}" y="{TITLE}" width="{inner}"', 1).replace("><", ">\n<")
    size = f'width="{WIDTH}" height="{height + TITLE + EDGE // 2}"'
    title = f"Strengths after {standings.matches:,} matches of {standings.game}, with 95 % intervals"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>\n'
        f'<rect {size} rx="10" fill="#fff"/>\n<text class="title" x="{EDGE}" y="28">{title}</text>\n{plot}\n</svg>\n'
    )


if __name__ == "__main__":
    for file, picture in ((PICTURE, table()), (STRENGTH, strength())):
        file.write_text(picture, encoding="utf-8")
        print(f"wrote {file}")
