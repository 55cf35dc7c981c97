"""Plots and the report page: every number is where it should be, and the text is well-formed whatever the names."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pitboss.core import plots
from pitboss.render.report import page
from tests.tournament.sample_report import report

HOSTILE = '"><script>alert(1)</script>&'
VOID = {"meta", "link", "input", "br", "img"}


class Balanced(HTMLParser):
    """Reads HTML and refuses elements that are not closed in their order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.said = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.said.append(text)


def parsed(html):
    reader = Balanced()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def percent(text):
    assert text.endswith("%")
    return float(text[:-1])


def dots(count=4):
    return [plots.Dot(f"bot {i}", i / 10, i / 10 - 0.05, i / 10 + 0.07, f"{i / 10:.1f}") for i in range(count)]


def test_whiskers_keep_order_and_proportion():
    root = ElementTree.fromstring(plots.whiskers("Strength", dots(), reference=(0, "average")))
    places = [percent(circle.get("cx")) for circle in root.iter("circle")]
    gaps = [b - a for a, b in pairwise(places)]
    assert gaps == pytest.approx([gaps[0]] * 3, abs=0.02)
    assert gaps[0] > 0
    lines = [line for line in root.iter("line") if line.get("class") == "whisker" and line.get("y1") == line.get("y2")]
    for line, place in zip(lines, places, strict=True):
        assert percent(line.get("x1")) < place < percent(line.get("x2"))
        assert (place - percent(line.get("x1"))) / (percent(line.get("x2")) - place) == pytest.approx(5 / 7, abs=0.02)
    assert "bot 3: 0.3 (95 %: 0.25 to 0.37)" in root.get("aria-label")
    assert [title.text for title in root.iter("title")].count("average") == 1


def test_whiskers_without_intervals_and_of_one_bot():
    root = ElementTree.fromstring(plots.whiskers("Strength", [plots.Dot("a", 1.0, None, None, "1")]))
    assert [line for line in root.iter("line") if line.get("class") == "whisker"] == []
    assert 0 < percent(next(root.iter("circle")).get("cx")) < 100


def test_what_is_off_the_scale_ends_in_arrows():
    dots = [plots.Dot("a", 1, 0.5, 9, "+1"), plots.Dot("b", 0, -0.5, 0.5, "0"), plots.Dot("c", -14, -17, -11, "-14"),
            plots.Dot("d", -14, None, None, "-14")]  # fmt: skip
    svg = ElementTree.fromstring(plots.whiskers("Strength", dots, scale=(-1, 2)))
    drawn = [[node.get("d") or node.tag for node in group.iter() if node.get("class") in ("arrow", "dot")]
             for group in svg.iter("g")]  # fmt: skip
    left, right = "M-7 0L1-5V5Z", "M7 0L-1-5V5Z"
    assert drawn == [[right, "circle"], ["circle"], [left, left], [left]]
    places = [float(node.get("x").rstrip("%")) for node in svg.iter("svg") if node.get("overflow")]
    assert sorted(places) == pytest.approx([3, 3, 3, 97], abs=0.1)


def test_histograms_share_scales():
    few, many = [[0, 10, 5], [10, 20, 15]], [[0, 10, 100], [10, 20, 100], [20, 30, 0]]
    tall = {}
    for name, bars in (("few", few), ("many", many)):
        root = ElementTree.fromstring(plots.histogram(name, bars, (0, 30), 0.75, 100))
        tall[name] = [float(bar.get("height")) for bar in root.iter("rect")]
        assert all(percent(bar.get("x")) + percent(bar.get("width")) <= 100 for bar in root.iter("rect"))
    assert tall["few"] == pytest.approx([32, 96])
    assert tall["many"] == pytest.approx([64, 64])
    assert "10 to 19: 15 (75.0%)" in plots.histogram("few", few)
    assert "7 rounds: 2 (100.0%)" in plots.histogram("length", [[7, 8, 2]], unit="rounds")


def test_times_are_on_a_scale_of_powers():
    root = ElementTree.fromstring(plots.times("Time", [("a", 0.01, 0.1), ("b", 1.0, 10.0)]))
    a, b = (percent(circle.get("cx")) for circle in root.iter("circle"))
    most_a, most_b = (percent(mark.get("x")) for mark in root.iter("svg") if mark.get("x"))
    assert most_a - a == pytest.approx(most_b - b, abs=0.02)
    assert b - a == pytest.approx(2 * (most_a - a), abs=0.02)
    ElementTree.fromstring(plots.times("Time", [("a", 0.0001, 0.0001)]))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2.3, 2.9), (17, 17), (0.001, 0.0012), (0, 100_000), (-1e-9, 1e-9)])
def test_ticks_are_inside_and_even(low, high):
    marks = plots.ticks(low, high)
    assert 1 <= len(marks) <= 11
    assert all(low - 1e-9 <= x <= high + 1e-9 for x in marks)


def test_names_cannot_become_markup_in_plots():
    for svg in (
        plots.whiskers(HOSTILE, [plots.Dot(HOSTILE, 1, 0, 2, HOSTILE)], reference=(0, HOSTILE)),
        plots.times(HOSTILE, [(HOSTILE, 1, 2)]),
        plots.histogram(HOSTILE, [[0, 1, 2]], unit=HOSTILE),
    ):
        assert "script" not in {node.tag for node in ElementTree.fromstring(svg).iter()}


