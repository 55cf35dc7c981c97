"""pitboss from Python: what it lists, understands, shows and says."""

import ast
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import pitboss
from pitboss.cli.common import in_flags
from pitboss.core.counts import whole_number
from pitboss.core.keys import Key
from pitboss.tournament.tune import TuneSettings

SOURCE = Path(pitboss.__file__).parent
BOTS = ["stay-20", "stay-30"]


@pytest.fixture(scope="module")
def result():
    return pitboss.simulate("flip7:numbers", BOTS, games="0.1k", seed=1)


@pytest.fixture(scope="module")
def cup():
    cup = pitboss.Tournament("flip7:numbers", BOTS, blocks="5", seed=1)
    cup.play()
    return cup


@pytest.fixture(scope="module")
def comparison():
    return pitboss.compare("flip7:numbers", *BOTS, blocks=50.0, seed=1)


def test_dir_lists_what_there_is():
    assert set(pitboss.__all__) <= set(dir(pitboss))
    assert all(hasattr(pitboss, name) for name in dir(pitboss))


# --- numbers of games ---


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (1000, 1000), (1e6, 10**6), ("1e6", 10**6), ("10k", 10**4), ("10K", 10**4), ("2.5M", 2_500_000),
        ("1_000", 1000),
        ("1,000", 1000), (np.int64(7), 7), ("1G", 10**9), (" 5 ", 5), ("2E+1", 20), ("20.0", 20),
    ],
)  # fmt: skip
def test_numbers_as_people_write_them(given, number):
    assert whole_number(given) == number
    assert type(whole_number(given)) is int


@pytest.mark.parametrize(
    "given",
    [0, -5, 1.5, "1.5", "many", "", "k", "10kk", "1e", "1e999", float("nan"), float("inf"), True, None, "-1", "._"],
)  # fmt: skip
def test_nonsense_is_a_sentence(given):
    with pytest.raises(pitboss.PitbossError, match="`games` must be a whole number from 1 up, such as 1000, 10k"):
        whole_number(given, "games")


def test_numbers_are_understood_wherever_games_are_counted(result, cup, comparison):
    assert result.games == 100
    assert cup.settings.blocks == 5
    assert comparison.blocks <= 50
    with pytest.raises(pitboss.PitbossError, match="`blocks` must be a whole number"):
        pitboss.Tournament("flip7:numbers", BOTS, blocks="few")
    with pytest.raises(pitboss.PitbossError, match="`games` must be a whole number"):
        pitboss.Tournament("flip7:numbers", BOTS, games="few")


# --- seeds ---


def test_without_a_seed_luck_is_random_and_can_be_repeated():
    first, second = (pitboss.simulate("flip7:numbers", BOTS, games=20) for _ in range(2))
    assert first.seed != second.seed
    again = pitboss.simulate("flip7:numbers", BOTS, games=20, seed=first.seed)
    assert again.cards == first.cards
    game, other = (pitboss.play("flip7:numbers", BOTS) for _ in range(2))
    assert game.key != other.key
    assert pitboss.play("flip7:numbers", BOTS, game.key).to_dict() == game.to_dict()


def test_a_comparison_says_its_seed():
    found = pitboss.compare("flip7:numbers", *BOTS, blocks=4)
    again = pitboss.compare("flip7:numbers", *BOTS, blocks=4, seed=found.seed)
    assert again.difference == found.difference


def test_seeds_as_text():
    assert Key.of("7") == Key.of(7) == Key.of(Key.from_seed(7))
    assert Key.of(str(Key.from_seed(7))) == Key.from_seed(7)


# --- what is shown ---


def test_bots_by_name(result):
    assert result.win_share("stay-30") == result.win_share(1)
    with pytest.raises(pitboss.PitbossError, match="unknown bot 'stay-31' .did you mean 'stay-30'"):
        result.win_share("stay-31")
    with pytest.raises(pitboss.PitbossError, match="there is no bot 2; they have the numbers 0 to 1"):
        result.win_share(2)
    twins = pitboss.simulate("flip7:numbers", ["ev", "ev"], games=2, seed=1)
    with pytest.raises(pitboss.PitbossError, match="'ev' sits at several seats; give the number of one"):
        twins.win_share("ev")
    assert twins.win_share("ev#2") == twins.win_share(1)


def test_reprs_are_short_and_say_what_it_is(result, cup, comparison):
    record = pitboss.play("flip7:numbers", BOTS, seed=1)
    assert re.fullmatch(r"<100 games of flip7:numbers: stay-20 [\d.]+%, stay-30 [\d.]+%>", repr(result))
    assert repr(cup) == f"<tournament {cup.id} of flip7:numbers: 2 bots, 10 of 10 matches played>"
    assert repr(cup.standings()).startswith("<10 matches of flip7:numbers: stay-")
    assert re.fullmatch(r"<a game of flip7:numbers: stay-20 \d+, stay-30 \d+; stay-\d0 won, \d+ moves>", repr(record))
    assert comparison.sentence() in repr(comparison)


