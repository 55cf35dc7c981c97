"""The report as a browser shows it."""

import pytest

from pitboss.render.report import page
from tests.tournament.sample_report import report


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize(("bots", "blocks"), [(1, 2), (2, 1), (6, 50), (60, 2)])
def test_it_fits_the_screen(visit, width, bots, blocks):
    tab = visit(page(report(bots, blocks)), width=width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.locator(".standings tbody tr").count() == bots
    marks = tab.evaluate(
        """() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
          const room = plot.getBoundingClientRect();
          return [...plot.querySelectorAll(".dot, .bar, .most, .whisker")].map((mark) => {
            const box = mark.getBoundingClientRect();
            return box.left >= room.left - 1 && box.right <= room.right + 1;
          });
        })"""
    )
    assert marks
    assert all(marks)


@pytest.mark.parametrize("width", [360, 1440])
def test_labels_do_not_cover_each_other(visit, width):
    tab = visit(page(report(6, 50)), width=width)
    covered = """() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
      const labels = [...plot.querySelectorAll(".label")].map((node) => node.getBoundingClientRect());
      const values = [...plot.querySelectorAll(".value")].map((node) => node.getBoundingClientRect());
      return labels.filter((label, i) => label.right > values[i].left);
    }).length"""
    assert tab.evaluate(covered) == 0


def test_shades_agree_with_numbers(visit):
    """In the head-to-head table, what is won and what is lost never have the same colour."""
    tab = visit(page(report(6, 50)), color_scheme="light")
    cells = tab.evaluate(
        """() => [...document.querySelectorAll(".heat td[title]")].map((cell) =>
             [Number(cell.textContent), getComputedStyle(cell).backgroundColor, cell.title])"""
    )
    assert len(cells) == 30
    won = {colour for share, colour, _ in cells if share > 55}
    lost = {colour for share, colour, _ in cells if share < 45}
    assert min(len(won), len(lost)) > 2
    assert not won & lost
    assert all(" of 100" in title for _, _, title in cells)


def test_light_and_dark(visit):
    tab = visit(page(report(3)), color_scheme="light")
    colour = "getComputedStyle(document.body).backgroundColor"
    before = tab.evaluate(colour)
    tab.get_by_role("button", name="Dark", exact=True).click()
    assert tab.evaluate(colour) != before


def test_tables_and_figures_have_names(visit):
    tab = visit(page(report(6, 50)))
    assert tab.get_by_role("region", name="Standings").get_by_role("rowheader").count() == 6
    assert tab.get_by_role("region", name="Head to head").get_by_role("columnheader", name="stay-25").count() == 1
    assert tab.get_by_role("img", name="Strength. ev: +1.20 (95 %: 1 to 1.43)").count() == 1