@pytest.mark.parametrize(("bots", "blocks"), [(1, 3), (2, 1), (2, 50), (6, 50), (30, 5), (60, 2)])
def test_report_of_any_size(bots, blocks):
    data = report(bots, blocks)
    html = page(data)
    reader = parsed(html)
    text = "".join(reader.said)
    for bot in data["standings"]:
        assert bot["name"] in text
        assert f"{100 * bot['win_share']:.1f} %" in text
        assert f"{bot['mean_score']:.1f}" in text
    assert ("(95 %:" in html) == (blocks > 1)
    figures = [tag for tag, attributes in reader.tags if tag == "svg" and attributes.get("class") == "plot"]
    assert len(figures) == 2 + bots + 1 + any(bot["ms_per_decision"] for bot in data["standings"])


def test_bots_that_lost_everything_do_not_press_the_others_together():
    data = report(6, 50)
    data["standings"][5] |= {"win_share": 0.0, "strength": -14.0, "strength_ci95": [-17.0, -11.0]}
    plot = page(data).partition('aria-label="Strength')[2].partition("</svg></g></svg>")[0]
    dots = [float(x) for x in re.findall(r'class="dot" cx="([0-9.]+)%', plot)]
    assert len(dots) == 5
    assert max(dots) - min(dots) > 40  # per cent of the width
    assert plot.count('class="arrow"') == 2


def test_a_few_endless_games_leave_room_for_the_others():
    data = {**report(3), "length_histogram": [[8, 500], [9, 300], [10, 196], [1000, 4]]}
    html = page(data)
    assert "mean 12.7; 4 longer than 10, up to 1,000" in html
    plot = html.partition('aria-label="rounds per game')[2].partition("</svg>")[0]
    assert plot.count('class="bar"') == 3
    assert float(re.search(r'class="bar" x="[^"]*" y="[^"]*" width="([0-9.]+)%', plot)[1]) > 25


def test_many_lengths_are_gathered_in_bars():
    html = page({**report(3), "length_histogram": [[n, 2] for n in range(10, 300)]})
    plot = html.partition('aria-label="rounds per game')[2].partition("</svg>")[0]
    counted = [int(n) for n in re.findall(r"rounds: (\d+) \(", plot)]
    assert len(counted) <= 40
    assert sum(counted) == 2 * 288  # all but the longest hundredth


def test_report_shows_the_columns_it_is_given_and_the_plots_keep_their_order():
    data = report(3)
    html = page({**data, "standings": data["standings"][::-1]})
    assert ">ranks</th>" in html
    assert ">1 to 3<" in html
    plots = html[html.index('aria-label="Strength"') :]
    assert plots.index(">stay-25<") < plots.index(">bust-0.25<") < plots.index(">ev<")


def test_report_says_how_often_two_met_and_who_won():
    data = report(3, 20)
    table = data["head_to_head"]
    table["games"][0][2] = table["games"][2][0] = 0
    html = page(data)
    won, lost, met = table["wins"][0][1], table["wins"][1][0], table["games"][0][1]
    drawn = met - won - lost
    assert drawn > 0
    cell = f'title="ev against bust-0.25: {won} won, {drawn} drawn, {lost} lost of {met}">'
    assert f"{cell}{100 * (won + drawn / 2) / met:.0f}<" in html
    assert "ev never met stay-25" in html


def test_report_names_faults_warnings_settings_and_replays():
    data = report(6, 50)
    text = re.sub(r"\s+", " ", " ".join(parsed(page(data)).said))
    assert "illegal move" in text
    assert "timeout" in text
    assert data["warnings"][0] in text
    assert "ev is better than stay-25 and random." in text  # a name keeps its small letter
    assert "The other 7 pairs are too close to call." in text
    assert "unsteady" in text
    assert "flip7:tournament(target=200) · 6 bots · 1,500 matches · 6,000 games · 5.21 min" in text
    assert 'href="game-12.html"' in page(data)
    nobody = page({**data, "standings": [{**bot, "faults": {}} for bot in data["standings"]]})
    assert "No bot was ever at fault." in nobody


def test_report_publishes_the_key_only_when_it_is_told():
    done, running = page(report(3)), page(report(3, finished=False))
    assert "printf %s key:000102030405060708090a0b0c0d0e0f | sha256sum" in done
    assert "published when the last game has been played" in running
    assert "key:0001" not in running
    seeded = page({**report(3), "seed": "17"})
    assert "All cards follow from the seed 17" in seeded
    assert "nobody could choose the cards later" not in seeded


def test_report_before_the_first_game():
    data = report(3, finished=False)
    empty = {**data, "score_histograms": {}, "length_histogram": [], "replays": [], "statements": [], "warnings": []}
    del empty["seconds"]
    text = " ".join(parsed(page(empty)).said)
    assert text.count("No game has been played yet.") == 2
    assert "No replays were written." in text


def test_report_treats_names_as_text():
    data = report(names=[HOSTILE, "b" * 300, "ok"])
    data |= {"title": HOSTILE, "statements": [HOSTILE], "warnings": [HOSTILE], "settings": [[HOSTILE, HOSTILE]]}
    data["replays"] = [{"title": HOSTILE, "href": 'a".html'}]
    reader = parsed(page(data))
    assert [tag for tag, _ in reader.tags].count("script") == 1
    assert HOSTILE in "".join(reader.said)


@pytest.mark.parametrize("href", ["javascript:alert(1)", "https://example.org/", "/etc/passwd", "//example.org"])
def test_report_links_only_to_its_own_folder(href):
    data = report(2)
    data["replays"] = [{"title": "a game", "href": href}]
    with pytest.raises(ValueError, match="not a relative address"):
        page(data)