def test_a_tournament_that_has_not_begun_has_a_repr():
    cup = pitboss.Tournament("flip7:numbers", BOTS, blocks=5, seed=1)
    assert repr(cup).endswith("0 of 10 matches played>")
    assert "stay-20" in cup._repr_html_()


def test_notebooks_show_tables(result, cup, comparison):
    for shown in (result, cup, cup.standings(), comparison, pitboss.play("flip7:numbers", BOTS, seed=1)):
        html = shown._repr_html_()
        assert html.startswith("<table>")
        assert "stay-30" in html


def test_nothing_in_a_table_is_taken_for_html(result):
    from dataclasses import replace

    assert "<b>" not in replace(result, names=["<b>", "ev"])._repr_html_()


def test_all_results_are_dictionaries(result, cup, comparison):
    record = pitboss.play("flip7:numbers", BOTS, seed=1)
    assert result.to_dict()["games"] == 100
    assert cup.to_dict() == cup.standings().to_dict()
    assert comparison.to_dict()["a"] == record.to_dict()["seats"][0] == "stay-20"


def test_data_frames(result, cup, comparison):
    pytest.importorskip("pandas")
    record = pitboss.play("flip7:numbers", BOTS, seed=1)
    frame = result.to_pandas()
    assert list(frame["name"]) == BOTS
    assert frame["win_share"].sum() == pytest.approx(1)
    assert (frame["ci95_low"] < frame["win_share"]).all()
    assert sorted(cup.to_pandas()["name"]) == BOTS
    assert list(comparison.to_pandas()["a"]) == ["stay-20"]
    steps = record.to_pandas()
    assert len(steps) == len(record.cards) + len(record.moves) + 1
    assert list(steps["what"][steps["name"].notna()]) == [record.game.format_move(move) for move in record.moves]


def test_plots_are_pictures_with_every_bot(result, cup, comparison, tmp_path):
    tuning = pitboss.tune("stay", ["n=20..30:10"], "flip7:numbers", TuneSettings(["ev"], games=200, seed=1))
    for shown in (result, cup, cup.standings(), comparison, tuning):
        picture = shown.plot()._repr_svg_()
        ElementTree.fromstring(picture)  # it is whole
        assert "20" in picture
        assert "30" in picture
    saved = result.plot().save(tmp_path / "shares.svg")
    assert saved.read_text() == result.plot()._repr_svg_()
    with pytest.raises(pitboss.PitbossError, match="give a file that ends in .svg or .png, not .pdf"):
        result.plot().save(tmp_path / "shares.pdf")
    assert "stay-20" in tuning._repr_html_()


def test_a_notebook_plays_a_game(tmp_path):
    html = pitboss.replay(pitboss.play("flip7:numbers", BOTS, seed=1))._repr_html_()
    assert html.startswith("<iframe")
    assert 'sandbox="allow-scripts"' in html
    assert html.count("<") == 2  # the whole page is one attribute: nothing of it is the notebook's


def test_without_pandas_there_is_a_sentence(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pitboss.PitbossError, match=re.escape("needs pandas: pip install 'pitboss[pandas]'")):
        result.to_pandas()


# --- errors ---


def test_library_errors_name_arguments_and_the_command_line_flags():
    import typer

    from pitboss.cli.commands import command_line

    command = typer.main.get_command(command_line()).commands["tournament"].commands["run"]
    with pytest.raises(pitboss.PitbossError, match=re.escape("give `seats=2`, or")) as refused:
        pitboss.Tournament("flip7:numbers", BOTS, seats=4)
    assert "give --seats 2, or" in in_flags(str(refused.value), command)
    assert in_flags("`best_of` must be 1; `columns` is missing", command) == "--best-of must be 1; `columns` is missing"
    assert in_flags("`spec` is missing", command).startswith("SPEC")


def _raised(tree):
    """The texts of all exceptions that a module raises."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            for part in ast.walk(node.exc):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def test_no_flag_is_named_outside_the_command_line():
    """But as part of a whole command: `pitboss serve --allow-runs`."""
    for path in SOURCE.rglob("*.py"):
        if "cli" in path.relative_to(SOURCE).parts:
            continue
        for text in _raised(ast.parse(path.read_text())):
            rest = re.sub(r"(pitboss|ray|pip) [\w -]*--[\w-]+|started with --store FILE", "", text)
            assert not re.search(r"(^|[ (])--[a-z]", rest), f"{path.name}: {text}"
